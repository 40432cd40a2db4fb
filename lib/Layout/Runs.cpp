//===- Runs.cpp - sums of arithmetic progressions -------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runs.h"
#include "CheckedMath.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <vector>

using namespace tirx;
using namespace tirx::detail;
using llvm::ArrayRef;

/// Points of a sum that are enumerated at most.
static constexpr int64_t kPointLimit = int64_t(1) << 10;
/// Points that a search looks at, or makes, at most.
static constexpr size_t kWorkLimit = size_t(1) << 18;

/// A set of integers, sorted.
using Set = std::vector<int64_t>;

static bool contains(const Set &set, int64_t value) {
  return std::binary_search(set.begin(), set.end(), value);
}

static Set addRun(const Set &set, const Run &run) {
  Set sum;
  sum.reserve(set.size() * run.extent);
  for (int64_t i = 0; i < run.extent; ++i)
    for (int64_t value : set)
      sum.push_back(value + i * run.stride);
  llvm::sort(sum);
  sum.erase(std::unique(sum.begin(), sum.end()), sum.end());
  return sum;
}

/// The sum, or nothing when it may have too many points.
static std::optional<Set> toSet(ArrayRef<Run> runs) {
  CheckedInt count = 1;
  for (const Run &run : runs)
    count *= run.extent;
  if (count.hasOverflowed() || count.get() > kPointLimit)
    return std::nullopt;
  Set sum = {0};
  for (const Run &run : runs)
    sum = addRun(sum, run);
  return sum;
}

int64_t detail::getReach(ArrayRef<Run> runs) {
  int64_t reach = 0;
  for (const Run &run : runs)
    reach += (run.extent - 1) * run.stride;
  return reach;
}

//===----------------------------------------------------------------------===//
// Search
//===----------------------------------------------------------------------===//

namespace {
/// Looks for runs inside `allowed` that added to a known set give `total`. The
/// order of the search depends on these sets only, and so does what it finds.
class RunSearch {
public:
  RunSearch(const Set &total, const Set &allowed)
      : total(total), allowed(allowed) {}

  /// `sum` is what the runs so far reach, `covered` the same with the known set
  /// added. Runs are found by ascending stride.
  bool extend(const Set &sum, const Set &covered, int64_t least) {
    if (covered.size() == total.size())
      return true;
    // The first point that is missing needs a run still to come, so no run
    // still to come has to start with a longer stride.
    auto [missing, end] = std::mismatch(total.begin(), total.end(),
                                        covered.begin(), covered.end());
    auto stride = std::upper_bound(allowed.begin(), allowed.end(), *missing);
    while (work < kWorkLimit && stride != allowed.begin() &&
           *std::prev(stride) >= least) {
      --stride;
      if (extendBy(sum, covered, *stride))
        return true;
    }
    return false;
  }

  Runs take() { return std::move(runs); }

private:
  /// Tries runs of one stride, the longest first.
  bool extendBy(const Set &sum, const Set &covered, int64_t stride) {
    int64_t extent = 1;
    while (fits(sum, extent, stride))
      ++extent;
    for (; extent > 1 && work < kWorkLimit; --extent) {
      Run run{extent, stride};
      work += covered.size() * extent;
      runs.push_back(run);
      if (extend(addRun(sum, run), addRun(covered, run), stride))
        return true;
      runs.pop_back();
    }
    return false;
  }

  /// Whether `sum`, moved by so many strides, is allowed.
  bool fits(const Set &sum, int64_t count, int64_t stride) {
    work += sum.size();
    int64_t last = total.back();
    return count <= last / stride && llvm::all_of(sum, [&](int64_t value) {
             return value <= last - count * stride &&
                    contains(allowed, value + count * stride);
           });
  }

  const Set &total;
  const Set &allowed;
  Runs runs;
  size_t work = 0;
};
} // namespace

/// What added to `known` stays inside `total`, in multiples of `unit`.
static Set getQuotient(const Set &total, const Set &known, int64_t unit) {
  Set quotient;
  for (int64_t value : total)
    if (value % unit == 0 && llvm::all_of(known, [&](int64_t other) {
          return other <= total.back() - value &&
                 contains(total, value + other);
        }))
      quotient.push_back(value);
  return quotient;
}

static std::optional<Runs> findRuns(const Set &total, const Set &known,
                                    int64_t unit) {
  Set allowed = getQuotient(total, known, unit);
  RunSearch search(total, allowed);
  if (!llvm::all_of(known,
                    [&](int64_t value) { return contains(total, value); }) ||
      !search.extend({0}, known, /*least=*/1))
    return std::nullopt;
  Runs runs = search.take();
  std::reverse(runs.begin(), runs.end());
  return runs;
}

//===----------------------------------------------------------------------===//
// Canonical runs
//===----------------------------------------------------------------------===//

/// Fuses neighbours, largest stride first: {0..a-1}*s + {0..b-1}*k*s with
/// k <= a is the run {0..a-1+(b-1)*k}*s.
Runs detail::fuseRuns(ArrayRef<Run> runs) {
  Runs sorted(runs);
  llvm::sort(sorted, [](const Run &a, const Run &b) {
    return a.stride != b.stride ? a.stride < b.stride : a.extent < b.extent;
  });
  Runs fused;
  for (const Run &run : sorted) {
    if (!fused.empty()) {
      Run &small = fused.back();
      int64_t ratio = run.stride / small.stride;
      if (run.stride % small.stride == 0 && ratio <= small.extent) {
        small.extent += (run.extent - 1) * ratio;
        continue;
      }
    }
    fused.push_back(run);
  }
  std::reverse(fused.begin(), fused.end());
  return fused;
}

Runs detail::canonicalRuns(ArrayRef<Run> runs) {
  Runs fused = fuseRuns(runs);
  // Runs that step over all that is smaller are what the search would find.
  int64_t reach = 0;
  bool interleave = false;
  for (const Run &run : llvm::reverse(fused)) {
    interleave |= run.stride <= reach;
    reach += (run.extent - 1) * run.stride;
  }
  if (!interleave)
    return fused;
  if (std::optional<Set> sum = toSet(fused))
    if (std::optional<Runs> found = findRuns(*sum, {0}, /*unit=*/1))
      return *found;
  return fused;
}

/// `total` without the runs of `known`, where all of them are among them.
static std::optional<Runs> removeRuns(ArrayRef<Run> total,
                                      ArrayRef<Run> known) {
  Runs rest(total);
  for (const Run &run : known) {
    auto *it = llvm::find(rest, run);
    if (it == rest.end())
      return std::nullopt;
    rest.erase(it);
  }
  return rest;
}

std::optional<Runs> detail::divideRuns(ArrayRef<Run> total, ArrayRef<Run> known,
                                       int64_t unit) {
  auto isMultiple = [&](const Run &run) { return run.stride % unit == 0; };
  std::optional<Set> all = toSet(total), part = toSet(known);
  if (all && part)
    if (std::optional<Runs> found = findRuns(*all, *part, unit))
      return found;
  std::optional<Runs> rest =
      removeRuns(canonicalRuns(total), canonicalRuns(known));
  if (rest && llvm::all_of(*rest, isMultiple))
    return rest;
  return std::nullopt;
}
