//===- Accesses.cpp - what warps ask of memory ----------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TIRx/Layout/Accesses.h"
#include "AlgebraDetail.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

using namespace tirx;
using namespace tirx::detail;
using llvm::Error;
using llvm::Expected;
using llvm::SmallVector;
using llvm::Twine;

/// Pairs of an element and a copy of it that are walked at most.
static constexpr int64_t kPairLimit = int64_t(1) << 22;
/// Accesses that are kept at most, a kilobyte each: as many as the pairs make
/// when all lanes take part.
static constexpr int64_t kAccessLimit = kPairLimit / kWarpLanes;
/// Bytes of a sector of global memory.
static constexpr int64_t kSectorBytes = 32;

namespace {
/// Where a copy of an element is: in which warp, lane and register.
struct Holder {
  Coordinates warp;
  int64_t lane = 0;
  int64_t reg = 0;
};

/// An access in the making.
struct PartialAccess {
  LaneAddresses addresses;
  /// Elements of each lane's vector that were met.
  std::array<int64_t, kWarpLanes> met = {};
};

using AccessMap = std::map<std::pair<Coordinates, int64_t>, PartialAccess>;
} // namespace

/// The axis whose coordinate is a thread: `laneid`, or one that counts threads
/// of more than one warp.
static bool countsThreads(Axis axis) {
  return axis.getName() == "laneid" || axis.getName() == "tid_in_wg" ||
         axis.getName() == "tx";
}

static Expected<Holder> getHolder(const Coordinates &place) {
  Holder holder;
  for (const AxisOffset &entry : place.values()) {
    if (entry.value < 0)
      return makeError("expected no negative coordinate, got " +
                       Twine(entry.value) + " on axis '" +
                       entry.axis.getName() + "'");
    if (countsThreads(entry.axis)) {
      holder.lane = entry.value % kWarpLanes;
      holder.warp.add(entry.axis, entry.value / kWarpLanes);
    } else if (entry.axis.isThread()) {
      holder.warp.add(entry.axis, entry.value);
    } else if (entry.axis == memoryAxis() || entry.axis.getName() == "reg") {
      holder.reg += entry.value;
    } else {
      return makeError("expected elements in registers of threads, got axis '" +
                       entry.axis.getName() + "'");
    }
  }
  return holder;
}

/// Notes one element of a vector: all of them must agree on where it begins.
static Error addElement(PartialAccess &access, const Holder &holder,
                        int64_t vector, int64_t elementBits, int64_t index) {
  int64_t within = holder.reg % vector;
  int64_t bits = (index - within) * elementBits;
  if (index < within || bits % 8 != 0)
    return makeError("expected vectors to begin at whole bytes of memory, got "
                     "element " +
                     Twine(index) + " as number " + Twine(within) + " of " +
                     Twine(vector) + " elements of " + Twine(elementBits) +
                     " bits");
  std::optional<int64_t> &address = access.addresses[holder.lane];
  if (address && *address != bits / 8)
    return makeError("expected the " + Twine(vector) +
                     " elements of a vector to be neighbours in memory, got "
                     "bytes " +
                     Twine(*address) + " and " + Twine(bits / 8) +
                     " as beginnings of a vector of lane " +
                     Twine(holder.lane));
  address = bits / 8;
  access.met[holder.lane] += 1;
  return Error::success();
}

static Error checkLayouts(const Layout &threads, const Layout &memory,
                          unsigned elementBits, int64_t vector) {
  if (elementBits < 1 || elementBits > 128 || vector < 1 || vector > 128)
    return makeError("expected 1 to 128 elements of 1 to 128 bits, got " +
                     Twine(vector) + " of " + Twine(elementBits));
  const TileLayout *tile = threads.getTile();
  if (!tile)
    return makeError("expected threads and registers for each element, got a "
                     "swizzle");
  std::optional<Axis> lanes;
  for (Axis axis : threads.getAxes()) {
    if (!countsThreads(axis))
      continue;
    if (lanes)
      return makeError("expected threads on one axis, got '" +
                       lanes->getName() + "' and '" + axis.getName() + "'");
    lanes = axis;
  }
  CheckedInt pairs = CheckedInt(tile->getSize()) * tile->getReplicaCount();
  if (pairs.hasOverflowed() || pairs.get() > kPairLimit)
    return makeError("expected at most 4194304 elements and copies, got " +
                     Twine(tile->getSize()) + " elements in " +
                     Twine(tile->getReplicaCount()) + " copies");
  std::optional<int64_t> size = memory.getSize();
  if (size && *size != tile->getSize())
    return makeError("expected two layouts of one region, got " +
                     Twine(tile->getSize()) + " and " + Twine(*size) +
                     " elements");
  if (memory.getTile() && memory.getTile()->hasReplica())
    return makeError("expected one copy of each element in memory, got " +
                     Twine(memory.getTile()->getReplicaCount()));
  for (Axis axis : memory.getAxes())
    if (axis != memoryAxis())
      return makeError("expected elements in memory on axis 'm', got axis '" +
                       axis.getName() + "'");
  // Byte addresses must not overflow.
  if (memory.getTile()) {
    Span span = memory.getTile()->getSpan(memoryAxis());
    if (span.min < 0 || span.max >= int64_t(1) << 50)
      return makeError("expected elements from 0 to 2^50 of memory, got "
                       "elements from " +
                       Twine(span.min) + " to " + Twine(span.max));
  }
  return Error::success();
}

Expected<std::vector<WarpAccess>> tirx::enumerateAccesses(const Layout &threads,
                                                          const Layout &memory,
                                                          unsigned elementBits,
                                                          int64_t vector) {
  if (Error error = checkLayouts(threads, memory, elementBits, vector))
    return std::move(error);
  AccessMap accesses;
  for (int64_t flat = 0, e = threads.getTile()->getSize(); flat < e; ++flat) {
    int64_t index = memory.apply(flat).get(memoryAxis());
    for (const Coordinates &place : threads.image(flat)) {
      Expected<Holder> holder = getHolder(place);
      if (!holder)
        return holder.takeError();
      PartialAccess &access = accesses[{holder->warp, holder->reg / vector}];
      if (int64_t(accesses.size()) > kAccessLimit)
        return makeError("expected at most " + Twine(kAccessLimit) +
                         " accesses of warps, got more, with lanes that take "
                         "no part");
      if (Error error = addElement(access, *holder, vector, elementBits, index))
        return std::move(error);
    }
  }
  std::vector<WarpAccess> result;
  for (const auto &[key, access] : accesses) {
    for (auto [lane, met] : llvm::enumerate(access.met))
      if (met != 0 && met != vector)
        return makeError("expected whole vectors of " + Twine(vector) +
                         " registers, got " + Twine(met) +
                         " elements in one of lane " + Twine(lane));
    result.push_back({key.first, key.second, access.addresses});
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Global memory
//===----------------------------------------------------------------------===//

/// Whether each `count` neighbouring lanes access neighbouring vectors.
static bool isContiguous(const LaneAddresses &addresses, unsigned count,
                         int64_t bytes) {
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
    if (lane % count == 0)
      continue;
    const std::optional<int64_t> &last = addresses[lane - 1];
    if (!last || !addresses[lane] || *addresses[lane] != *last + bytes)
      return false;
  }
  return true;
}

Sectors tirx::countSectors(int64_t bytes, const LaneAddresses &addresses) {
  SmallVector<int64_t, 2 * kWarpLanes> sectors;
  SmallVector<int64_t, kWarpLanes> starts;
  for (const std::optional<int64_t> &address : addresses) {
    if (!address)
      continue;
    starts.push_back(*address);
    for (int64_t sector = *address / kSectorBytes,
                 last = (*address + bytes - 1) / kSectorBytes;
         sector <= last; ++sector)
      sectors.push_back(sector);
  }
  auto countDistinct = [](llvm::SmallVectorImpl<int64_t> &values) {
    llvm::sort(values);
    return int64_t(std::unique(values.begin(), values.end()) - values.begin());
  };
  int64_t count = countDistinct(sectors);
  return {count, int64_t(llvm::divideCeil(countDistinct(starts) * bytes,
                                          kSectorBytes))};
}

Expected<Coalescing> tirx::getCoalescing(const Layout &threads,
                                         const Layout &global,
                                         unsigned elementBits, int64_t vector) {
  auto accesses = enumerateAccesses(threads, global, elementBits, vector);
  if (!accesses)
    return accesses.takeError();
  int64_t bytes = vector * int64_t(elementBits) / 8;
  if (bytes * 8 != vector * int64_t(elementBits))
    return makeError("expected vectors of whole bytes, got " + Twine(vector) +
                     " elements of " + Twine(elementBits) + " bits");
  Coalescing result;
  for (const WarpAccess &access : *accesses) {
    ++result.instructions;
    Sectors sectors = countSectors(bytes, access.addresses);
    result.sectors += sectors.count;
    result.ideal += sectors.ideal;
    while (!isContiguous(access.addresses, result.contiguousLanes, bytes))
      result.contiguousLanes /= 2;
  }
  return result;
}
