//===- Scheduler.h - runs a grid --------------------------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_LIB_SIMULATOR_SCHEDULER_H
#define TIRX_LIB_SIMULATOR_SCHEDULER_H

#include "Machine.h"
#include <atomic>

namespace tirx::sim {

/// Runs clusters of a grid: deterministic, fair to warps and to fragments. A
/// cluster runs until it ends or nothing in it can go on; then others start, so
/// that CTAs may wait for each other.
class Scheduler {
public:
  /// Runs the clusters [first, end). It gives up when `first` is not below
  /// `endOfInterest` any more.
  Scheduler(Grid &grid, uint64_t first, uint64_t end,
            const std::atomic<uint64_t> *endOfInterest = nullptr)
      : grid(grid), endOfInterest(endOfInterest), firstCluster(first) {
    grid.nextCluster = first;
    grid.endCluster = end;
  }
  void run(LaunchStatistics &statistics);

private:
  struct Cluster {
    std::vector<std::unique_ptr<Cta>> ctas;
    std::unique_ptr<AsyncEngine> engine;
    /// Steps of this cluster since the grid last made progress.
    uint64_t idleSteps = 0;
  };
  enum class Outcome { Done, Stalled, Spinning, Running };

  void launchFirst();
  bool launchNext();
  bool changesCluster();
  bool isAbandoned() const {
    return endOfInterest && firstCluster >= *endOfInterest;
  }
  Outcome runCluster(Cluster &cluster);
  uint64_t runCta(Cta &cta);
  uint64_t runWarp(Warp &warp);
  void keepFair(Warp &warp, uint64_t steps, bool isIdle);
  uint64_t quantum();
  uint64_t runFragment(Warp &warp, Fragment &fragment, uint64_t budget);
  void notify(Warp &warp, const Inst &inst, uint32_t active, uint32_t mask,
              Step step);
  void finishCta(Cta &cta);
  bool resolveStall(Cluster &cluster);
  bool failOneWait(Cluster &cluster);
  bool completePolled(Cluster &cluster);
  bool releaseParked();
  void reportDeadlock();
  std::vector<std::string> describeWaits(Cluster &cluster);

  Grid &grid;
  std::list<Cluster> resident;
  const std::atomic<uint64_t> *const endOfInterest;
  const uint64_t firstCluster;
  uint64_t launched = 0;
  /// Idle steps after which a cluster counts as spinning.
  uint64_t spinSteps = 0;
};

} // namespace tirx::sim

#endif // TIRX_LIB_SIMULATOR_SCHEDULER_H
