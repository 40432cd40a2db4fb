//===- GridRunner.cpp - a grid on the threads of the host -----------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GridRunner.h"
#include "Scheduler.h"
#include "TIRx/Simulator/LaunchFile.h"
#include "llvm/Support/FormatVariadic.h"
#include <thread>

using namespace tirx::sim;

/// More are of no use, and each costs a stack.
static constexpr unsigned kMaxWorkers = 256;

bool GridRunner::observerForks() const {
  return launch.observer && !launch.observer->isThreadSafe() &&
         launch.observer->fork();
}

unsigned GridRunner::workerCount(uint64_t clusters) const {
  if (launch.observer && !launch.observer->isThreadSafe() && !observerForks())
    return 1;
  unsigned threads = launch.options.threads;
  if (!threads)
    threads = std::max(1u, std::thread::hardware_concurrency());
  return std::min<uint64_t>(std::min(threads, kMaxWorkers), clusters);
}

GridRunner::Result GridRunner::runCluster(uint64_t number) {
  Result result;
  // The stream of random numbers is the cluster's own.
  uint64_t random = splitmix64(launch.options.seed) + splitmix64(number + 1);
  LaunchContext own = launch;
  if (forks) {
    result.observer = launch.observer->fork();
    own.observer = result.observer.get();
  }
  Grid grid(own, result.log, random);
  Scheduler scheduler(grid, number, number + 1, &endOfInterest);
  scheduler.run(result.statistics);
  result.stopped = grid.stopped;
  return result;
}

void GridRunner::merge(const Result &result) {
  for (const Report &report : result.log.getReports())
    log.add(report);
  statistics.add(result.statistics);
  if (result.observer)
    launch.observer->join(*result.observer);
  steps += result.statistics.warpInstructions;
}

void GridRunner::finish(uint64_t number, Result result) {
  std::lock_guard<std::mutex> lock(mutex);
  if (number >= endOfInterest)
    return;
  if (result.stopped)
    endOfInterest = number + 1;
  finished.emplace(number, std::move(result));
  for (auto it = finished.begin();
       it != finished.end() && it->first == merged && merged < endOfInterest;
       it = finished.erase(it), ++merged) {
    merge(it->second);
    if (steps <= launch.options.maxSteps || it->second.stopped)
      continue;
    reportStepLimit(log, launch.options.maxSteps, steps, {});
    endOfInterest = merged + 1;
  }
}

void GridRunner::work(uint64_t clusters) {
  for (uint64_t number = nextCluster++;
       number < clusters && number < endOfInterest; number = nextCluster++)
    finish(number, runCluster(number));
}

void GridRunner::run() {
  const uint64_t clusters = launch.clusterCount();
  if (launch.kernel.clustersInteract) {
    Grid grid(launch, log, launch.options.seed);
    Scheduler(grid, 0, clusters).run(statistics);
    return;
  }
  std::vector<std::thread> helpers;
  const unsigned workers = workerCount(clusters);
  forks = workers > 1 && observerForks();
  for (unsigned n = workers; n > 1; --n)
    helpers.emplace_back([&] { work(clusters); });
  work(clusters);
  for (std::thread &helper : helpers)
    helper.join();
}
