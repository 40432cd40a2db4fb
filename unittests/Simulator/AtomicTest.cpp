//===- AtomicTest.cpp - atomics of all widths -----------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Columns.h"

using namespace tirx::sim;

namespace {
struct Outcome {
  std::string rules;
  std::vector<uint32_t> memory;
};
} // namespace

/// One thread executes `body` on 16-byte aligned words at %p0.
static Outcome run(const std::string &body, std::vector<uint32_t> words) {
  TestKernel kernel(entry(1, body));
  EXPECT_EQ(kernel.error, "");
  if (!kernel.module)
    return {"!" + kernel.error, {}};
  Allocation *memory = kernel.buffer(words);
  Outcome outcome;
  outcome.rules = kernel.run();
  outcome.memory = TestKernel::read<uint32_t>(memory);
  return outcome;
}

/// Memory before and operand, where the instruction acts on %rd0.
static Column addF32(const std::string &space, const Column &memory,
                     const Column &operand) {
  std::string text = ".shared .align 8 .b8 m[2048]; ";
  if (space == "shared")
    text += "mov.u64 %rd0, m; mov.u32 %r0, %tid.x; mul.wide.u32 %rd2, %r0, 8; "
            "add.u64 %rd0, %rd0, "
            "%rd2;";
  else
    text += "add.u64 %rd0, %p0, %rd0;";
  text += " st." + space + ".b32 [%rd0], %s0; atom." + space +
          ".add.f32 %f0, [%rd0], %s1; ld." + space +
          ".b32 %d, [%rd0]; mul.wide.u32 %rd0, %t, 8;";
  return runColumns(text, {32, 32, 32}, {memory, operand});
}

TEST(Atomic, GlobalMemoryFlushesWhereSharedMemoryDoesNot) {
  // Subnormal operands, a subnormal sum of normal ones, NaN, -0.
  Column memory = {0x00000001, 0x00800001, 0x7f800001, 0x80000000, 0x80000001},
         operand = {0x00000002, 0x80800000, 0x3f800000, 0x80000000, 0x3f800000};
  EXPECT_EQ(addF32("global", memory, operand),
            (Column{0, 0, 0x7fffffff, 0x80000000, 0x3f800000}));
  EXPECT_EQ(addF32("shared", memory, operand),
            (Column{3, 1, 0x7fffffff, 0x80000000, 0x3f800000}));
}

TEST(Atomic, DoubleNaNsInMemory) {
  Column signalling = {0x7ff0000000000001}, one = {0x3ff0000000000000};
  const std::string global =
      "add.u64 %rd2, %p0, %rd0; atom.global.add.f64 %d0, [%rd2], %s1; "
      "ld.global.b64 %d, [%rd2];";
  EXPECT_EQ(runColumns(global, {64, 64, 64}, {signalling, one}), signalling);
  const std::string shared =
      ".shared .align 8 .b8 m[8]; setp.ne.u32 %x, %t, 0; @%x bra DONE; "
      "st.shared.b64 [m], %s0; atom.shared.add.f64 %d0, [m], %s1; "
      "ld.shared.b64 %d, [m]; DONE:";
  EXPECT_EQ(runColumns(shared, {64, 64, 64}, {signalling, one}),
            (Column{0x7ff8000000000001}));
}

TEST(Atomic, VectorsActOnEachElement) {
  Outcome outcome =
      run("mov.b32 %f0, 0f3f800000; mov.b32 %f1, 0f40000000;\n"
          "atom.global.add.v2.f32 {%f2, %f3}, [%p0], {%f0, %f1};\n"
          "st.global.v2.f32 [%p0+8], {%f2, %f3};",
          {0x3f800000, 0x40400000, 0, 0});
  EXPECT_EQ(outcome.rules, "");
  EXPECT_EQ(outcome.memory, (std::vector<uint32_t>{0x40000000, 0x40a00000,
                                                   0x3f800000, 0x40400000}));
  // f16: NaN against a number, -0 against +0, and both orders of numbers.
  outcome = run("mov.b32 %r0, 0x00003c00; mov.b32 %r1, 0x7e004000;\n"
                "red.global.min.noftz.v2.f16x2 [%p0], {%r0, %r1};",
                {0x80007e00, 0x40003c00});
  EXPECT_EQ(outcome.rules, "");
  EXPECT_EQ(outcome.memory, (std::vector<uint32_t>{0x80003c00, 0x40003c00}));
}

TEST(Atomic, VectorsAreAlignedToTheirSize) {
  EXPECT_EQ(run("mov.b32 %f0, 0f3f800000;\n"
                "red.global.add.v2.f32 [%p0+4], {%f0, %f0};",
                {0, 0, 0, 0})
                .rules,
            "alignment");
  EXPECT_EQ(run("mov.b32 %f0, 0f3f800000;\n"
                "red.global.add.v4.f32 [%p0+16], {%f0, %f0, %f0, %f0};",
                {0, 0, 0, 0})
                .rules,
            "R42");
}

TEST(Atomic, Of128Bits) {
  const std::string values =
      ".reg .b128 %w<4>; mov.b64 %rd0, 0x1111; mov.b64 %rd1, 0x2222;\n"
      "mov.b64 %rd2, 0x3333; mov.b64 %rd3, 0x4444;\n"
      "mov.b128 %w0, {%rd0, %rd1}; mov.b128 %w1, {%rd2, %rd3};\n";
  Outcome outcome = run(values + "atom.global.exch.b128 %w2, [%p0], %w0;\n"
                                 "mov.b128 {%rd4, %rd5}, %w2;\n"
                                 "st.global.v2.b64 [%p0+16], {%rd4, %rd5};",
                        {1, 2, 3, 4, 0, 0, 0, 0});
  EXPECT_EQ(outcome.rules, "");
  EXPECT_EQ(outcome.memory,
            (std::vector<uint32_t>{0x1111, 0, 0x2222, 0, 1, 2, 3, 4}));
  // Equal in one half only, then in both.
  const std::string swap =
      values + "atom.global.cas.b128 %w2, [%p0], %w0, %w1;";
  EXPECT_EQ(run(swap, {0x1111, 0, 0x2223, 0}).memory,
            (std::vector<uint32_t>{0x1111, 0, 0x2223, 0}));
  EXPECT_EQ(run(swap, {0x1111, 0, 0x2222, 0}).memory,
            (std::vector<uint32_t>{0x3333, 0, 0x4444, 0}));
}

TEST(Atomic, ReadsOfBytesThatNobodyWroteAreReported) {
  LaunchOptions options;
  options.uninitialisedIsError = true;
  for (const char *body : {"red.global.add.v2.f32 [%p0], {%f0, %f0};",
                           ".reg .b128 %w<2>; mov.b128 %w0, {%rd0, %rd0}; "
                           "atom.global.exch.b128 %w1, [%p0], %w0;"}) {
    TestKernel kernel(entry(1, body), options);
    ASSERT_EQ(kernel.error, "");
    kernel.empty(16);
    EXPECT_EQ(kernel.run(), "R42") << body;
  }
}
