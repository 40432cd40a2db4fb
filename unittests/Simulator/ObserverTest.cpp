//===- ObserverTest.cpp - what observers hear -----------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestKernel.h"
#include "llvm/ADT/bit.h"
#include <map>

using namespace tirx::sim;

namespace {
struct Recorder : Observer {
  const Kernel *kernel = nullptr;
  unsigned launches = 0, ctas = 0, issued = 0, instructions = 0, errors = 0;
  unsigned reads = 0, writes = 0, atomics = 0, arrivals = 0, clusterWaits = 0;
  /// By instruction of the text: how often it was executed, and for how many
  /// lanes.
  std::map<std::string, unsigned> count, lanes;
  std::vector<BranchEvent> branches;

  void onLaunchBegin(const LaunchEvent &event) override {
    kernel = event.kernel;
    ++launches;
  }
  void onLaunchEnd(const LaunchEvent &) override { --launches; }
  void onCtaBegin(Cta &) override { ++ctas; }
  void onCtaEnd(Cta &) override { --ctas; }
  bool onIssue(const IssueEvent &) override {
    ++issued;
    return true;
  }
  void onInstruction(const InstructionEvent &event) override {
    ++instructions;
    const InstInfo &info = kernel->info[event.pc];
    if (!info.isFirst)
      return;
    count[kernel->opcodes[info.opcode].text] += 1;
    lanes[kernel->opcodes[info.opcode].text] +=
        llvm::popcount(event.actor.lanes);
  }
  void onBranch(const BranchEvent &event) override {
    branches.push_back(event);
  }
  void onAccess(const AccessEvent &event) override {
    if (event.space != Space::Global)
      return;
    (event.kind == AccessKind::Read    ? reads
     : event.kind == AccessKind::Write ? writes
                                       : atomics) += event.size;
  }
  void onSync(const SyncEvent &event) override {
    arrivals += event.kind == SyncKind::BarrierArrive;
    clusterWaits += event.kind == SyncKind::ClusterWait;
  }
  void onError(const Report &) override { ++errors; }
};
} // namespace

TEST(Observer, HearsOfEveryAccess) {
  TestKernel kernel(entry(1, R"(
  mul.wide.u32 %rd1, %t, 8;
  add.u64 %rd1, %p0, %rd1;
  ld.global.u64 %rd2, [%rd1];
  bar.sync 0;
  setp.lt.u32 %q0, %t, 16;
  @%q0 st.global.u32 [%rd1], 1;
  red.global.add.u32 [%p0], 1;
)"));
  kernel.parameters.block = {64, 1, 1};
  kernel.buffer(std::vector<uint64_t>(64, 0));
  Recorder recorder, second;
  kernel.simulator->addObserver(recorder);
  kernel.simulator->addObserver(second);
  EXPECT_EQ(kernel.run(), "");
  // Parameters are constant memory.
  EXPECT_EQ(recorder.reads, 64u * 8);
  EXPECT_EQ(recorder.writes, 16u * 4);
  EXPECT_EQ(recorder.atomics, 64u * 4);
  EXPECT_EQ(recorder.arrivals, 2u);
  EXPECT_EQ(recorder.launches, 0u);
  EXPECT_EQ(recorder.ctas, 0u);
  EXPECT_EQ(recorder.errors, 0u);
  EXPECT_EQ(second.instructions, recorder.instructions);
  EXPECT_EQ(second.reads, recorder.reads);
}

TEST(Observer, HearsOfEachInstructionOnce) {
  // The barriers wait, the shuffle gathers its lanes, the store is executed by
  // half of one warp and by nobody of the other.
  TestKernel kernel(entry(1, R"(
  setp.lt.u32 %q0, %t, 16;
  @%q0 st.global.u32 [%p0], 1;
  @%q0 bra first;
  mov.u32 %r1, 5;
  bra both;
first:
  mov.u32 %r1, 6;
both:
  shfl.sync.idx.b32 %r2, %r1, 0, 31, -1;
  bar.sync 0;
  barrier.cluster.arrive;
  barrier.cluster.wait;
)"));
  kernel.parameters.block = {64, 1, 1};
  kernel.parameters.grid = {2, 1, 1};
  kernel.parameters.cluster = {2, 1, 1};
  kernel.empty(4);
  Recorder recorder;
  kernel.simulator->addObserver(recorder);
  EXPECT_EQ(kernel.run(), "");
  for (const char *text :
       {"setp.lt.u32", "st.global.u32", "shfl.sync.idx.b32", "bar.sync",
        "barrier.cluster.arrive", "barrier.cluster.wait", "ret"})
    EXPECT_EQ(recorder.count[text], 4u) << text;
  EXPECT_EQ(recorder.lanes["st.global.u32"], 2u * 16);
  EXPECT_EQ(recorder.lanes["bar.sync"], 2u * 64);
  EXPECT_EQ(recorder.lanes["shfl.sync.idx.b32"], 2u * 64);
  EXPECT_EQ(recorder.clusterWaits, 4u);
  EXPECT_GE(recorder.issued, recorder.instructions);

  unsigned taken = 0, fallThrough = 0;
  for (const BranchEvent &branch : recorder.branches)
    if (branch.inst->guard != kNoSlot) {
      taken += llvm::popcount(branch.taken);
      fallThrough += llvm::popcount(branch.fallThrough);
    }
  EXPECT_EQ(taken, 2u * 16);
  EXPECT_EQ(fallThrough, 2u * 48);
}

TEST(Observer, HearsOfErrorsAndMayEndALaunch) {
  TestKernel kernel(entry(0, "trap;"));
  Recorder recorder;
  kernel.simulator->addObserver(recorder);
  EXPECT_EQ(kernel.run(), "trap");
  EXPECT_EQ(recorder.errors, 1u);

  struct Stopper : Observer {
    unsigned left = 1000;
    bool onIssue(const IssueEvent &) override { return left && --left; }
  } stopper;
  TestKernel endless(entry(0, "again: bra again;"));
  endless.simulator->addObserver(stopper);
  EXPECT_EQ(endless.run(), "");
  EXPECT_EQ(stopper.left, 0u);
}
