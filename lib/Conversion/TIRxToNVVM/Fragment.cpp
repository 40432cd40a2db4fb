//===- Fragment.cpp - a tile spread over the registers of threads
//-----------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fragment.h"
#include "BufferRef.h"
#include "RegisterRow.h"
#include "TIRx/Layout/Text.h"

using namespace mlir;

namespace tirx {

static BufferType typeOf(Value buffer) {
  return cast<BufferType>(buffer.getType());
}

/// The id that counts on an axis, and how many values it has in the block.
static std::optional<std::pair<IdKind, int64_t>>
idOf(Axis axis, const DispatchContext &context) {
  StringRef name = axis.getName();
  int64_t all = context.numThreads();
  if (name == "laneid")
    return std::make_pair(IdKind::LaneId, int64_t(32));
  if (name == "wid_in_wg")
    return std::make_pair(IdKind::WarpIdInWg, int64_t(4));
  if (name == "tid_in_wg")
    return std::make_pair(IdKind::ThreadIdInWg, int64_t(128));
  if (name == "warpid")
    return std::make_pair(IdKind::WarpId, all / 32);
  if (name == "wgid")
    return std::make_pair(IdKind::WarpgroupId, all / 128);
  if (name == "tx")
    return std::make_pair(IdKind::ThreadId, all);
  return std::nullopt;
}

static IdKind idKindOf(Axis axis) {
  return idOf(axis, DispatchContext{getTargets().front(), {1, 1, 1}})->first;
}

void Fragment::addIter(const Iter &iter, unsigned dim, int64_t weight) {
  if (iter.extent == 1)
    return;
  Digit digit{dim, iter.extent, iter.stride, weight};
  if (!iter.axis.isThread()) {
    registers.push_back(digit);
    return;
  }
  for (ThreadAxis &thread : threads)
    if (thread.axis == iter.axis)
      return thread.digits.push_back(digit);
  ThreadAxis thread;
  thread.axis = iter.axis;
  thread.digits.push_back(digit);
  threads.push_back(std::move(thread));
}

LogicalResult Fragment::collect(StringRef name, Reasons &reasons) {
  BufferType type = typeOf(buffer);
  Layout layout = type.getLayout();
  if (!layout.isTile())
    return reasons.decline(buffer, name + " has a swizzle, but registers have "
                                          "no addresses");
  const TileLayout &tile = *layout.getTile();
  auto grouped = group(tile, type.getShape());
  if (!grouped)
    return reasons.decline(buffer,
                           name + ": " + llvm::toString(grouped.takeError()));
  for (auto [dim, iters] : llvm::enumerate(*grouped)) {
    int64_t weight = type.getShape()[dim];
    for (const Iter &iter : iters) {
      weight /= iter.extent;
      addIter(iter, dim, weight);
    }
  }
  for (const Iter &iter : tile.getReplica()) {
    if (!iter.axis.isThread())
      return reasons.decline(buffer, name + " has replicas in the registers of "
                                            "one thread");
    addIter(iter, kReplica, 0);
  }
  for (const AxisOffset &offset : tile.getOffset()) {
    if (!offset.axis.isThread())
      continue;
    auto *known = llvm::find_if(
        threads, [&](const ThreadAxis &t) { return t.axis == offset.axis; });
    if (known == threads.end()) {
      threads.emplace_back();
      known = &threads.back();
      known->axis = offset.axis;
    }
    known->offset = offset.value;
  }
  return success();
}

/// Digits of an id are found by division where each stride is a multiple of all
/// that is below it.
LogicalResult Fragment::orderThreads(const DispatchContext &context,
                                     StringRef name, Reasons &reasons) {
  for (ThreadAxis &thread : threads) {
    auto id = idOf(thread.axis, context);
    if (!id)
      return reasons.decline(buffer, name + " is spread over '" +
                                         thread.axis.getName() +
                                         "', which counts no threads of a "
                                         "block");
    thread.size = id->second;
    llvm::stable_sort(thread.digits, [](const Digit &a, const Digit &b) {
      return a.stride < b.stride;
    });
    int64_t below = 1;
    for (const Digit &digit : thread.digits) {
      if (digit.stride < 1 || digit.stride % below != 0)
        return reasons.decline(
            buffer, "expected steps of " + name + " on '" +
                        thread.axis.getName() +
                        "' that are multiples of the ones below, got " +
                        Twine(digit.stride) + " above " + Twine(below));
      below = digit.stride * digit.extent;
    }
  }
  return success();
}

FailureOr<Fragment> Fragment::get(Value buffer, StringRef name, Scope scope,
                                  const DispatchContext &context,
                                  Reasons &reasons) {
  Fragment fragment;
  fragment.buffer = buffer;
  BufferType type = typeOf(buffer);
  fragment.rank = type.getRank();
  std::string why;
  auto ref = traceBuffer(buffer, why);
  if (failed(ref))
    return reasons.decline(buffer, name + ": " + why);
  if (!ref->offsets.empty())
    return reasons.decline(buffer, name + " has dynamic offsets, but registers "
                                          "have no addresses");
  Layout layout = type.getLayout();
  auto threads = getScope(layout);
  if (!threads)
    return reasons.decline(buffer,
                           name + ": " + llvm::toString(threads.takeError()));
  ThreadScope wanted{"thread", stringifyScope(scope)};
  if (!*threads || !(**threads == wanted))
    return reasons.decline(
        buffer, "expected " + name + " spread over the threads of a " +
                    wanted.scope + ", the scope, got " + toString(layout));
  if (failed(fragment.collect(name, reasons)) ||
      failed(fragment.orderThreads(context, name, reasons)))
    return failure();
  Layout storage = getStorage(layout);
  Span span = storage.getSpan(memoryAxis());
  fragment.numRegisters = span.size();
  if (storage.getSize().value_or(0) != span.size() || !isInjective(storage))
    return reasons.decline(buffer, "expected the registers of " + name +
                                       " side by side, got " +
                                       toString(storage));
  return fragment;
}

Value Fragment::getId(OpBuilder &builder, Location loc,
                      const ThreadAxis &axis) const {
  IndexMath math(builder, loc, builder.getIndexType());
  Value id = IdOp::create(builder, loc, idKindOf(axis.axis));
  return axis.offset ? math.add(id, math.constant(-axis.offset)) : id;
}

static Value digitOf(IndexMath &math, Value id, int64_t stride, int64_t extent,
                     bool isLast) {
  Value digit = math.div(id, stride);
  return isLast ? digit : math.rem(digit, extent);
}

SmallVector<Value> Fragment::threadIndices(OpBuilder &builder,
                                           Location loc) const {
  IndexMath math(builder, loc, builder.getIndexType());
  SmallVector<Value> indices(rank, math.constant(0));
  for (const ThreadAxis &thread : threads) {
    Value id = getId(builder, loc, thread);
    for (const Digit &digit : thread.digits) {
      if (digit.dim == kReplica)
        continue;
      bool isLast = &digit == &thread.digits.back();
      Value value = digitOf(math, id, digit.stride, digit.extent, isLast);
      indices[digit.dim] =
          math.add(indices[digit.dim], math.mul(value, digit.weight));
    }
  }
  return indices;
}

Value Fragment::holdsElements(OpBuilder &builder, Location loc,
                              bool once) const {
  IndexMath math(builder, loc, builder.getIndexType());
  Value all;
  auto require = [&](arith::CmpIPredicate predicate, Value value,
                     int64_t bound) {
    Value holds = arith::CmpIOp::create(builder, loc, predicate, value,
                                        math.constant(bound));
    all = all ? arith::AndIOp::create(builder, loc, all, holds) : holds;
  };
  for (const ThreadAxis &thread : threads) {
    Value id = getId(builder, loc, thread);
    int64_t below = 1;
    for (const Digit &digit : thread.digits) {
      // Ids between two steps hold nothing.
      if (digit.stride != below)
        require(arith::CmpIPredicate::eq,
                math.rem(math.div(id, below), digit.stride / below), 0);
      if (once && digit.dim == kReplica)
        require(arith::CmpIPredicate::eq,
                digitOf(math, id, digit.stride, digit.extent,
                        &digit == &thread.digits.back()),
                0);
      below = digit.stride * digit.extent;
    }
    if (thread.offset != 0 || below != thread.size)
      require(arith::CmpIPredicate::ult, id, below);
  }
  return all;
}

int64_t Fragment::getVector(unsigned dim, int64_t limit) const {
  const Digit *run = nullptr;
  for (const Digit &digit : registers)
    if (digit.dim == dim && digit.stride == 1 && digit.weight == 1)
      run = &digit;
  if (!run)
    return 1;
  int64_t vector = llvm::bit_floor(uint64_t(limit));
  vector = std::gcd(vector, run->extent);
  for (const Digit &digit : registers)
    if (&digit != run)
      vector = std::gcd(vector, digit.stride);
  return vector;
}

SmallVector<Fragment::Register> Fragment::getRegisters(unsigned dim,
                                                       int64_t vector) const {
  SmallVector<Register> result(1);
  result.front().indices.assign(rank, 0);
  for (const Digit &digit : registers) {
    int64_t step =
        digit.dim == dim && digit.stride == 1 && digit.weight == 1 ? vector : 1;
    SmallVector<Register> next;
    for (const Register &base : result)
      for (int64_t i = 0; i < digit.extent; i += step) {
        Register copy = base;
        copy.number += i * digit.stride;
        copy.indices[digit.dim] += i * digit.weight;
        next.push_back(std::move(copy));
      }
    result = std::move(next);
  }
  return result;
}

Value Fragment::getRow(OpBuilder &builder, Location loc) const {
  return getRegisterRow(builder, loc, buffer);
}

} // namespace tirx
