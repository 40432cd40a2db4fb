//===- DialectFuzzer.cpp - the parser, the verifiers and the checks -------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parses a module of dialect text, which also verifies it, prints it, and runs
// the passes that stay inside the dialect. Nothing may crash or hang. Half of
// the mutations exchange whole tokens, so that more inputs get past the parser.
//
//===----------------------------------------------------------------------===//

#include "TIRx/Dialect/TIRx/IR/TIRxOps.h"
#include "TIRx/Dialect/TIRx/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include <cstring>
#include <random>

using namespace mlir;

extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t maxSize);

/// Contexts keep every type that they see, so each serves some inputs only.
static MLIRContext &getContext() {
  static std::unique_ptr<MLIRContext> context;
  static unsigned uses = 0;
  if (!context || ++uses % 1000 == 0) {
    context = std::make_unique<MLIRContext>(MLIRContext::Threading::DISABLED);
    context->loadDialect<tirx::TIRxDialect, arith::ArithDialect,
                         cf::ControlFlowDialect, func::FuncDialect,
                         gpu::GPUDialect, LLVM::LLVMDialect, scf::SCFDialect>();
    context->getDiagEngine().registerHandler(
        [](Diagnostic &) { return success(); });
  }
  return *context;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  // The parser of MLIR takes a terminated string, and recurses on nesting.
  std::string text(reinterpret_cast<const char *>(data), size);
  if (size > 20000 || text.find('\0') != std::string::npos)
    return 0;
  MLIRContext &context = getContext();
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
  if (!module)
    return 0;
  std::string printed;
  llvm::raw_string_ostream os(printed);
  module->print(os);
  // Each on its own: the second must not depend on what the first lets pass.
  PassManager check(&context), allocate(&context);
  check.addPass(tirx::createTIRxCheck());
  allocate.addPass(tirx::createTIRxAllocateShared());
  (void)check.run(*module);
  (void)allocate.run(*module);
  return 0;
}

/// Ends of the tokens of `text`, with 0 in front.
static std::vector<size_t> tokenEnds(const std::string &text) {
  std::vector<size_t> ends{0};
  for (size_t i = 0; i < text.size();) {
    size_t end = i + 1;
    auto isWord = [&](size_t at) {
      return at < text.size() &&
             (std::isalnum(static_cast<unsigned char>(text[at])) ||
              text[at] == '_');
    };
    if (isWord(i))
      while (isWord(end))
        ++end;
    ends.push_back(end);
    i = end;
  }
  return ends;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size,
                                          size_t maxSize, unsigned seed) {
  static const char *const numbers[] = {
      "0",         "1",   "2",          "8",           "15",
      "16",        "31",  "32",         "63",          "64",
      "127",       "128", "256",        "512",         "1023",
      "1024",      "-1",  "2147483647", "-2147483648", "9223372036854775807",
      "4294967296"};
  static const char *const words[] = {"global",
                                      "shared",
                                      "tmem",
                                      "local",
                                      "thread",
                                      "warp",
                                      "warpgroup",
                                      "cta",
                                      "cluster",
                                      "TLane",
                                      "TCol",
                                      "laneid",
                                      "warpid",
                                      "tid_in_wg",
                                      "m",
                                      "f16",
                                      "f32",
                                      "f64",
                                      "i8",
                                      "i32",
                                      "i64",
                                      "i1",
                                      "index",
                                      "bf16",
                                      "f8E4M3FN",
                                      "x",
                                      "S",
                                      "R",
                                      "outer",
                                      "lane_id",
                                      "warp_id",
                                      "tcgen05_ld",
                                      "trans_a",
                                      "accumulate",
                                      "column",
                                      "columns",
                                      "count",
                                      "cta_group",
                                      "alias",
                                      "+",
                                      "@",
                                      "(",
                                      ")",
                                      "[",
                                      "]",
                                      "<",
                                      ">",
                                      ":",
                                      ",",
                                      "!llvm.ptr<3>",
                                      "!tirx.mbarrier",
                                      "vector<8xf16>",
                                      "vector<2xf16>"};
  std::mt19937 random(seed);
  if (random() % 8 == 0)
    return LLVMFuzzerMutate(data, size, maxSize);
  std::string text(reinterpret_cast<const char *>(data), size);
  std::vector<size_t> ends = tokenEnds(text);
  if (ends.size() < 3)
    return LLVMFuzzerMutate(data, size, maxSize);
  auto token = [&](size_t at) {
    return text.substr(ends[at], ends[at + 1] - ends[at]);
  };
  size_t at = random() % (ends.size() - 1);
  // Spaces teach nothing; the token behind them does.
  while (at + 2 < ends.size() &&
         std::isspace(static_cast<unsigned char>(token(at)[0])))
    ++at;
  // A number stays a number, most of the time, so that the parser goes on.
  bool isNumber = std::isdigit(static_cast<unsigned char>(token(at)[0]));
  std::string word;
  if (isNumber && random() % 8)
    word = numbers[random() % std::size(numbers)];
  else if (random() % 2)
    word = words[random() % std::size(words)];
  else
    word = token(random() % (ends.size() - 1));
  size_t removed = random() % 8 ? token(at).size() : 0;
  text.replace(ends[at], removed, word);
  size_t length = std::min(text.size(), maxSize);
  std::memcpy(data, text.data(), length);
  return length;
}
