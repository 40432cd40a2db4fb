//===- MBarrier.cpp - the mbarrier object ---------------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TIRx/Simulator/MBarrier.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tirx::sim;

void MBarrier::completeIfDone() {
  if (pending == 0 && transactions == 0) {
    ++phase;
    pending = expected;
  }
}

std::string MBarrier::arrive(uint32_t count) {
  if (count == 0 || count > kMaxCount)
    return llvm::formatv("expected an arrival count of 1 to {0}, got {1}",
                         kMaxCount, count);
  if (count > pending)
    return llvm::formatv(
        "expected at most {0} more arrivals in phase {1} (of {2}), got {3}; "
        "transaction count {4}",
        pending, phase, expected, count, transactions);
  pending -= count;
  completeIfDone();
  return "";
}

std::string MBarrier::arriveDrop(uint32_t count) {
  if (count > expected)
    return llvm::formatv("expected to drop at most {0} arrivals, got {1}",
                         expected, count);
  if (count == 0 || count > pending)
    return arrive(count);
  expected -= count;
  return arrive(count);
}

std::string MBarrier::addPending() {
  if (pending >= kMaxCount)
    return llvm::formatv("expected at most {0} pending arrivals, got one more",
                         kMaxCount);
  ++pending;
  return "";
}

std::string MBarrier::expectTx(int64_t bytes) {
  int64_t sum = transactions + bytes;
  if (bytes < -kMaxCount || bytes > kMaxCount || sum < -kMaxCount ||
      sum > kMaxCount)
    return llvm::formatv("expected a transaction count within +-{0}, got {1} "
                         "after expecting {2} more bytes",
                         kMaxCount, sum, bytes);
  transactions = sum;
  return "";
}

std::string MBarrier::completeTx(int64_t bytes) {
  std::string error = expectTx(-bytes);
  if (error.empty())
    completeIfDone();
  return error;
}

std::string MBarrier::arriveExpectTx(uint32_t count, int64_t bytes, bool drop) {
  MBarrier before = *this;
  std::string error = expectTx(bytes);
  if (error.empty())
    error = drop ? arriveDrop(count) : arrive(count);
  if (!error.empty())
    *this = before;
  return error;
}

std::string MBarrier::describe() const {
  return llvm::formatv("phase {0} (parity {1}), {2} of {3} arrivals pending, "
                       "transaction count {4}",
                       phase, phase & 1, pending, expected, transactions);
}
