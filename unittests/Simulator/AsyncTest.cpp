//===- AsyncTest.cpp - when asynchronous work takes effect ----------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestKernel.h"
#include "gtest/gtest.h"
#include <set>

using namespace tirx::sim;

namespace {

LaunchOptions modeOf(AsyncMode mode, uint64_t seed = 0) {
  LaunchOptions options;
  options.async = mode;
  options.seed = seed;
  return options;
}

/// Copies two words of p0 with cp.async, in two groups, and stores what the
/// shared words hold after `wait` to p1.
std::vector<uint32_t> copyTwo(const std::string &wait, LaunchOptions options) {
  TestKernel kernel(entry(2,
                          R"(.shared .align 16 .b8 s[16];
mov.u32 %r0, s;
st.shared.u32 [%r0], 100;
st.shared.u32 [%r0+4], 200;
cp.async.ca.shared.global [%r0], [%p0], 4;
cp.async.commit_group;
cp.async.ca.shared.global [%r0+4], [%p0+4], 4;
cp.async.commit_group;
)" + wait + R"(
ld.shared.u32 %r1, [%r0];
ld.shared.u32 %r2, [%r0+4];
st.global.u32 [%p1], %r1;
st.global.u32 [%p1+4], %r2;)"),
                    options);
  kernel.buffer<uint32_t>({1, 2});
  Allocation *out = kernel.empty(8);
  EXPECT_EQ(kernel.run(), "");
  return TestKernel::read<uint32_t>(out);
}

using Words = std::vector<uint32_t>;

TEST(AsyncCopy, WaitsAreForTheOldestGroups) {
  LaunchOptions lazy = modeOf(AsyncMode::Lazy);
  EXPECT_EQ(copyTwo("", lazy), (Words{100, 200}));
  EXPECT_EQ(copyTwo("cp.async.wait_group 2;", lazy), (Words{100, 200}));
  EXPECT_EQ(copyTwo("cp.async.wait_group 1;", lazy), (Words{1, 200}));
  EXPECT_EQ(copyTwo("cp.async.wait_group 0;", lazy), (Words{1, 2}));
  EXPECT_EQ(copyTwo("cp.async.wait_all;", lazy), (Words{1, 2}));
  LaunchOptions eager = modeOf(AsyncMode::Eager);
  EXPECT_EQ(copyTwo("", eager), (Words{1, 2}));
}

TEST(AsyncCopy, RandomIsInBetweenAndDeterministic) {
  std::set<Words> seen;
  for (uint64_t seed = 0; seed < 256; ++seed) {
    Words values = copyTwo("", modeOf(AsyncMode::Random, seed));
    EXPECT_EQ(values, copyTwo("", modeOf(AsyncMode::Random, seed)));
    EXPECT_EQ(
        copyTwo("cp.async.wait_group 0;", modeOf(AsyncMode::Random, seed)),
        (Words{1, 2}));
    seen.insert(values);
  }
  // Copies of one thread are unordered.
  EXPECT_EQ(seen.size(), 4u);
}

TEST(AsyncCopy, EmptyGroupsCount) {
  LaunchOptions lazy = modeOf(AsyncMode::Lazy);
  EXPECT_EQ(copyTwo("cp.async.commit_group;\ncp.async.wait_group 1;", lazy),
            (Words{1, 2}));
  EXPECT_EQ(copyTwo("cp.async.commit_group;\ncp.async.wait_group 2;", lazy),
            (Words{1, 200}));
}

/// Copies 16 bytes and waits for them at an mbarrier of `count` arrivals.
std::string copyArrive(const std::string &arrive, unsigned count,
                       LaunchOptions options, Words *values = nullptr) {
  TestKernel kernel(entry(2,
                          R"(.shared .align 16 .b8 s[32];
mov.u32 %r0, s;
setp.eq.u32 %q0, %t, 0;
@%q0 mbarrier.init.shared.b64 [%r0+16], )" +
                              std::to_string(count) + R"(;
bar.sync 0;
shl.b32 %r1, %t, 2;
add.u32 %r2, %r0, %r1;
cvt.u64.u32 %rd0, %r1;
add.u64 %rd1, %p0, %rd0;
st.shared.u32 [%r2], 77;
cp.async.ca.shared.global [%r2], [%rd1], 4;
)" + arrive + R"(
W: mbarrier.try_wait.parity.shared.b64 %q1, [%r0+16], 0;
@!%q1 bra W;
xor.b32 %r3, %r2, 4;
ld.shared.u32 %r4, [%r3];
add.u64 %rd2, %p1, %rd0;
st.global.u32 [%rd2], %r4;)"),
                    options);
  kernel.parameters.block = {4, 1, 1};
  kernel.buffer<uint32_t>({10, 11, 12, 13});
  Allocation *out = kernel.empty(16);
  std::string result = kernel.run();
  if (values)
    *values = TestKernel::read<uint32_t>(out);
  return result;
}

TEST(AsyncCopy, ArrivesAtAnMBarrierWhenCopiesAreComplete) {
  for (AsyncMode mode :
       {AsyncMode::Eager, AsyncMode::Lazy, AsyncMode::Random}) {
    Words values;
    EXPECT_EQ(copyArrive("cp.async.mbarrier.arrive.noinc.shared.b64 [%r0+16];",
                         4, modeOf(mode), &values),
              "");
    EXPECT_EQ(values, (Words{11, 10, 13, 12}));
    // Without .noinc it leaves the count as it was: threads arrive themselves.
    EXPECT_EQ(copyArrive("cp.async.mbarrier.arrive.shared.b64 [%r0+16];\n"
                         "mbarrier.arrive.shared.b64 %rd5, [%r0+16];",
                         4, modeOf(mode), &values),
              "");
    EXPECT_EQ(values, (Words{11, 10, 13, 12}));
    EXPECT_EQ(copyArrive("cp.async.mbarrier.arrive.shared.b64 [%r0+16];", 4,
                         modeOf(mode)),
              "deadlock");
  }
}

TEST(AsyncCopy, PollingIsAWait) {
  // Each of 64 threads copies a word; nobody suspends. Between two looks all
  // work is local.
  LaunchOptions lazy = modeOf(AsyncMode::Lazy);
  lazy.maxSteps = 200000;
  TestKernel kernel(entry(2,
                          R"(.shared .align 16 .b8 s[272];
mov.u32 %r0, s;
setp.ne.u32 %q0, %t, 0;
@!%q0 mbarrier.init.shared.b64 [%r0+256], 64;
bar.sync 0;
shl.b32 %r1, %t, 2;
cvt.u64.u32 %rd0, %r1;
add.u64 %rd1, %p0, %rd0;
add.u64 %rd2, %p1, %rd0;
add.u32 %r2, %r0, %r1;
cp.async.ca.shared.global [%r2], [%rd1], 4;
cp.async.mbarrier.arrive.noinc.shared.b64 [%r0+256];
LOOK:
mad.lo.u32 %r3, %r3, 5, 1;
mbarrier.test_wait.parity.shared.b64 %q1, [%r0+256], 0;
@!%q1 bra LOOK;
xor.b32 %r1, %r1, 252;
add.u32 %r2, %r0, %r1;
ld.shared.u32 %r4, [%r2];
st.global.u32 [%rd2], %r4;)"),
                    lazy);
  Words in(64), reversed(64);
  for (unsigned n = 0; n < 64; ++n)
    in[n] = reversed[63 - n] = n * n + 1;
  kernel.buffer(in);
  Allocation *out = kernel.empty(256);
  kernel.parameters.block = {64, 1, 1};
  EXPECT_EQ(kernel.run(), "");
  EXPECT_EQ(TestKernel::read<uint32_t>(out), reversed);
}

} // namespace
