//===- InstructionDescriptor.cpp - what one tcgen05.mma does --------------===//
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
using llvm::Expected;
using llvm::Twine;

static constexpr MmaKind kKinds[] = {MmaKind::F16, MmaKind::TF32,
                                     MmaKind::F8F6F4, MmaKind::I8};

static constexpr TypeCode kHalfCodes[] = {{MmaType::F16, 0},
                                          {MmaType::BF16, 1}};
static constexpr TypeCode kTf32Codes[] = {{MmaType::TF32, 2}};
static constexpr TypeCode kIntegerCodes[] = {{MmaType::U8, 0},
                                             {MmaType::S8, 1}};

static llvm::ArrayRef<TypeCode> getCodes(MmaKind kind) {
  switch (kind) {
  case MmaKind::F16:
    return kHalfCodes;
  case MmaKind::TF32:
    return kTf32Codes;
  case MmaKind::F8F6F4:
    return kNarrowCodes;
  case MmaKind::I8:
    return kIntegerCodes;
  }
  return {};
}

llvm::StringRef tirx::getName(MmaKind kind) {
  switch (kind) {
  case MmaKind::F16:
    return "f16";
  case MmaKind::TF32:
    return "tf32";
  case MmaKind::F8F6F4:
    return "f8f6f4";
  case MmaKind::I8:
    return "i8";
  }
  return "";
}

llvm::StringRef tirx::getName(MmaType type) {
  static constexpr llvm::StringLiteral names[] = {
      "f16",  "bf16", "tf32", "f32", "e4m3", "e5m2",
      "e2m3", "e3m2", "e2m1", "u8",  "s8",   "s32"};
  return names[unsigned(type)];
}

static std::optional<MmaKind> getKind(MmaType type) {
  for (MmaKind kind : kKinds)
    for (const TypeCode &entry : getCodes(kind))
      if (entry.type == type)
        return kind;
  return std::nullopt;
}

std::optional<MmaKind> tirx::getMmaKind(MmaType a, MmaType b) {
  std::optional<MmaKind> kind = getKind(a);
  if (kind != getKind(b) || (kind == MmaKind::F16 && a != b))
    return std::nullopt;
  return kind;
}

int64_t tirx::getStepK(MmaKind kind) {
  switch (kind) {
  case MmaKind::F16:
    return 16;
  case MmaKind::TF32:
    return 8;
  case MmaKind::F8F6F4:
  case MmaKind::I8:
    return 32;
  }
  return 16;
}

bool InstructionDescriptor::operator==(
    const InstructionDescriptor &other) const {
  return kind == other.kind && m == other.m && n == other.n && d == other.d &&
         a == other.a && b == other.b && aMajor == other.aMajor &&
         bMajor == other.bMajor && negateA == other.negateA &&
         negateB == other.negateB && saturate == other.saturate &&
         sparse == other.sparse && sparsityId == other.sparsityId &&
         maxShift == other.maxShift;
}

//===----------------------------------------------------------------------===//
// Rules
//===----------------------------------------------------------------------===//

static std::string describe(MmaKind kind) {
  return ("kind::" + getName(kind)).str();
}

static llvm::Error verifyOperand(const char *name, MmaType type, Major major,
                                 MmaKind kind) {
  if (getKind(type) != kind)
    return makeError("expected operand " + Twine(name) + " of " +
                     describe(kind) + " to have one of the types " +
                     listTypes(getCodes(kind)) + ", got " + getName(type));
  bool subByte =
      type == MmaType::E2M3 || type == MmaType::E3M2 || type == MmaType::E2M1;
  if (subByte && major == Major::MN)
    return makeError("expected operand " + Twine(name) +
                     " of 4- or 6-bit type " + getName(type) +
                     " to be K-major, got MN-major");
  return llvm::Error::success();
}

static llvm::Error verifyResult(const InstructionDescriptor &desc) {
  if (desc.kind == MmaKind::F16 && desc.a != desc.b)
    return makeError("expected A and B of one type for kind::f16, got " +
                     getName(desc.a) + " and " + getName(desc.b));
  bool integer = desc.kind == MmaKind::I8;
  bool f16Result = desc.kind == MmaKind::F8F6F4 ||
                   (desc.kind == MmaKind::F16 && desc.a == MmaType::F16);
  bool legal =
      integer ? desc.d == MmaType::S32
              : desc.d == MmaType::F32 || (f16Result && desc.d == MmaType::F16);
  if (legal)
    return llvm::Error::success();
  return makeError("expected D of " + Twine(describe(desc.kind)) + " with " +
                   getName(desc.a) + " operands to be " +
                   (integer     ? "s32"
                    : f16Result ? "f16 or f32"
                                : "f32") +
                   ", got " + getName(desc.d));
}

static llvm::Error verifyFlags(const InstructionDescriptor &desc, bool ws) {
  bool integer = desc.kind == MmaKind::I8;
  if (integer && (desc.negateA || desc.negateB))
    return makeError("expected no negation for kind::i8, got negated " +
                     Twine(desc.negateA ? "A" : "B"));
  if (desc.saturate && !integer)
    return makeError("expected saturation for kind::i8 only, got " +
                     Twine(describe(desc.kind)));
  if (desc.maxShift > 3)
    return makeError("expected a maximum shift from 0 to 3, got code " +
                     Twine(unsigned(desc.maxShift)));
  if (desc.maxShift != 0 && !ws)
    return makeError("expected no maximum shift without .ws, got code " +
                     Twine(unsigned(desc.maxShift)));
  bool selects =
      desc.sparse && (desc.kind == MmaKind::F16 || desc.kind == MmaKind::TF32);
  if (desc.sparsityId != 0 && !selects)
    return makeError("expected sparsity id 0 but for sparse kind::f16 and "
                     "kind::tf32, got " +
                     Twine(unsigned(desc.sparsityId)));
  return llvm::Error::success();
}

/// PTX ISA 9.7.16.2.1, table 39, without .ws: the step of N.
static int64_t getStepN(const InstructionDescriptor &desc, int ctaGroup) {
  int64_t step = ctaGroup == 2 ? 16 : 8;
  // An 8-bit B along N is read in runs of 16 bytes in each CTA.
  bool runs = desc.kind == MmaKind::F8F6F4 && desc.bMajor == Major::MN;
  return desc.kind == MmaKind::I8 || runs ? 2 * step : step;
}

static llvm::Error verifyShape(const InstructionDescriptor &desc,
                               int ctaGroup) {
  bool pair = ctaGroup == 2;
  int64_t m = desc.m, n = desc.n;
  if (pair ? m != 128 && m != 256 : m != 64 && m != 128)
    return makeError(
        "expected M of tcgen05.mma with cta_group::" + Twine(ctaGroup) +
        " to be " + (pair ? "128 or 256" : "64 or 128") + ", got " + Twine(m));
  int64_t step = getStepN(desc, ctaGroup);
  // Only i8 with one CTA takes two sizes beside the multiples of its step.
  bool extra = desc.kind == MmaKind::I8 && !pair && desc.bMajor == Major::K;
  if ((n >= step && n <= 256 && n % step == 0) ||
      (extra && (n == 8 || n == 24)))
    return llvm::Error::success();
  return makeError(
      "expected N of tcgen05.mma with " + Twine(describe(desc.kind)) +
      ", cta_group::" + Twine(ctaGroup) + " and " + getName(desc.bMajor) +
      "-major B to be a multiple of " + Twine(step) + " from " + Twine(step) +
      " to 256" + (extra ? ", or 8 or 24" : "") + ", got " + Twine(n));
}

/// The same table with .ws: sparse products stop at N 128.
static llvm::Error verifyWsShape(const InstructionDescriptor &desc) {
  int64_t m = desc.m, n = desc.n;
  if (m != 32 && m != 64 && m != 128)
    return makeError("expected M of tcgen05.mma.ws to be 32, 64 or 128, got " +
                     Twine(m));
  if (n == 64 || n == 128 || (n == 256 && !desc.sparse))
    return llvm::Error::success();
  return makeError(Twine("expected N of a ") +
                   (desc.sparse ? "sparse tcgen05.mma.ws to be 64 or 128"
                                : "dense tcgen05.mma.ws to be 64, 128 or 256") +
                   ", got " + Twine(n));
}

/// Everything but the shape.
static llvm::Error verifyTypes(const InstructionDescriptor &desc, bool ws) {
  if (llvm::Error error = verifyOperand("A", desc.a, desc.aMajor, desc.kind))
    return error;
  if (llvm::Error error = verifyOperand("B", desc.b, desc.bMajor, desc.kind))
    return error;
  if (llvm::Error error = verifyResult(desc))
    return error;
  return verifyFlags(desc, ws);
}

llvm::Error tirx::verify(const InstructionDescriptor &desc, int ctaGroup) {
  if (ctaGroup != 1 && ctaGroup != 2)
    return makeError("expected cta_group 1 or 2, got " + Twine(ctaGroup));
  if (llvm::Error error = verifyTypes(desc, /*ws=*/false))
    return error;
  return verifyShape(desc, ctaGroup);
}

llvm::Error tirx::verifyWs(const InstructionDescriptor &desc) {
  if (llvm::Error error = verifyTypes(desc, /*ws=*/true))
    return error;
  return verifyWsShape(desc);
}

//===----------------------------------------------------------------------===//
// Bits
//===----------------------------------------------------------------------===//

static Expected<uint32_t> encodeResult(MmaType type) {
  switch (type) {
  case MmaType::F16:
    return 0;
  case MmaType::F32:
    return 1;
  case MmaType::S32:
    return 2;
  default:
    return makeError("expected D to be f16, f32 or s32, got " +
                     Twine(getName(type)));
  }
}

Expected<uint32_t> tirx::encode(const InstructionDescriptor &desc) {
  Expected<uint32_t> d = encodeResult(desc.d);
  if (!d)
    return d;
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
  Expected<uint32_t> m = encodeSize("M", desc.m, 16, 256);
  if (!m)
    return m;
  if (desc.sparsityId > 3 || desc.maxShift > 3)
    return makeError("expected a sparsity id and a maximum shift from 0 to 3, "
                     "got " +
                     Twine(unsigned(desc.sparsityId)) + " and " +
                     Twine(unsigned(desc.maxShift)));
  return uint32_t(desc.sparsityId) | uint32_t(desc.sparse) << 2 |
         uint32_t(desc.saturate) << 3 | *d << 4 | *a << 7 | *b << 10 |
         uint32_t(desc.negateA) << 13 | uint32_t(desc.negateB) << 14 |
         uint32_t(desc.aMajor == Major::MN) << 15 |
         uint32_t(desc.bMajor == Major::MN) << 16 | *n << 17 | *m << 24 |
         uint32_t(desc.maxShift) << 30;
}

Expected<InstructionDescriptor>
tirx::decodeInstructionDescriptor(uint32_t bits, MmaKind kind) {
  if (getField(bits, 6, 7) || getField(bits, 23, 24) || getField(bits, 29, 30))
    return makeError("expected bits 6, 23 and 29 of an instruction descriptor "
                     "to be zero, got 0x" +
                     llvm::utohexstr(bits, /*LowerCase=*/true));
  static constexpr MmaType results[] = {MmaType::F16, MmaType::F32,
                                        MmaType::S32};
  unsigned d = getField(bits, 4, 6);
  if (d > 2)
    return makeError("expected D format 0 (f16), 1 (f32) or 2 (s32), got 3");
  Expected<MmaType> a =
      decodeOperand("A", getField(bits, 7, 10), describe(kind), getCodes(kind));
  if (!a)
    return a.takeError();
  Expected<MmaType> b = decodeOperand("B", getField(bits, 10, 13),
                                      describe(kind), getCodes(kind));
  if (!b)
    return b.takeError();
  InstructionDescriptor desc;
  desc.kind = kind;
  desc.d = results[d];
  desc.a = *a;
  desc.b = *b;
  desc.sparsityId = getField(bits, 0, 2);
  desc.sparse = getField(bits, 2, 3);
  desc.saturate = getField(bits, 3, 4);
  desc.negateA = getField(bits, 13, 14);
  desc.negateB = getField(bits, 14, 15);
  desc.aMajor = getField(bits, 15, 16) ? Major::MN : Major::K;
  desc.bMajor = getField(bits, 16, 17) ? Major::MN : Major::K;
  desc.n = getField(bits, 17, 23) * 8;
  desc.m = getField(bits, 24, 29) * 16;
  desc.maxShift = getField(bits, 30, 32);
  return desc;
}
