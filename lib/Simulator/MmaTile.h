//===- MmaTile.h - one matrix product of a warp -----------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What mma and wmma share: the matrices of one product as plain arrays, and the
// arithmetic on them. Which register holds which element is the business of the
// instructions.
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_LIB_SIMULATOR_MMATILE_H
#define TIRX_LIB_SIMULATOR_MMATILE_H

#include "TIRx/Simulator/TensorCore.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace tirx::sim {

/// Types of the elements of A and B, and of accumulators.
enum class MmaType : uint8_t {
  F16,
  BF16,
  TF32,
  F64,
  E4M3,
  E5M2,
  E3M2,
  E2M3,
  E2M1,
  S8,
  U8,
  S4,
  U4,
  B1,
  // Accumulators only.
  F32,
  S32,
};

std::optional<MmaType> parseMmaType(llvm::StringRef modifier);
/// Bits of an element in a register. `packed`: e2m1 in 4 bits instead of 8.
unsigned bitsOf(MmaType type, bool packed = false);
bool isInteger(MmaType type);
/// Of a float but f64. e2m1 in a byte stands in its bits 2 to 5.
const FloatFormat &formatOf(MmaType type, bool packed = false);

/// What one product is. Fits the two immediates of an Inst.
struct MmaForm {
  uint8_t m = 0, n = 0;
  uint16_t k = 0;
  MmaType a = MmaType::F16, b = MmaType::F16;
  MmaType c = MmaType::F32, d = MmaType::F32;
  uint8_t saturate : 1;
  uint8_t exclusiveOr : 1;
  uint8_t sparse : 1;
  /// 8-bit floats as ptxas expands them for sm_89 and sm_90.
  uint8_t expanded : 1;
  /// 4-bit floats two a byte, with groups of 16 (kinds mxf4 and mxf4nvf4).
  uint8_t packed : 1;
  uint8_t aColumns : 1; ///< A is column-major (wmma and the oldest mma)
  uint8_t bRows : 1;    ///< B is row-major
  Rounding rounding = Rounding::NearestEven;
  /// Scales of a row of A or a column of B; 0: no scales.
  uint8_t scales = 0;
  ScaleFormat scaleFormat = ScaleFormat::UE8M0;
  uint8_t sparsitySelector = 0;

  MmaForm()
      : saturate(0), exclusiveOr(0), sparse(0), expanded(0), packed(0),
        aColumns(0), bRows(0) {}
  unsigned aBits() const { return bitsOf(a, packed); }
  unsigned bBits() const { return bitsOf(b, packed); }
  /// Elements of a row of A that are stored.
  unsigned storedK() const { return sparse ? k / 2 : k; }
  bool isDouble() const { return a == MmaType::F64; }
};

/// The operands of one product, rows of A and columns of B with k fastest, as
/// bits. b1 comes in words of 32. Storage is reused.
class MmaTile {
public:
  /// Elements (words for b1) of a row of A or column of B.
  static unsigned width(const MmaForm &form) {
    return form.a == MmaType::B1 ? form.k / 32 : form.k;
  }
  static constexpr unsigned kMaxA = 16 * 128, kMaxB = 8 * 128, kMaxC = 256;

  uint32_t a[kMaxA], b[kMaxB];
  /// c before, d after; rows of n.
  uint32_t c[kMaxC];
  uint64_t aDouble[16 * 16], bDouble[8 * 16], cDouble[16 * 8];
  /// Of a sparse A: the places that hold elements.
  uint8_t present[kMaxA];
  uint8_t aScales[16 * 4], bScales[8 * 4];

  void multiply(const MmaForm &form);

private:
  void multiplyDouble(const MmaForm &form);
  void multiplyBits(const MmaForm &form);
  void multiplyInteger(const MmaForm &form);
  void multiplyGrouped(const MmaForm &form);
  void multiplyExpanded(const MmaForm &form);
  void multiplyFused(const MmaForm &form);
  DotOperand rowOfA(const MmaForm &form, unsigned row) const;
  DotOperand columnOfB(const MmaForm &form, unsigned column) const;
  llvm::ArrayRef<uint8_t> presentIn(const MmaForm &form, unsigned row) const;
  BlockScales scalesOf(const MmaForm &form, const uint8_t *bits,
                       unsigned count) const;

  PreparedOperand preparedA, preparedB;
  int16_t aIntegers[kMaxA], bIntegers[kMaxB];
};

/// A tile of this thread, for the time of one instruction.
MmaTile &scratchTile();

} // namespace tirx::sim

#endif // TIRX_LIB_SIMULATOR_MMATILE_H
