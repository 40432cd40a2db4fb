//===- ScaledInstructionDescriptor.cpp - block-scaled tcgen05.mma ---------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CheckedMath.h"
#include "InstructionBits.h"
#include "TIRx/Layout/Descriptors.h"
#include "llvm/ADT/StringExtras.h"

using namespace tirx;
using llvm::Error;
using llvm::Expected;
using llvm::Twine;

llvm::StringRef tirx::getName(ScaledKind kind) {
  static constexpr llvm::StringLiteral names[] = {"mxf8f6f4", "mxf4",
                                                  "mxf4nvf4"};
  return names[unsigned(kind)];
}

llvm::StringRef tirx::getName(ScaleType type) {
  return type == ScaleType::UE4M3 ? "ue4m3" : "ue8m0";
}

bool ScaledInstructionDescriptor::operator==(
    const ScaledInstructionDescriptor &other) const {
  return kind == other.kind && m == other.m && n == other.n && a == other.a &&
         b == other.b && aMajor == other.aMajor && bMajor == other.bMajor &&
         negateA == other.negateA && negateB == other.negateB &&
         sparse == other.sparse && scale == other.scale &&
         scaleIdA == other.scaleIdA && scaleIdB == other.scaleIdB &&
         k96 == other.k96;
}

int64_t tirx::getStepK(const ScaledInstructionDescriptor &desc) {
  int64_t dense = desc.kind == ScaledKind::MXF8F6F4 ? 32 : desc.k96 ? 96 : 64;
  return desc.sparse ? 2 * dense : dense;
}

static std::string describe(ScaledKind kind) {
  return ("kind::" + getName(kind)).str();
}

//===----------------------------------------------------------------------===//
// Operand types
//===----------------------------------------------------------------------===//

static constexpr TypeCode kFourBitCodes[] = {{MmaType::E2M1, 1}};

static llvm::ArrayRef<TypeCode> getCodes(ScaledKind kind) {
  if (kind == ScaledKind::MXF8F6F4)
    return kNarrowCodes;
  return kFourBitCodes;
}

//===----------------------------------------------------------------------===//
// Rules
//===----------------------------------------------------------------------===//

static Error verifyOperand(const char *name, MmaType type, Major major,
                           ScaledKind kind) {
  Expected<uint32_t> code =
      encodeOperand(name, type, describe(kind), getCodes(kind));
  if (!code)
    return code.takeError();
  bool byte = type == MmaType::E4M3 || type == MmaType::E5M2;
  if (!byte && major == Major::MN)
    return makeError("expected operand " + Twine(name) +
                     " of 4- or 6-bit type " + getName(type) +
                     " to be K-major, got MN-major");
  return Error::success();
}

/// PTX ISA 9.7.16.2.3, "Block scaling": which factors a kind takes.
static Error verifyScale(const ScaledInstructionDescriptor &desc,
                         int64_t scaleVector) {
  struct Legal {
    ScaledKind kind;
    int64_t scaleVector;
    bool ue4m3;
  };
  static constexpr Legal table[] = {{ScaledKind::MXF8F6F4, 1, false},
                                    {ScaledKind::MXF4, 2, false},
                                    {ScaledKind::MXF4NVF4, 2, false},
                                    {ScaledKind::MXF4NVF4, 4, true}};
  std::string vectors;
  for (const Legal &legal : table) {
    if (legal.kind != desc.kind)
      continue;
    vectors += (vectors.empty() ? "" : " or ") +
               std::to_string(legal.scaleVector) + "X";
    if (legal.scaleVector != scaleVector)
      continue;
    if (desc.scale == ScaleType::UE8M0 || legal.ue4m3)
      return Error::success();
    return makeError("expected scale factors of type ue8m0 for " +
                     describe(desc.kind) + " with scale_vec::" +
                     Twine(scaleVector) + "X, got " + getName(desc.scale));
  }
  return makeError("expected scale_vec::" + Twine(vectors) + " for " +
                   describe(desc.kind) + ", got " + Twine(scaleVector) + "X");
}

/// The factors of a row lie side by side in one 32-bit column, aligned to their
/// number.
static Error verifyScaleId(const char *name, unsigned id, int64_t scaleVector) {
  if (id <= 4 - scaleVector && id % scaleVector == 0)
    return Error::success();
  const char *legal = scaleVector == 1   ? "from 0 to 3"
                      : scaleVector == 2 ? "of 0 or 2"
                                         : "of 0";
  return makeError("expected a scale factor id of " + Twine(name) + " " +
                   legal + " for scale_vec::" + Twine(scaleVector) + "X, got " +
                   Twine(id));
}

static Error verifyShape(const ScaledInstructionDescriptor &desc,
                         int ctaGroup) {
  bool pair = ctaGroup == 2, both = pair && !desc.sparse;
  int64_t m = desc.m, n = desc.n;
  if (pair ? m != 256 && !(both && m == 128) : m != 128)
    return makeError(Twine("expected M of a ") +
                     (desc.sparse ? "sparse " : "") + "block-scaled " +
                     "tcgen05.mma with cta_group::" + Twine(ctaGroup) +
                     " to be " +
                     (both   ? "128 or 256"
                      : pair ? "256"
                             : "128") +
                     ", got " + Twine(m));
  // An 8-bit B along N is read in runs of 16 bytes in each CTA.
  int64_t step = (pair ? 16 : 8) * (desc.bMajor == Major::MN ? 2 : 1);
  if (n >= step && n <= 256 && n % step == 0)
    return Error::success();
  return makeError("expected N of tcgen05.mma with " + describe(desc.kind) +
                   ", cta_group::" + Twine(ctaGroup) + " and " +
                   getName(desc.bMajor) + "-major B to be a multiple of " +
                   Twine(step) + " from " + Twine(step) + " to 256, got " +
                   Twine(n));
}

Error tirx::verify(const ScaledInstructionDescriptor &desc, int ctaGroup,
                   int64_t scaleVector) {
  if (ctaGroup != 1 && ctaGroup != 2)
    return makeError("expected cta_group 1 or 2, got " + Twine(ctaGroup));
  if (Error error = verifyOperand("A", desc.a, desc.aMajor, desc.kind))
    return error;
  if (Error error = verifyOperand("B", desc.b, desc.bMajor, desc.kind))
    return error;
  if (Error error = verifyScale(desc, scaleVector))
    return error;
  if (Error error = verifyScaleId("A", desc.scaleIdA, scaleVector))
    return error;
  if (Error error = verifyScaleId("B", desc.scaleIdB, scaleVector))
    return error;
  if (desc.k96 && (desc.kind == ScaledKind::MXF8F6F4 || desc.sparse))
    return makeError("expected K 96 for dense kind::mxf4 and kind::mxf4nvf4 "
                     "only, got " +
                     Twine(desc.sparse ? "sparse " : "") + describe(desc.kind));
  return verifyShape(desc, ctaGroup);
}

//===----------------------------------------------------------------------===//
// Bits
//===----------------------------------------------------------------------===//

Expected<uint32_t> tirx::encode(const ScaledInstructionDescriptor &desc) {
  Expected<uint32_t> a =
      encodeOperand("A", desc.a, describe(desc.kind), getCodes(desc.kind));
  if (!a)
    return a;
  Expected<uint32_t> b =
      encodeOperand("B", desc.b, describe(desc.kind), getCodes(desc.kind));
  if (!b)
    return b;
  Expected<uint32_t> n = encodeSize("N", desc.n, 8, 256);
  if (!n)
    return n;
  Expected<uint32_t> m = encodeSize("M", desc.m, 128, 256);
  if (!m)
    return m;
  if (desc.scaleIdA > 3 || desc.scaleIdB > 3)
    return makeError("expected scale factor ids from 0 to 3, got " +
                     Twine(unsigned(desc.scaleIdA)) + " and " +
                     Twine(unsigned(desc.scaleIdB)));
  if (desc.k96 && desc.kind == ScaledKind::MXF8F6F4)
    return makeError("expected K 96 for kind::mxf4 and kind::mxf4nvf4 only, "
                     "got kind::mxf8f6f4");
  return uint32_t(desc.sparse) << 2 | uint32_t(desc.scaleIdB) << 4 | *a << 7 |
         *b << 10 | uint32_t(desc.negateA) << 13 |
         uint32_t(desc.negateB) << 14 |
         uint32_t(desc.aMajor == Major::MN) << 15 |
         uint32_t(desc.bMajor == Major::MN) << 16 | *n << 17 |
         uint32_t(desc.scale == ScaleType::UE8M0) << 23 | *m << 27 |
         uint32_t(desc.scaleIdA) << 29 | uint32_t(desc.k96) << 31;
}

Expected<ScaledInstructionDescriptor>
tirx::decodeInstructionDescriptor(uint32_t bits, ScaledKind kind) {
  bool mayBe96 = kind != ScaledKind::MXF8F6F4;
  if (getField(bits, 0, 2) || getField(bits, 3, 4) || getField(bits, 6, 7) ||
      getField(bits, 24, 27) || (!mayBe96 && getField(bits, 31, 32)))
    return makeError(Twine("expected bits 0, 1, 3, 6") +
                     (mayBe96 ? " and 24 to 26" : ", 24 to 26 and 31") +
                     " of an instruction descriptor of " + describe(kind) +
                     " to be zero, got 0x" +
                     llvm::utohexstr(bits, /*LowerCase=*/true));
  Expected<MmaType> a =
      decodeOperand("A", getField(bits, 7, 10), describe(kind), getCodes(kind));
  if (!a)
    return a.takeError();
  Expected<MmaType> b = decodeOperand("B", getField(bits, 10, 13),
                                      describe(kind), getCodes(kind));
  if (!b)
    return b.takeError();
  ScaledInstructionDescriptor desc;
  desc.kind = kind;
  desc.a = *a;
  desc.b = *b;
  desc.sparse = getField(bits, 2, 3);
  desc.scaleIdB = getField(bits, 4, 6);
  desc.negateA = getField(bits, 13, 14);
  desc.negateB = getField(bits, 14, 15);
  desc.aMajor = getField(bits, 15, 16) ? Major::MN : Major::K;
  desc.bMajor = getField(bits, 16, 17) ? Major::MN : Major::K;
  desc.n = getField(bits, 17, 23) * 8;
  desc.scale = getField(bits, 23, 24) ? ScaleType::UE8M0 : ScaleType::UE4M3;
  desc.m = getField(bits, 27, 29) * 128;
  desc.scaleIdA = getField(bits, 29, 31);
  desc.k96 = getField(bits, 31, 32);
  return desc;
}
