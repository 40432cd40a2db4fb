//===- KernelTest.cpp - small kernels -------------------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TIRx/Simulator/FloatFormat.h"
#include "TestKernel.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tirx::sim;

/// Runs `body` with 32 threads that leave a 32-bit result in %r0 and returns
/// the results; `rules` gets the reports.
static std::vector<uint32_t> lanes(const std::string &body,
                                   std::string *rules = nullptr,
                                   const std::string &globals = "",
                                   unsigned threads = 32) {
  TestKernel kernel(entry(1, body + R"(
  mul.wide.u32 %rd0, %t, 4;
  add.u64 %rd0, %p0, %rd0;
  st.global.u32 [%rd0], %r0;
)",
                          globals));
  EXPECT_EQ(kernel.error, "");
  if (!kernel.module)
    return std::vector<uint32_t>(threads, 0xdeadbeef);
  kernel.parameters.block = {threads, 1, 1};
  Allocation *out = kernel.empty(threads * 4);
  std::string found = kernel.run();
  if (rules)
    *rules = found;
  else
    EXPECT_EQ(found, "");
  return TestKernel::read<uint32_t>(out);
}

static uint32_t lane(const std::string &body, unsigned n = 0) {
  return lanes(body)[n];
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

TEST(Kernel, NaNOfDouble) {
  auto high = [](const std::string &text) {
    return lane("mov.b64 %rd1, 0x7ff0000000000001; "
                "mov.b64 %rd2, 0xffffffff3c003c00; mov.b64 %rd3, 0; " +
                text + " mov.b64 {%r1, %r0}, %rd1;");
  };
  // Quiet, the sign as it was.
  EXPECT_EQ(high("neg.f64 %rd1, %rd1;"), 0x7ff80000u);
  EXPECT_EQ(high("abs.f64 %rd1, %rd2;"), 0xffffffffu);
  // Of two the second; of an fma's b, then c, then a.
  EXPECT_EQ(high("sub.rn.f64 %rd1, %rd1, %rd2;"), 0xffffffffu);
  EXPECT_EQ(high("fma.rn.f64 %rd1, %rd1, %rd2, %rd3;"), 0xffffffffu);
  EXPECT_EQ(high("fma.rn.f64 %rd1, %rd1, %rd3, %rd2;"), 0xffffffffu);
  EXPECT_EQ(high("fma.rn.f64 %rd1, %rd2, %rd1, %rd2;"), 0x7ff80000u);
  EXPECT_EQ(high("fma.rn.f64 %rd1, %rd3, %rd1, %rd2;"), 0x7ff80000u);
}

TEST(Kernel, NaNIsCutToTF32) {
  EXPECT_EQ(lane("mov.b32 %r1, 0x7f9afead; cvt.rna.tf32.f32 %r0, %r1;"),
            0x7f9ae000u);
  EXPECT_EQ(lane("mov.b32 %r1, 0x3f9afead; cvt.rna.tf32.f32 %r0, %r1;"),
            0x3f9b0000u);
}

TEST(Kernel, IntegerArithmetic) {
  EXPECT_EQ(lane("div.u32 %r0, 7, 0;"), ~0u);
  EXPECT_EQ(lane("rem.s32 %r0, -7, 2;"), uint32_t(-1));
  EXPECT_EQ(lane("div.s32 %r0, -2147483648, -1;"), 0x80000000u);
  EXPECT_EQ(lane("mul.hi.s32 %r0, -1, 1;"), ~0u);
  EXPECT_EQ(lane("mad.wide.s32 %rd1, -3, 5, 7; cvt.u32.u64 %r0, %rd1;"),
            uint32_t(-8));
  EXPECT_EQ(lane("add.sat.s32 %r0, 2147483647, 1;"), 0x7fffffffu);
  EXPECT_EQ(lane("shl.b32 %r0, 1, 32;"), 0u);
  EXPECT_EQ(lane("shr.s32 %r0, -8, 99;"), ~0u);
  EXPECT_EQ(lane("bfe.s32 %r0, 0xf0, 4, 4;"), ~0u);
  EXPECT_EQ(lane("bfi.b32 %r0, 0xff, 0, 8, 4;"), 0xf00u);
  EXPECT_EQ(lane("prmt.b32 %r0, 0x44332211, 0x88776655, 0x7531;"), 0x88664422u);
  EXPECT_EQ(lane("lop3.b32 %r0, 0xf0f0, 0xcccc, 0xaaaa, 0x96;"),
            0xf0f0u ^ 0xccccu ^ 0xaaaau);
  EXPECT_EQ(lane("shf.l.wrap.b32 %r0, 0x80000000, 1, 1;"), 3u);
  EXPECT_EQ(lane("clz.b32 %r0, 1;"), 31u);
  EXPECT_EQ(lane("bfind.u32 %r0, 0;"), ~0u);
  EXPECT_EQ(lane("brev.b32 %r0, 1;"), 0x80000000u);
  EXPECT_EQ(lane("add.cc.u32 %r1, 0xffffffff, 1; addc.u32 %r0, 5, 0;"), 6u);
  EXPECT_EQ(lane("sub.cc.u32 %r1, 0, 1; subc.u32 %r0, 5, 0;"), 4u);
  // After a subtraction the flag says that nothing was borrowed.
  EXPECT_EQ(lane("sub.cc.u32 %r1, 0, 1; addc.u32 %r0, 0, 0;"), 0u);
  EXPECT_EQ(lane("sub.cc.u32 %r1, 1, 1; addc.u32 %r0, 0, 0;"), 1u);
  EXPECT_EQ(lane("add.cc.u32 %r1, 0xffffffff, 1; subc.u32 %r0, 5, 0;"), 5u);
  EXPECT_EQ(lane("add.cc.u32 %r1, 0, 1; subc.u32 %r0, 5, 0;"), 4u);
}

TEST(Kernel, FloatArithmetic) {
  auto f32 = [](const std::string &text) {
    return lane(text + " mov.b32 %r0, %f0;");
  };
  EXPECT_EQ(f32("fma.rn.f32 %f0, 0f3F800001, 0f3F800001, 0fBF800002;"),
            0x28800000u); // 2^-46, exact
  EXPECT_EQ(f32("add.rz.f32 %f0, 0f3F800000, 0fB3000000;"), 0x3f7fffffu);
  EXPECT_EQ(f32("add.rp.f32 %f0, 0f3F800000, 0f00000001;"), 0x3f800001u);
  EXPECT_EQ(f32("mul.ftz.f32 %f0, 0f00800000, 0f3F000000;"), 0u);
  EXPECT_EQ(f32("mul.f32 %f0, 0f00800000, 0f3F000000;"), 0x00400000u);
  EXPECT_EQ(f32("add.sat.f32 %f0, 0f3F800000, 0f3F800000;"), 0x3f800000u);
  EXPECT_EQ(f32("add.f32 %f0, 0f7F800000, 0fFF800000;"), 0x7fffffffu);
  EXPECT_EQ(f32("min.f32 %f0, 0f80000000, 0f00000000;"), 0x80000000u);
  EXPECT_EQ(f32("max.f32 %f0, 0f7FC00000, 0f3F800000;"), 0x3f800000u);
  EXPECT_EQ(f32("max.NaN.f32 %f0, 0f7FC00000, 0f3F800000;"), 0x7fffffffu);
  EXPECT_EQ(f32("div.rn.f32 %f0, 0f3F800000, 0f40400000;"), 0x3eaaaaabu);
  EXPECT_EQ(f32("sqrt.rn.f32 %f0, 0f40000000;"), 0x3fb504f3u);
}

TEST(Kernel, Conversions) {
  EXPECT_EQ(lane("cvt.rzi.s32.f32 %r0, 0fBFC00000;"), ~0u);
  EXPECT_EQ(lane("cvt.rni.s32.f32 %r0, 0f40200000;"), 2u);
  EXPECT_EQ(lane("cvt.rzi.u32.f32 %r0, 0fBF800000;"), 0u);
  EXPECT_EQ(lane("cvt.rzi.s32.f32 %r0, 0f7FC00000;"), 0u);
  EXPECT_EQ(lane("cvt.rn.f16x2.f32 %r0, 0f3F800000, 0f40000000;"), 0x3c004000u);
  EXPECT_EQ(lane("cvt.rn.bf16x2.f32 %r0, 0f3F808000, 0f3F818000;"),
            0x3f803f82u);
  EXPECT_EQ(lane("mov.b16 %h1, 0x8000; cvt.s32.s16 %r0, %h1;"), 0xffff8000u);
  EXPECT_EQ(lane("cvt.sat.u8.s32 %h1, 300; cvt.u32.u16 %r0, %h1;"), 255u);
  EXPECT_EQ(lane("cvt.rn.satfinite.e4m3x2.f32 %h1, 0f47000000, 0f3F800000;"
                 "cvt.u32.u16 %r0, %h1;"),
            0x7e38u);
  EXPECT_EQ(lane("cvt.rna.tf32.f32 %r0, 0f3F801000;"), 0x3f802000u);
}

TEST(Kernel, PacksAndUnpacksVectors) {
  EXPECT_EQ(lane("mov.b64 %rd1, {1, 2}; mov.b64 {%r1, %r0}, %rd1;"), 2u);
  EXPECT_EQ(lane("mov.b16 %h1, 0x1234; mov.b32 %r0, {%h1, 7};"), 0x00071234u);
  EXPECT_EQ(lane("mov.b32 {%h1, %h2}, 0xaaaabbbb; cvt.u32.u16 %r0, %h2;"),
            0xaaaau);
  EXPECT_EQ(lane("mov.b32 {_, %h2}, 0xaaaabbbb; cvt.u32.u16 %r0, %h2;"),
            0xaaaau);
}

//===----------------------------------------------------------------------===//
// Control flow and warps
//===----------------------------------------------------------------------===//

TEST(Kernel, DivergedLanesMeetAgain) {
  // A loop with a trip count of its own for each lane; after it all lanes vote
  // together, which needs the whole warp.
  auto result = lanes(R"(
  mov.u32 %r0, 0;
  mov.u32 %r1, 0;
LOOP:
  setp.ge.u32 %q0, %r1, %t;
  @%q0 bra DONE;
  add.u32 %r0, %r0, %r1;
  add.u32 %r1, %r1, 1;
  bra LOOP;
DONE:
  activemask.b32 %r2;
  setp.ne.u32 %q1, %r2, 0xffffffff;
  @%q1 mov.u32 %r0, 0x99999999;
)");
  for (unsigned l = 0; l < 32; ++l)
    EXPECT_EQ(result[l], l * (l - 1) / 2);
}

TEST(Kernel, EarlyExitLeavesTheOthersConverged) {
  auto result = lanes(R"(
  and.b32 %r1, %t, 1;
  setp.eq.u32 %q0, %r1, 1;
  @%q0 exit;
  activemask.b32 %r0;
)");
  EXPECT_EQ(result[0], 0x55555555u);
  EXPECT_EQ(result[2], 0x55555555u);
}

TEST(Kernel, NestedDivergence) {
  auto result = lanes(R"(
  mov.u32 %r0, 0;
  setp.lt.u32 %q0, %t, 16;
  @!%q0 bra OUTER;
  setp.lt.u32 %q1, %t, 8;
  @!%q1 bra INNER;
  or.b32 %r0, %r0, 1;
INNER:
  activemask.b32 %r1;
  setp.eq.u32 %q2, %r1, 0xffff;
  @%q2 or.b32 %r0, %r0, 2;
OUTER:
  activemask.b32 %r1;
  setp.eq.u32 %q2, %r1, 0xffffffff;
  @%q2 or.b32 %r0, %r0, 4;
)");
  EXPECT_EQ(result[0], 7u);
  EXPECT_EQ(result[9], 6u);
  EXPECT_EQ(result[20], 4u);
}

/// One lane waits for what another lane of its warp does after the branch: a
/// warp that insisted on reconvergence would hang.
TEST(Kernel, LanesOfOneWarpMakeIndependentProgress) {
  auto result = lanes(R"(
  mov.u32 %r5, flag;
  setp.ne.u32 %q0, %t, 0;
  @!%q0 st.shared.u32 [%r5], 0;
  bar.warp.sync -1;
  @%q0 bra AFTER;
SPIN:
  ld.volatile.shared.u32 %r1, [%r5];
  setp.eq.u32 %q1, %r1, 0;
  @%q1 bra SPIN;
AFTER:
  setp.eq.u32 %q2, %t, 1;
  @%q2 st.volatile.shared.u32 [%r5], 42;
  bar.warp.sync -1;
  ld.shared.u32 %r0, [%r5];
)",
                      nullptr, ".shared .align 4 .b32 flag;");
  for (uint32_t value : result)
    EXPECT_EQ(value, 42u);
}

TEST(Kernel, IndirectBranch) {
  auto result = lanes(R"(
  TABLE: .branchtargets A, B, C;
  rem.u32 %r1, %t, 3;
  brx.idx %r1, TABLE;
A:
  mov.u32 %r0, 10;
  bra END;
B:
  mov.u32 %r0, 20;
  bra END;
C:
  mov.u32 %r0, 30;
END:
)");
  for (unsigned l = 0; l < 32; ++l)
    EXPECT_EQ(result[l], 10 * (l % 3 + 1));
}

TEST(Kernel, WarpCollectives) {
  EXPECT_EQ(lane("shfl.sync.bfly.b32 %r0, %t, 5, 31, -1;", 9), 12u);
  EXPECT_EQ(lane("shfl.sync.up.b32 %r0|%q0, %t, 1, 0, -1;"
                 "@!%q0 mov.u32 %r0, 99;"),
            99u);
  EXPECT_EQ(lane("shfl.sync.idx.b32 %r0, %t, 3, 0x181f, -1;", 17), 19u);
  EXPECT_EQ(lane("setp.lt.u32 %q0, %t, 5; vote.sync.ballot.b32 %r0, %q0, -1;"),
            31u);
  EXPECT_EQ(lane("redux.sync.add.u32 %r0, %t, -1;", 3), 496u);
  EXPECT_EQ(lane("and.b32 %r1, %t, 3; match.any.sync.b32 %r0, %r1, -1;", 1),
            0x22222222u);
  // The leader of a mask without lane 0 is its lowest lane.
  EXPECT_EQ(lane("mov.u32 %r0, 0; setp.lt.u32 %q0, %t, 4; @%q0 bra L;"
                 "elect.sync %r0|%q1, 0xfffffff0; L:",
                 20),
            4u);
}

//===----------------------------------------------------------------------===//
// Synchronisation
//===----------------------------------------------------------------------===//

TEST(Kernel, BarrierReduction) {
  std::string rules;
  auto result = lanes("setp.lt.u32 %q0, %t, 40; bar.red.popc.u32 %r0, 0, %q0;",
                      &rules, "", 64);
  EXPECT_EQ(rules, "");
  EXPECT_EQ(result[63], 40u);
}

TEST(Kernel, MBarrierHandsOver) {
  std::string rules;
  auto result =
      lanes(R"(
  setp.eq.u32 %q0, %t, 0;
  @%q0 mbarrier.init.shared::cta.b64 [bar], 32;
  bar.sync 0;
  setp.lt.u32 %q1, %t, 32;
  @%q1 bra PRODUCE;
WAIT:
  mbarrier.try_wait.parity.shared::cta.b64 %q2, [bar], 0;
  @!%q2 bra WAIT;
  ld.shared.u32 %r0, [data];
  bra END;
PRODUCE:
  mov.u32 %r0, 7;
  @%q0 st.shared.u32 [data], 5;
  mbarrier.arrive.shared::cta.b64 %rd5, [bar];
END:
)",
            &rules, ".shared .align 8 .b64 bar;\n.shared .b32 data;", 64);
  EXPECT_EQ(rules, "");
  EXPECT_EQ(result[0], 7u);
  EXPECT_EQ(result[40], 5u);
}

static std::string rulesOf(const std::string &body,
                           const std::string &globals = "",
                           unsigned threads = 32) {
  std::string rules;
  lanes("mov.u32 %r0, 0;\n" + body, &rules, globals, threads);
  return rules;
}

TEST(Kernel, ReportsDeadlocks) {
  const char *bar = ".shared .align 8 .b64 bar;";
  EXPECT_EQ(rulesOf(R"(
  setp.eq.u32 %q0, %t, 0;
  @%q0 mbarrier.init.shared::cta.b64 [bar], 2;
  @%q0 mbarrier.arrive.shared::cta.b64 _, [bar];
  bar.sync 0;
WAIT:
  mbarrier.try_wait.parity.shared::cta.b64 %q2, [bar], 0;
  @!%q2 bra WAIT;
)",
                    bar),
            "deadlock");
  EXPECT_EQ(rulesOf("setp.lt.u32 %q0, %t, 32; @%q0 bar.sync 1, 64;", "", 32),
            "deadlock");
  EXPECT_EQ(rulesOf("setp.lt.u32 %q0, %t, 32; @%q0 bar.sync 1, 64;"
                    "@!%q0 bar.sync 2, 64;",
                    "", 64),
            "deadlock");
}

TEST(Kernel, ReportsLivelocks) {
  LaunchOptions options;
  options.maxSteps = 100000;
  TestKernel kernel(entry(0, "L: bra L;"), options);
  kernel.parameters.block = {32, 1, 1};
  EXPECT_EQ(kernel.run(), "steps");
}

TEST(Kernel, ReportsBrokenBarriers) {
  const char *bar = ".shared .align 8 .b64 bar;";
  EXPECT_EQ(rulesOf("mbarrier.arrive.shared::cta.b64 _, [bar];", bar), "R33");
  EXPECT_EQ(rulesOf("setp.eq.u32 %q0, %t, 0;"
                    "@%q0 mbarrier.init.shared::cta.b64 [bar], 0;",
                    bar),
            "R31");
  EXPECT_EQ(rulesOf("mbarrier.init.shared::cta.b64 [bar], 1;", bar), "R33");
  std::string init = "setp.eq.u32 %q0, %t, 0;"
                     "@%q0 mbarrier.init.shared::cta.b64 [bar], 1;";
  EXPECT_EQ(rulesOf(init + "@%q0 st.shared.u32 [bar+4], 0;", bar), "R33");
  EXPECT_EQ(rulesOf(init + "@%q0 mbarrier.inval.shared::cta.b64 [bar];"
                           "@%q0 st.shared.u32 [bar+4], 0;",
                    bar),
            "");
  EXPECT_EQ(rulesOf("bar.sync 16;"), "R36");
  EXPECT_EQ(rulesOf("bar.sync 1, 33;"), "R36");
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

TEST(Kernel, ReportsBoundsAndAlignment) {
  EXPECT_EQ(rulesOf("st.global.u32 [%p0+128], 1;"), "R42");
  EXPECT_EQ(rulesOf("st.global.u32 [%p0+-4], 1;"), "R42");
  EXPECT_EQ(rulesOf("st.global.u32 [%p0+2], 1;"), "alignment");
  EXPECT_EQ(rulesOf("mov.u64 %rd1, 0; ld.global.u32 %r1, [%rd1];"), "R42");
  EXPECT_EQ(rulesOf("st.shared.u32 [x+4], 1;", ".shared .b32 x;"), "R42");
  EXPECT_EQ(rulesOf("ld.shared.v4.u32 {%r1, %r2, %r3, %r4}, [x+4];",
                    ".shared .align 16 .b8 x[64];"),
            "alignment");
  EXPECT_EQ(rulesOf("mov.u64 %rd1, c; cvta.const.u64 %rd1, %rd1;"
                    "st.u32 [%rd1], 1;",
                    ".const .align 4 .b32 c = 5;"),
            "R42");
  EXPECT_EQ(rulesOf("trap;"), "trap");
}

TEST(Kernel, GenericAddresses) {
  std::string globals =
      ".shared .align 4 .b32 x;\n.global .align 4 .b32 g = 9;";
  auto result = lanes(R"(
  .local .align 4 .b32 l;
  mov.u64 %rd1, x;
  cvta.shared.u64 %rd1, %rd1;
  st.u32 [%rd1], 11;
  ld.shared.u32 %r1, [x];
  mov.u64 %rd2, l;
  cvta.local.u64 %rd2, %rd2;
  st.u32 [%rd2], %t;
  ld.local.u32 %r2, [l];
  mov.u64 %rd3, g;
  ld.u32 %r3, [%rd3];
  add.u32 %r0, %r1, %r2;
  add.u32 %r0, %r0, %r3;
)",
                      nullptr, globals);
  EXPECT_EQ(result[5], 11u + 5u + 9u);
}

TEST(Kernel, UninitialisedReadsWarnOnceALine) {
  std::string text =
      entry(1, "ld.shared.u32 %r0, [x]; st.global.u32 [%p0], %r0;",
            ".shared .align 4 .b32 x;");
  TestKernel kernel(text);
  kernel.parameters.block = {32, 1, 1};
  Allocation *out = kernel.empty(4);
  EXPECT_EQ(kernel.run(), "");
  ASSERT_EQ(kernel.simulator->getLog().getReports().size(), 1u);
  EXPECT_EQ(kernel.report().count, 32u);
  EXPECT_EQ(kernel.report().severity, Severity::Warning);
  EXPECT_EQ(TestKernel::read<uint32_t>(out)[0], 0x7f7f7f7fu);

  LaunchOptions strict;
  strict.uninitialisedIsError = true;
  TestKernel again(text, strict);
  again.parameters.block = {32, 1, 1};
  again.empty(4);
  EXPECT_EQ(again.run(), "R42");
}

TEST(Kernel, AtomicsCountEveryLane) {
  TestKernel kernel(entry(1, "atom.global.add.u32 %r1, [%p0], 1;"
                             "red.global.max.u32 [%p0+4], %t;"));
  kernel.parameters.block = {96, 1, 1};
  kernel.parameters.grid = {3, 2, 1};
  Allocation *out = kernel.buffer(std::vector<uint32_t>{0, 0});
  EXPECT_EQ(kernel.run(), "");
  EXPECT_EQ(TestKernel::read<uint32_t>(out),
            (std::vector<uint32_t>{96 * 6, 95}));
}

TEST(Kernel, CtasMayWaitForEachOther) {
  // CTA i waits until CTA i + 1 has written its flag.
  TestKernel kernel(entry(1, R"(
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %nctaid.x;
  add.u32 %r3, %r1, 1;
  mul.wide.u32 %rd1, %r1, 4;
  add.u64 %rd1, %p0, %rd1;
  mov.u32 %r4, 1;
  setp.eq.u32 %q0, %r3, %r2;
  @%q0 bra WRITE;
SPIN:
  ld.acquire.gpu.global.u32 %r4, [%rd1+4];
  setp.eq.u32 %q1, %r4, 0;
  @%q1 bra SPIN;
  add.u32 %r4, %r4, 1;
WRITE:
  st.release.gpu.global.u32 [%rd1], %r4;
)"));
  kernel.parameters.block = {1, 1, 1};
  kernel.parameters.grid = {5, 1, 1};
  Allocation *out = kernel.buffer(std::vector<uint32_t>(5, 0));
  EXPECT_EQ(kernel.run(), "");
  EXPECT_EQ(TestKernel::read<uint32_t>(out),
            (std::vector<uint32_t>{5, 4, 3, 2, 1}));
}

//===----------------------------------------------------------------------===//
// Tensor memory
//===----------------------------------------------------------------------===//

static const char *kSlot = ".shared .align 4 .b32 slot;";
static std::string alloc(unsigned columns) {
  return llvm::formatv(
      "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 "
      "[slot], {0};\nld.shared.u32 %r10, [slot];\n",
      columns);
}
static std::string dealloc(unsigned columns) {
  return llvm::formatv(
      "tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r10, {0};\n", columns);
}

TEST(TensorKernel, LifetimeRules) {
  EXPECT_EQ(rulesOf(alloc(64) + dealloc(64), kSlot), "");
  EXPECT_EQ(rulesOf(alloc(48), kSlot), "R23");
  EXPECT_EQ(rulesOf(alloc(16), kSlot), "R23");
  EXPECT_EQ(rulesOf(alloc(1024), kSlot), "R23");
  EXPECT_EQ(rulesOf(alloc(64), kSlot), "R24"); // leaked
  EXPECT_EQ(rulesOf(alloc(64) + dealloc(32), kSlot), "R24");
  EXPECT_EQ(rulesOf(alloc(64) + dealloc(64) + dealloc(64), kSlot), "R24");
  EXPECT_EQ(
      rulesOf("tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;" +
                  alloc(64),
              kSlot),
      "R23");
  // Blocks for ever: nobody frees the columns.
  EXPECT_EQ(rulesOf(alloc(512) + alloc(512), kSlot), "deadlock");
  // Not by the whole warp.
  EXPECT_EQ(rulesOf("setp.lt.u32 %q0, %t, 16; @!%q0 bra L;" + alloc(64) + "L:",
                    kSlot),
            "R22");
}

TEST(TensorKernel, AccessRules) {
  std::string load = "tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r1}, [%r11];\n"
                     "tcgen05.wait::ld.sync.aligned;\n";
  auto access = [&](const std::string &address) {
    return rulesOf(alloc(64) + address + load + dealloc(64), kSlot);
  };
  EXPECT_EQ(access("mov.b32 %r11, %r10;"), "");
  EXPECT_EQ(access("add.u32 %r11, %r10, 64;"), "R29");
  EXPECT_EQ(access("add.u32 %r11, %r10, 0x200000;"), "R27");
  EXPECT_EQ(access("add.u32 %r11, %r10, %t;"), "R28");
}

/// Stores a number that names lane and register, in one shape, and loads it
/// with another: the shapes must agree on where things are.
TEST(TensorKernel, ShapesAgreeWithEachOther) {
  struct Shape {
    const char *name;
    unsigned registers, columns;
  };
  for (const Shape &shape : {Shape{"16x64b", 1, 2}, Shape{"16x128b", 2, 4},
                             Shape{"16x256b", 4, 8}}) {
    std::string registers;
    std::string body = alloc(32) + "shl.b32 %r1, %t, 8;\n";
    for (unsigned r = 0; r < shape.registers; ++r) {
      registers += (r ? ", " : "") + ("%r" + std::to_string(20 + r));
      body += llvm::formatv("add.u32 %r{0}, %r1, {1};\n", 20 + r, r);
    }
    body += llvm::formatv("tcgen05.st.sync.aligned.{0}.x1.b32 [%r10], {{{1}};\n"
                          "tcgen05.wait::st.sync.aligned;\n",
                          shape.name, registers);
    for (unsigned c = 0; c < shape.columns; ++c) {
      // Column c of lane l as 32x32b shows it.
      std::string read = body;
      read += llvm::formatv("tcgen05.ld.sync.aligned.32x32b.x1.b32 {{%r0}, "
                            "[%r10+{0}];\ntcgen05.wait::ld.sync.aligned;\n",
                            c);
      auto result = lanes(read + dealloc(32), nullptr, kSlot);
      for (unsigned row = 0; row < 16; ++row) {
        unsigned thread, reg;
        if (shape.registers == 1) {
          thread = row % 8 * 4 + row / 8 + 2 * c;
          reg = 0;
        } else {
          thread = row % 8 * 4 + (shape.registers == 2 ? c : c / 2);
          reg = shape.registers == 2 ? row / 8 : row / 8 * 2 + c % 2;
        }
        EXPECT_EQ(result[row], thread << 8 | reg)
            << shape.name << " row " << row << " column " << c;
      }
    }
  }
}

TEST(TensorKernel, CommitNeedsABarrier) {
  EXPECT_EQ(rulesOf("setp.eq.u32 %q0, %t, 0; @%q0 "
                    "tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::"
                    "cluster.b64 [bar];",
                    ".shared .align 8 .b64 bar;"),
            "R33");
}

//===----------------------------------------------------------------------===//
// Matrix instructions of sm_80
//===----------------------------------------------------------------------===//

/// D = A B + C, m16n8k16, with small integers in f16 and the fragments of PTX
/// ISA 9.7.15.5.8 written out by hand.
TEST(MatrixKernel, MmaSync) {
  auto a = [](unsigned r, unsigned k) {
    return double((r * 3 + k * 5) % 7) - 3;
  };
  auto b = [](unsigned k, unsigned n) { return double((k + n * 2) % 5) - 2; };
  auto c = [](unsigned r, unsigned n) { return double(r) - n; };
  std::vector<uint32_t> fragments;
  auto pair = [](double low, double high) {
    return encodeFloat(low, kF16) | encodeFloat(high, kF16) << 16;
  };
  for (unsigned l = 0; l < 32; ++l) {
    unsigned g = l / 4, t = l % 4;
    for (unsigned k : {0, 8})
      for (unsigned r : {0, 8})
        fragments.push_back(pair(a(g + r, 2 * t + k), a(g + r, 2 * t + k + 1)));
    for (unsigned k : {0, 8})
      fragments.push_back(pair(b(2 * t + k, g), b(2 * t + k + 1, g)));
    for (unsigned r : {0, 8})
      for (unsigned n : {0, 1})
        fragments.push_back(floatToBits(c(g + r, 2 * t + n)));
  }
  TestKernel kernel(entry(2, R"(
  mul.lo.u32 %r1, %t, 40;
  cvt.u64.u32 %rd1, %r1;
  add.u64 %rd1, %p0, %rd1;
  ld.global.v2.u32 {%r10, %r11}, [%rd1];
  ld.global.v2.u32 {%r12, %r13}, [%rd1+8];
  ld.global.v2.u32 {%r14, %r15}, [%rd1+16];
  ld.global.v2.f32 {%f0, %f1}, [%rd1+24];
  ld.global.v2.f32 {%f2, %f3}, [%rd1+32];
  mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
    {%f4, %f5, %f6, %f7}, {%r10, %r11, %r12, %r13}, {%r14, %r15},
    {%f0, %f1, %f2, %f3};
  mul.wide.u32 %rd2, %t, 16;
  add.u64 %rd2, %p1, %rd2;
  st.global.v4.f32 [%rd2], {%f4, %f5, %f6, %f7};
)"));
  ASSERT_EQ(kernel.error, "");
  kernel.parameters.block = {32, 1, 1};
  kernel.buffer(fragments);
  Allocation *out = kernel.empty(32 * 16);
  EXPECT_EQ(kernel.run(), "");
  auto got = TestKernel::read<float>(out);
  for (unsigned l = 0; l < 32; ++l)
    for (unsigned i = 0; i < 4; ++i) {
      unsigned r = l / 4 + 8 * (i / 2), n = l % 4 * 2 + i % 2;
      double want = c(r, n);
      for (unsigned k = 0; k < 16; ++k)
        want += a(r, k) * b(k, n);
      EXPECT_EQ(got[l * 4 + i], want);
    }
}

TEST(MatrixKernel, LdmatrixTransposesAndStmatrixUndoesIt) {
  auto result = lanes(R"(
  mov.u32 %r5, m;
  shl.b32 %r1, %t, 4;
  add.u32 %r1, %r1, %r5;
  st.shared.v4.u32 [%r1], {%t, %r1, %t, %t};
  bar.warp.sync -1;
  ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%r6, %r7, %r8, %r9}, [%r1];
  bar.warp.sync -1;
  st.shared.v4.u32 [%r1], {0, 0, 0, 0};
  bar.warp.sync -1;
  stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%r1], {%r6, %r7, %r8, %r9};
  bar.warp.sync -1;
  ld.shared.u32 %r0, [%r1];
)",
                      nullptr, ".shared .align 16 .b8 m[512];");
  for (unsigned l = 0; l < 32; ++l)
    EXPECT_EQ(result[l], l);
}

TEST(MatrixKernel, CpAsyncFillsWithZero) {
  auto result = lanes(R"(
  mov.u32 %r5, m;
  shl.b32 %r1, %t, 2;
  add.u32 %r1, %r1, %r5;
  mul.wide.u32 %rd1, %t, 4;
  add.u64 %rd1, %p0, %rd1;
  st.global.u32 [%rd1], -1;
  and.b32 %r2, %t, 3;
  cp.async.ca.shared.global [%r1], [%rd1], 4, %r2;
  cp.async.commit_group;
  cp.async.wait_group 0;
  ld.shared.u32 %r0, [%r1];
)",
                      nullptr, ".shared .align 16 .b8 m[128];");
  EXPECT_EQ(result[0], 0u);
  EXPECT_EQ(result[1], 0xffu);
  EXPECT_EQ(result[3], 0xffffffu);
}

//===----------------------------------------------------------------------===//
// Loading
//===----------------------------------------------------------------------===//

TEST(Module, NamesInstructionsWithoutAModel) {
  TestKernel kernel(entry(0, "tcgen05.shift.cta_group::1.down [%r1];"));
  std::string error = kernel.run();
  EXPECT_EQ(error[0], '!');
  EXPECT_NE(error.find("instruction without a model"), std::string::npos);
  EXPECT_NE(error.find("tcgen05.shift.cta_group::1.down [%r1]"),
            std::string::npos);
}

TEST(Module, RefusesBadLaunches) {
  std::string text = entry(1, "");
  auto run = [&](auto change) {
    TestKernel kernel(text);
    kernel.parameters.block = {32, 1, 1};
    kernel.value(0);
    change(kernel.parameters);
    return kernel.run();
  };
  EXPECT_EQ(run([](LaunchParameters &) {}), "");
  EXPECT_EQ(run([](LaunchParameters &p) { p.block = {1025, 1, 1}; })[0], '!');
  EXPECT_EQ(run([](LaunchParameters &p) { p.grid = {0, 1, 1}; })[0], '!');
  EXPECT_EQ(run([](LaunchParameters &p) { p.dynamicShared = 1 << 20; })[0],
            '!');
  EXPECT_EQ(run([](LaunchParameters &p) { p.arguments.clear(); })[0], '!');
  EXPECT_EQ(run([](LaunchParameters &p) { p.entry = "other"; })[0], '!');
}
