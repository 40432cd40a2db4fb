//===- Runs.h - sums of arithmetic progressions -----------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the replicas of a layout reach on one axis, once their signs are in the
// offset: the sum of runs {0, s, 2s, ..., (n-1)s}. Different runs can have the
// same sum, {0, 1} + {0, 2} and {0, 1, 2, 3} for example.
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_LIB_LAYOUT_RUNS_H
#define TIRX_LIB_LAYOUT_RUNS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace tirx::detail {

/// {0 .. extent-1} * stride, with extent > 1 and stride > 0.
struct Run {
  int64_t extent = 1, stride = 0;

  bool operator==(const Run &other) const {
    return extent == other.extent && stride == other.stride;
  }
  bool operator!=(const Run &other) const { return !(*this == other); }
};
using Runs = llvm::SmallVector<Run, 2>;

/// The runs by which a sum is spelled, largest stride first. They depend on the
/// sum only, but where its runs interleave and have more than 2^10 points, or
/// many ways to be taken apart: then neighbours are fused and no more.
Runs canonicalRuns(llvm::ArrayRef<Run> runs);

/// The same runs with neighbours fused and no more: never more copies than
/// before.
Runs fuseRuns(llvm::ArrayRef<Run> runs);

/// Runs with strides that are multiples of `unit` and that added to `known`
/// give the sum of `total`; nothing when there are none. Exact within the
/// bounds above.
std::optional<Runs> divideRuns(llvm::ArrayRef<Run> total,
                               llvm::ArrayRef<Run> known, int64_t unit);

/// The largest element of a sum.
int64_t getReach(llvm::ArrayRef<Run> runs);

} // namespace tirx::detail

#endif // TIRX_LIB_LAYOUT_RUNS_H
