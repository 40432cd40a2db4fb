//===- LayoutCheck.cpp - layouts of producers and consumers ---------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A local_view names registers anew and moves nothing: a tile that one op
// writes under one spread over the threads is not what another reads under
// another.
//
//===----------------------------------------------------------------------===//

#include "TIRx/Dialect/TIRx/Analysis/Checks.h"
#include "TIRx/Dialect/TIRx/Analysis/Slots.h"
#include "TIRx/Layout/Algebra.h"
#include "TIRx/Layout/Text.h"

using namespace mlir;
using namespace tirx;

namespace {
/// The last op that wrote a register tile as a whole, and under which type.
struct Producer {
  Operation *op;
  BufferType type;
};
} // namespace

/// Whether both types spread a tile over threads, and do it differently.
static bool disagree(BufferType written, BufferType read) {
  Layout lhs = written.getLayout(), rhs = read.getLayout();
  return written.getShape() == read.getShape() && hasThreadAxes(lhs) &&
         hasThreadAxes(rhs) && !isEqual(lhs, rhs);
}

LogicalResult tirx::checkLayouts(gpu::GPUFuncOp kernel) {
  LogicalResult result = success();
  llvm::DenseMap<Value, Producer> producers;
  auto visit = [&](Operation *op, OpOperand &operand, bool isWrite) {
    auto type = dyn_cast<BufferType>(operand.get().getType());
    if (!type || !type.isLocal())
      return;
    Value root = getRootBuffer(operand.get());
    if (isWrite) {
      producers[root] = {op, type};
      return;
    }
    auto found = producers.find(root);
    if (found == producers.end() || !disagree(found->second.type, type))
      return;
    InFlightDiagnostic diagnostic =
        op->emitOpError(
            "expected the layout under which the tile was written, ")
        << toString(found->second.type.getLayout()) << ", got "
        << toString(type.getLayout())
        << " (rule R43): a local_view moves no data between threads"
        << describeDifference(found->second.type.getLayout(), type.getLayout(),
                              type.getShape());
    diagnostic.attachNote(found->second.op->getLoc()) << "it is written here";
    result = diagnostic;
  };
  kernel.walk<WalkOrder::PreOrder>([&](TileOpInterface op) {
    auto memory = dyn_cast<MemoryEffectOpInterface>(op.getOperation());
    if (!memory)
      return;
    SmallVector<MemoryEffects::EffectInstance> effects;
    memory.getEffects(effects);
    for (bool isWrite : {false, true})
      for (MemoryEffects::EffectInstance &effect : effects)
        if (isWrite == isa<MemoryEffects::Write>(effect.getEffect()))
          if (OpOperand *operand = effect.getEffectValue<OpOperand *>())
            visit(op, *operand, isWrite);
  });
  return result;
}
