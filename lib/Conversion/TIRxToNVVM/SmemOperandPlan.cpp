//===- SmemOperandPlan.cpp - matrix operands in shared memory
//---------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SmemOperandPlan.h"
#include "TIRx/Layout/Algebra.h"
#include <numeric>

using namespace mlir;

namespace tirx {

/// Bytes at whose multiples the shared-memory pool begins.
static constexpr int64_t kPoolAlignment = 1024;

int64_t getRootAlignment(const BufferRef &ref) {
  int64_t alignment = ref.rootType().getBaseAlignment();
  auto alloc = ref.root.getDefiningOp<PoolAllocOp>();
  if (!alloc)
    return alignment;
  if (auto offset = alloc.getOffset())
    return std::gcd<int64_t>(*offset, kPoolAlignment);
  return std::max<int64_t>(alignment, alloc.getAlign().value_or(0));
}

FailureOr<SmemDescriptor> planSmemOperand(Value operand, BufferType type,
                                          StringRef name, unsigned kDim,
                                          bool wgmma, Reasons &reasons) {
  SmemOperand shape{type.getLayout(), SmallVector<int64_t, 2>(type.getShape()),
                    kDim, type.getElementBits()};
  auto descriptor =
      wgmma ? deriveWgmmaDescriptor(shape) : deriveTcgen05Descriptor(shape);
  if (!descriptor) {
    (void)reasons.decline(operand,
                          name + ": " + llvm::toString(descriptor.takeError()));
    return failure();
  }
  std::string why;
  BufferRef ref = *traceBuffer(operand, why);
  int64_t alignment = descriptor->requiredAlignment;
  int64_t period = alignment * 8 / type.getElementBits();
  for (const DynamicOffset &offset : ref.offsets)
    if (int64_t move = knownMove(offset, period))
      return reasons.decline(
          operand, "expected dynamic offsets of " + name + " in multiples of " +
                       Twine(period) + " elements (" + Twine(alignment) +
                       " bytes, where the pattern of its layout repeats), got "
                       "multiples of " +
                       Twine(std::gcd(move, period)));
  int64_t base = getRootAlignment(ref);
  if (base % alignment != 0)
    return reasons.decline(
        operand, "expected " + name + " aligned to " + Twine(alignment) +
                     " bytes (align of its pool_alloc), got " + Twine(base));
  return *descriptor;
}

static BufferType typeOf(Value buffer) {
  return cast<BufferType>(buffer.getType());
}

/// The type of `count` rows of an operand.
static FailureOr<BufferType> partType(Value operand, unsigned kDim,
                                      int64_t start, int64_t count) {
  BufferType type = typeOf(operand);
  SmallVector<int64_t> offsets(2, 0), sizes(type.getShape());
  offsets[1 - kDim] = start;
  sizes[1 - kDim] = count;
  auto layout = slice(type.getLayout(), type.getShape(), offsets, sizes);
  if (!layout) {
    llvm::consumeError(layout.takeError());
    return failure();
  }
  return BufferType::get(type.getContext(), sizes, type.getElementType(),
                         type.getMemorySpace(),
                         getLayoutAttr(type.getContext(), *layout));
}

FailureOr<SmemDescriptor> planSmemOperandParts(Value operand, StringRef name,
                                               unsigned kDim, int64_t block,
                                               bool wgmma, Reasons &reasons) {
  int64_t rows = typeOf(operand).getShape()[1 - kDim];
  FailureOr<SmemDescriptor> first = failure();
  for (int64_t start = 0; start < rows; start += block) {
    auto type = partType(operand, kDim, start, block);
    if (failed(type))
      return reasons.decline(
          operand, "expected " + name + " to have a layout for each " +
                       Twine(block) + " rows, got none at " + Twine(start));
    auto descriptor =
        planSmemOperand(operand, *type, name, kDim, wgmma, reasons);
    if (failed(descriptor))
      return failure();
    if (start == 0)
      first = descriptor;
  }
  return first;
}

SmallVector<Value> getOperandParts(OpBuilder &builder, Location loc,
                                   Value operand, unsigned kDim,
                                   int64_t block) {
  int64_t rows = typeOf(operand).getShape()[1 - kDim];
  if (rows == block)
    return {operand};
  SmallVector<Value> views;
  for (int64_t start = 0; start < rows; start += block) {
    SmallVector<int64_t> offsets(2, 0);
    offsets[1 - kDim] = start;
    views.push_back(ViewOp::create(builder, loc,
                                   *partType(operand, kDim, start, block),
                                   operand, ValueRange(), offsets));
  }
  return views;
}

} // namespace tirx
