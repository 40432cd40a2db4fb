//===- SchedulingTest.cpp - diverged lanes, fairness, who waits -----------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestKernel.h"

using namespace tirx::sim;

namespace {

/// Runs a body on one CTA with a buffer of 64 zeros behind %p0.
struct Scheduled {
  explicit Scheduled(const std::string &body, unsigned threads = 32,
                     LaunchOptions options = {})
      : kernel(entry(1, body), options) {
    kernel.parameters.block = {threads, 1, 1};
    out = kernel.buffer(std::vector<uint32_t>(64));
    rules = kernel.run();
  }
  std::vector<uint32_t> memory() { return TestKernel::read<uint32_t>(out); }

  TestKernel kernel;
  Allocation *out;
  std::string rules;
};

const char kStoreR1[] = "mul.wide.u32 %rd1, %t, 4;\n"
                        "add.u64 %rd1, %rd1, %p0;\n"
                        "st.global.u32 [%rd1], %r1;\n";

TEST(SchedulingTest, WarpSyncMeetsAtDifferentPlaces) {
  // The upper half passes a value to the lower half; each has its own barrier.
  Scheduled run(std::string(".shared .align 4 .b8 s[128];\n"
                            "mov.u32 %r2, s;\n"
                            "mad.lo.u32 %r3, %t, 4, %r2;\n"
                            "setp.lt.u32 %q1, %t, 16;\n"
                            "@%q1 bra LOWER;\n"
                            "add.u32 %r4, %t, 100;\n"
                            "st.shared.u32 [%r3+-64], %r4;\n"
                            "bar.warp.sync -1;\n"
                            "mov.u32 %r1, 1;\n"
                            "bra DONE;\n"
                            "LOWER:\n"
                            "bar.warp.sync -1;\n"
                            "ld.shared.u32 %r1, [%r3];\n"
                            "DONE:\n") +
                kStoreR1);
  ASSERT_EQ(run.rules, "");
  auto memory = run.memory();
  for (unsigned lane = 0; lane < 32; ++lane)
    EXPECT_EQ(memory[lane], lane < 16 ? lane + 116 : 1) << lane;
  EXPECT_TRUE(run.kernel.simulator->getLog().empty());
}

TEST(SchedulingTest, WarpSyncInLoopsOfDifferentCode) {
  // Producer and consumer in one warp take turns 10 times.
  Scheduled run(".shared .align 4 .b8 s[4];\n"
                "mov.u32 %r2, s;\nmov.u32 %r5, 0;\nmov.u32 %r1, 0;\n"
                "setp.eq.u32 %q1, %t, 0;\n"
                "@%q1 bra CONSUME;\n"
                "PRODUCE:\n"
                "setp.eq.u32 %q2, %t, 1;\n"
                "@%q2 st.shared.u32 [%r2], %r5;\n"
                "bar.warp.sync -1;\n"
                "bar.warp.sync -1;\n"
                "add.u32 %r5, %r5, 1;\n"
                "setp.lt.u32 %q3, %r5, 10;\n"
                "@%q3 bra PRODUCE;\n"
                "ret;\n"
                "CONSUME:\n"
                "bar.warp.sync -1;\n"
                "ld.shared.u32 %r6, [%r2];\n"
                "mad.lo.u32 %r1, %r1, 3, %r6;\n"
                "bar.warp.sync -1;\n"
                "add.u32 %r5, %r5, 1;\n"
                "setp.lt.u32 %q3, %r5, 10;\n"
                "@%q3 bra CONSUME;\n"
                "st.global.u32 [%p0], %r1;\n");
  ASSERT_EQ(run.rules, "");
  uint32_t expected = 0;
  for (uint32_t n = 0; n < 10; ++n)
    expected = expected * 3 + n;
  EXPECT_EQ(run.memory()[0], expected);
}

TEST(SchedulingTest, WarpSyncWithAnotherMaskIsNoArrival) {
  Scheduled run("setp.lt.u32 %q1, %t, 16;\n"
                "@%q1 bra LOWER;\n"
                "bar.warp.sync -1;\n"
                "WAIT:\nbra WAIT;\n"
                "LOWER:\n"
                "bar.warp.sync 65535;\n"
                "bar.sync 0;\n");
  EXPECT_EQ(run.rules, "deadlock");
  std::string notes;
  for (const std::string &note : run.kernel.report().notes)
    notes += note + "\n";
  EXPECT_NE(notes.find("lanes 0xffff0000"), std::string::npos) << notes;
  EXPECT_NE(notes.find("waits at barrier 0: 16 of 32"), std::string::npos)
      << notes;
}

/// Lanes take a lock one after the other, and do something while they spin.
std::string spinLock(const std::string &spinning) {
  return ".local .align 4 .b8 l[4];\n"
         "mov.u64 %rd5, l;\n"
         "AGAIN:\n" +
         spinning +
         "atom.global.cas.b32 %r1, [%p0], 0, 1;\n"
         "setp.ne.u32 %q1, %r1, 0;\n"
         "@%q1 bra AGAIN;\n"
         "ld.volatile.global.u32 %r2, [%p0+4];\n"
         "add.u32 %r2, %r2, 1;\n"
         "st.volatile.global.u32 [%p0+4], %r2;\n"
         "atom.global.exch.b32 %r1, [%p0], 0;\n";
}

TEST(SchedulingTest, LockBetweenLanesOfOneWarp) {
  Scheduled run(spinLock(""), 64);
  ASSERT_EQ(run.rules, "");
  EXPECT_EQ(run.memory()[1], 64u);
}

TEST(SchedulingTest, StoresToLocalMemoryAreNoProgress) {
  // Unoptimised code keeps its variables in local memory.
  LaunchOptions options;
  options.maxSteps = 20 * 1000 * 1000;
  Scheduled run(spinLock("st.local.u32 [%rd5], %t;\n"), 32, options);
  ASSERT_EQ(run.rules, "");
  EXPECT_EQ(run.memory()[1], 32u);
}

TEST(SchedulingTest, ProgressOfOthersDoesNotStarveParkedLanes) {
  // Warp 1 stores other values all the time until warp 0 is through its lock,
  // and lanes that spin count their attempts where all can see it.
  LaunchOptions options;
  options.maxSteps = 200 * 1000 * 1000;
  Scheduled run("setp.ge.u32 %q5, %t, 32;\n"
                "@%q5 bra BUSY;\n" +
                    spinLock("atom.global.add.u32 %r9, [%p0+12], 1;\n") +
                    "bar.warp.sync -1;\n"
                    "st.volatile.global.u32 [%p0+8], 1;\n"
                    "ret;\n"
                    "BUSY:\n"
                    "add.u32 %r8, %r8, 1;\n"
                    "st.volatile.global.u32 [%p0+128], %r8;\n"
                    "ld.volatile.global.u32 %r3, [%p0+8];\n"
                    "setp.eq.u32 %q2, %r3, 0;\n"
                    "@%q2 bra BUSY;\n",
                64, options);
  ASSERT_EQ(run.rules, "");
  EXPECT_EQ(run.memory()[1], 32u);
}

/// Lane 0 reads and adds for long, while nobody else does anything.
const char kLongLoop[] = ".shared .align 128 .b8 s[1024];\n"
                         "mov.u32 %r2, s;\n"
                         "mad.lo.u32 %r3, %t, 16, %r2;\n"
                         "st.shared.v4.u32 [%r3], {%t, %t, %t, %t};\n"
                         "setp.ne.u32 %q1, %t, 0;\n"
                         "mov.u32 %r5, 0;\n"
                         "@%q1 bra MEET;\n"
                         "LOOP:\n"
                         "ld.shared.u32 %r6, [%r2];\n"
                         "add.u32 %r5, %r5, 1;\n"
                         "setp.lt.u32 %q2, %r5, 500000;\n"
                         "@%q2 bra LOOP;\n"
                         "MEET:\n";

TEST(SchedulingTest, AlignedInstructionsWaitForTheirWarp) {
  Scheduled run(kLongLoop +
                std::string("ldmatrix.sync.aligned.m8n8.x1.shared.b16 "
                            "{%r1}, [%r3];\n") +
                kStoreR1);
  ASSERT_EQ(run.rules, "");
  auto memory = run.memory();
  for (unsigned lane = 0; lane < 32; ++lane)
    EXPECT_EQ(memory[lane], lane / 4) << lane;
}

TEST(SchedulingTest, AlignedInstructionOfHalfAWarp) {
  Scheduled run(".shared .align 128 .b8 s[1024];\n"
                "mov.u32 %r2, s;\n"
                "setp.lt.u32 %q1, %t, 16;\n"
                "@%q1 bra END;\n"
                "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r1}, [%r2];\n"
                "END:\n");
  EXPECT_EQ(run.rules, "R36");
}

TEST(SchedulingTest, AlignedInstructionsOfTwoHalvesNeverMeet) {
  Scheduled run(".shared .align 128 .b8 s[1024];\n"
                "mov.u32 %r2, s;\n"
                "setp.lt.u32 %q1, %t, 16;\n"
                "@%q1 bra OTHER;\n"
                "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r1}, [%r2];\n"
                "bra END;\n"
                "OTHER:\n"
                "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r3}, [%r2];\n"
                "END:\n");
  ASSERT_EQ(run.rules, "R36");
  EXPECT_EQ(run.kernel.report().notes.size(), 2u);
  for (const std::string &note : run.kernel.report().notes)
    EXPECT_NE(note.find("waits for the lanes 0xffffffff of its warp"),
              std::string::npos)
        << note;
}

TEST(SchedulingTest, RandomOrderOfWarpsIsThatOfTheSeed) {
  // 8 warps take tickets; the order of warps is the result.
  const std::string body = "shr.u32 %r2, %t, 5;\n"
                           "and.b32 %r3, %t, 31;\n"
                           "setp.ne.u32 %q1, %r3, 0;\n"
                           "@%q1 ret;\n"
                           "atom.global.add.u32 %r4, [%p0], 1;\n"
                           "mul.wide.u32 %rd1, %r4, 4;\n"
                           "add.u64 %rd1, %rd1, %p0;\n"
                           "st.global.u32 [%rd1+4], %r2;\n";
  auto order = [&](AsyncMode mode, uint64_t seed) {
    LaunchOptions options;
    options.async = mode;
    options.seed = seed;
    Scheduled run(body, 256, options);
    EXPECT_EQ(run.rules, "");
    auto memory = run.memory();
    return std::vector<uint32_t>(memory.begin() + 1, memory.begin() + 9);
  };
  EXPECT_EQ(order(AsyncMode::Eager, 1),
            (std::vector<uint32_t>{0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(order(AsyncMode::Random, 1), order(AsyncMode::Random, 1));
  EXPECT_NE(order(AsyncMode::Random, 1), order(AsyncMode::Random, 2));
}

TEST(SchedulingTest, InstructionThatTheTargetLacks) {
  auto module = Module::load(".version 7.0\n.target sm_75\n"
                             ".address_size 64\n"
                             ".entry k()\n{\n.reg .b32 %r<3>;\n"
                             "redux.sync.add.u32 %r1, %r2, -1;\nret;\n}\n",
                             "old.ptx");
  ASSERT_FALSE(bool(module));
  std::string message = llvm::toString(module.takeError());
  EXPECT_NE(message.find("old.ptx:7"), std::string::npos) << message;
  EXPECT_NE(message.find("sm_80"), std::string::npos) << message;
}

/// Every way in which a warp can access memory as a whole gives what its lanes
/// give one by one (an observer makes them go one by one).
struct Accesses : ::testing::TestWithParam<std::tuple<std::string, int>> {};

TEST_P(Accesses, WholeWarpsAndLanesAgree) {
  auto [type, pattern] = GetParam();
  // Offsets of lanes: dense, uniform, reversed, strided, two alike, odd lanes.
  const char *patterns[] = {
      "mov.u32 %r5, %t;\n",     "mov.u32 %r5, 3;\n",
      "sub.u32 %r5, 31, %t;\n", "mul.lo.u32 %r5, %t, 5;\n",
      "shr.u32 %r5, %t, 1;\n",
      R"(and.b32 %r6, %t, 1;
         setp.eq.u32 %q1, %r6, 0;
         @%q1 bra END;
         mov.u32 %r5, %t;
)"};
  llvm::StringRef text(type);
  bool isVector = text.starts_with("v");
  unsigned count = isVector ? text[1] - '0' : 1;
  llvm::StringRef element = isVector ? text.substr(3) : text;
  unsigned bits = 0;
  element.drop_front(1).getAsInteger(10, bits);
  unsigned bytes = bits / 8 * count;
  std::string prefix = bits == 64 ? "%rd" : "%r", values;
  for (unsigned n = 0; n < count; ++n)
    values += (n ? ", " : "") + prefix + std::to_string(20 + n);
  if (isVector)
    values = "{" + values + "}";
  std::string body = patterns[pattern];
  body += "mul.wide.u32 %rd1, %r5, " + std::to_string(bytes) +
          ";\nadd.u64 %rd2, %p0, %rd1;\nadd.u64 %rd3, %p1, %rd1;\n"
          "ld.global." +
          type + " " + values + ", [%rd2];\n";
  for (unsigned n = 0; n < count; ++n)
    body += (bits == 64 ? "add.u64 " : "add.u32 ") + prefix +
            std::to_string(20 + n) + ", " + prefix + std::to_string(20 + n) +
            ", " + std::to_string(n + 1) + ";\n";
  body += "st.global." + type + " [%rd3], " + values + ";\nEND:\n";
  std::vector<uint8_t> data(8192);
  for (size_t n = 0; n < data.size(); ++n)
    data[n] = n * 2654435761u >> 13;
  Observer observer;
  std::vector<uint8_t> results[2];
  for (bool one : {false, true}) {
    TestKernel kernel(entry(2, body));
    kernel.parameters.block = {32, 1, 1};
    if (one)
      kernel.simulator->addObserver(observer);
    kernel.buffer(data);
    auto *out = kernel.empty(8192);
    ASSERT_EQ(kernel.run(), "");
    results[one] = TestKernel::read<uint8_t>(out);
    for (size_t n = 0; n < out->size(); ++n)
      results[one].push_back(out->store.isWritten(n, 1));
  }
  EXPECT_EQ(results[0], results[1]);
  EXPECT_NE(results[0], std::vector<uint8_t>(results[0].size()));
}

INSTANTIATE_TEST_SUITE_P(
    SchedulingTest, Accesses,
    ::testing::Combine(::testing::Values("u8", "s8", "u16", "s16", "u32", "s32",
                                         "u64", "v2.u32", "v4.u32", "v2.u64",
                                         "v4.u8", "v2.s16"),
                       ::testing::Range(0, 6)));

} // namespace
