//===- Device.cpp - GPUs through the C API --------------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Common.h"
#include "GpuBackend.h"
#include "TIRx/Runtime/Driver.h"

using namespace llvm;
using namespace tirx;
using namespace tirx::capi;

struct TirxDevice {
  std::unique_ptr<runtime::Context> context;
};

struct TirxFunction {
  runtime::Context &context;
  runtime::LoadedModule module;
  runtime::KernelHandle kernel;
  /// What a failing describe would otherwise have to report.
  runtime::KernelInfo info;
};

int32_t tirxGetDeviceCount(void) {
  auto driver = runtime::Driver::get();
  if (driver)
    return (*driver)->deviceCount();
  consumeError(driver.takeError());
  return 0;
}

TirxDevice *tirxDeviceOpen(int32_t ordinal, TirxResult **failure) {
  *failure = nullptr;
  auto driver = runtime::Driver::get();
  if (!driver) {
    *failure = fail(driver.takeError());
    return nullptr;
  }
  auto context = runtime::Context::open(**driver, ordinal);
  if (!context) {
    *failure = fail(context.takeError());
    return nullptr;
  }
  return new TirxDevice{std::move(*context)};
}

void tirxDeviceClose(TirxDevice *device) { delete device; }

TirxResult *tirxDeviceDescribe(const TirxDevice *device) {
  const runtime::DeviceInfo &info = device->context->info();
  auto *result = new TirxResult;
  result->setJson("device", json::Object{{"name", info.name},
                                         {"architecture", info.architecture()},
                                         {"memory", info.memory}});
  return result;
}

static Expected<TirxFunction *> load(TirxDevice &device, StringRef image,
                                     StringRef entry) {
  auto module = device.context->loadModule(image);
  if (!module)
    return module.takeError();
  auto kernel = module->find(entry);
  if (!kernel)
    return kernel.takeError();
  auto info = module->describe(*kernel);
  if (!info)
    return info.takeError();
  return new TirxFunction{*device.context, std::move(*module), *kernel,
                          std::move(*info)};
}

TirxFunction *tirxFunctionLoad(TirxDevice *device, TirxString image,
                               TirxString entry, TirxResult **failure) {
  *failure = nullptr;
  auto function = load(*device, toRef(image), toRef(entry));
  if (function)
    return *function;
  *failure = fail(function.takeError());
  return nullptr;
}

void tirxFunctionDestroy(TirxFunction *function) { delete function; }

TirxResult *tirxFunctionDescribe(const TirxFunction *function) {
  const runtime::KernelInfo &info = function->info;
  json::Array parameters;
  for (const runtime::KernelParameterInfo &parameter : info.parameters)
    parameters.push_back(
        json::Object{{"offset", parameter.offset}, {"size", parameter.size}});
  auto *result = new TirxResult;
  result->setJson("kernel", json::Object{{"name", info.name},
                                         {"parameters", std::move(parameters)},
                                         {"registers", info.registers},
                                         {"local_bytes", info.localBytes},
                                         {"shared_bytes", info.staticShared},
                                         {"max_threads", info.maxThreads}});
  return result;
}

TirxResult *tirxFunctionLaunch(TirxFunction *function,
                               const TirxLaunchConfig *config,
                               const void *parameters, size_t parameterBytes,
                               void *stream) {
  runtime::LaunchConfig launch;
  for (unsigned d = 0; d < 3; ++d) {
    launch.grid[d] = config->grid[d];
    launch.block[d] = config->block[d];
    launch.cluster[d] = config->cluster[d];
  }
  launch.dynamicShared = config->shared;
  launch.cooperative = config->cooperative;
  launch.programmatic = config->programmatic;
  launch.stream = stream;
  if (Error error = function->context.launch(
          function->kernel, launch,
          {static_cast<const uint8_t *>(parameters), parameterBytes}))
    return fail(std::move(error));
  return nullptr;
}

static Expected<sim::TensorMapImage>
encode(TirxDevice &device, TirxString description, uint64_t address) {
  auto object = parseOptions(description);
  if (!object)
    return object.takeError();
  auto maps = sim::parseHiddenTensorMaps(json::Array{std::move(*object)}, "");
  if (!maps)
    return maps.takeError();
  sim::TensorMapDescription map = std::move(maps->front().map);
  map.address = address + maps->front().offset;
  // The driver's own refusal is one number for everything.
  if (std::string wrong = sim::checkTensorMap(map); !wrong.empty())
    return createStringError(wrong);
  return encodeByDriver(*device.context, map);
}

TirxResult *tirxDeviceEncodeTensorMap(TirxDevice *device,
                                      TirxString description,
                                      uint64_t address) {
  auto image = encode(*device, description, address);
  if (!image)
    return fail(image.takeError());
  auto *result = new TirxResult;
  result->set("map", std::string(image->begin(), image->end()));
  return result;
}

TirxResult *tirxDeviceSynchronize(TirxDevice *device) {
  if (Error error = device->context->synchronize())
    return fail(std::move(error));
  return nullptr;
}
