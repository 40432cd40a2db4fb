//===- MatrixFragments.cpp - matrices in the registers of a warp ----------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MatrixOps.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tirx::sim;

bool tirx::sim::checkWholeWarp(Warp &w, const Inst &i, uint32_t mask) {
  if (mask == kFullMask)
    return true;
  w.fault(i, llvm::countr_zero(mask), "R36",
          llvm::formatv("expected all 32 lanes of the warp to execute this "
                        "instruction together, got lanes {0:x8}",
                        mask));
  return false;
}

llvm::SmallVector<MmaType, 4> tirx::sim::mmaTypes(InstDecoder &d) {
  llvm::SmallVector<MmaType, 4> types;
  for (llvm::StringRef modifier : d.modifiers())
    if (auto type = parseMmaType(modifier)) {
      types.push_back(*type);
      d.accept(modifier);
    }
  return types;
}

bool tirx::sim::readShape(InstDecoder &d, MmaForm &form) {
  for (llvm::StringRef modifier : d.modifiers()) {
    llvm::StringRef rest = modifier;
    unsigned m, n, k;
    if (!rest.consume_front("m") || rest.consumeInteger(10, m) ||
        !rest.consume_front("n") || rest.consumeInteger(10, n) ||
        !rest.consume_front("k") || rest.consumeInteger(10, k) || !rest.empty())
      continue;
    d.accept(modifier);
    form.m = m;
    form.n = n;
    form.k = k;
    return true;
  }
  d.fail("expected a shape such as m16n8k16");
  return false;
}

Rounding tirx::sim::roundingModifier(InstDecoder &d) {
  for (auto [name, rounding] :
       {std::pair("rz", Rounding::Zero), std::pair("rm", Rounding::Down),
        std::pair("rp", Rounding::Up)})
    if (d.has(name))
      return rounding;
  d.accept("rn");
  return Rounding::NearestEven;
}

void tirx::sim::decodeFragment(InstDecoder &d, Inst &i, unsigned operand,
                               Type type, bool isDst, unsigned expected) {
  uint32_t first = i.vector, before = i.vectorCount;
  d.vector(i, operand, type, isDst);
  if (!d.failed() && i.vectorCount != expected)
    return d.fail(llvm::formatv("expected {0} registers in operand {1}, got "
                                "{2}",
                                expected, operand + 1, i.vectorCount)
                      .str());
  if (before)
    i.vector = first;
  i.vectorCount += before;
}

/// Registers of at least 8 bits an element; a multiple of lanes at a time.
template <unsigned Bits>
static void gatherElements(const uint32_t *words, const FragmentLayout &layout,
                           unsigned r, uint32_t *to) {
  constexpr unsigned count = 32 / Bits;
  constexpr uint32_t mask = Bits == 32 ? ~0u : (1u << (Bits % 32)) - 1;
  uint32_t *base = to + layout.row(r, 0) * layout.k + layout.column(r, 0);
  for (unsigned g = 0; g < 8; ++g)
    for (unsigned t = 0; t < 4; ++t)
      for (unsigned e = 0; e < count; ++e)
        base[g * layout.k + t * count + e] =
            words[4 * g + t] >> (e * Bits % 32) & mask;
}

void tirx::sim::gatherFragment(Warp &w, const Slot *slots,
                               const FragmentLayout &layout, uint32_t *to) {
  for (unsigned r = 0; r < layout.registers(); ++r) {
    const auto *words = w.at<uint32_t>(slots[r]);
    switch (layout.bits) {
    case 4:
      gatherElements<4>(words, layout, r, to);
      break;
    case 8:
      gatherElements<8>(words, layout, r, to);
      break;
    case 16:
      gatherElements<16>(words, layout, r, to);
      break;
    default:
      gatherElements<32>(words, layout, r, to);
    }
  }
}

void tirx::sim::scatterFragment(Warp &w, const Slot *slots,
                                const FragmentLayout &layout,
                                const uint32_t *from) {
  for (unsigned r = 0; r < layout.registers(); ++r)
    for (unsigned lane = 0; lane < 32; ++lane) {
      const uint32_t *first =
          from + layout.row(r, lane) * layout.k + layout.column(r, lane);
      uint32_t word = 0;
      for (unsigned e = 0; e < layout.perRegister(); ++e)
        word |= first[e] << (e * layout.bits);
      w.at<uint32_t>(slots[r])[lane] = word;
    }
}

void tirx::sim::gatherDoubles(Warp &w, const Slot *slots,
                              const FragmentLayout &layout, uint64_t *to) {
  for (unsigned r = 0; r < layout.registers(); ++r)
    for (unsigned lane = 0; lane < 32; ++lane)
      to[layout.row(r, lane) * layout.k + layout.column(r, lane)] =
          w.at<uint64_t>(slots[r])[lane];
}

void tirx::sim::scatterDoubles(Warp &w, const Slot *slots,
                               const FragmentLayout &layout,
                               const uint64_t *from) {
  for (unsigned r = 0; r < layout.registers(); ++r)
    for (unsigned lane = 0; lane < 32; ++lane)
      w.at<uint64_t>(slots[r])[lane] =
          from[layout.row(r, lane) * layout.k + layout.column(r, lane)];
}

/// fn(register pair or register, lane, first cell of two) for all 8x8 blocks.
template <class F> static void forAccumulator(const MmaForm &form, F fn) {
  unsigned rowBlocks = form.m / 8;
  for (unsigned block = 0; block < rowBlocks * (form.n / 8u); ++block) {
    unsigned first = block % rowBlocks * 8 * form.n + block / rowBlocks * 8;
    for (unsigned lane = 0; lane < 32; ++lane)
      fn(block, lane, first + lane / 4 * form.n + lane % 4 * 2);
  }
}

void tirx::sim::gatherAccumulator(Warp &w, const Slot *slots,
                                  const MmaForm &form, MmaType type,
                                  MmaTile &tile) {
  if (type == MmaType::F64)
    return forAccumulator(form, [&](unsigned b, unsigned lane, unsigned cell) {
      tile.cDouble[cell] = w.at<uint64_t>(slots[2 * b])[lane];
      tile.cDouble[cell + 1] = w.at<uint64_t>(slots[2 * b + 1])[lane];
    });
  if (type == MmaType::F16)
    return forAccumulator(form, [&](unsigned b, unsigned lane, unsigned cell) {
      uint32_t word = w.at<uint32_t>(slots[b])[lane];
      tile.c[cell] = word & 0xffff;
      tile.c[cell + 1] = word >> 16;
    });
  forAccumulator(form, [&](unsigned b, unsigned lane, unsigned cell) {
    tile.c[cell] = w.at<uint32_t>(slots[2 * b])[lane];
    tile.c[cell + 1] = w.at<uint32_t>(slots[2 * b + 1])[lane];
  });
}

void tirx::sim::scatterAccumulator(Warp &w, const Slot *slots,
                                   const MmaForm &form, MmaType type,
                                   const MmaTile &tile) {
  if (type == MmaType::F64)
    return forAccumulator(form, [&](unsigned b, unsigned lane, unsigned cell) {
      w.at<uint64_t>(slots[2 * b])[lane] = tile.cDouble[cell];
      w.at<uint64_t>(slots[2 * b + 1])[lane] = tile.cDouble[cell + 1];
    });
  if (type == MmaType::F16)
    return forAccumulator(form, [&](unsigned b, unsigned lane, unsigned cell) {
      w.at<uint32_t>(slots[b])[lane] = tile.c[cell] | tile.c[cell + 1] << 16;
    });
  forAccumulator(form, [&](unsigned b, unsigned lane, unsigned cell) {
    w.at<uint32_t>(slots[2 * b])[lane] = tile.c[cell];
    w.at<uint32_t>(slots[2 * b + 1])[lane] = tile.c[cell + 1];
  });
}
