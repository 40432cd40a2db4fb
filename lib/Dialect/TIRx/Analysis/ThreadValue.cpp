//===- ThreadValue.cpp - an integer, as each thread of a block sees it ----===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TIRx/Dialect/TIRx/Analysis/ThreadValue.h"

using namespace tirx;
using llvm::BitVector;

unsigned tirx::groupSize(Granularity granularity, unsigned blockSize) {
  switch (granularity) {
  case Granularity::Thread:
    return 1;
  case Granularity::Warp:
    return 32;
  case Granularity::Warpgroup:
    return 128;
  default:
    return blockSize;
  }
}

llvm::StringRef tirx::stringifyGranularity(Granularity granularity) {
  static constexpr llvm::StringLiteral names[] = {
      "grid", "cluster", "cta", "warpgroup", "warp", "thread"};
  return names[static_cast<unsigned>(granularity)];
}

/// Whether `key` is constant over the members of each group of `size`.
static bool isConstantInGroups(const BitVector &threads, unsigned size,
                               llvm::function_ref<int64_t(unsigned)> key) {
  std::optional<int64_t> value;
  unsigned group = 0;
  for (unsigned thread : threads.set_bits()) {
    int64_t own = key(thread);
    if (value && thread / size == group && *value != own)
      return false;
    value = own;
    group = thread / size;
  }
  return true;
}

Granularity tirx::granularityOf(const BitVector &threads,
                                llvm::function_ref<int64_t(unsigned)> key) {
  unsigned blockSize = std::max(1u, threads.size());
  for (Granularity g :
       {Granularity::Grid, Granularity::Warpgroup, Granularity::Warp})
    if (isConstantInGroups(threads, groupSize(g, blockSize), key))
      return g;
  return Granularity::Thread;
}

ThreadValue ThreadValue::constant(unsigned blockSize, int64_t value) {
  return perThread(blockSize, Granularity::Grid,
                   [&](unsigned) { return value; });
}

ThreadValue ThreadValue::perThread(
    unsigned blockSize, Granularity unknown,
    llvm::function_ref<std::optional<int64_t>(unsigned)> value) {
  auto known = std::make_shared<Known>();
  known->values.resize(blockSize);
  known->mask.resize(blockSize);
  for (unsigned thread = 0; thread < blockSize; ++thread) {
    if (std::optional<int64_t> own = value(thread)) {
      known->values[thread] = *own;
      known->mask.set(thread);
    }
  }
  ThreadValue result;
  result.empty = false;
  if (known->mask.any())
    result.known = known;
  if (!known->mask.all())
    result.granularity = unknown;
  return result;
}

ThreadValue ThreadValue::unknown(Granularity granularity) {
  ThreadValue result;
  result.empty = false;
  result.granularity = granularity;
  return result;
}

std::optional<int64_t> ThreadValue::at(unsigned thread) const {
  if (!known || !known->mask.test(thread))
    return std::nullopt;
  return known->values[thread];
}

Granularity ThreadValue::agreement(const BitVector &threads) const {
  if (empty)
    return Granularity::Grid;
  if (!known)
    return granularity;
  // Where known and unknown threads meet in a group, they do not agree.
  Granularity mask = granularityOf(
      threads, [&](unsigned thread) { return known->mask.test(thread); });
  Granularity values = granularityOf(threads, [&](unsigned thread) {
    return known->mask.test(thread) ? known->values[thread] : 0;
  });
  bool anyUnknown = threads.test(known->mask);
  return finer(finer(mask, values),
               anyUnknown ? granularity : Granularity::Grid);
}

ThreadValue ThreadValue::blurred(Granularity choice) const {
  ThreadValue result = *this;
  bool isKnown = known && known->mask.all();
  if (!empty && !isKnown)
    result.granularity = finer(granularity, choice);
  return result;
}

ThreadValue ThreadValue::join(const ThreadValue &a, const ThreadValue &b,
                              unsigned blockSize, Granularity choice) {
  if (a.empty || b.empty)
    return (a.empty ? b : a).blurred(choice);
  BitVector differ(blockSize);
  for (unsigned thread = 0; thread < blockSize; ++thread)
    if (!a.at(thread) || a.at(thread) != b.at(thread))
      differ.set(thread);
  Granularity granularity = choice;
  if (differ.any())
    granularity =
        finer(choice, finer(a.agreement(differ), b.agreement(differ)));
  return perThread(blockSize, granularity, [&](unsigned thread) {
    return differ.test(thread) ? std::nullopt : a.at(thread);
  });
}

bool ThreadValue::operator==(const ThreadValue &other) const {
  if (empty != other.empty || granularity != other.granularity ||
      !known != !other.known)
    return false;
  return known == other.known || (known->mask == other.known->mask &&
                                  known->values == other.known->values);
}
