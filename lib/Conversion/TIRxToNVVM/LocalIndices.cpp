//===- LocalIndices.cpp - static indices into registers -------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LocalIndices.h"
#include "TIRx/Dialect/TIRx/IR/TIRxOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Utils/Utils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace tirx {

static constexpr unsigned kMaxDepth = 32;
/// Registers of a thread: a loop over more of them cannot stay in registers.
static constexpr int64_t kMaxTrips = 1024;

static Attribute evaluate(Value value, unsigned depth) {
  Attribute constant;
  if (matchPattern(value, m_Constant(&constant)))
    return constant;
  Operation *op = value.getDefiningOp();
  if (!op || depth > kMaxDepth || op->getNumResults() != 1 || !isPure(op) ||
      op->getNumRegions() != 0)
    return {};
  SmallVector<Attribute> operands;
  for (Value operand : op->getOperands()) {
    Attribute known = evaluate(operand, depth + 1);
    if (!known)
      return {};
    operands.push_back(known);
  }
  SmallVector<OpFoldResult> folded;
  if (failed(op->fold(operands, folded)) || folded.size() != 1)
    return {};
  if (auto attribute = dyn_cast<Attribute>(folded.front()))
    return attribute;
  return evaluate(cast<Value>(folded.front()), depth + 1);
}

std::optional<int64_t> evaluateConstant(Value value) {
  auto constant = dyn_cast_or_null<IntegerAttr>(evaluate(value, 0));
  if (!constant || constant.getValue().getSignificantBits() > 64)
    return std::nullopt;
  return constant.getValue().getSExtValue();
}

/// Loop counters that `value` is computed from.
static void collectCounters(Value value, unsigned depth,
                            SmallVectorImpl<scf::ForOp> &loops) {
  if (depth > kMaxDepth)
    return;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    if (loop && loop.getInductionVar() == argument)
      loops.push_back(loop);
    return;
  }
  Operation *op = value.getDefiningOp();
  if (isPure(op))
    for (Value operand : op->getOperands())
      collectCounters(operand, depth + 1, loops);
}

/// The values that select a register: indices of the access and dynamic offsets
/// of the views behind it.
static SmallVector<Value> registerIndices(Operation *op) {
  Value buffer;
  SmallVector<Value> indices;
  if (auto load = dyn_cast<LoadOp>(op)) {
    buffer = load.getBuffer();
    indices = load.getIndices();
  } else if (auto store = dyn_cast<StoreOp>(op)) {
    buffer = store.getBuffer();
    indices = store.getIndices();
  }
  auto type = buffer ? cast<BufferType>(buffer.getType()) : BufferType();
  if (!type || !type.isLocal())
    return {};
  while (auto view = buffer.getDefiningOp<ViewLikeOpInterface>()) {
    llvm::append_range(indices, view->getOperands().drop_front());
    buffer = view.getViewSource();
  }
  return indices;
}

/// A loop whose unrolling makes an index of the kernel a constant; the
/// innermost.
static scf::ForOp findLoop(Operation *kernel) {
  scf::ForOp found;
  kernel->walk([&](Operation *op) {
    for (Value index : registerIndices(op)) {
      if (evaluateConstant(index))
        continue;
      SmallVector<scf::ForOp> loops;
      collectCounters(index, 0, loops);
      for (scf::ForOp loop : loops) {
        if (!loop.getStaticTripCount())
          continue;
        if (!found || found->isProperAncestor(loop))
          found = loop;
      }
      if (found)
        return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return found;
}

LogicalResult unrollLocalAccesses(Operation *kernel) {
  while (scf::ForOp loop = findLoop(kernel)) {
    std::optional<APInt> trips = loop.getStaticTripCount();
    if (trips->ugt(kMaxTrips))
      return loop.emitError()
             << "expected a loop over registers of at most " << kMaxTrips
             << " iterations, got " << trips->getZExtValue();
    if (failed(loopUnrollFull(loop)))
      return loop.emitError("cannot unroll this loop over registers");
  }
  return success();
}

} // namespace tirx
