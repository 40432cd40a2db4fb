//===- ActiveThreads.cpp - which threads of a block reach an op -----------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A walk over the regions of a kernel. Loops are repeated until the values that
// they carry no longer change; each round only makes values less known, so that
// it ends after a few.
//
//===----------------------------------------------------------------------===//

#include "TIRx/Dialect/TIRx/Analysis/ActiveThreads.h"
#include "ThreadTransfer.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"

using namespace mlir;
using namespace tirx;
using llvm::BitVector;

namespace tirx {
/// Fills an ActiveThreadAnalysis.
class ActiveThreadWalker {
public:
  explicit ActiveThreadWalker(ActiveThreadAnalysis &result)
      : result(result), size(result.shape.size()) {}

  using Active = ActiveThreadAnalysis::Active;

  void walkRegion(Region &region, const Active &active);

private:
  void walkBlock(Block &block, const Active &active);
  void walkGraph(Region &region, const Active &active);
  void walkOp(Operation *op, const Active &active);
  void walkIf(scf::IfOp op, const Active &active);
  void walkFor(scf::ForOp op, const Active &active);
  void walkWhile(scf::WhileOp op, const Active &active);
  void walkSwitch(scf::IndexSwitchOp op, const Active &active);
  void walkOther(Operation *op, const Active &active);

  ThreadValue valueOf(Value value) { return result.values.lookup(value); }
  /// Joins `value` into what is known of `target`; whether that changed it.
  bool join(Value target, const ThreadValue &value,
            Granularity choice = Granularity::Grid);
  /// The members of `active` for which `value` may be `wanted`.
  Active narrow(const Active &active, Operation *guard,
                const ThreadValue &value,
                llvm::function_ref<bool(int64_t)> wanted);
  /// `active`, reached or not by whole groups of `granularity` only.
  Active blur(const Active &active, Operation *guard, Granularity granularity);
  Granularity granularityOfBranches(Region &region, const Active &active);

  ActiveThreadAnalysis &result;
  unsigned size;
};
} // namespace tirx

ActiveThreadAnalysis::ActiveThreadAnalysis(gpu::GPUFuncOp kernel,
                                           BlockShape shape)
    : shape(shape) {
  auto entry = std::make_shared<ActiveThreads>();
  entry->threads.resize(shape.size(), true);
  for (BlockArgument argument : kernel.getArguments())
    values[argument] = ThreadValue::unknown(Granularity::Grid);
  ActiveThreadWalker(*this).walkRegion(kernel.getBody(), entry);
}

const ActiveThreads &ActiveThreadAnalysis::at(Operation *op) const {
  static const ActiveThreads nobody;
  for (Block *block = op->getBlock(); block;
       block = block->getParentOp() ? block->getParentOp()->getBlock()
                                    : nullptr)
    if (auto found = active.find(block); found != active.end())
      return *found->second;
  return nobody;
}

//===----------------------------------------------------------------------===//
// Sets and values
//===----------------------------------------------------------------------===//

bool ActiveThreadWalker::join(Value target, const ThreadValue &value,
                              Granularity choice) {
  ThreadValue &known = result.values[target];
  ThreadValue joined = ThreadValue::join(known, value, size, choice);
  if (joined == known)
    return false;
  known = joined;
  return true;
}

ActiveThreadWalker::Active
ActiveThreadWalker::narrow(const Active &active, Operation *guard,
                           const ThreadValue &value,
                           llvm::function_ref<bool(int64_t)> wanted) {
  auto inner = std::make_shared<ActiveThreads>();
  BitVector possible(size), unknown(size);
  for (unsigned thread : active->threads.set_bits()) {
    std::optional<int64_t> own = value.at(thread);
    if (!own)
      unknown.set(thread);
    if (!own || wanted(*own))
      possible.set(thread);
  }
  // Where some members of a group are certain and others not, the group does
  // not act as one.
  Granularity uncertainty = Granularity::Grid;
  if (unknown.any()) {
    uncertainty = finer(value.agreement(unknown),
                        granularityOf(possible, [&](unsigned thread) {
                          return unknown.test(thread);
                        }));
  }
  inner->threads = possible;
  inner->uncertainty = finer(active->uncertainty, uncertainty);
  inner->guard = guard;
  inner->outer = active;
  return inner;
}

ActiveThreadWalker::Active ActiveThreadWalker::blur(const Active &active,
                                                    Operation *guard,
                                                    Granularity granularity) {
  if (granularity <= active->uncertainty)
    return active;
  auto inner = std::make_shared<ActiveThreads>(*active);
  inner->uncertainty = granularity;
  inner->guard = guard;
  inner->outer = active;
  return inner;
}

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

void ActiveThreadWalker::walkRegion(Region &region, const Active &active) {
  if (region.empty())
    return;
  if (region.hasOneBlock())
    return walkBlock(region.front(), active);
  walkGraph(region, active);
}

void ActiveThreadWalker::walkBlock(Block &block, const Active &active) {
  result.active[&block] = active;
  for (Operation &op : block)
    walkOp(&op, active);
}

/// How finely threads may part ways inside a region of several blocks.
Granularity ActiveThreadWalker::granularityOfBranches(Region &region,
                                                      const Active &active) {
  Granularity granularity = Granularity::Grid;
  for (Block &block : region) {
    Operation *terminator = block.getTerminator();
    if (terminator->getNumSuccessors() < 2)
      continue;
    // Operand 0 is the condition of cf.cond_br and the flag of cf.switch; of
    // other terminators nothing is known.
    bool known = terminator->getName().getStringRef().starts_with("cf.") &&
                 terminator->getNumOperands() > 0;
    granularity = finer(
        granularity,
        known ? valueOf(terminator->getOperand(0)).agreement(active->threads)
              : Granularity::Thread);
  }
  return granularity;
}

/// Several blocks: every block but the entry may be reached by any thread of
/// the region, in groups that its branches keep together.
void ActiveThreadWalker::walkGraph(Region &region, const Active &active) {
  bool changed = true;
  Granularity granularity = Granularity::Grid;
  while (changed) {
    changed = false;
    for (Block &block : region) {
      Operation *terminator = block.getTerminator();
      bool isEntry = &block == &region.front();
      walkBlock(block,
                isEntry ? active : blur(active, terminator, granularity));
      auto branch = dyn_cast<BranchOpInterface>(terminator);
      for (auto [index, successor] :
           llvm::enumerate(terminator->getSuccessors())) {
        for (BlockArgument argument : successor->getArguments()) {
          Value passed;
          if (branch)
            passed =
                branch.getSuccessorOperands(index)[argument.getArgNumber()];
          changed |= join(argument,
                          passed ? valueOf(passed)
                                 : ThreadValue::unknown(Granularity::Thread),
                          granularity);
        }
      }
    }
    Granularity now = granularityOfBranches(region, active);
    if (now > granularity) {
      granularity = now;
      changed = true;
    }
  }
}

void ActiveThreadWalker::walkOp(Operation *op, const Active &active) {
  if (auto ifOp = dyn_cast<scf::IfOp>(op))
    return walkIf(ifOp, active);
  if (auto forOp = dyn_cast<scf::ForOp>(op))
    return walkFor(forOp, active);
  if (auto whileOp = dyn_cast<scf::WhileOp>(op))
    return walkWhile(whileOp, active);
  if (auto switchOp = dyn_cast<scf::IndexSwitchOp>(op))
    return walkSwitch(switchOp, active);
  if (op->getNumRegions() != 0)
    return walkOther(op, active);
  transfer::evaluate(
      op, result.shape, *active, [&](Value value) { return valueOf(value); },
      [&](Value target, const ThreadValue &value) { join(target, value); });
}

void ActiveThreadWalker::walkIf(scf::IfOp op, const Active &active) {
  ThreadValue condition = valueOf(op.getCondition());
  walkRegion(op.getThenRegion(),
             narrow(active, op, condition, [](int64_t v) { return v != 0; }));
  walkRegion(op.getElseRegion(),
             narrow(active, op, condition, [](int64_t v) { return v == 0; }));
  if (op.getNumResults() == 0)
    return;
  for (auto [index, target] : llvm::enumerate(op.getResults())) {
    ThreadValue a = valueOf(op.thenYield().getOperand(index));
    ThreadValue b = valueOf(op.elseYield().getOperand(index));
    BitVector open(size);
    auto chosen = [&](unsigned thread) -> std::optional<int64_t> {
      if (std::optional<int64_t> choice = condition.at(thread))
        return *choice ? a.at(thread) : b.at(thread);
      return a.at(thread) == b.at(thread) ? a.at(thread) : std::nullopt;
    };
    for (unsigned thread : active->threads.set_bits())
      if (!chosen(thread))
        open.set(thread);
    Granularity granularity = finer(
        condition.agreement(open), finer(a.agreement(open), b.agreement(open)));
    join(target, ThreadValue::perThread(size, granularity, chosen));
  }
}

/// Trips of a loop whose bounds are known; no value where they are not, or
/// where the step is not positive.
static std::optional<int64_t> countTrips(std::optional<int64_t> lower,
                                         std::optional<int64_t> upper,
                                         std::optional<int64_t> step,
                                         bool isUnsigned) {
  if (!lower || !upper || !step || *step <= 0)
    return std::nullopt;
  bool runs =
      isUnsigned ? uint64_t(*lower) < uint64_t(*upper) : *lower < *upper;
  if (!runs)
    return 0;
  uint64_t distance = uint64_t(*upper) - uint64_t(*lower);
  return (distance - 1) / uint64_t(*step) + 1;
}

void ActiveThreadWalker::walkFor(scf::ForOp op, const Active &active) {
  ThreadValue lower = valueOf(op.getLowerBound());
  ThreadValue upper = valueOf(op.getUpperBound());
  ThreadValue step = valueOf(op.getStep());
  bool isUnsigned = op.getUnsignedCmp();
  Granularity bounds = finer(
      lower.agreement(active->threads),
      finer(upper.agreement(active->threads), step.agreement(active->threads)));
  ThreadValue trips =
      ThreadValue::perThread(size, bounds, [&](unsigned thread) {
        return countTrips(lower.at(thread), upper.at(thread), step.at(thread),
                          isUnsigned);
      });
  // Threads that run unequal trips part ways.
  Granularity parting = trips.agreement(active->threads);
  Active body =
      narrow(active, op, trips, [](int64_t count) { return count > 0; });
  body = blur(body, op, trips.agreement(body->threads));

  auto once = [&](unsigned thread) {
    std::optional<int64_t> count = trips.at(thread);
    return count && *count <= 1 ? lower.at(thread) : std::nullopt;
  };
  Granularity counter =
      finer(lower.agreement(active->threads), step.agreement(active->threads));
  join(op.getInductionVar(), ThreadValue::perThread(size, counter, once));
  for (auto [argument, init] :
       llvm::zip_equal(op.getRegionIterArgs(), op.getInitArgs()))
    join(argument, valueOf(init));
  bool changed = true;
  while (changed) {
    changed = false;
    walkRegion(op.getRegion(), body);
    for (auto [argument, yielded] :
         llvm::zip_equal(op.getRegionIterArgs(), op.getYieldedValues()))
      changed |= join(argument, valueOf(yielded));
  }
  for (auto [target, argument] :
       llvm::zip_equal(op.getResults(), op.getRegionIterArgs()))
    join(target, valueOf(argument), parting);
}

void ActiveThreadWalker::walkWhile(scf::WhileOp op, const Active &active) {
  for (auto [argument, init] :
       llvm::zip_equal(op.getBeforeArguments(), op.getInits()))
    join(argument, valueOf(init));
  scf::ConditionOp condition = op.getConditionOp();
  Granularity parting = Granularity::Grid;
  bool changed = true;
  while (changed) {
    changed = false;
    walkRegion(op.getBefore(), blur(active, op, parting));
    ThreadValue go = valueOf(condition.getCondition());
    for (auto [argument, passed] :
         llvm::zip_equal(op.getAfterArguments(), condition.getArgs()))
      changed |= join(argument, valueOf(passed));
    Active after = narrow(blur(active, op, parting), op, go,
                          [](int64_t v) { return v != 0; });
    walkRegion(op.getAfter(), after);
    for (auto [argument, yielded] :
         llvm::zip_equal(op.getBeforeArguments(), op.getYieldOp().getResults()))
      changed |= join(argument, valueOf(yielded));
    Granularity now = go.agreement(active->threads);
    if (now > parting) {
      parting = now;
      changed = true;
    }
  }
  for (auto [target, passed] :
       llvm::zip_equal(op.getResults(), condition.getArgs()))
    join(target, valueOf(passed), parting);
}

void ActiveThreadWalker::walkSwitch(scf::IndexSwitchOp op,
                                    const Active &active) {
  ThreadValue argument = valueOf(op.getArg());
  llvm::ArrayRef<int64_t> cases = op.getCases();
  auto isCase = [&](int64_t value) { return llvm::is_contained(cases, value); };
  for (auto [value, region] : llvm::zip_equal(cases, op.getCaseRegions()))
    walkRegion(region,
               narrow(active, op, argument,
                      [wanted = value](int64_t v) { return v == wanted; }));
  walkRegion(
      op.getDefaultRegion(),
      narrow(active, op, argument, [&](int64_t v) { return !isCase(v); }));
  Granularity choice = argument.agreement(active->threads);
  for (auto [index, target] : llvm::enumerate(op.getResults()))
    for (Region &region : op->getRegions())
      join(target, valueOf(region.front().getTerminator()->getOperand(index)),
           choice);
}

/// An op that this analysis does not know: any thread of `active` may run its
/// regions or not.
void ActiveThreadWalker::walkOther(Operation *op, const Active &active) {
  bool runsOnce = isa<scf::ExecuteRegionOp>(op);
  Active inner = runsOnce ? active : blur(active, op, Granularity::Thread);
  for (Region &region : op->getRegions()) {
    for (BlockArgument argument : region.getArguments())
      join(argument, ThreadValue::unknown(Granularity::Thread));
    walkRegion(region, inner);
  }
  for (Value target : op->getResults())
    join(target, ThreadValue::unknown(Granularity::Thread));
}

//===----------------------------------------------------------------------===//
// Words
//===----------------------------------------------------------------------===//

/// "3", "0 to 3", "0 to 3, 8".
static std::string describeRanges(const BitVector &members) {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (int first = members.find_first(); first >= 0;) {
    int end = members.find_next_unset(first);
    int last = (end < 0 ? int(members.size()) : end) - 1;
    os << (text.empty() ? "" : ", ") << first;
    if (last > first)
      os << " to " << last;
    first = members.find_next(last);
  }
  return text;
}

static std::string counted(llvm::StringRef noun, const BitVector &members) {
  return (noun + (members.count() == 1 ? " " : "s ")).str() +
         describeRanges(members);
}

std::string tirx::describeThreads(const BitVector &threads) {
  if (threads.none())
    return "no thread";
  unsigned size = threads.size();
  BitVector warps((size + 31) / 32), lanes(32);
  for (unsigned thread : threads.set_bits()) {
    warps.set(thread / 32);
    lanes.set(thread % 32);
  }
  if (threads.count() == size)
    return "all " + std::to_string(size) + " threads of the block";
  // The same lanes of several warps.
  bool isProduct = threads.count() == size_t(warps.count()) * lanes.count();
  if (isProduct && lanes.count() < 32 && warps.count() > 1)
    return counted("lane", lanes) + " of each of " + counted("warp", warps);
  std::string text = counted("thread", threads);
  if (isProduct && lanes.count() == 32)
    text += " (" + counted("warp", warps) + ")";
  else if (warps.count() == 1)
    text +=
        " (" + counted("lane", lanes) + " of " + counted("warp", warps) + ")";
  return text;
}
