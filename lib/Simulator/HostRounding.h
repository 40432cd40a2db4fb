//===- HostRounding.h - the rounding mode of the host -----------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_LIB_SIMULATOR_HOSTROUNDING_H
#define TIRX_LIB_SIMULATOR_HOSTROUNDING_H

#include "TIRx/Simulator/FloatFormat.h"
#include <cfenv>

namespace tirx::sim {

/// The host rounds like this while the object lives. Values that depend on it
/// must be volatile, or computed in a function that is not inlined.
class HostRounding {
public:
  explicit HostRounding(Rounding rounding) : before(std::fegetround()) {
    if (before != hostMode(rounding))
      std::fesetround(hostMode(rounding));
  }
  ~HostRounding() {
    if (before != std::fegetround())
      std::fesetround(before);
  }
  HostRounding(const HostRounding &) = delete;
  HostRounding &operator=(const HostRounding &) = delete;

private:
  static int hostMode(Rounding rounding) {
    switch (rounding) {
    case Rounding::Zero:
      return FE_TOWARDZERO;
    case Rounding::Down:
      return FE_DOWNWARD;
    case Rounding::Up:
      return FE_UPWARD;
    default:
      return FE_TONEAREST;
    }
  }

  int before;
};

} // namespace tirx::sim

#endif // TIRX_LIB_SIMULATOR_HOSTROUNDING_H
