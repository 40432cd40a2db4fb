//===- DebuggerTest.cpp - stopping and looking ----------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TIRx/Simulator/Debugger.h"
#include "TestKernel.h"

using namespace tirx::sim;

namespace {
/// A kernel under a debugger that has stopped at its entry.
struct Session {
  Session(const std::string &text, unsigned threads, unsigned ctas = 1)
      : kernel(text, {}, /*keepNames=*/true) {
    if (!kernel.module) {
      ADD_FAILURE() << kernel.error;
      return;
    }
    kernel.parameters.block = {threads, 1, 1};
    kernel.parameters.grid = {ctas, 1, 1};
    out = kernel.buffer(std::vector<uint32_t>(256, 7));
    kernel.simulator->addObserver(debugger);
    Stop stop = debugger.start([&] { rules = kernel.run(); });
    EXPECT_EQ(stop.reason, StopReason::Entry);
  }
  /// The line of the first instruction that contains a text.
  unsigned lineOf(const std::string &text) {
    llvm::StringRef all = kernel.module->getText();
    return all.take_front(all.find(text)).count('\n') + 1;
  }
  unsigned breakAt(const std::string &text) {
    auto breakpoint = debugger.addBreakpoint("", lineOf(text));
    EXPECT_TRUE(bool(breakpoint)) << llvm::toString(breakpoint.takeError());
    return breakpoint ? breakpoint->number : 0;
  }
  std::string print(llvm::StringRef name, std::optional<unsigned> lane = {},
                    llvm::StringRef type = "") {
    auto value = debugger.printRegister(name, lane, type);
    return value ? *value : "!" + llvm::toString(value.takeError());
  }
  std::string text() {
    auto position = debugger.getPosition();
    return position ? position->text
                    : "!" + llvm::toString(position.takeError());
  }

  TestKernel kernel;
  Allocation *out = nullptr;
  std::string rules = "not run";
  Debugger debugger;
};
} // namespace

TEST(Debugger, StopsStepsAndShowsRegisters) {
  Session s(entry(1, R"(
  mul.lo.u32 %r1, %t, 3;
  cvt.rn.f32.u32 %f1, %r1;
  mul.f32 %f1, %f1, 0f3F000000;
  setp.gt.u32 %q0, %r1, 30;
  mul.wide.u32 %rd1, %t, 4;
  add.u64 %rd1, %rd1, %p0;
  @%q0 st.global.f32 [%rd1], %f1;
)"),
            64);
  unsigned number = s.breakAt("setp.gt.u32");
  Stop stop = s.debugger.resume();
  EXPECT_EQ(stop.reason, StopReason::Breakpoint);
  EXPECT_EQ(stop.breakpoint, number);
  EXPECT_EQ(s.debugger.getWarp(), 0u);
  EXPECT_EQ(s.print("%r1", 5), "15");
  EXPECT_EQ(s.print("%f1", 5), "7.5");
  EXPECT_EQ(s.print("%f1", 5, "b32"), "0x40f00000");
  EXPECT_EQ(s.print("%nothing", 5)[0], '!');
  EXPECT_EQ(s.print("%r1").substr(0, 12), "[0 3 6 9 12 ");

  EXPECT_EQ(s.debugger.step().reason, StopReason::Step);
  EXPECT_EQ(s.text(), "mul.wide.u32 %rd1, %t, 4;");
  EXPECT_EQ(s.print("%q0", 10), "0");
  EXPECT_EQ(s.print("%q0", 11), "1");
  EXPECT_EQ(s.debugger.step(2).reason, StopReason::Step);
  EXPECT_EQ(s.text(), "@%q0 st.global.f32 [%rd1], %f1;");
  auto address = s.debugger.readRegister("%rd1", 20);
  ASSERT_TRUE(bool(address));
  EXPECT_EQ((*address)[0], s.out->base + 80);
  auto before = s.debugger.readMemory(MemorySpace::Global, (*address)[0], 4);
  ASSERT_TRUE(bool(before));
  EXPECT_EQ(before->bytes[0], 7);
  EXPECT_TRUE(before->written[0]);
  s.debugger.step();
  auto after = s.debugger.readMemory(MemorySpace::Global, (*address)[0], 4);
  ASSERT_TRUE(bool(after));
  EXPECT_EQ(after->bytes[3], 0x41); // 30.0
  auto nowhere = s.debugger.readMemory(MemorySpace::Global, 64, 4);
  EXPECT_FALSE(bool(nowhere));
  llvm::consumeError(nowhere.takeError());

  // The other warp has not begun; then it stops, too.
  ASSERT_FALSE(bool(s.debugger.selectWarp(1)));
  EXPECT_EQ(s.debugger.getPosition()->lanes, ~0u);
  EXPECT_EQ(llvm::toString(s.debugger.selectWarp(2)),
            "expected a warp from 0 to 1, got 2");
  EXPECT_EQ(s.debugger.resume().reason, StopReason::Breakpoint);
  EXPECT_EQ(s.debugger.getWarp(), 1u);
  EXPECT_TRUE(s.debugger.removeBreakpoint(number));
  EXPECT_FALSE(s.debugger.removeBreakpoint(number));
  EXPECT_EQ(s.debugger.resume().reason, StopReason::Finished);
  EXPECT_FALSE(s.debugger.isPaused());
  EXPECT_EQ(s.rules, "");
}

TEST(Debugger, ALoopStopsEachTime) {
  Session s(entry(1, R"(
  mov.u32 %r1, 0;
again:
  add.u32 %r1, %r1, 1;
  setp.lt.u32 %q0, %r1, 5;
  @%q0 bra again;
)"),
            32);
  s.breakAt("setp.lt.u32");
  for (const char *value : {"1", "2", "3", "4", "5"}) {
    EXPECT_EQ(s.debugger.resume().reason, StopReason::Breakpoint);
    EXPECT_EQ(s.print("%r1", 0), value);
  }
  EXPECT_EQ(s.debugger.resume().reason, StopReason::Finished);
}

TEST(Debugger, AWarpThatWaitsStopsOnce) {
  Session s(entry(1, R"(
  .shared .b64 barrier;
  mov.u32 %r1, barrier;
  setp.eq.u32 %q0, %t, 0;
  @%q0 mbarrier.init.shared.b64 [%r1], 1;
  bar.sync 0;
  setp.eq.u32 %q1, %t, 0;
  @%q1 bra last;
wait:
  mbarrier.try_wait.parity.shared.b64 %q2, [%r1], 0;
  @!%q2 bra wait;
  bra end;
last:
  mbarrier.arrive.shared.b64 %rd1, [%r1];
end:
)"),
            64);
  // Warp 1, the last at the barrier, is first behind it. It waits for lane 0.
  s.breakAt("mbarrier.try_wait");
  EXPECT_EQ(s.debugger.resume().reason, StopReason::Breakpoint);
  EXPECT_EQ(s.debugger.getWarp(), 1u);
  Stop next = s.debugger.resume();
  EXPECT_EQ(next.reason, StopReason::Breakpoint);
  EXPECT_EQ(s.debugger.getWarp(), 0u);
  auto lines = s.debugger.where();
  ASSERT_GE(lines.size(), 2u);
  EXPECT_NE(lines.back().find("waits for parity 0 of mbarrier"),
            std::string::npos)
      << lines.back();
  EXPECT_EQ(s.debugger.resume().reason, StopReason::Finished);
  EXPECT_EQ(s.rules, "");
}

TEST(Debugger, SourceLinesFunctionsAndCtas) {
  Session s(entry(1, R"(
  .loc 1 20 0
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %r1;
  .loc 1 21 0
  call (%r3), twice, (%r2);
  st.global.u32 [%p0], %r3;
)",
                  R"(.file 1 "src/k.cu"
.func (.reg .b32 %out) twice(.reg .b32 %in) {
  .loc 1 7 0
  add.u32 %out, %in, %in;
  .loc 1 8 0
  ret;
})"),
            32, 3);
  ASSERT_TRUE(bool(s.debugger.addBreakpoint("k.cu", 20)));
  auto inside = s.debugger.addBreakpoint("src/k.cu", 7);
  ASSERT_TRUE(bool(inside));
  auto none = s.debugger.addBreakpoint("other.cu", 7);
  EXPECT_FALSE(bool(none));
  llvm::consumeError(none.takeError());
  for (unsigned cta = 0; cta < 3; ++cta) {
    EXPECT_EQ(s.debugger.resume().reason, StopReason::Breakpoint);
    EXPECT_EQ(s.debugger.getCta(), cta);
    EXPECT_EQ(s.debugger.getPosition()->line, 20u);
    EXPECT_EQ(s.debugger.resume().breakpoint, inside->number);
    EXPECT_EQ(s.print("%in", 3, "u32"), std::to_string(cta));
    EXPECT_EQ(s.debugger.getPosition()->function, "twice");
    auto calls = s.debugger.backtrace();
    ASSERT_TRUE(bool(calls));
    ASSERT_EQ(calls->size(), 2u);
    EXPECT_EQ((*calls)[1].find("'twice' was called by 'kernel' at line"), 0u);
  }
  EXPECT_EQ(s.debugger.resume().reason, StopReason::Finished);
}

TEST(Debugger, StopsAtErrorsAndDeadlocks) {
  Session s(entry(1, "mov.u32 %r1, 5;\nld.global.u32 %r2, [%rd1];"), 32);
  Stop stop = s.debugger.resume();
  EXPECT_EQ(stop.reason, StopReason::Error);
  EXPECT_EQ(stop.message.find("[R42] global read"), 0u) << stop.message;
  EXPECT_EQ(s.print("%r1", 0), "5");
  EXPECT_EQ(s.debugger.resume().reason, StopReason::Finished);
  EXPECT_EQ(s.rules, "R42");

  Session hang(entry(1, "bar.sync 1, 64;"), 32);
  EXPECT_EQ(hang.debugger.resume().reason, StopReason::Error);
  ASSERT_EQ(hang.debugger.where().size(), 1u);
  EXPECT_NE(hang.debugger.where()[0].find("32 of 64 threads arrived"),
            std::string::npos);
}

TEST(Debugger, EndsAProgramThatNeverEnds) {
  Session s(entry(1, "again: add.u32 %r1, %r1, 1; bra again;"), 32, 100);
  EXPECT_EQ(s.debugger.step(1000).reason, StopReason::Step);
  s.debugger.kill();
  EXPECT_FALSE(s.debugger.isPaused());
  EXPECT_EQ(s.rules, "");
}

TEST(Debugger, AWarpEndsWhileItIsStepped) {
  Session s(entry(1, "mov.u32 %r1, 1;"), 64);
  Stop stop = s.debugger.step(100);
  EXPECT_EQ(stop.reason, StopReason::WarpEnd);
  EXPECT_EQ(s.debugger.getWarp(), 1u);
  EXPECT_EQ(s.debugger.step(100).reason, StopReason::Finished);
}
