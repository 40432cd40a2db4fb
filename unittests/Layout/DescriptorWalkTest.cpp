//===- DescriptorWalkTest.cpp - every operand layout of a GEMM ------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where DescriptorsTest draws at random, this goes through all swizzles,
// majors, orders of the atoms and buffers of 16-bit operands, for tcgen05 and
// for wgmma, and through the slices that a loop over K makes.
//
//===----------------------------------------------------------------------===//

#include "TIRx/Layout/Algebra.h"
#include "TIRx/Layout/Factories.h"
#include "Testing.h"

using namespace tirx;
using namespace tirx::testing;
using llvm::SmallVector;

static constexpr SwizzleMode kModes[] = {SwizzleMode::None, SwizzleMode::B32,
                                         SwizzleMode::B64, SwizzleMode::B128};

/// The byte that an instruction reads for element (mn, k) of its 16-bit
/// operand, from the fields that the bits hold.
static int64_t readAddress(uint64_t bits, bool wgmma, bool mnMajor, int64_t mn,
                           int64_t k) {
  auto field = [&](unsigned at) { return int64_t(bits >> at & 0x3fff) * 16; };
  int64_t start = field(0), lbo = field(16), sbo = field(32);
  unsigned wgmmaChunks[] = {1, 8, 4, 2};
  unsigned tcgen05Chunks[] = {1, 0, 8, 0, 4, 0, 2, 0};
  int64_t chunks = wgmma ? wgmmaChunks[bits >> 62] : tcgen05Chunks[bits >> 61];
  int64_t row = 16 * chunks, width = row / 2, at;
  if (chunks == 1)
    at = mnMajor ? mn / 8 * sbo + k / 8 * lbo + k % 8 * 16 + mn % 8 * 2
                 : mn / 8 * sbo + k / 8 * lbo + mn % 8 * 16 + k % 8 * 2;
  else
    at = mnMajor ? mn / width * lbo + k / 8 * sbo + k % 8 * row + mn % width * 2
                 : mn / 8 * sbo + mn % 8 * row + k * 2;
  at += start;
  return at ^ (at / 128 % chunks * 16);
}

static void walk(const SmemOperand &operand, bool wgmma) {
  auto desc =
      wgmma ? deriveWgmmaDescriptor(operand) : deriveTcgen05Descriptor(operand);
  ASSERT_TRUE(bool(desc)) << toString(operand.layout) << ": "
                          << llvm::toString(desc.takeError());
  int64_t mnExtent = operand.shape[1 - operand.kDim];
  int64_t kExtent = operand.shape[operand.kDim];
  int64_t base = 3 * desc->requiredAlignment;
  ASSERT_EQ(int64_t(desc->numSteps()) * 16, kExtent);
  for (int64_t k = 0; k < kExtent; ++k) {
    uint64_t bits =
        desc->constantBits + uint64_t((base + desc->stepOffset(k / 16)) / 16);
    for (int64_t mn = 0; mn < mnExtent; ++mn) {
      int64_t flat = operand.kDim == 1 ? mn * kExtent + k : k * mnExtent + mn;
      ASSERT_EQ(readAddress(bits, wgmma, desc->major == Major::MN, mn, k % 16),
                base + 2 * operand.layout.apply(flat).get(memoryAxis()))
          << toString(operand.layout) << " mn " << mn << " k " << k;
    }
  }
}

/// Atoms of 8 lines of one width, along MN or along K first.
static SmemOperand makeOperand(SwizzleMode mode, bool mnMajor, bool mnFirst,
                               bool transposed, int64_t mn, int64_t k) {
  int64_t width = getRowBytes(mode) / 2, atom = 8 * width;
  int64_t mnAtom = mnMajor ? width : 8, kAtom = mnMajor ? 8 : width;
  int64_t mnAtoms = mn / mnAtom, kAtoms = k / kAtom;
  Axis m = memoryAxis();
  SmallVector<Iter> mnIters = {{mnAtoms, mnFirst ? atom : atom * kAtoms, m},
                               {mnAtom, mnMajor ? 1 : width, m}};
  SmallVector<Iter> kIters = {{kAtoms, mnFirst ? atom * mnAtoms : atom, m},
                              {kAtom, mnMajor ? width : 1, m}};
  SmallVector<Iter> shard = transposed ? kIters : mnIters;
  shard.append(transposed ? mnIters : kIters);
  Layout layout = llvm::cantFail(TileLayout::get(shard));
  if (auto swizzle = getElementSwizzle(mode, 16))
    layout = llvm::cantFail(Layout::compose(*swizzle, *layout.getTile()));
  if (transposed)
    return {layout, {k, mn}, 0, 16};
  return {layout, {mn, k}, 1, 16};
}

TEST(DescriptorWalk, EveryOperand) {
  int walked = 0;
  for (SwizzleMode mode : kModes)
    for (bool mnMajor : {false, true})
      for (bool mnFirst : {false, true})
        for (bool transposed : {false, true})
          for (int64_t mn : {8, 16, 24, 64, 112, 128, 192, 256})
            for (int64_t k : {16, 32, 48, 64, 128, 192}) {
              int64_t width = getRowBytes(mode) / 2;
              if ((mnMajor ? mn : k) % width || mn * k * 2 >= (1 << 17))
                continue;
              SmemOperand operand =
                  makeOperand(mode, mnMajor, mnFirst, transposed, mn, k);
              walk(operand, /*wgmma=*/false);
              walk(operand, /*wgmma=*/true);
              if (HasFatalFailure())
                return;
              ++walked;
            }
  EXPECT_GT(walked, 400);
}

/// A slice keeps the swizzle and moves the start.
TEST(DescriptorWalk, Slices) {
  for (SwizzleMode mode : kModes)
    for (bool mnMajor : {false, true}) {
      SmemOperand whole = makeOperand(mode, mnMajor, true, false, 128, 128);
      for (int64_t k0 = 0; k0 < 128; k0 += 16)
        for (int64_t m0 : {0, 64}) {
          auto part = slice(whole.layout, {128, 128}, {m0, k0}, {64, 16});
          ASSERT_TRUE(bool(part)) << llvm::toString(part.takeError());
          walk({*part, {64, 16}, 1, 16}, /*wgmma=*/false);
        }
    }
}

TEST(DescriptorWalk, SwizzleOfElementsIsTheSwizzleOfAddresses) {
  for (SwizzleMode mode : {SwizzleMode::B32, SwizzleMode::B64,
                           SwizzleMode::B128, SwizzleMode::B128Atom32})
    for (unsigned bits : {8, 16, 32}) {
      SwizzleLayout swizzle = *getElementSwizzle(mode, bits);
      for (int64_t i = 0; i < 4096; ++i)
        ASSERT_EQ(swizzle.apply(i) * bits / 8,
                  int64_t(applySwizzle(mode, i * bits / 8)));
    }
}
