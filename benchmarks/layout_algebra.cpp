//===- layout_algebra.cpp - how fast the layout algebra is ----------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operations on layouts of 4 to 8 iters, and all points of a swizzled tile.
// The layouts are those of benchmarks/layout.py, which runs the same operations
// in CuTe.
//
//===----------------------------------------------------------------------===//

#include "TIRx/Layout/Algebra.h"
#include "TIRx/Layout/Evaluator.h"
#include "TIRx/Layout/Text.h"
#include "benchmark/benchmark.h"

using namespace tirx;

namespace {
/// A layout and the shape that the operations take it under.
struct Subject {
  const char *text;
  llvm::SmallVector<int64_t> shape;
};
} // namespace

/// Of 4, 6 and 8 iters: a fragment, a tile of tiles, a swizzled operand.
static const Subject &getSubject(int64_t index) {
  static const Subject subjects[] = {
      {"S[(2, 8, 4, 2) : (64, 8, 2, 1)]", {16, 8}},
      {"S[(4, 2, 8, 2, 4, 4) : (2048, 16, 256, 8, 32, 1)]", {64, 32}},
      {"Compose(3, 3, 3, S[(4, 2, 8, 2, 2, 2, 8, 2) : "
       "(4096, 512, 64, 2048, 32, 16, 2, 1)])",
       {128, 64}}};
  return subjects[index];
}

static Layout getLayout(const Subject &subject) {
  return llvm::cantFail(parseLayout(subject.text, AxisTable()));
}

static void forSubjects(benchmark::internal::Benchmark *bench) {
  bench->Arg(0)->Arg(1)->Arg(2);
}

static void label(benchmark::State &state, const Layout &layout) {
  state.SetLabel(std::to_string(layout.getTile()->getShard().size()) +
                 (layout.getSwizzle() ? " iters, swizzled" : " iters"));
}

static void parse(benchmark::State &state) {
  const Subject &subject = getSubject(state.range(0));
  for (auto _ : state)
    benchmark::DoNotOptimize(getLayout(subject));
  label(state, getLayout(subject));
}
BENCHMARK(parse)->Apply(forSubjects);

static void canonicalize(benchmark::State &state) {
  Layout layout = getLayout(getSubject(state.range(0)));
  for (auto _ : state)
    benchmark::DoNotOptimize(tirx::canonicalize(layout));
  label(state, layout);
}
BENCHMARK(canonicalize)->Apply(forSubjects);

/// Two spellings of one map.
static void equal(benchmark::State &state) {
  Layout layout = getLayout(getSubject(state.range(0)));
  Layout other = tirx::canonicalize(layout);
  for (auto _ : state)
    benchmark::DoNotOptimize(isEqual(layout, other));
  label(state, layout);
}
BENCHMARK(equal)->Apply(forSubjects);

/// The second half of each dimension.
static void slice(benchmark::State &state) {
  const Subject &subject = getSubject(state.range(0));
  Layout layout = getLayout(subject);
  llvm::SmallVector<int64_t> half;
  for (int64_t extent : subject.shape)
    half.push_back(extent / 2);
  for (auto _ : state)
    benchmark::DoNotOptimize(
        llvm::cantFail(tirx::slice(layout, subject.shape, half, half)));
  label(state, layout);
}
BENCHMARK(slice)->Apply(forSubjects);

static void permute(benchmark::State &state) {
  const Subject &subject = getSubject(state.range(0));
  Layout layout = getLayout(subject);
  for (auto _ : state)
    benchmark::DoNotOptimize(
        llvm::cantFail(tirx::permute(layout, subject.shape, {1, 0})));
  label(state, layout);
}
BENCHMARK(permute)->Apply(forSubjects);

//===----------------------------------------------------------------------===//
// Evaluation
//===----------------------------------------------------------------------===//

/// All points of a 128x256 tile of 16-bit elements with the 128-byte swizzle,
/// as shared memory has it: columns of 64 elements, one behind the other.
static Layout getSwizzledTile() {
  return llvm::cantFail(parseLayout(
      "Compose(3, 3, 3, S[(128, 4, 64) : (64, 8192, 1)])", AxisTable()));
}

static void evaluateAll(benchmark::State &state) {
  Layout layout = getSwizzledTile();
  std::vector<int64_t> out(*layout.getSize());
  for (auto _ : state) {
    llvm::cantFail(Evaluator::get(layout)).evaluate(0, out);
    benchmark::DoNotOptimize(out.data());
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * out.size());
}
BENCHMARK(evaluateAll);

/// One by one, for comparison.
static void applyAll(benchmark::State &state) {
  Layout layout = getSwizzledTile();
  int64_t size = *layout.getSize();
  for (auto _ : state)
    for (int64_t x = 0; x < size; ++x)
      benchmark::DoNotOptimize(layout.apply(x));
  state.SetItemsProcessed(state.iterations() * size);
}
BENCHMARK(applyAll);

BENCHMARK_MAIN();
