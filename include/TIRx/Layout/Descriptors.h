//===- Descriptors.h - matrix operands of the tensor cores ------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// tcgen05.mma and wgmma read an operand from shared memory by a 64-bit matrix
// descriptor: a start address, two strides and a swizzle mode. Of all layouts
// it can say only the canonical ones (PTX ISA, tcgen05 "Canonical layouts").
// Here a layout becomes a descriptor, or a reason in words why none exists, and
// descriptors become bits and back.
//
// In formulas, for an element (mn, k) of `es` bytes, `b` = k*es and a swizzle
// width of `row` bytes, byte addresses before the swizzle are
//
//   K-major, none      start + (mn/8)*SBO + (b/16)*LBO + (mn%8)*16 + b%16
//   K-major, swizzled  start + (mn/8)*SBO + (mn%8)*row + b
//   MN-major, none     start + (mn/T)*SBO + (k/8)*LBO + (k%8)*16 + (mn%T)*es
//   MN-major, swizzled start + (mn/R)*LBO + (k/P)*SBO + (k%P)*row + (mn%R)*es
//
// with T = 16/es, R = row/es and P the rows of the pattern: 8, or 4 with 32B
// atoms. The swizzle acts on the absolute address, less 128 bytes for each unit
// of the base offset. Elements of 4 bits have es = 1/2, padded ones es = 1.
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_LAYOUT_DESCRIPTORS_H
#define TIRX_LAYOUT_DESCRIPTORS_H

#include "TIRx/Layout/Layout.h"

namespace tirx {

//===----------------------------------------------------------------------===//
// Swizzle modes and major-ness
//===----------------------------------------------------------------------===//

/// How the hardware permutes the 16-byte chunks of shared memory.
enum class SwizzleMode : uint8_t { None, B32, B64, B128, B128Atom32 };

/// The dimension of an operand whose elements are neighbours in memory.
enum class Major : uint8_t { K, MN };

/// "none", "32B", "64B", "128B", "128B with 32B atoms".
llvm::StringRef getName(SwizzleMode mode);
/// "K" or "MN".
llvm::StringRef getName(Major major);

/// Bytes of a row of the swizzle pattern: 32, 64, 128; 16 without swizzle.
int64_t getRowBytes(SwizzleMode mode);
/// Bytes after which the pattern repeats, which is the alignment of a tile:
/// 256, 512, 1024; 16 without swizzle.
int64_t getPatternBytes(SwizzleMode mode);
/// The byte address at which the hardware finds what a linear address names.
/// Its own inverse.
uint64_t applySwizzle(SwizzleMode mode, uint64_t address);

/// The swizzle of element indices that is `mode` for elements of `elementBits`
/// (a power of two up to 128); nullopt for SwizzleMode::None.
std::optional<SwizzleLayout> getElementSwizzle(SwizzleMode mode,
                                               unsigned elementBits);

/// The modes whose patterns are that of `swizzle` (null: none) on all element
/// indices from 0 to `max`, those of short periods first. Fails when there is
/// none.
llvm::Expected<llvm::SmallVector<SwizzleMode, 5>>
findSwizzleModes(const SwizzleLayout *swizzle, int64_t max,
                 unsigned elementBits);

//===----------------------------------------------------------------------===//
// The 64-bit matrix descriptor
//===----------------------------------------------------------------------===//

/// The fields of a matrix descriptor, in bytes.
struct MatrixDescriptor {
  /// A shared-memory address, multiple of 16, below 2^18.
  uint32_t startAddress = 0;
  /// Multiples of 16 below 2^18.
  uint32_t leadingByteOffset = 0;
  uint32_t strideByteOffset = 0;
  /// Bits 7 to 9 of the address where the swizzle pattern starts.
  uint8_t baseOffset = 0;
  /// tcgen05 on sm_103a only: the leading byte offset is an absolute address.
  bool absoluteLeading = false;
  SwizzleMode swizzle = SwizzleMode::None;

  bool operator==(const MatrixDescriptor &other) const {
    return startAddress == other.startAddress &&
           leadingByteOffset == other.leadingByteOffset &&
           strideByteOffset == other.strideByteOffset &&
           baseOffset == other.baseOffset &&
           absoluteLeading == other.absoluteLeading && swizzle == other.swizzle;
  }
};

/// Fails when a field does not fit (PTX ISA, tcgen05 "Shared memory
/// descriptor"). The start address is taken modulo nothing: it must fit.
llvm::Expected<uint64_t> encodeTcgen05Descriptor(const MatrixDescriptor &desc);
/// Fails when the version is not 1, a reserved bit is set or the swizzle is not
/// one that exists.
llvm::Expected<MatrixDescriptor> decodeTcgen05Descriptor(uint64_t bits);

/// The descriptor of wgmma (PTX ISA, "Matrix descriptor format"). Fails also
/// for SwizzleMode::B128Atom32 and an absolute leading offset.
llvm::Expected<uint64_t> encodeWgmmaDescriptor(const MatrixDescriptor &desc);
/// Fails when a reserved bit is set.
llvm::Expected<MatrixDescriptor> decodeWgmmaDescriptor(uint64_t bits);

//===----------------------------------------------------------------------===//
// From a layout to a descriptor
//===----------------------------------------------------------------------===//

/// A matrix operand in shared memory: an (MN, K) tile or, with kDim 0, a
/// (K, MN) tile, whose layout is on the axis `m`.
struct SmemOperand {
  Layout layout;
  llvm::SmallVector<int64_t, 2> shape;
  /// The dimension (0 or 1) that is K.
  unsigned kDim = 1;
  unsigned elementBits = 16;
  /// 4- and 6-bit elements as kind::f8f6f4 and kind::mxf8f6f4 read them: 16 of
  /// them take 16 bytes, packed at their beginning (PTX ISA, tcgen05 "Packing
  /// formats"). The layout counts a byte for each element. Elements of 4 bits
  /// that are not padded are those of the mxf4 kinds.
  bool padded = false;
  /// Bytes of K that one instruction reads: 32, or 64 for B of a sparse one.
  int64_t stepBytes = 32;
  /// The address of the buffer modulo 1024, from where the layout's swizzle
  /// counts. Where it is no multiple of the pattern, it goes into the base
  /// offset, and the buffer must really be there.
  int64_t basePhase = 0;
};

/// What the instructions that read an operand need. One instruction covers all
/// of MN and `stepBytes` of K (16 elements of f16); each further step along K
/// adds to the start address.
struct SmemDescriptor {
  Major major = Major::K;
  SwizzleMode swizzle = SwizzleMode::None;
  /// In bytes. Where the hardware reads no leading offset, it is the distance
  /// of the atoms along K, or 16 when there is one atom.
  int64_t leadingByteOffset = 0;
  int64_t strideByteOffset = 0;
  /// One entry for each step along K: bytes from the buffer's base to the start
  /// address of the step. Static offsets of the layout are included.
  llvm::SmallVector<int64_t, 16> stepOffsets;
  /// The alignment in bytes that the buffer's base, less the operand's
  /// `basePhase`, must have for the layout's swizzle to be the hardware's.
  int64_t requiredAlignment = 16;
  /// The descriptor with start address 0: add (address >> 4) to it. An add to
  /// the low word never carries, as an address has 14 bits there.
  uint64_t constantBits = 0;

  /// Bytes to add to the address of the buffer for step `i` along K.
  int64_t stepOffset(size_t i) const { return stepOffsets[i]; }
  size_t numSteps() const { return stepOffsets.size(); }
};

/// The descriptor of an operand of tcgen05.mma, whatever the spelling of its
/// layout; or the reason why no descriptor expresses it. K-major operands have
/// elements of 4 (dense or padded), 6 (padded), 8, 16 or 32 bits and any
/// swizzle, MN-major ones 8 or 16 bits and any swizzle without 32B atoms, or 32
/// bits and the one with them. MN is a multiple of 8 up to 256, K one of
/// `stepBytes`. Each step along K starts in the first row of a pattern.
llvm::Expected<SmemDescriptor>
deriveTcgen05Descriptor(const SmemOperand &operand);

/// The same for wgmma, where elements have 8, 16 or 32 bits, MN-major is for 16
/// bits only, no swizzle has 32B atoms, and a step may start in any row of the
/// pattern (measured on an H200).
llvm::Expected<SmemDescriptor>
deriveWgmmaDescriptor(const SmemOperand &operand);

//===----------------------------------------------------------------------===//
// The tcgen05 instruction descriptor
//===----------------------------------------------------------------------===//

/// Element types of tcgen05.mma matrices.
enum class MmaType : uint8_t {
  F16,
  BF16,
  TF32,
  F32,
  E4M3,
  E5M2,
  E2M3,
  E3M2,
  E2M1,
  U8,
  S8,
  S32
};

/// The `.kind` of a dense tcgen05.mma without scale factors.
enum class MmaKind : uint8_t { F16, TF32, F8F6F4, I8 };

/// "f16", "e4m3", ...
llvm::StringRef getName(MmaType type);
/// "f16", "tf32", "f8f6f4", "i8".
llvm::StringRef getName(MmaKind kind);

/// Elements of K that one dense instruction takes: 16, 8, 32, 32. A sparse one
/// takes twice as many.
int64_t getStepK(MmaKind kind);

/// The kind that multiplies the two types; nullopt when none does.
std::optional<MmaKind> getMmaKind(MmaType a, MmaType b);

/// The fields of the 32-bit instruction descriptor of tcgen05.mma without
/// scale factors (PTX ISA, tcgen05 "Instruction descriptor").
struct InstructionDescriptor {
  MmaKind kind = MmaKind::F16;
  int64_t m = 128;
  int64_t n = 128;
  MmaType d = MmaType::F32;
  MmaType a = MmaType::F16;
  MmaType b = MmaType::F16;
  Major aMajor = Major::K;
  Major bMajor = Major::K;
  bool negateA = false;
  bool negateB = false;
  bool saturate = false;
  bool sparse = false;
  uint8_t sparsityId = 0;
  /// Maximum shift of B in `.ws` instructions, as encoded: 0 none, 1 8, 2 16,
  /// 3 32.
  uint8_t maxShift = 0;

  bool operator==(const InstructionDescriptor &other) const;
};

/// Checks types, shape and flags against what the hardware executes for a
/// cta_group of 1 or 2, dense and sparse, without `.ws` (PTX ISA 9.7.16.2.1,
/// table 39).
llvm::Error verify(const InstructionDescriptor &desc, int ctaGroup);
/// The same for tcgen05.mma.ws, which is of cta_group 1.
llvm::Error verifyWs(const InstructionDescriptor &desc);

/// The bits. Fails when a type has no code in this kind or a size no field.
llvm::Expected<uint32_t> encode(const InstructionDescriptor &desc);

/// Reads the bits of an instruction of a kind. Fails on reserved bits and codes
/// that name nothing; says nothing about legality, which `verify` does.
llvm::Expected<InstructionDescriptor> decodeInstructionDescriptor(uint32_t bits,
                                                                  MmaKind kind);

//===----------------------------------------------------------------------===//
// The instruction descriptor of block-scaled products
//===----------------------------------------------------------------------===//

/// The `.kind` of a tcgen05.mma with scale factors.
enum class ScaledKind : uint8_t { MXF8F6F4, MXF4, MXF4NVF4 };

/// Types of scale factors.
enum class ScaleType : uint8_t { UE4M3, UE8M0 };

/// "mxf8f6f4", "mxf4", "mxf4nvf4".
llvm::StringRef getName(ScaledKind kind);
/// "ue4m3", "ue8m0".
llvm::StringRef getName(ScaleType type);

/// The fields of the 32-bit instruction descriptor of tcgen05.mma with scale
/// factors (PTX ISA, tcgen05 "Instruction descriptor"). D is f32.
struct ScaledInstructionDescriptor {
  ScaledKind kind = ScaledKind::MXF8F6F4;
  int64_t m = 128;
  int64_t n = 128;
  MmaType a = MmaType::E4M3;
  MmaType b = MmaType::E4M3;
  Major aMajor = Major::K;
  Major bMajor = Major::K;
  bool negateA = false;
  bool negateB = false;
  bool sparse = false;
  ScaleType scale = ScaleType::UE8M0;
  /// Which byte of its 32-bit columns the scale factors of A and B begin at.
  uint8_t scaleIdA = 0;
  uint8_t scaleIdB = 0;
  /// K is 96 instead of 64: dense mxf4 and mxf4nvf4 on sm_103a.
  bool k96 = false;

  bool operator==(const ScaledInstructionDescriptor &other) const;
};

/// Elements of K that one instruction takes.
int64_t getStepK(const ScaledInstructionDescriptor &desc);

/// Checks types, shape, flags and scale factors against what the hardware
/// executes for a cta_group of 1 or 2 and a `.scale_vec` of `scaleVector` (1, 2
/// or 4) factors for each row and instruction.
llvm::Error verify(const ScaledInstructionDescriptor &desc, int ctaGroup,
                   int64_t scaleVector);

/// The bits. Fails when a type has no code in this kind or a size no field.
llvm::Expected<uint32_t> encode(const ScaledInstructionDescriptor &desc);

/// Reads the bits of an instruction of a kind. Fails on reserved bits and codes
/// that name nothing; says nothing about legality, which `verify` does.
llvm::Expected<ScaledInstructionDescriptor>
decodeInstructionDescriptor(uint32_t bits, ScaledKind kind);

} // namespace tirx

#endif // TIRX_LAYOUT_DESCRIPTORS_H
