//===- GridDependencyTest.cpp - griddepcontrol between launches -----------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestKernel.h"

using namespace tirx::sim;

namespace {

/// Each of 64 threads writes its number + 1 to p0.
const char *const kFirst = R"(mul.wide.u32 %rd0, %t, 4;
add.u64 %rd0, %rd0, %p0;
add.u32 %r0, %t, 1;
st.global.u32 [%rd0], %r0;
griddepcontrol.launch_dependents;)";

/// Runs it, then a grid that executes `before` and reads p0 to p1.
std::string run(const std::string &before, AsyncMode mode,
                bool dependent = true, bool *right = nullptr) {
  LaunchOptions options;
  options.async = mode;
  TestKernel kernel(entry(2, kFirst), options);
  kernel.parameters.block = {64, 1, 1};
  kernel.parameters.hasDependent = dependent;
  kernel.buffer(std::vector<uint32_t>(64, 7));
  Allocation *out = kernel.empty(256);
  EXPECT_EQ(kernel.run(), "");
  auto second = Module::load(
      entry(2, "setp.lt.u32 %q0, %t, 32;\nmul.wide.u32 %rd0, %t, 4;\n"
               "add.u64 %rd1, %rd0, %p0;\nadd.u64 %rd2, %rd0, %p1;\n" +
                   before +
                   "\nld.global.u32 %r0, [%rd1];\n"
                   "st.global.u32 [%rd2], %r0;"),
      "second.ptx", 1);
  if (!second)
    return "!" + llvm::toString(second.takeError());
  kernel.module = std::move(*second);
  kernel.parameters.isDependent = dependent;
  kernel.parameters.hasDependent = false;
  std::string rules = kernel.run();
  std::vector<uint32_t> got = TestKernel::read<uint32_t>(out);
  if (right)
    *right = got.front() == 1 && got.back() == 64;
  return rules;
}

constexpr AsyncMode kLate[] = {AsyncMode::Lazy, AsyncMode::Random};

TEST(GridDependency, BehindTheWaitAllIsThere) {
  for (AsyncMode mode :
       {AsyncMode::Eager, AsyncMode::Lazy, AsyncMode::Random}) {
    bool right = false;
    EXPECT_EQ(run("griddepcontrol.wait;", mode, true, &right), "");
    EXPECT_TRUE(right);
  }
}

TEST(GridDependency, WithoutIt) {
  for (AsyncMode mode : kLate) {
    EXPECT_EQ(run("", mode), "R12");
    // Only a launch that says so may begin early.
    bool right = false;
    EXPECT_EQ(run("", mode, false, &right), "");
    EXPECT_TRUE(right);
  }
  EXPECT_EQ(run("", AsyncMode::Eager), "");
}

TEST(GridDependency, EveryWarpThatReads) {
  for (AsyncMode mode : kLate) {
    // One warp waits, the other one reads, too.
    EXPECT_EQ(run("@%q0 griddepcontrol.wait;", mode), "R12");
    EXPECT_EQ(run("@%q0 griddepcontrol.wait;\nbar.sync 0;", mode), "");
  }
}

TEST(GridDependency, BulkCopiesToo) {
  auto copy = [](const std::string &wait) {
    return ".shared .align 16 .b8 s[16];\nmov.u32 %r1, s;\n"
           "setp.ne.u32 %q1, %t, 0;\n@%q1 bra E;\n" +
           wait +
           "cp.async.bulk.prefetch.L2.global [%p0], 16;\n"
           ".shared .align 8 .b64 b;\nmbarrier.init.shared.b64 [b], 1;\n"
           "mbarrier.arrive.expect_tx.shared.b64 %rd4, [b], 16;\n"
           "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
           "[%r1], [%p0], 16, [b];\n"
           "W: mbarrier.try_wait.parity.shared.b64 %q2, [b], 0;\n"
           "@!%q2 bra W;\nE:\ngriddepcontrol.wait;";
  };
  EXPECT_EQ(run(copy(""), AsyncMode::Lazy), "R12");
  EXPECT_EQ(run(copy("griddepcontrol.wait;\n"), AsyncMode::Lazy), "");
}

TEST(GridDependency, BytesThatTheEarlierGridLeftAlone) {
  for (AsyncMode mode : kLate)
    EXPECT_EQ(run("ld.global.u32 %r1, [%p1+-65536];", mode), "R42");
  GlobalMemory memory;
  Allocation *allocation = llvm::cantFail(memory.allocate("a", 64));
  GridWrites writes;
  writes.begin(memory);
  allocation->store.data()[10] ^= 1;
  allocation->store.data()[11] ^= 1;
  writes.end(memory);
  EXPECT_FALSE(writes.overlaps(allocation->base, 10));
  EXPECT_TRUE(writes.overlaps(allocation->base, 11));
  EXPECT_TRUE(writes.overlaps(allocation->base + 11, 1));
  EXPECT_FALSE(writes.overlaps(allocation->base + 12, 52));
}

} // namespace
