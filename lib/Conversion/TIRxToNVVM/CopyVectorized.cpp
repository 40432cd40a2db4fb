//===- CopyVectorized.cpp - copy by vector loads and stores ---------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The threads of the scope take turns: chunk c goes to thread c mod n. A chunk
// is the widest vector that both layouts have side by side and aligned.
//
//===----------------------------------------------------------------------===//

#include "BufferRef.h"
#include "ScopeThreads.h"
#include "TIRx/Layout/Algebra.h"
#include "TileIndex.h"
#include "Variants.h"
#include <numeric>

using namespace mlir;

namespace tirx {

/// Bytes of the widest vector load and store, and the alignment of every root.
static constexpr int64_t kMaxVectorBytes = 16;

namespace {
/// How a copy is cut, and how many threads share the chunks.
struct CopyPlan {
  Chunking chunks;
  int64_t threads = 1;
};
} // namespace

/// The widest vector along real dimension `real` that the buffer's layout and
/// the dynamic offsets behind it keep aligned.
static int64_t vectorOf(const BufferRef &ref, unsigned real) {
  int64_t bytes = ref.type.getElementBits() / 8;
  int64_t width = getVectorWidth(ref.type.getLayout(), ref.type.getShape(),
                                 realDims(ref.type.getShape())[real],
                                 kMaxVectorBytes / bytes);
  for (const DynamicOffset &offset : ref.offsets)
    width = std::gcd(width, knownMove(offset, width));
  return width;
}

/// The real dimension with unit stride, else the last one.
static unsigned unitStrideDim(const BufferRef &ref) {
  SmallVector<unsigned> dims = realDims(ref.type.getShape());
  for (auto [i, dim] : llvm::enumerate(dims)) {
    auto step = getDimStride(ref.type.getLayout(), ref.type.getShape(), dim);
    if (!step) {
      llvm::consumeError(step.takeError());
      continue;
    }
    if (step->stride == 1)
      return i;
  }
  return dims.empty() ? 0 : dims.size() - 1;
}

/// The dimension with the widest common vector, the last one of equals; without
/// vectors, the one along which neighbouring threads meet neighbouring
/// addresses of global memory.
static CopyPlan planCopy(CopyOp op, const BufferRef &dst, const BufferRef &src,
                         const DispatchContext &context) {
  CopyPlan plan{Chunking::of(dst.type.getShape()),
                getNumThreads(op.getScope(), context)};
  unsigned numDims = realDims(dst.type.getShape()).size();
  for (unsigned dim = numDims; dim-- > 0;) {
    int64_t vector = std::gcd(vectorOf(dst, dim), vectorOf(src, dim));
    if (vector <= plan.chunks.vector)
      continue;
    plan.chunks.vector = vector;
    plan.chunks.fastDim = dim;
  }
  if (plan.chunks.vector == 1)
    plan.chunks.fastDim = unitStrideDim(src.type.isGlobal() ? src : dst);
  return plan;
}

/// The `dim` of a load or store along real dimension `real`; none for the last
/// dimension of the buffer and for single elements.
static IntegerAttr dimAttr(OpBuilder &builder, const CopyPlan &plan,
                           BufferType type) {
  if (plan.chunks.vector == 1)
    return {};
  unsigned dim = realDims(type.getShape())[plan.chunks.fastDim];
  if (dim + 1 == type.getRank())
    return {};
  return builder.getI32IntegerAttr(dim);
}

namespace {
class CopyVectorized : public DispatchVariant {
public:
  CopyVectorized() : DispatchVariant("tirx.copy", "vectorized", 0) {}
  LogicalResult match(Operation *op, const DispatchContext &context,
                      Reasons &reasons) const override;
  std::string lower(Operation *op, const DispatchContext &context,
                    OpBuilder &builder) const override;
};
} // namespace

static LogicalResult matchOperand(CopyOp op, Value operand, StringRef name,
                                  Reasons &reasons) {
  auto type = cast<BufferType>(operand.getType());
  if (isa<MbarrierType>(type.getElementType()))
    return reasons.decline(operand,
                           name + " holds mbarriers, which are not data");
  if (type.isLocal()) {
    if (hasThreadAxes(type.getLayout()))
      return reasons.decline(
          operand, name + " is spread over the registers of several threads: "
                          "expected a per-thread buffer (tirx.local_view) and "
                          "scope thread");
    if (op.getScope() != Scope::Thread)
      return reasons.decline(
          operand, name +
                       " is in the registers of one thread: expected scope "
                       "thread, got " +
                       stringifyScope(op.getScope()));
    if (type.getLayout().getTile() && type.getLayout().getTile()->hasReplica())
      return reasons.decline(operand, name + " has replicas");
  }
  std::string why;
  if (failed(traceBuffer(operand, why)))
    return reasons.decline(operand, name + ": " + why);
  return success();
}

LogicalResult CopyVectorized::match(Operation *op,
                                    const DispatchContext & /*context*/,
                                    Reasons &reasons) const {
  auto copy = cast<CopyOp>(op);
  if (copy.getScope() == Scope::Cluster)
    return reasons.decline(op, "expected scope thread, warp, warpgroup or cta, "
                               "got cluster");
  if (failed(matchOperand(copy, copy.getDst(), "dst", reasons)) ||
      failed(matchOperand(copy, copy.getSrc(), "src", reasons)))
    return failure();
  return success();
}

static void emitChunk(OpBuilder &builder, CopyOp op, const CopyPlan &plan,
                      Value chunk) {
  Location loc = op.getLoc();
  IndexMath math(builder, loc, builder.getIndexType());
  auto dst = cast<BufferType>(op.getDst().getType());
  auto src = cast<BufferType>(op.getSrc().getType());
  SmallVector<Value> real = plan.chunks.indices(math, chunk);
  Type type = accessOf(src.getElementType(), plan.chunks.vector);
  Value value = LoadOp::create(builder, loc, type, op.getSrc(),
                               spreadIndices(math, src.getShape(), real),
                               dimAttr(builder, plan, src));
  StoreOp::create(builder, loc, value, op.getDst(),
                  spreadIndices(math, dst.getShape(), real),
                  dimAttr(builder, plan, dst));
}

std::string CopyVectorized::lower(Operation *op, const DispatchContext &context,
                                  OpBuilder &builder) const {
  auto copy = cast<CopyOp>(op);
  std::string why;
  BufferRef dst = *traceBuffer(copy.getDst(), why);
  BufferRef src = *traceBuffer(copy.getSrc(), why);
  CopyPlan plan = planCopy(copy, dst, src, context);
  Location loc = op->getLoc();
  emitChunks(builder, loc, copy.getScope(), context, plan.chunks.numChunks(),
             [&](OpBuilder &inside, Value chunk) {
               emitChunk(inside, copy, plan, chunk);
             });
  int64_t bytes = plan.chunks.vector * src.type.getElementBits() / 8;
  return std::to_string(plan.chunks.numChunks()) + " chunks of " +
         std::to_string(bytes) + " bytes over " + std::to_string(plan.threads) +
         (plan.threads == 1 ? " thread" : " threads");
}

std::unique_ptr<DispatchVariant> createCopyVectorized() {
  return std::make_unique<CopyVectorized>();
}

} // namespace tirx
