//===- StreamFragments.cpp - large register tiles in parts ----------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StreamFragments.h"
#include "TIRx/Dialect/TIRx/IR/TIRxOps.h"
#include "TIRx/Layout/Algebra.h"
#include "TileIndex.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace tirx {

/// Registers up to which a tile stays whole: the rest is for addresses and for
/// what the tile is converted to.
static constexpr int64_t kWholeRegisters = 128;
static constexpr int64_t kPartColumns = 64;

static BufferType typeOf(Value buffer) {
  return cast<BufferType>(buffer.getType());
}

/// The type of columns [start, start + width) of a buffer, along its last
/// dimension of more than one element; nothing where the layout cannot be cut
/// there.
static std::optional<BufferType> columnsOf(BufferType type, int64_t start,
                                           int64_t width) {
  SmallVector<int64_t> shape(type.getShape()), offsets(shape.size(), 0);
  unsigned dim = realDims(shape).back();
  shape[dim] = width;
  offsets[dim] = start;
  auto layout = slice(type.getLayout(), type.getShape(), offsets, shape);
  if (!layout) {
    llvm::consumeError(layout.takeError());
    return std::nullopt;
  }
  return BufferType::get(type.getContext(), shape, type.getElementType(),
                         type.getMemorySpace(),
                         getLayoutAttr(type.getContext(), *layout));
}

/// Whether each part of the buffer has a layout.
static bool canCut(BufferType type, int64_t columns) {
  for (int64_t start = 0; start < columns; start += kPartColumns)
    if (!columnsOf(type, start, std::min(kPartColumns, columns - start)))
      return false;
  return true;
}

/// Whether dimension `dim` is one stride of 1 on `m`.
static bool isUnitStride(BufferType type, unsigned dim) {
  auto step = getDimStride(type.getLayout(), type.getShape(), dim);
  if (!step) {
    llvm::consumeError(step.takeError());
    return false;
  }
  return step->stride == 1 && step->axis == memoryAxis() &&
         type.getLayout().isTile();
}

/// One register of a thread after the other, in logical order.
static bool isPlainRow(BufferType type) {
  SmallVector<unsigned> dims = realDims(type.getShape());
  return type.isLocal() && dims.size() == 1 &&
         isUnitStride(type, dims.front()) &&
         type.getStorageElements() == type.getNumElements() &&
         !hasThreadAxes(type.getLayout());
}

/// Whether the columns of a tile are its registers: no other dimension is on
/// `m`.
static bool hasColumnRegisters(BufferType type) {
  return type.getRank() > 0 && isUnitStride(type, type.getRank() - 1) &&
         type.getStorageElements() == type.getShape().back();
}

namespace {
/// One chain, from the copy out of tensor memory to the last store.
class Chain {
public:
  static std::optional<Chain> find(CopyAsyncOp load);
  void split();

private:
  explicit Chain(CopyAsyncOp load) : load(load) {}

  bool collect();
  bool follow(Value buffer);
  bool accept(Operation *user);
  bool checkOrder();
  void emitPart(OpBuilder &builder, int64_t start, int64_t width);
  void emitOp(OpBuilder &builder, Operation *op, IRMapping &map, int64_t start,
              int64_t width);
  void emitIf(OpBuilder &builder, scf::IfOp op, IRMapping &map, int64_t start,
              int64_t width);
  Value partOf(OpBuilder &builder, Location loc, Value buffer, IRMapping &map,
               int64_t width);

  CopyAsyncOp load;
  WaitOp wait;
  int64_t columns = 0;
  unsigned numStores = 0;
  /// Ops of the chain behind the wait, in any block.
  llvm::SetVector<Operation *> members;
  /// Members, or the `scf.if` around them, in the block of the load, in order.
  SmallVector<Operation *> steps;
  llvm::SetVector<Operation *> allocs;
};
} // namespace

std::optional<Chain> Chain::find(CopyAsyncOp load) {
  Chain chain(load);
  if (!typeOf(load.getSrc()).isTmem() ||
      !load.getDst().getDefiningOp<AllocLocalOp>() ||
      !hasColumnRegisters(typeOf(load.getDst())))
    return std::nullopt;
  chain.columns = typeOf(load.getDst()).getShape().back();
  if (chain.columns <= kWholeRegisters ||
      !canCut(typeOf(load.getSrc()), chain.columns) ||
      !canCut(typeOf(load.getDst()), chain.columns) || !chain.collect())
    return std::nullopt;
  return chain;
}

/// Follows the registers from the load to all their uses.
bool Chain::collect() {
  for (Operation *op = load->getNextNode(); op && !wait;
       op = op->getNextNode()) {
    wait = dyn_cast<WaitOp>(op);
    if (!wait && !isPure(op) && !isa<AllocLocalOp>(op))
      return false;
  }
  return wait && wait.getKind() == WaitKind::Tcgen05Ld &&
         follow(load.getDst()) && numStores <= 1 && checkOrder();
}

bool Chain::follow(Value buffer) {
  if (Operation *alloc = buffer.getDefiningOp<AllocLocalOp>())
    allocs.insert(alloc);
  return llvm::all_of(buffer.getUsers(), [&](Operation *user) {
    return user == load || members.contains(user) || accept(user);
  });
}

bool Chain::accept(Operation *user) {
  members.insert(user);
  if (auto view = dyn_cast<LocalViewOp>(user))
    return isPlainRow(typeOf(view.getResult())) && follow(view.getResult());
  if (auto cast = dyn_cast<CastOp>(user)) {
    auto alloc = cast.getDst().getDefiningOp<AllocLocalOp>();
    return cast.getScope() == Scope::Thread && alloc &&
           isPlainRow(typeOf(cast.getDst())) &&
           isPlainRow(typeOf(cast.getSrc())) && follow(cast.getDst());
  }
  auto copy = dyn_cast<CopyOp>(user);
  if (!copy || copy.getScope() != Scope::Thread ||
      typeOf(copy.getDst()).isLocal() || !isPlainRow(typeOf(copy.getSrc())) ||
      !canCut(typeOf(copy.getDst()), columns))
    return false;
  ++numStores;
  return true;
}

/// Nothing but the chain and pure ops stands between the wait and the last
/// step.
bool Chain::checkOrder() {
  Block *block = load->getBlock();
  llvm::SetVector<Operation *> around;
  for (Operation *member : members) {
    Operation *step = block->findAncestorOpInBlock(*member);
    if (!step)
      return false;
    if (isa<LocalViewOp>(member) && step == member)
      continue;
    if (!wait->isBeforeInBlock(step))
      return false;
    around.insert(step);
  }
  steps = around.takeVector();
  llvm::sort(steps,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  if (steps.empty())
    return false;
  auto isQuiet = [&](Operation *op) {
    return members.contains(op) || isPure(op) || isa<AllocLocalOp>(op);
  };
  for (Operation *op = wait->getNextNode(); op != steps.back()->getNextNode();
       op = op->getNextNode()) {
    if (isQuiet(op))
      continue;
    auto guard = dyn_cast<scf::IfOp>(op);
    if (!guard || guard.getNumResults() || guard.elseBlock())
      return false;
    for (Operation &inner : guard.thenBlock()->without_terminator())
      if (!isQuiet(&inner))
        return false;
  }
  return true;
}

/// A part of a buffer of the chain: registers of its own.
Value Chain::partOf(OpBuilder &builder, Location loc, Value buffer,
                    IRMapping &map, int64_t width) {
  if (Value known = map.lookupOrNull(buffer))
    return known;
  BufferType type = typeOf(buffer);
  Value part;
  if (auto view = buffer.getDefiningOp<LocalViewOp>()) {
    Value source = partOf(builder, loc, view.getSource(), map, width);
    auto row =
        BufferType::get(type.getContext(), {width}, type.getElementType(),
                        MemorySpace::Local, LayoutAttrInterface());
    part = LocalViewOp::create(builder, loc, row, source);
  } else {
    part = AllocLocalOp::create(builder, loc, *columnsOf(type, 0, width));
  }
  map.map(buffer, part);
  return part;
}

/// A view of the columns [start, start + width).
static Value viewPart(OpBuilder &builder, Location loc, Value buffer,
                      int64_t start, int64_t width) {
  BufferType type = typeOf(buffer);
  SmallVector<int64_t> offsets(type.getRank(), 0);
  offsets[realDims(type.getShape()).back()] = start;
  return ViewOp::create(builder, loc, *columnsOf(type, start, width), buffer,
                        ValueRange(), offsets);
}

void Chain::emitIf(OpBuilder &builder, scf::IfOp op, IRMapping &map,
                   int64_t start, int64_t width) {
  scf::IfOp::create(builder, op.getLoc(), op.getCondition(),
                    [&](OpBuilder &inside, Location loc) {
                      for (Operation &inner :
                           op.thenBlock()->without_terminator()) {
                        if (members.contains(&inner))
                          emitOp(inside, &inner, map, start, width);
                        else if (!allocs.contains(&inner))
                          inside.clone(inner, map);
                      }
                      scf::YieldOp::create(inside, loc);
                    });
}

void Chain::emitOp(OpBuilder &builder, Operation *op, IRMapping &map,
                   int64_t start, int64_t width) {
  Location loc = op->getLoc();
  if (auto cast = dyn_cast<CastOp>(op)) {
    Value src = partOf(builder, loc, cast.getSrc(), map, width);
    Value dst = partOf(builder, loc, cast.getDst(), map, width);
    CastOp::create(builder, loc, cast.getScopeAttr(), dst, src,
                   cast.getDispatchAttr());
  } else if (auto copy = dyn_cast<CopyOp>(op)) {
    Value src = partOf(builder, loc, copy.getSrc(), map, width);
    Value dst = viewPart(builder, loc, map.lookupOrDefault(copy.getDst()),
                         start, width);
    CopyOp::create(builder, loc, copy.getScopeAttr(), dst, src,
                   copy.getDispatchAttr());
  } else if (auto guard = dyn_cast<scf::IfOp>(op)) {
    emitIf(builder, guard, map, start, width);
  }
}

void Chain::emitPart(OpBuilder &builder, int64_t start, int64_t width) {
  IRMapping map;
  Location loc = load.getLoc();
  Value registers = partOf(builder, loc, load.getDst(), map, width);
  Value source = viewPart(builder, loc, load.getSrc(), start, width);
  CopyAsyncOp::create(builder, loc, load.getScopeAttr(), registers, source,
                      load.getDispatchAttr());
  WaitOp::create(builder, wait.getLoc(), wait.getKindAttr());
  // Views of the registers once, outside any guard.
  for (Operation *member : members)
    if (auto view = dyn_cast<LocalViewOp>(member))
      partOf(builder, loc, view.getResult(), map, width);
  for (Operation *step : steps)
    emitOp(builder, step, map, start, width);
}

void Chain::split() {
  OpBuilder builder(steps.back());
  for (int64_t start = 0; start < columns; start += kPartColumns)
    emitPart(builder, start, std::min(kPartColumns, columns - start));
  for (Operation *step : llvm::reverse(steps))
    step->erase();
  wait->erase();
  load->erase();
  // Views and allocations are without uses now; canonicalisation drops them.
}

bool streamFragments(Operation *kernel) {
  SmallVector<CopyAsyncOp> loads;
  kernel->walk([&](CopyAsyncOp load) { loads.push_back(load); });
  bool changed = false;
  for (CopyAsyncOp load : loads)
    if (std::optional<Chain> chain = Chain::find(load)) {
      chain->split();
      changed = true;
    }
  return changed;
}

} // namespace tirx
