//===- SyncOps.cpp - verifiers of barriers, mbarriers and commits ---------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VerifierUtils.h"

using namespace mlir;
using namespace tirx;

LogicalResult BarrierOp::verify() {
  // (barrier_c1) A thread alone has nobody to wait for.
  if (getScope() == Scope::Thread)
    return emitOpError("expected scope warp, warpgroup, cta or cluster, got ")
           << stringifyScope(getScope());
  // (barrier_c2) A CTA has 16 hardware barriers; number 0 is the cta barrier.
  if (getScope() != Scope::Warpgroup) {
    if (getId())
      return emitOpError("expected no id for a ")
             << stringifyScope(getScope()) << " barrier, got id(" << *getId()
             << "): only a warpgroup barrier names a hardware barrier";
    return success();
  }
  if (!getId())
    return emitOpError("expected id(1) to id(15) for a warpgroup barrier, got "
                       "no id: hardware barrier 0 is the cta barrier");
  if (static_cast<int32_t>(*getId()) < 1 || *getId() > 15)
    return emitOpError("expected id to be 1 to 15, got ")
           << static_cast<int32_t>(*getId())
           << ": a CTA has 16 hardware barriers and number 0 is the cta "
              "barrier";
  return success();
}

LogicalResult MbarrierInitOp::verify() {
  // (mbarrier_init_c1) PTX ISA 9.7.13.15.2: 20 bits of pending arrivals.
  constexpr int64_t maxCount = (1 << 20) - 1;
  int64_t count = static_cast<int32_t>(getCount());
  if (count < 1 || count > maxCount)
    return emitOpError("expected count to be 1 to ")
           << maxCount << ", got " << count;
  return success();
}

LogicalResult CommitOp::verify() {
  // (commit_c1)
  return verifier::verifyCtaGroup(*this, static_cast<int32_t>(getCtaGroup()));
}

LogicalResult WaitGroupOp::verify() {
  // (wait_group_c1) PTX ISA 9.7.15.7.3: N of wgmma.wait_group is 0 to 7.
  int64_t pending = static_cast<int32_t>(getPending());
  int64_t most = getKind() == GroupKind::Wgmma ? 7 : 63;
  if (pending < 0 || pending > most)
    return emitOpError("expected pending to be 0 to ")
           << most << ", got " << pending;
  // (wait_group_c2)
  if (getRead() && getKind() != GroupKind::Bulk)
    return emitOpError("expected read with bulk only, got ")
           << stringifyGroupKind(getKind());
  return success();
}
