//===- layout_attributes.cpp - how fast layouts become attributes ---------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An attribute is unique in its context: making one that is there is a hash and
// a comparison, making a new one is an allocation besides.
//
//===----------------------------------------------------------------------===//

#include "TIRx/Dialect/TIRx/IR/TIRxAttributes.h"
#include "TIRx/Layout/Algebra.h"
#include "TIRx/Layout/Text.h"
#include "benchmark/benchmark.h"
#include "mlir/IR/MLIRContext.h"

using namespace tirx;

static Layout getOperand() {
  return llvm::cantFail(
      parseLayout("Compose(3, 3, 3, S[(4, 2, 8, 2, 2, 2, 8, 2) : "
                  "(2048, 512, 64, 1024, 32, 16, 2, 1)])",
                  AxisTable()));
}

static void findAttribute(benchmark::State &state) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  context.loadDialect<TIRxDialect>();
  Layout layout = getOperand();
  for (auto _ : state)
    benchmark::DoNotOptimize(getLayoutAttr(&context, layout));
}
BENCHMARK(findAttribute);

/// Against the cheapest operation that a pass would make the attribute for.
static void canonicalizeAndFindAttribute(benchmark::State &state) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  context.loadDialect<TIRxDialect>();
  Layout layout = getOperand();
  for (auto _ : state)
    benchmark::DoNotOptimize(getLayoutAttr(&context, canonicalize(layout)));
}
BENCHMARK(canonicalizeAndFindAttribute);

static void makeNewAttribute(benchmark::State &state) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  context.loadDialect<TIRxDialect>();
  int64_t offset = 0;
  for (auto _ : state) {
    TileLayout tile = llvm::cantFail(TileLayout::get(
        operand.getTile()->getShard(), {}, AxisOffset{memoryAxis(), ++offset}));
    benchmark::DoNotOptimize(getLayoutAttr(&context, tile));
  }
}
BENCHMARK(makeNewAttribute);

BENCHMARK_MAIN();
