//===- AllocateShared.cpp - places of shared-memory buffers ---------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TIRx/Dialect/TIRx/Analysis/Target.h"
#include "TIRx/Dialect/TIRx/IR/TIRxOps.h"
#include "TIRx/Dialect/TIRx/Transforms/Passes.h"
#include "TIRx/Target/TargetInfo.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/Support/MathExtras.h"

namespace tirx {
#define GEN_PASS_DEF_TIRXALLOCATESHARED
#include "TIRx/Dialect/TIRx/Transforms/Passes.h.inc"
} // namespace tirx

using namespace mlir;
using namespace tirx;

/// Bytes on which boxes of a tensor begin in shared memory.
static constexpr int64_t kTmaAlignment = 128;

namespace {
/// A buffer that has its place: bytes [begin, end) of the pool.
struct Placed {
  PoolAllocOp op;
  int64_t begin, end;
};

/// Places the buffers of one kernel in program order.
class PoolPlacer {
public:
  PoolPlacer(int64_t capacity, std::string owner)
      : capacity(capacity), owner(std::move(owner)) {}

  LogicalResult place(PoolAllocOp op);
  LogicalResult moveBase(PoolMoveBaseOp op);
  int64_t getTotal() const { return total; }
  int64_t getPadding() const { return padding; }

private:
  LogicalResult checkCapacity(PoolAllocOp op, int64_t begin, int64_t size);
  LogicalResult checkOverlap(const Placed &buffer);

  int64_t capacity;
  std::string owner;
  SmallVector<Placed> placed;
  int64_t base = 0, total = 0, padding = 0;
};
} // namespace

LogicalResult PoolPlacer::checkCapacity(PoolAllocOp op, int64_t begin,
                                        int64_t size) {
  // (pool_alloc_c4)
  if (begin <= capacity && size <= capacity - begin)
    return success();
  return op.emitOpError("expected the pool to fit ")
         << capacity << " bytes of shared memory (" << owner
         << "), got a buffer of " << size << " bytes at offset " << begin;
}

LogicalResult PoolPlacer::checkOverlap(const Placed &buffer) {
  // (pool_alloc_c3)
  for (const Placed &other : placed) {
    if (buffer.end <= other.begin || other.end <= buffer.begin)
      continue;
    PoolAllocOp op = buffer.op;
    InFlightDiagnostic diagnostic =
        op.emitOpError("expected buffers of a pool not to overlap, got bytes ")
        << buffer.begin << " to " << buffer.end - 1;
    diagnostic.attachNote(PoolAllocOp(other.op).getLoc())
        << "this buffer has bytes " << other.begin << " to " << other.end - 1;
    return diagnostic;
  }
  return success();
}

/// Whether a copy between global and shared memory, which may be one by TMA,
/// views the buffer.
static bool isCopiedByTma(Value buffer) {
  return llvm::any_of(buffer.getUsers(), [](Operation *user) {
    if (auto view = dyn_cast<ViewLikeOpInterface>(user))
      return view->getNumResults() == 1 && isCopiedByTma(view->getResult(0));
    auto copy = dyn_cast<CopyAsyncOp>(user);
    return copy && copy.isSingleIssue();
  });
}

LogicalResult PoolPlacer::place(PoolAllocOp op) {
  BufferType type = op.getBuffer().getType();
  int64_t size = type.getStorageBytes();
  int64_t alignment =
      std::max<int64_t>(type.getBaseAlignment(), op.getAlign().value_or(1));
  if (!isa<MbarrierType>(type.getElementType()) &&
      isCopiedByTma(op.getBuffer()))
    alignment = std::max<int64_t>(alignment, kTmaAlignment);
  int64_t begin;
  if (std::optional<uint64_t> offset = op.getOffset()) {
    begin = *offset;
  } else if (base > capacity || alignment > (int64_t(1) << 40)) {
    return checkCapacity(op, std::max(base, alignment), size);
  } else {
    begin = llvm::alignTo(base, alignment);
    padding += begin - base;
  }
  if (failed(checkCapacity(op, begin, size)))
    return failure();
  Placed buffer{op, begin, begin + size};
  if (failed(checkOverlap(buffer)))
    return failure();
  op.setOffset(begin);
  placed.push_back(buffer);
  base = buffer.end;
  total = std::max(total, buffer.end);
  return success();
}

LogicalResult PoolPlacer::moveBase(PoolMoveBaseOp op) {
  // (pool_move_base_c1)
  int64_t offset = op.getOffset();
  for (const Placed &other : placed) {
    if (other.end <= offset)
      continue;
    InFlightDiagnostic diagnostic =
        op.emitOpError("expected an offset at or behind the end of earlier "
                       "allocations, got ")
        << offset;
    diagnostic.attachNote(PoolAllocOp(other.op).getLoc())
        << "this buffer ends at byte " << other.end;
    return diagnostic;
  }
  base = offset;
  return success();
}

namespace {
struct AllocateSharedPass
    : tirx::impl::TIRxAllocateSharedBase<AllocateSharedPass> {
  using TIRxAllocateSharedBase::TIRxAllocateSharedBase;

  void runOnOperation() override {
    WalkResult result = getOperation()->walk(
        [&](gpu::GPUFuncOp kernel) -> WalkResult { return allocate(kernel); });
    if (result.wasInterrupted())
      signalPassFailure();
  }

  LogicalResult allocate(gpu::GPUFuncOp kernel);
  FailureOr<PoolPlacer> makePlacer(gpu::GPUFuncOp kernel);
};
} // namespace

/// The limit is the option's, else the target's, else that of sm_90 and later.
FailureOr<PoolPlacer> AllocateSharedPass::makePlacer(gpu::GPUFuncOp kernel) {
  if (maxBytes < 0)
    return kernel.emitError("expected option max-bytes to be at least 0, got ")
           << int64_t(maxBytes);
  if (maxBytes > 0)
    return PoolPlacer(maxBytes, "option max-bytes");
  llvm::StringRef chip = getTargetChip(kernel);
  if (chip.empty())
    return PoolPlacer(232448, "227 KiB, as sm_90a and sm_100a have");
  llvm::Expected<const TargetInfo *> target = lookupTarget(chip);
  if (!target)
    return kernel.emitError(llvm::toString(target.takeError()));
  return PoolPlacer((*target)->sharedBytes, "the limit of " + chip.str());
}

LogicalResult AllocateSharedPass::allocate(gpu::GPUFuncOp kernel) {
  bool hasPool = kernel.walk([](SmemPoolOp) { return WalkResult::interrupt(); })
                     .wasInterrupted();
  if (!hasPool)
    return success();
  FailureOr<PoolPlacer> placer = makePlacer(kernel);
  if (failed(placer))
    return failure();
  WalkResult result = kernel.walk([&](Operation *op) -> WalkResult {
    if (auto alloc = dyn_cast<PoolAllocOp>(op)) {
      ++numBuffers;
      return placer->place(alloc);
    }
    if (auto move = dyn_cast<PoolMoveBaseOp>(op))
      return placer->moveBase(move);
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  numPaddingBytes += placer->getPadding();
  kernel->setAttr(TIRxDialect::kSharedBytesAttr,
                  Builder(kernel).getI64IntegerAttr(placer->getTotal()));
  return success();
}
