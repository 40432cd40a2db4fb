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
#include <memory>
#include <vector>

namespace tirx::sim {

class Cta;
class Module;
class Warp;
struct Inst;
struct Kernel;
struct LaunchParameters;
struct Report;

/// State spaces as the machine tells them apart after generic addresses have
/// been resolved.
/// Constant: variables in .const and the parameters of the kernel.
enum class Space : uint8_t { Global, Shared, Local, Constant, Tensor };

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
  ClusterArrive,
  ClusterWait,
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

/// A kernel begins or ends. All of it lives until the end.
struct LaunchEvent {
  const Module *module;
  const Kernel *kernel;
  const LaunchParameters *parameters;
};

/// A warp is about to execute an instruction. One that waits comes here each
/// time that it looks again whether it can go on.
struct IssueEvent {
  Warp *warp;
  uint32_t pc;
  uint32_t active; ///< lanes that are here, whatever the guard says
};

/// A warp has executed an instruction: once for each, when it is complete. An
/// instruction of PTX may be several in Kernel::code (InstInfo::isFirst).
struct InstructionEvent {
  /// `lanes`: those for which the guard holds, maybe none; for a branch, all.
  Actor actor;
  uint32_t active; ///< lanes that are here, whatever the guard says
  uint32_t pc;
  const Inst *inst;
  /// The registers of the frame, for Slot to point into; null behind a call.
  const uint8_t *registers;
};

/// A branch, also one whose guard holds for nobody. Lanes are `taken` and
/// `fallThrough`.
struct BranchEvent {
  Actor actor;
  uint32_t taken, fallThrough;
  uint32_t pc;
  const Inst *inst;
};

/// Matrix work of an engine: multiply-adds of elements of one type. That of
/// warps stands in the text of their instructions.
struct MatrixEvent {
  Actor actor;
  uint64_t multiplyAdds;
  const char *type;
  const Inst *inst;
};

class Observer {
public:
  virtual ~Observer() = default;
  /// Whether several threads of the host may call it at one time, for CTAs of
  /// different clusters. Else one thread runs them, in order.
  virtual bool isThreadSafe() const { return false; }
  /// An observer for one cluster of the launch that has begun, so that others
  /// may run beside it; null when it has none. `join` takes what a fork heard,
  /// in the order of the clusters, from those that count.
  virtual std::unique_ptr<Observer> fork() const { return nullptr; }
  virtual void join(Observer & /*fork*/) {}
  /// Whether it wants onAccess, which costs most of all.
  virtual bool wantsAccesses() const { return true; }
  virtual void onLaunchBegin(const LaunchEvent &event) {}
  virtual void onLaunchEnd(const LaunchEvent &event) {}
  virtual void onCtaBegin(Cta &cta) {}
  virtual void onCtaEnd(Cta &cta) {}
  /// False ends the launch without a report.
  virtual bool onIssue(const IssueEvent & /*event*/) { return true; }
  /// Comes behind the accesses and other events of the instruction.
  virtual void onInstruction(const InstructionEvent &event) {}
  virtual void onBranch(const BranchEvent &event) {}
  virtual void onAccess(const AccessEvent &event) {}
  virtual void onSync(const SyncEvent &event) {}
  virtual void onMatrix(const MatrixEvent &event) {}
  virtual void onAsyncBegin(const AsyncEvent &event) {}
  virtual void onAsyncEnd(const AsyncEvent &event) {}
  /// An error, while everything still is as it was when it happened.
  virtual void onError(const Report &report) {}
};

/// Passes every event to several observers, in the order of their addition.
class ObserverList final : public Observer {
public:
  void add(Observer &observer) { list.push_back(&observer); }
  bool empty() const { return list.empty(); }
  /// What hears as much at the least cost: null, the only one, or this.
  Observer *simplify() {
    return list.empty() ? nullptr : list.size() == 1 ? list.front() : this;
  }

  bool wantsAccesses() const override;
  std::unique_ptr<Observer> fork() const override;
  void join(Observer &fork) override;
  void onLaunchBegin(const LaunchEvent &event) override;
  void onLaunchEnd(const LaunchEvent &event) override;
  void onCtaBegin(Cta &cta) override;
  void onCtaEnd(Cta &cta) override;
  bool onIssue(const IssueEvent &event) override;
  void onInstruction(const InstructionEvent &event) override;
  void onBranch(const BranchEvent &event) override;
  void onAccess(const AccessEvent &event) override;
  void onSync(const SyncEvent &event) override;
  void onMatrix(const MatrixEvent &event) override;
  void onAsyncBegin(const AsyncEvent &event) override;
  void onAsyncEnd(const AsyncEvent &event) override;
  void onError(const Report &report) override;

private:
  std::vector<Observer *> list;
  /// Those of a fork.
  std::vector<std::unique_ptr<Observer>> owned;
};

} // namespace tirx::sim

#endif // TIRX_SIMULATOR_OBSERVER_H
