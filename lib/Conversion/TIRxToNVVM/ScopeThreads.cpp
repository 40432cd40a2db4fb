//===- ScopeThreads.cpp - the threads of a scope share work ---------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScopeThreads.h"
#include "TileIndex.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tirx {

int64_t getNumThreads(Scope scope, const DispatchContext &context) {
  switch (scope) {
  case Scope::Thread:
    return 1;
  case Scope::Warp:
    return 32;
  case Scope::Warpgroup:
    return 128;
  default:
    return context.numThreads();
  }
}

Value getThreadInScope(OpBuilder &builder, Location loc, Scope scope) {
  switch (scope) {
  case Scope::Thread:
    return {};
  case Scope::Warp:
    return IdOp::create(builder, loc, IdKind::LaneId);
  case Scope::Warpgroup:
    return IdOp::create(builder, loc, IdKind::ThreadIdInWg);
  default:
    return IdOp::create(builder, loc, IdKind::ThreadId);
  }
}

void emitChunks(OpBuilder &builder, Location loc, Scope scope,
                const DispatchContext &context, int64_t chunks,
                llvm::function_ref<void(OpBuilder &, Value)> body) {
  int64_t threads = getNumThreads(scope, context);
  Value thread = getThreadInScope(builder, loc, scope);
  bool guarded = chunks % threads != 0;
  int64_t trips = (chunks + threads - 1) / threads;
  emitLoop(builder, loc, trips, [&](OpBuilder &inside, Value trip) {
    IndexMath math(inside, loc, inside.getIndexType());
    Value chunk = math.mul(trip, threads);
    if (thread)
      chunk = math.add(chunk, thread);
    if (!guarded)
      return body(inside, chunk);
    Value inRange = arith::CmpIOp::create(
        inside, loc, arith::CmpIPredicate::ult, chunk, math.constant(chunks));
    scf::IfOp::create(inside, loc, inRange, [&](OpBuilder &then, Location) {
      body(then, chunk);
      scf::YieldOp::create(then, loc);
    });
  });
}

} // namespace tirx
