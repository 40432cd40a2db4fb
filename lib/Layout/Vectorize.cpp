//===- Vectorize.cpp - vectors and the threads that move them -------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TIRx/Layout/Vectorize.h"
#include "AlgebraDetail.h"
#include "TIRx/Layout/Algebra.h"
#include "llvm/ADT/STLExtras.h"
#include <numeric>

using namespace tirx;
using namespace tirx::detail;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;
using llvm::SmallVector;
using llvm::Twine;

/// Elements and copies that are walked to find runs of a swizzled layout.
static constexpr int64_t kWalkLimit = int64_t(1) << 20;

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

namespace {
/// A canonical layout by dimensions.
struct Grouped {
  Layout layout;
  SmallVector<SmallVector<Iter, 4>> dims;
};
} // namespace

static Expected<Grouped> groupDims(const Layout &layout,
                                   ArrayRef<int64_t> shape) {
  Expected<Layout> full = withTileOfShape(layout, shape);
  if (!full)
    return full.takeError();
  // The canonical form has the fewest bits to look at, but only the spelled one
  // is sure to have the dimensions of the shape.
  Layout form = canonicalize(*full);
  auto dims = groupFused(*form.getTile(), shape);
  if (!dims && full->getSwizzle()) {
    llvm::consumeError(dims.takeError());
    form = withCanonicalTile(*full);
    dims = groupFused(*form.getTile(), shape);
  }
  if (!dims)
    return dims.takeError();
  return Grouped{form, std::move(*dims)};
}

/// The absolute value, which fits also for the least integer.
static uint64_t getMagnitude(int64_t value) {
  return value < 0 ? 0 - uint64_t(value) : uint64_t(value);
}

/// The greatest common divisor of a number and the magnitude of another.
static int64_t commonDivisor(int64_t a, int64_t b) {
  uint64_t divisor = std::gcd(uint64_t(a), getMagnitude(b));
  return divisor > uint64_t(INT64_MAX) ? int64_t(1) << 62 : int64_t(divisor);
}

/// The greatest number that all places on `m` are multiples of when the last
/// iter of `dim` stands still, before the swizzle.
static int64_t getStartUnit(const Grouped &grouped, unsigned dim) {
  const TileLayout &tile = *grouped.layout.getTile();
  int64_t unit = commonDivisor(0, tile.getOffset(memoryAxis()));
  auto require = [&](const Iter &iter) {
    if (iter.axis == memoryAxis() && iter.extent > 1)
      unit = commonDivisor(unit, iter.stride);
  };
  for (auto [i, iters] : llvm::enumerate(grouped.dims))
    for (const Iter &iter :
         ArrayRef(iters).drop_back(i == dim && !iters.empty()))
      require(iter);
  for (const Iter &iter : tile.getReplica())
    require(iter);
  return unit;
}

/// Whether runs of `length` along `dim` stay together under the swizzle, at all
/// places of the tile.
static bool staysTogether(const Layout &layout, ArrayRef<int64_t> shape,
                          unsigned dim, int64_t length) {
  int64_t step = 1;
  for (int64_t extent : shape.drop_front(dim + 1))
    step *= extent;
  const SwizzleLayout &swizzle = *layout.getSwizzle();
  const TileLayout &tile = *layout.getTile();
  SmallVector<Coordinates> copies = tile.getReplicaPoints();
  int64_t offset = tile.getOffset(memoryAxis());
  for (int64_t flat = 0, e = tile.getSize(); flat < e; ++flat) {
    if (flat / step % shape[dim] % length == 0)
      continue;
    int64_t place = tile.apply(flat).get(memoryAxis()) - offset;
    for (const Coordinates &copy : copies) {
      int64_t at = place + copy.get(memoryAxis());
      if (swizzle.apply(at) != swizzle.apply(at - 1) + 1)
        return false;
    }
  }
  return true;
}

Expected<ContiguousRun> tirx::getContiguousRun(const Layout &layout,
                                               ArrayRef<int64_t> shape,
                                               unsigned dim) {
  if (dim >= shape.size())
    return makeError("expected a dimension from 0 to " +
                     Twine(int64_t(shape.size()) - 1) + ", got " + Twine(dim));
  Expected<Grouped> grouped = groupDims(layout, shape);
  if (!grouped)
    return grouped.takeError();
  const TileLayout &tile = *grouped->layout.getTile();
  ArrayRef<Iter> iters = grouped->dims[dim];
  bool runs = !iters.empty() && iters.back().axis == memoryAxis() &&
              iters.back().stride == 1;
  ContiguousRun run;
  run.length = runs ? iters.back().extent : 1;
  run.alignment = getStartUnit(*grouped, dim);
  // Runs of one element begin at each element.
  if (!runs && !iters.empty() && iters.back().axis == memoryAxis())
    run.alignment = commonDivisor(run.alignment, iters.back().stride);
  const SwizzleLayout *swizzle = grouped->layout.getSwizzle();
  if (!swizzle)
    return run;

  // Blocks stay together; longer runs may, where the pattern leaves them.
  int64_t block = int64_t(1) << swizzle->getPerElement();
  int64_t linear = run.length;
  run.length = std::gcd(std::gcd(linear, run.alignment), block);
  CheckedInt pairs = CheckedInt(tile.getSize()) * tile.getReplicaCount();
  if (!pairs.hasOverflowed() && pairs.get() <= kWalkLimit)
    for (int64_t parts = 1; linear / parts > run.length; ++parts)
      if (linear % parts == 0 &&
          staysTogether(grouped->layout, shape, dim, linear / parts)) {
        run.length = linear / parts;
        break;
      }
  if (run.length < linear)
    run.alignment = std::gcd(run.alignment, run.length);
  run.alignment = std::gcd(run.alignment, block);
  return run;
}

//===----------------------------------------------------------------------===//
// Widths
//===----------------------------------------------------------------------===//

static Error checkLimits(const AccessLimits &limits) {
  if (limits.elementBits < 1 || limits.elementBits > 1024)
    return makeError("expected elements of 1 to 1024 bits, got " +
                     Twine(limits.elementBits));
  if (limits.maxBytes < 1 || limits.maxBytes > 1024 ||
      !llvm::isPowerOf2_64(limits.maxBytes))
    return makeError("expected a widest access of a power of two up to 1024 "
                     "bytes, got " +
                     Twine(limits.maxBytes));
  if (limits.baseAlignment < 1 || limits.baseAlignment > int64_t(1) << 40)
    return makeError("expected an alignment from 1 to 2^40 bytes, got " +
                     Twine(limits.baseAlignment));
  return Error::success();
}

/// The widest access of `bytes` or less of a run; 0 when there is none.
static int64_t fitAccess(const ContiguousRun &run, const AccessLimits &limits,
                         int64_t bytes) {
  for (; bytes > 0; bytes /= 2) {
    int64_t width = bytes * 8 / limits.elementBits;
    if (width * int64_t(limits.elementBits) != bytes * 8 || width == 0)
      continue;
    if (run.length % width == 0 && run.alignment % width == 0 &&
        limits.baseAlignment % bytes == 0)
      return width;
  }
  return 0;
}

Expected<std::optional<int64_t>>
tirx::getAccessWidth(const Layout &layout, ArrayRef<int64_t> shape,
                     unsigned dim, const AccessLimits &limits) {
  if (Error error = checkLimits(limits))
    return std::move(error);
  Expected<ContiguousRun> run = getContiguousRun(layout, shape, dim);
  if (!run)
    return run.takeError();
  int64_t width = fitAccess(*run, limits, limits.maxBytes);
  return width ? std::optional(width) : std::nullopt;
}

int64_t tirx::getVectorWidth(const Layout &layout, ArrayRef<int64_t> shape,
                             unsigned dim, int64_t limit) {
  Expected<ContiguousRun> run = getContiguousRun(layout, shape, dim);
  if (!run) {
    llvm::consumeError(run.takeError());
    return 1;
  }
  int64_t width = 1;
  while (width <= limit / 2 && run->length % (width * 2) == 0 &&
         run->alignment % (width * 2) == 0)
    width *= 2;
  return width;
}

//===----------------------------------------------------------------------===//
// Partitions
//===----------------------------------------------------------------------===//

namespace {
/// Vectors along one iter of the region's place in memory.
struct Unit {
  unsigned dim = 0;
  /// Where among the iters of its dimension, outermost first.
  size_t position = 0;
  int64_t extent = 1;
  int64_t stride = 0;
  /// How many of them, the innermost, lie in different threads; and the step
  /// that each makes.
  int64_t threads = 1;
  int64_t threadStride = 0;
  /// The step in registers that the rest make.
  int64_t registerStride = 0;
};
} // namespace

/// The dimension with the widest access such that the threads divide the
/// vectors. Returns the width, 0 when there is none.
static Expected<int64_t> chooseVector(const Layout &memory,
                                      ArrayRef<int64_t> shape, int64_t threads,
                                      int64_t size, const AccessLimits &limits,
                                      unsigned &chosen) {
  int64_t best = 0;
  for (unsigned dim = 0; dim < shape.size(); ++dim) {
    Expected<ContiguousRun> run = getContiguousRun(memory, shape, dim);
    if (!run)
      return run.takeError();
    for (int64_t bytes = limits.maxBytes; bytes > 0; bytes /= 2) {
      int64_t width = fitAccess(*run, limits, bytes);
      if (width == 0 || size % threads != 0 || size / threads % width != 0)
        continue;
      if (width > best) {
        best = width;
        chosen = dim;
      }
      break;
    }
  }
  return best;
}

/// Gives the innermost vectors of memory to neighbouring threads, as far as the
/// extents and the number of threads have common factors, and the rest to
/// registers.
static void spread(SmallVector<Unit> &units, int64_t threads, int64_t vector) {
  SmallVector<Unit *> order;
  for (Unit &unit : units)
    order.push_back(&unit);
  // What does not move comes last.
  auto key = [](const Unit *unit) {
    return unit->stride == 0 ? UINT64_MAX : getMagnitude(unit->stride);
  };
  llvm::stable_sort(
      order, [&](const Unit *a, const Unit *b) { return key(a) < key(b); });
  int64_t thread = 1, reg = vector;
  for (Unit *unit : order) {
    unit->threads = std::gcd(unit->extent, threads / thread);
    unit->threadStride = thread;
    thread *= unit->threads;
    unit->registerStride = reg;
    reg *= unit->extent / unit->threads;
  }
}

Expected<Partition> tirx::partitionRegion(const Layout &memory,
                                          ArrayRef<int64_t> shape,
                                          Axis threadAxis, int64_t threads,
                                          const AccessLimits &limits) {
  if (Error error = checkLimits(limits))
    return std::move(error);
  if (!threadAxis || !threadAxis.isThread())
    return makeError("expected an axis of threads to spread a region over");
  if (threads < 1)
    return makeError("expected at least 1 thread, got " + Twine(threads));
  Expected<Grouped> grouped = groupDims(memory, shape);
  if (!grouped)
    return grouped.takeError();
  const TileLayout &tile = *grouped->layout.getTile();
  if (Error error = checkMemoryOnly("a region", tile))
    return std::move(error);
  int64_t size = tile.getSize();
  Partition partition{tile, 0, 0, 0};
  Expected<int64_t> vector =
      chooseVector(memory, shape, threads, size, limits, partition.dim);
  if (!vector)
    return vector.takeError();
  if (*vector == 0)
    return makeError("expected a region whose accesses of whole bytes " +
                     Twine(threads) + " threads divide, got " + Twine(size) +
                     " elements of " + Twine(limits.elementBits) + " bits");
  partition.vector = *vector;
  partition.accesses = size / threads / *vector;

  SmallVector<Unit> units;
  for (auto [dim, iters] : llvm::enumerate(grouped->dims))
    for (auto [position, iter] : llvm::enumerate(iters)) {
      bool holds = dim == partition.dim && position + 1 == iters.size();
      int64_t width = holds ? *vector : 1;
      units.push_back(
          {unsigned(dim), position, iter.extent / width, iter.stride * width});
    }
  spread(units, threads, *vector);
  SmallVector<Iter> shard;
  for (auto [i, unit] : llvm::enumerate(units)) {
    shard.push_back(
        {unit.extent / unit.threads, unit.registerStride, memoryAxis()});
    shard.push_back({unit.threads, unit.threadStride, threadAxis});
    bool last = i + 1 == units.size() || units[i + 1].dim != unit.dim;
    if (unit.dim == partition.dim && last)
      shard.push_back({*vector, 1, memoryAxis()});
  }
  Expected<TileLayout> layout = TileLayout::get(shard);
  if (!layout)
    return layout.takeError();
  partition.threads = canonicalize(*layout);
  return partition;
}
