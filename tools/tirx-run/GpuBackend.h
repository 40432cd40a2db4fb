//===- GpuBackend.h - launch files on a GPU ---------------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_TOOLS_TIRX_RUN_GPUBACKEND_H
#define TIRX_TOOLS_TIRX_RUN_GPUBACKEND_H

#include "TIRx/Runtime/Driver.h"
#include "TIRx/Simulator/LaunchBackend.h"

namespace tirx {

/// The GPUs of this machine, through the CUDA driver.
class GpuBackend : public sim::LaunchBackend {
public:
  /// Fails where there is no driver or no GPU. `optimisation`: of the driver's
  /// compiler, 0 to 4.
  static llvm::Expected<std::unique_ptr<GpuBackend>>
  create(unsigned optimisation);
  ~GpuBackend() override;

  llvm::Error begin(const sim::LaunchFile &file) override;
  llvm::Expected<uint64_t>
  allocate(const sim::BufferSpec &buffer,
           const std::vector<uint8_t> *contents) override;
  llvm::Expected<std::vector<uint8_t>>
  read(const sim::BufferSpec &buffer) override;
  llvm::Expected<std::unique_ptr<sim::LaunchModule>>
  load(llvm::StringRef text, llvm::StringRef path,
       const sim::LaunchSpec &launch, const sim::ModuleText *models) override;
  llvm::Expected<sim::TensorMapImage>
  encode(const sim::TensorMapDescription &map,
         const sim::LaunchSpec &launch) override;
  llvm::Error launch(sim::LaunchModule &module, const sim::LaunchSpec &launch,
                     const sim::LaunchParameters &parameters,
                     sim::LaunchStatistics &statistics) override;
  llvm::Error finish() override;
  bool hasFailed() override { return false; }
  std::string describe(llvm::StringRef target) const override;

private:
  GpuBackend(const runtime::Driver &driver, unsigned optimisation)
      : driver(driver), optimisation(optimisation) {}
  llvm::Error synchronize();

  struct Buffer {
    runtime::Context *context;
    runtime::DevicePointer pointer;
  };

  const runtime::Driver &driver;
  unsigned optimisation;
  std::vector<std::unique_ptr<runtime::Context>> contexts;
  std::map<std::string, Buffer> buffers;
  /// The launch that runs on each device, for messages.
  std::vector<std::string> pending;
};

/// The map as the driver of this context encodes it.
llvm::Expected<sim::TensorMapImage>
encodeByDriver(runtime::Context &context, const sim::TensorMapDescription &map);

/// Why code for `target` ("sm_100a") cannot run on the GPU, or "".
std::string whyNotOn(llvm::StringRef target, const runtime::DeviceInfo &gpu);

} // namespace tirx

#endif // TIRX_TOOLS_TIRX_RUN_GPUBACKEND_H
