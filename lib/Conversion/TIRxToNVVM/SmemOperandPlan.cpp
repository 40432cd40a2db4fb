//===- SmemOperandPlan.cpp - matrix operands in shared memory
//---------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SmemOperandPlan.h"
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

} // namespace tirx
