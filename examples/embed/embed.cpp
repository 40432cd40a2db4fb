//===- embed.cpp - the dialect in a program of one's own ------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads a kernel, declares an axis of its own, checks the kernel and places its
// shared memory: embed FILE.mlir
//
//===----------------------------------------------------------------------===//

#include "TIRx/Dialect/TIRx/IR/TIRxDialect.h"
#include "TIRx/Dialect/TIRx/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/raw_ostream.h"

int main(int argc, char **argv) {
  if (argc != 2) {
    llvm::errs() << "usage: embed FILE.mlir\n";
    return 2;
  }
  mlir::MLIRContext context;
  context.loadDialect<tirx::TIRxDialect, mlir::arith::ArithDialect,
                      mlir::gpu::GPUDialect, mlir::LLVM::LLVMDialect,
                      mlir::scf::SCFDialect>();
  context.getLoadedDialect<tirx::TIRxDialect>()->getAxes().declare(
      "expert", tirx::AxisKind::Device);

  auto module = mlir::parseSourceFile<mlir::ModuleOp>(argv[1], &context);
  if (!module)
    return 1;
  mlir::PassManager manager(&context);
  manager.addPass(tirx::createTIRxCheck());
  manager.addPass(tirx::createTIRxAllocateShared());
  if (mlir::failed(manager.run(*module)))
    return 1;
  module->print(llvm::outs());
  return 0;
}
