//===- MatrixMove.cpp - ldmatrix, stmatrix, movmatrix ---------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MatrixOps.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tirx::sim;

namespace {
/// The matrices that ldmatrix and stmatrix move: rows of 16 bytes, each at the
/// address of one lane.
enum class MoveShape : uint8_t {
  M8N8,      ///< 8 rows of 8 elements of 16 bits
  M8N8Trans, ///< the same, transposed in registers
  M8N16,     ///< 8 rows of 16 bytes, in order
  M16N16,    ///< 16 rows of 16 bytes, transposed, in two registers
  M16N8,     ///< stored transposed: 8 rows of 16 bytes
};

/// Source elements below 8 bits, which arrive in bytes.
enum class Packing : uint8_t { None, Bits6, Bits4 };
} // namespace

/// 16 bytes of a row of smaller elements, which fill its beginning.
static void unpackRow(uint8_t *row, Packing packing) {
  if (packing == Packing::None)
    return;
  unsigned bits = packing == Packing::Bits6 ? 6 : 4;
  uint8_t wide[16];
  for (unsigned e = 0; e < 16; ++e) {
    unsigned at = e * bits;
    uint32_t pair = row[at / 8] | uint32_t(row[at / 8 + 1]) << 8;
    wide[e] = pair >> at % 8 & ((1u << bits) - 1);
  }
  std::memcpy(row, wide, sizeof(wide));
}

/// The byte of a matrix that byte `j` of register `r` holds in lane 4g + t.
static std::pair<unsigned, unsigned> placeOf(MoveShape shape, unsigned r,
                                             unsigned lane, unsigned j) {
  unsigned g = lane / 4, t = lane % 4;
  switch (shape) {
  case MoveShape::M8N8:
  case MoveShape::M8N16:
    return {g, 4 * t + j};
  case MoveShape::M8N8Trans:
    return {2 * t + j / 2, 2 * g + j % 2};
  case MoveShape::M16N16:
    return {4 * t + 2 * r + j % 2, g + 8 * (j / 2)};
  case MoveShape::M16N8:
    return {2 * t + j % 2, g + 8 * (j / 2)};
  }
  return {0, 0};
}

/// op[0] address; the vector: the registers; `a`: MoveShape, `b`: store, `c`:
/// Packing. Lane rows * m + r gives the address of row r of matrix m.
static Step moveMatrix(Warp &w, const Inst &i, uint32_t mask) {
  if (!checkWholeWarp(w, i, mask))
    return Step::Fault;
  const Slot *slots = w.cta.grid.kernel.slots.data() + i.vector;
  auto shape = MoveShape(i.a);
  unsigned registers = shape == MoveShape::M16N16 ? 2 : 1, rows = 8 * registers;
  for (unsigned m = 0; m < i.vectorCount / registers; ++m) {
    uint8_t bytes[16][16];
    MemoryRef refs[16];
    for (unsigned row = 0; row < rows; ++row) {
      unsigned lane = rows * m + row;
      uint64_t address = matrixAddress(w, i, 0, lane, i.imm);
      if (!w.resolve(i, AddressSpace(i.space), address, 16, lane,
                     i.b ? AccessKind::Write : AccessKind::Read, refs[row]))
        return Step::Fault;
      if (i.b)
        continue;
      auto packing = Packing(i.c);
      unsigned used = packing == Packing::Bits6   ? 12
                      : packing == Packing::Bits4 ? 8
                                                  : 16;
      if (!w.checkWritten(i, refs[row], used, address, lane))
        return Step::Fault;
      std::memcpy(bytes[row], refs[row].data, 16);
      unpackRow(bytes[row], packing);
    }
    for (unsigned r = 0; r < registers; ++r) {
      auto *words = w.at<uint32_t>(slots[m * registers + r]);
      for (unsigned lane = 0; lane < 32; ++lane) {
        uint32_t word = 0;
        for (unsigned j = 0; j < 4; ++j) {
          auto [row, column] = placeOf(shape, r, lane, j);
          if (i.b)
            bytes[row][column] = words[lane] >> (8 * j);
          else
            word |= uint32_t(bytes[row][column]) << (8 * j);
        }
        if (!i.b)
          words[lane] = word;
      }
    }
    for (unsigned row = 0; i.b && row < rows; ++row) {
      std::memcpy(refs[row].data, bytes[row], 16);
      refs[row].store->markWritten(refs[row].offset, 16);
    }
  }
  if (i.b)
    ++w.cta.grid.progress;
  return Step::Next;
}

/// movmatrix: transposes the 8x8 matrix that the warp holds in one register.
static Step transpose(Warp &w, const Inst &i, uint32_t mask) {
  if (!checkWholeWarp(w, i, mask))
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
  bool trans = d.has("trans");
  MoveShape shape = MoveShape::M8N8;
  if (d.has("m8n8"))
    shape = trans ? MoveShape::M8N8Trans : MoveShape::M8N8;
  else if (d.has("m8n16"))
    shape = MoveShape::M8N16;
  else if (d.has("m16n16"))
    shape = MoveShape::M16N16;
  else if (d.has("m16n8"))
    shape = MoveShape::M16N8;
  else
    return d.fail("this shape has no model");
  d.accept({"b16", "b8", "b8x16"});
  Packing packing = d.has("b6x16_p32")   ? Packing::Bits6
                    : d.has("b4x16_p64") ? Packing::Bits4
                                         : Packing::None;
  unsigned count = d.has("x1") ? 1 : d.has("x2") ? 2 : d.has("x4") ? 4 : 0;
  i.space = uint8_t(spaceOf(d));
  i.a = uint8_t(shape);
  i.b = isStore;
  i.c = uint8_t(packing);
  d.address(i, 0, isStore ? 0 : 1);
  decodeFragment(d, i, isStore ? 1 : 0, Type::B32, !isStore,
                 count * (shape == MoveShape::M16N16 ? 2 : 1));
  i.fn = moveMatrix;
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
}
