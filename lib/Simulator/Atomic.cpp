//===- Atomic.cpp - atom and red ------------------------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lanes act one after the other, the lowest first; between warps the order is
// that of the scheduler. Rounding: docs/numerics.md
//
//===----------------------------------------------------------------------===//

#include "Atomic.h"
#include "Decoder.h"
#include "Exec.h"
#include "TIRx/Simulator/FloatFormat.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"
#include <cstring>

using namespace tirx::sim;

using Op = AtomicOp;

template <class T> static T integerAtomic(Op op, T old, T b, T c) {
  switch (op) {
  case Op::Add:
    return T(uint64_t(old) + uint64_t(b));
  case Op::Min:
    return old < b ? old : b;
  case Op::Max:
    return old > b ? old : b;
  case Op::Inc:
    return old >= b ? 0 : old + 1;
  case Op::Dec:
    return old == 0 || old > b ? b : old - 1;
  case Op::And:
    return old & b;
  case Op::Or:
    return old | b;
  case Op::Xor:
    return old ^ b;
  case Op::Exch:
    return b;
  case Op::Cas:
    return old == b ? c : old;
  }
  return old;
}

static uint32_t addF32(uint32_t x, uint32_t y, bool flush) {
  auto flushed = [&](uint32_t bits) {
    return flush && !(bits & 0x7f800000) ? bits & 0x80000000 : bits;
  };
  float sum = bitsToFloat(flushed(x)) + bitsToFloat(flushed(y));
  return sum != sum ? kF32.nan : flushed(floatToBits(sum));
}

static uint32_t halfAtomic(Op op, uint32_t x, uint32_t y,
                           const FloatFormat &format) {
  double a = decodeFloat(x, format), b = decodeFloat(y, format);
  if (op == Op::Add)
    return encodeFloat(addRoundToOdd(a, b), format);
  if (std::isnan(a))
    return std::isnan(b) ? format.nan : y;
  if (std::isnan(b))
    return x;
  bool less = a < b || (a == b && std::signbit(a));
  return less == (op == Op::Min) ? x : y;
}

uint64_t tirx::sim::combineAtomic(AtomicOp op, Type type, uint64_t old,
                                  uint64_t b, uint64_t c, bool global) {
  switch (type) {
  case Type::S32:
    return uint32_t(integerAtomic<int32_t>(op, old, b, c));
  case Type::S64:
    return integerAtomic<int64_t>(op, old, b, c);
  case Type::U64:
  case Type::B64:
    return integerAtomic<uint64_t>(op, old, b, c);
  case Type::B16:
    return integerAtomic<uint16_t>(op, old, b, c);
  case Type::F32:
    return addF32(old, b, global);
  case Type::F64:
    // A NaN in global memory stays as it is, one in shared memory becomes quiet
    // (measured).
    if (std::isnan(llvm::bit_cast<double>(old)))
      return global ? old : old | uint64_t(1) << 51;
    return llvm::bit_cast<uint64_t>(llvm::bit_cast<double>(old) +
                                    llvm::bit_cast<double>(b));
  case Type::F16:
    return halfAtomic(op, old, b, kF16);
  case Type::BF16:
    return halfAtomic(op, old, b, kBF16);
  case Type::F16x2:
  case Type::BF16x2: {
    const FloatFormat &format = type == Type::F16x2 ? kF16 : kBF16;
    return halfAtomic(op, old & 0xffff, b & 0xffff, format) |
           uint64_t(
               halfAtomic(op, old >> 16 & 0xffff, b >> 16 & 0xffff, format))
               << 16;
  }
  default:
    return integerAtomic<uint32_t>(op, old, b, c);
  }
}

static uint64_t apply(const Inst &i, uint64_t old, uint64_t b, uint64_t c,
                      bool global) {
  return combineAtomic(Op(i.a), Type(i.d), old, b, c, global);
}

static uint64_t addressOf(Warp &w, const Inst &i, unsigned l) {
  uint64_t address = readLane(w, i, 0, l) + i.imm;
  return i.wide & 1 ? address : uint32_t(address);
}

/// atom: op[0] address, op[1] b, op[2] c, op[3] result or none.
/// Reductions of integers without a result are the one access to memory that
/// CTAs on several threads of the host race for (see ClusterOrder.cpp).
template <class T>
static uint64_t update(const Inst &i, uint8_t *data, uint64_t b, uint64_t c,
                       bool global, uint64_t &result) {
  auto *word = reinterpret_cast<T *>(data);
  T old = __atomic_load_n(word, __ATOMIC_RELAXED), next;
  do
    next = T(apply(i, old, b, c, global));
  while (!__atomic_compare_exchange_n(word, &old, next, /*weak=*/true,
                                      __ATOMIC_RELAXED, __ATOMIC_RELAXED));
  result = next;
  return old;
}

static uint64_t update(const Inst &i, uint8_t *data, uint64_t b, uint64_t c,
                       bool global, uint64_t &result) {
  switch (i.size) {
  case 2:
    return update<uint16_t>(i, data, b, c, global, result);
  case 4:
    return update<uint32_t>(i, data, b, c, global, result);
  default:
    return update<uint64_t>(i, data, b, c, global, result);
  }
}

static Step atomic(Warp &w, const Inst &i, uint32_t mask) {
  bool is64 = i.size == 8;
  auto word = [&](unsigned n, unsigned l) -> uint64_t {
    if (i.op[n] == kNoSlot)
      return 0;
    return is64 ? w.at<uint64_t>(i.op[n])[l] : w.at<uint32_t>(i.op[n])[l];
  };
  for (uint32_t rest = mask; rest; rest &= rest - 1) {
    unsigned l = llvm::countr_zero(rest);
    uint64_t address = addressOf(w, i, l);
    MemoryRef ref;
    if (!w.resolve(i, AddressSpace(i.space), address, i.size, l,
                   AccessKind::Atomic, ref) ||
        !w.checkWritten(i, ref, i.size, address, l))
      return Step::Fault;
    bool global = ref.store != &w.cta.shared;
    uint64_t result;
    uint64_t old = update(i, ref.data, word(1, l), word(2, l), global, result);
    ref.store->markWritten(ref.offset, i.size);
    // A lock that is not taken is no progress.
    if (old != result)
      ++w.cta.grid.progress;
    if (i.op[3] == kNoSlot)
      continue;
    if (is64)
      w.at<uint64_t>(i.op[3])[l] = old;
    else
      w.at<uint32_t>(i.op[3])[l] = uint32_t(old);
  }
  return Step::Next;
}

/// Elements of a vector, one after the other. Vector: the operand b, then as
/// many slots of results or none; op[0] address.
static Step vectorAtomic(Warp &w, const Inst &i, uint32_t mask) {
  unsigned bytes = i.size * i.vectorCount;
  const Slot *operand = w.cta.grid.kernel.slots.data() + i.vector;
  const Slot *result = w.cta.grid.kernel.slots.data() + i.imm2;
  for (uint32_t rest = mask; rest; rest &= rest - 1) {
    unsigned l = llvm::countr_zero(rest);
    uint64_t address = addressOf(w, i, l);
    MemoryRef ref;
    if (!w.resolve(i, AddressSpace(i.space), address, bytes, l,
                   AccessKind::Atomic, ref) ||
        !w.checkWritten(i, ref, bytes, address, l))
      return Step::Fault;
    bool global = ref.store != &w.cta.shared;
    for (unsigned n = 0; n < i.vectorCount; ++n) {
      uint32_t old = 0;
      std::memcpy(&old, ref.data + n * i.size, i.size);
      uint32_t next = apply(i, old, w.at<uint32_t>(operand[n])[l], 0, global);
      std::memcpy(ref.data + n * i.size, &next, i.size);
      if (i.b)
        w.at<uint32_t>(result[n])[l] = old;
    }
    ref.store->markWritten(ref.offset, bytes);
  }
  ++w.cta.grid.progress;
  return Step::Next;
}

/// exch and cas of 128 bits, whose registers have an upper half 32 words on.
static Step atomic128(Warp &w, const Inst &i, uint32_t mask) {
  struct Value {
    uint64_t half[2];
  };
  auto value = [&](unsigned n, unsigned l) {
    return Value{{w.at<uint64_t>(i.op[n])[l], w.at<uint64_t>(i.op[n])[l + 32]}};
  };
  for (uint32_t rest = mask; rest; rest &= rest - 1) {
    unsigned l = llvm::countr_zero(rest);
    uint64_t address = addressOf(w, i, l);
    MemoryRef ref;
    if (!w.resolve(i, AddressSpace(i.space), address, 16, l, AccessKind::Atomic,
                   ref) ||
        !w.checkWritten(i, ref, 16, address, l))
      return Step::Fault;
    Value old, b = value(1, l);
    std::memcpy(old.half, ref.data, 16);
    bool isEqual = old.half[0] == b.half[0] && old.half[1] == b.half[1];
    if (Op(i.a) == Op::Exch || isEqual) {
      Value next = Op(i.a) == Op::Exch ? b : value(2, l);
      w.cta.grid.progress += std::memcmp(next.half, old.half, 16) != 0;
      std::memcpy(ref.data, next.half, 16);
      ref.store->markWritten(ref.offset, 16);
    }
    w.at<uint64_t>(i.op[3])[l] = old.half[0];
    w.at<uint64_t>(i.op[3])[l + 32] = old.half[1];
  }
  return Step::Next;
}

static void decodeVectorAtomic(InstDecoder &d, Inst &i, Type type,
                               bool hasResult) {
  unsigned first = hasResult ? 1 : 0;
  d.accept({"v2", "v4", "v8"});
  unsigned count = d.vectorSize(first + 1);
  if (bitsOf(type) > 32 || (hasResult && d.vectorSize(0) != count) ||
      !llvm::isPowerOf2_32(count * i.size) || count * i.size > 16)
    return d.fail("this form of an atomic operation has no model");
  if (hasResult) {
    Inst results;
    d.vector(results, 0, type, /*isDst=*/true);
    i.imm2 = results.vector;
  }
  d.vector(i, first + 1, type, /*isDst=*/false);
  i.b = hasResult;
  i.fn = vectorAtomic;
}

static void decodeAtomic(InstDecoder &d, Inst &i, bool hasResult) {
  std::optional<Op> op;
  for (llvm::StringRef modifier : d.modifiers()) {
    if (op)
      break;
    op = llvm::StringSwitch<std::optional<Op>>(modifier)
             .Case("add", Op::Add)
             .Case("min", Op::Min)
             .Case("max", Op::Max)
             .Case("inc", Op::Inc)
             .Case("dec", Op::Dec)
             .Case("and", Op::And)
             .Case("or", Op::Or)
             .Case("xor", Op::Xor)
             .Case("exch", Op::Exch)
             .Case("cas", Op::Cas)
             .Default(std::nullopt);
    if (op)
      d.accept(modifier);
  }
  d.accept("noftz");
  Type type = d.type();
  unsigned first = hasResult ? 1 : 0;
  if (!op)
    return d.fail("expected an operation such as .add");
  bool isMove = *op == Op::Exch || *op == Op::Cas;
  if ((bitsOf(type) == 128 && !isMove) ||
      ((type == Type::F32 || type == Type::F64) && *op != Op::Add))
    return d.fail("this form of an atomic operation has no model");
  i.a = uint8_t(*op);
  i.d = uint8_t(type);
  i.size = bitsOf(type) / 8;
  i.space = uint8_t(spaceOf(d));
  d.address(i, 0, first);
  if (d.isVector(first + 1))
    return decodeVectorAtomic(d, i, type, hasResult);
  i.op[1] = d.src(first + 1, type);
  if (*op == Op::Cas)
    i.op[2] = d.src(first + 2, type);
  if (hasResult)
    i.op[3] = d.dst(0, type);
  i.fn = bitsOf(type) == 128 ? atomic128 : atomic;
}

void tirx::sim::addAtomicModels(ModelTable &table) {
  table["atom"] = [](InstDecoder &d, Inst &i) { decodeAtomic(d, i, true); };
  table["red"] = [](InstDecoder &d, Inst &i) { decodeAtomic(d, i, false); };
}
