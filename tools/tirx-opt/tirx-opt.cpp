//===- tirx-opt.cpp - reads and writes IR, runs passes --------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TIRx/Conversion/TIRxToNVVM/Passes.h"
#include "TIRx/Dialect/TIRx/IR/SourceText.h"
#include "TIRx/Dialect/TIRx/IR/TIRxDialect.h"
#include "TIRx/Dialect/TIRx/Transforms/Passes.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/ToolOutputFile.h"

/// What upstream's main does, behind a look at the text (checkSourceText).
static llvm::LogicalResult process(llvm::StringRef input,
                                   llvm::StringRef output,
                                   mlir::DialectRegistry &registry,
                                   const mlir::MlirOptMainConfig &config) {
  std::string message;
  auto source = mlir::openInputFile(input, &message);
  if (!source) {
    llvm::errs() << message << "\n";
    return llvm::failure();
  }
  if (llvm::Error error = tirx::checkSourceText(source->getBuffer(), input)) {
    llvm::errs() << llvm::toString(std::move(error)) << "\n";
    return llvm::failure();
  }
  auto result = mlir::openOutputFile(output, &message);
  if (!result) {
    llvm::errs() << message << "\n";
    return llvm::failure();
  }
  if (llvm::failed(
          mlir::MlirOptMain(result->os(), std::move(source), registry, config)))
    return llvm::failure();
  result->keep();
  return llvm::success();
}

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::registerAllGPUToLLVMIRTranslations(registry);
  registry.insert<tirx::TIRxDialect>();

  mlir::registerAllPasses();
  tirx::registerTIRxPasses();
  tirx::registerTIRxToNVVMPasses();
  auto [input, output] = mlir::registerAndParseCLIOptions(
      argc, argv, "TIRx optimizer driver\n", registry);
  auto config = mlir::MlirOptMainConfig::createFromCLOptions();
  if (config.shouldShowDialects())
    return mlir::asMainReturnCode(
        mlir::MlirOptMain(argc, argv, input, output, registry));
  llvm::InitLLVM stackTraces(argc, argv);
  return mlir::asMainReturnCode(process(input, output, registry, config));
}
