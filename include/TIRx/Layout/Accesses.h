//===- Accesses.h - what warps ask of memory --------------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two layouts of one region, of its elements over threads and registers and of
// its elements in memory, make the addresses of each load or store; addresses
// make bank conflicts and coalescing.
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_LAYOUT_ACCESSES_H
#define TIRX_LAYOUT_ACCESSES_H

#include "TIRx/Layout/Layout.h"
#include <array>
#include <vector>

namespace tirx {

/// Threads of a warp.
inline constexpr unsigned kWarpLanes = 32;

/// The byte address that each lane of a warp accesses; nullopt where a lane
/// takes no part.
using LaneAddresses = std::array<std::optional<int64_t>, kWarpLanes>;

/// One load or store of a warp.
struct WarpAccess {
  /// Which warp: the coordinates on thread axes, without the lane.
  Coordinates warp;
  /// Which of its accesses, in the order of registers.
  int64_t instruction = 0;
  LaneAddresses addresses;
};

/// The accesses that move a region between registers and memory, `vector`
/// elements each. `threads` maps an element of the region to a thread (`laneid`
/// or an axis that counts threads of more than one warp, and axes that name
/// warps) and to a register (`m` or `reg`, counted in elements); `memory` maps
/// it to `m`. Ordered by warp and instruction. Fails when the elements of a
/// vector are not neighbours in memory in the order of registers, or when a
/// vector is not whole, and above 2^22 (element, copy) pairs or 2^17 accesses.
llvm::Expected<std::vector<WarpAccess>> enumerateAccesses(const Layout &threads,
                                                          const Layout &memory,
                                                          unsigned elementBits,
                                                          int64_t vector);

//===----------------------------------------------------------------------===//
// Shared memory
//===----------------------------------------------------------------------===//

/// The instructions that have different rules.
enum class SharedAccess : uint8_t { Load, Store };

/// What one access to shared memory takes. Banks are 4 bytes wide and 32; a
/// wavefront reads or writes one word of each bank, for all lanes that want it.
struct Wavefronts {
  int64_t count = 0;
  /// Wavefronts without conflicts: the groups of lanes that the hardware works
  /// on one after the other.
  int64_t ideal = 0;
  /// A bank of which a group of lanes wants most different words, and those of
  /// the group's lanes that access it. Empty without conflicts.
  unsigned worstBank = 0;
  llvm::SmallVector<unsigned, 8> worstLanes;

  int64_t getConflicts() const { return count - ideal; }
};

/// Wavefronts of ld.shared or st.shared of 1, 2, 4, 8 or 16 bytes a lane. Lanes
/// are worked on 32 at a time up to 4 bytes, 16 at 8 bytes, 8 at 16 bytes; for
/// loads, twice as many when lanes that differ in bit 0, or those that differ
/// in bit 1, access the same address or nothing. Measured on an H200 (exact on
/// 1,120 patterns). Fails when an address is negative or not a multiple of the
/// size.
llvm::Expected<Wavefronts> countWavefronts(SharedAccess access, unsigned bytes,
                                           const LaneAddresses &addresses);

/// Wavefronts of ldmatrix or stmatrix, with and without .trans: `rows` are the
/// addresses of the rows of 1, 2 or 4 matrices, 8 each. A matrix is worked on
/// at a time (exact on 700 patterns of an H200). Fails when an address is
/// negative or no multiple of 16, or for another number of rows.
llvm::Expected<Wavefronts> countMatrixWavefronts(llvm::ArrayRef<int64_t> rows);

/// All accesses of a region, added up.
struct AccessCost {
  int64_t instructions = 0, wavefronts = 0, ideal = 0;
  /// The access with most conflicts.
  WarpAccess worstAccess;
  Wavefronts worst;
};

/// Bank conflicts of moving a region between registers and shared memory, in
/// vectors that make 1, 2, 4, 8 or 16 bytes. The buffer begins at a multiple of
/// 128 bytes, or of its swizzle's period.
llvm::Expected<AccessCost>
countBankConflicts(SharedAccess access, const Layout &threads,
                   const Layout &shared, unsigned elementBits, int64_t vector);

//===----------------------------------------------------------------------===//
// Global memory
//===----------------------------------------------------------------------===//

/// Sectors of 32 bytes that an access touches, and the fewest that could hold
/// as many different bytes.
struct Sectors {
  int64_t count = 0, ideal = 0;
};

/// Sectors of an access of `bytes` bytes a lane.
Sectors countSectors(int64_t bytes, const LaneAddresses &addresses);

/// How the accesses of a region lie in global memory.
struct Coalescing {
  int64_t instructions = 0;
  /// Those of countSectors, added up.
  int64_t sectors = 0, ideal = 0;
  /// The most lanes c of which each c neighbours (a multiple of c first) access
  /// neighbouring vectors in order, in all accesses: a power of two up to 32.
  unsigned contiguousLanes = kWarpLanes;
};

/// Coalescing of moving a region between registers and global memory, element 0
/// of which is at a multiple of 32 bytes.
llvm::Expected<Coalescing> getCoalescing(const Layout &threads,
                                         const Layout &global,
                                         unsigned elementBits, int64_t vector);

} // namespace tirx

#endif // TIRX_LAYOUT_ACCESSES_H
