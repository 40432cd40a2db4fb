//===- Vectorize.h - vectors and the threads that move them -----*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How many neighbours of a dimension one access can move, and how to spread a
// region over threads so that accesses are wide and those of neighbouring
// threads are neighbours in memory.
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_LAYOUT_VECTORIZE_H
#define TIRX_LAYOUT_VECTORIZE_H

#include "TIRx/Layout/Layout.h"

namespace tirx {

/// Neighbours of a dimension that are neighbours in memory.
struct ContiguousRun {
  /// The most elements w, of any number that divides the extent, such that
  /// elements i*w .. i*w+w-1 are neighbours on `m`, in order, for all i, all
  /// other coordinates and all copies.
  int64_t length = 1;
  /// A number that all indices at which runs begin are multiples of; 0 when
  /// they begin at 0 only. The greatest, but for swizzles, whose blocks bound
  /// it.
  int64_t alignment = 1;
};

/// The longest run along a dimension. Exact, but for swizzled layouts of more
/// than 2^20 elements and copies, where no run is longer than the swizzle's
/// blocks. Fails when layout and shape do not fit each other.
llvm::Expected<ContiguousRun> getContiguousRun(const Layout &layout,
                                               llvm::ArrayRef<int64_t> shape,
                                               unsigned dim);

/// What one access of a thread may be.
struct AccessLimits {
  unsigned elementBits = 16;
  /// Alignment in bytes of element 0.
  int64_t baseAlignment = 16;
  /// The widest access; a power of two.
  int64_t maxBytes = 16;
};

/// The most elements along a dimension that an access of a power of two of
/// bytes moves, aligned to its size, wherever it begins. nullopt when even the
/// narrowest makes no whole bytes or is not aligned.
llvm::Expected<std::optional<int64_t>>
getAccessWidth(const Layout &layout, llvm::ArrayRef<int64_t> shape,
               unsigned dim, const AccessLimits &limits);

/// A region over threads.
struct Partition {
  /// Maps an element of the region to a thread, on the axis asked for, and to a
  /// register, on `m`.
  TileLayout threads;
  /// The dimension of the vectors, and elements of each: registers i*vector to
  /// i*vector+vector-1 are one access.
  unsigned dim = 0;
  int64_t vector = 1;
  /// Accesses of each thread.
  int64_t accesses = 1;
};

/// Spreads a region, which `memory` places on `m`, over `threads` threads: each
/// thread gets as many elements, in the widest vectors that leave all threads
/// something to do, and neighbouring threads get vectors in the order of
/// memory. Fails, with the numbers, when the threads do not divide the region.
llvm::Expected<Partition> partitionRegion(const Layout &memory,
                                          llvm::ArrayRef<int64_t> shape,
                                          Axis threadAxis, int64_t threads,
                                          const AccessLimits &limits);

} // namespace tirx

#endif // TIRX_LAYOUT_VECTORIZE_H
