//===- LinearLayoutText.cpp - linear layouts as text ----------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Scanner.h"
#include "TIRx/Layout/Exchange/LinearLayout.h"
#include "llvm/ADT/STLExtras.h"

using namespace tirx;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;
using llvm::SmallVector;
using llvm::StringRef;
using llvm::Twine;

void tirx::print(llvm::raw_ostream &os, const LinearLayout &layout,
                 int64_t alignment) {
  bool shared = llvm::any_of(layout.inputs, [](const LinearInput &input) {
    return input.name == "offset";
  });
  os << (shared ? "#ttg.shared_linear<{" : "#ttg.linear<{");
  llvm::interleaveComma(layout.inputs, os, [&](const LinearInput &input) {
    os << input.name << " = [";
    llvm::interleaveComma(input.bases, os, [&](ArrayRef<int64_t> basis) {
      os << '[';
      llvm::interleaveComma(basis, os);
      os << ']';
    });
    os << ']';
  });
  os << '}';
  if (shared)
    os << ", alignment = " << alignment;
  os << '>';
}

std::string tirx::toString(const LinearLayout &layout) {
  std::string text;
  llvm::raw_string_ostream os(text);
  print(os, layout);
  return text;
}

namespace {
class LinearParser : Scanner {
public:
  explicit LinearParser(StringRef text) : Scanner(text) {}

  /// The shape is left empty where the text has none.
  Expected<LinearLayout> parseAll() {
    LinearLayout layout;
    Error error = consume("-") ? parseListing(layout) : parseAttribute(layout);
    if (error)
      return std::move(error);
    skipSpace();
    if (position != text.size())
      return unexpected("the end of the layout");
    return layout;
  }

private:
  Error parseAttribute(LinearLayout &layout) {
    bool shared = consume("#ttg.shared_linear");
    bool wrapped = shared || consume("#ttg.linear");
    if (wrapped)
      if (Error error = expect("<"))
        return error;
    if (Error error = parseInputs(layout))
      return error;
    if (shared)
      if (Error error = parseAlignment())
        return error;
    return wrapped ? expect(">") : Error::success();
  }

  /// `, alignment = 16`: where the address may be, no part of the layout.
  Error parseAlignment() {
    if (!consume(","))
      return Error::success();
    for (StringRef token : {"alignment", "="})
      if (Error error = expect(token))
        return error;
    size_t start = position;
    Expected<int64_t> alignment = parseInteger();
    if (!alignment)
      return alignment.takeError();
    if (*alignment < 1)
      return errorAt(start, "expected an alignment of at least 1, got " +
                                Twine(*alignment));
    return Error::success();
  }

  /// `open item, item close`.
  Error parseItems(StringRef open, StringRef close,
                   llvm::function_ref<Error()> parseItem) {
    if (Error error = expect(open))
      return error;
    bool first = true;
    while (!consume(close)) {
      if (!first)
        if (Error error = expect(","))
          return error;
      if (!first && consume(close))
        break;
      if (Error error = parseItem())
        return error;
      first = false;
    }
    return Error::success();
  }

  Error parseInputs(LinearLayout &layout) {
    return parseItems("{", "}", [&]() -> Error {
      LinearInput input;
      StringRef quote = consume("'") ? "'" : consume("\"") ? "\"" : "";
      if (Error error = parseName(layout, input))
        return error;
      if (!quote.empty())
        if (Error error = expect(quote))
          return error;
      if (!consume("=") && !consume(":"))
        return unexpected("'=' or ':'");
      if (Error error = parseBases(input))
        return error;
      layout.inputs.push_back(std::move(input));
      return Error::success();
    });
  }

  Error parseName(const LinearLayout &layout, LinearInput &input) {
    skipSpace();
    size_t start = position;
    input.name = takeName().str();
    if (input.name.empty())
      return unexpected("the name of a kind of places");
    for (const LinearInput &other : layout.inputs)
      if (other.name == input.name)
        return errorAt(start, "expected each name once, got '" + input.name +
                                  "' again");
    return Error::success();
  }

  Error parseBases(LinearInput &input) {
    return parseItems("[", "]", [&] { return parseBasis(input); });
  }

  Error parseBasis(LinearInput &input) {
    skipSpace();
    size_t start = position;
    SmallVector<int64_t> &basis = input.bases.emplace_back();
    // Python's tuples are as good.
    bool tuple = text.substr(position).starts_with("(");
    Error error =
        parseItems(tuple ? "(" : "[", tuple ? ")" : "]", [&]() -> Error {
          Expected<int64_t> value = parseInteger();
          if (!value)
            return value.takeError();
          basis.push_back(*value);
          return Error::success();
        });
    if (error)
      return error;
    if (!rank)
      rank = basis.size();
    if (*rank != basis.size())
      return errorAt(start, "expected bases of one rank, got " +
                                Twine(basis.size()) + " coordinates after " +
                                Twine(*rank));
    return Error::success();
  }

  //===--------------------------------------------------------------------===//
  // The listing that Triton prints for people, behind its first `-`:
  //
  //    - register=1 -> (0, 1)
  //      register=2 -> (8, 0)
  //    - block is a size 1 dimension
  //   where out dims are: [dim0 (size 16), dim1 (size 2)]
  //===--------------------------------------------------------------------===//

  Error parseListing(LinearLayout &layout) {
    do {
      LinearInput input;
      if (Error error = parseName(layout, input))
        return error;
      if (Error error = parseListedInput(input))
        return error;
      layout.inputs.push_back(std::move(input));
    } while (consume("-"));
    if (Error error = expectAll({"where", "out", "dims", "are", ":"}))
      return error;
    return parseItems("[", "]", [&]() -> Error {
      if (takeName().empty())
        return unexpected("the name of a dimension");
      if (Error error = expectAll({"(", "size"}))
        return error;
      Expected<int64_t> extent = parseInteger();
      if (!extent)
        return extent.takeError();
      layout.shape.push_back(*extent);
      return expect(")");
    });
  }

  /// What follows the name: bases for 1, 2, 4, ..., or that there are none.
  Error parseListedInput(LinearInput &input) {
    if (consume("is"))
      return expectAll({"a", "size", "1", "dimension"});
    do {
      if (Error error = expect("="))
        return error;
      size_t start = position;
      Expected<int64_t> bit = parseInteger();
      if (!bit)
        return bit.takeError();
      size_t count = input.bases.size();
      if (count > 62 || *bit != int64_t(1) << count)
        return errorAt(start,
                       "expected the next power of two, got " + Twine(*bit));
      if (Error error = expect("->"))
        return error;
      if (Error error = parseBasis(input))
        return error;
    } while (consume(input.name));
    return Error::success();
  }

  Error expectAll(std::initializer_list<StringRef> tokens) {
    for (StringRef token : tokens)
      if (Error error = expect(token))
        return error;
    return Error::success();
  }

  std::optional<size_t> rank;
};
} // namespace

/// The smallest powers of two above all bases.
static Expected<SmallVector<int64_t>> inferShape(const LinearLayout &layout) {
  SmallVector<int64_t> shape;
  for (const LinearInput &input : layout.inputs)
    for (ArrayRef<int64_t> basis : input.bases) {
      shape.resize(basis.size(), 1);
      for (auto [dim, value] : llvm::enumerate(basis)) {
        if (value < 0 || value >= int64_t(1) << 62)
          return makeError("expected bases from 0 to 2^62, got " +
                           Twine(value) + " in " + input.name);
        while (shape[dim] <= value)
          shape[dim] *= 2;
      }
    }
  return shape;
}

Expected<LinearLayout> tirx::parseLinear(StringRef text,
                                         ArrayRef<int64_t> shape) {
  Expected<LinearLayout> layout = LinearParser(text).parseAll();
  if (!layout)
    return layout;
  if (!layout->shape.empty()) {
    if (!shape.empty() && shape != ArrayRef<int64_t>(layout->shape))
      return makeError("expected the shape that the text gives");
    return layout;
  }
  if (!shape.empty()) {
    layout->shape.assign(shape.begin(), shape.end());
    return layout;
  }
  Expected<SmallVector<int64_t>> inferred = inferShape(*layout);
  if (!inferred)
    return inferred.takeError();
  layout->shape = *inferred;
  return layout;
}
