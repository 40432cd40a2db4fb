//===- TensorOps.h - operations of the tensor engine ------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_LIB_SIMULATOR_TENSOROPS_H
#define TIRX_LIB_SIMULATOR_TENSOROPS_H

#include "Decoder.h"
#include "Machine.h"
#include "TIRx/Simulator/MatrixDescriptor.h"

namespace tirx::sim {

/// Tags of operations that have no accumulator; those of mma have bit 0 clear.
inline constexpr uint64_t kCopyTag = 1, kCommitTag = 3, kTensorLoadTag = 5,
                          kTensorStoreTag = 7;

/// The CTAs that an operation works on: its own, or for cta_group::2 both of
/// the pair, the one of even rank first.
using CtaGroup = llvm::SmallVector<Cta *, 2>;

/// Those CTAs for an instruction of cta_group `size`, or a report (false).
bool findCtaGroup(Warp &warp, const Inst &inst, unsigned lane, unsigned size,
                  CtaGroup &ctas);
unsigned decodeCtaGroup(InstDecoder &decoder);

/// What alloc, dealloc, relinquish, ld, st and wait need.
bool checkFullWarp(Warp &warp, const Inst &inst, uint32_t mask,
                   const char *rule);

/// alloc, dealloc and relinquish_alloc_permit.
void addTensorAllocationModels(ModelTable &table);
/// What a blocked alloc waits for, in words.
std::string describeAllocationWait(const Warp &warp, uint64_t columns);

/// One tcgen05.mma with its operand values.
struct MmaOperation {
  Issuer issuer;
  CtaGroup ctas;
  MmaKind kind;
  uint32_t d = 0;         ///< tensor memory address
  bool aInTensor = false; ///< `a` is a tensor memory address
  uint64_t a = 0, b = 0;  ///< descriptors
  uint32_t instruction = 0;
  bool accumulate = false;
  /// Of tcgen05.mma.ws, with the descriptor of its zero-column mask.
  bool weightStationary = false;
  uint64_t zeroColumns = 0;
  int scaleD = 0;
  /// Four words for each CTA.
  std::array<uint32_t, 8> disabledLanes = {};
};

/// Where the rows of D stand in the tensor memory of one CTA, and those of A
/// if it is there too: the data path layouts of PTX ISA 9.7.16.10.5.
struct DataPath {
  unsigned rows;
  /// The columns of D are cut into as many parts, one below the other.
  unsigned columnParts = 1;
  /// 16 rows in each 32 lanes, from `baseLane` on.
  bool scattered = false;
  unsigned baseLane = 0;

  unsigned lane(unsigned row, unsigned part = 0) const {
    return scattered ? 32 * (row / 16) + row % 16 + baseLane
                     : row + rows * part;
  }
};
DataPath dataPathOf(const InstructionDescriptor &d, unsigned ctaGroup,
                    bool weightStationary);

/// Executes it; false when an error was reported.
bool executeMma(Cta &cta, const MmaOperation &operation);

/// One tcgen05.cp: `rows` of `bytes` each, copied to `copies` groups of lanes
/// whose first lanes are `copyStride` apart.
struct CopyOperation {
  Issuer issuer;
  CtaGroup ctas; ///< each copies from its own shared memory
  uint32_t tensor = 0;
  uint64_t descriptor = 0;
  unsigned rows, bytes, copies, copyStride;
  /// 64x128b.warpx2: rows 32 and up go to lanes this much further.
  unsigned upperStride;
};
bool executeCopy(Cta &cta, const CopyOperation &operation);

// `cta` is the one that issued the operation, `owner` the one whose memory it
// uses: the same, or the other of its pair.

/// 16 bytes of shared memory through the asynchronous proxy, or a report
/// (null).
const uint8_t *readChunk(Cta &cta, const Issuer &issuer, Cta &owner,
                         uint32_t address, const char *operand);

/// Reads `rows` x `k` elements through a descriptor and appends them to an
/// array with k fastest; false when an error was reported.
bool readMatrix(Cta &cta, const Issuer &issuer, Cta &owner,
                const SharedDescriptor &descriptor, bool mnMajor,
                const ElementType &type, unsigned rows, unsigned k,
                const char *operand, std::vector<uint32_t> &out);

/// Checks that columns [column, column + count) lie in one live allocation.
bool checkColumns(Cta &cta, const Issuer &issuer, const Cta &owner,
                  unsigned column, unsigned count, const char *operand);

/// A warning (or error) for the first cell that nobody wrote.
bool checkCells(Cta &cta, const Issuer &issuer, const Cta &owner, unsigned lane,
                unsigned column, unsigned count, const char *operand);

} // namespace tirx::sim

#endif // TIRX_LIB_SIMULATOR_TENSOROPS_H
