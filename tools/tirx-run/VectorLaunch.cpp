//===- VectorLaunch.cpp - what runners of vectors share -------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VectorLaunch.h"
#include "TIRx/Simulator/Simulator.h"
#include "llvm/Support/FormatVariadic.h"
#include <cstring>

using namespace tirx;

static const char kHeader[] = ".version 9.0\n.target sm_90a\n"
                              ".address_size 64\n";

std::string tirx::take(llvm::Error error) {
  return llvm::toString(std::move(error));
}

/// The output bytes; zero where nothing was stored.
llvm::Expected<std::vector<uint8_t>> tirx::run(const VectorLaunch &launch) {
  auto module = sim::Module::load(launch.ptx, "case.ptx");
  if (!module)
    return module.takeError();
  sim::Simulator simulator;
  sim::LaunchParameters parameters;
  parameters.grid = {launch.blocks, 1, 1};
  parameters.block = {launch.threads, 1, 1};
  sim::Allocation *last = nullptr;
  auto place = [&](const uint8_t *data, uint64_t bytes) -> llvm::Error {
    auto allocation = simulator.getMemory().allocate("array", bytes);
    if (!allocation)
      return allocation.takeError();
    last = *allocation;
    if (data)
      std::memcpy(last->store.data(), data, bytes);
    else
      std::memset(last->store.data(), 0, bytes);
    last->store.markAllWritten();
    for (unsigned i = 0; i < 8; ++i)
      parameters.arguments.push_back(last->base >> (8 * i));
    return llvm::Error::success();
  };
  for (const VectorArray &input : launch.inputs)
    if (auto error = place(input.data.data(), input.data.size()))
      return std::move(error);
  if (auto error = place(nullptr, launch.outputBytes))
    return std::move(error);
  if (auto error = simulator.launch(**module, parameters))
    return std::move(error);
  for (const sim::Report &report : simulator.getLog().getReports())
    if (report.severity == sim::Severity::Error)
      return llvm::createStringError(report.message);
  return std::vector<uint8_t>(last->store.data(),
                              last->store.data() + last->size());
}

std::string tirx::compare(const std::vector<uint8_t> &got,
                          const VectorArray &want) {
  uint64_t differ = 0;
  std::string first;
  VectorArray ours = want;
  ours.data = got;
  for (uint64_t i = 0; i < want.count(); ++i)
    if (ours.at(i) != want.at(i) && differ++ == 0)
      first = llvm::formatv("element {0}: expected {1:x}, got {2:x}", i,
                            want.at(i), ours.at(i))
                  .str();
  return differ ? llvm::formatv("{0} of {1} differ, first {2}", differ,
                                want.count(), first)
                      .str()
                : "";
}

/// The beginning of an entry whose parameters are `count` pointers, in %p0, ...
std::string tirx::openEntry(unsigned count) {
  std::string text = kHeader + std::string(".visible .entry k(");
  for (unsigned i = 0; i < count; ++i)
    text += llvm::formatv("{0}.param .u64 a{1}", i ? ", " : "", i).str();
  text += ")\n{\n.reg .b64 %p<16>; .reg .b64 %at; .reg .b32 %x<4>;\n"
          ".reg .pred %out, %q;\n";
  for (unsigned i = 0; i < count; ++i)
    text += llvm::formatv("ld.param.u64 %p{0}, [a{0}];\n", i).str();
  return text;
}

std::string tirx::substitute(llvm::StringRef text,
                             llvm::ArrayRef<std::string> names) {
  std::string result;
  while (!text.empty()) {
    unsigned number;
    llvm::StringRef rest = text.drop_front();
    if (text.front() == '%' && !rest.consumeInteger(10, number) &&
        number < names.size()) {
      result += names[number];
      text = rest;
      continue;
    }
    result += text.front();
    text = text.drop_front();
  }
  return result;
}
