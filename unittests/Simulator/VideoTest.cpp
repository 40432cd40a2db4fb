//===- VideoTest.cpp - halves and bytes of words --------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Columns.h"

using namespace tirx::sim;

static const std::vector<unsigned> kWords = {32, 32, 32, 32};

/// One row.
static uint64_t run(const std::string &text, uint64_t a, uint64_t b,
                    uint64_t c) {
  Column result = runColumns(text, kWords, {{a}, {b}, {c}});
  return result.empty() ? ~uint64_t(0) : result[0];
}

TEST(Video, TwoHalves) {
  EXPECT_EQ(
      run("vadd2.u32.u32.u32 %d, %s0, %s1, %s2;", 0x00010002, 0x00100020, 0),
      0x00110022u);
  // Wraps in its half, or is clamped to the range of the result.
  EXPECT_EQ(
      run("vadd2.u32.u32.u32 %d, %s0, %s1, %s2;", 0xffff0001, 0x00010001, 0),
      0x00000002u);
  EXPECT_EQ(run("vadd2.u32.u32.u32.sat %d, %s0, %s1, %s2;", 0xffff0001,
                0x00010001, 0),
            0xffff0002u);
  EXPECT_EQ(run("vsub2.u32.u32.u32.sat %d, %s0, %s1, %s2;", 0x00010005,
                0x00020001, 0),
            0x00000004u);
  EXPECT_EQ(run("vadd2.s32.s32.s32.sat %d, %s0, %s1, %s2;", 0x7fff8000,
                0x0001ffff, 0),
            0x7fff8000u);
  // A signed and an unsigned source.
  EXPECT_EQ(
      run("vmin2.s32.s32.u32 %d, %s0, %s1, %s2;", 0xffff0003, 0xffff0002, 0),
      0xffff0002u);
  EXPECT_EQ(
      run("vmax2.s32.s32.u32 %d, %s0, %s1, %s2;", 0xffff0003, 0x00010002, 0),
      0x00010003u);
  EXPECT_EQ(run("vabsdiff2.u32.s32.s32 %d, %s0, %s1, %s2;", 0x0003fffe,
                0x00050004, 0),
            0x00020006u);
}

TEST(Video, AveragesRoundAwayFromZero) {
  EXPECT_EQ(
      run("vavrg2.u32.u32.u32 %d, %s0, %s1, %s2;", 0x00010004, 0x00020006, 0),
      0x00020005u);
  // (-1 + -2) / 2 and (-1 + 0) / 2.
  EXPECT_EQ(
      run("vavrg2.s32.s32.s32 %d, %s0, %s1, %s2;", 0xffffffff, 0xfffe0000, 0),
      0xfffeffffu);
}

TEST(Video, SelectorsTakePartsOfBothWords) {
  // Parts 0 to 3 are 2222, 1111, 4444, 3333.
  EXPECT_EQ(run("vadd2.u32.u32.u32 %d, %s0.h30, %s1.h12, %s2;", 0x11112222,
                0x33334444, 0),
            0x44446666u);
  EXPECT_EQ(run("vmax4.u32.u32.u32 %d, %s0.b7000, %s1.b0000, %s2;", 0x00000001,
                0x90000000, 0),
            0x90010101u);
}

TEST(Video, MasksKeepPartsOfTheThirdWord) {
  EXPECT_EQ(run("vadd2.u32.u32.u32 %d.h1, %s0, %s1, %s2;", 0x00010002,
                0x00100020, 0xaaaabbbb),
            0x0011bbbbu);
  EXPECT_EQ(run("vsub4.u32.u32.u32 %d.b20, %s0, %s1, %s2;", 0x05060708,
                0x01010101, 0xaabbccdd),
            0xaa05cc07u);
}

TEST(Video, SumsAreAddedToTheThirdWord) {
  EXPECT_EQ(run("vabsdiff4.u32.u32.u32.add %d, %s0, %s1, %s2;", 0x01ff0305,
                0x02000303, 100),
            100u + 1 + 255 + 0 + 2);
  // A negative sum; only the places of the mask count.
  EXPECT_EQ(run("vsub4.s32.s32.s32.add %d.b10, %s0, %s1, %s2;", 0x7f7f0102,
                0x00000304, 1),
            uint32_t(1 - 2 - 2));
}

TEST(Video, ComparisonsGiveOne) {
  EXPECT_EQ(run("vset4.u32.u32.lt %d, %s0, %s1, %s2;", 0x01020304, 0x02020403,
                0xffffffff),
            0x01000100u);
  EXPECT_EQ(run("vset4.s32.s32.gt.add %d, %s0, %s1, %s2;", 0x01800304,
                0x0002ff03, 40),
            43u);
  EXPECT_EQ(run("vset2.u32.s32.ne %d.h0, %s0, %s1, %s2;", 0xffffffff,
                0xffffffff, 0x77770000),
            0x77770001u);
}
