//===- LaunchFuzzer.cpp - launch file and PTX to the simulator ------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The input is a launch file, a line "---", and PTX. Whatever both say, loading
// and a few steps of execution must end without a crash.
//
//===----------------------------------------------------------------------===//

#include "TIRx/Simulator/LaunchFile.h"
#include "TIRx/Simulator/Simulator.h"
#include "llvm/ADT/StringRef.h"

using namespace tirx::sim;

static void runKernels(const Module &module) {
  LaunchOptions options;
  options.maxSteps = 2000;
  for (const auto &kernel : module.kernels) {
    if (kernel->functions.front().localBytes > 65536)
      continue;
    Simulator simulator(options);
    auto buffer = simulator.getMemory().allocate("buffer", 4096);
    if (!buffer) {
      llvm::consumeError(buffer.takeError());
      return;
    }
    LaunchParameters parameters;
    parameters.entry = kernel->name;
    parameters.block =
        kernel->requiredBlock.value_or(std::array<unsigned, 3>{64, 1, 1});
    parameters.dynamicShared = 4096;
    parameters.arguments.assign(kernel->parameterBytes, 0);
    for (const KernelParameter &parameter : kernel->parameters)
      if (parameter.size == 8)
        std::memcpy(parameters.arguments.data() + parameter.offset,
                    &(*buffer)->base, 8);
    llvm::consumeError(simulator.launch(module, parameters));
  }
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  llvm::StringRef input(reinterpret_cast<const char *>(data), size);
  auto [launch, ptx] = input.split("\n---\n");
  auto file = parseLaunchFile(launch);
  if (!file)
    llvm::consumeError(file.takeError());
  auto module = Module::load(ptx, "fuzz.ptx");
  if (!module) {
    llvm::consumeError(module.takeError());
    return 0;
  }
  runKernels(**module);
  return 0;
}
