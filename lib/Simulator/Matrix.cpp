//===- Matrix.cpp - mma.sync, ldmatrix, stmatrix --------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The warp-level matrix instructions of sm_80.
//
//===----------------------------------------------------------------------===//

#include "Exec.h"
#include "TIRx/Simulator/TensorCore.h"
#include "llvm/Support/FormatVariadic.h"
#include <cstring>

using namespace tirx::sim;

static bool checkWarp(Warp &w, const Inst &i, uint32_t mask) {
  if (mask == kFullMask)
    return true;
  w.fault(i, llvm::countr_zero(mask), "R36",
          llvm::formatv("expected all 32 lanes of the warp to execute this "
                        "instruction together, got lanes {0:x8}",
                        mask));
  return false;
}

static uint64_t addressOf(Warp &w, const Inst &i, unsigned n, unsigned l,
                          int64_t offset) {
  uint64_t base = readLane(w, i, n, l) + offset;
  return i.wide >> n & 1 ? base : uint32_t(base);
}

//===----------------------------------------------------------------------===//
// ldmatrix and stmatrix: 8x8 matrices of 16-bit elements
//===----------------------------------------------------------------------===//

/// op[0] address; the vector: one register a matrix; `a`: transposed,
/// `b`: store. Lane 8 * m + r gives the address of row r of matrix m.
static Step moveMatrix(Warp &w, const Inst &i, uint32_t mask) {
  if (!checkWarp(w, i, mask))
    return Step::Fault;
  const Slot *slots = w.cta.grid.kernel.slots.data() + i.vector;
  for (unsigned m = 0; m < i.vectorCount; ++m) {
    uint16_t rows[8][8];
    MemoryRef refs[8];
    for (unsigned r = 0; r < 8; ++r) {
      unsigned l = 8 * m + r;
      uint64_t address = addressOf(w, i, 0, l, i.imm);
      if (!w.resolve(i, AddressSpace(i.space), address, 16, l,
                     i.b ? AccessKind::Write : AccessKind::Read, refs[r]) ||
          (!i.b && !w.checkWritten(i, refs[r], 16, address, l)))
        return Step::Fault;
      if (!i.b)
        std::memcpy(rows[r], refs[r].data, 16);
    }
    auto *d = w.at<uint32_t>(slots[m]);
    for (unsigned l = 0; l < 32; ++l) {
      unsigned r = l / 4, c = l % 4 * 2;
      uint16_t &first = i.a ? rows[c][r] : rows[r][c];
      uint16_t &second = i.a ? rows[c + 1][r] : rows[r][c + 1];
      if (i.b) {
        first = d[l];
        second = d[l] >> 16;
      } else {
        d[l] = first | uint32_t(second) << 16;
      }
    }
    for (unsigned r = 0; i.b && r < 8; ++r) {
      std::memcpy(refs[r].data, rows[r], 16);
      refs[r].store->markWritten(refs[r].offset, 16);
    }
  }
  if (i.b)
    ++w.cta.grid.progress;
  return Step::Next;
}

/// movmatrix: transposes the 8x8 matrix that the warp holds in one register.
static Step transpose(Warp &w, const Inst &i, uint32_t mask) {
  if (!checkWarp(w, i, mask))
    return Step::Fault;
  auto *d = w.at<uint32_t>(i.op[0]), *a = w.at<uint32_t>(i.op[1]);
  uint16_t cells[8][8];
  for (unsigned l = 0; l < 32; ++l) {
    cells[l / 4][l % 4 * 2] = a[l];
    cells[l / 4][l % 4 * 2 + 1] = a[l] >> 16;
  }
  for (unsigned l = 0; l < 32; ++l)
    d[l] = cells[l % 4 * 2][l / 4] | uint32_t(cells[l % 4 * 2 + 1][l / 4])
                                         << 16;
  return Step::Next;
}

static void decodeMoveMatrix(InstDecoder &d, Inst &i, bool isStore) {
  if (!d.has("m8n8") || d.type() != Type::B16)
    return d.fail("only .m8n8 matrices of .b16 have a model");
  d.accept({"x1", "x2", "x4"});
  i.space = uint8_t(spaceOf(d));
  i.a = d.has("trans");
  i.b = isStore;
  d.address(i, 0, isStore ? 0 : 1);
  d.vector(i, isStore ? 1 : 0, Type::B32, !isStore);
  if (!d.failed() && i.vectorCount != 1 && i.vectorCount != 2 &&
      i.vectorCount != 4)
    return d.fail("expected 1, 2 or 4 registers");
  i.fn = moveMatrix;
}

//===----------------------------------------------------------------------===//
// mma.sync m16n8
//===----------------------------------------------------------------------===//

/// A: k / (elements per register * 4) * 2 registers, B: half of them. `a`: type
/// of A and B, `b`: f16 result, `c`: K, `size`: bits of an element. The vectors
/// of D, A, B and C follow each other in Kernel::slots.
static Step mma(Warp &w, const Inst &i, uint32_t mask) {
  if (!checkWarp(w, i, mask))
    return Step::Fault;
  const FloatFormat &format = Type(i.a) == Type::F16    ? kF16
                              : Type(i.a) == Type::BF16 ? kBF16
                                                        : kTF32;
  const Slot *slots = w.cta.grid.kernel.slots.data() + i.vector;
  unsigned k = i.c, perRegister = 32 / i.size;
  unsigned aRegisters = k / perRegister / 2, bRegisters = aRegisters / 2;
  unsigned dRegisters = i.b ? 2 : 4;
  const Slot *d = slots, *a = d + dRegisters, *b = a + aRegisters,
             *c = b + bRegisters;
  uint32_t elementMask = i.size == 32 ? ~0u : 0xffff;
  std::vector<uint32_t> aBits(16 * k), bBits(8 * k);
  uint32_t cells[16][8];
  for (unsigned l = 0; l < 32; ++l) {
    unsigned group = l / 4, column = l % 4 * perRegister;
    for (unsigned r = 0; r < aRegisters; ++r)
      for (unsigned e = 0; e < perRegister; ++e)
        aBits[(group + 8 * (r % 2)) * k + column + e +
              r / 2 * 4 * perRegister] =
            w.at<uint32_t>(a[r])[l] >> (e * i.size) & elementMask;
    for (unsigned r = 0; r < bRegisters; ++r)
      for (unsigned e = 0; e < perRegister; ++e)
        bBits[group * k + column + e + r * 4 * perRegister] =
            w.at<uint32_t>(b[r])[l] >> (e * i.size) & elementMask;
    for (unsigned n = 0; n < 4; ++n) {
      uint32_t word = w.at<uint32_t>(c[i.b ? n / 2 : n])[l];
      cells[group + 8 * (n / 2)][l % 4 * 2 + n % 2] =
          i.b ? word >> (16 * (n % 2)) & 0xffff : word;
    }
  }
  FusedParameters parameters;
  parameters.result = i.b ? AccumulatorFormat::F16 : AccumulatorFormat::F32;
  PreparedOperand pa(aBits, 16, k, format, false,
                     PreparedOperand::Order::RowMajor);
  PreparedOperand pb(bBits, 8, k, format, false,
                     PreparedOperand::Order::KMajor);
  for (unsigned row = 0; row < 16; ++row)
    multiplyRow(pa, row, pb, cells[row], cells[row], parameters);
  for (unsigned l = 0; l < 32; ++l)
    for (unsigned n = 0; n < 4; n += 2) {
      const uint32_t *cell = &cells[l / 4 + 8 * (n / 2)][l % 4 * 2];
      if (i.b) {
        w.at<uint32_t>(d[n / 2])[l] = cell[0] | cell[1] << 16;
        continue;
      }
      w.at<uint32_t>(d[n])[l] = cell[0];
      w.at<uint32_t>(d[n + 1])[l] = cell[1];
    }
  return Step::Next;
}

static void decodeMma(InstDecoder &d, Inst &i) {
  if (d.types().size() != 4 || d.type(1) != d.type(2) || d.type(0) != d.type(3))
    return d.fail("mma of these types has no model");
  Type result = d.type(0), element = d.type(1);
  d.accept({"row", "col"});
  unsigned k = d.has("m16n8k4")    ? 4
               : d.has("m16n8k8")  ? 8
               : d.has("m16n8k16") ? 16
                                   : 0;
  bool half = element == Type::F16 || element == Type::BF16;
  bool legal =
      half ? k == 8 || k == 16 : element == Type::TF32 && (k == 4 || k == 8);
  if (!legal ||
      (result != Type::F32 && !(result == Type::F16 && element == Type::F16)))
    return d.fail("mma of this shape and these types has no model");
  i.a = uint8_t(element);
  i.b = result == Type::F16;
  i.c = k;
  i.size = half ? 16 : 32;
  unsigned aRegisters = k * i.size / 64;
  const unsigned expected[4] = {i.b ? 2u : 4u, aRegisters, aRegisters / 2,
                                i.b ? 2u : 4u};
  uint32_t first = 0;
  for (unsigned n = 0; n < 4; ++n) {
    d.vector(i, n, Type::B32, /*isDst=*/n == 0);
    if (!d.failed() && i.vectorCount != expected[n])
      return d.fail(llvm::formatv("expected {0} registers in operand {1}, got "
                                  "{2}",
                                  expected[n], n + 1, i.vectorCount)
                        .str());
    if (n == 0)
      first = i.vector;
  }
  i.vector = first;
  i.fn = mma;
}

void tirx::sim::addMatrixModels(ModelTable &table) {
  table["ldmatrix"] = [](InstDecoder &d, Inst &i) {
    decodeMoveMatrix(d, i, false);
  };
  table["stmatrix"] = [](InstDecoder &d, Inst &i) {
    decodeMoveMatrix(d, i, true);
  };
  table["movmatrix"] = [](InstDecoder &d, Inst &i) {
    d.accept({"m8n8", "trans"});
    i.op[0] = d.dst(0, Type::B32);
    i.op[1] = d.src(1, Type::B32);
    i.fn = transpose;
  };
  table["mma"] = decodeMma;
}
