//===- tirx-compile.cpp - from a kernel's source to any level -------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TIRx/Compiler/Compiler.h"
#include "TIRx/Dialect/TIRx/IR/SourceText.h"
#include "TIRx/Target/TargetInfo.h"
#include "TIRx/View/View.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/ToolOutputFile.h"

namespace cl = llvm::cl;
using namespace tirx;

static constexpr int kDiagnostics = 1, kUsage = 2;

static cl::OptionCategory category("tirx-compile options");

static cl::opt<std::string> input(cl::Positional, cl::Required,
                                  cl::desc("K.mlir"), cl::cat(category));
static cl::opt<std::string>
    target("target", cl::value_desc("chip"), cl::cat(category),
           cl::desc("such as sm_90a or sm_100a; default: the #nvvm.target of "
                    "the gpu.module"));
static cl::opt<Level> level(
    "emit", cl::desc("Where to stop (default: ptx)"), cl::init(Level::PTX),
    cl::cat(category),
    cl::values(
        clEnumValN(Level::Tile, "tile", "the checked input"),
        clEnumValN(Level::Instruction, "instruction",
                   "tirx instructions, explicit addresses and descriptors"),
        clEnumValN(Level::NVVM, "nvvm", "nvvm and llvm dialects, arith, scf"),
        clEnumValN(Level::LLVM, "llvm", "LLVM IR after optimisation"),
        clEnumValN(Level::PTX, "ptx", "PTX, and K.meta.json beside it"),
        clEnumValN(Level::Cubin, "cubin", "ptxas' output (needs ptxas)")));
static cl::opt<std::string> output("o", cl::value_desc("file"), cl::init("-"),
                                   cl::desc("Output file (default: stdout)"),
                                   cl::cat(category));
static cl::opt<std::string>
    ptxas("ptxas", cl::value_desc("path"), cl::cat(category),
          cl::desc("ptxas (default: CUDA_HOME, CUDA_PATH, PATH)"));
static cl::opt<bool>
    remarks("remarks", cl::cat(category),
            cl::desc("Say which dispatch variant serves each tile op and why "
                     "the others decline"));
static cl::opt<bool>
    report("report", cl::cat(category),
           cl::desc("Print shared memory by buffer, tensor-memory columns, "
                    "registers and spills (registers need ptxas) to stderr"));
static cl::opt<std::string> view(
    "view", cl::value_desc("file"), cl::cat(category),
    cl::desc("Write a page (HTML) with source, tile IR, instruction IR, PTX "
             "and SASS (needs ptxas and nvdisasm) side by side, and "
             "nothing else"));
static cl::opt<bool> timing("time", cl::cat(category),
                            cl::desc("Print the time of each part to stderr"));

static int writeFile(llvm::StringRef path, llvm::StringRef contents,
                     bool isText) {
  std::error_code code;
  llvm::ToolOutputFile file(
      path, code, isText ? llvm::sys::fs::OF_Text : llvm::sys::fs::OF_None);
  if (code) {
    llvm::errs() << "tirx-compile: cannot write '" << path
                 << "': " << code.message() << "\n";
    return kUsage;
  }
  file.os() << contents;
  file.keep();
  return 0;
}

/// What a launch needs beside PTX and cubin: K.ptx has K.meta.json, and
/// K.models.ptx where registered instructions need it.
static int writeCompanions(const CompileResult &result) {
  bool forLaunch = level == Level::PTX || level == Level::Cubin;
  if (!forLaunch || output == "-")
    return 0;
  llvm::SmallString<128> path(output);
  llvm::sys::path::replace_extension(path, "meta.json");
  std::string text;
  llvm::raw_string_ostream(text)
      << llvm::formatv("{0:2}\n", metadataOf(result.kernels));
  if (int status = writeFile(path, text, /*isText=*/true))
    return status;
  path = output;
  llvm::sys::path::replace_extension(path, "models.ptx");
  if (!result.models.empty())
    return writeFile(path, result.models, /*isText=*/true);
  llvm::sys::fs::remove(path); // of an earlier version of the kernel
  return 0;
}

/// Of a text that is no MLIR: whether it is PTX, which begins with a directive.
static bool looksLikePTX(llvm::StringRef text) {
  for (llvm::StringRef line : llvm::split(text, '\n'))
    if (line.ltrim().starts_with(".version"))
      return true;
  return false;
}

static int run() {
  Stopwatch watch;
  if (!target.empty())
    if (llvm::Expected<const TargetInfo *> known = lookupTarget(target);
        !known) {
      llvm::errs() << "tirx-compile: --target: "
                   << llvm::toString(known.takeError()) << "\n";
      return kUsage;
    }
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(input, /*IsText=*/true);
  if (!buffer) {
    llvm::errs() << "tirx-compile: cannot read '" << input
                 << "': " << buffer.getError().message() << "\n";
    return kUsage;
  }
  if (llvm::Error error =
          tirx::checkSourceText((*buffer)->getBuffer(), input)) {
    llvm::errs() << llvm::toString(std::move(error)) << "\n";
    return kDiagnostics;
  }
  auto sources = std::make_shared<llvm::SourceMgr>();
  sources->AddNewSourceBuffer(std::move(*buffer), llvm::SMLoc());

  mlir::DialectRegistry registry;
  registerKernelDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  context.printOpOnDiagnostic(false); // the source line says it better
  mlir::SourceMgrDiagnosticHandler diagnostics(*sources, &context);
  watch.lap("start");
  auto module = mlir::parseSourceFile<mlir::ModuleOp>(
      sources, mlir::ParserConfig(&context));
  if (!module) {
    unsigned main = sources->getMainFileID();
    if (looksLikePTX(sources->getMemoryBuffer(main)->getBuffer()))
      llvm::errs() << "tirx-compile: expected MLIR, got PTX, of which "
                      "tirx-translate --import-ptx makes MLIR\n";
    return kDiagnostics;
  }
  watch.lap("parse");

  CompileOptions options;
  options.levels = {level};
  options.target = target;
  options.ptxas = ptxas;
  options.remarks = remarks;
  options.report = report;
  if (!view.empty()) {
    auto page = renderView(*module, *sources, options,
                           llvm::sys::path::filename(input), watch);
    if (failed(page))
      return kDiagnostics;
    (void)module.release();
    return writeFile(view, *page, /*isText=*/true);
  }
  auto result = compile(*module, *sources, options, watch);
  if (failed(result))
    return kDiagnostics;
  if (int status =
          writeFile(output, result->texts[level], level != Level::Cubin))
    return status;
  if (int status = writeCompanions(*result))
    return status;
  watch.lap("write");
  if (report)
    printReport(llvm::errs(), result->kernels,
                result->resources ? &*result->resources : nullptr);
  if (timing)
    watch.print(llvm::errs());
  // The context holds nothing that must be flushed; tearing it down is wasted.
  (void)module.release();
  llvm::outs().flush();
  return 0;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::HideUnrelatedOptions(category);
  if (!cl::ParseCommandLineOptions(
          argc, argv,
          "compiles a TIRx kernel to any level between tile IR and cubin\n\n"
          "  tirx-compile K.mlir --target=sm_100a -o K.ptx\n\n"
          "Exit status: 0; 1 errors in the kernel; 2 usage.\n",
          &llvm::errs()))
    return kUsage;
  return run();
}
