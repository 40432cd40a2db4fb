//===- WgmmaTest.cpp - matrix products of a warpgroup ---------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Orders, registers in flight and the rules of the warpgroup. Values against
// measured ones are in the vectors of tirx-run.
//
//===----------------------------------------------------------------------===//

#include "TIRx/Simulator/MatrixDescriptor.h"
#include "TestKernel.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace tirx::sim;

namespace {

/// A kernel of one warpgroup. A (64 x 16) and B (8 x 16) of f16 lie in shared
/// memory without a swizzle, all ones, %da and %db describe them; the
/// accumulator is %f0 to %f3 and goes to the buffer at last.
std::string kernel(const std::string &body, unsigned threads = 128) {
  std::string text = R"(.version 8.5
.target sm_90a
.address_size 64
.visible .entry kernel(.param .u64 out)
.maxntid )" + std::to_string(threads) +
                     R"(, 1, 1
{
.shared .align 1024 .b8 image[4096];
.reg .pred %p<4>;
.reg .b32 %r<16>;
.reg .f32 %f<8>;
.reg .b64 %rd<8>;
.reg .b64 %da, %db;
mov.u32 %r0, %tid.x;
mov.u32 %r1, image;
mad.lo.u32 %r2, %r0, 32, %r1;
mov.b32 %r3, 0x3c003c00;
st.shared.v4.b32 [%r2], {%r3, %r3, %r3, %r3};
st.shared.v4.b32 [%r2+16], {%r3, %r3, %r3, %r3};
shr.u32 %r4, %r1, 4;
cvt.u64.u32 %da, %r4;
or.b64 %da, %da, 0x1000080000;
add.u64 %db, %da, 128;
fence.proxy.async;
bar.sync 0;
mov.f32 %f0, 0f3F800000; mov.f32 %f1, %f0; mov.f32 %f2, %f0; mov.f32 %f3, %f0;
)" + body + R"(
ld.param.u64 %rd0, [out];
mad.wide.u32 %rd0, %r0, 16, %rd0;
st.global.v4.f32 [%rd0], {%f0, %f1, %f2, %f3};
ret;
}
)";
  return text;
}

const std::string kFence = "wgmma.fence.sync.aligned;\n";
const std::string kMma =
    "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0, %f1, %f2, %f3}, "
    "%da, %db, 1, 1, 1, 0, 0;\n";
const std::string kCommit = "wgmma.commit_group.sync.aligned;\n";
std::string waitFor(unsigned n) {
  return "wgmma.wait_group.sync.aligned " + std::to_string(n) + ";\n";
}

struct Outcome {
  std::string rules;
  std::string message;
  std::vector<float> out;
};

Outcome run(const std::string &body, AsyncMode mode = AsyncMode::Eager,
            unsigned threads = 128, uint64_t seed = 0) {
  LaunchOptions options;
  options.async = mode;
  options.seed = seed;
  TestKernel test(kernel(body, threads), options);
  if (!test.module)
    return {"!" + test.error, "", {}};
  Allocation *out = test.empty(threads * 16);
  test.parameters.block = {threads, 1, 1};
  Outcome result;
  result.rules = test.run();
  if (!test.simulator->getLog().empty())
    result.message = test.report().message;
  result.out = TestKernel::read<float>(out);
  return result;
}

void expectAll(const Outcome &result, float value) {
  EXPECT_EQ(result.rules, "") << result.message;
  for (float x : result.out)
    ASSERT_EQ(x, value);
}

const AsyncMode kModes[] = {AsyncMode::Eager, AsyncMode::Lazy,
                            AsyncMode::Random};

TEST(Wgmma, ChainsGiveTheSameInAllModes) {
  for (AsyncMode mode : kModes)
    for (uint64_t seed = 0; seed < (mode == AsyncMode::Random ? 10 : 1); ++seed)
      expectAll(run(kFence + kMma + kMma + kCommit + kMma + kCommit +
                        waitFor(1) + waitFor(0),
                    mode, 128, seed),
                1 + 3 * 16);
}

TEST(Wgmma, ScaleDZeroIgnoresTheAccumulator) {
  expectAll(run("mov.b32 %f0, 0x7fffffff;\n" + kFence +
                "setp.eq.u32 %p0, %r0, 4096;\n"
                "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0, %f1, "
                "%f2, %f3}, %da, %db, %p0, -1, 1, 0, 0;\n" +
                kCommit + waitFor(0)),
            -16);
}

TEST(Wgmma, RegistersInFlightMayNotBeRead) {
  Outcome result =
      run(kFence + kMma + kCommit + "add.f32 %f4, %f1, %f1;\n" + waitFor(0));
  EXPECT_EQ(result.rules, "R20");
  EXPECT_NE(result.message.find("wait_group that covers"), std::string::npos)
      << result.message;
}

TEST(Wgmma, RegistersInFlightMayNotBeWritten) {
  EXPECT_EQ(
      run(kFence + kMma + kCommit + "mov.f32 %f3, 0f00000000;\n" + waitFor(0))
          .rules,
      "R20");
  // Through a vector, an address or a call argument as well.
  EXPECT_EQ(run(kFence + kMma + kCommit +
                "ld.shared.v2.f32 {%f5, %f2}, [%r1];\n" + waitFor(0))
                .rules,
            "R20");
}

TEST(Wgmma, AWaitForOlderGroupsDoesNotCoverTheLatest) {
  // Two accumulators: the older one may be used, the younger may not.
  std::string second = "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 "
                       "{%f4, %f5, %f6, %f7}, %da, %db, 0, 1, 1, 0, 0;\n";
  std::string start = kFence + kMma + kCommit + second + kCommit + waitFor(1);
  for (AsyncMode mode : kModes) {
    expectAll(run(start + "mov.f32 %f1, %f0;\n", mode), 17);
    EXPECT_EQ(run(start + "mov.f32 %f1, %f4;\n", mode).rules, "R20");
  }
}

TEST(Wgmma, AWaitDoesNotCoverWhatWasNotCommitted) {
  Outcome result = run(kFence + kMma + waitFor(0));
  EXPECT_EQ(result.rules, "R20");
  EXPECT_NE(result.message.find("commit_group and wait_group"),
            std::string::npos)
      << result.message;
}

TEST(Wgmma, TheFirstNeedsAFence) {
  EXPECT_EQ(run(kMma + kCommit + waitFor(0)).rules, "R20");
}

TEST(Wgmma, AnAccessNeedsAFenceBeforeTheNext) {
  std::string use = "add.f32 %f0, %f0, %f0;\n";
  std::string once = kFence + kMma + kCommit + waitFor(0) + use;
  EXPECT_EQ(run(once + kMma + kCommit + waitFor(0)).rules, "R20");
  EXPECT_EQ(run(once + kFence + kMma + kCommit + waitFor(0)).rules, "");
}

TEST(Wgmma, RegisterAIsInFlightToo) {
  std::string mma =
      "mov.b32 %r8, 0x3c003c00; mov.b32 %r9, %r8; mov.b32 %r10, %r8; "
      "mov.b32 %r11, %r8;\n" +
      kFence +
      "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0, %f1, %f2, %f3}, "
      "{%r8, %r9, %r10, %r11}, %db, 1, 1, 1, 0;\n" +
      kCommit;
  expectAll(run(mma + waitFor(0) + "mov.b32 %r9, 0;\n"), 17);
  EXPECT_EQ(run(mma + "mov.b32 %r9, 0;\n" + waitFor(0)).rules, "R20");
}

TEST(Wgmma, AccumulatorsOfAnotherShapeDoNotChain) {
  std::string other = "wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {%f0, "
                      "%f1}, %da, %db, 0, 1, 1, 0, 0;\n";
  EXPECT_EQ(run(kFence + kMma + other + kCommit + waitFor(0)).rules, "R20");
  EXPECT_EQ(run(kFence + kMma + kFence + other + kCommit + waitFor(0)).rules,
            "");
}

TEST(Wgmma, FourWarpsIssueIt) {
  std::string part =
      "setp.ge.u32 %p1, %r0, 96;\n@%p1 bra done;\n" + kFence + kMma + kCommit;
  Outcome result = run(part + waitFor(0) + "done:\n");
  EXPECT_EQ(result.rules, "deadlock");
  EXPECT_EQ(run(part + "done: exit;\n").rules, "R36");
  EXPECT_EQ(
      run(kFence + kMma + kCommit + waitFor(0), AsyncMode::Eager, 64).rules,
      "R28");
}

TEST(Wgmma, WarpsAgreeOnOperands) {
  EXPECT_EQ(run(kFence +
                "setp.ge.u32 %p1, %r0, 64;\n@%p1 add.u64 %db, %db, 8;\n" +
                kMma + kCommit + waitFor(0))
                .rules,
            "R28");
  EXPECT_EQ(run(kFence +
                "and.b32 %r5, %r0, 1;\ncvt.u64.u32 %rd1, %r5;\n"
                "add.u64 %da, %da, %rd1;\n" +
                kMma + kCommit + waitFor(0))
                .rules,
            "R28");
  EXPECT_EQ(run(kFence + "setp.ge.u32 %p1, %r0, 64;\n@%p1 bra other;\n" + kMma +
                "bra joined;\nother:\n" + kMma + "joined:\n" + kCommit +
                waitFor(0))
                .rules,
            "R36");
}

TEST(Wgmma, AllLanesExecuteIt) {
  EXPECT_EQ(run(kFence + "setp.eq.u32 %p1, %r0, 5;\n@%p1 bra done;\n" + kMma +
                "done:\n" + kCommit + waitFor(0))
                .rules,
            "R36");
}

TEST(Wgmma, IllegalDescriptorsAreReported) {
  Outcome result = run("or.b64 %db, %db, 0x400000000000;\n" + kFence + kMma +
                       kCommit + waitFor(0));
  EXPECT_EQ(result.rules, "R41");
  EXPECT_NE(result.message.find("bits [14,16)"), std::string::npos);
  // Outside of shared memory.
  EXPECT_EQ(
      run("or.b64 %db, %db, 0x3000;\n" + kFence + kMma + kCommit + waitFor(0))
          .rules,
      "R42");
}

TEST(Wgmma, LazyReadsOperandsAtTheWait) {
  // The store overwrites A too early; eager mode does not see it.
  std::string body =
      kFence + kMma + kCommit +
      "bar.sync 0;\nmov.b32 %r5, 0;\nst.shared.v4.b32 [%r2], {%r5, %r5, %r5, "
      "%r5};\nst.shared.v4.b32 [%r2+16], {%r5, %r5, %r5, %r5};\n"
      "fence.proxy.async;\nbar.sync 0;\n" +
      waitFor(0);
  expectAll(run(body), 17);
  expectAll(run(body, AsyncMode::Lazy), 1);
}

TEST(Wgmma, AFunctionWaitsForItsRegisters) {
  auto text = [](const std::string &rest) {
    std::string function =
        R"(
.func step(.param .b64 a, .param .b64 b) {
.reg .f32 %f<4>; .reg .b64 %da, %db;
ld.param.b64 %da, [a]; ld.param.b64 %db, [b];
)" + kFence +
        "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0, %f1, "
        "%f2, %f3}, %da, %db, 0, 1, 1, 0, 0;\n" +
        kCommit + rest + "ret;\n}\n";
    std::string main = kernel(R"({ .param .b64 x; .param .b64 y;
st.param.b64 [x], %da; st.param.b64 [y], %db; call step, (x, y); })" +
                              waitFor(0));
    return main.insert(main.find(".visible"), function);
  };
  for (bool waits : {false, true}) {
    TestKernel test(text(waits ? waitFor(0) : ""));
    ASSERT_TRUE(test.module) << test.error;
    test.empty(128 * 16);
    test.parameters.block = {128, 1, 1};
    EXPECT_EQ(test.run(), waits ? "" : "R20");
  }
}

/// 2:4 sparse: row r keeps elements 1 and 3 of each group if its number is odd,
/// else 0 and 2; B has its column's number k mod 4.
TEST(Wgmma, SparseRowsMeetTheirElements) {
  std::string body = R"(
mov.b32 %r5, 0; bar.sync 0;
setp.ge.u32 %p1, %r0, 16; @%p1 bra filled;
// B is 8 rows of 64 bytes without a swizzle: 4 blocks of 128 bytes.
// Thread t has 32 bytes of a block: two rows of 16 bytes, k = 0 to 7.
add.u32 %r6, %r1, 2048; mad.lo.u32 %r6, %r0, 32, %r6;
mov.b32 %r7, 0x3c000000; mov.b32 %r8, 0x42004000;
st.shared.v4.b32 [%r6], {%r7, %r8, %r7, %r8};
st.shared.v4.b32 [%r6+16], {%r7, %r8, %r7, %r8};
filled:
fence.proxy.async; bar.sync 0;
// Lane 4 * g + ... holds rows g and g + 8.
shr.u32 %r9, %r0, 2; and.b32 %r9, %r9, 1; setp.ne.u32 %p2, %r9, 0;
selp.b32 %r10, 0xdddddddd, 0x88888888, %p2;
)" + kFence + R"(
wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16 {%f0, %f1, %f2, %f3}, %da, %db, %r10, 0, 1, 1, 1, 0, 0;
)" + kCommit + waitFor(0);
  Outcome result = run(body);
  EXPECT_EQ(result.rules, "") << result.message;
  for (unsigned t = 0; t < 128; ++t)
    for (unsigned i = 0; i < 4; ++i)
      ASSERT_EQ(result.out[4 * t + i], 1 + 8 * (t / 4 % 2 ? 1 + 3 : 0 + 2))
          << t;
  // Two elements at one place.
  size_t at = body.find("0xdddddddd");
  EXPECT_EQ(run(body.replace(at, 10, "0xdddd5ddd")).rules, "R41");
}

TEST(Wgmma, AddressesWithBaseOffsetsAreThoseOfTheHardware) {
  auto file = llvm::MemoryBuffer::getFile(TIRX_TEST_DATA
                                          "/h200/wgmma_base_offset.json");
  ASSERT_TRUE(bool(file));
  auto json = llvm::json::parse((*file)->getBuffer());
  ASSERT_TRUE(bool(json));
  const auto &root = *json->getAsObject();
  std::vector<unsigned> rows;
  for (const auto &row : *root.getArray("rows"))
    rows.push_back(*row.getAsInteger());
  unsigned checked = 0;
  for (const auto &value : *root.getArray("cases")) {
    const auto &entry = *value.getAsObject();
    uint64_t bits;
    ASSERT_FALSE(entry.getString("desc")->getAsInteger(16, bits));
    auto descriptor = decodeWgmmaDescriptor(bits);
    ASSERT_TRUE(bool(descriptor));
    descriptor->address = *entry.getInteger("start");
    bool mnMajor = *entry.getInteger("trans");
    for (unsigned i = 0; i < rows.size(); ++i)
      for (unsigned k = 0; k < 16; ++k) {
        int64_t want =
            *(*(*entry.getArray("read"))[i].getAsArray())[k].getAsInteger();
        unsigned inner = (mnMajor ? rows[i] : k) * 2 % 16;
        ASSERT_EQ(chunkAddress(*descriptor, mnMajor, 2, rows[i], k) + inner,
                  want);
        ++checked;
      }
  }
  EXPECT_GT(checked, 1000u);
}

} // namespace
