//===- VectorizeTest.cpp - vectors and partitions -------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TIRx/Layout/Vectorize.h"
#include "Property.h"
#include "TIRx/Layout/Accesses.h"
#include "TIRx/Layout/Algebra.h"
#include <numeric>

using namespace tirx;
using namespace tirx::testing;
using llvm::SmallVector;

//===----------------------------------------------------------------------===//
// Runs, by points
//===----------------------------------------------------------------------===//

/// The places on `m` of every element, one for each setting of the replicas, in
/// the order of the settings.
static std::vector<std::vector<int64_t>> placesOf(const Layout &layout) {
  const TileLayout &tile = *layout.getTile();
  Point offset;
  for (const AxisOffset &entry : tile.getOffset())
    offset[entry.axis.getName().str()] = entry.value;
  std::vector<std::vector<int64_t>> places;
  odometer(tile.getShard(), offset, [&](const Point &base) {
    places.emplace_back();
    odometer(tile.getReplica(), base, [&](const Point &point) {
      Point end = finish(point, layout.getSwizzle());
      places.back().push_back(end.count("m") ? end["m"] : 0);
    });
  });
  return places;
}

/// Whether an element and the one before it along the dimension differ on `m`
/// only.
static bool sameOtherAxes(const Layout &layout, int64_t a, int64_t b) {
  Point one = toPoint(layout.apply(a)), other = toPoint(layout.apply(b));
  one.erase("m");
  other.erase("m");
  return one == other;
}

namespace {
struct BruteRun {
  int64_t length = 1, alignment = 0;
};
} // namespace

static BruteRun findRun(const Layout &layout, llvm::ArrayRef<int64_t> shape,
                        unsigned dim) {
  auto places = placesOf(layout);
  int64_t step = 1;
  for (size_t d = dim + 1; d < shape.size(); ++d)
    step *= shape[d];
  auto holds = [&](int64_t length) {
    for (int64_t flat = 0; flat < int64_t(places.size()); ++flat) {
      if (flat / step % shape[dim] % length == 0)
        continue;
      if (!sameOtherAxes(layout, flat, flat - step))
        return false;
      for (size_t copy = 0; copy < places[flat].size(); ++copy)
        if (places[flat][copy] != places[flat - step][copy] + 1)
          return false;
    }
    return true;
  };
  BruteRun run;
  for (int64_t length = shape[dim]; length >= 1; --length)
    if (shape[dim] % length == 0 && holds(length)) {
      run.length = length;
      break;
    }
  for (int64_t flat = 0; flat < int64_t(places.size()); ++flat)
    if (flat / step % shape[dim] % run.length == 0)
      for (int64_t place : places[flat])
        run.alignment = std::gcd(run.alignment, place);
  return run;
}

static Layout randomVectorLayout(Random &random) {
  // Often with a run at the end.
  Layout layout = randomLayout(random);
  if (pick(random, 0, 1))
    return layout;
  const TileLayout &tile = *layout.getTile();
  SmallVector<Iter> shard(tile.getShard());
  int64_t run = pick(random, 1, 12);
  for (Iter &iter : shard)
    if (iter.axis == memoryAxis())
      iter.stride *= pick(random, 0, 3) ? run : 1;
  shard.push_back({run, 1, memoryAxis()});
  TileLayout longer = llvm::cantFail(
      TileLayout::get(shard, tile.getReplica(), tile.getOffset()));
  if (!layout.getSwizzle())
    return longer;
  return llvm::cantFail(Layout::compose(*layout.getSwizzle(), longer));
}

TEST(Vectorize, RunsAreTheLongest) {
  int64_t runs = 0, odd = 0, swizzled = 0;
  forRandomLayouts(
      "Vectorize.RunsAreTheLongest",
      [&](const Layout &layout, Random &random) -> std::string {
        auto shape = randomShape(random, layout);
        unsigned dim = pick(random, 0, int64_t(shape.size()) - 1);
        auto run = getContiguousRun(layout, shape, dim);
        if (!run)
          return "refused: " + llvm::toString(run.takeError());
        BruteRun brute = findRun(layout, shape, dim);
        if (run->length != brute.length)
          return "length " + std::to_string(run->length) + ", by points " +
                 std::to_string(brute.length);
        bool exact = run->alignment == brute.alignment;
        bool divides = run->alignment == 0
                           ? brute.alignment == 0
                           : brute.alignment % run->alignment == 0;
        if (layout.getSwizzle() ? !divides : !exact)
          return "alignment " + std::to_string(run->alignment) +
                 ", by points " + std::to_string(brute.alignment);
        runs += run->length > 1;
        odd += run->length % 2 == 1 && run->length > 1;
        swizzled += run->length > 1 && layout.getSwizzle();
        return "";
      },
      randomVectorLayout);
  EXPECT_GT(runs, getPropertyRuns() / 50);
  EXPECT_GT(odd, getPropertyRuns() / 500);
  EXPECT_GT(swizzled, getPropertyRuns() / 500);
}

/// The widest access by trying all: aligned at every place it begins.
TEST(Vectorize, WidthsAreTheWidest) {
  int64_t wide = 0;
  forRandomLayouts(
      "Vectorize.WidthsAreTheWidest",
      [&](const Layout &layout, Random &random) -> std::string {
        auto shape = randomShape(random, layout);
        unsigned dim = pick(random, 0, int64_t(shape.size()) - 1);
        static const unsigned widths[] = {1, 4, 6, 8, 12, 16, 32, 64};
        static const int64_t bases[] = {1, 2, 4, 12, 16, 256};
        AccessLimits limits;
        limits.elementBits = choose(random, widths);
        limits.baseAlignment = choose(random, bases);
        limits.maxBytes = int64_t(1) << pick(random, 0, 5);
        auto width = getAccessWidth(layout, shape, dim, limits);
        if (!width)
          return "refused: " + llvm::toString(width.takeError());
        BruteRun brute = findRun(layout, shape, dim);
        int64_t best = 0;
        for (int64_t bytes = 1; bytes <= limits.maxBytes; bytes *= 2) {
          int64_t elements = bytes * 8 / limits.elementBits;
          if (elements > 0 && elements * limits.elementBits == bytes * 8 &&
              brute.length % elements == 0 && brute.alignment % elements == 0 &&
              limits.baseAlignment % bytes == 0)
            best = elements;
        }
        int64_t got = *width ? **width : 0;
        // The alignment of what a swizzle moves is bounded by its blocks.
        bool right = layout.getSwizzle() ? got <= best : got == best;
        if (!right)
          return "width " + std::to_string(got) + ", by points " +
                 std::to_string(best);
        wide += got > 1;
        return "";
      },
      randomVectorLayout);
  EXPECT_GT(wide, getPropertyRuns() / 50);
}

TEST(Vectorize, KnownWidths) {
  auto width = [](llvm::StringRef layout, llvm::ArrayRef<int64_t> shape,
                  unsigned bits, int64_t alignment = 16) {
    AccessLimits limits;
    limits.elementBits = bits;
    limits.baseAlignment = alignment;
    return llvm::cantFail(
        getAccessWidth(parse(layout), shape, shape.size() - 1, limits));
  };
  EXPECT_EQ(width("S[(128, 64) : (64, 1)]", {128, 64}, 16), 8);
  EXPECT_EQ(width("S[(128, 64) : (64, 1)]", {128, 64}, 16, 4), 2);
  EXPECT_EQ(width("S[(128, 60) : (60, 1)]", {128, 60}, 16), 4);
  EXPECT_EQ(width("S[(128, 63) : (63, 1)]", {128, 63}, 16), 1);
  EXPECT_EQ(width("S[(128, 63) : (63, 1)]", {128, 63}, 4), std::nullopt);
  EXPECT_EQ(width("S[(128, 64) : (64, 1)]", {128, 64}, 4), 32);
  EXPECT_EQ(width("Compose(3, 3, 3, S[(64, 64) : (64, 1)])", {64, 64}, 16), 8);
  EXPECT_EQ(width("Compose(3, 3, 3, S[(64, 64) : (64, 1)])", {64, 64}, 8), 8);
  EXPECT_EQ(width("S[(8, 64) : (64, 1)] + R[2 : 516]", {8, 64}, 16), 4);
}

//===----------------------------------------------------------------------===//
// Partitions
//===----------------------------------------------------------------------===//

/// Row-major with gaps, or with dimensions in another order, or swizzled.
static Layout makeMemory(Random &random, SmallVector<int64_t> &shape) {
  static const int64_t extents[] = {1, 2, 3, 4, 6, 8, 12, 16, 32, 64};
  for (int64_t rank = pick(random, 1, 3); rank > 0; --rank)
    shape.push_back(choose(random, extents));
  std::vector<size_t> order(shape.size());
  std::iota(order.begin(), order.end(), 0);
  if (pick(random, 0, 2) == 0)
    std::shuffle(order.begin(), order.end(), random);
  SmallVector<Iter> shard(shape.size());
  int64_t stride = 1;
  for (size_t d : llvm::reverse(order)) {
    shard[d] = {shape[d], stride, memoryAxis()};
    stride *= shape[d];
    if (pick(random, 0, 3) == 0)
      stride += 1 << pick(random, 0, 4);
  }
  TileLayout tile = llvm::cantFail(TileLayout::get(shard));
  if (pick(random, 0, 2))
    return tile;
  return llvm::cantFail(Layout::compose(
      llvm::cantFail(SwizzleLayout::get(pick(random, 0, 4), 3, 3)), tile));
}

TEST(Vectorize, Partitions) {
  Random random(91);
  int partitioned = 0, refused = 0, vectors = 0;
  for (int i = 0; i < 3000; ++i) {
    SmallVector<int64_t> shape;
    Layout memory = makeMemory(random, shape);
    int64_t size = *memory.getSize();
    if (size > 8192)
      continue;
    static const int64_t counts[] = {1, 2, 8, 24, 32, 32, 64, 96, 128, 256};
    int64_t threads = choose(random, counts);
    static const unsigned widths[] = {4, 8, 16, 32};
    AccessLimits limits;
    limits.elementBits = choose(random, widths);
    auto partition = partitionRegion(memory, shape, lookupBuiltinAxis("tx"),
                                     threads, limits);
    if (!partition) {
      ++refused;
      std::string reason = llvm::toString(partition.takeError());
      ASSERT_TRUE(isReason(reason)) << reason;
      // Only because the threads divide no accesses at all.
      bool wholeBytes = limits.elementBits >= 8;
      ASSERT_TRUE(size % threads != 0 || !wholeBytes) << reason;
      continue;
    }
    ++partitioned;
    vectors += partition->vector > 1;
    ASSERT_EQ(partition->accesses * partition->vector * threads, size);
    ASSERT_EQ(partition->vector * limits.elementBits % 8, 0);
    // Each thread holds each of its registers once.
    std::set<std::pair<int64_t, int64_t>> holders;
    for (const Points &image : enumerate(partition->threads)) {
      ASSERT_EQ(image.size(), 1u);
      Point point = *image.begin();
      ASSERT_TRUE(holders.insert({point["tx"], point["m"]}).second);
      ASSERT_LT(point["tx"], threads);
      ASSERT_LT(point["m"], size / threads);
    }
    ASSERT_EQ(int64_t(holders.size()), size);
    // Its vectors are neighbours in memory, aligned.
    auto accesses = enumerateAccesses(partition->threads, memory,
                                      limits.elementBits, partition->vector);
    ASSERT_TRUE(bool(accesses)) << llvm::toString(accesses.takeError());
    for (const WarpAccess &access : *accesses)
      for (const auto &address : access.addresses)
        ASSERT_TRUE(!address ||
                    *address % (partition->vector * limits.elementBits / 8) ==
                        0);
  }
  EXPECT_GT(partitioned, 500);
  EXPECT_GT(refused, 300);
  EXPECT_GT(vectors, 200);
}

TEST(Vectorize, KnownPartitions) {
  AccessLimits limits;
  Axis lanes = lookupBuiltinAxis("laneid"), tx = lookupBuiltinAxis("tx");
  Layout rows = parse("S[(128, 64) : (64, 1)]");
  Partition partition =
      llvm::cantFail(partitionRegion(rows, {128, 64}, tx, 128, limits));
  EXPECT_EQ(partition.vector, 8);
  EXPECT_EQ(partition.accesses, 8);
  EXPECT_EQ(partition.dim, 1u);
  Coalescing coalescing = llvm::cantFail(
      getCoalescing(partition.threads, rows, 16, partition.vector));
  EXPECT_EQ(coalescing.contiguousLanes, 32u);
  EXPECT_EQ(coalescing.sectors, coalescing.ideal);
  EXPECT_EQ(coalescing.instructions, 32);
  // Columns that are neighbours in memory: vectors along dimension 0.
  partition = llvm::cantFail(partitionRegion(parse("S[(64, 32) : (1, 64)]"),
                                             {64, 32}, lanes, 32, limits));
  EXPECT_EQ(partition.dim, 0u);
  EXPECT_EQ(partition.vector, 8);
  // 96 elements: 32 threads take 3 each.
  partition = llvm::cantFail(
      partitionRegion(parse("S[96 : 1]"), {96}, lanes, 32, limits));
  EXPECT_EQ(partition.vector, 1);
  EXPECT_EQ(partition.accesses, 3);
  EXPECT_EQ(
      messageOf(partitionRegion(parse("S[96 : 1]"), {96}, tx, 128, limits)),
      "expected a region whose accesses of whole bytes 128 threads "
      "divide, got 96 elements of 16 bits");
  EXPECT_EQ(
      messageOf(partitionRegion(rows, {128, 64}, memoryAxis(), 32, limits)),
      "expected an axis of threads to spread a region over");
}
