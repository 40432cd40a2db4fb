//===- Sync.cpp - synchronisation and structure ops to instructions -------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// R1, R6, R14, ... are the labels of the rules that a correct kernel keeps.
//
//===----------------------------------------------------------------------===//

#include "Sync.h"
#include "ClusterAddress.h"
#include "TIRx/Dialect/TIRx/IR/TIRxOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tirx {

static constexpr llvm::StringLiteral kFenceSharedAsync =
    "fence.proxy.async.shared::cta";
static constexpr llvm::StringLiteral kFenceMbarrierInit =
    "fence.mbarrier_init.release.cluster";
static constexpr llvm::StringLiteral kTcgen05Before =
    "tcgen05.fence::before_thread_sync";
static constexpr llvm::StringLiteral kTcgen05After =
    "tcgen05.fence::after_thread_sync";

namespace {
/// Writes the instructions of one op at the builder's place.
struct Emitter {
  OpBuilder builder;
  Location loc;

  PtxOp ptx(const Twine &text, ValueRange inputs = {}, TypeRange results = {}) {
    return PtxOp::create(builder, loc, results, builder.getStringAttr(text),
                         inputs,
                         /*predicate=*/Value(), /*otherwise=*/ValueRange());
  }
  Value i32(int64_t value) {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getI32IntegerAttr(value));
  }
  /// The address of an element of a rank 1 buffer in shared memory.
  Value sharedPtr(Value buffer, Value index) {
    auto type = LLVM::LLVMPointerType::get(builder.getContext(), 3);
    return PtrOp::create(builder, loc, type, buffer, index);
  }
};
} // namespace

/// The next op of the block that does more than compute a value.
static Operation *nextEffect(Operation *op) {
  for (op = op->getNextNode(); op; op = op->getNextNode())
    if (!isPure(op) && !isa<AllocLocalOp, PoolAllocOp>(op))
      return op;
  return nullptr;
}

static std::string ctaGroup(int32_t group) {
  return "cta_group::" + std::to_string(group);
}

static void lowerBarrier(BarrierOp op, Emitter &emit) {
  switch (op.getScope()) {
  case Scope::Warp:
    emit.ptx("bar.warp.sync", emit.i32(-1));
    return;
  case Scope::Warpgroup:
    emit.ptx("bar.sync", {emit.i32(op.getId().value_or(1)), emit.i32(128)});
    return;
  case Scope::Cluster:
    emit.ptx("barrier.cluster.arrive.aligned");
    emit.ptx("barrier.cluster.wait.aligned");
    return;
  default:
    emit.ptx("bar.sync", emit.i32(0));
  }
}

/// A wait that gives up after a while and is asked again: the hardware suspends
/// the thread meanwhile (PTX ISA, mbarrier.try_wait).
static void lowerMbarrierWait(MbarrierWaitOp op, Emitter &emit) {
  Value barrier = emit.sharedPtr(op.getBarrier(), op.getIndex());
  Value parity = op.getParity();
  scf::WhileOp::create(
      emit.builder, emit.loc, TypeRange(), ValueRange(),
      [&](OpBuilder &builder, Location loc, ValueRange) {
        Emitter inside{builder, loc};
        Value done = inside
                         .ptx("mbarrier.try_wait.parity.shared::cta.b64",
                              {barrier, parity}, builder.getI1Type())
                         .getResult(0);
        Value yes =
            arith::ConstantOp::create(builder, loc, builder.getBoolAttr(true));
        Value again = arith::XOrIOp::create(builder, loc, done, yes);
        scf::ConditionOp::create(builder, loc, again, ValueRange());
      },
      [&](OpBuilder &builder, Location loc, ValueRange) {
        scf::YieldOp::create(builder, loc);
      });
}

static void lowerMbarrierArrive(MbarrierArriveOp op, Emitter &emit) {
  Value barrier = emit.sharedPtr(op.getBarrier(), op.getIndex());
  std::string text = "mbarrier.arrive";
  SmallVector<Value> operands;
  if (op.getExpectTx())
    text += ".expect_tx";
  if (op.getCta()) {
    barrier = mapToCta(emit.builder, emit.loc, barrier, op.getCta());
    text += ".release.cluster.shared::cluster.b64";
  } else {
    text += ".shared::cta.b64";
  }
  operands.push_back(barrier);
  if (op.getExpectTx())
    operands.push_back(op.getExpectTx());
  // Another CTA's barrier gives no state back.
  emit.ptx(text, operands,
           op.getCta() ? TypeRange() : TypeRange(emit.builder.getI64Type()));
}

static void lowerCommitGroup(CommitGroupOp op, Emitter &emit) {
  switch (op.getKind()) {
  case GroupKind::Bulk:
    emit.ptx("cp.async.bulk.commit_group");
    return;
  case GroupKind::CpAsync:
    emit.ptx("cp.async.commit_group");
    return;
  case GroupKind::Wgmma:
    emit.ptx("wgmma.commit_group.sync.aligned");
    return;
  }
}

static void lowerWaitGroup(WaitGroupOp op, Emitter &emit) {
  Value pending = emit.i32(op.getPending());
  switch (op.getKind()) {
  case GroupKind::Bulk:
    emit.ptx(op.getRead() ? "cp.async.bulk.wait_group.read"
                          : "cp.async.bulk.wait_group",
             pending);
    return;
  case GroupKind::CpAsync:
    emit.ptx("cp.async.wait_group", pending);
    return;
  case GroupKind::Wgmma:
    emit.ptx("wgmma.wait_group.sync.aligned", pending);
    return;
  }
}

static StringRef fenceText(FenceKind kind) {
  switch (kind) {
  case FenceKind::ProxyAsyncShared:
    return kFenceSharedAsync;
  case FenceKind::ProxyAsyncGlobal:
    return "fence.proxy.async.global";
  case FenceKind::ProxyAsync:
    return "fence.proxy.async";
  case FenceKind::MbarrierInit:
    return kFenceMbarrierInit;
  case FenceKind::Tcgen05Before:
    return kTcgen05Before;
  case FenceKind::Tcgen05After:
    return kTcgen05After;
  }
  llvm_unreachable("unknown fence kind");
}

static void lowerTmemAlloc(TmemAllocOp op, Emitter &emit) {
  emit.ptx(
      "tcgen05.alloc." + ctaGroup(op.getCtaGroup()) +
          ".sync.aligned.shared::cta.b32",
      {emit.sharedPtr(op.getSlot(), op.getIndex()), emit.i32(op.getColumns())});
}

static void lowerTmemDealloc(TmemDeallocOp op, Emitter &emit) {
  Type elementType = op.getSlot().getType().getElementType();
  Value address = LoadOp::create(emit.builder, emit.loc, elementType,
                                 op.getSlot(), op.getIndex());
  emit.ptx("tcgen05.dealloc." + ctaGroup(op.getCtaGroup()) +
               ".sync.aligned.b32",
           {address, emit.i32(op.getColumns())});
}

bool SyncLowering::lower(Operation *op) {
  Emitter emit{OpBuilder(op), op->getLoc()};
  bool addFences = !facts.explicitSync;
  bool handsOverTmem = addFences && facts.usesTensorMemory;
  auto fence = [&](StringRef text) {
    emit.ptx(text);
    ++numFences;
  };
  bool known =
      llvm::TypeSwitch<Operation *, bool>(op)
          .Case([&](BarrierOp barrier) { // R14
            if (handsOverTmem)
              fence(kTcgen05Before);
            lowerBarrier(barrier, emit);
            if (handsOverTmem)
              fence(kTcgen05After);
            return true;
          })
          .Case([&](MbarrierInitOp init) { // R6
            emit.ptx("mbarrier.init.shared::cta.b64",
                     {emit.sharedPtr(init.getBarrier(), init.getIndex()),
                      emit.i32(init.getCount())});
            if (addFences && !isa_and_present<MbarrierInitOp>(nextEffect(op)))
              fence(kFenceMbarrierInit);
            return true;
          })
          .Case([&](MbarrierWaitOp wait) { // R15
            lowerMbarrierWait(wait, emit);
            if (handsOverTmem)
              fence(kTcgen05After);
            return true;
          })
          .Case([&](MbarrierArriveOp arrive) { // R14
            if (handsOverTmem)
              fence(kTcgen05Before);
            lowerMbarrierArrive(arrive, emit);
            return true;
          })
          .Case([&](CommitGroupOp commit) {
            lowerCommitGroup(commit, emit);
            return true;
          })
          .Case([&](WaitGroupOp wait) { // R10, R20
            lowerWaitGroup(wait, emit);
            // R1: cp.async writes as the thread itself does.
            if (wait.getKind() == GroupKind::CpAsync && addFences &&
                facts.hasAsyncReaders)
              fence(kFenceSharedAsync);
            return true;
          })
          .Case([&](CommitOp commit) {
            SmallVector<Value> operands{
                emit.sharedPtr(commit.getBarrier(), commit.getIndex())};
            std::string text = "tcgen05.commit." +
                               ctaGroup(commit.getCtaGroup()) +
                               ".mbarrier::arrive::one.shared::cluster";
            if (commit.getMulticast()) {
              text += ".multicast::cluster";
              operands.push_back(commit.getMulticast());
            }
            emit.ptx(text + ".b64", operands);
            return true;
          })
          .Case([&](FenceOp fenceOp) {
            emit.ptx(fenceText(fenceOp.getKind()));
            return true;
          })
          .Case([&](WaitOp wait) { // R17, R18
            emit.ptx(wait.getKind() == WaitKind::Tcgen05Ld
                         ? "tcgen05.wait::ld.sync.aligned"
                         : "tcgen05.wait::st.sync.aligned");
            return true;
          })
          .Case([&](ElectOp elect) {
            PtxOp chosen =
                emit.ptx("elect.sync", emit.i32(-1),
                         {emit.builder.getI32Type(), emit.builder.getI1Type()});
            elect.getResult().replaceAllUsesWith(chosen.getResult(1));
            return true;
          })
          .Case([&](TmemAllocOp alloc) {
            lowerTmemAlloc(alloc, emit);
            return true;
          })
          .Case([&](TmemDeallocOp dealloc) {
            lowerTmemDealloc(dealloc, emit);
            return true;
          })
          .Case([&](TmemRelinquishOp relinquish) {
            emit.ptx("tcgen05.relinquish_alloc_permit." +
                     ctaGroup(relinquish.getCtaGroup()) + ".sync.aligned");
            return true;
          })
          .Default([](Operation *) { return false; });
  if (known)
    op->erase();
  return known;
}

bool isSharedCopy(Operation *op) {
  if (auto copy = dyn_cast_or_null<CopyOp>(op))
    return copy.getDst().getType().isShared();
  auto fill = dyn_cast_or_null<FillOp>(op);
  return fill && fill.getDst().getType().isShared();
}

void SyncLowering::fenceSharedWrites(Operation *copy) {
  if (facts.explicitSync || !facts.hasAsyncReaders ||
      isSharedCopy(nextEffect(copy)))
    return;
  OpBuilder builder(copy->getContext());
  builder.setInsertionPointAfter(copy);
  Emitter{builder, copy->getLoc()}.ptx(kFenceSharedAsync);
  ++numFences;
}

} // namespace tirx
