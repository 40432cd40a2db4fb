//===- TensorMap.cpp - copies by tensor map -------------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Both sides of the copy split each dimension of the region into digits. Their
// common refinement gives atoms: so many elements, one step in shared memory,
// one step of one coordinate. Taken in the order of shared memory, atoms fill
// the box as long as they lie dense there and continue its dimensions; the rest
// are loops.
//
//===----------------------------------------------------------------------===//

#include "TIRx/Layout/TensorMap.h"
#include "AlgebraDetail.h"
#include "TIRx/Layout/Text.h"
#include "llvm/ADT/STLExtras.h"
#include <numeric>

using namespace tirx;
using namespace tirx::detail;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;
using llvm::SmallVector;
using llvm::Twine;

static constexpr size_t kMaxRank = 5;
static constexpr int64_t kMaxBox = 256;
static constexpr int64_t kMaxSize = int64_t(1) << 32;
static constexpr int64_t kStrideEnd = int64_t(1) << 40;
/// Elements that a padded type moves at a time along its first dimension.
static constexpr int64_t kPaddedBox = 128;
/// Bytes of shared memory that 18-bit addresses reach.
static constexpr int64_t kSharedEnd = int64_t(1) << 18;

namespace {
/// A dimension of the tensor map in the making, and the dimension of the tensor
/// that it is a part of.
struct MapDim {
  unsigned source = 0;
  std::optional<int64_t> extent;
  /// In elements.
  std::optional<int64_t> stride;
  int64_t box = 1;
  SmallVector<CoordinateTerm, 2> terms;
};

/// `extent` elements, each `sharedStride` elements of shared memory and `unit`
/// of the coordinate of map dimension `dim` after the one before.
struct Atom {
  int64_t extent = 1;
  int64_t sharedStride = 0;
  size_t dim = 0;
  int64_t unit = 1;
};

class Planner {
public:
  Planner(const TensorCopyRequest &request, SwizzleMode mode)
      : request(request), mode(mode),
        slotBits(request.padded ? 8 : request.global.elementBits) {}

  Expected<TensorCopyPlan> run();

private:
  Error makeAtoms();
  Error cutDim(unsigned dim, SmallVector<Atom> &parts);
  Error fillBox();
  int64_t getRowUnit() const;
  int64_t getRowLimit() const;
  int64_t getLimit(const Atom &atom) const;
  int64_t getPart(const Atom &atom) const;
  bool extendsBox(const Atom &atom, int64_t end) const;
  int64_t getNextRow(int64_t end) const;
  void addLoop(Atom atom);
  Error orderDims();
  bool mergeOnce();
  Error check() const;
  Error checkDim(size_t position) const;
  int64_t getSharedAlignment() const;
  Error placeError(const Twine &got) const;
  Expected<TensorCopyPlan> finish() const;

  const TensorCopyRequest &request;
  SwizzleMode mode;
  int64_t slotBits;
  TileLayout tile = llvm::cantFail(TileLayout::get({}));
  SmallVector<MapDim> mapDims;
  SmallVector<Atom> atoms;
  /// Map dimensions, innermost first.
  SmallVector<size_t> order;
  SmallVector<Atom> loops;
  SmallVector<int64_t, 5> offsetMultiples;
};
} // namespace

//===----------------------------------------------------------------------===//
// The tensor
//===----------------------------------------------------------------------===//

Expected<GlobalTensor>
GlobalTensor::get(ArrayRef<std::optional<int64_t>> sizes,
                  ArrayRef<std::optional<int64_t>> strides,
                  unsigned elementBits) {
  if (sizes.size() != strides.size())
    return makeError("expected one stride for each of " + Twine(sizes.size()) +
                     " dimensions, got " + Twine(strides.size()));
  GlobalTensor tensor;
  tensor.elementBits = elementBits;
  for (auto [size, stride] : llvm::zip(sizes, strides))
    tensor.dims.push_back({{size, stride}});
  return tensor;
}

Expected<GlobalTensor> GlobalTensor::get(const Layout &layout,
                                         ArrayRef<int64_t> shape,
                                         unsigned elementBits) {
  Expected<Layout> full = withTileOfShape(layout, shape);
  if (!full)
    return full.takeError();
  Layout canonical = canonicalize(*full);
  if (canonical.getSwizzle())
    return makeError("expected a global layout without swizzle, got " +
                     toString(canonical));
  const TileLayout &tile = *canonical.getTile();
  if (Error error = checkMemoryOnly("the global layout", tile))
    return std::move(error);
  if (int64_t offset = tile.getOffset(memoryAxis()))
    return makeError("expected a global layout that begins at element 0, got "
                     "offset " +
                     Twine(offset));
  auto groups = groupFused(tile, shape);
  if (!groups)
    return groups.takeError();
  GlobalTensor tensor;
  tensor.elementBits = elementBits;
  for (const SmallVector<Iter, 4> &iters : *groups) {
    SmallVector<GlobalIter, 2> dim;
    for (const Iter &iter : iters)
      dim.push_back({iter.extent, iter.stride});
    if (dim.empty())
      dim.push_back({1, 1});
    tensor.dims.push_back(dim);
  }
  return tensor;
}

/// The rules that hold before anything is known of the shared layout.
static Error checkRequest(const TensorCopyRequest &request) {
  const GlobalTensor &global = request.global;
  unsigned bits = global.elementBits;
  if (request.padded
          ? bits != 4 && bits != 6
          : bits != 4 && bits != 8 && bits != 16 && bits != 32 && bits != 64)
    return makeError(Twine("expected ") +
                     (request.padded ? "padded elements of 4 or 6"
                                     : "elements of 4, 8, 16, 32 or 64") +
                     " bits, got " + Twine(bits));
  if (global.dims.size() != request.region.size())
    return makeError("expected a region of " + Twine(global.dims.size()) +
                     " dimensions, got " + Twine(request.region.size()));
  int64_t alignment = request.padded ? 32 : 16;
  if (global.baseAlignment < 1 || global.baseAlignment % alignment != 0)
    return makeError("expected a tensor aligned to " + Twine(alignment) +
                     " bytes, got " + Twine(global.baseAlignment));
  for (auto [dim, iters] : llvm::enumerate(global.dims)) {
    if (iters.empty())
      return makeError("expected an iter of dimension " + Twine(dim) +
                       " of the tensor, got none");
    for (auto [i, iter] : llvm::enumerate(iters)) {
      if (!iter.extent && i != 0)
        return makeError("expected only the outermost extent of dimension " +
                         Twine(dim) + " to be unknown, got iter " + Twine(i));
      if (iter.extent && *iter.extent < 1)
        return makeError("expected extents of at least 1 of dimension " +
                         Twine(dim) + ", got " + Twine(*iter.extent));
    }
  }
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Atoms
//===----------------------------------------------------------------------===//

/// Cuts a dimension of the region by the iters of the tensor, outermost first.
Error Planner::cutDim(unsigned dim, SmallVector<Atom> &parts) {
  int64_t need = request.region[dim], extent = need;
  CheckedInt divisor = 1, multiple = 1;
  ArrayRef<GlobalIter> iters = request.global.dims[dim];
  for (size_t i = iters.size(); i-- > 0;) {
    const GlobalIter &iter = iters[i];
    bool outermost = i == 0;
    int64_t part =
        outermost || !iter.extent ? need : std::min(need, *iter.extent);
    if (outermost ? iter.extent && need > *iter.extent
                  : need % part != 0 || *iter.extent % part != 0)
      return makeError("expected a region that " +
                       Twine(outermost ? "fits" : "fills blocks of") +
                       (outermost ? " the " : " ") + Twine(*iter.extent) +
                       " elements of dimension " + Twine(dim) +
                       (outermost ? Twine() : Twine(" or divides them")) +
                       ", got " + Twine(extent));
    if (divisor.hasOverflowed())
      return makeError("expected a size of dimension " + Twine(dim) +
                       " that fits 64 bits");
    // A region that begins inside a block must not run over its end.
    if (!outermost)
      multiple = divisor * part;
    MapDim mapDim{dim, iter.extent, iter.stride, 1, {}};
    mapDim.terms.push_back(
        {dim, divisor.get(), outermost ? 0 : *iter.extent, 1});
    parts.insert(parts.begin(), {part, 0, mapDims.size(), 1});
    mapDims.push_back(mapDim);
    need /= part;
    if (!outermost)
      divisor *= *iter.extent;
  }
  // No larger than the last divisor, which was checked.
  offsetMultiples.push_back(multiple.get());
  return Error::success();
}

Error Planner::makeAtoms() {
  auto groups = groupFused(tile, request.region);
  if (!groups)
    return groups.takeError();
  for (auto [dim, iters] : llvm::enumerate(*groups)) {
    SmallVector<Atom> parts;
    if (Error error = cutDim(dim, parts))
      return error;
    llvm::erase_if(parts, [](const Atom &part) { return part.extent == 1; });
    // Both lists multiply to the region's extent: cut from the innermost end.
    while (!parts.empty()) {
      Atom &part = parts.back();
      Iter &iter = iters.back();
      int64_t extent = std::min(part.extent, iter.extent);
      if (part.extent % extent != 0 || iter.extent % extent != 0)
        return makeError(
            "expected shared memory and the tensor to cut dimension " +
            Twine(dim) + " alike, got blocks of " + Twine(iter.extent) +
            " and " + Twine(part.extent) + " elements");
      atoms.push_back({extent, iter.stride, part.dim, part.unit});
      part.extent /= extent;
      part.unit *= extent;
      iter.extent /= extent;
      iter.stride *= extent;
      if (part.extent == 1)
        parts.pop_back();
      if (iter.extent == 1)
        iters.pop_back();
    }
  }
  llvm::stable_sort(atoms, [](const Atom &a, const Atom &b) {
    return a.sharedStride < b.sharedStride;
  });
  return Error::success();
}

//===----------------------------------------------------------------------===//
// The box
//===----------------------------------------------------------------------===//

/// What the first coordinate must be a multiple of: 16 bytes, or 128 padded
/// elements. The instruction traps otherwise (measured on an H200).
int64_t Planner::getRowUnit() const {
  return request.padded ? kPaddedBox : 128 / slotBits;
}

/// Elements of the first dimension of a box.
int64_t Planner::getRowLimit() const {
  if (request.padded)
    return kPaddedBox;
  if (mode == SwizzleMode::None)
    return kMaxBox;
  return std::min(kMaxBox, getRowBytes(mode) * 8 / slotBits);
}

/// Elements that a dimension of the box may still be multiplied by.
int64_t Planner::getLimit(const Atom &atom) const {
  bool first = order.empty() || order.front() == atom.dim;
  return (first ? getRowLimit() : kMaxBox) / mapDims[atom.dim].box;
}

/// The largest part of an atom that the box takes. Rows of whole 16 bytes are
/// preferred where the atom does not fit as a whole.
int64_t Planner::getPart(const Atom &atom) const {
  int64_t limit = getLimit(atom), best = 1;
  if (atom.extent <= limit)
    return atom.extent;
  bool first = order.empty() || order.front() == atom.dim;
  for (int64_t part = limit; part > 1; --part) {
    if (atom.extent % part != 0)
      continue;
    if (!first || part * mapDims[atom.dim].box * slotBits % 128 == 0)
      return part;
    best = std::max(best, part);
  }
  return best;
}

/// Whether the atom is the next of the box: right behind its `end`, and either
/// more of its last dimension or the first of another one.
bool Planner::extendsBox(const Atom &atom, int64_t end) const {
  if (!order.empty() && order.back() == atom.dim)
    return atom.sharedStride == end && atom.unit == mapDims[atom.dim].box;
  return atom.sharedStride == getNextRow(end) &&
         !llvm::is_contained(order, atom.dim) && atom.unit == 1 &&
         order.size() < kMaxRank;
}

/// Where the second row begins when the first ends at `end`: rows that are
/// shorter than the swizzle leave a gap (measured on an H200).
int64_t Planner::getNextRow(int64_t end) const {
  bool gap = order.size() == 1 && mode != SwizzleMode::None;
  return gap ? getRowBytes(mode) * 8 / slotBits : end;
}

void Planner::addLoop(Atom atom) {
  if (atom.extent > 1)
    loops.push_back(atom);
}

Error Planner::fillBox() {
  bool open = true;
  int64_t end = 1;
  for (const Atom &atom : atoms) {
    if (&atom == atoms.begin()) {
      const MapDim &dim = mapDims[atom.dim];
      if (atom.sharedStride != 1)
        return makeError("expected neighbours in shared memory, got steps of " +
                         Twine(atom.sharedStride) + " elements at least");
      if (dim.stride != 1 || atom.unit != 1)
        return makeError(
            "expected dimension " + Twine(dim.source) +
            ", whose neighbours are neighbours in shared memory, to have "
            "neighbours in the tensor, got " +
            (atom.unit != 1 ? Twine(atom.unit) + " elements between them"
             : dim.stride   ? "a stride of " + Twine(*dim.stride)
                            : Twine("a stride known only at run time")));
    }
    int64_t part = open && extendsBox(atom, end) ? getPart(atom) : 1;
    if (part > 1) {
      end = atom.sharedStride * part;
      if (order.empty() || order.back() != atom.dim)
        order.push_back(atom.dim);
      mapDims[atom.dim].box *= part;
    }
    open &= part == atom.extent;
    addLoop({atom.extent / part, atom.sharedStride * part, atom.dim,
             atom.unit * part});
  }
  return Error::success();
}

//===----------------------------------------------------------------------===//
// The rank
//===----------------------------------------------------------------------===//

/// Appends the dimensions that the box does not extend along, but for those of
/// one extent.
Error Planner::orderDims() {
  SmallVector<size_t> rest;
  for (size_t i = 0; i < mapDims.size(); ++i)
    if (!llvm::is_contained(order, i) && mapDims[i].extent != 1)
      rest.push_back(i);
  llvm::stable_sort(rest, [&](size_t a, size_t b) {
    return mapDims[a].stride.value_or(INT64_MAX) <
           mapDims[b].stride.value_or(INT64_MAX);
  });
  order.append(rest);
  if (order.empty())
    return makeError("expected a region of more than one element");
  while (order.size() > kMaxRank && mergeOnce())
    ;
  if (order.size() <= kMaxRank)
    return Error::success();
  return makeError("expected a tensor of at most 5 dimensions, blocks counted, "
                   "none of whose strides continue another, got " +
                   Twine(order.size()));
}

/// Makes one dimension of two of which the outer continues the inner: c_outer *
/// extent_inner + c_inner. The box must not leave it, so the inner one is
/// whole in it or the outer one not at all.
bool Planner::mergeOnce() {
  for (size_t i = 0; i < order.size(); ++i)
    for (size_t o = 0; o < order.size(); ++o) {
      if (o == i || o == 0)
        continue;
      MapDim &inner = mapDims[order[i]], &outer = mapDims[order[o]];
      if (!inner.stride || !inner.extent || !outer.stride || !outer.extent)
        continue;
      CheckedInt next = CheckedInt(*inner.stride) * *inner.extent;
      CheckedInt extent = CheckedInt(*inner.extent) * *outer.extent;
      if (next.hasOverflowed() || extent.hasOverflowed() ||
          next.get() != *outer.stride ||
          (i == 0 && *inner.extent % getRowUnit()))
        continue;
      // Rows of a swizzled box have a pitch of their own.
      bool whole = o == i + 1 && inner.box == *inner.extent &&
                   inner.box * outer.box <= kMaxBox &&
                   (i != 0 || (mode == SwizzleMode::None && !request.padded));
      if (outer.box != 1 && !whole)
        continue;
      for (CoordinateTerm term : outer.terms) {
        term.factor *= *inner.extent;
        inner.terms.push_back(term);
      }
      for (Atom &loop : loops)
        if (loop.dim == order[o]) {
          loop.dim = order[i];
          loop.unit *= *inner.extent;
        }
      inner.box *= outer.box;
      inner.extent = extent.get();
      order.erase(order.begin() + o);
      return true;
    }
  return false;
}

//===----------------------------------------------------------------------===//
// Limits
//===----------------------------------------------------------------------===//

Error Planner::checkDim(size_t position) const {
  const MapDim &dim = mapDims[order[position]];
  std::string name = ("dimension " + Twine(dim.source)).str();
  if (dim.extent && *dim.extent > kMaxSize)
    return makeError("expected a size of " + Twine(name) +
                     " of at most 2^32 elements, got " + Twine(*dim.extent));
  if (position == 0)
    return Error::success();
  if (!dim.stride)
    return Error::success();
  int64_t unit = request.padded ? 32 : 16, stride = *dim.stride;
  CheckedInt bits = CheckedInt(stride) * int64_t(request.global.elementBits);
  if (stride < 1 || bits.hasOverflowed() || bits.get() % (unit * 8) != 0 ||
      bits.get() / 8 >= kStrideEnd)
    return makeError(
        "expected a stride of " + Twine(name) + " that is a multiple of " +
        Twine(unit) + " bytes below 2^40, got " + Twine(stride) +
        " elements of " + Twine(request.global.elementBits) + " bits");
  return Error::success();
}

Error Planner::check() const {
  const MapDim &first = mapDims[order.front()];
  for (size_t i = 0; i < order.size(); ++i)
    if (Error error = checkDim(i))
      return error;
  std::string name = ("dimension " + Twine(first.source)).str();
  int64_t rowBits = first.box * slotBits;
  if (request.padded && first.box != kPaddedBox)
    return makeError("expected a box of 128 padded elements along " +
                     Twine(name) + ", got " + Twine(first.box));
  if (rowBits % 128 != 0)
    return makeError("expected a box whose rows along " + Twine(name) +
                     " are multiples of 16 bytes, got " + Twine(first.box) +
                     " elements of " + Twine(slotBits) + " bits");
  if (first.extent && request.global.elementBits == 4 && !request.padded &&
      *first.extent % 2 != 0)
    return makeError("expected an even number of 4-bit elements along " +
                     Twine(name) + ", got " + Twine(*first.extent));
  if (first.extent && request.padded && *first.extent % kPaddedBox != 0)
    return makeError("expected a multiple of 128 padded elements along " +
                     Twine(name) + ", got " + Twine(*first.extent));
  return Error::success();
}

/// The alignment of shared memory that copies need.
int64_t Planner::getSharedAlignment() const {
  return std::max<int64_t>(128, getPatternBytes(mode));
}

Error Planner::placeError(const Twine &got) const {
  return makeError("expected copies at multiples of " +
                   Twine(getSharedAlignment()) + " bytes of shared memory " +
                   (mode == SwizzleMode::None
                        ? Twine("without swizzle")
                        : "with a " + getName(mode) + " swizzle") +
                   ", got " + got);
}

Expected<TensorCopyPlan> Planner::finish() const {
  TensorCopyPlan plan;
  plan.swizzle = mode;
  plan.offsetMultiples = offsetMultiples;
  // Of a coordinate that is a digit, all values must be such multiples.
  const CoordinateTerm &first = mapDims[order.front()].terms.front();
  int64_t period = std::max<int64_t>(first.modulus, 1);
  int64_t &offset = plan.offsetMultiples[first.dim];
  CheckedInt digits = getRowUnit();
  if (first.modulus % getRowUnit() != 0)
    digits *= period / std::gcd(period, getRowUnit());
  CheckedInt multiple = digits * first.divisor;
  if (!multiple.hasOverflowed())
    multiple *= offset / std::gcd(offset, multiple.get());
  if (multiple.hasOverflowed())
    return makeError("expected blocks of dimension " + Twine(first.dim) +
                     " that fit 64 bits");
  offset = multiple.get();
  plan.sharedAlignment = getSharedAlignment();
  int64_t unit = plan.sharedAlignment * 8, elements = 1;
  int64_t start = tile.getOffset(memoryAxis()) * slotBits;
  if (start % unit != 0)
    return placeError("an offset of " + describeBits(start));
  plan.sharedOffset = start / 8;
  for (size_t position : order) {
    const MapDim &dim = mapDims[position];
    TensorMapDim &result = plan.dims.emplace_back();
    result.size = dim.extent;
    if (plan.dims.size() == 1)
      result.stride = llvm::divideCeil(request.global.elementBits, 8u);
    else if (dim.stride)
      result.stride = *dim.stride * int64_t(request.global.elementBits) / 8;
    result.box = dim.box;
    result.terms = dim.terms;
    elements *= dim.box;
  }
  plan.bytes = elements * slotBits / 8;
  for (const Atom &loop : llvm::reverse(loops)) {
    if (loop.dim == order.front() && loop.unit % getRowUnit() != 0)
      return makeError("expected copies at multiples of " +
                       Twine(getRowUnit()) + " elements along dimension " +
                       Twine(first.dim) + ", got one each " + Twine(loop.unit));
    int64_t step = loop.sharedStride * slotBits;
    if (step % unit != 0)
      return placeError("one each " + Twine(loop.unit) +
                        " elements of dimension " +
                        Twine(mapDims[loop.dim].source) + ", " +
                        describeBits(step) + " apart");
    size_t position = llvm::find(order, loop.dim) - order.begin();
    plan.loops.push_back(
        {loop.extent, unsigned(position), loop.unit, step / 8});
  }
  return plan;
}

Expected<TensorCopyPlan> Planner::run() {
  tile = *request.shared.getTile();
  if (Error error = makeAtoms())
    return std::move(error);
  if (Error error = fillBox())
    return std::move(error);
  if (Error error = orderDims())
    return std::move(error);
  if (Error error = check())
    return std::move(error);
  return finish();
}

int64_t TensorCopyPlan::getNumCopies() const {
  int64_t copies = 1;
  for (const TensorCopyLoop &loop : loops)
    copies *= loop.count;
  return copies;
}

Expected<TensorCopyPlan>
tirx::planTensorCopy(const TensorCopyRequest &request) {
  if (Error error = checkRequest(request))
    return std::move(error);
  TensorCopyRequest full = request;
  Expected<Layout> shared = withTileOfShape(request.shared, request.region);
  if (!shared)
    return shared.takeError();
  full.shared = detail::withCanonicalTile(*shared);
  const TileLayout &tile = *full.shared.getTile();
  if (Error error = checkMemoryOnly("the shared layout", tile))
    return std::move(error);
  int64_t slotBits = request.padded ? 8 : request.global.elementBits;
  Span span = tile.getSpan(memoryAxis());
  int64_t end = kSharedEnd * 8 / slotBits;
  if (span.min < 0 || span.max >= end)
    return makeError("expected elements from 0 to " + Twine(end - 1) +
                     " of shared memory, got elements from " + Twine(span.min) +
                     " to " + Twine(span.max));
  if (!isInjective(full.shared))
    return makeError("expected a place of its own for each element of shared "
                     "memory, got " +
                     toString(full.shared));
  Expected<SmallVector<SwizzleMode, 5>> modes =
      findSwizzleModes(full.shared.getSwizzle(), span.max, slotBits);
  if (!modes)
    return modes.takeError();
  std::optional<TensorCopyPlan> best;
  std::optional<std::string> reason;
  for (SwizzleMode mode : *modes) {
    bool fits = !request.padded || mode == SwizzleMode::None ||
                mode == SwizzleMode::B128;
    Expected<TensorCopyPlan> plan =
        fits ? Planner(full, mode).run()
             : makeError("expected no swizzle or a 128B one for padded "
                         "elements, got " +
                         getName(mode));
    if (!plan) {
      std::string text = llvm::toString(plan.takeError());
      if (!reason)
        reason = text;
    } else if (!best || plan->getNumCopies() < best->getNumCopies()) {
      best = *plan;
    }
  }
  if (best)
    return *best;
  return makeError(*reason);
}
