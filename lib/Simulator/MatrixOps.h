//===- MatrixOps.h - warp-level matrix instructions -------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_LIB_SIMULATOR_MATRIXOPS_H
#define TIRX_LIB_SIMULATOR_MATRIXOPS_H

#include "Exec.h"
#include "MmaTile.h"
#include <cstring>

namespace tirx::sim {

/// Whether all lanes execute the instruction, which is reported otherwise.
bool checkWholeWarp(Warp &warp, const Inst &inst, uint32_t mask);

/// The address that operand `n` has in lane `lane`.
inline uint64_t matrixAddress(Warp &w, const Inst &i, unsigned n, unsigned lane,
                              int64_t offset) {
  uint64_t base = readLane(w, i, n, lane) + offset;
  return i.wide >> n & 1 ? base : uint32_t(base);
}

/// The form lies in the two immediates of an instruction.
inline void putForm(Inst &inst, const MmaForm &form) {
  static_assert(sizeof(MmaForm) <= 2 * sizeof(int64_t));
  int64_t words[2] = {};
  std::memcpy(words, static_cast<const void *>(&form), sizeof(form));
  inst.imm = words[0];
  inst.imm2 = words[1];
}
inline MmaForm takeForm(const Inst &inst) {
  int64_t words[2] = {inst.imm, inst.imm2};
  MmaForm form;
  std::memcpy(static_cast<void *>(&form), words, sizeof(form));
  return form;
}

/// The types among the modifiers, in order: d, a, b, c.
llvm::SmallVector<MmaType, 4> mmaTypes(InstDecoder &decoder);
/// .rn, .rz, .rm or .rp.
Rounding roundingModifier(InstDecoder &decoder);
/// m, n and k of the shape among the modifiers; false (a failure): there is
/// none.
bool readShape(InstDecoder &decoder, MmaForm &form);

/// The operand as registers of the type's width, or a failure when their number
/// is another one. They follow those of the operands before in Kernel::slots.
void decodeFragment(InstDecoder &decoder, Inst &inst, unsigned operand,
                    Type type, bool isDst, unsigned expected);
/// The type of the registers that hold elements of this type.
inline Type registerType(MmaType type) {
  return type == MmaType::F64 ? Type::F64 : Type::B32;
}

/// How the elements of A or B lie in registers, as in the PTX ISA: lane 4g + t
/// has elements of row (of B: column) g of each block of eight, and each run of
/// 32 bits along k belongs to the next lane t. Blocks of eight are tiled by
/// `blocksPerTile` (A: 16 rows, B: 8 columns); registers count the blocks of a
/// tile first, then k, then tiles.
struct FragmentLayout {
  unsigned rows, k, bits, blocksPerTile;

  static FragmentLayout ofA(const MmaForm &form) {
    return of(form.m, form.storedK(), form.aBits(), form.m > 8 ? 2 : 1);
  }
  static FragmentLayout ofB(const MmaForm &form) {
    return of(form.n, form.k, form.bBits(), 1);
  }
  /// b1 counts in words.
  static FragmentLayout of(unsigned rows, unsigned k, unsigned bits,
                           unsigned blocksPerTile) {
    if (bits == 1)
      return {rows, k / 32, 32, blocksPerTile};
    return {rows, k, bits, blocksPerTile};
  }
  unsigned perRegister() const { return bits < 32 ? 32 / bits : 1; }
  unsigned registers() const { return rows * k / 32 / perRegister(); }
  /// The first element of register `r` in lane `lane`.
  unsigned row(unsigned r, unsigned lane) const {
    unsigned perTile = k / 4 / perRegister() * blocksPerTile;
    return 8 * (r / perTile * blocksPerTile + r % blocksPerTile) + lane / 4;
  }
  unsigned column(unsigned r, unsigned lane) const {
    unsigned steps = k / 4 / perRegister();
    return (4 * (r / blocksPerTile % steps) + lane % 4) * perRegister();
  }
};

/// Between registers and rows of k elements.
void gatherFragment(Warp &warp, const Slot *slots, const FragmentLayout &layout,
                    uint32_t *to);
void scatterFragment(Warp &warp, const Slot *slots,
                     const FragmentLayout &layout, const uint32_t *from);
void gatherDoubles(Warp &warp, const Slot *slots, const FragmentLayout &layout,
                   uint64_t *to);
void scatterDoubles(Warp &warp, const Slot *slots, const FragmentLayout &layout,
                    const uint64_t *from);

/// Registers of an accumulator.
inline unsigned accumulatorRegisters(const MmaForm &form, MmaType type) {
  return form.m * form.n / 32 / (type == MmaType::F16 ? 2 : 1);
}
/// The accumulator of a tile: lane 4g + t has columns 2t and 2t + 1 of row g of
/// each 8x8 block, in neighbouring registers or, as f16, in one. Blocks count
/// along rows first.
void gatherAccumulator(Warp &warp, const Slot *slots, const MmaForm &form,
                       MmaType type, MmaTile &tile);
void scatterAccumulator(Warp &warp, const Slot *slots, const MmaForm &form,
                        MmaType type, const MmaTile &tile);

} // namespace tirx::sim

#endif // TIRX_LIB_SIMULATOR_MATRIXOPS_H
