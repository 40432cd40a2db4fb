//===- MBarrier.h - the mbarrier object -------------------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The state machine of an mbarrier (PTX ISA 9.7.13.15): pending arrivals and a
// transaction count; a phase completes when both are zero.
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_SIMULATOR_MBARRIER_H
#define TIRX_SIMULATOR_MBARRIER_H

#include <cstdint>
#include <string>

namespace tirx::sim {

class MBarrier {
public:
  /// Arrival counts are 1 to 2^20 - 1, transaction counts within +-(2^20 - 1).
  static constexpr int64_t kMaxCount = (1 << 20) - 1;

  MBarrier() = default;
  explicit MBarrier(uint32_t count) : expected(count), pending(count) {}

  /// Operations return an empty string, or what is wrong; then nothing changed.
  std::string arrive(uint32_t count);
  /// Arrives and lowers the count expected in later phases.
  std::string arriveDrop(uint32_t count);
  /// One more arrival completes the phase.
  std::string addPending();
  std::string expectTx(int64_t bytes);
  std::string completeTx(int64_t bytes);
  /// `arrive.expect_tx`: the bytes are added before the arrival counts.
  std::string arriveExpectTx(uint32_t count, int64_t bytes, bool drop);

  /// Whether the phase of this parity has completed: on a fresh barrier a wait
  /// on parity 1 succeeds.
  bool isComplete(uint32_t parity) const { return (phase & 1) != (parity & 1); }
  /// Whether the phase that `state` (a result of arrive) belongs to completed.
  bool isStateComplete(uint64_t state) const {
    return uint32_t(state >> 32) != phase;
  }
  /// The opaque value that arrive returns: the current phase and pending count.
  uint64_t getState() const { return uint64_t(phase) << 32 | pending; }
  static uint32_t pendingOf(uint64_t state) { return uint32_t(state); }

  uint32_t getPhase() const { return phase; }
  uint32_t getPending() const { return pending; }
  uint32_t getExpected() const { return expected; }
  int64_t getTransactions() const { return transactions; }
  /// Phase, pending and transaction counts in words.
  std::string describe() const;

private:
  void completeIfDone();

  uint32_t phase = 0;
  uint32_t expected = 0;
  uint32_t pending = 0;
  int64_t transactions = 0;
};

} // namespace tirx::sim

#endif // TIRX_SIMULATOR_MBARRIER_H
