//===- ScopeCheck.cpp - scopes against the threads that reach an op -------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TIRx/Dialect/TIRx/Analysis/Checks.h"
#include "TIRx/Dialect/TIRx/IR/TIRxOps.h"

using namespace mlir;
using namespace tirx;
using llvm::BitVector;

FailureOr<BlockShape> tirx::getBlockShape(gpu::GPUFuncOp kernel) {
  std::optional<ArrayRef<int32_t>> size = kernel.getKnownBlockSize();
  if (!size || size->size() != 3)
    return kernel.emitOpError(
        "expected known_block_size with three extents on a kernel with scoped "
        "ops: scopes are checked against the threads of a block");
  int64_t product = 1;
  for (int32_t extent : *size) {
    if (extent < 1 || extent > 1024)
      return kernel.emitOpError("expected extents of known_block_size to be 1 "
                                "to 1024, got ")
             << extent;
    product *= extent;
  }
  if (product > 1024)
    return kernel.emitOpError("expected known_block_size of at most 1024 "
                              "threads, got ")
           << product;
  return BlockShape{unsigned((*size)[0]), unsigned((*size)[1]),
                    unsigned((*size)[2])};
}

namespace {
/// What an op asks of the threads that reach it.
struct Requirement {
  Scope scope;
  bool single;
};
} // namespace

static std::optional<Requirement> getRequirement(Operation *op) {
  if (auto scoped = dyn_cast<ScopedOpInterface>(op))
    return Requirement{scoped.getExecutionScope(), scoped.isSingleIssue()};
  if (isa<gpu::BarrierOp>(op))
    return Requirement{Scope::Cta, false};
  // PTX ISA: all threads of the warp execute the same `.aligned` instruction.
  if (auto ptxOp = dyn_cast<PtxOp>(op)) {
    SmallVector<StringRef> parts;
    ptxOp.getInstruction().split(parts, '.');
    if (llvm::is_contained(parts, "aligned"))
      return Requirement{Scope::Warp, false};
  }
  return std::nullopt;
}

bool tirx::hasScopedOps(Operation *op) {
  return op
      ->walk([](Operation *inner) {
        return getRequirement(inner) ? WalkResult::interrupt()
                                     : WalkResult::advance();
      })
      .wasInterrupted();
}

static Granularity granularityOf(Scope scope) {
  switch (scope) {
  case Scope::Thread:
    return Granularity::Thread;
  case Scope::Warp:
    return Granularity::Warp;
  case Scope::Warpgroup:
    return Granularity::Warpgroup;
  case Scope::Cta:
    return Granularity::Cta;
  case Scope::Cluster:
    return Granularity::Cluster;
  }
  llvm_unreachable("unknown scope");
}

/// "whole warps of 32 threads", "all threads of the cta".
static std::string describeGroups(Scope scope) {
  switch (scope) {
  case Scope::Thread:
    return "threads";
  case Scope::Warp:
    return "whole warps of 32 threads";
  case Scope::Warpgroup:
    return "whole warpgroups of 128 threads";
  case Scope::Cta:
    return "all threads of the cta";
  case Scope::Cluster:
    return "all threads of the cluster";
  }
  llvm_unreachable("unknown scope");
}

/// Threads of one group of `scope` in a block of `size` threads.
static unsigned groupSizeOf(Scope scope, unsigned size) {
  return groupSize(granularityOf(scope), size);
}

/// Whether `threads` is a union of whole groups of `size`.
static bool isUnionOfGroups(const BitVector &threads, unsigned size) {
  for (unsigned first = 0; first < threads.size(); first += size) {
    unsigned members = 0;
    for (unsigned t = first; t < first + size && t < threads.size(); ++t)
      members += threads.test(t);
    if (members != 0 && members != size)
      return false;
  }
  return true;
}

static unsigned countGroups(const BitVector &threads, unsigned size) {
  unsigned count = 0;
  int last = -1;
  for (unsigned thread : threads.set_bits()) {
    count += int(thread / size) != last;
    last = thread / size;
  }
  return count;
}

/// The guard that made the set break a rule: the outermost from which on all
/// inner sets break it.
static Operation *
findGuard(const ActiveThreads &active,
          llvm::function_ref<bool(const ActiveThreads &)> breaks) {
  Operation *guard = nullptr;
  for (const ActiveThreads *set = &active; set && breaks(*set);
       set = set->outer.get())
    guard = set->guard;
  return guard;
}

static void noteGuard(InFlightDiagnostic &diagnostic, Operation *guard,
                      const Twine &text) {
  if (guard)
    diagnostic.attachNote(guard->getLoc()) << text;
}

/// Only some threads of a group reach the op.
static LogicalResult checkWhole(Operation *op, Scope scope,
                                const ActiveThreads &active) {
  unsigned size = groupSizeOf(scope, active.threads.size());
  auto breaks = [&](const ActiveThreads &set) {
    return !isUnionOfGroups(set.threads, size);
  };
  if (!breaks(active))
    return success();
  InFlightDiagnostic diagnostic =
      op->emitOpError("expected ")
      << describeGroups(scope) << " to reach it (scope "
      << stringifyScope(scope) << "), got " << describeThreads(active.threads);
  Operation *guard = findGuard(active, breaks);
  if (!guard)
    diagnostic << ": the block has " << active.threads.size() << " threads";
  noteGuard(diagnostic, guard, "this guard narrows the threads");
  return diagnostic;
}

/// Threads of a group may not all arrive.
static LogicalResult checkTogether(Operation *op, Scope scope,
                                   const ActiveThreads &active) {
  Granularity limit = granularityOf(scope);
  auto breaks = [&](const ActiveThreads &set) {
    // A warp may be all there is of a CTA.
    unsigned size = set.threads.size();
    bool isWholeCta = groupSize(set.uncertainty, size) >= size;
    return set.uncertainty > limit &&
           !(limit >= Granularity::Cta && isWholeCta);
  };
  if (!breaks(active))
    return success();
  InFlightDiagnostic diagnostic =
      op->emitOpError("expected all threads of a ")
      << stringifyScope(scope) << " to reach it together (scope "
      << stringifyScope(scope) << "), got a guard that may differ between "
      << stringifyGranularity(active.uncertainty) << "s";
  noteGuard(diagnostic, findGuard(active, breaks),
            "nothing known here makes them agree");
  return diagnostic;
}

/// More than one group reaches an op that one issues.
static LogicalResult checkSingle(Operation *op, Scope scope,
                                 const ActiveThreads &active) {
  unsigned size = groupSizeOf(scope, active.threads.size());
  if (countGroups(active.threads, size) == 1)
    return success();
  InFlightDiagnostic diagnostic = op->emitOpError("expected exactly one ")
                                  << stringifyScope(scope)
                                  << " to reach it, got "
                                  << describeThreads(active.threads);
  if (active.uncertainty > Granularity::Cta)
    noteGuard(diagnostic, active.guard,
              "which of them pass this guard is not known");
  return diagnostic;
}

static LogicalResult checkScope(Operation *op, Requirement requirement,
                                const ActiveThreads &active) {
  if (active.threads.none()) {
    // Dead code is legal, but a setup that nobody runs rarely is what its
    // author wants (rule R35).
    if (requirement.single)
      op->emitWarning("no thread of the block reaches this op");
    return success();
  }
  if (requirement.scope != Scope::Thread) {
    if (failed(checkWhole(op, requirement.scope, active)) ||
        failed(checkTogether(op, requirement.scope, active)))
      return failure();
  }
  return requirement.single ? checkSingle(op, requirement.scope, active)
                            : success();
}

LogicalResult tirx::checkScopes(gpu::GPUFuncOp kernel,
                                const ActiveThreadAnalysis &threads,
                                unsigned &checked) {
  LogicalResult result = success();
  kernel.walk([&](Operation *op) {
    std::optional<Requirement> requirement = getRequirement(op);
    if (!requirement)
      return;
    ++checked;
    if (failed(checkScope(op, *requirement, threads.at(op))))
      result = failure();
  });
  return result;
}
