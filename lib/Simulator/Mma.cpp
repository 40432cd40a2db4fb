//===- Mma.cpp - mma.sync and mma.sp --------------------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Decoding, fragments, sparsity metadata and scales of the warp's matrix
// products. The arithmetic is in MmaTile.cpp.
//
//===----------------------------------------------------------------------===//

#include "MatrixOps.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace tirx::sim;

//===----------------------------------------------------------------------===//
// The oldest shape, m8n8k4: four products, each of eight lanes
//===----------------------------------------------------------------------===//

namespace {
/// A lane of one of the four groups: lanes 4q..4q+3 and 16+4q..16+4q+3.
struct VoltaLane {
  unsigned group, column, row;
  explicit VoltaLane(unsigned lane)
      : group(lane % 16 / 4), column(lane % 4), row(lane % 4 + lane / 16 * 4) {}
};
} // namespace

/// Where accumulator `e` of 8 stands; f32 registers interleave rows.
static unsigned voltaCell(unsigned lane, unsigned e, MmaType type) {
  VoltaLane at(lane);
  if (type == MmaType::F16)
    return at.row * 8 + e;
  unsigned row = (lane & 1) + (e & 2) + lane / 16 * 4;
  return row * 8 + (e & 4) + (lane & 2) + (e & 1);
}

static uint32_t halfOf(Warp &w, const Slot *slots, unsigned e, unsigned lane) {
  return w.at<uint32_t>(slots[e / 2])[lane] >> (e % 2 * 16) & 0xffff;
}

static unsigned voltaRegisters(MmaType type) {
  return type == MmaType::F16 ? 4 : 8;
}

static Step mmaVolta(Warp &w, const Inst &i, uint32_t mask) {
  if (!checkWholeWarp(w, i, mask))
    return Step::Fault;
  MmaForm form = takeForm(i);
  MmaTile &tile = scratchTile();
  const Slot *d = w.cta.grid.kernel.slots.data() + i.vector;
  const Slot *a = d + voltaRegisters(form.d), *b = a + 2, *c = b + 2;
  uint32_t results[4][64];
  for (unsigned group = 0; group < 4; ++group) {
    for (unsigned lane = 0; lane < 32; ++lane) {
      VoltaLane at(lane);
      if (at.group != group)
        continue;
      for (unsigned e = 0; e < 4; ++e) {
        // Along k in the lane, or across the lanes.
        unsigned across = lane / 16 * 4 + e;
        tile.a[form.aColumns ? across * 4 + at.column : at.row * 4 + e] =
            halfOf(w, a, e, lane);
        tile.b[form.bRows ? across * 4 + at.column : at.row * 4 + e] =
            halfOf(w, b, e, lane);
      }
      for (unsigned e = 0; e < 8; ++e)
        tile.c[voltaCell(lane, e, form.c)] = form.c == MmaType::F16
                                                 ? halfOf(w, c, e, lane)
                                                 : w.at<uint32_t>(c[e])[lane];
    }
    tile.multiply(form);
    std::memcpy(results[group], tile.c, sizeof(results[group]));
  }
  for (unsigned lane = 0; lane < 32; ++lane) {
    const uint32_t *result = results[VoltaLane(lane).group];
    for (unsigned r = 0; r < voltaRegisters(form.d); ++r)
      w.at<uint32_t>(d[r])[lane] =
          form.d == MmaType::F16
              ? result[voltaCell(lane, 2 * r, form.d)] |
                    result[voltaCell(lane, 2 * r + 1, form.d)] << 16
              : result[voltaCell(lane, r, form.d)];
  }
  return Step::Next;
}

//===----------------------------------------------------------------------===//
// Sparsity
//===----------------------------------------------------------------------===//

/// Bits of metadata of a row of A: 2 for each stored element, or pair of 4-bit
/// elements, or 4 for each tf32.
static unsigned metadataBits(const MmaForm &form) {
  return form.aBits() == 32  ? form.k * 2
         : form.aBits() == 4 ? form.k / 2
                             : form.k;
}

/// How many values the sparsity selector has: which lane or pair of lanes of
/// four holds the metadata.
static unsigned selectorChoices(const MmaForm &form) {
  return 4 * 32 / (16 * metadataBits(form) / 8);
}

/// The metadata of a row, least significant bits first along k. Lanes of four
/// share rows g and g + 8: 16-bit and wider elements have 16 bits of both rows
/// in each lane, smaller ones 32 bits of one row.
static uint64_t metadataOfRow(const uint32_t *words, const MmaForm &form,
                              unsigned row) {
  unsigned half = row / 8, quad = row % 8 * 4;
  unsigned lanes = 4 / selectorChoices(form);
  unsigned first = quad + form.sparsitySelector * lanes;
  uint64_t bits = 0;
  if (form.aBits() >= 16) {
    for (unsigned lane = 0; lane < lanes; ++lane)
      bits |= uint64_t(words[first + lane] >> (16 * half) & 0xffff)
              << (16 * lane);
    return bits;
  }
  for (unsigned lane = 0; lane < lanes / 2; ++lane)
    bits |= uint64_t(words[first + 2 * lane + half]) << (32 * lane);
  return bits;
}

/// Puts the stored elements of A at their places.
static bool expandRows(Warp &w, const Inst &i, const MmaForm &form,
                       MmaTile &tile) {
  uint32_t stored[MmaTile::kMaxA / 2];
  unsigned count = form.storedK();
  std::memcpy(stored, tile.a, size_t(form.m) * count * sizeof(uint32_t));
  bool pairs = form.aBits() == 32; // one of two, by the halves it takes
  unsigned unit = form.aBits() == 4 ? 2 : 1, width = pairs ? 4 : 2;
  const auto *words = w.at<uint32_t>(i.op[0]);
  for (unsigned row = 0; row < form.m; ++row) {
    uint64_t bits = metadataOfRow(words, form, row);
    uint8_t chosen[128];
    for (unsigned e = 0; e < count / unit; ++e) {
      unsigned index =
          bits >> (e * width) & llvm::maskTrailingOnes<unsigned>(width);
      if (pairs && index != 0x4 && index != 0xe) {
        w.fault(i, int(row % 8 * 4), "R41",
                llvm::formatv("expected metadata 0x4 or 0xe for each stored "
                              "element of tf32, got {0:x} for element {1} of "
                              "row {2}",
                              index, e, row));
        return false;
      }
      chosen[e] = pairs ? (index & 3) / 2 : index;
    }
    llvm::MutableArrayRef<uint32_t> place(tile.a + row * form.k, form.k);
    llvm::MutableArrayRef<uint8_t> marks(tile.present + row * form.k, form.k);
    if (!expandSparse({stored + row * count, count}, {chosen, count / unit},
                      pairs, unit, place, marks)) {
      w.fault(i, int(row % 8 * 4), "R41",
              llvm::formatv("expected two different places for the two stored "
                            "elements of each group of four, got the same in "
                            "row {0} (metadata {1:x})",
                            row, bits));
      return false;
    }
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Scales
//===----------------------------------------------------------------------===//

/// Scale factors of the rows of A (of the columns of B): bytes of a register of
/// the lanes that the selector chooses. A: lanes 2s and 2s + 1 of four have
/// rows g and g + 8; B: lane s has column g.
static bool readScales(Warp &w, const Inst &i, const MmaForm &form, bool ofA,
                       const Slot *selector, uint8_t *scales) {
  const char *name = ofA ? "A" : "B";
  uint32_t byte = w.at<uint32_t>(selector[0])[0],
           thread = w.at<uint32_t>(selector[1])[0];
  for (unsigned lane = 1; lane < 32; ++lane)
    if (w.at<uint32_t>(selector[0])[lane] != byte ||
        w.at<uint32_t>(selector[1])[lane] != thread) {
      w.fault(i, int(lane), "R28",
              llvm::formatv("expected one selector of the scales of {0} in all "
                            "lanes of the warp, got different ones",
                            name));
      return false;
    }
  unsigned threads = ofA ? 2 : 4;
  if (byte >= 4 || byte % form.scales || thread >= threads) {
    w.fault(i, 0, "R41",
            llvm::formatv("expected a byte id of the scales of {0} that is a "
                          "multiple of {1} below 4 and a thread id below {2}, "
                          "got {3} and {4}",
                          name, unsigned(form.scales), threads, byte, thread));
    return false;
  }
  const auto *words = w.at<uint32_t>(i.op[ofA ? 1 : 2]);
  for (unsigned row = 0; row < (ofA ? form.m : form.n); ++row) {
    unsigned lane = row % 8 * 4 + (ofA ? 2 * thread + row / 8 : thread);
    for (unsigned s = 0; s < form.scales; ++s)
      scales[row * form.scales + s] = words[lane] >> (8 * (byte + s));
  }
  return true;
}

//===----------------------------------------------------------------------===//
// All other shapes
//===----------------------------------------------------------------------===//

/// The vectors of D, A, B and C follow each other in Kernel::slots, then the
/// selectors of the scales. op[0]: metadata; op[1], op[2]: scales.
static Step mma(Warp &w, const Inst &i, uint32_t mask) {
  if (!checkWholeWarp(w, i, mask))
    return Step::Fault;
  MmaForm form = takeForm(i);
  MmaTile &tile = scratchTile();
  FragmentLayout layoutA = FragmentLayout::ofA(form),
                 layoutB = FragmentLayout::ofB(form);
  const Slot *d = w.cta.grid.kernel.slots.data() + i.vector;
  const Slot *a = d + accumulatorRegisters(form, form.d);
  const Slot *b = a + layoutA.registers(), *c = b + layoutB.registers();
  const Slot *selectors = c + accumulatorRegisters(form, form.c);
  if (form.isDouble()) {
    gatherDoubles(w, a, layoutA, tile.aDouble);
    gatherDoubles(w, b, layoutB, tile.bDouble);
  } else {
    gatherFragment(w, a, layoutA, tile.a);
    gatherFragment(w, b, layoutB, tile.b);
  }
  gatherAccumulator(w, c, form, form.c, tile);
  if (form.sparse && !expandRows(w, i, form, tile))
    return Step::Fault;
  if (form.scales &&
      (!readScales(w, i, form, true, selectors, tile.aScales) ||
       !readScales(w, i, form, false, selectors + 2, tile.bScales)))
    return Step::Fault;
  tile.multiply(form);
  scatterAccumulator(w, d, form, form.d, tile);
  return Step::Next;
}

/// `mods`: which scales a kind has, and how its elements stand.
static void readKind(InstDecoder &d, MmaForm &form) {
  bool f8f6f4 = d.has("kind::f8f6f4"), mxf8f6f4 = d.has("kind::mxf8f6f4");
  bool mxf4 = d.has("kind::mxf4"), nvf4 = d.has("kind::mxf4nvf4");
  form.packed = mxf4 || nvf4;
  if (d.has("block_scale")) {
    form.scales = mxf8f6f4 ? 1 : 2;
    if (d.has("scale_vec::4X"))
      form.scales = 4;
    d.accept({"scale_vec::1X", "scale_vec::2X"});
    form.scaleFormat = d.has("ue4m3") ? ScaleFormat::UE4M3 : ScaleFormat::UE8M0;
    d.accept("ue8m0");
  }
  bool eight = (form.a == MmaType::E4M3 || form.a == MmaType::E5M2) &&
               (form.b == MmaType::E4M3 || form.b == MmaType::E5M2);
  form.expanded = eight && !f8f6f4 && !mxf8f6f4 && d.targetNumber() < 100;
}

static void decodeMma(InstDecoder &d, Inst &i, bool isSparse) {
  MmaForm form;
  auto types = mmaTypes(d);
  if (types.size() != 4)
    return d.fail("expected the types of d, a, b and c");
  form.d = types[0];
  form.a = types[1];
  form.b = types[2];
  form.c = types[3];
  if (!readShape(d, form))
    return;
  form.sparse = isSparse;
  form.saturate = d.has("satfinite");
  form.exclusiveOr = d.has("xor");
  form.rounding = roundingModifier(d);
  // Layouts: only the oldest shape has a choice.
  d.accept({"row", "col", "and", "popc"});
  readKind(d, form);
  if (form.m == 8 && form.k == 4 && form.a == MmaType::F16) {
    llvm::SmallVector<llvm::StringRef, 2> layouts;
    for (llvm::StringRef modifier : d.modifiers())
      if (modifier == "row" || modifier == "col")
        layouts.push_back(modifier);
    if (layouts.size() != 2)
      return d.fail("expected the layouts of a and b");
    form.aColumns = layouts[0] == "col";
    form.bRows = layouts[1] == "row";
    decodeFragment(d, i, 0, Type::B32, true, voltaRegisters(form.d));
    decodeFragment(d, i, 1, Type::B32, false, 2);
    decodeFragment(d, i, 2, Type::B32, false, 2);
    decodeFragment(d, i, 3, Type::B32, false, voltaRegisters(form.c));
    putForm(i, form);
    i.fn = mmaVolta;
    return;
  }
  if ((form.m != 8 && form.m != 16) || form.n != 8 ||
      form.k > (form.a == MmaType::B1 ? 256
                : form.isDouble()     ? 16
                                      : 128))
    return d.fail("mma of this shape has no model");
  Type accumulator = registerType(form.d), element = registerType(form.a);
  decodeFragment(d, i, 0, accumulator, true,
                 accumulatorRegisters(form, form.d));
  decodeFragment(d, i, 1, element, false,
                 FragmentLayout::ofA(form).registers());
  decodeFragment(d, i, 2, element, false,
                 FragmentLayout::ofB(form).registers());
  decodeFragment(d, i, 3, accumulator, false,
                 accumulatorRegisters(form, form.c));
  unsigned next = 4;
  if (isSparse) {
    i.op[0] = d.src(next++, Type::B32);
    form.sparsitySelector = d.immediateIn(next++, 0, selectorChoices(form) - 1);
  }
  if (form.scales) {
    i.op[1] = d.src(next, Type::B32);
    decodeFragment(d, i, next + 1, Type::U16, false, 2);
    i.op[2] = d.src(next + 2, Type::B32);
    decodeFragment(d, i, next + 3, Type::U16, false, 2);
  }
  putForm(i, form);
  i.fn = mma;
}

void tirx::sim::addMmaModels(ModelTable &table) {
  table["mma"] = [](InstDecoder &d, Inst &i) { decodeMma(d, i, false); };
  for (const char *name : {"mma.sp", "mma.sp::ordered_metadata"})
    table[name] = [](InstDecoder &d, Inst &i) { decodeMma(d, i, true); };
}
