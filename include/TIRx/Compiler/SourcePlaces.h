//===- SourcePlaces.h - the lines that a location names ---------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_COMPILER_SOURCEPLACES_H
#define TIRX_COMPILER_SOURCEPLACES_H

#include "mlir/IR/Location.h"
#include "llvm/ADT/SmallVector.h"

namespace tirx {

/// Appends the places in source text that a location is made of: the innermost
/// first, then those of the calls that led to it.
void collectPlaces(mlir::Location location,
                   llvm::SmallVectorImpl<mlir::FileLineColLoc> &places);

} // namespace tirx

#endif // TIRX_COMPILER_SOURCEPLACES_H
