//===- Exec.h - loops over the lanes of a warp ------------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How instructions reach their operands: typed views of register slots, and
// loops over lanes with a fast path for full warps that compilers vectorise.
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_LIB_SIMULATOR_EXEC_H
#define TIRX_LIB_SIMULATOR_EXEC_H

#include "Decoder.h"
#include "GridDependency.h"
#include "Machine.h"
#include "llvm/ADT/bit.h"
#include <type_traits>

TIRX_SIMD_BEGIN
namespace tirx::sim {
inline namespace TIRX_SIMD_NAMESPACE {

/// How a value of type T lies in a register: everything up to 32 bits takes a
/// 32-bit word, zero-extended.
template <class T> struct Reg {
  using Storage = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;
  static T get(Storage s) {
    if constexpr (std::is_floating_point_v<T>)
      return llvm::bit_cast<T>(s);
    else
      return static_cast<T>(s);
  }
  static Storage put(T value) {
    if constexpr (std::is_floating_point_v<T>)
      return llvm::bit_cast<Storage>(value);
    else
      return static_cast<std::make_unsigned_t<T>>(value);
  }
};

inline constexpr uint32_t kFullMask = ~0u;

template <class F> inline void forLanes(uint32_t mask, F f) {
  if (mask == kFullMask) {
    // A loop that was unrolled is not vectorised any more.
#pragma clang loop unroll(disable)
    for (unsigned lane = 0; lane < 32; ++lane)
      f(lane);
    return;
  }
  for (; mask; mask &= mask - 1)
    f(llvm::countr_zero(mask));
}

/// The same where a lane reads and writes its own elements only. Registers are
/// equal or apart, so that lanes may go in any order.
template <class F> inline void mapLanes(uint32_t mask, F f) {
  if (mask == kFullMask) {
#pragma clang loop vectorize(assume_safety) unroll(disable)
    for (unsigned lane = 0; lane < 32; ++lane)
      f(lane);
    return;
  }
  for (; mask; mask &= mask - 1)
    f(llvm::countr_zero(mask));
}

template <class D, class A, class F>
inline Step map1(Warp &w, const Inst &i, uint32_t mask, F f) {
  auto *d = w.at<typename Reg<D>::Storage>(i.op[0]);
  auto *a = w.at<typename Reg<A>::Storage>(i.op[1]);
  mapLanes(mask, [&](unsigned l) { d[l] = Reg<D>::put(f(Reg<A>::get(a[l]))); });
  return Step::Next;
}

template <class D, class A, class B, class F>
inline Step map2(Warp &w, const Inst &i, uint32_t mask, F f) {
  auto *d = w.at<typename Reg<D>::Storage>(i.op[0]);
  auto *a = w.at<typename Reg<A>::Storage>(i.op[1]);
  auto *b = w.at<typename Reg<B>::Storage>(i.op[2]);
  mapLanes(mask, [&](unsigned l) {
    d[l] = Reg<D>::put(f(Reg<A>::get(a[l]), Reg<B>::get(b[l])));
  });
  return Step::Next;
}

template <class D, class A, class B, class C, class F>
inline Step map3(Warp &w, const Inst &i, uint32_t mask, F f) {
  auto *d = w.at<typename Reg<D>::Storage>(i.op[0]);
  auto *a = w.at<typename Reg<A>::Storage>(i.op[1]);
  auto *b = w.at<typename Reg<B>::Storage>(i.op[2]);
  auto *c = w.at<typename Reg<C>::Storage>(i.op[3]);
  mapLanes(mask, [&](unsigned l) {
    d[l] =
        Reg<D>::put(f(Reg<A>::get(a[l]), Reg<B>::get(b[l]), Reg<C>::get(c[l])));
  });
  return Step::Next;
}

/// Bits of lane `l` of operand `n`, which may be wider than the type.
inline uint64_t readLane(Warp &w, const Inst &i, unsigned n, unsigned l) {
  if (i.wide >> n & 1)
    return w.at<uint64_t>(i.op[n])[l];
  return w.at<uint32_t>(i.op[n])[l];
}
inline void writeLane(Warp &w, const Inst &i, unsigned n, unsigned l,
                      uint64_t value) {
  if (i.wide >> n & 1)
    w.at<uint64_t>(i.op[n])[l] = value;
  else
    w.at<uint32_t>(i.op[n])[l] = uint32_t(value);
}

/// The address of operand `n` in lane `l`, `offset` bytes on; 32-bit addresses
/// wrap.
inline uint64_t laneAddress(Warp &w, const Inst &i, unsigned n, unsigned l,
                            int64_t offset) {
  uint64_t address = readLane(w, i, n, l) + offset;
  return i.wide >> n & 1 ? address : uint32_t(address);
}

/// Sets the bits of `mask` in a predicate register to those of `value`.
inline void setPredicate(Warp &w, Slot slot, uint32_t mask, uint32_t value) {
  if (slot == kNoSlot)
    return;
  uint32_t &p = w.predicate(slot);
  p = (p & ~mask) | (value & mask);
}

/// The value of an operand that must be the same in all active lanes, or
/// nothing (reported) when it differs.
template <class T>
inline bool readUniform(Warp &w, const Inst &i, unsigned n, uint32_t mask,
                        const char *what, T &value) {
  using S = typename Reg<T>::Storage;
  S first = w.at<S>(i.op[n])[llvm::countr_zero(mask)];
  bool same = true;
  forLanes(mask, [&](unsigned l) { same &= w.at<S>(i.op[n])[l] == first; });
  value = Reg<T>::get(first);
  if (!same)
    w.fault(i, llvm::countr_zero(mask), "R28",
            llvm::Twine("expected one value of the ") + what +
                " in all lanes of the warp, got different ones");
  return same;
}

} // namespace TIRX_SIMD_NAMESPACE
TIRX_SIMD_END

/// Lanes have synchronised with others: what a later proxy fence publishes.
inline void noteSync(Warp &w, uint32_t lanes, SyncReach reach) {
  joinGridWait(w);
  if (ProxyTracker *proxy = w.cta.engine->proxy())
    proxy->synchronise(w.cta.rank, w.index, lanes, reach);
}

/// The state space among the modifiers.
AddressSpace spaceOf(InstDecoder &decoder);

/// The CTA and offset of the shared address of a barrier, or a report (false).
bool locateBarrier(Warp &warp, const Inst &inst, unsigned lane,
                   uint64_t address, Cta *&cta, uint32_t &offset);
/// A live barrier, or a report (null).
MBarrier *findBarrier(Warp &warp, const Inst &inst, unsigned lane,
                      uint64_t address, Cta *&cta, uint32_t &offset);

} // namespace tirx::sim

#endif // TIRX_LIB_SIMULATOR_EXEC_H
