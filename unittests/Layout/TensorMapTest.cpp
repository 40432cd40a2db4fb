//===- TensorMapTest.cpp - copies by tensor map ---------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Executes plans as the hardware does, from the fields of the map alone, and
// compares the place of every element with the two layouts; and the maps of
// copies that an H200 made with the memory that it left.
//
//===----------------------------------------------------------------------===//

#include "TIRx/Layout/TensorMap.h"
#include "Measured.h"
#include "Testing.h"
#include "llvm/Support/Base64.h"
#include <numeric>

using namespace tirx;
using namespace tirx::testing;
using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::StringRef;
namespace json = llvm::json;

//===----------------------------------------------------------------------===//
// The hardware's side
//===----------------------------------------------------------------------===//

/// Where bytes of a box go: bits 7 and up of the address, masked, onto bits 4
/// and up (5 with 32B atoms).
static int64_t swizzleByte(SwizzleMode mode, int64_t byte) {
  static const int64_t masks[] = {0, 1, 3, 7, 3};
  int64_t shift = mode == SwizzleMode::B128Atom32 ? 32 : 16;
  return byte ^ (byte / 128 & masks[int(mode)]) * shift;
}

namespace {
/// Global bit to shared bit, from the beginnings of tensor and buffer.
using Moves = std::map<int64_t, int64_t>;
} // namespace

/// Runs one copy: the box in its order, at these coordinates.
static std::string runCopy(const TensorCopyPlan &plan,
                           ArrayRef<int64_t> coordinates, int64_t shared,
                           int64_t globalBits, int64_t sharedBits,
                           Moves &moves) {
  std::vector<int64_t> at(plan.dims.size(), 0);
  if (coordinates[0] * sharedBits % 128 != 0)
    return "the first coordinate is no multiple of 16 bytes";
  // With a swizzle, rows begin at its width.
  int64_t row = plan.dims[0].box, pitch = row;
  if (plan.swizzle != SwizzleMode::None)
    pitch = getRowBytes(plan.swizzle) * 8 / sharedBits;
  for (int64_t flat = 0;; ++flat) {
    int64_t global = 0;
    for (size_t i = 0; i < at.size(); ++i) {
      int64_t coordinate = coordinates[i] + at[i];
      if (coordinate < 0 ||
          (plan.dims[i].size && coordinate >= *plan.dims[i].size))
        return "a coordinate is outside the tensor";
      global += coordinate *
                (i == 0 ? globalBits : plan.dims[i].stride.value_or(-1) * 8);
    }
    int64_t bit = shared * 8 + (flat / row * pitch + flat % row) * sharedBits;
    bit = swizzleByte(plan.swizzle, bit / 8) * 8 + bit % 8;
    if (!moves.insert({global, bit}).second)
      return "an element is copied twice";
    size_t i = 0;
    while (i < at.size() && ++at[i] == plan.dims[i].box)
      at[i++] = 0;
    if (i == at.size())
      return flat + 1 == plan.bytes * 8 / sharedBits ? "" : "wrong byte count";
  }
}

/// Runs all copies of a plan for a region at `offsets` of the tensor.
static std::string runPlan(const TensorCopyPlan &plan,
                           ArrayRef<int64_t> offsets, int64_t globalBits,
                           int64_t sharedBits, Moves &moves) {
  std::vector<int64_t> first;
  for (const TensorMapDim &dim : plan.dims) {
    first.push_back(0);
    for (const CoordinateTerm &term : dim.terms) {
      int64_t digit = offsets[term.dim] / term.divisor;
      first.back() +=
          (term.modulus ? digit % term.modulus : digit) * term.factor;
    }
  }
  std::vector<int64_t> turn(plan.loops.size(), 0);
  while (true) {
    std::vector<int64_t> coordinates = first;
    int64_t shared = plan.sharedOffset;
    for (size_t i = 0; i < turn.size(); ++i) {
      coordinates[plan.loops[i].dim] += turn[i] * plan.loops[i].coordinateStep;
      shared += turn[i] * plan.loops[i].sharedStep;
    }
    if (shared % plan.sharedAlignment != 0)
      return "a copy is not aligned";
    std::string wrong =
        runCopy(plan, coordinates, shared, globalBits, sharedBits, moves);
    if (!wrong.empty())
      return wrong;
    size_t i = 0;
    while (i < turn.size() && ++turn[i] == plan.loops[i].count)
      turn[i++] = 0;
    if (i == turn.size())
      return "";
  }
}

/// The limits of the hardware, on the fields.
static std::string checkLimits(const TensorCopyPlan &plan, bool padded) {
  if (plan.dims.empty() || plan.dims.size() > 5)
    return "rank";
  int64_t elementBits = plan.bytes * 8, row = getRowBytes(plan.swizzle);
  for (auto [i, dim] : llvm::enumerate(plan.dims)) {
    elementBits /= dim.box;
    if (dim.box < 1 || dim.box > 256)
      return "box";
    if (dim.size && (*dim.size < 1 || *dim.size > int64_t(1) << 32))
      return "size";
    if (i != 0 && dim.stride &&
        (*dim.stride < 16 || *dim.stride % (padded ? 32 : 16) ||
         *dim.stride >= int64_t(1) << 40))
      return "stride";
  }
  int64_t inner = plan.dims[0].box * elementBits;
  if (inner % 128 != 0)
    return "rows of whole 16 bytes";
  if (plan.swizzle != SwizzleMode::None && inner > row * 8)
    return "rows no longer than the swizzle";
  if (padded && plan.dims[0].box != 128)
    return "128 padded elements";
  return "";
}

//===----------------------------------------------------------------------===//
// Random copies
//===----------------------------------------------------------------------===//

namespace {
struct RandomCopy {
  TensorCopyRequest request = {{}, llvm::cantFail(TileLayout::get({})), {}};
  /// Extents of the tensor.
  SmallVector<int64_t> sizes;
};
} // namespace

static int64_t pickDivisor(Random &random, int64_t value) {
  int64_t divisor = pick(random, 1, value);
  return std::gcd(divisor, value);
}

static RandomCopy makeCopy(Random &random) {
  RandomCopy copy;
  TensorCopyRequest &request = copy.request;
  GlobalTensor &global = request.global;
  static const unsigned widths[] = {4, 8, 16, 16, 32, 64};
  request.padded = pick(random, 0, 9) == 0;
  static const unsigned paddedWidths[] = {4, 6};
  unsigned bits =
      request.padded ? choose(random, paddedWidths) : choose(random, widths);
  global.elementBits = bits;
  global.baseAlignment = request.padded ? 32 : 16;
  int64_t slot = request.padded ? 8 : bits;

  // Extents, one dimension's innermost iter being the contiguous one.
  unsigned rank = pick(random, 1, 4), inner = pick(random, 0, rank - 1);
  std::vector<std::pair<unsigned, unsigned>> order;
  for (unsigned d = 0; d < rank; ++d) {
    auto &iters = global.dims.emplace_back();
    for (int64_t n = pick(random, 0, 2) ? 1 : 2; n > 0; --n)
      iters.push_back({pick(random, 1, 6), std::nullopt});
    for (unsigned i = 0; i < iters.size(); ++i)
      order.push_back({d, i});
  }
  unsigned last = global.dims[inner].size() - 1;
  global.dims[inner][last].extent =
      request.padded ? 128 * pick(random, 1, 2)
                     : 128 / std::min(bits, 128u) * pick(random, 1, 20);
  std::shuffle(order.begin(), order.end(), random);
  auto contiguous = std::pair(inner, last);
  std::swap(*llvm::find(order, contiguous), order.front());
  int64_t stride = 1,
          unit = (request.padded ? 256 : 128) / std::gcd(bits, 128u);
  for (auto [d, i] : order) {
    GlobalIter &iter = global.dims[d][i];
    iter.stride = stride;
    stride = stride * *iter.extent;
    if (pick(random, 0, 2) == 0)
      stride += 1;
    stride = (stride + unit - 1) / unit * unit;
  }

  // A region, and its parts in shared memory.
  struct Part {
    unsigned dim;
    int64_t extent, stride;
  };
  std::vector<Part> parts;
  std::vector<size_t> placement;
  size_t firstPlaced = 0;
  for (unsigned d = 0; d < rank; ++d) {
    auto &iters = global.dims[d];
    int64_t size = 1, region = 1;
    bool whole = true;
    size_t begin = parts.size();
    for (size_t i = iters.size(); i-- > 0;) {
      int64_t extent = *iters[i].extent, part = 1;
      size *= extent;
      if (whole)
        part = pick(random, 0, 3) ? extent
               : i == 0           ? pick(random, 1, extent)
                                  : pickDivisor(random, extent);
      whole &= part == extent;
      region *= part;
      int64_t cut = pick(random, 0, 3) ? 1 : pickDivisor(random, part);
      if (d == inner && i == last)
        firstPlaced = parts.size();
      parts.push_back({d, part / cut, 0});
      parts.push_back({d, cut, 0});
    }
    // Outermost first within the dimension.
    (void)begin;
    copy.sizes.push_back(size);
    request.region.push_back(region);
  }
  for (size_t i = 0; i < parts.size(); ++i)
    placement.push_back(i);
  if (pick(random, 0, 2) == 0)
    std::shuffle(placement.begin(), placement.end(), random);
  if (pick(random, 0, 9))
    std::swap(*llvm::find(placement, firstPlaced), placement.front());
  auto mode = SwizzleMode(request.padded       ? pick(random, 0, 1) * 3
                          : pick(random, 0, 1) ? 0
                                               : pick(random, 0, 4));
  int64_t dense = 1, period = 1024 * 8 / slot;
  for (size_t i : placement) {
    parts[i].stride = dense;
    dense *= parts[i].extent;
    int64_t width = getRowBytes(mode) * 8 / slot;
    if (mode != SwizzleMode::None && dense < width && pick(random, 0, 1))
      dense = width;
    if (pick(random, 0, 5) == 0)
      dense = (dense + period - 1) / period * period;
  }
  SmallVector<Iter> shard;
  for (unsigned d = 0; d < rank; ++d)
    for (size_t i = parts.size(); i-- > 0;)
      if (parts[i].dim == d)
        shard.push_back({parts[i].extent, parts[i].stride, memoryAxis()});
  int64_t offset = pick(random, 0, 2) * period;
  TileLayout tile =
      llvm::cantFail(TileLayout::get(shard, {}, {{memoryAxis(), offset}}));
  request.shared = tile;
  if (auto swizzle = getElementSwizzle(mode, slot))
    request.shared = llvm::cantFail(Layout::compose(*swizzle, tile));
  return copy;
}

/// What the two layouts say: each element of the region, at `offsets`.
static Moves getExpected(const TensorCopyRequest &request,
                         ArrayRef<int64_t> offsets) {
  Moves moves;
  int64_t bits = request.global.elementBits;
  int64_t slot = request.padded ? 8 : bits, size = 1;
  for (int64_t extent : request.region)
    size *= extent;
  for (int64_t flat = 0; flat < size; ++flat) {
    int64_t rest = flat, global = 0;
    for (size_t d = request.region.size(); d-- > 0;) {
      int64_t x = offsets[d] + rest % request.region[d];
      rest /= request.region[d];
      auto &iters = request.global.dims[d];
      for (size_t i = iters.size(); i-- > 0;) {
        int64_t digit = i == 0 ? x : x % *iters[i].extent;
        global += digit * *iters[i].stride;
        if (i != 0)
          x /= *iters[i].extent;
      }
    }
    moves[global * bits] = request.shared.apply(flat).get(memoryAxis()) * slot;
  }
  return moves;
}

TEST(TensorMap, PlansCopyWhatTheLayoutsSay) {
  Random random(71);
  int planned = 0, refused = 0, loops = 0, merged = 0, swizzled = 0;
  for (int i = 0; i < 6000; ++i) {
    RandomCopy copy = makeCopy(random);
    const TensorCopyRequest &request = copy.request;
    if (request.shared.getSize() > 6000)
      continue;
    auto plan = planTensorCopy(request);
    if (!plan) {
      ++refused;
      std::string reason = llvm::toString(plan.takeError());
      ASSERT_TRUE(isReason(reason)) << reason;
      continue;
    }
    ++planned;
    ASSERT_EQ(checkLimits(*plan, request.padded), "");
    SmallVector<int64_t> offsets;
    for (auto [size, region, multiple] :
         llvm::zip(copy.sizes, request.region, plan->offsetMultiples))
      offsets.push_back(pick(random, 0, (size - region) / multiple) * multiple);
    Moves moves;
    std::string text = toString(request.shared);
    ASSERT_EQ(runPlan(*plan, offsets, request.global.elementBits,
                      request.padded ? 8 : request.global.elementBits, moves),
              "")
        << text;
    ASSERT_TRUE(moves == getExpected(request, offsets)) << text;
    loops += !plan->loops.empty();
    swizzled += plan->swizzle != SwizzleMode::None;
    for (const TensorMapDim &dim : plan->dims)
      merged += dim.terms.size() > 1;
  }
  EXPECT_GT(planned, 1000);
  EXPECT_GT(refused, 300);
  EXPECT_GT(loops, 150);
  EXPECT_GT(swizzled, 150);
  EXPECT_GT(merged, 5);
}

//===----------------------------------------------------------------------===//
// Known plans and reasons
//===----------------------------------------------------------------------===//

static TensorCopyRequest makeRequest(StringRef shared,
                                     ArrayRef<std::optional<int64_t>> sizes,
                                     ArrayRef<std::optional<int64_t>> strides,
                                     ArrayRef<int64_t> region,
                                     unsigned bits = 16) {
  TensorCopyRequest request = {
      llvm::cantFail(GlobalTensor::get(sizes, strides, bits)),
      parse(shared),
      {}};
  request.region.assign(region.begin(), region.end());
  return request;
}

/// "64x128 in 2 copies": box, innermost first.
static std::string describePlan(const TensorCopyRequest &request) {
  auto plan = planTensorCopy(request);
  if (!plan)
    return llvm::toString(plan.takeError());
  std::string text;
  for (const TensorMapDim &dim : plan->dims)
    text += (text.empty() ? "" : "x") + std::to_string(dim.box);
  return text + " in " + std::to_string(plan->getNumCopies()) + ", " +
         getName(plan->swizzle).str();
}

TEST(TensorMap, KnownPlans) {
  // Rows of a swizzle's width; and twice that: two boxes side by side.
  EXPECT_EQ(describePlan(makeRequest("Compose(3, 3, 3, S[(128, 64) : (64, 1)])",
                                     {4096, 4096}, {4096, 1}, {128, 64})),
            "64x128 in 1, 128B");
  EXPECT_EQ(describePlan(
                makeRequest("Compose(3, 3, 3, S[(128, 2, 64) : (64, 8192, 1)])",
                            {4096, 4096}, {4096, 1}, {128, 128})),
            "64x128 in 2, 128B");
  // 300 rows do not fit one box.
  EXPECT_EQ(describePlan(makeRequest("S[(320, 64) : (64, 1)]", {4096, 4096},
                                     {4096, 1}, {320, 64})),
            "64x160 in 2, none");
  // Sizes and strides of a kernel's arguments.
  EXPECT_EQ(describePlan(makeRequest("Compose(2, 3, 3, S[(8, 32, 4) : (1024, "
                                     "32, 1)])",
                                     {std::nullopt, std::nullopt, 4},
                                     {std::nullopt, std::nullopt, 1},
                                     {8, 32, 4}, 32)),
            "4x32x8 in 1, 128B");
  // Blocks in the tensor, 8 rows and 64 columns each.
  TensorCopyRequest blocked =
      makeRequest("S[(64, 64) : (64, 1)]", {1, 1}, {1, 1}, {64, 64});
  blocked.global = llvm::cantFail(GlobalTensor::get(
      parse("S[(32, 8, 4, 64) : (2048, 64, 512, 1)]"), {256, 256}, 16));
  EXPECT_EQ(describePlan(blocked), "64x8x8x1 in 1, none");
}

TEST(TensorMap, Reasons) {
  EXPECT_EQ(describePlan(makeRequest("S[(64, 64) : (1, 64)]", {128, 128},
                                     {128, 1}, {64, 64})),
            "expected dimension 0, whose neighbours are neighbours in shared "
            "memory, to have neighbours in the tensor, got a stride of 128");
  EXPECT_EQ(describePlan(makeRequest("S[(64, 64) : (64, 1)]", {128, 128},
                                     {100, 1}, {64, 64})),
            "expected a stride of dimension 0 that is a multiple of 16 bytes "
            "below 2^40, got 100 elements of 16 bits");
  EXPECT_EQ(
      describePlan(makeRequest("Compose(3, 3, 3, S[(64, 128) : (128, 1)])",
                               {128, 128}, {128, 1}, {64, 128})),
      "expected copies at multiples of 1024 bytes of shared memory with "
      "a 128B swizzle, got one each 1 elements of dimension 0, 256 bytes "
      "apart");
  EXPECT_EQ(describePlan(makeRequest("S[(64, 4) : (4, 1)]", {128, 128},
                                     {128, 1}, {64, 4})),
            "expected a box whose rows along dimension 1 are multiples of 16 "
            "bytes, got 4 elements of 16 bits");
  EXPECT_EQ(describePlan(makeRequest("S[(64, 64) : (64, 1)]", {32, 128},
                                     {128, 1}, {64, 64})),
            "expected a region that fits the 32 elements of dimension 0, got "
            "64");
  EXPECT_EQ(describePlan(makeRequest("S[(64, 64) : (64, 1)] + R[2 : 8192]",
                                     {128, 128}, {128, 1}, {64, 64})),
            "expected one copy of each element of the shared layout, got 2");
  EXPECT_EQ(describePlan(makeRequest("S[(64, 64) : (0, 1)]", {128, 128},
                                     {128, 1}, {64, 64}))
                .substr(0, 60),
            "expected a place of its own for each element of shared memor");
  EXPECT_EQ(describePlan(makeRequest("S[(64, 64) : (64, 1)]", {128, 128},
                                     {std::nullopt, std::nullopt}, {64, 64})),
            "expected dimension 1, whose neighbours are neighbours in shared "
            "memory, to have neighbours in the tensor, got a stride known only "
            "at run time");
}

//===----------------------------------------------------------------------===//
// Measured
//===----------------------------------------------------------------------===//

static std::vector<char> getBytes(const json::Object &test, StringRef key) {
  std::vector<char> bytes;
  EXPECT_FALSE(bool(llvm::decodeBase64(*test.getString(key), bytes)));
  return bytes;
}

static SwizzleMode getMode(StringRef name) {
  for (int i = 0; i < 4; ++i)
    if (getName(SwizzleMode(i)) == name)
      return SwizzleMode(i);
  ADD_FAILURE() << name.str();
  return SwizzleMode::None;
}

/// The layout of a box has a map with that box, and its elements are where the
/// hardware put or found them.
TEST(TensorMap, MeasuredCopies) {
  json::Object file = readMeasured("tensor_copies.json");
  int compared = 0;
  for (const json::Value &value : *file.getArray("cases")) {
    const json::Object &test = *value.getAsObject();
    auto sizes = toIntegers(test.getArray("sizes"));
    auto strides = toIntegers(test.getArray("strides"));
    auto box = toIntegers(test.getArray("box"));
    auto at = toIntegers(test.getArray("coordinates"));
    int64_t bits = *test.getInteger("bits"), bytes = bits / 8;
    SwizzleMode mode = getMode(*test.getString("swizzle"));
    std::string op = test.getString("op")->str();

    // Unknown sizes: the boxes of these cases leave the tensor.
    SmallVector<std::optional<int64_t>> unknown(box.size()), steps;
    for (size_t i = box.size(); i-- > 1;)
      steps.push_back(strides[i - 1] / bytes);
    steps.push_back(1);
    TensorCopyRequest request = {
        llvm::cantFail(GlobalTensor::get(unknown, steps, bits)),
        llvm::cantFail(TileLayout::get({})),
        {box.rbegin(), box.rend()}};
    int64_t pitch =
        mode == SwizzleMode::None ? box[0] : getRowBytes(mode) / bytes;
    SmallVector<Iter> iters;
    for (size_t i = 0; i < box.size(); ++i) {
      iters.insert(iters.begin(), {box[i], i ? pitch : 1, memoryAxis()});
      pitch *= i ? box[i] : 1;
    }
    TileLayout tile = llvm::cantFail(TileLayout::get(iters));
    request.shared = tile;
    if (auto swizzle = getElementSwizzle(mode, bits))
      request.shared = llvm::cantFail(Layout::compose(*swizzle, tile));
    auto plan = planTensorCopy(request);
    ASSERT_TRUE(bool(plan)) << llvm::toString(plan.takeError());
    EXPECT_EQ(plan->getNumCopies(), 1);
    EXPECT_EQ(plan->dims[0].box, box[0]);
    EXPECT_EQ(plan->bytes, *test.getInteger("bytes"));
    ASSERT_EQ(plan->dims.size(), box.size());

    std::vector<char> global = getBytes(test, "global"),
                      shared = getBytes(test, "shared"), after;
    if (op == "store")
      after = getBytes(test, "after");
    for (int64_t flat = 0; flat < tile.getSize(); ++flat) {
      int64_t rest = flat, place = 0;
      bool inside = true;
      for (size_t i = 0; i < box.size(); ++i) {
        int64_t x = at[i] + rest % box[i];
        rest /= box[i];
        inside &= x >= 0 && x < sizes[i];
        place += x * (i == 0 ? bytes : strides[i - 1]);
      }
      if (!inside)
        continue;
      const char *there =
          &shared[request.shared.apply(flat).get(memoryAxis()) * bytes];
      const char *here = op == "store" ? &after[place] : &global[place];
      ASSERT_EQ(StringRef(there, bytes), StringRef(here, bytes));
      ++compared;
    }
  }
  EXPECT_GT(compared, 300);
}
