//===- DigitSum.h - a layout followed by other maps -------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What becomes of a tile's coordinates when swizzles and other tiles follow. A
// tile is a sum over its digits, and a map that follows acts on most of them
// one by one: it carries nothing from one into the other. So the result stays a
// sum of pieces, each a function of few digits, and only digits that do meet
// (by a carry, or by an exclusive or) are tabulated together. A question to a
// layout of any size is then a question to small tables.
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_LIB_LAYOUT_DIGITSUM_H
#define TIRX_LIB_LAYOUT_DIGITSUM_H

#include "TIRx/Layout/Functions.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace tirx::detail {

/// A function of the digits of a flat index and of replicas, as a constant and
/// a sum of pieces that share no digit.
class DigitSum {
public:
  /// Every iter of the shard and of the replica is a digit.
  explicit DigitSum(const TileLayout &tile);

  /// Swizzles the coordinates on `m`. False when one of them is negative or
  /// when the digits that meet have too many values; the sum is then of no
  /// further use.
  [[nodiscard]] bool applySwizzle(const SwizzleLayout &swizzle);

  /// Replaces all coordinates by the one of their row-major index in the box.
  /// Fails when an axis is not in the box or a coordinate outside.
  llvm::Error flatten(llvm::ArrayRef<AxisExtent> box);

  /// Replaces the flat index by the coordinates that the tile gives it;
  /// replicas of the tile are digits of their own. False when the digits that
  /// meet have too many values.
  [[nodiscard]] bool applyTile(const TileLayout &tile);

  /// The tile that is this function. Nothing when there is none whose iters
  /// follow the digits; `failedIter` is then the iter of the first tile's shard
  /// (or, from its size on, of its replica) at which it fails.
  std::optional<TileLayout> toTile(unsigned *failedIter = nullptr) const;

  /// Smallest and largest coordinate, exact.
  Span getSpan(Axis axis) const;

  /// Whether each bit that the swizzle reads or writes on `m` is the step of a
  /// digit of its own: then no other swizzle of at most as many bits makes the
  /// same map of another tile.
  bool exercises(const SwizzleLayout &swizzle);

  /// The number of values that are tabulated.
  int64_t getRowCount() const;

  /// Two steps whose changes of the coordinate on `m`, as sets of bits, add up
  /// by exclusive or. If a swizzle makes the function a tile, then it makes the
  /// two sets disjoint: a sum of powers of two with signs, each doubled where
  /// both change a bit, is 0 for no such bit.
  using Toggles = std::pair<uint64_t, uint64_t>;
  /// All such steps of digits in one piece; the 64 first ones.
  llvm::SmallVector<Toggles, 16> getToggles() const;

private:
  struct Digit {
    int64_t extent;
    /// What one step adds to the flat index.
    int64_t weight;
    bool isReplica;
    unsigned iter;
  };

  /// A function of some digits, the last of them running fastest. A linear
  /// piece has one digit and two rows, its first value and its step; any other
  /// has one row for each setting of its digits.
  struct Piece {
    llvm::SmallVector<unsigned, 4> digits;
    int64_t count;
    bool isLinear;
    llvm::SmallVector<int64_t, 4> rows;
    /// The largest digit at each place of the radix under work.
    llvm::SmallVector<int64_t, 8> highest;
  };

  /// One place of a mixed radix: the digit of v is v / place % extent, without
  /// an end when `extent` is 0.
  struct Place {
    int64_t place;
    int64_t extent;
    int64_t digitOf(int64_t value) const {
      return extent ? value / place % extent : value / place;
    }
    bool holds(int64_t digit) const { return !extent || digit < extent; }
  };
  /// A place whose digit changes another place's.
  using Flow = std::pair<unsigned, unsigned>;

  /// Digits of a table that follow each other in the flat index, innermost
  /// first, each with how far apart its rows are.
  struct DigitRun {
    int64_t extent;
    llvm::SmallVector<std::pair<unsigned, int64_t>, 4> digits;
    /// The row at which the run has a value and all other digits are 0.
    int64_t rowOf(int64_t value, llvm::ArrayRef<Digit> all) const;
    int64_t valueOf(int64_t row, llvm::ArrayRef<Digit> all) const;
  };

  unsigned width() const { return axes.size(); }
  int64_t valueAt(const Piece &piece, int64_t entry, unsigned axis) const;
  std::optional<unsigned> findAxis(Axis axis) const;
  void addDigits(llvm::ArrayRef<Iter> iters, bool isReplica);
  Span getSpan(const Piece &piece, unsigned axis) const;

  static llvm::SmallVector<Place, 8> getPlaces(const SwizzleLayout &swizzle);
  static llvm::SmallVector<Flow, 4> getFlows(const SwizzleLayout &swizzle);

  void normalize();
  void split(int64_t place);
  void measure(Piece &piece, llvm::ArrayRef<Place> places);
  bool findMeeting(llvm::ArrayRef<Place> places, llvm::ArrayRef<Flow> flows,
                   llvm::SmallVectorImpl<unsigned> &pieces, bool &withBase);
  bool merge(llvm::ArrayRef<unsigned> group, bool withBase,
             llvm::ArrayRef<Place> places);
  bool separate(llvm::ArrayRef<Place> places, llvm::ArrayRef<Flow> flows);
  bool tabulate(Piece &piece);
  bool map(llvm::ArrayRef<Place> places, llvm::ArrayRef<Axis> newAxes,
           llvm::function_ref<void(int64_t, int64_t *)> function);
  llvm::SmallVector<DigitRun, 4> getRuns(const Piece &piece) const;
  bool addIters(const Piece &piece,
                llvm::SmallVectorImpl<llvm::SmallVector<Iter, 2>> &iters) const;

  /// The first is `m`.
  llvm::SmallVector<Axis, 4> axes;
  llvm::SmallVector<int64_t, 4> base;
  llvm::SmallVector<Digit, 16> digits;
  llvm::SmallVector<Piece, 16> pieces;
};

} // namespace tirx::detail

#endif // TIRX_LIB_LAYOUT_DIGITSUM_H
