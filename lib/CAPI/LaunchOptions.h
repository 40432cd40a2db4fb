//===- LaunchOptions.h - how a launch is simulated --------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_LIB_CAPI_LAUNCHOPTIONS_H
#define TIRX_LIB_CAPI_LAUNCHOPTIONS_H

#include "Common.h"
#include "TIRx/Simulator/Simulator.h"

namespace tirx::capi {

/// The options of tirxSimulate.
llvm::Expected<sim::LaunchOptions>
toLaunchOptions(const llvm::json::Object &object);

} // namespace tirx::capi

#endif // TIRX_LIB_CAPI_LAUNCHOPTIONS_H
