//===- BufferOps.cpp - verifiers of allocations and views -----------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TIRx/Layout/Algebra.h"
#include "TIRx/Layout/Text.h"
#include "VerifierUtils.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tirx;

//===----------------------------------------------------------------------===//
// Shared memory
//===----------------------------------------------------------------------===//

LogicalResult PoolAllocOp::verify() {
  BufferType type = getBuffer().getType();
  int64_t alignment = type.getBaseAlignment();
  if (getAlignAttr()) {
    // (pool_alloc_c2)
    int64_t align = getAlignAttr().getInt();
    if (align < 1 || !llvm::isPowerOf2_64(align))
      return emitOpError("expected align to be a power of two, got ") << align;
    alignment = std::max(alignment, align);
  }
  if (!getOffsetAttr())
    return success();
  // (pool_alloc_c1)
  int64_t offset = getOffsetAttr().getInt();
  if (offset < 0)
    return emitOpError("expected an offset of at least 0, got at(")
           << offset << ")";
  if (offset % alignment != 0)
    return emitOpError("expected an offset that is a multiple of ")
           << alignment << ", the alignment in bytes that its "
           << (getAlignAttr() && getAlignAttr().getInt() == alignment ? "align"
                                                                      : "type")
           << " asks for, got at(" << offset << ")";
  return success();
}

LogicalResult PoolMoveBaseOp::verify() {
  // (pool_move_base_c1)
  int64_t offset = getOffsetAttr().getInt();
  if (offset >= 0)
    return success();
  return emitOpError("expected an offset of at least 0, got ") << offset;
}

//===----------------------------------------------------------------------===//
// Tensor memory
//===----------------------------------------------------------------------===//

/// What tmem_alloc and tmem_dealloc have in common.
template <typename OpTy> static LogicalResult verifyAllocation(OpTy op) {
  if (failed(verifier::verifySlot(op, op.getSlot().getType())))
    return failure();
  if (failed(
          verifier::verifyColumns(op, static_cast<int32_t>(op.getColumns()))))
    return failure();
  return verifier::verifyCtaGroup(op, static_cast<int32_t>(op.getCtaGroup()));
}

LogicalResult TmemAllocOp::verify() {
  // (tmem_alloc_c1) (tmem_alloc_c2) (tmem_alloc_c3)
  return verifyAllocation(*this);
}

LogicalResult TmemDeallocOp::verify() {
  // (tmem_dealloc_c1) (tmem_dealloc_c2) (tmem_dealloc_c3)
  return verifyAllocation(*this);
}

LogicalResult TmemRelinquishOp::verify() {
  // (tmem_relinquish_c1)
  return verifier::verifyCtaGroup(*this, static_cast<int32_t>(getCtaGroup()));
}

LogicalResult TmemBufferOp::verify() {
  // (tmem_buffer_c1)
  if (failed(verifier::verifySlot(*this, getSlot().getType())))
    return failure();
  // (tmem_buffer_c4)
  int64_t column = static_cast<int32_t>(getColumn());
  if (column < 0)
    return emitOpError("expected column to be at least 0, got ") << column;
  int64_t end = column + getBuffer().getType().getTmemColumns().second;
  if (end > 512)
    return emitOpError("expected the buffer to end at column 512 or before, "
                       "got column ")
           << end;
  return success();
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

/// The offsets with 0 for those that are not static.
static SmallVector<int64_t> staticPart(ArrayRef<int64_t> offsets) {
  SmallVector<int64_t> result(offsets);
  for (int64_t &offset : result)
    if (ShapedType::isDynamic(offset))
      offset = 0;
  return result;
}

/// A dynamic offset in `dim` must move the region by a constant step.
static LogicalResult verifyDynamicStep(ViewOp op, unsigned dim) {
  BufferType source = op.getSource().getType();
  // The only place in a dimension of extent 1 is 0.
  if (source.getShape()[dim] == 1)
    return success();
  Layout layout = source.getLayout();
  // (view_c5)
  llvm::Expected<Iter> step = getDimStride(layout, source.getShape(), dim);
  if (!step)
    return op.emitOpError("expected dimension ")
           << dim << ", which has a dynamic offset, to have one stride: "
           << llvm::toString(step.takeError());
  if (step->stride != 0 && !step->axis.isMemory())
    return op.emitOpError("expected dimension ")
           << dim << ", which has a dynamic offset, on a memory axis, got "
           << step->axis.getName();
  return success();
}

LogicalResult ViewOp::verify() {
  BufferType source = getSource().getType(), result = getType();
  ArrayRef<int64_t> offsets = getStaticOffsets();
  size_t rank = source.getRank();
  // (view_c1)
  if (offsets.size() != rank || size_t(result.getRank()) != rank)
    return emitOpError("expected as many offsets and result dimensions as the "
                       "source has, ")
           << rank << ", got " << offsets.size() << " offsets and "
           << result.getRank() << " dimensions";
  size_t dynamic = llvm::count_if(offsets, ShapedType::isDynamic);
  if (dynamic != getOffsets().size())
    return emitOpError("expected one operand for each dynamic offset, ")
           << dynamic << ", got " << getOffsets().size();
  // (view_c2)
  if (source.getElementType() != result.getElementType() ||
      source.getMemorySpace() != result.getMemorySpace())
    return emitOpError("expected a result of ")
           << source.getElementType() << " in "
           << stringifyMemorySpace(source.getMemorySpace()) << ", got "
           << result.getElementType() << " in "
           << stringifyMemorySpace(result.getMemorySpace());
  // (view_c3)
  SmallVector<int64_t> begins = staticPart(offsets);
  for (size_t dim = 0; dim < rank; ++dim) {
    int64_t extent = source.getShape()[dim], size = result.getShape()[dim];
    if (begins[dim] < 0 || size > extent || begins[dim] > extent - size)
      return emitOpError("expected the region to stay inside extent ")
             << extent << " of dimension " << dim << ", got offset "
             << begins[dim] << " and extent " << size;
  }
  // (view_c4)
  llvm::Expected<Layout> slice = tirx::slice(
      source.getLayout(), source.getShape(), begins, result.getShape());
  if (!slice)
    return emitOpError("expected a region that a layout describes: ")
           << llvm::toString(slice.takeError());
  if (!isEqual(*slice, result.getLayout()))
    return emitOpError("expected the result to have the slice of the source's "
                       "layout, ")
           << toString(*slice) << ", got " << toString(result.getLayout());
  for (size_t dim = 0; dim < rank; ++dim)
    if (ShapedType::isDynamic(offsets[dim]) &&
        failed(verifyDynamicStep(*this, dim)))
      return failure();
  return success();
}

LogicalResult LocalViewOp::verify() {
  BufferType source = getSource().getType(), result = getType();
  // (local_view_c1)
  if (source.getElementType() != result.getElementType() ||
      source.getStorageElements() != result.getStorageElements())
    return emitOpError("expected a result with as many registers of the same "
                       "type in each thread, ")
           << source.getStorageElements() << " of " << source.getElementType()
           << ", got " << result.getStorageElements() << " of "
           << result.getElementType();
  return success();
}
