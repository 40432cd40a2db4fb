//===- TargetInfo.h - what a GPU target can do ------------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The targets that TIRx compiles for, in one table: every decision that depends
// on the chip (dispatch, PTX version, limits) reads it.
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_TARGET_TARGETINFO_H
#define TIRX_TARGET_TARGETINFO_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace tirx {

/// One chip. Numbers are from the CUDA programming guide ("Compute
/// capabilities") and PTX ISA (".target").
struct TargetInfo {
  /// The name that ptxas and LLVM use, such as "sm_100a".
  llvm::StringLiteral chip;
  /// The oldest PTX version that has the chip, times 10: 86 is PTX ISA 8.6.
  unsigned ptxVersion;
  /// Bytes of shared memory that one thread block may use.
  int64_t sharedBytes;
  /// Tensor memory and the tcgen05 instructions (sm_100a, sm_103a).
  bool hasTcgen05;
  /// Bulk and tensor copies, and the async proxy (sm_90 and later).
  bool hasAsyncProxy;
  /// wgmma (sm_90a only).
  bool hasWgmma = false;
};

/// The table, oldest chip first.
llvm::ArrayRef<TargetInfo> getTargets();

/// The target called `chip`; an error that lists the known ones.
llvm::Expected<const TargetInfo *> lookupTarget(llvm::StringRef chip);

/// "sm_80, sm_90a, ...", for messages.
std::string describeTargets();

} // namespace tirx

#endif // TIRX_TARGET_TARGETINFO_H
