//===- Video.cpp - arithmetic on halves and bytes of words ----------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// vadd2, vadd4 and their kind (PTX ISA 9.7.18): selectors choose two halves or
// four bytes out of those of a and b, results go into places of c, or their sum
// is added to c.
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"
#include "Exec.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace tirx::sim;

TIRX_SIMD_BEGIN

namespace {

enum class VideoOp : uint8_t {
  Add,
  Sub,
  Average,
  AbsDiff,
  Min,
  Max,
  Eq,
  Ne,
  Lt,
  Le,
  Gt,
  Ge,
};

/// Modifiers as Inst::b keeps them.
enum Flags : uint8_t {
  kSignedA = 1,
  kSignedB = 2,
  kSignedResult = 4,
  kSaturate = 8,
  kAccumulate = 16,
};

/// An operand's parts: four bits for each place, the lowest place first.
using Selector = uint32_t;

} // namespace

static int64_t apply(VideoOp op, int64_t a, int64_t b) {
  switch (op) {
  case VideoOp::Add:
    return a + b;
  case VideoOp::Sub:
    return a - b;
  case VideoOp::Average:
    // Halves are rounded away from zero.
    return (a + b + (a + b >= 0)) >> 1;
  case VideoOp::AbsDiff:
    return a > b ? a - b : b - a;
  case VideoOp::Min:
    return std::min(a, b);
  case VideoOp::Max:
    return std::max(a, b);
  case VideoOp::Eq:
    return a == b;
  case VideoOp::Ne:
    return a != b;
  case VideoOp::Lt:
    return a < b;
  case VideoOp::Le:
    return a <= b;
  case VideoOp::Gt:
    return a > b;
  case VideoOp::Ge:
    return a >= b;
  }
  return 0;
}

/// Part `number` of the words of a (low) and b.
static int64_t part(uint64_t words, unsigned number, unsigned bits,
                    bool isSigned) {
  uint64_t value =
      words >> (number * bits) & llvm::maskTrailingOnes<uint64_t>(bits);
  return isSigned ? llvm::SignExtend64(value, bits) : int64_t(value);
}

static int64_t saturate(int64_t value, unsigned bits, bool isSigned) {
  int64_t low = isSigned ? llvm::minIntN(bits) : 0;
  int64_t high = isSigned ? llvm::maxIntN(bits) : int64_t(llvm::maxUIntN(bits));
  return std::clamp(value, low, high);
}

/// `a` operation, `b` flags, `c` number of parts, `d` mask of places, imm and
/// imm2 the selectors of a and b.
static Step video(Warp &w, const Inst &i, uint32_t mask) {
  unsigned bits = 32 / i.c;
  return map3<uint32_t, uint32_t, uint32_t, uint32_t>(
      w, i, mask, [&](uint32_t a, uint32_t b, uint32_t c) {
        uint64_t words = a | uint64_t(b) << 32;
        for (unsigned n = 0; n < i.c; ++n) {
          if (!(i.d >> n & 1))
            continue;
          int64_t value =
              apply(VideoOp(i.a),
                    part(words, i.imm >> (4 * n) & 15, bits, i.b & kSignedA),
                    part(words, i.imm2 >> (4 * n) & 15, bits, i.b & kSignedB));
          if (i.b & kSaturate)
            value = saturate(value, bits, i.b & kSignedResult);
          if (i.b & kAccumulate) {
            c += uint32_t(value);
            continue;
          }
          uint32_t place = llvm::maskTrailingOnes<uint32_t>(bits) << n * bits;
          c = (c & ~place) | (uint32_t(value) << n * bits & place);
        }
        return c;
      });
}

/// `b3210`: digits with the highest place first; without any, parts `first`
/// and up.
static Selector selectorOf(llvm::StringRef text, unsigned count,
                           unsigned first) {
  Selector selector = 0;
  for (unsigned n = 0; n < count; ++n) {
    unsigned digit = text.empty() ? first + n : text[text.size() - 1 - n] - '0';
    selector |= digit << (4 * n);
  }
  return selector;
}

static uint8_t maskOf(llvm::StringRef text, unsigned count) {
  if (text.empty())
    return (1 << count) - 1;
  uint8_t mask = 0;
  for (char digit : text.drop_front())
    mask |= 1 << (digit - '0');
  return mask;
}

/// `first`: which of the type modifiers is that of a.
static void decodeVideo(InstDecoder &d, Inst &i, VideoOp op, unsigned count,
                        unsigned first) {
  d.acceptParts();
  i.a = uint8_t(op);
  i.b = isSigned(d.type(first)) * kSignedA |
        isSigned(d.type(first + 1)) * kSignedB |
        (first && isSigned(d.type(0))) * kSignedResult |
        d.has("sat") * kSaturate | d.has("add") * kAccumulate;
  i.c = count;
  i.d = maskOf(d.parts(0), count);
  i.imm = selectorOf(d.parts(1), count, 0);
  i.imm2 = selectorOf(d.parts(2), count, count);
  i.op[0] = d.dst(0, Type::B32);
  for (unsigned n = 1; n < 4; ++n)
    i.op[n] = d.src(n, Type::B32);
  i.fn = video;
}

template <unsigned count> static void decodeSet(InstDecoder &d, Inst &i) {
  std::optional<VideoOp> op;
  for (llvm::StringRef modifier : d.modifiers()) {
    auto parsed = llvm::StringSwitch<std::optional<VideoOp>>(modifier)
                      .Case("eq", VideoOp::Eq)
                      .Case("ne", VideoOp::Ne)
                      .Case("lt", VideoOp::Lt)
                      .Case("le", VideoOp::Le)
                      .Case("gt", VideoOp::Gt)
                      .Case("ge", VideoOp::Ge)
                      .Default(std::nullopt);
    if (!parsed)
      continue;
    op = parsed;
    d.accept(modifier);
  }
  if (!op)
    return d.fail("expected a comparison such as .lt");
  decodeVideo(d, i, *op, count, 0);
}

template <VideoOp op>
static void add(ModelTable &table, const std::string &name) {
  table[name + "2"] = [](InstDecoder &d, Inst &i) {
    decodeVideo(d, i, op, 2, 1);
  };
  table[name + "4"] = [](InstDecoder &d, Inst &i) {
    decodeVideo(d, i, op, 4, 1);
  };
}

void tirx::sim::addVideoModels(ModelTable &table) {
  add<VideoOp::Add>(table, "vadd");
  add<VideoOp::Sub>(table, "vsub");
  add<VideoOp::Average>(table, "vavrg");
  add<VideoOp::AbsDiff>(table, "vabsdiff");
  add<VideoOp::Min>(table, "vmin");
  add<VideoOp::Max>(table, "vmax");
  table["vset2"] = decodeSet<2>;
  table["vset4"] = decodeSet<4>;
}

TIRX_SIMD_END
