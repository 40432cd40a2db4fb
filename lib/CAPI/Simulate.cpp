//===- Simulate.cpp - the simulator through the C API ---------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LaunchOptions.h"
#include "TIRx/Simulator/LaunchFile.h"
#include "TIRx/Simulator/LaunchRunner.h"
#include "llvm/Support/FormatVariadic.h"
#include <cstring>

using namespace llvm;
using namespace tirx;
using namespace tirx::capi;

struct TirxModule {
  std::unique_ptr<sim::Module> module;
};

TirxModule *tirxModuleLoad(TirxString text, TirxString name, TirxString models,
                           TirxResult **failure) {
  std::string fileName = toRef(name).str();
  std::optional<sim::ModuleText> library;
  if (!toRef(models).empty())
    library = {toRef(models).str(), fileName + " (models)"};
  auto module = sim::Module::load(toRef(text), fileName, 0,
                                  library ? &*library : nullptr);
  if (!module) {
    *failure = fail(module.takeError());
    return nullptr;
  }
  *failure = nullptr;
  return new TirxModule{std::move(*module)};
}

void tirxModuleDestroy(TirxModule *module) { delete module; }

static json::Value
dimensions(const std::optional<std::array<unsigned, 3>> &sizes) {
  return sizes ? json::Value(json::Array(*sizes)) : json::Value(nullptr);
}

TirxResult *tirxModuleDescribe(const TirxModule *module) {
  json::Array kernels;
  for (const auto &kernel : module->module->kernels) {
    json::Array parameters;
    for (const sim::KernelParameter &parameter : kernel->parameters)
      parameters.push_back(json::Object{{"name", parameter.name},
                                        {"offset", parameter.offset},
                                        {"size", parameter.size},
                                        {"align", parameter.align}});
    kernels.push_back(
        json::Object{{"name", kernel->name},
                     {"parameters", std::move(parameters)},
                     {"block", dimensions(kernel->requiredBlock)},
                     {"cluster", dimensions(kernel->requiredCluster)},
                     {"shared", kernel->staticSharedEnd - sim::kSharedBase}});
  }
  auto *result = new TirxResult;
  result->setJson("kernels", std::move(kernels));
  return result;
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

Expected<sim::LaunchOptions>
tirx::capi::toLaunchOptions(const json::Object &object) {
  sim::LaunchOptions options;
  StringRef async = object.getString("async").value_or("eager");
  if (async == "lazy")
    options.async = sim::AsyncMode::Lazy;
  else if (async == "random")
    options.async = sim::AsyncMode::Random;
  else if (async != "eager")
    return createStringError("async: expected eager, lazy or random, got '" +
                             async + "'");
  StringRef uninit = object.getString("uninit").value_or("warn");
  if (uninit != "warn" && uninit != "error")
    return createStringError("uninit: expected warn or error, got '" + uninit +
                             "'");
  options.uninitialisedIsError = uninit == "error";
  options.seed = object.getInteger("seed").value_or(0);
  if (auto steps = object.getInteger("max_steps"))
    options.maxSteps = *steps;
  return options;
}

namespace {
/// One launch: the caller's buffers in the simulator's memory and back.
class Run {
public:
  Run(const sim::Module &module, const TirxLaunch &launch,
      const sim::LaunchOptions &options,
      std::vector<sim::HiddenTensorMap> tensorMaps)
      : module(module), launch(launch), simulator(options),
        tensorMaps(std::move(tensorMaps)) {}

  Error execute(sim::RunResult &result) {
    if (Error error = takeBuffers())
      return error;
    raw_string_ostream printed(result.printed);
    simulator.setOutput(&printed);
    auto parameters = makeParameters();
    if (!parameters)
      return parameters.takeError();
    Error error =
        simulator.launch(module, *parameters, &result.counters.launch);
    returnBuffers();
    result.reports = simulator.getLog().getReports();
    result.kernelFile = module.fileName;
    result.target = module.target;
    return error;
  }

private:
  Error takeBuffers() {
    for (size_t i = 0; i < launch.bufferCount; ++i) {
      const TirxBuffer &buffer = launch.buffers[i];
      auto allocation =
          simulator.getMemory().allocate(toRef(buffer.name), buffer.size);
      if (!allocation)
        return allocation.takeError();
      if (!buffer.uninitialised && buffer.size) {
        std::memcpy((*allocation)->store.data(), buffer.data, buffer.size);
        (*allocation)->store.markAllWritten();
      }
      (*allocation)->readOnly = buffer.readOnly;
      allocations.push_back(*allocation);
    }
    return Error::success();
  }

  void returnBuffers() {
    for (size_t i = 0; i < launch.bufferCount; ++i) {
      const TirxBuffer &buffer = launch.buffers[i];
      if (!buffer.readOnly && buffer.size)
        std::memcpy(buffer.data, allocations[i]->store.data(), buffer.size);
    }
  }

  Expected<sim::LaunchParameters> makeParameters() {
    sim::LaunchParameters parameters;
    parameters.entry = toRef(launch.entry).str();
    auto kernel = module.findKernel(parameters.entry);
    if (!kernel)
      return kernel.takeError();
    for (unsigned d = 0; d < 3; ++d) {
      parameters.grid[d] = launch.grid[d];
      parameters.block[d] = launch.block[d];
      parameters.cluster[d] = launch.cluster[d];
    }
    parameters.dynamicShared = launch.shared;
    if (launch.argumentCount + tensorMaps.size() !=
        (*kernel)->parameters.size())
      return createStringError(
          formatv("expected {0} arguments for '{1}', got {2}",
                  (*kernel)->parameters.size() - tensorMaps.size(),
                  (*kernel)->name, launch.argumentCount));
    parameters.arguments.assign((*kernel)->parameterBytes, 0);
    for (size_t i = 0; i < launch.argumentCount; ++i)
      if (Error error = place(launch.arguments[i], (*kernel)->parameters[i],
                              parameters.arguments))
        return std::move(error);
    for (auto [i, map] : enumerate(tensorMaps)) {
      const sim::KernelParameter &parameter =
          (*kernel)->parameters[launch.argumentCount + i];
      if (Error error = placeMap(map, parameter, parameters.arguments))
        return std::move(error);
    }
    return parameters;
  }

  /// The tensor map of the buffer that an argument is.
  Error placeMap(const sim::HiddenTensorMap &hidden,
                 const sim::KernelParameter &parameter,
                 std::vector<uint8_t> &block) {
    const TirxArgument *argument = hidden.parameter < launch.argumentCount
                                       ? &launch.arguments[hidden.parameter]
                                       : nullptr;
    if (!argument || argument->buffer < 0 ||
        size_t(argument->buffer) >= allocations.size())
      return createStringError(hidden.where + ": expected argument " +
                               Twine(hidden.parameter) +
                               " to be a buffer, whose tensor map this is");
    sim::TensorMapDescription map = hidden.map;
    map.address =
        allocations[argument->buffer]->base + argument->offset + hidden.offset;
    auto image = sim::encodeTensorMap(map);
    if (!image)
      return createStringError(hidden.where + ": " +
                               toString(image.takeError()));
    TirxArgument bytes{-1, 0, image->data(), image->size()};
    return place(bytes, parameter, block);
  }

  Error place(const TirxArgument &argument,
              const sim::KernelParameter &parameter,
              std::vector<uint8_t> &block) {
    uint64_t address = 0;
    const void *source = argument.bytes;
    uint64_t size = argument.size;
    if (argument.buffer >= 0) {
      if (size_t(argument.buffer) >= allocations.size())
        return createStringError(
            formatv("argument '{0}': expected the index of one of {1} buffers, "
                    "got {2}",
                    parameter.name, allocations.size(), argument.buffer));
      address = allocations[argument.buffer]->base + argument.offset;
      source = &address;
      size = sizeof(address);
    }
    if (size != parameter.size)
      return createStringError(
          formatv("expected {0} bytes for parameter '{1}', got {2}",
                  parameter.size, parameter.name, size));
    std::memcpy(block.data() + parameter.offset, source, size);
    return Error::success();
  }

  const sim::Module &module;
  const TirxLaunch &launch;
  sim::Simulator simulator;
  std::vector<sim::HiddenTensorMap> tensorMaps;
  std::vector<sim::Allocation *> allocations;
};
} // namespace

TirxResult *tirxSimulate(const TirxModule *module, const TirxLaunch *launch,
                         TirxString optionsText) {
  auto object = parseOptions(optionsText);
  if (!object)
    return fail(object.takeError());
  auto options = toLaunchOptions(*object);
  if (!options)
    return fail(options.takeError());
  std::vector<sim::HiddenTensorMap> maps;
  if (const json::Array *list = object->getArray("tensor_maps")) {
    auto parsed = sim::parseHiddenTensorMaps(*list, "");
    if (!parsed)
      return fail(parsed.takeError());
    maps = std::move(*parsed);
  }
  sim::RunResult run;
  if (Error error =
          Run(*module->module, *launch, *options, std::move(maps)).execute(run))
    return fail(std::move(error));
  auto *result = new TirxResult;
  result->succeeded = !run.hasErrors();
  result->setJson("result", sim::toJson(run));
  std::string text;
  raw_string_ostream stream(text);
  for (const sim::Report &report : run.reports)
    printReport(report, run.kernelFile, stream);
  result->set("reports", std::move(text));
  return result;
}
