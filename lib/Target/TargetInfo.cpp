//===- TargetInfo.cpp - what a GPU target can do --------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TIRx/Target/TargetInfo.h"
#include "llvm/ADT/StringExtras.h"

namespace tirx {

static constexpr TargetInfo targets[] = {
    {"sm_75", 63, 64 * 1024, false, false},
    {"sm_80", 70, 163 * 1024, false, false},
    {"sm_86", 71, 99 * 1024, false, false},
    {"sm_89", 78, 99 * 1024, false, false},
    {"sm_90", 78, 227 * 1024, false, true},
    {"sm_90a", 80, 227 * 1024, false, true, true},
    {"sm_100", 86, 227 * 1024, false, true},
    {"sm_100a", 86, 227 * 1024, true, true},
    {"sm_103", 88, 227 * 1024, false, true},
    {"sm_103a", 88, 227 * 1024, true, true},
    {"sm_120", 87, 99 * 1024, false, true},
    {"sm_120a", 87, 99 * 1024, false, true},
};

llvm::ArrayRef<TargetInfo> getTargets() { return targets; }

std::string describeTargets() {
  return llvm::join(
      llvm::map_range(targets,
                      [](const TargetInfo &t) { return t.chip.str(); }),
      ", ");
}

llvm::Expected<const TargetInfo *> lookupTarget(llvm::StringRef chip) {
  for (const TargetInfo &target : targets)
    if (target.chip == chip)
      return &target;
  return llvm::createStringError("unknown target '" + chip +
                                 "': expected one of " + describeTargets());
}

} // namespace tirx
