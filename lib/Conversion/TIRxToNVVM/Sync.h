//===- Sync.h - synchronisation and structure ops to instructions -*- C++
//-*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_LIB_CONVERSION_TIRXTONVVM_SYNC_H
#define TIRX_LIB_CONVERSION_TIRXTONVVM_SYNC_H

#include "KernelFacts.h"
#include "mlir/IR/Builders.h"

namespace tirx {

/// Expands barriers, waits, fences, elections and tensor-memory allocation into
/// `tirx.ptx`, with the fences that the ordering rules ask for.
class SyncLowering {
public:
  explicit SyncLowering(const KernelFacts &facts) : facts(facts) {}

  /// Expands and erases `op` if it is one of these; false for any other op.
  bool lower(mlir::Operation *op);

  /// A copy has written shared memory with ordinary stores: behind the op, the
  /// fence of rule R1, unless the next op that matters is another such copy.
  void fenceSharedWrites(mlir::Operation *copy);

  /// Fences added without being asked for.
  unsigned getNumFences() const { return numFences; }

private:
  const KernelFacts &facts;
  unsigned numFences = 0;
};

/// Whether the op is a tile copy into shared memory.
bool isSharedCopy(mlir::Operation *op);

} // namespace tirx

#endif // TIRX_LIB_CONVERSION_TIRXTONVVM_SYNC_H
