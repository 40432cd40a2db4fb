//===- FillMemory.cpp - fill in global and shared memory ------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BufferRef.h"
#include "ScopeThreads.h"
#include "TIRx/Layout/Algebra.h"
#include "TileIndex.h"
#include "Variants.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include <numeric>

using namespace mlir;

namespace tirx {

/// Bytes of the widest vector store.
static constexpr int64_t kMaxVectorBytes = 16;

namespace {
class FillMemory : public DispatchVariant {
public:
  FillMemory() : DispatchVariant("tirx.fill", "vectorized", 0) {}
  LogicalResult match(Operation *op, const DispatchContext &context,
                      Reasons &reasons) const override;
  std::string lower(Operation *op, const DispatchContext &context,
                    OpBuilder &builder) const override;
};
} // namespace

LogicalResult FillMemory::match(Operation *op,
                                const DispatchContext & /*context*/,
                                Reasons &reasons) const {
  auto fill = cast<FillOp>(op);
  BufferType type = fill.getDst().getType();
  if (!type.isGlobal() && !type.isShared())
    return reasons.decline(fill.getDst(),
                           "expected dst in global or shared memory, got " +
                               stringifyMemorySpace(type.getMemorySpace()));
  if (fill.getScope() == Scope::Cluster)
    return reasons.decline(op, "expected scope thread, warp, warpgroup or cta, "
                               "got cluster");
  std::string why;
  if (failed(traceBuffer(fill.getDst(), why)))
    return reasons.decline(fill.getDst(), "dst: " + why);
  return success();
}

/// The dimension with the widest vector, the last one of equals.
static Chunking planChunks(const BufferRef &ref) {
  BufferType type = ref.type;
  Chunking chunks = Chunking::of(type.getShape());
  int64_t limit = kMaxVectorBytes * 8 / type.getElementBits();
  SmallVector<unsigned> dims = realDims(type.getShape());
  for (unsigned i = dims.size(); i-- > 0;) {
    int64_t width =
        getVectorWidth(type.getLayout(), type.getShape(), dims[i], limit);
    for (const DynamicOffset &offset : ref.offsets)
      width = std::gcd(width, knownMove(offset, width));
    if (width <= chunks.vector)
      continue;
    chunks.vector = width;
    chunks.fastDim = i;
  }
  return chunks;
}

std::string FillMemory::lower(Operation *op, const DispatchContext &context,
                              OpBuilder &builder) const {
  auto fill = cast<FillOp>(op);
  std::string why;
  BufferRef ref = *traceBuffer(fill.getDst(), why);
  Chunking chunks = planChunks(ref);
  Location loc = op->getLoc();
  ArrayRef<int64_t> shape = ref.type.getShape();
  IntegerAttr dim;
  Value value = fill.getValue();
  if (chunks.vector > 1) {
    unsigned real = realDims(shape)[chunks.fastDim];
    if (real + 1 != shape.size())
      dim = builder.getI32IntegerAttr(real);
    value = vector::BroadcastOp::create(
        builder, loc, accessOf(value.getType(), chunks.vector), value);
  }
  emitChunks(builder, loc, fill.getScope(), context, chunks.numChunks(),
             [&](OpBuilder &inside, Value chunk) {
               IndexMath math(inside, loc, inside.getIndexType());
               SmallVector<Value> real = chunks.indices(math, chunk);
               StoreOp::create(inside, loc, value, fill.getDst(),
                               spreadIndices(math, shape, real), dim);
             });
  return std::to_string(chunks.numChunks()) + " chunks of " +
         std::to_string(chunks.vector * ref.type.getElementBits() / 8) +
         " bytes";
}

std::unique_ptr<DispatchVariant> createFillMemory() {
  return std::make_unique<FillMemory>();
}

} // namespace tirx
