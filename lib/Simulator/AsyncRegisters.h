//===- AsyncRegisters.h - registers of asynchronous work --------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// wgmma reads and writes registers after it has been issued. Until the wait
// that covers it nobody may touch them, and between another access and the next
// wgmma that uses them stands a fence (PTX ISA 9.7.15.7). The decoder finds the
// instructions that touch such a register at all, and lets them ask first; all
// others run as if there were no wgmma.
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_LIB_SIMULATOR_ASYNCREGISTERS_H
#define TIRX_LIB_SIMULATOR_ASYNCREGISTERS_H

#include "Frame.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"

namespace tirx::sim {

/// The registers that wgmma of one warp uses.
class AsyncRegisters {
public:
  /// What stands in the way of an access: the other party, and how it used the
  /// register. No instruction: nothing does.
  struct Conflict {
    const Inst *inst = nullptr;
    bool isAccumulator = false;
    /// It was committed to a group (and not waited for).
    bool isCommitted = false;
  };

  /// An ordinary instruction accesses registers.
  Conflict touch(const Frame *frame, llvm::ArrayRef<Slot> slots,
                 const Inst *inst);

  // What wgmma must find before it is issued.
  bool hasFence() const { return fences != 0; }
  /// An ordinary access to one of the registers since the last fence.
  const Inst *findUnfenced(const Frame *frame,
                           llvm::ArrayRef<Slot> slots) const;
  /// A wgmma in flight whose use of one of the registers does not go with a use
  /// as accumulator of `shape`, or as A (0). Accumulators of one shape chain.
  Conflict findInFlight(const Frame *frame, llvm::ArrayRef<Slot> slots,
                        uint64_t shape) const;
  void use(const Frame *frame, llvm::ArrayRef<Slot> slots, uint64_t shape,
           const Inst *inst);

  void fence();
  void commit() { ++committed; }
  /// All but the latest `pending` groups are complete.
  void complete(uint64_t pending);

private:
  using Key = std::pair<const Frame *, Slot>;
  struct Use {
    const Inst *inst;
    uint64_t shape; ///< 0: as A
    uint64_t group;
    uint64_t fences; ///< at that time
  };
  bool isInFlight(const Use &use) const { return use.group >= completed; }
  Conflict describe(const Use &use) const {
    return {use.inst, use.shape != 0, use.group < committed};
  }

  /// The group that the next wgmma belongs to, and the first that has not been
  /// waited for.
  uint64_t committed = 0, completed = 0;
  uint64_t fences = 0;
  llvm::DenseMap<Key, Use> uses;
  /// Ordinary accesses since the last fence.
  llvm::DenseMap<Key, const Inst *> accesses;
};

} // namespace tirx::sim

#endif // TIRX_LIB_SIMULATOR_ASYNCREGISTERS_H
