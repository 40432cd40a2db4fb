//===- CuTeText.cpp - CuTe layouts as text --------------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Scanner.h"
#include "TIRx/Layout/Exchange/CuTe.h"
#include "llvm/ADT/STLExtras.h"

using namespace tirx;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

/// Levels of tuples that are read; deeper text is no layout that anybody wrote.
static constexpr int kDepthLimit = 64;

bool CuTeMode::operator==(const CuTeMode &other) const {
  if (isTuple != other.isTuple)
    return false;
  return isTuple ? modes == other.modes
                 : extent == other.extent && stride == other.stride;
}

bool CuTeLayout::operator==(const CuTeLayout &other) const {
  return mode == other.mode && swizzle == other.swizzle &&
         offset == other.offset && elementBits == other.elementBits;
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

static void printTree(llvm::raw_ostream &os, const CuTeMode &mode,
                      int64_t CuTeMode::*member, StringRef prefix) {
  if (!mode.isTuple) {
    os << prefix << mode.*member;
    return;
  }
  os << '(';
  llvm::interleave(
      mode.modes, os,
      [&](const CuTeMode &inner) { printTree(os, inner, member, prefix); },
      ",");
  os << ')';
}

void tirx::print(llvm::raw_ostream &os, const CuTeLayout &layout,
                 CuTeIntegers integers) {
  StringRef prefix = integers == CuTeIntegers::Static ? "_" : "";
  if (const auto &swizzle = layout.swizzle) {
    int64_t shift =
        swizzle->isOuter() ? -swizzle->getAtomLen() : swizzle->getAtomLen();
    os << (layout.mode ? "Sw<" : "Swizzle<") << swizzle->getSwizzleLen() << ','
       << swizzle->getPerElement() << ',' << shift << '>';
    if (!layout.mode)
      return;
    os << " o ";
    if (layout.elementBits)
      os << "smem_ptr[" << layout.elementBits << "b](unset) o ";
    else
      os << prefix << layout.offset << " o ";
  }
  printTree(os, *layout.mode, &CuTeMode::extent, prefix);
  os << ':';
  printTree(os, *layout.mode, &CuTeMode::stride, prefix);
}

std::string tirx::toString(const CuTeLayout &layout, CuTeIntegers integers) {
  std::string text;
  llvm::raw_string_ostream os(text);
  print(os, layout, integers);
  return text;
}

//===----------------------------------------------------------------------===//
// Parsing
//===----------------------------------------------------------------------===//

namespace {
class CuTeParser : Scanner {
public:
  explicit CuTeParser(StringRef text) : Scanner(text) {}

  Expected<CuTeLayout> parseAll() {
    CuTeLayout layout;
    if (Error error = parseLayout(layout))
      return std::move(error);
    skipSpace();
    if (position != text.size())
      return unexpected("the end of the layout");
    return layout;
  }

private:
  /// `8` or `_8`.
  Expected<int64_t> parseCuTeInteger() {
    consume("_");
    return parseInteger();
  }

  /// A tree of extents, stored with strides of 0.
  Error parseShape(CuTeMode &mode, int depth = 0) {
    size_t start = position;
    if (depth > kDepthLimit)
      return errorAt(start, "expected at most " + Twine(kDepthLimit) +
                                " levels of modes");
    if (!consume("(")) {
      Expected<int64_t> extent = parseCuTeInteger();
      if (!extent)
        return extent.takeError();
      if (*extent < 1)
        return errorAt(start, "expected an extent of at least 1, got " +
                                  Twine(*extent));
      mode.extent = *extent;
      return Error::success();
    }
    mode.isTuple = true;
    while (!consume(")")) {
      if (!mode.modes.empty())
        if (Error error = expect(","))
          return error;
      // Python's trailing comma of a 1-tuple.
      if (!mode.modes.empty() && consume(")"))
        break;
      if (Error error = parseShape(mode.modes.emplace_back(), depth + 1))
        return error;
    }
    return Error::success();
  }

  /// The tree of strides, which nests like that of the extents.
  Error parseStrides(CuTeMode &mode) {
    if (!mode.isTuple)
      return parseStride(mode.stride);
    if (!consume("("))
      return unexpected("'(', since strides nest like extents");
    for (size_t i = 0; i < mode.modes.size(); ++i) {
      if (i > 0 && !consume(","))
        return unexpected("',' and " + Twine(mode.modes.size()) +
                          " strides, as many as extents");
      if (Error error = parseStrides(mode.modes[i]))
        return error;
    }
    if (!mode.modes.empty())
      consume(",");
    if (!consume(")"))
      return unexpected("')' after " + Twine(mode.modes.size()) +
                        " strides, as many as extents");
    return Error::success();
  }

  Error parseStride(int64_t &stride) {
    Expected<int64_t> value = parseCuTeInteger();
    if (!value)
      return value.takeError();
    if (consume("@"))
      return errorAt(position, "expected an integer as stride, got a step on a "
                               "coordinate: the layout maps to coordinates, "
                               "not to memory");
    stride = *value;
    return Error::success();
  }

  Error parseMode(CuTeLayout &layout) {
    if (Error error = parseShape(layout.mode.emplace()))
      return error;
    if (Error error = expect(":"))
      return error;
    return parseStrides(*layout.mode);
  }

  /// `<B, M, S>`.
  Error parseSwizzle(CuTeLayout &layout) {
    size_t start = position;
    int64_t values[3];
    for (int i = 0; i < 3; ++i) {
      if (Error error = expect(i == 0 ? "<" : ","))
        return error;
      Expected<int64_t> value = parseCuTeInteger();
      if (!value)
        return value.takeError();
      values[i] = *value;
    }
    if (Error error = expect(">"))
      return error;
    auto [bits, base, shift] = values;
    bool outer = shift < 0;
    // The smallest integer has no positive counterpart; it is out of range.
    int64_t atom = shift == INT64_MIN ? INT64_MAX : std::abs(shift);
    Expected<SwizzleLayout> swizzle =
        SwizzleLayout::get(base, bits, atom, outer);
    if (!swizzle)
      return errorAt(start, llvm::toString(swizzle.takeError()));
    layout.swizzle = *swizzle;
    return Error::success();
  }

  /// `[16b](unset)` behind `smem_ptr`.
  Error parsePointer(CuTeLayout &layout) {
    if (Error error = expect("["))
      return error;
    size_t start = position;
    Expected<int64_t> bits = parseInteger();
    if (!bits)
      return bits.takeError();
    if (*bits < 1 || *bits > 128 || !llvm::isPowerOf2_64(*bits))
      return errorAt(start, "expected elements of 1 to 128 bits, a power of "
                            "two, got " +
                                Twine(*bits));
    layout.elementBits = *bits;
    if (Error error = expect("b"))
      return error;
    if (Error error = expect("]"))
      return error;
    if (!consume("("))
      return Error::success();
    if (!consume("unset"))
      return unexpected("'unset': an address is no part of a layout");
    return expect(")");
  }

  Error parseLayout(CuTeLayout &layout) {
    if (!consume("Swizzle") && !consume("Sw") && !consume("S"))
      return parseMode(layout);
    if (Error error = parseSwizzle(layout))
      return error;
    if (!consume("o"))
      return Error::success();
    if (consume("smem_ptr")) {
      if (Error error = parsePointer(layout))
        return error;
      if (Error error = expect("o"))
        return error;
      return parseMode(layout);
    }
    // `4 o (8,8):(8,1)`, or a layout at once.
    size_t start = position;
    Expected<int64_t> offset = parseCuTeInteger();
    if (offset && consume("o")) {
      layout.offset = *offset;
      return parseMode(layout);
    }
    llvm::consumeError(offset.takeError());
    position = start;
    return parseMode(layout);
  }
};
} // namespace

Expected<CuTeLayout> tirx::parseCuTe(StringRef text) {
  return CuTeParser(text).parseAll();
}
