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

namespace tirx::detail {

/// The iters, fused, whose map is y -> D(start + y) - D(start) for y in
/// [0, count), where D is the map of `iters`: with start and count inside it.
/// Fails, saying why, exactly when there are none.
llvm::Expected<llvm::SmallVector<Iter, 4>>
restrictIters(llvm::ArrayRef<Iter> iters, int64_t start, int64_t count);

/// The same for the values that a function has at 0, 1, ...
llvm::Expected<llvm::SmallVector<Iter, 4>>
fitIters(llvm::ArrayRef<Coordinates> values);

} // namespace tirx::detail

#endif // TIRX_LIB_LAYOUT_AFFINE_H
