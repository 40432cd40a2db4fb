//===- ElementwiseOps.cpp - elementwise tile ops --------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Their verifier, effects and scope, which are the same for all.
//
//===----------------------------------------------------------------------===//

#include "TIRx/Dialect/TIRx/IR/TIRxEffects.h"
#include "VerifierUtils.h"

using namespace mlir;
using namespace tirx;

/// The ones that integers have too.
static bool takesIntegers(Operation *op) {
  return isa<FillOp, AddOp, SubOp, MulOp, MaximumOp, MinimumOp>(op);
}

static LogicalResult verifyInput(ElementwiseOpInterface op, BufferType dst,
                                 Value input) {
  auto buffer = dyn_cast<BufferType>(input.getType());
  unsigned number = 0;
  while (op->getOperand(number) != input)
    ++number;
  // (elementwise_c1)
  if (buffer && isa<FillOp>(op))
    return op->emitOpError("expected value to be a scalar, got ") << buffer;
  if (buffer && verifier::dropUnitExtents(buffer.getShape()) !=
                    verifier::dropUnitExtents(dst.getShape()))
    return op->emitOpError("expected operand ")
           << number << " to have the shape of dst, "
           << verifier::formatShape(dst.getShape())
           << ", once extents of 1 are dropped, got "
           << verifier::formatShape(buffer.getShape());
  // (elementwise_c2)
  Type element = buffer ? buffer.getElementType() : input.getType();
  if (element != dst.getElementType())
    return op->emitOpError("expected operand ")
           << number << " to have the element type of dst, "
           << dst.getElementType() << ", got " << element;
  return success();
}

static LogicalResult verifyElementwise(ElementwiseOpInterface op) {
  auto dst = cast<BufferType>(op.getDestination().getType());
  for (Value input : op.getInputs())
    if (failed(verifyInput(op, dst, input)))
      return failure();
  // (elementwise_c3)
  Type element = dst.getElementType();
  if (isa<FloatType>(element) ||
      (takesIntegers(op) && element.isSignlessInteger()))
    return success();
  return op->emitOpError("expected elements that are ")
         << (takesIntegers(op) ? "floats or signless integers" : "floats")
         << ", got " << element;
}

static void
addEffects(Operation *op,
           SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
               &effects) {
  for (OpOperand &operand : op->getOpOperands()) {
    auto buffer = dyn_cast<BufferType>(operand.get().getType());
    if (!buffer)
      continue;
    MemoryEffects::Effect *effect = MemoryEffects::Read::get();
    if (operand.getOperandNumber() == 0)
      effect = MemoryEffects::Write::get();
    effects.emplace_back(effect, &operand,
                         getResource(buffer.getMemorySpace()));
  }
}

#define TIRX_ELEMENTWISE(OP)                                                   \
  LogicalResult OP::verify() {                                                 \
    return verifyElementwise(cast<ElementwiseOpInterface>(getOperation()));    \
  }                                                                            \
  Scope OP::getExecutionScope() { return getScope(); }                         \
  void OP::getEffects(                                                         \
      SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>      \
          &effects) {                                                          \
    addEffects(*this, effects);                                                \
  }

TIRX_ELEMENTWISE(FillOp)
TIRX_ELEMENTWISE(SqrtOp)
TIRX_ELEMENTWISE(ExpOp)
TIRX_ELEMENTWISE(Exp2Op)
TIRX_ELEMENTWISE(Log2Op)
TIRX_ELEMENTWISE(ReciprocalOp)
TIRX_ELEMENTWISE(SiluOp)
TIRX_ELEMENTWISE(AddOp)
TIRX_ELEMENTWISE(SubOp)
TIRX_ELEMENTWISE(MulOp)
TIRX_ELEMENTWISE(FdivOp)
TIRX_ELEMENTWISE(MaximumOp)
TIRX_ELEMENTWISE(MinimumOp)
TIRX_ELEMENTWISE(FmaOp)

#undef TIRX_ELEMENTWISE
