//===- GemmTcgen05.cpp - gemm_async on tcgen05.mma ------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tile is cut into instructions of 128 or 64 rows, of the most columns that
// the layout of D allows, and of 32 bytes of K; one thread issues them all,
// with both operands in shared memory. With two CTAs each holds half of the
// rows and half of B. PTX ISA 9.7.16.10.9; numbers of rule R41 are in
// lib/Layout/InstructionDescriptor.cpp.
//
//===----------------------------------------------------------------------===//

#include "BufferRef.h"
#include "IndexMath.h"
#include "SmemOperandPlan.h"
#include "TIRx/Layout/Algebra.h"
#include "TIRx/Layout/Descriptors.h"
#include "TIRx/Layout/Factories.h"
#include "TIRx/Layout/Text.h"
#include "Variants.h"

using namespace mlir;

namespace tirx {

namespace {
/// Everything that an expansion needs, derived from the types of the op.
struct GemmPlan {
  /// M and N of one instruction, over both CTAs of a pair.
  InstructionDescriptor instruction;
  int64_t ctaGroup = 1;
  unsigned kDimA = 1, kDimB = 1;
  /// Rows and columns of D that one CTA holds, and those of an instruction.
  int64_t rows = 0, columns = 0, blockRows = 0, blockColumns = 0;
  int64_t numSteps = 0;
  uint32_t instructionBits = 0;

  int64_t blocks() const {
    return (rows / blockRows) * (columns / blockColumns);
  }
};

class GemmTcgen05 : public DispatchVariant {
public:
  GemmTcgen05() : DispatchVariant("tirx.gemm_async", "tcgen05", 0) {}
  LogicalResult match(Operation *op, const DispatchContext &context,
                      Reasons &reasons) const override;
  std::string lower(Operation *op, const DispatchContext &context,
                    OpBuilder &builder) const override;
};
} // namespace

static BufferType typeOf(Value buffer) {
  return cast<BufferType>(buffer.getType());
}

static std::string typeText(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

static std::optional<MmaType> inputType(Type type) {
  if (type.isF16())
    return MmaType::F16;
  if (type.isBF16())
    return MmaType::BF16;
  if (type.isF32())
    return MmaType::TF32;
  if (isa<Float8E4M3FNType>(type))
    return MmaType::E4M3;
  if (isa<Float8E5M2Type>(type))
    return MmaType::E5M2;
  if (type.isSignlessInteger(8))
    return MmaType::S8;
  return std::nullopt;
}

static std::optional<MmaType> accumulatorType(Type type) {
  if (type.isF16())
    return MmaType::F16;
  if (type.isF32())
    return MmaType::F32;
  if (type.isSignlessInteger(32))
    return MmaType::S32;
  return std::nullopt;
}

static LogicalResult matchSpaces(GemmAsyncOp op, Reasons &reasons) {
  auto check = [&](Value operand, StringRef name, MemorySpace space) {
    MemorySpace own = typeOf(operand).getMemorySpace();
    if (own != space)
      return reasons.decline(
          operand, "expected " + name + " in " + stringifyMemorySpace(space) +
                       " memory, got " + stringifyMemorySpace(own));
    std::string why;
    if (failed(traceBuffer(operand, why)))
      return reasons.decline(operand, name + ": " + why);
    return success();
  };
  if (failed(check(op.getD(), "d", MemorySpace::Tmem)) ||
      failed(check(op.getA(), "a", MemorySpace::Shared)) ||
      failed(check(op.getB(), "b", MemorySpace::Shared)))
    return failure();
  return success();
}

static LogicalResult matchTypes(GemmAsyncOp op, const DispatchContext &context,
                                GemmPlan &plan, Reasons &reasons) {
  Type a = typeOf(op.getA()).getElementType();
  Type b = typeOf(op.getB()).getElementType();
  Type d = typeOf(op.getD()).getElementType();
  auto aInput = inputType(a), bInput = inputType(b);
  if (!aInput || !bInput)
    return reasons.decline(aInput ? op.getB() : op.getA(),
                           "expected a and b of f16, bf16, f32 (as tf32), "
                           "f8E4M3FN, f8E5M2 or i8, got " +
                               typeText(aInput ? b : a));
  auto accumulator = accumulatorType(d);
  if (!accumulator)
    return reasons.decline(op.getD(),
                           "expected d of f32, f16 or i32, got " + typeText(d));
  plan.instruction.a = *aInput;
  plan.instruction.b = *bInput;
  plan.instruction.d = *accumulator;
  plan.instruction.kind = *getMmaKind(*aInput, *bInput);
  if (plan.instruction.kind == MmaKind::I8 && context.target.chip != "sm_100a")
    return reasons.decline(op, context.target.chip +
                                   " has no kind::i8: expected sm_100a");
  return success();
}

/// Where one instruction writes D.
static llvm::Expected<Layout> accumulatorLayout(const GemmPlan &plan,
                                                unsigned bits) {
  TmemMma mma;
  mma.m = plan.instruction.m;
  mma.ctaGroup = int(plan.ctaGroup);
  return tmemAccumulatorLayout(mma, plan.instruction.n, /*upperLanes=*/false,
                               bits);
}

/// Whether a block of D lies as the hardware writes it, from some column on.
static bool isAccumulator(BufferType type, const Layout &atom,
                          ArrayRef<int64_t> offsets, ArrayRef<int64_t> sizes) {
  auto part = slice(type.getLayout(), type.getShape(), offsets, sizes);
  if (!part) {
    llvm::consumeError(part.takeError());
    return false;
  }
  if (!part->isTile())
    return false;
  Axis column = lookupBuiltinAxis("TCol");
  auto moved =
      TileLayout::get(atom.getTile()->getShard(), atom.getTile()->getReplica(),
                      AxisOffset{column, part->getTile()->getOffset(column)});
  if (moved)
    return isEqual(*part, Layout(*moved));
  llvm::consumeError(moved.takeError());
  return false;
}

/// Sets the size of an instruction; whether the hardware has it and D is made
/// of such blocks. `why` is why the hardware has not.
static bool tryBlocks(GemmAsyncOp op, GemmPlan &plan, int64_t rows,
                      int64_t columns, std::string &why) {
  plan.blockRows = rows;
  plan.blockColumns = columns;
  plan.instruction.m = rows * plan.ctaGroup;
  plan.instruction.n = columns;
  if (llvm::Error error = verify(plan.instruction, int(plan.ctaGroup))) {
    why = llvm::toString(std::move(error));
    return false;
  }
  BufferType type = typeOf(op.getD());
  auto atom = accumulatorLayout(plan, type.getElementBits());
  if (!atom) {
    why = llvm::toString(atom.takeError());
    return false;
  }
  why.clear();
  for (int64_t row = 0; row < plan.rows; row += rows)
    for (int64_t column = 0; column < plan.columns; column += columns)
      if (!isAccumulator(type, *atom, {row, column}, {rows, columns}))
        return false;
  return true;
}

/// The largest blocks that fit; with two CTAs all columns are one block, since
/// the columns of a block come from both halves of B.
static LogicalResult matchAccumulator(GemmAsyncOp op, GemmPlan &plan,
                                      Reasons &reasons) {
  constexpr int64_t most = 256;
  BufferType type = typeOf(op.getD());
  std::string why;
  for (int64_t rows : {128, 64}) {
    if (plan.rows % rows != 0)
      continue;
    for (int64_t columns = std::min(plan.columns, most); columns >= 8;
         columns -= 8) {
      if (plan.columns % columns != 0 ||
          (plan.ctaGroup == 2 && columns != plan.columns))
        continue;
      if (tryBlocks(op, plan, rows, columns, why)) {
        std::string untraced;
        BufferRef ref = *traceBuffer(op.getD(), untraced);
        for (const DynamicOffset &offset : ref.offsets)
          if (offset.axis == lookupBuiltinAxis("TLane"))
            return reasons.decline(op.getD(),
                                   "d is at a dynamic lane: expected lane 0");
        return success();
      }
    }
  }
  // Say what is in the way of the largest instruction.
  int64_t rows = plan.rows % 128 == 0 || plan.rows > 128 ? 128 : plan.rows;
  int64_t columns = plan.columns;
  if (plan.ctaGroup == 1 && columns > most)
    columns = most;
  (void)tryBlocks(op, plan, rows, columns, why);
  if (!why.empty())
    return reasons.decline(op.getD(), why);
  Layout right = llvm::cantFail(accumulatorLayout(plan, type.getElementBits()));
  Layout layout = type.getLayout();
  int64_t column = layout.getTile()->getOffset(lookupBuiltinAxis("TCol"));
  auto moved = TileLayout::get(right.getTile()->getShard(), {},
                               AxisOffset{lookupBuiltinAxis("TCol"), column});
  if (moved)
    right = Layout(*moved);
  else
    llvm::consumeError(moved.takeError());
  bool whole = rows == plan.rows && columns == plan.columns;
  return reasons.decline(
      op.getD(),
      "tcgen05.mma with M " + Twine(plan.instruction.m) + " writes d as " +
          toString(right) + ": expected this layout, got " + toString(layout) +
          (whole ? describeDifference(right, layout, type.getShape()) : ""));
}

static LogicalResult matchOperand(Value operand, StringRef name, unsigned kDim,
                                  int64_t block, Major &major, int64_t &steps,
                                  Reasons &reasons) {
  auto descriptor = planSmemOperandParts(operand, name, kDim, block,
                                         /*wgmma=*/false, reasons);
  if (failed(descriptor))
    return failure();
  major = descriptor->major;
  steps = int64_t(descriptor->numSteps());
  return success();
}

static FailureOr<GemmPlan>
planGemm(GemmAsyncOp op, const DispatchContext &context, Reasons &reasons) {
  GemmPlan plan;
  if (failed(matchSpaces(op, reasons)) ||
      failed(matchTypes(op, context, plan, reasons)))
    return failure();
  plan.ctaGroup = op.getCtaGroup();
  plan.rows = typeOf(op.getD()).getShape()[0];
  plan.columns = typeOf(op.getD()).getShape()[1];
  plan.kDimA = op.getTransA() ? 0 : 1;
  plan.kDimB = op.getTransB() ? 0 : 1;
  // D before the operands: a descriptor reaches at most 256 rows.
  if (failed(matchAccumulator(op, plan, reasons)))
    return failure();
  int64_t stepsB = 0;
  if (failed(matchOperand(op.getA(), "a", plan.kDimA, plan.blockRows,
                          plan.instruction.aMajor, plan.numSteps, reasons)) ||
      failed(matchOperand(op.getB(), "b", plan.kDimB,
                          plan.blockColumns / plan.ctaGroup,
                          plan.instruction.bMajor, stepsB, reasons)))
    return failure();
  // Once more with the majors, which are part of the rules.
  if (llvm::Error error = verify(plan.instruction, int(plan.ctaGroup))) {
    (void)reasons.decline(op, llvm::toString(std::move(error)));
    return failure();
  }
  auto bits = encode(plan.instruction);
  if (!bits) {
    (void)reasons.decline(op, llvm::toString(bits.takeError()));
    return failure();
  }
  plan.instructionBits = *bits;
  return plan;
}

LogicalResult GemmTcgen05::match(Operation *op, const DispatchContext &context,
                                 Reasons &reasons) const {
  auto gemm = cast<GemmAsyncOp>(op);
  if (!context.target.hasTcgen05)
    return reasons.decline(op, context.target.chip +
                                   " has no tcgen05.mma: expected sm_100a or "
                                   "sm_103a");
  if (gemm.getScope() != Scope::Thread)
    return reasons.decline(op, "expected scope thread, since one thread issues "
                               "tcgen05.mma (rule R28), got " +
                                   stringifyScope(gemm.getScope()));
  return planGemm(gemm, context, reasons);
}

std::string GemmTcgen05::lower(Operation *op, const DispatchContext &context,
                               OpBuilder &builder) const {
  auto gemm = cast<GemmAsyncOp>(op);
  Reasons none;
  GemmPlan plan = *planGemm(gemm, context, none);
  Location loc = op->getLoc();
  IndexMath index(builder, loc, builder.getIndexType());
  Value instruction = arith::ConstantOp::create(
      builder, loc, builder.getI32IntegerAttr(int32_t(plan.instructionBits)));
  auto boolean = [&](bool value) -> Value {
    return arith::ConstantOp::create(builder, loc, builder.getBoolAttr(value));
  };
  // D starts from zero or, asked to, from what is there; then it accumulates.
  Value enable = gemm.getAccumulate() ? gemm.getAccumulate() : boolean(false);
  Value yes = boolean(true);
  auto text =
      builder.getStringAttr("tcgen05.mma.cta_group::" + Twine(plan.ctaGroup) +
                            ".kind::" + tirx::getName(plan.instruction.kind));
  SmallVector<Value> aParts =
      getOperandParts(builder, loc, gemm.getA(), plan.kDimA, plan.blockRows);
  SmallVector<Value> bParts = getOperandParts(
      builder, loc, gemm.getB(), plan.kDimB, plan.blockColumns / plan.ctaGroup);
  auto descriptor = [&](Value part, unsigned kDim, int64_t step) -> Value {
    return SmemDescriptorOp::create(builder, loc, builder.getI64Type(), part,
                                    kDim, step, /*wgmma=*/false);
  };
  auto pointer = LLVM::LLVMPointerType::get(op->getContext(), 6);
  for (auto [i, aPart] : llvm::enumerate(aParts))
    for (auto [j, bPart] : llvm::enumerate(bParts)) {
      Value row = index.constant(int64_t(i) * plan.blockRows);
      Value column = index.constant(int64_t(j) * plan.blockColumns);
      Value d = PtrOp::create(builder, loc, pointer, gemm.getD(),
                              ValueRange{row, column});
      for (int64_t step = 0; step < plan.numSteps; ++step) {
        Value a = descriptor(aPart, plan.kDimA, step);
        Value b = descriptor(bPart, plan.kDimB, step);
        PtxOp::create(
            builder, loc, TypeRange(), text,
            ValueRange{d, a, b, instruction, step == 0 ? enable : yes}, Value(),
            ValueRange());
      }
    }
  return std::to_string(plan.blocks() * plan.numSteps) + " tcgen05.mma of M " +
         std::to_string(plan.instruction.m) + ", N " +
         std::to_string(plan.instruction.n) + ", K " +
         std::to_string(getStepK(plan.instruction.kind));
}

std::unique_ptr<DispatchVariant> createGemmTcgen05() {
  return std::make_unique<GemmTcgen05>();
}

} // namespace tirx
