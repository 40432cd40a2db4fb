//===- Scheduler.cpp - runs a grid ----------------------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Scheduler.h"
#include "RegisterPool.h"
#include "Wgmma.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tirx::sim;

/// Warp instructions that one fragment executes before others get their turn.
static constexpr uint64_t kQuantum = 4096;
/// Steps without anything that somebody could wait for, after which a cluster
/// counts as spinning, and after which a grid counts as stuck.
static constexpr uint64_t kMaxSpinSteps = 1 << 17;
static constexpr uint64_t kMinSpinSteps = 1 << 11;
static constexpr uint64_t kStuckSteps = 1 << 28;
/// Looks at an mbarrier, while nobody gets on, after which a warp counts as
/// waiting for it. Each look gives all other warps a turn.
static constexpr uint32_t kMinPolls = 16;
/// The same with --async=random: at most, and at random.
static constexpr uint64_t kRandomQuantum = 256;
/// Steps of a warp while lanes of it wait for reconvergence.
static constexpr uint64_t kMaxParkedSteps = 1 << 20;
/// Clusters that may be resident at one time.
static constexpr size_t kMaxResident = kSmCount * 2;

/// Tells of an instruction, unless it comes back here before it is complete.
void Scheduler::notify(Warp &warp, const Inst &inst, uint32_t active,
                       uint32_t mask, Step step) {
  if (step == Step::Again || step == Step::Block)
    return;
  // A branch is executed by all lanes: the guard says where they go.
  Actor actor{warp.cta.linear, int(warp.index), inst.isBranch ? active : mask};
  uint32_t pc = &inst - grid.kernel.code.data();
  if (inst.isBranch && step == Step::Branch)
    grid.observer->onBranch(
        {actor, warp.taken, active & ~warp.taken, pc, &inst});
  grid.observer->onInstruction(
      {actor, active, pc, &inst,
       step == Step::Moved ? nullptr : warp.at<uint8_t>(0)});
}

uint64_t Scheduler::runFragment(Warp &warp, Fragment &fragment,
                                uint64_t budget) {
  const Inst *code = grid.kernel.code.data();
  warp.run(fragment);
  uint64_t steps = 0;
  while (steps < budget) {
    if (LLVM_UNLIKELY(fragment.join >= 0) && warp.arriveAtJoin(fragment))
      return steps + 1;
    const Inst &inst = code[fragment.pc];
    uint32_t mask = fragment.mask;
    const uint32_t active = mask;
    if (LLVM_UNLIKELY(grid.observer != nullptr) &&
        !grid.observer->onIssue({&warp, fragment.pc, active})) {
      grid.stopped = true;
      return steps;
    }
    if (inst.guard != kNoSlot) {
      uint32_t guard = warp.predicate(inst.guard);
      mask &= inst.guardNegated ? ~guard : guard;
      if (!mask) {
        if (LLVM_UNLIKELY(grid.observer != nullptr)) {
          warp.taken = 0;
          notify(warp, inst, active, 0,
                 inst.isBranch ? Step::Branch : Step::Next);
        }
        ++fragment.pc;
        ++steps;
        continue;
      }
      if (LLVM_UNLIKELY(inst.splitsOnGuard && mask != fragment.mask)) {
        warp.split(fragment, fragment.mask & ~mask, fragment.pc + 1,
                   fragment.pc + 1);
        continue;
      }
    }
    if (LLVM_UNLIKELY(inst.needsWarp && mask != ~0u)) {
      warp.gathered = false;
      if (!warp.gather(~0u))
        return steps;
      if (warp.gathered)
        continue;
    }
    Step step = inst.fn(warp, inst, mask);
    if (LLVM_UNLIKELY(grid.observer != nullptr))
      notify(warp, inst, active, mask, step);
    switch (step) {
    case Step::Next:
      ++fragment.pc;
      ++steps;
      break;
    case Step::Branch: {
      ++steps;
      uint32_t taken = warp.taken;
      if (taken == fragment.mask) {
        fragment.pc = inst.target;
      } else if (taken == 0) {
        ++fragment.pc;
      } else {
        warp.split(fragment, taken, inst.target, inst.join);
        ++fragment.pc;
      }
      break;
    }
    case Step::Again:
      break;
    case Step::Moved:
      ++steps;
      break;
    case Step::Block:
      return steps;
    case Step::Yield:
      ++fragment.pc;
      return steps + 1;
    case Step::Exit: {
      uint32_t ended = warp.taken;
      uint32_t rest = fragment.mask & ~ended;
      warp.exitLanes(fragment, ended);
      ++steps;
      if (!rest)
        return steps;
      ++fragment.pc;
      break;
    }
    case Step::Fault:
      return steps;
    }
  }
  return steps;
}

/// Lanes that wait at a join may hold what the others of their warp spin for.
/// They wait no longer than the warp spins; and not for ever when the others do
/// something all the time that looks like progress.
void Scheduler::keepFair(Warp &warp, uint64_t steps, bool isIdle) {
  warp.idleSteps = isIdle ? warp.idleSteps + steps : 0;
  warp.parkedSteps = warp.hasParked() ? warp.parkedSteps + steps : 0;
  const bool isSpinning = warp.idleSteps > spinSteps;
  if (!isSpinning && warp.parkedSteps <= kMaxParkedSteps)
    return;
  warp.idleSteps = 0;
  warp.parkedSteps = 0;
  if (!warp.releaseParked())
    return;
  ++grid.progress;
  // A program that needed this once (a spin lock) will need it again.
  if (isSpinning)
    spinSteps = std::max<uint64_t>(spinSteps / 2, kMinSpinSteps);
}

uint64_t Scheduler::quantum() {
  if (grid.options.async != AsyncMode::Random)
    return kQuantum;
  return 1 + grid.nextRandom() % kRandomQuantum;
}

uint64_t Scheduler::runWarp(Warp &warp) {
  uint64_t steps = 0;
  const uint64_t progressBefore = grid.progress;
  uint32_t liveBefore = warp.live;
  // All that are there get their turn. Those that they split off follow as long
  // as that is short: a warp that diverges all the time must come to an end,
  // too.
  size_t waiting = warp.fragments.size();
  for (Fragment &fragment : warp.fragments) {
    if (waiting)
      --waiting;
    else if (steps >= kQuantum)
      break;
    if (!fragment.mask || grid.stopped)
      continue;
    switch (fragment.state) {
    case FragmentState::NamedBarrier:
      continue; // the barrier wakes it
    default:
      // Others look again whether they can go on; a look costs no step.
      fragment.state = FragmentState::Ready;
      steps += runFragment(warp, fragment, quantum());
    }
  }
  warp.running = nullptr;
  keepFair(warp, steps, grid.progress == progressBefore);
  warp.fragments.remove_if([](const Fragment &f) { return f.mask == 0; });
  if (warp.live != liveBefore) {
    if (!warp.live)
      --warp.cta.liveWarps;
    for (unsigned id = 0; id < 16; ++id)
      if (!warp.cta.barriers[id].expected)
        warp.cta.checkNamedBarrier(id);
  }
  return steps;
}

uint64_t Scheduler::runCta(Cta &cta) {
  uint64_t steps = 0;
  llvm::SmallVector<Warp *, 32> order;
  for (auto &warp : cta.warps)
    order.push_back(warp.get());
  if (grid.options.async == AsyncMode::Random)
    for (size_t n = order.size(); n > 1; --n)
      std::swap(order[n - 1], order[grid.nextRandom() % n]);
  for (Warp *warp : order) {
    if (warp->live && !grid.stopped)
      steps += runWarp(*warp);
  }
  return steps;
}

void Scheduler::finishCta(Cta &cta) {
  cta.engine->completeAll(cta);
  cta.engine->checkSourcesAtExit(cta);
  checkWarpgroupsAtExit(cta);
  checkRegisterChangesAtExit(cta);
  if (grid.observer)
    grid.observer->onCtaEnd(cta);
  if (grid.stopped || cta.tensor.getLive().empty())
    return;
  grid.error(grid.placeOf(nullptr, &cta, -1, -1), "R24",
             "expected all tensor memory to be freed before the CTA exits; " +
                 cta.tensor.describe());
}

bool Scheduler::launchNext() {
  if (resident.size() >= kMaxResident)
    return false;
  auto number = grid.takePendingCluster();
  if (!number)
    return false;
  std::array<unsigned, 3> base = grid.firstCtaOf(*number);
  resident.emplace_back();
  Cluster &cluster = resident.back();
  unsigned rank = 0;
  for (unsigned z = 0; z < grid.cluster[2]; ++z)
    for (unsigned y = 0; y < grid.cluster[1]; ++y)
      for (unsigned x = 0; x < grid.cluster[0]; ++x)
        cluster.ctas.push_back(std::make_unique<Cta>(
            grid,
            std::array<unsigned, 3>{base[0] + x, base[1] + y, base[2] + z},
            rank++));
  cluster.engine = std::make_unique<AsyncEngine>(grid, *number);
  for (auto &cta : cluster.ctas) {
    cta->engine = cluster.engine.get();
    for (auto &peer : cluster.ctas)
      cta->cluster.push_back(peer.get());
  }
  if (grid.observer)
    for (auto &cta : cluster.ctas)
      grid.observer->onCtaBegin(*cta);
  launched += cluster.ctas.size();
  return true;
}

/// A kernel that takes over clusters depends on how many the machine has
/// started by then: half of them, one alone (lazy), or any number.
void Scheduler::launchFirst() {
  if (!grid.kernel.takesOverClusters)
    return;
  uint64_t count = (grid.endCluster - grid.nextCluster + 1) / 2;
  if (grid.options.async == AsyncMode::Lazy)
    count = 1;
  else if (grid.options.async == AsyncMode::Random)
    count = 1 + grid.nextRandom() % (grid.endCluster - grid.nextCluster);
  while (count-- && launchNext())
    ;
}

/// With --async=random clusters that take over others take turns.
bool Scheduler::changesCluster() {
  return grid.kernel.takesOverClusters &&
         grid.options.async == AsyncMode::Random && grid.nextRandom() % 4 == 0;
}

bool Scheduler::failOneWait(Cluster &cluster) {
  bool any = false;
  for (auto &cta : cluster.ctas)
    for (auto &warp : cta->warps)
      for (Fragment &fragment : warp->fragments)
        if (fragment.mask && fragment.state == FragmentState::MBarrier &&
            fragment.failedAt != grid.progress) {
          fragment.failedAt = grid.progress;
          fragment.failWait = true;
          any = true;
        }
  return any;
}

/// A cluster in which nothing can run: first asynchronous work completes, one
/// operation at a time, those first that a waiting thread waits for; then
/// waits with a time limit (try_wait) return false, since programs may do
/// something else meanwhile.
bool Scheduler::resolveStall(Cluster &cluster) {
  AsyncEngine &engine = *cluster.engine;
  if (!engine.empty())
    for (auto &cta : cluster.ctas)
      for (auto &warp : cta->warps)
        for (Fragment &fragment : warp->fragments)
          if (fragment.mask && fragment.state == FragmentState::MBarrier &&
              engine.completeFor(*cta, uint32_t(fragment.object)))
            return true;
  return engine.completeOldest() || failOneWait(cluster);
}

bool Scheduler::completePolled(Cluster &cluster) {
  if (cluster.engine->empty())
    return false;
  for (auto &cta : cluster.ctas)
    for (auto &warp : cta->warps)
      if (warp->live && warp->polls >= kMinPolls &&
          warp->polledAt == grid.progress &&
          cluster.engine->completeFor(*cta, warp->polled))
        return true;
  return false;
}

bool Scheduler::releaseParked() {
  bool any = false;
  for (Cluster &cluster : resident)
    for (auto &cta : cluster.ctas)
      for (auto &warp : cta->warps)
        any |= warp->releaseParked();
  if (any)
    ++grid.progress;
  return any;
}

Scheduler::Outcome Scheduler::runCluster(Cluster &cluster) {
  uint64_t before = grid.progress;
  uint64_t steps = 0;
  bool done = true;
  cluster.engine->drift();
  for (auto &cta : cluster.ctas) {
    if (cta->isDone())
      continue;
    uint64_t executed = runCta(*cta);
    steps += executed;
    grid.steps += executed;
    if (cta->isDone())
      finishCta(*cta);
    else
      done = false;
    if (grid.stopped)
      return Outcome::Running;
  }
  if (done)
    return Outcome::Done;
  if (grid.progress != before) {
    cluster.idleSteps = 0;
    return Outcome::Running;
  }
  if (steps == 0)
    return resolveStall(cluster) ? Outcome::Running : Outcome::Stalled;
  cluster.idleSteps += steps;
  if (completePolled(cluster)) {
    cluster.idleSteps = 0;
    return Outcome::Running;
  }
  if (cluster.idleSteps <= spinSteps)
    return Outcome::Running;
  // It may spin on asynchronous work without a wait that suspends.
  if (cluster.engine->completeOldest()) {
    cluster.idleSteps = 0;
    return Outcome::Running;
  }
  return Outcome::Spinning;
}

void Scheduler::reportDeadlock() {
  std::vector<std::string> notes;
  for (Cluster &cluster : resident)
    for (auto &cta : cluster.ctas)
      for (auto &warp : cta->warps)
        if (notes.size() < 40)
          warp->describeWaits(notes);
  // Lanes that left the others of their warp at an .aligned instruction are the
  // cause rather than a deadlock.
  for (Cluster &cluster : resident)
    for (auto &cta : cluster.ctas)
      for (auto &warp : cta->warps)
        for (Fragment &fragment : warp->fragments) {
          const Inst &inst = grid.kernel.code[fragment.pc];
          if (!fragment.mask || !inst.needsWarp ||
              fragment.state != FragmentState::Collective)
            continue;
          return grid.error(
              grid.placeOf(&inst, cta.get(), warp->index,
                           llvm::countr_zero(fragment.mask)),
              "R36",
              llvm::formatv("expected all 32 lanes of the warp to execute this "
                            "instruction together, got lanes {0:x8}",
                            fragment.mask),
              std::move(notes));
        }
  // The place is that of the first waiting fragment.
  Place place;
  for (Cluster &cluster : resident)
    for (auto &cta : cluster.ctas)
      for (auto &warp : cta->warps)
        for (Fragment &fragment : warp->fragments)
          if (fragment.mask && !place.hasCta)
            place = grid.placeOf(&grid.kernel.code[fragment.pc], cta.get(),
                                 warp->index, -1);
  grid.error(std::move(place), "deadlock",
             "deadlock: no thread of the grid can go on", std::move(notes));
}

std::vector<std::string> Scheduler::describeWaits(Cluster &cluster) {
  std::vector<std::string> notes;
  for (auto &cta : cluster.ctas)
    for (auto &warp : cta->warps)
      if (notes.size() < 40)
        warp->describeWaits(notes);
  return notes;
}

void tirx::sim::reportStepLimit(ReportLog &log, uint64_t limit, uint64_t steps,
                                std::vector<std::string> notes) {
  Report report;
  report.rule = "steps";
  report.message = llvm::formatv("expected at most {0} warp instructions, the "
                                 "grid has executed {1}",
                                 limit, steps);
  report.notes = std::move(notes);
  log.add(std::move(report));
}

void Scheduler::run(LaunchStatistics &statistics) {
  uint64_t idle = 0;
  uint64_t progressSeen = ~uint64_t(0);
  uint64_t localStoresSeen = 0;
  uint64_t stepsSeen = 0;
  spinSteps = kMaxSpinSteps;
  bool spinning = false;
  launchFirst();
  auto current = resident.end();
  while (!grid.stopped && !isAbandoned()) {
    if (current == resident.end()) {
      if (resident.empty() && !launchNext())
        break;
      current = resident.begin();
    }
    Outcome outcome = runCluster(*current);
    if (grid.steps > grid.options.maxSteps && !grid.stopped) {
      reportStepLimit(grid.log, grid.options.maxSteps, grid.steps,
                      describeWaits(*current));
      grid.stopped = true;
      break;
    }
    switch (outcome) {
    case Outcome::Running:
      idle = 0;
      if (changesCluster())
        ++current;
      continue;
    case Outcome::Done:
      current = resident.erase(current);
      idle = 0;
      continue;
    case Outcome::Stalled:
    case Outcome::Spinning:
      break;
    }
    // This one cannot go on by itself: let another cluster run.
    if (launchNext()) {
      current = std::prev(resident.end());
      idle = 0;
      continue;
    }
    if (progressSeen != grid.progress) {
      progressSeen = grid.progress;
      stepsSeen = grid.steps;
      idle = 0;
      spinning = false;
    }
    if (localStoresSeen != grid.localStores) {
      localStoresSeen = grid.localStores;
      stepsSeen = grid.steps;
    }
    spinning |= outcome == Outcome::Spinning;
    ++current;
    if (++idle <= resident.size())
      continue;
    // All had their turn and nobody got on. Lanes that wait for reconvergence
    // must not starve the others; after that there is nothing left to try.
    idle = 0;
    if (releaseParked()) {
      progressSeen = grid.progress;
      // A program that needed this once (a spin lock) will need it again.
      spinSteps = std::max<uint64_t>(spinSteps / 2, kMinSpinSteps);
    } else if (!spinning) {
      reportDeadlock();
    }
    if (grid.steps - stepsSeen > kStuckSteps)
      grid.error({}, "steps",
                 llvm::formatv("livelock: {0} warp instructions without a "
                               "store, an arrival or an exit",
                               grid.steps - stepsSeen),
                 describeWaits(*resident.begin()));
    spinning = false;
  }
  statistics.warpInstructions += grid.steps;
  statistics.ctas += launched;
  statistics.uninitialisedReads += grid.uninitialisedReads;
}
