//===- AffineText.cpp - reading affine maps -------------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Scanner.h"
#include "TIRx/Layout/Exchange/Strided.h"
#include "llvm/ADT/STLExtras.h"

using namespace tirx;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;
using llvm::SmallVector;
using llvm::StringRef;
using llvm::Twine;

/// Levels of parentheses and signs that are read.
static constexpr int kDepthLimit = 64;

namespace {
/// Evaluates while it reads: an expression is its value.
class AffineParser : Scanner {
public:
  AffineParser(StringRef text, ArrayRef<int64_t> shape)
      : Scanner(text), shape(shape) {}

  Expected<SmallVector<AffineValue>> parseAll() {
    bool wrapped = consume("affine_map");
    if (wrapped)
      if (Error error = expect("<"))
        return std::move(error);
    if (Error error = parseDims())
      return std::move(error);
    if (Error error = expect("->"))
      return std::move(error);
    SmallVector<AffineValue> results;
    if (Error error = parseResults(results))
      return std::move(error);
    if (wrapped)
      if (Error error = expect(">"))
        return std::move(error);
    skipSpace();
    if (position != text.size())
      return unexpected("the end of the map");
    return results;
  }

private:
  Error parseDims() {
    if (Error error = expect("("))
      return error;
    if (!consume(")")) {
      do {
        StringRef name = takeName();
        if (name.empty() || llvm::isDigit(name.front()))
          return unexpected("the name of a dimension");
        if (llvm::is_contained(names, name))
          return unexpected("another name than '" + name + "' again");
        names.push_back(name);
      } while (consume(","));
      if (Error error = expect(")"))
        return error;
    }
    if (names.size() == shape.size())
      return Error::success();
    return errorAt(position, "expected " + Twine(shape.size()) +
                                 " dimensions, as many as the shape has, got " +
                                 Twine(names.size()));
  }

  Error parseResults(SmallVector<AffineValue> &results) {
    if (Error error = expect("("))
      return error;
    if (consume(")"))
      return Error::success();
    do {
      Expected<AffineValue> value = parseSum(0);
      if (!value)
        return value.takeError();
      results.push_back(*value);
    } while (consume(","));
    return expect(")");
  }

  /// Adds the position to an error of the value's own.
  Expected<AffineValue> at(size_t start, Expected<AffineValue> value) {
    if (value)
      return value;
    return errorAt(start, llvm::toString(value.takeError()));
  }

  Expected<AffineValue> parseSum(int depth) {
    Expected<AffineValue> value = parseProduct(depth);
    while (value) {
      size_t start = position;
      bool minus = consume("-");
      if (!minus && !consume("+"))
        return value;
      Expected<AffineValue> term = parseProduct(depth);
      if (term && minus)
        term = at(start, negate(*term));
      if (!term)
        return term;
      value = at(start, AffineValue::add(*value, *term));
    }
    return value;
  }

  static Expected<AffineValue> negate(const AffineValue &value) {
    return AffineValue::multiply(value, AffineValue::getConstant(-1));
  }

  Expected<AffineValue> parseProduct(int depth) {
    Expected<AffineValue> value = parseFactor(depth);
    while (value) {
      size_t start = position;
      auto operation = consume("*")          ? &AffineValue::multiply
                       : consume("floordiv") ? &AffineValue::floorDiv
                       : consume("mod")      ? &AffineValue::mod
                                             : nullptr;
      if (!operation)
        return value;
      Expected<AffineValue> factor = parseFactor(depth);
      if (!factor)
        return factor;
      value = at(start, operation(*value, *factor));
    }
    return value;
  }

  Expected<AffineValue> parseFactor(int depth) {
    skipSpace();
    size_t start = position;
    if (depth > kDepthLimit)
      return errorAt(start, "expected at most " + Twine(kDepthLimit) +
                                " levels of an expression");
    if (consume("(")) {
      Expected<AffineValue> value = parseSum(depth + 1);
      if (!value)
        return value;
      if (Error error = expect(")"))
        return std::move(error);
      return value;
    }
    if (position < text.size() &&
        (llvm::isAlpha(text[position]) || text[position] == '_'))
      return parseDim();
    if (position + 1 < text.size() && text[position] == '-' &&
        !llvm::isDigit(text[position + 1])) {
      ++position;
      Expected<AffineValue> value = parseFactor(depth + 1);
      return value ? at(start, negate(*value)) : std::move(value);
    }
    Expected<int64_t> constant = parseInteger();
    if (!constant)
      return constant.takeError();
    return AffineValue::getConstant(*constant);
  }

  Expected<AffineValue> parseDim() {
    size_t start = position;
    StringRef name = takeName();
    const StringRef *it = llvm::find(names, name);
    if (it == names.end())
      return errorAt(start,
                     "expected a dimension of the map, got '" + name + "'");
    unsigned dim = it - names.begin();
    return AffineValue::getDim(dim, shape[dim]);
  }

  ArrayRef<int64_t> shape;
  SmallVector<StringRef> names;
};
} // namespace

Expected<Layout> tirx::parseAffine(StringRef text, ArrayRef<int64_t> shape,
                                   ArrayRef<Axis> axes) {
  Expected<SmallVector<AffineValue>> results =
      AffineParser(text, shape).parseAll();
  if (!results)
    return results.takeError();
  return fromAffine(*results, shape, axes);
}
