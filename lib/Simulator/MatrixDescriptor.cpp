//===- MatrixDescriptor.cpp - descriptors of matrices ---------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TIRx/Simulator/MatrixDescriptor.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace tirx::sim;

static uint64_t field(uint64_t bits, unsigned first, unsigned end) {
  return bits >> first & llvm::maskTrailingOnes<uint64_t>(end - first);
}

template <class... Args>
static llvm::Error fail(const char *format, Args &&...args) {
  return llvm::createStringError(
      llvm::formatv(format, std::forward<Args>(args)...).str());
}

unsigned tirx::sim::swizzleSpan(SwizzleMode mode) {
  switch (mode) {
  case SwizzleMode::None:
    return 16;
  case SwizzleMode::B32:
    return 32;
  case SwizzleMode::B64:
    return 64;
  case SwizzleMode::B128:
  case SwizzleMode::B128Atom32:
    return 128;
  }
  return 16;
}

uint32_t tirx::sim::swizzleAddress(uint32_t address, SwizzleMode mode,
                                   unsigned phase) {
  uint32_t row = (address >> 7) - phase;
  switch (mode) {
  case SwizzleMode::None:
    return address;
  case SwizzleMode::B32:
    return address ^ (row & 1) << 4;
  case SwizzleMode::B64:
    return address ^ (row & 3) << 4;
  case SwizzleMode::B128:
    return address ^ (row & 7) << 4;
  case SwizzleMode::B128Atom32:
    return address ^ (row & 3) << 5;
  }
  return address;
}

/// The fields that all descriptors share; the swizzle is not among them.
static SharedDescriptor decodeCommon(uint64_t bits) {
  SharedDescriptor result;
  result.address = field(bits, 0, 14) << 4;
  result.leadingBytes = field(bits, 16, 30) << 4;
  result.strideBytes = field(bits, 32, 46) << 4;
  result.baseOffset = field(bits, 49, 52);
  result.swizzle = SwizzleMode::None;
  return result;
}

llvm::Expected<SharedDescriptor>
tirx::sim::decodeSharedDescriptor(uint64_t bits) {
  // tcgen05_desc_version: bits [46,48) hold 0b01 on sm_100.
  if (uint64_t version = field(bits, 46, 48); version != 1)
    return fail("expected version 1 in bits [46,48) of the shared-memory "
                "descriptor, got {0} (descriptor {1:x})",
                version, bits);
  if (field(bits, 14, 16) || field(bits, 30, 32))
    return fail("expected bits [14,16) and [30,32) of the shared-memory "
                "descriptor to be zero, got descriptor {0:x}",
                bits);
  if (field(bits, 48, 49) || field(bits, 53, 61))
    return fail("expected bits 48 and [53,61) of the shared-memory descriptor "
                "to be zero, got descriptor {0:x}",
                bits);
  if (field(bits, 52, 53))
    return fail("expected leading dimension mode 0 (bit 52; 1 is for K = 96 on "
                "sm_103a only), got descriptor {0:x}",
                bits);
  SharedDescriptor result = decodeCommon(bits);
  switch (field(bits, 61, 64)) {
  case 0:
    result.swizzle = SwizzleMode::None;
    break;
  case 1:
    result.swizzle = SwizzleMode::B128Atom32;
    break;
  case 2:
    result.swizzle = SwizzleMode::B128;
    break;
  case 4:
    result.swizzle = SwizzleMode::B64;
    break;
  case 6:
    result.swizzle = SwizzleMode::B32;
    break;
  default:
    return fail("expected swizzle 0 (none), 1 (128B, 32B atom), 2 (128B), 4 "
                "(64B) or 6 (32B) in bits [61,64) of the shared-memory "
                "descriptor, got {0} (descriptor {1:x})",
                field(bits, 61, 64), bits);
  }
  return result;
}

llvm::Expected<SharedDescriptor>
tirx::sim::decodeWgmmaDescriptor(uint64_t bits) {
  if (field(bits, 14, 16) || field(bits, 30, 32) || field(bits, 46, 49) ||
      field(bits, 52, 62))
    return fail("expected bits [14,16), [30,32), [46,49) and [52,62) of the "
                "matrix descriptor to be zero, got descriptor {0:x}",
                bits);
  static constexpr SwizzleMode modes[] = {SwizzleMode::None, SwizzleMode::B128,
                                          SwizzleMode::B64, SwizzleMode::B32};
  SharedDescriptor result = decodeCommon(bits);
  result.swizzle = modes[field(bits, 62, 64)];
  return result;
}

uint32_t tirx::sim::chunkAddress(const SharedDescriptor &descriptor,
                                 bool mnMajor, unsigned elementBytes,
                                 unsigned mn, unsigned k) {
  uint32_t leading = descriptor.leadingBytes, stride = descriptor.strideBytes;
  uint32_t span = swizzleSpan(descriptor.swizzle);
  bool swizzled = descriptor.swizzle != SwizzleMode::None;
  uint32_t offset;
  if (!mnMajor) {
    // Groups of 8 rows lie SBO apart. Along K columns as wide as the swizzle,
    // or of 16 bytes, lie LBO apart; only the 64 bytes of B that meet a sparse
    // A are wider than a swizzle (of 32 bytes).
    uint32_t byte = k * elementBytes & ~15u;
    offset = mn / 8 * stride + mn % 8 * span;
    offset += byte / span * leading + byte % span;
  } else {
    uint32_t perRow = span / elementBytes;
    uint32_t byte = mn % perRow * elementBytes & ~15u;
    // The 32-byte-atom pattern is 4 rows of 128 bytes, all others are 8 rows.
    uint32_t group = descriptor.swizzle == SwizzleMode::B128Atom32 ? 4 : 8;
    offset = swizzled ? mn / perRow * leading + k / group * stride
                      : mn / perRow * stride + k / group * leading;
    offset += k % group * span + byte;
  }
  return swizzleAddress(descriptor.address + offset, descriptor.swizzle,
                        descriptor.baseOffset);
}

static llvm::Expected<ElementType> decodeElement(unsigned code, MmaKind kind,
                                                 llvm::StringRef operand) {
  ElementType type;
  switch (kind) {
  case MmaKind::F16:
    if (code > 1)
      return fail("expected format 0 (f16) or 1 (bf16) of {0} for kind::f16, "
                  "got {1}",
                  operand, code);
    type.format = code == 0 ? &kF16 : &kBF16;
    return type;
  case MmaKind::TF32:
    if (code != 2)
      return fail("expected format 2 (tf32) of {0} for kind::tf32, got {1}",
                  operand, code);
    type.format = &kTF32;
    type.bits = 32;
    type.containerBytes = 4;
    return type;
  case MmaKind::I8:
    if (code > 1)
      return fail("expected format 0 (u8) or 1 (s8) of {0} for kind::i8, got "
                  "{1}",
                  operand, code);
    type.isSigned = code == 1;
    type.bits = 8;
    type.containerBytes = 1;
    return type;
  case MmaKind::F8F6F4: {
    static const FloatFormat *const formats[] = {&kE4M3, &kE5M2, nullptr,
                                                 &kE2M3, &kE3M2, &kE2M1};
    if (code > 5 || !formats[code])
      return fail("expected format 0 (e4m3), 1 (e5m2), 3 (e2m3), 4 (e3m2) or 5 "
                  "(e2m1) of {0} for kind::f8f6f4, got {1}",
                  operand, code);
    type.format = formats[code];
    type.bits = 1 + type.format->exponentBits + type.format->fractionBits;
    type.containerBytes = 1;
    return type;
  }
  }
  return type;
}

static llvm::Error checkStationaryShape(const InstructionDescriptor &d) {
  if (d.m != 32 && d.m != 64 && d.m != 128)
    return fail("expected M 32, 64 or 128 in the instruction descriptor of "
                "tcgen05.mma.ws, got {0}",
                d.m);
  if (d.n != 64 && d.n != 128 && d.n != 256)
    return fail("expected N 64, 128 or 256 in the instruction descriptor of "
                "tcgen05.mma.ws, got {0}",
                d.n);
  return llvm::Error::success();
}

static llvm::Error checkShape(const InstructionDescriptor &d,
                              unsigned ctaGroup) {
  bool pair = ctaGroup == 2;
  if (pair ? d.m != 128 && d.m != 256 : d.m != 64 && d.m != 128)
    return fail("expected M {0} in the instruction descriptor for "
                "cta_group::{1}, got {2}",
                pair ? "128 or 256" : "64 or 128", ctaGroup, d.m);
  unsigned step = pair ? 16 : 8;
  bool legal = d.n >= step && d.n <= 256 && d.n % step == 0;
  if (d.kind == MmaKind::I8) {
    step = pair ? 32 : 16;
    legal = d.n >= 8 && d.n <= 256 &&
            (d.n % step == 0 || (!pair && (d.n == 8 || d.n == 24)));
  } else if (d.transposeB && d.b.containerBytes == 1) {
    step *= 2;
    legal = d.n >= step && d.n <= 256 && d.n % step == 0;
  }
  if (!legal)
    return fail("expected N a multiple of {0} from {0} to 256 in the "
                "instruction descriptor (M {1}, cta_group::{2}), got {3}",
                step, d.m, ctaGroup, d.n);
  return llvm::Error::success();
}

llvm::Expected<InstructionDescriptor> tirx::sim::decodeInstructionDescriptor(
    uint32_t bits, MmaKind kind, unsigned ctaGroup, bool weightStationary) {
  InstructionDescriptor d;
  d.kind = kind;
  if (field(bits, 2, 3))
    return fail("expected a dense instruction descriptor (bit 2 zero), got "
                "{0:x}",
                bits);
  if (field(bits, 0, 2) || field(bits, 6, 7) || field(bits, 23, 24) ||
      field(bits, 29, 30))
    return fail("expected bits [0,2), 6, 23 and 29 of the instruction "
                "descriptor to be zero, got {0:x}",
                bits);
  // How far B may be shifted; nothing is without a column shift in the mask.
  if (field(bits, 30, 32) && !weightStationary)
    return fail("expected bits [30,32) of the instruction descriptor to be "
                "zero but for tcgen05.mma.ws, got {0:x}",
                bits);
  d.saturate = field(bits, 3, 4);
  d.negateA = field(bits, 13, 14);
  d.negateB = field(bits, 14, 15);
  d.transposeA = field(bits, 15, 16);
  d.transposeB = field(bits, 16, 17);
  d.n = field(bits, 17, 23) * 8;
  d.m = field(bits, 24, 29) * 16;
  d.k = kind == MmaKind::F16 ? 16 : kind == MmaKind::TF32 ? 8 : 32;

  unsigned format = field(bits, 4, 6);
  bool integer = kind == MmaKind::I8;
  bool f16Result = kind == MmaKind::F16 || kind == MmaKind::F8F6F4;
  if (integer ? format != 2 : format > 1 || (format == 0 && !f16Result))
    return fail("expected D format {0} in bits [4,6) of the instruction "
                "descriptor, got {1}",
                integer     ? "2 (s32)"
                : f16Result ? "0 (f16) or 1 (f32)"
                            : "1 (f32)",
                format);
  d.d = integer       ? AccumulatorFormat::S32
        : format == 1 ? AccumulatorFormat::F32
                      : AccumulatorFormat::F16;
  if (d.saturate && !integer)
    return fail("expected saturate (bit 3) only for kind::i8, got {0:x}", bits);
  if (integer && (d.negateA || d.negateB))
    return fail("expected no negation (bits 13 and 14) for kind::i8, got {0:x}",
                bits);

  auto a = decodeElement(field(bits, 7, 10), kind, "A");
  if (!a)
    return a.takeError();
  auto b = decodeElement(field(bits, 10, 13), kind, "B");
  if (!b)
    return b.takeError();
  d.a = *a;
  d.b = *b;
  if (d.d == AccumulatorFormat::F16 &&
      (d.a.format == &kBF16 || d.b.format == &kBF16))
    return fail("expected D format 1 (f32) for bf16 operands, got 0 (f16)");
  if (kind == MmaKind::F16 && d.a.format != d.b.format)
    return fail("expected A and B of one format for kind::f16, got {0} and {1}",
                field(bits, 7, 10), field(bits, 10, 13));
  if ((d.transposeA && d.a.bits < 8) || (d.transposeB && d.b.bits < 8))
    return fail("expected K-major operands of 4- and 6-bit formats, got "
                "instruction descriptor {0:x}",
                bits);
  if (auto error =
          weightStationary ? checkStationaryShape(d) : checkShape(d, ctaGroup))
    return std::move(error);
  return d;
}
