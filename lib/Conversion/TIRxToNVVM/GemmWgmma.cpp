//===- GemmWgmma.cpp - gemm_async on wgmma
//----------------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tile is cut into instructions of 64 rows, of the most columns that the
// layout of D allows, and of 32 bytes of K. A is in shared memory or in
// registers, B in shared memory, D in the registers of the warpgroup. PTX ISA
// 9.7.15.5.2.
//
//===----------------------------------------------------------------------===//

#include "BufferRef.h"
#include "IndexMath.h"
#include "RegisterRow.h"
#include "SmemOperandPlan.h"
#include "TIRx/Layout/Algebra.h"
#include "TIRx/Layout/Factories.h"
#include "TIRx/Layout/Text.h"
#include "Variants.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace tirx {

static constexpr int64_t kRows = 64, kMaxColumns = 256, kStepBits = 256;

namespace {
/// A and B as the instruction names them.
struct InputType {
  StringRef name;
  unsigned bits;
  bool isInteger = false;
};

/// Everything that an expansion needs, derived from the types of the op.
struct WgmmaPlan {
  InputType a, b;
  StringRef d;
  unsigned dBits = 32;
  int64_t m = 0, n = 0, k = 0;
  /// Columns of an instruction.
  int64_t columns = 0;
  unsigned kDimA = 1, kDimB = 1;
  Major majorA = Major::K, majorB = Major::K;
  /// The first register, in elements, of each block of D, by rows and then by
  /// columns, and of each 64 rows of A in registers.
  SmallVector<int64_t> accumulators, operands;
  bool aInRegisters = false;

  int64_t stepK() const { return kStepBits / a.bits; }
  int64_t numSteps() const { return k / stepK(); }
  int64_t rowBlocks() const { return m / kRows; }
  int64_t columnBlocks() const { return n / columns; }
};

class GemmWgmma : public DispatchVariant {
public:
  GemmWgmma() : DispatchVariant("tirx.gemm_async", "wgmma", 0) {}
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

static std::optional<InputType> inputType(Type type) {
  if (type.isF16())
    return InputType{"f16", 16};
  if (type.isBF16())
    return InputType{"bf16", 16};
  if (type.isF32())
    return InputType{"tf32", 32};
  if (isa<Float8E4M3FNType>(type))
    return InputType{"e4m3", 8};
  if (isa<Float8E5M2Type>(type))
    return InputType{"e5m2", 8};
  if (type.isSignlessInteger(8))
    return InputType{"s8", 8, true};
  return std::nullopt;
}

static LogicalResult matchTypes(GemmAsyncOp op, WgmmaPlan &plan,
                                Reasons &reasons) {
  Type a = typeOf(op.getA()).getElementType();
  Type b = typeOf(op.getB()).getElementType();
  Type d = typeOf(op.getD()).getElementType();
  auto aInput = inputType(a), bInput = inputType(b);
  if (!aInput || !bInput)
    return reasons.decline(aInput ? op.getB() : op.getA(),
                           "expected a and b of f16, bf16, f32 (as tf32), "
                           "f8E4M3FN, f8E5M2 or i8, got " +
                               typeText(aInput ? b : a));
  plan.a = *aInput;
  plan.b = *bInput;
  bool halfD =
      d.isF16() && (a.isF16() || (plan.a.bits == 8 && !a.isInteger(8)));
  bool fits = plan.a.isInteger ? d.isInteger(32) : d.isF32() || halfD;
  if (!fits)
    return reasons.decline(
        op.getD(), "expected d of " +
                       StringRef(plan.a.isInteger                ? "i32"
                                 : a.isF16() || plan.a.bits == 8 ? "f32 or f16"
                                                                 : "f32") +
                       " with a of " + typeText(a) + ", got " + typeText(d));
  plan.d = plan.a.isInteger ? "s32" : halfD ? "f16" : "f32";
  plan.dBits = halfD ? 16 : 32;
  return success();
}

static LogicalResult matchPlaces(GemmAsyncOp op, WgmmaPlan &plan,
                                 Reasons &reasons) {
  auto decline = [&](Value operand, StringRef name, StringRef wanted) {
    return reasons.decline(
        operand, "expected " + name + " in " + wanted + " memory, got " +
                     stringifyMemorySpace(typeOf(operand).getMemorySpace()));
  };
  if (!typeOf(op.getD()).isLocal())
    return decline(op.getD(), "d", "local");
  plan.aInRegisters = typeOf(op.getA()).isLocal();
  if (!plan.aInRegisters && !typeOf(op.getA()).isShared())
    return decline(op.getA(), "a", "shared or local");
  if (!typeOf(op.getB()).isShared())
    return decline(op.getB(), "b", "shared");
  for (auto [operand, name] : {std::pair<Value, StringRef>{op.getD(), "d"},
                               {op.getA(), "a"},
                               {op.getB(), "b"}}) {
    std::string why;
    auto ref = traceBuffer(operand, why);
    if (failed(ref))
      return reasons.decline(operand, name + ": " + why);
    if (typeOf(operand).isLocal() && !ref->offsets.empty())
      return reasons.decline(operand, name + " has dynamic offsets, but "
                                             "registers have no addresses");
  }
  return success();
}

/// Whether all blocks of D with so many columns are accumulators.
static bool findAccumulators(GemmAsyncOp op, WgmmaPlan &plan, int64_t columns) {
  auto atom = wgmmaAccumulatorLayout(columns, plan.a.isInteger);
  if (!atom) {
    llvm::consumeError(atom.takeError());
    return false;
  }
  plan.accumulators.clear();
  for (int64_t row = 0; row < plan.m; row += kRows)
    for (int64_t column = 0; column < plan.n; column += columns) {
      auto first =
          findRegisterPart(op.getD(), *atom, {row, column}, {kRows, columns});
      if (!first)
        return false;
      plan.accumulators.push_back(*first);
    }
  plan.columns = columns;
  return true;
}

static LogicalResult matchAccumulator(GemmAsyncOp op, WgmmaPlan &plan,
                                      Reasons &reasons) {
  if (plan.m % kRows != 0)
    return reasons.decline(op.getD(), "expected M in multiples of 64, got " +
                                          Twine(plan.m));
  if (plan.n % 8 != 0)
    return reasons.decline(op.getD(), "expected N in multiples of 8, got " +
                                          Twine(plan.n));
  if (failed(matchRegistersSideBySide(op.getD(), "d", reasons)))
    return failure();
  int64_t widest = 0;
  for (int64_t columns = std::min(plan.n, kMaxColumns); columns > 0;
       columns -= 8) {
    if (plan.n % columns != 0)
      continue;
    auto atom = wgmmaAccumulatorLayout(columns, plan.a.isInteger);
    if (!atom) {
      llvm::consumeError(atom.takeError());
      continue;
    }
    widest = std::max(widest, columns);
    if (findAccumulators(op, plan, columns))
      return success();
  }
  auto atom = wgmmaAccumulatorLayout(widest, plan.a.isInteger);
  if (!atom)
    return reasons.decline(op.getD(), llvm::toString(atom.takeError()));
  return reasons.decline(op.getD(),
                         "wgmma of M 64 and N " + Twine(widest) + " has d as " +
                             toString(*atom) +
                             ": expected this layout in each block of d, got " +
                             toString(typeOf(op.getD()).getLayout()));
}

static LogicalResult matchRegisterA(GemmAsyncOp op, WgmmaPlan &plan,
                                    Reasons &reasons) {
  if (op.getTransA())
    return reasons.decline(op.getA(), "expected a in registers as (M, K), got "
                                      "trans_a");
  auto atom = wgmmaOperandLayout(plan.k, plan.a.bits);
  if (!atom)
    return reasons.decline(op.getA(), "a: " + llvm::toString(atom.takeError()));
  if (failed(matchRegistersSideBySide(op.getA(), "a", reasons)))
    return failure();
  for (int64_t row = 0; row < plan.m; row += kRows) {
    auto first = findRegisterPart(op.getA(), *atom, {row, 0}, {kRows, plan.k});
    if (!first)
      return reasons.decline(
          op.getA(), "wgmma reads 64 rows of a from registers as " +
                         toString(*atom) +
                         ": expected this layout in each 64 rows, got " +
                         toString(typeOf(op.getA()).getLayout()));
    plan.operands.push_back(*first);
  }
  return success();
}

/// Each block of an operand in shared memory has a descriptor.
static LogicalResult matchShared(Value operand, StringRef name, unsigned kDim,
                                 int64_t block, Major &major,
                                 Reasons &reasons) {
  auto descriptor = planSmemOperandParts(operand, name, kDim, block,
                                         /*wgmma=*/true, reasons);
  if (failed(descriptor))
    return failure();
  major = descriptor->major;
  return success();
}

static FailureOr<WgmmaPlan> planGemm(GemmAsyncOp op, Reasons &reasons) {
  WgmmaPlan plan;
  if (failed(matchPlaces(op, plan, reasons)) ||
      failed(matchTypes(op, plan, reasons)))
    return failure();
  plan.kDimA = op.getTransA() ? 0 : 1;
  plan.kDimB = op.getTransB() ? 0 : 1;
  plan.m = typeOf(op.getD()).getShape()[0];
  plan.n = typeOf(op.getD()).getShape()[1];
  plan.k = typeOf(op.getB()).getShape()[plan.kDimB];
  if (plan.k % plan.stepK() != 0)
    return reasons.decline(op.getB(), "expected K in multiples of " +
                                          Twine(plan.stepK()) + ", got " +
                                          Twine(plan.k));
  if (failed(matchAccumulator(op, plan, reasons)))
    return failure();
  LogicalResult a = plan.aInRegisters
                        ? matchRegisterA(op, plan, reasons)
                        : matchShared(op.getA(), "a", plan.kDimA, kRows,
                                      plan.majorA, reasons);
  if (failed(a) || failed(matchShared(op.getB(), "b", plan.kDimB, plan.columns,
                                      plan.majorB, reasons)))
    return failure();
  return plan;
}

LogicalResult GemmWgmma::match(Operation *op, const DispatchContext &context,
                               Reasons &reasons) const {
  auto gemm = cast<GemmAsyncOp>(op);
  if (!context.target.hasWgmma)
    return reasons.decline(op, context.target.chip +
                                   " has no wgmma: expected sm_90a");
  if (gemm.getScope() != Scope::Warpgroup)
    return reasons.decline(op, "expected scope warpgroup, whose four warps "
                               "issue wgmma together, got " +
                                   stringifyScope(gemm.getScope()));
  if (gemm.getCtaGroup() != 1)
    return reasons.decline(op, "expected cta_group 1, got " +
                                   Twine(gemm.getCtaGroup()));
  return planGemm(gemm, reasons);
}

namespace {
/// Writes the instructions of one op.
class WgmmaEmitter {
public:
  WgmmaEmitter(GemmAsyncOp op, const WgmmaPlan &plan, OpBuilder &builder)
      : op(op), plan(plan), builder(builder), loc(op.getLoc()) {}
  void emit();

private:
  Value constant(int64_t value) {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getI32IntegerAttr(value));
  }
  Value descriptor(Value part, unsigned kDim, int64_t step) {
    return SmemDescriptorOp::create(builder, loc, builder.getI64Type(), part,
                                    kDim, step, /*wgmma=*/true);
  }
  void emitBlock(int64_t row, int64_t column);
  void appendFlags(SmallVectorImpl<Value> &operands);

  GemmAsyncOp op;
  const WgmmaPlan &plan;
  OpBuilder &builder;
  Location loc;
  Value d, a;
  SmallVector<Value> aParts, bParts;
};
} // namespace

/// Signs and, for 16 bits, whether an operand in shared memory is MN-major.
void WgmmaEmitter::appendFlags(SmallVectorImpl<Value> &operands) {
  if (plan.a.isInteger)
    return;
  operands.append(2, constant(1));
  if (plan.a.bits != 16)
    return;
  if (!plan.aInRegisters)
    operands.push_back(constant(plan.majorA == Major::MN));
  operands.push_back(constant(plan.majorB == Major::MN));
}

void WgmmaEmitter::emitBlock(int64_t row, int64_t column) {
  int64_t packed = 32 / plan.dBits;
  int64_t words = kRows * plan.columns / 128 / packed;
  int64_t first = plan.accumulators[row * plan.columnBlocks() + column];
  SmallVector<Value> values;
  for (int64_t i = 0; i < words; ++i)
    values.push_back(loadRegisterWord(builder, loc, d, first + i * packed));
  std::string text = "wgmma.mma_async.sync.aligned.m64n" +
                     std::to_string(plan.columns) + "k" +
                     std::to_string(plan.stepK()) + "." + plan.d.str() + "." +
                     plan.a.name.str() + "." + plan.b.name.str();
  auto boolean = [&](bool value) -> Value {
    return arith::ConstantOp::create(builder, loc, builder.getBoolAttr(value));
  };
  Value yes = boolean(true);
  Value enable = op.getAccumulate() ? op.getAccumulate() : boolean(false);
  SmallVector<Type> types(ValueRange(values).getTypes());
  for (int64_t step = 0; step < plan.numSteps(); ++step) {
    SmallVector<Value> operands(values);
    if (plan.aInRegisters) {
      int64_t perWord = 32 / plan.a.bits;
      for (int64_t i = 0; i < 4; ++i) {
        Value word = loadRegisterWord(
            builder, loc, a, plan.operands[row] + (step * 4 + i) * perWord);
        if (!word.getType().isInteger(32))
          word = arith::BitcastOp::create(builder, loc, builder.getI32Type(),
                                          word);
        operands.push_back(word);
      }
    } else {
      operands.push_back(descriptor(aParts[row], plan.kDimA, step));
    }
    operands.push_back(descriptor(bParts[column], plan.kDimB, step));
    operands.push_back(step == 0 ? enable : yes);
    appendFlags(operands);
    auto product =
        PtxOp::create(builder, loc, types, builder.getStringAttr(text),
                      operands, Value(), ValueRange());
    values.assign(product.getResults().begin(), product.getResults().end());
  }
  for (auto [i, value] : llvm::enumerate(values))
    storeRegisterWord(builder, loc, d, first + int64_t(i) * packed, value);
}

void WgmmaEmitter::emit() {
  d = getRegisterRow(builder, loc, op.getD());
  if (plan.aInRegisters)
    a = getRegisterRow(builder, loc, op.getA());
  else
    aParts = getOperandParts(builder, loc, op.getA(), plan.kDimA, kRows);
  bParts = getOperandParts(builder, loc, op.getB(), plan.kDimB, plan.columns);
  // R20: other accesses to the registers come before the product.
  PtxOp::create(builder, loc, TypeRange(),
                builder.getStringAttr("wgmma.fence.sync.aligned"), ValueRange(),
                Value(), ValueRange());
  for (int64_t row = 0; row < plan.rowBlocks(); ++row)
    for (int64_t column = 0; column < plan.columnBlocks(); ++column)
      emitBlock(row, column);
}

std::string GemmWgmma::lower(Operation *op, const DispatchContext & /*context*/,
                             OpBuilder &builder) const {
  auto gemm = cast<GemmAsyncOp>(op);
  Reasons none;
  WgmmaPlan plan = *planGemm(gemm, none);
  WgmmaEmitter(gemm, plan, builder).emit();
  int64_t count = plan.rowBlocks() * plan.columnBlocks() * plan.numSteps();
  return std::to_string(count) + " wgmma of M 64, N " +
         std::to_string(plan.columns) + ", K " + std::to_string(plan.stepK()) +
         ", a in " + (plan.aInRegisters ? "registers" : "shared memory");
}

std::unique_ptr<DispatchVariant> createGemmWgmma() {
  return std::make_unique<GemmWgmma>();
}

} // namespace tirx
