//===- ptx_parse.cpp - how fast PTX text is read --------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   ptx_parse [FILE.ptx...]
//
// Megabytes a second of the parser, of the lookup in the table and of the
// printer: on an unrolled GEMM of about 1 MB that is made here, and on each
// file.
//
//===----------------------------------------------------------------------===//

#include "TIRx/PTX/Parser.h"
#include "TIRx/PTX/Printer.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <benchmark/benchmark.h>

using namespace tirx::ptx;

/// The inner loop of a GEMM as compilers unroll it.
static std::string makeGemm(size_t bytes) {
  std::string text = ".version 8.7\n.target sm_90a\n.address_size 64\n\n"
                     ".visible .entry gemm(\n\t.param .u64 gemm_param_0\n)\n"
                     ".reqntid 128\n{\n\t.reg .pred \t%p<4>;\n"
                     "\t.reg .b32 \t%r<4096>;\n\t.reg .f32 \t%f<4096>;\n"
                     "\t.reg .b64 \t%rd<64>;\n\n"
                     "\tld.param.u64 \t%rd1, [gemm_param_0];\n"
                     "\tcvta.to.global.u64 \t%rd2, %rd1;\n";
  auto reg = [](const char *prefix, unsigned index) {
    return prefix + std::to_string(index % 4096);
  };
  for (unsigned i = 0; text.size() < bytes; ++i) {
    text += "\tld.shared.v4.f32 \t{" + reg("%f", 4 * i) + ", " +
            reg("%f", 4 * i + 1) + ", " + reg("%f", 4 * i + 2) + ", " +
            reg("%f", 4 * i + 3) + "}, [" + reg("%r", i) + "+" +
            std::to_string(16 * (i % 1024)) + "];\n";
    for (unsigned j = 0; j != 8; ++j)
      text += "\tfma.rn.f32 \t" + reg("%f", 64 + 8 * i + j) + ", " +
              reg("%f", 4 * i + j % 4) + ", " + reg("%f", 4 * i + j / 4) +
              ", " + reg("%f", 64 + 8 * i + j) + ";\n";
    text += "\tmma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 \t{" +
            reg("%f", i) + ", " + reg("%f", i + 1) + ", " + reg("%f", i + 2) +
            ", " + reg("%f", i + 3) + "}, {" + reg("%r", i) + ", " +
            reg("%r", i + 1) + ", " + reg("%r", i + 2) + ", " +
            reg("%r", i + 3) + "}, {" + reg("%r", i + 4) + ", " +
            reg("%r", i + 5) + "}, {" + reg("%f", i) + ", " + reg("%f", i + 1) +
            ", " + reg("%f", i + 2) + ", " + reg("%f", i + 3) +
            "};\n\tadd.s32 \t" + reg("%r", i + 6) + ", " + reg("%r", i) +
            ", 64;\n";
  }
  return text + "\tret;\n}\n";
}

static std::unique_ptr<Module> parseOrDie(llvm::StringRef text) {
  Diagnostics diagnostics;
  auto module = parseModule(text, "benchmark", diagnostics);
  if (!module) {
    llvm::errs() << diagnostics.str();
    std::exit(1);
  }
  return module;
}

static void parse(benchmark::State &state, const std::string &text) {
  for (auto _ : state)
    benchmark::DoNotOptimize(parseOrDie(text));
  state.SetBytesProcessed(state.iterations() * text.size());
}

static void resolve(benchmark::State &state, const std::string &text) {
  auto module = parseOrDie(text);
  for (auto _ : state) {
    Diagnostics diagnostics;
    benchmark::DoNotOptimize(verifyModule(*module, diagnostics));
  }
  state.SetBytesProcessed(state.iterations() * text.size());
}

static void printText(benchmark::State &state, const std::string &text) {
  auto module = parseOrDie(text);
  for (auto _ : state) {
    std::string printed;
    llvm::raw_string_ostream os(printed);
    print(*module, os);
    benchmark::DoNotOptimize(printed);
  }
  state.SetBytesProcessed(state.iterations() * text.size());
}

static void add(const std::string &name, std::string text) {
  auto one = [&](const char *what, auto *function) {
    benchmark::RegisterBenchmark((what + ("/" + name)).c_str(), function, text)
        ->Unit(benchmark::kMillisecond);
  };
  one("parse", parse);
  one("resolve", resolve);
  one("print", printText);
}

int main(int argc, char **argv) {
  benchmark::Initialize(&argc, argv);
  add("unrolled_gemm_1MB", makeGemm(1 << 20));
  for (int i = 1; i < argc; ++i) {
    auto buffer = llvm::MemoryBuffer::getFile(argv[i]);
    if (!buffer) {
      llvm::errs() << argv[i] << ": " << buffer.getError().message() << '\n';
      return 1;
    }
    add(llvm::sys::path::filename(argv[i]).str(), (*buffer)->getBuffer().str());
  }
  benchmark::RunSpecifiedBenchmarks();
}
