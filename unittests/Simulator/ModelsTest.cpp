//===- ModelsTest.cpp - registered instructions ---------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestKernel.h"

using namespace tirx::sim;

static const std::string kHeader =
    ".version 8.8\n.target sm_100a\n.address_size 64\n";

namespace {
struct Outcome {
  std::vector<uint32_t> out;
  std::string rules;
  std::vector<Report> reports;
};
} // namespace

/// 32 threads run `body` and store %r0.
static Outcome launch(const std::string &body, const std::string &models) {
  Outcome outcome;
  ModuleText text{kHeader + models, "k.models.ptx"};
  auto module = Module::load(entry(1, body + "\nmul.wide.u32 %rd0, %t, 4;"
                                             "add.u64 %rd0, %p0, %rd0;"
                                             "st.global.u32 [%rd0], %r0;\n"),
                             "k.ptx", 0, models.empty() ? nullptr : &text);
  if (!module) {
    outcome.rules = "!" + llvm::toString(module.takeError());
    return outcome;
  }
  Simulator simulator;
  Allocation *out = llvm::cantFail(simulator.getMemory().allocate("out", 128));
  std::memset(out->store.data(), 0, 128);
  out->store.markAllWritten();
  LaunchParameters parameters;
  parameters.block = {32, 1, 1};
  parameters.arguments.resize(8);
  std::memcpy(parameters.arguments.data(), &out->base, 8);
  if (auto failure = simulator.launch(**module, parameters)) {
    outcome.rules = "!" + llvm::toString(std::move(failure));
    return outcome;
  }
  outcome.reports = simulator.getLog().getReports();
  for (const Report &report : outcome.reports)
    outcome.rules += report.rule;
  outcome.out = TestKernel::read<uint32_t>(out);
  return outcome;
}

TEST(Models, RegistersOfAllKinds) {
  // Two out, an inout, a vector, a predicate and a constant.
  const std::string models =
      ".func (.param .align 8 .b8 r[32]) f(.param .b32 d, .param .b32 v0,"
      " .param .b32 v1, .param .b64 w, .param .b32 p, .param .b32 n)\n{\n"
      ".reg .b32 %r<9>; .reg .b64 %rd<4>;\nld.param.b32 %r1, [d];"
      "ld.param.b32 %r2, [v0]; ld.param.b32 %r3, [v1]; ld.param.b64 %rd1, [w];"
      "ld.param.b32 %r4, [p]; ld.param.b32 %r5, [n];\n"
      "st.param.b32 [r], %r3; st.param.b32 [r+4], %r2;" // out v2
      "add.u32 %r6, %r1, %r5; st.param.b32 [r+8], %r6;" // inout
      "xor.b32 %r7, %r4, 1; st.param.b32 [r+12], %r7;"  // out predicate
      "add.u64 %rd2, %rd1, 1; st.param.b64 [r+16], %rd2;"
      "and.b32 %r8, %r2, 0xffff; st.param.b32 [r+24], %r8; ret;\n}\n"
      ".pragma \"tirx.instruction acme.mix.x4 f out:b32x2 inout:b32 out:pred"
      " out:b64 out:b16 in:b32x2 in:b64 in:pred imm:b32\";\n";
  const std::string body =
      "mov.u32 %r1, %t; add.u32 %r2, %t, 0x10020; mov.u32 %r3, 5;"
      "cvt.u64.u32 %rd1, %t; setp.lt.u32 %q0, %t, 9; mov.u64 %rd2, 0;"
      "mov.u16 %h1, 0; setp.ge.u32 %q2, %t, 20; mov.u32 %r4, 0;"
      "mov.u32 %r5, 0; setp.eq.u32 %q1, 0, 1;\n"
      "@!%q2 acme.mix.x4 {%r4, %r5}, %r3, %q1, %rd2, %h1, {%r2, %r1}, %rd1, "
      "!%q0, 7;\n"
      "cvt.u32.u64 %r6, %rd2; cvt.u32.u16 %r7, %h1;"
      "selp.u32 %r8, 1000000, 0, %q1;"
      "mad.lo.u32 %r0, %r4, 3, %r5; mad.lo.u32 %r0, %r0, 3, %r3;"
      "mad.lo.u32 %r0, %r0, 3, %r6; mad.lo.u32 %r0, %r0, 3, %r7;"
      "add.u32 %r0, %r0, %r8;";
  Outcome o = launch(body, models);
  ASSERT_EQ(o.rules, "");
  for (uint32_t t = 0; t < 32; ++t) {
    bool runs = t < 20;
    uint32_t a = runs ? t : 0, b = runs ? t + 0x10020 : 0, d = runs ? 12 : 5,
             w = runs ? t + 1 : 0, h = runs ? t + 0x20 : 0,
             p = runs && t < 9 ? 1000000 : 0;
    EXPECT_EQ(o.out[t], (((a * 3 + b) * 3 + d) * 3 + w) * 3 + h + p) << t;
  }
}

TEST(Models, MemoryAndTables) {
  // Adds what a table of the models file says to memory, gives the old value.
  const std::string models =
      ".global .align 4 .u32 steps[2] = {10, 20};\n"
      ".func (.param .b32 r) bump(.param .b64 p, .param .b32 n)\n{\n"
      ".reg .b32 %r<4>; .reg .b64 %rd<4>;\nld.param.b64 %rd1, [p];"
      "ld.param.b32 %r1, [n]; mul.wide.u32 %rd2, %r1, 4; mov.u64 %rd3, steps;"
      "add.u64 %rd3, %rd3, %rd2; ld.global.u32 %r2, [%rd3];"
      "ld.u32 %r3, [%rd1]; st.param.b32 [r], %r3; add.u32 %r3, %r3, %r2;"
      "st.u32 [%rd1], %r3; ret;\n}\n"
      ".pragma \"tirx.instruction acme.bump bump out:b32 in:b64 imm:b32\";\n";
  const std::string body = "mul.wide.u32 %rd1, %t, 4; add.u64 %rd1, %p0, %rd1;"
                           "st.global.u32 [%rd1], %t; sub.u64 %rd1, %rd1, 16;"
                           "acme.bump %r1, [%rd1+16], 1;"
                           "ld.global.u32 %r2, [%rd1+16];"
                           "mad.lo.u32 %r0, %r2, 1000, %r1;";
  Outcome o = launch(body, models);
  ASSERT_EQ(o.rules, "");
  for (uint32_t t = 0; t < 32; ++t)
    EXPECT_EQ(o.out[t], (t + 20) * 1000 + t);
  // A report inside names the file of the models and the instruction.
  o = launch("acme.bump %r0, [4096], 1;", models);
  ASSERT_EQ(o.rules, "R42");
  EXPECT_EQ(o.reports[0].place.ptxFile, "k.models.ptx");
  EXPECT_EQ(o.reports[0].place.ptxLine, 8u);
  ASSERT_FALSE(o.reports[0].notes.empty());
  EXPECT_NE(o.reports[0].notes[0].find("'bump' was called by 'kernel'"),
            std::string::npos);
}

TEST(Models, WhatDoesNotFitIsAnError) {
  const std::string function =
      ".func (.param .b32 r) f(.param .b32 a) { st.param.b32 [r], 1; ret; }\n";
  auto with = [&](const std::string &pragma, const std::string &body) {
    return launch(body,
                  function + ".pragma \"tirx.instruction " + pragma + "\";\n")
        .rules;
  };
  auto expect = [](const std::string &rules, const std::string &part) {
    EXPECT_NE(rules.find(part), std::string::npos) << rules;
  };
  EXPECT_EQ(with("acme.a f out:b32 in:b32", "acme.a %r0, %t;"), "");
  expect(with("acme.a f out:b32 in:b32", "acme.b %r0, %t;"), "acme.b");
  expect(with("acme.a f out:b32 in:b32", "acme.a %r0, %t, 5;"),
         "expected the 2 operands of its model, got 3");
  expect(with("acme.a f out:b32 in:b32", "acme.a %r0, {%t, %t};"),
         "expected 1 registers as operand 2, got 2");
  expect(with("acme.a f out:b32 in:b32", "acme.a %rd0, %t;"),
         "expected a register of 32 bits");
  expect(with("acme.a f out:b32 imm:b32", "acme.a %r0, %t;"),
         "expected a constant as operand 2");
  expect(with("acme.a f out:b32 in:b64", "acme.a %r0, %rd0;"),
         "to take parameters of (8) bytes and to return (4), got (4) and (4)");
  expect(with("acme.a g out:b32 in:b32", ""), "got 'g'");
  expect(with("acme.a f out:b33 in:b32", ""), "got 'out:b33'");
  expect(with("acme.a f out:b32x in:b32", ""), "got 'out:b32x'");
  expect(with("acme.a f out:b32x999999999999 in:b32", ""), "got 'out:b32x99");
  expect(with("acme.a", ""), "MNEMONIC FUNCTION");
  expect(launch("mov.u32 %r0, 0;", "nonsense").rules, "k.models.ptx");
  // What the table knows stays what it is.
  EXPECT_EQ(launch("mov.b32 %r0, %t;",
                   function + ".pragma \"tirx.instruction mov.b32 f "
                              "out:b32 in:b32\";\n")
                .out[7],
            7u);
  expect(launch("acme.a %r0, %t;", "").rules, "acme");
}
