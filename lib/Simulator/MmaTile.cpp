//===- MmaTile.cpp - one matrix product of a warp -------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MmaTile.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MathExtras.h"

using namespace tirx::sim;

std::optional<MmaType> tirx::sim::parseMmaType(llvm::StringRef modifier) {
  return llvm::StringSwitch<std::optional<MmaType>>(modifier)
      .Case("f16", MmaType::F16)
      .Case("bf16", MmaType::BF16)
      .Case("tf32", MmaType::TF32)
      .Case("f64", MmaType::F64)
      .Case("e4m3", MmaType::E4M3)
      .Case("e5m2", MmaType::E5M2)
      .Case("e3m2", MmaType::E3M2)
      .Case("e2m3", MmaType::E2M3)
      .Case("e2m1", MmaType::E2M1)
      .Case("s8", MmaType::S8)
      .Case("u8", MmaType::U8)
      .Case("s4", MmaType::S4)
      .Case("u4", MmaType::U4)
      .Case("b1", MmaType::B1)
      .Case("f32", MmaType::F32)
      .Case("s32", MmaType::S32)
      .Default(std::nullopt);
}

unsigned tirx::sim::bitsOf(MmaType type, bool packed) {
  switch (type) {
  case MmaType::F64:
    return 64;
  case MmaType::TF32:
  case MmaType::F32:
  case MmaType::S32:
    return 32;
  case MmaType::F16:
  case MmaType::BF16:
    return 16;
  case MmaType::E2M1:
    return packed ? 4 : 8;
  case MmaType::S4:
  case MmaType::U4:
    return 4;
  case MmaType::B1:
    return 1;
  default:
    return 8;
  }
}

bool tirx::sim::isInteger(MmaType type) {
  return type == MmaType::S8 || type == MmaType::U8 || type == MmaType::S4 ||
         type == MmaType::U4;
}

static constexpr FloatFormat shifted(FloatFormat format, uint8_t shift) {
  format.containerShift = shift;
  return format;
}

const FloatFormat &tirx::sim::formatOf(MmaType type, bool packed) {
  static constexpr FloatFormat middleE2M1 = shifted(kE2M1, 2);
  switch (type) {
  case MmaType::F16:
    return kF16;
  case MmaType::BF16:
    return kBF16;
  case MmaType::TF32:
    return kTF32;
  case MmaType::E4M3:
    return kE4M3;
  case MmaType::E5M2:
    return kE5M2;
  case MmaType::E3M2:
    return kE3M2;
  case MmaType::E2M3:
    return kE2M3;
  case MmaType::E2M1:
    return packed ? kE2M1 : middleE2M1;
  default:
    return kF32;
  }
}

MmaTile &tirx::sim::scratchTile() {
  static thread_local MmaTile tile;
  return tile;
}

void MmaTile::multiply(const MmaForm &form) {
  if (form.isDouble())
    return multiplyDouble(form);
  if (form.a == MmaType::B1)
    return multiplyBits(form);
  if (isInteger(form.a))
    return multiplyInteger(form);
  if (form.packed)
    return multiplyGrouped(form);
  if (form.expanded)
    return multiplyExpanded(form);
  multiplyFused(form);
}

void MmaTile::multiplyDouble(const MmaForm &form) {
  for (unsigned row = 0; row < form.m; ++row)
    for (unsigned column = 0; column < form.n; ++column) {
      uint64_t &cell = cDouble[row * form.n + column];
      cell =
          doubleChain({aDouble + row * form.k, form.k},
                      {bDouble + column * form.k, form.k}, cell, form.rounding);
    }
}

void MmaTile::multiplyBits(const MmaForm &form) {
  unsigned words = width(form);
  for (unsigned row = 0; row < form.m; ++row)
    for (unsigned column = 0; column < form.n; ++column) {
      uint32_t &cell = c[row * form.n + column];
      cell = bitDot({a + row * words, words}, {b + column * words, words}, cell,
                    form.exclusiveOr);
    }
}

static int16_t toInteger(uint32_t bits, MmaType type) {
  switch (type) {
  case MmaType::S8:
    return int8_t(bits);
  case MmaType::S4:
    return int16_t(llvm::SignExtend32<4>(bits));
  default:
    return int16_t(bits);
  }
}

void MmaTile::multiplyInteger(const MmaForm &form) {
  for (unsigned i = 0; i < form.m * form.k; ++i)
    aIntegers[i] = toInteger(a[i], form.a);
  for (unsigned column = 0; column < form.n; ++column)
    for (unsigned k = 0; k < form.k; ++k)
      bIntegers[k * form.n + column] =
          toInteger(b[column * form.k + k], form.b);
  for (unsigned row = 0; row < form.m; ++row) {
    uint32_t *cells = c + row * form.n;
    integerRow({aIntegers + row * form.k, form.k}, bIntegers, form.n, form.n,
               cells, cells, form.saturate);
  }
}

BlockScales MmaTile::scalesOf(const MmaForm &form, const uint8_t *bits,
                              unsigned count) const {
  if (!form.scales)
    return {};
  return {{bits, size_t(count) * form.scales},
          unsigned(form.k) / form.scales,
          form.scaleFormat};
}

DotOperand MmaTile::rowOfA(const MmaForm &form, unsigned row) const {
  return {{a + row * form.k, form.k},
          &formatOf(form.a, form.packed),
          scalesOf(form, aScales, form.m).row(row, form.k)};
}

llvm::ArrayRef<uint8_t> MmaTile::presentIn(const MmaForm &form,
                                           unsigned row) const {
  if (!form.sparse)
    return {};
  return {present + row * form.k, form.k};
}

DotOperand MmaTile::columnOfB(const MmaForm &form, unsigned column) const {
  return {{b + column * form.k, form.k},
          &formatOf(form.b, form.packed),
          scalesOf(form, bScales, form.n).row(column, form.k)};
}

void MmaTile::multiplyGrouped(const MmaForm &form) {
  for (unsigned row = 0; row < form.m; ++row)
    for (unsigned column = 0; column < form.n; ++column) {
      uint32_t &cell = c[row * form.n + column];
      cell = groupedDot(rowOfA(form, row), columnOfB(form, column), cell,
                        form.sparse ? 32 : 16);
    }
}

static AccumulatorFormat accumulatorOf(MmaType type) {
  return type == MmaType::F16 ? AccumulatorFormat::F16 : AccumulatorFormat::F32;
}

void MmaTile::multiplyExpanded(const MmaForm &form) {
  for (unsigned row = 0; row < form.m; ++row)
    for (unsigned column = 0; column < form.n; ++column) {
      uint32_t &cell = c[row * form.n + column];
      cell = expandedFloat8Dot(rowOfA(form, row), columnOfB(form, column), cell,
                               accumulatorOf(form.d), presentIn(form, row));
    }
}

void MmaTile::multiplyFused(const MmaForm &form) {
  unsigned aSize = form.m * form.k;
  llvm::ArrayRef<uint8_t> places;
  if (form.sparse)
    places = {present, aSize};
  preparedA.assign({a, aSize}, form.m, form.k, formatOf(form.a), false,
                   PreparedOperand::Order::RowMajor,
                   scalesOf(form, aScales, form.m), places);
  preparedB.assign({b, size_t(form.n) * form.k}, form.n, form.k,
                   formatOf(form.b), false, PreparedOperand::Order::KMajor,
                   scalesOf(form, bScales, form.n));
  // The oldest mma and wmma mix accumulators: an f16 c widens exactly, and what
  // is stored as f16 is the f32 result rounded again.
  FusedParameters parameters;
  bool mixed = form.c != form.d;
  parameters.result = mixed ? AccumulatorFormat::F32 : accumulatorOf(form.d);
  for (unsigned i = 0; mixed && form.c == MmaType::F16 && i < form.m * form.n;
       ++i)
    c[i] = encodeFloat(decodeFloat(c[i], kF16), kF32);
  for (unsigned row = 0; row < form.m; ++row) {
    uint32_t *cells = c + row * form.n;
    multiplyRow(preparedA, row, preparedB, cells, cells, parameters);
  }
  for (unsigned i = 0; mixed && form.d == MmaType::F16 && i < form.m * form.n;
       ++i)
    c[i] = encodeFloat(decodeFloat(c[i], kF32), kF16);
}
