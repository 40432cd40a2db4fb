//===- CopyCpAsync.cpp - copy_async by cp.async -------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The threads of the scope take turns: each copies chunks of 4, 8 or 16 bytes
// from global to shared memory, which complete in a group. PTX ISA 9.7.9.25.3.
//
//===----------------------------------------------------------------------===//

#include "BufferRef.h"
#include "ScopeThreads.h"
#include "TIRx/Layout/Algebra.h"
#include "TileIndex.h"
#include "Variants.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include <numeric>

using namespace mlir;

namespace tirx {

static constexpr int64_t kMinBytes = 4, kMaxBytes = 16;

namespace {
class CopyCpAsync : public DispatchVariant {
public:
  CopyCpAsync() : DispatchVariant("tirx.copy_async", "cp.async", 0) {}
  LogicalResult match(Operation *op, const DispatchContext &context,
                      Reasons &reasons) const override;
  std::string lower(Operation *op, const DispatchContext &context,
                    OpBuilder &builder) const override;
};
} // namespace

static BufferType typeOf(Value buffer) {
  return cast<BufferType>(buffer.getType());
}

/// The widest run of elements along real dimension `real` that stays aligned.
static int64_t runOf(const BufferRef &ref, unsigned real) {
  BufferType type = ref.type;
  int64_t limit = kMaxBytes * 8 / type.getElementBits();
  int64_t width = getVectorWidth(type.getLayout(), type.getShape(),
                                 realDims(type.getShape())[real], limit);
  for (const DynamicOffset &offset : ref.offsets)
    width = std::gcd(width, knownMove(offset, width));
  return width;
}

/// Chunks along the dimension where both have the widest run.
static Chunking planChunks(const BufferRef &dst, const BufferRef &src) {
  Chunking chunks = Chunking::of(dst.type.getShape());
  for (unsigned dim = realDims(dst.type.getShape()).size(); dim-- > 0;) {
    int64_t run = std::gcd(runOf(dst, dim), runOf(src, dim));
    if (run <= chunks.vector)
      continue;
    chunks.vector = run;
    chunks.fastDim = dim;
  }
  return chunks;
}

LogicalResult CopyCpAsync::match(Operation *op, const DispatchContext &context,
                                 Reasons &reasons) const {
  auto copy = cast<CopyAsyncOp>(op);
  BufferType src = typeOf(copy.getSrc()), dst = typeOf(copy.getDst());
  if (!src.isGlobal() || !dst.isShared())
    return reasons.decline(
        op, "expected a copy from global to shared memory, got " +
                stringifyMemorySpace(src.getMemorySpace()) + " to " +
                stringifyMemorySpace(dst.getMemorySpace()));
  if (copy.getBarrier())
    return reasons.decline(op, "expected no barrier: cp.async completes in a "
                               "group");
  if (context.target.ptxVersion < 70)
    return reasons.decline(op, context.target.chip +
                                   " has no cp.async: expected sm_80 or later");
  if (copy.getScope() == Scope::Cluster)
    return reasons.decline(op, "expected scope thread, warp, warpgroup or cta, "
                               "got cluster");
  std::string why;
  auto to = traceBuffer(copy.getDst(), why);
  if (failed(to))
    return reasons.decline(copy.getDst(), "dst: " + why);
  auto from = traceBuffer(copy.getSrc(), why);
  if (failed(from))
    return reasons.decline(copy.getSrc(), "src: " + why);
  int64_t bytes = planChunks(*to, *from).vector * src.getElementBits() / 8;
  if (bytes < kMinBytes)
    return reasons.decline(op, "expected runs of 4, 8 or 16 bytes that lie "
                               "side by side and aligned in both, got " +
                                   Twine(bytes));
  return success();
}

/// The address of a chunk.
static Value pointerTo(OpBuilder &builder, Location loc, IndexMath &math,
                       Value buffer, ValueRange real) {
  BufferType type = typeOf(buffer);
  auto pointer =
      LLVM::LLVMPointerType::get(builder.getContext(), type.isGlobal() ? 1 : 3);
  return PtrOp::create(builder, loc, pointer, buffer,
                       spreadIndices(math, type.getShape(), real));
}

std::string CopyCpAsync::lower(Operation *op, const DispatchContext &context,
                               OpBuilder &builder) const {
  auto copy = cast<CopyAsyncOp>(op);
  std::string why;
  BufferRef dst = *traceBuffer(copy.getDst(), why);
  BufferRef src = *traceBuffer(copy.getSrc(), why);
  Chunking chunks = planChunks(dst, src);
  int64_t bytes = chunks.vector * src.type.getElementBits() / 8;
  Location loc = op->getLoc();
  // 16 bytes need no place in the L1 cache.
  auto text =
      builder.getStringAttr(bytes == kMaxBytes ? "cp.async.cg.shared.global"
                                               : "cp.async.ca.shared.global");
  emitChunks(builder, loc, copy.getScope(), context, chunks.numChunks(),
             [&](OpBuilder &inside, Value chunk) {
               IndexMath math(inside, loc, inside.getIndexType());
               SmallVector<Value> real = chunks.indices(math, chunk);
               Value to = pointerTo(inside, loc, math, copy.getDst(), real);
               Value from = pointerTo(inside, loc, math, copy.getSrc(), real);
               Value size = arith::ConstantOp::create(
                   inside, loc, inside.getI32IntegerAttr(int32_t(bytes)));
               PtxOp::create(inside, loc, TypeRange(), text,
                             ValueRange{to, from, size}, Value(), ValueRange());
             });
  int64_t threads = getNumThreads(copy.getScope(), context);
  return std::to_string(chunks.numChunks()) + " chunks of " +
         std::to_string(bytes) + " bytes over " + std::to_string(threads) +
         (threads == 1 ? " thread" : " threads");
}

std::unique_ptr<DispatchVariant> createCopyCpAsync() {
  return std::make_unique<CopyCpAsync>();
}

} // namespace tirx
