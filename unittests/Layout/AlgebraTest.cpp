//===- AlgebraTest.cpp - the laws of layout operations --------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TIRx/Layout/Algebra.h"
#include "Testing.h"
#include "llvm/ADT/STLExtras.h"

using namespace tirx;
using namespace tirx::testing;
using llvm::SmallVector;

using Shape = SmallVector<int64_t>;

/// All coordinates of a shape in row-major order.
static std::vector<Shape> coordinatesOf(llvm::ArrayRef<int64_t> shape) {
  std::vector<Shape> all = {{}};
  for (int64_t extent : shape) {
    std::vector<Shape> next;
    for (const Shape &prefix : all)
      for (int64_t i = 0; i < extent; ++i) {
        next.push_back(prefix);
        next.back().push_back(i);
      }
    all = next;
  }
  return all;
}

/// Splits iters and shuffles replicas: the same map in other words.
static Layout respell(Random &random, const Layout &layout) {
  const TileLayout &tile = *layout.getTile();
  SmallVector<Iter> shard;
  for (const Iter &iter : tile.getShard()) {
    int64_t inner = pick(random, 1, iter.extent);
    while (iter.extent % inner)
      --inner;
    shard.push_back({iter.extent / inner, iter.stride * inner, iter.axis});
    shard.push_back({inner, iter.stride, iter.axis});
    if (pick(random, 0, 3) == 0)
      shard.push_back({1, 99, lookupBuiltinAxis("laneid")});
  }
  SmallVector<Iter> replica(tile.getReplica());
  SmallVector<AxisOffset> offset(tile.getOffset());
  std::shuffle(replica.begin(), replica.end(), random);
  for (Iter &iter : replica)
    if (pick(random, 0, 1)) {
      offset.push_back({iter.axis, (iter.extent - 1) * iter.stride});
      iter.stride = -iter.stride;
    }
  TileLayout result = llvm::cantFail(TileLayout::get(shard, replica, offset));
  if (layout.getSwizzle())
    return llvm::cantFail(Layout::compose(*layout.getSwizzle(), result));
  return result;
}

TEST(Algebra, CanonicalFormKeepsTheMapAndIsIdempotent) {
  Random random(21);
  for (int i = 0; i < 1500; ++i) {
    Layout layout = randomLayout(random);
    Layout canonical = canonicalize(layout);
    ASSERT_EQ(enumerate(canonical), enumerate(layout)) << toString(layout);
    ASSERT_TRUE(canonicalize(canonical) == canonical) << toString(layout);
  }
}

TEST(Algebra, EqualMapsHaveOneCanonicalForm) {
  Random random(22);
  for (int i = 0; i < 3000; ++i) {
    Layout layout = randomLayout(random);
    Layout other = respell(random, layout);
    ASSERT_TRUE(isEqual(layout, other))
        << toString(layout) << " and " << toString(other);
    if (!layout.getTile()->hasReplica())
      ASSERT_TRUE(canonicalize(layout) == canonicalize(other))
          << toString(layout) << " and " << toString(other);
  }
}

/// Few extents and strides, so that maps coincide often by chance.
TEST(Algebra, EqualityAgreesWithEnumeration) {
  Random random(23);
  int equal = 0;
  auto small = [&]() -> Layout {
    SmallVector<Iter> shard, replica;
    static const char *const axes[] = {"m", "m", "laneid"};
    auto iter = [&](int64_t low) -> Iter {
      return {pick(random, 1, 3), pick(random, low, 4),
              lookupBuiltinAxis(choose(random, axes))};
    };
    for (int64_t i = pick(random, 0, 3); i > 0; --i)
      shard.push_back(iter(0));
    for (int64_t i = pick(random, 0, 2); i > 0; --i)
      replica.push_back(iter(0));
    TileLayout tile = llvm::cantFail(TileLayout::get(shard, replica));
    if (pick(random, 0, 2))
      return tile;
    int64_t b = pick(random, 0, 2);
    return llvm::cantFail(Layout::compose(
        llvm::cantFail(SwizzleLayout::get(
            pick(random, 0, 1), b, pick(random, b, 3), pick(random, 0, 1))),
        tile));
  };
  for (int i = 0; i < 20000; ++i) {
    Layout a = small(), b = small();
    bool expected = enumerate(a) == enumerate(b);
    equal += expected;
    ASSERT_EQ(isEqual(a, b), expected) << toString(a) << " and " << toString(b);
    auto difference = findDifference(a, b);
    ASSERT_EQ(bool(difference), !expected && a.getSize() == b.getSize());
    if (difference) {
      auto left = enumerate(a), right = enumerate(b);
      ASSERT_NE(left[*difference], right[*difference]);
      for (int64_t x = 0; x < *difference; ++x)
        ASSERT_EQ(left[x], right[x]);
    }
  }
  EXPECT_GT(equal, 300);
}

TEST(Algebra, BareSwizzlesAreEqualWhenTheSame) {
  Layout a = parse("#tirx.swizzle<3, 3, 3>");
  EXPECT_TRUE(isEqual(a, parse("SwizzleLayout(3, 3, 3)")));
  EXPECT_FALSE(isEqual(a, parse("SwizzleLayout(3, 2, 3)")));
  EXPECT_FALSE(isEqual(a, parse("S[512 : 1]")));
}

TEST(Algebra, InjectivityAgreesWithEnumeration) {
  Random random(24);
  int injective = 0;
  for (int i = 0; i < 2000; ++i) {
    Layout layout = randomLayout(random);
    const TileLayout &tile = *layout.getTile();
    Points seen;
    size_t count = 0;
    for (const Points &points : enumerate(layout)) {
      seen.insert(points.begin(), points.end());
      count += tile.getReplicaCount();
    }
    bool expected = seen.size() == count;
    injective += expected;
    ASSERT_EQ(isInjective(layout), expected) << toString(layout);
  }
  EXPECT_GT(injective, 100);
  EXPECT_TRUE(isInjective(parse("#tirx.swizzle<3, 3, 3>")));
  // Steps that interleave, in sizes that show how they are decided.
  EXPECT_TRUE(isInjective(parse("S[(4096, 4000) : (1, 4097)]")));
  EXPECT_TRUE(isInjective(parse("S[(3, 5) : (7, 3)]")));
  EXPECT_FALSE(isInjective(parse("S[(4096, 4096) : (1, 4095)]")));
  EXPECT_FALSE(isInjective(parse("S[(1048576, 1048576) : (1, 2)]")));
  EXPECT_TRUE(isInjective(parse(
      "S[(3, 5, 3, 5) : (7340032@laneid, 3145728@laneid, 7340032, 3145728)]")));
  EXPECT_FALSE(isInjective(parse("S[(3, 5) : (7, -7)]")));
}

TEST(Algebra, GroupSplitsTheShard) {
  Random random(25);
  int grouped = 0;
  for (int i = 0; i < 3000; ++i) {
    Layout layout = randomLayout(random);
    Shape shape = randomShape(random, layout);
    auto groups = group(*layout.getTile(), shape);
    ASSERT_TRUE(bool(groups)) << llvm::toString(groups.takeError());
    ASSERT_EQ(groups->size(), shape.size());
    SmallVector<Iter> all;
    for (size_t dim = 0; dim < shape.size(); ++dim) {
      int64_t product = 1;
      for (const Iter &iter : (*groups)[dim]) {
        product *= iter.extent;
        all.push_back(iter);
      }
      ASSERT_EQ(product, shape[dim]) << toString(layout);
    }
    Layout joined = llvm::cantFail(TileLayout::get(all));
    Layout shard =
        llvm::cantFail(TileLayout::get(layout.getTile()->getShard()));
    ASSERT_EQ(enumerate(joined), enumerate(shard)) << toString(layout);
    ++grouped;
  }
  EXPECT_EQ(grouped, 3000);
  const TileLayout rows = *parse("S[(3, 4) : (4, 1)]").getTile();
  EXPECT_TRUE(isReason(messageOf(group(rows, {3, 5}))));
  EXPECT_TRUE(isReason(messageOf(group(rows, {-3, -4}))));
  EXPECT_TRUE(isReason(messageOf(group(rows, {-1, -12}))));
  EXPECT_TRUE(isReason(messageOf(group(rows, {INT64_MAX, 3}))));
  EXPECT_TRUE(isReason(messageOf(group(rows, {0, 12}))));
  std::string message =
      messageOf(group(*parse("S[(3, 4) : (9, 1)]").getTile(), {2, 6}));
  EXPECT_TRUE(llvm::StringRef(message).contains("dimension 1")) << message;
}

TEST(Algebra, SlicesAreRegions) {
  Random random(26);
  int sliced = 0;
  for (int i = 0; i < 6000; ++i) {
    Layout layout = randomLayout(random);
    Shape shape = randomShape(random, layout), offsets, sizes;
    for (int64_t extent : shape) {
      sizes.push_back(pick(random, 1, extent));
      offsets.push_back(pick(random, 0, extent - sizes.back()));
    }
    auto part = slice(layout, shape, offsets, sizes);
    if (!part) {
      ASSERT_TRUE(isReason(messageOf(std::move(part))));
      continue;
    }
    ++sliced;
    std::vector<Points> whole = enumerate(layout), region = enumerate(*part);
    std::vector<Shape> coordinates = coordinatesOf(sizes);
    ASSERT_EQ(region.size(), coordinates.size());
    for (size_t x = 0; x < region.size(); ++x) {
      Shape at = coordinates[x];
      for (size_t dim = 0; dim < at.size(); ++dim)
        at[dim] += offsets[dim];
      ASSERT_EQ(region[x], whole[flatten(at, shape)]) << toString(layout);
    }
    if (layout.getSwizzle())
      ASSERT_TRUE(part->getSwizzle() &&
                  *part->getSwizzle() == *layout.getSwizzle());
  }
  EXPECT_GT(sliced, 3000);
}

TEST(Algebra, SlicesAcrossSteps) {
  auto region = [](llvm::StringRef text, int64_t offset, int64_t size) {
    Layout layout = parse(text);
    return toString(
        llvm::cantFail(slice(layout, {*layout.getSize()}, {offset}, {size})));
  };
  // Half of one step and half of the next; and again where a step is halves.
  EXPECT_EQ(region("S[(3, 4) : (8, 1)]", 2, 4),
            "#tirx.tile<S[(1, 2, 2) : (8, 6, 1)] + 2>");
  EXPECT_EQ(region("S[(5, 2) : (16, 3)]", 1, 6),
            "#tirx.tile<S[(3, 2) : (16, 13)] + 3>");
  // A half that is itself two steps.
  EXPECT_EQ(region("S[(2, 2, 2, 4) : (100, 30, 8, 1)]", 12, 8),
            "#tirx.tile<S[(1, 2, 4) : (100, 62, 1)] + 38>");
}

TEST(Algebra, SlicesThatAreRefused) {
  Layout rows = parse("S[(3, 4) : (8, 1)]");
  EXPECT_TRUE(isReason(messageOf(slice(rows, {3, 4}, {0, 0}, {4, 4}))));
  EXPECT_TRUE(isReason(messageOf(slice(rows, {3, 4}, {1, 0}, {3, 4}))));
  EXPECT_TRUE(isReason(messageOf(slice(rows, {3, 4}, {-1, 0}, {1, 1}))));
  EXPECT_TRUE(isReason(messageOf(slice(rows, {3, 4}, {0, 0}, {0, 1}))));
  EXPECT_TRUE(isReason(messageOf(slice(rows, {3, 4}, {0}, {1, 1}))));
  EXPECT_TRUE(isReason(messageOf(slice(rows, {12}, {3}, {4}))));
  EXPECT_TRUE(
      isReason(messageOf(slice(rows, {3, 4}, {INT64_MAX, 0}, {INT64_MAX, 1}))));
}

TEST(Algebra, PermuteReordersDimensions) {
  Random random(27);
  for (int i = 0; i < 1000; ++i) {
    Layout layout = randomLayout(random);
    Shape shape = randomShape(random, layout);
    Shape order(shape.size()), permuted;
    for (size_t dim = 0; dim < order.size(); ++dim)
      order[dim] = dim;
    std::shuffle(order.begin(), order.end(), random);
    for (int64_t dim : order)
      permuted.push_back(shape[dim]);
    auto result = permute(layout, shape, order);
    ASSERT_TRUE(bool(result)) << llvm::toString(result.takeError());
    std::vector<Points> before = enumerate(layout), after = enumerate(*result);
    std::vector<Shape> coordinates = coordinatesOf(permuted);
    for (size_t x = 0; x < after.size(); ++x) {
      Shape at(shape.size());
      for (size_t dim = 0; dim < order.size(); ++dim)
        at[order[dim]] = coordinates[x][dim];
      ASSERT_EQ(after[x], before[flatten(at, shape)]) << toString(layout);
    }
  }
  Layout rows = parse("S[(3, 4) : (4, 1)]");
  EXPECT_TRUE(isReason(messageOf(permute(rows, {3, 4}, {0, 0}))));
  EXPECT_TRUE(isReason(messageOf(permute(rows, {3, 4}, {0}))));
  EXPECT_TRUE(isReason(messageOf(permute(rows, {3, 4}, {0, 2}))));
}

TEST(Algebra, DimStride) {
  Layout tile = parse("S[(2, 4, 8) : (4, 1, 8@laneid)]");
  Iter rows = llvm::cantFail(getDimStride(tile, {8, 8}, 0));
  EXPECT_TRUE((rows == Iter{8, 1, memoryAxis()}));
  Iter columns = llvm::cantFail(getDimStride(tile, {8, 8}, 1));
  EXPECT_TRUE((columns == Iter{8, 8, lookupBuiltinAxis("laneid")}));
  EXPECT_TRUE(isReason(messageOf(getDimStride(tile, {8, 8}, 2))));
  EXPECT_TRUE(
      isReason(messageOf(getDimStride(parse("S[(2, 4) : (7, 1)]"), {8}, 0))));
}

TEST(Algebra, StorageDropsThreads) {
  Layout fragment =
      parse("S[(8, 4, 2) : (4@laneid, 1@laneid, 1)] + R[2 : 4@warpid] + "
            "5@warpid + 3");
  EXPECT_TRUE(hasThreadAxes(fragment));
  Layout storage = getStorage(fragment);
  EXPECT_FALSE(hasThreadAxes(storage));
  EXPECT_TRUE(isEqual(storage, parse("S[2 : 1] + 3")));
  EXPECT_FALSE(hasThreadAxes(parse("S[(4, 4) : (1@TLane, 1@TCol)]")));
}

/// The definition of the vector width, by looking at every vector.
static int64_t bruteVectorWidth(const Layout &layout, const Shape &shape,
                                unsigned dim, int64_t limit) {
  std::vector<Shape> all = coordinatesOf(shape);
  int64_t best = 1;
  for (int64_t v = 2; v <= limit && shape[dim] % v == 0; v *= 2) {
    for (const Shape &start : all) {
      if (start[dim] % v)
        continue;
      SmallVector<Coordinates> base = layout.image(flatten(start, shape));
      for (const Coordinates &point : base)
        if (point.get(memoryAxis()) % v)
          return best;
      for (int64_t i = 1; i < v; ++i) {
        Shape at = start;
        at[dim] += i;
        SmallVector<Coordinates> moved = base;
        for (Coordinates &point : moved)
          point.add(memoryAxis(), i);
        llvm::sort(moved);
        SmallVector<Coordinates> image = layout.image(flatten(at, shape));
        if (moved != image)
          return best;
      }
    }
    best = v;
  }
  return best;
}

/// The answer may be too careful where strides only happen to agree, but never
/// too bold; on plain tiles it is exact.
TEST(Algebra, VectorWidth) {
  Random random(28);
  for (int i = 0; i < 3000; ++i) {
    Layout layout = randomLayout(random);
    Shape shape = randomShape(random, layout);
    for (unsigned dim = 0; dim < shape.size(); ++dim) {
      int64_t width = getVectorWidth(layout, shape, dim, 8);
      ASSERT_LE(width, bruteVectorWidth(layout, shape, dim, 8))
          << toString(layout) << " along " << dim;
      ASSERT_GE(width, 1);
    }
  }
  auto width = [](llvm::StringRef text, const Shape &shape, unsigned dim,
                  int64_t limit = 16) {
    Layout layout = parse(text);
    int64_t result = getVectorWidth(layout, shape, dim, limit);
    EXPECT_EQ(result, bruteVectorWidth(layout, shape, dim, limit))
        << text.str();
    return result;
  };
  EXPECT_EQ(width("S[(8, 16) : (16, 1)]", {8, 16}, 1), 16);
  EXPECT_EQ(width("S[(8, 16) : (16, 1)]", {8, 16}, 1, 8), 8);
  EXPECT_EQ(width("S[(8, 16) : (16, 1)]", {8, 16}, 0), 1);
  EXPECT_EQ(width("S[(8, 16) : (20, 1)]", {8, 16}, 1), 4);
  EXPECT_EQ(width("S[(8, 16) : (16, 1)] + 2", {8, 16}, 1), 2);
  EXPECT_EQ(width("S[(8, 12) : (12, 1)]", {8, 12}, 1), 4);
  EXPECT_EQ(width("Compose(3, 3, 3, S[(8, 64) : (64, 1)])", {8, 64}, 1), 8);
  EXPECT_EQ(width("Compose(2, 3, 3, S[(8, 64) : (64, 1)])", {8, 64}, 1), 4);
  EXPECT_EQ(width("S[(4, 8) : (1@laneid, 1)]", {4, 8}, 1), 8);
  EXPECT_EQ(width("S[(4, 8) : (8, 1)] + R[2 : 4]", {4, 8}, 1), 4);
}
