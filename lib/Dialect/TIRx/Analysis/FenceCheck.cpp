//===- FenceCheck.cpp - fences of kernels that place them by hand ---------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel with `tirx.explicit_sync` is followed in program order, the bodies
// of loops twice, so that what one round leaves behind meets the next. A fence
// in one branch counts for both: the check reports what is missing everywhere,
// and leaves the rest to the simulator.
//
//===----------------------------------------------------------------------===//

#include "TIRx/Dialect/TIRx/Analysis/Checks.h"
#include "TIRx/Dialect/TIRx/Analysis/Slots.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tirx;

namespace {
class FenceChecker {
public:
  LogicalResult run(gpu::GPUFuncOp kernel);

private:
  void walk(Operation *op);
  void visit(Operation *op);
  void visitFence(FenceKind kind);
  void visitBarrier();
  void write(Value buffer, Operation *op);
  void readAsync(Operation *op, StringRef name, Value buffer);
  void useTensorMemory(Operation *op);
  /// Whether nothing was reported for `op` yet.
  bool isFirst(Operation *op) { return reported.insert(op).second; }

  /// Generic writes of shared buffers with no proxy fence behind them.
  llvm::MapVector<Value, Operation *> unfenced;
  /// Initialisations of barriers with no fence behind them.
  llvm::SetVector<Operation *> initialised;
  /// The last wait for a commit with no tcgen05_after behind it.
  Operation *wait = nullptr;
  llvm::DenseSet<Value> commitBarriers;
  llvm::DenseSet<Operation *> reported;
  bool failedAny = false;
};
} // namespace

void FenceChecker::write(Value buffer, Operation *op) {
  Value root = getRootBuffer(buffer);
  if (cast<BufferType>(root.getType()).isShared())
    unfenced[root] = op;
}

/// R1: the async proxy reads what generic writes left.
void FenceChecker::readAsync(Operation *op, StringRef name, Value buffer) {
  Value root = getRootBuffer(buffer);
  auto found = unfenced.find(root);
  if (found == unfenced.end() || !isFirst(op))
    return;
  failedAny = true;
  InFlightDiagnostic diagnostic =
      op->emitOpError("expected fence proxy_async_shared between a generic "
                      "write of ")
      << name << " and this asynchronous read of it (rule R1), got none";
  diagnostic.attachNote(found->second->getLoc()) << "it is written here";
}

/// R15: what a wait hands over is tensor memory only behind tcgen05_after.
void FenceChecker::useTensorMemory(Operation *op) {
  if (!wait || !isFirst(op))
    return;
  failedAny = true;
  InFlightDiagnostic diagnostic =
      op->emitOpError("expected fence tcgen05_after between the wait for a "
                      "commit and this use of tensor memory (rule R15), got "
                      "none");
  diagnostic.attachNote(wait->getLoc()) << "it waits here";
}

void FenceChecker::visitFence(FenceKind kind) {
  switch (kind) {
  case FenceKind::ProxyAsync:
  case FenceKind::ProxyAsyncShared:
    unfenced.clear();
    break;
  case FenceKind::MbarrierInit:
    initialised.clear();
    break;
  case FenceKind::Tcgen05After:
    wait = nullptr;
    break;
  case FenceKind::ProxyAsyncGlobal:
  case FenceKind::Tcgen05Before:
    break;
  }
}

/// R6: for a barrier that only its own CTA uses, the CTA barrier publishes it.
void FenceChecker::visitBarrier() {
  for (Operation *op : initialised)
    if (isFirst(op))
      op->emitRemark("no fence mbarrier_init before the barrier that follows "
                     "(rule R6): needed where another CTA or a multicast copy "
                     "uses this mbarrier");
  initialised.clear();
}

void FenceChecker::visit(Operation *op) {
  if (auto fence = dyn_cast<FenceOp>(op))
    return visitFence(fence.getKind());
  if (auto barrier = dyn_cast<BarrierOp>(op)) {
    if (barrier.getScope() == Scope::Cta)
      visitBarrier();
    return;
  }
  if (isa<MbarrierInitOp>(op)) {
    initialised.insert(op);
    return;
  }
  if (auto store = dyn_cast<StoreOp>(op))
    return write(store.getBuffer(), op);
  if (auto copy = dyn_cast<CopyOp>(op))
    return write(copy.getDst(), op);
  if (auto fill = dyn_cast<FillOp>(op))
    return write(fill.getDst(), op);
  if (auto waitOp = dyn_cast<MbarrierWaitOp>(op)) {
    if (commitBarriers.contains(getRootBuffer(waitOp.getBarrier())))
      wait = op;
    return;
  }
  if (auto gemm = dyn_cast<GemmAsyncOp>(op)) {
    readAsync(op, "A", gemm.getA());
    readAsync(op, "B", gemm.getB());
    return useTensorMemory(op);
  }
  if (auto copy = dyn_cast<CopyAsyncOp>(op)) {
    if (copy.getSrc().getType().isTmem() || copy.getDst().getType().isTmem())
      useTensorMemory(op);
    if (copy.getSrc().getType().isShared())
      readAsync(op, "src", copy.getSrc());
  }
}

void FenceChecker::walk(Operation *op) {
  visit(op);
  unsigned rounds = isa<LoopLikeOpInterface>(op) ? 2 : 1;
  for (unsigned round = 0; round < rounds; ++round)
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (Operation &inner : block)
          walk(&inner);
}

LogicalResult FenceChecker::run(gpu::GPUFuncOp kernel) {
  kernel.walk([&](CommitOp commit) {
    commitBarriers.insert(getRootBuffer(commit.getBarrier()));
  });
  walk(kernel);
  return failure(failedAny);
}

LogicalResult tirx::checkFences(gpu::GPUFuncOp kernel) {
  return FenceChecker().run(kernel);
}
