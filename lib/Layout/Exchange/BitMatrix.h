//===- BitMatrix.h - linear algebra over GF(2) ------------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_LIB_LAYOUT_EXCHANGE_BITMATRIX_H
#define TIRX_LIB_LAYOUT_EXCHANGE_BITMATRIX_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MathExtras.h"
#include <optional>

namespace tirx {

/// A vector of up to 64 bits.
using Bits = uint64_t;

/// The column space of up to 64 columns, and which columns make a vector.
class BitMatrix {
public:
  explicit BitMatrix(llvm::ArrayRef<Bits> columns) {
    for (auto [i, column] : llvm::enumerate(columns)) {
      Bits vector = column, combination = Bits(1) << i;
      reduce(vector, combination);
      if (vector == 0)
        kernel.push_back(combination);
      else
        pivots.push_back({vector, combination});
    }
  }

  unsigned getRank() const { return pivots.size(); }
  /// Sets of columns that add up to 0; a basis of all such sets.
  llvm::ArrayRef<Bits> getKernel() const { return kernel; }

  /// A set of columns that adds up to `vector`; none when there is none.
  std::optional<Bits> solve(Bits vector) const {
    Bits combination = 0;
    reduce(vector, combination);
    return vector == 0 ? std::optional<Bits>(combination) : std::nullopt;
  }

private:
  struct Pivot {
    Bits vector;
    Bits combination;
  };

  /// Clears the leading bit of every pivot. A pivot has no leading bit of an
  /// earlier one, so one pass in order is enough.
  void reduce(Bits &vector, Bits &combination) const {
    for (const Pivot &pivot : pivots)
      if (vector >> llvm::Log2_64(pivot.vector) & 1) {
        vector ^= pivot.vector;
        combination ^= pivot.combination;
      }
  }

  llvm::SmallVector<Pivot> pivots;
  llvm::SmallVector<Bits> kernel;
};

/// The one basis of the space that `vectors` span in which no vector has the
/// leading bit of another.
inline llvm::SmallVector<Bits> getReducedBasis(llvm::ArrayRef<Bits> vectors) {
  llvm::SmallVector<Bits> basis;
  for (Bits vector : vectors) {
    for (Bits other : basis)
      if (vector >> llvm::Log2_64(other) & 1)
        vector ^= other;
    if (vector == 0)
      continue;
    for (Bits &other : basis)
      if (other >> llvm::Log2_64(vector) & 1)
        other ^= vector;
    basis.push_back(vector);
  }
  return basis;
}

} // namespace tirx

#endif // TIRX_LIB_LAYOUT_EXCHANGE_BITMATRIX_H
