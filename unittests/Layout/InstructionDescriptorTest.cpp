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

//===----------------------------------------------------------------------===//
// .ws and sparse
//===----------------------------------------------------------------------===//

TEST(Instruction, WsShapes) {
  for (MmaType type : {MmaType::F16, MmaType::TF32, MmaType::E5M2, MmaType::U8})
    for (bool sparse : {false, true})
      for (int64_t m : {-32, 0, 16, 32, 48, 64, 96, 128, 256})
        for (int64_t n = 0; n <= 320; n += 8) {
          InstructionDescriptor desc = make(
              type, type == MmaType::U8 ? MmaType::S32 : MmaType::F32, m, n);
          desc.sparse = sparse;
          desc.maxShift = n / 8 % 4;
          std::string message = messageOf(verifyWs(desc));
          bool legal = (m == 32 || m == 64 || m == 128) &&
                       (n == 64 || n == 128 || (n == 256 && !sparse));
          EXPECT_EQ(message.empty(), legal) << m << "x" << n << message;
          EXPECT_TRUE(legal || isReason(message)) << message;
        }
  InstructionDescriptor desc = make(MmaType::F16, MmaType::F32, 128, 128);
  desc.maxShift = 4;
  EXPECT_EQ(messageOf(verifyWs(desc)),
            "expected a maximum shift from 0 to 3, got code 4");
  desc.maxShift = 3;
  EXPECT_EQ(messageOf(verifyWs(desc)), "");
  EXPECT_EQ(llvm::cantFail(encode(desc)) >> 30, 3u);
}

TEST(Instruction, SparsityIds) {
  for (MmaType type :
       {MmaType::F16, MmaType::BF16, MmaType::TF32, MmaType::E4M3, MmaType::S8})
    for (int id = 0; id < 4; ++id)
      for (bool sparse : {false, true}) {
        InstructionDescriptor desc = make(
            type, type == MmaType::S8 ? MmaType::S32 : MmaType::F32, 128, 128);
        desc.sparse = sparse;
        desc.sparsityId = id;
        bool selects = sparse && type != MmaType::E4M3 && type != MmaType::S8;
        EXPECT_EQ(isLegal(desc, 1), id == 0 || selects);
        EXPECT_EQ(llvm::cantFail(encode(desc)) & 7,
                  unsigned(id) | unsigned(sparse) << 2);
      }
}

//===----------------------------------------------------------------------===//
// Block-scaled
//===----------------------------------------------------------------------===//

static ScaledInstructionDescriptor randomScaled(Random &random) {
  static constexpr MmaType types[] = {
      MmaType::E4M3, MmaType::E5M2, MmaType::E2M3, MmaType::E3M2,
      MmaType::E2M1, MmaType::E2M1, MmaType::F16};
  static constexpr int64_t ms[] = {64, 128, 128, 256};
  ScaledInstructionDescriptor desc;
  desc.kind = ScaledKind(pick(random, 0, 2));
  desc.m = choose(random, ms);
  desc.n = pick(random, 0, 33) * 8 + (pick(random, 0, 9) ? 0 : 4);
  desc.a = choose(random, types);
  desc.b = choose(random, types);
  desc.aMajor = Major(pick(random, 0, 3) == 0);
  desc.bMajor = Major(pick(random, 0, 3) == 0);
  desc.negateA = pick(random, 0, 1);
  desc.negateB = pick(random, 0, 1);
  desc.sparse = pick(random, 0, 2) == 0;
  desc.scale = ScaleType(pick(random, 0, 2) != 0);
  desc.scaleIdA = pick(random, 0, 2) * pick(random, 0, 2);
  desc.scaleIdB = pick(random, 0, 2) * pick(random, 0, 1);
  desc.k96 = pick(random, 0, 4) == 0;
  return desc;
}

/// The tables of the PTX ISA, written as conditions on names.
static bool isLegalScaled(const ScaledInstructionDescriptor &desc, int ctaGroup,
                          int64_t scaleVector) {
  std::string kind = getName(desc.kind).str(),
              scale = getName(desc.scale).str();
  std::string combination = kind + " " + std::to_string(scaleVector) + scale;
  static const std::set<std::string> combinations = {
      "mxf8f6f4 1ue8m0", "mxf4 2ue8m0", "mxf4nvf4 2ue8m0", "mxf4nvf4 4ue8m0",
      "mxf4nvf4 4ue4m3"};
  if (!combinations.count(combination))
    return false;
  static const std::map<int64_t, std::set<int>> ids = {
      {1, {0, 1, 2, 3}}, {2, {0, 2}}, {4, {0}}};
  if (!ids.at(scaleVector).count(desc.scaleIdA) ||
      !ids.at(scaleVector).count(desc.scaleIdB))
    return false;
  for (auto [type, major] :
       {std::pair(desc.a, desc.aMajor), std::pair(desc.b, desc.bMajor)}) {
    std::string name = getName(type).str();
    if (name == "f16" || (kind != "mxf8f6f4" && name != "e2m1"))
      return false;
    if (major == Major::MN && name != "e4m3" && name != "e5m2")
      return false;
  }
  if (desc.k96 && (kind == "mxf8f6f4" || desc.sparse))
    return false;
  if (ctaGroup == 1 ? desc.m != 128
                    : desc.m != 256 && (desc.m != 128 || desc.sparse))
    return false;
  int64_t step = 8 * ctaGroup * (desc.bMajor == Major::MN ? 2 : 1);
  return desc.n > 0 && desc.n <= 256 && desc.n % step == 0;
}

TEST(ScaledInstruction, Rules) {
  Random random(61);
  int legal = 0;
  for (int i = 0; i < 200000; ++i) {
    ScaledInstructionDescriptor desc = randomScaled(random);
    static constexpr int64_t vectors[] = {1, 2, 4, 3};
    int64_t scaleVector = choose(random, vectors);
    int ctaGroup = pick(random, 1, 2);
    std::string message = messageOf(verify(desc, ctaGroup, scaleVector));
    ASSERT_TRUE(message.empty() || isReason(message)) << message;
    ASSERT_EQ(message.empty(), isLegalScaled(desc, ctaGroup, scaleVector))
        << message << " " << getName(desc.kind).str() << " " << desc.m << "x"
        << desc.n;
    legal += message.empty();
  }
  EXPECT_GT(legal, 200);
}

TEST(ScaledInstruction, BitsRoundTrip) {
  Random random(62);
  int encoded = 0;
  for (int i = 0; i < 100000; ++i) {
    ScaledInstructionDescriptor desc = randomScaled(random);
    auto bits = encode(desc);
    if (!bits) {
      ASSERT_TRUE(isReason(llvm::toString(bits.takeError())));
      EXPECT_FALSE(isLegalScaled(desc, 1, 1) || isLegalScaled(desc, 2, 4));
      continue;
    }
    ++encoded;
    ASSERT_TRUE(llvm::cantFail(decodeInstructionDescriptor(*bits, desc.kind)) ==
                desc);
  }
  EXPECT_GT(encoded, 1000);
  int decoded = 0;
  for (int i = 0; i < 300000; ++i) {
    uint32_t bits = uint32_t(random()) & ~0x0700004bu;
    auto kind = ScaledKind(pick(random, 0, 2));
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
  }
  EXPECT_GT(decoded, 1000);
  for (unsigned bit : {0, 1, 3, 6, 24, 25, 26, 31})
    EXPECT_TRUE(isReason(messageOf(
        decodeInstructionDescriptor(1u << bit, ScaledKind::MXF8F6F4))));
}

TEST(ScaledInstruction, KnownNumbers) {
  ScaledInstructionDescriptor desc;
  EXPECT_EQ(llvm::cantFail(encode(desc)), 0x08a00000u);
  EXPECT_EQ(getStepK(desc), 32);
  desc.kind = ScaledKind::MXF4NVF4;
  desc.a = desc.b = MmaType::E2M1;
  desc.scale = ScaleType::UE4M3;
  desc.m = 256;
  desc.n = 64;
  EXPECT_EQ(llvm::cantFail(encode(desc)), 0x10100480u);
  EXPECT_EQ(getStepK(desc), 64);
  desc.k96 = true;
  EXPECT_EQ(llvm::cantFail(encode(desc)), 0x90100480u);
  EXPECT_EQ(getStepK(desc), 96);
  desc.k96 = false;
  desc.sparse = true;
  EXPECT_EQ(getStepK(desc), 128);
  EXPECT_EQ(messageOf(verify(desc, 2, 1)),
            "expected scale_vec::2X or 4X for kind::mxf4nvf4, got 1X");
  desc.scaleIdB = 2;
  EXPECT_EQ(messageOf(verify(desc, 2, 4)),
            "expected a scale factor id of B of 0 for scale_vec::4X, got 2");
}
