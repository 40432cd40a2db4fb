//===- CheckPoints.cpp - where elements are -------------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Cases.h"
#include "TIRx/Layout/Algebra.h"
#include "TIRx/Layout/Text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include <map>

using namespace tirx;
using namespace tirx::layouttool;
using llvm::Expected;
using llvm::SmallVector;
using llvm::StringRef;
using llvm::Twine;
namespace json = llvm::json;

namespace {
/// One place as the cases write it: axes, and derived numbers by their own
/// names (`byte`, `bank`, `hw_TCol`, `bit_in_cell`).
struct Place {
  Coordinates coordinates;
  std::map<std::string, int64_t> derived;
};
} // namespace

/// `bank` is an axis where the layout names it, else the bank of `m`.
static Expected<Place> toPlace(const json::Object &object,
                               const Layout &layout) {
  Axis bank = lookupBuiltinAxis("bank");
  bool bankIsAxis = llvm::is_contained(layout.getAxes(), bank);
  Place place;
  for (const auto &entry : object) {
    StringRef key = entry.first;
    if (key == "replicas")
      continue;
    std::optional<int64_t> value = entry.second.getAsInteger();
    if (!value)
      return makeError("expected an integer at key '" + key + "'");
    Axis axis = lookupBuiltinAxis(key);
    if (axis && (axis != bank || bankIsAxis))
      place.coordinates.add(axis, *value);
    else
      place.derived[key.str()] = *value;
  }
  return place;
}

/// Compares the numbers that follow from the element size.
static Outcome checkDerived(const Place &expected, const Coordinates &got,
                            std::optional<int64_t> elementBits) {
  if (expected.derived.empty())
    return passed;
  if (!elementBits || *elementBits < 1 || *elementBits > 128)
    return makeError("expected 'dtype_bits' from 1 to 128 beside '" +
                     expected.derived.begin()->first + "'");
  HardwarePlace place = getHardwarePlace(got, *elementBits);
  const std::map<std::string, int64_t> known = {{"byte", place.byte},
                                                {"bank", place.bank},
                                                {"hw_TCol", place.column},
                                                {"bit_in_cell", place.bit}};
  for (const auto &[name, value] : expected.derived) {
    auto it = known.find(name);
    if (it == known.end())
      return makeError("expected an axis, 'byte', 'bank', 'hw_TCol', "
                       "'bit_in_cell' or 'replicas', got '" +
                       name + "'");
    if (it->second != value)
      return differ(name + " " + Twine(value), Twine(it->second));
  }
  return passed;
}

static std::string describe(llvm::ArrayRef<Coordinates> places) {
  std::string text;
  for (const Coordinates &place : places)
    text += (text.empty() ? "" : " ") + toString(place);
  return text;
}

static Outcome checkReplicas(const json::Object &expected, const Layout &layout,
                             int64_t flat) {
  const json::Value *value = expected.get("replicas");
  if (!value)
    return passed;
  const json::Array *array = value->getAsArray();
  if (!array)
    return makeError("expected a list at key 'replicas'");
  SmallVector<Coordinates> places;
  for (const json::Value &item : *array) {
    const json::Object *object = item.getAsObject();
    if (!object)
      return makeError("expected a list of objects at key 'replicas'");
    Expected<Place> place = toPlace(*object, layout);
    if (!place)
      return place.takeError();
    places.push_back(place->coordinates);
  }
  if (llvm::Error error = checkCopies(layout))
    return std::move(error);
  llvm::sort(places);
  SmallVector<Coordinates> image = layout.image(flat);
  if (places == image)
    return passed;
  return differ("copies " + Twine(describe(places)), describe(image));
}

Outcome layouttool::checkPlace(const json::Object &expected,
                               const Layout &layout, int64_t flat,
                               std::optional<int64_t> elementBits) {
  Expected<Place> place = toPlace(expected, layout);
  if (!place)
    return place.takeError();
  Coordinates got = layout.apply(flat);
  if (!(got == place->coordinates))
    return differ(toString(place->coordinates), toString(got));
  Outcome derived = checkDerived(*place, got, elementBits);
  if (!derived || *derived)
    return derived;
  return checkReplicas(expected, layout, flat);
}

/// The family `apply`: where one element is.
Outcome layouttool::checkApply(const json::Object &test) {
  Expected<Layout> layout = getLayout(test, "layout");
  if (!layout)
    return layout.takeError();
  Expected<SmallVector<int64_t>> shape = getIntegers(test, "shape");
  if (!shape)
    return shape.takeError();
  Expected<SmallVector<int64_t>> index = getIntegers(test, "input");
  if (!index)
    return index.takeError();
  Expected<const json::Object *> expected = getObject(test, "expected");
  if (!expected)
    return expected.takeError();
  Expected<Layout> full = fitToShape(*layout, *shape);
  if (!full)
    return full.takeError();
  if (llvm::Error error = checkIndex(*index, *shape))
    return std::move(error);
  return checkPlace(**expected, *full, flatten(*index, *shape),
                    test.getInteger("dtype_bits"));
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

/// An index list entry: a list of integers or one integer.
static Expected<SmallVector<int64_t>> toIndex(const json::Value &value) {
  if (std::optional<int64_t> flat = value.getAsInteger())
    return SmallVector<int64_t>{*flat};
  return toIntegers(value, "an index");
}

/// The shape of a case, or else the extents of the layout's shard.
static Expected<SmallVector<int64_t>> getShape(const json::Object &input,
                                               const Layout &layout) {
  if (input.get("shape"))
    return getIntegers(input, "shape");
  SmallVector<int64_t> shape;
  if (layout.getTile())
    for (const Iter &iter : layout.getTile()->getShard())
      shape.push_back(iter.extent);
  return shape;
}

/// Where a case's indices are expected: coordinates, or for `images` values
/// that may be lists.
static Outcome checkPoints(const json::Object &test,
                           Outcome (*check)(const json::Value &, const Layout &,
                                            int64_t)) {
  Expected<Layout> layout = getLayout(test, "layout");
  if (!layout)
    return layout.takeError();
  Expected<const json::Object *> input = getObject(test, "input");
  if (!input)
    return input.takeError();
  Expected<SmallVector<int64_t>> shape = getShape(**input, *layout);
  if (!shape)
    return shape.takeError();
  const json::Array *indices = (*input)->getArray("coords");
  const json::Array *expected = test.getArray("expected");
  if (!indices || !expected || indices->size() != expected->size())
    return makeError("expected lists of one length at keys 'coords' and "
                     "'expected'");
  for (auto [at, want] : llvm::zip(*indices, *expected)) {
    Expected<SmallVector<int64_t>> index = toIndex(at);
    if (!index)
      return index.takeError();
    if (llvm::Error error = checkIndex(*index, *shape))
      return std::move(error);
    Outcome outcome = check(want, *layout, flatten(*index, *shape));
    if (!outcome)
      return outcome;
    if (*outcome)
      return std::optional<std::string>("at " + describe(at) + " " + **outcome);
  }
  return passed;
}

static Outcome checkApplyOperation(const json::Object &test) {
  return checkPoints(test, [](const json::Value &want, const Layout &layout,
                              int64_t flat) {
    if (const json::Object *object = want.getAsObject())
      return checkPlace(*object, layout, flat, std::nullopt);
    return Outcome(makeError("expected coordinates, got " + describe(want)));
  });
}

/// Flat indices, which for a swizzle may lie beyond the tile.
static Outcome checkApplyScalar(const json::Object &test) {
  Expected<Layout> layout = getLayout(test, "layout");
  if (!layout)
    return layout.takeError();
  Expected<const json::Object *> input = getObject(test, "input");
  if (!input)
    return input.takeError();
  Expected<SmallVector<int64_t>> indices = getIntegers(**input, "coords");
  if (!indices)
    return indices.takeError();
  const json::Array *expected = test.getArray("expected");
  if (!expected || expected->size() != indices->size())
    return makeError("expected lists of one length at keys 'coords' and "
                     "'expected'");
  // A linear tile under a swizzle goes on beyond its end.
  Layout canonical = canonicalize(*layout);
  TileLayout linear =
      llvm::cantFail(TileLayout::rowMajor({layout->getSize().value_or(1)}));
  bool endless = layout->getSwizzle() &&
                 (!layout->getTile() ||
                  canonicalize(*layout->getTile()) == canonicalize(linear));
  for (auto [index, want] : llvm::zip(*indices, *expected)) {
    const json::Object *object = want.getAsObject();
    if (!object)
      return makeError("expected coordinates, got " + describe(want));
    if (index < 0 || (!endless && index >= layout->getSize().value_or(1)))
      return makeError("expected indices inside the layout, got " +
                       Twine(index));
    Outcome outcome =
        checkPlace(*object, endless ? Layout(*layout->getSwizzle()) : *layout,
                   index, std::nullopt);
    if (!outcome || *outcome)
      return outcome;
  }
  return passed;
}

/// All copies; an axis on which they differ has a list of values.
static Outcome checkImage(const json::Value &want, const Layout &layout,
                          int64_t flat) {
  const json::Object *object = want.getAsObject();
  if (!object)
    return makeError("expected coordinates, got " + describe(want));
  SmallVector<Coordinates> places = {Coordinates()};
  for (const auto &entry : *object) {
    Axis axis = lookupBuiltinAxis(StringRef(entry.first));
    if (!axis)
      return makeError("expected an axis, got '" + StringRef(entry.first) +
                       "'");
    Expected<SmallVector<int64_t>> values = toIndex(entry.second);
    if (!values)
      return values.takeError();
    SmallVector<Coordinates> product;
    for (const Coordinates &place : places)
      for (int64_t value : *values) {
        product.push_back(place);
        product.back().add(axis, value);
      }
    places = std::move(product);
  }
  if (llvm::Error error = checkCopies(layout))
    return std::move(error);
  llvm::sort(places);
  SmallVector<Coordinates> image = layout.image(flat);
  if (places == image)
    return passed;
  return differ("copies " + Twine(describe(places)), describe(image));
}

static Outcome checkImages(const json::Object &test) {
  return checkPoints(test, checkImage);
}

Check layouttool::findPointCheck(StringRef operation) {
  return llvm::StringSwitch<Check>(operation)
      .Case("apply", checkApplyOperation)
      .Case("apply_scalar", checkApplyScalar)
      .Case("images(L(x))", checkImages)
      .Default(nullptr);
}
