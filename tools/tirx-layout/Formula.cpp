//===- Formula.cpp - layouts and elements in words ------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Formula.h"
#include "Elements.h"
#include "TIRx/Layout/Algebra.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <map>

using namespace tirx;
using namespace tirx::layouttool;
using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::StringRef;

static std::string join(ArrayRef<int64_t> values) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleaveComma(values, os);
  return text;
}

//===----------------------------------------------------------------------===//
// Formulas
//===----------------------------------------------------------------------===//

/// The digit of `variable` that an iter takes: `(x0 / 8) % 4`.
static std::string describeDigit(StringRef variable, int64_t inner,
                                 int64_t extent, bool outermost) {
  std::string text = variable.str();
  if (inner != 1)
    text += " / " + std::to_string(inner);
  if (outermost)
    return text;
  return (inner == 1 ? text : "(" + text + ")") + " % " +
         std::to_string(extent);
}

using Terms = std::map<Axis, SmallVector<std::string>>;

static void addTerms(Terms &terms, ArrayRef<Iter> iters, StringRef variable) {
  int64_t inner = 1;
  SmallVector<std::pair<Axis, std::string>> reversed;
  for (size_t i = iters.size(); i-- > 0;) {
    const Iter &iter = iters[i];
    if (iter.stride != 0 && iter.extent > 1) {
      std::string digit = describeDigit(variable, inner, iter.extent, i == 0);
      bool plain = digit == variable;
      if (iter.stride != 1)
        digit = std::to_string(iter.stride) + "*" +
                (plain ? digit : "(" + digit + ")");
      reversed.push_back({iter.axis, digit});
    }
    inner *= iter.extent;
  }
  for (auto &[axis, term] : llvm::reverse(reversed))
    terms[axis].push_back(term);
}

static std::string describeSwizzle(const SwizzleLayout &swizzle) {
  int64_t p = swizzle.getPerElement(), s = swizzle.getAtomLen();
  int64_t from = swizzle.isOuter() ? p : p + s;
  int64_t to = swizzle.isOuter() ? p + s : p;
  return "swizzle(i) = i ^ ((i >> " + std::to_string(from) + " & " +
         std::to_string((int64_t(1) << swizzle.getSwizzleLen()) - 1) + ") << " +
         std::to_string(to) + ")";
}

std::vector<std::string> layouttool::describeFormula(const Layout &layout,
                                                     ArrayRef<int64_t> shape) {
  std::vector<std::string> lines;
  TileLayout tile = canonicalize(*layout.getTile());
  Terms terms;
  if (auto groups = group(tile, shape)) {
    for (auto [dim, iters] : llvm::enumerate(*groups))
      addTerms(terms, iters, "x" + std::to_string(dim));
  } else {
    llvm::consumeError(groups.takeError());
    addTerms(terms, tile.getShard(), "x");
    lines.push_back("x = row-major flat index");
  }
  for (const Iter &iter : tile.getReplica())
    terms[iter.axis].push_back("{0.." + std::to_string(iter.extent - 1) + "}*" +
                               std::to_string(iter.stride));
  for (const AxisOffset &entry : tile.getOffset())
    terms[entry.axis].push_back(std::to_string(entry.value));
  for (Axis axis : layout.getAxes()) {
    const auto &sum = terms[axis];
    std::string text = sum.empty() ? "0" : llvm::join(sum, " + ");
    if (layout.getSwizzle() && axis == memoryAxis())
      text = "swizzle(" + text + ")";
    lines.push_back(axis.getName().str() + " = " + text);
  }
  if (const SwizzleLayout *swizzle = layout.getSwizzle())
    lines.push_back(describeSwizzle(*swizzle));
  return lines;
}

std::vector<Fact> layouttool::describeFacts(const Layout &layout,
                                            unsigned elementBits) {
  std::string size = std::to_string(*layout.getSize()) + " elements";
  if (size_t copies = layout.image(0).size(); copies > 1)
    size += ", " + std::to_string(copies) + " copies of each";
  std::vector<Fact> facts = {{"size", size}};
  for (Axis axis : layout.getAxes()) {
    Span span = layout.getSpan(axis);
    std::string text = axis.getName().str() + " " + std::to_string(span.min) +
                       ".." + std::to_string(span.max) + " (" +
                       std::to_string(span.size()) + ")";
    int64_t bits;
    if (elementBits != 0 && axis == memoryAxis() &&
        !llvm::MulOverflow(span.size(), int64_t(elementBits), bits))
      text += ", " + std::to_string(llvm::divideCeil(bits, 8)) + " bytes";
    facts.push_back({"span", text});
  }
  return facts;
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

std::string layouttool::describePoint(const Coordinates &point,
                                      ArrayRef<Axis> axes,
                                      unsigned elementBits) {
  std::string text;
  for (Axis axis : axes)
    text += (text.empty() ? "" : ", ") + axis.getName().str() + " " +
            std::to_string(point.get(axis));
  if (elementBits == 0)
    return text;
  HardwarePlace place = getHardwarePlace(point, elementBits);
  if (llvm::is_contained(axes, memoryAxis()))
    text += ", byte " + std::to_string(place.byte) + ", bank " +
            std::to_string(place.bank);
  if (llvm::is_contained(axes, lookupBuiltinAxis("TCol")))
    text += ", column " + std::to_string(place.column) + ", bit " +
            std::to_string(place.bit);
  return text;
}

SmallVector<Coordinates> layouttool::getSortedImage(const Layout &layout,
                                                    int64_t flat) {
  // Points themselves order by what is not zero in them, which reads oddly.
  SmallVector<Coordinates> image = layout.image(flat);
  SmallVector<Axis> axes = layout.getAxes();
  llvm::stable_sort(image, [&](const Coordinates &a, const Coordinates &b) {
    for (Axis axis : axes)
      if (a.get(axis) != b.get(axis))
        return a.get(axis) < b.get(axis);
    return false;
  });
  return image;
}

/// The digits of a flat index, outermost first.
static SmallVector<int64_t> splitFlat(ArrayRef<Iter> iters, int64_t flat) {
  SmallVector<int64_t> digits(iters.size());
  for (size_t i = iters.size(); i-- > 0;) {
    digits[i] = flat % iters[i].extent;
    flat /= iters[i].extent;
  }
  return digits;
}

/// `0*4@laneid + 1*1@m + 5@warpid`: digit times stride for each iter, then the
/// offsets.
static std::string describeTerms(const TileLayout &tile,
                                 ArrayRef<int64_t> digits) {
  std::string text;
  auto add = [&](const std::string &term, Axis axis) {
    text += (text.empty() ? "" : " + ") + term + "@" + axis.getName().str();
  };
  for (auto [iter, digit] : llvm::zip(tile.getShard(), digits))
    add(std::to_string(digit) + "*" + std::to_string(iter.stride), iter.axis);
  for (const AxisOffset &entry : tile.getOffset())
    add(std::to_string(entry.value), entry.axis);
  return text.empty() ? "0" : text;
}

std::vector<Fact> layouttool::explain(const Layout &layout,
                                      ArrayRef<int64_t> shape,
                                      ArrayRef<int64_t> index,
                                      unsigned elementBits) {
  const TileLayout &tile = *layout.getTile();
  SmallVector<Axis> axes = layout.getAxes();
  int64_t flat = flatten(index, shape);
  std::vector<Fact> facts = {{"index", "(" + join(index) + ")"},
                             {"flat", std::to_string(flat)}};
  SmallVector<int64_t> digits = splitFlat(tile.getShard(), flat), extents;
  for (const Iter &iter : tile.getShard())
    extents.push_back(iter.extent);
  if (!digits.empty())
    facts.push_back({"digits", join(digits) + " of " + join(extents)});
  facts.push_back({"terms", describeTerms(tile, digits)});
  if (layout.getSwizzle())
    facts.push_back(
        {"linear", "m " + std::to_string(tile.apply(flat).get(memoryAxis()))});
  facts.push_back(
      {"base", describePoint(layout.apply(flat), axes, elementBits)});
  SmallVector<Coordinates> copies = getSortedImage(layout, flat);
  if (copies.size() > 1)
    for (const Coordinates &copy : copies)
      facts.push_back({"copy", describePoint(copy, axes, elementBits)});
  return facts;
}
