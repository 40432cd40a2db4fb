//===- CastRegisters.cpp - cast in the registers of a thread --------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Pairs of elements go through one vector op, which becomes one cvt with a
// packed destination (cvt.rn.f16x2.f32).
//
//===----------------------------------------------------------------------===//

#include "BufferRef.h"
#include "RegisterRow.h"
#include "TIRx/Layout/Algebra.h"
#include "TIRx/Layout/Text.h"
#include "TileIndex.h"
#include "Variants.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include <numeric>

using namespace mlir;

namespace tirx {

namespace {
class CastRegisters : public DispatchVariant {
public:
  CastRegisters() : DispatchVariant("tirx.cast", "registers", 0) {}
  LogicalResult match(Operation *op, const DispatchContext &context,
                      Reasons &reasons) const override;
  std::string lower(Operation *op, const DispatchContext &context,
                    OpBuilder &builder) const override;
};
} // namespace

static BufferType typeOf(Value buffer) {
  return cast<BufferType>(buffer.getType());
}

static bool isFloat8(Type type) {
  return isa<Float8E4M3FNType, Float8E5M2Type>(type);
}

static LogicalResult matchElement(Value operand, StringRef name,
                                  Reasons &reasons) {
  Type element = typeOf(operand).getElementType();
  if (element.isF16() || element.isBF16() || element.isF32() ||
      element.isF64() || isFloat8(element) || element.isSignlessInteger())
    return success();
  std::string text;
  llvm::raw_string_ostream(text)
      << "expected " << name
      << " of f8E4M3FN, f8E5M2, f16, bf16, f32, f64 or integers, got "
      << element;
  return reasons.decline(operand, text);
}

/// Conversions of 8-bit floats go through f16 or f32, so that other types would
/// be rounded twice.
static LogicalResult matchFloat8(CastOp op, const DispatchContext &context,
                                 Reasons &reasons) {
  Type dst = typeOf(op.getDst()).getElementType();
  Type src = typeOf(op.getSrc()).getElementType();
  if (!isFloat8(dst) && !isFloat8(src))
    return success();
  unsigned number = 0;
  StringRef digits = context.target.chip;
  digits.consume_front("sm_");
  digits.consumeInteger(10, number);
  if (number < 89)
    return reasons.decline(op, context.target.chip +
                                   " does not convert 8-bit floats: expected "
                                   "sm_89 or later");
  Type other = isFloat8(dst) ? src : dst;
  if (other.isF16() || other.isBF16() || other.isF32() || isFloat8(other))
    return success();
  std::string text;
  llvm::raw_string_ostream(text)
      << "expected the other element of a conversion of 8-bit floats to be "
         "f8E4M3FN, f8E5M2, f16, bf16 or f32, got "
      << other;
  return reasons.decline(op, text);
}

/// An operand of one thread, in any layout.
static LogicalResult matchOwn(Value operand, StringRef name, Reasons &reasons) {
  std::string why;
  if (failed(traceBuffer(operand, why)))
    return reasons.decline(operand, name + ": " + why);
  return success();
}

/// Whether the operands are converted register by register; else they are the
/// thread's own, and may have different layouts.
static bool isByRow(CastOp op) {
  return op.getScope() != Scope::Thread ||
         hasThreadAxes(typeOf(op.getDst()).getLayout()) ||
         hasThreadAxes(typeOf(op.getSrc()).getLayout());
}

static LogicalResult matchRows(CastOp op, Reasons &reasons) {
  if (failed(matchRegisterRow(op.getDst(), "dst", op.getScope(), reasons)) ||
      failed(matchRegisterRow(op.getSrc(), "src", op.getScope(), reasons)))
    return failure();
  if (haveSameRegisters(op.getDst(), op.getSrc()))
    return success();
  return reasons.decline(
      op.getSrc(), "expected src laid out as dst, " +
                       toString(typeOf(op.getDst()).getLayout()) + ", got " +
                       toString(typeOf(op.getSrc()).getLayout()));
}

LogicalResult CastRegisters::match(Operation *op,
                                   const DispatchContext &context,
                                   Reasons &reasons) const {
  auto cast = llvm::cast<CastOp>(op);
  if (failed(matchElement(cast.getDst(), "dst", reasons)) ||
      failed(matchElement(cast.getSrc(), "src", reasons)) ||
      failed(matchFloat8(cast, context, reasons)))
    return failure();
  if (isByRow(cast))
    return matchRows(cast, reasons);
  if (failed(matchOwn(cast.getDst(), "dst", reasons)) ||
      failed(matchOwn(cast.getSrc(), "src", reasons)))
    return failure();
  return success();
}

namespace {
/// Converts scalars or pairs.
class Converter {
public:
  Converter(OpBuilder &builder, Location loc) : builder(builder), loc(loc) {}
  Value convert(Value value, Type element);

private:
  Type as(Value value, Type scalar) {
    auto vector = dyn_cast<VectorType>(value.getType());
    return vector ? Type(vector.clone(scalar)) : scalar;
  }
  Value ptx(StringRef text, ValueRange inputs, Type result) {
    return PtxOp::create(builder, loc, TypeRange(result),
                         builder.getStringAttr(text), inputs, Value(),
                         ValueRange())
        .getResult(0);
  }
  Value fromFloat8(Value value);
  Value toFloat8(Value value, Type element);
  Value convertFloat(Value value, Type element);

  OpBuilder &builder;
  Location loc;
};
} // namespace

static StringRef float8Name(Type element) {
  return isa<Float8E4M3FNType>(element) ? "e4m3x2" : "e5m2x2";
}

/// As f16, which has every value of both.
Value Converter::fromFloat8(Value value) {
  Type element = getElementTypeOrSelf(value.getType());
  Type i8 = builder.getI8Type(), i16 = builder.getI16Type();
  Type f16 = builder.getF16Type(), pair = VectorType::get(2, f16);
  Value bits = arith::BitcastOp::create(builder, loc, as(value, i8), value);
  bool isPair = isa<VectorType>(value.getType());
  bits = isPair ? Value(LLVM::BitcastOp::create(builder, loc, i16, bits))
                : Value(arith::ExtUIOp::create(builder, loc, i16, bits));
  Value halves = ptx("cvt.rn.f16x2." + float8Name(element).str(), bits,
                     builder.getI32Type());
  halves = LLVM::BitcastOp::create(builder, loc, pair, halves);
  if (isPair)
    return halves;
  return LLVM::ExtractElementOp::create(
      builder, loc, halves,
      arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(0)));
}

/// From f32; the first of the instruction's inputs is the upper byte.
Value Converter::toFloat8(Value value, Type element) {
  Type i8 = builder.getI8Type(), i16 = builder.getI16Type();
  auto at = [&](int64_t i) -> Value {
    return LLVM::ExtractElementOp::create(
        builder, loc, value,
        arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(i)));
  };
  bool isPair = isa<VectorType>(value.getType());
  Value low = isPair ? at(0) : value;
  Value high = isPair ? at(1) : value;
  Value bits = ptx("cvt.rn.satfinite." + float8Name(element).str() + ".f32",
                   {high, low}, i16);
  bits = isPair ? Value(LLVM::BitcastOp::create(builder, loc,
                                                VectorType::get(2, i8), bits))
                : Value(arith::TruncIOp::create(builder, loc, i8, bits));
  return arith::BitcastOp::create(builder, loc, as(value, element), bits);
}

Value Converter::convertFloat(Value value, Type element) {
  Type from = getElementTypeOrSelf(value.getType());
  if (from == element)
    return value;
  unsigned fromBits = from.getIntOrFloatBitWidth();
  unsigned toBits = element.getIntOrFloatBitWidth();
  if (fromBits == toBits) {
    // f16 and bf16: every value of either is an f32, so only one step rounds.
    value = arith::ExtFOp::create(builder, loc, as(value, builder.getF32Type()),
                                  value);
    return arith::TruncFOp::create(builder, loc, as(value, element), value);
  }
  if (fromBits < toBits)
    return arith::ExtFOp::create(builder, loc, as(value, element), value);
  return arith::TruncFOp::create(builder, loc, as(value, element), value);
}

Value Converter::convert(Value value, Type element) {
  Type from = getElementTypeOrSelf(value.getType());
  if (from == element)
    return value;
  if (isFloat8(from))
    return convert(fromFloat8(value), element);
  if (isFloat8(element))
    return toFloat8(convertFloat(value, builder.getF32Type()), element);
  bool fromFloat = isa<FloatType>(from), toFloat = isa<FloatType>(element);
  Type type = as(value, element);
  if (fromFloat && toFloat)
    return convertFloat(value, element);
  if (fromFloat)
    return arith::FPToSIOp::create(builder, loc, type, value);
  if (toFloat)
    return arith::SIToFPOp::create(builder, loc, type, value);
  if (from.getIntOrFloatBitWidth() < element.getIntOrFloatBitWidth())
    return arith::ExtSIOp::create(builder, loc, type, value);
  return arith::TruncIOp::create(builder, loc, type, value);
}

/// Elements that lie side by side in registers, at most 2.
static int64_t pairOf(BufferType type) {
  if (type.getRank() == 0 || type.getShape().back() == 1)
    return 1;
  return getVectorWidth(type.getLayout(), type.getShape(), type.getRank() - 1,
                        2);
}

std::string CastRegisters::lower(Operation *op,
                                 const DispatchContext & /*context*/,
                                 OpBuilder &builder) const {
  auto cast = llvm::cast<CastOp>(op);
  Location loc = op->getLoc();
  Value to = cast.getDst(), from = cast.getSrc();
  if (isByRow(cast)) {
    to = getRegisterRow(builder, loc, to);
    from = getRegisterRow(builder, loc, from);
  }
  BufferType dst = typeOf(to), src = typeOf(from);
  Chunking chunks = Chunking::of(dst.getShape());
  chunks.vector = std::gcd(pairOf(dst), pairOf(src));
  emitLoop(builder, loc, chunks.numChunks(),
           [&](OpBuilder &inside, Value trip) {
             IndexMath math(inside, loc, inside.getIndexType());
             SmallVector<Value> real = chunks.indices(math, trip);
             Value value = LoadOp::create(
                 inside, loc, accessOf(src.getElementType(), chunks.vector),
                 from, spreadIndices(math, src.getShape(), real));
             StoreOp::create(
                 inside, loc,
                 Converter(inside, loc).convert(value, dst.getElementType()),
                 to, spreadIndices(math, dst.getShape(), real));
           });
  return std::to_string(chunks.numChunks()) + " conversions of " +
         std::to_string(chunks.vector) +
         (chunks.vector == 1 ? " element" : " elements");
}

std::unique_ptr<DispatchVariant> createCastRegisters() {
  return std::make_unique<CastRegisters>();
}

} // namespace tirx
