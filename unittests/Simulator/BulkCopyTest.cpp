//===- BulkCopyTest.cpp - bulk and tensor copies --------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TIRx/Simulator/TensorMap.h"
#include "TestKernel.h"
#include "gtest/gtest.h"
#include <numeric>

using namespace tirx::sim;

namespace {

using Words = std::vector<uint32_t>;
constexpr AsyncMode kModes[] = {AsyncMode::Eager, AsyncMode::Lazy,
                                AsyncMode::Random};

LaunchOptions modeOf(AsyncMode mode, uint64_t seed = 0) {
  LaunchOptions options;
  options.async = mode;
  options.seed = seed;
  return options;
}

Words iota(unsigned count, uint32_t first = 0) {
  Words words(count);
  std::iota(words.begin(), words.end(), first);
  return words;
}

/// Labels of all reports, warnings included.
std::string rulesOf(TestKernel &kernel) {
  std::string rules = kernel.run();
  for (const Report &report : kernel.simulator->getLog().getReports())
    if (report.severity == Severity::Warning)
      rules += "(" + report.rule + ")";
  return rules;
}

//===----------------------------------------------------------------------===//
// Loads
//===----------------------------------------------------------------------===//

/// One thread loads 64 bytes of p0 and stores what it sees to p1.
Words load(const std::string &wait, LaunchOptions options,
           std::string *rules = nullptr, unsigned expected = 64) {
  TestKernel kernel(entry(2, R"(.shared .align 16 .b8 s[80];
mov.u32 %r0, s;
st.shared.u32 [%r0], 7;
mbarrier.init.shared.b64 [%r0+64], 1;
fence.proxy.async;
mbarrier.arrive.expect_tx.shared.b64 %rd0, [%r0+64], )" +
                                 std::to_string(expected) + R"(;
cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r0], [%p0], 64, [%r0+64];
)" + wait + R"(
ld.shared.u32 %r1, [%r0];
st.global.u32 [%p1], %r1;
W: mbarrier.try_wait.parity.shared.b64 %q1, [%r0+64], 0;
@!%q1 bra W;
)"),
                    options);
  kernel.buffer(iota(16, 100));
  Allocation *out = kernel.empty(4);
  std::string result = kernel.run();
  if (rules)
    *rules = result;
  else
    EXPECT_EQ(result, "");
  return TestKernel::read<uint32_t>(out);
}

const char *const kWait =
    "V: mbarrier.try_wait.parity.shared.b64 %q2, [%r0+64], 0;\n@!%q2 bra V;";

TEST(BulkCopy, DataComeWithTheBarrier) {
  for (AsyncMode mode : kModes)
    EXPECT_EQ(load(kWait, modeOf(mode)), Words{100});
  EXPECT_EQ(load("", modeOf(AsyncMode::Lazy)), Words{7});
  EXPECT_EQ(load("", modeOf(AsyncMode::Eager)), Words{100});
}

TEST(BulkCopy, WrongByteCounts) {
  for (AsyncMode mode : kModes) {
    std::string rules;
    load(kWait, modeOf(mode), &rules, 68);
    EXPECT_EQ(rules, "deadlock");
    // Fewer: the transaction count goes below zero and the phase stays open.
    load(kWait, modeOf(mode), &rules, 60);
    EXPECT_EQ(rules, "deadlock");
  }
}

//===----------------------------------------------------------------------===//
// Stores, groups and proxies
//===----------------------------------------------------------------------===//

/// Stores 16 bytes of shared memory to p0; `between` stands between the
/// ordinary store and the copy, `after` behind the copy.
std::string store(const std::string &between, const std::string &after,
                  AsyncMode mode, Words *out = nullptr) {
  TestKernel kernel(entry(1, R"(.shared .align 16 .b8 s[16];
mov.u32 %r0, s;
mov.u32 %r1, 1;
st.shared.v4.u32 [%r0], {%r1, %r1, %r1, %r1};
fence.proxy.async;
mov.u32 %r1, 2;
st.shared.u32 [%r0], %r1;
)" + between + R"(
cp.async.bulk.global.shared::cta.bulk_group [%p0], [%r0], 16;
)" + after),
                    modeOf(mode));
  Allocation *target = kernel.empty(16);
  std::string rules = rulesOf(kernel);
  if (out)
    *out = TestKernel::read<uint32_t>(target);
  return rules;
}

const std::string kCommit = "cp.async.bulk.commit_group;\n";
const std::string kWaitRead = kCommit + "cp.async.bulk.wait_group.read 0;\n";

TEST(BulkCopy, StoresWithFenceAndWait) {
  for (AsyncMode mode : kModes) {
    Words out;
    EXPECT_EQ(store("fence.proxy.async;", kWaitRead, mode, &out), "");
    EXPECT_EQ(out, (Words{2, 1, 1, 1}));
    EXPECT_EQ(store("fence.proxy.async.shared::cta;",
                    kCommit + "cp.async.bulk.wait_group 0;", mode),
              "");
  }
}

TEST(BulkCopy, WithoutFenceTheOldBytesAreRead) {
  Words out;
  EXPECT_EQ(store("", kWaitRead, AsyncMode::Lazy, &out), "(R1)");
  EXPECT_EQ(out, (Words{1, 1, 1, 1}));
  // A fence for the other space does not count.
  EXPECT_EQ(store("fence.proxy.async.global;", kWaitRead, AsyncMode::Lazy),
            "(R1)");
}

TEST(BulkCopy, TheSourceIsReadUntilTheWait) {
  std::string fence = "fence.proxy.async;";
  std::string rewrite = "st.shared.u32 [%r0], 9;\nfence.proxy.async;\n";
  Words out;
  EXPECT_EQ(store(fence, kWaitRead + rewrite, AsyncMode::Lazy, &out), "");
  EXPECT_EQ(out[0], 2u);
  EXPECT_EQ(store(fence, kCommit + rewrite + "cp.async.bulk.wait_group 0;",
                  AsyncMode::Lazy, &out),
            "");
  EXPECT_EQ(out[0], 9u);
}

TEST(BulkCopy, SourcesMustOutliveTheirCopies) {
  for (AsyncMode mode : kModes) {
    EXPECT_EQ(store("fence.proxy.async;", "", mode), "R10");
    EXPECT_EQ(store("fence.proxy.async;", kCommit, mode), "R10");
    EXPECT_EQ(store("fence.proxy.async;",
                    kCommit + "cp.async.bulk.wait_group.read 1;", mode),
              "R10");
  }
}

/// Thread 32 writes, thread 0 copies after a barrier: which fences count.
std::string handOver(const std::string &writer, const std::string &issuer) {
  TestKernel kernel(entry(1, R"(.shared .align 16 .b8 s[16];
mov.u32 %r0, s;
mov.u32 %r1, 5;
setp.ne.u32 %q0, %t, 32;
@%q0 bra MEET;
st.shared.v4.u32 [%r0], {%r1, %r1, %r1, %r1};
)" + writer + R"(
MEET: bar.sync 0;
setp.ne.u32 %q0, %t, 0;
@%q0 bra END;
)" + issuer + R"(
cp.async.bulk.global.shared::cta.bulk_group [%p0], [%r0], 16;
)" + kWaitRead + "END:"),
                    modeOf(AsyncMode::Lazy));
  kernel.parameters.block = {64, 1, 1};
  kernel.empty(16);
  return rulesOf(kernel);
}

TEST(BulkCopy, FencesOnThePathCount) {
  EXPECT_EQ(handOver("fence.proxy.async;", ""), "");
  EXPECT_EQ(handOver("", "fence.proxy.async;"), "");
  EXPECT_EQ(handOver("", ""), "(R1)");
}

//===----------------------------------------------------------------------===//
// Clusters
//===----------------------------------------------------------------------===//

TEST(BulkCopy, MulticastReachesEachCtaOfTheMask) {
  for (AsyncMode mode : kModes) {
    TestKernel kernel(entry(2, R"(.shared .align 128 .b8 s[32];
mov.u32 %r0, s;
mov.u32 %r1, %cluster_ctarank;
mbarrier.init.shared.b64 [%r0+16], 1;
mbarrier.arrive.expect_tx.shared.b64 %rd0, [%r0+16], 16;
fence.mbarrier_init.release.cluster;
barrier.cluster.arrive;
barrier.cluster.wait;
setp.ne.u32 %q0, %r1, 0;
mov.u16 %h0, 15;
@!%q0 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%r0], [%p0], 16, [%r0+16], %h0;
W: mbarrier.try_wait.parity.shared.b64 %q1, [%r0+16], 0;
@!%q1 bra W;
ld.shared.u32 %r2, [%r0+4];
add.u32 %r2, %r2, %r1;
mul.wide.u32 %rd1, %r1, 4;
add.u64 %rd1, %rd1, %p1;
st.global.u32 [%rd1], %r2;
barrier.cluster.arrive;
barrier.cluster.wait;)"),
                      modeOf(mode, 3));
    kernel.parameters.grid = kernel.parameters.cluster = {4, 1, 1};
    kernel.buffer(iota(4, 50));
    Allocation *out = kernel.empty(16);
    EXPECT_EQ(rulesOf(kernel), "");
    EXPECT_EQ(TestKernel::read<uint32_t>(out), (Words{51, 52, 53, 54}));
  }
}

/// CTA 0 sends two words to CTA 1, which adds them up with what it has.
TEST(StoreAsync, BytesAreCountedAtTheReceiver) {
  for (AsyncMode mode : kModes) {
    TestKernel kernel(entry(1, R"(.shared .align 16 .b8 s[24];
mov.u32 %r0, s;
mov.u32 %r1, %cluster_ctarank;
mov.u32 %r9, 40;
st.shared.u32 [%r0+8], %r9;
mbarrier.init.shared.b64 [%r0+16], 1;
mbarrier.arrive.expect_tx.shared.b64 %rd0, [%r0+16], 12;
barrier.cluster.arrive;
barrier.cluster.wait;
setp.ne.u32 %q0, %r1, 0;
@%q0 bra RECEIVE;
mapa.shared::cluster.u32 %r2, %r0, 1;
mov.u32 %r3, 5;
mov.u32 %r4, 6;
st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v2.u32 [%r2], {%r3, %r4}, [%r2+16];
red.async.relaxed.cluster.mbarrier::complete_tx::bytes.shared::cluster.add.u32 [%r2+8], %r3, [%r2+16];
bra LAST;
RECEIVE: mbarrier.try_wait.parity.shared.b64 %q1, [%r0+16], 0;
@!%q1 bra RECEIVE;
ld.shared.u32 %r5, [%r0];
ld.shared.u32 %r6, [%r0+4];
ld.shared.u32 %r7, [%r0+8];
add.u32 %r5, %r5, %r6;
add.u32 %r5, %r5, %r7;
st.global.u32 [%p0], %r5;
LAST: barrier.cluster.arrive;
barrier.cluster.wait;)"),
                      modeOf(mode, 5));
    kernel.parameters.grid = kernel.parameters.cluster = {2, 1, 1};
    Allocation *out = kernel.empty(4);
    EXPECT_EQ(rulesOf(kernel), "");
    EXPECT_EQ(TestKernel::read<uint32_t>(out), Words{56});
  }
}

/// CTA 0 reaches for CTA 1, which has ended.
TEST(Clusters, MemoryEndsWithItsCta) {
  auto rules = [](const std::string &access) {
    TestKernel kernel(entry(1, R"(.shared .align 16 .b8 s[16];
mov.u32 %r0, s;
st.shared.u32 [%r0], 1;
mov.u32 %r1, %cluster_ctarank;
setp.ne.u32 %q0, %r1, 0;
@%q0 bra LAST;
mov.u32 %r3, 0;
WAIT: ld.volatile.global.u32 %r2, [%p0];
setp.eq.u32 %q1, %r2, 0;
add.u32 %r3, %r3, 1;
setp.lt.and.u32 %q1, %r3, 100000, %q1;
@%q1 bra WAIT;
mapa.shared::cluster.u32 %r2, %r0, 1;
)" + access + R"(
bra END;
LAST: mov.u32 %r5, 1;
END:)"));
    kernel.parameters.grid = kernel.parameters.cluster = {2, 1, 1};
    kernel.buffer(Words{0});
    return kernel.run();
  };
  EXPECT_EQ(rules("ld.shared::cluster.u32 %r4, [%r2];"), "R44");
  EXPECT_EQ(rules("st.shared::cluster.u32 [%r2], %r3;"), "R44");
  EXPECT_EQ(rules("mbarrier.arrive.shared::cluster.b64 _, [%r2];"), "R44");
  EXPECT_EQ(rules("ld.shared.u32 %r4, [%r0];"), "");
}

//===----------------------------------------------------------------------===//
// Tensor maps
//===----------------------------------------------------------------------===//

TensorMapDescription square() {
  TensorMapDescription map;
  map.type = TensorMapType::U32;
  map.dims = {8, 8};
  map.strides = {32};
  map.box = {8, 4};
  map.elementStrides = {1, 1};
  return map;
}

TEST(TensorMaps, RoundTrip) {
  TensorMapDescription map = square();
  map.address = 0x700000000100;
  map.swizzle = TensorMapSwizzle::B32;
  auto bytes = llvm::cantFail(encodeTensorMap(map));
  auto back = llvm::cantFail(decodeTensorMap(bytes.data()));
  EXPECT_EQ(back.address, map.address);
  EXPECT_EQ(back.dims, map.dims);
  EXPECT_EQ(back.box, map.box);
  EXPECT_EQ(back.swizzle, map.swizzle);
}

TEST(TensorMaps, WhatTheDriverRefuses) {
  auto problem = [](auto change) {
    TensorMapDescription map = square();
    change(map);
    auto bytes = encodeTensorMap(map);
    return bytes ? "" : llvm::toString(bytes.takeError());
  };
  using Map = TensorMapDescription;
  EXPECT_EQ(problem([](Map &) {}), "");
  EXPECT_NE(problem([](Map &m) { m.address = 8; }), "");
  EXPECT_NE(problem([](Map &m) { m.box[0] = 257; }), "");
  EXPECT_NE(problem([](Map &m) { m.box[0] = 3; }), "");
  EXPECT_NE(problem([](Map &m) { m.strides[0] = 40; }), "");
  EXPECT_NE(problem([](Map &m) { m.strides[0] = uint64_t(1) << 40; }), "");
  EXPECT_NE(problem([](Map &m) { m.elementStrides[1] = 9; }), "");
  EXPECT_NE(problem([](Map &m) { m.dims[1] = 0; }), "");
  EXPECT_NE(problem([](Map &m) { m.fill = TensorMapFill::NaN; }), "");
  EXPECT_NE(problem([](Map &m) {
              m.box[0] = 16;
              m.swizzle = TensorMapSwizzle::B32;
            }),
            "");
  EXPECT_NE(problem([](Map &m) { m.dims.push_back(2); }), "");
  EXPECT_NE(problem([](Map &m) { m.interleave = TensorMapInterleave::B32; }),
            "");
}

/// Loads a box of an 8x8 tensor at (x, y) through a map in memory, changed by
/// `change`, whose first word tells what came.
std::string tensorLoad(int x, int y, const std::string &change,
                       uint32_t *first = nullptr) {
  TestKernel kernel(entry(3, R"(.shared .align 128 .b8 s[256];
mov.u32 %r0, s;
mbarrier.init.shared.b64 [%r0+128], 1;
tensormap.replace.tile.global_address.global.b1024.b64 [%p0], %p1;
)" + change + R"(
mbarrier.arrive.expect_tx.shared.b64 %rd0, [%r0+128], 128;
cp.async.bulk.tensor.2d.shared::cta.global.tile.mbarrier::complete_tx::bytes [%r0], [%p0, {)" +
                                 std::to_string(x) + ", " + std::to_string(y) +
                                 R"(}], [%r0+128];
W: mbarrier.try_wait.parity.shared.b64 %q1, [%r0+128], 0;
@!%q1 bra W;
ld.shared.u32 %r1, [%r0+16];
st.global.u32 [%p2], %r1;)"));
  auto bytes = llvm::cantFail(encodeTensorMap(square()));
  kernel.buffer(std::vector<uint8_t>(bytes.begin(), bytes.end()));
  kernel.buffer(iota(64));
  Allocation *out = kernel.empty(4);
  std::string rules = kernel.run();
  if (first)
    *first = TestKernel::read<uint32_t>(out)[0];
  return rules;
}

TEST(TensorMaps, CoordinatesAndBounds) {
  uint32_t word;
  EXPECT_EQ(tensorLoad(0, 2, "", &word), "");
  EXPECT_EQ(word, 20u);
  EXPECT_EQ(tensorLoad(-4, 1, "", &word), "");
  EXPECT_EQ(word, 8u);
  EXPECT_EQ(tensorLoad(4, 1, "", &word), "");
  EXPECT_EQ(word, 0u);
  EXPECT_EQ(tensorLoad(0, -1, "", &word), "");
  EXPECT_EQ(word, 0u);
  // The first coordinate counts in blocks of 16 bytes.
  EXPECT_EQ(tensorLoad(1, 0, ""), "R38");
}

TEST(TensorMaps, ReplacedFields) {
  uint32_t word;
  std::string replace = "tensormap.replace.tile.";
  EXPECT_EQ(tensorLoad(0, 1,
                       replace +
                           "global_stride.global.b1024.b64 [%p0], 0, 64;" +
                           replace + "global_dim.global.b1024.b32 [%p0], 1, 4;",
                       &word),
            "");
  EXPECT_EQ(word, 20u);
  EXPECT_EQ(tensorLoad(0, 0,
                       replace + "global_dim.global.b1024.b32 [%p0], 0, 3;",
                       &word),
            "");
  EXPECT_EQ(word, 0u);
  EXPECT_EQ(
      tensorLoad(0, 0, replace + "box_dim.global.b1024.b32 [%p0], 0, 257;"),
      "R38");
  EXPECT_EQ(
      tensorLoad(0, 0, replace + "global_stride.global.b1024.b64 [%p0], 0, 8;"),
      "R38");
  EXPECT_EQ(tensorLoad(0, 0, "st.global.u64 [%p0], 1;"), "R38");
}

} // namespace
