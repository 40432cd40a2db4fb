//===- MatrixDescriptor.cpp - bits of matrix descriptors ------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CheckedMath.h"
#include "TIRx/Assert.h"
#include "TIRx/Layout/Descriptors.h"
#include "TIRx/Layout/Text.h"
#include "llvm/Support/ErrorHandling.h"

using namespace tirx;
using llvm::Error;
using llvm::Expected;
using llvm::Twine;

//===----------------------------------------------------------------------===//
// Swizzle modes
//===----------------------------------------------------------------------===//

llvm::StringRef tirx::getName(SwizzleMode mode) {
  switch (mode) {
  case SwizzleMode::None:
    return "none";
  case SwizzleMode::B32:
    return "32B";
  case SwizzleMode::B64:
    return "64B";
  case SwizzleMode::B128:
    return "128B";
  case SwizzleMode::B128Atom32:
    return "128B with 32B atoms";
  }
  llvm_unreachable("all modes handled");
}

llvm::StringRef tirx::getName(Major major) {
  return major == Major::K ? "K" : "MN";
}

namespace {
/// Address bits [from, from + bits) go into [to, to + bits).
struct AddressSwizzle {
  unsigned to, bits, from;
};
} // namespace

static AddressSwizzle getAddressSwizzle(SwizzleMode mode) {
  switch (mode) {
  case SwizzleMode::None:
    return {4, 0, 7};
  case SwizzleMode::B32:
    return {4, 1, 7};
  case SwizzleMode::B64:
    return {4, 2, 7};
  case SwizzleMode::B128:
    return {4, 3, 7};
  case SwizzleMode::B128Atom32:
    return {5, 2, 7};
  }
  llvm_unreachable("all modes handled");
}

int64_t tirx::getRowBytes(SwizzleMode mode) {
  AddressSwizzle swizzle = getAddressSwizzle(mode);
  return int64_t(1) << (swizzle.to + swizzle.bits);
}

int64_t tirx::getPatternBytes(SwizzleMode mode) {
  if (mode == SwizzleMode::None)
    return 16;
  AddressSwizzle swizzle = getAddressSwizzle(mode);
  return int64_t(1) << (swizzle.from + swizzle.bits);
}

uint64_t tirx::applySwizzle(SwizzleMode mode, uint64_t address) {
  AddressSwizzle swizzle = getAddressSwizzle(mode);
  uint64_t mask = (uint64_t(1) << swizzle.bits) - 1;
  return address ^ (((address >> swizzle.from) & mask) << swizzle.to);
}

std::optional<SwizzleLayout> tirx::getElementSwizzle(SwizzleMode mode,
                                                     unsigned elementBits) {
  if (mode == SwizzleMode::None)
    return std::nullopt;
  TIRX_ASSERT(llvm::isPowerOf2_32(elementBits) && elementBits <= 128,
              "elements that divide a chunk");
  AddressSwizzle swizzle = getAddressSwizzle(mode);
  // A byte address is an element index of 8 bits.
  unsigned perElement = swizzle.to + 3 - llvm::Log2_32(elementBits);
  return llvm::cantFail(
      SwizzleLayout::get(perElement, swizzle.bits, swizzle.from - swizzle.to));
}

/// The swizzle without the bits that come from above all indices up to `max`;
/// nullopt when nothing is left.
static std::optional<SwizzleLayout> trim(const SwizzleLayout &swizzle,
                                         int64_t max) {
  int64_t source =
      swizzle.getPerElement() + (swizzle.isOuter() ? 0 : swizzle.getAtomLen());
  int64_t bits = swizzle.getSwizzleLen();
  while (bits > 0 && max < (int64_t(1) << (source + bits - 1)))
    --bits;
  if (bits == 0)
    return std::nullopt;
  return llvm::cantFail(SwizzleLayout::get(
      swizzle.getPerElement(), bits, swizzle.getAtomLen(), swizzle.isOuter()));
}

Expected<llvm::SmallVector<SwizzleMode, 5>>
tirx::findSwizzleModes(const SwizzleLayout *swizzle, int64_t max,
                       unsigned elementBits) {
  std::optional<SwizzleLayout> wanted;
  if (swizzle)
    wanted = trim(*swizzle, max);
  llvm::SmallVector<SwizzleMode, 5> modes;
  if (!wanted)
    modes.push_back(SwizzleMode::None);
  std::string known;
  llvm::raw_string_ostream os(known);
  for (SwizzleMode mode : {SwizzleMode::B32, SwizzleMode::B64,
                           SwizzleMode::B128, SwizzleMode::B128Atom32}) {
    SwizzleLayout candidate = *getElementSwizzle(mode, elementBits);
    if (trim(candidate, max) == wanted)
      modes.push_back(mode);
    os << (known.empty() ? "" : ", ") << toString(Layout(candidate)) << " ("
       << getName(mode) << ")";
  }
  if (!modes.empty())
    return modes;
  return makeError("expected no swizzle or one of " + known + " for " +
                   Twine(elementBits) + "-bit elements, got " +
                   toString(Layout(*swizzle)));
}

//===----------------------------------------------------------------------===//
// Fields
//===----------------------------------------------------------------------===//

/// A field of 14 bits that counts 16-byte units.
static Error putUnits(uint64_t &bits, unsigned at, const char *name,
                      uint32_t bytes) {
  if (bytes % 16 != 0 || bytes >= (1u << 18))
    return makeError(Twine("expected a ") + name +
                     " that is a multiple of 16 below 262144 bytes, got " +
                     Twine(bytes));
  bits |= uint64_t(bytes / 16) << at;
  return Error::success();
}

static uint32_t getUnits(uint64_t bits, unsigned at) {
  return uint32_t((bits >> at) & 0x3fff) * 16;
}

/// What both instruction families share: addresses, offsets, base offset.
static Expected<uint64_t> encodeCommon(const MatrixDescriptor &desc) {
  uint64_t bits = 0;
  if (Error error = putUnits(bits, 0, "start address", desc.startAddress))
    return std::move(error);
  if (Error error =
          putUnits(bits, 16, "leading byte offset", desc.leadingByteOffset))
    return std::move(error);
  if (Error error =
          putUnits(bits, 32, "stride byte offset", desc.strideByteOffset))
    return std::move(error);
  if (desc.baseOffset > 7)
    return makeError("expected a base offset of at most 7, got " +
                     Twine(unsigned(desc.baseOffset)));
  return bits | uint64_t(desc.baseOffset) << 49;
}

static MatrixDescriptor decodeCommon(uint64_t bits) {
  MatrixDescriptor desc;
  desc.startAddress = getUnits(bits, 0);
  desc.leadingByteOffset = getUnits(bits, 16);
  desc.strideByteOffset = getUnits(bits, 32);
  desc.baseOffset = (bits >> 49) & 7;
  return desc;
}

static Error checkReserved(uint64_t bits, uint64_t used) {
  if (uint64_t wrong = bits & ~used)
    return makeError("expected reserved bits of the matrix descriptor to be "
                     "zero, got bit " +
                     Twine(llvm::Log2_64(wrong)) + " set");
  return Error::success();
}

/// Bits [0,14), [16,30), [32,46) and [49,52).
static constexpr uint64_t kCommonBits = 0x000e3fff3fff3fff;

//===----------------------------------------------------------------------===//
// tcgen05
//===----------------------------------------------------------------------===//

static unsigned getTcgen05Code(SwizzleMode mode) {
  switch (mode) {
  case SwizzleMode::None:
    return 0;
  case SwizzleMode::B128Atom32:
    return 1;
  case SwizzleMode::B128:
    return 2;
  case SwizzleMode::B64:
    return 4;
  case SwizzleMode::B32:
    return 6;
  }
  llvm_unreachable("all modes handled");
}

Expected<uint64_t> tirx::encodeTcgen05Descriptor(const MatrixDescriptor &desc) {
  Expected<uint64_t> bits = encodeCommon(desc);
  if (!bits)
    return bits;
  return *bits | uint64_t(1) << 46 | uint64_t(desc.absoluteLeading) << 52 |
         uint64_t(getTcgen05Code(desc.swizzle)) << 61;
}

Expected<MatrixDescriptor> tirx::decodeTcgen05Descriptor(uint64_t bits) {
  // Version [46,49), leading mode 52, swizzle [61,64).
  constexpr uint64_t used =
      kCommonBits | uint64_t(7) << 46 | uint64_t(1) << 52 | uint64_t(7) << 61;
  if (unsigned version = (bits >> 46) & 7; version != 1)
    return makeError("expected version 1 in bits 46 to 48 of the matrix "
                     "descriptor, got " +
                     Twine(version));
  if (Error error = checkReserved(bits, used))
    return std::move(error);
  MatrixDescriptor desc = decodeCommon(bits);
  desc.absoluteLeading = (bits >> 52) & 1;
  unsigned code = bits >> 61;
  for (SwizzleMode mode :
       {SwizzleMode::None, SwizzleMode::B32, SwizzleMode::B64,
        SwizzleMode::B128, SwizzleMode::B128Atom32}) {
    if (getTcgen05Code(mode) != code)
      continue;
    desc.swizzle = mode;
    return desc;
  }
  return makeError("expected swizzle code 0, 1, 2, 4 or 6 in bits 61 to 63 of "
                   "the matrix descriptor, got " +
                   Twine(code));
}

//===----------------------------------------------------------------------===//
// wgmma
//===----------------------------------------------------------------------===//

/// Code 0 to 3 of a swizzle mode.
static constexpr SwizzleMode kWgmmaModes[] = {
    SwizzleMode::None, SwizzleMode::B128, SwizzleMode::B64, SwizzleMode::B32};

Expected<uint64_t> tirx::encodeWgmmaDescriptor(const MatrixDescriptor &desc) {
  if (desc.absoluteLeading)
    return makeError("expected a relative leading byte offset for wgmma, got "
                     "an absolute one");
  Expected<uint64_t> bits = encodeCommon(desc);
  if (!bits)
    return bits;
  for (unsigned code = 0; code < 4; ++code)
    if (kWgmmaModes[code] == desc.swizzle)
      return *bits | uint64_t(code) << 62;
  return makeError("expected swizzle none, 32B, 64B or 128B for wgmma, got " +
                   getName(desc.swizzle));
}

Expected<MatrixDescriptor> tirx::decodeWgmmaDescriptor(uint64_t bits) {
  if (Error error = checkReserved(bits, kCommonBits | uint64_t(3) << 62))
    return std::move(error);
  MatrixDescriptor desc = decodeCommon(bits);
  desc.swizzle = kWgmmaModes[bits >> 62];
  return desc;
}
