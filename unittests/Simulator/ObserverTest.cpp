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

//===----------------------------------------------------------------------===//
// Each kind of access, once, with its bytes
//===----------------------------------------------------------------------===//

namespace {
/// Bytes by space and kind, and pairs of beginning and end.
struct Bytes : Observer {
  std::map<std::pair<Space, AccessKind>, uint64_t> count;
  std::map<std::pair<uint64_t, uint64_t>, int> running;
  unsigned begun = 0;
  void onAccess(const AccessEvent &event) override {
    count[{event.space, event.kind}] += event.size;
  }
  void onAsyncBegin(const AsyncEvent &event) override {
    ++begun;
    EXPECT_EQ((running[{event.actor.cta, event.id}]++), 0);
  }
  void onAsyncEnd(const AsyncEvent &event) override {
    EXPECT_EQ((--running[{event.actor.cta, event.id}]), 0);
  }
};
} // namespace

static Bytes observeWarp(const std::string &body, LaunchOptions options = {}) {
  TestKernel kernel(entry(1,
                          R"(
  .shared .align 16 .b8 tile[4096];
  .local .align 16 .b8 stack[64];
  mov.u32 %r1, tile;
  mad.lo.u32 %r1, %t, 32, %r1;
  mul.wide.u32 %rd1, %t, 32;
  add.u64 %rd1, %p0, %rd1;
)" + body,
                          ".const .align 16 .b8 table[64];"),
                    options);
  EXPECT_EQ(kernel.error, "") << body;
  Bytes bytes;
  if (!kernel.module)
    return bytes;
  kernel.parameters.block = {32, 1, 1};
  kernel.buffer(std::vector<uint32_t>(1024, 0));
  kernel.simulator->addObserver(bytes);
  EXPECT_EQ(kernel.run(), "") << body;
  for (const auto &[operation, open] : bytes.running)
    EXPECT_EQ(open, 0) << body;
  return bytes;
}

TEST(Observer, EveryKindOfAccess) {
  struct Case {
    const char *text;
    Space space;
    AccessKind kind;
    unsigned bytes;
  };
  const auto read = AccessKind::Read, write = AccessKind::Write,
             atomic = AccessKind::Atomic;
  const auto global = Space::Global, shared = Space::Shared;
  for (const Case &c : {
           Case{"ld.global.v4.u32 {%r2, %r3, %r4, %r5}, [%rd1];", global, read,
                512},
           Case{"ld.global.v2.u8 {%h2, %h3}, [%rd1];", global, read, 64},
           Case{"ld.global.v4.u64 {%rd2, %rd3, %rd4, %rd5}, [%rd1];", global,
                read, 1024},
           Case{"ld.u64 %rd2, [%rd1+8];", global, read, 256},
           Case{"st.global.u16 [%rd1], %h1;", global, write, 64},
           Case{"st.shared.v2.b64 [%r1], {%rd1, %rd2};", shared, write, 512},
           Case{"ld.shared.b32 %r2, [%r1];", shared, read, 128},
           Case{"st.local.u32 [stack+4], %r2;", Space::Local, write, 128},
           Case{"ld.const.v2.u32 {%r2, %r3}, [table];", Space::Constant, read,
                256 + 256},
           Case{"atom.global.add.u32 %r2, [%rd1], 1;", global, atomic, 128},
           Case{"red.global.add.u64 [%rd1], 1;", global, atomic, 256},
           Case{"atom.shared.cas.b32 %r2, [%r1], 0, 1;", shared, atomic, 128},
           Case{"ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r2, %r3, %r4, "
                "%r5}, [%r1];",
                shared, read, 512},
           Case{"ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r2}, [%r1];",
                shared, read, 128},
           Case{"stmatrix.sync.aligned.m8n8.x2.shared.b16 [%r1], {%r2, %r3};",
                shared, write, 256},
           Case{"wmma.store.d.sync.aligned.row.m16n16k16.global.f32 [%p0], "
                "{%f0, %f1, %f2, %f3, %f4, %f5, %f6, %f7};",
                global, write, 1024},
           Case{"wmma.load.a.sync.aligned.row.m16n16k16.global.f16 {%r2, %r3, "
                "%r4, %r5, %r6, %r7, %r8, %r9}, [%p0];",
                global, read, 512},
           Case{"cp.async.ca.shared.global [%r1], [%rd1], 8; "
                "cp.async.wait_all;",
                shared, write, 256},
           Case{"cp.async.cg.shared.global [%r1], [%rd1], 16; "
                "cp.async.wait_all;",
                global, read, 512},
       }) {
    Bytes bytes = observeWarp(c.text);
    EXPECT_EQ((bytes.count[{c.space, c.kind}]), c.bytes) << c.text;
  }
}

TEST(Observer, CopiesBeginAndEnd) {
  for (AsyncMode mode :
       {AsyncMode::Eager, AsyncMode::Lazy, AsyncMode::Random}) {
    LaunchOptions options;
    options.async = mode;
    Bytes bytes = observeWarp("cp.async.ca.shared.global [%r1], [%rd1], 8;\n"
                              "cp.async.commit_group;\n"
                              "cp.async.ca.shared.global [%r1+8], [%rd1], 4;\n"
                              "cp.async.wait_all;",
                              options);
    EXPECT_EQ(bytes.begun, 64u);
    EXPECT_EQ((bytes.count[{Space::Shared, AccessKind::Write}]), 32u * 12);
    EXPECT_EQ((bytes.count[{Space::Global, AccessKind::Read}]), 32u * 12);
  }
}
