//===- Svg.h - layouts as a picture -----------------------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_TOOLS_TIRX_LAYOUT_SVG_H
#define TIRX_TOOLS_TIRX_LAYOUT_SVG_H

#include "AccessView.h"
#include "llvm/Support/raw_ostream.h"

namespace tirx::layouttool {

/// Text of an element of SVG or HTML.
std::string escapeMarkup(llvm::StringRef text);

/// Writes the logical grid and the physical grid of each picture side by side,
/// at most 512 rows and columns of each. Of two pictures, which must have the
/// same logical grid, what is the same in both is faded; the worst bank
/// conflict of `accesses`, one for each picture or none, is outlined. Small
/// grids have text in their cells, and titles that a viewer shows where the
/// pointer is.
void writeSvg(llvm::raw_ostream &os, llvm::ArrayRef<Picture> pictures,
              llvm::ArrayRef<AccessView> accesses, llvm::StringRef verdict);

} // namespace tirx::layouttool

#endif // TIRX_TOOLS_TIRX_LAYOUT_SVG_H
