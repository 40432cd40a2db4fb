//===- GemmTcgen05.cpp - gemm_async on tcgen05.mma ------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One instruction for each step along K, all by one thread, with both operands
// in shared memory. PTX ISA 9.7.16.10.9; numbers of rule R41 are in
// verifyInstruction.
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
  InstructionDescriptor instruction;
  unsigned kDimA = 1, kDimB = 1;
  int64_t numSteps = 0;
  uint32_t instructionBits = 0;
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
  return std::nullopt;
}

static std::optional<MmaType> accumulatorType(Type type) {
  if (type.isF16())
    return MmaType::F16;
  if (type.isF32())
    return MmaType::F32;
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

static LogicalResult matchTypes(GemmAsyncOp op, GemmPlan &plan,
                                Reasons &reasons) {
  Type a = typeOf(op.getA()).getElementType();
  Type d = typeOf(op.getD()).getElementType();
  auto input = inputType(a);
  if (!input)
    return reasons.decline(op.getA(),
                           "expected a of f16 or bf16, got " + typeText(a));
  auto accumulator = accumulatorType(d);
  if (!accumulator || (*accumulator == MmaType::F16 && *input != MmaType::F16))
    return reasons.decline(op.getD(),
                           "expected d of f32, or of f16 with a and b "
                           "of f16, got " +
                               typeText(d));
  plan.instruction.a = plan.instruction.b = *input;
  plan.instruction.d = *accumulator;
  return success();
}

static LogicalResult matchOperand(Value operand, StringRef name, unsigned kDim,
                                  Major &major, int64_t &steps,
                                  Reasons &reasons) {
  auto descriptor = planSmemOperand(operand, typeOf(operand), name, kDim,
                                    /*wgmma=*/false, reasons);
  if (failed(descriptor))
    return failure();
  major = descriptor->major;
  steps = int64_t(descriptor->numSteps());
  return success();
}

/// Where the hardware writes D (cta_group 1), beginning at a column.
static TileLayout accumulatorLayout(int64_t m, int64_t n, unsigned bits,
                                    int64_t column) {
  TmemDatapath datapath = m == 64 ? TmemDatapath::F : TmemDatapath::D;
  Layout layout = llvm::cantFail(
      tmemAccumulatorLayout(datapath, m, n, /*upperLanes=*/false, bits));
  return llvm::cantFail(
      TileLayout::get(layout.getTile()->getShard(), {},
                      AxisOffset{lookupBuiltinAxis("TCol"), column}));
}

static LogicalResult matchAccumulator(GemmAsyncOp op, const GemmPlan &plan,
                                      Reasons &reasons) {
  BufferType type = typeOf(op.getD());
  Layout layout = type.getLayout();
  const TileLayout &tile = *layout.getTile();
  int64_t column = tile.getOffset(lookupBuiltinAxis("TCol"));
  TileLayout right = accumulatorLayout(plan.instruction.m, plan.instruction.n,
                                       type.getElementBits(), column);
  if (!isEqual(layout, right))
    return reasons.decline(
        op.getD(),
        "tcgen05.mma with M " + Twine(plan.instruction.m) + " writes d as " +
            toString(Layout(right)) + ": expected this layout, got " +
            toString(layout) +
            describeDifference(Layout(right), layout, type.getShape()));
  std::string why;
  BufferRef ref = *traceBuffer(op.getD(), why);
  for (const DynamicOffset &offset : ref.offsets)
    if (offset.axis == lookupBuiltinAxis("TLane"))
      return reasons.decline(op.getD(),
                             "d is at a dynamic lane: expected lane 0");
  return success();
}

static FailureOr<GemmPlan> planGemm(GemmAsyncOp op, Reasons &reasons) {
  GemmPlan plan;
  if (failed(matchSpaces(op, reasons)) || failed(matchTypes(op, plan, reasons)))
    return failure();
  if (op.getCtaGroup() != 1) {
    (void)reasons.decline(op, "expected cta_group 1, got " +
                                  Twine(op.getCtaGroup()));
    return failure();
  }
  plan.instruction.m = typeOf(op.getD()).getShape()[0];
  plan.instruction.n = typeOf(op.getD()).getShape()[1];
  plan.kDimA = op.getTransA() ? 0 : 1;
  plan.kDimB = op.getTransB() ? 0 : 1;
  // M and N before the operands: a descriptor reaches at most 256 rows.
  if (llvm::Error error = verify(plan.instruction, /*ctaGroup=*/1)) {
    (void)reasons.decline(op.getD(), llvm::toString(std::move(error)));
    return failure();
  }
  int64_t stepsB = 0;
  if (failed(matchOperand(op.getA(), "a", plan.kDimA, plan.instruction.aMajor,
                          plan.numSteps, reasons)) ||
      failed(matchOperand(op.getB(), "b", plan.kDimB, plan.instruction.bMajor,
                          stepsB, reasons)) ||
      failed(matchAccumulator(op, plan, reasons)))
    return failure();
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
  return planGemm(gemm, reasons);
}

std::string GemmTcgen05::lower(Operation *op, const DispatchContext &,
                               OpBuilder &builder) const {
  auto gemm = cast<GemmAsyncOp>(op);
  Reasons none;
  GemmPlan plan = *planGemm(gemm, none);
  Location loc = op->getLoc();
  IndexMath index(builder, loc, builder.getIndexType());
  Value zero = index.constant(0);
  Value d = PtrOp::create(builder, loc,
                          LLVM::LLVMPointerType::get(op->getContext(), 6),
                          gemm.getD(), ValueRange{zero, zero});
  Value instruction = arith::ConstantOp::create(
      builder, loc, builder.getI32IntegerAttr(int32_t(plan.instructionBits)));
  auto boolean = [&](bool value) -> Value {
    return arith::ConstantOp::create(builder, loc, builder.getBoolAttr(value));
  };
  // D starts from zero or, asked to, from what is there; then it accumulates.
  Value enable = gemm.getAccumulate() ? gemm.getAccumulate() : boolean(false);
  Value yes = boolean(true);
  for (int64_t step = 0; step < plan.numSteps; ++step) {
    Value a = SmemDescriptorOp::create(builder, loc, builder.getI64Type(),
                                       gemm.getA(), plan.kDimA, step,
                                       /*wgmma=*/false);
    Value b = SmemDescriptorOp::create(builder, loc, builder.getI64Type(),
                                       gemm.getB(), plan.kDimB, step,
                                       /*wgmma=*/false);
    PtxOp::create(builder, loc, TypeRange(),
                  builder.getStringAttr("tcgen05.mma.cta_group::1.kind::f16"),
                  ValueRange{d, a, b, instruction, step == 0 ? enable : yes},
                  Value(), ValueRange());
  }
  return std::to_string(plan.numSteps) + " tcgen05.mma of M " +
         std::to_string(plan.instruction.m) + ", N " +
         std::to_string(plan.instruction.n) + ", K 16";
}

std::unique_ptr<DispatchVariant> createGemmTcgen05() {
  return std::make_unique<GemmTcgen05>();
}

} // namespace tirx
