//===- TestKernel.h - runs PTX in a test ------------------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_UNITTESTS_SIMULATOR_TESTKERNEL_H
#define TIRX_UNITTESTS_SIMULATOR_TESTKERNEL_H

#include "TIRx/Simulator/Simulator.h"
#include "gtest/gtest.h"
#include <cstring>

namespace tirx::sim {

/// A module, its buffers and one launch whose parameters are all pointers or
/// 64-bit values.
class TestKernel {
public:
  explicit TestKernel(const std::string &text, LaunchOptions options = {},
                      bool keepNames = false) {
    auto loaded = Module::load(text, "test.ptx", 0, nullptr, keepNames);
    if (!loaded) {
      error = llvm::toString(loaded.takeError());
      return;
    }
    module = std::move(*loaded);
    simulator = std::make_unique<Simulator>(options);
  }

  template <class T> Allocation *buffer(const std::vector<T> &data) {
    Allocation *allocation = empty(data.size() * sizeof(T));
    std::memcpy(allocation->store.data(), data.data(), data.size() * sizeof(T));
    allocation->store.markAllWritten();
    return allocation;
  }
  /// A buffer that nobody wrote, passed as the next parameter.
  Allocation *empty(size_t bytes) {
    Allocation *allocation =
        llvm::cantFail(simulator->getMemory().allocate("buffer", bytes));
    value(allocation->base);
    return allocation;
  }
  void value(uint64_t bits) {
    size_t at = parameters.arguments.size();
    parameters.arguments.resize(at + 8);
    std::memcpy(parameters.arguments.data() + at, &bits, 8);
  }
  template <class T> static std::vector<T> read(Allocation *allocation) {
    std::vector<T> data(allocation->size() / sizeof(T));
    std::memcpy(data.data(), allocation->store.data(), data.size() * sizeof(T));
    return data;
  }

  /// The rules of all error reports, "" when clean, "!..." when it could not
  /// be launched.
  std::string run() {
    if (!module)
      return "!" + error;
    if (auto failure = simulator->launch(*module, parameters, &statistics))
      return "!" + llvm::toString(std::move(failure));
    std::string rules;
    for (const Report &report : simulator->getLog().getReports())
      if (report.severity == Severity::Error)
        rules += (rules.empty() ? "" : ",") + report.rule;
    return rules;
  }
  const Report &report() { return simulator->getLog().getReports().front(); }

  std::string error;
  std::unique_ptr<Module> module;
  std::unique_ptr<Simulator> simulator;
  LaunchParameters parameters;
  LaunchStatistics statistics;
};

/// An entry with `count` 64-bit parameters loaded into %p0, %p1, ... and the
/// thread number in %tid.
inline std::string entry(unsigned count, const std::string &body,
                         const std::string &globals = "") {
  std::string text = ".version 8.8\n.target sm_100a\n.address_size 64\n" +
                     globals + "\n.visible .entry kernel(";
  for (unsigned i = 0; i < count; ++i)
    text += (i ? ", " : "") + (".param .u64 param" + std::to_string(i));
  text += ")\n{\n.reg .pred %q<16>;\n.reg .b16 %h<32>;\n.reg .b32 %r<96>;\n"
          ".reg .f32 %f<32>;\n.reg .b64 %rd<32>;\n.reg .f64 %d<8>;\n"
          ".reg .b64 %p<8>;\n.reg .b32 %t;\nmov.u32 %t, %tid.x;\n";
  for (unsigned i = 0; i < count; ++i)
    text += "ld.param.u64 %p" + std::to_string(i) + ", [param" +
            std::to_string(i) + "];\n";
  return text + body + "\nret;\n}\n";
}

} // namespace tirx::sim

#endif // TIRX_UNITTESTS_SIMULATOR_TESTKERNEL_H
