//===- Exchange.h - what the exchange formats share -------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_LIB_LAYOUT_EXCHANGE_EXCHANGE_H
#define TIRX_LIB_LAYOUT_EXCHANGE_EXCHANGE_H

#include "../CheckedMath.h"
#include "TIRx/Layout/Layout.h"

namespace tirx {

/// A layout whose only axis is one integer, in the form in which others write
/// it: for each dimension its iters, outermost first and as few as there can
/// be, and an offset. The swizzle, if any, is left out.
struct SingleAxis {
  llvm::SmallVector<llvm::SmallVector<Iter, 2>> groups;
  int64_t offset = 0;
};

/// The canonical layout. Fails when it has a swizzle, which `format` cannot
/// say; a bare swizzle too.
llvm::Expected<TileLayout> getUnswizzled(const Layout &layout,
                                         llvm::StringRef format);
/// Fails when the layout, which is canonical, has replicas.
llvm::Error checkNoReplicas(const TileLayout &tile, llvm::StringRef format);

/// Fails when the layout has another axis than `axis`, replicas, or iters that
/// straddle the shape's dimensions. `format` names who cannot say it. A bare
/// swizzle takes the shape's size.
llvm::Expected<SingleAxis> getSingleAxis(const Layout &layout,
                                         llvm::ArrayRef<int64_t> shape,
                                         Axis axis, llvm::StringRef format);

} // namespace tirx

#endif // TIRX_LIB_LAYOUT_EXCHANGE_EXCHANGE_H
