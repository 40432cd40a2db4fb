//===- ElementwiseRegisters.cpp - elementwise ops in registers ------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Where all operands have an element in the same register of the same thread,
// a thread computes register by register, two at a time where that is exact.
//
//===----------------------------------------------------------------------===//

#include "RegisterRow.h"
#include "TIRx/Layout/Text.h"
#include "TileIndex.h"
#include "Variants.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tirx {

namespace {
class ElementwiseRegisters : public DispatchVariant {
public:
  explicit ElementwiseRegisters(StringRef op)
      : DispatchVariant(op, "registers", 0) {}
  LogicalResult match(Operation *op, const DispatchContext &context,
                      Reasons &reasons) const override;
  std::string lower(Operation *op, const DispatchContext &context,
                    OpBuilder &builder) const override;
};
} // namespace

static bool isBuffer(Value value) { return isa<BufferType>(value.getType()); }

/// Ops of one input, computed as f32.
static bool isUnary(Operation *op) {
  return isa<SqrtOp, ExpOp, Exp2Op, Log2Op, ReciprocalOp, SiluOp>(op);
}

LogicalResult ElementwiseRegisters::match(Operation *op,
                                          const DispatchContext & /*context*/,
                                          Reasons &reasons) const {
  auto elementwise = cast<ElementwiseOpInterface>(op);
  Scope scope = elementwise.getExecutionScope();
  Value dst = elementwise.getDestination();
  if (failed(matchRegisterRow(dst, "dst", scope, reasons)))
    return failure();
  Type element = cast<BufferType>(dst.getType()).getElementType();
  bool known = element.isF16() || element.isBF16() || element.isF32() ||
               (element.isF64() && !isUnary(op)) ||
               element.isSignlessInteger() || isa<FillOp>(op);
  if (!known) {
    std::string text;
    llvm::raw_string_ostream(text) << element;
    return reasons.decline(dst, "expected elements of f16, bf16" +
                                    Twine(isUnary(op) ? " or f32"
                                                      : ", f32, f64 or "
                                                        "integers") +
                                    ", got " + text);
  }
  for (auto [i, input] : llvm::enumerate(elementwise.getInputs())) {
    if (!isBuffer(input))
      continue;
    std::string name = "input " + std::to_string(i);
    if (failed(matchRegisterRow(input, name, scope, reasons)))
      return failure();
    if (!haveSameRegisters(dst, input))
      return reasons.decline(
          input, "expected " + name + " laid out as dst, " +
                     toString(cast<BufferType>(dst.getType()).getLayout()) +
                     ", got " +
                     toString(cast<BufferType>(input.getType()).getLayout()));
  }
  return success();
}

namespace {
/// Writes the arithmetic of one op on scalars or short vectors.
class Arithmetic {
public:
  Arithmetic(OpBuilder &builder, Location loc) : builder(builder), loc(loc) {}
  Value emit(Operation *op, ArrayRef<Value> inputs);

private:
  template <typename Float, typename Integer>
  Value either(ArrayRef<Value> inputs) {
    if (isa<FloatType>(getElementTypeOrSelf(inputs[0].getType())))
      return Float::create(builder, loc, inputs[0], inputs[1]);
    return Integer::create(builder, loc, inputs[0], inputs[1]);
  }
  Value constant(double value) {
    return arith::ConstantOp::create(
        builder, loc, builder.getF32FloatAttr(static_cast<float>(value)));
  }
  Value approximate(StringRef instruction, Value x) {
    return PtxOp::create(builder, loc, TypeRange(builder.getF32Type()),
                         builder.getStringAttr(instruction), ValueRange(x),
                         Value(), ValueRange())
        .getResult(0);
  }
  Value exponential(Value x) {
    Value scaled =
        arith::MulFOp::create(builder, loc, x, constant(1.4426950408889634));
    return approximate("ex2.approx.f32", scaled);
  }
  Value emitUnary(Operation *op, Value x);

  OpBuilder &builder;
  Location loc;
};
} // namespace

Value Arithmetic::emitUnary(Operation *op, Value x) {
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case([&](SqrtOp) { return approximate("sqrt.rn.f32", x); })
      .Case([&](ExpOp) { return exponential(x); })
      .Case([&](Exp2Op) { return approximate("ex2.approx.f32", x); })
      .Case([&](Log2Op) { return approximate("lg2.approx.f32", x); })
      .Case([&](ReciprocalOp) -> Value {
        return arith::DivFOp::create(builder, loc, constant(1), x);
      })
      .Case([&](SiluOp) -> Value {
        Value minus = arith::NegFOp::create(builder, loc, x);
        Value sum = arith::AddFOp::create(builder, loc, exponential(minus),
                                          constant(1));
        return arith::DivFOp::create(builder, loc, x, sum);
      })
      .Default([](Operation *) { return Value(); });
}

Value Arithmetic::emit(Operation *op, ArrayRef<Value> inputs) {
  if (isUnary(op))
    return emitUnary(op, inputs[0]);
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case([&](FillOp) { return inputs[0]; })
      .Case([&](AddOp) { return either<arith::AddFOp, arith::AddIOp>(inputs); })
      .Case([&](SubOp) { return either<arith::SubFOp, arith::SubIOp>(inputs); })
      .Case([&](MulOp) { return either<arith::MulFOp, arith::MulIOp>(inputs); })
      .Case([&](FdivOp) -> Value {
        return arith::DivFOp::create(builder, loc, inputs[0], inputs[1]);
      })
      .Case([&](MaximumOp) {
        return either<arith::MaximumFOp, arith::MaxSIOp>(inputs);
      })
      .Case([&](MinimumOp) {
        return either<arith::MinimumFOp, arith::MinSIOp>(inputs);
      })
      .Case([&](FmaOp) -> Value {
        return LLVM::FMAOp::create(builder, loc, inputs[0], inputs[1],
                                   inputs[2]);
      })
      .Default([](Operation *) { return Value(); });
}

namespace {
/// Writes one op register by register.
class RowEmitter {
public:
  RowEmitter(ElementwiseOpInterface op, OpBuilder &builder)
      : op(op), builder(builder), loc(op.getLoc()) {
    dst = getRegisterRow(builder, loc, op.getDestination());
    element = cast<BufferType>(dst.getType()).getElementType();
    for (Value input : op.getInputs())
      rows.push_back(isBuffer(input) ? getRegisterRow(builder, loc, input)
                                     : input);
  }
  /// Returns how many operations there are, and on how many elements.
  std::pair<int64_t, int64_t> emit();

private:
  Value load(OpBuilder &inside, Value row, Value index, int64_t count);
  Value compute(OpBuilder &inside, ArrayRef<Value> inputs);

  ElementwiseOpInterface op;
  OpBuilder &builder;
  Location loc;
  Value dst;
  Type element;
  SmallVector<Value> rows;
};
} // namespace

Value RowEmitter::load(OpBuilder &inside, Value row, Value index,
                       int64_t count) {
  Type access = accessOf(element, count);
  if (isBuffer(row))
    return LoadOp::create(inside, loc, access, row, index);
  return count == 1
             ? row
             : Value(vector::BroadcastOp::create(inside, loc, access, row));
}

/// The argument of a unary op, src * scale + bias, and the op, as f32.
Value RowEmitter::compute(OpBuilder &inside, ArrayRef<Value> inputs) {
  Arithmetic arithmetic(inside, loc);
  if (!isUnary(op))
    return arithmetic.emit(op, inputs);
  SmallVector<Value> wide;
  Type f32 = inside.getF32Type();
  for (Value input : inputs)
    wide.push_back(input.getType() == f32
                       ? input
                       : Value(arith::ExtFOp::create(inside, loc, f32, input)));
  bool hasScale = false, hasBias = false;
  llvm::TypeSwitch<Operation *>(op)
      .Case<SqrtOp, ExpOp, Exp2Op, Log2Op, ReciprocalOp, SiluOp>([&](auto op) {
        hasScale = bool(op.getScale());
        hasBias = bool(op.getBias());
      });
  Value x = wide[0];
  if (hasScale && hasBias)
    x = LLVM::FMAOp::create(inside, loc, x, wide[1], wide[2]);
  else if (hasScale)
    x = arith::MulFOp::create(inside, loc, x, wide[1]);
  else if (hasBias)
    x = arith::AddFOp::create(inside, loc, x, wide[1]);
  Value y = arithmetic.emit(op, x);
  return element == f32
             ? y
             : Value(arith::TruncFOp::create(inside, loc, element, y));
}

std::pair<int64_t, int64_t> RowEmitter::emit() {
  int64_t count = cast<BufferType>(dst.getType()).getNumElements();
  int64_t together = isUnary(op) || count % 2 != 0 ? 1 : 2;
  emitLoop(builder, loc, count / together, [&](OpBuilder &inside, Value trip) {
    IndexMath math(inside, loc, inside.getIndexType());
    Value index = math.mul(trip, together);
    SmallVector<Value> inputs;
    for (Value row : rows)
      inputs.push_back(load(inside, row, index, together));
    StoreOp::create(inside, loc, compute(inside, inputs), dst, index);
  });
  return {count / together, together};
}

std::string ElementwiseRegisters::lower(Operation *op,
                                        const DispatchContext & /*context*/,
                                        OpBuilder &builder) const {
  auto [count, together] =
      RowEmitter(cast<ElementwiseOpInterface>(op), builder).emit();
  return std::to_string(count) + (count == 1 ? " step of " : " steps of ") +
         std::to_string(together) +
         (together == 1 ? " register" : " registers") + " a thread";
}

void addElementwiseRegisters(DispatchRegistry &registry) {
  for (StringRef op :
       {FillOp::getOperationName(), SqrtOp::getOperationName(),
        ExpOp::getOperationName(), Exp2Op::getOperationName(),
        Log2Op::getOperationName(), ReciprocalOp::getOperationName(),
        SiluOp::getOperationName(), AddOp::getOperationName(),
        SubOp::getOperationName(), MulOp::getOperationName(),
        FdivOp::getOperationName(), MaximumOp::getOperationName(),
        MinimumOp::getOperationName(), FmaOp::getOperationName()})
    registry.insert(std::make_unique<ElementwiseRegisters>(op));
}

} // namespace tirx
