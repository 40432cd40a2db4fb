//===- TensorMapParameter.cpp - tensor maps that a kernel takes
//-------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorMapParameter.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace tirx {

/// Bytes of a tensor map, and their alignment (CUDA driver API, CUtensorMap).
static constexpr int64_t kMapBytes = 128, kMapAlignment = 64;

/// The types of launch files. Only a reduction or a fill with NaN would tell
/// types of one width apart.
static StringRef elementName(Type type) {
  if (type.isF16())
    return "f16";
  if (type.isBF16())
    return "bf16";
  if (type.isF32())
    return "f32";
  if (type.isF64())
    return "f64";
  switch (type.getIntOrFloatBitWidth()) {
  case 8:
    return "u8";
  case 16:
    return "u16";
  case 32:
    return "u32";
  default:
    return "u64";
  }
}

static StringRef swizzleName(SwizzleMode mode) {
  return mode == SwizzleMode::B128Atom32 ? "128B_atom32B" : getName(mode);
}

TensorMapAttr describeTensorMap(BufferType tensor, unsigned parameter,
                                int64_t offset, const TensorCopyPlan &plan) {
  SmallVector<int64_t> dims, strides, box;
  for (const TensorMapDim &dim : plan.dims) {
    if (!dims.empty())
      strides.push_back(*dim.stride);
    dims.push_back(*dim.size);
    box.push_back(dim.box);
  }
  MLIRContext *context = tensor.getContext();
  auto array = [&](ArrayRef<int64_t> values) {
    return DenseI64ArrayAttr::get(context, values);
  };
  return TensorMapAttr::get(
      context, parameter, offset, elementName(tensor.getElementType()),
      array(dims), array(strides), array(box), swizzleName(plan.swizzle));
}

Value getTensorMapParameter(gpu::GPUFuncOp kernel, TensorMapAttr map) {
  for (BlockArgument argument : kernel.getArguments())
    if (kernel.getArgAttr(argument.getArgNumber(),
                          TIRxDialect::kTensorMapAttr) == map)
      return argument;
  Builder builder(kernel.getContext());
  auto bytes = LLVM::LLVMArrayType::get(builder.getI8Type(), kMapBytes);
  NamedAttrList attributes;
  attributes.set(LLVM::LLVMDialect::getByValAttrName(), TypeAttr::get(bytes));
  attributes.set(LLVM::LLVMDialect::getAlignAttrName(),
                 builder.getI64IntegerAttr(kMapAlignment));
  attributes.set(LLVM::LLVMDialect::getReadonlyAttrName(),
                 builder.getUnitAttr());
  attributes.set(TIRxDialect::kTensorMapAttr, map);
  unsigned number = kernel.getNumArguments();
  (void)kernel.insertArgument(
      number, LLVM::LLVMPointerType::get(kernel.getContext()),
      attributes.getDictionary(kernel.getContext()), kernel.getLoc());
  return kernel.getArgument(number);
}

} // namespace tirx
