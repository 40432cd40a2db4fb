//===- CheckTiles.cpp - layouts of layouts, widths, threads ---------------===//
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

using namespace tirx;
using namespace tirx::layouttool;
using llvm::Expected;
using llvm::SmallVector;
using llvm::StringRef;
using llvm::Twine;
namespace json = llvm::json;

using Combine = Expected<Layout> (*)(const Layout &, llvm::ArrayRef<int64_t>,
                                     const Layout &, llvm::ArrayRef<int64_t>);

/// Checks an operation of two layouts with their shapes, of which the layout of
/// the case is one and that at `otherKey` is the other.
static Outcome checkPair(const json::Object &test, Combine combine,
                         StringRef ownShape, StringRef otherKey,
                         StringRef otherShape, bool ownFirst) {
  Expected<Case> pair = getCase(test);
  if (!pair)
    return pair.takeError();
  Expected<Layout> other = getLayout(*pair->input, otherKey);
  if (!other)
    return other.takeError();
  Expected<SmallVector<int64_t>> shape = getIntegers(*pair->input, ownShape);
  if (!shape)
    return shape.takeError();
  Expected<SmallVector<int64_t>> second = getIntegers(*pair->input, otherShape);
  if (!second)
    return second.takeError();
  return compareLayout(*pair->expected,
                       ownFirst
                           ? combine(pair->layout, *shape, *other, *second)
                           : combine(*other, *second, pair->layout, *shape));
}

static Outcome checkTile(const json::Object &test) {
  return checkPair(test, tile, "inner_shape", "outer", "outer_shape",
                   /*ownFirst=*/false);
}

static Outcome checkDirectSum(const json::Object &test) {
  return checkPair(test, directSum, "right_shape", "left", "left_shape",
                   /*ownFirst=*/false);
}

static Outcome checkTileInner(const json::Object &test) {
  return checkPair(test, isTileInner, "inner_shape", "tiled", "tiled_shape",
                   /*ownFirst=*/true);
}

static Outcome checkTileOuter(const json::Object &test) {
  return checkPair(test, isTileOuter, "outer_shape", "tiled", "tiled_shape",
                   /*ownFirst=*/true);
}

/// Checks an operation with the number of elements that become one, or that one
/// becomes.
static Outcome checkWidth(const json::Object &test,
                          Expected<Layout> (*change)(const Layout &, int64_t,
                                                     Axis)) {
  Expected<Case> pair = getCase(test);
  if (!pair)
    return pair.takeError();
  Expected<int64_t> count = getInteger(*pair->input, "num");
  if (!count)
    return count.takeError();
  return compareLayout(*pair->expected,
                       change(pair->layout, *count, memoryAxis()));
}

static Outcome checkPack(const json::Object &test) {
  return checkWidth(test, pack);
}

static Outcome checkUnpack(const json::Object &test) {
  return checkWidth(test, unpack);
}

/// A pair [unit, scope], or null.
static Outcome checkScope(const json::Object &test) {
  Expected<Case> pair = getCase(test);
  if (!pair)
    return pair.takeError();
  auto scope = getScope(pair->layout);
  if (!scope)
    return differ(describe(*pair->expected),
                  "the error: " + Twine(llvm::toString(scope.takeError())));
  json::Value got = nullptr;
  if (*scope)
    got = json::Array{(*scope)->unit, (*scope)->scope};
  return got == *pair->expected
             ? Outcome(passed)
             : differ(describe(*pair->expected), describe(got));
}

static Expected<SmallVector<SmallVector<int64_t>>>
toShapes(const json::Value &value, StringRef what) {
  const json::Array *array = value.getAsArray();
  if (!array)
    return makeError("expected lists of integers as " + what + ", got " +
                     describe(value));
  SmallVector<SmallVector<int64_t>> shapes;
  for (const json::Value &item : *array) {
    Expected<SmallVector<int64_t>> shape = toIntegers(item, what);
    if (!shape)
      return shape.takeError();
    shapes.push_back(*shape);
  }
  return shapes;
}

/// A pair of the refined layout, as spelled, and the lists of bounds.
static Outcome checkGroupMany(const json::Object &test) {
  Expected<Case> pair = getCase(test);
  if (!pair)
    return pair.takeError();
  Expected<const json::Value *> input = getKey(*pair->input, "shapes");
  if (!input)
    return input.takeError();
  auto shapes = toShapes(**input, "shapes");
  if (!shapes)
    return shapes.takeError();
  if (!pair->layout.getTile())
    return makeError("expected a tile at key 'layout'");
  auto grouped = groupMany(*pair->layout.getTile(), *shapes);
  const json::Array *expected = pair->expected->getAsArray();
  if (!grouped)
    return compareLayout(*pair->expected, grouped.takeError());
  if (!expected || expected->size() != 2)
    return differ(describe(*pair->expected), toString(Layout(grouped->tile)));
  Expected<Layout> want = toLayout((*expected)[0]);
  if (!want)
    return want.takeError();
  if (!(*want == Layout(grouped->tile)))
    return differ(toString(*want), toString(Layout(grouped->tile)));
  auto bounds = toShapes((*expected)[1], "bounds");
  if (!bounds)
    return bounds.takeError();
  bool same = bounds->size() == grouped->bounds.size();
  for (auto [wanted, got] : llvm::zip(*bounds, grouped->bounds))
    same &= llvm::equal(wanted, got, [](int64_t a, size_t b) {
      return a >= 0 && size_t(a) == b;
    });
  return same ? Outcome(passed)
              : differ(describe((*expected)[1]), "other bounds");
}

Check layouttool::findTileCheck(StringRef operation) {
  return llvm::StringSwitch<Check>(operation)
      .Case("tile", checkTile)
      .Case("direct_sum", checkDirectSum)
      .Case("is_tile_inner", checkTileInner)
      .Case("is_tile_outer", checkTileOuter)
      .Case("pack", checkPack)
      .Case("unpack", checkUnpack)
      .Case("get_scope", checkScope)
      .Case("group_many", checkGroupMany)
      .Default(nullptr);
}
