//===- simulator.cpp - how fast the interpreter is ------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels whose time one part of the simulator dominates, all on one thread of
// the host: lane instructions a second in arithmetic, bytes a second through
// global and shared memory. benchmarks/simulator.py prints medians and aims.
//
//===----------------------------------------------------------------------===//

#include "TIRx/Simulator/Simulator.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"
#include <benchmark/benchmark.h>
#include <cstring>

using namespace tirx::sim;

static const char kHeader[] = ".version 8.7\n.target sm_90a\n"
                              ".address_size 64\n\n";

/// A loop of 1,000 turns around `body`, in a CTA of 256 threads.
static std::string loop(const std::string &body) {
  return kHeader +
         (".visible .entry k(.param .u64 out)\n{\n"
          ".reg .pred %p<4>; .reg .b32 %r<32>; .reg .f32 %f<32>;\n"
          ".reg .b64 %rd<16>;\n"
          "mov.u32 %r0, %tid.x;\nmov.u32 %r1, 0;\nmov.u32 %r2, 7;\n"
          "mov.u32 %r3, 12345;\nmov.u32 %r4, %r0;\nmov.u32 %r5, %r0;\n"
          "cvt.rn.f32.u32 %f1, %r0;\nmov.f32 %f2, 0f3F800001;\n"
          "mov.f32 %f3, 0f3F000000;\nmov.f32 %f4, %f1;\n"
          "LOOP:\n" +
          body +
          "add.u32 %r1, %r1, 1;\nsetp.lt.u32 %p1, %r1, 1000;\n"
          "@%p1 bra LOOP;\n"
          "cvt.rzi.u32.f32 %r6, %f4;\nadd.u32 %r4, %r4, %r6;\n"
          "ld.param.u64 %rd1, [out];\nmul.wide.u32 %rd2, %r0, 4;\n"
          "add.u64 %rd1, %rd1, %rd2;\nadd.u32 %r4, %r4, %r5;\n"
          "st.global.u32 [%rd1], %r4;\nret;\n}\n");
}

static std::string repeat(const char *text, unsigned count) {
  std::string all;
  for (unsigned i = 0; i < count; ++i)
    all += text;
  return all;
}

static std::string integers() {
  return loop(repeat("add.u32 %r4, %r4, %r3;\nxor.b32 %r5, %r5, %r4;\n"
                     "shl.b32 %r7, %r4, 3;\nsub.u32 %r5, %r5, %r7;\n"
                     "and.b32 %r8, %r5, 255;\nadd.u32 %r4, %r4, %r8;\n"
                     "mad.lo.u32 %r4, %r4, %r2, %r5;\nmin.u32 %r9, %r4, %r5;\n",
                     8));
}

static std::string mixed() {
  return loop(repeat("add.u32 %r4, %r4, %r3;\nfma.rn.f32 %f4, %f4, %f2, %f3;\n"
                     "mul.f32 %f5, %f4, %f3;\nxor.b32 %r5, %r5, %r4;\n"
                     "add.f32 %f6, %f5, %f2;\nsetp.gt.f32 %p2, %f6, %f1;\n"
                     "selp.f32 %f4, %f5, %f6, %p2;\n"
                     "mad.lo.u32 %r5, %r5, %r2, %r4;\n",
                     8));
}

/// Each thread copies 16 bytes in each turn of a loop.
static const char kCopy[] = R"(
.visible .entry k(.param .u64 from, .param .u64 to, .param .u32 bytes)
{
  .reg .pred %p<2>; .reg .b32 %r<12>; .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [from];
  ld.param.u64 %rd2, [to];
  ld.param.u32 %r1, [bytes];
  mov.u32 %r2, %tid.x;
  mov.u32 %r3, %ctaid.x;
  mov.u32 %r4, %ntid.x;
  mad.lo.u32 %r2, %r3, %r4, %r2;
  shl.b32 %r2, %r2, 4;
  mov.u32 %r5, %nctaid.x;
  mul.lo.u32 %r5, %r5, %r4;
  shl.b32 %r5, %r5, 4;
LOOP:
  cvt.u64.u32 %rd3, %r2;
  add.u64 %rd4, %rd1, %rd3;
  add.u64 %rd5, %rd2, %rd3;
  ld.global.v4.u32 {%r6, %r7, %r8, %r9}, [%rd4];
  st.global.v4.u32 [%rd5], {%r6, %r7, %r8, %r9};
  add.u32 %r2, %r2, %r5;
  setp.lt.u32 %p1, %r2, %r1;
  @%p1 bra LOOP;
  ret;
}
)";

/// Transposes tiles of 32 x 32 words through shared memory with padding, 256
/// threads a tile, `bytes` a multiple of 4 KiB.
static const char kTranspose[] = R"(
.visible .entry k(.param .u64 from, .param .u64 to, .param .u32 bytes)
{
  .reg .pred %p<2>; .reg .b32 %r<24>; .reg .b64 %rd<8>;
  .shared .align 16 .b8 tile[4224];
  ld.param.u64 %rd1, [from];
  ld.param.u64 %rd2, [to];
  ld.param.u32 %r1, [bytes];
  mov.u32 %r2, %tid.x;
  mov.u32 %r3, %ctaid.x;
  shl.b32 %r3, %r3, 12;
  mov.u32 %r4, %nctaid.x;
  shl.b32 %r4, %r4, 12;
  and.b32 %r5, %r2, 31;
  shr.u32 %r6, %r2, 5;
  mov.u32 %r7, tile;
  mad.lo.u32 %r8, %r6, 132, %r7;
  mad.lo.u32 %r8, %r5, 4, %r8;
  mad.lo.u32 %r9, %r5, 132, %r7;
  mad.lo.u32 %r9, %r6, 4, %r9;
LOOP:
  mad.lo.u32 %r10, %r2, 4, %r3;
  cvt.u64.u32 %rd3, %r10;
  add.u64 %rd4, %rd1, %rd3;
  add.u64 %rd5, %rd2, %rd3;
  ld.global.u32 %r11, [%rd4];
  ld.global.u32 %r12, [%rd4+1024];
  ld.global.u32 %r13, [%rd4+2048];
  ld.global.u32 %r14, [%rd4+3072];
  st.shared.u32 [%r8], %r11;
  st.shared.u32 [%r8+1056], %r12;
  st.shared.u32 [%r8+2112], %r13;
  st.shared.u32 [%r8+3168], %r14;
  bar.sync 0;
  ld.shared.u32 %r11, [%r9];
  ld.shared.u32 %r12, [%r9+32];
  ld.shared.u32 %r13, [%r9+64];
  ld.shared.u32 %r14, [%r9+96];
  st.global.u32 [%rd5], %r11;
  st.global.u32 [%rd5+1024], %r12;
  st.global.u32 [%rd5+2048], %r13;
  st.global.u32 [%rd5+3072], %r14;
  bar.sync 0;
  add.u32 %r3, %r3, %r4;
  setp.lt.u32 %p1, %r3, %r1;
  @%p1 bra LOOP;
  ret;
}
)";

/// Eight products of m16n8k16 in each turn of a loop, on numbers of both signs
/// between 1/2 and 1 (f16), 2^-16 and 1 (bf16).
static std::string products(const char *type) {
  bool isHalf = llvm::StringRef(type) == "f16";
  std::string body;
  for (unsigned i = 0; i < 8; ++i)
    body += ("mma.sync.aligned.m16n8k16.row.col.f32." + llvm::Twine(type) +
             "." + type +
             ".f32 {%c0, %c1, %c2, %c3}, {%a0, %a1, %a2, %a3}, "
             "{%b0, %b1}, {%c0, %c1, %c2, %c3};\n"
             "xor.b32 %a0, %a0, %b1;\nxor.b32 %a0, %a0, %b0;\n")
                .str();
  std::string text = kHeader;
  text += ".visible .entry k(.param .u64 out)\n{\n"
          ".reg .pred %p; .reg .b32 %r<4>, %a<4>, %b<2>, %c<4>; "
          ".reg .b64 %rd<3>;\nmov.u32 %r0, %tid.x;\nmov.u32 %r1, 0;\n";
  for (const char *name : {"%a0", "%a1", "%a2", "%a3", "%b0", "%b1"})
    text += (llvm::Twine("mad.lo.u32 %r0, %r0, 1664525, 1013904223;\n") +
             "lop3.b32 " + name + ", %r0, " +
             (isHalf ? "0x83ff83ff, 0x38003800" : "0x87ff87ff, 0x38003800") +
             ", 0xea;\n")
                .str();
  text += "mov.b32 %c0, 0;\nmov.b32 %c1, 0;\nmov.b32 %c2, 0;\n"
          "mov.b32 %c3, 0;\nLOOP:\n" +
          body +
          "add.u32 %r1, %r1, 1;\nsetp.lt.u32 %p, %r1, 100;\n@%p bra LOOP;\n"
          "mov.u32 %r0, %tid.x;\nld.param.u64 %rd1, [out];\n"
          "mad.wide.u32 %rd1, %r0, 4, %rd1;\nst.global.b32 [%rd1], %c0;\n"
          "ret;\n}\n";
  return text;
}

static void stop(llvm::StringRef message) {
  llvm::errs() << message << '\n';
  std::exit(1);
}

/// A simulator with one kernel and its arguments.
class Run {
public:
  Run(const std::string &text, unsigned threads) {
    auto loaded = Module::load(text, "benchmark.ptx");
    if (!loaded)
      stop(llvm::toString(loaded.takeError()));
    module = std::move(*loaded);
    LaunchOptions options;
    options.threads = threads;
    simulator = std::make_unique<Simulator>(options);
    parameters.block = {256, 1, 1};
  }
  template <class T> void argument(T value) {
    size_t at = llvm::alignTo(parameters.arguments.size(), sizeof value);
    parameters.arguments.resize(at + sizeof value);
    std::memcpy(parameters.arguments.data() + at, &value, sizeof value);
  }
  Allocation *buffer(uint64_t bytes) {
    auto *allocation =
        llvm::cantFail(simulator->getMemory().allocate("buffer", bytes));
    argument(allocation->base);
    return allocation;
  }
  void launch() {
    if (auto error = simulator->launch(*module, parameters, &statistics))
      stop(llvm::toString(std::move(error)));
    if (simulator->getLog().hasErrors())
      stop(simulator->getLog().getReports().front().message);
  }
  LaunchParameters parameters;
  LaunchStatistics statistics;

private:
  std::unique_ptr<Module> module;
  std::unique_ptr<Simulator> simulator;
};

/// Lane instructions a second; `threads` of the host.
static void arithmetic(benchmark::State &state, const std::string &text,
                       unsigned ctas, unsigned threads) {
  Run run(text, threads);
  run.buffer(1024);
  run.parameters.grid = {ctas, 1, 1};
  for (auto _ : state)
    run.launch();
  state.counters["lane_instructions"] =
      benchmark::Counter(double(run.statistics.warpInstructions) * 32,
                         benchmark::Counter::kIsRate);
}

/// Multiply-adds a second: 8 warps, 100 turns of 8 products.
static void multiply(benchmark::State &state, const char *type) {
  Run run(products(type), 1);
  run.buffer(1024);
  run.parameters.grid = {1, 1, 1};
  for (auto _ : state)
    run.launch();
  state.counters["multiply_adds"] =
      benchmark::Counter(8.0 * 100 * 8 * 16 * 8 * 16,
                         benchmark::Counter::kIsIterationInvariantRate);
}

/// Bytes copied a second.
static void copy(benchmark::State &state, const char *kernel) {
  constexpr uint32_t kBytes = 4 << 20;
  Run run(std::string(kHeader) + kernel, 1);
  Allocation *from = run.buffer(kBytes), *to = run.buffer(kBytes);
  for (uint32_t i = 0; i < kBytes; ++i)
    from->store.data()[i] = i * 2654435761u >> 24;
  from->store.markAllWritten();
  run.argument(kBytes);
  run.parameters.grid = {16, 1, 1};
  for (auto _ : state) {
    // Marking bytes as written is part of the work.
    state.PauseTiming();
    to->store.reset(kBytes);
    state.ResumeTiming();
    run.launch();
  }
  state.SetBytesProcessed(state.iterations() * kBytes);
}

int main(int argc, char **argv) {
  benchmark::Initialize(&argc, argv);
  auto ms = benchmark::kMillisecond;
  benchmark::RegisterBenchmark("integer", arithmetic, integers(), 1, 1)
      ->Unit(ms);
  benchmark::RegisterBenchmark("integer_float", arithmetic, mixed(), 1, 1)
      ->Unit(ms);
  benchmark::RegisterBenchmark("integer_all_cores", arithmetic, integers(), 64,
                               0)
      ->Unit(ms)
      ->UseRealTime();
  for (const char *type : {"f16", "bf16"})
    benchmark::RegisterBenchmark((llvm::Twine("mma_") + type).str().c_str(),
                                 multiply, type)
        ->Unit(ms);
  benchmark::RegisterBenchmark("memcpy", copy, kCopy)->Unit(ms);
  benchmark::RegisterBenchmark("transpose", copy, kTranspose)->Unit(ms);
  benchmark::RunSpecifiedBenchmarks();
}
