//===- GpuBackend.cpp - launch files on a GPU -----------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GpuBackend.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tirx;
using namespace tirx::sim;

namespace {

class GpuModule : public LaunchModule {
public:
  GpuModule(runtime::LoadedModule loaded, std::string name)
      : module(std::move(loaded)) {
    target = std::move(name);
  }

  llvm::Expected<LaunchKernel> find(llvm::StringRef entry) override {
    auto handle = module.find(entry);
    if (!handle)
      return handle.takeError();
    auto info = module.describe(*handle);
    if (!info)
      return info.takeError();
    LaunchKernel kernel;
    kernel.name = info->name;
    for (size_t i = 0; i < info->parameters.size(); ++i) {
      const runtime::KernelParameterInfo &parameter = info->parameters[i];
      kernel.parameters.push_back(
          {std::to_string(i), parameter.offset, parameter.size, 1});
      kernel.parameterBytes = parameter.offset + parameter.size;
    }
    if (info->requiredCluster[0])
      kernel.requiredCluster = info->requiredCluster;
    return kernel;
  }

  runtime::LoadedModule module;
};

} // namespace

/// The `.target` of PTX, without what follows its first comma.
static std::string findTarget(llvm::StringRef text) {
  while (!text.empty()) {
    auto [line, rest] = text.split('\n');
    line = line.trim();
    if (line.consume_front(".target"))
      return line.split(',').first.split("//").first.trim().str();
    text = rest;
  }
  return "";
}

std::string tirx::whyNotOn(llvm::StringRef target,
                           const runtime::DeviceInfo &gpu) {
  llvm::StringRef number = target;
  unsigned code = 0;
  if (!number.consume_front("sm_") || number.consumeInteger(10, code))
    return ""; // the driver has the last word on what cannot be read here
  unsigned major = code / 10, minor = code % 10;
  bool fits = number == "a" ? major == gpu.major && minor == gpu.minor
              : number == "f"
                  ? major == gpu.major && minor <= gpu.minor
                  : std::pair(major, minor) <= std::pair(gpu.major, gpu.minor);
  if (fits)
    return "";
  return llvm::formatv("expected PTX that runs on the {0} of this machine "
                       "({1}), got PTX for {2}",
                       gpu.name, gpu.architecture(), target);
}

llvm::Expected<std::unique_ptr<GpuBackend>>
GpuBackend::create(unsigned optimisation) {
  auto driver = runtime::Driver::get();
  if (!driver)
    return driver.takeError();
  return std::unique_ptr<GpuBackend>(new GpuBackend(**driver, optimisation));
}

GpuBackend::~GpuBackend() {
  // Nothing can be done about memory that the driver does not want back.
  for (auto &entry : buffers)
    llvm::consumeError(entry.second.context->release(entry.second.pointer));
}

llvm::Error GpuBackend::begin(const LaunchFile &file) {
  if (file.devices > driver.deviceCount())
    return llvm::createStringError(
        llvm::formatv("devices: expected at most {0}, the GPUs of this "
                      "machine, got {1}",
                      driver.deviceCount(), file.devices)
            .str());
  for (unsigned device = 0; device < file.devices; ++device) {
    auto context = runtime::Context::open(driver, device);
    if (!context)
      return context.takeError();
    contexts.push_back(std::move(*context));
  }
  pending.resize(contexts.size());
  for (auto &context : contexts)
    for (auto &peer : contexts)
      if (context != peer)
        if (auto error = context->enablePeer(*peer))
          return error;
  return llvm::Error::success();
}

llvm::Expected<uint64_t>
GpuBackend::allocate(const BufferSpec &buffer,
                     const std::vector<uint8_t> *contents) {
  runtime::Context &context = *contexts[buffer.device];
  uint64_t bytes = buffer.type->byteSize(buffer.count());
  auto pointer = context.allocate(bytes);
  if (!pointer)
    return pointer.takeError();
  buffers[buffer.name] = {&context, *pointer};
  // Bytes that nobody wrote read as in the simulator.
  std::vector<uint8_t> pattern;
  if (!contents)
    pattern.assign(bytes, kUninitialisedByte);
  if (auto error =
          context.copyToDevice(*pointer, contents ? *contents : pattern))
    return std::move(error);
  return *pointer;
}

llvm::Expected<std::vector<uint8_t>>
GpuBackend::read(const BufferSpec &buffer) {
  std::vector<uint8_t> bytes(buffer.type->byteSize(buffer.count()));
  const Buffer &found = buffers[buffer.name];
  if (auto error = found.context->copyToHost(bytes, found.pointer))
    return std::move(error);
  return bytes;
}

llvm::Expected<std::unique_ptr<LaunchModule>>
GpuBackend::load(llvm::StringRef text, llvm::StringRef path,
                 const LaunchSpec &launch, const ModuleText *) {
  runtime::Context &context = *contexts[launch.device];
  std::string target = findTarget(text);
  std::string reason = whyNotOn(target, context.info());
  if (!reason.empty())
    return llvm::createStringError(path + ": " + reason);
  auto module = context.loadModule(text, optimisation);
  if (!module)
    return llvm::createStringError(path + ": " +
                                   llvm::toString(module.takeError()));
  return std::make_unique<GpuModule>(std::move(*module), target);
}

llvm::Expected<TensorMapImage>
tirx::encodeByDriver(runtime::Context &context,
                     const TensorMapDescription &map) {
  runtime::TensorMapArguments arguments;
  arguments.type = unsigned(map.type);
  arguments.address = map.address;
  arguments.dims = map.dims;
  arguments.strides = map.strides;
  arguments.elementStrides = map.elementStrides;
  arguments.interleave = unsigned(map.interleave);
  arguments.swizzle = unsigned(map.swizzle);
  arguments.l2 = unsigned(map.l2);
  arguments.fill = unsigned(map.fill);
  arguments.box = map.box;
  arguments.lower = map.lower;
  arguments.upper = map.upper;
  arguments.channels = map.channels;
  arguments.pixels = map.pixels;
  auto form = runtime::TensorMapForm::Im2colWide;
  if (map.mode == TensorMapMode::Tiled)
    form = runtime::TensorMapForm::Tiled;
  else if (map.mode == TensorMapMode::Im2col)
    form = runtime::TensorMapForm::Im2col;
  else
    arguments.wideMode = map.mode == TensorMapMode::Im2colW128;
  return context.encode(form, arguments);
}

llvm::Expected<TensorMapImage>
GpuBackend::encode(const TensorMapDescription &map, const LaunchSpec &launch) {
  return encodeByDriver(*contexts[launch.device], map);
}

llvm::Error GpuBackend::synchronize() {
  for (size_t device = 0; device < contexts.size(); ++device) {
    if (pending[device].empty())
      continue;
    if (auto error = contexts[device]->synchronize())
      return llvm::createStringError("kernel '" + pending[device] + "' on " +
                                     contexts[device]->info().name + ": " +
                                     llvm::toString(std::move(error)));
    pending[device].clear();
  }
  return llvm::Error::success();
}

llvm::Error GpuBackend::launch(LaunchModule &module, const LaunchSpec &launch,
                               const LaunchParameters &parameters,
                               LaunchStatistics &) {
  // A dependent launch may overlap with what runs before it, others not.
  if (!launch.pdl)
    if (auto error = synchronize())
      return error;
  auto handle = static_cast<GpuModule &>(module).module.find(parameters.entry);
  if (!handle)
    return handle.takeError();
  if (parameters.dynamicShared > UINT32_MAX)
    return llvm::createStringError("shared: expected less than 4 GiB, got " +
                                   llvm::Twine(parameters.dynamicShared));
  runtime::LaunchConfig config;
  config.grid = parameters.grid;
  config.block = parameters.block;
  config.cluster = parameters.cluster;
  config.dynamicShared = parameters.dynamicShared;
  config.cooperative = launch.cooperative;
  config.programmatic = launch.pdl;
  pending[launch.device] = parameters.entry;
  return contexts[launch.device]->launch(*handle, config, parameters.arguments);
}

llvm::Error GpuBackend::finish() { return synchronize(); }

std::string GpuBackend::describe(llvm::StringRef target) const {
  return llvm::formatv("ran {0} on {1} ({2})", target, contexts[0]->info().name,
                       contexts[0]->info().architecture());
}
