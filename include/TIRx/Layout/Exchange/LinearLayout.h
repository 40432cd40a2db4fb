//===- LinearLayout.h - layouts to and from Triton --------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A linear layout of Triton maps places in hardware to elements, by bits: the
// element at a place is the exclusive or of the bases of the bits that are set
// in its register, lane, warp and block number. It is the inverse of ours, so
// the conversion inverts a matrix over GF(2). A layout is linear when all its
// extents are powers of two, its steps share no bits on an axis (then adding is
// an exclusive or) and every place holds one element. Swizzles are linear;
// replicas are bits whose basis is 0.
//
//   axis                         bits of
//   m, reg                       register beside thread axes, else offset
//   laneid                       lane
//   warpid, wid_in_wg            warp
//   tx, tid_in_wg                lane (the low 5 bits) and warp
//   cbx                          block
//   TLane, TCol                  row, col
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_LAYOUT_EXCHANGE_LINEARLAYOUT_H
#define TIRX_LAYOUT_EXCHANGE_LINEARLAYOUT_H

#include "TIRx/Layout/Exchange/ShapedLayout.h"
#include "llvm/Support/raw_ostream.h"
#include <string>
#include <vector>

namespace tirx {

/// One kind of places: `lane`, with the coordinate of the element that each bit
/// of its number adds.
struct LinearInput {
  std::string name;
  std::vector<llvm::SmallVector<int64_t>> bases;

  bool operator==(const LinearInput &other) const {
    return name == other.name && bases == other.bases;
  }
};

struct LinearLayout {
  std::vector<LinearInput> inputs;
  /// Extents of the elements' dimensions; powers of two.
  llvm::SmallVector<int64_t> shape;

  bool operator==(const LinearLayout &other) const {
    return inputs == other.inputs && shape == other.shape;
  }
};

/// The form of Triton's IR: `#ttg.linear<{register = [[0, 1]], lane = ...}>`,
/// or `#ttg.shared_linear<{offset = ...}, alignment = 16>` when the places are
/// offsets. `alignment`, in bytes, is the address's and no part of the layout.
void print(llvm::raw_ostream &os, const LinearLayout &layout,
           int64_t alignment = 16);
std::string toString(const LinearLayout &layout);

/// Parses both forms of Triton's IR, their bodies alone, the dictionary of its
/// Python: `{'register': [[0, 1], [8, 0]], 'lane': [...]}`, and the listing
/// that it prints for people: ` - register=1 -> (0, 1) ...`. Only the listing
/// has the shape: elsewhere, without one, each extent is the smallest power of
/// two that holds all bases.
llvm::Expected<LinearLayout> parseLinear(llvm::StringRef text,
                                         llvm::ArrayRef<int64_t> shape = {});

/// The layout that says where each element is, all places of it. Registers and
/// offsets are on `m`, lanes on `laneid`, warps on `warpid`, blocks on `cbx`.
/// Fails when a basis leaves the shape, when an element is in no place, or when
/// no swizzle of `m` leaves steps
/// of one axis each.
llvm::Expected<ShapedLayout> fromLinear(const LinearLayout &layout);

/// The linear layout whose place p holds the element that `layout` puts at p.
/// Fails, with the reason, when the layout is not linear (see above). Law:
/// fromLinear(toLinear(L, s)) is equal to L, but for the names of axes that are
/// read as another.
llvm::Expected<LinearLayout> toLinear(const Layout &layout,
                                      llvm::ArrayRef<int64_t> shape);

} // namespace tirx

#endif // TIRX_LAYOUT_EXCHANGE_LINEARLAYOUT_H
