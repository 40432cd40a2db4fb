//===- tirx-opt.cpp - reads and writes IR, runs passes --------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifdef TIRX_HAS_CONVERSION
#include "TIRx/Conversion/TIRxToNVVM/Passes.h"
#endif
#include "TIRx/Dialect/TIRx/IR/TIRxDialect.h"
#include "TIRx/Dialect/TIRx/Transforms/Passes.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::registerAllGPUToLLVMIRTranslations(registry);
  registry.insert<tirx::TIRxDialect>();

  mlir::registerAllPasses();
  tirx::registerTIRxPasses();
#ifdef TIRX_HAS_CONVERSION
  tirx::registerTIRxToNVVMPasses();
#endif
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "TIRx optimizer driver\n", registry));
}
