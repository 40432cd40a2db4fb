//===- Factories.h - layouts that the hardware prescribes -------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each factory gives the layout of a whole tile, or says which extents the
// hardware has.
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_LAYOUT_FACTORIES_H
#define TIRX_LAYOUT_FACTORIES_H

#include "TIRx/Layout/Descriptors.h"

namespace tirx {

/// The shared-memory layout of an MMA operand whose last two dimensions are
/// (MN, K) and whose neighbours along `major` are neighbours in memory. Atoms
/// of one row of the swizzle width follow each other along the other dimension
/// first; outer dimensions are stages, one tile behind the other. Element bits:
/// a power of two from 4 to 32. Fails unless the extent along `major` is a
/// multiple of the swizzle width and the other a multiple of 8.
llvm::Expected<Layout> mmaSharedLayout(unsigned elementBits, SwizzleMode mode,
                                       Major major,
                                       llvm::ArrayRef<int64_t> shape);

/// Where tcgen05.mma puts the rows that one CTA holds of D (PTX
/// ISA 9.7.16.10.5, data path layouts). A: M 256 over two CTAs. B: M 128 over
/// two CTAs, dense. C: the same, sparse. D: M 128. E: M 64 with .ws. F: M 64.
/// G: M 32.
enum class TmemDatapath : uint8_t { A, B, C, D, E, F, G };

/// A (rows, columns) accumulator of one CTA in tensor memory: 128 rows for A
/// and D, 64 for B, C, E and F, 32 for G. C and F use 16 of each 32 lanes: the
/// lower ones, or the upper ones with `upperLanes`. Each element takes a 32-bit
/// column, of which `TCol` counts 32 / `elementBits`; 16 or 32.
llvm::Expected<Layout> tmemAccumulatorLayout(TmemDatapath datapath,
                                             int64_t rows, int64_t columns,
                                             bool upperLanes = false,
                                             unsigned elementBits = 32);

/// Shapes of tcgen05.ld and tcgen05.st (PTX ISA 9.7.16.8.1).
enum class TmemAccess : uint8_t { B32x32, B16x64, B16x128, B16x256 };

/// The register fragment of a warpgroup that loads or stores (rows, columns)
/// elements of `elementBits` (8, 16 or 32, packed in 32-bit registers; `m`
/// counts elements). 32x32b: one row a thread; 64 rows are those of datapath F,
/// 16 for each warp. The other shapes: 64 or 128 rows, 16 or 32 for each warp.
llvm::Expected<Layout> tmemFragmentLayout(TmemAccess access, int64_t rows,
                                          int64_t columns,
                                          unsigned elementBits = 32);

} // namespace tirx

#endif // TIRX_LAYOUT_FACTORIES_H
