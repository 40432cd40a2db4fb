//===- BufferRef.cpp - where a buffer value comes from --------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BufferRef.h"
#include "IndexMath.h"
#include "TIRx/Layout/Algebra.h"

using namespace mlir;

namespace tirx {

/// The dynamic offsets that a view adds; its static ones are in its layout.
static LogicalResult addOffsets(ViewOp view, BufferRef &ref, std::string &why) {
  auto source = cast<BufferType>(view.getSource().getType());
  unsigned next = 0;
  for (auto [dim, offset] : llvm::enumerate(view.getStaticOffsets())) {
    if (!ShapedType::isDynamic(offset))
      continue;
    Value index = view.getOffsets()[next++];
    if (source.getShape()[dim] == 1)
      continue; // only 0 is inside
    llvm::Expected<Iter> step =
        getDimStride(source.getLayout(), source.getShape(), dim);
    if (!step) {
      why = llvm::toString(step.takeError());
      return failure();
    }
    // Behind a recast, offsets count elements of another width.
    int64_t bits = step->axis == lookupBuiltinAxis("TLane")
                       ? ref.type.getElementBits()
                       : source.getElementBits();
    int64_t stride = step->stride * bits;
    if (stride % ref.type.getElementBits() != 0) {
      why = "expected a dynamic offset of whole elements of " +
            std::to_string(ref.type.getElementBits()) + " bits, got steps of " +
            std::to_string(step->stride) + " elements of " +
            std::to_string(source.getElementBits());
      return failure();
    }
    ref.offsets.push_back(
        {index, stride / ref.type.getElementBits(), step->axis});
  }
  return success();
}

/// `local_view` renumbers registers from the first one that the source has.
static LogicalResult addRegisters(LocalViewOp view, BufferRef &ref,
                                  std::string &why) {
  auto source = cast<BufferType>(view.getSource().getType());
  Layout storage = getStorage(source.getLayout());
  Span span = storage.getSpan(memoryAxis());
  if (span.size() != storage.getSize().value_or(span.size())) {
    why = "expected the registers of a local_view's source side by side, got " +
          std::to_string(*storage.getSize()) + " in a span of " +
          std::to_string(span.size());
    return failure();
  }
  ref.firstRegister += span.min;
  return success();
}

FailureOr<BufferRef> traceBuffer(Value buffer, std::string &why) {
  BufferRef ref;
  ref.type = cast<BufferType>(buffer.getType());
  while (auto op = buffer.getDefiningOp<ViewLikeOpInterface>()) {
    if (auto view = dyn_cast<ViewOp>(*op);
        view && failed(addOffsets(view, ref, why)))
      return failure();
    if (auto view = dyn_cast<LocalViewOp>(*op);
        view && failed(addRegisters(view, ref, why)))
      return failure();
    // The others change the type alone.
    buffer = op.getViewSource();
  }
  ref.root = buffer;
  if (auto argument = dyn_cast<BlockArgument>(buffer)) {
    Block *block = argument.getOwner();
    if (block->isEntryBlock() && isa<FunctionOpInterface>(block->getParentOp()))
      return ref;
    why =
        "expected a buffer traced to a kernel argument or an allocation, got a "
        "block argument: buffers do not pass through loops or branches";
    return failure();
  }
  if (isa<PoolAllocOp, TmemBufferOp, AllocLocalOp, FromMemrefOp,
          UnrealizedConversionCastOp>(buffer.getDefiningOp()))
    return ref;
  why = ("expected a buffer traced to a kernel argument or an allocation, got "
         "the result of '" +
         buffer.getDefiningOp()->getName().getStringRef() + "'")
            .str();
  return failure();
}

} // namespace tirx
