//===- Compare.cpp - comparison and selection -----------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"
#include "Exec.h"
#include "TIRx/Simulator/FloatFormat.h"
#include "llvm/ADT/StringSwitch.h"

using namespace tirx::sim;

TIRX_SIMD_BEGIN

namespace {
enum class Cmp : uint8_t {
  Eq,
  Ne,
  Lt,
  Le,
  Gt,
  Ge,
  Equ,
  Neu,
  Ltu,
  Leu,
  Gtu,
  Geu,
  Num,
  Nan,
};
enum class Combine : uint8_t { None, And, Or, Xor };
} // namespace

static std::optional<Cmp> parseCmp(llvm::StringRef text) {
  return llvm::StringSwitch<std::optional<Cmp>>(text)
      .Case("eq", Cmp::Eq)
      .Case("ne", Cmp::Ne)
      .Cases({"lt", "lo"}, Cmp::Lt)
      .Cases({"le", "ls"}, Cmp::Le)
      .Cases({"gt", "hi"}, Cmp::Gt)
      .Cases({"ge", "hs"}, Cmp::Ge)
      .Case("equ", Cmp::Equ)
      .Case("neu", Cmp::Neu)
      .Case("ltu", Cmp::Ltu)
      .Case("leu", Cmp::Leu)
      .Case("gtu", Cmp::Gtu)
      .Case("geu", Cmp::Geu)
      .Case("num", Cmp::Num)
      .Case("nan", Cmp::Nan)
      .Default(std::nullopt);
}

template <class T> static bool compare(Cmp cmp, T a, T b) {
  // NaN. NOLINTNEXTLINE(misc-redundant-expression)
  bool unordered = a != a || b != b;
  switch (cmp) {
  case Cmp::Eq:
    return a == b;
  case Cmp::Ne:
    return !unordered && a != b;
  case Cmp::Lt:
    return a < b;
  case Cmp::Le:
    return a <= b;
  case Cmp::Gt:
    return a > b;
  case Cmp::Ge:
    return a >= b;
  case Cmp::Equ:
    return unordered || a == b;
  case Cmp::Neu:
    return unordered || a != b;
  case Cmp::Ltu:
    return unordered || a < b;
  case Cmp::Leu:
    return unordered || a <= b;
  case Cmp::Gtu:
    return unordered || a > b;
  case Cmp::Geu:
    return unordered || a >= b;
  case Cmp::Num:
    return !unordered;
  case Cmp::Nan:
    return unordered;
  }
  return false;
}

template <class T>
static uint32_t compareLanes(Warp &w, const Inst &i, uint32_t mask, Slot x,
                             Slot y) {
  auto *a = w.at<typename Reg<T>::Storage>(x);
  auto *b = w.at<typename Reg<T>::Storage>(y);
  uint32_t result = 0;
  auto run = [&](auto test) {
    for (unsigned l = 0; l < 32; ++l)
      result |= uint32_t(test(Reg<T>::get(a[l]), Reg<T>::get(b[l]))) << l;
  };
  // The integer comparisons that loops are made of, without a switch per lane.
  switch (Cmp(i.a)) {
  case Cmp::Eq:
    run([](T p, T q) { return p == q; });
    break;
  case Cmp::Lt:
    run([](T p, T q) { return p < q; });
    break;
  case Cmp::Gt:
    run([](T p, T q) { return p > q; });
    break;
  default:
    run([&](T p, T q) { return compare<T>(Cmp(i.a), p, q); });
  }
  return result & mask;
}

static double half(uint32_t bits, const FloatFormat &format, bool flush) {
  double value = decodeFloat(bits & 0xffff, format);
  bool subnormal = std::fabs(value) < std::ldexp(1.0, format.minExponent);
  return flush && subnormal ? 0 : value;
}

static uint32_t compareHalf(Warp &w, const Inst &i, uint32_t mask, Slot x,
                            Slot y, const FloatFormat &format) {
  auto *a = w.at<uint32_t>(x), *b = w.at<uint32_t>(y);
  uint32_t result = 0;
  forLanes(mask, [&](unsigned l) {
    result |= uint32_t(compare<double>(Cmp(i.a), half(a[l], format, i.c),
                                       half(b[l], format, i.c)))
              << l;
  });
  return result;
}

static uint32_t compareFlushed(Warp &w, const Inst &i, uint32_t mask, Slot x,
                               Slot y) {
  auto *a = w.at<uint32_t>(x), *b = w.at<uint32_t>(y);
  auto flush = [](uint32_t bits) {
    return bitsToFloat(bits & 0x7f800000 ? bits : bits & 0x80000000);
  };
  uint32_t result = 0;
  forLanes(mask, [&](unsigned l) {
    result |= uint32_t(compare<float>(Cmp(i.a), flush(a[l]), flush(b[l]))) << l;
  });
  return result;
}

/// One bit a lane: the comparison of operands `x` and `y`.
static uint32_t compareAll(Warp &w, const Inst &i, uint32_t mask, Slot x,
                           Slot y) {
  switch (Type(i.d)) {
  case Type::B16:
  case Type::U16:
    return compareLanes<uint16_t>(w, i, mask, x, y);
  case Type::S16:
    return compareLanes<int16_t>(w, i, mask, x, y);
  case Type::B32:
  case Type::U32:
    return compareLanes<uint32_t>(w, i, mask, x, y);
  case Type::S32:
    return compareLanes<int32_t>(w, i, mask, x, y);
  case Type::B64:
  case Type::U64:
    return compareLanes<uint64_t>(w, i, mask, x, y);
  case Type::S64:
    return compareLanes<int64_t>(w, i, mask, x, y);
  case Type::F32:
    return i.c ? compareFlushed(w, i, mask, x, y)
               : compareLanes<float>(w, i, mask, x, y);
  case Type::F64:
    return compareLanes<double>(w, i, mask, x, y);
  case Type::F16:
    return compareHalf(w, i, mask, x, y, kF16);
  case Type::BF16:
    return compareHalf(w, i, mask, x, y, kBF16);
  default:
    return 0;
  }
}

/// The comparison of the lower (`high` = false) or upper halves of two words,
/// each f16 or bf16.
static uint32_t comparePacked(Warp &w, const Inst &i, uint32_t mask,
                              bool high) {
  const FloatFormat &format = Type(i.d) == Type::F16x2 ? kF16 : kBF16;
  auto *a = w.at<uint32_t>(i.op[2]), *b = w.at<uint32_t>(i.op[3]);
  unsigned shift = high ? 16 : 0;
  uint32_t result = 0;
  forLanes(mask, [&](unsigned l) {
    result |=
        uint32_t(compare<double>(Cmp(i.a), half(a[l] >> shift, format, i.c),
                                 half(b[l] >> shift, format, i.c)))
        << l;
  });
  return result;
}

static uint32_t combine(const Inst &i, uint32_t value, uint32_t with) {
  switch (Combine(i.b)) {
  case Combine::And:
    return value & with;
  case Combine::Or:
    return value | with;
  case Combine::Xor:
    return value ^ with;
  case Combine::None:
    break;
  }
  return value;
}

static uint32_t combinedWith(Warp &w, const Inst &i) {
  return i.op[4] == kNoSlot ? 0 : w.predicate(i.op[4]);
}

/// setp: op[0] p, op[1] q, op[2] a, op[3] b, op[4] the predicate combined with.
static Step setp(Warp &w, const Inst &i, uint32_t mask) {
  uint32_t t = compareAll(w, i, mask, i.op[2], i.op[3]);
  uint32_t with = combinedWith(w, i);
  setPredicate(w, i.op[0], mask, combine(i, t, with));
  setPredicate(w, i.op[1], mask, combine(i, ~t, with));
  return Step::Next;
}

/// set: writes `imm`, all ones or 1.0, where the comparison holds.
static Step set(Warp &w, const Inst &i, uint32_t mask) {
  uint32_t t = compareAll(w, i, mask, i.op[2], i.op[3]);
  t = combine(i, t, combinedWith(w, i));
  auto *d = w.at<uint32_t>(i.op[0]);
  forLanes(mask, [&](unsigned l) { d[l] = t >> l & 1 ? uint32_t(i.imm) : 0; });
  return Step::Next;
}

/// setp of pairs: p for the lower halves, q for the upper ones.
static Step setpPacked(Warp &w, const Inst &i, uint32_t mask) {
  uint32_t with = combinedWith(w, i);
  uint32_t low = combine(i, comparePacked(w, i, mask, false), with);
  uint32_t high = combine(i, comparePacked(w, i, mask, true), with);
  setPredicate(w, i.op[0], mask, low);
  setPredicate(w, i.op[1], mask, high);
  return Step::Next;
}

/// set of pairs: each half of the result is `imm` or zero.
static Step setPacked(Warp &w, const Inst &i, uint32_t mask) {
  uint32_t with = combinedWith(w, i);
  uint32_t low = combine(i, comparePacked(w, i, mask, false), with);
  uint32_t high = combine(i, comparePacked(w, i, mask, true), with);
  auto *d = w.at<uint32_t>(i.op[0]);
  forLanes(mask, [&](unsigned l) {
    d[l] = (low >> l & 1) * uint32_t(i.imm) | (high >> l & 1) * uint32_t(i.imm)
                                                  << 16;
  });
  return Step::Next;
}

static bool isPacked(Type type) {
  return type == Type::F16x2 || type == Type::BF16x2;
}

static void decodeComparison(InstDecoder &d, Inst &i, Type type,
                             unsigned first) {
  std::optional<Cmp> cmp;
  for (llvm::StringRef modifier : d.modifiers())
    if (auto parsed = parseCmp(modifier)) {
      cmp = parsed;
      d.accept(modifier);
    }
  i.b = uint8_t(d.has("and")   ? Combine::And
                : d.has("or")  ? Combine::Or
                : d.has("xor") ? Combine::Xor
                               : Combine::None);
  if (!cmp)
    return d.fail("expected a comparison such as .lt");
  i.a = uint8_t(*cmp);
  i.c = d.has("ftz");
  i.d = uint8_t(type);
  i.op[2] = d.src(first, type);
  i.op[3] = d.src(first + 1, type);
  if (i.b)
    i.op[4] = d.srcPredicate(first + 2);
}

static void decodeSetp(InstDecoder &d, Inst &i) {
  i.op[0] = d.pairFirstPredicate(0);
  i.op[1] = d.pairSecond(0);
  decodeComparison(d, i, d.type(), 1);
  i.fn = isPacked(d.type()) ? setpPacked : setp;
}

/// What `set` writes where the comparison holds: 1.0 or all ones.
static std::optional<uint32_t> trueValue(Type type) {
  switch (type) {
  case Type::F32:
    return 0x3f800000;
  case Type::F16:
  case Type::F16x2:
    return 0x3c00;
  case Type::BF16:
  case Type::BF16x2:
    return 0x3f80;
  case Type::U16:
  case Type::S16:
    return 0xffff;
  case Type::U32:
  case Type::S32:
    return ~0u;
  default:
    return std::nullopt;
  }
}

static void decodeSet(InstDecoder &d, Inst &i) {
  Type result = d.type(0), compared = d.type(1);
  auto value = trueValue(result);
  if (!value || d.types().size() != 2 ||
      (isPacked(result) && result != compared))
    return d.fail("set with these types has no model");
  i.op[0] = d.dst(0, result);
  decodeComparison(d, i, compared, 1);
  // Halves of the result are all ones, too.
  i.imm = isPacked(compared) ? *value & 0xffff : *value;
  i.fn = isPacked(compared) ? setPacked : set;
}

template <class T> static Step selp(Warp &w, const Inst &i, uint32_t mask) {
  uint32_t p = w.predicate(i.op[3]);
  using S = typename Reg<T>::Storage;
  auto *d = w.at<S>(i.op[0]), *a = w.at<S>(i.op[1]), *b = w.at<S>(i.op[2]);
  forLanes(mask, [&](unsigned l) { d[l] = p >> l & 1 ? a[l] : b[l]; });
  return Step::Next;
}

/// slct: the sign of c chooses; `a`: c is f32, `b`: flush it.
template <class T> static Step slct(Warp &w, const Inst &i, uint32_t mask) {
  return map3<T, T, T, uint32_t>(w, i, mask, [&](T a, T b, uint32_t c) {
    if (!i.a)
      return int32_t(c) >= 0 ? a : b;
    float value = bitsToFloat(i.b && !(c & 0x7f800000) ? 0 : c);
    return value >= 0 ? a : b;
  });
}

enum class Test : uint8_t { Finite, Infinite, Number, NaN, Normal, Subnormal };

template <class T> static bool testValue(Test test, T value) {
  switch (test) {
  case Test::Finite:
    return std::isfinite(value);
  case Test::Infinite:
    return std::isinf(value);
  case Test::Number:
    return !std::isnan(value);
  case Test::NaN:
    return std::isnan(value);
  // Zero counts as normal (measured).
  case Test::Normal:
    return std::isnormal(value) || value == 0;
  case Test::Subnormal:
    return std::fpclassify(value) == FP_SUBNORMAL;
  }
  return false;
}

template <class T> static Step testp(Warp &w, const Inst &i, uint32_t mask) {
  auto *a = w.at<typename Reg<T>::Storage>(i.op[1]);
  uint32_t result = 0;
  forLanes(mask, [&](unsigned l) {
    result |= uint32_t(testValue<T>(Test(i.a), Reg<T>::get(a[l]))) << l;
  });
  setPredicate(w, i.op[0], mask, result);
  return Step::Next;
}

static void decodeTestp(InstDecoder &d, Inst &i) {
  i.op[0] = d.dstPredicate(0);
  i.op[1] = d.src(1, d.type());
  i.a = uint8_t(d.has("finite")       ? Test::Finite
                : d.has("infinite")   ? Test::Infinite
                : d.has("number")     ? Test::Number
                : d.has("notanumber") ? Test::NaN
                : d.has("normal")     ? Test::Normal
                                      : Test::Subnormal);
  d.accept("subnormal");
  i.fn = d.type() == Type::F64 ? testp<double> : testp<float>;
}

void tirx::sim::addCompareModels(ModelTable &table) {
  table["testp"] = decodeTestp;
  table["setp"] = decodeSetp;
  table["set"] = decodeSet;
  table["selp"] = [](InstDecoder &d, Inst &i) {
    Type type = d.type();
    i.op[0] = d.dst(0, type);
    i.op[1] = d.src(1, type);
    i.op[2] = d.src(2, type);
    i.op[3] = d.srcPredicate(3);
    i.fn = bitsOf(type) == 64 ? selp<uint64_t> : selp<uint32_t>;
  };
  table["slct"] = [](InstDecoder &d, Inst &i) {
    Type type = d.type();
    i.op[0] = d.dst(0, type);
    i.op[1] = d.src(1, type);
    i.op[2] = d.src(2, type);
    i.op[3] = d.src(3, Type::B32);
    i.a = d.type(1) == Type::F32;
    i.b = d.has("ftz");
    i.fn = bitsOf(type) == 64 ? slct<uint64_t> : slct<uint32_t>;
  };
}

TIRX_SIMD_END
