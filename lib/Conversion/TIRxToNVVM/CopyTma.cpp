//===- CopyTma.cpp - copy_async by tensor map
//-------------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One thread moves boxes of a tensor between global and shared memory; the
// tensor map and the boxes follow from both layouts (TIRx/Layout/TensorMap.h).
// PTX ISA 9.7.9.27, "Tensor copy".
//
//===----------------------------------------------------------------------===//

#include "BufferRef.h"
#include "ClusterAddress.h"
#include "SmemOperandPlan.h"
#include "TIRx/Layout/Algebra.h"
#include "TensorMapParameter.h"
#include "TensorRegion.h"
#include "TileIndex.h"
#include "Variants.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace tirx {

/// Copies up to which each is written out instead of a loop.
static constexpr int64_t kMaxUnrolled = 16;

namespace {
/// Everything that an expansion needs.
struct TmaPlan {
  TensorRegion region;
  TensorCopyPlan copy;
  TensorMapAttr map;
};

class CopyTma : public DispatchVariant {
public:
  CopyTma() : DispatchVariant("tirx.copy_async", "tma", 0) {}
  LogicalResult match(Operation *op, const DispatchContext &context,
                      Reasons &reasons) const override;
  std::string lower(Operation *op, const DispatchContext &context,
                    OpBuilder &builder) const override;
};
} // namespace

static BufferType typeOf(Value buffer) {
  return cast<BufferType>(buffer.getType());
}

static bool isLoad(CopyAsyncOp op) { return op.getDst().getType().isShared(); }
static Value globalOf(CopyAsyncOp op) {
  return isLoad(op) ? op.getSrc() : op.getDst();
}
static Value sharedOf(CopyAsyncOp op) {
  return isLoad(op) ? op.getDst() : op.getSrc();
}
static StringRef globalName(CopyAsyncOp op) {
  return isLoad(op) ? "src" : "dst";
}
static StringRef sharedName(CopyAsyncOp op) {
  return isLoad(op) ? "dst" : "src";
}

/// The tensor without the offset of its layout, and that offset in bytes.
static llvm::Expected<std::pair<GlobalTensor, int64_t>>
describeTensor(BufferType type) {
  Layout layout = type.getLayout();
  int64_t bits = type.getElementBits(), start = 0;
  if (layout.isTile()) {
    start = layout.getTile()->getOffset(memoryAxis()) * bits / 8;
    if (start % 16 != 0)
      return llvm::createStringError(
          "expected the tensor to begin at a multiple of 16 bytes of its "
          "buffer, got " +
          Twine(start));
    auto moved = TileLayout::get(layout.getTile()->getShard(), {}, {});
    if (!moved)
      return moved.takeError();
    layout = Layout(*moved);
  }
  auto tensor = GlobalTensor::get(layout, type.getShape(), bits);
  if (!tensor)
    return tensor.takeError();
  return std::make_pair(*tensor, start);
}

/// The shared layout as a map of the region in the tensor's order of
/// dimensions.
static llvm::Expected<Layout> layoutOfRegion(BufferType shared,
                                             ArrayRef<int64_t> shape,
                                             ArrayRef<int64_t> order) {
  SmallVector<int64_t> permutation(order.size());
  for (auto [dim, position] : llvm::enumerate(order))
    permutation[position] = dim;
  if (llvm::is_sorted(permutation))
    return shared.getLayout();
  return permute(shared.getLayout(), shape, permutation);
}

static LogicalResult matchOffsets(CopyAsyncOp op, const TmaPlan &plan,
                                  Reasons &reasons) {
  for (auto [dim, multiple] : llvm::enumerate(plan.copy.offsetMultiples)) {
    const RegionOffset &offset = plan.region.offsets[dim];
    int64_t known = std::gcd(offset.constant, multiple);
    for (Value index : offset.indices)
      known = std::gcd(known, knownDivisor(index));
    if (known % multiple != 0)
      return reasons.decline(
          globalOf(op),
          "expected offsets of " + globalName(op) + " along dimension " +
              Twine(dim) + " of the tensor in multiples of " + Twine(multiple) +
              ", got multiples of " + Twine(known));
  }
  return success();
}

static LogicalResult matchShared(CopyAsyncOp op, const TmaPlan &plan,
                                 Reasons &reasons) {
  Value shared = sharedOf(op);
  std::string name = sharedName(op).str(), why;
  auto ref = traceBuffer(shared, why);
  if (failed(ref))
    return reasons.decline(shared, name + ": " + why);
  int64_t alignment = plan.copy.sharedAlignment;
  int64_t base = getRootAlignment(*ref);
  if (base % alignment != 0)
    return reasons.decline(shared, "expected " + name + " aligned to " +
                                       Twine(alignment) +
                                       " bytes (align of its pool_alloc), "
                                       "got " +
                                       Twine(base));
  int64_t period = alignment * 8 / ref->type.getElementBits();
  for (const DynamicOffset &offset : ref->offsets)
    if (int64_t move = knownMove(offset, period))
      return reasons.decline(shared, "expected dynamic offsets of " + name +
                                         " in multiples of " + Twine(period) +
                                         " elements (" + Twine(alignment) +
                                         " bytes), got multiples of " +
                                         Twine(std::gcd(move, period)));
  return success();
}

static FailureOr<TmaPlan> planCopy(CopyAsyncOp op, Reasons &reasons) {
  Value global = globalOf(op);
  auto decline = [&](const Twine &text) -> FailureOr<TmaPlan> {
    return reasons.decline(global, globalName(op) + ": " + text);
  };
  std::string why;
  auto region = traceTensor(global, why);
  if (failed(region))
    return decline(why);
  auto tensor = describeTensor(region->tensor);
  if (!tensor)
    return decline(llvm::toString(tensor.takeError()));
  BufferType shared = typeOf(sharedOf(op));
  auto layout =
      layoutOfRegion(shared, typeOf(global).getShape(), region->order);
  if (!layout)
    return decline(llvm::toString(layout.takeError()));
  TensorCopyRequest request{tensor->first, *layout, {}, /*padded=*/false};
  request.region.append(region->sizes.begin(), region->sizes.end());
  auto copy = planTensorCopy(request);
  if (!copy) {
    (void)reasons.decline(op, llvm::toString(copy.takeError()));
    return failure();
  }
  TensorMapAttr map = describeTensorMap(region->tensor, region->parameter,
                                        tensor->second, *copy);
  TmaPlan plan{*region, *copy, map};
  if (failed(matchOffsets(op, plan, reasons)) ||
      failed(matchShared(op, plan, reasons)))
    return failure();
  return plan;
}

LogicalResult CopyTma::match(Operation *op, const DispatchContext &context,
                             Reasons &reasons) const {
  auto copy = cast<CopyAsyncOp>(op);
  BufferType src = typeOf(copy.getSrc()), dst = typeOf(copy.getDst());
  bool load = src.isGlobal() && dst.isShared();
  if (!load && !(src.isShared() && dst.isGlobal()))
    return reasons.decline(
        op, "expected a copy between global and shared memory, got " +
                stringifyMemorySpace(src.getMemorySpace()) + " to " +
                stringifyMemorySpace(dst.getMemorySpace()));
  if (!context.target.hasAsyncProxy)
    return reasons.decline(op, context.target.chip +
                                   " has no cp.async.bulk.tensor: expected "
                                   "sm_90a, sm_100a or sm_103a");
  if (load && !copy.getBarrier())
    return reasons.decline(op, "expected a barrier, where the bytes of a "
                               "load arrive, got none");
  if (copy.getCtaGroup() == 2 && !context.target.hasTcgen05)
    return reasons.decline(op, context.target.chip +
                                   " has no pairs of CTAs: expected "
                                   "cta_group 1, got 2");
  if (copy.getScope() != Scope::Thread)
    return reasons.decline(op, "expected scope thread, since one thread "
                               "issues the copy (rule R37), got " +
                                   stringifyScope(copy.getScope()));
  if (isa<MbarrierType>(src.getElementType()))
    return reasons.decline(copy.getSrc(),
                           "src holds mbarriers, which are not data");
  return planCopy(copy, reasons);
}

namespace {
/// Writes the copies of one op.
class TmaEmitter {
public:
  TmaEmitter(CopyAsyncOp op, const TmaPlan &plan) : op(op), plan(plan) {}

  void run(OpBuilder &builder) {
    map =
        getTensorMapParameter(op->getParentOfType<gpu::GPUFuncOp>(), plan.map);
    IndexMath math(builder, op.getLoc(), builder.getI32Type());
    SmallVector<Value> first;
    for (const TensorMapDim &dim : plan.copy.dims)
      first.push_back(coordinate(math, dim));
    address = sharedAddress(builder);
    if (op.getBarrier())
      barrier = barrierAddress(builder);
    emit(builder, 0, first, nullptr, 0);
  }

private:
  Value coordinate(IndexMath &math, const TensorMapDim &dim);
  Value sharedAddress(OpBuilder &builder);
  Value barrierAddress(OpBuilder &builder);
  void emit(OpBuilder &builder, size_t depth, ArrayRef<Value> coordinates,
            Value moved, int64_t known);
  void emitCopy(OpBuilder &builder, ArrayRef<Value> coordinates, Value place);
  Value at(OpBuilder &builder, Value moved, int64_t known);

  CopyAsyncOp op;
  const TmaPlan &plan;
  Value map, address, barrier;
};
} // namespace

/// The coordinate of the first copy: digits of the region's offsets.
Value TmaEmitter::coordinate(IndexMath &math, const TensorMapDim &dim) {
  Value sum = math.constant(0);
  for (const CoordinateTerm &term : dim.terms) {
    const RegionOffset &offset = plan.region.offsets[term.dim];
    Value value = math.constant(offset.constant);
    for (Value index : offset.indices)
      value = math.add(value, math.cast(index));
    value = math.div(value, term.divisor);
    if (term.modulus)
      value = math.rem(value, term.modulus);
    sum = math.add(sum, math.mul(value, term.factor));
  }
  return sum;
}

/// Where the first copy goes: the base of the buffer, without the pattern of
/// its swizzle, which the hardware adds.
Value TmaEmitter::sharedAddress(OpBuilder &builder) {
  Location loc = op.getLoc();
  std::string why;
  BufferRef ref = *traceBuffer(sharedOf(op), why);
  BufferType root = ref.rootType();
  IndexMath index(builder, loc, builder.getIndexType());
  SmallVector<Value> zeros(root.getRank(), index.constant(0));
  auto pointer = LLVM::LLVMPointerType::get(op.getContext(), 3);
  Value base = PtrOp::create(builder, loc, pointer, ref.root, zeros);
  int64_t bits = root.getElementBits();
  SmallVector<int64_t> origin(root.getRank(), 0);
  int64_t known =
      plan.copy.sharedOffset -
      root.getLayout().apply(origin, root.getShape()).get(memoryAxis()) * bits /
          8;
  IndexMath math(builder, loc, builder.getI32Type());
  Value offset = math.constant(known);
  for (const DynamicOffset &dynamic : ref.offsets)
    offset = math.add(offset,
                      math.mul(math.cast(dynamic.index),
                               dynamic.stride * ref.type.getElementBits() / 8));
  return LLVM::GEPOp::create(builder, loc, pointer, builder.getI8Type(), base,
                             ArrayRef<LLVM::GEPArg>{offset});
}

/// With a pair of CTAs, the barrier of the even one.
Value TmaEmitter::barrierAddress(OpBuilder &builder) {
  Location loc = op.getLoc();
  auto pointer = LLVM::LLVMPointerType::get(op.getContext(), 3);
  Value own =
      PtrOp::create(builder, loc, pointer, op.getBarrier(), op.getIndex());
  if (op.getCtaGroup() == 1)
    return own;
  IndexMath math(builder, loc, builder.getI32Type());
  Value rank = math.cast(IdOp::create(builder, loc, IdKind::CtaIdInCluster));
  return mapToCta(builder, loc, own, math.bitAnd(rank, ~int64_t(1)));
}

Value TmaEmitter::at(OpBuilder &builder, Value moved, int64_t known) {
  Location loc = op.getLoc();
  Value place = address;
  auto move = [&](LLVM::GEPArg by) {
    place = LLVM::GEPOp::create(builder, loc, address.getType(),
                                builder.getI8Type(), place,
                                ArrayRef<LLVM::GEPArg>{by});
  };
  if (moved)
    move(moved);
  if (known)
    move(int32_t(known));
  return place;
}

/// The loops from `depth` on. The address has moved by `moved` and by `known`
/// bytes.
void TmaEmitter::emit(OpBuilder &builder, size_t depth,
                      ArrayRef<Value> coordinates, Value moved, int64_t known) {
  if (depth == plan.copy.loops.size())
    return emitCopy(builder, coordinates, at(builder, moved, known));
  const TensorCopyLoop &loop = plan.copy.loops[depth];
  Location loc = op.getLoc();
  if (plan.copy.getNumCopies() <= kMaxUnrolled) {
    for (int64_t trip = 0; trip < loop.count; ++trip) {
      IndexMath math(builder, loc, builder.getI32Type());
      SmallVector<Value> next(coordinates);
      next[loop.dim] =
          math.add(next[loop.dim], math.constant(trip * loop.coordinateStep));
      emit(builder, depth + 1, next, moved, known + trip * loop.sharedStep);
    }
    return;
  }
  emitLoop(builder, loc, loop.count, [&](OpBuilder &inside, Value trip) {
    IndexMath math(inside, loc, inside.getI32Type());
    Value count = math.cast(trip);
    SmallVector<Value> next(coordinates);
    next[loop.dim] =
        math.add(next[loop.dim], math.mul(count, loop.coordinateStep));
    Value step = math.mul(count, loop.sharedStep);
    emit(inside, depth + 1, next, moved ? math.add(moved, step) : step, known);
  });
}

void TmaEmitter::emitCopy(OpBuilder &builder, ArrayRef<Value> coordinates,
                          Value place) {
  std::string text =
      "cp.async.bulk.tensor." + std::to_string(coordinates.size()) + "d";
  SmallVector<Value> operands;
  if (isLoad(op)) {
    text += ".shared::cluster.global.mbarrier::complete_tx::bytes";
    operands.push_back(place);
  } else {
    text += ".global.shared::cta.bulk_group";
  }
  operands.push_back(map);
  operands.append(coordinates.begin(), coordinates.end());
  operands.push_back(isLoad(op) ? barrier : place);
  if (op.getMulticast()) {
    text += ".multicast::cluster";
    operands.push_back(op.getMulticast());
  }
  if (op.getCtaGroup() == 2)
    text += ".cta_group::2";
  PtxOp::create(builder, op.getLoc(), TypeRange(), builder.getStringAttr(text),
                operands, Value(), ValueRange());
}

std::string CopyTma::lower(Operation *op, const DispatchContext & /*context*/,
                           OpBuilder &builder) const {
  auto copy = cast<CopyAsyncOp>(op);
  Reasons none;
  TmaPlan plan = *planCopy(copy, none);
  TmaEmitter(copy, plan).run(builder);
  SmallVector<int64_t> box;
  for (const TensorMapDim &dim : llvm::reverse(plan.copy.dims))
    box.push_back(dim.box);
  int64_t copies = plan.copy.getNumCopies();
  return std::to_string(copies) + (copies == 1 ? " box of " : " boxes of ") +
         shapeText(box) + ", " + std::to_string(plan.copy.bytes) +
         " bytes each, swizzle " + plan.map.getSwizzle().str();
}

std::unique_ptr<DispatchVariant> createCopyTma() {
  return std::make_unique<CopyTma>();
}

} // namespace tirx
