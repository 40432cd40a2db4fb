//===- Show.h - layouts for a terminal --------------------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_TOOLS_TIRX_LAYOUT_SHOW_H
#define TIRX_TOOLS_TIRX_LAYOUT_SHOW_H

#include "Picture.h"
#include "llvm/Support/raw_ostream.h"

namespace tirx::layouttool {

/// Prints the layout, its formula, size and spans, and both grids, cut to what
/// a terminal holds.
void show(llvm::raw_ostream &os, const Picture &picture);

/// Prints where one element is: a line for each copy.
void showElement(llvm::raw_ostream &os, const Layout &layout,
                 llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<int64_t> index,
                 unsigned elementBits);

/// Prints how the element comes there, step by step.
void showExplanation(llvm::raw_ostream &os, const Layout &layout,
                     llvm::ArrayRef<int64_t> shape,
                     llvm::ArrayRef<int64_t> index, unsigned elementBits);

} // namespace tirx::layouttool

#endif // TIRX_TOOLS_TIRX_LAYOUT_SHOW_H
