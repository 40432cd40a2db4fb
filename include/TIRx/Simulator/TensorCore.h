//===- TensorCore.h - exact tensor-core arithmetic --------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The dot product of the tensor cores: all products and the accumulator are
// aligned to the largest exponent, cut toward zero to a fixed number of
// fraction bits, summed exactly and rounded once. docs/simulator-model.md has
// the rules and where they come from.
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_SIMULATOR_TENSORCORE_H
#define TIRX_SIMULATOR_TENSORCORE_H

#include "TIRx/Simulator/FloatFormat.h"
#include "llvm/ADT/ArrayRef.h"
#include <vector>

namespace tirx::sim {

enum class AccumulatorFormat : uint8_t { F16, F32, S32 };

/// The constants of one floating-point block.
struct FusedParameters {
  AccumulatorFormat result = AccumulatorFormat::F32;
  /// F: fraction bits kept below the largest exponent.
  int alignBits = 25;
  /// The accumulator enters as c * 2^-scaleD.
  int scaleD = 0;
  /// E0: the least exponent that terms are aligned to.
  int minExponent() const {
    return result == AccumulatorFormat::F16 ? -21 : -133;
  }
};

/// One block: the bits of round(sum a[i]*b[i] + c). The plain statement of the
/// rules, used for special values and as the reference of the fast path.
uint32_t fusedDot(llvm::ArrayRef<uint32_t> a, const FloatFormat &aFormat,
                  llvm::ArrayRef<uint32_t> b, const FloatFormat &bFormat,
                  uint32_t c, const FusedParameters &parameters);

/// An operand of a matrix product, taken apart once for all its uses:
/// element (row, k) is significand * 2^(exponent - 10).
class PreparedOperand {
public:
  enum class Order { RowMajor, KMajor };

  /// `bits` holds rows * k elements, k fastest. `negate` flips every sign.
  PreparedOperand(llvm::ArrayRef<uint32_t> bits, unsigned rows, unsigned k,
                  const FloatFormat &format, bool negate, Order order);

  unsigned getRows() const { return rows; }
  unsigned getK() const { return k; }
  const FloatFormat &getFormat() const { return format; }
  llvm::ArrayRef<uint32_t> rowBits(unsigned row) const {
    return llvm::ArrayRef<uint32_t>(bits).slice(size_t(row) * k, k);
  }
  /// Whether the row holds an infinity or a NaN.
  bool isSpecial(unsigned row) const { return special[row]; }
  const int32_t *significands() const { return significand.data(); }
  const int32_t *exponents() const { return exponent.data(); }
  /// Distance between consecutive k (KMajor; a multiple of 8) or rows.
  unsigned getPitch() const { return pitch; }

private:
  unsigned rows, k, pitch;
  FloatFormat format;
  std::vector<uint32_t> bits;
  std::vector<int32_t> significand, exponent;
  std::vector<uint8_t> special;
};

/// d[n] = fused(a row `row`, b row n, c[n]) for all rows n of `b`, which is
/// KMajor; `a` is RowMajor. `c` may be null (zero) or equal `d`. f16 results
/// stand in the low half of a word, as in tensor memory.
void multiplyRow(const PreparedOperand &a, unsigned row,
                 const PreparedOperand &b, const uint32_t *c, uint32_t *d,
                 const FusedParameters &parameters);

/// The integer kind: exact sum of products and c, wrapped to 32 bits or clamped
/// once. Elements are sign- or zero-extended bytes.
uint32_t integerDot(llvm::ArrayRef<int16_t> a, llvm::ArrayRef<int16_t> b,
                    uint32_t c, bool saturate);

} // namespace tirx::sim

#endif // TIRX_SIMULATOR_TENSORCORE_H
