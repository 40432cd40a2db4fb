//===- ShapedLayout.h - a layout and its logical shape ----------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_LAYOUT_EXCHANGE_SHAPEDLAYOUT_H
#define TIRX_LAYOUT_EXCHANGE_SHAPEDLAYOUT_H

#include "TIRx/Layout/Layout.h"

namespace tirx {

/// What other notations describe: a layout together with the shape whose
/// coordinates it takes. Our layouts take any shape of their size, the
/// notations of others fix one.
struct ShapedLayout {
  Layout layout;
  llvm::SmallVector<int64_t> shape;
};

} // namespace tirx

#endif // TIRX_LAYOUT_EXCHANGE_SHAPEDLAYOUT_H
