//===- ThreadTransfer.cpp - what an op computes, for each thread ----------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Integers are kept sign-extended from their width, `index` has 64 bits. An op
// that is not listed, has no memory effects and is not told apart by its
// threads gives what its operands agree on.
//
//===----------------------------------------------------------------------===//

#include "ThreadTransfer.h"
#include "TIRx/Dialect/TIRx/IR/TIRxOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tirx;

/// Bits of an integer that the analysis follows; 0 for other types.
static unsigned bitsOf(Type type) {
  if (isa<IndexType>(type))
    return 64;
  auto integer = dyn_cast<IntegerType>(type);
  return integer && integer.getWidth() <= 64 ? integer.getWidth() : 0;
}

static int64_t signExtend(uint64_t value, unsigned bits) {
  return bits >= 64 ? static_cast<int64_t>(value)
                    : static_cast<int64_t>(value << (64 - bits)) >> (64 - bits);
}

static uint64_t zeroExtend(int64_t value, unsigned bits) {
  return bits >= 64 ? static_cast<uint64_t>(value)
                    : static_cast<uint64_t>(value) & ((1ull << bits) - 1);
}

/// Linear number of a thread to its place in the block, x fastest.
static unsigned coordinate(unsigned thread, BlockShape shape,
                           gpu::Dimension dim) {
  switch (dim) {
  case gpu::Dimension::x:
    return thread % shape.x;
  case gpu::Dimension::y:
    return thread / shape.x % shape.y;
  case gpu::Dimension::z:
    return thread / shape.x / shape.y;
  }
  llvm_unreachable("unknown dimension");
}

static unsigned extent(BlockShape shape, gpu::Dimension dim) {
  return dim == gpu::Dimension::x   ? shape.x
         : dim == gpu::Dimension::y ? shape.y
                                    : shape.z;
}

//===----------------------------------------------------------------------===//
// Arithmetic on known integers
//===----------------------------------------------------------------------===//

using MaybeInt = std::optional<int64_t>;

static bool compare(arith::CmpIPredicate predicate, int64_t a, int64_t b,
                    unsigned bits) {
  uint64_t ua = zeroExtend(a, bits), ub = zeroExtend(b, bits);
  switch (predicate) {
  case arith::CmpIPredicate::eq:
    return a == b;
  case arith::CmpIPredicate::ne:
    return a != b;
  case arith::CmpIPredicate::slt:
    return a < b;
  case arith::CmpIPredicate::sle:
    return a <= b;
  case arith::CmpIPredicate::sgt:
    return a > b;
  case arith::CmpIPredicate::sge:
    return a >= b;
  case arith::CmpIPredicate::ult:
    return ua < ub;
  case arith::CmpIPredicate::ule:
    return ua <= ub;
  case arith::CmpIPredicate::ugt:
    return ua > ub;
  case arith::CmpIPredicate::uge:
    return ua >= ub;
  }
  llvm_unreachable("unknown predicate");
}

/// Signed division is undefined for 0 and for the one overflow.
static bool dividesSigned(int64_t a, int64_t b) {
  return b != 0 && !(b == -1 && a == INT64_MIN);
}

static int64_t divideFloor(int64_t a, int64_t b) {
  int64_t quotient = a / b;
  return quotient - (a % b != 0 && ((a < 0) != (b < 0)));
}

static int64_t divideCeil(int64_t a, int64_t b) {
  int64_t quotient = a / b;
  return quotient + (a % b != 0 && ((a < 0) == (b < 0)));
}

/// `op` of two known integers of `bits` bits, before truncation; no value where
/// the result is undefined or the op is not followed.
static MaybeInt evaluateBinary(Operation *op, int64_t a, int64_t b,
                               unsigned bits) {
  uint64_t ua = zeroExtend(a, bits), ub = zeroExtend(b, bits);
  bool shifts = ub < bits;
  auto when = [](bool defined, auto &&compute) -> MaybeInt {
    if (!defined)
      return std::nullopt;
    return static_cast<int64_t>(compute());
  };
  return TypeSwitch<Operation *, MaybeInt>(op)
      .Case([&](arith::AddIOp) { return int64_t(ua + ub); })
      .Case([&](arith::SubIOp) { return int64_t(ua - ub); })
      .Case([&](arith::MulIOp) { return int64_t(ua * ub); })
      .Case([&](arith::AndIOp) { return a & b; })
      .Case([&](arith::OrIOp) { return a | b; })
      .Case([&](arith::XOrIOp) { return a ^ b; })
      .Case([&](arith::DivUIOp) {
        return when(ub != 0, [&] { return ua / ub; });
      })
      .Case([&](arith::RemUIOp) {
        return when(ub != 0, [&] { return ua % ub; });
      })
      .Case([&](arith::CeilDivUIOp) {
        return when(ub != 0, [&] { return ua / ub + (ua % ub != 0); });
      })
      .Case([&](arith::DivSIOp) {
        return when(dividesSigned(a, b), [&] { return a / b; });
      })
      .Case([&](arith::RemSIOp) {
        return when(dividesSigned(a, b), [&] { return a % b; });
      })
      .Case([&](arith::FloorDivSIOp) {
        return when(dividesSigned(a, b), [&] { return divideFloor(a, b); });
      })
      .Case([&](arith::CeilDivSIOp) {
        return when(dividesSigned(a, b), [&] { return divideCeil(a, b); });
      })
      .Case(
          [&](arith::ShLIOp) { return when(shifts, [&] { return ua << ub; }); })
      .Case([&](arith::ShRUIOp) {
        return when(shifts, [&] { return ua >> ub; });
      })
      .Case(
          [&](arith::ShRSIOp) { return when(shifts, [&] { return a >> ub; }); })
      .Case([&](arith::MinSIOp) { return std::min(a, b); })
      .Case([&](arith::MaxSIOp) { return std::max(a, b); })
      .Case([&](arith::MinUIOp) { return int64_t(std::min(ua, ub)); })
      .Case([&](arith::MaxUIOp) { return int64_t(std::max(ua, ub)); })
      .Default([](Operation *) { return MaybeInt(); });
}

/// Results that one known operand decides: `x & 0`, `x | -1`, `x * 0`.
static MaybeInt evaluateAbsorbing(Operation *op, MaybeInt a, MaybeInt b) {
  auto is = [&](int64_t value) { return a == value || b == value; };
  if (isa<arith::AndIOp, arith::MulIOp>(op) && is(0))
    return 0;
  if (isa<arith::OrIOp>(op) && is(-1))
    return -1;
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Ids
//===----------------------------------------------------------------------===//

/// A coordinate of the thread, or a value that the whole CTA shares.
static ThreadValue evaluateId(IdKind kind, unsigned size) {
  auto perThread = [&](auto value) {
    return ThreadValue::perThread(size, Granularity::Grid, [&](unsigned t) {
      return std::optional<int64_t>(value(t));
    });
  };
  switch (kind) {
  case IdKind::LaneId:
    return perThread([](unsigned t) { return t % 32; });
  case IdKind::WarpId:
    return perThread([](unsigned t) { return t / 32; });
  case IdKind::WarpIdInWg:
    return perThread([](unsigned t) { return t / 32 % 4; });
  case IdKind::WarpgroupId:
    return perThread([](unsigned t) { return t / 128; });
  case IdKind::ThreadId:
    return perThread([](unsigned t) { return t; });
  case IdKind::ThreadIdInWg:
    return perThread([](unsigned t) { return t % 128; });
  case IdKind::ClusterIdX:
  case IdKind::ClusterIdY:
  case IdKind::ClusterIdZ:
    return ThreadValue::unknown(Granularity::Cluster);
  case IdKind::CtaIdX:
  case IdKind::CtaIdY:
  case IdKind::CtaIdZ:
  case IdKind::CtaIdInCluster:
    return ThreadValue::unknown(Granularity::Cta);
  }
  llvm_unreachable("unknown id");
}

/// Special registers of the nvvm dialect, by name: its header is expensive.
static ThreadValue evaluateSpecialRegister(StringRef name, BlockShape shape) {
  unsigned size = shape.size();
  auto along = [&](gpu::Dimension dim) {
    return ThreadValue::perThread(size, Granularity::Grid, [&](unsigned t) {
      return std::optional<int64_t>(coordinate(t, shape, dim));
    });
  };
  if (name == "tid.x")
    return along(gpu::Dimension::x);
  if (name == "tid.y")
    return along(gpu::Dimension::y);
  if (name == "tid.z")
    return along(gpu::Dimension::z);
  if (name == "laneid")
    return evaluateId(IdKind::LaneId, size);
  if (name == "ntid.x")
    return ThreadValue::constant(size, shape.x);
  if (name == "ntid.y")
    return ThreadValue::constant(size, shape.y);
  if (name == "ntid.z")
    return ThreadValue::constant(size, shape.z);
  if (name.starts_with("ctaid") || name.starts_with("cluster.ctaid") ||
      name.starts_with("cluster.ctarank"))
    return ThreadValue::unknown(Granularity::Cta);
  if (name.starts_with("clusterid"))
    return ThreadValue::unknown(Granularity::Cluster);
  if (name.starts_with("nctaid") || name.starts_with("nclusterid") ||
      name.starts_with("cluster.nctaid") ||
      name.starts_with("cluster.nctarank"))
    return ThreadValue::unknown(Granularity::Grid);
  return ThreadValue::unknown(Granularity::Thread);
}

/// The lowest lane of each warp that takes part.
static ThreadValue evaluateElect(const ActiveThreads &active) {
  if (active.uncertainty == Granularity::Thread)
    return ThreadValue::unknown(Granularity::Thread);
  unsigned size = active.threads.size();
  llvm::BitVector leaders(size);
  for (unsigned warp = 0; warp < size; warp += 32) {
    int leader = warp == 0 ? active.threads.find_first()
                           : active.threads.find_next(warp - 1);
    if (leader >= 0 && unsigned(leader) / 32 == warp / 32)
      leaders.set(leader);
  }
  return ThreadValue::perThread(size, Granularity::Grid, [&](unsigned t) {
    return std::optional<int64_t>(leaders.test(t) ? -1 : 0);
  });
}

//===----------------------------------------------------------------------===//
// The op
//===----------------------------------------------------------------------===//

namespace {
/// Evaluates one op; see `transfer::evaluate`.
class Evaluator {
public:
  Evaluator(BlockShape shape, const ActiveThreads &active,
            function_ref<ThreadValue(Value)> valueOf)
      : shape(shape), size(shape.size()), active(active), valueOf(valueOf) {}

  ThreadValue run(OpResult result);

private:
  using Compute = function_ref<MaybeInt(unsigned thread)>;

  /// Known where `compute` says so; elsewhere what the operands agree on there.
  ThreadValue combine(Operation *op, Compute compute);
  ThreadValue binary(Operation *op);
  ThreadValue compareInts(arith::CmpIOp op);
  ThreadValue select(arith::SelectOp op);
  ThreadValue convert(Operation *op);
  ThreadValue memory(Operation *op);
  std::optional<ThreadValue> warpInstruction(OpResult result);
  bool isLaneShared(PtxOp op);
  std::optional<ThreadValue> gpuId(Operation *op);
  Granularity agreement(Operation *op, const llvm::BitVector &threads);

  BlockShape shape;
  unsigned size;
  const ActiveThreads &active;
  function_ref<ThreadValue(Value)> valueOf;
};
} // namespace

Granularity Evaluator::agreement(Operation *op,
                                 const llvm::BitVector &threads) {
  Granularity result = Granularity::Grid;
  for (Value operand : op->getOperands())
    result = finer(result, valueOf(operand).agreement(threads));
  return result;
}

ThreadValue Evaluator::combine(Operation *op, Compute compute) {
  llvm::BitVector unknown(size);
  std::vector<int64_t> values(size);
  for (unsigned thread = 0; thread < size; ++thread) {
    if (MaybeInt value = compute(thread))
      values[thread] = *value;
    else
      unknown.set(thread);
  }
  // What threads that never get here would compute does not matter.
  llvm::BitVector relevant = unknown;
  relevant &= active.threads;
  Granularity granularity =
      relevant.any() ? agreement(op, relevant) : Granularity::Grid;
  return ThreadValue::perThread(size, granularity, [&](unsigned thread) {
    return unknown.test(thread) ? MaybeInt() : MaybeInt(values[thread]);
  });
}

ThreadValue Evaluator::binary(Operation *op) {
  unsigned bits = bitsOf(op->getResult(0).getType());
  ThreadValue a = valueOf(op->getOperand(0)), b = valueOf(op->getOperand(1));
  return combine(op, [&](unsigned thread) -> MaybeInt {
    MaybeInt left = a.at(thread), right = b.at(thread), value;
    if (left && right)
      value = evaluateBinary(op, *left, *right, bits);
    if (!value)
      value = evaluateAbsorbing(op, left, right);
    if (!value)
      return std::nullopt;
    return signExtend(*value, bits);
  });
}

ThreadValue Evaluator::compareInts(arith::CmpIOp op) {
  unsigned bits = bitsOf(op.getLhs().getType());
  ThreadValue a = valueOf(op.getLhs()), b = valueOf(op.getRhs());
  return combine(op, [&](unsigned thread) -> MaybeInt {
    MaybeInt left = a.at(thread), right = b.at(thread);
    if (!left || !right)
      return std::nullopt;
    return compare(op.getPredicate(), *left, *right, bits) ? -1 : 0;
  });
}

ThreadValue Evaluator::select(arith::SelectOp op) {
  ThreadValue condition = valueOf(op.getCondition());
  ThreadValue a = valueOf(op.getTrueValue()), b = valueOf(op.getFalseValue());
  return combine(op, [&](unsigned thread) -> MaybeInt {
    MaybeInt choice = condition.at(thread);
    if (choice)
      return *choice ? a.at(thread) : b.at(thread);
    return a.at(thread) == b.at(thread) ? a.at(thread) : std::nullopt;
  });
}

ThreadValue Evaluator::convert(Operation *op) {
  unsigned from = bitsOf(op->getOperand(0).getType());
  unsigned to = bitsOf(op->getResult(0).getType());
  bool unsignedSource = isa<arith::ExtUIOp, arith::IndexCastUIOp>(op);
  ThreadValue source = valueOf(op->getOperand(0));
  return combine(op, [&](unsigned thread) -> MaybeInt {
    MaybeInt value = source.at(thread);
    if (!value || !from || !to)
      return std::nullopt;
    return signExtend(unsignedSource ? zeroExtend(*value, from)
                                     : static_cast<uint64_t>(*value),
                      to);
  });
}

/// What is read from an address that threads share is the same for all of them.
/// Registers and stack slots are not shared: their allocations give a value
/// that differs between threads, and so do their addresses.
ThreadValue Evaluator::memory(Operation *op) {
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  bool onlyReads = effects && op->getNumRegions() == 0 &&
                   effects.onlyHasEffect<MemoryEffects::Read>();
  return ThreadValue::unknown(onlyReads ? agreement(op, active.threads)
                                        : Granularity::Thread);
}

/// Instructions by which a warp agrees on something.
std::optional<ThreadValue> Evaluator::warpInstruction(OpResult result) {
  auto ptxOp = dyn_cast<PtxOp>(result.getOwner());
  if (!ptxOp || active.uncertainty == Granularity::Thread)
    return std::nullopt;
  StringRef text = ptxOp.getInstruction();
  if (text.starts_with("elect.sync")) {
    bool isPredicate = result.getType().isInteger(1);
    return isPredicate && !ptxOp.getPredicate()
               ? evaluateElect(active)
               : ThreadValue::unknown(Granularity::Warp);
  }
  bool agrees = text.starts_with("vote.sync") ||
                text.starts_with("redux.sync") ||
                (text.starts_with("shfl.sync.idx") && isLaneShared(ptxOp));
  if (agrees && !ptxOp.getPredicate())
    return ThreadValue::unknown(Granularity::Warp);
  return std::nullopt;
}

/// shfl.sync.idx d, a, lane, clamp, mask: all lanes read one where the warp
/// agrees on `lane` and the clamp divides it into no segments (31).
bool Evaluator::isLaneShared(PtxOp op) {
  if (op.getInputs().size() != 4)
    return false;
  ThreadValue lane = valueOf(op.getInputs()[1]);
  ThreadValue clamp = valueOf(op.getInputs()[2]);
  return lane.agreement(active.threads) <= Granularity::Warp &&
         llvm::all_of(active.threads.set_bits(),
                      [&](unsigned thread) { return clamp.at(thread) == 31; });
}

std::optional<ThreadValue> Evaluator::gpuId(Operation *op) {
  auto along = [&](gpu::Dimension dim) {
    return ThreadValue::perThread(size, Granularity::Grid, [&](unsigned t) {
      return MaybeInt(coordinate(t, shape, dim));
    });
  };
  if (auto id = dyn_cast<gpu::ThreadIdOp>(op))
    return along(id.getDimension());
  if (auto dim = dyn_cast<gpu::BlockDimOp>(op))
    return ThreadValue::constant(size, extent(shape, dim.getDimension()));
  if (isa<gpu::LaneIdOp>(op))
    return evaluateId(IdKind::LaneId, size);
  if (isa<gpu::SubgroupIdOp>(op))
    return evaluateId(IdKind::WarpId, size);
  if (isa<gpu::NumSubgroupsOp>(op))
    return ThreadValue::constant(size, (size + 31) / 32);
  if (isa<gpu::SubgroupSizeOp>(op))
    return ThreadValue::constant(size, 32);
  if (isa<gpu::BlockIdOp, gpu::ClusterBlockIdOp>(op))
    return ThreadValue::unknown(Granularity::Cta);
  if (isa<gpu::ClusterIdOp>(op))
    return ThreadValue::unknown(Granularity::Cluster);
  if (isa<gpu::GridDimOp, gpu::ClusterDimOp, gpu::ClusterDimBlocksOp>(op))
    return ThreadValue::unknown(Granularity::Grid);
  return std::nullopt;
}

ThreadValue Evaluator::run(OpResult result) {
  Operation *op = result.getOwner();
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    auto value = dyn_cast<IntegerAttr>(constant.getValue());
    unsigned bits = bitsOf(result.getType());
    return value && bits
               ? ThreadValue::constant(
                     size, signExtend(value.getValue().getZExtValue(), bits))
               : ThreadValue::unknown(Granularity::Grid);
  }
  if (auto id = dyn_cast<IdOp>(op))
    return evaluateId(id.getKind(), size);
  if (isa<ElectOp>(op))
    return evaluateElect(active);
  if (std::optional<ThreadValue> id = gpuId(op))
    return *id;
  if (std::optional<ThreadValue> agreed = warpInstruction(result))
    return *agreed;
  StringRef name = op->getName().getStringRef();
  if (name.consume_front("nvvm.read.ptx.sreg."))
    return evaluateSpecialRegister(name, shape);
  if (bitsOf(result.getType())) {
    if (auto cmp = dyn_cast<arith::CmpIOp>(op);
        cmp && bitsOf(cmp.getLhs().getType()))
      return compareInts(cmp);
    if (auto choice = dyn_cast<arith::SelectOp>(op))
      return select(choice);
    if (isa<arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp, arith::IndexCastOp,
            arith::IndexCastUIOp>(op))
      return convert(op);
    if (op->getNumOperands() == 2 && op->getNumResults() == 1 &&
        isa<arith::ArithDialect>(op->getDialect()))
      return binary(op);
  }
  // An unknown op without operands may be a coordinate of the thread.
  bool followsOperands =
      op->getNumOperands() != 0 || op->hasTrait<OpTrait::ConstantLike>();
  if (followsOperands && op->getNumRegions() == 0 && isMemoryEffectFree(op))
    return ThreadValue::unknown(agreement(op, active.threads));
  return memory(op);
}

void transfer::evaluate(Operation *op, BlockShape shape,
                        const ActiveThreads &active,
                        function_ref<ThreadValue(Value)> valueOf,
                        function_ref<void(Value, ThreadValue)> set) {
  Evaluator evaluator(shape, active, valueOf);
  for (OpResult result : op->getResults())
    set(result, evaluator.run(result));
}
