//===- CopyTcgen05Ld.cpp - tensor memory to registers ---------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// tcgen05.ld.32x32b gives thread t of a warpgroup the columns of lane t: the
// register layout that fits is the tensor-memory layout with TLane as tid_in_wg
// and TCol as register. PTX ISA 9.7.16.8.
//
//===----------------------------------------------------------------------===//

#include "BufferRef.h"
#include "TIRx/Layout/Algebra.h"
#include "TIRx/Layout/Text.h"
#include "TileIndex.h"
#include "Variants.h"

using namespace mlir;

namespace tirx {

/// Columns of one instruction: more would only lengthen the wait for the first.
static constexpr int64_t kMaxRepeat = 64;
/// Bits that the number of a warp moves in an address: 32 lanes << 16.
static constexpr int64_t kWarpShift = 21;

namespace {
class CopyTcgen05Ld : public DispatchVariant {
public:
  CopyTcgen05Ld() : DispatchVariant("tirx.copy_async", "tcgen05.ld", 0) {}
  LogicalResult match(Operation *op, const DispatchContext &context,
                      Reasons &reasons) const override;
  std::string lower(Operation *op, const DispatchContext &context,
                    OpBuilder &builder) const override;
};
} // namespace

/// The register layout that the hardware gives, counted from `firstRegister`;
/// nothing if 16-bit elements share a column.
static std::optional<TileLayout>
registerLayout(const TileLayout &tmem, int64_t bits, int64_t firstRegister) {
  Axis column = lookupBuiltinAxis("TCol");
  SmallVector<Iter> shard;
  for (Iter iter : tmem.getShard()) {
    if (iter.axis == column) {
      if (iter.extent != 1 && iter.stride * bits % 32 != 0)
        return std::nullopt;
      iter.stride = iter.stride * bits / 32;
      iter.axis = memoryAxis();
    } else {
      iter.axis = lookupBuiltinAxis("tid_in_wg");
    }
    shard.push_back(iter);
  }
  auto layout =
      TileLayout::get(shard, {}, AxisOffset{memoryAxis(), firstRegister});
  if (layout)
    return *layout;
  llvm::consumeError(layout.takeError());
  return std::nullopt;
}

/// The layout with every thread axis as tid_in_wg; nothing where an axis says
/// more than that. In a block of one warpgroup, CTA-wide axes are the same.
static std::optional<TileLayout> byThread(const TileLayout &layout,
                                          bool oneWarpgroup) {
  Axis thread = lookupBuiltinAxis("tid_in_wg");
  auto factor = [&](Axis axis) -> int64_t {
    StringRef name = axis.getName();
    if (name == "tid_in_wg" || name == "laneid" ||
        (oneWarpgroup && name == "tx"))
      return 1;
    if (name == "wid_in_wg" || (oneWarpgroup && name == "warpid"))
      return 32;
    return 0;
  };
  auto convert = [&](auto &place, int64_t &value) {
    if (!place.isThread())
      return true;
    int64_t scale = factor(place);
    value *= scale;
    place = thread;
    return scale != 0;
  };
  SmallVector<Iter> shard(layout.getShard());
  for (Iter &iter : shard)
    if (!convert(iter.axis, iter.stride))
      return std::nullopt;
  SmallVector<AxisOffset> offset(layout.getOffset());
  for (AxisOffset &place : offset)
    if (!convert(place.axis, place.value))
      return std::nullopt;
  auto result = TileLayout::get(shard, {}, offset);
  if (result)
    return *result;
  llvm::consumeError(result.takeError());
  return std::nullopt;
}

static LogicalResult matchSource(CopyAsyncOp op, Reasons &reasons) {
  auto src = cast<BufferType>(op.getSrc().getType());
  Value source = op.getSrc();
  int64_t bits = src.getElementBits();
  if (bits != 16 && bits != 32)
    return reasons.decline(
        source, "expected src elements of 16 or 32 bits, got " + Twine(bits));
  Layout layout = src.getLayout();
  const TileLayout &tile = *layout.getTile();
  if (tile.hasReplica())
    return reasons.decline(source, "src has replicas");
  Coordinates first = tile.apply(0);
  Span columns = tile.getSpan(lookupBuiltinAxis("TCol"));
  Span lanes = tile.getSpan(lookupBuiltinAxis("TLane"));
  if (first.get(lookupBuiltinAxis("TCol")) != columns.min ||
      first.get(lookupBuiltinAxis("TLane")) != lanes.min)
    return reasons.decline(source, "expected the first element of src in its "
                                   "lowest lane and column");
  if (lanes.min != 0)
    return reasons.decline(
        source,
        "expected src from lane 0 on, since warp w of a warpgroup reads "
        "lanes 32w to 32w+31 (rule R27), got lane " +
            Twine(lanes.min));
  std::string why;
  auto ref = traceBuffer(source, why);
  if (failed(ref))
    return reasons.decline(source, "src: " + why);
  for (const DynamicOffset &offset : ref->offsets)
    if (offset.axis == lookupBuiltinAxis("TLane"))
      return reasons.decline(source,
                             "src is at a dynamic lane: expected lane 0");
  return success();
}

static LogicalResult matchRegisters(CopyAsyncOp op, bool oneWarpgroup,
                                    Reasons &reasons) {
  auto src = cast<BufferType>(op.getSrc().getType());
  auto dst = cast<BufferType>(op.getDst().getType());
  Layout layout = dst.getLayout();
  const TileLayout *tile = layout.getTile();
  if (!layout.isTile())
    return reasons.decline(op.getDst(), "dst has a swizzle");
  int64_t first = tile->getSpan(memoryAxis()).min;
  auto right =
      registerLayout(*src.getLayout().getTile(), src.getElementBits(), first);
  if (!right)
    return reasons.decline(
        op.getSrc(),
        "expected each 16-bit element of src in a column of 32 bits "
        "of its own (a stride that is a multiple of 2@TCol), as "
        "tcgen05.mma writes them");
  auto threads = byThread(*tile, oneWarpgroup);
  if (tile->hasReplica() || !threads || !isEqual(*threads, *right))
    return reasons.decline(
        op.getDst(),
        "expected dst to hold lane t in thread t and column c in "
        "register c, which is " +
            toString(Layout(*right)) + ", got " + toString(layout) +
            (threads ? describeDifference(Layout(*right), Layout(*threads),
                                          dst.getShape())
                     : ""));
  Layout storage = getStorage(layout);
  if (storage.getSpan(memoryAxis()).size() != *storage.getSize())
    return reasons.decline(op.getDst(),
                           "expected the registers of dst side by side");
  std::string why;
  auto ref = traceBuffer(op.getDst(), why);
  if (failed(ref))
    return reasons.decline(op.getDst(), "dst: " + why);
  if (!ref->offsets.empty())
    return reasons.decline(op.getDst(),
                           "dst has dynamic offsets, but registers "
                           "have no addresses");
  return success();
}

LogicalResult CopyTcgen05Ld::match(Operation *op,
                                   const DispatchContext &context,
                                   Reasons &reasons) const {
  auto copy = cast<CopyAsyncOp>(op);
  auto src = cast<BufferType>(copy.getSrc().getType());
  auto dst = cast<BufferType>(copy.getDst().getType());
  if (!src.isTmem() || !dst.isLocal())
    return reasons.decline(op, "expected a copy from tmem to local, got " +
                                   stringifyMemorySpace(src.getMemorySpace()) +
                                   " to " +
                                   stringifyMemorySpace(dst.getMemorySpace()));
  if (!context.target.hasTcgen05)
    return reasons.decline(op, context.target.chip +
                                   " has no tensor memory: expected sm_100a or "
                                   "sm_103a");
  if (copy.getScope() != Scope::Warpgroup)
    return reasons.decline(
        op, "expected scope warpgroup, whose four warps reach the 128 lanes of "
            "tensor memory, got " +
                stringifyScope(copy.getScope()));
  if (failed(matchSource(copy, reasons)))
    return failure();
  return matchRegisters(copy, context.numThreads() <= 128, reasons);
}

/// The loaded 32 bits as an element.
static Value toElement(OpBuilder &builder, Location loc, Value value,
                       Type element) {
  if (value.getType() == element)
    return value;
  if (element.getIntOrFloatBitWidth() == 16)
    value = arith::TruncIOp::create(builder, loc, builder.getI16Type(), value);
  if (value.getType() == element)
    return value;
  return arith::BitcastOp::create(builder, loc, element, value);
}

std::string CopyTcgen05Ld::lower(Operation *op, const DispatchContext &,
                                 OpBuilder &builder) const {
  auto copy = cast<CopyAsyncOp>(op);
  Location loc = op->getLoc();
  auto src = cast<BufferType>(copy.getSrc().getType());
  auto dst = cast<BufferType>(copy.getDst().getType());
  Type element = dst.getElementType();
  int64_t count = *getStorage(dst.getLayout()).getSize();
  IndexMath index(builder, loc, builder.getIndexType());
  IndexMath math(builder, loc, builder.getI32Type());

  auto pointer = LLVM::LLVMPointerType::get(op->getContext(), 6);
  SmallVector<Value> zeros(src.getRank(), index.constant(0));
  Value corner = PtrOp::create(builder, loc, pointer, copy.getSrc(), zeros);
  Value warp = IdOp::create(builder, loc, IdKind::WarpIdInWg);
  Value lanes = math.shiftLeft(math.cast(warp), kWarpShift);
  auto at = [&](Value from, LLVM::GEPArg offset) -> Value {
    return LLVM::GEPOp::create(builder, loc, pointer, builder.getI8Type(), from,
                               ArrayRef<LLVM::GEPArg>{offset});
  };
  Value start = at(corner, lanes);
  auto plain = BufferType::get(op->getContext(), {count}, element,
                               MemorySpace::Local, LayoutAttrInterface());
  Value registers = LocalViewOp::create(builder, loc, plain, copy.getDst());

  Type loaded = element.getIntOrFloatBitWidth() == 32
                    ? element
                    : Type(builder.getI32Type());
  std::string expansion;
  for (int64_t done = 0; done < count;) {
    int64_t repeat =
        std::min<int64_t>(kMaxRepeat, llvm::bit_floor(uint64_t(count - done)));
    std::string text =
        "tcgen05.ld.sync.aligned.32x32b.x" + std::to_string(repeat) + ".b32";
    Value address = done == 0 ? start : at(start, int32_t(done));
    auto load = PtxOp::create(builder, loc, SmallVector<Type>(repeat, loaded),
                              builder.getStringAttr(text), address, Value(),
                              ValueRange());
    for (auto [i, result] : llvm::enumerate(load.getResults()))
      StoreOp::create(builder, loc, toElement(builder, loc, result, element),
                      registers, index.constant(done + i));
    expansion +=
        (expansion.empty() ? "" : " + ") + ("x" + std::to_string(repeat));
    done += repeat;
  }
  return std::to_string(count) + " columns by tcgen05.ld.32x32b " + expansion;
}

std::unique_ptr<DispatchVariant> createCopyTcgen05Ld() {
  return std::make_unique<CopyTcgen05Ld>();
}

} // namespace tirx
