//===- DescriptorOperandsTest.cpp - operands of all widths ----------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random tiles of every element width, swizzle, major-ness, step and phase: a
// walk over the bits that a descriptor makes the hardware read must meet the
// layout's place of every element. And what an H200 read, where it has the
// instruction.
//
//===----------------------------------------------------------------------===//

#include "Measured.h"
#include "TIRx/Layout/Descriptors.h"
#include "Testing.h"
#include "llvm/Support/Base64.h"

using namespace tirx;
using namespace tirx::testing;
using llvm::SmallVector;
using llvm::StringRef;
namespace json = llvm::json;

//===----------------------------------------------------------------------===//
// The hardware's side
//===----------------------------------------------------------------------===//

namespace {
/// What the bits of a descriptor say, decoded without the library.
struct Fields {
  int64_t start, lbo, sbo, base, row, rows;
  int64_t mask, shift; // Of the swizzle: address bits from 7 go to `shift`.
};
} // namespace

static Fields readFields(uint64_t bits, bool wgmma) {
  Fields f = {};
  f.start = int64_t(bits % 16384) * 16;
  f.lbo = int64_t((bits >> 16) % 16384) * 16;
  f.sbo = int64_t((bits >> 32) % 16384) * 16;
  f.base = int64_t((bits >> 49) % 8);
  // none, 32B, 64B, 128B, 128B with 32B atoms
  static const int wgmmaCodes[] = {0, 3, 2, 1};
  static const int tcgen05Codes[] = {0, 4, 3, -1, 2, -1, 1, -1};
  int mode = wgmma ? wgmmaCodes[bits >> 62] : tcgen05Codes[bits >> 61];
  static const int64_t rowBytes[] = {16, 32, 64, 128, 128};
  static const int64_t masks[] = {0, 1, 3, 7, 3};
  f.row = rowBytes[mode];
  f.mask = masks[mode];
  f.shift = mode == 4 ? 5 : 4;
  f.rows = mode == 4 ? 4 : 8;
  return f;
}

/// The bit address of element (mn, k), elements `es` bits apart.
static int64_t readBit(const Fields &f, bool mnMajor, int64_t es, int64_t mn,
                       int64_t k) {
  int64_t row = f.row * 8, lbo = f.lbo * 8, sbo = f.sbo * 8, at;
  if (f.mask == 0)
    at = mnMajor
             ? mn / (128 / es) * sbo + k / 8 * lbo + k % 8 * 128 +
                   mn % (128 / es) * es
             : mn / 8 * sbo + mn % 8 * 128 + k * es / 128 * lbo + k * es % 128;
  else
    at = mnMajor ? mn / (row / es) * lbo + k / f.rows * sbo + k % f.rows * row +
                       mn % (row / es) * es
                 : mn / 8 * sbo + mn % 8 * row + k * es;
  int64_t byte = f.start + at / 8;
  byte ^= (((byte >> 7) - f.base) & f.mask) << f.shift;
  return byte * 8 + at % 8;
}

//===----------------------------------------------------------------------===//
// Random operands
//===----------------------------------------------------------------------===//

namespace {
struct RandomOperand {
  SmemOperand operand;
  bool wgmma;
  Major major;
  SwizzleMode mode;
};
} // namespace

static RandomOperand makeOperand(Random &random) {
  bool wgmma = pick(random, 0, 2) == 0;
  bool padded = !wgmma && pick(random, 0, 4) == 0;
  static const unsigned wide[] = {8, 16, 32}, all[] = {4, 8, 16, 32},
                        paddedBits[] = {4, 6};
  unsigned bits = padded  ? choose(random, paddedBits)
                  : wgmma ? choose(random, wide)
                          : choose(random, all);
  int64_t es = padded ? 8 : bits;
  bool mayBeMN = wgmma ? bits == 16 : bits >= 8;
  Major major = mayBeMN && pick(random, 0, 1) ? Major::MN : Major::K;
  auto mode = SwizzleMode(pick(random, 0, wgmma ? 3 : 4));
  if (!wgmma && major == Major::MN)
    mode =
        bits == 32 ? SwizzleMode::B128Atom32 : SwizzleMode(pick(random, 0, 3));
  int64_t rowBytes = (int64_t(16) << std::min(3u, unsigned(mode)));
  int64_t step = major == Major::MN && pick(random, 0, 3) == 0 ? 64 : 32;
  if (major == Major::K && (rowBytes == 16 || rowBytes >= 64))
    step = pick(random, 0, 3) == 0 ? 64 : 32;

  // Atoms of `rows` lines of one row of the pattern.
  bool kMajor = major == Major::K, atom32 = mode == SwizzleMode::B128Atom32;
  int64_t width = rowBytes * 8 / es, lines = !kMajor && atom32 ? 4 : 8;
  int64_t mnAtom = kMajor ? lines : width, kAtom = kMajor ? width : lines;
  int64_t mnCount = pick(random, 1, std::min<int64_t>(8, 256 / mnAtom));
  int64_t kCount = pick(random, 1, 4), stepElements = step * 8 / es;
  while (kCount * kAtom % stepElements != 0)
    ++kCount;
  int64_t atom = lines * width;
  // Where atoms may begin, in elements: a period of the pattern.
  int64_t unit = mode == SwizzleMode::None ? 128 / es
                 : atom32                  ? 4 * width
                                           : 8 * width;
  int64_t gap = pick(random, 0, 2) * unit, mnStride, kStride;
  if (pick(random, 0, 1)) {
    kStride = atom + gap;
    mnStride = kStride * kCount + pick(random, 0, 1) * unit;
  } else {
    mnStride = atom + gap;
    kStride = mnStride * mnCount + pick(random, 0, 1) * unit;
  }
  // Atoms of K behind the first are reached by steps; those along the other
  // dimension need one stride each way, which the tile below gives.
  Axis m = memoryAxis();
  SmallVector<Iter> mn = {{mnCount, mnStride, m},
                          {mnAtom, kMajor ? width : 1, m}};
  SmallVector<Iter> k = {{kCount, kStride, m}, {kAtom, kMajor ? 1 : width, m}};
  bool transposed = pick(random, 0, 1);
  SmallVector<Iter> iters = transposed ? k : mn;
  llvm::append_range(iters, transposed ? mn : k);
  TileLayout tile = llvm::cantFail(
      TileLayout::get(iters, {}, {{m, pick(random, 0, 2) * unit}}));
  Layout layout = tile;
  if (auto swizzle = getElementSwizzle(mode, es))
    layout = llvm::cantFail(Layout::compose(*swizzle, tile));
  SmemOperand operand{layout, {mnCount * mnAtom, kCount * kAtom}, 1, bits};
  if (transposed) {
    operand.shape = {kCount * kAtom, mnCount * mnAtom};
    operand.kDim = 0;
  }
  operand.padded = padded;
  operand.stepBytes = step;
  if (mode != SwizzleMode::None && pick(random, 0, 1))
    operand.basePhase = pick(random, 0, 7) * 128;
  return {operand, wgmma, major, mode};
}

static llvm::Expected<SmemDescriptor> derive(const SmemOperand &operand,
                                             bool wgmma) {
  return wgmma ? deriveWgmmaDescriptor(operand)
               : deriveTcgen05Descriptor(operand);
}

/// The first element that the hardware reads elsewhere, in words.
static std::string compareWalk(const SmemOperand &operand,
                               const SmemDescriptor &desc, bool wgmma) {
  int64_t es = operand.padded ? 8 : operand.elementBits;
  int64_t mns = operand.shape[1 - operand.kDim];
  int64_t ks = operand.shape[operand.kDim];
  int64_t step = operand.stepBytes * 8 / es;
  if (int64_t(desc.numSteps()) * step != ks)
    return "wrong number of steps";
  int64_t base = 1024 * 5 + operand.basePhase;
  for (int64_t k = 0; k < ks; ++k) {
    Fields fields = readFields(
        desc.constantBits + uint64_t(base + desc.stepOffset(k / step)) / 16,
        wgmma);
    for (int64_t mn = 0; mn < mns; ++mn) {
      int64_t got = readBit(fields, desc.major == Major::MN, es, mn, k % step);
      int64_t flat = operand.kDim ? mn * ks + k : k * mns + mn;
      int64_t want =
          base * 8 + operand.layout.apply(flat).get(memoryAxis()) * es;
      if (got != want)
        return ("(" + llvm::Twine(mn) + ", " + llvm::Twine(k) + "): bit " +
                llvm::Twine(got) + ", layout " + llvm::Twine(want))
            .str();
    }
  }
  return "";
}

TEST(DescriptorOperands, EveryWidthIsReadRight) {
  Random random(51);
  int checked = 0, atom32 = 0, phases = 0, narrow = 0;
  for (int i = 0; i < 1500; ++i) {
    RandomOperand r = makeOperand(random);
    int64_t bits = r.operand.padded ? 8 : r.operand.elementBits;
    if (r.operand.layout.getSpan(memoryAxis()).max * bits / 8 > 150000)
      continue;
    auto desc = derive(r.operand, r.wgmma);
    ASSERT_TRUE(bool(desc))
        << toString(r.operand.layout) << " " << r.operand.elementBits
        << " bits, step " << r.operand.stepBytes << ": "
        << llvm::toString(desc.takeError());
    EXPECT_EQ(desc->major, r.major);
    ASSERT_EQ(compareWalk(r.operand, *desc, r.wgmma), "")
        << toString(r.operand.layout);
    ++checked;
    atom32 += desc->swizzle == SwizzleMode::B128Atom32;
    phases += r.operand.basePhase % desc->requiredAlignment != 0;
    narrow += r.operand.elementBits < 8;
  }
  EXPECT_GT(checked, 1000);
  EXPECT_GT(atom32, 100);
  EXPECT_GT(phases, 200);
  EXPECT_GT(narrow, 200);
}

/// Whatever is changed about an operand: what is accepted is read right.
TEST(DescriptorOperands, ChangedOperandsAreReadRightOrRefused) {
  Random random(52);
  int accepted = 0, refused = 0;
  for (int i = 0; i < 6000; ++i) {
    RandomOperand r = makeOperand(random);
    SmemOperand &operand = r.operand;
    const TileLayout &tile = *operand.layout.getTile();
    SmallVector<Iter> iters(tile.getShard());
    int64_t offset = tile.getOffset(memoryAxis());
    std::optional<SwizzleLayout> swizzle;
    if (operand.layout.getSwizzle())
      swizzle = *operand.layout.getSwizzle();
    static const unsigned widths[] = {4, 6, 8, 16, 32, 64};
    switch (pick(random, 0, 6)) {
    case 0:
      iters[pick(random, 0, 3)].stride += pick(random, 1, 64);
      break;
    case 1:
      std::swap(iters[pick(random, 0, 3)].stride,
                iters[pick(random, 0, 3)].stride);
      break;
    case 2:
      offset += pick(random, 1, 2048);
      break;
    case 3:
      swizzle = llvm::cantFail(SwizzleLayout::get(
          pick(random, 1, 5), pick(random, 0, 2), pick(random, 2, 3)));
      break;
    case 4:
      operand.elementBits = choose(random, widths);
      operand.padded = pick(random, 0, 1);
      break;
    case 5:
      operand.stepBytes = pick(random, 0, 3) * 32;
      break;
    case 6:
      operand.basePhase = pick(random, 0, 1100);
      r.wgmma = !r.wgmma;
      break;
    }
    TileLayout changed =
        llvm::cantFail(TileLayout::get(iters, {}, {{memoryAxis(), offset}}));
    operand.layout = swizzle
                         ? llvm::cantFail(Layout::compose(*swizzle, changed))
                         : Layout(changed);
    if (operand.layout.getSpan(memoryAxis()).max > 40000)
      continue;
    auto desc = derive(operand, r.wgmma);
    if (!desc) {
      ++refused;
      std::string reason = llvm::toString(desc.takeError());
      EXPECT_TRUE(isReason(reason)) << reason;
      continue;
    }
    ++accepted;
    ASSERT_EQ(compareWalk(operand, *desc, r.wgmma), "")
        << toString(operand.layout);
  }
  EXPECT_GT(accepted, 300);
  EXPECT_GT(refused, 1500);
}

TEST(DescriptorOperands, Reasons) {
  auto reason = [](SmemOperand operand, bool wgmma = false) {
    return messageOf(derive(operand, wgmma));
  };
  SmemOperand rows{parse("S[(8, 32) : (32, 1)]"), {8, 32}, 1, 6};
  EXPECT_EQ(reason(rows), "expected elements of 4, 8, 16 or 32 bits, got 6");
  rows.padded = true;
  EXPECT_EQ(reason(rows, true),
            "expected no padded elements for wgmma, got 6-bit ones");
  rows.elementBits = 8;
  EXPECT_EQ(reason(rows), "expected padded elements of 4 or 6 bits, got 8");
  SmemOperand columns{
      parse("S[(2, 16, 4, 8) : (512, 1, 128, 16)]"), {32, 32}, 1, 4};
  columns.padded = true;
  EXPECT_EQ(reason(columns),
            "expected a K-major operand for 4-bit elements, got an MN-major "
            "one");
  SmemOperand tf32{
      parse("Compose(2, 3, 3, S[(32, 8) : (1, 32)])"), {32, 8}, 1, 32};
  EXPECT_EQ(reason(tf32),
            "expected a 128B swizzle with 32B atoms for an MN-major operand "
            "of 32-bit elements, got a 128B swizzle along MN");
  EXPECT_EQ(reason(tf32, true),
            "expected a K-major operand for 32-bit elements of wgmma, got an "
            "MN-major one");
  SmemOperand half{
      parse("Compose(3, 3, 3, S[(64, 64) : (64, 1)])"), {64, 64}, 1, 16};
  half.basePhase = 64;
  EXPECT_EQ(reason(half),
            "expected the buffer to begin at a multiple of 128 "
            "bytes for a 128B swizzle along K, got a phase of 64");
  half.basePhase = 1024;
  EXPECT_EQ(reason(half),
            "expected the phase of the buffer to be 0 to 1023 bytes, got 1024");
  half = {parse("Compose(3, 1, 3, S[(64, 16) : (16, 1)])"), {64, 16}, 1, 16};
  half.stepBytes = 64;
  EXPECT_EQ(reason(half), "expected an extent along K that is a multiple of 32 "
                          "(64 bytes) up to 131072, got 16");
}

//===----------------------------------------------------------------------===//
// Measured
//===----------------------------------------------------------------------===//

static uint64_t getHex(const json::Object &object, StringRef key) {
  uint64_t bits = 0;
  EXPECT_FALSE(object.getString(key)->getAsInteger(16, bits));
  return bits;
}

/// The operand that a descriptor reads, from its fields: one atom after
/// another along both dimensions.
static SmemOperand makeMeasured(const Fields &f, bool mnMajor, int64_t es,
                                int64_t mn, int64_t k, int64_t start) {
  bool none = f.mask == 0;
  int64_t width = f.row / es;
  Axis m = memoryAxis();
  SmallVector<Iter> iters;
  if (mnMajor)
    iters = {{std::max<int64_t>(mn / width, 1), (none ? f.sbo : f.lbo) / es, m},
             {std::min(mn, width), 1, m},
             {k / 8, (none ? f.lbo : f.sbo) / es, m},
             {8, width, m}};
  else if (none)
    iters = {{mn / 8, f.sbo / es, m},
             {8, width, m},
             {k / width, f.lbo / es, m},
             {width, 1, m}};
  else
    iters = {{mn / 8, f.sbo / es, m}, {8, width, m}, {k, 1, m}};
  TileLayout tile =
      llvm::cantFail(TileLayout::get(iters, {}, {{m, start / es}}));
  Layout layout = tile;
  auto mode = f.row == 16   ? SwizzleMode::None
              : f.row == 32 ? SwizzleMode::B32
              : f.row == 64 ? SwizzleMode::B64
                            : SwizzleMode::B128;
  if (auto swizzle = getElementSwizzle(mode, es * 8))
    layout = llvm::cantFail(Layout::compose(*swizzle, tile));
  return {layout, {mn, k}, 1, unsigned(es * 8)};
}

/// For each start row and base offset that wgmma was run with, the layout whose
/// buffer begins at the phase has a descriptor with that base offset, and its
/// elements are where the hardware read.
TEST(DescriptorOperands, WgmmaReadsWhereTheLayoutSays) {
  json::Object file = readMeasured("wgmma_base_offset.json");
  int compared = 0;
  std::vector<int64_t> rows = toIntegers(file.getArray("rows"));
  for (const json::Value &value : *file.getArray("cases")) {
    const json::Object &test = *value.getAsObject();
    uint64_t bits = getHex(test, "desc");
    Fields f = readFields(bits, /*wgmma=*/true);
    bool mnMajor = *test.getInteger("trans");
    // The pattern begins `base` rows of 128 bytes before or in the tile.
    int64_t phase = f.base * 128, start = *test.getInteger("start");
    SmemOperand operand = makeMeasured(f, mnMajor, 2, 64, 16, start - phase);
    operand.basePhase = phase;
    auto desc = deriveWgmmaDescriptor(operand);
    ASSERT_TRUE(bool(desc)) << llvm::toString(desc.takeError());
    int64_t period = 128 * (f.mask + 1);
    int64_t want = phase % period == 0 ? 0 : f.base;
    EXPECT_EQ(int64_t(desc->constantBits >> 49 & 7), want);
    EXPECT_EQ(desc->stepOffset(0), start - phase);
    const json::Array &read = *test.getArray("read");
    for (size_t i = 0; i < rows.size(); ++i)
      for (int64_t k = 0; k < 16; ++k, ++compared)
        ASSERT_EQ(
            phase +
                2 * operand.layout.apply(rows[i] * 16 + k).get(memoryAxis()),
            *(*read[i].getAsArray())[k].getAsInteger())
            << "start " << start << " phase " << phase;
  }
  EXPECT_EQ(compared, 96 * 8 * 16);
}

/// The value of a small float of 16 bits, or an integer.
static double toNumber(StringRef type, StringRef image, int64_t at) {
  auto byte = [&](int64_t i) { return unsigned(uint8_t(image[at + i])); };
  if (type == "s8")
    return int8_t(byte(0));
  if (type == "u8")
    return byte(0);
  if (type == "tf32") {
    uint32_t bits =
        byte(0) | byte(1) << 8 | byte(2) << 16 | unsigned(byte(3)) << 24;
    float number;
    bits &= ~0x1fffu; // The unit does not have these.
    memcpy(&number, &bits, 4);
    return number;
  }
  unsigned bits = byte(0) | byte(1) << 8;
  int exponent = bits >> 10 & 31;
  double magnitude = exponent ? std::ldexp(1024 + bits % 1024, exponent - 25)
                              : std::ldexp(bits % 1024, -24);
  return bits >> 15 ? -magnitude : magnitude;
}

/// The layout of an operand as measured, after its descriptor is compared.
static Layout checkMeasuredOperand(const json::Object &test, StringRef side,
                                   int64_t mn, int64_t k, int64_t es) {
  const json::Object &given = *test.getObject((side + "_operand").str());
  uint64_t bits = getHex(given, "desc");
  bool mnMajor = *given.getInteger("transposed");
  Fields f = readFields(bits, /*wgmma=*/true);
  SmemOperand operand =
      makeMeasured(f, mnMajor, es, mn, k, *given.getInteger("start"));
  auto desc = deriveWgmmaDescriptor(operand);
  if (!desc) {
    ADD_FAILURE() << llvm::toString(desc.takeError());
    return operand.layout;
  }
  // An offset that leads to no second atom may be anything.
  int64_t run = mnMajor ? f.row / es : 8;
  uint64_t unused = mn > run                 ? 0
                    : mnMajor && f.mask != 0 ? uint64_t(0x3fff) << 16
                                             : uint64_t(0x3fff) << 32;
  EXPECT_EQ(desc->constantBits & ~unused, bits & ~unused);
  EXPECT_EQ(desc->stepOffset(0), *given.getInteger("start"));
  return operand.layout;
}

TEST(DescriptorOperands, WgmmaMultipliesWhatTheLayoutsSay) {
  json::Object file = readMeasured("wgmma_operands.json");
  int compared = 0;
  for (const json::Value &value : *file.getArray("cases")) {
    const json::Object &test = *value.getAsObject();
    StringRef aType = *test.getString("a"), bType = *test.getString("b");
    int64_t n = *test.getInteger("n"), k = *test.getInteger("k");
    int64_t es = 32 / k;
    Layout a = checkMeasuredOperand(test, "a", 64, k, es);
    Layout b = checkMeasuredOperand(test, "b", n, k, es);
    std::vector<char> image;
    ASSERT_FALSE(bool(llvm::decodeBase64(*test.getString("smem"), image)));
    StringRef smem(image.data(), image.size());
    std::vector<int64_t> product = toIntegers(test.getArray("product"));
    for (int64_t i = 0; i < 64; ++i)
      for (int64_t j = 0; j < n; ++j, ++compared) {
        double sum = 0;
        for (int64_t l = 0; l < k; ++l)
          sum +=
              toNumber(aType, smem, es * a.apply(i * k + l).get(memoryAxis())) *
              toNumber(bType, smem, es * b.apply(j * k + l).get(memoryAxis()));
        ASSERT_EQ(sum, double(product[i * n + j])) << i << ", " << j;
      }
  }
  EXPECT_GT(compared, 10000);
}
