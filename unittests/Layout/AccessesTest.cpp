//===- AccessesTest.cpp - bank conflicts and coalescing -------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TIRx/Layout/Accesses.h"
#include "Measured.h"
#include "Testing.h"

using namespace tirx;
using namespace tirx::testing;
using llvm::SmallVector;
using llvm::StringRef;
namespace json = llvm::json;

static LaneAddresses toLanes(llvm::ArrayRef<int64_t> addresses) {
  LaneAddresses lanes;
  for (size_t i = 0; i < addresses.size(); ++i)
    if (addresses[i] >= 0)
      lanes[i] = addresses[i];
  return lanes;
}

TEST(Wavefronts, AsMeasured) {
  json::Object file = readMeasured("bank_conflicts.json");
  int64_t conflicts = 0;
  for (const json::Value &value : *file.getArray("cases")) {
    const json::Object &test = *value.getAsObject();
    StringRef op = *test.getString("op");
    int64_t size = *test.getInteger("size");
    auto addresses = toIntegers(test.getArray("addresses"));
    bool load = op.starts_with("ld.");
    auto got =
        load || op.starts_with("st.")
            ? countWavefronts(load ? SharedAccess::Load : SharedAccess::Store,
                              size, toLanes(addresses))
            : countMatrixWavefronts(
                  llvm::ArrayRef(addresses).take_front(8 * size));
    ASSERT_TRUE(bool(got)) << llvm::toString(got.takeError());
    ASSERT_EQ(got->count, *test.getInteger("wavefronts")) << op.str() << size;
    ASSERT_EQ(got->getConflicts(), *test.getInteger("conflicts"))
        << op.str() << size;
    conflicts += got->getConflicts();
  }
  EXPECT_GT(conflicts, 500);
}

/// The lanes named must be lanes of one group that want different words of the
/// bank named, as many as the group's wavefronts.
TEST(Wavefronts, WorstBank) {
  Random random(81);
  int conflicts = 0;
  for (int i = 0; i < 20000; ++i) {
    static const unsigned sizes[] = {1, 2, 4, 8, 16};
    unsigned bytes = choose(random, sizes);
    LaneAddresses lanes;
    int64_t range = int64_t(1) << pick(random, 0, 8);
    for (auto &lane : lanes)
      if (pick(random, 0, 9))
        lane = pick(random, 0, range) * bytes;
    auto access = SharedAccess(pick(random, 0, 1));
    Wavefronts got = llvm::cantFail(countWavefronts(access, bytes, lanes));
    ASSERT_EQ(got.getConflicts() > 0, !got.worstLanes.empty());
    std::set<int64_t> words;
    for (unsigned lane : got.worstLanes) {
      ASSERT_TRUE(lanes[lane].has_value());
      for (int64_t b = *lanes[lane]; b < *lanes[lane] + bytes; ++b)
        if (b / 4 % 32 == got.worstBank)
          words.insert(b / 4);
    }
    if (got.worstLanes.empty())
      continue;
    ++conflicts;
    EXPECT_GE(int64_t(words.size()), 2);
    EXPECT_LE(int64_t(words.size()) - 1, got.getConflicts());
    // No group needs more than this one.
    EXPECT_GE(int64_t(words.size()) * got.ideal, got.count);
  }
  EXPECT_GT(conflicts, 5000);
}

TEST(Wavefronts, BadAddresses) {
  LaneAddresses lanes;
  EXPECT_EQ(llvm::cantFail(countWavefronts(SharedAccess::Load, 4, lanes)).count,
            0);
  lanes[3] = 6;
  EXPECT_EQ(messageOf(countWavefronts(SharedAccess::Load, 4, lanes)),
            "expected an address of lane 3 that is a multiple of 4, got 6");
  EXPECT_EQ(messageOf(countWavefronts(SharedAccess::Load, 3, lanes)),
            "expected an access of 1, 2, 4, 8 or 16 bytes, got 3");
  EXPECT_EQ(messageOf(countMatrixWavefronts({0, 16})),
            "expected the rows of 1, 2 or 4 matrices, 8 each, got 2 rows");
}

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

TEST(Accesses, KnownConflicts) {
  // A column of a row-major tile of 128-byte rows; the swizzle spreads it.
  Layout threads = parse("S[(32, 8) : (1@laneid, 1)]");
  AccessCost cost = llvm::cantFail(countBankConflicts(
      SharedAccess::Load, threads, parse("S[(32, 8) : (64, 1)]"), 16, 8));
  EXPECT_EQ(cost.instructions, 1);
  EXPECT_EQ(cost.wavefronts, 32);
  EXPECT_EQ(cost.ideal, 4);
  EXPECT_EQ(cost.worst.worstLanes,
            (SmallVector<unsigned, 8>{0, 1, 2, 3, 4, 5, 6, 7}));
  cost = llvm::cantFail(countBankConflicts(
      SharedAccess::Load, threads,
      parse("Compose(3, 3, 3, S[(32, 8) : (64, 1)])"), 16, 8));
  EXPECT_EQ(cost.wavefronts, 4);
  // Element by element: 8 accesses of 2 bytes.
  cost = llvm::cantFail(countBankConflicts(
      SharedAccess::Store, threads, parse("S[(32, 8) : (64, 1)]"), 16, 1));
  EXPECT_EQ(cost.instructions, 8);
  EXPECT_EQ(cost.wavefronts, 256);
}

namespace {
/// A region over warps, lanes and registers, vectors innermost, and its places
/// in memory, in a shuffled order.
struct RandomRegion {
  Layout threads = llvm::cantFail(TileLayout::get({}));
  Layout memory = llvm::cantFail(TileLayout::get({}));
  unsigned bits;
  int64_t vector;
};
} // namespace

static RandomRegion makeRegion(Random &random) {
  RandomRegion region;
  static const unsigned widths[] = {4, 8, 16, 32, 64};
  region.bits = choose(random, widths);
  static const int64_t bytes[] = {1, 2, 4, 8, 16};
  region.vector = std::max<int64_t>(1, choose(random, bytes) * 8 / region.bits);
  if (region.vector * region.bits < 8)
    region.vector = 2;
  auto axis = [](const char *name) { return lookupBuiltinAxis(name); };
  bool flat = pick(random, 0, 1);
  int64_t warps = pick(random, 1, 4), values = pick(random, 1, 4);
  int64_t low = int64_t(1) << pick(random, 0, 5);
  SmallVector<Iter> parts = {
      {warps, flat ? 32 : 1, axis(flat ? "tid_in_wg" : "warpid")},
      {32 / low, low, axis(flat ? "tid_in_wg" : "laneid")},
      {low, 1, axis(flat ? "tid_in_wg" : "laneid")},
      {values, region.vector, memoryAxis()}};
  std::shuffle(parts.begin(), parts.end(), random);
  SmallVector<Iter> places;
  std::vector<size_t> order(parts.size());
  for (size_t i = 0; i < order.size(); ++i)
    order[i] = i;
  std::shuffle(order.begin(), order.end(), random);
  std::vector<int64_t> strides(parts.size());
  int64_t dense = region.vector;
  for (size_t i : order) {
    strides[i] = pick(random, 0, 9) ? dense : 0; // Now and then a broadcast.
    dense *= parts[i].extent;
    if (pick(random, 0, 4) == 0)
      dense += region.vector;
  }
  for (size_t i = 0; i < parts.size(); ++i)
    places.push_back({parts[i].extent, strides[i], memoryAxis()});
  parts.push_back({region.vector, 1, memoryAxis()});
  places.push_back({region.vector, 1, memoryAxis()});
  SmallVector<Iter> replica;
  if (!flat && pick(random, 0, 3) == 0)
    replica.push_back({2, 4, axis("warpid")});
  region.threads = llvm::cantFail(TileLayout::get(parts, replica));
  TileLayout tile = llvm::cantFail(TileLayout::get(places));
  region.memory = tile;
  int64_t p = llvm::Log2_64_Ceil(region.vector);
  if (pick(random, 0, 1))
    region.memory = llvm::cantFail(Layout::compose(
        llvm::cantFail(SwizzleLayout::get(p, pick(random, 0, 3), 3)), tile));
  return region;
}

TEST(Accesses, CostOfRandomRegions) {
  Random random(82);
  int conflicting = 0;
  for (int i = 0; i < 500; ++i) {
    RandomRegion region = makeRegion(random);
    auto load = SharedAccess(pick(random, 0, 1));
    auto cost = countBankConflicts(load, region.threads, region.memory,
                                   region.bits, region.vector);
    ASSERT_TRUE(bool(cost)) << llvm::toString(cost.takeError());
    // By points: the first element of each vector, by warp, value and lane.
    std::vector<Points> holders = enumerate(region.threads);
    std::vector<Points> places = enumerate(region.memory);
    std::map<std::pair<int64_t, int64_t>, LaneAddresses> accesses;
    std::set<std::pair<int64_t, int64_t>> sectors;
    for (size_t x = 0; x < holders.size(); ++x)
      for (Point holder : holders[x]) {
        if (holder["m"] % region.vector != 0)
          continue;
        Point place = *places[x].begin();
        int64_t thread =
            holder["laneid"] + holder["tid_in_wg"] + 32 * holder["warpid"];
        accesses[{thread / 32, holder["m"] / region.vector}][thread % 32] =
            place["m"] * region.bits / 8;
      }
    int64_t wavefronts = 0, ideal = 0, sectorCount = 0;
    int64_t bytes = region.vector * region.bits / 8;
    for (const auto &[key, lanes] : accesses) {
      Wavefronts one = llvm::cantFail(countWavefronts(load, bytes, lanes));
      wavefronts += one.count;
      ideal += one.ideal;
      std::set<int64_t> touched;
      for (const auto &lane : lanes)
        for (int64_t b = 0; lane && b < bytes; ++b)
          touched.insert((*lane + b) / 32);
      sectorCount += touched.size();
    }
    ASSERT_EQ(cost->instructions, int64_t(accesses.size()));
    ASSERT_EQ(cost->wavefronts, wavefronts);
    ASSERT_EQ(cost->ideal, ideal);
    conflicting += wavefronts > ideal;

    Coalescing coalescing = llvm::cantFail(getCoalescing(
        region.threads, region.memory, region.bits, region.vector));
    ASSERT_EQ(coalescing.sectors, sectorCount);
    ASSERT_LE(coalescing.ideal, coalescing.sectors);
    // Lanes in runs, tried from one lane up.
    unsigned runs = 1;
    for (unsigned c = 2; c <= 32; c *= 2) {
      bool all = true;
      for (const auto &[key, lanes] : accesses)
        for (unsigned lane = 0; lane < 32; ++lane)
          all &= lane % c == 0 ||
                 lanes[lane] == std::optional(*lanes[lane - 1] + bytes);
      if (all)
        runs = c;
    }
    ASSERT_EQ(coalescing.contiguousLanes, runs);
  }
  EXPECT_GT(conflicting, 80);
}

TEST(Accesses, Reasons) {
  auto reason = [&](StringRef threads, StringRef memory, unsigned bits,
                    int64_t vector) {
    return messageOf(
        enumerateAccesses(parse(threads), parse(memory), bits, vector));
  };
  EXPECT_EQ(reason("S[(32, 4) : (1@laneid, 1)]", "S[(32, 4) : (1, 32)]", 16, 2),
            "expected the 2 elements of a vector to be neighbours in memory, "
            "got bytes 0 and 62 as beginnings of a vector of lane 0");
  EXPECT_EQ(reason("S[(32, 3) : (1@laneid, 1)]", "S[(32, 3) : (4, 1)]", 16, 2),
            "expected whole vectors of 2 registers, got 1 elements in one of "
            "lane 0");
  EXPECT_EQ(reason("S[(32, 4) : (1@laneid, 1)]", "S[(32, 2) : (2, 1)]", 16, 2),
            "expected two layouts of one region, got 128 and 64 elements");
  EXPECT_EQ(reason("S[(32, 4) : (1@laneid, 1@TCol)]", "S[128 : 1]", 16, 1),
            "expected elements in registers of threads, got axis 'TCol'");
  EXPECT_EQ(reason("S[(32, 4) : (1@laneid, 1@tx)]", "S[128 : 1]", 16, 1),
            "expected threads on one axis, got 'laneid' and 'tx'");
  EXPECT_EQ(reason("S[(32, 4) : (-1@laneid, 1)]", "S[128 : 1]", 16, 1),
            "expected no negative coordinate, got -1 on axis 'laneid'");
  EXPECT_EQ(reason("S[(2, 2) : (1@laneid, 1)]", "S[(2, 2) : (3, 1)]", 4, 2),
            "expected vectors to begin at whole bytes of memory, got element 3 "
            "as number 0 of 2 elements of 4 bits");
  EXPECT_EQ(reason("S[(4194304, 2) : (1@laneid, 1)]", "S[8388608 : 1]", 16, 1),
            "expected at most 4194304 elements and copies, got 8388608 "
            "elements in 1 copies");
  // Each register of one lane, a kilobyte each.
  EXPECT_EQ(reason("S[4194304 : 32]", "S[4194304 : 1]", 16, 1),
            "expected at most 131072 accesses of warps, got more, with lanes "
            "that take no part");
}
