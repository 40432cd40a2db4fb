//===- AlgebraRequests.cpp - requests for products and recasts ------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Arguments.h"
#include "TIRx/Layout/Algebra.h"

using namespace tirx;
using namespace tirx::layouttool;
using llvm::ArrayRef;
using llvm::Expected;
using llvm::SmallVector;
using llvm::StringRef;
namespace json = llvm::json;

//===----------------------------------------------------------------------===//
// Dimensions
//===----------------------------------------------------------------------===//

using Shapes = SmallVector<SmallVector<int64_t>>;

static Expected<Shapes> getShapes(const Request &request) {
  Expected<const json::Value *> value = request.value("shapes");
  if (!value)
    return value.takeError();
  const json::Array *array = (*value)->getAsArray();
  if (!array)
    return makeError("expected a list of shapes at key 'shapes'");
  Shapes shapes;
  for (const json::Value &item : *array) {
    Expected<SmallVector<int64_t>> shape = toIntegers(item, "a shape");
    if (!shape)
      return shape.takeError();
    shapes.push_back(*shape);
  }
  return shapes;
}

static Answer runGroupMany(const Request &request) {
  Arguments arguments(request);
  TileLayout tile = arguments.tile();
  Shapes shapes = arguments.valueOr<Shapes>(getShapes(request), {});
  return arguments.answer([&]() -> Answer {
    Expected<GroupedTile> grouped = groupMany(tile, shapes);
    if (!grouped)
      return grouped.takeError();
    json::Array bounds;
    for (const auto &shape : grouped->bounds) {
      json::Array dims;
      for (size_t bound : shape)
        dims.push_back(int64_t(bound));
      bounds.push_back(std::move(dims));
    }
    return json::Object{{"layout", toJson(Layout(grouped->tile))},
                        {"bounds", std::move(bounds)}};
  });
}

static Answer runReshape(const Request &request) {
  Arguments arguments(request);
  Layout layout = arguments.layout();
  SmallVector<int64_t> shape = arguments.integers("shape");
  return arguments.answer([&] { return reshape(layout, shape); });
}

static Answer runBroadcast(const Request &request) {
  Arguments arguments(request);
  ShapedLayout subject = arguments.shaped();
  int64_t position = arguments.integer("position");
  int64_t extent = arguments.integer("extent");
  if (int64_t rank = subject.shape.size(); position < 0 || position > rank)
    arguments.note("expected 'position' to be in [0, " + llvm::Twine(rank) +
                   "], got " + llvm::Twine(position));
  return arguments.answer([&] {
    return broadcast(subject.layout, subject.shape, unsigned(position), extent);
  });
}

//===----------------------------------------------------------------------===//
// Products and their factors
//===----------------------------------------------------------------------===//

using Product = Expected<Layout> (*)(const Layout &, ArrayRef<int64_t>,
                                     const Layout &, ArrayRef<int64_t>);

/// An operation on `layout` under `shape` and `other` under `other_shape`.
template <Product product> static Answer runProduct(const Request &request) {
  Arguments arguments(request);
  ShapedLayout first = arguments.shaped();
  ShapedLayout second = arguments.shaped("other", "other_shape");
  return arguments.answer([&] {
    return product(first.layout, first.shape, second.layout, second.shape);
  });
}

//===----------------------------------------------------------------------===//
// Elements of another width
//===----------------------------------------------------------------------===//

using Recount = Expected<Layout> (*)(const Layout &, int64_t, Axis);

template <Recount recount> static Answer runRecount(const Request &request) {
  Arguments arguments(request);
  Layout layout = arguments.layout();
  int64_t count = arguments.integer("count");
  Axis axis = arguments.axis("axis");
  return arguments.answer([&] { return recount(layout, count, axis); });
}

static Answer runRecast(const Request &request) {
  Arguments arguments(request);
  Layout layout = arguments.layout();
  int64_t from = arguments.integer("from_bits");
  int64_t to = arguments.integer("to_bits");
  Axis axis = arguments.axis("axis");
  return arguments.answer([&] { return recast(layout, from, to, axis); });
}

//===----------------------------------------------------------------------===//
// Threads
//===----------------------------------------------------------------------===//

static Answer runScope(const Request &request) {
  Arguments arguments(request);
  Layout layout = arguments.layout();
  return arguments.answer([&]() -> Answer {
    Expected<std::optional<ThreadScope>> scope = getScope(layout);
    if (!scope)
      return scope.takeError();
    if (!*scope)
      return nullptr;
    return json::Object{{"unit", (*scope)->unit}, {"scope", (*scope)->scope}};
  });
}

using Rescope = Expected<Layout> (*)(const Layout &, StringRef);

template <Rescope rescope> static Answer runRescope(const Request &request) {
  Arguments arguments(request);
  Layout layout = arguments.layout();
  std::string scope = arguments.string("scope");
  return arguments.answer([&] { return rescope(layout, scope); });
}

ArrayRef<Operation> layouttool::getAlgebraOperations() {
  static const Operation operations[] = {
      {"group_many", runGroupMany},
      {"reshape", runReshape},
      {"broadcast", runBroadcast},
      {"tile", runProduct<tile>},
      {"direct_sum", runProduct<directSum>},
      {"tile_inner", runProduct<isTileInner>},
      {"tile_outer", runProduct<isTileOuter>},
      {"direct_sum_left", runProduct<isDirectSumLeft>},
      {"direct_sum_right", runProduct<isDirectSumRight>},
      {"pack", runRecount<pack>},
      {"unpack", runRecount<unpack>},
      {"recast", runRecast},
      {"scope", runScope},
      {"fuse_threads", runRescope<fuseThreadAxes>},
      {"split_threads", runRescope<splitThreadAxes>},
  };
  return operations;
}
