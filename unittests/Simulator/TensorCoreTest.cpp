//===- TensorCoreTest.cpp - tensor-core arithmetic ------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TIRx/Simulator/TensorCore.h"
#include "TIRx/Simulator/MatrixDescriptor.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"
#include <fstream>
#include <random>
#include <sstream>

using namespace tirx::sim;

static const FloatFormat &formatByName(const std::string &name) {
  return name == "f16" ? kF16 : name == "bf16" ? kBF16 : kTF32;
}

/// Every product measured on hardware, by the plain statement of the rules and
/// by the fast path.
TEST(TensorCore, AgreesWithMeasuredProducts) {
  std::ifstream file(TIRX_TEST_DATA "/tensor_core_products.txt");
  ASSERT_TRUE(file.good());
  std::string line;
  unsigned cases = 0;
  auto numbers = [&] {
    std::getline(file, line);
    std::istringstream stream(line);
    std::vector<uint32_t> values;
    uint32_t value;
    while (stream >> std::hex >> value)
      values.push_back(value);
    return values;
  };
  while (std::getline(file, line)) {
    if (line[0] == '#')
      continue;
    std::istringstream head(line);
    std::string type, result;
    unsigned rows, columns, k;
    head >> type >> result >> rows >> columns >> k;
    auto a = numbers(), b = numbers(), c = numbers(), d = numbers();
    ASSERT_EQ(d.size(), rows * columns);
    const FloatFormat &format = formatByName(type);
    FusedParameters parameters;
    parameters.result =
        result == "f16" ? AccumulatorFormat::F16 : AccumulatorFormat::F32;
    PreparedOperand pa(a, rows, k, format, false,
                       PreparedOperand::Order::RowMajor);
    PreparedOperand pb(b, columns, k, format, false,
                       PreparedOperand::Order::KMajor);
    for (unsigned row = 0; row < rows; ++row) {
      std::vector<uint32_t> fast(columns);
      multiplyRow(pa, row, pb, &c[row * columns], fast.data(), parameters);
      for (unsigned n = 0; n < columns; ++n) {
        uint32_t slow = fusedDot(llvm::ArrayRef(a).slice(row * k, k), format,
                                 llvm::ArrayRef(b).slice(n * k, k), format,
                                 c[row * columns + n], parameters);
        EXPECT_EQ(slow, d[row * columns + n]) << type << " case " << cases;
        EXPECT_EQ(fast[n], d[row * columns + n]) << type << " case " << cases;
      }
    }
    ++cases;
  }
  EXPECT_GE(cases, 20u);
}

/// Random bits of all formats: the fast path must give the bits of the plain
/// statement, specials and subnormals included.
TEST(TensorCore, FastPathEqualsReference) {
  struct Case {
    const FloatFormat *a, *b;
    unsigned k;
  };
  const Case cases[] = {{&kF16, &kF16, 16},   {&kBF16, &kBF16, 16},
                        {&kTF32, &kTF32, 8},  {&kE4M3, &kE5M2, 32},
                        {&kE2M1, &kE3M2, 32}, {&kE2M3, &kE4M3, 32}};
  std::mt19937_64 random(3);
  for (const Case &test : cases)
    for (AccumulatorFormat result :
         {AccumulatorFormat::F32, AccumulatorFormat::F16})
      for (int style = 0; style < 4; ++style) {
        unsigned rows = 9, columns = 13;
        auto fill = [&](const FloatFormat &format, size_t count) {
          std::vector<uint32_t> bits(count);
          for (uint32_t &b : bits) {
            b = uint32_t(random());
            if (style == 1) // narrow range: cancellation
              b = encodeFloat(double(int(random() % 17)) - 8, format);
            if (style == 2 && random() % 3)
              b = 0;
            if (style == 3) // no specials
              b &= encodeFloat(1.0, format) | encodeFloat(1.75, format) |
                   0x80000000u >> (31 - format.exponentBits -
                                   format.fractionBits - format.containerShift);
          }
          return bits;
        };
        auto a = fill(*test.a, rows * test.k),
             b = fill(*test.b, columns * test.k);
        std::vector<uint32_t> c(rows * columns);
        for (uint32_t &value : c)
          value =
              style == 1
                  ? encodeFloat(double(int(random() % 65)) - 32,
                                result == AccumulatorFormat::F16 ? kF16 : kF32)
                  : uint32_t(random());
        if (result == AccumulatorFormat::F16)
          for (uint32_t &value : c)
            value &= 0xffff;
        FusedParameters parameters;
        parameters.result = result;
        parameters.scaleD = style == 2 ? 3 : 0;
        PreparedOperand pa(a, rows, test.k, *test.a, false,
                           PreparedOperand::Order::RowMajor);
        PreparedOperand pb(b, columns, test.k, *test.b, false,
                           PreparedOperand::Order::KMajor);
        for (unsigned row = 0; row < rows; ++row) {
          std::vector<uint32_t> d(columns);
          multiplyRow(pa, row, pb, &c[row * columns], d.data(), parameters);
          for (unsigned n = 0; n < columns; ++n)
            EXPECT_EQ(d[n],
                      fusedDot(llvm::ArrayRef(a).slice(row * test.k, test.k),
                               *test.a,
                               llvm::ArrayRef(b).slice(n * test.k, test.k),
                               *test.b, c[row * columns + n], parameters));
        }
      }
}

TEST(TensorCore, LargestSumDoesNotOverflow) {
  // 32 products of 3.99 with one sign and a large accumulator.
  std::vector<uint32_t> a(32, 0x7e), b(32, 0x7e);
  FusedParameters parameters;
  PreparedOperand pa(a, 1, 32, kE4M3, false, PreparedOperand::Order::RowMajor);
  PreparedOperand pb(b, 1, 32, kE4M3, false, PreparedOperand::Order::KMajor);
  uint32_t c = floatToBits(200000.0f), d;
  multiplyRow(pa, 0, pb, &c, &d, parameters);
  EXPECT_EQ(bitsToFloat(d), 448.0f * 448.0f * 32 + 200000.0f);
}

TEST(TensorCore, SparseFloat8IsExpandedInGroupsOfFour) {
  // Small products at k % 8 = 2 and 3, a large one at k % 8 = 4: those of
  // k % 8 < 4 are summed first, else the large one would cut them off.
  std::vector<uint32_t> a(64), b(64, 0x38);
  std::vector<uint8_t> present(64);
  for (unsigned k = 0; k < 64; k += 8) {
    a[k + 2] = a[k + 3] = 0x01; // 2^-9
    present[k + 2] = present[k + 3] = present[k + 4] = 1;
    b[k + 2] = b[k + 3] = 0x30; // 1/2
  }
  a[4] = b[4] = 0x78; // 256
  DotOperand left{a, &kE4M3}, right{b, &kE4M3};
  // c comes last, rounded to the nearest.
  uint32_t d = expandedFloat8Dot(left, right, floatToBits(0x1.8p-8f),
                                 AccumulatorFormat::F32, present);
  EXPECT_EQ(bitsToFloat(d), 65536.0f + 0x1p-6f + 0x1p-7f);
}

TEST(TensorCore, Negation) {
  std::vector<uint32_t> a(16, 0x3c00), b(16, 0x4000);
  FusedParameters parameters;
  PreparedOperand pa(a, 1, 16, kF16, true, PreparedOperand::Order::RowMajor);
  PreparedOperand pb(b, 1, 16, kF16, false, PreparedOperand::Order::KMajor);
  uint32_t d;
  multiplyRow(pa, 0, pb, nullptr, &d, parameters);
  EXPECT_EQ(bitsToFloat(d), -32.0f);
}

TEST(TensorCore, IntegersWrapOrClampOnce) {
  std::vector<int16_t> a(32, 127), b(32, 127);
  EXPECT_EQ(integerDot(a, b, 0x7fffffff, false), 0x7fffffffu + 32u * 127 * 127);
  EXPECT_EQ(integerDot(a, b, 0x7fffffff, true), 0x7fffffffu);
}

//===----------------------------------------------------------------------===//
// Descriptors
//===----------------------------------------------------------------------===//

TEST(Descriptor, DecodesKnownDescriptors) {
  auto buffer =
      llvm::MemoryBuffer::getFile(TIRX_TEST_DATA "/descriptor_cases.json");
  ASSERT_TRUE(bool(buffer));
  auto json = llvm::json::parse((*buffer)->getBuffer());
  ASSERT_TRUE(bool(json));
  unsigned dense = 0, shared = 0;
  for (const llvm::json::Value &value :
       *json->getAsObject()->getArray("cases")) {
    const llvm::json::Object &test = *value.getAsObject();
    const llvm::json::Object *fields = test.getObject("fields");
    if (!fields)
      continue;
    uint64_t bits;
    ASSERT_FALSE(test.getString("value")->getAsInteger(0, bits));
    auto number = [&](llvm::StringRef key) { return *fields->getInteger(key); };
    if (*test.getString("kind") == "tcgen05_idesc_dense") {
      MmaKind kind = number("a_format") == 2 ? MmaKind::TF32 : MmaKind::F16;
      auto d =
          decodeInstructionDescriptor(bits, kind, number("M") == 256 ? 2 : 1);
      ASSERT_TRUE(bool(d)) << llvm::toString(d.takeError());
      EXPECT_EQ(d->m, number("M"));
      EXPECT_EQ(d->n, number("N"));
      EXPECT_EQ(d->transposeA, number("trans_a"));
      EXPECT_EQ(d->transposeB, number("trans_b"));
      ++dense;
    } else if (*test.getString("kind") == "tcgen05_smem_desc") {
      auto d = decodeSharedDescriptor(bits);
      ASSERT_TRUE(bool(d)) << llvm::toString(d.takeError());
      EXPECT_EQ(d->leadingBytes, number("lbo_16B") * 16);
      EXPECT_EQ(d->strideBytes, number("sbo_16B") * 16);
      EXPECT_EQ(d->baseOffset, number("base_offset"));
      ++shared;
    }
  }
  EXPECT_GE(dense, 5u);
  EXPECT_GE(shared, 3u);
}

static bool legalShared(uint64_t bits) {
  auto d = decodeSharedDescriptor(bits);
  if (d)
    return true;
  llvm::consumeError(d.takeError());
  return false;
}

TEST(Descriptor, RefusesIllegalSharedDescriptors) {
  uint64_t good = 0x4000404000010000;
  EXPECT_TRUE(legalShared(good));
  EXPECT_FALSE(legalShared(good & ~(uint64_t(1) << 46))); // version 0
  for (unsigned bit : {14, 15, 30, 31, 47, 48, 52, 53, 60})
    EXPECT_FALSE(legalShared(good | uint64_t(1) << bit)) << bit;
  for (uint64_t swizzle : {3, 5, 7})
    EXPECT_FALSE(legalShared((good & ~(uint64_t(7) << 61)) | swizzle << 61));
}

static bool legalInstruction(uint32_t bits, MmaKind kind = MmaKind::F16,
                             unsigned group = 1) {
  auto d = decodeInstructionDescriptor(bits, kind, group);
  if (d)
    return true;
  llvm::consumeError(d.takeError());
  return false;
}

TEST(Descriptor, ChecksShapesAndFormats) {
  auto shape = [](unsigned m, unsigned n, unsigned extra = 0x10) {
    return extra | n / 8 << 17 | m / 16 << 24;
  };
  EXPECT_TRUE(legalInstruction(shape(128, 128)));
  EXPECT_TRUE(legalInstruction(shape(64, 8)));
  EXPECT_FALSE(legalInstruction(shape(32, 128)));
  EXPECT_FALSE(legalInstruction(shape(256, 128)));
  EXPECT_TRUE(legalInstruction(shape(256, 128), MmaKind::F16, 2));
  EXPECT_FALSE(legalInstruction(shape(128, 0)));
  EXPECT_FALSE(legalInstruction(shape(128, 264)));
  EXPECT_FALSE(legalInstruction(shape(128, 128, 0x20)));  // s32 result
  EXPECT_FALSE(legalInstruction(shape(128, 128, 0x14)));  // sparse
  EXPECT_FALSE(legalInstruction(shape(128, 128, 0x90)));  // bf16 x f16
  EXPECT_FALSE(legalInstruction(shape(128, 128, 0x480))); // bf16 -> f16
  EXPECT_TRUE(legalInstruction(shape(128, 128, 0x490)));
  // i8: N 8, 24 or a multiple of 16.
  EXPECT_TRUE(legalInstruction(shape(128, 24, 0x20), MmaKind::I8));
  EXPECT_FALSE(legalInstruction(shape(128, 40, 0x20), MmaKind::I8));
  EXPECT_FALSE(legalInstruction(shape(128, 32, 0x20 | 1 << 13), MmaKind::I8));
}

TEST(Descriptor, SwizzleIsAnInvolution) {
  for (SwizzleMode mode : {SwizzleMode::B32, SwizzleMode::B64,
                           SwizzleMode::B128, SwizzleMode::B128Atom32})
    for (uint32_t address = 0; address < 4096; address += 16) {
      uint32_t once = swizzleAddress(address, mode);
      EXPECT_EQ(swizzleAddress(once, mode), address);
      EXPECT_EQ(once / 128, address / 128);
    }
  EXPECT_EQ(swizzleAddress(0x380, SwizzleMode::B128), 0x380u ^ 0x70u);
  EXPECT_EQ(swizzleAddress(0x180, SwizzleMode::B64), 0x180u ^ 0x30u);
  EXPECT_EQ(swizzleAddress(0x080, SwizzleMode::B32), 0x080u ^ 0x10u);
  EXPECT_EQ(swizzleAddress(0x180, SwizzleMode::B128Atom32), 0x180u ^ 0x60u);
}
