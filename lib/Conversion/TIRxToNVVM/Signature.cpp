//===- Signature.cpp - gpu.func kernel to llvm.func -----------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream's conversion of gpu.func would do, but by-value parameters (tensor
// maps) are refused there, and buffers are not memrefs.
//
//===----------------------------------------------------------------------===//

#include "KernelConversion.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;

namespace tirx {

/// What a kernel parameter is for the LLVM dialect; null if it cannot be one.
static Type parameterType(Type type) {
  if (auto buffer = dyn_cast<BufferType>(type))
    return buffer.isGlobal() ? LLVM::LLVMPointerType::get(type.getContext(), 1)
                             : Type();
  if (type.isIndex())
    return IntegerType::get(type.getContext(), 64);
  if (isa<LLVM::LLVMPointerType, IntegerType, Float16Type, BFloat16Type,
          Float32Type, Float64Type>(type))
    return type;
  return {};
}

static LogicalResult convertParameters(gpu::GPUFuncOp kernel,
                                       SmallVectorImpl<Type> &types,
                                       SmallVectorImpl<DictionaryAttr> &attrs) {
  Builder builder(kernel.getContext());
  for (auto [i, type] : llvm::enumerate(kernel.getArgumentTypes())) {
    Type parameter = parameterType(type);
    if (!parameter)
      return kernel.emitError()
             << "expected parameter " << i
             << " to be a global buffer, a pointer or a scalar, got " << type;
    types.push_back(parameter);
    NamedAttrList own(kernel.getArgAttrDict(i));
    // Buffers come from the driver's allocator; vectors count on 16 bytes.
    if (isa<BufferType>(type))
      own.set(LLVM::LLVMDialect::getAlignAttrName(),
              builder.getI64IntegerAttr(16));
    // The host reads it in the kernel's metadata.
    own.erase(TIRxDialect::kTensorMapAttr);
    // A parameter that the kernel only reads needs no copy in local memory.
    if (own.get(LLVM::LLVMDialect::getByValAttrName()) &&
        own.get(LLVM::LLVMDialect::getReadonlyAttrName()))
      own.set(NVVM::NVVMDialect::getGridConstantAttrName(),
              builder.getUnitAttr());
    attrs.push_back(own.getDictionary(kernel.getContext()));
  }
  return success();
}

static NamedAttrList kernelAttributes(gpu::GPUFuncOp kernel) {
  Builder builder(kernel.getContext());
  NamedAttrList attributes;
  attributes.set(NVVM::NVVMDialect::getKernelFuncAttrName(),
                 builder.getUnitAttr());
  if (auto block = kernel.getKnownBlockSizeAttr())
    attributes.set(NVVM::NVVMDialect::getReqntidAttrName(), block);
  if (auto cluster = kernel.getKnownClusterSizeAttr())
    attributes.set(NVVM::NVVMDialect::getClusterDimAttrName(), cluster);
  for (NamedAttribute attribute : kernel->getDiscardableAttrs())
    if (attribute.getNameDialect() &&
        attribute.getNameDialect()->getNamespace() == "nvvm")
      attributes.set(attribute.getName(), attribute.getValue());
  if (Attribute bytes = kernel->getAttr(TIRxDialect::kSharedBytesAttr))
    attributes.set(TIRxDialect::kSharedBytesAttr, bytes);
  return attributes;
}

FailureOr<LLVM::LLVMFuncOp> convertSignature(gpu::GPUFuncOp kernel) {
  if (kernel.getNumWorkgroupAttributions() ||
      !kernel.getPrivateAttributions().empty())
    return kernel.emitError(
        "expected no memory attributions: shared memory is a "
        "tirx.smem_pool, registers are tirx.alloc_local");
  SmallVector<Type> types;
  SmallVector<DictionaryAttr> attributes;
  if (failed(convertParameters(kernel, types, attributes)))
    return failure();
  OpBuilder builder(kernel);
  auto type = LLVM::LLVMFunctionType::get(
      LLVM::LLVMVoidType::get(kernel.getContext()), types);
  auto function = LLVM::LLVMFuncOp::create(
      builder, kernel.getLoc(), kernel.getName(), type, LLVM::Linkage::External,
      /*dsoLocal=*/false, LLVM::CConv::C, SymbolRefAttr(),
      kernelAttributes(kernel).getAttrs(), attributes);
  function.getBody().takeBody(kernel.getBody());

  Block &entry = function.getBody().front();
  builder.setInsertionPointToStart(&entry);
  for (BlockArgument argument : entry.getArguments()) {
    Type old = argument.getType();
    Type parameter = types[argument.getArgNumber()];
    if (old == parameter)
      continue;
    argument.setType(parameter);
    auto cast = UnrealizedConversionCastOp::create(builder, argument.getLoc(),
                                                   old, argument);
    argument.replaceAllUsesExcept(cast.getResult(0), cast);
  }
  function.walk([](gpu::ReturnOp op) {
    OpBuilder builder(op);
    LLVM::ReturnOp::create(builder, op.getLoc(), ValueRange());
    op.erase();
  });
  kernel.erase();
  return function;
}

} // namespace tirx
