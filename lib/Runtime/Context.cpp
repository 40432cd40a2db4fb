//===- Context.cpp - memory and kernels of one GPU ------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DriverTable.h"
#include "TIRx/Runtime/Driver.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tirx::runtime;

// Numbers of attributes of kernels.
static constexpr int kMaxThreads = 0;
static constexpr int kStaticShared = 1;
static constexpr int kLocalBytes = 3;
static constexpr int kRegisters = 4;
static constexpr int kMaxDynamicShared = 8;
static constexpr int kRequiredClusterX = 11;
static constexpr int kNonPortableCluster = 14;

// Numbers of options of the driver's compiler.
static constexpr int kErrorLog = 5;
static constexpr int kErrorLogSize = 6;
static constexpr int kOptimisation = 7;

/// What every device allows without asking.
static constexpr unsigned kPortableShared = 48 * 1024;
static constexpr unsigned kPortableCluster = 8;

static constexpr int kPeerAlreadyEnabled = 704;

//===----------------------------------------------------------------------===//
// Contexts
//===----------------------------------------------------------------------===//

llvm::Expected<std::unique_ptr<Context>> Context::open(const Driver &driver,
                                                       unsigned device) {
  auto info = driver.describe(device);
  if (!info)
    return info.takeError();
  std::unique_ptr<Context> result(new Context(driver));
  result->deviceInfo = std::move(*info);
  const DriverTable &table = driver.table();
  int status = table.deviceGet(&result->device, device);
  status =
      status ? status : table.primaryRetain(&result->context, result->device);
  if (auto error = table.check(status, "cuDevicePrimaryCtxRetain"))
    return std::move(error);
  if (auto error = result->makeCurrent())
    return std::move(error);
  return result;
}

Context::~Context() {
  if (context)
    table.primaryRelease(device);
}

llvm::Error Context::makeCurrent() const {
  return table.check(table.ctxSetCurrent(context), "cuCtxSetCurrent");
}

llvm::Error Context::enablePeer(const Context &other) {
  if (auto error = makeCurrent())
    return error;
  int status = table.ctxEnablePeer(other.context, 0);
  if (status == kPeerAlreadyEnabled)
    return llvm::Error::success();
  return table.check(status, "cuCtxEnablePeerAccess");
}

llvm::Error Context::synchronize() {
  if (auto error = makeCurrent())
    return error;
  return table.check(table.ctxSynchronize(), "the kernel");
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

llvm::Expected<DevicePointer> Context::allocate(uint64_t bytes) {
  if (auto error = makeCurrent())
    return std::move(error);
  DevicePointer pointer = 0;
  // The driver refuses empty allocations.
  int status = table.memAlloc(&pointer, bytes ? bytes : 1);
  if (auto error =
          table.check(status, llvm::formatv("cuMemAlloc of {0} bytes", bytes)))
    return std::move(error);
  return pointer;
}

llvm::Error Context::release(DevicePointer pointer) {
  if (auto error = makeCurrent())
    return error;
  return table.check(table.memFree(pointer), "cuMemFree");
}

llvm::Error Context::copyToDevice(DevicePointer to,
                                  llvm::ArrayRef<uint8_t> from) {
  if (from.empty())
    return llvm::Error::success();
  if (auto error = makeCurrent())
    return error;
  return table.check(table.copyHtoD(to, from.data(), from.size()),
                     "cuMemcpyHtoD");
}

llvm::Error Context::copyToHost(llvm::MutableArrayRef<uint8_t> to,
                                DevicePointer from) {
  if (to.empty())
    return llvm::Error::success();
  if (auto error = makeCurrent())
    return error;
  return table.check(table.copyDtoH(to.data(), from, to.size()),
                     "cuMemcpyDtoH");
}

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

llvm::Expected<LoadedModule> Context::loadModule(llvm::StringRef image,
                                                 unsigned optimisation) {
  if (auto error = makeCurrent())
    return std::move(error);
  std::vector<char> log(16384, 0);
  int options[] = {kErrorLog, kErrorLogSize, kOptimisation};
  void *values[] = {log.data(), reinterpret_cast<void *>(log.size() - 1),
                    reinterpret_cast<void *>(uintptr_t(optimisation))};
  std::string text = image.str(); // the driver wants a final zero
  void *module = nullptr;
  int status = table.moduleLoad(&module, text.c_str(), 3, options, values);
  if (auto error = table.check(status, "cuModuleLoadDataEx")) {
    llvm::StringRef said = llvm::StringRef(log.data()).trim();
    if (said.empty())
      return std::move(error);
    return llvm::createStringError(llvm::toString(std::move(error)) + "\n" +
                                   said);
  }
  return LoadedModule(table, module);
}

LoadedModule::LoadedModule(LoadedModule &&other)
    : table(other.table), module(std::exchange(other.module, nullptr)) {}

LoadedModule::~LoadedModule() {
  if (module)
    table.moduleUnload(module);
}

llvm::Expected<KernelHandle> LoadedModule::find(llvm::StringRef name) const {
  KernelHandle kernel;
  if (!name.empty()) {
    int status =
        table.moduleGetFunction(&kernel.function, module, name.str().c_str());
    if (auto error = table.check(status, "kernel '" + name + "'"))
      return std::move(error);
    return kernel;
  }
  if (!table.moduleFunctionCount || !table.moduleFunctions)
    return DriverTable::missing("cuModuleEnumerateFunctions");
  unsigned count = 0;
  if (auto error = table.check(table.moduleFunctionCount(&count, module),
                               "cuModuleGetFunctionCount"))
    return std::move(error);
  if (count != 1)
    return llvm::createStringError("expected the name of a kernel, since the "
                                   "module has " +
                                   llvm::Twine(count) + ", got none");
  if (auto error =
          table.check(table.moduleFunctions(&kernel.function, 1, module),
                      "cuModuleEnumerateFunctions"))
    return std::move(error);
  return kernel;
}

llvm::Expected<KernelInfo> LoadedModule::describe(KernelHandle kernel) const {
  if (!table.funcGetParam || !table.funcGetName)
    return DriverTable::missing("cuFuncGetParamInfo");
  KernelInfo info;
  const char *name = nullptr;
  if (auto error = table.check(table.funcGetName(&name, kernel.function),
                               "cuFuncGetName"))
    return std::move(error);
  info.name = name;
  KernelParameterInfo parameter;
  for (size_t i = 0; table.funcGetParam(kernel.function, i, &parameter.offset,
                                        &parameter.size) == 0;
       ++i)
    info.parameters.push_back(parameter);
  auto get = [&](int attribute, unsigned &result) {
    int value = 0;
    if (table.funcGetAttribute(&value, attribute, kernel.function) == 0)
      result = value;
  };
  for (unsigned d = 0; d < 3; ++d)
    get(kRequiredClusterX + d, info.requiredCluster[d]);
  get(kRegisters, info.registers);
  get(kLocalBytes, info.localBytes);
  get(kStaticShared, info.staticShared);
  get(kMaxThreads, info.maxThreads);
  return info;
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

llvm::Error Context::launch(KernelHandle kernel, const LaunchConfig &config,
                            llvm::ArrayRef<uint8_t> parameters) {
  if (!table.launchKernelEx)
    return DriverTable::missing("cuLaunchKernelEx");
  if (auto error = makeCurrent())
    return error;
  if (config.dynamicShared > kPortableShared)
    if (auto error = table.check(
            table.funcSetAttribute(kernel.function, kMaxDynamicShared,
                                   config.dynamicShared),
            llvm::formatv("{0} bytes of dynamic shared memory",
                          config.dynamicShared)))
      return error;
  llvm::SmallVector<LaunchAttribute, 3> attributes;
  auto add = [&](uint32_t id) -> LaunchAttribute & {
    attributes.emplace_back().id = id;
    attributes.back().value[0] = 1;
    return attributes.back();
  };
  uint64_t ctas =
      uint64_t(config.cluster[0]) * config.cluster[1] * config.cluster[2];
  if (ctas > kPortableCluster)
    if (auto error = table.check(
            table.funcSetAttribute(kernel.function, kNonPortableCluster, 1),
            "a cluster of more than 8 CTAs"))
      return error;
  if (ctas > 1)
    std::copy(config.cluster.begin(), config.cluster.end(),
              add(kAttributeCluster).value);
  if (config.cooperative)
    add(kAttributeCooperative);
  if (config.programmatic)
    add(kAttributeProgrammatic);
  RawLaunchConfig raw = {};
  std::copy(config.grid.begin(), config.grid.end(), raw.grid);
  std::copy(config.block.begin(), config.block.end(), raw.block);
  raw.sharedBytes = config.dynamicShared;
  raw.stream = config.stream;
  raw.attributes = attributes.data();
  raw.attributeCount = attributes.size();
  // A block of parameters instead of an array of pointers.
  size_t size = parameters.size();
  void *end = nullptr, *buffer = reinterpret_cast<void *>(1),
       *bufferSize = reinterpret_cast<void *>(2);
  void *extra[] = {buffer, const_cast<uint8_t *>(parameters.data()), bufferSize,
                   &size, end};
  return table.check(table.launchKernelEx(&raw, kernel.function, nullptr,
                                          parameters.empty() ? nullptr : extra),
                     "cuLaunchKernelEx");
}

llvm::Expected<TensorMapBytes> Context::encode(TensorMapForm form,
                                               const TensorMapArguments &map) {
  if (auto error = makeCurrent())
    return std::move(error);
  alignas(64) TensorMapBytes bytes = {};
  void *address = reinterpret_cast<void *>(map.address);
  uint32_t rank = map.dims.size();
  switch (form) {
  case TensorMapForm::Tiled:
    if (!table.encodeTiled)
      return DriverTable::missing("cuTensorMapEncodeTiled");
    if (auto error = table.check(
            table.encodeTiled(bytes.data(), map.type, rank, address,
                              map.dims.data(), map.strides.data(),
                              map.box.data(), map.elementStrides.data(),
                              map.interleave, map.swizzle, map.l2, map.fill),
            "cuTensorMapEncodeTiled"))
      return std::move(error);
    return bytes;
  case TensorMapForm::Im2col:
    if (!table.encodeIm2col)
      return DriverTable::missing("cuTensorMapEncodeIm2col");
    if (auto error = table.check(
            table.encodeIm2col(bytes.data(), map.type, rank, address,
                               map.dims.data(), map.strides.data(),
                               map.lower.data(), map.upper.data(), map.channels,
                               map.pixels, map.elementStrides.data(),
                               map.interleave, map.swizzle, map.l2, map.fill),
            "cuTensorMapEncodeIm2col"))
      return std::move(error);
    return bytes;
  case TensorMapForm::Im2colWide:
    if (!table.encodeIm2colWide)
      return DriverTable::missing("cuTensorMapEncodeIm2colWide");
    if (auto error = table.check(
            table.encodeIm2colWide(
                bytes.data(), map.type, rank, address, map.dims.data(),
                map.strides.data(), map.lower[0], map.upper[0], map.channels,
                map.pixels, map.elementStrides.data(), map.interleave,
                map.wideMode, map.swizzle, map.l2, map.fill),
            "cuTensorMapEncodeIm2colWide"))
      return std::move(error);
    return bytes;
  }
  llvm_unreachable("all forms are above");
}

//===----------------------------------------------------------------------===//
// Streams and events
//===----------------------------------------------------------------------===//

llvm::Expected<void *> Context::createStream() {
  if (auto error = makeCurrent())
    return std::move(error);
  void *stream = nullptr;
  if (auto error =
          table.check(table.streamCreate(&stream, 0), "cuStreamCreate"))
    return std::move(error);
  return stream;
}

llvm::Error Context::destroyStream(void *stream) {
  return table.check(table.streamDestroy(stream), "cuStreamDestroy");
}

llvm::Expected<void *> Context::createEvent() {
  if (auto error = makeCurrent())
    return std::move(error);
  void *event = nullptr;
  if (auto error = table.check(table.eventCreate(&event, 0), "cuEventCreate"))
    return std::move(error);
  return event;
}

llvm::Error Context::destroyEvent(void *event) {
  return table.check(table.eventDestroy(event), "cuEventDestroy");
}

llvm::Error Context::recordEvent(void *event, void *stream) {
  if (auto error = makeCurrent())
    return error;
  return table.check(table.eventRecord(event, stream), "cuEventRecord");
}

llvm::Expected<float> Context::elapsedMilliseconds(void *begin, void *end) {
  if (auto error =
          table.check(table.eventSynchronize(end), "cuEventSynchronize"))
    return std::move(error);
  float milliseconds = 0;
  if (auto error = table.check(table.eventElapsed(&milliseconds, begin, end),
                               "cuEventElapsedTime"))
    return std::move(error);
  return milliseconds;
}
