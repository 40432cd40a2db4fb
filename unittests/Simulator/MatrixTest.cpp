//===- MatrixTest.cpp - warp-level matrix instructions --------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which register of which lane holds which element, written down here a second
// time from the PTX ISA, with small integers as values so that products are
// exact. Rounding is tested in TensorCoreHardTest.cpp and by measured vectors.
//
//===----------------------------------------------------------------------===//

#include "TIRx/Simulator/FloatFormat.h"
#include "TestKernel.h"
#include "gtest/gtest.h"
#include <functional>
#include <random>

using namespace tirx::sim;

namespace {

/// Registers of a warp: [register][lane].
using Registers = std::vector<std::array<uint32_t, 32>>;

struct Outcome {
  std::string rules;
  Registers out;
};

/// Runs `body`, which reads %r0... and writes %o0..., on one warp.
Outcome runWarp(const std::string &body, const Registers &in, unsigned outputs,
                const std::string &target = "sm_120a") {
  std::string text = ".version 8.8\n.target " + target +
                     "\n.address_size 64\n.visible .entry kernel(.param .u64 "
                     "a, .param .u64 b)\n{\n.reg .b32 %r<64>, %o<16>, %t;\n"
                     ".reg .b64 %p<2>, %q;\n.reg .pred %c;\n"
                     ".shared .align 16 .b8 image[1024];\n"
                     "mov.u32 %t, %tid.x;\nld.param.u64 %p0, [a];\n"
                     "ld.param.u64 %p1, [b];\nmul.wide.u32 %q, %t, 4;\n"
                     "add.u64 %p0, %p0, %q;\nadd.u64 %p1, %p1, %q;\n";
  for (unsigned r = 0; r < in.size(); ++r)
    text += "ld.global.b32 %r" + std::to_string(r) + ", [%p0+" +
            std::to_string(128 * r) + "];\n";
  text += body;
  for (unsigned r = 0; r < outputs; ++r)
    text += "st.global.b32 [%p1+" + std::to_string(128 * r) + "], %o" +
            std::to_string(r) + ";\n";
  TestKernel kernel(text + "ret;\n}\n");
  if (!kernel.module)
    return {"!" + kernel.error, Registers(outputs)};
  std::vector<uint32_t> words;
  for (const auto &lanes : in)
    words.insert(words.end(), lanes.begin(), lanes.end());
  if (words.empty())
    words.push_back(0);
  kernel.buffer(words);
  Allocation *result = kernel.empty(128 * std::max(1u, outputs));
  kernel.parameters.block = {32, 1, 1};
  Outcome outcome;
  outcome.rules = kernel.run();
  auto got = TestKernel::read<uint32_t>(result);
  outcome.out.resize(outputs);
  for (unsigned r = 0; r < outputs; ++r)
    std::copy_n(got.begin() + 32 * r, 32, outcome.out[r].begin());
  return outcome;
}

std::string list(const char *prefix, unsigned first, unsigned count) {
  std::string text = "{";
  for (unsigned i = 0; i < count; ++i)
    text += (i ? ", %" : "%") + std::string(prefix) + std::to_string(first + i);
  return text + "}";
}

/// A type of elements: how a small integer looks in it.
struct Element {
  const char *name;
  unsigned bits;
  std::function<uint32_t(int)> encode;
};

std::function<uint32_t(int)> floats(const FloatFormat &format) {
  return [&format](int value) { return encodeFloat(value, format); };
}
std::function<uint32_t(int)> bitsOfWidth(unsigned bits) {
  return [bits](int value) { return uint32_t(value) & ((1u << bits) - 1); };
}
uint32_t middleE2M1(int value) { return encodeFloat(value, kE2M1) << 2; }

using Matrix = std::vector<std::vector<int>>;

Matrix randomMatrix(std::mt19937 &random, unsigned rows, unsigned columns,
                    int low, int high) {
  Matrix matrix(rows, std::vector<int>(columns));
  for (auto &row : matrix)
    for (int &value : row)
      value = low + int(random() % (high - low + 1));
  return matrix;
}

/// Appends the fragment of rows of k elements: register r of lane 4g + t has
/// row g + 8 * (r mod blocks), from element (4 * (r div blocks) + t) * e on,
/// e elements in a register.
void appendFragment(Registers &registers, const Matrix &matrix,
                    const Element &element) {
  unsigned rows = matrix.size(), k = matrix[0].size();
  unsigned each = 32 / element.bits, blocks = rows / 8;
  for (unsigned r = 0; r < rows * k / 32 / each; ++r) {
    auto &lanes = registers.emplace_back();
    for (unsigned lane = 0; lane < 32; ++lane) {
      lanes[lane] = 0;
      for (unsigned e = 0; e < each; ++e) {
        unsigned column = (4 * (r / blocks) + lane % 4) * each + e;
        lanes[lane] |=
            element.encode(matrix[lane / 4 + 8 * (r % blocks)][column])
            << (e * element.bits);
      }
    }
  }
}

/// c[row][n] of 16 x 8: registers 0, 1 of row g, 2, 3 of row g + 8.
void appendAccumulator(Registers &registers, const Matrix &c,
                       const std::function<uint32_t(int)> &encode) {
  for (unsigned r = 0; r < 4; ++r) {
    auto &lanes = registers.emplace_back();
    for (unsigned lane = 0; lane < 32; ++lane)
      lanes[lane] = encode(c[lane / 4 + r / 2 * 8][lane % 4 * 2 + r % 2]);
  }
}

uint32_t single(int value) { return floatToBits(float(value)); }
uint32_t word(int value) { return uint32_t(value); }

/// A sparse A of `rows` rows: the two (or, of tf32, the one) of four that are
/// kept, in groups of `unit` elements.
struct SparseMatrix {
  Matrix dense, stored;
  std::vector<uint64_t> metadata;
};

SparseMatrix randomSparse(std::mt19937 &random, unsigned k, unsigned unit,
                          bool oneOfTwo) {
  SparseMatrix m;
  m.dense = Matrix(16, std::vector<int>(k, 0));
  m.stored = Matrix(16);
  for (unsigned row = 0; row < 16; ++row) {
    uint64_t bits = 0;
    unsigned at = 0, span = oneOfTwo ? 2 : 4;
    for (unsigned group = 0; group < k / unit / span; ++group) {
      std::vector<unsigned> places;
      unsigned first = random() % (oneOfTwo ? 2 : 3);
      places.push_back(first);
      if (!oneOfTwo)
        places.push_back(first + 1 + random() % (3 - first));
      for (unsigned place : places) {
        for (unsigned u = 0; u < unit; ++u) {
          int value = 1 + random() % 3;
          m.dense[row][(group * span + place) * unit + u] = value;
          m.stored[row].push_back(value);
        }
        uint64_t index = oneOfTwo ? (place ? 0xe : 0x4) : place;
        bits |= index << at;
        at += oneOfTwo ? 4 : 2;
      }
    }
    m.metadata.push_back(bits);
  }
  return m;
}

/// The metadata register: `bits` a row. Elements of 16 bits and more: both rows
/// of a lane, 16 bits each; smaller: a row for each lane of a pair.
void appendMetadata(Registers &registers, const SparseMatrix &m, unsigned bits,
                    bool narrow, unsigned selector) {
  auto &lanes = registers.emplace_back();
  lanes.fill(0xdeadbeef);
  for (unsigned row = 0; row < 8; ++row)
    for (unsigned part = 0; part < bits / 16; ++part) {
      unsigned lane = row * 4 + selector * (bits / 16) + part;
      if (narrow)
        lanes[lane] =
            uint32_t(m.metadata[row + part % 2 * 8] >> (part / 2 * 32));
      else
        lanes[lane] = uint32_t(m.metadata[row] >> (16 * part) & 0xffff) |
                      uint32_t(m.metadata[row + 8] >> (16 * part) & 0xffff)
                          << 16;
    }
}

int dot(const std::vector<int> &a, const std::vector<int> &b) {
  int sum = 0;
  for (size_t i = 0; i < a.size(); ++i)
    sum += a[i] * b[i];
  return sum;
}

} // namespace

//===----------------------------------------------------------------------===//
// mma.sp
//===----------------------------------------------------------------------===//

TEST(MatrixSparse, EveryTypeShapeAndSelector) {
  struct Case {
    const char *shape, *kind, *result;
    unsigned k;
    Element element;
  };
  const Element f16 = {"f16", 16, floats(kF16)},
                bf16 = {"bf16", 16, floats(kBF16)},
                tf32 = {"tf32", 32, floats(kTF32)},
                s8 = {"s8", 8, bitsOfWidth(8)}, u4 = {"u4", 4, bitsOfWidth(4)},
                e4m3 = {"e4m3", 8, floats(kE4M3)},
                e2m1 = {"e2m1", 8, middleE2M1},
                e3m2 = {"e3m2", 8, floats(kE3M2)};
  const Case cases[] = {{"m16n8k16", "", "f32", 16, f16},
                        {"m16n8k32", "", "f32", 32, f16},
                        {"m16n8k32", "", "f32", 32, bf16},
                        {"m16n8k8", "", "f32", 8, tf32},
                        {"m16n8k16", "", "f32", 16, tf32},
                        {"m16n8k32", "", "s32", 32, s8},
                        {"m16n8k64", "", "s32", 64, s8},
                        {"m16n8k64", "", "s32", 64, u4},
                        {"m16n8k128", "", "s32", 128, u4},
                        {"m16n8k64", "", "f32", 64, e4m3},
                        {"m16n8k64", ".kind::f8f6f4", "f32", 64, e2m1},
                        {"m16n8k64", ".kind::f8f6f4", "f32", 64, e3m2}};
  std::mt19937 random(21);
  for (const Case &test : cases) {
    bool oneOfTwo = test.element.bits == 32;
    unsigned unit = test.element.bits == 4 ? 2 : 1;
    unsigned bits = test.k / unit * (oneOfTwo ? 2 : 1);
    bool isInteger = std::string(test.result) == "s32";
    for (unsigned selector = 0; selector < 64 / bits; ++selector) {
      SparseMatrix a = randomSparse(random, test.k, unit, oneOfTwo);
      Matrix b = randomMatrix(random, 8, test.k, 0, 3);
      Matrix c = randomMatrix(random, 16, 8, -50, 50);
      Registers in;
      appendFragment(in, a.stored, test.element);
      unsigned aCount = in.size();
      appendFragment(in, b, test.element);
      unsigned bCount = in.size() - aCount;
      appendAccumulator(in, c, isInteger ? word : single);
      appendMetadata(in, a, bits, test.element.bits < 16, selector);
      unsigned at = aCount + bCount;
      std::string type = std::string(".") + test.element.name;
      auto got = runWarp(
          std::string("mma.sp::ordered_metadata.sync.aligned.") + test.shape +
              ".row.col" + test.kind + "." + test.result + type + type + "." +
              test.result + " " + list("o", 0, 4) + ", " +
              list("r", 0, aCount) + ", " + list("r", aCount, bCount) + ", " +
              list("r", at, 4) + ", %r" + std::to_string(at + 4) + ", " +
              std::to_string(selector) + ";\n",
          in, 4);
      ASSERT_EQ(got.rules, "") << test.shape << type;
      for (unsigned r = 0; r < 4; ++r)
        for (unsigned lane = 0; lane < 32; ++lane) {
          unsigned row = lane / 4 + r / 2 * 8, n = lane % 4 * 2 + r % 2;
          int want = c[row][n] + dot(a.dense[row], b[n]);
          EXPECT_EQ(got.out[r][lane], isInteger ? word(want) : single(want))
              << test.shape << type << " selector " << selector << " row "
              << row << " column " << n;
        }
    }
  }
}

TEST(MatrixSparse, MetadataIsChecked) {
  const char *text =
      "mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%o0, %o1, %o2, "
      "%o3}, {%r0, %r0}, {%r0, %r0}, {%r0, %r0, %r0, %r0}, %r1, 0;\n";
  Registers in(2);
  in[0].fill(0);
  in[1].fill(0x44444444);
  EXPECT_EQ(runWarp(text, in, 4).rules, "");
  in[1][8] = 0x44445444; // two elements in one place
  EXPECT_EQ(runWarp(text, in, 4).rules, "R41");
  in[1][8] = 0x44444444;
  in[1][9] = 0; // a lane that the selector does not choose
  EXPECT_EQ(runWarp(text, in, 4).rules, "");
  in[1].fill(0x4444444c);
  EXPECT_EQ(runWarp("mma.sp.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 "
                    "{%o0, %o1, %o2, %o3}, {%r0, %r0}, {%r0, %r0}, {%r0, %r0, "
                    "%r0, %r0}, %r1, 0;\n",
                    in, 4)
                .rules,
            "R41");
}

//===----------------------------------------------------------------------===//
// Scales
//===----------------------------------------------------------------------===//

/// Rows g and g + 8 take scales of A from lanes 2s and 2s + 1 of four, column g
/// those of B from lane s.
TEST(MatrixScaled, BytesAndThreads) {
  struct Case {
    const char *kind, *element, *scale;
    unsigned k, scales;
  };
  const Case cases[] = {
      {".kind::mxf8f6f4.block_scale.scale_vec::1X", "e4m3", "ue8m0", 32, 1},
      {".kind::mxf4.block_scale.scale_vec::2X", "e2m1", "ue8m0", 64, 2},
      {".kind::mxf4nvf4.block_scale.scale_vec::4X", "e2m1", "ue4m3", 64, 4}};
  std::mt19937 random(22);
  for (const Case &test : cases)
    for (unsigned byte = 0; byte < 4; byte += test.scales)
      for (unsigned thread = 0; thread < 4; ++thread) {
        bool isWide = test.k == 32;
        Element element = {test.element, isWide ? 8u : 4u,
                           floats(isWide ? kE4M3 : kE2M1)};
        Matrix a = randomMatrix(random, 16, test.k, 0, 2);
        Matrix b = randomMatrix(random, 8, test.k, 0, 2);
        Matrix c = randomMatrix(random, 16, 8, -50, 50);
        Matrix sa = randomMatrix(random, 16, test.scales, 0, 3);
        Matrix sb = randomMatrix(random, 8, test.scales, 0, 3);
        bool isExponent = std::string(test.scale) == "ue8m0";
        auto scale = [&](int power) -> uint32_t {
          return isExponent ? 127 + power : encodeFloat(1 << power, kE4M3);
        };
        Registers in;
        appendFragment(in, a, element);
        unsigned aCount = in.size();
        appendFragment(in, b, element);
        unsigned at = in.size();
        appendAccumulator(in, c, single);
        unsigned threadA = thread % 2;
        for (bool ofA : {true, false}) {
          auto &lanes = in.emplace_back();
          lanes.fill(0x7e7d7c7b); // other scales elsewhere
          for (unsigned row = 0; row < (ofA ? 16 : 8); ++row) {
            unsigned lane =
                row % 8 * 4 + (ofA ? 2 * threadA + row / 8 : thread);
            for (unsigned s = 0; s < test.scales; ++s) {
              unsigned shift = 8 * (byte + s);
              lanes[lane] &= ~(0xffu << shift);
              lanes[lane] |= scale((ofA ? sa : sb)[row][s]) << shift;
            }
          }
        }
        std::string type = std::string(".") + test.element;
        auto selector = [&](unsigned id) {
          return ", {" + std::to_string(byte) + ", " + std::to_string(id) + "}";
        };
        auto got = runWarp(
            "mma.sync.aligned.m16n8k" + std::to_string(test.k) + ".row.col" +
                test.kind + ".f32" + type + type + ".f32." + test.scale + " " +
                list("o", 0, 4) + ", " + list("r", 0, aCount) + ", " +
                list("r", aCount, at - aCount) + ", " + list("r", at, 4) +
                ", %r" + std::to_string(at + 4) + selector(threadA) + ", %r" +
                std::to_string(at + 5) + selector(thread) + ";\n",
            in, 4);
        ASSERT_EQ(got.rules, "") << test.kind;
        for (unsigned r = 0; r < 4; ++r)
          for (unsigned lane = 0; lane < 32; ++lane) {
            unsigned row = lane / 4 + r / 2 * 8, n = lane % 4 * 2 + r % 2;
            int want = c[row][n];
            for (unsigned i = 0; i < test.k; ++i) {
              unsigned s = i * test.scales / test.k;
              want += a[row][i] * b[n][i] << (sa[row][s] + sb[n][s]);
            }
            EXPECT_EQ(got.out[r][lane], single(want))
                << test.kind << " byte " << byte << " thread " << thread;
          }
      }
  Registers in(1);
  in[0].fill(0);
  EXPECT_EQ(
      runWarp(".reg .b16 %h;\nmov.b16 %h, 1;\n"
              "mma.sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale."
              "f32.e2m1.e2m1.f32.ue8m0 {%o0, %o1, %o2, %o3}, {%r0, %r0, "
              "%r0, %r0}, {%r0, %r0}, {%r0, %r0, %r0, %r0}, %r0, {%h, 0}, "
              "%r0, {0, 0};\n",
              in, 4)
          .rules,
      "R41");
}

//===----------------------------------------------------------------------===//
// The oldest mma
//===----------------------------------------------------------------------===//

TEST(MatrixVolta, FourProductsOfEightLanes) {
  std::mt19937 random(23);
  for (std::string aLayout : {"row", "col"})
    for (std::string bLayout : {"row", "col"})
      for (bool half : {false, true}) {
        Matrix a[4], b[4], c[4];
        for (unsigned q = 0; q < 4; ++q) {
          a[q] = randomMatrix(random, 8, 4, -3, 3);
          b[q] = randomMatrix(random, 4, 8, -3, 3);
          c[q] = randomMatrix(random, 8, 8, -9, 9);
        }
        Registers in(half ? 8 : 12);
        auto put = [&](unsigned r, unsigned lane, unsigned e, int value) {
          in[r + e / 2][lane] |= encodeFloat(value, kF16) << (e % 2 * 16);
        };
        auto cell = [&](unsigned lane, unsigned i) {
          unsigned high = lane / 16 * 4;
          if (half)
            return std::pair(lane % 4 + high, i);
          return std::pair((lane & 1) + (i & 2) + high,
                           (i & 4) + (lane & 2) + (i & 1));
        };
        for (auto &lanes : in)
          lanes.fill(0);
        for (unsigned lane = 0; lane < 32; ++lane) {
          unsigned q = lane % 16 / 4, high = lane / 16 * 4, t = lane % 4;
          for (unsigned i = 0; i < 4; ++i) {
            put(0, lane, i,
                aLayout == "row" ? a[q][t + high][i] : a[q][i + high][t]);
            put(2, lane, i,
                bLayout == "row" ? b[q][t][i + high] : b[q][i][t + high]);
          }
          for (unsigned i = 0; i < 8; ++i) {
            auto [row, column] = cell(lane, i);
            if (half)
              put(4, lane, i, c[q][row][column]);
            else
              in[4 + i][lane] = single(c[q][row][column]);
          }
        }
        unsigned count = half ? 4 : 8;
        std::string type = half ? "f16" : "f32";
        auto got =
            runWarp("mma.sync.aligned.m8n8k4." + aLayout + "." + bLayout + "." +
                        type + ".f16.f16." + type + " " + list("o", 0, count) +
                        ", {%r0, %r1}, {%r2, "
                        "%r3}, " +
                        list("r", 4, count) + ";\n",
                    in, count);
        ASSERT_EQ(got.rules, "");
        for (unsigned lane = 0; lane < 32; ++lane)
          for (unsigned i = 0; i < 8; ++i) {
            unsigned q = lane % 16 / 4;
            auto [row, column] = cell(lane, i);
            int want = c[q][row][column];
            for (unsigned k = 0; k < 4; ++k)
              want += a[q][row][k] * b[q][k][column];
            uint32_t bits = half ? got.out[i / 2][lane] >> (i % 2 * 16) & 0xffff
                                 : got.out[i][lane];
            EXPECT_EQ(bits, half ? encodeFloat(want, kF16) : single(want))
                << aLayout << bLayout << type << lane << " " << i;
          }
      }
}

//===----------------------------------------------------------------------===//
// Matrices of bytes between shared memory and registers
//===----------------------------------------------------------------------===//

/// Fills the image with its own byte numbers times 7; rows are 16 bytes apart,
/// each lane gives row `lane`.
static const char kFillImage[] =
    "mov.u32 %r0, image;\nmad.lo.u32 %r0, %t, 16, %r0;\n"
    "mul.lo.u32 %r1, %t, 16;\nmov.u32 %r2, 0;\n"
    "FILL:\nadd.u32 %r3, %r1, %r2;\nmul.lo.u32 %r4, %r3, 7;\n"
    "add.u32 %r5, %r0, %r2;\nst.shared.u8 [%r5], %r4;\n"
    "add.u32 %r2, %r2, 1;\nsetp.lt.u32 %c, %r2, 16;\n@%c bra FILL;\n"
    "bar.warp.sync -1;\n";

static uint8_t imageByte(unsigned row, unsigned column) {
  return (row * 16 + column) * 7;
}

TEST(MatrixMove, BytesAndPackedRows) {
  auto out =
      runWarp(std::string(kFillImage) +
                  "ldmatrix.sync.aligned.m16n16.x2.trans.shared.b8 {%o0, "
                  "%o1, %o2, %o3}, [%r0];\n"
                  "ldmatrix.sync.aligned.m8n16.x1.shared.b8x16.b6x16_p32 "
                  "{%o4}, [%r0];\n"
                  "ldmatrix.sync.aligned.m8n16.x2.shared.b8x16.b4x16_p64 "
                  "{%o5, %o6}, [%r0];\n",
              {}, 7);
  ASSERT_EQ(out.rules, "");
  for (unsigned lane = 0; lane < 32; ++lane)
    for (unsigned j = 0; j < 4; ++j) {
      unsigned g = lane / 4, t = lane % 4;
      auto byte = [&](unsigned r) {
        return out.out[r][lane] >> (8 * j) & 0xff;
      };
      for (unsigned r = 0; r < 4; ++r)
        EXPECT_EQ(byte(r), imageByte(16 * (r / 2) + 4 * t + 2 * (r % 2) + j % 2,
                                     g + 8 * (j / 2)));
      unsigned e = 4 * t + j;
      uint32_t pair =
          imageByte(g, e * 6 / 8) | uint32_t(imageByte(g, e * 6 / 8 + 1)) << 8;
      EXPECT_EQ(byte(4), pair >> (e * 6 % 8) & 0x3f);
      for (unsigned m = 0; m < 2; ++m)
        EXPECT_EQ(byte(5 + m),
                  imageByte(8 * m + g, e / 2) >> (e % 2 * 4) & 0xfu);
    }
}

/// The accumulator fragment in bytes, stored transposed.
TEST(MatrixMove, StoreOfBytes) {
  auto out =
      runWarp(std::string(kFillImage) +
                  "mul.lo.u32 %r6, %t, 0x04040404;\n"
                  "add.u32 %r6, %r6, 0x03020100;\n"
                  "stmatrix.sync.aligned.m16n8.x1.trans.shared.b8 [%r0], "
                  "{%r6};\nbar.warp.sync -1;\nmov.u32 %r0, image;\n"
                  "mad.lo.u32 %r0, %t, 4, %r0;\n"
                  "ld.shared.b32 %o0, [%r0];\n",
              {}, 1);
  ASSERT_EQ(out.rules, "");
  for (unsigned lane = 0; lane < 32; ++lane)
    for (unsigned j = 0; j < 4; ++j) {
      unsigned row = lane / 4, column = lane % 4 * 4 + j;
      // Element (column, row) of a 16x8 accumulator.
      unsigned from = column % 8 * 4 + row / 2;
      unsigned byte = row % 2 + column / 8 * 2;
      EXPECT_EQ(out.out[0][lane] >> (8 * j) & 0xff, 4 * from + byte);
    }
}

TEST(MatrixMove, NeedsTheWholeWarp) {
  EXPECT_EQ(runWarp("mov.u32 %r0, image;\nsetp.lt.u32 %c, %t, 31;\n"
                    "@%c movmatrix.sync.aligned.m8n8.trans.b16 %o0, %r0;\n",
                    {}, 0)
                .rules,
            "R36");
}
