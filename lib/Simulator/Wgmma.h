//===- Wgmma.h - matrix products of a warpgroup -----------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Four warps issue a wgmma, each at a time of its own; the product is computed
// once all of them have, at the earliest. Products of a warpgroup run in order.
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_LIB_SIMULATOR_WGMMA_H
#define TIRX_LIB_SIMULATOR_WGMMA_H

#include "AsyncRegisters.h"
#include "TIRx/Simulator/MatrixDescriptor.h"
#include "TensorOps.h"
#include <deque>

namespace tirx::sim {

inline constexpr unsigned kWarpgroupWarps = 4;
/// Rows of A and D, and those of one warp.
inline constexpr unsigned kWgmmaRows = 64, kWgmmaWarpRows = 16;

/// What the text of a wgmma says.
struct WgmmaForm {
  ElementType a, b;
  AccumulatorFormat d = AccumulatorFormat::F32;
  /// k counts elements; those of b1 are words of 32 bits.
  unsigned n = 8, k = 16;
  unsigned selector = 0;
  bool negateA = false, negateB = false;
  bool transposeA = false, transposeB = false;
  bool saturate = false, sparse = false, registerA = false, binary = false;

  /// Elements of A in a row as they are stored.
  unsigned storedK() const { return sparse ? k / 2 : k; }
  /// 32-bit registers of the accumulator in a thread.
  unsigned accumulators() const {
    return d == AccumulatorFormat::F16 ? n / 4 : n / 2;
  }
  /// Accumulators chain without a fence when this is the same. Never 0.
  uint64_t shape() const { return uint64_t(n) << 32 | k << 8 | unsigned(d); }
};

/// One wgmma with its operand values.
struct WgmmaOperation {
  const Inst *inst = nullptr;
  uint64_t a = 0, b = 0; ///< descriptors
  bool accumulate = false;
  /// Where the registers of each warp lie, null before it has issued.
  std::array<uint8_t *, kWarpgroupWarps> registers = {};
  /// Of a sparse A, by warp and lane.
  std::array<std::array<uint32_t, 32>, kWarpgroupWarps> metadata = {};

  unsigned issued() const {
    return kWarpgroupWarps -
           std::count(registers.begin(), registers.end(), nullptr);
  }
};

/// Computes it; false when an error was reported. Slots are those of D, then
/// those of A in registers.
bool executeWgmma(Cta &cta, const Issuer &issuer, const WgmmaForm &form,
                  const WgmmaOperation &operation);

/// The state of four consecutive warps, the first of which has a number that is
/// a multiple of 4.
class Warpgroup {
public:
  Warpgroup(Cta &cta, unsigned firstWarp) : cta(cta), firstWarp(firstWarp) {}

  /// A warp issues its next wgmma; false when an error was reported.
  bool issue(Warp &warp, const Inst &inst, const WgmmaOperation &operation);
  void commit(const Warp &warp);
  /// Whether all but the latest `pending` groups of the warp are complete. Runs
  /// what it takes, if all four warps have issued it.
  bool wait(const Warp &warp, uint64_t pending);
  /// Runs what all four warps have issued, in order, up to operation `end`.
  bool run(uint64_t end);
  bool runAll() { return run(~uint64_t(0)); }
  /// The next operation and which warps it waits for, for reports.
  std::string describe() const;
  /// The first operation that has not run, or null.
  const Inst *front() const {
    return operations.empty() ? nullptr : operations.front().inst;
  }

  AsyncRegisters &registersOf(const Warp &warp) {
    return perWarp[warp.index - firstWarp].registers;
  }

private:
  struct PerWarp {
    AsyncRegisters registers;
    uint64_t issued = 0;    ///< operations
    uint64_t completed = 0; ///< groups that were waited for
    /// By group, the number of operations issued when it was committed.
    std::deque<uint64_t> groups;
  };

  Cta &cta;
  const unsigned firstWarp;
  std::array<PerWarp, kWarpgroupWarps> perWarp;
  /// The operations that have not run, and the number of the first.
  std::deque<WgmmaOperation> operations;
  uint64_t first = 0;
};

/// Runs what is left when a CTA ends, and reports what only some warps of a
/// warpgroup have issued.
void finishWarpgroups(Cta &cta);

} // namespace tirx::sim

#endif // TIRX_LIB_SIMULATOR_WGMMA_H
