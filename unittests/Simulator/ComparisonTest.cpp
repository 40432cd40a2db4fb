//===- ComparisonTest.cpp - comparisons of pairs, lop3, special registers -===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Columns.h"

using namespace tirx::sim;

// 1.0 < 2.0 below, NaN above; equal below (both zeros), 2.0 > 1.0 above.
static const Column kA = {0x7e003c00, 0x40008000},
                    kB = {0x3c004000, 0x3c000000};

TEST(Comparison, SetOfPairs) {
  std::vector<unsigned> widths = {32, 32, 32};
  EXPECT_EQ(runColumns("set.lt.f16x2.f16x2 %d, %s0, %s1;", widths, {kA, kB}),
            (Column{0x00003c00, 0}));
  EXPECT_EQ(runColumns("set.ltu.f16x2.f16x2 %d, %s0, %s1;", widths, {kA, kB}),
            (Column{0x3c003c00, 0}));
  EXPECT_EQ(runColumns("set.ge.u32.f16x2 %d, %s0, %s1;", widths, {kA, kB}),
            (Column{0, 0xffffffff}));
  EXPECT_EQ(runColumns("setp.eq.u32 %x, %s0, %s0; "
                       "set.lt.xor.s32.f16x2 %d, %s0, %s1, %x;",
                       widths, {kA, kB}),
            (Column{0xffff0000, 0xffffffff}));
  EXPECT_EQ(runColumns("set.gt.bf16x2.bf16x2 %d, %s0, %s1;", widths,
                       {{0x3f804000}, {0x40003f80}}),
            (Column{0x00003f80}));
}

TEST(Comparison, SetOfHalves) {
  std::vector<unsigned> widths = {16, 16, 16};
  Column a = {0x3c00, 0x0001}, b = {0x3c00, 0x0000};
  EXPECT_EQ(runColumns("set.eq.f16.f16 %d, %s0, %s1;", widths, {a, b}),
            (Column{0x3c00, 0}));
  EXPECT_EQ(runColumns("set.eq.ftz.u16.f16 %d, %s0, %s1;", widths, {a, b}),
            (Column{0xffff, 0xffff}));
  EXPECT_EQ(runColumns("set.gt.bf16.bf16 %d, %s0, %s1;", widths,
                       {{0x4000}, {0x3f80}}),
            (Column{0x3f80}));
}

TEST(Comparison, SetpOfPairsWritesAPredicateForEachHalf) {
  EXPECT_EQ(runColumns("setp.gt.f16x2 %x|%y, %s0, %s1; selp.b32 %d, 1, 0, %x; "
                       "@%y or.b32 %d, %d, 2;",
                       {32, 32, 32},
                       {{0x3c004000, 0x40003c00, 0x40004000},
                        {0x3c003c00, 0x3c003c00, 0x3c003c00}}),
            (Column{1, 2, 3}));
}

TEST(Comparison, Lop3WithAPredicate) {
  std::vector<unsigned> widths = {32, 32, 32};
  // a & b, LUT 0xc0; the predicate is "not zero", combined with p or q.
  Column a = {0xf0, 0x0f}, b = {0x10, 0x10};
  EXPECT_EQ(
      runColumns("setp.eq.u32 %y, 0, 0; lop3.and.b32 %r1|%x, %s0, %s1, 0, "
                 "0xc0, %y; selp.b32 %d, %r1, 0xffff, %x;",
                 widths, {a, b}),
      (Column{0x10, 0xffff}));
  EXPECT_EQ(runColumns("setp.eq.u32 %y, 0, 0; lop3.or.b32 _|%x, %s0, %s1, 0, "
                       "0xc0, !%y; selp.b32 %d, 1, 0, %x;",
                       widths, {a, b}),
            (Column{1, 0}));
}

TEST(SpecialRegisters, AllHaveAValue) {
  auto read = [](const std::string &name, unsigned bits) {
    return runColumns("mov.b" + std::to_string(bits) + " %d, " + name + ";",
                      {bits, 32}, {{0}})[0];
  };
  EXPECT_EQ(read("%reserved_smem_offset_end", 32), 1024u);
  EXPECT_EQ(read("%reserved_smem_offset_cap", 32), 1024u);
  EXPECT_EQ(read("%reserved_smem_offset_begin", 32), 0u);
  EXPECT_EQ(read("%aggr_smem_size", 32), 1024u);
  EXPECT_EQ(read("%total_smem_size", 32), 0u);
  EXPECT_EQ(read("%envreg31", 32), 0u);
  EXPECT_EQ(read("%pm7", 32), 0u);
  EXPECT_EQ(read("%pm0_64", 64), 0u);
  EXPECT_EQ(read("%current_graph_exec", 64), 0u);
  EXPECT_EQ(read("%globaltimer_hi", 32), 0u);
}

TEST(SpecialRegisters, ClocksGrow) {
  for (std::string name : {"%clock64", "%globaltimer"})
    EXPECT_EQ(runColumns("mov.u64 %rd2, " + name + "; mov.u64 %rd3, " + name +
                             "; setp.lt.u64 %x, %rd2, %rd3; selp.b32 %d, 1, 0, "
                             "%x;",
                         {32, 32}, {{0}}),
              Column{1})
        << name;
}

TEST(SpecialRegisters, ExplicitClusterIsAPredicate) {
  for (bool isExplicit : {false, true}) {
    std::string text =
        entry(1, "mov.pred %q0, %is_explicit_cluster; selp.b32 %r0, 1, 0, %q0; "
                 "st.global.b32 [%p0], %r0;");
    if (isExplicit)
      text.replace(text.find(")\n{"), 3,
                   ")\n.explicitcluster .reqnctapercluster 1, 1, 1\n{");
    TestKernel kernel(text);
    ASSERT_EQ(kernel.error, "");
    Allocation *out = kernel.buffer(std::vector<uint32_t>{7});
    EXPECT_EQ(kernel.run(), "");
    EXPECT_EQ(TestKernel::read<uint32_t>(out)[0], unsigned(isExplicit));
  }
}
