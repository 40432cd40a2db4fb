//===- Memrefs.cpp - buffers as memrefs and back --------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A memref is, to upstream's conversions, a struct of two pointers, an offset,
// sizes and strides. The cast between that struct and the memref meets theirs
// and both vanish.
//
//===----------------------------------------------------------------------===//

#include "KernelConversion.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace tirx {

/// The struct that stands for a memref of `rank` in the LLVM dialect.
static LLVM::LLVMStructType descriptorType(OpBuilder &builder, Type pointer,
                                           int64_t rank) {
  Type index = builder.getI64Type();
  SmallVector<Type> fields = {pointer, pointer, index};
  if (rank > 0)
    fields.append(2, LLVM::LLVMArrayType::get(index, rank));
  return LLVM::LLVMStructType::getLiteral(builder.getContext(), fields);
}

LogicalResult KernelConversion::convertToMemref(ToMemrefOp op) {
  auto memref = cast<MemRefType>(op.getType());
  OpBuilder builder(op);
  Location loc = op.getLoc();
  // The place of element 0, and from there back to where offset 0 is: the
  // memref's type counts its static offset from there.
  SmallVector<Value> zeros(memref.getRank(),
                           arith::ConstantIndexOp::create(builder, loc, 0));
  auto element = elementPointer(op, op.getSource(), zeros);
  if (failed(element))
    return failure();
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(memref.getStridesAndOffset(strides, offset)) ||
      ShapedType::isDynamic(offset))
    return op.emitOpError("expected a memref with static strides: write views "
                          "with one stride a dimension");
  Value base = LLVM::GEPOp::create(
      builder, loc, element->getType(), memoryType(memref.getElementType()),
      *element, ArrayRef<LLVM::GEPArg>{int32_t(-offset)});
  LLVM::LLVMStructType type =
      descriptorType(builder, base.getType(), memref.getRank());
  Value value = LLVM::PoisonOp::create(builder, loc, type);
  auto insert = [&](Value part, ArrayRef<int64_t> position) {
    value = LLVM::InsertValueOp::create(builder, loc, value, part, position);
  };
  auto constant = [&](int64_t number) -> Value {
    return LLVM::ConstantOp::create(builder, loc, builder.getI64Type(),
                                    builder.getI64IntegerAttr(number));
  };
  insert(base, {0});
  insert(base, {1});
  insert(constant(offset), {2});
  for (auto [dim, extent] : llvm::enumerate(memref.getShape())) {
    insert(constant(extent), {3, int64_t(dim)});
    insert(constant(strides[dim]), {4, int64_t(dim)});
  }
  auto cast =
      UnrealizedConversionCastOp::create(builder, loc, Type(memref), value);
  op.replaceAllUsesWith(cast.getResult(0));
  return success();
}

LogicalResult KernelConversion::convertFromMemref(FromMemrefOp op) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  Value address = memref::ExtractAlignedPointerAsIndexOp::create(
      builder, loc, op.getSource());
  address =
      arith::IndexCastOp::create(builder, loc, builder.getI64Type(), address);
  auto buffer = cast<BufferType>(op.getType());
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext(),
                                            buffer.isGlobal() ? 1 : 3);
  bases[op.getResult()] =
      LLVM::IntToPtrOp::create(builder, loc, pointer, address);
  return success();
}

} // namespace tirx
