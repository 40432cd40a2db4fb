//===- Convert.h - layouts in the notations of others -----------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_TOOLS_TIRX_LAYOUT_CONVERT_H
#define TIRX_TOOLS_TIRX_LAYOUT_CONVERT_H

#include "TIRx/Layout/Layout.h"
#include <string>

namespace tirx::layouttool {

enum class Notation { TIRx, CuTe, Triton, Strided, Affine };

/// A layout in another notation. `shape` may be empty where `from` has one of
/// its own or a layout's extents are meant. With `elementBits` a swizzle of
/// CuTe is written for bytes. Affine maps have a result for each axis of the
/// layout, in their order; read are those with one result, on `m`. Fails, with
/// the reason, for what a notation cannot say.
llvm::Expected<std::string> convert(llvm::StringRef text, Notation from,
                                    Notation to, llvm::ArrayRef<int64_t> shape,
                                    unsigned elementBits);

} // namespace tirx::layouttool

#endif // TIRX_TOOLS_TIRX_LAYOUT_CONVERT_H
