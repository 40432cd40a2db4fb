//===- CuTe.h - layouts to and from CuTe ------------------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A CuTe layout is a tree of modes, each a shape and a stride. It differs from
// ours in three points, and the conversion is exact in each:
//
// - Order. CuTe counts colexicographically: the first mode is the fastest, at
//   every level. Ours count row-major. The conversion keeps coordinates, not
//   flat indices: dimension d of the shape is the top-level mode d, and the
//   iters of a dimension, outermost first, are its sub-modes in reverse.
// - Swizzle. `Sw<B, M, S>` is our swizzle of per_element M, swizzle_len B and
//   atom_len |S|, `outer` where S is negative. Behind `smem_ptr[16b]` it acts
//   on byte addresses: for elements of n bits, per_element is M + 3 - log2(n).
// - Codomain. A CuTe layout maps to one integer. Ours map to named axes; the
//   name goes with the call. A thread-value layout maps (thread, value) to the
//   colexicographic index in a tile, so it is the inverse of our layouts of
//   fragments, in which a replica is a mode of stride 0.
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_LAYOUT_EXCHANGE_CUTE_H
#define TIRX_LAYOUT_EXCHANGE_CUTE_H

#include "TIRx/Layout/Exchange/ShapedLayout.h"
#include "llvm/Support/raw_ostream.h"
#include <vector>

namespace tirx {

/// A leaf `extent : stride`, or a tuple of modes, the first of them fastest.
struct CuTeMode {
  int64_t extent = 1;
  int64_t stride = 0;
  /// A tuple may be empty: `():()`.
  bool isTuple = false;
  std::vector<CuTeMode> modes;

  bool operator==(const CuTeMode &other) const;
};

/// `Sw<B, M, S> o offset o mode`, each part but one optional.
struct CuTeLayout {
  std::optional<CuTeMode> mode;
  std::optional<SwizzleLayout> swizzle;
  /// Added before the swizzle. 0 where there is none.
  int64_t offset = 0;
  /// The n of `smem_ptr[nb]`: the swizzle acts on bytes. 0: on elements.
  unsigned elementBits = 0;

  bool operator==(const CuTeLayout &other) const;
};

/// How integers are printed: `8`, as CuTe's Python does, or `_8`, the static
/// integers of its C++.
enum class CuTeIntegers { Plain, Static };

void print(llvm::raw_ostream &os, const CuTeLayout &layout,
           CuTeIntegers integers = CuTeIntegers::Plain);
std::string toString(const CuTeLayout &layout,
                     CuTeIntegers integers = CuTeIntegers::Plain);

/// Parses `(8,(2,4)):(1,(16,4))`, with plain or static integers; a swizzle
/// (`Sw<3,4,3>`, `S<3,4,3>` or `Swizzle<3,4,3>`) alone or in front of it:
/// `Sw<3,4,3> o (8,64):(64,1)`, `Sw<3,4,3> o 0 o ...`,
/// `Sw<3,4,3> o smem_ptr[16b](unset) o ...`. Refuses strides that are no
/// integers (`1@0`, `?`) and pointers that are set.
llvm::Expected<CuTeLayout> parseCuTe(llvm::StringRef text);

/// The layout on `axis` that maps the coordinate (c_0, c_1, ...) of the
/// top-level modes to what CuTe maps it to. A bare swizzle has no shape. Fails
/// when a size or coordinate leaves 64 bits, when a coordinate under a swizzle
/// is negative, and when a swizzle of bytes tears elements apart.
llvm::Expected<ShapedLayout> fromCuTe(const CuTeLayout &layout,
                                      Axis axis = memoryAxis());

/// The CuTe layout that maps every coordinate of `shape` to the coordinate that
/// `layout` has on `axis`. With `elementBits`, a swizzle is written for bytes.
/// Fails for what CuTe cannot say: another axis, replicas, an offset without a
/// swizzle, and an offset beside a swizzle of bytes. Law: fromCuTe(toCuTe(L,
/// s)) is equal to L under s.
llvm::Expected<CuTeLayout> toCuTe(const Layout &layout,
                                  llvm::ArrayRef<int64_t> shape,
                                  unsigned elementBits = 0,
                                  Axis axis = memoryAxis());

/// The thread-value layout ((threads), (values)) of a fragment: (t, v) goes to
/// the colexicographic index, under `shape`, of the element that thread t of
/// axis `thread` holds as its value v on axis `value`. Replicas are modes of
/// stride 0. Fails when the layout has a swizzle, an offset or other axes, when
/// a thread or value holds two elements, and when numbers are left out, since
/// CuTe gives each thread from 0 on an element.
llvm::Expected<CuTeLayout> toCuTeThreadValue(const Layout &layout,
                                             llvm::ArrayRef<int64_t> shape,
                                             Axis thread,
                                             Axis value = memoryAxis());

/// The inverse of toCuTeThreadValue: element to thread and value. `layout` has
/// the two modes (thread, value). Fails when an element is in no place, or in
/// several that no replica iter describes, and when a step straddles a
/// dimension's boundary.
llvm::Expected<Layout> fromCuTeThreadValue(const CuTeLayout &layout,
                                           llvm::ArrayRef<int64_t> shape,
                                           Axis thread,
                                           Axis value = memoryAxis());

} // namespace tirx

#endif // TIRX_LAYOUT_EXCHANGE_CUTE_H
