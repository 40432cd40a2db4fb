//===- ConvertNarrowTest.cpp - cvt of 8, 6 and 4 bits ---------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Columns.h"
#include "llvm/ADT/APFloat.h"

using namespace tirx::sim;
using llvm::APFloat;
using llvm::APInt;

static uint32_t single(float value) { return llvm::bit_cast<uint32_t>(value); }

namespace {
struct Narrow {
  const char *name;
  const llvm::fltSemantics &semantics;
  unsigned bits;  ///< of a number
  unsigned place; ///< of a number in the register
  uint32_t greatest, nan;
};
} // namespace

static const Narrow kNarrow[] = {
    {"e4m3", APFloat::Float8E4M3FN(), 8, 8, 0x7e, 0x7f},
    {"e5m2", APFloat::Float8E5M2(), 8, 8, 0x7b, 0x7f},
    {"e3m2", APFloat::Float6E3M2FN(), 6, 8, 0x1f, 0x1f},
    {"e2m3", APFloat::Float6E2M3FN(), 6, 8, 0x1f, 0x1f},
    {"e2m1", APFloat::Float4E2M1FN(), 4, 4, 0x7, 0x7}};

/// Nearest even; beyond the range the greatest number.
static uint32_t expected(uint32_t bits, const Narrow &to, bool relu) {
  APFloat value(APFloat::IEEEsingle(), APInt(32, bits));
  if (value.isNaN())
    return to.nan;
  uint32_t sign = uint32_t(value.isNegative()) << (to.bits - 1);
  if (relu && sign)
    return 0;
  APFloat greatest(to.semantics, APInt(to.bits, to.greatest));
  bool lost;
  APFloat limit = greatest;
  limit.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven, &lost);
  value.clearSign();
  if (value > limit)
    return sign | to.greatest;
  value.convert(to.semantics, APFloat::rmNearestTiesToEven, &lost);
  return sign | uint32_t(value.bitcastToAPInt().getZExtValue());
}

static std::string toByte(const std::string &text, unsigned place) {
  if (place == 8)
    return text;
  // Two numbers of four bits are a register of eight.
  return ".reg .b8 %n; " + text;
}

TEST(ConvertNarrow, FromSinglesNearestEven) {
  std::mt19937_64 random(3);
  constexpr size_t kCount = 4096;
  for (const Narrow &to : kNarrow)
    for (bool relu : {false, true}) {
      std::vector<Column> columns(2, Column(kCount));
      for (Column &column : columns)
        for (uint64_t &value : column) {
          value = randomOperand(random, 32);
          // Most exponents of singles are far outside.
          if (random() % 4)
            value = (value & 0x807fffff) | (107 + random() % 40) << 23;
          if (random() % 4 == 0)
            value &= 0xffe00000; // ties
        }
      std::string text = "cvt.rn.satfinite" + std::string(relu ? ".relu" : "") +
                         "." + to.name + "x2.f32 " +
                         (to.place == 4 ? "%n" : "%d") + ", %s0, %s1;";
      if (to.place == 4)
        text += " cvt.u16.u8 %d, %n;";
      Column got = runColumns(toByte(text, to.place), {16, 32, 32}, columns);
      ASSERT_EQ(got.size(), kCount);
      for (size_t i = 0; i < kCount; ++i)
        ASSERT_EQ(got[i], expected(columns[0][i], to, relu) << to.place |
                              expected(columns[1][i], to, relu))
            << text << std::hex << " of " << columns[0][i] << " "
            << columns[1][i];
    }
}

TEST(ConvertNarrow, ToHalvesExactly) {
  for (const Narrow &from : kNarrow) {
    Column all;
    for (unsigned n = 0; n < 1u << (from.place * 2); ++n)
      all.push_back(n);
    std::string text = "cvt.rn.f16x2." + std::string(from.name) + "x2 %d, " +
                       (from.place == 4 ? "%n;" : "%s0;");
    if (from.place == 4)
      text = "cvt.u8.u16 %n, %s0; " + text;
    Column got = runColumns(toByte(text, from.place), {32, 16}, {all});
    auto half = [&](uint32_t bits) -> uint64_t {
      bool lost;
      APFloat value(from.semantics,
                    APInt(from.bits, bits & ((1 << from.bits) - 1)));
      if (value.isNaN())
        return 0x7fff;
      value.convert(APFloat::IEEEhalf(), APFloat::rmNearestTiesToEven, &lost);
      return value.bitcastToAPInt().getZExtValue();
    };
    for (size_t n = 0; n < got.size(); ++n)
      ASSERT_EQ(got[n], half(n >> from.place) << 16 | half(n)) << from.name;
  }
}

TEST(ConvertNarrow, Scales) {
  Column a = {single(1.0f),        single(1.5f),      single(-4.0f),
              single(0x1.8p-127f), single(0x1p-127f), single(0x1p-149f),
              single(0.0f),        0x7f800000,        0x7fc00000,
              single(0x1.8p127f)};
  Column zero(a.size(), 0);
  std::vector<unsigned> widths = {16, 32, 32};
  EXPECT_EQ(runColumns("cvt.rz.satfinite.ue8m0x2.f32 %d, %s1, %s0;", widths,
                       {a, zero}),
            (Column{127, 127, 129, 0, 0, 0, 0, 254, 255, 254}));
  EXPECT_EQ(runColumns("cvt.rp.satfinite.ue8m0x2.f32 %d, %s1, %s0;", widths,
                       {a, zero}),
            (Column{127, 128, 129, 1, 0, 0, 0, 254, 255, 254}));
  EXPECT_EQ(runColumns("cvt.rp.ue8m0x2.f32 %d, %s1, %s0;", widths, {a, zero}),
            (Column{127, 128, 129, 1, 0, 0, 0, 255, 255, 255}));
  EXPECT_EQ(runColumns("cvt.rn.bf16x2.ue8m0x2 %d, %s0;", {32, 16},
                       {{0x7f80, 0x00ff, 0x01fe}}),
            (Column{0x3f804000, 0x00407fff, 0x00807f00}));
}

TEST(ConvertNarrow, RandomBitsDecideTheLastPlace) {
  // 1 + 5/8 of a unit of f16: 13 bits fall off, random parts from 3/8 carry.
  uint32_t value = 0x3f800000 | 5u << 10;
  std::vector<unsigned> widths = {32, 32, 32, 32};
  Column bits = {0, 0x0bff, 0x0c00, 0x1fff, 0x0c00u << 16, 0xe000};
  Column a(bits.size(), value);
  EXPECT_EQ(
      runColumns("cvt.rs.f16x2.f32 %d, %s0, %s1, %s2;", widths, {a, a, bits}),
      (Column{0x3c003c00, 0x3c003c00, 0x3c003c01, 0x3c003c01, 0x3c013c00,
              0x3c003c00}));
  // What the format has stays, whatever the bits.
  Column exact(2, 0x40000000), ends = {0, 0xffffffff};
  EXPECT_EQ(runColumns("cvt.rs.bf16x2.f32 %d, %s0, %s1, %s2;", widths,
                       {exact, exact, ends}),
            (Column{0x40004000, 0x40004000}));
  // Four numbers, the first at the top; beyond the range the greatest one.
  EXPECT_EQ(runColumns("cvt.rs.satfinite.e4m3x4.f32 %d, {%s0, %s1, %s0, %s1}, "
                       "%s2;",
                       widths,
                       {{single(1.0625f), single(1e6f)},
                        {single(-2.0f), 0x7fc00000},
                        {0x80007fff, 0}}),
            (Column{0x39c038c0, 0x7e7f7e7f}));
}

TEST(ConvertNarrow, BytesAndBfloat) {
  // 1.5, -2.5, 300, -300, NaN, 127.5, -0.25
  Column values = {0x3fc0, 0xc020, 0x4396, 0xc396, 0x7fc0, 0x42ff, 0xbe80};
  auto to = [&](const std::string &text) {
    return runColumns(".reg .b8 %b; cvt." + text +
                          ".bf16 %b, %s0; mov.b16 %d, {%b, 0};",
                      {16, 16}, {values});
  };
  EXPECT_EQ(to("rni.s8"), (Column{2, 0xfe, 127, 0x80, 0, 127, 0}));
  EXPECT_EQ(to("rzi.u8"), (Column{1, 0, 255, 0, 0, 127, 0}));
  auto from = [&](const std::string &type, uint64_t value) {
    return runColumns(".reg .b8 %b; cvt.u8.u16 %b, %s0; cvt.rz.bf16." + type +
                          " %d, %b;",
                      {16, 16}, {{value}})
        .front();
  };
  EXPECT_EQ(from("u8", 255), 0x437fu);
  EXPECT_EQ(from("s8", 0x80), 0xc300u);
}
