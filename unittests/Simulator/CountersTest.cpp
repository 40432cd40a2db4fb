//===- CountersTest.cpp - what counters count -----------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TIRx/Simulator/Counters.h"
#include "TestKernel.h"

using namespace tirx::sim;

namespace {
/// A kernel of one warp and what it counts.
struct Counted {
  explicit Counted(const std::string &body, const std::string &globals = "",
                   unsigned threads = 32)
      : kernel(entry(1, body, globals)), observer(counters) {
    if (!kernel.module) {
      ADD_FAILURE() << kernel.error;
      return;
    }
    kernel.parameters.block = {threads, 1, 1};
    kernel.buffer(std::vector<uint32_t>(4096, 1));
    kernel.simulator->addObserver(observer);
    EXPECT_EQ(kernel.run(), "");
  }
  const ByteCount &bytes(Space space) {
    return counters.total.bytes[unsigned(space)];
  }
  TestKernel kernel;
  Counters counters;
  CounterObserver observer;
};
} // namespace

static const char *const kShared = ".shared .align 16 .b8 buffer[8192];";

/// Wavefronts of ld.shared.TYPE by a warp whose lanes are `stride` bytes apart.
static RequestCount sharedLoad(const std::string &type,
                               const std::string &result, unsigned stride) {
  Counted run("mov.u32 %r1, buffer;\nmul.lo.u32 %r2, %t, " +
                  std::to_string(stride) +
                  ";\nadd.u32 %r1, %r1, %r2;\nld.shared" + type + " " + result +
                  ", [%r1];",
              kShared);
  return run.counters.total.shared;
}

TEST(Counters, BankConflicts) {
  struct Case {
    const char *type, *result;
    unsigned stride, wavefronts, ideal;
  };
  const char *two = "{%r3, %r4}", *four = "{%r3, %r4, %r5, %r6}";
  for (const Case &c : {
           Case{".u32", "%r3", 4, 1, 1},      // each bank once
           Case{".u32", "%r3", 0, 1, 1},      // one word for all
           Case{".u32", "%r3", 8, 2, 1},      // even banks only
           Case{".u32", "%r3", 128, 32, 1},   // one bank
           Case{".u32", "%r3", 132, 1, 1},    // padded
           Case{".u8", "%r3", 1, 1, 1},       // four lanes a word
           Case{".v2.u32", two, 8, 2, 2},     // two halves
           Case{".v4.u32", four, 16, 4, 4},   // four quarters
           Case{".v4.u32", four, 128, 32, 4}, // one bank of each four
       }) {
    RequestCount count = sharedLoad(c.type, c.result, c.stride);
    EXPECT_EQ(count.requests, 1u);
    EXPECT_EQ(count.units, c.wavefronts) << c.type << " " << c.stride;
    EXPECT_EQ(count.ideal, c.ideal) << c.type << " " << c.stride;
  }
}

TEST(Counters, RowsOfMatrices) {
  // Rows of 128 bytes all begin in bank 0; with 144 bytes they do not meet.
  for (auto [stride, wavefronts] : {std::pair(128, 32), std::pair(144, 4)}) {
    Counted run("mov.u32 %r1, buffer;\nmad.lo.u32 %r1, %t, " +
                    std::to_string(stride) +
                    ", %r1;\nldmatrix.sync.aligned.m8n8.x4.shared.b16 "
                    "{%r3, %r4, %r5, %r6}, [%r1];",
                kShared);
    EXPECT_EQ(run.counters.total.shared.units, uint64_t(wavefronts));
    EXPECT_EQ(run.counters.total.shared.ideal, 4u);
    EXPECT_EQ(run.bytes(Space::Shared).read, 512u);
  }
}

TEST(Counters, SectorsOfGlobalMemory) {
  for (auto [stride, sectors] :
       {std::pair(4, 4), std::pair(8, 8), std::pair(64, 32), std::pair(0, 1)}) {
    Counted run("mul.wide.u32 %rd1, %t, " + std::to_string(stride) +
                ";\nadd.u64 %rd1, %p0, %rd1;\nld.global.u32 %r1, [%rd1];");
    EXPECT_EQ(run.counters.total.global.requests, 1u);
    EXPECT_EQ(run.counters.total.global.units, uint64_t(sectors)) << stride;
    EXPECT_EQ(run.counters.total.global.ideal, stride ? 4u : 1u);
    EXPECT_EQ(run.bytes(Space::Global).read, 128u);
  }
}

TEST(Counters, ClassesLanesAndLines) {
  Counted run(R"(
  setp.lt.u32 %q0, %t, 8;
  @%q0 bra small;
  add.u32 %r1, %t, 1;
small:
  @%q0 add.u32 %r1, %t, 2;
  st.global.u32 [%p0], %r1;
  red.global.add.u32 [%p0], 1;
)",
              "", 64);
  const Counters &c = run.counters;
  EXPECT_EQ(c.families.at("comparison").warps, 2u);
  // The second warp executes the first addition whole, the second not at all.
  EXPECT_EQ(c.families.at("arithmetic").warps, 2u + 1);
  EXPECT_EQ(c.families.at("arithmetic").lanes, 24u + 32 + 8);
  EXPECT_EQ(c.branches, 2u);
  EXPECT_EQ(c.divergentBranches, 1u);
  EXPECT_EQ(run.bytes(Space::Global).written, 64u * 4 + 64 * 4);
  EXPECT_EQ(run.bytes(Space::Global).read, 64u * 4);
  EXPECT_EQ(run.bytes(Space::Constant).read, 64u * 8);

  uint64_t warps = 0, lanes = 0;
  for (const auto &[key, line] : c.ptxLines) {
    EXPECT_EQ(key.first, "test.ptx");
    warps += line.executions.warps;
    lanes += line.executions.lanes;
  }
  EXPECT_EQ(warps, c.total.executions.warps);
  EXPECT_EQ(lanes, c.total.executions.lanes);
}

TEST(Counters, LinesOfTheSource) {
  Counted run(".loc 1 7 0\nadd.u32 %r1, %t, 1;\nadd.u32 %r1, %r1, 1;\n"
              ".loc 1 9 0\nst.global.u32 [%p0], %r1;",
              ".file 1 \"k.cu\"");
  EXPECT_EQ(run.counters.sourceLines.at({"k.cu", 7}).executions.warps, 2u);
  EXPECT_EQ(run.counters.sourceLines.at({"k.cu", 9})
                .bytes[unsigned(Space::Global)]
                .written,
            128u);
}

TEST(Counters, MatrixWork) {
  auto work = [](const char *text) { return countMultiplyAdds(text); };
  using Work = std::pair<uint64_t, llvm::StringRef>;
  EXPECT_EQ(work("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32"),
            Work(2048, "bf16"));
  EXPECT_EQ(work("mma.sync.aligned.m16n8k64.row.col.s32.s4.s4.s32"),
            Work(8192, "s4"));
  EXPECT_EQ(work("mma.sync.aligned.kind::f8f6f4.m16n8k32.row.col.f32.e2m1."
                 "e4m3.f32"),
            Work(4096, "e2m1"));
  EXPECT_EQ(work("wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32"),
            Work(4096, "f16"));
  EXPECT_EQ(work("wmma.mma.xor.popc.sync.aligned.row.col.m8n8k128.s32.b1.b1."
                 "s32"),
            Work(8192, "b1"));
  EXPECT_EQ(work("wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16"),
            Work(64 * 128 * 16 / 4, "f16"));
  EXPECT_EQ(work("wmma.load.a.sync.aligned.row.m16n16k16.f16").first, 0u);
  EXPECT_EQ(work("mad.lo.u32").first, 0u);

  Counted run("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 "
              "{%f1, %f2, %f3, %f4}, {%r1, %r2}, {%r3}, {%f5, %f6, %f7, %f8};",
              "", 64);
  EXPECT_EQ(run.counters.multiplyAdds.at("f16"), 2u * 1024);
}
