//===- ExchangeFuzzer.cpp - fuzz target of the exchange formats -----------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whatever the text, a parser either makes a layout or an error; what it makes
// prints and parses to the same, and is the same layout after a round trip.
//
//===----------------------------------------------------------------------===//

#include "TIRx/Layout/Algebra.h"
#include "TIRx/Layout/Exchange/CuTe.h"
#include "TIRx/Layout/Exchange/LinearLayout.h"
#include "TIRx/Layout/Exchange/Strided.h"
#include <cstdlib>

using namespace tirx;
using llvm::Expected;

/// Layouts above are only converted: comparing them may enumerate.
static constexpr int64_t kCompareLimit = 1 << 12;

static void require(bool condition) {
  if (!condition)
    std::abort();
}

/// The value; nothing, and no error left, when there is none.
template <class T> static std::optional<T> take(Expected<T> value) {
  if (value)
    return *value;
  llvm::consumeError(value.takeError());
  return std::nullopt;
}

static void requireSame(const Layout &lhs, const Layout &rhs) {
  require(lhs.getSize() == rhs.getSize());
  if (lhs.getSize().value_or(0) <= kCompareLimit)
    require(isEqual(lhs, rhs));
}

static void checkCuTe(llvm::StringRef text) {
  std::optional<CuTeLayout> cute = take(parseCuTe(text));
  if (!cute)
    return;
  for (CuTeIntegers integers : {CuTeIntegers::Plain, CuTeIntegers::Static})
    require(llvm::cantFail(parseCuTe(toString(*cute, integers))) == *cute);
  Axis lane = lookupBuiltinAxis("laneid");
  const llvm::SmallVector<int64_t> shapes[] = {{16, 8}, {32}};
  for (const llvm::SmallVector<int64_t> &shape : shapes)
    if (auto fragment = take(fromCuTeThreadValue(*cute, shape, lane)))
      take(toCuTeThreadValue(*fragment, shape, lane));
  std::optional<ShapedLayout> ours = take(fromCuTe(*cute));
  if (!ours || !cute->mode)
    return;
  if (auto again = take(toCuTe(ours->layout, ours->shape)))
    requireSame(llvm::cantFail(fromCuTe(*again)).layout, ours->layout);
  take(toLinear(ours->layout, ours->shape));
}

static void checkLinear(llvm::StringRef text) {
  std::optional<LinearLayout> linear = take(parseLinear(text));
  if (!linear)
    return;
  require(
      llvm::cantFail(parseLinear(toString(*linear), linear->shape)).inputs ==
      linear->inputs);
  std::optional<ShapedLayout> ours = take(fromLinear(*linear));
  if (!ours)
    return;
  if (auto again = take(toLinear(ours->layout, ours->shape)))
    requireSame(llvm::cantFail(fromLinear(*again)).layout, ours->layout);
}

static void checkStrided(llvm::StringRef text) {
  if (auto form = take(parseStrided(text))) {
    std::string printed;
    llvm::raw_string_ostream os(printed);
    print(os, *form);
    require(llvm::cantFail(parseStrided(printed)) == *form);
    llvm::SmallVector<int64_t> shape(form->strides.size(), 3);
    if (auto layout = take(fromStrided(*form, shape)))
      require(llvm::cantFail(toStrided(*layout, shape)).strides ==
              form->strides);
  }
  const llvm::SmallVector<int64_t> shape = {24, 16};
  if (auto layout = take(parseAffine(text, shape, {memoryAxis()}))) {
    auto results = llvm::cantFail(toAffine(*layout, shape, {memoryAxis()}));
    std::string printed;
    llvm::raw_string_ostream os(printed);
    printAffine(os, shape.size(), results);
    requireSame(llvm::cantFail(parseAffine(printed, shape, {memoryAxis()})),
                *layout);
  }
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  llvm::StringRef text(reinterpret_cast<const char *>(data), size);
  checkCuTe(text);
  checkLinear(text);
  checkStrided(text);
  return 0;
}
