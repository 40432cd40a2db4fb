//===- tirx-plugin.cpp - tirx inside a stock mlir-opt ---------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   mlir-opt --load-dialect-plugin=TIRxPlugin.so
//   --load-pass-plugin=TIRxPlugin.so
//
//===----------------------------------------------------------------------===//

#include "TIRx/Conversion/TIRxToNVVM/Passes.h"
#include "TIRx/Dialect/TIRx/IR/TIRxDialect.h"
#include "TIRx/Dialect/TIRx/Transforms/Passes.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"

static void registerDialects(mlir::DialectRegistry *registry) {
  registry->insert<tirx::TIRxDialect>();
}

static void registerPasses() {
  tirx::registerTIRxPasses();
  tirx::registerTIRxToNVVMPasses();
}

extern "C" LLVM_ATTRIBUTE_VISIBILITY_DEFAULT mlir::DialectPluginLibraryInfo
mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "TIRx", "0.1", registerDialects};
}

extern "C" LLVM_ATTRIBUTE_VISIBILITY_DEFAULT mlir::PassPluginLibraryInfo
mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "TIRx", "0.1", registerPasses};
}
