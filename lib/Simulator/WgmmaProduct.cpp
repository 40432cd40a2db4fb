//===- WgmmaProduct.cpp - computes a wgmma --------------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Fragments (PTX ISA 9.7.15.5.1): warp w of the warpgroup has rows 16w to
// 16w + 15 of A and D; in a lane, register r of A has bytes 4 * (lane % 4) +
// 16 * (r / 2) of the 32 bytes of row lane / 4 + 8 * (r % 2).
//
//===----------------------------------------------------------------------===//

#include "Wgmma.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tirx::sim;

WgmmaProduct::WgmmaProduct(Cta &cta, const Issuer &issuer,
                           const WgmmaForm &form,
                           const WgmmaOperation &operation)
    : cta(cta), issuer(issuer), form(form), operation(operation),
      slots(cta.grid.kernel.slots.data() + issuer.inst->vector) {}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

bool WgmmaProduct::readOperand(uint64_t bits, bool mnMajor,
                               const ElementType &type, unsigned rows,
                               unsigned k, const char *operand,
                               std::vector<uint32_t> &out) {
  auto descriptor = decodeWgmmaDescriptor(bits);
  if (!descriptor)
    return failOperation(cta, issuer, "R41",
                         llvm::Twine(operand) + ": " +
                             llvm::toString(descriptor.takeError()));
  return readMatrix(cta, issuer, cta, *descriptor, mnMajor, type, rows, k,
                    operand, out);
}

void WgmmaProduct::readRegisterA() {
  unsigned bytes = form.a.containerBytes, perWord = 4 / bytes;
  unsigned k = form.storedK(), bits = 8 * bytes;
  uint32_t mask = bits == 32 ? ~0u : (1u << bits) - 1;
  a.resize(size_t(kWgmmaRows) * k);
  for (unsigned warp = 0; warp < kWarpgroupWarps; ++warp)
    for (unsigned r = 0; r < 4; ++r) {
      const uint32_t *words = at(warp, slots[form.accumulators() + r]);
      for (unsigned l = 0; l < 32; ++l) {
        unsigned row = kWgmmaWarpRows * warp + l / 4 + 8 * (r % 2);
        uint32_t *cells = &a[row * k + (l % 4 + r / 2 * 4) * perWord];
        for (unsigned e = 0; e < perWord; ++e)
          cells[e] = words[l] >> (e * bits) & mask;
      }
    }
}

/// Eight groups of a row, 4 bits each: all of them, or half for 8-bit elements.
uint32_t WgmmaProduct::metadataOf(unsigned row, unsigned part) const {
  const auto &words = operation.metadata[row / kWgmmaWarpRows];
  unsigned group = row % 8, upper = row / 8 % 2;
  // One lane of four for each half of 8-bit rows.
  if (form.a.containerBytes == 1)
    return words[4 * group + 2 * part + upper];
  // A pair of lanes, selected: half a row in 16 bits, of two rows.
  unsigned lane = 4 * group + 2 * form.selector;
  return (words[lane] >> (16 * upper) & 0xffff) |
         words[lane + 1] >> (16 * upper) << 16;
}

/// Puts the elements of a sparse A at their places.
bool WgmmaProduct::expandA() {
  unsigned stored = form.storedK();
  // tf32 chooses 1 of 2 and names the halves of it: 0b0100 or 0b1110.
  bool isPair = form.a.containerBytes == 4;
  unsigned width = isPair ? 2 : 4;
  std::vector<uint32_t> expanded(size_t(kWgmmaRows) * form.k);
  present.resize(expanded.size());
  std::array<uint8_t, 32> chosen;
  for (unsigned row = 0; row < kWgmmaRows; ++row) {
    for (unsigned group = 0; group < form.k / width; ++group) {
      unsigned code = metadataOf(row, group / 8) >> (group % 8 * 4) & 15;
      unsigned low = code & 3, high = code >> 2;
      if (isPair ? code != 4 && code != 14 : low == high)
        return failOperation(
            cta, issuer, "R41",
            llvm::formatv(
                "expected metadata {0} for row {1}, columns {2} to {3} of a "
                "sparse A, got {4}",
                isPair ? "4 or 14" : "that names two different elements", row,
                group * width, group * width + width - 1, code));
      if (isPair) {
        chosen[group] = code == 14;
        continue;
      }
      chosen[2 * group] = low;
      chosen[2 * group + 1] = high;
    }
    size_t at = size_t(row) * form.k;
    expandSparse(llvm::ArrayRef(a).slice(size_t(row) * stored, stored),
                 llvm::ArrayRef(chosen).take_front(stored), isPair, /*unit=*/1,
                 llvm::MutableArrayRef(expanded).slice(at, form.k),
                 llvm::MutableArrayRef(present).slice(at, form.k));
  }
  a = std::move(expanded);
  return true;
}

//===----------------------------------------------------------------------===//
// The product
//===----------------------------------------------------------------------===//

/// Row `row` of D: lane 4 * (row % 8) + q of its warp has columns 8j + 2q and
/// the next.
void WgmmaProduct::loadRow(unsigned row, uint32_t *cells) const {
  unsigned warp = row / kWgmmaWarpRows, upper = row / 8 % 2;
  unsigned lane = row % 8 * 4;
  bool half = form.d == AccumulatorFormat::F16;
  for (unsigned j = 0; j < form.n / 8; ++j) {
    uint32_t *out = cells + 8 * j;
    if (half) {
      const uint32_t *words = at(warp, slots[2 * j + upper]) + lane;
      for (unsigned q = 0; q < 4; ++q) {
        out[2 * q] = words[q] & 0xffff;
        out[2 * q + 1] = words[q] >> 16;
      }
      continue;
    }
    const uint32_t *even = at(warp, slots[4 * j + 2 * upper]) + lane;
    const uint32_t *odd = at(warp, slots[4 * j + 2 * upper + 1]) + lane;
    for (unsigned q = 0; q < 4; ++q) {
      out[2 * q] = even[q];
      out[2 * q + 1] = odd[q];
    }
  }
}

void WgmmaProduct::storeRow(unsigned row, const uint32_t *cells) {
  unsigned warp = row / kWgmmaWarpRows, upper = row / 8 % 2;
  unsigned lane = row % 8 * 4;
  bool half = form.d == AccumulatorFormat::F16;
  for (unsigned j = 0; j < form.n / 8; ++j) {
    const uint32_t *in = cells + 8 * j;
    if (half) {
      uint32_t *words = at(warp, slots[2 * j + upper]) + lane;
      for (unsigned q = 0; q < 4; ++q)
        words[q] = (in[2 * q] & 0xffff) | in[2 * q + 1] << 16;
      continue;
    }
    uint32_t *even = at(warp, slots[4 * j + 2 * upper]) + lane;
    uint32_t *odd = at(warp, slots[4 * j + 2 * upper + 1]) + lane;
    for (unsigned q = 0; q < 4; ++q) {
      even[q] = in[2 * q];
      odd[q] = in[2 * q + 1];
    }
  }
}

/// multiply(row, cells) for each row of D; the cells hold the accumulator.
template <class Fn> void WgmmaProduct::forRows(Fn multiply) {
  std::array<uint32_t, 256> cells = {};
  for (unsigned row = 0; row < kWgmmaRows; ++row) {
    if (operation.accumulate)
      loadRow(row, cells.data());
    else
      std::fill_n(cells.begin(), form.n, 0);
    multiply(row, cells.data());
    storeRow(row, cells.data());
  }
}

void WgmmaProduct::multiplyFloat() {
  FusedParameters parameters;
  parameters.result = form.d;
  if (form.a.bits == 8)
    parameters = FusedParameters::hopperFloat8(form.d);
  PreparedOperand left, right;
  left.assign(a, kWgmmaRows, form.k, *form.a.format, form.negateA,
              PreparedOperand::Order::RowMajor, {}, present);
  right.assign(b, form.n, form.k, *form.b.format, form.negateB,
               PreparedOperand::Order::KMajor);
  forRows([&](unsigned row, uint32_t *cells) {
    multiplyRow(left, row, right, cells, cells, parameters);
  });
}

static int16_t toInteger(uint32_t bits, bool isSigned) {
  return isSigned ? int8_t(bits) : uint8_t(bits);
}

void WgmmaProduct::multiplyInteger() {
  unsigned k = form.k, n = form.n;
  std::vector<int16_t> left(a.size()), right(b.size());
  for (size_t i = 0; i < a.size(); ++i)
    left[i] = toInteger(a[i], form.a.isSigned);
  for (unsigned column = 0; column < n; ++column)
    for (unsigned i = 0; i < k; ++i)
      right[i * n + column] = toInteger(b[column * k + i], form.b.isSigned);
  forRows([&](unsigned row, uint32_t *cells) {
    integerRow(llvm::ArrayRef(left).slice(row * k, k), right.data(), n, n,
               cells, cells, form.saturate);
  });
}

void WgmmaProduct::multiplyBits() {
  unsigned k = form.k;
  forRows([&](unsigned row, uint32_t *cells) {
    for (unsigned n = 0; n < form.n; ++n)
      cells[n] = bitDot(llvm::ArrayRef(a).slice(row * k, k),
                        llvm::ArrayRef(b).slice(n * k, k), cells[n],
                        /*exclusiveOr=*/false);
  });
}

bool WgmmaProduct::read() {
  if (form.registerA)
    readRegisterA();
  else if (!readOperand(operation.a, form.transposeA, form.a, kWgmmaRows,
                        form.storedK(), "A", a))
    return false;
  return readOperand(operation.b, form.transposeB, form.b, form.n, form.k, "B",
                     b) &&
         (!form.sparse || expandA());
}

bool WgmmaProduct::write() {
  if (cta.grid.observer)
    cta.grid.observer->onMatrix(
        {{cta.linear, issuer.warp, 0},
         uint64_t(kWgmmaRows) * form.n * form.k * (form.binary ? 32 : 1),
         "wgmma",
         issuer.inst});
  if (form.binary)
    multiplyBits();
  else if (form.a.format)
    multiplyFloat();
  else
    multiplyInteger();
  return true;
}
