//===- Axis.h - named hardware axes -----------------------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A layout maps logical coordinates to coordinates on named axes. The name is
// part of the meaning: 1@laneid and 1@TLane are different places. An axis says
// what it indexes (memory, threads, devices) and, for thread axes, which scope.
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_LAYOUT_AXIS_H
#define TIRX_LAYOUT_AXIS_H

#include "llvm/ADT/StringRef.h"
#include <deque>
#include <string>

namespace tirx {

/// What a coordinate on an axis counts.
enum class AxisKind : uint8_t {
  /// Places in memory: `m` (element index), `reg`, `TLane`, `TCol`, `bank`,
  /// `F`, `P`.
  Memory,
  /// Threads, or groups of threads, of one grid.
  Thread,
  /// Devices and processes.
  Device,
};

/// The immutable description behind an Axis.
struct AxisInfo {
  std::string name;
  AxisKind kind;
  /// For thread axes: the group inside which the axis counts ("warp",
  /// "warpgroup", "cta", "cluster", "grid"), else empty.
  std::string scope;
  /// For thread axes: what one step of the axis is ("thread", "warp",
  /// "warpgroup", "cta"), else empty.
  std::string unit;
};

/// A handle to an axis; two handles are equal when they name the same axis of
/// the same table. Cheap to copy.
class Axis {
public:
  Axis() = default;
  explicit Axis(const AxisInfo *info) : info(info) {}

  llvm::StringRef getName() const { return info->name; }
  AxisKind getKind() const { return info->kind; }
  llvm::StringRef getScope() const { return info->scope; }
  llvm::StringRef getUnit() const { return info->unit; }
  bool isThread() const { return info->kind == AxisKind::Thread; }
  bool isMemory() const { return info->kind == AxisKind::Memory; }
  const AxisInfo *getInfo() const { return info; }

  explicit operator bool() const { return info != nullptr; }
  bool operator==(Axis other) const { return info == other.info; }
  bool operator!=(Axis other) const { return info != other.info; }
  /// Orders by name, so that anything sorted by axis prints the same in every
  /// process.
  bool operator<(Axis other) const { return info->name < other.info->name; }

private:
  const AxisInfo *info = nullptr;
};

/// The axes that a reader of layouts knows. There is no global table: whoever
/// parses a layout passes one. Axes of the built-in table are shared by all
/// tables, so built-in axes of different tables compare equal.
class AxisTable {
public:
  /// The axis called `name`, or a null axis when nobody declared it.
  Axis lookup(llvm::StringRef name) const;

  /// Declares an axis of an embedder's own. Returns the axis; when the name is
  /// taken, the existing axis if it is described alike and a null axis if not.
  /// A thread axis counts threads unless it says otherwise.
  Axis declare(llvm::StringRef name, AxisKind kind, llvm::StringRef scope = "",
               llvm::StringRef unit = "");

  /// Names of all known axes, built-in ones first, for messages.
  std::string describeNames() const;

private:
  // A deque keeps the addresses that handles hold.
  std::deque<AxisInfo> declared;
};

/// Built-in axes by name; null when there is no such axis.
Axis lookupBuiltinAxis(llvm::StringRef name);

/// The axis `m`: linear memory, counted in elements. It is the axis of a stride
/// that names none.
Axis memoryAxis();

} // namespace tirx

#endif // TIRX_LAYOUT_AXIS_H
