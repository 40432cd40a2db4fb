//===- TmemCheck.cpp - lives and places in tensor memory ------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Allocations are followed in program order. A slot is one element of shared
// memory; what is written to it by other means than `tmem_alloc` is not
// followed.
//
//===----------------------------------------------------------------------===//

#include "TIRx/Dialect/TIRx/Analysis/Checks.h"
#include "TIRx/Dialect/TIRx/Analysis/Slots.h"
#include "TIRx/Layout/Text.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"

using namespace mlir;
using namespace tirx;

namespace {
/// Half-open ranges that a buffer covers, in lanes and hardware columns.
struct Window {
  int64_t laneBegin, laneEnd, columnBegin, columnEnd;

  bool overlaps(const Window &other) const {
    return laneBegin < other.laneEnd && other.laneBegin < laneEnd &&
           columnBegin < other.columnEnd && other.columnBegin < columnEnd;
  }
};

/// One allocation and what stands in it.
struct Allocation {
  TmemAllocOp op;
  Slot slot;
  SmallVector<TmemDeallocOp> deallocs;
  SmallVector<TmemBufferOp> buffers;

  bool isLive() const { return deallocs.empty(); }
};

class TensorMemoryChecker {
public:
  LogicalResult run(gpu::GPUFuncOp kernel);

private:
  LogicalResult visit(TmemAllocOp op);
  LogicalResult visit(TmemDeallocOp op);
  LogicalResult visit(TmemBufferOp op);
  LogicalResult visitGroup(Operation *op, int64_t group);
  LogicalResult checkPlace(TmemBufferOp op, const Allocation &allocation);
  Allocation *find(const Slot &slot);

  SmallVector<Allocation> allocations;
  Operation *relinquish = nullptr;
  /// The first op with a cta_group, and its group.
  Operation *groupOp = nullptr;
  int64_t group = 0;
};
} // namespace

static Window getWindow(TmemBufferOp op) {
  BufferType type = op.getBuffer().getType();
  auto lanes = type.getTmemLanes(), columns = type.getTmemColumns();
  int64_t begin = static_cast<int32_t>(op.getColumn());
  return {lanes.first, lanes.second, begin + columns.first,
          begin + columns.second};
}

/// The latest allocation of `slot`.
Allocation *TensorMemoryChecker::find(const Slot &slot) {
  for (Allocation &allocation : llvm::reverse(allocations))
    if (allocation.slot == slot)
      return &allocation;
  return nullptr;
}

LogicalResult TensorMemoryChecker::visit(TmemAllocOp op) {
  // R23
  if (relinquish) {
    InFlightDiagnostic diagnostic = op.emitOpError(
        "expected no allocation after the right to allocate was given up "
        "(rule R23)");
    diagnostic.attachNote(relinquish->getLoc()) << "it is given up here";
    return diagnostic;
  }
  Slot slot(op.getSlot(), op.getIndex());
  int64_t columns = op.getColumns();
  for (Allocation &other : allocations)
    if (other.isLive() && !insideMutuallyExclusiveRegions(op, other.op))
      columns += other.op.getColumns();
  allocations.push_back({op, slot, {}, {}});
  // (tmem_alloc_c4)
  if (columns <= 512)
    return success();
  InFlightDiagnostic diagnostic =
      op.emitOpError("expected allocations that are alive together to have at "
                     "most 512 columns, got ")
      << columns;
  for (Allocation &other : llvm::drop_end(allocations))
    if (other.isLive())
      diagnostic.attachNote(other.op.getLoc())
          << other.op.getColumns() << " columns are alive from here";
  return diagnostic;
}

LogicalResult TensorMemoryChecker::visit(TmemDeallocOp op) {
  // (tmem_dealloc_c4)
  Allocation *allocation = find(Slot(op.getSlot(), op.getIndex()));
  if (!allocation)
    return op.emitOpError("expected an earlier tmem_alloc of the same slot, "
                          "got none");
  for (TmemDeallocOp other : allocation->deallocs) {
    if (insideMutuallyExclusiveRegions(op, other))
      continue;
    InFlightDiagnostic diagnostic =
        op.emitOpError("expected an allocation that is alive, got one that is "
                       "freed already (rule R24)");
    diagnostic.attachNote(other.getLoc()) << "it is freed here";
    return diagnostic;
  }
  allocation->deallocs.push_back(op);
  if (allocation->op.getColumns() == op.getColumns() &&
      allocation->op.getCtaGroup() == op.getCtaGroup())
    return success();
  InFlightDiagnostic diagnostic =
      op.emitOpError("expected columns(")
      << allocation->op.getColumns() << ") cta_group("
      << allocation->op.getCtaGroup() << ") of the allocation, got columns("
      << op.getColumns() << ") cta_group(" << op.getCtaGroup() << ")";
  diagnostic.attachNote(allocation->op.getLoc()) << "it is allocated here";
  return diagnostic;
}

LogicalResult TensorMemoryChecker::checkPlace(TmemBufferOp op,
                                              const Allocation &allocation) {
  Window window = getWindow(op);
  TmemAllocOp alloc = allocation.op;
  // (tmem_buffer_c2)
  if (window.columnEnd > alloc.getColumns()) {
    InFlightDiagnostic diagnostic =
        op.emitOpError("expected columns inside the allocation of ")
        << alloc.getColumns() << ", got columns " << window.columnBegin
        << " to " << window.columnEnd - 1;
    diagnostic.attachNote(alloc.getLoc()) << "it is allocated here";
    return diagnostic;
  }
  // (tmem_buffer_c3)
  for (TmemBufferOp other : allocation.buffers) {
    bool isSame =
        other.getColumn() == op.getColumn() && other.getType() == op.getType();
    if (isSame || op.getAlias() || other.getAlias() ||
        !window.overlaps(getWindow(other)))
      continue;
    bool sameShape = other.getColumn() == op.getColumn() &&
                     other.getType().getShape() == op.getType().getShape();
    InFlightDiagnostic diagnostic = op.emitOpError();
    if (sameShape)
      diagnostic << "expected buffers at the same columns to have the same "
                    "element type and layout (rule R43), or alias, got "
                 << op.getType()
                 << describeDifference(other.getType().getLayout(),
                                       op.getType().getLayout(),
                                       op.getType().getShape());
    else
      diagnostic << "expected buffers of one allocation not to overlap, or "
                    "alias, got columns "
                 << window.columnBegin << " to " << window.columnEnd - 1;
    Window taken = getWindow(other);
    diagnostic.attachNote(other.getLoc())
        << "this buffer, " << other.getType() << ", has columns "
        << taken.columnBegin << " to " << taken.columnEnd - 1;
    return diagnostic;
  }
  return success();
}

LogicalResult TensorMemoryChecker::visit(TmemBufferOp op) {
  Allocation *allocation = find(Slot(op.getSlot(), op.getIndex()));
  if (!allocation)
    return success();
  LogicalResult result = checkPlace(op, *allocation);
  allocation->buffers.push_back(op);
  return result;
}

/// R25: PTX ISA wants one value in all tcgen05 instructions of a kernel.
LogicalResult TensorMemoryChecker::visitGroup(Operation *op, int64_t value) {
  if (!groupOp) {
    groupOp = op;
    group = value;
  }
  if (value == group)
    return success();
  InFlightDiagnostic diagnostic =
      op->emitOpError("expected one cta_group in all tcgen05 ops of a kernel "
                      "(rule R25), got ")
      << value;
  diagnostic.attachNote(groupOp->getLoc()) << "this op has cta_group " << group;
  return diagnostic;
}

LogicalResult TensorMemoryChecker::run(gpu::GPUFuncOp kernel) {
  LogicalResult result = success();
  auto check = [&](LogicalResult step) {
    if (failed(step))
      result = failure();
  };
  kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto alloc = dyn_cast<TmemAllocOp>(op)) {
      check(visitGroup(op, alloc.getCtaGroup()));
      check(visit(alloc));
    } else if (auto dealloc = dyn_cast<TmemDeallocOp>(op)) {
      check(visit(dealloc));
    } else if (auto buffer = dyn_cast<TmemBufferOp>(op)) {
      check(visit(buffer));
    } else if (auto give = dyn_cast<TmemRelinquishOp>(op)) {
      check(visitGroup(op, give.getCtaGroup()));
      relinquish = op;
    } else if (auto gemm = dyn_cast<GemmAsyncOp>(op)) {
      check(visitGroup(op, gemm.getCtaGroup()));
    } else if (auto commit = dyn_cast<CommitOp>(op)) {
      check(visitGroup(op, commit.getCtaGroup()));
    }
  });
  // (tmem_alloc_c5)
  for (Allocation &allocation : allocations)
    if (allocation.isLive())
      check(allocation.op.emitOpError(
          "expected a tmem_dealloc of the same slot before the kernel ends, "
          "got none: tensor memory that is not freed blocks later blocks "
          "(rule R24)"));
  return result;
}

LogicalResult tirx::checkTensorMemory(gpu::GPUFuncOp kernel) {
  return TensorMemoryChecker().run(kernel);
}
