//===- Wgmma.h - matrix products of a warpgroup -----------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Four warps issue a wgmma, each at a time of its own. Once all of them have,
// it becomes an operation of the asynchronous engine, after the warpgroup's one
// before.
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

/// The operands and the result of one wgmma.
class WgmmaProduct {
public:
  WgmmaProduct(Cta &cta, const Issuer &issuer, const WgmmaForm &form,
               const WgmmaOperation &operation);

  /// Reads A and B; false when an error was reported.
  bool read();
  /// Reads the accumulator and writes it.
  bool write();

private:
  uint32_t *at(unsigned warp, Slot slot) const {
    return reinterpret_cast<uint32_t *>(operation.registers[warp] + slot);
  }
  bool readOperand(uint64_t bits, bool mnMajor, const ElementType &type,
                   unsigned rows, unsigned k, const char *operand,
                   std::vector<uint32_t> &out);
  void readRegisterA();
  uint32_t metadataOf(unsigned row, unsigned part) const;
  bool expandA();

  void loadRow(unsigned row, uint32_t *cells) const;
  void storeRow(unsigned row, const uint32_t *cells);
  template <class Fn> void forRows(Fn multiply);
  void multiplyFloat();
  void multiplyInteger();
  void multiplyBits();

  Cta &cta;
  const Issuer issuer;
  const WgmmaForm form;
  const WgmmaOperation operation;
  /// Those of D, then those of A in registers.
  const Slot *slots;
  /// k fastest.
  std::vector<uint32_t> a, b;
  /// Of a sparse A: where elements are.
  std::vector<uint8_t> present;
};

/// The state of four consecutive warps, the first of which has a number that is
/// a multiple of 4.
class Warpgroup {
public:
  Warpgroup(Cta &cta, unsigned firstWarp) : cta(cta), firstWarp(firstWarp) {}

  /// A warp issues its next wgmma; false when an error was reported.
  bool issue(Warp &warp, const Inst &inst, const WgmmaOperation &operation);
  void commit(const Warp &warp);
  /// Completes all but the latest `pending` groups of the warp. False when
  /// another warp has not issued what they hold yet, or an error was reported.
  bool wait(const Warp &warp, uint64_t pending);
  /// What it waits for, for reports.
  std::string describe() const;
  /// The first operation that some warps have not issued, or null.
  const Inst *front() const {
    return operations.empty() ? nullptr : operations.front().inst;
  }

  AsyncRegisters &registersOf(const Warp &warp) {
    return perWarp[warp.index - firstWarp].registers;
  }

private:
  struct PerWarp {
    AsyncRegisters registers;
    uint64_t issued = 0; ///< operations
    /// By group, the number of operations issued when it was committed.
    std::deque<uint64_t> groups;
  };

  void start(const WgmmaOperation &operation);

  Cta &cta;
  const unsigned firstWarp;
  std::array<PerWarp, kWarpgroupWarps> perWarp;
  /// Operations that not all warps have issued, and the number of the first.
  std::deque<WgmmaOperation> operations;
  uint64_t first = 0;
  /// The engine's numbers of the operations before those, as far as a wait may
  /// still ask for them, and the number of the first.
  std::deque<uint64_t> started;
  uint64_t firstStarted = 0;
};

/// Reports what only some warps of a warpgroup have issued when a CTA ends.
void checkWarpgroupsAtExit(const Cta &cta);

} // namespace tirx::sim

#endif // TIRX_LIB_SIMULATOR_WGMMA_H
