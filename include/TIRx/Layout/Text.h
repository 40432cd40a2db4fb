//===- Text.h - layouts as text ---------------------------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The notation of layouts: `S[(8, 4) : (4@laneid, 1)] + R[2 : 4@warpid] +
// 5@warpid`. printing a layout and parsing the text gives the same spelling.
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_LAYOUT_TEXT_H
#define TIRX_LAYOUT_TEXT_H

#include "TIRx/Layout/Layout.h"
#include "llvm/Support/raw_ostream.h"

namespace tirx {

/// `S[...] + R[...] + offsets`, the body of `#tirx.tile<...>`.
void print(llvm::raw_ostream &os, const TileLayout &layout);
/// `p, b, s` and `, outer`, the body of `#tirx.swizzle<...>`.
void print(llvm::raw_ostream &os, const SwizzleLayout &layout);
/// The attribute form: `#tirx.tile<...>`, `#tirx.swizzle<...>`,
/// `#tirx.compose<..., ...>`.
void print(llvm::raw_ostream &os, const Layout &layout);
std::string toString(const Layout &layout);
/// `(laneid 5, warpid 9)`.
std::string toString(const Coordinates &coordinates);

/// Where two layouts of one shape differ first, to end an error with: ";
/// element (1, 0) is at (m 64), not at (m 32)". Empty where `findDifference`
/// finds none.
std::string describeDifference(const Layout &expected, const Layout &got,
                               llvm::ArrayRef<int64_t> shape);

/// Parses any form: the attribute forms, `S[...] + ...`, `TileLayout(...)`,
/// `SwizzleLayout(p, b, s)` with optional keywords `per_element`,
/// `swizzle_len`, `atom_len` and `swizzle_inner`, `Compose(p, b, s, tile)`,
/// `ComposeLayout(swizzle, tile)` and `ComposeLayout(per_element=..., ...,
/// tile_layout=...)`. The error names the byte position: `at 12: expected ...`.
llvm::Expected<Layout> parseLayout(llvm::StringRef text, const AxisTable &axes);

} // namespace tirx

#endif // TIRX_LAYOUT_TEXT_H
