//===- Wmma.cpp - wmma: load, multiply, store -----------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which lane holds which element of a wmma fragment is not specified, only that
// load, mma and store agree. Here fragments are those of mma.sync, block by
// block. An f16 fragment of A or B has eight registers whatever its shape:
// those that are not needed repeat the others.
//
//===----------------------------------------------------------------------===//

#include "MatrixOps.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tirx::sim;

namespace {
enum class Part : uint8_t { A, B, C };

/// One matrix in memory, as vectors of consecutive elements.
struct MatrixShape {
  unsigned vectors, length, bits;
  /// Vectors are the rows that fragments have (k fastest, or n for C).
  bool isRowMajor;
  unsigned bytes() const { return length * bits / 8; }
};
} // namespace

/// The matrix of a load or store; `form.a` is the type of its elements,
/// `form.aColumns` its layout.
static MatrixShape shapeOf(const MmaForm &form, Part part) {
  unsigned rows = part == Part::B ? form.n : form.m;
  unsigned columns = part == Part::C ? form.n : form.k;
  // B stands with k fastest when it is column-major.
  bool isRowMajor = (part == Part::B) == bool(form.aColumns);
  return {isRowMajor ? rows : columns, isRowMajor ? columns : rows,
          bitsOf(form.a), isRowMajor};
}

/// Registers of a fragment, and how many of them differ.
static unsigned distinctRegisters(const MmaForm &form, Part part) {
  switch (part) {
  case Part::A:
    return FragmentLayout::ofA(form).registers();
  case Part::B:
    return FragmentLayout::ofB(form).registers();
  case Part::C:
    return accumulatorRegisters(form, form.a);
  }
  return 0;
}
static unsigned allRegisters(const MmaForm &form, Part part) {
  return part != Part::C && form.a == MmaType::F16
             ? 8
             : distinctRegisters(form, part);
}

/// Calls fn(vector, memory) for each row or column in memory. op[0]: address,
/// op[1]: stride in elements or none.
template <class F>
static bool forVectors(Warp &w, const Inst &i, const MatrixShape &shape,
                       unsigned registers, int64_t offset, AccessKind kind,
                       F fn) {
  uint64_t base = matrixAddress(w, i, 0, 0, offset);
  uint32_t stride = shape.length;
  if (i.op[1] != kNoSlot)
    stride = w.at<uint32_t>(i.op[1])[0];
  for (unsigned lane = 1; lane < 32; ++lane)
    if (matrixAddress(w, i, 0, lane, offset) != base ||
        (i.op[1] != kNoSlot && w.at<uint32_t>(i.op[1])[lane] != stride)) {
      w.fault(i, int(lane), "R28",
              "expected one address and one stride in all lanes of the warp, "
              "got different ones");
      return false;
    }
  if (stride < shape.length || uint64_t(stride) * shape.bits % 8) {
    w.fault(i, 0, "R42",
            llvm::formatv("expected a stride of at least {0} elements, the "
                          "length of a row or column, in whole bytes, got {1}",
                          shape.length, stride));
    return false;
  }
  unsigned align = std::min(16u, registers * (shape.bits == 64 ? 8 : 4));
  for (unsigned v = 0; v < shape.vectors; ++v) {
    uint64_t address = base + uint64_t(v) * stride * shape.bits / 8;
    if (address % align) {
      w.fault(i, 0, "alignment",
              llvm::formatv("expected each row or column at a multiple of {0} "
                            "bytes, got {1:x} for number {2}",
                            align, address, v));
      return false;
    }
    MemoryRef ref;
    if (!w.resolveBytes(i, AddressSpace(i.space), address, shape.bytes(), v,
                        kind, ref) ||
        (kind == AccessKind::Read &&
         !w.checkWritten(i, ref, shape.bytes(), address, v)))
      return false;
    fn(v, ref);
  }
  return true;
}

/// Element `e` of packed memory; elements below a byte begin in the low bits.
static uint64_t readPacked(const uint8_t *data, unsigned e, unsigned bits) {
  if (bits < 8)
    return data[e * bits / 8] >> (e * bits % 8) & ((1u << bits) - 1);
  uint64_t value = 0;
  std::memcpy(&value, data + size_t(e) * bits / 8, bits / 8);
  return value;
}

static Step wmmaLoad(Warp &w, const Inst &i, uint32_t mask) {
  if (!checkWholeWarp(w, i, mask))
    return Step::Fault;
  MmaForm form = takeForm(i);
  auto part = Part(i.a);
  MatrixShape shape = shapeOf(form, part);
  MmaTile &tile = scratchTile();
  bool isDouble = form.a == MmaType::F64, isBit = form.a == MmaType::B1;
  uint32_t *cells = part == Part::A   ? tile.a
                    : part == Part::B ? tile.b
                                      : tile.c;
  uint64_t *doubles = part == Part::A   ? tile.aDouble
                      : part == Part::B ? tile.bDouble
                                        : tile.cDouble;
  // b1 moves in words.
  unsigned bits = isBit ? 32 : shape.bits;
  unsigned length = isBit ? shape.length / 32 : shape.length;
  auto take = [&](unsigned v, const MemoryRef &ref) {
    for (unsigned e = 0; e < length; ++e) {
      unsigned at = shape.isRowMajor ? v * length + e : e * shape.vectors + v;
      uint64_t value = readPacked(ref.data, e, bits);
      if (isDouble)
        doubles[at] = value;
      else
        cells[at] = uint32_t(value);
    }
  };
  unsigned registers = i.vectorCount;
  if (!forVectors(w, i, shape, registers, int32_t(i.target), AccessKind::Read,
                  take))
    return Step::Fault;
  const Slot *slots = w.cta.grid.kernel.slots.data() + i.vector;
  if (part == Part::C) {
    scatterAccumulator(w, slots, form, form.a, tile);
    return Step::Next;
  }
  FragmentLayout layout =
      part == Part::A ? FragmentLayout::ofA(form) : FragmentLayout::ofB(form);
  if (isDouble)
    scatterDoubles(w, slots, layout, doubles);
  else
    scatterFragment(w, slots, layout, cells);
  for (unsigned r = layout.registers(); r < registers; ++r)
    std::memcpy(w.at<uint32_t>(slots[r]),
                w.at<uint32_t>(slots[r % layout.registers()]),
                32 * sizeof(uint32_t));
  return Step::Next;
}

static Step wmmaStore(Warp &w, const Inst &i, uint32_t mask) {
  if (!checkWholeWarp(w, i, mask))
    return Step::Fault;
  MmaForm form = takeForm(i);
  MatrixShape shape = shapeOf(form, Part::C);
  MmaTile &tile = scratchTile();
  gatherAccumulator(w, w.cta.grid.kernel.slots.data() + i.vector, form, form.a,
                    tile);
  bool isDouble = form.a == MmaType::F64;
  auto give = [&](unsigned v, const MemoryRef &ref) {
    for (unsigned e = 0; e < shape.length; ++e) {
      unsigned at =
          shape.isRowMajor ? v * shape.length + e : e * shape.vectors + v;
      uint64_t value = isDouble ? tile.cDouble[at] : tile.c[at];
      std::memcpy(ref.data + size_t(e) * shape.bits / 8, &value,
                  shape.bits / 8);
    }
    ref.store->markWritten(ref.offset, shape.bytes());
  };
  if (!forVectors(w, i, shape, i.vectorCount, int32_t(i.target),
                  AccessKind::Write, give))
    return Step::Fault;
  ++w.cta.grid.progress;
  return Step::Next;
}

/// The vectors of D, A, B and C follow each other in Kernel::slots; `a`, `b`:
/// registers of A and B.
/// ptxas makes products of tf32 from instructions of k 4 (seen in the SASS of
/// CUDA 13.0 for sm_90): each half of K is a block of its own.
static void multiplyHalves(MmaTile &tile, const MmaForm &form) {
  MmaForm half = form;
  half.k = form.k / 2;
  std::array<uint32_t, 16 * 8> a, b;
  std::copy_n(tile.a, form.m * form.k, a.begin());
  std::copy_n(tile.b, form.n * form.k, b.begin());
  for (unsigned first = 0; first < form.k; first += half.k) {
    auto take = [&](const auto &from, unsigned rows, uint32_t *to) {
      for (unsigned row = 0; row < rows; ++row)
        std::copy_n(from.begin() + row * form.k + first, half.k,
                    to + row * half.k);
    };
    take(a, form.m, tile.a);
    take(b, form.n, tile.b);
    tile.multiply(half);
  }
}

static Step wmmaMultiply(Warp &w, const Inst &i, uint32_t mask) {
  if (!checkWholeWarp(w, i, mask))
    return Step::Fault;
  MmaForm form = takeForm(i);
  MmaTile &tile = scratchTile();
  const Slot *d = w.cta.grid.kernel.slots.data() + i.vector;
  const Slot *a = d + accumulatorRegisters(form, form.d);
  const Slot *b = a + i.a, *c = b + i.b;
  FragmentLayout layoutA = FragmentLayout::ofA(form),
                 layoutB = FragmentLayout::ofB(form);
  if (form.isDouble()) {
    gatherDoubles(w, a, layoutA, tile.aDouble);
    gatherDoubles(w, b, layoutB, tile.bDouble);
  } else {
    gatherFragment(w, a, layoutA, tile.a);
    gatherFragment(w, b, layoutB, tile.b);
  }
  gatherAccumulator(w, c, form, form.c, tile);
  if (form.a == MmaType::TF32)
    multiplyHalves(tile, form);
  else
    tile.multiply(form);
  scatterAccumulator(w, d, form, form.d, tile);
  return Step::Next;
}

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

/// What a tile can hold. Accumulators take any k.
static bool checkShape(InstDecoder &d, const MmaForm &form, bool isC) {
  auto legal = [](unsigned rows) {
    return rows == 8 || rows == 16 || rows == 32;
  };
  unsigned cells = std::max(form.m, form.n) * form.k;
  if (form.a == MmaType::B1)
    cells /= 32;
  bool fits = form.a == MmaType::F64
                  ? form.m == 8 && form.n == 8 && form.k == 4
                  : isC || (cells && cells <= MmaTile::kMaxB);
  if (legal(form.m) && legal(form.n) && fits &&
      form.m * form.n <= int(MmaTile::kMaxC))
    return true;
  d.fail("wmma of this shape has no model");
  return false;
}

/// Where the address, the stride and the registers of a load or store are.
static void decodeAccess(InstDecoder &d, Inst &i, Part part, bool isStore) {
  MmaForm form;
  auto types = mmaTypes(d);
  if (types.size() != 1)
    return d.fail("expected one type");
  form.a = form.b = types[0];
  if (!readShape(d, form) || !checkShape(d, form, part == Part::C))
    return;
  form.aColumns = d.has("col");
  d.accept("row");
  i.space = uint8_t(spaceOf(d));
  i.a = uint8_t(part);
  d.address(i, 0, isStore ? 0 : 1);
  int64_t offset = i.imm;
  if (offset != int32_t(offset))
    return d.fail("expected an offset of 32 bits");
  if (d.exists(2))
    i.op[1] = d.src(2, Type::U32);
  decodeFragment(d, i, isStore ? 1 : 0, registerType(form.a), !isStore,
                 allRegisters(form, part));
  putForm(i, form);
  // The immediates hold the form, so the offset takes the branch target.
  i.target = uint32_t(int32_t(offset));
  i.fn = isStore ? wmmaStore : wmmaLoad;
}

static void decodeMultiply(InstDecoder &d, Inst &i) {
  MmaForm form;
  auto types = mmaTypes(d);
  if (types.size() == 2) { // f16: only the accumulators are named
    form.d = types[0];
    form.c = types[1];
  } else if (types.size() == 4) {
    form.d = types[0];
    form.a = types[1];
    form.b = types[2];
    form.c = types[3];
  } else {
    return d.fail("expected the types of d, a, b and c");
  }
  if (!readShape(d, form) || !checkShape(d, form, false))
    return;
  form.saturate = d.has("satfinite");
  form.exclusiveOr = d.has("xor");
  form.rounding = roundingModifier(d);
  // Layouts say how the fragments were loaded; they are alike in registers.
  d.accept({"row", "col", "and", "popc"});
  Type accumulator = registerType(form.d), element = registerType(form.a);
  i.a = allRegisters(form, Part::A);
  i.b = allRegisters(form, Part::B);
  decodeFragment(d, i, 0, accumulator, true,
                 accumulatorRegisters(form, form.d));
  decodeFragment(d, i, 1, element, false, i.a);
  decodeFragment(d, i, 2, element, false, i.b);
  decodeFragment(d, i, 3, accumulator, false,
                 accumulatorRegisters(form, form.c));
  putForm(i, form);
  i.fn = wmmaMultiply;
}

void tirx::sim::addWmmaModels(ModelTable &table) {
  table["wmma.load.a"] = [](InstDecoder &d, Inst &i) {
    decodeAccess(d, i, Part::A, false);
  };
  table["wmma.load.b"] = [](InstDecoder &d, Inst &i) {
    decodeAccess(d, i, Part::B, false);
  };
  table["wmma.load.c"] = [](InstDecoder &d, Inst &i) {
    decodeAccess(d, i, Part::C, false);
  };
  table["wmma.store.d"] = [](InstDecoder &d, Inst &i) {
    decodeAccess(d, i, Part::C, true);
  };
  table["wmma.mma"] = decodeMultiply;
}
