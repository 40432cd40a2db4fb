//===- MatrixDescriptor.h - descriptors of matrices -------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The 64-bit shared-memory descriptor (PTX ISA 9.7.16.4.1) and the 32-bit
// instruction descriptor (9.7.16.4.2) of tcgen05.mma, and the shared-memory
// descriptor of wgmma (9.7.15.5.1), decoded and checked.
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_SIMULATOR_MATRIXDESCRIPTOR_H
#define TIRX_SIMULATOR_MATRIXDESCRIPTOR_H

#include "TIRx/Simulator/FloatFormat.h"
#include "TIRx/Simulator/TensorCore.h"
#include "llvm/Support/Error.h"

namespace tirx::sim {

enum class SwizzleMode : uint8_t { None, B32, B64, B128, B128Atom32 };

/// Bytes of one row of the swizzle pattern (16 without swizzle).
unsigned swizzleSpan(SwizzleMode mode);

/// The XOR of a swizzle on a byte address. `phase` is subtracted from the row
/// number in the pattern (the descriptor's base offset).
uint32_t swizzleAddress(uint32_t address, SwizzleMode mode, unsigned phase = 0);

struct SharedDescriptor {
  uint32_t address;      ///< bytes; the low 18 bits of the shared address
  uint32_t leadingBytes; ///< leading dimension byte offset
  uint32_t strideBytes;  ///< stride dimension byte offset
  unsigned baseOffset;
  SwizzleMode swizzle;
};

/// Decodes a tcgen05 shared-memory descriptor, or says which field is illegal.
llvm::Expected<SharedDescriptor> decodeSharedDescriptor(uint64_t bits);
/// The same for the descriptor of wgmma.
llvm::Expected<SharedDescriptor> decodeWgmmaDescriptor(uint64_t bits);

/// Byte address (swizzled) of the 16-byte chunk that holds element (mn, k) of
/// an operand whose elements have `elementBytes` bytes. K-major: the chunk of
/// byte k * elementBytes; MN-major: the chunk of mn * elementBytes.
uint32_t chunkAddress(const SharedDescriptor &descriptor, bool mnMajor,
                      unsigned elementBytes, unsigned mn, unsigned k);

enum class MmaKind : uint8_t { F16, TF32, F8F6F4, I8 };

/// One multiplicand type.
struct ElementType {
  const FloatFormat *format = nullptr; ///< null for integers
  bool isSigned = false;
  unsigned bits = 16;          ///< bits of one element
  unsigned containerBytes = 2; ///< what it takes in shared memory
};

struct InstructionDescriptor {
  MmaKind kind;
  unsigned m, n, k;
  ElementType a, b;
  AccumulatorFormat d;
  bool negateA, negateB, transposeA, transposeB, saturate;
};

/// Decodes and checks a dense instruction descriptor for `kind` and the CTA
/// group (1 or 2), or says which field is illegal and what is legal.
/// `weightStationary`: of tcgen05.mma.ws.
llvm::Expected<InstructionDescriptor>
decodeInstructionDescriptor(uint32_t bits, MmaKind kind, unsigned ctaGroup,
                            bool weightStationary = false);

} // namespace tirx::sim

#endif // TIRX_SIMULATOR_MATRIXDESCRIPTOR_H
