//===- PackedInteger.cpp - halves of words, and masks ---------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two 16-bit integers in a word, .relu of integers, cvt.pack, and the
// instructions that make and search masks.
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"
#include "Exec.h"
#include "llvm/Support/MathExtras.h"

using namespace tirx::sim;

TIRX_SIMD_BEGIN

//===----------------------------------------------------------------------===//
// add, min, max of 16-bit halves; min and max with .relu
//===----------------------------------------------------------------------===//

enum class PackedOp : uint8_t { Add, Min, Max };

/// `a`: the operation, `b`: signed, `c`: negative results become zero.
static int64_t computeHalf(const Inst &i, int64_t x, int64_t y) {
  int64_t result = 0;
  switch (PackedOp(i.a)) {
  case PackedOp::Add:
    result = x + y;
    break;
  case PackedOp::Min:
    result = std::min(x, y);
    break;
  case PackedOp::Max:
    result = std::max(x, y);
    break;
  }
  return i.c ? std::max<int64_t>(result, 0) : result;
}

static Step halves(Warp &w, const Inst &i, uint32_t mask) {
  auto half = [&](uint32_t word, unsigned shift) -> int64_t {
    uint16_t bits = word >> shift;
    return i.b ? int64_t(int16_t(bits)) : int64_t(bits);
  };
  return map2<uint32_t, uint32_t, uint32_t>(
      w, i, mask, [&](uint32_t x, uint32_t y) {
        uint32_t low = uint16_t(computeHalf(i, half(x, 0), half(y, 0)));
        uint32_t high = uint16_t(computeHalf(i, half(x, 16), half(y, 16)));
        return high << 16 | low;
      });
}

static Step wholeWord(Warp &w, const Inst &i, uint32_t mask) {
  return map2<int32_t, int32_t, int32_t>(w, i, mask, [&](int32_t x, int32_t y) {
    return int32_t(computeHalf(i, x, y));
  });
}

bool tirx::sim::decodePackedInteger(InstDecoder &d, Inst &i,
                                    llvm::StringRef name) {
  Type type = d.type();
  bool packed = type == Type::U16x2 || type == Type::S16x2;
  bool relu = name != "add" && d.has("relu");
  if (!packed && !relu)
    return false;
  if (relu && type != Type::S32 && type != Type::S16x2) {
    d.fail(".relu of this type has no model");
    return true;
  }
  i.a = uint8_t(name == "add"   ? PackedOp::Add
                : name == "min" ? PackedOp::Min
                                : PackedOp::Max);
  i.b = type != Type::U16x2;
  i.c = relu;
  i.op[0] = d.dst(0, type);
  i.op[1] = d.src(1, type);
  i.op[2] = d.src(2, type);
  i.fn = packed ? halves : wholeWord;
  return true;
}

//===----------------------------------------------------------------------===//
// cvt.pack
//===----------------------------------------------------------------------===//

/// `size` bits, `a`: signed results, `b`: signed sources. op[3] is moved up.
static Step pack(Warp &w, const Inst &i, uint32_t mask) {
  int64_t low = i.a ? -(int64_t(1) << (i.size - 1)) : 0;
  int64_t high = (int64_t(1) << (i.a ? i.size - 1 : i.size)) - 1;
  auto clamp = [&](uint32_t bits) {
    int64_t value = i.b ? int64_t(int32_t(bits)) : int64_t(bits);
    return uint32_t(std::clamp(value, low, high)) &
           uint32_t(llvm::maskTrailingOnes<uint32_t>(i.size));
  };
  auto *d = w.at<uint32_t>(i.op[0]);
  auto *a = w.at<uint32_t>(i.op[1]), *b = w.at<uint32_t>(i.op[2]);
  forLanes(mask, [&](unsigned l) {
    uint64_t rest = i.op[3] == kNoSlot ? 0 : w.at<uint32_t>(i.op[3])[l];
    d[l] = uint32_t(rest << (2 * i.size)) | clamp(a[l]) << i.size | clamp(b[l]);
  });
  return Step::Next;
}

/// cvt.pack.sat.TYPE.s32{.b32}: TYPE may be narrower than any register.
static void decodePack(InstDecoder &d, Inst &i) {
  llvm::StringRef type;
  for (llvm::StringRef modifier : d.modifiers())
    if (modifier != "sat") {
      type = modifier;
      break;
    }
  unsigned size = 0;
  if (type.drop_front(!type.empty()).getAsInteger(10, size) ||
      !llvm::isPowerOf2_32(size) || size < 2 || size > 16)
    return d.fail("expected a type of 2 to 16 bits");
  d.acceptAll();
  if (d.size() != (size == 16 ? 3u : 4u))
    return d.fail("this number of operands has no model");
  i.size = size;
  i.a = type.front() == 's';
  i.b = llvm::is_contained(d.types(), Type::S32);
  i.op[0] = d.dst(0, Type::B32);
  i.op[1] = d.src(1, Type::B32);
  i.op[2] = d.src(2, Type::B32);
  if (size != 16)
    i.op[3] = d.src(3, Type::B32);
  i.fn = pack;
}

//===----------------------------------------------------------------------===//
// bmsk, szext, fns
//===----------------------------------------------------------------------===//

/// `width` ones from bit `first`; `a`: larger numbers count as 32, else as
/// their low five bits.
static uint32_t makeMask(const Inst &i, uint32_t first, uint32_t width) {
  if (i.a && first >= 32)
    return 0;
  first &= 31;
  width = i.a ? std::min(width, 32u) : width & 31;
  return uint32_t(llvm::maskTrailingOnes<uint64_t>(width) << first);
}

/// The low `width` bits, `b`: with their sign.
static uint32_t extendBits(const Inst &i, uint32_t value, uint32_t width) {
  if (i.a && width >= 32)
    return value;
  width &= 31;
  if (!width)
    return 0;
  uint32_t low = value & llvm::maskTrailingOnes<uint32_t>(width);
  return i.b ? uint32_t(llvm::SignExtend64(low, width)) : low;
}

/// The `offset`-th set bit counted from `base`, downwards when negative.
static uint32_t findSetBit(uint32_t bits, uint32_t base, int32_t offset) {
  // Measured, where the loop of the ISA finds nothing.
  if (offset == std::numeric_limits<int32_t>::min())
    return 0;
  if (offset == 0)
    return base < 32 && bits >> base & 1 ? base : ~0u;
  int step = offset > 0 ? 1 : -1;
  int32_t count = std::abs(offset);
  for (int64_t position = base; position >= 0 && position < 32;
       position += step)
    if (bits >> position & 1 && --count == 0)
      return uint32_t(position);
  return ~0u;
}

template <uint32_t (*compute)(const Inst &, uint32_t, uint32_t)>
static Step masks(Warp &w, const Inst &i, uint32_t mask) {
  return map2<uint32_t, uint32_t, uint32_t>(
      w, i, mask, [&](uint32_t a, uint32_t b) { return compute(i, a, b); });
}

static Step fns(Warp &w, const Inst &i, uint32_t mask) {
  return map3<uint32_t, uint32_t, uint32_t, int32_t>(w, i, mask, findSetBit);
}

static void decodeMaskOp(InstDecoder &d, Inst &i, unsigned sources, ExecFn fn) {
  i.a = d.has("clamp");
  d.accept("wrap");
  i.b = d.type() == Type::S32;
  for (unsigned n = 0; n <= sources; ++n)
    i.op[n] = n ? d.src(n, Type::B32) : d.dst(n, Type::B32);
  i.fn = fn;
}

void tirx::sim::addPackedIntegerModels(ModelTable &table) {
  table["cvt.pack"] = decodePack;
  table["bmsk"] = [](InstDecoder &d, Inst &i) {
    decodeMaskOp(d, i, 2, masks<makeMask>);
  };
  table["szext"] = [](InstDecoder &d, Inst &i) {
    decodeMaskOp(d, i, 2, masks<extendBits>);
  };
  table["fns"] = [](InstDecoder &d, Inst &i) { decodeMaskOp(d, i, 3, fns); };
}

TIRX_SIMD_END
