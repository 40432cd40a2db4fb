//===- CallTest.cpp - functions, their frames and their lanes -------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TIRx/Simulator/LaunchFile.h"
#include "TestKernel.h"
#include "llvm/Support/raw_ostream.h"

using namespace tirx::sim;

namespace {

struct Outcome {
  std::vector<uint32_t> out;
  std::string rules, printed;
  std::vector<Report> reports;
  LaunchStatistics statistics;
};

/// Runs `body` in `threads` threads that leave their result in %r0. What is
/// never stored stays 0xdeadbeef.
Outcome launch(const std::string &functions, const std::string &body,
               unsigned threads = 32, LaunchOptions options = {}) {
  TestKernel kernel(entry(1, body + R"(
  mul.wide.u32 %rd0, %t, 4;
  add.u64 %rd0, %p0, %rd0;
  st.global.u32 [%rd0], %r0;
)",
                          functions),
                    options);
  Outcome outcome;
  outcome.out.assign(threads, 0xdeadbeef);
  if (!kernel.module) {
    outcome.rules = "!" + kernel.error;
    return outcome;
  }
  kernel.parameters.block = {threads, 1, 1};
  Allocation *out = kernel.buffer(outcome.out);
  llvm::raw_string_ostream printed(outcome.printed);
  kernel.simulator->setOutput(&printed);
  outcome.rules = kernel.run();
  outcome.out = TestKernel::read<uint32_t>(out);
  outcome.reports = kernel.simulator->getLog().getReports();
  outcome.statistics = kernel.statistics;
  return outcome;
}

/// A call of `f` with %r1, result in %r0.
std::string callOf(const std::string &f, const std::string &result = "%r0",
                   const std::string &argument = "%r1") {
  return "{ .param .b32 a; .param .b32 b; st.param.b32 [a], " + argument +
         "; call (b), " + f + ", (a); ld.param.b32 " + result + ", [b]; }\n";
}

/// A function from u32 to u32: its argument is in %r1, its result in %r0.
std::string function(const std::string &name, const std::string &body) {
  return ".func (.param .b32 result) " + name +
         "(.param .b32 x)\n{\n"
         ".reg .b32 %r<16>; .reg .pred %q<8>; .reg .b64 %rd<8>;\n"
         "ld.param.b32 %r1, [x];\n" +
         body + "\nst.param.b32 [result], %r0;\nret;\n}\n";
}
std::string declaration(const std::string &name) {
  return ".func (.param .b32 result) " + name + "(.param .b32 x);\n";
}

} // namespace

TEST(Call, LanesInDifferentFunctionsMeetAgain) {
  Outcome o =
      launch(function("f", "add.u32 %r0, %r1, 100;") +
                 function("g", "mul.lo.u32 %r0, %r1, 7;"),
             "mov.u32 %r1, %t; setp.lt.u32 %q0, %t, 11;\n@%q0 bra F;\n" +
                 callOf("g") + "bra JOIN;\nF:\n" + callOf("f") +
                 "JOIN: activemask.b32 %r2; setp.ne.u32 %q1, %r2, -1;"
                 "@%q1 trap;");
  EXPECT_EQ(o.rules, "");
  for (unsigned t = 0; t < 32; ++t)
    EXPECT_EQ(o.out[t], t < 11 ? t + 100 : t * 7);
}

TEST(Call, EarlyReturnsMeetAfterTheCall) {
  // Each lane runs its own number of rounds and returns from inside the loop.
  Outcome o = launch(function("f", "mov.u32 %r0, 0;\nLOOP: add.u32 %r0, %r0, 3;"
                                   "st.param.b32 [result], %r0;"
                                   "setp.ge.u32 %q0, %r0, %r1; @%q0 ret;"
                                   "bra LOOP;"),
                     "mov.u32 %r1, %t;\n" + callOf("f") +
                         "activemask.b32 %r2; setp.ne.u32 %q1, %r2, -1;"
                         "@%q1 trap;");
  EXPECT_EQ(o.rules, "");
  for (unsigned t = 0; t < 32; ++t)
    EXPECT_EQ(o.out[t], t == 0 ? 3 : (t + 2) / 3 * 3);
}

static uint32_t ackermann(uint32_t m, uint32_t n) {
  return m == 0   ? n + 1
         : n == 0 ? ackermann(m - 1, 1)
                  : ackermann(m - 1, ackermann(m, n - 1));
}

TEST(Call, RecursesToEachLanesOwnDepth) {
  // x is m * 16 + n.
  std::string f = function(
      "ack", "and.b32 %r2, %r1, 15; shr.u32 %r3, %r1, 4;\n"
             "add.u32 %r0, %r2, 1; st.param.b32 [result], %r0;"
             "setp.eq.u32 %q0, %r3, 0; @%q0 ret;\n"
             "sub.u32 %r4, %r3, 1; shl.b32 %r4, %r4, 4;\n"
             "mov.u32 %r5, 1; setp.eq.u32 %q1, %r2, 0; @%q1 bra OUTER;\n"
             "sub.u32 %r6, %r1, 1;\n" +
                 callOf("ack", "%r5", "%r6") +
                 "OUTER: or.b32 %r7, %r4, %r5;\n" +
                 callOf("ack", "%r0", "%r7"));
  // Results stay below 16, so that m and n fit.
  Outcome o = launch(f, "rem.u32 %r2, %t, 3; rem.u32 %r3, %t, 5;"
                        "shl.b32 %r2, %r2, 4; or.b32 %r1, %r2, %r3;\n" +
                            callOf("ack"));
  EXPECT_EQ(o.rules, "");
  for (unsigned t = 0; t < 32; ++t)
    EXPECT_EQ(o.out[t], ackermann(t % 3, t % 5)) << t;
}

TEST(Call, FunctionsCallEachOther) {
  std::string step = "setp.eq.u32 %q0, %r1, 0; @%q0 bra END;"
                     "sub.u32 %r1, %r1, 1;\n";
  Outcome o = launch(
      declaration("odd") +
          function("even", "mov.u32 %r0, 1;" + step + callOf("odd") + "END:") +
          function("odd", "mov.u32 %r0, 0;" + step + callOf("even") + "END:"),
      "mov.u32 %r1, %t;\n" + callOf("odd"));
  EXPECT_EQ(o.rules, "");
  for (unsigned t = 0; t < 32; ++t)
    EXPECT_EQ(o.out[t], t % 2);
}

TEST(Call, TakesRegistersAndLists) {
  std::string f =
      ".func (.reg .b32 d, .reg .pred p) f(.reg .b32 a, .reg .b64 b)\n"
      "{ .reg .b32 t; cvt.u32.u64 t, b; sub.u32 d, a, t;"
      "  setp.lt.u32 p, a, 4; ret; }\n"
      ".func g { ret; }\n";
  Outcome o = launch(f, "mov.u32 %r1, %t; mov.u64 %rd1, 2;\ncall g;\n"
                        "call.uni (%r0, %q0), f, (%r1, %rd1);\n"
                        "@%q0 add.u32 %r0, %r0, 1000;\n"
                        "call (%r2, _), f, (50, 8); add.u32 %r0, %r0, %r2;");
  EXPECT_EQ(o.rules, "");
  for (unsigned t = 0; t < 32; ++t)
    EXPECT_EQ(o.out[t], t - 2 + (t < 4 ? 1000 : 0) + 42);
}

TEST(Call, GuardsSelectLanes) {
  Outcome o =
      launch(function("f", "add.u32 %r0, %r1, 1;"),
             "mov.u32 %r0, 7; and.b32 %r2, %t, 5;"
             "setp.eq.u32 %q0, %r2, 4;\n{ .param .b32 a; .param .b32 b;"
             "st.param.b32 [a], %t; @!%q0 call (b), f, (a);"
             "@!%q0 ld.param.b32 %r0, [b]; }\n"
             "activemask.b32 %r2; setp.ne.u32 %q1, %r2, -1; @%q1 trap;");
  EXPECT_EQ(o.rules, "");
  for (unsigned t = 0; t < 32; ++t)
    EXPECT_EQ(o.out[t], (t & 5) == 4 ? 7 : t + 1);
}

TEST(Call, PassesStructuresAndTheirAddresses) {
  std::string f =
      ".func (.param .align 8 .b8 r[24]) f(.param .align 8 .b8 s[24])\n{\n"
      ".reg .b64 %rd<8>; .reg .b32 %r<4>;\n"
      "mov.b64 %rd1, s; cvta.param.u64 %rd2, %rd1;"
      "ld.u32 %r1, [%rd2+16]; add.u32 %r1, %r1, 5; st.u32 [%rd2+16], %r1;"
      "ld.param.u64 %rd3, [s]; ld.param.u32 %r2, [s+16];"
      "st.param.u64 [r+8], %rd3; st.param.u32 [r+16], %r2; ret; }\n";
  Outcome o = launch(
      f, "{ .param .align 8 .b8 a[24]; .param .align 8 .b8 b[24];"
         "cvt.u64.u32 %rd1, %t; st.param.u64 [a], %rd1; st.param.u32 [a+16], 9;"
         "call (b), f, (a); ld.param.u32 %r1, [b+8]; ld.param.u32 %r2, [b+16];"
         "ld.param.u32 %r3, [a+16]; }\n"
         "mad.lo.u32 %r0, %r1, 1000, %r2; add.u32 %r0, %r0, %r3;");
  EXPECT_EQ(o.rules, "");
  EXPECT_EQ(o.statistics.uninitialisedReads, 0u);
  for (unsigned t = 0; t < 32; ++t)
    EXPECT_EQ(o.out[t], t * 1000 + 14 + 9); // the caller's copy is its own
}

TEST(Call, EachActivationHasItsOwnLocalMemory) {
  // Each level keeps its argument in memory while deeper levels use theirs, and
  // the deepest writes through a pointer into the outermost.
  std::string f =
      ".func (.param .b32 result) f(.param .b32 x, .param .b64 p)\n{\n"
      ".local .align 4 .b32 mine; .reg .b32 %r<8>; .reg .b64 %rd<4>;"
      ".reg .pred %q0;\n"
      "ld.param.b32 %r1, [x]; ld.param.b64 %rd1, [p];"
      "st.local.u32 [mine], %r1; mov.u32 %r0, 0;"
      "setp.eq.u32 %q0, %r1, 0; @%q0 bra DEEPEST;\n"
      "sub.u32 %r2, %r1, 1;\n"
      "{ .param .b32 a; .param .b64 c; .param .b32 b; st.param.b32 [a], %r2;"
      "st.param.b64 [c], %rd1; call (b), f, (a, c); ld.param.b32 %r0, [b]; }\n"
      "bra END;\nDEEPEST: st.u32 [%rd1], 77;\n"
      "END: ld.local.u32 %r3, [mine]; add.u32 %r0, %r0, %r3;"
      "st.param.b32 [result], %r0; ret; }\n";
  Outcome o = launch(
      f, ".local .align 4 .b32 top; mov.u64 %rd1, top; cvta.local.u64 %rd1, "
         "%rd1;\n{ .param .b32 a; .param .b64 c; .param .b32 b;"
         "st.param.b32 [a], %t; st.param.b64 [c], %rd1;"
         "call (b), f, (a, c); ld.param.b32 %r0, [b]; }\n"
         "ld.local.u32 %r1, [top]; mad.lo.u32 %r0, %r1, 1000, %r0;");
  EXPECT_EQ(o.rules, "");
  for (unsigned t = 0; t < 32; ++t)
    EXPECT_EQ(o.out[t], 77000 + t * (t + 1) / 2);
}

TEST(Call, LocalMemoryOfACallIsNotThatOfTheLast) {
  std::string write = function("f", ".local .b32 v; st.local.b32 [v], %r1;"
                                    "mov.u32 %r0, 0;");
  std::string read = function("g", ".local .b32 v; ld.local.b32 %r0, [v];");
  Outcome o =
      launch(write + read, "mov.u32 %r1, 5;\n" + callOf("f") + callOf("g"));
  EXPECT_EQ(o.statistics.uninitialisedReads, 32u);
}

TEST(Call, PointersOutliveNoFrame) {
  std::string f =
      ".func (.param .b64 result) f() { .local .align 8 .b64 v;"
      ".reg .b64 %rd1; mov.u64 %rd1, v; st.param.b64 [result], %rd1;"
      "ret; }\n";
  Outcome o =
      launch(f, "{ .param .b64 b; call (b), f; ld.param.b64 %rd1, [b]; }"
                "\nld.local.u32 %r0, [%rd1];");
  EXPECT_EQ(o.rules, "R42");
}

TEST(Call, ThreadsEndInsideFunctions) {
  Outcome o =
      launch(function("f", "and.b32 %r2, %r1, 1; setp.eq.u32 %q0, %r2, 1;"
                           "@%q0 exit; add.u32 %r0, %r1, 1;"),
             "mov.u32 %r1, %t;\n" + callOf("f") +
                 "activemask.b32 %r2; setp.ne.u32 %q1, %r2, 0x55555555;"
                 "@%q1 trap;");
  EXPECT_EQ(o.rules, "");
  for (unsigned t = 0; t < 32; ++t)
    EXPECT_EQ(o.out[t], t % 2 ? 0xdeadbeef : t + 1);
}

TEST(Call, BarriersInsideFunctionsSeeAllThreads) {
  // Two warps of which one is split over two calls.
  Outcome o = launch(
      ".shared .align 4 .b32 cells[64];\n" +
          function("f", "mov.u32 %r2, cells; mad.lo.u32 %r2, %r1,"
                        "4, %r2; st.shared.u32 [%r2], %r1;"
                        "barrier.sync 0;"
                        "xor.b32 %r3, %r1, 63; mov.u32 %r4, "
                        "cells; mad.lo.u32 %r4, %r3, 4, %r4;"
                        "ld.shared.u32 %r0, [%r4];"),
      "mov.u32 %r1, %t; setp.lt.u32 %q0, %t, 9; @%q0 bra A;\n" + callOf("f") +
          "bra END;\nA:\n" + callOf("f") + "add.u32 %r0, %r0, 100;\nEND:",
      64);
  EXPECT_EQ(o.rules, "");
  for (unsigned t = 0; t < 64; ++t)
    EXPECT_EQ(o.out[t], (t ^ 63) + (t < 9 ? 100 : 0));
}

TEST(Call, LanesFromDifferentCallsActTogether) {
  // One shuffle of all lanes, in a function that two places call; one more
  // where the recursion of some lanes is one deeper.
  std::string f = function("f", "shfl.sync.bfly.b32 %r0, %r1, 31, 31, -1;");
  Outcome o =
      launch(f, "mov.u32 %r1, %t; setp.lt.u32 %q0, %t, 9; @%q0 bra A;\n" +
                    callOf("f") + "bra END;\nA:\n" + callOf("f") +
                    "add.u32 %r0, %r0, 100;\nEND:\nactivemask.b32 %r2;"
                    "setp.ne.u32 %q1, %r2, -1; @%q1 trap;");
  EXPECT_EQ(o.rules, "");
  for (unsigned t = 0; t < 32; ++t)
    EXPECT_EQ(o.out[t], (t ^ 31) + (t < 9 ? 100 : 0));

  std::string g = function(
      "g", "mov.u32 %r5, 0; and.b32 %r2, %r1, 64; setp.eq.u32 %q0, %r2, 0;"
           "@%q0 bra HERE;\nand.b32 %r3, %r1, 63;\n" +
               callOf("g", "%r5", "%r3") +
               "bra END;\n"
               "HERE: shfl.sync.bfly.b32 %r5, %r1, 31, 31, -1;\n"
               "END: add.u32 %r0, %r5, %r1;");
  o = launch(g, "mov.u32 %r1, %t; setp.lt.u32 %q0, %t, 9;"
                "@%q0 or.b32 %r1, %r1, 64;\n" +
                    callOf("g"));
  EXPECT_EQ(o.rules, "");
  for (unsigned t = 0; t < 32; ++t)
    EXPECT_EQ(o.out[t], (t ^ 31) + t + (t < 9 ? t + 64 : 0));
}

TEST(Call, PointersToFunctionsDifferByLane) {
  std::string functions = function("f", "add.u32 %r0, %r1, 100;") +
                          function("g", "mul.lo.u32 %r0, %r1, 7;") +
                          function("h", "not.b32 %r0, %r1;") +
                          ".global .align 8 .u64 table[3] = {f, g, h};\n";
  std::string pick = "rem.u32 %r2, %t, 3; mul.wide.u32 %rd1, %r2, 8;"
                     "mov.u64 %rd2, table; add.u64 %rd2, %rd2, %rd1;"
                     "ld.global.u64 %rd3, [%rd2];\n";
  std::string check =
      "activemask.b32 %r2; setp.ne.u32 %q1, %r2, -1; @%q1 trap;";
  for (const char *list :
       {"P: .callprototype (.param .b32 _) _ (.param .b32 _);\n",
        "P: .calltargets f, g, h;\n"}) {
    Outcome o = launch(functions, list + pick +
                                      "{ .param .b32 a; .param .b32 b;"
                                      "st.param.b32 [a], %t;"
                                      "call (b), %rd3, (a), P;"
                                      "ld.param.b32 %r0, [b]; }\n" +
                                      check);
    EXPECT_EQ(o.rules, "");
    for (unsigned t = 0; t < 32; ++t)
      EXPECT_EQ(o.out[t], t % 3 == 0 ? t + 100 : t % 3 == 1 ? t * 7 : ~t);
  }
  Outcome o =
      launch(functions, "P: .callprototype (.param .b32 _) _ ();\n" + pick +
                            "{ .param .b32 b;"
                            "call (b), %rd3, (), P;"
                            "ld.param.b32 %r0, [b]; }\n");
  EXPECT_EQ(o.rules, "call");
  EXPECT_EQ(o.reports[0].message, "expected 1 arguments for 'f', got 0");
  o = launch(functions, "P: .callprototype () _ ();\nmov.u64 %rd1, -1;"
                        "call %rd1, P;");
  EXPECT_EQ(o.rules, "call");
  o = launch(functions, "P: .callprototype () _ ();\ncall %p0, P;");
  EXPECT_EQ(o.rules, "call");
  EXPECT_NE(o.reports[0].message.find("expected the address of a function"),
            std::string::npos);
}

TEST(Call, EndlessRecursionIsAReport) {
  Outcome o = launch(function("f", callOf("f") + "add.u32 %r0, %r0, 1;"),
                     "mov.u32 %r1, %t;\n" + callOf("f"));
  EXPECT_EQ(o.rules, "stack");
  EXPECT_NE(o.reports[0].message.find("stack overflow in the call of 'f'"),
            std::string::npos);
  ASSERT_GT(o.reports[0].notes.size(), 3u);
  EXPECT_NE(o.reports[0].notes[0].find("'f' was called by 'f' at line"),
            std::string::npos);
  EXPECT_NE(o.reports[0].notes.back().find("more calls, from 'kernel'"),
            std::string::npos);
  LaunchOptions options;
  options.stackBytes = 1 << 10;
  o = launch(function("f", callOf("f")), "mov.u32 %r1, 0;\n" + callOf("f"), 32,
             options);
  EXPECT_EQ(o.rules, "stack");
}

TEST(Call, ExponentialRecursionEndsAtTheStepLimit) {
  // Lanes diverge at every level and would need about 2^40 steps.
  LaunchOptions options;
  options.maxSteps = 100000;
  Outcome o = launch(
      function("f", "mov.u32 %r0, %r1; st.param.b32 [result], %r0;"
                    "setp.lt.u32 %q0, %r1, 2; @%q0 ret;\n"
                    "sub.u32 %r2, %r1, 1;\n" +
                        callOf("f", "%r3", "%r2") + "sub.u32 %r2, %r1, 2;\n" +
                        callOf("f", "%r4", "%r2") + "add.u32 %r0, %r3, %r4;"),
      "add.u32 %r1, %t, 32;\n" + callOf("f"), 64, options);
  EXPECT_EQ(o.rules, "steps");
}

TEST(Call, WhatCannotBeCalledIsAnError) {
  auto error = [](const std::string &functions, const std::string &body) {
    return launch(functions, body).rules;
  };
  auto contains = [](const std::string &text, const std::string &part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  contains(error(".extern .func (.param .b32 r) nowhere(.param .b32 x);\n",
                 "mov.u32 %r1, 0;\n" + callOf("nowhere")),
           "expected a definition of 'nowhere' in this module");
  contains(error(function("f", "mov.u32 %r0, 0;"),
                 "{ .param .b64 a; .param .b32 b; st.param.b64 [a], 0;"
                 "call (b), f, (a); }"),
           "expected a variable of 4 bytes for 'x', got 'a' of 8");
  contains(error(function("f", "mov.u32 %r0, 0;"),
                 "{ .param .b32 b; call (b), f; }"),
           "expected 1 arguments, got 0");
  contains(error(".func f() .noreturn { ret; }\n", "call f;"), "call");
}

TEST(Call, TheStackGrowsAndShrinks) {
  Outcome o = launch(
      "", "stacksave.u64 %rd1; add.u32 %r1, %t, 1; shl.b32 %r1, %r1, 2;"
          "cvt.u64.u32 %rd2, %r1; alloca.u64 %rd3, %rd2, 16;"
          "st.local.u32 [%rd3], 5; cvt.u64.u32 %rd4, %t; shl.b64 %rd4, %rd4, 2;"
          "add.u64 %rd5, %rd3, %rd4; st.local.u32 [%rd5], %t;"
          "ld.local.u32 %r0, [%rd5]; stackrestore.u64 %rd1;");
  EXPECT_EQ(o.rules, "");
  for (unsigned t = 0; t < 32; ++t)
    EXPECT_EQ(o.out[t], t);
  o = launch("", "alloca.u64 %rd3, 4, 16; st.local.u32 [%rd3+4], 5;");
  EXPECT_EQ(o.rules, "R42");
  o = launch("", "alloca.u64 %rd3, 0xffffffffffffff00; mov.u32 %r0, 0;");
  EXPECT_EQ(o.rules, "stack");
  o = launch("", "stackrestore.u64 99; mov.u32 %r0, 0;");
  EXPECT_EQ(o.rules, "stack");
}

TEST(Call, BranchesByIndex) {
  std::string body = "T: .branchtargets A, B, C, A;\nmov.u32 %r0, 9;"
                     "rem.u32 %r1, %t, 5; setp.lt.u32 %q0, %r1, 4;"
                     "@%q0 brx.idx %r1, T;\nbra END;\n"
                     "A: mov.u32 %r0, 1; bra END;\nB: mov.u32 %r0, 2;\n"
                     "C: add.u32 %r0, %r0, 30;\nEND:"
                     "activemask.b32 %r2; setp.ne.u32 %q1, %r2, -1; @%q1 trap;";
  Outcome o = launch("", body);
  EXPECT_EQ(o.rules, "");
  const uint32_t expected[] = {1, 32, 39, 1, 9};
  for (unsigned t = 0; t < 32; ++t)
    EXPECT_EQ(o.out[t], expected[t % 5]);
  o = launch("", "T: .branchtargets A, A;\nmov.u32 %r0, 9;"
                 "brx.idx %t, T;\nA: mov.u32 %r0, 1;");
  EXPECT_EQ(o.rules, "branch");
  EXPECT_EQ(o.reports[0].place.lane, 2);
}

//===----------------------------------------------------------------------===//
// The device runtime
//===----------------------------------------------------------------------===//

static const char *const kRuntime =
    ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);\n"
    ".extern .func __assertfail(.param .b64 m, .param .b64 f, .param .b32 l,"
    " .param .b64 n, .param .b64 s);\n"
    ".extern .func (.param .b64 r) malloc(.param .b64 n);\n"
    ".extern .func free(.param .b64 p);\n";

/// A text as a variable; zero-terminated.
static std::string textVariable(const std::string &name,
                                const std::string &text) {
  std::string result = ".global .align 1 .b8 " + name + "[" +
                       std::to_string(text.size() + 1) + "] = {";
  for (unsigned char c : text)
    result += std::to_string(c) + ", ";
  return result + "0};\n";
}

TEST(Runtime, PrintsInTheOrderOfLanes) {
  Outcome o = launch(
      kRuntime +
          textVariable("format", "%d|%-6x|%+.2f|%5s|%lld|%c%%%3q|%*d\n") +
          textVariable("word", "ab"),
      ".local .align 8 .b8 args[64]; st.local.u32 [args], %t;"
      "st.local.u32 [args+4], 255; st.local.f64 [args+8], 0dBFF8000000000000;"
      "mov.u64 %rd1, word; st.local.u64 [args+16], %rd1;"
      "st.local.u64 [args+24], -5; st.local.u32 [args+32], 65;"
      "st.local.u32 [args+36], 4; st.local.u32 [args+40], 42;"
      "mov.u64 %rd2, args; cvta.local.u64 %rd2, %rd2; mov.u64 %rd1, format;\n"
      "{ .param .b64 f; .param .b64 a; .param .b32 r; st.param.b64 [f], %rd1;"
      "st.param.b64 [a], %rd2; call (r), vprintf, (f, a);"
      "ld.param.b32 %r0, [r]; }",
      2);
  EXPECT_EQ(o.rules, "");
  EXPECT_EQ(o.printed, "0|ff    |-1.50|   ab|-5|A%%3q|  42\n"
                       "1|ff    |-1.50|   ab|-5|A%%3q|  42\n");
  EXPECT_EQ(o.out[0], 8u);
}

TEST(Runtime, ReportsAssertions) {
  Outcome o = launch(
      kRuntime + textVariable("m", "x > 0") + textVariable("f", "k.cu") +
          textVariable("n", "kernel"),
      "mov.u64 %rd1, m; mov.u64 %rd2, f; mov.u64 %rd3, n; mov.u32 %r0, 0;"
      "setp.eq.u32 %q0, %t, 6; @!%q0 bra END;\n"
      "{ .param .b64 a; .param .b64 b; .param .b32 c; .param .b64 d;"
      ".param .b64 e; st.param.b64 [a], %rd1; st.param.b64 [b], %rd2;"
      "st.param.b32 [c], 33; st.param.b64 [d], %rd3; st.param.b64 [e], 1;"
      "call __assertfail, (a, b, c, d, e); }\nEND:");
  EXPECT_EQ(o.rules, "assert");
  EXPECT_EQ(o.reports[0].message, "k.cu:33: kernel: assertion `x > 0` failed");
  EXPECT_EQ(o.reports[0].place.lane, 6);
}

TEST(Runtime, AllocatesAndFrees) {
  std::string allocate = "{ .param .b64 n; .param .b64 r; st.param.b64 [n], 8;"
                         "call (r), malloc, (n); ld.param.b64 %rd1, [r]; }\n";
  std::string release = "{ .param .b64 p; st.param.b64 [p], %rd1;"
                        "call free, (p); }\n";
  Outcome o = launch(kRuntime, allocate +
                                   "st.u32 [%rd1+4], %t;"
                                   "ld.u32 %r0, [%rd1+4];\n" +
                                   release);
  EXPECT_EQ(o.rules, "");
  for (unsigned t = 0; t < 32; ++t)
    EXPECT_EQ(o.out[t], t);
  EXPECT_EQ(launch(kRuntime, allocate + "st.u32 [%rd1+8], %t;").rules, "R42");
  EXPECT_EQ(launch(kRuntime, allocate + release + release).rules, "call");
  EXPECT_EQ(launch(kRuntime, allocate + release + "st.u32 [%rd1], %t;").rules,
            "R42");
}

//===----------------------------------------------------------------------===//
// Random programs
//===----------------------------------------------------------------------===//

namespace {

/// Functions of (x, fuel) that call each other, directly or through a table,
/// under conditions on x: as PTX, and executed here for one lane.
class RandomProgram {
public:
  explicit RandomProgram(uint64_t seed) : state(seed) {
    for (Body &body : bodies)
      for (uint32_t &number : body.numbers)
        number = next();
  }

  uint32_t run(unsigned f, uint32_t x, uint32_t fuel) const {
    const auto &n = bodies[f].numbers;
    x = x * (n[0] | 1) + n[1];
    if (!fuel || (x >> 8 & n[2] & 7) == 5)
      return x ^ n[3];
    if (x >> 12 & 1)
      x += run(n[4] % kCount, x ^ n[5], fuel - 1);
    uint32_t rounds = x >> 16 & 1;
    for (uint32_t i = 0; i <= rounds; ++i)
      x = x * 5 + run((x >> 20) % kCount, x + n[6], (fuel - 1) / 2);
    return x ^ x >> 15;
  }

  std::string text() const {
    std::string result, names;
    for (unsigned f = 0; f < kCount; ++f) {
      result += ".func (.param .b32 r) f" + std::to_string(f) +
                "(.param .b32 x, .param .b32 fuel);\n";
      names += (f ? ", f" : "f") + std::to_string(f);
    }
    result += ".global .align 8 .u64 table[" + std::to_string(kCount) +
              "] = {" + names + "};\n";
    for (unsigned f = 0; f < kCount; ++f)
      result += textOf(f);
    return result;
  }

  static constexpr unsigned kCount = 5;

private:
  struct Body {
    std::array<uint32_t, 7> numbers;
  };

  uint32_t next() { return uint32_t(splitmix64(state++)); }

  std::string textOf(unsigned f) const {
    const auto &n = bodies[f].numbers;
    auto number = [&](unsigned i) { return std::to_string(n[i]); };
    std::string call = "{ .param .b32 a; .param .b32 b; .param .b32 c;"
                       "st.param.b32 [a], %r4; st.param.b32 [b], %r5;";
    return ".func (.param .b32 r) f" + std::to_string(f) +
           "(.param .b32 x, .param .b32 fuel)\n{\n.reg .b32 %r<16>;"
           ".reg .pred %q<8>; .reg .b64 %rd<4>;\nP: .callprototype (.param "
           ".b32 "
           "_) _ (.param .b32 _, .param .b32 _);\n"
           "ld.param.b32 %r1, [x]; ld.param.b32 %r2, [fuel];"
           "mad.lo.u32 %r1, %r1, " +
           std::to_string(n[0] | 1) + ", " + number(1) +
           ";\nshr.u32 %r3, %r1, 8; and.b32 %r3, %r3, " +
           std::to_string(n[2] & 7) +
           "; setp.eq.u32 %q0, %r3, 5; setp.eq.or.u32 %q0, %r2, 0, %q0;"
           "xor.b32 %r6, %r1, " +
           number(3) +
           "; st.param.b32 [r], %r6;"
           "@%q0 ret;\nsub.u32 %r5, %r2, 1; shr.u32 %r3, %r1, 12;"
           "and.b32 %r3, %r3, 1; setp.eq.u32 %q1, %r3, 0; @%q1 bra SKIP;\n"
           "xor.b32 %r4, %r1, " +
           number(5) + ";\n" + call + "call (c), f" +
           std::to_string(n[4] % kCount) +
           ", (a, b); ld.param.b32 %r6, [c]; }\nadd.u32 %r1, %r1, %r6;\n"
           "SKIP: shr.u32 %r7, %r1, 16; and.b32 %r7, %r7, 1;"
           "shr.u32 %r5, %r5, 1;\nLOOP: shr.u32 %r8, %r1, 20;"
           "rem.u32 %r8, %r8, " +
           std::to_string(kCount) +
           "; mul.wide.u32 %rd1, %r8, 8; mov.u64 %rd2, table;"
           "add.u64 %rd2, %rd2, %rd1; ld.global.u64 %rd3, [%rd2];"
           "add.u32 %r4, %r1, " +
           number(6) + ";\n" + call +
           "call (c), %rd3, (a, b), P; ld.param.b32 %r6, [c]; }\n"
           "mad.lo.u32 %r1, %r1, 5, %r6; setp.ne.u32 %q2, %r7, 0;"
           "sub.u32 %r7, %r7, 1; @%q2 bra LOOP;\nshr.u32 %r6, %r1, 15;"
           "xor.b32 %r6, %r6, %r1; st.param.b32 [r], %r6; ret;\n}\n";
  }

  uint64_t state;
  std::array<Body, kCount> bodies;
};

} // namespace

TEST(Call, RandomProgramsComputeWhatEachLaneWouldAlone) {
  for (uint64_t seed = 0; seed < 60; ++seed) {
    RandomProgram program(seed << 32);
    Outcome o = launch(program.text(),
                       "rem.u32 %r2, %t, 7; mul.lo.u32 %r1, %t, 0x9e3779b1;\n"
                       "{ .param .b32 a; .param .b32 b; .param .b32 c;"
                       "st.param.b32 [a], %r1; st.param.b32 [b], %r2;"
                       "call (c), f0, (a, b); ld.param.b32 %r0, [c]; }\n"
                       "activemask.b32 %r2; setp.ne.u32 %q1, %r2, -1;"
                       "@%q1 trap;",
                       64);
    EXPECT_EQ(o.rules, "") << seed;
    for (unsigned t = 0; t < 64; ++t)
      ASSERT_EQ(o.out[t], program.run(0, t * 0x9e3779b1u, t % 7)) << seed;
  }
}
