//===- ThreadValue.h - an integer, as each thread of a block sees it -*- C++
//-*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The abstract value of the scope analysis. Per thread of the block it is
// either a known integer or unknown; of the unknown part it says inside which
// groups all threads are sure to agree.
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_DIALECT_TIRX_ANALYSIS_THREADVALUE_H
#define TIRX_DIALECT_TIRX_ANALYSIS_THREADVALUE_H

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <memory>
#include <optional>
#include <vector>

namespace tirx {

/// The coarsest groups inside which all threads agree, coarse to fine.
enum class Granularity : uint8_t {
  Grid,
  Cluster,
  Cta,
  Warpgroup,
  Warp,
  Thread
};

/// The finer of two.
inline Granularity finer(Granularity a, Granularity b) { return a < b ? b : a; }

/// Threads of a group inside a CTA: 128 for a warpgroup, 32 for a warp, 1 for a
/// thread; for coarser groups the number of threads of the block.
unsigned groupSize(Granularity granularity, unsigned blockSize);

/// "warp", "warpgroup", ...
llvm::StringRef stringifyGranularity(Granularity granularity);

/// The coarsest granularity inside whose groups `key` is constant over the
/// members of `threads`. `key` depends on the thread number only, so a constant
/// is the same in the whole grid.
Granularity granularityOf(const llvm::BitVector &threads,
                          llvm::function_ref<int64_t(unsigned)> key);

/// An immutable value; cheap to copy. A default-constructed one is empty: no
/// execution has reached it yet.
class ThreadValue {
public:
  ThreadValue() = default;

  static ThreadValue constant(unsigned blockSize, int64_t value);
  /// `value(thread)` for each thread; no value where it is unknown, and then
  /// threads of a group of `unknown` agree.
  static ThreadValue
  perThread(unsigned blockSize, Granularity unknown,
            llvm::function_ref<std::optional<int64_t>(unsigned)> value);
  /// Unknown, but the same for all threads of a group.
  static ThreadValue unknown(Granularity granularity);

  bool isEmpty() const { return empty; }
  /// The value of one thread, where it is known.
  std::optional<int64_t> at(unsigned thread) const;
  /// Granularity of the unknown part.
  Granularity unknownGranularity() const { return granularity; }
  /// Inside which groups the members of `threads` agree on the value.
  Granularity agreement(const llvm::BitVector &threads) const;

  /// A value that is one or the other, nobody knows which (the same choice for
  /// all threads of a group of `choice`). An empty value adds nothing.
  static ThreadValue join(const ThreadValue &a, const ThreadValue &b,
                          unsigned blockSize,
                          Granularity choice = Granularity::Grid);

  /// The same value, its unknown part chosen anew in each group of `choice`.
  ThreadValue blurred(Granularity choice) const;

  bool operator==(const ThreadValue &other) const;
  bool operator!=(const ThreadValue &other) const { return !(*this == other); }

private:
  struct Known {
    std::vector<int64_t> values;
    llvm::BitVector mask;
  };
  /// Null: unknown everywhere.
  std::shared_ptr<const Known> known;
  Granularity granularity = Granularity::Grid;
  bool empty = true;
};

} // namespace tirx

#endif // TIRX_DIALECT_TIRX_ANALYSIS_THREADVALUE_H
