//===- Difference.h - how two layouts differ --------------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_TOOLS_TIRX_LAYOUT_DIFFERENCE_H
#define TIRX_TOOLS_TIRX_LAYOUT_DIFFERENCE_H

#include "Picture.h"

namespace tirx::layouttool {

/// Whether the copies of an element lie at different places.
bool differsAt(const Layout &a, const Layout &b, int64_t flat);

/// One line: that two layouts of one shape are equal, or how many elements
/// differ, and the first of them with both places. Elements are counted among
/// the first 2^20.
std::string describeDifference(const Picture &a, const Picture &b);

} // namespace tirx::layouttool

#endif // TIRX_TOOLS_TIRX_LAYOUT_DIFFERENCE_H
