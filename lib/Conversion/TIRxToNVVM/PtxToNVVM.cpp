//===- PtxToNVVM.cpp - instructions that nvvm has -------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Only ops that LLVM 22 emits as the very same instruction are here (nvvm's
// atomics, its predicated forms and its spin loop on mbarriers are not).
//
//===----------------------------------------------------------------------===//

#include "PtxToNVVM.h"
#include "LocalIndices.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;

namespace tirx {

namespace {
/// What an emitter gets, and what it hands back: whether the operands fit.
struct Site {
  PtxOp op;
  OpBuilder builder;
  Location loc;
  NVVM::CTAGroupKind group;

  size_t numInputs() { return op.getInputs().size(); }
  Value input(unsigned i) { return op.getInputs()[i]; }
  bool isShared(unsigned i) {
    auto type = dyn_cast<LLVM::LLVMPointerType>(input(i).getType());
    return type && type.getAddressSpace() == 3;
  }
  bool isI32(unsigned i) { return input(i).getType().isInteger(32); }
  /// A tensor-memory address as a pointer.
  Value tmem(unsigned i) {
    auto type = LLVM::LLVMPointerType::get(builder.getContext(), 6);
    if (input(i).getType() == type)
      return input(i);
    return LLVM::IntToPtrOp::create(builder, loc, type, input(i));
  }
};
using Emitter = bool (*)(Site &);
} // namespace

static bool emitBarrier(Site &site) {
  bool all = site.numInputs() == 1;
  for (unsigned i = 0; i < site.numInputs(); ++i)
    if (!site.isI32(i))
      return false;
  NVVM::BarrierOp::create(site.builder, site.loc, Type(), site.input(0),
                          all ? Value() : site.input(1),
                          NVVM::BarrierReductionAttr(), Value());
  return true;
}

static bool emitWarpSync(Site &site) {
  NVVM::SyncWarpOp::create(site.builder, site.loc, site.input(0));
  return true;
}

static bool emitMbarrierInit(Site &site) {
  if (!site.isShared(0) || !site.isI32(1))
    return false;
  NVVM::MBarrierInitOp::create(site.builder, site.loc, site.input(0),
                               site.input(1), Value());
  return true;
}

static bool emitTryWait(Site &site) {
  if (site.numInputs() != 2 || !site.isShared(0) || !site.isI32(1))
    return false;
  site.op.getResult(0).replaceAllUsesWith(NVVM::MBarrierTryWaitOp::create(
      site.builder, site.loc, site.builder.getI1Type(), site.input(0),
      site.input(1), Value()));
  return true;
}

/// elect.sync gives the leader's lane too, which nvvm's op does not.
static bool emitElect(Site &site) {
  std::optional<int64_t> mask = evaluateConstant(site.input(0));
  if (!site.op.getResult(0).use_empty() || mask != -1)
    return false;
  site.op.getResult(1).replaceAllUsesWith(NVVM::ElectSyncOp::create(
      site.builder, site.loc, site.builder.getI1Type(), Value()));
  return true;
}

template <NVVM::Tcgen05FenceKind kind>
static bool emitTcgen05Fence(Site &site) {
  NVVM::Tcgen05FenceOp::create(site.builder, site.loc, kind);
  return true;
}

template <NVVM::Tcgen05WaitKind kind> static bool emitTcgen05Wait(Site &site) {
  NVVM::Tcgen05WaitOp::create(site.builder, site.loc, kind);
  return true;
}

static bool emitTcgen05Alloc(Site &site) {
  if (!site.isShared(0) || !site.isI32(1))
    return false;
  NVVM::Tcgen05AllocOp::create(site.builder, site.loc, site.input(0),
                               site.input(1), site.group);
  return true;
}

static bool emitTcgen05Dealloc(Site &site) {
  if (!site.isI32(1))
    return false;
  NVVM::Tcgen05DeallocOp::create(site.builder, site.loc, site.tmem(0),
                                 site.input(1), site.group);
  return true;
}

static bool emitTcgen05Relinquish(Site &site) {
  NVVM::Tcgen05RelinquishAllocPermitOp::create(site.builder, site.loc,
                                               site.group);
  return true;
}

static bool emitTcgen05Commit(Site &site) {
  if (!site.isShared(0))
    return false;
  NVVM::Tcgen05CommitOp::create(site.builder, site.loc, site.input(0), Value(),
                                site.group);
  return true;
}

/// Both operands by descriptor, no mask, no scale.
template <NVVM::Tcgen05MMAKind kind> static bool emitTcgen05Mma(Site &site) {
  if (site.numInputs() != 5 || !site.input(1).getType().isInteger(64))
    return false;
  NVVM::Tcgen05MMAOp::create(site.builder, site.loc, kind, site.group,
                             NVVM::Tcgen05MMACollectorOp::DISCARD,
                             /*aShift=*/false, site.tmem(0), site.input(1),
                             site.input(2), site.input(3), site.input(4),
                             Value(), Value());
  return true;
}

static bool emitProxyFence(Site &site) {
  NVVM::FenceProxyOp::create(
      site.builder, site.loc, NVVM::ProxyKind::async_shared,
      NVVM::SharedSpaceAttr::get(site.op.getContext(),
                                 NVVM::SharedSpace::shared_cta));
  return true;
}

template <NVVM::ProxyKind kind> static bool emitWideProxyFence(Site &site) {
  NVVM::FenceProxyOp::create(site.builder, site.loc, kind,
                             NVVM::SharedSpaceAttr());
  return true;
}

static bool emitMbarrierInitFence(Site &site) {
  NVVM::FenceMbarrierInitOp::create(site.builder, site.loc);
  return true;
}

/// By canonical text, with `cta_group::N` in place of the group and without the
/// `::cta` that `.shared` means anyway.
static const llvm::StringMap<Emitter> &emitters() {
  using namespace NVVM;
  static const llvm::StringMap<Emitter> map = {
      {"bar.sync", emitBarrier},
      {"bar.warp.sync", emitWarpSync},
      {"mbarrier.init.shared.b64", emitMbarrierInit},
      {"mbarrier.try_wait.parity.shared.b64", emitTryWait},
      {"elect.sync", emitElect},
      {"fence.proxy.async.shared", emitProxyFence},
      {"fence.proxy.async", emitWideProxyFence<ProxyKind::async>},
      {"fence.proxy.async.global", emitWideProxyFence<ProxyKind::async_global>},
      {"fence.mbarrier_init.release.cluster", emitMbarrierInitFence},
      {"tcgen05.fence::before_thread_sync",
       emitTcgen05Fence<Tcgen05FenceKind::BEFORE_THREAD_SYNC>},
      {"tcgen05.fence::after_thread_sync",
       emitTcgen05Fence<Tcgen05FenceKind::AFTER_THREAD_SYNC>},
      {"tcgen05.wait::ld.sync.aligned", emitTcgen05Wait<Tcgen05WaitKind::LOAD>},
      {"tcgen05.wait::st.sync.aligned",
       emitTcgen05Wait<Tcgen05WaitKind::STORE>},
      {"tcgen05.alloc.cta_group::N.sync.aligned.shared.b32", emitTcgen05Alloc},
      {"tcgen05.dealloc.cta_group::N.sync.aligned.b32", emitTcgen05Dealloc},
      {"tcgen05.relinquish_alloc_permit.cta_group::N.sync.aligned",
       emitTcgen05Relinquish},
      {"tcgen05.commit.cta_group::N.mbarrier::arrive::one.shared::cluster.b64",
       emitTcgen05Commit},
      {"tcgen05.mma.cta_group::N.kind::f16",
       emitTcgen05Mma<Tcgen05MMAKind::F16>},
      {"tcgen05.mma.cta_group::N.kind::tf32",
       emitTcgen05Mma<Tcgen05MMAKind::TF32>},
      {"tcgen05.mma.cta_group::N.kind::f8f6f4",
       emitTcgen05Mma<Tcgen05MMAKind::F8F6F4>},
      {"tcgen05.mma.cta_group::N.kind::i8", emitTcgen05Mma<Tcgen05MMAKind::I8>},
  };
  return map;
}

bool emitAsNVVM(PtxOp op, const ptx::ResolvedInstruction &instruction) {
  // The table says which instructions have an op at all.
  if (op.getPredicate() || instruction.info().loweringName.empty())
    return false;
  std::string text = ptx::print(instruction);
  static constexpr llvm::StringLiteral kCta = ".shared::cta";
  if (size_t shared = text.find(kCta.str()); shared != std::string::npos)
    text.erase(shared + sizeof(".shared") - 1, sizeof("::cta") - 1);
  auto group = NVVM::CTAGroupKind::CTA_1;
  static constexpr llvm::StringLiteral kGroup = "cta_group::";
  size_t place = text.find(kGroup.str());
  if (place != std::string::npos) {
    char &digit = text[place + kGroup.size()];
    if (digit == '2')
      group = NVVM::CTAGroupKind::CTA_2;
    digit = 'N';
  }
  auto emitter = emitters().find(text);
  if (emitter == emitters().end())
    return false;
  Site site{op, OpBuilder(op), op.getLoc(), group};
  return emitter->second(site);
}

} // namespace tirx
