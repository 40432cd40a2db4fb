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
#include "TIRx/Layout/Exchange/CuTe.h"
#include "TIRx/Layout/Functions.h"
#include "TIRx/Layout/Text.h"
#include "benchmark/benchmark.h"

using namespace tirx;
using Shape = llvm::SmallVector<int64_t>;

namespace {
/// A layout and the shape that the operations take it under.
struct Subject {
  const char *text;
  Shape shape;
};
} // namespace

/// Of 4, 6 and 8 iters: a fragment, a tile of tiles, a swizzled operand.
static const Subject &getSubject(int64_t index) {
  static const Subject subjects[] = {
      {"S[(2, 8, 4, 2) : (2, 16, 4, 1)]", {16, 8}},
      {"S[(4, 2, 8, 2, 4, 4) : (256, 32, 4, 1024, 64, 1)]", {64, 32}},
      {"Compose(3, 3, 3, S[(4, 2, 8, 2, 2, 2, 8, 2) : "
       "(2048, 512, 64, 1024, 32, 16, 2, 1)])",
       {128, 64}}};
  return subjects[index];
}

static Layout getLayout(const Subject &subject) {
  return llvm::cantFail(parseLayout(subject.text, AxisTable()));
}

//===----------------------------------------------------------------------===//
// Labels: what was computed, for benchmarks/layout.py to compare with.
//===----------------------------------------------------------------------===//

/// The layout for CuTe, iter by iter as it is spelled; `shape` says which iters
/// are a mode. The offset is a pointer's in CuTe, unless a swizzle follows.
static std::string spell(const Layout &layout, llvm::ArrayRef<int64_t> shape) {
  CuTeLayout cute;
  if (layout.getSwizzle()) {
    cute.swizzle = *layout.getSwizzle();
    cute.offset = layout.getTile()->getOffset(memoryAxis());
  }
  cute.mode.emplace().isTuple = true;
  for (auto &iters : llvm::cantFail(group(*layout.getTile(), shape))) {
    CuTeMode &dim = cute.mode->modes.emplace_back();
    dim.isTuple = true;
    for (const Iter &iter : llvm::reverse(iters)) {
      CuTeMode &leaf = dim.modes.emplace_back();
      leaf.extent = iter.extent;
      leaf.stride = iter.stride;
    }
  }
  return toString(cute);
}

/// `operand; operand; ...; result`.
static void label(benchmark::State &state,
                  std::initializer_list<std::string> parts) {
  std::string text;
  for (const std::string &part : parts)
    text += (text.empty() ? "" : "; ") + part;
  state.SetLabel(text);
}

/// The flat index as the only coordinate: row-major here is colexicographic
/// there, with the modes in reverse.
static Shape flat(const Layout &layout) { return {*layout.getSize()}; }

static void forSubjects(benchmark::internal::Benchmark *bench) {
  bench->Arg(0)->Arg(1)->Arg(2);
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

static void make(benchmark::State &state) {
  Layout layout = getLayout(getSubject(state.range(0)));
  llvm::SmallVector<Iter> iters(layout.getTile()->getShard());
  auto build = [&]() -> Layout {
    TileLayout tile = llvm::cantFail(TileLayout::get(iters));
    if (!layout.getSwizzle())
      return tile;
    return llvm::cantFail(Layout::compose(*layout.getSwizzle(), tile));
  };
  for (auto _ : state)
    benchmark::DoNotOptimize(build());
  label(state, {spell(layout, flat(layout)), spell(build(), flat(layout))});
}
BENCHMARK(make)->Apply(forSubjects);

static void canonicalize(benchmark::State &state) {
  Layout layout = getLayout(getSubject(state.range(0)));
  for (auto _ : state)
    benchmark::DoNotOptimize(tirx::canonicalize(layout));
  label(state, {spell(layout, flat(layout)),
                spell(tirx::canonicalize(layout), flat(layout))});
}
BENCHMARK(canonicalize)->Apply(forSubjects);

/// The second half of each dimension.
static void slice(benchmark::State &state) {
  const Subject &subject = getSubject(state.range(0));
  Layout layout = getLayout(subject);
  Shape half;
  for (int64_t extent : subject.shape)
    half.push_back(extent / 2);
  auto cut = [&] {
    return llvm::cantFail(tirx::slice(layout, subject.shape, half, half));
  };
  for (auto _ : state)
    benchmark::DoNotOptimize(cut());
  label(state, {spell(layout, subject.shape), spell(cut(), half)});
}
BENCHMARK(slice)->Apply(forSubjects);

/// 2 x 3 copies of the layout.
static void tile(benchmark::State &state) {
  const Subject &subject = getSubject(state.range(0));
  Layout layout = getLayout(subject);
  const Shape copies = {2, 3};
  Layout outer = llvm::cantFail(TileLayout::rowMajor(copies));
  Shape shape = {2 * subject.shape[0], 3 * subject.shape[1]};
  auto build = [&] {
    return llvm::cantFail(tirx::tile(outer, copies, layout, subject.shape));
  };
  for (auto _ : state)
    benchmark::DoNotOptimize(build());
  label(state, {spell(layout, subject.shape), spell(outer, copies),
                spell(build(), shape)});
}
BENCHMARK(tile)->Apply(forSubjects);

/// Through the columns of the shape.
static void compose(benchmark::State &state) {
  const Subject &subject = getSubject(state.range(0));
  Layout layout = getLayout(subject);
  int64_t rows = subject.shape[0], columns = subject.shape[1];
  Iter iters[] = {{columns, 1, memoryAxis()}, {rows, columns, memoryAxis()}};
  Layout inner = llvm::cantFail(TileLayout::get(iters));
  auto build = [&] { return llvm::cantFail(tirx::compose(layout, inner)); };
  for (auto _ : state)
    benchmark::DoNotOptimize(build());
  label(state, {spell(layout, flat(layout)), spell(inner, flat(inner)),
                spell(build(), flat(layout))});
}
BENCHMARK(compose)->Apply(forSubjects);

static void inverse(benchmark::State &state) {
  Layout layout = getLayout(getSubject(state.range(0)));
  const AxisExtent box[] = {{memoryAxis(), *layout.getSize()}};
  auto build = [&] { return llvm::cantFail(tirx::inverse(layout, box)); };
  for (auto _ : state)
    benchmark::DoNotOptimize(build());
  label(state, {spell(layout, flat(layout)), spell(build(), flat(layout))});
}
BENCHMARK(inverse)->Apply(forSubjects);

static void apply(benchmark::State &state) {
  Layout layout = getLayout(getSubject(state.range(0)));
  int64_t last = *layout.getSize() - 1;
  for (auto _ : state)
    benchmark::DoNotOptimize(layout.apply(last));
  label(state, {spell(layout, flat(layout)), std::to_string(last),
                std::to_string(layout.apply(last).get(memoryAxis()))});
}
BENCHMARK(apply)->Apply(forSubjects);

//===----------------------------------------------------------------------===//
// Operations that CuTe has not
//===----------------------------------------------------------------------===//

static void parse(benchmark::State &state) {
  const Subject &subject = getSubject(state.range(0));
  for (auto _ : state)
    benchmark::DoNotOptimize(getLayout(subject));
}
BENCHMARK(parse)->Apply(forSubjects);

/// Two spellings of one map.
static void equal(benchmark::State &state) {
  Layout layout = getLayout(getSubject(state.range(0)));
  Layout other = tirx::canonicalize(layout);
  for (auto _ : state)
    benchmark::DoNotOptimize(isEqual(layout, other));
}
BENCHMARK(equal)->Apply(forSubjects);

static void permute(benchmark::State &state) {
  const Subject &subject = getSubject(state.range(0));
  Layout layout = getLayout(subject);
  for (auto _ : state)
    benchmark::DoNotOptimize(
        llvm::cantFail(tirx::permute(layout, subject.shape, {1, 0})));
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

/// The bytes that shared memory needs for it.
static void span(benchmark::State &state) {
  Layout layout = getSwizzledTile();
  for (auto _ : state)
    benchmark::DoNotOptimize(layout.getSpan(memoryAxis()));
  state.SetItemsProcessed(state.iterations() * *layout.getSize());
}
BENCHMARK(span);

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
