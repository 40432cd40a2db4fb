//===- BankConflicts.cpp - wavefronts of shared memory --------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CheckedMath.h"
#include "TIRx/Layout/Accesses.h"
#include "llvm/ADT/STLExtras.h"

using namespace tirx;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;
using llvm::SmallVector;
using llvm::Twine;

static constexpr unsigned kBanks = 32;
static constexpr int64_t kBankBytes = 4;

/// The words that an access covers.
static std::pair<int64_t, int64_t> getWords(int64_t address, int64_t bytes) {
  return {address / kBankBytes, (address + bytes - 1) / kBankBytes};
}

/// Whether no bank is wanted for two different words, and some bank is wanted.
static bool isConflictFree(ArrayRef<std::optional<int64_t>> addresses,
                           int64_t bytes) {
  std::array<int64_t, kBanks> wanted;
  wanted.fill(-1);
  bool any = false;
  for (const std::optional<int64_t> &address : addresses) {
    if (!address)
      continue;
    any = true;
    auto [word, last] = getWords(*address, bytes);
    for (; word <= last; ++word) {
      int64_t &bank = wanted[word % kBanks];
      if (bank != -1 && bank != word)
        return false;
      bank = word;
    }
  }
  return any;
}

/// Adds the wavefronts of lanes that are worked on together.
static void addGroup(ArrayRef<std::optional<int64_t>> addresses,
                     unsigned firstLane, int64_t bytes, Wavefronts &total,
                     size_t &most) {
  // Most accesses are this, and it is quickly seen.
  if (isConflictFree(addresses, bytes)) {
    total.count += 1;
    total.ideal += 1;
    return;
  }
  std::array<SmallVector<int64_t, 4>, kBanks> words;
  for (const std::optional<int64_t> &address : addresses) {
    if (!address)
      continue;
    auto [word, last] = getWords(*address, bytes);
    for (; word <= last; ++word)
      if (auto &bank = words[word % kBanks]; !llvm::is_contained(bank, word))
        bank.push_back(word);
  }
  const auto *worst = std::max_element(
      words.begin(), words.end(),
      [](const auto &a, const auto &b) { return a.size() < b.size(); });
  if (worst->empty())
    return;
  total.count += worst->size();
  total.ideal += 1;
  if (worst->size() <= most)
    return;
  most = worst->size();
  total.worstBank = worst - words.begin();
  total.worstLanes.clear();
  for (auto [i, address] : llvm::enumerate(addresses)) {
    if (!address)
      continue;
    auto [word, last] = getWords(*address, bytes);
    for (; word <= last; ++word)
      if (word % kBanks == total.worstBank)
        total.worstLanes.push_back(firstLane + i);
  }
}

/// Whether lanes that differ in `bit` access the same or one of them nothing.
static bool isPaired(ArrayRef<std::optional<int64_t>> addresses, unsigned bit) {
  for (unsigned lane = 0; lane < addresses.size(); ++lane) {
    const std::optional<int64_t> &one = addresses[lane];
    const std::optional<int64_t> &other = addresses[lane ^ bit];
    if (one && other && *one != *other)
      return false;
  }
  return true;
}

static Error checkAddress(int64_t address, int64_t bytes, unsigned lane) {
  if (address >= 0 && address % bytes == 0)
    return Error::success();
  return makeError("expected an address of lane " + Twine(lane) +
                   " that is a multiple of " + Twine(bytes) + ", got " +
                   Twine(address));
}

Expected<Wavefronts> tirx::countWavefronts(SharedAccess access, unsigned bytes,
                                           const LaneAddresses &addresses) {
  if (bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8 && bytes != 16)
    return makeError("expected an access of 1, 2, 4, 8 or 16 bytes, got " +
                     Twine(bytes));
  for (auto [lane, address] : llvm::enumerate(addresses))
    if (address)
      if (Error error = checkAddress(*address, bytes, lane))
        return std::move(error);
  ArrayRef<std::optional<int64_t>> lanes = addresses;
  unsigned group = bytes <= 4 ? kWarpLanes : 128 / bytes;
  unsigned wide = std::min(2 * group, kWarpLanes);
  Wavefronts result;
  size_t most = 1;
  for (unsigned lane = 0; lane < kWarpLanes; lane += wide) {
    ArrayRef<std::optional<int64_t>> part = lanes.slice(lane, wide);
    bool together = wide == group || (access == SharedAccess::Load &&
                                      (isPaired(part, 1) || isPaired(part, 2)));
    unsigned step = together ? wide : group;
    for (unsigned first = 0; first < wide; first += step)
      addGroup(part.slice(first, step), lane + first, bytes, result, most);
  }
  return result;
}

Expected<Wavefronts> tirx::countMatrixWavefronts(ArrayRef<int64_t> rows) {
  if (rows.size() != 8 && rows.size() != 16 && rows.size() != 32)
    return makeError("expected the rows of 1, 2 or 4 matrices, 8 each, got " +
                     Twine(rows.size()) + " rows");
  SmallVector<std::optional<int64_t>, 32> addresses;
  for (auto [lane, row] : llvm::enumerate(rows)) {
    if (Error error = checkAddress(row, 16, lane))
      return std::move(error);
    addresses.push_back(row);
  }
  Wavefronts result;
  size_t most = 1;
  for (unsigned lane = 0; lane < rows.size(); lane += 8)
    addGroup(ArrayRef(addresses).slice(lane, 8), lane, 16, result, most);
  return result;
}

Expected<AccessCost> tirx::countBankConflicts(SharedAccess access,
                                              const Layout &threads,
                                              const Layout &shared,
                                              unsigned elementBits,
                                              int64_t vector) {
  auto accesses = enumerateAccesses(threads, shared, elementBits, vector);
  if (!accesses)
    return accesses.takeError();
  int64_t bits = vector * int64_t(elementBits);
  if (bits % 8 != 0)
    return makeError("expected vectors of whole bytes, got " + Twine(vector) +
                     " elements of " + Twine(elementBits) + " bits");
  AccessCost cost;
  for (const WarpAccess &one : *accesses) {
    Expected<Wavefronts> wavefronts =
        countWavefronts(access, bits / 8, one.addresses);
    if (!wavefronts)
      return wavefronts.takeError();
    ++cost.instructions;
    cost.wavefronts += wavefronts->count;
    cost.ideal += wavefronts->ideal;
    if (cost.instructions == 1 ||
        wavefronts->getConflicts() > cost.worst.getConflicts()) {
      cost.worst = *wavefronts;
      cost.worstAccess = one;
    }
  }
  return cost;
}
