//===- GemmMmaSync.cpp - gemm on mma.sync -------------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A warp multiplies fragments in its registers, 16 rows, 8 columns and 32 bytes
// of K at a time. (nvgpu.mma.sync has no bf16.) PTX ISA 9.7.14.5.
//
//===----------------------------------------------------------------------===//

#include "RegisterRow.h"
#include "TIRx/Layout/Factories.h"
#include "TIRx/Layout/Text.h"
#include "Variants.h"

using namespace mlir;

namespace tirx {

static constexpr int64_t kRows = 16, kColumns = 8;

namespace {
/// Everything that an expansion needs, derived from the types of the op.
struct MmaPlan {
  StringRef aName, dName;
  unsigned bits = 16;
  int64_t stepK = 16;
  int64_t m = 0, n = 0, k = 0;
  /// First registers, in elements, of the blocks of D (rows, columns), A (rows,
  /// steps) and B (columns, steps).
  SmallVector<int64_t> d, a, b;

  int64_t rowBlocks() const { return m / kRows; }
  int64_t columnBlocks() const { return n / kColumns; }
  int64_t numSteps() const { return k / stepK; }
};

class GemmMmaSync : public DispatchVariant {
public:
  GemmMmaSync() : DispatchVariant("tirx.gemm", "mma.sync", 0) {}
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

static LogicalResult matchTypes(GemmOp op, MmaPlan &plan, Reasons &reasons) {
  Type a = typeOf(op.getA()).getElementType();
  Type d = typeOf(op.getD()).getElementType();
  if (!a.isF16() && !a.isBF16() && !a.isF32() && !a.isSignlessInteger(8))
    return reasons.decline(op.getA(), "expected a of f16, bf16, f32 (as tf32) "
                                      "or i8, got " +
                                          typeText(a));
  bool isInteger = a.isInteger(8);
  if (isInteger ? !d.isInteger(32) : !d.isF32() && !(d.isF16() && a.isF16()))
    return reasons.decline(op.getD(), "expected d of " +
                                          StringRef(isInteger   ? "i32"
                                                    : a.isF16() ? "f32 or f16"
                                                                : "f32") +
                                          " with a of " + typeText(a) +
                                          ", got " + typeText(d));
  plan.aName = a.isF16()    ? "f16"
               : a.isBF16() ? "bf16"
               : a.isF32()  ? "tf32"
                            : "s8";
  plan.dName = isInteger ? "s32" : d.isF16() ? "f16" : "f32";
  plan.bits = a.getIntOrFloatBitWidth();
  plan.stepK = 256 / plan.bits;
  return success();
}

/// The first register of each part of an operand, by rows and then by columns.
static LogicalResult matchParts(Value operand, StringRef name,
                                const llvm::Expected<Layout> &atom,
                                std::array<int64_t, 2> part,
                                SmallVectorImpl<int64_t> &first,
                                Reasons &reasons) {
  if (failed(matchRegisterRow(operand, name, Scope::Warp, reasons)))
    return failure();
  ArrayRef<int64_t> shape = typeOf(operand).getShape();
  for (unsigned dim : {0, 1})
    if (shape[dim] % part[dim] != 0)
      return reasons.decline(
          operand, "expected extents of " + name + " in multiples of " +
                       Twine(part[0]) + " and " + Twine(part[1]) + ", got " +
                       Twine(shape[0]) + " and " + Twine(shape[1]));
  for (int64_t row = 0; row < shape[0]; row += part[0])
    for (int64_t column = 0; column < shape[1]; column += part[1]) {
      auto at = findRegisterPart(operand, *atom, {row, column}, part);
      if (!at)
        return reasons.decline(
            operand, "mma.sync has " + name + " as " + toString(*atom) +
                         ": expected this layout in each " + Twine(part[0]) +
                         "x" + Twine(part[1]) + " elements, got " +
                         toString(typeOf(operand).getLayout()));
      first.push_back(*at);
    }
  return success();
}

static FailureOr<MmaPlan> planGemm(GemmOp op, Reasons &reasons) {
  MmaPlan plan;
  if (failed(matchTypes(op, plan, reasons)))
    return failure();
  plan.m = typeOf(op.getD()).getShape()[0];
  plan.n = typeOf(op.getD()).getShape()[1];
  plan.k = typeOf(op.getA()).getShape()[1];
  auto fragment = [&](MmaOperand operand) {
    return mmaFragmentLayout(operand, kRows, plan.stepK, plan.bits);
  };
  auto d = fragment(MmaOperand::D), a = fragment(MmaOperand::A),
       b = fragment(MmaOperand::B);
  for (auto *layout : {&d, &a, &b})
    if (!*layout)
      return reasons.decline(op, llvm::toString(layout->takeError()));
  if (failed(
          matchParts(op.getD(), "d", d, {kRows, kColumns}, plan.d, reasons)) ||
      failed(matchParts(op.getA(), "a", a, {kRows, plan.stepK}, plan.a,
                        reasons)) ||
      failed(matchParts(op.getB(), "b", b, {kColumns, plan.stepK}, plan.b,
                        reasons)))
    return failure();
  return plan;
}

LogicalResult GemmMmaSync::match(Operation *op, const DispatchContext &context,
                                 Reasons &reasons) const {
  auto gemm = cast<GemmOp>(op);
  if (context.target.ptxVersion < 70)
    return reasons.decline(op, context.target.chip +
                                   " has no mma.sync of m16n8k16: expected "
                                   "sm_80 or later");
  if (gemm.getScope() != Scope::Warp)
    return reasons.decline(op, "expected scope warp, got " +
                                   stringifyScope(gemm.getScope()));
  return planGemm(gemm, reasons);
}

namespace {
/// Writes the products of one op.
class MmaEmitter {
public:
  MmaEmitter(GemmOp op, const MmaPlan &plan, OpBuilder &builder)
      : op(op), plan(plan), builder(builder), loc(op.getLoc()),
        d(getRegisterRow(builder, loc, op.getD())),
        a(getRegisterRow(builder, loc, op.getA())),
        b(getRegisterRow(builder, loc, op.getB())) {}
  void emit();

private:
  void loadInputs(Value row, int64_t first, int64_t words,
                  SmallVectorImpl<Value> &operands);
  SmallVector<Value> startOf(int64_t first);

  GemmOp op;
  const MmaPlan &plan;
  OpBuilder &builder;
  Location loc;
  Value d, a, b;
};
} // namespace

/// Elements of a 32-bit register.
static int64_t packedIn(Value row) {
  return 32 / int64_t(typeOf(row).getElementBits());
}

/// Registers of A or B as plain bits.
void MmaEmitter::loadInputs(Value row, int64_t first, int64_t words,
                            SmallVectorImpl<Value> &operands) {
  for (int64_t i = 0; i < words; ++i) {
    Value word = loadRegisterWord(builder, loc, row, first + i * packedIn(row));
    if (!word.getType().isInteger(32))
      word = arith::BitcastOp::create(builder, loc, builder.getI32Type(), word);
    operands.push_back(word);
  }
}

/// The accumulator as it is or, unless `accumulate` says so, zero.
SmallVector<Value> MmaEmitter::startOf(int64_t first) {
  int64_t packed = packedIn(d);
  SmallVector<Value> words;
  for (int64_t i = 0; i < 4; i += packed) {
    Value word = loadRegisterWord(builder, loc, d, first + i);
    Value zero = arith::ConstantOp::create(builder, loc,
                                           builder.getZeroAttr(word.getType()));
    words.push_back(op.getAccumulate()
                        ? Value(arith::SelectOp::create(
                              builder, loc, op.getAccumulate(), word, zero))
                        : zero);
  }
  return words;
}

void MmaEmitter::emit() {
  std::string text = "mma.sync.aligned.m16n8k" + std::to_string(plan.stepK) +
                     ".row.col." + plan.dName.str() + "." + plan.aName.str() +
                     "." + plan.aName.str() + "." + plan.dName.str();
  auto instruction = builder.getStringAttr(text);
  for (int64_t row = 0; row < plan.rowBlocks(); ++row)
    for (int64_t column = 0; column < plan.columnBlocks(); ++column) {
      int64_t first = plan.d[row * plan.columnBlocks() + column];
      SmallVector<Value> sum = startOf(first);
      SmallVector<Type> types(ValueRange(sum).getTypes());
      for (int64_t step = 0; step < plan.numSteps(); ++step) {
        SmallVector<Value> operands;
        loadInputs(a, plan.a[row * plan.numSteps() + step], 4, operands);
        loadInputs(b, plan.b[column * plan.numSteps() + step], 2, operands);
        operands.append(sum);
        auto product = PtxOp::create(builder, loc, types, instruction, operands,
                                     Value(), ValueRange());
        sum.assign(product.getResults().begin(), product.getResults().end());
      }
      for (auto [i, word] : llvm::enumerate(sum))
        storeRegisterWord(builder, loc, d, first + int64_t(i) * packedIn(d),
                          word);
    }
}

std::string GemmMmaSync::lower(Operation *op,
                               const DispatchContext & /*context*/,
                               OpBuilder &builder) const {
  auto gemm = cast<GemmOp>(op);
  Reasons none;
  MmaPlan plan = *planGemm(gemm, none);
  MmaEmitter(gemm, plan, builder).emit();
  return std::to_string(plan.rowBlocks() * plan.columnBlocks() *
                        plan.numSteps()) +
         " mma.sync of m16n8k" + std::to_string(plan.stepK);
}

std::unique_ptr<DispatchVariant> createGemmMmaSync() {
  return std::make_unique<GemmMmaSync>();
}

} // namespace tirx
