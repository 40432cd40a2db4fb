//===- Affine.h - regions of dimensions -------------------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which functions of a flat index are sums of digits times strides.
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_LIB_LAYOUT_AFFINE_H
#define TIRX_LIB_LAYOUT_AFFINE_H

#include "TIRx/Layout/Layout.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace tirx::detail {

/// The iters, fused, whose map is y -> D(start + y) - D(start) for y in
/// [0, count), where D is the map of `iters`: with start and count inside it.
/// Fails, saying why, exactly when there are none.
llvm::Expected<llvm::SmallVector<Iter, 4>>
restrictIters(llvm::ArrayRef<Iter> iters, int64_t start, int64_t count);

/// The iters, outermost first, whose sum over the digits of an index c below
/// `extent` is row(c), a vector on `axes` with row(0) = 0. Nothing when there
/// are none. Looks at every c.
std::optional<llvm::SmallVector<Iter, 2>>
fitIters(int64_t extent, llvm::ArrayRef<Axis> axes,
         llvm::function_ref<llvm::ArrayRef<int64_t>(int64_t)> row);

/// The axis on which a vector is not zero, 0 when it is zero, and nothing when
/// there are two.
std::optional<unsigned> getSingleAxis(llvm::ArrayRef<int64_t> vector);

} // namespace tirx::detail

#endif // TIRX_LIB_LAYOUT_AFFINE_H
