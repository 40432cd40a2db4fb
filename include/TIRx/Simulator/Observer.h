//===- Observer.h - who listens to a simulation -----------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Everything that a checker, a counter or a timeline needs to know passes
// through this interface. The machine holds one pointer and tests it before it
// builds an event, so that nothing is paid when nobody listens.
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_SIMULATOR_OBSERVER_H
#define TIRX_SIMULATOR_OBSERVER_H

#include <cstdint>

namespace tirx::sim {

struct Inst;

/// State spaces as the machine tells them apart after generic addresses have
/// been resolved.
enum class Space : uint8_t { Global, Shared, Local, Tensor };

enum class Proxy : uint8_t { Generic, Async };

enum class AccessKind : uint8_t { Read, Write, Atomic };

/// Who acts: linear CTA number in the grid, warp in the CTA, lanes in the warp.
/// `lanes` is 0 for the asynchronous engine.
struct Actor {
  uint64_t cta = 0;
  int warp = -1;
  uint32_t lanes = 0;
};

/// One contiguous access. `address` is a shared::cluster offset for Shared, a
/// tensor memory address for Tensor, else a generic address.
struct AccessEvent {
  Actor actor;
  Space space;
  AccessKind kind;
  Proxy proxy;
  uint64_t address;
  uint32_t size;
  const Inst *inst;
};

enum class SyncKind : uint8_t {
  BarrierArrive,
  BarrierComplete,
  MBarrierInit,
  MBarrierInval,
  MBarrierArrive,
  MBarrierPhase,
  MBarrierWait,
  Fence,
  WarpSync,
  TensorWait,
  TensorFence,
  Exit,
};

/// A synchronising event. `object` is a barrier number or a shared address.
struct SyncEvent {
  Actor actor;
  SyncKind kind;
  uint64_t object;
  const Inst *inst;
};

/// An asynchronous operation: numbered in order of issue within its CTA.
struct AsyncEvent {
  Actor actor;
  uint64_t id;
  const Inst *inst;
};

class Observer {
public:
  virtual ~Observer() = default;
  /// A warp executes `inst` for the lanes of `mask`.
  virtual void onInstruction(const Actor &actor, const Inst &inst,
                             uint32_t mask) {}
  virtual void onAccess(const AccessEvent &event) {}
  virtual void onSync(const SyncEvent &event) {}
  virtual void onAsyncBegin(const AsyncEvent &event) {}
  virtual void onAsyncEnd(const AsyncEvent &event) {}
};

} // namespace tirx::sim

#endif // TIRX_SIMULATOR_OBSERVER_H
