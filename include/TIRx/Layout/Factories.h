//===- Factories.h - layouts that the hardware prescribes -------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each factory gives the layout of a whole tile, or says in an error which
// arguments the hardware has. Sections and figures are those of PTX ISA 9.0.
//
// Units. `m`, `TCol` and the registers that `m` counts on a thread are counted
// in elements, in the order of the register operands: element e of register r
// is m = r * (elements of a register) + e, lowest bits first. A and B of a
// product are (M, K) and (N, K).
//
// Not here: the fragments of wmma. Which thread holds what of a wmma fragment
// is unspecified (9.7.14.4), so no layout can say it; wmma.load and wmma.store
// are the only way in and out.
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_LAYOUT_FACTORIES_H
#define TIRX_LAYOUT_FACTORIES_H

#include "TIRx/Layout/Descriptors.h"

namespace tirx {

//===----------------------------------------------------------------------===//
// Shared memory
//===----------------------------------------------------------------------===//

/// How elements narrower than a byte lie in shared memory.
enum class Packing : uint8_t {
  /// Back to back. 4-bit elements of the mxf4 kinds; all wider elements.
  Dense,
  /// 16 elements in the low bits of 16 bytes (.b4x16_p64, .b6x16_p32). 4- and
  /// 6-bit elements of the f8f6f4 kinds. `m` counts slots, 16 of them in 16
  /// bytes: slot s of a chunk is its bits [s * b, s * b + b).
  Padded,
};

/// The shared-memory layout of an MMA operand whose last two dimensions are
/// (MN, K) and whose neighbours along `major` are neighbours in memory. Atoms
/// of one row of the swizzle width follow each other along the other dimension
/// first; outer dimensions are stages, one tile behind the other. 9.7.16.10.6,
/// figures 219 to 229, and 9.7.15.5.1.2 for wgmma.
///
/// Element bits: 4 (dense or padded), 6 (padded), 8, 16 and 32. MN-major is for
/// 8 and 16 bits with every mode but 128B with 32B atoms, and for 32 bits with
/// that mode only (table 54); wgmma reads MN-major 16-bit elements alone. Fails
/// unless the extent along `major` is a multiple of the swizzle width and the
/// other a multiple of 8.
llvm::Expected<Layout> mmaSharedLayout(unsigned elementBits, SwizzleMode mode,
                                       Major major,
                                       llvm::ArrayRef<int64_t> shape,
                                       Packing packing = Packing::Dense);

/// The layout that TMA gives a tile in shared memory: row-major without a
/// swizzle; with one, boxes whose rows are as long as the swizzle width, one
/// behind the other along the last dimension, which for a K-major operand is
/// `mmaSharedLayout`. 5.5.7.
///
/// Element bits: 4, 8, 16, 32, 64, and padded 4 and 6, which have no 32B and
/// 64B mode. Without a swizzle the last dimension is a multiple of 16 bytes;
/// with one there are two dimensions or more, the last a multiple of the
/// swizzle width and the one before a multiple of 8.
llvm::Expected<Layout> tmaSharedLayout(unsigned elementBits, SwizzleMode mode,
                                       llvm::ArrayRef<int64_t> shape,
                                       Packing packing = Packing::Dense);

/// The (rows, scales * reuse) scale factors of one byte as tcgen05.cp
/// .32x128b.warpx4 reads them from shared memory to put them where
/// `tmemScaleFactorLayout` says: 128 rows of 4 scales are 512 bytes, 16 of them
/// for each of 32 lanes. 9.7.16.9.2. `reuse` neighbours along the last
/// dimension share one scale. Fails unless rows is a multiple of 128 and scales
/// one of 4.
llvm::Expected<Layout> sharedScaleFactorLayout(int64_t rows, int64_t scales,
                                               int64_t reuse = 1);

//===----------------------------------------------------------------------===//
// Tensor memory
//===----------------------------------------------------------------------===//

/// Where tcgen05.mma puts the rows that one CTA holds of D (9.7.16.10.5, data
/// path layouts, figures 205 to 218). A: M 256 over two CTAs. B: M 128 over two
/// CTAs, dense. C: the same, sparse. D: M 128. E: M 64 with .ws. F: M 64. G:
/// M 32.
enum class TmemDatapath : uint8_t { A, B, C, D, E, F, G };

/// What of a tcgen05.mma decides its data path.
struct TmemMma {
  /// M of the instruction: over both CTAs with a `ctaGroup` of 2.
  int64_t m = 128;
  int ctaGroup = 1;
  /// `.ws`.
  bool weightStationary = false;
  /// `.sp`.
  bool sparse = false;
};

/// The data path of an instruction, after the table of 9.7.16.10.5. Fails when
/// there is no such instruction.
llvm::Expected<TmemDatapath> getTmemDatapath(const TmemMma &mma);

/// A (rows, columns) accumulator of one CTA in tensor memory: 128 rows for A
/// and D, 64 for B, C, E and F, 32 for G. C and F use 16 of each 32 lanes: the
/// lower ones, or the upper ones with `upperLanes`. Each element takes a 32-bit
/// column (9.7.16.10.4.1), of which `TCol` counts 32 / `elementBits`; 16 or 32.
llvm::Expected<Layout> tmemAccumulatorLayout(TmemDatapath datapath,
                                             int64_t rows, int64_t columns,
                                             bool upperLanes = false,
                                             unsigned elementBits = 32);

/// The same for the D of one instruction with `n` columns: an N that the
/// instruction has (table 39): multiples of 8 up to 256, of 16 with two CTAs;
/// 64, 128 or 256 with .ws, 64 or 128 if sparse too.
llvm::Expected<Layout> tmemAccumulatorLayout(const TmemMma &mma, int64_t n,
                                             bool upperLanes = false,
                                             unsigned elementBits = 32);

/// The (rows, columns) of A that one CTA holds in tensor memory, rows being
/// M / ctaGroup. Lanes are those of D (9.7.16.10.5 demands it of C and F). In
/// layouts B, E and G each part of the lanes computes its own columns of D from
/// all of A, so A is replicated over the parts. (The figures show D alone;
/// CUTLASS copies A so for B, and the metadata of a sparse A for E and G.)
///
/// Elements are packed: `containerBits` is 4 (mxf4 kinds), 8 (also for 4- and
/// 6-bit elements of the f8f6f4 kinds, 9.7.16.10.4.3), 16 or 32, and `TCol`
/// counts containers. A sparse A has half of its K columns here. Fails unless a
/// row fills whole 32-bit columns.
llvm::Expected<Layout> tmemOperandLayout(const TmemMma &mma, int64_t columns,
                                         unsigned containerBits,
                                         bool upperLanes = false);

/// Over which groups of 32 lanes scale factors are copied.
enum class ScaleFactorCopies : uint8_t {
  /// All four groups hold all rows: 9.7.16.10.7.
  All,
  /// Groups 0 and 1 hold the first half of the rows, 2 and 3 the second: B's
  /// scales in data path layout B, whose lanes hold half of the columns of D
  /// each. The figures show no such case; CUTLASS places them so
  /// (`ScaleFactorDuplicated2by2`).
  Halves,
};

/// The (rows, scales * reuse) scale factors of A or B, one byte each, in tensor
/// memory, where `TCol` counts bytes: row r is in lane r % 32 of each group,
/// scale k in byte k % 4 of a 32-bit column, columns of further rows before
/// those of further scales. 9.7.16.10.7.2 and .3, figures 231 to 258.
///
/// `scalesPerMma` is the number that one instruction reads of a row: 1, 2 or 4
/// for .scale_vec::1X, 2X and 4X; 3 or 6 for K 96 with .block32 and .block16.
/// Of a number of scales that is not a multiple of 4, as many share a column as
/// divide it. `reuse` neighbours along the last dimension share one scale.
/// Fails unless rows is below 32 or a multiple of 32, scales a multiple of
/// `scalesPerMma`, and for 3 and 6 one of 4 with rows up to 128.
llvm::Expected<Layout>
tmemScaleFactorLayout(int64_t rows, int64_t scales, int64_t scalesPerMma,
                      int64_t reuse = 1,
                      ScaleFactorCopies copies = ScaleFactorCopies::All);

//===----------------------------------------------------------------------===//
// Fragments of tcgen05.ld and tcgen05.st
//===----------------------------------------------------------------------===//

/// Shapes of tcgen05.ld and tcgen05.st (9.7.16.2.3.1, figures 183 to 187).
enum class TmemAccess : uint8_t { B32x32, B16x64, B16x128, B16x256, B16x32x2 };

/// The register fragment of a warpgroup that loads or stores (rows, columns)
/// elements of `elementBits` (8, 16 or 32, packed in 32-bit registers; `m`
/// counts elements). 32x32b: one row a thread; 64 rows are those of datapath F,
/// 16 for each warp. The other shapes: 64 or 128 rows, 16 or 32 for each warp.
/// 16x32bx2: the lower half of the columns is in lanes 0 to 15, the upper half
/// in lanes 16 to 31; its immHalfSplitoff is the distance of the halves in
/// tensor memory. Registers of .pack::16b and .unpack::16b are those of 16-bit
/// elements.
llvm::Expected<Layout> tmemFragmentLayout(TmemAccess access, int64_t rows,
                                          int64_t columns,
                                          unsigned elementBits = 32);

/// What the threads of a warpgroup hold of a (rows, columns) accumulator that
/// they load with 32x32b, one lane of tensor memory a thread: the accumulator's
/// layout with `TLane` read as `tid_in_wg` and its columns as registers.
llvm::Expected<Layout> tmemRowFragmentLayout(TmemDatapath datapath,
                                             int64_t rows, int64_t columns,
                                             bool upperLanes = false);

//===----------------------------------------------------------------------===//
// Fragments of wgmma
//===----------------------------------------------------------------------===//

/// The (64, n) accumulator of wgmma.mma_async in the registers of a warpgroup,
/// whatever the width of its elements (9.7.15.5.1.1.1 to .4, figures 149 to
/// 155). N is a multiple of 8 up to 256; of an `integer` product (s8, u8, b1)
/// 8, 24 or a multiple of 16 (9.7.15.2).
llvm::Expected<Layout> wgmmaAccumulatorLayout(int64_t n, bool integer = false);

/// The (64, k) operand A of wgmma.mma_async in registers: elements of 1, 8, 16
/// or 32 bits (tf32). k is a multiple of 256 / `elementBits`, the K of an
/// instruction; registers of further instructions follow. The same sections,
/// figures 148 to 154. What is stored of a sparse A is laid out alike
/// (9.7.15.6.2, figures 175 to 179).
llvm::Expected<Layout> wgmmaOperandLayout(int64_t k, unsigned elementBits);

//===----------------------------------------------------------------------===//
// Fragments of mma.sync
//===----------------------------------------------------------------------===//

/// Operands of a product. C has the layout of D.
enum class MmaOperand : uint8_t { A, B, D };

/// The fragment of a warp for mma.sync.m<m>n8k<k> (9.7.14.5.2 to .13, figures
/// 53 to 103): A is (m, k), B is (8, k), D is (m, 8). `elementBits` is the size
/// of an element of A and B in registers. D is the same for all types.
///
///   bits  types                             m 8    m 16
///   1     b1                                k 128  k 128, 256
///   4     s4, u4; e2m1 of the mxf4 kinds    k 32   k 32, 64
///   8     s8, u8, e4m3, e5m2; e3m2, e2m3,   k 16   k 16, 32
///         e2m1 of the f8f6f4 kinds
///   16    f16, bf16                                k 8, 16
///   32    tf32                                     k 4, 8
///   64    f64                               k 4    k 4, 8, 16
///
/// `sparse` is mma.sp (9.7.14.6.2, figures 118 to 145): m 16, k twice the k
/// above, for 4, 8, 16 and 32 bits. A is then what is stored of it: (16, half
/// of k).
///
/// mma.m8n8k4 with f16 is `quadPairFragmentLayout`.
llvm::Expected<Layout> mmaFragmentLayout(MmaOperand operand, int64_t m,
                                         int64_t k, unsigned elementBits,
                                         bool sparse = false);

/// The fragment of a warp for mma.m8n8k4 with f16 (9.7.14.5.1, figures 46 to
/// 52), which computes four products, each by 8 threads. The logical shape has
/// them in front: A is (4, 8, 4), B is (4, 8, 4), D is (4, 8, 8). `kMajor`, for
/// A and B, is the instruction's .row for A and .col for B.
/// `accumulatorBits`, for D: 16 or 32.
llvm::Expected<Layout> quadPairFragmentLayout(MmaOperand operand,
                                              bool kMajor = true,
                                              unsigned accumulatorBits = 32);

/// The scale factors of A (16, scales) or B (8, scales), one byte each, that
/// mma.sync with .block_scale reads from the registers scale-a-data and
/// scale-b-data (9.7.14.3, figures 43 to 45). `m` counts the bytes of the
/// register. `scales`: 1, 2 or 4 for .scale_vec::1X, 2X and 4X. `threadId`
/// selects a pair of lanes of each quad for A, 0 or 1, and one lane for B, 0 to
/// 3; `byteId` the first byte, a multiple of `scales` below 4.
llvm::Expected<Layout> mmaScaleFactorLayout(MmaOperand operand, int64_t scales,
                                            int64_t threadId = 0,
                                            int64_t byteId = 0);

//===----------------------------------------------------------------------===//
// Fragments of ldmatrix, stmatrix and movmatrix
//===----------------------------------------------------------------------===//

/// Matrices that ldmatrix and stmatrix move, named as the instruction names
/// them.
enum class MatrixShape : uint8_t {
  /// 8 rows of 8 elements of 16 bits.
  M8N8,
  /// ldmatrix: 8 rows of 16 elements, 4 or 6 bits each and padded to 16 bytes,
  /// that come as bytes (.b8x16.b6x16_p32, .b8x16.b4x16_p64).
  M8N16,
  /// ldmatrix: 16 rows of 16 elements, bytes or padded to bytes as above.
  M16N16,
  /// stmatrix: 8 rows in memory of 16 bytes each, a 16x8 matrix column by
  /// column.
  M16N8,
};

/// The register fragment of a warp that loads `count` matrices (.x1, .x2, .x4)
/// with ldmatrix (9.7.14.5.15, figures 104 to 106). The logical shape is that
/// of memory, (count, rows, elements of a row), a row being what one address
/// points to; so is it with `transposed`, where the registers differ. m8n8 has
/// both, m8n16 is not transposed, m16n16 is, and has no .x4. With m8n8, these
/// two fragments are also source and result of movmatrix (9.7.14.5.17).
llvm::Expected<Layout> ldmatrixLayout(MatrixShape shape, int64_t count,
                                      bool transposed);

/// The same for stmatrix (9.7.14.5.16, figures 107 and 108): m8n8, transposed
/// or not, and m16n8, transposed.
llvm::Expected<Layout> stmatrixLayout(MatrixShape shape, int64_t count,
                                      bool transposed);

/// Which lane gives the address of each row, of shape (count, rows).
llvm::Expected<Layout> matrixAddressLayout(MatrixShape shape, int64_t count);

} // namespace tirx

#endif // TIRX_LAYOUT_FACTORIES_H
