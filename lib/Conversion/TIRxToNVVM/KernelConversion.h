//===- KernelConversion.h - one kernel from L2 to L3 ------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_LIB_CONVERSION_TIRXTONVVM_KERNELCONVERSION_H
#define TIRX_LIB_CONVERSION_TIRXTONVVM_KERNELCONVERSION_H

#include "BufferRef.h"
#include "ThreadIds.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace tirx {

/// Converts the ops of a kernel that is an `llvm.func` already. Ops are
/// rewritten in program order; what they replace is erased at the end.
class KernelConversion {
public:
  KernelConversion(mlir::LLVM::LLVMFuncOp kernel, ThreadIds &ids)
      : kernel(kernel), ids(ids) {}

  mlir::LogicalResult run();

private:
  mlir::LogicalResult convert(mlir::Operation *op);
  mlir::LogicalResult convertAlloc(PoolAllocOp op);
  mlir::LogicalResult convertTmemBuffer(TmemBufferOp op);
  mlir::LogicalResult convertAllocLocal(AllocLocalOp op);
  mlir::LogicalResult convertId(IdOp op);
  mlir::LogicalResult convertLoad(LoadOp op);
  mlir::LogicalResult convertStore(StoreOp op);
  mlir::LogicalResult convertPtr(PtrOp op);
  mlir::LogicalResult convertDescriptor(SmemDescriptorOp op);
  mlir::LogicalResult convertToMemref(ToMemrefOp op);
  mlir::LogicalResult convertFromMemref(FromMemrefOp op);

  /// Traces a buffer, or reports at `op` why it cannot be traced.
  mlir::FailureOr<BufferRef> trace(mlir::Operation *op, mlir::Value buffer);
  /// Base address of a root: a pointer, or an i32 in tensor memory.
  mlir::Value baseOf(const BufferRef &ref);
  /// The pointer to an element in global, shared or local memory.
  mlir::FailureOr<mlir::Value> elementPointer(mlir::Operation *op,
                                              mlir::Value buffer,
                                              mlir::ValueRange indices);
  mlir::FailureOr<mlir::Value> registerPointer(mlir::Operation *op,
                                               const BufferRef &ref,
                                               mlir::ValueRange indices);

  mlir::LLVM::LLVMFuncOp kernel;
  ThreadIds &ids;
  llvm::DenseMap<mlir::Value, mlir::Value> bases;
  llvm::SmallVector<mlir::Operation *> dead;
};

/// Name of the symbol of dynamic shared memory in a GPU module.
inline constexpr llvm::StringLiteral kSharedPoolSymbol = "tirx_shared_pool";

/// Turns a `gpu.func` kernel into an `llvm.func` with the same body: buffers
/// become pointers, `gpu.return` becomes `llvm.return`.
mlir::FailureOr<mlir::LLVM::LLVMFuncOp>
convertSignature(mlir::gpu::GPUFuncOp kernel);

/// The type of an element in memory as the LLVM dialect has it.
mlir::Type memoryType(mlir::Type elementType);

/// Emits `op`, at its place, as an nvvm op that means the same or as inline
/// assembly, and replaces its results.
mlir::LogicalResult emitPtx(PtxOp op);

} // namespace tirx

#endif // TIRX_LIB_CONVERSION_TIRXTONVVM_KERNELCONVERSION_H
