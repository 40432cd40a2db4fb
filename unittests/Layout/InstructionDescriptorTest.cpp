//===- InstructionDescriptorTest.cpp --------------------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TIRx/Layout/Descriptors.h"
#include "Testing.h"

using namespace tirx;
using namespace tirx::testing;

static InstructionDescriptor make(MmaType type, MmaType d, int64_t m,
                                  int64_t n) {
  InstructionDescriptor desc;
  desc.kind = *getMmaKind(type, type);
  desc.a = desc.b = type;
  desc.d = d;
  desc.m = m;
  desc.n = n;
  return desc;
}

static bool isLegal(const InstructionDescriptor &desc, int ctaGroup) {
  std::string message = messageOf(verify(desc, ctaGroup));
  EXPECT_TRUE(message.empty() || isReason(message)) << message;
  return message.empty();
}

/// PTX ISA 9.7.16.2.1, table 39, written as the table is.
static bool isInTable(MmaType type, int64_t m, int64_t n, int ctaGroup) {
  bool rows = ctaGroup == 1 ? m == 64 || m == 128 : m == 128 || m == 256;
  if (!rows || n > 256)
    return false;
  bool i8 = type == MmaType::U8 || type == MmaType::S8;
  if (!i8)
    return ctaGroup == 1 ? n >= 8 && n % 8 == 0 : n >= 16 && n % 16 == 0;
  if (ctaGroup == 1)
    return n == 8 || n == 24 || (n >= 16 && n % 16 == 0);
  return n >= 32 && n % 32 == 0;
}

TEST(Instruction, ShapesAreThoseOfTheTable) {
  for (MmaType type : {MmaType::F16, MmaType::BF16, MmaType::TF32,
                       MmaType::E4M3, MmaType::E2M1, MmaType::S8})
    for (int64_t m : {0, 16, 32, 64, 96, 128, 192, 256, 512})
      for (int64_t n = 0; n <= 272; n += 4)
        for (int ctaGroup : {1, 2}) {
          MmaType d = type == MmaType::S8 ? MmaType::S32 : MmaType::F32;
          EXPECT_EQ(isLegal(make(type, d, m, n), ctaGroup),
                    isInTable(type, m, n, ctaGroup))
              << getName(type).str() << " " << m << "x" << n << " cta_group "
              << ctaGroup;
        }
  EXPECT_FALSE(isLegal(make(MmaType::F16, MmaType::F32, 128, 128), 3));
  EXPECT_FALSE(isLegal(make(MmaType::F16, MmaType::F32, -128, -128), 1));
}

TEST(Instruction, Types) {
  auto legal = [](MmaType a, MmaType b, MmaType d, MmaKind kind) {
    InstructionDescriptor desc;
    desc.kind = kind;
    desc.a = a;
    desc.b = b;
    desc.d = d;
    return isLegal(desc, 1);
  };
  using T = MmaType;
  EXPECT_TRUE(legal(T::F16, T::F16, T::F16, MmaKind::F16));
  EXPECT_TRUE(legal(T::BF16, T::BF16, T::F32, MmaKind::F16));
  EXPECT_FALSE(legal(T::BF16, T::BF16, T::F16, MmaKind::F16));
  EXPECT_FALSE(legal(T::F16, T::BF16, T::F32, MmaKind::F16));
  EXPECT_FALSE(legal(T::F16, T::F16, T::F32, MmaKind::F8F6F4));
  EXPECT_TRUE(legal(T::E4M3, T::E2M1, T::F32, MmaKind::F8F6F4));
  EXPECT_TRUE(legal(T::E4M3, T::E5M2, T::F16, MmaKind::F8F6F4));
  EXPECT_FALSE(legal(T::TF32, T::TF32, T::F16, MmaKind::TF32));
  EXPECT_TRUE(legal(T::U8, T::S8, T::S32, MmaKind::I8));
  EXPECT_FALSE(legal(T::U8, T::S8, T::F32, MmaKind::I8));
  EXPECT_FALSE(legal(T::F32, T::F32, T::F32, MmaKind::TF32));
  EXPECT_EQ(getMmaKind(T::F16, T::F16), MmaKind::F16);
  EXPECT_EQ(getMmaKind(T::E4M3, T::E2M1), MmaKind::F8F6F4);
  EXPECT_EQ(getMmaKind(T::U8, T::S8), MmaKind::I8);
  EXPECT_EQ(getMmaKind(T::F16, T::BF16), std::nullopt);
  EXPECT_EQ(getMmaKind(T::F16, T::E4M3), std::nullopt);
  EXPECT_EQ(getMmaKind(T::F32, T::F32), std::nullopt);
  EXPECT_EQ(getStepK(MmaKind::F16), 16);
  EXPECT_EQ(getStepK(MmaKind::TF32), 8);
  EXPECT_EQ(getStepK(MmaKind::F8F6F4), 32);
  EXPECT_EQ(getStepK(MmaKind::I8), 32);
}

TEST(Instruction, Flags) {
  InstructionDescriptor desc = make(MmaType::S8, MmaType::S32, 128, 128);
  desc.saturate = true;
  EXPECT_TRUE(isLegal(desc, 1));
  desc.negateB = true;
  EXPECT_FALSE(isLegal(desc, 1));
  desc = make(MmaType::F16, MmaType::F32, 128, 128);
  desc.negateB = true;
  EXPECT_TRUE(isLegal(desc, 1));
  desc.saturate = true;
  EXPECT_FALSE(isLegal(desc, 1));
  desc = make(MmaType::E2M1, MmaType::F32, 128, 128);
  desc.bMajor = Major::MN;
  EXPECT_FALSE(isLegal(desc, 1));
  // An 8-bit B along N is read in runs of 16.
  desc = make(MmaType::E4M3, MmaType::F32, 128, 24);
  EXPECT_TRUE(isLegal(desc, 1));
  desc.bMajor = Major::MN;
  EXPECT_FALSE(isLegal(desc, 1));
  desc.n = 32;
  EXPECT_TRUE(isLegal(desc, 1));
  desc = make(MmaType::F16, MmaType::F32, 128, 128);
  desc.maxShift = 1;
  EXPECT_FALSE(isLegal(desc, 1));
  desc.maxShift = 0;
  desc.sparsityId = 1;
  EXPECT_FALSE(isLegal(desc, 1));
}

TEST(Instruction, BitsRoundTrip) {
  EXPECT_EQ(llvm::cantFail(encode(make(MmaType::F16, MmaType::F32, 128, 128))),
            0x08200010u);
  Random random(41);
  int decoded = 0;
  for (int i = 0; i < 200000; ++i) {
    uint32_t bits = random();
    // Most noise has a reserved bit set.
    bits &= ~(1u << 6 | 1u << 23 | 1u << 29);
    static constexpr MmaKind kinds[] = {MmaKind::F16, MmaKind::TF32,
                                        MmaKind::F8F6F4, MmaKind::I8};
    MmaKind kind = choose(random, kinds);
    auto desc = decodeInstructionDescriptor(bits, kind);
    if (!desc) {
      ASSERT_TRUE(isReason(llvm::toString(desc.takeError())));
      continue;
    }
    auto again = encode(*desc);
    if (!again) { // M or N of 0, or above 256
      ASSERT_TRUE(isReason(llvm::toString(again.takeError())));
      continue;
    }
    ++decoded;
    ASSERT_EQ(*again, bits);
    ASSERT_TRUE(llvm::cantFail(decodeInstructionDescriptor(*again, kind)) ==
                *desc);
  }
  EXPECT_GT(decoded, 1000);
  EXPECT_TRUE(
      isReason(messageOf(decodeInstructionDescriptor(1u << 23, MmaKind::F16))));
}
