//===- TensorCore.h - exact tensor-core arithmetic --------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The dot products of the tensor cores, shared by mma, wmma, wgmma and tcgen05.
// A floating-point block aligns all products and the accumulator to the largest
// exponent, cuts them toward zero to a fixed number of fraction bits, sums them
// exactly and rounds once. docs/numerics.md has the rules and where they
// come from.
//
// Plain functions of one dot product (fusedDot, groupedDot, integerDot, bitDot,
// doubleChain) state the rules; PreparedOperand and multiplyRow compute the
// same for whole tiles, fast.
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
  /// P: fraction bits of an f32 result; the rest is zero.
  int resultBits = 23;
  /// E0: the least exponent that terms are aligned to.
  int minExponent() const {
    return result == AccumulatorFormat::F16 ? -21 : -133;
  }
  /// The 8-bit floats of Hopper's wgmma keep 13 bits of both.
  static FusedParameters hopperFloat8(AccumulatorFormat result) {
    return {result, 13, 0, result == AccumulatorFormat::F16 ? 10 : 13};
  }
};

enum class ScaleFormat : uint8_t { UE8M0, UE4M3 };

/// Scale factors of an operand: one for each `block` consecutive elements of a
/// row; those of row r begin at bits[r * (k / block)].
struct BlockScales {
  llvm::ArrayRef<uint8_t> bits;
  unsigned block = 32;
  ScaleFormat format = ScaleFormat::UE8M0;
  bool empty() const { return bits.empty(); }
  /// Those of one row of k elements.
  BlockScales row(unsigned row, unsigned k) const {
    unsigned count = k / block;
    return empty() ? *this
                   : BlockScales{bits.slice(size_t(row) * count, count), block,
                                 format};
  }
};

/// The k elements of one row of an operand, with their scales if it has any.
struct DotOperand {
  llvm::ArrayRef<uint32_t> bits;
  const FloatFormat *format;
  BlockScales scales = {};
};

/// One block: the bits of round(sum a[i]*b[i] + c). The plain statement of the
/// rules, used for special values and as the reference of the fast path. Scales
/// are of ue8m0: they add to the exponents. Where `present` is not empty, only
/// elements marked in it take part (a sparse operand's nonzero places).
uint32_t fusedDot(const DotOperand &a, const DotOperand &b, uint32_t c,
                  const FusedParameters &parameters,
                  llvm::ArrayRef<uint8_t> present = {});
inline uint32_t fusedDot(llvm::ArrayRef<uint32_t> a, const FloatFormat &aFormat,
                         llvm::ArrayRef<uint32_t> b, const FloatFormat &bFormat,
                         uint32_t c, const FusedParameters &parameters) {
  return fusedDot(DotOperand{a, &aFormat}, DotOperand{b, &bFormat}, c,
                  parameters);
}

/// One block of 4-bit floats with scales (mxf4, mxf4nvf4): products are summed
/// exactly in groups of `group` elements, each sum is multiplied by the scales
/// of its group, and the terms and c are fused with 35 fraction bits to f32.
/// `group` is 16, or 32 where A is sparse and elements stand at their places
/// among zeros. Blocks of scales must be multiples of it.
uint32_t groupedDot(const DotOperand &a, const DotOperand &b, uint32_t c,
                    unsigned group = 16);

/// An operand of a matrix product, taken apart once for all its uses: values as
/// f32 and the exponents that count in alignment.
class PreparedOperand {
public:
  enum class Order { RowMajor, KMajor };

  PreparedOperand() = default;
  PreparedOperand(llvm::ArrayRef<uint32_t> bits, unsigned rows, unsigned k,
                  const FloatFormat &format, bool negate, Order order) {
    assign(bits, rows, k, format, negate, order);
  }
  /// `bits` holds rows * k elements, k fastest. `negate` flips every sign.
  /// `scales` are of ue8m0. `present`: of a sparse operand, rows * k marks of
  /// the places that hold elements; the other bits must be zero. Storage is
  /// kept from one call to the next; nothing refers to the arguments.
  void assign(llvm::ArrayRef<uint32_t> bits, unsigned rows, unsigned k,
              const FloatFormat &format, bool negate, Order order,
              const BlockScales &scales = {},
              llvm::ArrayRef<uint8_t> present = {});

  unsigned getRows() const { return rows; }
  unsigned getK() const { return k; }
  /// A row as fusedDot takes it.
  DotOperand row(unsigned row) const;
  llvm::ArrayRef<uint8_t> presentIn(unsigned row) const;
  /// Whether the row holds what the fast path cannot: an infinity, a NaN, or a
  /// scaled value beyond f32.
  bool isSpecial(unsigned row) const { return special[row]; }
  bool hasSpecial() const { return anySpecial; }
  const float *values() const { return value.data(); }
  const int16_t *exponents() const { return exponent.data(); }
  /// Distance between consecutive k (KMajor; a multiple of 16) or rows.
  unsigned getPitch() const { return pitch; }

private:
  void decodeRow(unsigned row, float *values, int16_t *exponents);
  void scaleRow(unsigned row, float *values, int16_t *exponents);

  unsigned rows = 0, k = 0, pitch = 0;
  FloatFormat format = kF32;
  bool anySpecial = false;
  ScaleFormat scaleFormat = ScaleFormat::UE8M0;
  unsigned scaleBlock = 0;
  std::vector<uint32_t> bits;
  std::vector<uint8_t> scaleBits, present;
  std::vector<float> value, rowValues;
  std::vector<int16_t> exponent, rowExponents;
  std::vector<uint8_t> special;
};

/// d[n] = fused(a row `row`, b row n, c[n]) for all rows n of `b`, which is
/// KMajor; `a` is RowMajor; only `a` may be sparse. `c` may be null (zero) or
/// equal `d`. f16 results stand in the low half of a word, as in tensor memory.
void multiplyRow(const PreparedOperand &a, unsigned row,
                 const PreparedOperand &b, const uint32_t *c, uint32_t *d,
                 const FusedParameters &parameters);
/// The same without the vector instructions of newer processors, for tests.
void multiplyRowPortable(const PreparedOperand &a, unsigned row,
                         const PreparedOperand &b, const uint32_t *c,
                         uint32_t *d, const FusedParameters &parameters);

/// mma.sync of 8-bit floats on sm_89 and sm_90, which ptxas expands to two f16
/// products and an addition: the elements k % 4 < 2 first (of a sparse operand,
/// whose places `present` marks, k % 8 < 4), then the others onto that, and c
/// is added last with an IEEE addition.
uint32_t expandedFloat8Dot(const DotOperand &a, const DotOperand &b, uint32_t c,
                           AccumulatorFormat result,
                           llvm::ArrayRef<uint8_t> present = {});

/// The integer kind: exact sum of products and c, wrapped to 32 bits or clamped
/// once. Elements are sign- or zero-extended.
uint32_t integerDot(llvm::ArrayRef<int16_t> a, llvm::ArrayRef<int16_t> b,
                    uint32_t c, bool saturate);
/// d[n] = integerDot(a, column n of b, c[n]), where element k of column n is
/// b[k * pitch + n]. `c` may be null (zero) or equal `d`.
void integerRow(llvm::ArrayRef<int16_t> a, const int16_t *b, unsigned pitch,
                unsigned columns, const uint32_t *c, uint32_t *d,
                bool saturate);

/// The one-bit kind: c plus the number of ones in a & b or a ^ b, wrapped.
uint32_t bitDot(llvm::ArrayRef<uint32_t> a, llvm::ArrayRef<uint32_t> b,
                uint32_t c, bool exclusiveOr);

/// The f64 kind: fused multiply-adds for k ascending, from c on, each rounded.
/// Of several NaNs in a step the first of b, the sum and a survives, quieted.
/// All are bits of doubles.
uint64_t doubleChain(llvm::ArrayRef<uint64_t> a, llvm::ArrayRef<uint64_t> b,
                     uint64_t c, Rounding rounding = Rounding::NearestEven);

/// A 2:4 sparse row (1:2 when `pair`): element i of `compressed` goes to place
/// `chosen[i]` of its group in `row`, which is zeroed first; `present` marks
/// where. `unit` consecutive elements move together (4-bit types: 2). Returns
/// false when two elements of a group have one place.
bool expandSparse(llvm::ArrayRef<uint32_t> compressed,
                  llvm::ArrayRef<uint8_t> chosen, bool pair, unsigned unit,
                  llvm::MutableArrayRef<uint32_t> row,
                  llvm::MutableArrayRef<uint8_t> present);

} // namespace tirx::sim

#endif // TIRX_SIMULATOR_TENSORCORE_H
