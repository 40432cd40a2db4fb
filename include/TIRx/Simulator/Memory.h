//===- Memory.h - byte-addressed memories -----------------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Allocations that know which of their bytes have been written, and the global
// address space that holds them apart with unmapped guard zones.
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_SIMULATOR_MEMORY_H
#define TIRX_SIMULATOR_MEMORY_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace tirx::sim {

/// What a byte that nobody wrote reads as. As f16 it is a NaN, as f32 or bf16 a
/// huge number, so that it shows in a result that depends on it.
inline constexpr uint8_t kUninitialisedByte = 0x7f;

/// The generic address space. A generic address inside a window names a byte of
/// the executing thread's or cluster's own memory; all others are global. A
/// shared address holds the CTA's rank in its cluster from bit 24 upwards.
inline constexpr uint64_t kGlobalBase = 0x700000000000;
/// Variables of modules stand at addresses that are fixed when a module is
/// decoded, and so does the parameter block of the running kernel.
inline constexpr uint64_t kVariableBase = 0x680000000000;
inline constexpr uint64_t kParameterBase = 0x600000000000;
inline constexpr uint64_t kSharedWindow = 0x7e0000000000;
inline constexpr uint64_t kLocalWindow = 0x7d0000000000;
inline constexpr uint64_t kWindowSize = uint64_t(1) << 32;
inline constexpr unsigned kSharedRankShift = 24;
/// The first bytes of shared memory belong to the system on sm_90 and later
/// (1 KiB), which also keeps address 0 invalid.
inline constexpr uint32_t kSharedBase = 1024;

/// Bytes with one "has been written" bit each.
class ByteStore {
public:
  ByteStore() = default;
  explicit ByteStore(uint64_t size) { reset(size); }

  /// Makes it `size` bytes that nobody wrote.
  void reset(uint64_t size);
  /// Makes it at least `size` bytes; nobody wrote the new ones.
  void grow(uint64_t size);
  /// Makes a range one that nobody wrote.
  void forget(uint64_t offset, uint64_t count);
  /// Copies a range with what is known of its bytes; the ranges may overlap.
  void copyWithin(uint64_t to, uint64_t from, uint64_t count);

  uint64_t size() const { return bytes.size(); }
  uint8_t *data() { return bytes.data(); }
  const uint8_t *data() const { return bytes.data(); }

  /// True when all of [offset, offset + count) has been written. The range
  /// must be in bounds.
  bool isWritten(uint64_t offset, uint64_t count) const {
    if (allWritten)
      return true;
    if (uint64_t mask = maskInWord(offset, count))
      return (loadWord(written[offset / 64]) & mask) == mask;
    return isWrittenSlow(offset, count);
  }
  /// The first byte of the range that nobody wrote, or offset + count.
  uint64_t firstUnwritten(uint64_t offset, uint64_t count) const;
  void markWritten(uint64_t offset, uint64_t count) {
    if (allWritten)
      return;
    if (uint64_t mask = maskInWord(offset, count))
      return addBits(written[offset / 64], mask);
    markWrittenSlow(offset, count);
  }
  void markAllWritten() { allWritten = true; }

private:
  /// The bits of a range that lies within one word, or 0.
  static uint64_t maskInWord(uint64_t offset, uint64_t count) {
    uint64_t bit = offset % 64;
    return count && bit + count <= 64 ? ~uint64_t(0) >> (64 - count) << bit : 0;
  }
  // CTAs on several threads of the host mark bytes of one word.
  static uint64_t loadWord(const uint64_t &word) {
    return __atomic_load_n(&word, __ATOMIC_RELAXED);
  }
  static void addBits(uint64_t &word, uint64_t mask) {
    if (mask == ~uint64_t(0))
      __atomic_store_n(&word, mask, __ATOMIC_RELAXED);
    else if ((loadWord(word) & mask) != mask)
      __atomic_fetch_or(&word, mask, __ATOMIC_RELAXED);
  }
  bool isWrittenSlow(uint64_t offset, uint64_t count) const;
  void markWrittenSlow(uint64_t offset, uint64_t count);

  std::vector<uint8_t> bytes;
  std::vector<uint64_t> written;
  bool allWritten = false;
};

/// A live range of global addresses.
struct Allocation {
  std::string name;
  uint64_t base = 0;
  ByteStore store;
  bool readOnly = false;
  /// Device code got it from malloc.
  bool isHeap = false;

  uint64_t size() const { return store.size(); }
  /// True when [address, address + count) lies inside.
  bool contains(uint64_t address, uint64_t count) const {
    return address >= base && count <= size() &&
           address - base <= size() - count;
  }
};

/// All of global (and parameter, and constant) memory of one device.
class GlobalMemory {
public:
  /// Adds an allocation. Its base is a multiple of `alignment` and of 256; at
  /// least 1 MiB of unmapped addresses follow it. Fails when the total exceeds
  /// what the simulator is willing to hold (16 GiB).
  llvm::Expected<Allocation *> allocate(llvm::StringRef name, uint64_t size,
                                        uint64_t alignment = 256);

  /// The same for malloc of device code; null when memory is short.
  Allocation *allocateHeap(uint64_t size);

  /// The same at a fixed address, which must be free.
  Allocation *allocateAt(llvm::StringRef name, uint64_t address, uint64_t size);

  /// Ends the life of an allocation; its addresses are not used again.
  void release(Allocation *allocation);

  /// The allocation that holds all `count` bytes at `address`, or null.
  Allocation *find(uint64_t address, uint64_t count) const;

  template <class F> void forEach(F f) const {
    for (const auto &allocation : allocations)
      f(*allocation);
  }

  /// In words: which allocation is nearest to an address outside all of them.
  std::string describe(uint64_t address) const;

private:
  /// Sorted by base, because addresses only grow.
  std::vector<std::unique_ptr<Allocation>> allocations;
  uint64_t next = kGlobalBase;
  uint64_t total = 0;
};

} // namespace tirx::sim

#endif // TIRX_SIMULATOR_MEMORY_H
