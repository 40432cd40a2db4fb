//===- Axis.cpp - named hardware axes -------------------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TIRx/Layout/Axis.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"

using namespace tirx;
using llvm::StringRef;

static llvm::ArrayRef<AxisInfo> builtinAxes() {
  static const AxisInfo axes[] = {
      {"m", AxisKind::Memory, "", ""},
      {"reg", AxisKind::Memory, "", ""},
      {"TLane", AxisKind::Memory, "", ""},
      {"TCol", AxisKind::Memory, "", ""},
      {"bank", AxisKind::Memory, "", ""},
      {"F", AxisKind::Memory, "", ""},
      {"P", AxisKind::Memory, "", ""},
      {"laneid", AxisKind::Thread, "warp", "thread"},
      {"wid_in_wg", AxisKind::Thread, "warpgroup", "warp"},
      {"tid_in_wg", AxisKind::Thread, "warpgroup", "thread"},
      {"warpid", AxisKind::Thread, "cta", "warp"},
      {"wgid", AxisKind::Thread, "cta", "warpgroup"},
      {"tx", AxisKind::Thread, "cta", "thread"},
      {"cta_in_pair", AxisKind::Thread, "cluster", "cta"},
      {"cbx", AxisKind::Thread, "cluster", "cta"},
      {"cby", AxisKind::Thread, "cluster", "cta"},
      {"cbz", AxisKind::Thread, "cluster", "cta"},
      {"bx", AxisKind::Thread, "grid", "cta"},
      {"by", AxisKind::Thread, "grid", "cta"},
      {"bz", AxisKind::Thread, "grid", "cta"},
      {"pid", AxisKind::Device, "", ""},
      {"gpuid_x", AxisKind::Device, "", ""},
      {"gpuid_y", AxisKind::Device, "", ""},
  };
  return axes;
}

Axis tirx::lookupBuiltinAxis(StringRef name) {
  for (const AxisInfo &info : builtinAxes())
    if (info.name == name)
      return Axis(&info);
  return Axis();
}

Axis tirx::memoryAxis() {
  static const Axis m = lookupBuiltinAxis("m");
  return m;
}

Axis AxisTable::lookup(StringRef name) const {
  if (Axis builtin = lookupBuiltinAxis(name))
    return builtin;
  for (const AxisInfo &info : declared)
    if (info.name == name)
      return Axis(&info);
  return Axis();
}

Axis AxisTable::declare(StringRef name, AxisKind kind, StringRef scope,
                        StringRef unit) {
  if (unit.empty() && kind == AxisKind::Thread)
    unit = "thread";
  if (Axis existing = lookup(name)) {
    bool alike = existing.getKind() == kind && existing.getScope() == scope &&
                 existing.getUnit() == unit;
    return alike ? existing : Axis();
  }
  declared.push_back({name.str(), kind, scope.str(), unit.str()});
  return Axis(&declared.back());
}

std::string AxisTable::describeNames() const {
  std::string names;
  auto append = [&](const AxisInfo &info) {
    names += names.empty() ? "" : ", ";
    names += info.name;
  };
  llvm::for_each(builtinAxes(), append);
  llvm::for_each(declared, append);
  return names;
}
