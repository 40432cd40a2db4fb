//===- tirx-translate.cpp - from and to other texts -----------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TIRx/Conversion/PTXToTIRx/ImportPTX.h"
#include "TIRx/PTX/Parser.h"
#include "TIRx/PTX/Printer.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;
namespace cl = llvm::cl;

namespace {
enum class Action { None, ImportPTX, PrintPTX };
} // namespace

static LogicalResult importPTX(llvm::MemoryBuffer &source, bool withLocations,
                               tirx::ptx::Diagnostics &diagnostics,
                               llvm::raw_ostream &os) {
  DialectRegistry registry;
  tirx::registerImportDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  OwningOpRef<ModuleOp> module = tirx::importPTX(
      source.getBuffer(), source.getBufferIdentifier(), context, diagnostics);
  if (!module)
    return failure();
  OpPrintingFlags flags;
  if (withLocations)
    flags.enableDebugInfo(/*enable=*/true);
  module->print(os, flags);
  os << '\n';
  return success();
}

static LogicalResult printPTX(llvm::MemoryBuffer &source,
                              tirx::ptx::Diagnostics &diagnostics,
                              llvm::raw_ostream &os) {
  auto module = tirx::ptx::parseModule(
      source.getBuffer(), source.getBufferIdentifier(), diagnostics);
  if (!module)
    return failure();
  tirx::ptx::print(*module, os);
  return success();
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::OptionCategory category("tirx-translate options");
  cl::opt<std::string> input(cl::Positional, cl::desc("<file, - for stdin>"),
                             cl::init("-"), cl::cat(category));
  cl::opt<std::string> output("o", cl::desc("output file"), cl::init("-"),
                              cl::value_desc("file"), cl::cat(category));
  cl::opt<bool> locations("locations",
                          cl::desc("print the locations of the ops"),
                          cl::cat(category));
  cl::opt<Action> action(
      cl::desc("what to do:"), cl::init(Action::None), cl::cat(category),
      cl::values(clEnumValN(Action::ImportPTX, "import-ptx",
                            "make tirx.ptx ops of PTX text"),
                 clEnumValN(Action::PrintPTX, "print-ptx",
                            "print PTX text in one form, without comments")));
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(argc, argv,
                              "Translates between tirx and other texts\n");
  if (action == Action::None) {
    llvm::errs() << "tirx-translate: expected --import-ptx or --print-ptx\n";
    return 1;
  }
  std::string message;
  auto source = openInputFile(input, &message);
  if (!source) {
    llvm::errs() << "tirx-translate: " << message << '\n';
    return 1;
  }
  auto file = openOutputFile(output, &message);
  if (!file) {
    llvm::errs() << "tirx-translate: " << message << '\n';
    return 1;
  }
  tirx::ptx::Diagnostics diagnostics;
  LogicalResult done =
      action == Action::ImportPTX
          ? importPTX(*source, locations, diagnostics, file->os())
          : printPTX(*source, diagnostics, file->os());
  llvm::errs() << diagnostics.str();
  if (failed(done))
    return 1;
  file->keep();
  return 0;
}
