//===- Strided.h - layouts to and from strides and affine maps --*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The two ways in which MLIR writes where an element is: one stride for each
// dimension and an offset, or an affine map, which may cut a dimension by
// `floordiv` and `mod`. Here they are without MLIR; the dialect builds its
// attributes from them. Replicas and swizzles are neither.
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_LAYOUT_EXCHANGE_STRIDED_H
#define TIRX_LAYOUT_EXCHANGE_STRIDED_H

#include "TIRx/Layout/Layout.h"
#include "llvm/Support/raw_ostream.h"

namespace tirx {

//===----------------------------------------------------------------------===//
// Strides
//===----------------------------------------------------------------------===//

/// `strided<[64, 1], offset: 5>`: coordinate c is at offset + sum c_d * s_d.
struct StridedForm {
  llvm::SmallVector<int64_t> strides;
  int64_t offset = 0;

  bool operator==(const StridedForm &other) const {
    return strides == other.strides && offset == other.offset;
  }
};

void print(llvm::raw_ostream &os, const StridedForm &form);
/// Parses what `print` prints. A stride or offset of `?` is refused.
llvm::Expected<StridedForm> parseStrided(llvm::StringRef text);

/// Fails when there is not one stride for each dimension, and when a size or
/// coordinate leaves 64 bits.
llvm::Expected<Layout> fromStrided(const StridedForm &form,
                                   llvm::ArrayRef<int64_t> shape,
                                   Axis axis = memoryAxis());
/// Fails for a swizzle, replicas, another axis, and a dimension of more than
/// one stride. A dimension of extent 1 has stride 1.
llvm::Expected<StridedForm> toStrided(const Layout &layout,
                                      llvm::ArrayRef<int64_t> shape,
                                      Axis axis = memoryAxis());

//===----------------------------------------------------------------------===//
// Affine maps
//===----------------------------------------------------------------------===//

/// `d_dim floordiv divisor mod modulus * stride`; a modulus of 0 is none.
struct AffineTerm {
  unsigned dim;
  int64_t divisor;
  int64_t modulus;
  int64_t stride;
};

/// One result of an affine map: the sum of its terms and a constant.
struct AffineResult {
  llvm::SmallVector<AffineTerm> terms;
  int64_t constant = 0;
};

/// The coordinate on each of `axes`, as results of one affine map. Fails for a
/// swizzle, replicas, and an axis that is not among `axes`.
llvm::Expected<llvm::SmallVector<AffineResult>>
toAffine(const Layout &layout, llvm::ArrayRef<int64_t> shape,
         llvm::ArrayRef<Axis> axes);

/// `(d0, d1) -> (d0 * 64 + d1 floordiv 8)`, as MLIR reads it.
void printAffine(llvm::raw_ostream &os, unsigned rank,
                 llvm::ArrayRef<AffineResult> results);

/// What an affine expression of the coordinates of a shape evaluates to, as
/// digits of the coordinates with a coefficient each. Operations fail when the
/// result has no such form, which is when no layout computes it.
class AffineValue {
public:
  static AffineValue getConstant(int64_t value);
  /// The coordinate of a dimension; `extent` is at least 1.
  static AffineValue getDim(unsigned dim, int64_t extent);

  static llvm::Expected<AffineValue> add(const AffineValue &lhs,
                                         const AffineValue &rhs);
  /// One of the two has to be a constant.
  static llvm::Expected<AffineValue> multiply(const AffineValue &lhs,
                                              const AffineValue &rhs);
  /// Rounds down, as MLIR does. The divisor has to be a constant above 0, and
  /// has to cut each digit where its extent is divided.
  static llvm::Expected<AffineValue> floorDiv(const AffineValue &lhs,
                                              const AffineValue &rhs);
  static llvm::Expected<AffineValue> mod(const AffineValue &lhs,
                                         const AffineValue &rhs);

  /// `c_dim floordiv weight mod extent * factor`.
  struct Digit {
    unsigned dim;
    int64_t weight;
    int64_t extent;
    int64_t factor;
  };
  llvm::ArrayRef<Digit> getDigits() const { return digits; }
  int64_t getConstant() const { return constant; }
  bool isConstant() const { return digits.empty(); }

private:
  /// Quotient and remainder at once.
  static llvm::Expected<std::pair<AffineValue, AffineValue>>
  divide(const AffineValue &lhs, const AffineValue &rhs);

  llvm::SmallVector<Digit, 4> digits;
  int64_t constant = 0;
};

/// The layout whose coordinate on axes[i] is results[i]. Fails when the digits
/// of a dimension do not divide each other, or when one moves on several axes.
llvm::Expected<Layout> fromAffine(llvm::ArrayRef<AffineValue> results,
                                  llvm::ArrayRef<int64_t> shape,
                                  llvm::ArrayRef<Axis> axes);

/// The same from `(d0, d1) -> (...)` or `affine_map<...>`, with `+`, `-`, `*`,
/// `floordiv`, `mod` and parentheses.
llvm::Expected<Layout> parseAffine(llvm::StringRef text,
                                   llvm::ArrayRef<int64_t> shape,
                                   llvm::ArrayRef<Axis> axes);

} // namespace tirx

#endif // TIRX_LAYOUT_EXCHANGE_STRIDED_H
