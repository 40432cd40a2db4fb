//===- MemrefOps.cpp - verifiers of buffers and memrefs -------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TIRx/Dialect/TIRx/IR/LayoutConversion.h"
#include "TIRx/Layout/Algebra.h"
#include "TIRx/Layout/Text.h"
#include "VerifierUtils.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

using namespace mlir;
using namespace tirx;

/// Whether the memory space of a memref is that of a buffer.
static bool isSameSpace(Attribute space, BufferType buffer) {
  if (auto integer = dyn_cast_if_present<IntegerAttr>(space))
    return integer.getInt() == (buffer.isGlobal() ? 1 : 3);
  if (auto named = dyn_cast_if_present<gpu::AddressSpaceAttr>(space))
    return named.getValue() == (buffer.isGlobal()
                                    ? gpu::AddressSpace::Global
                                    : gpu::AddressSpace::Workgroup);
  return false;
}

/// What both directions ask: one memory under two types.
static LogicalResult verifySame(Operation *op, BufferType buffer,
                                Type memrefType) {
  // (to_memref_c1) (from_memref_c1)
  if (!buffer.isGlobal() && !buffer.isShared())
    return op->emitOpError("expected a buffer in global or shared memory, got ")
           << stringifyMemorySpace(buffer.getMemorySpace());
  // (to_memref_c2) (from_memref_c2)
  auto memref = dyn_cast<MemRefType>(memrefType);
  if (!memref || memref.getShape() != buffer.getShape() ||
      memref.getElementType() != buffer.getElementType())
    return op->emitOpError("expected a memref of ")
           << verifier::formatShape(buffer.getShape()) << " "
           << buffer.getElementType() << ", got " << memrefType;
  if (!isSameSpace(memref.getMemorySpace(), buffer))
    return op->emitOpError("expected memory space ")
           << (buffer.isGlobal() ? 1 : 3) << " for "
           << stringifyMemorySpace(buffer.getMemorySpace()) << " memory, got "
           << memrefType;
  llvm::Expected<Layout> layout = fromMemRef(memref);
  if (!layout)
    return op->emitOpError("expected a memref whose layout is known: ")
           << llvm::toString(layout.takeError());
  if (isEqual(*layout, buffer.getLayout()))
    return success();
  return op->emitOpError("expected a memref with the buffer's layout, ")
         << toString(buffer.getLayout()) << ", got " << toString(*layout)
         << describeDifference(buffer.getLayout(), *layout, buffer.getShape());
}

LogicalResult ToMemrefOp::verify() {
  return verifySame(*this, getSource().getType(), getType());
}

LogicalResult FromMemrefOp::verify() {
  return verifySame(*this, getType(), getSource().getType());
}
