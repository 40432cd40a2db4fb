//===- BufferOps.cpp - verifiers of allocations ---------------------------===//
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
