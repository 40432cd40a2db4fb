//===- VerifierUtils.cpp - checks that several ops share ------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VerifierUtils.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tirx;

SmallVector<int64_t> verifier::dropUnitExtents(ArrayRef<int64_t> shape) {
  SmallVector<int64_t> result;
  llvm::copy_if(shape, std::back_inserter(result),
                [](int64_t extent) { return extent != 1; });
  return result;
}

std::string verifier::formatShape(ArrayRef<int64_t> shape) {
  if (shape.empty())
    return "scalar";
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleave(shape, os, "x");
  return text;
}

LogicalResult verifier::verifySameShape(Operation *op, BufferType dst,
                                        BufferType src) {
  if (dropUnitExtents(dst.getShape()) == dropUnitExtents(src.getShape()))
    return success();
  return op->emitOpError("expected dst and src to have the same shape once "
                         "extents of 1 are dropped, got ")
         << formatShape(dst.getShape()) << " and "
         << formatShape(src.getShape());
}

LogicalResult verifier::verifySameElementType(Operation *op, BufferType dst,
                                              BufferType src) {
  if (dst.getElementType() == src.getElementType())
    return success();
  return op->emitOpError("expected dst and src to have the same element type, "
                         "got ")
         << dst.getElementType() << " and " << src.getElementType();
}

LogicalResult verifier::verifyCtaGroup(Operation *op, int64_t group) {
  if (group == 1 || group == 2)
    return success();
  return op->emitOpError("expected cta_group 1 or 2, got ") << group;
}

LogicalResult verifier::verifyColumns(Operation *op, int64_t columns) {
  if (columns >= 32 && columns <= 512 && llvm::isPowerOf2_64(columns))
    return success();
  return op->emitOpError("expected columns to be a power of two from 32 to "
                         "512, got ")
         << columns;
}

LogicalResult verifier::verifySlot(Operation *op, BufferType slot) {
  if (slot.getRank() == 1 && slot.getElementType().isSignlessInteger(32))
    return success();
  return op->emitOpError("expected slot to be a buffer of rank 1 of i32, got ")
         << slot;
}

LogicalResult verifier::verifyIndexCount(Operation *op, BufferType buffer,
                                         size_t indices) {
  if (static_cast<size_t>(buffer.getRank()) == indices)
    return success();
  return op->emitOpError("expected ")
         << buffer.getRank() << " indices, one for each dimension of "
         << formatShape(buffer.getShape()) << ", got " << indices;
}
