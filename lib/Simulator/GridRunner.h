//===- GridRunner.h - a grid on the threads of the host ---------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Clusters of a kernel that cannot observe each other
// (Kernel::clustersInteract) run one by one, each in a Grid of its own, on as
// many threads of the host as are wanted. What they report is merged in the
// order of the clusters, so that nothing depends on the number of threads. All
// other kernels run in one Grid, on one thread, in the interleaving of the
// Scheduler.
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_LIB_SIMULATOR_GRIDRUNNER_H
#define TIRX_LIB_SIMULATOR_GRIDRUNNER_H

#include "Machine.h"
#include <atomic>
#include <map>
#include <mutex>

namespace tirx::sim {

class GridRunner {
public:
  explicit GridRunner(const LaunchContext &launch, ReportLog &log,
                      LaunchStatistics &statistics)
      : launch(launch), log(log), statistics(statistics) {}
  void run();

private:
  /// What a cluster leaves behind besides its memory.
  struct Result {
    ReportLog log;
    LaunchStatistics statistics;
    /// Null when the observer of the launch heard of it.
    std::unique_ptr<Observer> observer;
    bool stopped = false;
  };

  unsigned workerCount(uint64_t clusters) const;
  bool observerForks() const;
  /// Takes clusters until none is left.
  void work(uint64_t clusters);
  Result runCluster(uint64_t number);
  /// Merges the results that are next in order.
  void finish(uint64_t number, Result result);
  void merge(const Result &result);

  const LaunchContext &launch;
  ReportLog &log;
  LaunchStatistics &statistics;

  /// Each cluster has an observer of its own.
  bool forks = false;
  std::atomic<uint64_t> nextCluster{0};
  /// Clusters from here on do not matter any more: one before them failed.
  std::atomic<uint64_t> endOfInterest{~uint64_t(0)};
  std::mutex mutex;
  /// Those that wait for the results of clusters before them.
  std::map<uint64_t, Result> finished;
  uint64_t merged = 0;
  /// Warp instructions of the clusters that are merged.
  uint64_t steps = 0;
};

} // namespace tirx::sim

#endif // TIRX_LIB_SIMULATOR_GRIDRUNNER_H
