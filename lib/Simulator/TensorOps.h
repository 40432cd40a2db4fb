//===- TensorOps.h - operations of the tensor engine ------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_LIB_SIMULATOR_TENSOROPS_H
#define TIRX_LIB_SIMULATOR_TENSOROPS_H

#include "Machine.h"
#include "TIRx/Simulator/MatrixDescriptor.h"

namespace tirx::sim {

/// One tcgen05.mma with its operand values.
struct MmaOperation {
  Issuer issuer;
  MmaKind kind;
  uint32_t d = 0;         ///< tensor memory address
  bool aInTensor = false; ///< `a` is a tensor memory address
  uint64_t a = 0, b = 0;  ///< descriptors
  uint32_t instruction = 0;
  bool accumulate = false;
  int scaleD = 0;
  std::array<uint32_t, 4> disabledLanes = {};
};

/// Executes it; false when an error was reported.
bool executeMma(Cta &cta, const MmaOperation &operation);

/// One tcgen05.cp: `rows` of `bytes` each, copied to `copies` groups of lanes
/// whose first lanes are `copyStride` apart.
struct CopyOperation {
  Issuer issuer;
  uint32_t tensor = 0;
  uint64_t descriptor = 0;
  unsigned rows, bytes, copies, copyStride;
  /// 64x128b.warpx2: rows 32 and up go to lanes this much further.
  unsigned upperStride;
};
bool executeCopy(Cta &cta, const CopyOperation &operation);

/// 16 bytes of the CTA's shared memory through the asynchronous proxy, or a
/// report (null).
const uint8_t *readChunk(Cta &cta, const Issuer &issuer, uint32_t address,
                         const char *operand);

/// Reads `rows` x `k` elements through a descriptor, into an array with k
/// fastest; false when an error was reported.
bool readMatrix(Cta &cta, const Issuer &issuer,
                const SharedDescriptor &descriptor, bool mnMajor,
                const ElementType &type, unsigned rows, unsigned k,
                const char *operand, std::vector<uint32_t> &out);

/// Checks that columns [column, column + count) lie in one live allocation.
bool checkColumns(Cta &cta, const Issuer &issuer, unsigned column,
                  unsigned count, const char *operand);

/// A warning (or error) for the first cell that nobody wrote.
bool checkCells(Cta &cta, const Issuer &issuer, unsigned lane, unsigned column,
                unsigned count, const char *operand);

} // namespace tirx::sim

#endif // TIRX_LIB_SIMULATOR_TENSOROPS_H
