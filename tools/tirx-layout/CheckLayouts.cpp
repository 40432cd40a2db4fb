//===- CheckLayouts.cpp - operations that make layouts of layouts ---------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Cases.h"
#include "TIRx/Layout/Algebra.h"
#include "TIRx/Layout/Text.h"
#include "llvm/ADT/StringSwitch.h"

using namespace tirx;
using namespace tirx::layouttool;
using llvm::Expected;
using llvm::SmallVector;
using llvm::StringRef;
using llvm::Twine;
namespace json = llvm::json;

/// With a target the thread axes are fused, for the scope that they index.
static Layout canonicalizeFor(const json::Object &test, const Layout &layout) {
  const json::Object *input = test.getObject("input");
  if (!input || !input->getString("target"))
    return canonicalize(layout);
  auto scope = getScope(layout);
  if (scope && *scope)
    return canonicalize(layout, (*scope)->scope);
  if (!scope)
    llvm::consumeError(scope.takeError());
  return canonicalize(layout);
}

static Outcome checkCanonicalize(const json::Object &test) {
  Expected<Layout> layout = getLayout(test, "layout");
  if (!layout)
    return layout.takeError();
  Expected<const json::Value *> expected = getKey(test, "expected");
  if (!expected)
    return expected.takeError();
  Layout got = canonicalizeFor(test, *layout);
  Outcome outcome = compareLayout(**expected, got);
  if (!outcome || *outcome)
    return outcome;
  // Equal maps are not enough: the spelling has to be as short.
  Expected<Layout> want = toLayout(**expected);
  if (!want)
    return want.takeError();
  auto count = [](const Layout &layout) {
    return layout.getTile() ? layout.getTile()->getShard().size() : 0;
  };
  if (count(got) <= count(*want))
    return passed;
  return differ(toString(*want), toString(got));
}

static Outcome checkSizeSpan(const json::Object &test) {
  Expected<Layout> layout = getLayout(test, "layout");
  if (!layout)
    return layout.takeError();
  Expected<const json::Object *> input = getObject(test, "input");
  if (!input)
    return input.takeError();
  Axis axis = memoryAxis();
  std::optional<StringRef> named = (*input)->getString("axis");
  if (named)
    axis = lookupBuiltinAxis(*named);
  if (!axis)
    return makeError("expected a known axis at key 'axis'");
  Expected<const json::Object *> expected = getObject(test, "expected");
  if (!expected)
    return expected.takeError();
  Expected<int64_t> size = getInteger(**expected, "size");
  if (!size)
    return size.takeError();
  Expected<int64_t> span = getInteger(**expected, "span");
  if (!span)
    return span.takeError();
  if (!layout->getTile())
    return makeError("expected a layout with a size");
  // The size on an axis is that of the iters on it.
  int64_t gotSize = 1;
  for (const Iter &iter : layout->getTile()->getShard())
    if (!named || iter.axis == axis)
      gotSize *= iter.extent;
  if (gotSize != *size)
    return differ("size " + Twine(*size), Twine(gotSize));
  int64_t got = layout->getSpan(axis).size();
  return got == *span ? Outcome(passed)
                      : differ("span " + Twine(*span), Twine(got));
}

static Outcome checkGroup(const json::Object &test) {
  Expected<Layout> layout = getLayout(test, "layout");
  if (!layout)
    return layout.takeError();
  Expected<const json::Object *> input = getObject(test, "input");
  if (!input)
    return input.takeError();
  Expected<SmallVector<int64_t>> shape = getIntegers(**input, "shape");
  if (!shape)
    return shape.takeError();
  Expected<const json::Value *> expected = getKey(test, "expected");
  if (!expected)
    return expected.takeError();
  if (!layout->getTile())
    return makeError("expected a tile at key 'layout'");
  auto groups = group(*layout->getTile(), *shape);
  if (!groups)
    return compareLayout(**expected, groups.takeError());
  SmallVector<Iter> iters;
  for (const auto &dim : *groups)
    iters.append(dim.begin(), dim.end());
  Expected<TileLayout> tile = TileLayout::get(
      iters, layout->getTile()->getReplica(), layout->getTile()->getOffset());
  if (!tile)
    return tile.takeError();
  return compareLayout(**expected, Layout(*tile));
}

static Outcome checkStorage(const json::Object &test) {
  Expected<Layout> layout = getLayout(test, "layout");
  if (!layout)
    return layout.takeError();
  Expected<const json::Value *> expected = getKey(test, "expected");
  if (!expected)
    return expected.takeError();
  return compareLayout(**expected, getStorage(*layout));
}

namespace {
struct Region {
  SmallVector<int64_t> shape, offsets, sizes;
};
} // namespace

/// `region` has a [begin, end) for each dimension.
static Expected<Region> getRegion(const json::Object &input) {
  Expected<SmallVector<int64_t>> shape = getIntegers(input, "shape");
  if (!shape)
    return shape.takeError();
  const json::Array *ranges = input.getArray("region");
  if (!ranges)
    return makeError("expected a list at key 'region'");
  Region region{*shape, {}, {}};
  for (const json::Value &item : *ranges) {
    Expected<SmallVector<int64_t>> range = toIntegers(item, "a range");
    if (!range)
      return range.takeError();
    if (range->size() != 2 || (*range)[0] < 0 || (*range)[1] < 0)
      return makeError("expected ranges of two integers of at least 0 at key "
                       "'region'");
    region.offsets.push_back((*range)[0]);
    region.sizes.push_back((*range)[1] - (*range)[0]);
  }
  return region;
}

static Outcome checkSlice(const json::Object &test) {
  Expected<Case> whole = getCase(test);
  if (!whole)
    return whole.takeError();
  Expected<Region> region = getRegion(*whole->input);
  if (!region)
    return region.takeError();
  Expected<Layout> got =
      slice(whole->layout, region->shape, region->offsets, region->sizes);
  const json::Object *object = whole->expected->getAsObject();
  if (!object)
    return compareLayout(*whole->expected, std::move(got));
  Expected<const json::Value *> want = getKey(*object, "layout");
  if (!want)
    return want.takeError();
  std::optional<Layout> result;
  if (got)
    result = *got;
  Outcome outcome = compareLayout(**want, std::move(got));
  if (!outcome || *outcome || !result || !object->get("m_sum"))
    return outcome;
  Expected<int64_t> sum = getInteger(*object, "m_sum");
  if (!sum)
    return sum.takeError();
  int64_t gotSum = 0;
  for (int64_t flat = 0; flat < *result->getSize(); ++flat)
    gotSum += result->apply(flat).get(memoryAxis());
  return gotSum == *sum ? Outcome(passed)
                        : differ("m_sum " + Twine(*sum), Twine(gotSum));
}

Check layouttool::findLayoutCheck(StringRef operation) {
  return llvm::StringSwitch<Check>(operation)
      .Case("canonicalize", checkCanonicalize)
      .Case("size_span", checkSizeSpan)
      .Case("group", checkGroup)
      .Case("storage", checkStorage)
      .Case("slice", checkSlice)
      .Default(nullptr);
}
