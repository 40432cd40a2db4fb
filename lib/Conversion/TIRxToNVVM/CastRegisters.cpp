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
#include "TIRx/Layout/Algebra.h"
#include "TileIndex.h"
#include "Variants.h"
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

static LogicalResult matchOperand(Value operand, StringRef name,
                                  Reasons &reasons) {
  auto type = cast<BufferType>(operand.getType());
  if (!type.isLocal())
    return reasons.decline(operand,
                           "expected " + name + " in local memory, got " +
                               stringifyMemorySpace(type.getMemorySpace()));
  if (hasThreadAxes(type.getLayout()))
    return reasons.decline(operand,
                           name + " is spread over the registers of several "
                                  "threads: expected a per-thread buffer "
                                  "(tirx.local_view)");
  Type element = type.getElementType();
  if (!element.isF16() && !element.isBF16() && !element.isF32() &&
      !element.isF64()) {
    std::string text;
    llvm::raw_string_ostream(text)
        << "expected " << name << " of f16, bf16, f32 or f64, got " << element;
    return reasons.decline(operand, text);
  }
  std::string why;
  if (failed(traceBuffer(operand, why)))
    return reasons.decline(operand, name + ": " + why);
  return success();
}

LogicalResult CastRegisters::match(Operation *op, const DispatchContext &,
                                   Reasons &reasons) const {
  auto cast = llvm::cast<CastOp>(op);
  if (cast.getScope() != Scope::Thread)
    return reasons.decline(op, "expected scope thread, got " +
                                   stringifyScope(cast.getScope()));
  if (failed(matchOperand(cast.getDst(), "dst", reasons)) ||
      failed(matchOperand(cast.getSrc(), "src", reasons)))
    return failure();
  return success();
}

static Value convert(OpBuilder &builder, Location loc, Value value,
                     Type element) {
  Type from = getElementTypeOrSelf(value.getType());
  if (from == element)
    return value;
  auto as = [&](Type scalar) -> Type {
    auto vector = dyn_cast<VectorType>(value.getType());
    return vector ? Type(vector.clone(scalar)) : scalar;
  };
  unsigned fromBits = from.getIntOrFloatBitWidth();
  unsigned toBits = element.getIntOrFloatBitWidth();
  if (fromBits == toBits) {
    // f16 and bf16: every value of either is an f32, so only one step rounds.
    value =
        arith::ExtFOp::create(builder, loc, as(builder.getF32Type()), value);
    return arith::TruncFOp::create(builder, loc, as(element), value);
  }
  if (fromBits < toBits)
    return arith::ExtFOp::create(builder, loc, as(element), value);
  return arith::TruncFOp::create(builder, loc, as(element), value);
}

/// Elements that lie side by side in registers, at most 2.
static int64_t pairOf(BufferType type) {
  if (type.getRank() == 0 || type.getShape().back() == 1)
    return 1;
  return getVectorWidth(type.getLayout(), type.getShape(), type.getRank() - 1,
                        2);
}

std::string CastRegisters::lower(Operation *op, const DispatchContext &,
                                 OpBuilder &builder) const {
  auto cast = llvm::cast<CastOp>(op);
  auto dst = llvm::cast<BufferType>(cast.getDst().getType());
  auto src = llvm::cast<BufferType>(cast.getSrc().getType());
  Chunking chunks = Chunking::of(dst.getShape());
  chunks.vector = std::gcd(pairOf(dst), pairOf(src));
  Location loc = op->getLoc();
  emitLoop(builder, loc, chunks.numChunks(),
           [&](OpBuilder &inside, Value trip) {
             IndexMath math(inside, loc, inside.getIndexType());
             SmallVector<Value> real = chunks.indices(math, trip);
             Value value = LoadOp::create(
                 inside, loc, accessOf(src.getElementType(), chunks.vector),
                 cast.getSrc(), spreadIndices(math, src.getShape(), real));
             StoreOp::create(
                 inside, loc, convert(inside, loc, value, dst.getElementType()),
                 cast.getDst(), spreadIndices(math, dst.getShape(), real));
           });
  return std::to_string(chunks.numChunks()) + " conversions of " +
         std::to_string(chunks.vector) +
         (chunks.vector == 1 ? " element" : " elements");
}

std::unique_ptr<DispatchVariant> createCastRegisters() {
  return std::make_unique<CastRegisters>();
}

} // namespace tirx
