//===- Html.h - layouts as a page for a browser -----------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_TOOLS_TIRX_LAYOUT_HTML_H
#define TIRX_TOOLS_TIRX_LAYOUT_HTML_H

#include "AccessView.h"
#include "llvm/Support/raw_ostream.h"

namespace tirx::layouttool {

/// Writes a page that needs nothing else: the layout's iters, and scripts that
/// compute from them what is in view. Two pictures, which must have the same
/// logical grid, are shown with their difference. `accesses` has one for each
/// picture or none; `verdict` is what is said of all, or empty.
void writeHtml(llvm::raw_ostream &os, llvm::ArrayRef<Picture> pictures,
               llvm::ArrayRef<AccessView> accesses, llvm::StringRef verdict);

} // namespace tirx::layouttool

#endif // TIRX_TOOLS_TIRX_LAYOUT_HTML_H
