//===- LaunchFiles.cpp - launch files through the C API -------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GpuBackend.h"
#include "LaunchOptions.h"
#include "TIRx/Simulator/LaunchRunner.h"

using namespace llvm;
using namespace tirx;
using namespace tirx::capi;

/// The driver's compiler optimises fully.
static constexpr unsigned kGpuOptimisation = 4;

static Expected<sim::RunResult> run(const sim::LaunchFile &file,
                                    StringRef directory,
                                    const json::Object &object) {
  auto launch = toLaunchOptions(object);
  if (!launch)
    return launch.takeError();
  sim::RunOptions options;
  options.launch = *launch;
  options.countAccesses = object.getBoolean("count").value_or(false);
  StringRef on = object.getString("on").value_or("sim");
  if (on == "sim")
    return sim::runLaunchFile(file, directory, options);
  if (on != "gpu")
    return createStringError("on: expected sim or gpu, got '" + on + "'");
  auto gpu = GpuBackend::create(kGpuOptimisation);
  if (!gpu)
    return gpu.takeError();
  return sim::runLaunchFile(file, directory, options, **gpu);
}

TirxResult *tirxRunLaunchFile(TirxString text, TirxString directory,
                              TirxString optionsText) {
  auto object = parseOptions(optionsText);
  if (!object)
    return fail(object.takeError());
  auto file = sim::parseLaunchFile(toRef(text));
  if (!file)
    return fail(file.takeError());
  auto outcome = run(*file, toRef(directory), *object);
  if (!outcome)
    return fail(outcome.takeError());
  auto *result = new TirxResult;
  result->succeeded = outcome->status() == 0;
  result->setJson("result", sim::toJson(*outcome));
  std::string forPeople;
  raw_string_ostream stream(forPeople);
  sim::printResult(*outcome, stream);
  result->set("text", std::move(forPeople));
  return result;
}
