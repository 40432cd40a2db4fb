//===- Integer.cpp - integer arithmetic -----------------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"
#include "Exec.h"
#include "llvm/Support/MathExtras.h"
#include <limits>

using namespace tirx::sim;

TIRX_SIMD_BEGIN

namespace {
/// Arithmetic in the unsigned type of the same width: wraps without undefined
/// behaviour. 16-bit values go through 32 bits, where int promotion is safe.
template <class T> using U = std::make_unsigned_t<T>;
template <class T>
using Wide = std::conditional_t<
    sizeof(T) <= 2, std::conditional_t<std::is_signed_v<T>, int32_t, uint32_t>,
    std::conditional_t<
        sizeof(T) == 4,
        std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>,
        std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128>>>;

struct Add {
  template <class T> static T apply(T a, T b) { return T(U<T>(a) + U<T>(b)); }
};
struct Sub {
  template <class T> static T apply(T a, T b) { return T(U<T>(a) - U<T>(b)); }
};
struct MulLo {
  template <class T> static T apply(T a, T b) {
    return T(uint64_t(a) * uint64_t(b));
  }
};
struct MulHi {
  template <class T> static T apply(T a, T b) {
    return T((Wide<T>(a) * Wide<T>(b)) >> (8 * sizeof(T)));
  }
};
/// Division by zero gives all ones; the most negative number over -1 wraps.
struct Div {
  template <class T> static T apply(T a, T b) {
    if (b == 0)
      return T(~T(0));
    if (std::is_signed_v<T> && b == T(-1))
      return T(U<T>(0) - U<T>(a));
    return T(a / b);
  }
};
struct Rem {
  template <class T> static T apply(T a, T b) {
    if (b == 0)
      return T(~T(0));
    if (std::is_signed_v<T> && b == T(-1))
      return 0;
    return T(a % b);
  }
};
struct Min {
  template <class T> static T apply(T a, T b) { return a < b ? a : b; }
};
struct Max {
  template <class T> static T apply(T a, T b) { return a > b ? a : b; }
};
struct Neg {
  template <class T> static T apply(T a) { return T(U<T>(0) - U<T>(a)); }
};
struct Abs {
  template <class T> static T apply(T a) { return a < 0 ? Neg::apply(a) : a; }
};
struct Saturate {
  static int32_t apply(int64_t value) {
    return int32_t(std::min<int64_t>(
        std::max<int64_t>(value, std::numeric_limits<int32_t>::min()),
        std::numeric_limits<int32_t>::max()));
  }
};
} // namespace

template <class Op, class T>
static Step unary(Warp &w, const Inst &i, uint32_t mask) {
  return map1<T, T>(w, i, mask, [](T a) { return Op::apply(a); });
}
template <class Op, class T>
static Step binary(Warp &w, const Inst &i, uint32_t mask) {
  return map2<T, T, T>(w, i, mask, [](T a, T b) { return Op::apply(a, b); });
}
template <class T> static Step mulWide(Warp &w, const Inst &i, uint32_t mask) {
  return map2<Wide<T>, T, T>(w, i, mask, [](T a, T b) {
    return Wide<T>(U<Wide<T>>(Wide<T>(a)) * U<Wide<T>>(Wide<T>(b)));
  });
}
template <class Op, class T>
static Step mad(Warp &w, const Inst &i, uint32_t mask) {
  return map3<T, T, T, T>(
      w, i, mask, [](T a, T b, T c) { return Add::apply(Op::apply(a, b), c); });
}
template <class T> static Step madWide(Warp &w, const Inst &i, uint32_t mask) {
  using W = Wide<T>;
  return map3<W, T, T, W>(w, i, mask, [](T a, T b, W c) {
    return W(U<W>(W(a)) * U<W>(W(b)) + U<W>(c));
  });
}
template <class T> static Step sad(Warp &w, const Inst &i, uint32_t mask) {
  return map3<T, T, T, U<T>>(w, i, mask, [](T a, T b, U<T> c) {
    return T(c + U<T>(a < b ? U<T>(b) - U<T>(a) : U<T>(a) - U<T>(b)));
  });
}

static Step addSat(Warp &w, const Inst &i, uint32_t mask) {
  return map2<int32_t, int32_t, int32_t>(w, i, mask, [](int32_t a, int32_t b) {
    return Saturate::apply(int64_t(a) + b);
  });
}
static Step subSat(Warp &w, const Inst &i, uint32_t mask) {
  return map2<int32_t, int32_t, int32_t>(w, i, mask, [](int32_t a, int32_t b) {
    return Saturate::apply(int64_t(a) - b);
  });
}
static Step madHiSat(Warp &w, const Inst &i, uint32_t mask) {
  return map3<int32_t, int32_t, int32_t, int32_t>(
      w, i, mask, [](int32_t a, int32_t b, int32_t c) {
        return Saturate::apply((int64_t(a) * b >> 32) + c);
      });
}

/// Picks the instantiation of `Fn<T>` for an integer type.
#define TIRX_SELECT_INTEGER(result, type, FN)                                  \
  switch (type) {                                                              \
  case Type::U16:                                                              \
  case Type::B16:                                                              \
    result = FN(uint16_t);                                                     \
    break;                                                                     \
  case Type::S16:                                                              \
    result = FN(int16_t);                                                      \
    break;                                                                     \
  case Type::U32:                                                              \
  case Type::B32:                                                              \
    result = FN(uint32_t);                                                     \
    break;                                                                     \
  case Type::S32:                                                              \
    result = FN(int32_t);                                                      \
    break;                                                                     \
  case Type::U64:                                                              \
  case Type::B64:                                                              \
    result = FN(uint64_t);                                                     \
    break;                                                                     \
  case Type::S64:                                                              \
    result = FN(int64_t);                                                      \
    break;                                                                     \
  default:                                                                     \
    break;                                                                     \
  }

template <class Op> static ExecFn selectBinary(Type type) {
  ExecFn fn = nullptr;
#define FN(T) (binary<Op, T>)
  TIRX_SELECT_INTEGER(fn, type, FN)
#undef FN
  return fn;
}
template <class Op> static ExecFn selectUnary(Type type) {
  ExecFn fn = nullptr;
#define FN(T) (unary<Op, T>)
  TIRX_SELECT_INTEGER(fn, type, FN)
#undef FN
  return fn;
}
template <class Op> static ExecFn selectMad(Type type) {
  ExecFn fn = nullptr;
#define FN(T) (mad<Op, T>)
  TIRX_SELECT_INTEGER(fn, type, FN)
#undef FN
  return fn;
}

static void operands(InstDecoder &d, Inst &i, Type type, unsigned sources) {
  i.op[0] = d.dst(0, type);
  for (unsigned n = 1; n <= sources; ++n)
    i.op[n] = d.src(n, type);
}

//===----------------------------------------------------------------------===//
// Extended precision
//===----------------------------------------------------------------------===//

/// add.cc, addc, sub.cc, subc, mad.cc, madc. op[5] is the carry flag; `a`:
/// reads it, `b`: writes it, `c`: subtracts, `d`: 0 add, 1 mul lo, 2 mul hi.
/// A difference is x + ~y + 1, and the flag the carry of that sum: 1 where
/// nothing was borrowed. Compiled 128-bit divisions test it with addc.
template <class T> static Step extended(Warp &w, const Inst &i, uint32_t mask) {
  using S = typename Reg<T>::Storage;
  auto *d = w.at<S>(i.op[0]), *a = w.at<S>(i.op[1]), *b = w.at<S>(i.op[2]);
  auto *c = i.d ? w.at<S>(i.op[3]) : nullptr;
  uint32_t carryIn = w.predicate(i.op[5]), carryOut = 0;
  forLanes(mask, [&](unsigned l) {
    T x = T(a[l]), y = T(b[l]);
    if (i.d) {
      x = i.d == 1 ? MulLo::apply(x, y) : MulHi::apply(x, y);
      y = T(c[l]);
    }
    unsigned __int128 carry = i.a ? carryIn >> l & 1 : i.c;
    unsigned __int128 ux = U<T>(x), uy = i.c ? U<T>(~U<T>(y)) : U<T>(y);
    unsigned __int128 sum = ux + uy + carry;
    d[l] = Reg<U<T>>::put(U<T>(sum));
    carryOut |= uint32_t(sum >> (8 * sizeof(T)) & 1) << l;
  });
  if (i.b)
    setPredicate(w, i.op[5], mask, carryOut);
  return Step::Next;
}

static void decodeExtended(InstDecoder &d, Inst &i, bool reads,
                           bool subtracts) {
  Type type = d.type();
  operands(d, i, type, 2);
  i.op[5] = d.carryFlag();
  i.a = reads;
  i.b = d.has("cc");
  i.c = subtracts;
#define FN(T) (extended<T>)
  TIRX_SELECT_INTEGER(i.fn, type, FN)
#undef FN
}

//===----------------------------------------------------------------------===//
// Bits
//===----------------------------------------------------------------------===//

template <class T> static Step popc(Warp &w, const Inst &i, uint32_t mask) {
  return map1<uint32_t, T>(w, i, mask,
                           [](T a) { return uint32_t(llvm::popcount(a)); });
}
template <class T> static Step clz(Warp &w, const Inst &i, uint32_t mask) {
  return map1<uint32_t, T>(w, i, mask,
                           [](T a) { return uint32_t(llvm::countl_zero(a)); });
}
template <class T> static Step brev(Warp &w, const Inst &i, uint32_t mask) {
  return map1<T, T>(w, i, mask, [](T a) { return llvm::reverseBits(a); });
}
template <class T> static Step bfind(Warp &w, const Inst &i, uint32_t mask) {
  return map1<uint32_t, T>(w, i, mask, [&](T a) -> uint32_t {
    if (std::is_signed_v<T> && a < 0)
      a = ~a;
    U<T> value = U<T>(a);
    if (!value)
      return ~0u;
    unsigned zeros = llvm::countl_zero(value);
    return i.a ? zeros : 8 * sizeof(T) - 1 - zeros;
  });
}
/// Position and length count modulo 256 in the 32-bit form only.
template <class T> static Step bfe(Warp &w, const Inst &i, uint32_t mask) {
  constexpr uint64_t kBits = 8 * sizeof(T);
  return map3<T, T, uint32_t, uint32_t>(
      w, i, mask, [](T a, uint32_t b, uint32_t c) -> T {
        uint64_t pos = kBits == 32 ? b & 0xff : b;
        uint64_t len = kBits == 32 ? c & 0xff : c;
        bool fill = false;
        if (std::is_signed_v<T> && len)
          fill = U<T>(a) >> std::min<uint64_t>(pos + len - 1, kBits - 1) & 1;
        U<T> value = pos < kBits ? U<T>(a) >> pos : 0;
        uint64_t have = pos < kBits ? std::min(len, kBits - pos) : 0;
        if (have < kBits)
          value &= llvm::maskTrailingOnes<U<T>>(have);
        if (fill && have < kBits)
          value |= U<T>(~U<T>(0)) << have;
        return T(value);
      });
}
template <class T> static Step bfi(Warp &w, const Inst &i, uint32_t mask) {
  constexpr uint64_t kBits = 8 * sizeof(T);
  using S = typename Reg<T>::Storage;
  auto *d = w.at<S>(i.op[0]), *a = w.at<S>(i.op[1]), *b = w.at<S>(i.op[2]);
  auto *c = w.at<uint32_t>(i.op[3]), *e = w.at<uint32_t>(i.op[4]);
  forLanes(mask, [&](unsigned l) {
    uint64_t pos = kBits == 32 ? c[l] & 0xff : c[l];
    uint64_t len = kBits == 32 ? e[l] & 0xff : e[l];
    if (pos >= kBits || !len) {
      d[l] = b[l];
      return;
    }
    len = std::min(len, kBits - pos);
    T field = T(llvm::maskTrailingOnes<T>(len) << pos);
    d[l] = (T(b[l]) & ~field) | (T(a[l] << pos) & field);
  });
  return Step::Next;
}

static Step dp4a(Warp &w, const Inst &i, uint32_t mask) {
  return map3<uint32_t, uint32_t, uint32_t, uint32_t>(
      w, i, mask, [&](uint32_t a, uint32_t b, uint32_t c) {
        for (unsigned k = 0; k < 32; k += 8) {
          int32_t x = i.a ? int8_t(a >> k) : uint8_t(a >> k);
          int32_t y = i.b ? int8_t(b >> k) : uint8_t(b >> k);
          c += uint32_t(x * y);
        }
        return c;
      });
}
/// Two 16-bit elements of a times two bytes of b; `c`: its upper half.
static Step dp2a(Warp &w, const Inst &i, uint32_t mask) {
  return map3<uint32_t, uint32_t, uint32_t, uint32_t>(
      w, i, mask, [&](uint32_t a, uint32_t b, uint32_t c) {
        for (unsigned k = 0; k < 2; ++k) {
          uint32_t half = a >> (16 * k), byte = b >> (8 * k + (i.c ? 16 : 0));
          int32_t x = i.a ? int16_t(half) : uint16_t(half);
          int32_t y = i.b ? int8_t(byte) : uint8_t(byte);
          c += uint32_t(x * y);
        }
        return c;
      });
}

/// The product of 24-bit values; `a`: signed, `b`: bits 47 to 16 of it.
static uint32_t product24(const Inst &i, uint32_t a, uint32_t b) {
  int64_t x = i.a ? int32_t(a << 8) >> 8 : int64_t(a & 0xffffff);
  int64_t y = i.a ? int32_t(b << 8) >> 8 : int64_t(b & 0xffffff);
  return uint32_t(uint64_t(x * y) >> (i.b ? 16 : 0));
}
static Step mad24(Warp &w, const Inst &i, uint32_t mask) {
  return map3<uint32_t, uint32_t, uint32_t, uint32_t>(
      w, i, mask, [&](uint32_t a, uint32_t b, uint32_t c) {
        return product24(i, a, b) + c;
      });
}
static Step mul24(Warp &w, const Inst &i, uint32_t mask) {
  return map2<uint32_t, uint32_t, uint32_t>(
      w, i, mask, [&](uint32_t a, uint32_t b) { return product24(i, a, b); });
}

//===----------------------------------------------------------------------===//
// Models
//===----------------------------------------------------------------------===//

static void decodeAdd(InstDecoder &d, Inst &i) {
  if (decodeFloatArithmetic(d, i, "add") || decodePackedInteger(d, i, "add"))
    return;
  if (d.has("cc"))
    return decodeExtended(d, i, false, false);
  operands(d, i, d.type(), 2);
  i.fn = d.has("sat") ? addSat : selectBinary<Add>(d.type());
}
static void decodeSub(InstDecoder &d, Inst &i) {
  if (decodeFloatArithmetic(d, i, "sub"))
    return;
  if (d.has("cc"))
    return decodeExtended(d, i, false, true);
  operands(d, i, d.type(), 2);
  i.fn = d.has("sat") ? subSat : selectBinary<Sub>(d.type());
}
static void decodeMul(InstDecoder &d, Inst &i) {
  if (decodeFloatArithmetic(d, i, "mul"))
    return;
  Type type = d.type();
  if (d.has("wide")) {
    switch (type) {
    case Type::U16:
      i.fn = mulWide<uint16_t>;
      break;
    case Type::S16:
      i.fn = mulWide<int16_t>;
      break;
    case Type::U32:
      i.fn = mulWide<uint32_t>;
      break;
    case Type::S32:
      i.fn = mulWide<int32_t>;
      break;
    default:
      return d.fail("mul.wide of this type has no model");
    }
    i.op[0] = d.dst(0, bitsOf(type) == 16 ? Type::B32 : Type::B64);
    i.op[1] = d.src(1, type);
    i.op[2] = d.src(2, type);
    return;
  }
  operands(d, i, type, 2);
  i.fn = d.has("hi") ? selectBinary<MulHi>(type) : selectBinary<MulLo>(type);
}
static void decodeMad(InstDecoder &d, Inst &i) {
  if (decodeFloatArithmetic(d, i, "fma"))
    return;
  Type type = d.type();
  if (d.has("cc")) {
    decodeExtended(d, i, false, false);
    i.op[3] = d.src(3, type);
    i.d = d.has("hi") ? 2 : 1;
    return;
  }
  if (d.has("wide")) {
    switch (type) {
    case Type::U16:
      i.fn = madWide<uint16_t>;
      break;
    case Type::S16:
      i.fn = madWide<int16_t>;
      break;
    case Type::U32:
      i.fn = madWide<uint32_t>;
      break;
    case Type::S32:
      i.fn = madWide<int32_t>;
      break;
    default:
      return d.fail("mad.wide of this type has no model");
    }
    Type wide = bitsOf(type) == 16 ? Type::B32 : Type::B64;
    i.op[0] = d.dst(0, wide);
    i.op[1] = d.src(1, type);
    i.op[2] = d.src(2, type);
    i.op[3] = d.src(3, wide);
    return;
  }
  operands(d, i, type, 3);
  bool high = d.has("hi"); // also with .sat, which exists with .hi only
  i.fn = d.has("sat") ? madHiSat
         : high       ? selectMad<MulHi>(type)
                      : selectMad<MulLo>(type);
}
static void decodeMadc(InstDecoder &d, Inst &i) {
  decodeExtended(d, i, true, false);
  i.op[3] = d.src(3, d.type());
  i.d = d.has("hi") ? 2 : 1;
}

template <class Op>
static void decodeBinary(InstDecoder &d, Inst &i, llvm::StringRef name) {
  if (decodeFloatArithmetic(d, i, name))
    return;
  if ((name == "min" || name == "max") && decodePackedInteger(d, i, name))
    return;
  operands(d, i, d.type(), 2);
  i.fn = selectBinary<Op>(d.type());
}
template <class Op>
static void decodeUnary(InstDecoder &d, Inst &i, llvm::StringRef floatName) {
  if (decodeFloatArithmetic(d, i, floatName))
    return;
  operands(d, i, d.type(), 1);
  i.fn = selectUnary<Op>(d.type());
}

static void decodeBfind(InstDecoder &d, Inst &i) {
  i.op[0] = d.dst(0, Type::U32);
  i.op[1] = d.src(1, d.type());
  i.a = d.has("shiftamt");
#define FN(T) (bfind<T>)
  TIRX_SELECT_INTEGER(i.fn, d.type(), FN)
#undef FN
}

static void decodeBitField(InstDecoder &d, Inst &i, bool insert) {
  Type type = d.type();
  i.op[0] = d.dst(0, type);
  i.op[1] = d.src(1, type);
  unsigned n = 2;
  if (insert)
    i.op[n] = d.src(n, type), ++n;
  i.op[n] = d.src(n, Type::U32);
  i.op[n + 1] = d.src(n + 1, Type::U32);
  if (insert) {
    i.fn = bitsOf(type) == 64 ? bfi<uint64_t> : bfi<uint32_t>;
    return;
  }
#define FN(T) (bfe<T>)
  TIRX_SELECT_INTEGER(i.fn, type, FN)
#undef FN
}

void tirx::sim::addIntegerModels(ModelTable &table) {
  table["add"] = decodeAdd;
  table["sub"] = decodeSub;
  table["mul"] = decodeMul;
  table["mad"] = decodeMad;
  table["addc"] = [](InstDecoder &d, Inst &i) {
    decodeExtended(d, i, true, false);
  };
  table["subc"] = [](InstDecoder &d, Inst &i) {
    decodeExtended(d, i, true, true);
  };
  table["madc"] = decodeMadc;
  table["div"] = [](InstDecoder &d, Inst &i) {
    decodeBinary<Div>(d, i, "div");
  };
  table["rem"] = [](InstDecoder &d, Inst &i) {
    decodeBinary<Rem>(d, i, "rem");
  };
  table["min"] = [](InstDecoder &d, Inst &i) {
    decodeBinary<Min>(d, i, "min");
  };
  table["max"] = [](InstDecoder &d, Inst &i) {
    decodeBinary<Max>(d, i, "max");
  };
  table["neg"] = [](InstDecoder &d, Inst &i) { decodeUnary<Neg>(d, i, "neg"); };
  table["abs"] = [](InstDecoder &d, Inst &i) { decodeUnary<Abs>(d, i, "abs"); };
  table["sad"] = [](InstDecoder &d, Inst &i) {
    operands(d, i, d.type(), 3);
#define FN(T) (sad<T>)
    TIRX_SELECT_INTEGER(i.fn, d.type(), FN)
#undef FN
  };
  table["popc"] = [](InstDecoder &d, Inst &i) {
    i.op[0] = d.dst(0, Type::U32);
    i.op[1] = d.src(1, d.type());
    i.fn = bitsOf(d.type()) == 64 ? popc<uint64_t> : popc<uint32_t>;
  };
  table["clz"] = [](InstDecoder &d, Inst &i) {
    i.op[0] = d.dst(0, Type::U32);
    i.op[1] = d.src(1, d.type());
    i.fn = bitsOf(d.type()) == 64 ? clz<uint64_t> : clz<uint32_t>;
  };
  table["brev"] = [](InstDecoder &d, Inst &i) {
    operands(d, i, d.type(), 1);
    i.fn = bitsOf(d.type()) == 64 ? brev<uint64_t> : brev<uint32_t>;
  };
  table["bfind"] = decodeBfind;
  table["bfe"] = [](InstDecoder &d, Inst &i) { decodeBitField(d, i, false); };
  table["bfi"] = [](InstDecoder &d, Inst &i) { decodeBitField(d, i, true); };
  table["dp4a"] = [](InstDecoder &d, Inst &i) {
    operands(d, i, Type::B32, 3);
    i.a = isSigned(d.type(0));
    i.b = isSigned(d.type(d.types().size() > 1));
    i.fn = dp4a;
  };
  table["dp2a"] = [](InstDecoder &d, Inst &i) {
    operands(d, i, Type::B32, 3);
    i.a = isSigned(d.type(0));
    i.b = isSigned(d.type(d.types().size() > 1));
    i.c = d.has("hi");
    i.fn = dp2a;
  };
  table["mad24"] = [](InstDecoder &d, Inst &i) {
    operands(d, i, d.type(), 3);
    i.a = isSigned(d.type());
    i.b = d.has("hi");
    i.fn = mad24;
  };
  table["mul24"] = [](InstDecoder &d, Inst &i) {
    operands(d, i, d.type(), 2);
    i.a = isSigned(d.type());
    i.b = d.has("hi");
    i.fn = mul24;
  };
}

TIRX_SIMD_END
