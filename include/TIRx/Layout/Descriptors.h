//===- Descriptors.h - tensor-core descriptors of layouts -------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tensor core reads an operand in shared memory by a 64-bit descriptor: a
// start address, a swizzle and two strides. This derives it from a layout, or
// says in words why there is none. The addressing (PTX ISA 9.7.16.4 and
// 9.7.16.5; `row` is 16, 32, 64 or 128 bytes by swizzle, e the bytes of an
// element), before the swizzle acts on the absolute address:
//
//   K-major, b = k * e
//     none      start + (mn/8)*SBO + (mn%8)*16 + (b/16)*LBO + b%16
//     swizzled  start + (mn/8)*SBO + (mn%8)*row + b
//   MN-major, T = 16/e, R = row/e
//     none      start + (mn/T)*SBO + (k/8)*LBO + (k%8)*16 + (mn%T)*e
//     swizzled  start + (mn/R)*LBO + (k/8)*SBO + (k%8)*row + (mn%R)*e
//     (128B with 32-byte atoms: 4 in place of 8)
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_LAYOUT_DESCRIPTORS_H
#define TIRX_LAYOUT_DESCRIPTORS_H

#include "TIRx/Layout/Layout.h"

namespace tirx {

/// The swizzle modes of shared-memory operands.
enum class SwizzleMode : uint8_t { None, B32, B64, B128, B128Atom32 };

/// "no swizzle", "32B swizzle", ..., for messages.
llvm::StringRef toString(SwizzleMode mode);
/// Bytes of one row of the pattern: 16, 32, 64, 128.
unsigned getRowBytes(SwizzleMode mode);
/// Bytes after which the pattern repeats, and so the alignment of what is laid
/// out with it: 1024, 512, 256; 128 without swizzle.
unsigned getPeriodBytes(SwizzleMode mode);
/// The swizzle on element indices, or null without swizzle or where elements of
/// `elementBits` (a power of two, 4 to 128) do not fit an atom.
std::optional<SwizzleLayout> getSwizzleLayout(SwizzleMode mode,
                                              unsigned elementBits);
/// The mode that XORs element indices of `elementBits` as `swizzle` does.
std::optional<SwizzleMode> getSwizzleMode(const SwizzleLayout &swizzle,
                                          unsigned elementBits);

/// Which dimension's elements are neighbours in memory.
enum class Major : uint8_t { K, MN };

/// The fields of a 64-bit shared-memory descriptor. Addresses and offsets are
/// in bytes, multiples of 16 below 2^18.
struct SmemDescriptorFields {
  uint32_t address = 0;
  uint32_t leadingByteOffset = 0;
  uint32_t strideByteOffset = 0;
  /// (address where the pattern starts >> 7) & 7; 0 when it starts on a
  /// multiple of its period.
  unsigned baseOffset = 0;
  SwizzleMode swizzle = SwizzleMode::None;

  bool operator==(const SmemDescriptorFields &other) const;
};

/// tcgen05 (PTX ISA 9.7.16.4.1): version 1 at bit 46, swizzle in bits [61,64).
/// Encoding fails on an offset that is no multiple of 16 or is 2^18 or more.
llvm::Expected<uint64_t> encodeTcgen05Descriptor(const SmemDescriptorFields &);
llvm::Expected<SmemDescriptorFields> decodeTcgen05Descriptor(uint64_t bits);
/// wgmma (PTX ISA 9.7.15.5.1.2): no version, swizzle in bits [62,64).
llvm::Expected<uint64_t> encodeWgmmaDescriptor(const SmemDescriptorFields &);
llvm::Expected<SmemDescriptorFields> decodeWgmmaDescriptor(uint64_t bits);

/// One MMA operand in shared memory.
struct SmemOperand {
  /// A tile on `m`, or a swizzle of one.
  Layout layout;
  /// Both extents as the buffer has them: (MN, K), or (K, MN) with kDim 0.
  llvm::SmallVector<int64_t, 2> shape;
  /// The dimension of `shape` that is K: 0 or 1.
  unsigned kDim = 1;
  /// Bits of one element in shared memory: 8, 16 or 32.
  unsigned elementBits = 16;
};

/// How to reach an operand: one descriptor for its whole extent along MN, one
/// start for each MMA step along K.
struct SmemDescriptor {
  Major major = Major::K;
  /// `address` is 0: the caller adds (base + stepOffset(i)) >> 4.
  SmemDescriptorFields fields;
  /// Elements of K that one MMA takes: 32 bytes' worth (16 of f16).
  int64_t kPerStep = 16;
  /// What the buffer's address must be a multiple of, in bytes.
  unsigned requiredAlignment = 16;
  /// Bytes from the buffer's address to the start of each step; multiples of
  /// 16.
  llvm::SmallVector<int64_t, 8> stepOffsets;

  int64_t getNumSteps() const { return stepOffsets.size(); }
  int64_t stepOffset(int64_t step) const { return stepOffsets[step]; }
  /// The tcgen05 descriptor without its address.
  uint64_t constantBits() const;
  /// The wgmma descriptor without its address.
  uint64_t wgmmaConstantBits() const;
};

/// The descriptor of `operand`, whatever the spelling of its layout, or the
/// reason why the hardware cannot read it. The extent along MN is at most 256.
llvm::Expected<SmemDescriptor>
deriveTcgen05Descriptor(const SmemOperand &operand);
/// The same for wgmma, which has no 128B swizzle with 32-byte atoms and takes
/// MN-major operands of 16 bits only.
llvm::Expected<SmemDescriptor>
deriveWgmmaDescriptor(const SmemOperand &operand);

/// Kinds of tcgen05.mma without block scaling.
enum class MmaKind : uint8_t { F16, TF32, F8F6F4, I8 };
/// Element types of MMA operands and results.
enum class MmaType : uint8_t {
  F16,
  BF16,
  TF32,
  E4M3,
  E5M2,
  E2M3,
  E3M2,
  E2M1,
  U8,
  S8,
  F32,
  S32
};
llvm::StringRef toString(MmaKind kind);
llvm::StringRef toString(MmaType type);
/// The kind that multiplies elements of `type`; none for F32 and S32.
std::optional<MmaKind> getMmaKind(MmaType type);
/// Elements along K of one dense instruction: 16, 8, 32, 32.
unsigned getKPerInstruction(MmaKind kind);

/// The dense 32-bit instruction descriptor of tcgen05.mma (PTX ISA 9.7.16.4.2).
struct InstructionDescriptor {
  unsigned m = 128, n = 128;
  MmaType d = MmaType::F32, a = MmaType::F16, b = MmaType::F16;
  Major aMajor = Major::K, bMajor = Major::K;
  bool negateA = false, negateB = false, saturate = false;

  bool operator==(const InstructionDescriptor &other) const;
};

/// Checks M, N and types against the kind and the CTA group (1 or 2); the error
/// states the rule with its numbers.
llvm::Error verifyInstruction(const InstructionDescriptor &descriptor,
                              MmaKind kind, unsigned ctaGroup);
/// Fails as verifyInstruction does.
llvm::Expected<uint32_t>
encodeInstruction(const InstructionDescriptor &descriptor, MmaKind kind,
                  unsigned ctaGroup);
llvm::Expected<InstructionDescriptor>
decodeInstruction(uint32_t bits, MmaKind kind, unsigned ctaGroup);

} // namespace tirx

#endif // TIRX_LAYOUT_DESCRIPTORS_H
