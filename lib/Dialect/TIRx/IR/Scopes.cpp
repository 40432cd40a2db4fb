//===- Scopes.cpp - which threads execute an op together ------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// The execution scope of every scoped op, and whether exactly one group may
// reach it. Tile ops and barriers state their scope; for the others the
// hardware does.
//
//===----------------------------------------------------------------------===//

#include "TIRx/Dialect/TIRx/IR/TIRxOps.h"

using namespace tirx;

// PTX ISA 9.7.16.7: tcgen05.alloc, dealloc and relinquish_alloc_permit are
// `.sync.aligned`; one warp of the CTA executes them (rule R22).
Scope TmemAllocOp::getExecutionScope() { return Scope::Warp; }
bool TmemAllocOp::isSingleIssue() { return true; }
Scope TmemDeallocOp::getExecutionScope() { return Scope::Warp; }
bool TmemDeallocOp::isSingleIssue() { return true; }
Scope TmemRelinquishOp::getExecutionScope() { return Scope::Warp; }
bool TmemRelinquishOp::isSingleIssue() { return true; }

// Barriers, election and waits: every group that arrives runs its own instance.
Scope BarrierOp::getExecutionScope() { return getScope(); }
Scope ElectOp::getExecutionScope() { return Scope::Warp; }
Scope WaitOp::getExecutionScope() { return Scope::Warp; }
static Scope scopeOf(GroupKind kind) {
  return kind == GroupKind::Wgmma ? Scope::Warpgroup : Scope::Thread;
}
Scope CommitGroupOp::getExecutionScope() { return scopeOf(getKind()); }
Scope WaitGroupOp::getExecutionScope() { return scopeOf(getKind()); }
Scope MbarrierWaitOp::getExecutionScope() { return Scope::Thread; }
Scope MbarrierArriveOp::getExecutionScope() { return Scope::Thread; }

// An mbarrier is initialised once, and a commit counts the MMAs of the one
// thread that issues both (rules R6, R19, R37).
Scope MbarrierInitOp::getExecutionScope() { return Scope::Thread; }
bool MbarrierInitOp::isSingleIssue() { return true; }
Scope CommitOp::getExecutionScope() { return Scope::Thread; }
bool CommitOp::isSingleIssue() { return true; }

// Tile ops.
Scope CopyOp::getExecutionScope() { return getScope(); }
Scope CopyAsyncOp::getExecutionScope() { return getScope(); }
// TMA and what signals an mbarrier: one thread moves the tile (rule R37).
bool CopyAsyncOp::isSingleIssue() {
  return getBarrier() ||
         (getSrc().getType().isShared() && getDst().getType().isGlobal());
}
Scope CastOp::getExecutionScope() { return getScope(); }
Scope GemmOp::getExecutionScope() { return getScope(); }
Scope GemmAsyncOp::getExecutionScope() { return getScope(); }
// One thread issues tcgen05.mma; each warpgroup issues wgmma of its own.
bool GemmAsyncOp::isSingleIssue() { return getScope() == Scope::Thread; }
