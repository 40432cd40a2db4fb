//===- Async.cpp - asynchronous operations --------------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Async.h"
#include "Machine.h"
#include "TIRx/Simulator/LaunchFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tirx::sim;

AsyncEngine::AsyncEngine(Grid &grid, uint64_t cluster)
    : grid(grid), mode(grid.options.async),
      randomState(splitmix64(grid.options.seed) ^ splitmix64(~cluster)) {
  if (isEager() || !grid.kernel.usesAsyncProxy)
    return;
  const auto &c = grid.cluster, &b = grid.block;
  tracker = std::make_unique<ProxyTracker>(c[0] * c[1] * c[2],
                                           (b[0] * b[1] * b[2] + 31) / 32);
}

AsyncEngine::~AsyncEngine() = default;

uint64_t AsyncEngine::nextRandom() { return splitmix64(randomState++); }

void AsyncEngine::notify(const AsyncOperation &operation, bool begin) {
  if (!grid.observer)
    return;
  const Issuer &by = operation.issuer;
  AsyncEvent event{{operation.cta->linear, by.warp, 1u << (by.lane & 31)},
                   operation.id,
                   by.inst};
  if (begin)
    grid.observer->onAsyncBegin(event);
  else
    grid.observer->onAsyncEnd(event);
}

//===----------------------------------------------------------------------===//
// The life of an operation
//===----------------------------------------------------------------------===//

uint64_t AsyncEngine::issue(AsyncOperation operation) {
  operation.id = next++;
  notify(operation, /*begin=*/true);
  if (isEager()) {
    advance(operation, AsyncStage::Done);
    return operation.id;
  }
  uint64_t id = operation.id;
  pending.emplace(id, std::make_unique<AsyncOperation>(std::move(operation)));
  if (mode == AsyncMode::Random)
    drift();
  return id;
}

/// Runs the stages that are left; what it comes after is complete.
bool AsyncEngine::advance(AsyncOperation &operation, AsyncStage stage) {
  if (grid.stopped)
    return false;
  if (operation.stage == AsyncStage::Issued && stage >= AsyncStage::Read) {
    operation.stage = AsyncStage::Read;
    ++grid.progress;
    if (operation.read && !operation.read())
      return false;
  }
  if (operation.stage != AsyncStage::Read || stage != AsyncStage::Done)
    return true;
  operation.stage = AsyncStage::Done;
  ++grid.progress;
  if (operation.write && !operation.write())
    return false;
  for (const Signal &signal : operation.signals)
    if (!sendSignal(*operation.cta, operation.issuer, signal))
      return false;
  notify(operation, /*begin=*/false);
  return true;
}

bool AsyncEngine::complete(uint64_t id, AsyncStage stage) {
  auto it = pending.find(id);
  if (it == pending.end() || it->second->stage >= stage)
    return true;
  // Chains may be long: an explicit stack, innermost last.
  llvm::SmallVector<uint64_t, 8> stack = {id};
  while (!stack.empty()) {
    auto top = pending.find(stack.back());
    if (top == pending.end()) {
      stack.pop_back();
      continue;
    }
    AsyncOperation &operation = *top->second;
    size_t before = stack.size();
    for (uint64_t earlier : operation.after)
      if (pending.count(earlier))
        stack.push_back(earlier);
    operation.after.clear();
    if (stack.size() != before) {
      // What is innermost in the stack runs first: in the order of issue.
      std::reverse(stack.begin() + before, stack.end());
      continue;
    }
    AsyncStage goal = stack.size() == 1 ? stage : AsyncStage::Done;
    stack.pop_back();
    bool ok = advance(operation, goal);
    if (!ok || operation.stage == AsyncStage::Done)
      pending.erase(top);
    if (!ok)
      return false;
  }
  return true;
}

llvm::SmallVector<uint64_t, 4>
AsyncEngine::find(llvm::function_ref<bool(const AsyncOperation &)> fits) const {
  llvm::SmallVector<uint64_t, 4> ids;
  for (const auto &[id, operation] : pending)
    if (fits(*operation))
      ids.push_back(id);
  return ids;
}

bool AsyncEngine::completeFor(const Cta &cta, uint32_t barrier) {
  auto ids = find([&](const AsyncOperation &operation) {
    return llvm::any_of(operation.signals, [&](const Signal &signal) {
      return signal.cta == &cta && signal.barrier == barrier;
    });
  });
  if (ids.empty())
    return false;
  size_t pick = mode == AsyncMode::Random ? nextRandom() % ids.size() : 0;
  complete(ids[pick]);
  return true;
}

bool AsyncEngine::completeOldest() {
  if (pending.empty())
    return false;
  complete(pending.begin()->first);
  return true;
}

bool AsyncEngine::completeAll(const Cta &cta) {
  for (uint64_t id : find([&](const AsyncOperation &operation) {
         return operation.cta == &cta;
       }))
    if (!complete(id))
      return false;
  return true;
}

bool AsyncEngine::isHeld(const AsyncOperation &operation) const {
  return llvm::any_of(operation.after,
                      [&](uint64_t id) { return pending.count(id) != 0; });
}

void AsyncEngine::drift() {
  if (mode != AsyncMode::Random)
    return;
  while (!pending.empty() && !grid.stopped && nextRandom() % 4 == 0) {
    uint64_t first = pending.begin()->first, last = pending.rbegin()->first;
    auto it = pending.lower_bound(first + nextRandom() % (last - first + 1));
    if (isHeld(*it->second))
      continue;
    complete(it->first, nextRandom() & 1 ? AsyncStage::Read : AsyncStage::Done);
  }
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

AsyncEngine::Groups &AsyncEngine::groupsOf(GroupKind kind, GroupOwner owner) {
  uint64_t key = uint64_t(owner.cta->rank) << 32 | uint64_t(kind) << 24 |
                 uint64_t(owner.warp) << 8 | uint8_t(owner.lane);
  return groups.try_emplace(key, Groups{owner, {}, {}}).first->second;
}

void AsyncEngine::join(GroupKind kind, GroupOwner owner, uint64_t id,
                       const Inst *inst, bool readsShared) {
  // What has completed matters only when its source was not waited for.
  if (readsShared || pending.count(id))
    groupsOf(kind, owner).open.push_back({id, inst, readsShared});
}

void AsyncEngine::commit(GroupKind kind, GroupOwner owner) {
  Groups &mine = groupsOf(kind, owner);
  mine.committed.push_back(std::move(mine.open));
  mine.open.clear();
  while (!mine.committed.empty() && mine.committed.front().empty())
    mine.committed.pop_front();
}

bool AsyncEngine::settle(Group &group, AsyncStage stage) {
  for (Member &member : group) {
    if (!complete(member.id, stage))
      return false;
    member.readsShared = false;
  }
  return true;
}

bool AsyncEngine::wait(GroupKind kind, GroupOwner owner, uint64_t open,
                       AsyncStage stage) {
  Groups &mine = groupsOf(kind, owner);
  if (mine.committed.size() <= open)
    return true;
  size_t count = mine.committed.size() - open;
  for (size_t n = 0; n < count; ++n)
    if (!settle(mine.committed[n], stage))
      return false;
  // What is only read stays until it is complete.
  auto isComplete = [&](const Group &group) {
    return llvm::none_of(
        group, [&](const Member &member) { return isPending(member.id); });
  };
  for (; count && isComplete(mine.committed.front()); --count)
    mine.committed.pop_front();
  return true;
}

bool AsyncEngine::waitAll(GroupKind kind, GroupOwner owner) {
  if (!wait(kind, owner, 0) ||
      !settle(groupsOf(kind, owner).open, AsyncStage::Done))
    return false;
  groupsOf(kind, owner).open.clear();
  return true;
}

llvm::SmallVector<uint64_t, 4> AsyncEngine::members(GroupKind kind,
                                                    GroupOwner owner) {
  llvm::SmallVector<uint64_t, 4> ids;
  Groups &mine = groupsOf(kind, owner);
  for (const Group &group : mine.committed)
    for (const Member &member : group)
      ids.push_back(member.id);
  for (const Member &member : mine.open)
    ids.push_back(member.id);
  return ids;
}

void AsyncEngine::checkSourcesAtExit(const Cta &cta) {
  for (const auto &[key, entry] : groups) {
    if (entry.owner.cta != &cta)
      continue;
    auto check = [&](const Group &group, const char *state) {
      for (const Member &member : group) {
        if (!member.readsShared || grid.stopped)
          continue;
        grid.error(
            grid.placeOf(member.inst, &cta, entry.owner.warp, entry.owner.lane),
            "R10",
            llvm::formatv("expected cp.async.bulk.wait_group before the "
                          "CTA exits, got the source of a {0} bulk copy "
                          "still in use; its shared memory ends with "
                          "the CTA",
                          state));
      }
    };
    for (const Group &group : entry.committed)
      check(group, "committed");
    check(entry.open, "never committed");
  }
}

//===----------------------------------------------------------------------===//
// Signals
//===----------------------------------------------------------------------===//

bool tirx::sim::failOperation(Cta &cta, const Issuer &issuer,
                              llvm::StringRef rule,
                              const llvm::Twine &message) {
  cta.grid.error(cta.grid.placeOf(issuer.inst, &cta, issuer.warp, issuer.lane),
                 rule, message);
  return false;
}

bool tirx::sim::sendSignal(Cta &from, const Issuer &issuer,
                           const Signal &signal) {
  Cta &cta = *signal.cta;
  if (&cta != &from && cta.isDone())
    return failOperation(from, issuer, "R44",
                         llvm::formatv("expected CTA {0} of the cluster to "
                                       "live until the operation signals its "
                                       "mbarrier at {1:x}, got one that ended",
                                       cta.rank, signal.barrier));
  auto it = cta.mbarriers.find(signal.barrier);
  if (it == cta.mbarriers.end())
    return failOperation(
        from, issuer, "R33",
        llvm::formatv("expected an initialised mbarrier at {0:x} ({1}) when "
                      "the operation completes, got none",
                      signal.barrier, cta.describeShared(signal.barrier)));
  std::string error = signal.arrives ? it->second.arrive(1)
                                     : it->second.completeTx(signal.bytes);
  if (!error.empty())
    return failOperation(
        from, issuer, signal.arrives ? "R31" : "R32",
        llvm::formatv("completion at the mbarrier at {0:x} ({1}): {2}",
                      signal.barrier, cta.describeShared(signal.barrier),
                      error));
  ++cta.grid.progress;
  if (cta.grid.observer)
    cta.grid.observer->onSync({{cta.linear, issuer.warp, 0},
                               SyncKind::MBarrierArrive,
                               signal.barrier,
                               issuer.inst});
  return true;
}
