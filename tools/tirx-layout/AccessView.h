//===- AccessView.h - conflicts of an access, to be shown -------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_TOOLS_TIRX_LAYOUT_ACCESSVIEW_H
#define TIRX_TOOLS_TIRX_LAYOUT_ACCESSVIEW_H

#include "Picture.h"
#include "TIRx/Layout/Accesses.h"

namespace tirx::layouttool {

/// Who moves what between registers and a layout in shared memory.
struct Access {
  /// Element to lane, warp and register.
  Layout threads;
  /// Elements that a lane moves at once.
  int64_t vector = 1;
  SharedAccess kind = SharedAccess::Load;
};

/// `count` threads that take vectors in row-major order, one after the other
/// and round after round. Fails unless they share the elements evenly.
llvm::Expected<Layout> getRowMajorThreads(int64_t size, int64_t count,
                                          int64_t vector);

/// What an access costs.
struct AccessView {
  /// `ld.shared of 4 bytes a lane: 4 instructions, 32 wavefronts, ...`.
  std::string text;
  Access access;
  /// Elements that the lanes which meet in the worst bank access.
  llvm::SmallVector<int64_t> worst;
};

/// Fails when the picture's elements have no size, and as countBankConflicts
/// does.
llvm::Expected<AccessView> viewAccess(const Picture &picture,
                                      const Access &access);

} // namespace tirx::layouttool

#endif // TIRX_TOOLS_TIRX_LAYOUT_ACCESSVIEW_H
