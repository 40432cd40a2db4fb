//===- LaunchBackend.h - where launch files run -----------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A launch file runs on the simulator or on a GPU. What differs (memory,
// modules, launches, the bytes of a tensor map) passes through this interface;
// reading the file, packing arguments and comparing are common.
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_SIMULATOR_LAUNCHBACKEND_H
#define TIRX_SIMULATOR_LAUNCHBACKEND_H

#include "TIRx/Simulator/LaunchFile.h"
#include "TIRx/Simulator/Simulator.h"
#include <map>

namespace tirx::sim {

/// What a backend knows of a kernel.
struct LaunchKernel {
  std::string name;
  std::vector<KernelParameter> parameters;
  uint64_t parameterBytes = 0;
  /// What the PTX requires, where the backend can tell.
  std::optional<std::array<unsigned, 3>> requiredBlock, requiredCluster;
};

/// The 128 bytes of a tensor map.
using TensorMapImage = std::array<uint8_t, 128>;

/// A module that a backend has loaded.
class LaunchModule {
public:
  virtual ~LaunchModule() = default;
  /// The kernel called `entry`, or the only one when it is empty.
  virtual llvm::Expected<LaunchKernel> find(llvm::StringRef entry) = 0;
  std::string target; ///< the .target of the PTX
};

class LaunchBackend {
public:
  virtual ~LaunchBackend() = default;

  /// Prepares for `file`: enough devices, say.
  virtual llvm::Error begin(const LaunchFile &file) = 0;
  /// Allocates a buffer with these contents; null: nobody wrote it.
  virtual llvm::Expected<uint64_t>
  allocate(const BufferSpec &buffer, const std::vector<uint8_t> *contents) = 0;
  /// What the buffer holds now.
  virtual llvm::Expected<std::vector<uint8_t>>
  read(const BufferSpec &buffer) = 0;
  /// Loads PTX for the device of `launch`.
  virtual llvm::Expected<std::unique_ptr<LaunchModule>>
  load(llvm::StringRef text, llvm::StringRef path, const LaunchSpec &launch,
       const ModuleText *models) = 0;
  virtual llvm::Expected<TensorMapImage> encode(const TensorMapDescription &map,
                                                const LaunchSpec &launch) = 0;
  virtual llvm::Error launch(LaunchModule &module, const LaunchSpec &launch,
                             const LaunchParameters &parameters,
                             LaunchStatistics &statistics) = 0;
  /// Waits for all launches.
  virtual llvm::Error finish() = 0;
  /// A report of an error ended the last launch: those after it do not run.
  virtual bool hasFailed() = 0;
  /// For the closing line: "simulated sm_90a on the CPU (no GPU was used)".
  virtual std::string describe(llvm::StringRef target) const = 0;
};

/// The CPU simulator.
class SimulatorBackend : public LaunchBackend {
public:
  /// `keepNames`: as in Module::load.
  explicit SimulatorBackend(const LaunchOptions &options,
                            bool keepNames = false)
      : simulator(options), keepNames(keepNames) {}
  Simulator &getSimulator() { return simulator; }

  llvm::Error begin(const LaunchFile &file) override;
  llvm::Expected<uint64_t>
  allocate(const BufferSpec &buffer,
           const std::vector<uint8_t> *contents) override;
  llvm::Expected<std::vector<uint8_t>> read(const BufferSpec &buffer) override;
  llvm::Expected<std::unique_ptr<LaunchModule>>
  load(llvm::StringRef text, llvm::StringRef path, const LaunchSpec &launch,
       const ModuleText *models) override;
  llvm::Expected<TensorMapImage> encode(const TensorMapDescription &map,
                                        const LaunchSpec &launch) override;
  llvm::Error launch(LaunchModule &module, const LaunchSpec &launch,
                     const LaunchParameters &parameters,
                     LaunchStatistics &statistics) override;
  llvm::Error finish() override { return llvm::Error::success(); }
  bool hasFailed() override;
  std::string describe(llvm::StringRef target) const override;

private:
  Simulator simulator;
  /// By the buffer's name.
  std::map<std::string, Allocation *> allocations;
  unsigned modules = 0;
  bool keepNames;
};

} // namespace tirx::sim

#endif // TIRX_SIMULATOR_LAUNCHBACKEND_H
