//===- Approximate.cpp - approximate instructions -------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"
#include "Exec.h"
#include "SpecialFunction.h"

using namespace tirx::sim;

TIRX_SIMD_BEGIN

/// `a`: the function, `b`: flush.
static Step single(Warp &w, const Inst &i, uint32_t mask) {
  return map1<uint32_t, uint32_t>(w, i, mask, [&](uint32_t x) {
    return approximateF32(SpecialFunction(i.a), x, i.b);
  });
}

using HalfFn = uint32_t (*)(SpecialFunction, uint32_t);

template <HalfFn compute>
static Step half(Warp &w, const Inst &i, uint32_t mask) {
  return map1<uint32_t, uint32_t>(w, i, mask, [&](uint32_t x) {
    return compute(SpecialFunction(i.a), x & 0xffff);
  });
}

template <HalfFn compute>
static Step halves(Warp &w, const Inst &i, uint32_t mask) {
  return map1<uint32_t, uint32_t>(w, i, mask, [&](uint32_t x) {
    auto function = SpecialFunction(i.a);
    return compute(function, x & 0xffff) | compute(function, x >> 16) << 16;
  });
}

static Step doubleWord(Warp &w, const Inst &i, uint32_t mask) {
  return map1<uint64_t, uint64_t>(w, i, mask, [&](uint64_t x) {
    return approximateF64(SpecialFunction(i.a), x);
  });
}

static Step rootF64(Warp &w, const Inst &i, uint32_t mask) {
  return map1<uint64_t, uint64_t>(w, i, mask, approximateRsqrtF64);
}

/// `a`: full, `b`: flush.
static Step divide(Warp &w, const Inst &i, uint32_t mask) {
  return map2<uint32_t, uint32_t, uint32_t>(
      w, i, mask, [&](uint32_t a, uint32_t b) {
        return approximateDivision(a, b, i.a, i.b);
      });
}

static ExecFn formOf(Type type, SpecialFunction function, bool flush) {
  bool isHalf =
      function == SpecialFunction::Ex2 || function == SpecialFunction::Tanh;
  bool isDouble =
      function == SpecialFunction::Rcp || function == SpecialFunction::Rsqrt;
  switch (type) {
  case Type::F32:
    return single;
  case Type::F64:
    return !isDouble                            ? nullptr
           : flush                              ? doubleWord
           : function == SpecialFunction::Rsqrt ? rootF64
                                                : nullptr;
  case Type::F16:
    return isHalf ? half<approximateF16> : nullptr;
  case Type::F16x2:
    return isHalf ? halves<approximateF16> : nullptr;
  case Type::BF16:
    return isHalf ? half<approximateBF16> : nullptr;
  case Type::BF16x2:
    return isHalf ? halves<approximateBF16> : nullptr;
  default:
    return nullptr;
  }
}

static bool decode(InstDecoder &d, Inst &i, SpecialFunction function) {
  Type type = d.type();
  bool flush = d.has("ftz");
  d.accept("approx");
  i.fn = formOf(type, function, flush);
  if (!i.fn)
    return false;
  i.a = uint8_t(function);
  i.b = flush;
  i.op[0] = d.dst(0, type);
  i.op[1] = d.src(1, type);
  return true;
}

template <SpecialFunction function>
static void decodeFunction(InstDecoder &d, Inst &i) {
  if (!decode(d, i, function))
    d.fail("this type has no model");
}

bool tirx::sim::decodeApproximate(InstDecoder &d, Inst &i,
                                  llvm::StringRef name) {
  if (name == "div") {
    bool full = d.has("full");
    if (!full && !d.has("approx"))
      return false;
    i.a = full;
    i.b = d.has("ftz");
    i.op[0] = d.dst(0, Type::F32);
    i.op[1] = d.src(1, Type::F32);
    i.op[2] = d.src(2, Type::F32);
    i.fn = divide;
    return true;
  }
  if (!d.has("approx"))
    return false;
  return decode(d, i,
                name == "rcp" ? SpecialFunction::Rcp : SpecialFunction::Sqrt);
}

void tirx::sim::addApproximateModels(ModelTable &table) {
  table["rsqrt"] = decodeFunction<SpecialFunction::Rsqrt>;
  table["ex2"] = decodeFunction<SpecialFunction::Ex2>;
  table["lg2"] = decodeFunction<SpecialFunction::Lg2>;
  table["sin"] = decodeFunction<SpecialFunction::Sin>;
  table["cos"] = decodeFunction<SpecialFunction::Cos>;
  table["tanh"] = decodeFunction<SpecialFunction::Tanh>;
}

TIRX_SIMD_END
