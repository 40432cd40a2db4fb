//===- Memory.cpp - byte-addressed memories -------------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TIRx/Simulator/Memory.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <cstring>

using namespace tirx::sim;

static constexpr uint64_t kGuardZone = uint64_t(1) << 20;
static constexpr uint64_t kMaxTotal = uint64_t(16) << 30;

void ByteStore::reset(uint64_t size) {
  bytes.assign(size, kUninitialisedByte);
  written.assign((size + 63) / 64, 0);
  allWritten = false;
}

void ByteStore::grow(uint64_t size) {
  if (size <= bytes.size())
    return;
  bytes.resize(size, kUninitialisedByte);
  written.resize((size + 63) / 64, 0);
}

/// Calls fn(word index, mask) for each word of bits that the range touches,
/// until it returns false.
template <class Fn>
static bool forEachWord(uint64_t offset, uint64_t count, Fn fn) {
  while (count) {
    uint64_t bit = offset % 64;
    uint64_t n = std::min<uint64_t>(count, 64 - bit);
    uint64_t mask = llvm::maskTrailingOnes<uint64_t>(n) << bit;
    if (!fn(offset / 64, mask))
      return false;
    offset += n;
    count -= n;
  }
  return true;
}

bool ByteStore::isWrittenSlow(uint64_t offset, uint64_t count) const {
  return forEachWord(offset, count, [&](uint64_t word, uint64_t mask) {
    return (loadWord(written[word]) & mask) == mask;
  });
}

void ByteStore::markWrittenSlow(uint64_t offset, uint64_t count) {
  forEachWord(offset, count, [&](uint64_t word, uint64_t mask) {
    addBits(written[word], mask);
    return true;
  });
}

void ByteStore::forget(uint64_t offset, uint64_t count) {
  if (!count) // there may be no bytes at all
    return;
  std::memset(bytes.data() + offset, kUninitialisedByte, count);
  forEachWord(offset, count, [&](uint64_t word, uint64_t mask) {
    written[word] &= ~mask;
    return true;
  });
}

void ByteStore::copyWithin(uint64_t to, uint64_t from, uint64_t count) {
  if (!count)
    return;
  if (isWritten(from, count)) {
    std::memmove(bytes.data() + to, bytes.data() + from, count);
    return markWritten(to, count);
  }
  std::vector<bool> known(count);
  for (uint64_t i = 0; i < count; ++i)
    known[i] = isWritten(from + i, 1);
  std::memmove(bytes.data() + to, bytes.data() + from, count);
  for (uint64_t i = 0; i < count; ++i) {
    uint64_t bit = uint64_t(1) << ((to + i) % 64);
    uint64_t &word = written[(to + i) / 64];
    word = known[i] ? word | bit : word & ~bit;
  }
}

uint64_t ByteStore::firstUnwritten(uint64_t offset, uint64_t count) const {
  uint64_t end = offset + count;
  if (allWritten)
    return end;
  while (offset < end && (loadWord(written[offset / 64]) >> (offset % 64) & 1))
    ++offset;
  return offset;
}

llvm::Expected<Allocation *> GlobalMemory::allocate(llvm::StringRef name,
                                                    uint64_t size,
                                                    uint64_t alignment) {
  if (size > kMaxTotal || total + size > kMaxTotal)
    return llvm::createStringError(
        "expected at most 16 GiB of global memory, got " + llvm::Twine(size) +
        " more bytes for '" + name + "'");
  auto allocation = std::make_unique<Allocation>();
  allocation->name = name.str();
  allocation->base = llvm::alignTo(
      next, std::max<uint64_t>(256, llvm::PowerOf2Ceil(alignment)));
  allocation->store.reset(size);
  next = allocation->base + size + kGuardZone;
  total += size;
  allocations.push_back(std::move(allocation));
  return allocations.back().get();
}

Allocation *GlobalMemory::allocateHeap(uint64_t size) {
  auto allocation = allocate("malloc of device code", size);
  if (!allocation) {
    llvm::consumeError(allocation.takeError());
    return nullptr;
  }
  (*allocation)->isHeap = true;
  return *allocation;
}

Allocation *GlobalMemory::allocateAt(llvm::StringRef name, uint64_t address,
                                     uint64_t size) {
  auto allocation = std::make_unique<Allocation>();
  allocation->name = name.str();
  allocation->base = address;
  allocation->store.reset(size);
  total += size;
  auto it = llvm::upper_bound(
      allocations, address,
      [](uint64_t value, const auto &entry) { return value < entry->base; });
  return allocations.insert(it, std::move(allocation))->get();
}

void GlobalMemory::release(Allocation *allocation) {
  total -= allocation->size();
  llvm::erase_if(allocations,
                 [&](const auto &entry) { return entry.get() == allocation; });
}

Allocation *GlobalMemory::find(uint64_t address, uint64_t count) const {
  auto it = llvm::upper_bound(
      allocations, address,
      [](uint64_t value, const auto &entry) { return value < entry->base; });
  if (it == allocations.begin())
    return nullptr;
  Allocation *candidate = std::prev(it)->get();
  return candidate->contains(address, count) ? candidate : nullptr;
}

std::string GlobalMemory::describe(uint64_t address) const {
  const Allocation *nearest = nullptr;
  uint64_t best = ~uint64_t(0);
  for (const auto &entry : allocations) {
    uint64_t end = entry->base + entry->size();
    uint64_t distance = address < entry->base ? entry->base - address
                        : address >= end      ? address - end
                                              : 0;
    if (distance < best || !nearest) {
      best = distance;
      nearest = entry.get();
    }
  }
  if (!nearest)
    return "there is no global allocation";
  uint64_t end = nearest->base + nearest->size();
  std::string where =
      address < nearest->base
          ? llvm::formatv("{0} bytes before", nearest->base - address).str()
      : address >= end
          ? llvm::formatv("{0} bytes past the end of", address - end).str()
          : llvm::formatv("at byte {0} of", address - nearest->base).str();
  return llvm::formatv("{0} '{1}' ({2} bytes at {3:x})", where, nearest->name,
                       nearest->size(), nearest->base)
      .str();
}
