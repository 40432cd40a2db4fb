//===- TensorLoadStore.cpp - tcgen05.ld and tcgen05.st --------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which lane and column of tensor memory each register of each thread holds
// (PTX ISA 9.7.16.8). Both are asynchronous. A store reads its registers at
// issue and takes effect at tcgen05.wait::st at the latest. The registers of a
// load get their values at issue: one that is used before the wait is held back
// by the register dependency on hardware. What the load reads must not change
// until tcgen05.wait::ld; that is checked there.
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"
#include "Exec.h"
#include "FloatExtremum.h"
#include "TensorOps.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

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

namespace {
/// One access by a warp: 32 words for each register.
struct TensorAccess {
  Cta &cta;
  Issuer issuer;
  Shape shape;
  bool packs; ///< two columns to a register
  unsigned lane, column, half, registers;
  std::vector<uint32_t> words = {};

  /// Calls visit(lane, column, word) for each word, with the first of two
  /// columns where it packs.
  template <class Fn> void forCells(Fn visit) {
    for (unsigned r = 0; r < registers; ++r)
      for (unsigned l = 0; l < 32; ++l) {
        Cell cell = cellOf(shape, l, r, half);
        visit(lane + cell.row, column + (packs ? 2 : 1) * cell.column,
              words[32 * r + l]);
      }
  }
  /// Reads all words; false when an error was reported.
  bool read();
  void write();
  /// The columns may have been freed since the access was issued.
  bool isLive();
  /// Whether the cells still hold what was read; else a report.
  bool checkUnchanged();
};
} // namespace

bool TensorAccess::read() {
  TensorMemory &tensor = cta.tensor;
  std::optional<Cell> unwritten;
  auto cell = [&](unsigned row, unsigned c) {
    if (!tensor.isWritten(row, c) && !unwritten)
      unwritten = Cell{row, c};
    return tensor.lane(row)[c];
  };
  forCells([&](unsigned row, unsigned c, uint32_t &word) {
    word = cell(row, c);
    if (packs)
      word = (word & 0xffff) | cell(row, c + 1) << 16;
  });
  return !unwritten || checkCells(cta, issuer, cta, unwritten->row,
                                  unwritten->column, 1, "the load");
}

void TensorAccess::write() {
  TensorMemory &tensor = cta.tensor;
  auto put = [&](unsigned row, unsigned c, uint32_t value) {
    tensor.lane(row)[c] = value;
    tensor.markWritten(row, c, 1);
  };
  forCells([&](unsigned row, unsigned c, uint32_t word) {
    put(row, c, packs ? word & 0xffff : word);
    if (packs)
      put(row, c + 1, word >> 16);
  });
}

bool TensorAccess::isLive() {
  bool live = true;
  forCells([&](unsigned /*row*/, unsigned c, uint32_t /*word*/) {
    live &= cta.tensor.find(c, packs ? 2 : 1) != nullptr;
  });
  return live;
}

bool TensorAccess::checkUnchanged() {
  if (!isLive())
    return failOperation(cta, issuer, "R17",
                         "expected tcgen05.wait::ld between this load and the "
                         "dealloc of its columns, got none");
  TensorMemory &tensor = cta.tensor;
  std::optional<Cell> changed;
  forCells([&](unsigned row, unsigned c, uint32_t word) {
    uint32_t now = tensor.lane(row)[c];
    if (packs)
      now = (now & 0xffff) | tensor.lane(row)[c + 1] << 16;
    if (now != word && !changed)
      changed = Cell{row, c};
  });
  if (!changed)
    return true;
  return failOperation(
      cta, issuer, "R17",
      llvm::formatv("expected tcgen05.wait::ld before the tensor memory that "
                    "this load reads is written again, got a change of lane "
                    "{0}, column {1} ahead of the wait",
                    changed->row, changed->column));
}

static TensorAccess accessOf(Warp &w, const Inst &i, uint32_t address) {
  TensorAccess access{
      w.cta,         {&i, int(w.index), -1}, Shape(i.a),       bool(i.b),
      address >> 16, address & 0xffff,       unsigned(i.imm2), i.vectorCount};
  access.words.resize(32 * i.vectorCount);
  return access;
}

/// What is left of an access after its issue.
static bool issueRest(TensorAccess access, uint64_t tag,
                      bool (*finish)(TensorAccess &)) {
  Cta &cta = access.cta;
  AsyncOperation work(cta, access.issuer, AsyncUnit::Tensor);
  work.tag = tag;
  auto kept = std::make_shared<TensorAccess>(std::move(access));
  work.write = [kept, finish] { return finish(*kept); };
  cta.engine->issue(std::move(work));
  return !cta.grid.stopped;
}

/// The bits of Inst::c of a reducing load.
enum ReductionFlag : uint8_t {
  kReduces = 1,
  kMinimum = 2,
  kSigned = 4,
  kFloat = 8,
  kMagnitudes = 16,
  kKeepsNaN = 32,
};

/// The least or greatest of the words that a thread loads.
static uint32_t reduceLane(const TensorAccess &access, unsigned l,
                           uint8_t flags) {
  if (flags & kFloat) {
    FloatExtremum extremum(flags & kMinimum, flags & kMagnitudes,
                           flags & kKeepsNaN);
    for (unsigned r = 0; r < access.registers; ++r)
      extremum.add(access.words[32 * r + l]);
    return extremum.bits();
  }
  // Signed numbers are in order as unsigned ones once their sign is flipped.
  uint32_t flip = flags & kSigned ? 0x80000000u : 0;
  uint32_t result = access.words[l] ^ flip;
  for (unsigned r = 1; r < access.registers; ++r) {
    uint32_t word = access.words[32 * r + l] ^ flip;
    result = flags & kMinimum ? std::min(result, word) : std::max(result, word);
  }
  return result ^ flip;
}

/// op[0] address, op[1] result of a reduction; the vector: registers; `a`:
/// Shape, `b`: pack::16b, `c`: ReductionFlags, imm2: the column offset of the
/// second half.
static Step tensorLoad(Warp &w, const Inst &i, uint32_t mask) {
  uint32_t address;
  if (!checkAccess(w, i, mask, address))
    return Step::Fault;
  notify(w, i, address, AccessKind::Read);
  TensorAccess access = accessOf(w, i, address);
  if (!access.read())
    return Step::Fault;
  const Slot *slots = w.cta.grid.kernel.slots.data() + i.vector;
  for (unsigned r = 0; r < i.vectorCount; ++r)
    std::copy_n(&access.words[32 * r], 32, w.at<uint32_t>(slots[r]));
  if (i.c)
    for (unsigned l = 0; l < 32; ++l)
      w.at<uint32_t>(i.op[1])[l] = reduceLane(access, l, i.c);
  if (w.cta.engine->isEager())
    return Step::Next;
  return issueRest(std::move(access), kTensorLoadTag,
                   [](TensorAccess &a) { return a.checkUnchanged(); })
             ? Step::Next
             : Step::Fault;
}

static Step tensorStore(Warp &w, const Inst &i, uint32_t mask) {
  uint32_t address;
  if (!checkAccess(w, i, mask, address))
    return Step::Fault;
  notify(w, i, address, AccessKind::Write);
  TensorAccess access = accessOf(w, i, address);
  const Slot *slots = w.cta.grid.kernel.slots.data() + i.vector;
  for (unsigned r = 0; r < i.vectorCount; ++r)
    std::copy_n(w.at<uint32_t>(slots[r]), 32, &access.words[32 * r]);
  ++w.cta.grid.progress;
  if (w.cta.engine->isEager()) {
    access.write();
    return Step::Next;
  }
  bool ok = issueRest(std::move(access), kTensorStoreTag, [](TensorAccess &a) {
    if (!a.isLive())
      return failOperation(a.cta, a.issuer, "R18",
                           "expected tcgen05.wait::st between this store and "
                           "the dealloc of its columns, got none");
    a.write();
    return true;
  });
  return ok ? Step::Next : Step::Fault;
}

/// The flags of a reducing load; 0: it is none.
static uint8_t decodeReduction(InstDecoder &d) {
  if (!d.has("min") && !d.has("max"))
    return 0;
  Type type = d.type();
  return kReduces | (d.has("min") ? kMinimum : 0) |
         (isSigned(type) ? kSigned : 0) | (type == Type::F32 ? kFloat : 0) |
         (d.has("abs") ? kMagnitudes : 0) | (d.has("NaN") ? kKeepsNaN : 0);
}

static void decodeTensorAccess(InstDecoder &d, Inst &i, bool isLoad) {
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
  i.c = isLoad ? decodeReduction(d) : 0;
  unsigned data = isLoad ? 0 : 1, address = isLoad ? 1 + (i.c != 0) : 0;
  bool split = *shape == Shape::S16x32bx2;
  if (split && !isLoad)
    data = 2;
  d.address(i, 0, address);
  d.vector(i, data, Type::B32, isLoad);
  if (split)
    i.imm2 = d.immediateIn(address + 1, 0, 511);
  if (i.c)
    i.op[1] = d.dst(1, d.type());
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
  table["tcgen05.ld.red"] = table["tcgen05.ld"];
  table["tcgen05.st"] = [](InstDecoder &d, Inst &i) {
    decodeTensorAccess(d, i, false);
  };
}
