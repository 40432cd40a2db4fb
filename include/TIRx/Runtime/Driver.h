//===- Driver.h - the CUDA driver, loaded at run time -----------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The CUDA driver (libcuda.so.1) is opened when it is first asked for and never
// linked, so that programs run on machines without it and say what is missing.
//
//   auto driver = runtime::Driver::get();           // fails without a driver
//   auto context = runtime::Context::open(**driver, 0);
//   auto module = (*context)->loadModule(ptx);      // the JIT's words on error
//   auto kernel = module->find("saxpy");
//   auto a = (*context)->allocate(bytes);
//   (*context)->copyToDevice(*a, data);
//   (*context)->launch(*kernel, config, parameterBytes);
//   (*context)->synchronize();
//
// Errors name the driver's function and give its words for the status.
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_RUNTIME_DRIVER_H
#define TIRX_RUNTIME_DRIVER_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <array>
#include <memory>
#include <string>
#include <vector>

namespace tirx::runtime {

/// The driver's functions (lib/Runtime/DriverTable.h).
struct DriverTable;

using DevicePointer = uint64_t;

struct DeviceInfo {
  std::string name;
  unsigned major = 0, minor = 0; ///< compute capability
  uint64_t memory = 0;

  /// "sm_90"
  std::string architecture() const;
};

/// The process's one driver.
class Driver {
public:
  /// Loads and initialises it once. Fails where there is no driver or no GPU.
  static llvm::Expected<const Driver *> get();

  unsigned deviceCount() const { return devices; }
  llvm::Expected<DeviceInfo> describe(unsigned device) const;
  /// The newest CUDA version that it serves, such as 13000.
  int version() const { return cudaVersion; }
  const DriverTable &table() const { return *functions; }

private:
  Driver() = default;
  llvm::Error load();

  std::unique_ptr<DriverTable> functions;
  unsigned devices = 0;
  int cudaVersion = 0;
};

/// A kernel of a loaded module, which must outlive it.
struct KernelHandle {
  void *function = nullptr;
};

struct KernelParameterInfo {
  size_t offset, size;
};

/// What the driver knows of a kernel.
struct KernelInfo {
  std::string name;
  std::vector<KernelParameterInfo> parameters;
  /// From .reqnctapercluster; zeros without it.
  std::array<unsigned, 3> requiredCluster = {0, 0, 0};
  unsigned registers = 0, localBytes = 0, staticShared = 0, maxThreads = 0;
};

/// Machine code on a device; unloaded at the end of its life.
class LoadedModule {
public:
  LoadedModule(LoadedModule &&other);
  LoadedModule &operator=(LoadedModule &&) = delete;
  ~LoadedModule();

  /// The kernel of this name, or the only one when it is empty.
  llvm::Expected<KernelHandle> find(llvm::StringRef name) const;
  llvm::Expected<KernelInfo> describe(KernelHandle kernel) const;

private:
  friend class Context;
  LoadedModule(const DriverTable &table, void *module)
      : table(table), module(module) {}

  const DriverTable &table;
  void *module;
};

/// How a kernel is launched.
struct LaunchConfig {
  std::array<unsigned, 3> grid = {1, 1, 1};
  std::array<unsigned, 3> block = {1, 1, 1};
  std::array<unsigned, 3> cluster = {1, 1, 1};
  unsigned dynamicShared = 0;
  /// All CTAs are resident at once.
  bool cooperative = false;
  /// May begin before the kernel before it in the stream has ended.
  bool programmatic = false;
  void *stream = nullptr; ///< null: the context's default stream
};

/// The arguments of the driver's cuTensorMapEncode functions, dimension 0
/// innermost, enumerators by their numbers.
struct TensorMapArguments {
  unsigned type = 0;
  DevicePointer address = 0;
  llvm::ArrayRef<uint64_t> dims, strides;
  llvm::ArrayRef<uint32_t> elementStrides;
  unsigned interleave = 0, swizzle = 0, l2 = 0, fill = 0;
  llvm::ArrayRef<uint32_t> box;         ///< tiled
  llvm::ArrayRef<int32_t> lower, upper; ///< im2col and wide
  uint32_t channels = 0, pixels = 0;    ///< im2col and wide
  unsigned wideMode = 0;                ///< wide
};

enum class TensorMapForm { Tiled, Im2col, Im2colWide };

/// The 128 bytes, which a kernel finds at a multiple of 64.
using TensorMapBytes = std::array<uint8_t, 128>;

/// The primary context of one device. Its functions make it current first.
class Context {
public:
  static llvm::Expected<std::unique_ptr<Context>> open(const Driver &driver,
                                                       unsigned device);
  Context(const Context &) = delete;
  Context &operator=(const Context &) = delete;
  ~Context();

  const DeviceInfo &info() const { return deviceInfo; }
  llvm::Error makeCurrent() const;

  llvm::Expected<DevicePointer> allocate(uint64_t bytes);
  llvm::Error release(DevicePointer pointer);
  llvm::Error copyToDevice(DevicePointer to, llvm::ArrayRef<uint8_t> from);
  llvm::Error copyToHost(llvm::MutableArrayRef<uint8_t> to, DevicePointer from);
  /// Lets kernels of this context access memory of `other`.
  llvm::Error enablePeer(const Context &other);

  /// PTX, which the driver compiles with this optimisation level (0 to 4), or a
  /// cubin. The error has the log of the driver's compiler.
  llvm::Expected<LoadedModule> loadModule(llvm::StringRef image,
                                          unsigned optimisation = 4);
  /// `parameters`: each argument at its parameter's offset.
  llvm::Error launch(KernelHandle kernel, const LaunchConfig &config,
                     llvm::ArrayRef<uint8_t> parameters);
  llvm::Error synchronize();
  llvm::Expected<TensorMapBytes> encode(TensorMapForm form,
                                        const TensorMapArguments &map);

  llvm::Expected<void *> createStream();
  llvm::Error destroyStream(void *stream);
  llvm::Expected<void *> createEvent();
  llvm::Error destroyEvent(void *event);
  llvm::Error recordEvent(void *event, void *stream = nullptr);
  /// Waits for `end`.
  llvm::Expected<float> elapsedMilliseconds(void *begin, void *end);

private:
  Context(const Driver &driver) : table(driver.table()) {}

  const DriverTable &table;
  DeviceInfo deviceInfo;
  int device = 0;
  void *context = nullptr;
};

} // namespace tirx::runtime

#endif // TIRX_RUNTIME_DRIVER_H
