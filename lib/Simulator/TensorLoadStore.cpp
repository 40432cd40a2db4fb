//===- TensorLoadStore.cpp - tcgen05.ld and tcgen05.st --------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which lane and column of tensor memory each register of each thread holds
// (PTX ISA 9.7.16.8). The registers get their values at issue: a load that is
// used before its wait is held back by the register dependency on hardware.
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"
#include "Exec.h"
#include "TensorOps.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace tirx::sim;

namespace {
enum class Shape : uint8_t { S32x32b, S16x64b, S16x128b, S16x256b, S16x32bx2 };

struct Cell {
  unsigned row, column;
};

unsigned registersPerRepeat(Shape shape) {
  return shape == Shape::S16x128b ? 2 : shape == Shape::S16x256b ? 4 : 1;
}

/// 32-bit columns of one repetition.
unsigned columnsPerRepeat(Shape shape) {
  switch (shape) {
  case Shape::S16x64b:
    return 2;
  case Shape::S16x128b:
    return 4;
  case Shape::S16x256b:
    return 8;
  default:
    return 1;
  }
}

/// Where register `r` of lane `l` lives; `half` is the column offset of the
/// second half of 16x32bx2.
Cell cellOf(Shape shape, unsigned l, unsigned r, unsigned half) {
  switch (shape) {
  case Shape::S32x32b:
    return {l, r};
  case Shape::S16x64b:
    return {l / 4 + 8 * (l % 2), l / 2 % 2 + 2 * r};
  case Shape::S16x128b:
    return {l / 4 + 8 * (r % 2), l % 4 + 4 * (r / 2)};
  case Shape::S16x256b:
    return {l / 4 + 8 * (r / 2 % 2), r % 2 + 2 * (l % 4) + 8 * (r / 4)};
  case Shape::S16x32bx2:
    return {l % 16, r + (l / 16) * half};
  }
  return {0, 0};
}
} // namespace

/// The common checks: full warp, uniform address, lane slab, live columns.
static bool checkAccess(Warp &w, const Inst &i, uint32_t mask,
                        uint32_t &address) {
  if (mask != kFullMask) {
    w.fault(i, llvm::countr_zero(mask), "R28",
            llvm::formatv("expected all 32 lanes of the warp to execute this "
                          "instruction together, got lanes {0:x8}",
                          mask));
    return false;
  }
  uint32_t base;
  if (!readUniform(w, i, 0, mask, "tensor memory address", base))
    return false;
  address = base + uint32_t(i.imm);
  Shape shape = Shape(i.a);
  unsigned lane = address >> 16, slab = 32 * (w.index % 4);
  bool half = shape != Shape::S32x32b && lane == slab + 16;
  if (lane != slab && !half) {
    w.fault(i, 0, "R27",
            llvm::formatv("expected lane {0}{1} in the address, since warp {2} "
                          "of a warpgroup accesses lanes {0} to {3} only, got "
                          "lane {4}",
                          slab, shape == Shape::S32x32b ? "" : " or that + 16",
                          w.index % 4, slab + 31, lane));
    return false;
  }
  unsigned repeats = i.vectorCount / registersPerRepeat(shape);
  unsigned count = repeats * columnsPerRepeat(shape) * (i.b ? 2 : 1);
  Issuer issuer{&i, int(w.index), 0};
  unsigned column = address & 0xffff;
  if (!checkColumns(w.cta, issuer, w.cta, column, count, "the access"))
    return false;
  return shape != Shape::S16x32bx2 ||
         checkColumns(w.cta, issuer, w.cta, column + unsigned(i.imm2), count,
                      "the second half of the access");
}

static void notify(Warp &w, const Inst &i, uint32_t address, AccessKind kind) {
  if (w.cta.grid.accessObserver)
    w.cta.grid.accessObserver->onAccess(
        {{w.cta.linear, int(w.index), kFullMask},
         Space::Tensor,
         kind,
         Proxy::Generic,
         address,
         i.vectorCount * 4,
         &i});
}

/// op[0] address; the vector: registers; `a`: Shape, `b`: pack::16b, imm2: the
/// column offset of the second half.
static Step tensorLoad(Warp &w, const Inst &i, uint32_t mask) {
  uint32_t address;
  if (!checkAccess(w, i, mask, address))
    return Step::Fault;
  notify(w, i, address, AccessKind::Read);
  TensorMemory &tensor = w.cta.tensor;
  unsigned lane = address >> 16, column = address & 0xffff;
  bool unwritten = false;
  unsigned badLane = 0, badColumn = 0;
  auto read = [&](unsigned row, unsigned c) {
    if (!tensor.isWritten(row, c) && !unwritten) {
      unwritten = true;
      badLane = row;
      badColumn = c;
    }
    return tensor.lane(row)[c];
  };
  const Slot *slots = w.cta.grid.kernel.slots.data() + i.vector;
  for (unsigned r = 0; r < i.vectorCount; ++r) {
    auto *d = w.at<uint32_t>(slots[r]);
    for (unsigned l = 0; l < 32; ++l) {
      Cell cell = cellOf(Shape(i.a), l, r, i.imm2);
      unsigned row = lane + cell.row;
      if (!i.b) {
        d[l] = read(row, column + cell.column);
        continue;
      }
      uint32_t low = read(row, column + 2 * cell.column);
      uint32_t high = read(row, column + 2 * cell.column + 1);
      d[l] = (low & 0xffff) | high << 16;
    }
  }
  if (unwritten && !checkCells(w.cta, {&i, int(w.index), -1}, w.cta, badLane,
                               badColumn, 1, "the load"))
    return Step::Fault;
  return Step::Next;
}

static Step tensorStore(Warp &w, const Inst &i, uint32_t mask) {
  uint32_t address;
  if (!checkAccess(w, i, mask, address))
    return Step::Fault;
  notify(w, i, address, AccessKind::Write);
  TensorMemory &tensor = w.cta.tensor;
  unsigned lane = address >> 16, column = address & 0xffff;
  auto write = [&](unsigned row, unsigned c, uint32_t value) {
    tensor.lane(row)[c] = value;
    tensor.markWritten(row, c, 1);
  };
  const Slot *slots = w.cta.grid.kernel.slots.data() + i.vector;
  for (unsigned r = 0; r < i.vectorCount; ++r) {
    auto *d = w.at<uint32_t>(slots[r]);
    for (unsigned l = 0; l < 32; ++l) {
      Cell cell = cellOf(Shape(i.a), l, r, i.imm2);
      unsigned row = lane + cell.row;
      if (!i.b) {
        write(row, column + cell.column, d[l]);
        continue;
      }
      write(row, column + 2 * cell.column, d[l] & 0xffff);
      write(row, column + 2 * cell.column + 1, d[l] >> 16);
    }
  }
  ++w.cta.grid.progress;
  return Step::Next;
}

static void decodeTensorAccess(InstDecoder &d, Inst &i, bool isLoad) {
  if (d.has("red"))
    return d.fail("reducing loads have no model");
  std::optional<Shape> shape;
  std::optional<unsigned> repeats;
  for (llvm::StringRef modifier : d.modifiers()) {
    if (!shape) {
      shape = llvm::StringSwitch<std::optional<Shape>>(modifier)
                  .Case("32x32b", Shape::S32x32b)
                  .Case("16x64b", Shape::S16x64b)
                  .Case("16x128b", Shape::S16x128b)
                  .Case("16x256b", Shape::S16x256b)
                  .Case("16x32bx2", Shape::S16x32bx2)
                  .Default(std::nullopt);
      if (shape)
        d.accept(modifier);
    }
    unsigned n;
    if (modifier.starts_with("x") &&
        !modifier.drop_front().getAsInteger(10, n) && n >= 1 && n <= 128 &&
        llvm::isPowerOf2_32(n)) {
      repeats = n;
      d.accept(modifier);
    }
  }
  if (!shape || !repeats)
    return d.fail("expected a shape such as .32x32b and a repetition .x1 to "
                  ".x128");
  i.a = uint8_t(*shape);
  i.b = d.has("pack::16b") || d.has("unpack::16b");
  unsigned data = isLoad ? 0 : 1, address = isLoad ? 1 : 0;
  bool split = *shape == Shape::S16x32bx2;
  if (split && !isLoad)
    data = 2;
  d.address(i, 0, address);
  d.vector(i, data, Type::B32, isLoad);
  if (split)
    i.imm2 = d.immediateIn(isLoad ? 2 : 1, 0, 511);
  unsigned expected = *repeats * registersPerRepeat(*shape);
  if (!d.failed() && i.vectorCount != expected)
    return d.fail(llvm::formatv("expected {0} registers, got {1}", expected,
                                i.vectorCount)
                      .str());
  i.fn = isLoad ? tensorLoad : tensorStore;
}

void tirx::sim::addTensorMemoryModels(ModelTable &table) {
  table["tcgen05.ld"] = [](InstDecoder &d, Inst &i) {
    decodeTensorAccess(d, i, true);
  };
  table["tcgen05.st"] = [](InstDecoder &d, Inst &i) {
    decodeTensorAccess(d, i, false);
  };
}
