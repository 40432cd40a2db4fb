//===- CoverageTest.cpp - coverage and traces -----------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TIRx/Simulator/Coverage.h"
#include "TIRx/Simulator/RegisterValue.h"
#include "TIRx/Simulator/Trace.h"
#include "TestKernel.h"

using namespace tirx::sim;

static const char *const kBranches = R"(
  setp.lt.u32 %q0, %t, 8;
  @%q0 bra small;
  add.u32 %r1, %t, 1;
small:
  setp.gt.u32 %q1, %t, 1000;
  @%q1 bra never;
  bra end;
never:
  st.global.u32 [%p0], %r1;
end:
)";

TEST(Coverage, LinesAndWays) {
  TestKernel kernel(entry(1, kBranches));
  kernel.parameters.block = {64, 1, 1};
  kernel.empty(4);
  CoverageObserver coverage;
  Counters counters;
  CounterObserver counter(counters);
  kernel.simulator->addObserver(coverage);
  kernel.simulator->addObserver(counter);
  EXPECT_EQ(kernel.run(), "");

  ASSERT_EQ(coverage.getFiles().size(), 1u);
  const FileCoverage &file = coverage.getFiles()[0];
  EXPECT_EQ(file.name, "test.ptx");
  FileCoverage::Summary summary = file.summarize();
  EXPECT_EQ(summary.lines, 10u);
  EXPECT_EQ(summary.executed, 9u);
  EXPECT_EQ(summary.branchWays, 4u);
  EXPECT_EQ(summary.waysSeen, 3u);

  std::string text;
  llvm::raw_string_ostream os(text);
  printAnnotated(file, counters, os);
  auto has = [&](const char *part) {
    return llvm::StringRef(text).contains(part);
  };
  EXPECT_TRUE(has("/*          2         64 */   setp.lt.u32 %q0, %t, 8;"));
  EXPECT_TRUE(
      has("/*          2         64 */   @%q0 bra small;  // taken by 8 "
          "lanes, not by 56"))
      << text;
  EXPECT_TRUE(
      has("/*          2         64 */   @%q1 bra never;  // taken by 0 "
          "lanes, not by 64"))
      << text;
  EXPECT_TRUE(has("/*                 never */   st.global.u32 [%p0], %r1;"));
  // It is PTX, with the same lines.
  EXPECT_EQ(llvm::StringRef(text).count('\n'),
            kernel.module->getText().count('\n'));
  EXPECT_TRUE(bool(Module::load(text, "annotated.ptx")));
}

TEST(Coverage, LaunchesAddUp) {
  TestKernel kernel(entry(1, kBranches));
  kernel.parameters.block = {32, 1, 1};
  kernel.empty(4);
  CoverageObserver coverage;
  kernel.simulator->addObserver(coverage);
  EXPECT_EQ(kernel.run(), "");
  EXPECT_EQ(kernel.run(), "");
  ASSERT_EQ(coverage.getFiles().size(), 1u);
  uint64_t most = 0;
  for (const LineCoverage &line : coverage.getFiles()[0].lines)
    most = std::max(most, line.executions.warps);
  EXPECT_EQ(most, 2u);
}

TEST(Coverage, EachTargetOfAnIndexedBranch) {
  TestKernel kernel(entry(0, R"(
  targets: .branchtargets a, b, c;
  min.u32 %r1, %t, 1;
  brx.idx %r1, targets;
a: mov.u32 %r2, 1;
b: mov.u32 %r2, 2;
c: mov.u32 %r2, 3;
)"));
  kernel.parameters.block = {32, 1, 1};
  CoverageObserver coverage;
  kernel.simulator->addObserver(coverage);
  EXPECT_EQ(kernel.run(), "");
  const LineCoverage *branch = nullptr;
  for (const LineCoverage &line : coverage.getFiles()[0].lines)
    if (!line.branches.empty())
      branch = &line;
  ASSERT_NE(branch, nullptr);
  EXPECT_EQ(branch->executions.warps, 1u);
  ASSERT_EQ(branch->branches.size(), 2u);
  EXPECT_EQ(branch->branches[0].taken, 1u);  // a
  EXPECT_EQ(branch->branches[1].taken, 31u); // b
  EXPECT_EQ(branch->branches[1].fallThrough, 0u);
}

TEST(Trace, LinesAndValues) {
  TestKernel kernel(entry(0, R"(
  add.s32 %r1, %t, -1;
  cvt.rn.f32.s32 %f1, %r1;
  setp.lt.s32 %q0, %r1, 1;
  @%q0 mul.f32 %f1, %f1, 0f3E800000;
  mov.b64 {%r3, %r4}, 0x100000002;
  @%q0 bra next;
next:
  cvt.rn.f16x2.f32 %r5, %f1, 0f3F800000;
)"),
                    {}, /*keepNames=*/true);
  kernel.parameters.block = {3, 1, 1};
  kernel.parameters.grid = {2, 1, 1};
  std::string text;
  llvm::raw_string_ostream os(text);
  TraceRange range;
  range.cta = 1;
  range.first = 2;
  range.last = 8;
  Tracer tracer(range, os);
  kernel.simulator->addObserver(tracer);
  EXPECT_EQ(kernel.run(), "");
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(text).split(lines, '\n', -1, false);
  ASSERT_EQ(lines.size(), 7u) << text;
  const std::string rest = std::string(2 * 29, ' ');
  auto all = [](std::string list) {
    for (int i = 0; i < 29; ++i)
      list += " -";
    return "[" + list + "]";
  };
  auto expect = [&](unsigned line, const std::string &values) {
    EXPECT_TRUE(lines[line].ends_with("  // " + values))
        << lines[line].str() << "\nexpected " << values;
  };
  EXPECT_TRUE(lines[0].starts_with("     2 line ")) << text;
  EXPECT_TRUE(lines[0].contains(" 00000007 add.s32 %r1, %t, -1;")) << text;
  expect(0, "%r1 = " + all("-1 0 1"));
  expect(1, "%f1 = " + all("-1 0 1"));
  expect(2, "%q0 = " + all("1 1 0"));
  EXPECT_TRUE(lines[3].contains(" 00000003 @%q0 mul.f32")) << text;
  expect(3, "%f1 = [-0.25 0" + std::string(" -") + all("").substr(1));
  expect(4, "%r3 = 0x2, %r4 = 0x1");
  expect(5, "taken by 00000003");
  expect(6, "%r5 = " + all("(1 -0.25) (1 0) (1 1)"));
}

TEST(RegisterValue, Formats) {
  auto format = [](uint64_t bits, const char *type, unsigned width) {
    return formatValue({bits, 0}, type, width);
  };
  EXPECT_EQ(format(0x3dcccccd, "f32", 32), "0.1");
  EXPECT_EQ(format(0x3fb999999999999a, "f64", 64), "0.1");
  EXPECT_EQ(format(0x7fc00000, "f32", 32), "nan");
  EXPECT_EQ(format(0x43020000, "f32", 32), "130");
  EXPECT_EQ(format(0x4b800001, "f32", 32), "16777218");
  EXPECT_EQ(format(0x7f7fffff, "f32", 32), "3.4028235e+38");
  EXPECT_EQ(format(1, "f32", 32), "1e-45");
  EXPECT_EQ(format(0x3c00, "f16", 16), "1");
  EXPECT_EQ(format(0x7bff, "f16", 16), "65504");
  EXPECT_EQ(format(0xffff, "s16", 16), "-1");
  EXPECT_EQ(format(0xffff, "u16", 16), "65535");
  EXPECT_EQ(format(0xff, "b8", 32), "0xff");
  EXPECT_EQ(format(1, "pred", 1), "1");
  EXPECT_EQ(formatValue({1, 2}, "b128", 128), "0x20000000000000001");
  // A type that does not fit is not believed.
  EXPECT_EQ(format(5, "f64", 32), "0x5");
  EXPECT_EQ(format(5, "no type", 32), "0x5");
}
