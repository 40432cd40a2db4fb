//===- LaunchBackend.cpp - launch files on the simulator ------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TIRx/Simulator/LaunchBackend.h"

using namespace tirx::sim;

namespace {

class SimulatedModule : public LaunchModule {
public:
  explicit SimulatedModule(std::unique_ptr<Module> loaded)
      : module(std::move(loaded)) {
    target = module->target;
  }

  llvm::Expected<LaunchKernel> find(llvm::StringRef entry) override {
    auto kernel = module->findKernel(entry);
    if (!kernel)
      return kernel.takeError();
    LaunchKernel result;
    result.name = (*kernel)->name;
    result.parameters = (*kernel)->parameters;
    result.parameterBytes = (*kernel)->parameterBytes;
    result.requiredBlock = (*kernel)->requiredBlock;
    result.requiredCluster = (*kernel)->requiredCluster;
    return result;
  }

  std::unique_ptr<Module> module;
};

} // namespace

/// The memories of all devices are one address space here, as peers see them.
llvm::Error SimulatorBackend::begin(const LaunchFile &) {
  return llvm::Error::success();
}

llvm::Expected<uint64_t>
SimulatorBackend::allocate(const BufferSpec &buffer,
                           const std::vector<uint8_t> *contents) {
  auto allocation = simulator.getMemory().allocate(
      buffer.name, buffer.type->byteSize(buffer.count()));
  if (!allocation)
    return allocation.takeError();
  allocations[buffer.name] = *allocation;
  if (contents) {
    std::copy(contents->begin(), contents->end(), (*allocation)->store.data());
    (*allocation)->store.markAllWritten();
  }
  return (*allocation)->base;
}

llvm::Expected<std::vector<uint8_t>>
SimulatorBackend::read(const BufferSpec &buffer) {
  const Allocation &allocation = *allocations[buffer.name];
  return std::vector<uint8_t>(allocation.store.data(),
                              allocation.store.data() + allocation.size());
}

llvm::Expected<std::unique_ptr<LaunchModule>>
SimulatorBackend::load(llvm::StringRef text, llvm::StringRef path,
                       const LaunchSpec &, const ModuleText *models) {
  auto loaded = Module::load(text, path, modules, models, keepNames);
  if (!loaded)
    return loaded.takeError();
  ++modules;
  return std::make_unique<SimulatedModule>(std::move(*loaded));
}

llvm::Expected<TensorMapImage>
SimulatorBackend::encode(const TensorMapDescription &map, const LaunchSpec &) {
  return encodeTensorMap(map);
}

llvm::Error SimulatorBackend::launch(LaunchModule &module, const LaunchSpec &,
                                     const LaunchParameters &parameters,
                                     LaunchStatistics &statistics) {
  return simulator.launch(*static_cast<SimulatedModule &>(module).module,
                          parameters, &statistics);
}

bool SimulatorBackend::hasFailed() { return simulator.getLog().hasErrors(); }

std::string SimulatorBackend::describe(llvm::StringRef target) const {
  return "simulated " + target.str() + " on the CPU (no GPU was used)";
}
