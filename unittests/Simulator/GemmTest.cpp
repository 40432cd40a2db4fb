//===- GemmTest.cpp - tcgen05 multiplications -----------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One matrix product per case, over shapes, types, major-ness and swizzles. The
// shared-memory images are built from the definition of each layout, not with
// the simulator's own address function.
//
//===----------------------------------------------------------------------===//

#include "TIRx/Simulator/FloatFormat.h"
#include "TestKernel.h"
#include "llvm/Support/FormatVariadic.h"
#include <random>

using namespace tirx::sim;

namespace {

struct TypeInfo {
  const char *kind;
  const FloatFormat *format; ///< null: s8
  unsigned bytes, k, code, dCode;
};
const TypeInfo kF16Type = {"f16", &kF16, 2, 16, 0, 1};
const TypeInfo kBF16Type = {"f16", &kBF16, 2, 16, 1, 1};
const TypeInfo kTF32Type = {"tf32", &kTF32, 4, 8, 2, 1};
const TypeInfo kE4M3Type = {"f8f6f4", &kE4M3, 1, 32, 0, 1};
const TypeInfo kE5M2Type = {"f8f6f4", &kE5M2, 1, 32, 1, 1};
const TypeInfo kS8Type = {"i8", nullptr, 1, 32, 1, 2};

/// An operand in shared memory: `steps` instruction K's of `rows` rows.
struct Operand {
  TypeInfo type;
  unsigned rows, k;
  bool mnMajor;
  unsigned span; ///< bytes of a swizzle row; 16: none
  uint32_t leading = 0, stride = 0;
  std::vector<int> values; ///< rows x k
  std::vector<uint8_t> image;

  unsigned swizzleCode() const {
    return span == 16                   ? 0
           : span == 32                 ? 6
           : span == 64                 ? 4
           : mnMajor && type.bytes == 4 ? 1
                                        : 2;
  }

  uint32_t encode(int value) const {
    return type.format ? encodeFloat(value, *type.format) : uint8_t(value);
  }

  /// XOR of bit groups, one bit at a time, on the absolute address.
  uint32_t swizzle(uint32_t address) const {
    unsigned bits = span == 32 ? 1 : span == 64 ? 2 : span == 128 ? 3 : 0;
    unsigned to = 4;
    if (swizzleCode() == 1) {
      bits = 2;
      to = 5;
    }
    for (unsigned i = 0; i < bits; ++i)
      if (address >> (7 + i) & 1)
        address ^= 1u << (to + i);
    return address;
  }

  void build(std::mt19937 &random) {
    for (unsigned i = 0; i < rows * k; ++i)
      values.push_back(int(random() % 9) - 4);
    unsigned group = swizzleCode() == 1 ? 4 : 8;
    unsigned kBytes = k * type.bytes;
    if (!mnMajor) {
      // Atoms of 8 rows: side by side along K without a swizzle (LBO), stacked
      // along MN (SBO).
      leading = 128;
      stride = span == 16 ? 128 * (kBytes / 16) : 8 * span;
    } else {
      unsigned perRow = span / type.bytes;
      unsigned columns = (rows + perRow - 1) / perRow;
      unsigned atom = group * span;
      // Swizzled: LBO steps along MN, SBO along K; without it the other way.
      unsigned alongMn = atom, alongK = atom * columns;
      leading = span == 16 ? alongK : alongMn;
      stride = span == 16 ? alongMn : alongK;
    }
    image.assign(64 * 1024, 0xee);
    size_t end = 0;
    for (unsigned r = 0; r < rows; ++r)
      for (unsigned c = 0; c < k; ++c) {
        uint32_t at = place(r, c, group);
        uint32_t bits = encode(values[r * k + c]);
        std::memcpy(image.data() + at, &bits, type.bytes);
        end = std::max<size_t>(end, at + type.bytes);
      }
    // 128 threads copy 16 bytes each.
    image.resize((end + 2047) / 2048 * 2048, 0xee);
  }

  uint32_t place(unsigned row, unsigned col, unsigned group) const {
    if (!mnMajor) {
      unsigned byte = col * type.bytes;
      if (span == 16)
        return row / 8 * stride + byte / 16 * leading + row % 8 * 16 +
               byte % 16;
      return swizzle(row / 8 * stride + row % 8 * span + byte);
    }
    unsigned perRow = span / type.bytes;
    unsigned mnBlock = row / perRow, kBlock = col / group;
    uint32_t base = span == 16 ? mnBlock * stride + kBlock * leading
                               : mnBlock * leading + kBlock * stride;
    return swizzle(base + col % group * span + row % perRow * type.bytes);
  }

  uint64_t descriptor() const {
    return uint64_t(leading / 16) << 16 | uint64_t(stride / 16) << 32 |
           uint64_t(1) << 46 | uint64_t(swizzleCode()) << 61;
  }

  /// Bytes from one instruction's K slice to the next.
  unsigned step() const {
    unsigned bytes = type.k * type.bytes;
    if (!mnMajor)
      return span == 16 ? bytes / 16 * leading : bytes;
    unsigned group = swizzleCode() == 1 ? 4 : 8;
    return type.k / group * (span == 16 ? leading : stride);
  }
};

unsigned laneOf(unsigned row, unsigned m) {
  return m == 64 ? 32 * (row / 16) + row % 16 : row;
}

std::string copyLoop(const char *name, const char *pointer, size_t bytes,
                     const char *label) {
  return llvm::formatv(R"(
  shl.b32 %r1, %t, 4;
  mov.u32 %r3, {0};
{3}:
  cvt.u64.u32 %rd1, %r1;
  add.u64 %rd1, {1}, %rd1;
  ld.global.v4.b32 {{%r4, %r5, %r6, %r7}, [%rd1];
  add.u32 %r8, %r3, %r1;
  st.shared.v4.b32 [%r8], {{%r4, %r5, %r6, %r7};
  add.u32 %r1, %r1, 2048;
  setp.lt.u32 %q1, %r1, {2};
  @%q1 bra {3};
)",
                       name, pointer, bytes, label);
}

struct GemmCase {
  TypeInfo type;
  unsigned m, n, steps;
  bool aMnMajor, bMnMajor;
  unsigned aSpan, bSpan;
  bool aInTensor = false;
  AsyncMode async = AsyncMode::Eager;
  /// Added to the instruction descriptor: to break it, or for negation.
  uint32_t descriptorXor = 0;
  std::string before = "";
  const char *wait = "try";
};

struct GemmRun {
  std::string rules;
  unsigned mismatches = 0;
  std::string message;
};

GemmRun runGemm(const GemmCase &test) {
  std::mt19937 random(test.m * 1000 + test.n);
  unsigned k = test.type.k * test.steps;
  Operand a{test.type, test.m, k, test.aMnMajor, test.aSpan, 0, 0, {}, {}};
  Operand b{test.type, test.n, k, test.bMnMajor, test.bSpan, 0, 0, {}, {}};
  a.build(random);
  b.build(random);
  uint32_t idesc = test.type.dCode << 4 | test.type.code << 7 |
                   test.type.code << 10 | uint32_t(test.aMnMajor) << 15 |
                   uint32_t(test.bMnMajor) << 16 | test.n / 8 << 17 |
                   test.m / 16 << 24;
  idesc ^= test.descriptorXor;

  std::string body = R"(
  setp.gt.u32 %q0, %t, 31;
  @%q0 bra LOADED;
  mov.u32 %r1, slot;
  tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r1], 512;
  setp.ne.u32 %q1, %t, 0;
  @%q1 bra LOADED;
  mbarrier.init.shared::cta.b64 [bar], 1;
LOADED:
)";
  body += copyLoop("sa", "%p0", a.image.size(), "COPYA");
  body += copyLoop("sb", "%p1", b.image.size(), "COPYB");
  body += R"(
  fence.proxy.async.shared::cta;
  tcgen05.fence::before_thread_sync;
  bar.sync 0;
  tcgen05.fence::after_thread_sync;
  ld.shared.b32 %r10, [slot];
  shr.u32 %r11, %t, 5;
  shl.b32 %r12, %r11, 21;
  add.u32 %r12, %r12, %r10;
)";
  if (test.aInTensor) {
    // Thread t stores the row of its lane at column 256, 8 words a step.
    for (unsigned s = 0; s < test.steps; ++s)
      body += llvm::formatv(R"(
  mad.lo.u32 %r13, %t, {0}, {1};
  cvt.u64.u32 %rd1, %r13;
  add.u64 %rd1, %p3, %rd1;
  ld.global.v4.b32 {{%r20, %r21, %r22, %r23}, [%rd1];
  ld.global.v4.b32 {{%r24, %r25, %r26, %r27}, [%rd1+16];
  add.u32 %r14, %r12, {2};
  tcgen05.st.sync.aligned.32x32b.x8.b32 [%r14], {{%r20, %r21, %r22, %r23, %r24, %r25, %r26, %r27};
)",
                            test.steps * 32, s * 32, 256 + 8 * s);
    body += R"(
  tcgen05.wait::st.sync.aligned;
  tcgen05.fence::before_thread_sync;
  bar.sync 0;
  tcgen05.fence::after_thread_sync;
)";
  }
  body += R"(
  setp.gt.u32 %q0, %t, 31;
  @%q0 bra WAIT;
  elect.sync %r13|%q2, -1;
  @!%q2 bra WAIT;
  mov.u32 %r14, sa;
  shr.u32 %r14, %r14, 4;
  cvt.u64.u32 %rd2, %r14;
  mov.u32 %r15, sb;
  shr.u32 %r15, %r15, 4;
  cvt.u64.u32 %rd3, %r15;
)";
  body +=
      llvm::formatv("  or.b64 %rd2, %rd2, {0};\n  or.b64 %rd3, %rd3, {1};\n",
                    a.descriptor(), b.descriptor());
  body += test.before;
  for (unsigned s = 0; s < test.steps; ++s) {
    std::string operandA =
        test.aInTensor ? llvm::formatv("[%r10+{0}]", 256 + 8 * s).str()
                       : llvm::formatv("%rd2+{0}", s * a.step() / 16).str();
    body +=
        llvm::formatv("  setp.ne.u32 %q3, {0}, 0;\n"
                      "  tcgen05.mma.cta_group::1.kind::{1} [%r10], {2}, "
                      "%rd3+{3}, {4}, %q3;\n",
                      s, test.type.kind, operandA, s * b.step() / 16, idesc);
  }
  body += llvm::formatv(R"(
  tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [bar];
WAIT:
  mbarrier.{2}_wait.parity.shared::cta.b64 %q4, [bar], 0;
  @!%q4 bra WAIT;
  tcgen05.fence::after_thread_sync;
  mul.lo.u32 %r16, %t, {0};
  cvt.u64.u32 %rd4, %r16;
  add.u64 %rd4, %p2, %rd4;
  mov.u32 %r17, 0;
READ:
  add.u32 %r18, %r12, %r17;
  tcgen05.ld.sync.aligned.32x32b.x8.b32 {{%r20, %r21, %r22, %r23, %r24, %r25, %r26, %r27}, [%r18];
  tcgen05.wait::ld.sync.aligned;
  st.global.v4.b32 [%rd4], {{%r20, %r21, %r22, %r23};
  st.global.v4.b32 [%rd4+16], {{%r24, %r25, %r26, %r27};
  add.u64 %rd4, %rd4, 32;
  add.u32 %r17, %r17, 8;
  setp.lt.u32 %q1, %r17, {1};
  @%q1 bra READ;
  tcgen05.fence::before_thread_sync;
  bar.sync 0;
  @%q0 bra END;
  tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r10, 512;
END:
)",
                        test.n * 4, test.n, test.wait);
  std::string globals = llvm::formatv(
      ".shared .align 1024 .b8 sa[{0}];\n.shared .align 1024 .b8 sb[{1}];\n"
      ".shared .align 8 .b64 bar;\n.shared .align 4 .b32 slot;\n",
      a.image.size(), b.image.size());

  LaunchOptions options;
  options.async = test.async;
  TestKernel kernel(entry(4, body, globals), options);
  if (!kernel.module)
    return {"!" + kernel.error, 0, ""};
  kernel.parameters.block = {128, 1, 1};
  kernel.buffer(a.image);
  kernel.buffer(b.image);
  Allocation *d = kernel.empty(128 * test.n * 4);
  // A by tensor memory lane, K packed: k * bytes = 32 bytes a step.
  std::vector<uint8_t> lanes(128 * test.steps * 32, 0);
  for (unsigned r = 0; r < test.m; ++r)
    for (unsigned c = 0; c < k; ++c) {
      uint32_t bits = a.encode(a.values[r * k + c]);
      std::memcpy(
          &lanes[laneOf(r, test.m) * test.steps * 32 + c * test.type.bytes],
          &bits, test.type.bytes);
    }
  kernel.buffer(lanes);
  GemmRun result;
  result.rules = kernel.run();
  if (!result.rules.empty()) {
    if (result.rules[0] != '!')
      result.message = kernel.report().message;
    return result;
  }
  auto got = TestKernel::read<uint32_t>(d);
  for (unsigned r = 0; r < test.m; ++r)
    for (unsigned n = 0; n < test.n; ++n) {
      int sum = 0;
      for (unsigned c = 0; c < k; ++c)
        sum += a.values[r * k + c] * b.values[n * k + c];
      uint32_t bits = got[laneOf(r, test.m) * test.n + n];
      uint32_t want = test.type.dCode == 2 ? uint32_t(sum) : floatToBits(sum);
      result.mismatches += bits != want;
    }
  return result;
}

void expectExact(const GemmCase &test) {
  GemmRun run = runGemm(test);
  std::string name = llvm::formatv(
      "kind {0} format {1} M {2} N {3} A {4}/{5} B {6}/{7}{8}", test.type.kind,
      test.type.code, test.m, test.n, test.aMnMajor ? "mn" : "k", test.aSpan,
      test.bMnMajor ? "mn" : "k", test.bSpan,
      test.aInTensor ? " A in tensor memory" : "");
  EXPECT_EQ(run.rules, "") << name << ": " << run.message;
  EXPECT_EQ(run.mismatches, 0u) << name;
}

} // namespace

TEST(Gemm, SixteenBitTypesInEveryLayout) {
  for (const TypeInfo &type : {kF16Type, kBF16Type})
    for (bool aMn : {false, true})
      for (bool bMn : {false, true})
        for (unsigned aSpan : {16, 32, 64, 128})
          for (unsigned bSpan : {16, 32, 64, 128}) {
            // As many K steps as fit into the narrower swizzle row.
            unsigned steps = 2;
            if (!aMn && aSpan > 16)
              steps = std::min(steps, aSpan / 32);
            if (!bMn && bSpan > 16)
              steps = std::min(steps, bSpan / 32);
            expectExact({type, aSpan == 32 ? 64u : 128u,
                         bSpan == 64 ? 24u : 64u, steps, aMn, bMn, aSpan,
                         bSpan});
          }
}

TEST(Gemm, EveryShape) {
  for (unsigned m : {64, 128})
    for (unsigned n = 8; n <= 256; n += n < 64 ? 8 : 32)
      expectExact({kF16Type, m, n, 4, false, false, 128, 128});
}

TEST(Gemm, OtherKinds) {
  for (unsigned span : {16, 32, 64, 128}) {
    unsigned steps = span == 16 ? 2 : span / 32;
    expectExact({kTF32Type, 128, 64, steps, false, false, span, span});
    expectExact({kE4M3Type, 128, 64, steps, false, false, span, span});
    expectExact({kE5M2Type, 64, 64, steps, false, false, span, span});
    expectExact({kS8Type, 128, 64, steps, false, false, span, span});
    expectExact({kE4M3Type, 128, 64, 2, true, true, span, span});
    expectExact({kS8Type, 64, 32, 2, true, true, span, span});
  }
  expectExact({kTF32Type, 128, 64, 2, true, true, 128, 128});
}

TEST(Gemm, OperandAInTensorMemory) {
  for (unsigned m : {64, 128}) {
    expectExact({kF16Type, m, 64, 4, false, false, 128, 128, true});
    expectExact({kTF32Type, m, 64, 2, false, false, 128, 128, true});
    expectExact({kE4M3Type, m, 64, 2, false, true, 128, 128, true});
  }
}

TEST(Gemm, AsyncModesAgree) {
  for (AsyncMode mode : {AsyncMode::Lazy, AsyncMode::Random})
    expectExact({kF16Type, 128, 128, 4, false, true, 128, 64, false, mode});
}

/// Work that is as late as possible must still complete for a loop that only
/// tests.
TEST(Gemm, LazyWorkCompletesForSpinningThreads) {
  GemmCase test{kF16Type, 64, 32, 2,     false,
                false,    64, 64, false, AsyncMode::Lazy};
  test.wait = "test";
  expectExact(test);
}

/// What is wrong must not pass.
TEST(Gemm, MutationsAreFound) {
  GemmCase good{kF16Type, 128, 64, 4, false, false, 128, 128};
  ASSERT_EQ(runGemm(good).mismatches, 0u);
  auto mutate = [&](const std::string &before, uint32_t idesc = 0) {
    GemmCase test = good;
    test.before = before;
    test.descriptorXor = idesc;
    return runGemm(test);
  };
  // Another swizzle, stride or start address, another type, a negation.
  auto found = [](const GemmRun &run) {
    return run.mismatches > 0 || !run.rules.empty();
  };
  for (const char *change :
       {"xor.b64 %rd2, %rd2, 0xc000000000000000;\n",
        "xor.b64 %rd2, %rd2, 0x6000000000000000;\n",
        "xor.b64 %rd2, %rd2, 0x0000004000000000;\n", "add.u64 %rd2, %rd2, 2;\n",
        "add.u64 %rd3, %rd3, 64;\n"})
    EXPECT_TRUE(found(mutate(change))) << change;
  EXPECT_GT(mutate("", 1 << 7 | 1 << 10).mismatches, 0u);
  EXPECT_GT(mutate("", 1 << 13).mismatches, 0u);
  // Illegal fields are reported.
  EXPECT_EQ(mutate("xor.b64 %rd2, %rd2, 0x0000400000000000;\n").rules, "R41");
  EXPECT_EQ(mutate("or.b64 %rd2, %rd2, 0x4000;\n").rules, "R41");
  EXPECT_EQ(mutate("", 8 << 24).rules, "R41"); // M 0
  EXPECT_EQ(mutate("", 3 << 4).rules, "R41");  // s32 result
  EXPECT_EQ(mutate("or.b64 %rd3, %rd3, 0x3fff;\n").rules, "R42");
  // D outside the allocation and at a lane that no accumulator starts at.
  EXPECT_EQ(mutate("add.u32 %r10, %r10, 480;\n").rules, "R29");
  EXPECT_EQ(mutate("add.u32 %r10, %r10, 0x100000;\n").rules, "R29");
}
