//===- Float.cpp - floating-point arithmetic ------------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Scalar and packed arithmetic. Results are those of an exact computation
// rounded once; NaN results are canonical (f64 keeps a quieted payload).
// Measured on hardware: docs/numerics.md
//
// Approximate forms are those of Approximate.cpp.
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"
#include "Exec.h"
#include "HostRounding.h"
#include "TIRx/Simulator/FloatFormat.h"
#include "llvm/ADT/StringSwitch.h"

using namespace tirx::sim;

TIRX_SIMD_BEGIN

namespace {

enum class FloatOp : uint8_t {
  Add,
  Sub,
  Mul,
  Fma,
  Div,
  Min,
  Max,
  Neg,
  Abs,
  Copysign,
  Rcp,
  Sqrt,
};

/// Modifiers of an instruction, packed into Inst::a to d.
struct Modifiers {
  FloatOp op;
  Rounding rounding;
  bool flush, saturate, relu, nan, xorSign, outOfBounds;
};

/// The NaN that tensor copies write where a tensor has no elements (measured);
/// `fma.oob` gives zero for it.
constexpr uint32_t kOutOfBoundsNaN = 0x7ff7;

uint8_t packFlags(const Modifiers &m) {
  return m.flush | m.saturate << 1 | m.relu << 2 | m.nan << 3 | m.xorSign << 4 |
         m.outOfBounds << 5;
}

Modifiers unpackModifiers(const Inst &i) {
  return {FloatOp(i.a),  Rounding(i.b), bool(i.c & 1),  bool(i.c & 2),
          bool(i.c & 4), bool(i.c & 8), bool(i.c & 16), bool(i.c & 32)};
}

double addExact(double a, double b, Rounding rounding) {
  if (!std::isfinite(a) || !std::isfinite(b))
    return a + b;
  double sum = addRoundToOdd(a, b);
  // An exact zero of terms with different signs is -0 when rounding down.
  if (sum == 0 && rounding == Rounding::Down &&
      !(a == 0 && b == 0 && !std::signbit(a) && !std::signbit(b)))
    return -0.0;
  return sum;
}

/// a * b + c rounded to odd in double; the product of two values of at most 24
/// bits is exact.
double fmaExact(double a, double b, double c,
                Rounding rounding = Rounding::NearestEven) {
  return addExact(a * b, c, rounding);
}

/// a / b or sqrt(a) rounded to odd, from the sign of the remainder.
double nudge(double value, double remainder) {
  uint64_t bits = llvm::bit_cast<uint64_t>(value);
  if (remainder != 0 && !(bits & 1) && std::isfinite(value) && value != 0)
    bits += ((remainder > 0) == (value > 0)) ? 1 : -1;
  return llvm::bit_cast<double>(bits);
}

double divExact(double a, double b) {
  double q = a / b;
  if (!std::isfinite(q) || q == 0 || !std::isfinite(b))
    return q;
  double remainder = std::fma(-q, b, a);
  return nudge(q, b > 0 ? remainder : -remainder);
}

double sqrtExact(double a) {
  double root = std::sqrt(a);
  if (!(a > 0) || !std::isfinite(a))
    return root;
  return nudge(root, std::fma(-root, root, a));
}

/// min and max with -0 < +0; NaN handling is the caller's.
double orderedMin(double a, double b) {
  if (a == b)
    return std::signbit(a) ? a : b;
  return a < b ? a : b;
}
double orderedMax(double a, double b) {
  if (a == b)
    return std::signbit(a) ? b : a;
  return a > b ? a : b;
}

double minMax(const Modifiers &m, double a, double b) {
  bool anyNaN = std::isnan(a) || std::isnan(b);
  if (anyNaN && (m.nan || (std::isnan(a) && std::isnan(b))))
    return std::numeric_limits<double>::quiet_NaN();
  if (m.xorSign) {
    // The sign is set by the caller, who has the bits of NaN operands, too.
    a = std::fabs(a);
    b = std::fabs(b);
  }
  return std::isnan(a)          ? b
         : std::isnan(b)        ? a
         : m.op == FloatOp::Min ? orderedMin(a, b)
                                : orderedMax(a, b);
}

/// The exact (or rounded to odd) result of an operation on values that `double`
/// holds exactly.
double evaluate(const Modifiers &m, double a, double b, double c) {
  switch (m.op) {
  case FloatOp::Add:
    return addExact(a, b, m.rounding);
  case FloatOp::Sub:
    return addExact(a, -b, m.rounding);
  case FloatOp::Mul:
    return a * b;
  case FloatOp::Fma:
    return fmaExact(a, b, c, m.rounding);
  case FloatOp::Div:
    return divExact(a, b);
  case FloatOp::Min:
  case FloatOp::Max:
    return minMax(m, a, b);
  case FloatOp::Rcp:
    return divExact(1.0, a);
  case FloatOp::Sqrt:
    return sqrtExact(a);
  case FloatOp::Neg:
  case FloatOp::Abs:
  case FloatOp::Copysign:
    break; // on bits
  }
  return 0;
}

double flushInput(double value, const FloatFormat &format) {
  return std::fabs(value) < std::ldexp(1.0, format.minExponent)
             ? std::copysign(0.0, value)
             : value;
}

/// Rounds a result and applies .ftz, .sat and .relu.
uint32_t finish(const Modifiers &m, double value, const FloatFormat &format) {
  if (m.saturate) {
    if (std::isnan(value) || !(value > 0))
      return 0;
    value = std::min(value, 1.0);
  }
  if (m.relu && !std::isnan(value) && !(value > 0))
    return 0;
  if (m.flush && isBelowNormal(value, format, m.rounding))
    value = std::copysign(0.0, value);
  return encodeFloat(value, format, m.rounding);
}

uint32_t compute(const Modifiers &m, const FloatFormat &format, uint32_t a,
                 uint32_t b, uint32_t c) {
  uint32_t sign = uint32_t(1) << (format.exponentBits + format.fractionBits);
  double x = decodeFloat(a, format);
  if (m.op >= FloatOp::Neg && m.op <= FloatOp::Copysign) {
    if (m.op == FloatOp::Copysign)
      return (b & (sign - 1)) | (a & sign);
    if (std::isnan(x))
      return format.nan;
    if (m.flush && x != 0 && flushInput(x, format) == 0)
      a &= sign;
    return m.op == FloatOp::Neg ? a ^ sign : a & (sign - 1);
  }
  if (m.outOfBounds &&
      (a == kOutOfBoundsNaN || b == kOutOfBoundsNaN || c == kOutOfBoundsNaN))
    return 0;
  double y = decodeFloat(b, format), z = decodeFloat(c, format);
  if (m.flush) {
    x = flushInput(x, format);
    y = flushInput(y, format);
    z = flushInput(z, format);
  }
  uint32_t result = finish(m, evaluate(m, x, y, z), format);
  if (m.xorSign && result != format.nan)
    result = (result & (sign - 1)) | ((a ^ b) & sign);
  return result;
}

float canonical(float value) {
  return value != value ? bitsToFloat(0x7fffffff) : value;
}

} // namespace

//===----------------------------------------------------------------------===//
// f32, f16, bf16
//===----------------------------------------------------------------------===//

static uint32_t operandWord(Warp &w, const Inst &i, unsigned n, unsigned l) {
  return i.op[n] == kNoSlot ? 0 : w.at<uint32_t>(i.op[n])[l];
}

static const FloatFormat &formatOf(Type type) {
  switch (type) {
  case Type::F16:
  case Type::F16x2:
    return kF16;
  case Type::BF16:
  case Type::BF16x2:
    return kBF16;
  default:
    return kF32;
  }
}

/// Any operation on one value in a word. `d` is the type.
static Step general(Warp &w, const Inst &i, uint32_t mask) {
  Modifiers m = unpackModifiers(i);
  const FloatFormat &format = formatOf(Type(i.d));
  uint32_t keep = Type(i.d) == Type::F32 ? ~0u : 0xffff;
  auto *d = w.at<uint32_t>(i.op[0]);
  forLanes(mask, [&](unsigned l) {
    d[l] =
        compute(m, format, operandWord(w, i, 1, l) & keep,
                operandWord(w, i, 2, l) & keep, operandWord(w, i, 3, l) & keep);
  });
  return Step::Next;
}

/// The same on both halves of a word.
static Step packed(Warp &w, const Inst &i, uint32_t mask) {
  Modifiers m = unpackModifiers(i);
  const FloatFormat &format = formatOf(Type(i.d));
  auto *d = w.at<uint32_t>(i.op[0]);
  forLanes(mask, [&](unsigned l) {
    uint32_t a = operandWord(w, i, 1, l), b = operandWord(w, i, 2, l),
             c = operandWord(w, i, 3, l);
    uint32_t low = compute(m, format, a & 0xffff, b & 0xffff, c & 0xffff);
    uint32_t high = compute(m, format, a >> 16, b >> 16, c >> 16);
    d[l] = low | high << 16;
  });
  return Step::Next;
}

/// f32x2: two f32 in a double word.
static Step pairs(Warp &w, const Inst &i, uint32_t mask) {
  Modifiers m = unpackModifiers(i);
  auto *d = w.at<uint64_t>(i.op[0]);
  auto word = [&](unsigned n, unsigned l) -> uint64_t {
    return i.op[n] == kNoSlot ? 0 : w.at<uint64_t>(i.op[n])[l];
  };
  forLanes(mask, [&](unsigned l) {
    uint64_t a = word(1, l), b = word(2, l), c = word(3, l);
    uint32_t low = compute(m, kF32, uint32_t(a), uint32_t(b), uint32_t(c));
    uint32_t high = compute(m, kF32, a >> 32, b >> 32, c >> 32);
    d[l] = low | uint64_t(high) << 32;
  });
  return Step::Next;
}

/// Sums and products in f32 whose first (of fma: and second) source is f16 or
/// bf16, the type `size`: it is widened, which is exact.
static Step mixed(Warp &w, const Inst &i, uint32_t mask) {
  Modifiers m = unpackModifiers(i);
  const FloatFormat &narrow = formatOf(Type(i.size));
  auto *d = w.at<uint32_t>(i.op[0]);
  auto widen = [&](uint32_t bits) {
    return encodeFloat(decodeFloat(bits & 0xffff, narrow), kF32);
  };
  forLanes(mask, [&](unsigned l) {
    uint32_t a = widen(operandWord(w, i, 1, l));
    uint32_t b = operandWord(w, i, 2, l);
    d[l] = compute(m, kF32, a, m.op == FloatOp::Fma ? widen(b) : b,
                   operandWord(w, i, 3, l));
  });
  return Step::Next;
}

/// The least or greatest of three f32; `size`: of their magnitudes.
static Step minMax3(Warp &w, const Inst &i, uint32_t mask) {
  Modifiers m = unpackModifiers(i);
  uint32_t keep = i.size ? 0x7fffffff : ~0u;
  auto *d = w.at<uint32_t>(i.op[0]);
  forLanes(mask, [&](unsigned l) {
    uint32_t two = compute(m, kF32, operandWord(w, i, 1, l) & keep,
                           operandWord(w, i, 2, l) & keep, 0);
    d[l] = compute(m, kF32, two, operandWord(w, i, 3, l) & keep, 0);
  });
  return Step::Next;
}

// The common forms, round to nearest without modifiers, on the host's units.
static Step addF32(Warp &w, const Inst &i, uint32_t mask) {
  return map2<float, float, float>(
      w, i, mask, [](float a, float b) { return canonical(a + b); });
}
static Step subF32(Warp &w, const Inst &i, uint32_t mask) {
  return map2<float, float, float>(
      w, i, mask, [](float a, float b) { return canonical(a - b); });
}
static Step mulF32(Warp &w, const Inst &i, uint32_t mask) {
  return map2<float, float, float>(
      w, i, mask, [](float a, float b) { return canonical(a * b); });
}
static Step fmaF32(Warp &w, const Inst &i, uint32_t mask) {
  return map3<float, float, float, float>(
      w, i, mask, [](float a, float b, float c) {
        return canonical(float(fmaExact(a, b, c)));
      });
}

//===----------------------------------------------------------------------===//
// f64
//===----------------------------------------------------------------------===//

/// Not inlined and on volatile values, so that the host's rounding mode is the
/// one that is set around it.
__attribute__((noinline)) static double computeF64(const Modifiers &m, double a,
                                                   double b, double c) {
  volatile double x = a, y = b, z = c, result = 0;
  auto quiet = [](double nan) {
    return llvm::bit_cast<double>(llvm::bit_cast<uint64_t>(nan) | uint64_t(1)
                                                                      << 51);
  };
  // Of two NaNs the second survives, quieted; of those of an fma the first of
  // b, c, a (measured). The host's choice depends on its instructions.
  if (std::isnan(a) && std::isnan(b) &&
      (m.op == FloatOp::Add || m.op == FloatOp::Sub || m.op == FloatOp::Mul ||
       m.op == FloatOp::Min || m.op == FloatOp::Max))
    return quiet(b);
  if (m.op == FloatOp::Fma)
    for (double operand : {b, c, a})
      if (std::isnan(operand))
        return quiet(operand);
  switch (m.op) {
  case FloatOp::Add:
    result = x + y;
    break;
  case FloatOp::Sub:
    result = x - y;
    break;
  case FloatOp::Mul:
    result = x * y;
    break;
  case FloatOp::Fma:
    result = std::fma(double(x), double(y), double(z));
    break;
  case FloatOp::Div:
    result = x / y;
    break;
  case FloatOp::Rcp:
    result = 1.0 / x;
    break;
  case FloatOp::Sqrt:
    result = std::sqrt(double(x));
    break;
  // A NaN of f64 becomes quiet and keeps its sign (measured); others are
  // canonical in the end.
  case FloatOp::Neg:
    return std::isnan(a) ? a + a : -a;
  case FloatOp::Abs:
    return std::isnan(a) ? a + a : std::fabs(a);
  case FloatOp::Copysign:
    return std::copysign(b, a);
  case FloatOp::Min:
  case FloatOp::Max:
    return minMax(m, a, b);
  }
  return result;
}

static Step doubles(Warp &w, const Inst &i, uint32_t mask) {
  Modifiers m = unpackModifiers(i);
  auto *d = w.at<uint64_t>(i.op[0]);
  auto value = [&](unsigned n, unsigned l) {
    return i.op[n] == kNoSlot
               ? 0.0
               : llvm::bit_cast<double>(w.at<uint64_t>(i.op[n])[l]);
  };
  HostRounding scope(m.rounding);
  forLanes(mask, [&](unsigned l) {
    d[l] = llvm::bit_cast<uint64_t>(
        computeF64(m, value(1, l), value(2, l), value(3, l)));
  });
  return Step::Next;
}

//===----------------------------------------------------------------------===//
// Models
//===----------------------------------------------------------------------===//

static Rounding roundingOf(InstDecoder &d) {
  if (d.has("rz"))
    return Rounding::Zero;
  if (d.has("rm"))
    return Rounding::Down;
  if (d.has("rp"))
    return Rounding::Up;
  return Rounding::NearestEven;
}

static ExecFn fastForm(FloatOp op) {
  switch (op) {
  case FloatOp::Add:
    return addF32;
  case FloatOp::Sub:
    return subF32;
  case FloatOp::Mul:
    return mulF32;
  case FloatOp::Fma:
    return fmaF32;
  default:
    return general;
  }
}

static void decodeArithmetic(InstDecoder &d, Inst &i, FloatOp op,
                             unsigned sources) {
  Type type = d.type();
  if (!isFloat(type))
    return d.fail("expected a floating-point type");
  bool isMixed = d.types().size() > 1 && d.types().back() != type;
  bool isMinMax3 = (op == FloatOp::Min || op == FloatOp::Max) && d.size() == 4;
  if (isMinMax3)
    sources = 3;
  if (isMixed && (type != Type::F32 || bitsOf(d.types().back()) != 16))
    return d.fail("arithmetic of these types has no model");
  if (d.size() != sources + 1)
    return d.fail("this number of operands has no model");
  Modifiers m;
  m.op = op;
  m.rounding = roundingOf(d);
  m.flush = d.has("ftz");
  m.saturate = d.has("sat");
  m.relu = d.has("relu");
  m.nan = d.has("NaN");
  m.xorSign = d.has("xorsign");
  m.outOfBounds = d.has("oob");
  d.accept({"abs", "approx", "noftz"});
  i.a = uint8_t(op);
  i.b = uint8_t(m.rounding);
  i.c = packFlags(m);
  i.d = uint8_t(type);
  i.op[0] = d.dst(0, type);
  unsigned narrow = !isMixed ? 0 : op == FloatOp::Fma ? 2 : 1;
  for (unsigned n = 1; n <= sources; ++n)
    i.op[n] = d.src(n, n <= narrow ? d.types().back() : type);
  if (isMixed) {
    i.size = uint8_t(d.types().back());
    i.fn = mixed;
    return;
  }
  if (isMinMax3) {
    i.size = d.has("abs") && !m.xorSign;
    i.fn = minMax3;
    return;
  }
  switch (type) {
  case Type::F64:
    i.fn = doubles;
    return;
  case Type::F16x2:
  case Type::BF16x2:
    i.fn = packed;
    return;
  case Type::F32x2:
    i.fn = pairs;
    return;
  case Type::F32:
    i.fn = i.c == 0 && m.rounding == Rounding::NearestEven ? fastForm(op)
                                                           : general;
    return;
  default:
    i.fn = general;
  }
}

static unsigned sourcesOf(FloatOp op) {
  switch (op) {
  case FloatOp::Fma:
    return 3;
  case FloatOp::Add:
  case FloatOp::Sub:
  case FloatOp::Mul:
  case FloatOp::Div:
  case FloatOp::Min:
  case FloatOp::Max:
  case FloatOp::Copysign:
    return 2;
  default:
    return 1;
  }
}

bool tirx::sim::decodeFloatArithmetic(InstDecoder &d, Inst &i,
                                      llvm::StringRef name) {
  if (d.types().empty() || !isFloat(d.types().front()))
    return false;
  auto op = llvm::StringSwitch<std::optional<FloatOp>>(name)
                .Case("add", FloatOp::Add)
                .Case("sub", FloatOp::Sub)
                .Case("mul", FloatOp::Mul)
                .Case("fma", FloatOp::Fma)
                .Case("div", FloatOp::Div)
                .Case("min", FloatOp::Min)
                .Case("max", FloatOp::Max)
                .Case("neg", FloatOp::Neg)
                .Case("abs", FloatOp::Abs)
                .Default(std::nullopt);
  if (!op) {
    d.fail("this floating-point form has no model");
    return true;
  }
  if (*op == FloatOp::Div && decodeApproximate(d, i, name))
    return true;
  decodeArithmetic(d, i, *op, sourcesOf(*op));
  return true;
}

template <FloatOp op> static void decodeOp(InstDecoder &d, Inst &i) {
  bool mayBeApproximate = op == FloatOp::Rcp || op == FloatOp::Sqrt;
  if (!mayBeApproximate ||
      !decodeApproximate(d, i, op == FloatOp::Rcp ? "rcp" : "sqrt"))
    decodeArithmetic(d, i, op, sourcesOf(op));
}

void tirx::sim::addFloatModels(ModelTable &table) {
  table["fma"] = decodeOp<FloatOp::Fma>;
  table["copysign"] = decodeOp<FloatOp::Copysign>;
  table["rcp"] = decodeOp<FloatOp::Rcp>;
  table["sqrt"] = decodeOp<FloatOp::Sqrt>;
}

TIRX_SIMD_END
