//===- Elements.h - elements, shapes and hardware places --------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_TOOLS_TIRX_LAYOUT_ELEMENTS_H
#define TIRX_TOOLS_TIRX_LAYOUT_ELEMENTS_H

#include "TIRx/Layout/Layout.h"

namespace tirx::layouttool {

llvm::Error makeError(const llvm::Twine &message);

/// Bits of an element type: `f16`, `i8`, `e4m3`, ... and the long names of
/// Python (`float16`, `float8_e4m3fn`).
llvm::Expected<unsigned> parseElementType(llvm::StringRef name);

/// `128x64` or `128,64`: integers of at least `least`.
llvm::Expected<llvm::SmallVector<int64_t>>
parseIntegers(llvm::StringRef what, llvm::StringRef text, int64_t least);

/// `given`, or where it is empty the extents of the layout's shard, which a
/// bare swizzle does not have.
llvm::Expected<llvm::SmallVector<int64_t>>
getShape(const Layout &layout, llvm::ArrayRef<int64_t> given);

/// Checks that a shape has as many elements as the layout, and gives a bare
/// swizzle a tile of the shape's size.
llvm::Expected<Layout> fitToShape(const Layout &layout,
                                  llvm::ArrayRef<int64_t> shape);

/// Checks that an index has one entry for each dimension, inside the shape.
llvm::Error checkIndex(llvm::ArrayRef<int64_t> index,
                       llvm::ArrayRef<int64_t> shape);

/// Checks that an element has at most 2^16 copies, replica combinations that
/// coincide included: what lists them all must not run for ever.
llvm::Error checkCopies(const Layout &layout);

/// What coordinates on `m` and `TCol` are in hardware terms.
struct HardwarePlace {
  /// Of `m`: the byte and its shared-memory bank.
  int64_t byte = 0, bank = 0;
  /// Of `TCol`: the 32-bit column and the bit in it.
  int64_t column = 0, bit = 0;
};
HardwarePlace getHardwarePlace(const Coordinates &at, unsigned elementBits);

} // namespace tirx::layouttool

#endif // TIRX_TOOLS_TIRX_LAYOUT_ELEMENTS_H
