//===- DescriptorsTest.cpp - layouts against descriptor addressing --------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The proof that a derived descriptor is right: a walk over the addresses that
// the hardware reads, written from the bits of the descriptor alone, must meet
// the layout's address of every element. Random layouts, fixed seeds.
//
//===----------------------------------------------------------------------===//

#include "TIRx/Layout/Descriptors.h"
#include "TIRx/Layout/Text.h"
#include "gtest/gtest.h"
#include <random>

using namespace tirx;

namespace {

//===----------------------------------------------------------------------===//
// The hardware's side
//===----------------------------------------------------------------------===//

/// The byte address that tcgen05.mma reads for element (mn, k) of one step.
/// Takes raw bits and shares no code with the library.
uint64_t readAddress(uint64_t bits, bool mnMajor, int64_t es, int64_t mn,
                     int64_t k) {
  uint64_t start = (bits & 0x3fff) * 16;
  uint64_t lbo = (bits >> 16 & 0x3fff) * 16;
  uint64_t sbo = (bits >> 32 & 0x3fff) * 16;
  uint64_t code = bits >> 61;
  int64_t row = code == 2 ? 128 : code == 4 ? 64 : code == 6 ? 32 : 16;
  uint64_t mask = code == 2 ? 7 : code == 4 ? 3 : code == 6 ? 1 : 0;
  bool swizzled = code != 0;
  uint64_t address = start;
  if (!mnMajor && !swizzled)
    address += mn / 8 * sbo + k * es / 16 * lbo + mn % 8 * 16 + k * es % 16;
  else if (!mnMajor)
    address += mn / 8 * sbo + mn % 8 * row + k * es;
  else if (!swizzled)
    address +=
        mn / (16 / es) * sbo + k / 8 * lbo + k % 8 * 16 + mn % (16 / es) * es;
  else
    address += mn / (row / es) * lbo + k / 8 * sbo + k % 8 * row +
               mn % (row / es) * es;
  return address ^ ((address >> 7 & mask) << 4);
}

/// Compares the walk with the layout; the first difference in words.
std::string compareWithLayout(const SmemOperand &operand,
                              const SmemDescriptor &desc, int64_t base) {
  int64_t es = operand.elementBits / 8, stepK = 32 / es;
  int64_t mns = operand.shape[1 - operand.kDim];
  int64_t ks = operand.shape[operand.kDim];
  if (int64_t(desc.numSteps()) != ks / stepK)
    return "wrong number of steps";
  for (int64_t mn = 0; mn < mns; ++mn)
    for (int64_t k = 0; k < ks; ++k) {
      int64_t start = base + desc.stepOffset(k / stepK);
      uint64_t got = readAddress(desc.constantBits + (uint64_t(start) >> 4),
                                 desc.major == Major::MN, es, mn, k % stepK);
      int64_t at[2] = {operand.kDim ? mn : k, operand.kDim ? k : mn};
      uint64_t want =
          base + operand.layout.apply(at, operand.shape).get(memoryAxis()) * es;
      if (got != want)
        return ("element (" + llvm::Twine(mn) + ", " + llvm::Twine(k) +
                "): hardware " + llvm::Twine(got) + ", layout " +
                llvm::Twine(want))
            .str();
    }
  return "";
}

//===----------------------------------------------------------------------===//
// Random canonical layouts
//===----------------------------------------------------------------------===//

using Random = std::mt19937;

int64_t pick(Random &rng, int64_t low, int64_t high) {
  return std::uniform_int_distribution<int64_t>(low, high)(rng);
}

/// Splits iters at random and sprinkles iters of extent 1: another spelling.
llvm::SmallVector<Iter> respell(llvm::ArrayRef<Iter> iters, Random &rng) {
  llvm::SmallVector<Iter> result;
  for (Iter iter : iters) {
    if (pick(rng, 0, 3) == 0)
      result.push_back({1, pick(rng, 0, 99), memoryAxis()});
    for (int64_t part : {2, 3, 4}) {
      if (iter.extent % part != 0 || pick(rng, 0, 2) != 0)
        continue;
      int64_t inner = iter.extent / part;
      result.push_back({part, iter.stride * inner, iter.axis});
      iter.extent = inner;
    }
    result.push_back(iter);
  }
  return result;
}

struct Case {
  SmemOperand operand;
  Major major;
  SwizzleMode mode;
};

/// A tile of whole atoms whose places along MN and K have one stride each, with
/// gaps, in either nesting, in either order of the dimensions.
Case makeCanonical(Random &rng) {
  static constexpr unsigned widths[] = {16, 16, 8, 32};
  unsigned bits = widths[pick(rng, 0, 3)];
  int64_t es = bits / 8;
  auto mode = SwizzleMode(pick(rng, 0, 3));
  Major major = bits != 32 && pick(rng, 0, 1) ? Major::MN : Major::K;
  bool swizzled = mode != SwizzleMode::None;
  int64_t width = (int64_t(16) << unsigned(mode)) / es, atom = 8 * width;
  int64_t stepK = 32 / es;

  bool kMajor = major == Major::K;
  int64_t mnAtom = kMajor ? 8 : width, kAtom = kMajor ? width : 8;
  int64_t mnCount = pick(rng, 1, 256 / mnAtom);
  int64_t kCount = pick(rng, 1, 8);
  while (kCount * kAtom % stepK != 0)
    ++kCount;
  // Without swizzle atoms need only start on 16 bytes.
  int64_t unit = swizzled ? atom : 16 / es;
  int64_t gap = pick(rng, 0, 2) * unit;
  int64_t mnStride, kStride;
  if (pick(rng, 0, 1)) {
    kStride = atom + gap;
    mnStride = kStride * kCount + pick(rng, 0, 1) * unit;
  } else {
    mnStride = atom + gap;
    kStride = mnStride * mnCount + pick(rng, 0, 1) * unit;
  }
  Axis m = memoryAxis();
  llvm::SmallVector<Iter> mn = {{mnCount, mnStride, m},
                                {mnAtom, kMajor ? width : 1, m}};
  llvm::SmallVector<Iter> k = {{kCount, kStride, m},
                               {kAtom, kMajor ? 1 : width, m}};
  bool transposed = pick(rng, 0, 1);
  llvm::SmallVector<Iter> iters = respell(transposed ? k : mn, rng);
  llvm::append_range(iters, respell(transposed ? mn : k, rng));
  TileLayout tile =
      llvm::cantFail(TileLayout::get(iters, {}, {{m, pick(rng, 0, 3) * unit}}));
  Layout layout = tile;
  if (auto swizzle = getElementSwizzle(mode, bits))
    layout = llvm::cantFail(Layout::compose(*swizzle, tile));
  SmemOperand operand{layout, {mnCount * mnAtom, kCount * kAtom}, 1, bits};
  if (transposed) {
    operand.shape = {kCount * kAtom, mnCount * mnAtom};
    operand.kDim = 0;
  }
  return {operand, major, mode};
}

TEST(DescriptorsTest, CanonicalLayoutsAreReadRight) {
  Random rng(1);
  for (int i = 0; i < 600; ++i) {
    Case c = makeCanonical(rng);
    if (c.operand.layout.getSpan(memoryAxis()).max * c.operand.elementBits / 8 >
        200000)
      continue;
    llvm::Expected<SmemDescriptor> desc = deriveTcgen05Descriptor(c.operand);
    ASSERT_TRUE(bool(desc))
        << toString(c.operand.layout) << " " << c.operand.shape[0] << "x"
        << c.operand.shape[1] << ": " << llvm::toString(desc.takeError());
    EXPECT_EQ(desc->major, c.major);
    EXPECT_EQ(desc->swizzle, c.mode);
    int64_t base = pick(rng, 0, 8) * desc->requiredAlignment;
    ASSERT_EQ(compareWithLayout(c.operand, *desc, base), "")
        << toString(c.operand.layout);
  }
}

//===----------------------------------------------------------------------===//
// Arbitrary layouts: right or refused
//===----------------------------------------------------------------------===//

/// Whether some descriptor reads the operand, tried without looking at how the
/// layout is written: its strides can only be where certain elements are.
bool someDescriptorReads(const SmemOperand &operand) {
  int64_t es = operand.elementBits / 8, stepK = 32 / es;
  int64_t mns = operand.shape[1 - operand.kDim];
  int64_t ks = operand.shape[operand.kDim];
  for (auto mode : {SwizzleMode::None, SwizzleMode::B32, SwizzleMode::B64,
                    SwizzleMode::B128}) {
    auto linear = [&](int64_t mn, int64_t k) -> int64_t {
      int64_t at[2] = {operand.kDim ? mn : k, operand.kDim ? k : mn};
      return applySwizzle(
          mode, operand.layout.apply(at, operand.shape).get(memoryAxis()) * es);
    };
    int64_t row = getRowBytes(mode), pattern = getPatternBytes(mode);
    for (bool mnMajor : {false, true}) {
      if (mnMajor && es == 4)
        continue; // These have a swizzle mode of their own.
      int64_t run = mnMajor ? row / es : 8;
      int64_t origin = linear(0, 0);
      int64_t outer = mns > run ? linear(run, 0) - origin : pattern;
      int64_t inner = mnMajor                     ? linear(0, 8) - origin
                      : mode == SwizzleMode::None ? linear(0, 16 / es) - origin
                                                  : 16;
      MatrixDescriptor fields;
      fields.swizzle = mode;
      bool outerIsSbo = !mnMajor || mode == SwizzleMode::None;
      int64_t lbo = outerIsSbo ? inner : outer,
              sbo = outerIsSbo ? outer : inner;
      bool swizzled = mode != SwizzleMode::None;
      if (lbo < 0 || lbo % 16 || sbo < 0 || sbo % 16 ||
          (swizzled && (sbo % pattern || (mnMajor && lbo % pattern))))
        continue;
      fields.leadingByteOffset = lbo;
      fields.strideByteOffset = sbo;
      uint64_t bits = llvm::cantFail(encodeTcgen05Descriptor(fields));
      bool right = true;
      for (int64_t k = 0; right && k < ks; ++k)
        for (int64_t mn = 0; right && mn < mns; ++mn) {
          int64_t start = linear(0, k / stepK * stepK);
          right =
              start % 16 == 0 && (!swizzled || start % pattern < row) &&
              applySwizzle(mode, linear(mn, k)) ==
                  readAddress(bits + start / 16, mnMajor, es, mn, k % stepK);
        }
      if (right)
        return true;
    }
  }
  return false;
}

/// Changes one number of a canonical layout, or its swizzle, or swaps iters.
SmemOperand spoil(SmemOperand operand, Random &rng) {
  const TileLayout &tile = *operand.layout.getTile();
  llvm::SmallVector<Iter> iters(tile.getShard());
  int64_t offset = tile.getOffset(memoryAxis());
  std::optional<SwizzleLayout> swizzle;
  if (operand.layout.getSwizzle())
    swizzle = *operand.layout.getSwizzle();
  Iter &victim = iters[pick(rng, 0, iters.size() - 1)];
  switch (pick(rng, 0, 5)) {
  case 0:
    victim.stride = victim.stride * pick(rng, 0, 2) + pick(rng, 0, 8);
    break;
  case 1:
    std::swap(victim.stride, iters[pick(rng, 0, iters.size() - 1)].stride);
    break;
  case 2:
    offset += pick(rng, 1, 600);
    break;
  case 3:
    swizzle = llvm::cantFail(
        SwizzleLayout::get(pick(rng, 2, 4), pick(rng, 1, 3), pick(rng, 3, 4),
                           pick(rng, 0, 3) == 0));
    break;
  case 4:
    swizzle.reset();
    break;
  case 5:
    std::swap(operand.shape[0], operand.shape[1]);
    operand.kDim = 1 - operand.kDim;
    break;
  }
  TileLayout changed =
      llvm::cantFail(TileLayout::get(iters, {}, {{memoryAxis(), offset}}));
  operand.layout = swizzle ? llvm::cantFail(Layout::compose(*swizzle, changed))
                           : Layout(changed);
  return operand;
}

TEST(DescriptorsTest, OtherLayoutsAreReadRightOrRefused) {
  Random rng(2);
  int accepted = 0, refused = 0;
  for (int i = 0; i < 4000; ++i) {
    SmemOperand operand = spoil(makeCanonical(rng).operand, rng);
    if (operand.layout.getSpan(memoryAxis()).max > 20000)
      continue;
    int64_t mn = operand.shape[1 - operand.kDim];
    int64_t k = operand.shape[operand.kDim];
    llvm::Expected<SmemDescriptor> desc = deriveTcgen05Descriptor(operand);
    bool legalShape =
        mn % 8 == 0 && mn <= 256 && k % (256 / operand.elementBits) == 0;
    std::string text = toString(operand.layout);
    if (!desc) {
      ++refused;
      std::string reason = llvm::toString(desc.takeError());
      EXPECT_NE(reason.find("expected"), std::string::npos) << reason;
      bool exists = legalShape && someDescriptorReads(operand);
      EXPECT_FALSE(exists) << text << ": " << reason;
      continue;
    }
    ++accepted;
    EXPECT_TRUE(legalShape);
    ASSERT_EQ(compareWithLayout(operand, *desc, desc->requiredAlignment), "")
        << text;
  }
  EXPECT_GT(accepted, 100);
  EXPECT_GT(refused, 1000);
}

//===----------------------------------------------------------------------===//
// Known numbers and reasons
//===----------------------------------------------------------------------===//

SmemOperand makeOperand(llvm::StringRef text, int64_t rows, int64_t columns,
                        unsigned kDim = 1, unsigned bits = 16) {
  AxisTable axes;
  return {llvm::cantFail(parseLayout(text, axes)), {rows, columns}, kDim, bits};
}

std::string getReason(const SmemOperand &operand) {
  llvm::Expected<SmemDescriptor> desc = deriveTcgen05Descriptor(operand);
  return desc ? "no reason" : llvm::toString(desc.takeError());
}

TEST(DescriptorsTest, SwizzledKMajor) {
  SmemDescriptor desc = llvm::cantFail(deriveTcgen05Descriptor(makeOperand(
      "#tirx.compose<#tirx.swizzle<3, 3, 3>, #tirx.tile<S[(128, 64) : (64, "
      "1)]>>",
      128, 64)));
  EXPECT_EQ(desc.major, Major::K);
  EXPECT_EQ(desc.swizzle, SwizzleMode::B128);
  EXPECT_EQ(desc.strideByteOffset, 1024);
  EXPECT_EQ(desc.requiredAlignment, 1024);
  EXPECT_EQ(desc.constantBits, 0x4000404000010000u);
  EXPECT_EQ(desc.stepOffsets, (llvm::SmallVector<int64_t, 16>{0, 32, 64, 96}));
}

TEST(DescriptorsTest, AtomsSideBySide) {
  SmemDescriptor desc = llvm::cantFail(deriveTcgen05Descriptor(makeOperand(
      "Compose(3, 3, 3, S[(32, 2, 64) : (64, 2048, 1)])", 32, 128)));
  EXPECT_EQ(desc.leadingByteOffset, 4096);
  EXPECT_EQ(desc.constantBits, 0x4000404001000000u);
  EXPECT_EQ(desc.stepOffsets, (llvm::SmallVector<int64_t, 16>{
                                  0, 32, 64, 96, 4096, 4128, 4160, 4192}));
}

TEST(DescriptorsTest, WgmmaHasItsOwnBits) {
  SmemOperand operand =
      makeOperand("Compose(3, 2, 3, S[(64, 32) : (32, 1)])", 64, 32);
  SmemDescriptor desc = llvm::cantFail(deriveWgmmaDescriptor(operand));
  EXPECT_EQ(desc.constantBits, 0x8000002000010000u);
  SmemOperand bytes =
      makeOperand("S[(32, 2, 16) : (16, 512, 1)]", 32, 32, 0, 8);
  llvm::Expected<SmemDescriptor> refused = deriveWgmmaDescriptor(bytes);
  ASSERT_FALSE(bool(refused));
  EXPECT_EQ(llvm::toString(refused.takeError()),
            "expected a K-major operand for 8-bit elements of wgmma, got an "
            "MN-major one");
  EXPECT_TRUE(bool(llvm::expectedToOptional(deriveTcgen05Descriptor(bytes))));
}

TEST(DescriptorsTest, Reasons) {
  EXPECT_EQ(getReason(makeOperand("Compose(3, 3, 3, S[(128, 16) : (16, 1)])",
                                  128, 16)),
            "expected rows of 64 elements (128 bytes) for a 128B swizzle along "
            "K, got 16");
  EXPECT_EQ(getReason(makeOperand("Compose(3, 3, 3, S[(64, 32) : (1, 64)])", 64,
                                  24 + 8, 1, 16)),
            "no reason");
  EXPECT_EQ(
      getReason(makeOperand("Compose(3, 3, 3, S[(32, 32) : (1, 32)])", 32, 32)),
      "expected rows of 64 elements (128 bytes) for a 128B swizzle along "
      "MN, got 32");
  EXPECT_EQ(getReason(makeOperand("S[(128, 64) : (64, 1)]", 128, 64)),
            "expected rows of 8 elements (16 bytes) for no swizzle along K, "
            "got 64");
  EXPECT_EQ(getReason(makeOperand("S[(128, 64) : (128, 2)]", 128, 64)),
            "expected neighbours along K or MN to be neighbours in memory, got "
            "steps of 2 and 128 elements");
  EXPECT_EQ(
      getReason(makeOperand("S[(128, 64) : (1@TLane, 1@TCol)]", 128, 64)),
      "expected a shared-memory operand on axis 'm' only, got axis 'TCol'");
  EXPECT_EQ(
      getReason(makeOperand(
          "Compose(3, 3, 3, S[(128, 64) : (64, 1)] + R[2 : 8192])", 128, 64)),
      "expected one copy of each element of a shared-memory operand, got "
      "2");
  EXPECT_EQ(getReason(makeOperand(
                "Compose(3, 3, 3, S[(128, 64) : (64, 1)] + 256)", 128, 64)),
            "expected step 0 along K to start in the first row of a 1024-byte "
            "atom of the 128B swizzle, got byte 512");
  EXPECT_EQ(getReason(makeOperand("S[(12, 16) : (16, 1)]", 12, 16)),
            "expected an extent along MN that is a multiple of 8 up to 256, "
            "got 12");
  EXPECT_EQ(getReason(makeOperand("S[(64, 24) : (24, 1)]", 64, 24)),
            "expected an extent along K that is a multiple of 16 (32 bytes) up "
            "to 131072, got 24");
  EXPECT_NE(getReason(makeOperand("Compose(2, 3, 3, S[(128, 64) : (64, 1)])",
                                  128, 64))
                .find("got #tirx.swizzle<2, 3, 3>"),
            std::string::npos);
}

TEST(DescriptorsTest, HostileExtents) {
  // A dimension of stride 0 may be long without taking memory.
  EXPECT_NE(getReason(makeOperand("S[(8, 1099511627776) : (1, 0)]", 8,
                                  int64_t(1) << 40))
                .find("expected an extent along K"),
            std::string::npos);
  // 8 elements of 32 bits along K: the second group of 8 does not exist.
  EXPECT_EQ(getReason(makeOperand("S[(8, 8) : (1, 4)]", 8, 8, 1, 32)),
            "expected a 128B swizzle with 32B atoms for an MN-major operand "
            "of 32-bit elements, got no swizzle along MN");
  EXPECT_NE(
      getReason(makeOperand("S[(64, 16) : (4611686018427387, 1)]", 64, 16))
          .find("of shared memory"),
      std::string::npos);
}

//===----------------------------------------------------------------------===//
// Bits
//===----------------------------------------------------------------------===//

TEST(DescriptorsTest, BitsRoundTrip) {
  Random rng(3);
  for (int i = 0; i < 1000; ++i) {
    MatrixDescriptor fields;
    fields.startAddress = pick(rng, 0, 0x3fff) * 16;
    fields.leadingByteOffset = pick(rng, 0, 0x3fff) * 16;
    fields.strideByteOffset = pick(rng, 0, 0x3fff) * 16;
    fields.baseOffset = pick(rng, 0, 7);
    fields.swizzle = SwizzleMode(pick(rng, 0, 3));
    EXPECT_EQ(llvm::cantFail(decodeWgmmaDescriptor(
                  llvm::cantFail(encodeWgmmaDescriptor(fields)))),
              fields);
    fields.swizzle = SwizzleMode(pick(rng, 0, 4));
    fields.absoluteLeading = pick(rng, 0, 1);
    EXPECT_EQ(llvm::cantFail(decodeTcgen05Descriptor(
                  llvm::cantFail(encodeTcgen05Descriptor(fields)))),
              fields);
  }
}

TEST(DescriptorsTest, BadBitsAreRefused) {
  auto reason = [](uint64_t bits) {
    auto fields = decodeTcgen05Descriptor(bits);
    return fields ? "no reason" : llvm::toString(fields.takeError());
  };
  EXPECT_EQ(reason(0x4000404000010000), "no reason");
  EXPECT_EQ(reason(0x4000004000010000),
            "expected version 1 in bits 46 to 48 of the matrix descriptor, got "
            "0");
  EXPECT_EQ(reason(0x400040400001c000),
            "expected reserved bits of the matrix descriptor to be zero, got "
            "bit 15 set");
  EXPECT_EQ(reason(0x6000404000010000),
            "expected swizzle code 0, 1, 2, 4 or 6 in bits 61 to 63 of the "
            "matrix descriptor, got 3");
  MatrixDescriptor fields;
  fields.startAddress = 8;
  EXPECT_EQ(llvm::toString(encodeTcgen05Descriptor(fields).takeError()),
            "expected a start address that is a multiple of 16 below 262144 "
            "bytes, got 8");
}

} // namespace
