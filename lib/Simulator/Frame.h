//===- Frame.h - activations of functions -----------------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A frame is one activation of a function by lanes that entered it together:
// their registers and the way back. Lanes of a warp may be in many frames at
// one time, also of one function.
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_LIB_SIMULATOR_FRAME_H
#define TIRX_LIB_SIMULATOR_FRAME_H

#include "TIRx/Simulator/Program.h"
#include "llvm/ADT/SmallVector.h"
#include <new>

namespace tirx::sim {

struct Frame {
  /// Where lanes go on when they leave the frame. All lanes that entered
  /// together share one, but frames may merge (Warp::gather).
  struct Return {
    uint32_t lanes;
    Frame *caller;
    uint32_t pc;   ///< kNoPc: the callee promised not to return
    uint32_t from; ///< the call
    uint32_t site; ///< index into Kernel::callSites
  };
  struct Free {
    void operator()(uint8_t *p) const {
      ::operator delete[](p, std::align_val_t(64));
    }
  };

  template <class T> T *at(Slot slot) {
    return reinterpret_cast<T *>(registers.get() + slot);
  }
  /// Where the frame's local memory begins in the stack of a lane.
  uint32_t base(unsigned lane) const {
    uint32_t align = function->localAlign;
    return (savedTop[lane] + align - 1) / align * align;
  }

  const Function *function = nullptr;
  std::unique_ptr<uint8_t[], Free> registers;
  /// Lanes that entered and have neither left nor ended. A frame without any
  /// waits for its next use.
  uint32_t lanes = 0;
  llvm::SmallVector<Return, 1> returns;
  /// Where the stack of each lane ended when it entered.
  std::array<uint32_t, 32> savedTop = {};
};

} // namespace tirx::sim

#endif // TIRX_LIB_SIMULATOR_FRAME_H
