//===- ThreadsTest.cpp - clusters on threads of the host ------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TIRx/Simulator/Counters.h"
#include "TestKernel.h"
#include "llvm/Support/raw_ostream.h"

using namespace tirx::sim;

namespace {

/// What a launch leaves behind: memory, every report and the statistics.
struct Trace {
  std::vector<uint32_t> memory;
  std::string reports;
  LaunchStatistics statistics;
};

/// Runs `body` in `ctas` CTAs of 64 threads; parameter 0 is a buffer of zeros.
/// %r90 is the number of the CTA, %r91 that of the thread in the grid.
Trace runOn(unsigned threads, const std::string &body, unsigned ctas = 40,
            LaunchOptions options = {}, Observer *observer = nullptr) {
  options.threads = threads;
  TestKernel kernel(entry(1, "mov.u32 %r90, %ctaid.x;\n"
                             "mad.lo.u32 %r91, %r90, 64, %t;\n" +
                                 body),
                    options);
  kernel.parameters.grid = {ctas, 1, 1};
  kernel.parameters.block = {64, 1, 1};
  auto *out = kernel.buffer(std::vector<uint32_t>(ctas * 64));
  if (observer)
    kernel.simulator->addObserver(*observer);
  std::string error = kernel.run();
  EXPECT_FALSE(llvm::StringRef(error).starts_with("!")) << error;
  Trace trace;
  trace.memory = TestKernel::read<uint32_t>(out);
  llvm::raw_string_ostream os(trace.reports);
  for (const Report &report : kernel.simulator->getLog().getReports())
    printReport(report, "", os);
  trace.statistics = kernel.statistics;
  return trace;
}

void expectSame(const Trace &a, const Trace &b, bool memoryToo = true) {
  EXPECT_EQ(a.reports, b.reports);
  EXPECT_EQ(a.statistics.warpInstructions, b.statistics.warpInstructions);
  EXPECT_EQ(a.statistics.ctas, b.statistics.ctas);
  EXPECT_EQ(a.statistics.uninitialisedReads, b.statistics.uninitialisedReads);
  if (memoryToo)
    EXPECT_EQ(a.memory, b.memory);
}

const char kAddress[] = "mul.wide.u32 %rd1, %r91, 4;\n"
                        "add.u64 %rd1, %rd1, %p0;\n";

/// All CTAs count in 16 counters.
const char kHistogram[] = "and.b32 %r1, %r91, 15;\n"
                          "mul.wide.u32 %rd1, %r1, 4;\n"
                          "add.u64 %rd1, %rd1, %p0;\n"
                          "mov.u32 %r2, 0;\n"
                          "LOOP:\n"
                          "red.global.add.u32 [%rd1], %r90;\n"
                          "add.u32 %r2, %r2, 1;\n"
                          "setp.lt.u32 %q1, %r2, 50;\n"
                          "@%q1 bra LOOP;\n";

TEST(ThreadsTest, ReductionsOfIntegersLoseNothing) {
  Trace one = runOn(1, kHistogram);
  // 4 threads of each CTA count in one counter, 50 times.
  EXPECT_EQ(one.memory[3], 50u * 4 * (40 * 39 / 2));
  for (unsigned threads : {2, 5, 16})
    expectSame(one, runOn(threads, kHistogram));
}

TEST(ThreadsTest, TicketsAreInTheOrderOfOneThread) {
  // A value that comes back depends on who was there before.
  std::string body = std::string(kAddress) +
                     "atom.global.add.u32 %r1, [%p0], 1;\n"
                     "setp.eq.u32 %q1, %r91, 0;\n"
                     "@!%q1 st.global.u32 [%rd1], %r1;\n";
  Trace one = runOn(1, body);
  for (unsigned threads : {2, 7})
    expectSame(one, runOn(threads, body));
}

TEST(ThreadsTest, CtasMayWaitForEachOther) {
  // CTA 0 waits for what the last one stores.
  std::string body = "setp.ne.u32 %q1, %r90, 0;\n"
                     "@%q1 bra LAST;\n"
                     "WAIT:\n"
                     "ld.acquire.gpu.global.u32 %r1, [%p0];\n"
                     "setp.eq.u32 %q2, %r1, 0;\n"
                     "@%q2 bra WAIT;\n"
                     "ret;\n"
                     "LAST:\n"
                     "setp.ne.u32 %q1, %r90, 39;\n"
                     "@%q1 ret;\n"
                     "st.release.gpu.global.u32 [%p0], 5;\n";
  for (unsigned threads : {1, 3})
    EXPECT_EQ(runOn(threads, body).memory[0], 5u);
}

TEST(ThreadsTest, FirstFailingCtaIsTheOneReported) {
  // CTAs from 17 on are out of bounds; later ones are much faster to fail.
  std::string body = "mov.u32 %r2, 4000;\n"
                     "setp.ge.u32 %q2, %r90, 18;\n"
                     "@%q2 mov.u32 %r2, 1;\n"
                     "LOOP:\n"
                     "sub.u32 %r2, %r2, 1;\n"
                     "setp.gt.u32 %q1, %r2, 0;\n"
                     "@%q1 bra LOOP;\n" +
                     std::string(kAddress) +
                     "setp.ge.u32 %q1, %r90, 17;\n"
                     "@%q1 add.u64 %rd1, %rd1, 1048576;\n"
                     "st.global.u32 [%rd1], %r90;\n";
  Trace one = runOn(1, body);
  EXPECT_NE(one.reports.find("at cta (17, 0, 0)"), std::string::npos)
      << one.reports;
  EXPECT_EQ(one.statistics.ctas, 18u);
  for (unsigned threads : {2, 4, 9})
    expectSame(one, runOn(threads, body), /*memoryToo=*/false);
}

TEST(ThreadsTest, WarningsAreCountedOverAllCtas) {
  std::string body = ".shared .align 4 .b8 s[256];\n" + std::string(kAddress) +
                     "mov.u32 %r1, s;\n"
                     "mad.lo.u32 %r1, %t, 4, %r1;\n"
                     "ld.shared.u32 %r2, [%r1];\n"
                     "st.global.u32 [%rd1], %r2;\n";
  Trace one = runOn(1, body);
  EXPECT_EQ(one.statistics.uninitialisedReads, 40u * 64);
  EXPECT_NE(one.reports.find("2560 times"), std::string::npos) << one.reports;
  for (unsigned threads : {2, 4})
    expectSame(one, runOn(threads, body));
}

TEST(ThreadsTest, StepLimitHoldsForTheWholeGrid) {
  LaunchOptions options;
  options.maxSteps = 5000;
  Trace one = runOn(1, kHistogram, 40, options);
  EXPECT_NE(one.reports.find("expected at most 5000 warp instructions"),
            std::string::npos)
      << one.reports;
  EXPECT_LT(one.statistics.ctas, 40u);
  for (unsigned threads : {2, 4})
    expectSame(one, runOn(threads, kHistogram, 40, options),
               /*memoryToo=*/false);
}

TEST(ThreadsTest, NeighboursInOneWordOfWrittenBits) {
  // Each thread stores one byte; others must know of each.
  std::string body = "cvt.u64.u32 %rd1, %r91;\n"
                     "add.u64 %rd1, %rd1, %p1;\n"
                     "st.global.u8 [%rd1], %r90;\n";
  for (unsigned threads : {1, 4}) {
    LaunchOptions options;
    options.threads = threads;
    TestKernel kernel(entry(2, "mov.u32 %r90, %ctaid.x;\n"
                               "mad.lo.u32 %r91, %r90, 3, %t;\n" +
                                   body),
                      options);
    kernel.parameters.grid = {999, 1, 1};
    kernel.parameters.block = {3, 1, 1};
    kernel.buffer(std::vector<uint32_t>(1));
    auto *out = kernel.empty(2997);
    EXPECT_EQ(kernel.run(), "");
    EXPECT_TRUE(out->store.isWritten(0, 2997));
  }
}

/// Calls of an observer that may not overlap.
struct Exclusive : Observer {
  void onInstruction(const InstructionEvent &event) override {
    EXPECT_GE(event.actor.cta, last);
    last = event.actor.cta;
  }
  uint64_t last = 0;
};

TEST(ThreadsTest, ObserversSeeCtasInOrder) {
  Exclusive observer;
  runOn(8, kHistogram, 40, {}, &observer);
  EXPECT_EQ(observer.last, 39u);
}

TEST(ThreadsTest, CountersAreThoseOfOneThread) {
  // CTA 25 stores outside of its buffer: what comes after it does not count.
  std::string fails = std::string(kAddress) +
                      "setp.eq.u32 %q1, %r90, 25;\n"
                      "@%q1 add.u64 %rd1, %rd1, 1048576;\n"
                      "st.global.u32 [%rd1], %r90;\n";
  for (const std::string &body : {std::string(kHistogram), fails}) {
    std::vector<std::string> counts;
    for (unsigned threads : {1, 4}) {
      Counters counters;
      CounterObserver observer(counters);
      runOn(threads, body, 40, {}, &observer);
      counts.emplace_back();
      llvm::raw_string_ostream(counts.back())
          << llvm::json::Value(toJson(counters, /*withLines=*/true));
    }
    EXPECT_EQ(counts[0], counts[1]);
    EXPECT_NE(counts[0].find("\"ptx_lines\""), std::string::npos);
  }
}

} // namespace
