//===- Evaluator.cpp - coordinates of many elements at once ---------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TIRx/Layout/Evaluator.h"
#include "AlgebraDetail.h"
#include "TIRx/Assert.h"
#include "llvm/ADT/STLExtras.h"

using namespace tirx;
using llvm::ArrayRef;
using llvm::Expected;
using llvm::MutableArrayRef;
using llvm::SmallVector;
using llvm::Twine;

/// Entries of the table: enough that the outer digits cost nothing, few enough
/// to stay in the first-level cache.
static constexpr int64_t kTableLimit = 1024;

Expected<Evaluator> Evaluator::get(const Layout &layout, Axis axis) {
  const TileLayout *tile = layout.getTile();
  if (!tile)
    return makeError("expected a layout with a size, got a bare swizzle");
  Evaluator evaluator;
  evaluator.size = tile->getSize();
  evaluator.offset = tile->getOffset(axis);
  if (axis == memoryAxis() && layout.getSwizzle())
    evaluator.swizzle = *layout.getSwizzle();

  SmallVector<Digit> inner;
  int64_t entries = 1;
  for (const Iter &iter : llvm::reverse(tile->getShard())) {
    if (iter.extent == 1)
      continue;
    int64_t stride = iter.axis == axis ? iter.stride : 0;
    // The largest part of the iter that still fits the table.
    int64_t part = evaluator.outer.empty()
                       ? std::min(iter.extent, kTableLimit / entries)
                       : 1;
    while (part > 1 && iter.extent % part != 0)
      --part;
    if (part > 1)
      inner.push_back({part, stride});
    entries *= part;
    if (part != iter.extent)
      evaluator.outer.push_back({iter.extent / part, part * stride});
  }
  std::reverse(evaluator.outer.begin(), evaluator.outer.end());
  evaluator.fillTable(inner);
  return evaluator;
}

/// `inner` is innermost first: each digit repeats what is there at its stride.
void Evaluator::fillTable(ArrayRef<Digit> inner) {
  table = {0};
  for (const Digit &digit : inner) {
    size_t count = table.size();
    for (int64_t i = 1; i < digit.extent; ++i)
      for (size_t k = 0; k < count; ++k)
        table.push_back(table[k] + i * digit.stride);
  }
}

/// Inlined for each kind of swizzle, so that the inner loop is vectorised.
template <class Swizzle>
void Evaluator::run(int64_t begin, MutableArrayRef<int64_t> out,
                    Swizzle swizzled) const {
  int64_t block = table.size(), within = begin % block;
  int64_t base = offset, rest = begin / block;
  SmallVector<int64_t, 6> index(outer.size());
  for (size_t i = outer.size(); i-- > 0;) {
    index[i] = rest % outer[i].extent;
    rest /= outer[i].extent;
    base += index[i] * outer[i].stride;
  }
  for (int64_t done = 0, count = out.size(); done < count;) {
    int64_t length = std::min(block - within, count - done);
    const int64_t *from = table.data() + within;
    int64_t *to = out.data() + done;
    for (int64_t i = 0; i < length; ++i)
      to[i] = swizzled(base + from[i]);
    done += length;
    within = 0;
    if (done == count)
      return;
    for (size_t i = outer.size(); i-- > 0;) {
      // Only through coordinates that the layout has: none overflows.
      if (index[i] + 1 < outer[i].extent) {
        ++index[i];
        base += outer[i].stride;
        break;
      }
      base -= index[i] * outer[i].stride;
      index[i] = 0;
    }
  }
}

void Evaluator::evaluate(int64_t begin, MutableArrayRef<int64_t> out) const {
  TIRX_ASSERT(begin >= 0 && int64_t(out.size()) <= size - begin,
              "range inside the layout");
  if (out.empty())
    return;
  if (!swizzle)
    return run(begin, out, [](int64_t index) { return index; });
  run(begin, out,
      [swizzle = *swizzle](int64_t index) { return swizzle.apply(index); });
}

llvm::Error Evaluator::evaluateBox(ArrayRef<int64_t> shape,
                                   ArrayRef<int64_t> offsets,
                                   ArrayRef<int64_t> sizes,
                                   MutableArrayRef<int64_t> out) const {
  if (llvm::Error error = detail::checkRegion(shape, offsets, sizes))
    return error;
  CheckedInt total = 1;
  int64_t points = 1;
  for (auto [extent, count] : llvm::zip_equal(shape, sizes)) {
    total *= extent;
    // Bounded by the shape's size, which is checked below.
    points = (CheckedInt(points) * count).get();
  }
  if (total.hasOverflowed() || total.get() != size)
    return makeError("expected a shape of " + Twine(size) + " elements");
  if (points != int64_t(out.size()))
    return makeError("expected room for " + Twine(points) +
                     " coordinates, got " + Twine(out.size()));

  // Dimensions that the box fills make one run with the one before them.
  size_t last = shape.size();
  int64_t run = 1, inner = 1;
  while (last > 0) {
    --last;
    run *= sizes[last];
    inner *= shape[last];
    if (sizes[last] != shape[last])
      break;
  }
  SmallVector<int64_t> index(offsets.begin(), offsets.begin() + last);
  int64_t start = 0;
  for (size_t dim = last; dim < shape.size(); ++dim)
    start = start * shape[dim] + offsets[dim];
  while (true) {
    int64_t row = 0;
    for (size_t dim = 0; dim < last; ++dim)
      row = row * shape[dim] + index[dim];
    evaluate(row * inner + start, out.take_front(run));
    out = out.drop_front(run);
    size_t dim = last;
    while (dim > 0 && ++index[dim - 1] == offsets[dim - 1] + sizes[dim - 1]) {
      --dim;
      index[dim] = offsets[dim];
    }
    if (dim == 0)
      return llvm::Error::success();
  }
}
