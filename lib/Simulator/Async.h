//===- Async.h - asynchronous operations ------------------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What cp.async, bulk and tensor copies, wgmma and tcgen05 have in common: an
// operation reads its sources and writes its destinations at times of its own,
// between its issue and the completion that the program can see.
//
//   AsyncOperation operation(w.cta, {&i, int(w.index), int(lane)});
//   operation.read = [..., bytes] { ...; return true; };
//   operation.write = [..., bytes] { ...; return true; };
//   operation.signals.push_back({target, barrier, bytes});
//   uint64_t id = w.cta.engine->issue(std::move(operation));
//
// Operations complete in any order, but for those named in `after`, which
// complete before `read` runs. A program sees completion in one of three ways:
// a signal to an mbarrier, a group that a thread or warp waits for (AsyncGroups
// of the engine), or a wait that names the operation (complete).
//
// There is one engine for each cluster; nothing of it is shared between
// clusters.
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_LIB_SIMULATOR_ASYNC_H
#define TIRX_LIB_SIMULATOR_ASYNC_H

#include "Proxy.h"
#include "TIRx/Simulator/Observer.h"
#include "TIRx/Simulator/Simulator.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Twine.h"
#include <deque>
#include <functional>
#include <map>

namespace tirx::sim {

class Cta;
class Grid;
class Warp;
class MBarrier;

/// Who issued an asynchronous operation.
struct Issuer {
  const Inst *inst;
  int warp;
  int lane;
};

/// What an mbarrier hears when an operation completes: bytes, or one arrival.
struct Signal {
  Cta *cta;
  uint32_t barrier; ///< offset in the shared memory of `cta`
  int64_t bytes = 0;
  bool arrives = false;
};

/// Which unit executes an operation; those of different units are unordered.
enum class AsyncUnit : uint8_t { Copy, Bulk, Wgmma, Tensor };

/// Read: the sources may be written again. Done: the results are there.
enum class AsyncStage : uint8_t { Issued, Read, Done };

struct AsyncOperation {
  AsyncOperation(Cta &cta, Issuer issuer, AsyncUnit unit)
      : cta(&cta), issuer(issuer), unit(unit) {}

  Cta *cta;
  Issuer issuer;
  AsyncUnit unit;
  /// Both return false when they reported an error; each may be empty. What is
  /// read is kept by the operation until it is written.
  std::function<bool()> read, write;
  llvm::SmallVector<Signal, 1> signals;
  /// Operations that must be complete before this one reads.
  llvm::SmallVector<uint64_t, 2> after;
  /// What the unit keeps to find order: an accumulator, a shape.
  uint64_t tag = 0;
  uint64_t id = 0;
  AsyncStage stage = AsyncStage::Issued;
};

/// Kinds of groups that are committed and waited for.
enum class GroupKind : uint8_t { Copy, Bulk, Wgmma };

/// A thread, or a warp when `lane` is -1, of a cluster.
struct GroupOwner {
  const Cta *cta;
  int warp;
  int lane;
};

class AsyncEngine {
public:
  AsyncEngine(Grid &grid, uint64_t cluster);
  ~AsyncEngine();

  /// Starts an operation and returns its number. In eager mode it is complete
  /// on return. An error stops the grid.
  uint64_t issue(AsyncOperation operation);
  /// Brings an operation, and before it what it comes after, to a stage.
  /// Nothing happens when it is there already.
  bool complete(uint64_t id, AsyncStage stage = AsyncStage::Done);
  bool isPending(uint64_t id) const { return pending.count(id); }
  bool empty() const { return pending.empty(); }

  /// Pending operations, in the order of issue, that `fits` chooses.
  llvm::SmallVector<uint64_t, 4>
  find(llvm::function_ref<bool(const AsyncOperation &)> fits) const;

  /// Completes one operation that signals the barrier; false when none does.
  bool completeFor(const Cta &cta, uint32_t barrier);
  /// Completes the oldest operation; false when there is none.
  bool completeOldest();
  /// Completes everything that a CTA issued.
  bool completeAll(const Cta &cta);
  /// In random mode: something may happen now.
  void drift();

  // Groups.
  /// Adds an operation to the group that its owner has not committed yet.
  /// `readsShared`: the source in shared memory is in use until a wait.
  void join(GroupKind kind, GroupOwner owner, uint64_t id, const Inst *inst,
            bool readsShared = false);
  void commit(GroupKind kind, GroupOwner owner);
  /// Waits until at most `open` committed groups are not at the stage.
  bool wait(GroupKind kind, GroupOwner owner, uint64_t open,
            AsyncStage stage = AsyncStage::Done);
  /// The same for committed and uncommitted operations.
  bool waitAll(GroupKind kind, GroupOwner owner);
  /// Operations of the owner that no wait has covered yet.
  llvm::SmallVector<uint64_t, 4> members(GroupKind kind, GroupOwner owner);
  /// Reports bulk copies of the CTA whose source in shared memory may still be
  /// in use when the CTA exits.
  void checkSourcesAtExit(const Cta &cta);

  /// Null unless asynchronous accesses may see stale bytes.
  ProxyTracker *proxy() { return tracker.get(); }
  bool isEager() const { return mode == AsyncMode::Eager; }
  uint64_t nextRandom();

private:
  struct Member {
    uint64_t id;
    const Inst *inst;
    bool readsShared;
  };
  using Group = std::vector<Member>;
  struct Groups {
    GroupOwner owner;
    Group open;
    std::deque<Group> committed;
  };

  bool advance(AsyncOperation &operation, AsyncStage stage);
  bool isHeld(const AsyncOperation &operation) const;
  bool settle(Group &group, AsyncStage stage);
  Groups &groupsOf(GroupKind kind, GroupOwner owner);
  void notify(const AsyncOperation &operation, bool begin);

  Grid &grid;
  AsyncMode mode;
  uint64_t randomState;
  uint64_t next = 1;
  /// By number, that is, in the order of issue.
  std::map<uint64_t, std::unique_ptr<AsyncOperation>> pending;
  std::map<uint64_t, Groups> groups;
  std::unique_ptr<ProxyTracker> tracker;
};

/// Sends what an operation owes to a barrier; false when it reported an error.
bool sendSignal(Cta &from, const Issuer &issuer, const Signal &signal);

/// Reports an error of an asynchronous operation; always returns false.
bool failOperation(Cta &cta, const Issuer &issuer, llvm::StringRef rule,
                   const llvm::Twine &message);

/// Memory as an operation of the asynchronous proxy sees it. Ranges are checked
/// here; an error is reported, and then the result is false or null.
class AsyncMemory {
public:
  AsyncMemory(Cta &cta, Issuer issuer) : cta(cta), issuer(issuer) {}

  /// Bytes of shared memory of a CTA of the cluster. The pointer is good until
  /// the next call.
  const uint8_t *readShared(Cta &target, uint32_t offset, unsigned size,
                            llvm::StringRef operand);
  bool writeShared(Cta &target, uint32_t offset, const uint8_t *bytes,
                   unsigned size, llvm::StringRef operand);
  const uint8_t *readGlobal(uint64_t address, unsigned size,
                            llvm::StringRef operand);
  bool writeGlobal(uint64_t address, const uint8_t *bytes, unsigned size,
                   llvm::StringRef operand);
  /// For a reduction: the bytes themselves, now counted as written.
  uint8_t *updateGlobal(uint64_t address, unsigned size,
                        llvm::StringRef operand);
  uint8_t *updateShared(Cta &target, uint32_t offset, unsigned size,
                        llvm::StringRef operand);

private:
  uint8_t *locateShared(Cta &target, uint32_t offset, unsigned size,
                        AccessKind kind, llvm::StringRef operand);
  uint8_t *locateGlobal(uint64_t address, unsigned size, AccessKind kind,
                        llvm::StringRef operand);
  const uint8_t *view(const uint8_t *data, uint64_t address, unsigned size,
                      llvm::StringRef operand);
  bool reportUnwritten(uint64_t address, llvm::StringRef operand);
  void notify(Space space, AccessKind kind, uint64_t address, unsigned size);

  Cta &cta;
  Issuer issuer;
};

} // namespace tirx::sim

#endif // TIRX_LIB_SIMULATOR_ASYNC_H
