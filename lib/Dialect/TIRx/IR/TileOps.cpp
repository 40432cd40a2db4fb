//===- TileOps.cpp - verifiers of tile ops --------------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// What an op alone decides: shapes, element types, memory spaces. Whether the
// hardware can do it with these layouts is the question of the dispatch
// variants.
//
//===----------------------------------------------------------------------===//

#include "VerifierUtils.h"

using namespace mlir;
using namespace tirx;

LogicalResult CopyOp::verify() {
  BufferType dst = getDst().getType(), src = getSrc().getType();
  // (copy_c1)
  if (failed(verifier::verifySameShape(*this, dst, src)))
    return failure();
  // (copy_c2)
  if (failed(verifier::verifySameElementType(*this, dst, src)))
    return failure();
  // (copy_c3)
  if (dst.isTmem() || src.isTmem())
    return emitOpError("expected ")
           << (dst.isTmem() ? "dst" : "src")
           << " in global, shared or local memory, got tmem: tensor memory is "
              "copied asynchronously, use copy_async";
  return success();
}

LogicalResult CopyAsyncOp::verify() {
  BufferType dst = getDst().getType(), src = getSrc().getType();
  // (copy_async_c1)
  if (failed(verifier::verifySameShape(*this, dst, src)))
    return failure();
  // (copy_async_c2)
  if (failed(verifier::verifySameElementType(*this, dst, src)))
    return failure();
  // (copy_async_c3)
  if (getBarrier() && !(src.isGlobal() && dst.isShared()))
    return emitOpError("expected a barrier on a copy from global to shared "
                       "memory only, got one from ")
           << stringifyMemorySpace(src.getMemorySpace()) << " to "
           << stringifyMemorySpace(dst.getMemorySpace());
  // (copy_async_c5)
  if (failed(
          verifier::verifyCtaGroup(*this, static_cast<int32_t>(getCtaGroup()))))
    return failure();
  // (copy_async_c4)
  if (!getBarrier() && (getMulticast() || getCtaGroup() == 2))
    return emitOpError("expected a barrier with ")
           << (getMulticast() ? "multicast" : "cta_group(2)")
           << ": each CTA's bytes arrive at an mbarrier, got none";
  return success();
}

LogicalResult CastOp::verify() {
  BufferType dst = getDst().getType(), src = getSrc().getType();
  // (cast_c1)
  if (failed(verifier::verifySameShape(*this, dst, src)))
    return failure();
  // (cast_c2)
  auto isNumber = [](Type type) {
    return isa<FloatType>(type) || type.isSignlessInteger();
  };
  if (!isNumber(dst.getElementType()) || !isNumber(src.getElementType()))
    return emitOpError("expected dst and src to hold floats or signless "
                       "integers, got ")
           << dst.getElementType() << " and " << src.getElementType();
  // (cast_c3)
  if (!dst.isLocal() || !src.isLocal())
    return emitOpError("expected ")
           << (dst.isLocal() ? "src" : "dst") << " in local memory, got "
           << stringifyMemorySpace(
                  (dst.isLocal() ? src : dst).getMemorySpace());
  return success();
}

/// The extents of a product: `bColumns` is how often B's rows go into N.
static LogicalResult verifyProduct(Operation *op, ArrayRef<BufferType> types,
                                   bool transA, bool transB, int64_t bColumns) {
  const char *names[] = {"D", "A", "B"};
  // (gemm_async_c1) (gemm_c1)
  for (auto [type, name] : llvm::zip_equal(types, names))
    if (type.getRank() != 2)
      return op->emitOpError("expected ")
             << name << " to have rank 2, got rank " << type.getRank();
  BufferType d = types[0], a = types[1], b = types[2];
  // (gemm_async_c2) (gemm_c2)
  struct Extent {
    const char *dim, *lhs, *rhs;
    int64_t left, right;
  } extents[] = {{"M", "D", "A", d.getShape()[0], a.getShape()[transA ? 1 : 0]},
                 {bColumns == 1 ? "N" : "N / 2", "D", "B",
                  d.getShape()[1] / bColumns, b.getShape()[transB ? 1 : 0]},
                 {"K", "A", "B", a.getShape()[transA ? 0 : 1],
                  b.getShape()[transB ? 0 : 1]}};
  for (const Extent &e : extents)
    if (e.left != e.right)
      return op->emitOpError("expected ")
             << e.dim << " to agree, got " << e.left << " from " << e.lhs
             << " and " << e.right << " from " << e.rhs
             << " (D is (M, N), A is " << (transA ? "(K, M)" : "(M, K)")
             << ", B is " << (transB ? "(K, N)" : "(N, K)") << ")";
  return success();
}

LogicalResult GemmOp::verify() {
  BufferType types[] = {getD().getType(), getA().getType(), getB().getType()};
  if (failed(verifyProduct(*this, types, false, false, 1)))
    return failure();
  // (gemm_c3)
  if (types[1].getElementType() != types[2].getElementType())
    return emitOpError("expected A and B to have the same element type, got ")
           << types[1].getElementType() << " and " << types[2].getElementType();
  return success();
}

LogicalResult GemmAsyncOp::verify() {
  // (gemm_async_c4)
  int64_t group = static_cast<int32_t>(getCtaGroup());
  if (failed(verifier::verifyCtaGroup(*this, group)))
    return failure();
  BufferType types[] = {getD().getType(), getA().getType(), getB().getType()};
  if (failed(verifyProduct(*this, types, getTransA(), getTransB(), group)))
    return failure();
  BufferType a = types[1], b = types[2];
  // (gemm_async_c3)
  auto isFloat8 = [](Type type) {
    return isa<FloatType>(type) && type.getIntOrFloatBitWidth() == 8;
  };
  if (a.getElementType() != b.getElementType() &&
      !(isFloat8(a.getElementType()) && isFloat8(b.getElementType())))
    return emitOpError("expected A and B to have the same element type, got ")
           << a.getElementType() << " and " << b.getElementType();
  return success();
}
