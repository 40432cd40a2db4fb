//===- FloatTest.cpp - arithmetic against an independent one --------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// llvm::APFloat computes what the simulator must: every operation, format,
// rounding, .ftz, .sat and .relu on random and corner bits. The rules of
// docs/numerics.md are applied on top.
//
//===----------------------------------------------------------------------===//

#include "Columns.h"
#include "llvm/ADT/APFloat.h"

using namespace tirx::sim;
using llvm::APFloat;
using llvm::APInt;
using llvm::RoundingMode;

namespace {

struct Format {
  const char *name;
  const llvm::fltSemantics &semantics;
  unsigned bits;
  int minExponent;
  uint64_t nan;
};

struct Form {
  std::string op, rounding;
  bool flush = false, saturate = false, relu = false;

  std::string text(const Format &format) const {
    return op + (rounding.empty() ? "" : "." + rounding) +
           (flush ? ".ftz" : "") + (saturate ? ".sat" : "") +
           (relu ? ".relu" : "") + "." + format.name;
  }
  unsigned sources() const {
    return op == "fma" ? 3 : op == "sqrt" || op == "rcp" ? 1 : 2;
  }
  RoundingMode mode() const {
    return rounding == "rz"   ? RoundingMode::TowardZero
           : rounding == "rm" ? RoundingMode::TowardNegative
           : rounding == "rp" ? RoundingMode::TowardPositive
                              : RoundingMode::NearestTiesToEven;
  }
};

} // namespace

static const Format kFormats[] = {
    {"f16", APFloat::IEEEhalf(), 16, -14, 0x7fff},
    {"bf16", APFloat::BFloat(), 16, -126, 0x7fff},
    {"f32", APFloat::IEEEsingle(), 32, -126, 0x7fffffff},
    {"f64", APFloat::IEEEdouble(), 64, -1022, 0}};

static APFloat apply(const Form &form, APFloat a, const APFloat &b,
                     const APFloat &c) {
  if (form.op == "add")
    a.add(b, form.mode());
  else if (form.op == "sub")
    a.subtract(b, form.mode());
  else if (form.op == "mul")
    a.multiply(b, form.mode());
  else if (form.op == "div")
    a.divide(b, form.mode());
  else if (form.op == "fma")
    a.fusedMultiplyAdd(b, c, form.mode());
  return a;
}

static APFloat flushed(APFloat value) {
  return value.isDenormal()
             ? APFloat::getZero(value.getSemantics(), value.isNegative())
             : value;
}

/// Whether the result, rounded as if exponents had no lower end, is below the
/// normal numbers: the operands are scaled so that it stays in range.
static bool isTiny(const Form &form, const Format &format, APFloat a, APFloat b,
                   APFloat c, const APFloat &result) {
  auto mode = RoundingMode::NearestTiesToEven;
  if (!result.isFinite() || llvm::ilogb(result) > format.minExponent + 1)
    return false;
  const int kScale = format.bits == 16 && format.minExponent == -14 ? 12 : 60;
  // Of a product one factor is scaled, the smaller one, of a quotient the
  // divisor if it is large.
  if (form.op == "div") {
    if (llvm::ilogb(a) < 0)
      a = scalbn(a, kScale, mode);
    else
      b = scalbn(b, -kScale, mode);
  } else if (form.op == "mul" || form.op == "fma") {
    APFloat &smaller = llvm::ilogb(a) < llvm::ilogb(b) ? a : b;
    smaller = scalbn(smaller, kScale, mode);
    c = scalbn(c, kScale, mode);
  } else {
    a = scalbn(a, kScale, mode);
    b = scalbn(b, kScale, mode);
  }
  APFloat scaled = apply(form, a, b, c);
  if (!scaled.isFinite()) // great terms cancel, exactly
    return result.isDenormal();
  return scaled.isFiniteNonZero() &&
         llvm::ilogb(scaled) < format.minExponent + kScale;
}

static uint64_t expected(const Form &form, const Format &format,
                         llvm::ArrayRef<uint64_t> bits) {
  auto load = [&](unsigned n) {
    uint64_t word = n < bits.size() ? bits[n] : 0;
    APFloat value(format.semantics, APInt(format.bits, word));
    return form.flush ? flushed(value) : value;
  };
  APFloat a = load(0), b = load(1), c = load(2);
  APFloat result = apply(form, a, b, c);
  if (form.flush && isTiny(form, format, a, b, c, result))
    result = APFloat::getZero(format.semantics, result.isNegative());
  APFloat zero = APFloat::getZero(format.semantics);
  APFloat one = APFloat::getOne(format.semantics);
  if (form.saturate)
    result = result.isNaN() || result.isNegative() || result.isZero() ? zero
             : result > one                                           ? one
                                                                      : result;
  if (form.relu && !result.isNaN() && (result.isNegative() || result.isZero()))
    result = zero;
  if (result.isNaN())
    return format.nan;
  return result.bitcastToAPInt().getZExtValue();
}

/// Near the edges of the format as often as anywhere else.
static uint64_t randomFloat(std::mt19937_64 &random, const Format &format) {
  uint64_t value = randomOperand(random, format.bits);
  unsigned fraction = APFloat::semanticsPrecision(format.semantics) - 1;
  unsigned exponentBits = format.bits - 1 - fraction;
  uint64_t ones = (uint64_t(1) << exponentBits) - 1, exponent;
  switch (random() % 6) {
  case 0:
    exponent = random() % 3;
    break;
  case 1:
    exponent = ones - random() % 3;
    break;
  case 2: // products and quotients at the lower end
    exponent = ones / 4 + random() % 4;
    break;
  case 3:
    exponent = ones / 2 + random() % 8 - 4;
    break;
  default:
    return value;
  }
  return (value & ~(ones << fraction)) | exponent << fraction;
}

static void check(const Form &form, const Format &format) {
  constexpr size_t kCount = 4096;
  std::mt19937_64 random(std::hash<std::string>()(form.text(format)));
  std::vector<Column> columns(form.sources(), Column(kCount));
  std::vector<unsigned> widths = {format.bits};
  std::string text = form.text(format) + " %d";
  for (unsigned n = 0; n < form.sources(); ++n) {
    for (uint64_t &value : columns[n])
      value = randomFloat(random, format);
    widths.push_back(format.bits);
    text += ", %s" + std::to_string(n);
  }
  Column results = runColumns(text + ";", widths, columns);
  ASSERT_EQ(results.size(), kCount) << text;
  for (size_t i = 0; i < kCount; ++i) {
    llvm::SmallVector<uint64_t, 3> row;
    for (const Column &column : columns)
      row.push_back(column[i]);
    uint64_t want = expected(form, format, row);
    if (!want && format.bits == 64 && // a NaN, whose payload is another test's
        std::isnan(llvm::bit_cast<double>(results[i])))
      continue;
    ASSERT_EQ(results[i], want)
        << form.text(format) << std::hex << " of " << row[0] << " "
        << (row.size() > 1 ? row[1] : 0) << " "
        << (row.size() > 2 ? row[2] : 0);
  }
}

TEST(Float, AgreesWithAnIndependentArithmetic) {
  for (const Format &format : kFormats) {
    bool isWide = format.bits >= 32, isSingle = format.bits == 32;
    bool isHalf = llvm::StringRef(format.name) == "f16";
    for (const char *op : {"add", "sub", "mul", "fma", "div"})
      for (const char *rounding : {"rn", "rz", "rm", "rp"}) {
        bool isDivision = llvm::StringRef(op) == "div";
        if (!isWide && (isDivision || llvm::StringRef(rounding) != "rn"))
          continue;
        check({op, rounding}, format);
        if (isSingle)
          check({op, rounding, true}, format);
        if (isSingle && !isDivision) {
          check({op, rounding, false, true}, format);
          check({op, rounding, true, true}, format);
        }
        if (isHalf) {
          check({op, rounding, false, true}, format);
          check({op, rounding, true}, format);
        }
        if (!isWide && llvm::StringRef(op) == "fma")
          check({op, rounding, false, false, true}, format);
      }
  }
}

//===----------------------------------------------------------------------===//
// Forms that others are made of
//===----------------------------------------------------------------------===//

TEST(Float, MixedPrecisionWidensExactly) {
  std::mt19937_64 random(1);
  Column a = randomColumn(random, 16, 2048), b = randomColumn(random, 16, 2048),
         c = randomColumn(random, 32, 2048);
  for (std::string type : {"f16", "bf16"})
    for (std::string rest : {".rn", ".rz", ".rm.sat", ".rp"}) {
      std::string widen = "cvt.f32." + type;
      EXPECT_EQ(
          runColumns("add" + rest + ".f32." + type + " %d, %s0, %s1;",
                     {32, 16, 32}, {a, c}),
          runColumns(widen + " %f0, %s0; add" + rest + ".f32 %d, %f0, %s1;",
                     {32, 16, 32}, {a, c}));
      EXPECT_EQ(
          runColumns("sub" + rest + ".f32." + type + " %d, %s0, %s1;",
                     {32, 16, 32}, {a, c}),
          runColumns(widen + " %f0, %s0; sub" + rest + ".f32 %d, %f0, %s1;",
                     {32, 16, 32}, {a, c}));
      EXPECT_EQ(
          runColumns("fma" + rest + ".f32." + type + " %d, %s0, %s1, %s2;",
                     {32, 16, 16, 32}, {a, b, c}),
          runColumns(widen + " %f0, %s0; " + widen + " %f1, %s1; fma" + rest +
                         ".f32 %d, %f0, %f1, %s2;",
                     {32, 16, 16, 32}, {a, b, c}));
    }
}

TEST(Float, PairsOfSinglesAreTwoSingles) {
  std::mt19937_64 random(2);
  Column a = randomColumn(random, 64, 2048), b = randomColumn(random, 64, 2048),
         c = randomColumn(random, 64, 2048);
  for (std::string form : {".rn", ".rz", ".rm", ".rp.ftz"}) {
    std::string halves = "mov.b64 {%f0, %f1}, %s0; mov.b64 {%f2, %f3}, %s1; "
                         "mov.b64 {%f4, %f5}, %s2; ";
    std::string op = "fma" + form + ".f32";
    EXPECT_EQ(
        runColumns(op + "x2 %d, %s0, %s1, %s2;", {64, 64, 64, 64}, {a, b, c}),
        runColumns(halves + op + " %f6, %f0, %f2, %f4; " + op +
                       " %f7, %f1, %f3, %f5; mov.b64 %d, {%f6, %f7};",
                   {64, 64, 64, 64}, {a, b, c}));
  }
}

TEST(Float, MinimumOfThree) {
  const uint64_t one = 0x3f800000, two = 0x40000000, minusThree = 0xc0400000,
                 nan = 0x7fc00001, zero = 0, minusZero = 0x80000000,
                 canonical = 0x7fffffff;
  std::vector<Column> rows = {{one, two, nan, zero, nan},
                              {two, nan, nan, minusZero, nan},
                              {minusThree, one, two, zero, nan}};
  std::vector<unsigned> widths = {32, 32, 32, 32};
  EXPECT_EQ(runColumns("min.f32 %d, %s0, %s1, %s2;", widths, rows),
            (Column{minusThree, one, two, minusZero, canonical}));
  EXPECT_EQ(runColumns("max.f32 %d, %s0, %s1, %s2;", widths, rows),
            (Column{two, two, two, zero, canonical}));
  EXPECT_EQ(runColumns("min.NaN.f32 %d, %s0, %s1, %s2;", widths, rows),
            (Column{minusThree, canonical, canonical, minusZero, canonical}));
  EXPECT_EQ(runColumns("max.abs.f32 %d, %s0, %s1, %s2;", widths, rows),
            (Column{0x40400000, two, two, zero, canonical}));
}

TEST(Float, OutOfBoundsNaNGivesZero) {
  // f16: 2 * 3 + 1, the fill value in each place, another NaN.
  std::vector<Column> rows = {{0x4000, 0x7ff7, 0x4000, 0x4000, 0x7ff6},
                              {0x4200, 0x4200, 0x7ff7, 0x4200, 0x4200},
                              {0x3c00, 0x3c00, 0x3c00, 0x7ff7, 0x3c00}};
  EXPECT_EQ(
      runColumns("fma.rn.oob.f16 %d, %s0, %s1, %s2;", {16, 16, 16, 16}, rows),
      (Column{0x4700, 0, 0, 0, 0x7fff}));
}

TEST(Float, DoubleNaNsKeepAPayload) {
  Column nan = {0x7ff0000000000001, 0xfff8000000000005},
         number = {0x3ff0000000000000, 0x4000000000000000};
  EXPECT_EQ(runColumns("add.rn.f64 %d, %s0, %s1;", {64, 64, 64}, {nan, number}),
            (Column{0x7ff8000000000001, 0xfff8000000000005}));
  EXPECT_EQ(runColumns("mul.rn.f64 %d, %s0, %s1;", {64, 64, 64}, {number, nan}),
            (Column{0x7ff8000000000001, 0xfff8000000000005}));
}

TEST(Float, FlushLooksAtTheRoundedResult) {
  // 2^-126 less a trifle: rounded up it is normal, rounded down it is not; the
  // same with the other sign.
  Column a = {0x90b4ad25, 0x10b4ad25}, b = {0x203e3dec, 0x203e3dec},
         c = {0x00800000, 0x80800000};
  std::vector<unsigned> widths = {32, 32, 32, 32};
  EXPECT_EQ(runColumns("fma.rp.ftz.f32 %d, %s0, %s1, %s2;", widths, {a, b, c}),
            (Column{0x00800000, 0x80000000}));
  EXPECT_EQ(runColumns("fma.rm.ftz.f32 %d, %s0, %s1, %s2;", widths, {a, b, c}),
            (Column{0x00000000, 0x80800000}));
  EXPECT_EQ(runColumns("fma.rn.ftz.f32 %d, %s0, %s1, %s2;", widths, {a, b, c}),
            (Column{0x00800000, 0x80800000}));
}
