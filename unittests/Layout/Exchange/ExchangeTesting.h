//===- ExchangeTesting.h - helpers of the exchange tests --------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_UNITTESTS_LAYOUT_EXCHANGE_EXCHANGETESTING_H
#define TIRX_UNITTESTS_LAYOUT_EXCHANGE_EXCHANGETESTING_H

#include "../Testing.h"

namespace tirx::testing {

/// Calls `visit` with every coordinate of a shape and its row-major number.
template <class Visit>
void forEachCoordinate(llvm::ArrayRef<int64_t> shape, Visit visit) {
  int64_t number = 0;
  for (const Shape &at : coordinatesOf(shape))
    visit(llvm::ArrayRef<int64_t>(at), number++);
}

/// The point of linear memory at `index`.
inline Point pointOnM(int64_t index) {
  return index == 0 ? Point() : Point{{"m", index}};
}

} // namespace tirx::testing

#endif // TIRX_UNITTESTS_LAYOUT_EXCHANGE_EXCHANGETESTING_H
