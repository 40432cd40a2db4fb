//===- Logic.cpp - logic, shifts and permutations -------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"
#include "Exec.h"

using namespace tirx::sim;

TIRX_SIMD_BEGIN

namespace {
struct And {
  template <class T> static T apply(T a, T b) { return a & b; }
};
struct Or {
  template <class T> static T apply(T a, T b) { return a | b; }
};
struct Xor {
  template <class T> static T apply(T a, T b) { return a ^ b; }
};
struct Not {
  template <class T> static T apply(T a) { return T(~a); }
};
struct Cnot {
  template <class T> static T apply(T a) { return a == 0; }
};
} // namespace

template <class Op, class T>
static Step binary(Warp &w, const Inst &i, uint32_t mask) {
  return map2<T, T, T>(w, i, mask, [](T a, T b) { return Op::apply(a, b); });
}
template <class Op, class T>
static Step unary(Warp &w, const Inst &i, uint32_t mask) {
  return map1<T, T>(w, i, mask, [](T a) { return Op::apply(a); });
}
/// Predicates are one word for the warp: one operation serves all lanes.
template <class Op>
static Step predicateBinary(Warp &w, const Inst &i, uint32_t mask) {
  setPredicate(w, i.op[0], mask,
               Op::apply(w.predicate(i.op[1]), w.predicate(i.op[2])));
  return Step::Next;
}
static Step predicateNot(Warp &w, const Inst &i, uint32_t mask) {
  setPredicate(w, i.op[0], mask, ~w.predicate(i.op[1]));
  return Step::Next;
}

template <class Op> static void decodeBinary(InstDecoder &d, Inst &i) {
  Type type = d.type();
  if (type == Type::Pred) {
    i.op[0] = d.dstPredicate(0);
    i.op[1] = d.srcPredicate(1);
    i.op[2] = d.srcPredicate(2);
    i.fn = predicateBinary<Op>;
    return;
  }
  i.op[0] = d.dst(0, type);
  i.op[1] = d.src(1, type);
  i.op[2] = d.src(2, type);
  i.fn = bitsOf(type) == 64   ? binary<Op, uint64_t>
         : bitsOf(type) == 32 ? binary<Op, uint32_t>
                              : binary<Op, uint16_t>;
}

template <class Op> static void decodeUnary(InstDecoder &d, Inst &i) {
  Type type = d.type();
  if (type == Type::Pred) {
    i.op[0] = d.dstPredicate(0);
    i.op[1] = d.srcPredicate(1);
    i.fn = predicateNot;
    return;
  }
  i.op[0] = d.dst(0, type);
  i.op[1] = d.src(1, type);
  i.fn = bitsOf(type) == 64   ? unary<Op, uint64_t>
         : bitsOf(type) == 32 ? unary<Op, uint32_t>
                              : unary<Op, uint16_t>;
}

//===----------------------------------------------------------------------===//
// Shifts: amounts of the width or more give 0, or the sign
//===----------------------------------------------------------------------===//

template <class T> static Step shl(Warp &w, const Inst &i, uint32_t mask) {
  return map2<T, T, uint32_t>(w, i, mask, [](T a, uint32_t b) -> T {
    return b >= 8 * sizeof(T) ? 0 : T(a << b);
  });
}
template <class T> static Step shr(Warp &w, const Inst &i, uint32_t mask) {
  return map2<T, T, uint32_t>(w, i, mask, [](T a, uint32_t b) -> T {
    constexpr uint32_t kLast = 8 * sizeof(T) - 1;
    if (b > kLast)
      return std::is_signed_v<T> ? T(a >> kLast) : T(0);
    return T(a >> b);
  });
}

static void decodeShift(InstDecoder &d, Inst &i, bool left) {
  Type type = d.type();
  i.op[0] = d.dst(0, type);
  i.op[1] = d.src(1, type);
  i.op[2] = d.src(2, Type::U32);
  switch (bitsOf(type)) {
  case 16:
    i.fn = left ? shl<uint16_t> : isSigned(type) ? shr<int16_t> : shr<uint16_t>;
    return;
  case 32:
    i.fn = left ? shl<uint32_t> : isSigned(type) ? shr<int32_t> : shr<uint32_t>;
    return;
  default:
    i.fn = left ? shl<uint64_t> : isSigned(type) ? shr<int64_t> : shr<uint64_t>;
  }
}

/// shf: `a` left, `b` wrap.
static Step funnel(Warp &w, const Inst &i, uint32_t mask) {
  return map3<uint32_t, uint32_t, uint32_t, uint32_t>(
      w, i, mask, [&](uint32_t low, uint32_t high, uint32_t amount) {
        uint32_t n = i.b ? amount & 31 : std::min(amount, 32u);
        uint64_t both = uint64_t(high) << 32 | low;
        return i.a ? uint32_t(both << n >> 32) : uint32_t(both >> n);
      });
}

//===----------------------------------------------------------------------===//
// lop3 and prmt
//===----------------------------------------------------------------------===//

static Step lop3(Warp &w, const Inst &i, uint32_t mask) {
  return map3<uint32_t, uint32_t, uint32_t, uint32_t>(
      w, i, mask, [&](uint32_t a, uint32_t b, uint32_t c) {
        uint32_t r = 0;
        for (unsigned k = 0; k < 8; ++k)
          if (i.imm >> k & 1)
            r |= (k & 4 ? a : ~a) & (k & 2 ? b : ~b) & (k & 1 ? c : ~c);
        return r;
      });
}

enum class PermuteMode : uint8_t { Index, F4e, B4e, Rc8, Ecl, Ecr, Rc16 };

static uint32_t permuteSelector(PermuteMode mode, uint32_t c) {
  uint32_t k = c & 3;
  static const uint16_t f4e[] = {0x3210, 0x4321, 0x5432, 0x6543};
  static const uint16_t b4e[] = {0x5670, 0x6701, 0x7012, 0x0123};
  static const uint16_t rc8[] = {0x0000, 0x1111, 0x2222, 0x3333};
  static const uint16_t ecl[] = {0x3210, 0x3211, 0x3222, 0x3333};
  static const uint16_t ecr[] = {0x0000, 0x1110, 0x2210, 0x3210};
  static const uint16_t rc16[] = {0x1010, 0x3232, 0x1010, 0x3232};
  switch (mode) {
  case PermuteMode::Index:
    return c;
  case PermuteMode::F4e:
    return f4e[k];
  case PermuteMode::B4e:
    return b4e[k];
  case PermuteMode::Rc8:
    return rc8[k];
  case PermuteMode::Ecl:
    return ecl[k];
  case PermuteMode::Ecr:
    return ecr[k];
  case PermuteMode::Rc16:
    return rc16[k];
  }
  return c;
}

static Step prmt(Warp &w, const Inst &i, uint32_t mask) {
  PermuteMode mode = PermuteMode(i.a);
  return map3<uint32_t, uint32_t, uint32_t, uint32_t>(
      w, i, mask, [&](uint32_t a, uint32_t b, uint32_t c) {
        uint64_t bytes = uint64_t(b) << 32 | a;
        uint32_t selector = permuteSelector(mode, c), r = 0;
        for (unsigned k = 0; k < 4; ++k) {
          uint32_t s = selector >> (4 * k) & 0xf;
          uint32_t byte = bytes >> (8 * (s & 7)) & 0xff;
          if (s & 8)
            byte = byte & 0x80 ? 0xff : 0;
          r |= byte << (8 * k);
        }
        return r;
      });
}

static void decodePrmt(InstDecoder &d, Inst &i) {
  i.op[0] = d.dst(0, Type::B32);
  for (unsigned n = 1; n < 4; ++n)
    i.op[n] = d.src(n, Type::B32);
  PermuteMode mode = d.has("f4e")    ? PermuteMode::F4e
                     : d.has("b4e")  ? PermuteMode::B4e
                     : d.has("rc8")  ? PermuteMode::Rc8
                     : d.has("ecl")  ? PermuteMode::Ecl
                     : d.has("ecr")  ? PermuteMode::Ecr
                     : d.has("rc16") ? PermuteMode::Rc16
                                     : PermuteMode::Index;
  i.a = uint8_t(mode);
  i.fn = prmt;
}

/// op[4]: a predicate, which is whether the result is not zero, combined with
/// the predicate op[5]; `a`: by or.
static Step lop3Predicate(Warp &w, const Inst &i, uint32_t mask) {
  lop3(w, i, mask);
  auto *d = w.at<uint32_t>(i.op[0]);
  uint32_t result = 0, with = w.predicate(i.op[5]);
  forLanes(mask, [&](unsigned l) { result |= uint32_t(d[l] != 0) << l; });
  setPredicate(w, i.op[4], mask, i.a ? result | with : result & with);
  return Step::Next;
}

static void decodeLop3(InstDecoder &d, Inst &i) {
  bool isOr = d.has("or"), hasPredicate = d.has("and") || isOr;
  i.op[0] = hasPredicate ? d.pairFirst(0, Type::B32) : d.dst(0, Type::B32);
  for (unsigned n = 1; n < 4; ++n)
    i.op[n] = d.src(n, Type::B32);
  i.imm = d.immediateIn(4, 0, 255);
  i.fn = lop3;
  if (!hasPredicate)
    return;
  i.a = isOr;
  i.op[4] = d.pairSecond(0);
  i.op[5] = d.srcPredicate(5);
  i.fn = lop3Predicate;
}

void tirx::sim::addLogicModels(ModelTable &table) {
  table["and"] = decodeBinary<And>;
  table["or"] = decodeBinary<Or>;
  table["xor"] = decodeBinary<Xor>;
  table["not"] = decodeUnary<Not>;
  table["cnot"] = decodeUnary<Cnot>;
  table["shl"] = [](InstDecoder &d, Inst &i) { decodeShift(d, i, true); };
  table["shr"] = [](InstDecoder &d, Inst &i) { decodeShift(d, i, false); };
  table["shf"] = [](InstDecoder &d, Inst &i) {
    i.op[0] = d.dst(0, Type::B32);
    for (unsigned n = 1; n < 4; ++n)
      i.op[n] = d.src(n, Type::B32);
    i.a = d.has("l");
    i.b = d.has("wrap");
    d.accept({"r", "clamp"});
    i.fn = funnel;
  };
  table["lop3"] = decodeLop3;
  table["prmt"] = decodePrmt;
}

TIRX_SIMD_END
