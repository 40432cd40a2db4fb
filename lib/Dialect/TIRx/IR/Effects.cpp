//===- Effects.cpp - memory effects of the ops ----------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// All memory effects in one place. Operands have effects on the resource of
// their memory space. What orders memory reads and writes all of it, so that no
// pass moves, merges or drops it; an asynchronous op has the effects of its
// whole run at its issue, and the wait behind it orders what follows.
//
//===----------------------------------------------------------------------===//

#include "TIRx/Dialect/TIRx/IR/TIRxEffects.h"
#include "TIRx/Dialect/TIRx/IR/TIRxOps.h"

using namespace mlir;
using namespace tirx;

using Effects =
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>;

SideEffects::Resource *tirx::getResource(MemorySpace space) {
  switch (space) {
  case MemorySpace::Global:
    return GlobalMemory::get();
  case MemorySpace::Shared:
    return SharedMemory::get();
  case MemorySpace::Tmem:
    return TensorMemory::get();
  case MemorySpace::Local:
    return RegisterMemory::get();
  }
  llvm_unreachable("unknown memory space");
}

void tirx::addAllMemoryEffects(Effects &effects) {
  SideEffects::Resource *resources[] = {
      SideEffects::DefaultResource::get(), GlobalMemory::get(),
      SharedMemory::get(), TensorMemory::get(), RegisterMemory::get()};
  for (SideEffects::Resource *resource : resources) {
    effects.emplace_back(MemoryEffects::Read::get(), resource);
    effects.emplace_back(MemoryEffects::Write::get(), resource);
  }
}

static SideEffects::Resource *resourceOf(OpOperand &buffer) {
  return getResource(cast<BufferType>(buffer.get().getType()).getMemorySpace());
}

static void addRead(Effects &effects, OpOperand &buffer) {
  effects.emplace_back(MemoryEffects::Read::get(), &buffer, resourceOf(buffer));
}

static void addWrite(Effects &effects, OpOperand &buffer) {
  effects.emplace_back(MemoryEffects::Write::get(), &buffer,
                       resourceOf(buffer));
}

//===----------------------------------------------------------------------===//
// Ops that order all memory
//===----------------------------------------------------------------------===//

void TmemAllocOp::getEffects(Effects &effects) { addAllMemoryEffects(effects); }
void TmemDeallocOp::getEffects(Effects &effects) {
  addAllMemoryEffects(effects);
}
void TmemRelinquishOp::getEffects(Effects &effects) {
  addAllMemoryEffects(effects);
}
void BarrierOp::getEffects(Effects &effects) { addAllMemoryEffects(effects); }
void ElectOp::getEffects(Effects &effects) { addAllMemoryEffects(effects); }
void MbarrierInitOp::getEffects(Effects &effects) {
  addAllMemoryEffects(effects);
}
void MbarrierWaitOp::getEffects(Effects &effects) {
  addAllMemoryEffects(effects);
}
void MbarrierArriveOp::getEffects(Effects &effects) {
  addAllMemoryEffects(effects);
}
void CommitOp::getEffects(Effects &effects) { addAllMemoryEffects(effects); }
void FenceOp::getEffects(Effects &effects) { addAllMemoryEffects(effects); }
void WaitOp::getEffects(Effects &effects) { addAllMemoryEffects(effects); }
void CommitGroupOp::getEffects(Effects &effects) {
  addAllMemoryEffects(effects);
}
void WaitGroupOp::getEffects(Effects &effects) { addAllMemoryEffects(effects); }

//===----------------------------------------------------------------------===//
// Allocations
//===----------------------------------------------------------------------===//

void SmemPoolOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Allocate::get(),
                       getOperation()->getOpResult(0), PoolOrder::get());
}

// An allocation may be dropped when nobody uses it, but never merged with one
// that looks the same.
void PoolAllocOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Allocate::get(),
                       getOperation()->getOpResult(0), PoolOrder::get());
}

void PoolMoveBaseOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Write::get(), &getPoolMutable(),
                       PoolOrder::get());
}

void AllocLocalOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Allocate::get(),
                       getOperation()->getOpResult(0), RegisterMemory::get());
}

// The address is read from the slot where the op stands.
void TmemBufferOp::getEffects(Effects &effects) {
  addRead(effects, getSlotMutable());
}

//===----------------------------------------------------------------------===//
// Elements and tiles
//===----------------------------------------------------------------------===//

void LoadOp::getEffects(Effects &effects) {
  addRead(effects, getBufferMutable());
}
void StoreOp::getEffects(Effects &effects) {
  addWrite(effects, getBufferMutable());
}

void CopyOp::getEffects(Effects &effects) {
  addRead(effects, getSrcMutable());
  addWrite(effects, getDstMutable());
}
void CopyAsyncOp::getEffects(Effects &effects) {
  addRead(effects, getSrcMutable());
  addWrite(effects, getDstMutable());
}
void CastOp::getEffects(Effects &effects) {
  addRead(effects, getSrcMutable());
  addWrite(effects, getDstMutable());
}
void GemmOp::getEffects(Effects &effects) {
  addRead(effects, getAMutable());
  addRead(effects, getBMutable());
  if (getAccumulate())
    addRead(effects, getDMutable());
  addWrite(effects, getDMutable());
}
void GemmAsyncOp::getEffects(Effects &effects) {
  addRead(effects, getAMutable());
  addRead(effects, getBMutable());
  if (getAccumulate())
    addRead(effects, getDMutable());
  addWrite(effects, getDMutable());
}
