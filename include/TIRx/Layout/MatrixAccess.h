//===- MatrixAccess.h - ldmatrix and stmatrix for two layouts ---*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ldmatrix and stmatrix move rows of 16 bytes of shared memory to or from
// registers that the instruction prescribes. Here a fragment and a layout in
// shared memory become the instruction that moves one to the other, and the
// addresses of the rows, or a reason in words why none does.
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_LAYOUT_MATRIXACCESS_H
#define TIRX_LAYOUT_MATRIXACCESS_H

#include "TIRx/Layout/Factories.h"
#include <vector>

namespace tirx {

/// One ldmatrix or stmatrix of a warp.
struct MatrixInstruction {
  /// Which warp: the coordinates on thread axes, without the lane.
  Coordinates warp;
  /// Which of its instructions, in the order of registers.
  int64_t instruction = 0;
  /// Byte addresses from the beginning of the shared buffer, by lane: of the
  /// lanes that give one.
  llvm::SmallVector<int64_t, 32> rowAddresses;
};

/// How a warp moves a fragment.
struct MatrixAccess {
  MatrixShape shape = MatrixShape::M8N8;
  bool transposed = false;
  /// .x1, .x2 or .x4.
  int64_t count = 1;
  /// Ordered by warp and instruction.
  std::vector<MatrixInstruction> instructions;
  /// The element of shared memory at which a row begins, of shape (warps,
  /// instructions of a warp, lanes that give an address), with the swizzle of
  /// shared memory; nullopt when the rows' places have no such layout.
  std::optional<Layout> rows;
};

/// The instructions that load or store a fragment, with as many matrices each
/// as its registers allow. `fragment` maps an element of a region to a lane
/// (`laneid`, or an axis that counts threads of more than one warp, and axes
/// that name warps) and a register (`m`, in elements); `shared` maps it to `m`.
/// m8n8 is tried first, then its transposed form, which has elements of 16
/// bits, and with `byteMatrices` (sm_100a) m16n16 for loads and m16n8 for
/// stores, which are transposed and have elements of 8 bits. The reason, when
/// there is none, is that of each form.
llvm::Expected<MatrixAccess> fitMatrixLoad(const Layout &fragment,
                                           const Layout &shared,
                                           unsigned elementBits,
                                           bool byteMatrices = false);
llvm::Expected<MatrixAccess> fitMatrixStore(const Layout &fragment,
                                            const Layout &shared,
                                            unsigned elementBits,
                                            bool byteMatrices = false);

} // namespace tirx

#endif // TIRX_LAYOUT_MATRIXACCESS_H
