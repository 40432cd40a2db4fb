//===- Machine.h - state of a running grid ----------------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Warp, CTA and grid. A warp is a set of fragments: groups of lanes at one
// program counter of one frame, which has their registers. Diverged fragments
// meet again at the immediate post-dominator of the branch that split them, and
// after the call under which they diverged (a Join).
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_LIB_SIMULATOR_MACHINE_H
#define TIRX_LIB_SIMULATOR_MACHINE_H

#include "Async.h"
#include "Frame.h"
#include "TIRx/Simulator/MBarrier.h"
#include "TIRx/Simulator/Memory.h"
#include "TIRx/Simulator/Observer.h"
#include "TIRx/Simulator/Program.h"
#include "TIRx/Simulator/Report.h"
#include "TIRx/Simulator/Simulator.h"
#include "TIRx/Simulator/TensorMemory.h"
#include "llvm/ADT/DenseMap.h"
#include <array>
#include <deque>
#include <functional>
#include <list>

namespace tirx::sim {

class Cta;
class Grid;
class Warpgroup;

/// What %nsmid says: the SMs of a B200.
inline constexpr unsigned kSmCount = 148;

enum class FragmentState : uint8_t {
  Ready,
  NamedBarrier,
  ClusterBarrier,
  MBarrier,
  Collective,
  TensorAlloc,
  TensorWait,
  WgmmaWait,
  RegisterPool,
};

/// Lanes of one warp that execute together.
struct Fragment {
  uint32_t pc = 0;
  uint32_t mask = 0;
  Frame *frame = nullptr;
  /// Innermost join that these lanes will meet at, -1 for none.
  int32_t join = -1;
  FragmentState state = FragmentState::Ready;
  /// What it waits for: barrier number, shared address or member mask.
  uint64_t object = 0;
  uint32_t parity = 0;
  /// Progress of the grid when a wait was last allowed to fail.
  uint64_t failedAt = ~uint64_t(0);
  /// The next failing wait returns false instead of suspending.
  bool failWait = false;
  /// The lanes that it waited for at a bar.warp.sync have come.
  bool released = false;
};

/// A place where diverged lanes wait for each other.
struct Join {
  uint32_t pc = 0;
  Frame *frame = nullptr;
  uint32_t mask = 0;    ///< lanes that will come
  uint32_t arrived = 0; ///< lanes that are here
  int32_t parent = -1;
  bool free = true;
};

/// Where a byte range of the simulated machine lies in the host.
struct MemoryRef {
  uint8_t *data = nullptr;
  ByteStore *store = nullptr;
  uint64_t offset = 0;
};

/// What an operand address turned out to be.
enum class AddressSpace : uint8_t {
  Generic,
  Global,
  Shared,
  Local,
  Constant,
  Parameter,
};

class Warp {
public:
  Warp(Cta &cta, unsigned index, uint32_t lanes);
  ~Warp();

  /// A register of the running fragment.
  template <class T> T *at(Slot slot) {
    return reinterpret_cast<T *>(registers + slot);
  }
  uint32_t &predicate(Slot slot) { return *at<uint32_t>(slot); }

  /// Resolves an access or reports why it is illegal (then false). `size` is
  /// also the alignment that the hardware demands.
  bool resolve(const Inst &inst, AddressSpace space, uint64_t address,
               unsigned size, unsigned lane, AccessKind kind, MemoryRef &ref) {
    if (LLVM_UNLIKELY(address & (size - 1)))
      return reportMisaligned(inst, space, address, size, lane);
    return resolveBytes(inst, space, address, size, lane, kind, ref);
  }
  /// The same for bytes of any number and alignment.
  bool resolveBytes(const Inst &inst, AddressSpace space, uint64_t address,
                    unsigned size, unsigned lane, AccessKind kind,
                    MemoryRef &ref);

  /// The bytes of an access by several lanes, if all of them may be accessed
  /// and lie in one place that is not a lane's own. Reports nothing.
  bool findSpan(AddressSpace space, uint64_t address, uint64_t size,
                AccessKind kind, MemoryRef &ref);

  /// Checks that the bytes were written; false when the run must end.
  bool checkWritten(const Inst &inst, const MemoryRef &ref, unsigned size,
                    uint64_t address, unsigned lane) {
    if (ref.store->isWritten(ref.offset, size))
      return true;
    return reportUninitialised(inst, ref, size, address, lane);
  }

  /// Reports an error at an instruction; always returns Step::Fault.
  Step fault(const Inst &inst, int lane, llvm::StringRef rule,
             const llvm::Twine &message, std::vector<std::string> notes = {});

  // Divergence.
  Fragment &fragment() { return *running; }
  /// Makes it the one whose registers `at` finds.
  void run(Fragment &fragment) {
    running = &fragment;
    registers = fragment.frame->registers.get();
  }
  void split(Fragment &fragment, uint32_t away, uint32_t awayPc, uint32_t pc);
  /// Lanes end. They leave all joins.
  void exitLanes(Fragment &fragment, uint32_t lanes);
  /// True when the fragment now stands at a join and is absorbed by it.
  bool arriveAtJoin(Fragment &fragment);
  /// Lets lanes that are parked at joins go on without the others: the last
  /// resort against starvation. Returns whether any lane was parked.
  bool releaseParked();
  /// Whether any lane waits at a join.
  bool hasParked() const;
  /// All lanes of `members` that still live must execute `pc` together. Returns
  /// true when the running fragment now has all of them; else it is blocked.
  bool gather(uint32_t members);
  /// All lanes of `members` that still live must execute bar.warp.sync, `inst`
  /// or another one, with that mask. Returns false when some are missing.
  bool gatherAnywhere(const Inst &inst, uint32_t members);

  // Calls. Both set the running fragment's frame and program counter.
  /// The running fragment calls `callee`. Fails (reported) when the stack is
  /// full.
  Step enter(const Inst &inst, const CallSite &site, const Function &callee);
  /// Lanes of the running fragment return, each to where it came from.
  Step leave(const Inst &inst, uint32_t lanes);
  /// A value of up to 64 bits that crosses a call.
  uint64_t readValue(Frame &frame, const CallValue &value, unsigned lane);
  void writeValue(Frame &frame, const CallValue &value, unsigned lane,
                  uint64_t bits);
  /// The calls that led to the frame of a lane, innermost first.
  void describeCalls(unsigned lane, std::vector<std::string> &notes) const;

  /// What each blocked fragment waits for, for a deadlock report.
  void describeWaits(std::vector<std::string> &notes);

  Cta &cta;
  const unsigned index;
  uint32_t live;
  uint32_t taken = 0;
  /// A list, because `running` and others must stay valid while it grows. A
  /// fragment without lanes is dead.
  std::list<Fragment> fragments;
  /// Steps of this warp since it did something that others may wait for, and
  /// since lanes of it wait at joins.
  uint64_t idleSteps = 0, parkedSteps = 0;
  /// The mbarrier that was last found incomplete by a wait that does not
  /// suspend, the progress of the grid then, and how often since.
  uint32_t polled = 0;
  uint32_t polls = 0;
  uint64_t polledAt = ~uint64_t(0);
  /// Set by gather when the lane set of the running fragment grew.
  bool gathered = false;
  Fragment *running = nullptr;

  bool isLocal(const MemoryRef &ref) const {
    return ref.store >= local.data() && ref.store < local.data() + local.size();
  }

  /// The stack of each lane and where it ends. It grows upwards.
  std::array<ByteStore, 32> local;
  std::array<uint32_t, 32> localTop = {};
  /// The cluster barrier's phase in which each lane arrived last.
  std::array<uint64_t, 32> clusterPhase = {};
  /// setmaxnreg: registers of a thread, how often it was executed, and last
  /// where. 0 registers: the count at entry is not known.
  unsigned registerCount = 0, registerChanges = 0;
  const Inst *lastRegisterChange = nullptr;
  /// It comes behind a griddepcontrol.wait.
  bool seesEarlierGrid = false;

private:
  void completeJoin(int32_t index);
  void leaveJoins(int32_t from, int32_t until, uint32_t lanes);
  /// The lanes of the fragment will meet at `pc` of its frame.
  void ensureJoin(Fragment &fragment, uint32_t pc);
  void freeJoin(int32_t index);
  void absorb(Fragment &other);

  Frame *takeFrame(const Function &function);
  void presetRegisters(Frame &frame);
  void placeLocals(Frame &frame, uint32_t lanes);
  void leaveFrames(Frame *frame, uint32_t lanes);
  void recycle(Frame *frame);
  Frame *mergeFrames(const Fragment &one, const Fragment &other);
  Step reportStack(const Inst &inst, const Function &callee, unsigned lane,
                   const llvm::Twine &limit);
  bool passValue(const Inst &inst, Frame &from, const CallValue &source,
                 Frame &to, const CallValue &target, unsigned lane);
  bool reportUninitialised(const Inst &inst, const MemoryRef &ref,
                           unsigned size, uint64_t address, unsigned lane);
  /// Before bytes change that the asynchronous proxy may read.
  void noteGenericWrite(const Inst &inst, Space space, uint64_t address,
                        unsigned size, unsigned lane, AccessKind kind,
                        const MemoryRef &ref);
  bool reportMisaligned(const Inst &inst, AddressSpace space, uint64_t address,
                        unsigned size, unsigned lane);
  bool reportOutOfBounds(const Inst &inst, AddressSpace space, uint64_t address,
                         unsigned size, unsigned lane, AccessKind kind);

  /// Those of the running fragment.
  uint8_t *registers = nullptr;
  std::vector<Join> joins;
  std::vector<int32_t> freeJoins;
  std::vector<std::unique_ptr<Frame>> frames;
  /// Frames without lanes, by function.
  std::vector<std::vector<Frame *>> idleFrames;
};

/// One of the 16 barriers of a CTA (PTX ISA 9.7.13.1).
struct NamedBarrier {
  uint32_t arrived = 0;
  /// Thread count that the participants gave; 0: all threads.
  uint32_t expected = 0;
  bool all = true, any = false;
  uint32_t count = 0;
};

/// tcgen05.alloc with cta_group::2: a warp of each CTA executes it, and both
/// get the same columns.
struct PairAllocation {
  const Warp *warp = nullptr; ///< who waits; null: nobody
  unsigned columns = 0;
  std::optional<unsigned> granted;
};

class Cta {
public:
  Cta(Grid &grid, std::array<unsigned, 3> id, unsigned rank);
  ~Cta();

  bool isDone() const { return liveWarps == 0; }
  uint32_t liveThreads() const;

  /// Bounds-checked shared memory of this CTA: address without rank bits.
  bool sharedContains(uint32_t address, uint64_t size) const {
    return address >= kSharedBase && size <= shared.size() &&
           address - kSharedBase <= shared.size() - size;
  }
  uint8_t *sharedData(uint32_t address) {
    return shared.data() + (address - kSharedBase);
  }
  std::string describeShared(uint32_t address) const;

  /// The live mbarrier that shares bytes with [address, address + size), or 0.
  uint32_t overlappingBarrier(uint32_t address, unsigned size) const {
    if (LLVM_LIKELY(address >= barriersEnd || address + size <= barriersBegin))
      return 0;
    return overlappingBarrierSlow(address, size);
  }
  void addBarrier(uint32_t address, uint32_t count);

  /// Releases a named barrier when everybody is there.
  void checkNamedBarrier(unsigned id);
  void releaseNamedBarrier(unsigned id);

  Grid &grid;
  const std::array<unsigned, 3> id;
  const unsigned rank;
  uint64_t linear = 0;
  ByteStore shared;
  TensorMemory tensor;
  bool tensorRelinquished = false;
  /// Columns of the latest allocation: later ones may not be larger.
  unsigned lastAllocation = 0;
  /// N of the cta_group::N that its tcgen05 instructions have, 0: none yet.
  unsigned tensorGroup = 0;
  /// The tcgen05.alloc of a pair that waits for the other CTA, and what it got.
  PairAllocation pairAllocation;
  llvm::DenseMap<uint32_t, MBarrier> mbarriers;
  std::array<NamedBarrier, 16> barriers;
  std::vector<std::unique_ptr<Warp>> warps;
  /// Those that have executed wgmma.
  std::vector<std::unique_ptr<Warpgroup>> warpgroups;
  std::vector<Cta *> cluster; ///< by rank
  /// Of the cluster.
  AsyncEngine *engine = nullptr;
  unsigned liveWarps = 0;
  // Cluster barrier: threads of this CTA that arrived in the current phase.
  uint32_t clusterArrived = 0;
  uint64_t clusterPhase = 0;
  /// Some warp has executed griddepcontrol.wait.
  bool waitedForGrid = false;
  /// A thread has read that there was no cluster left to take over.
  bool sawRefusal = false;

private:
  uint32_t overlappingBarrierSlow(uint32_t address, unsigned size) const;

  /// Where mbarriers have been, so that most stores need no look-up.
  uint32_t barriersBegin = ~0u, barriersEnd = 0;
};

/// What all clusters of a launch share.
struct LaunchContext {
  const Module &module;
  const Kernel &kernel;
  const LaunchParameters &parameters;
  const LaunchOptions &options;
  GlobalMemory &memory;
  Observer *observer;
  /// Where printf prints, or null.
  llvm::raw_ostream *output;
  /// Of a cooperative launch, or 0: compiled code finds it in %envreg1 (upper
  /// half) and %envreg2 and counts arrivals of CTAs in it.
  uint64_t workspace = 0;
  /// What an earlier grid wrote that may still run, or null.
  const GridWrites *unseen = nullptr;

  std::array<unsigned, 3> clusters() const {
    std::array<unsigned, 3> counts;
    for (unsigned d = 0; d < 3; ++d)
      counts[d] = parameters.grid[d] / parameters.cluster[d];
    return counts;
  }
  uint64_t clusterCount() const {
    auto counts = clusters();
    return uint64_t(counts[0]) * counts[1] * counts[2];
  }
};

/// A grid, or one of its clusters when those cannot observe each other: then
/// each has a Grid, on some thread of the host.
class Grid {
public:
  Grid(const LaunchContext &launch, ReportLog &log, uint64_t randomState);

  const LaunchContext &launch;
  const Module &module;
  const Kernel &kernel;
  const LaunchOptions &options;
  GlobalMemory &memory;
  ReportLog &log;
  Observer *const observer;
  /// The same if it wants to hear of accesses, else null.
  Observer *const accessObserver;
  llvm::raw_ostream *const output;
  const std::array<unsigned, 3> grid, block, cluster;
  const uint32_t dynamicShared;
  /// Static and dynamic shared memory of one CTA.
  const uint32_t sharedBytes;
  /// Where shared memory goes on with what the CUDA runtime reserves (barriers
  /// of tiles of several warps), and where it ends: none unless the kernel
  /// asks.
  uint32_t runtimeShared, runtimeSharedEnd;
  /// Grows whenever something happens that somebody may wait for.
  uint64_t progress = 0;
  /// Stores that nobody but the thread itself can see.
  uint64_t localStores = 0;
  uint64_t steps = 0;
  /// Makes consecutive reads of a clock differ.
  uint64_t clock = 0;
  uint64_t uninitialisedReads = 0;
  uint64_t printedBytes = 0;
  /// Bytes of the registers of all frames but the kernels'.
  uint64_t frameBytes = 0;
  bool stopped = false;
  uint64_t randomState;
  /// Clusters [next, end) of the launch have not started.
  uint64_t nextCluster = 0, endCluster = 0;

  /// The next cluster that has not started: who asks runs it or its work.
  std::optional<uint64_t> takePendingCluster() {
    if (nextCluster == endCluster)
      return std::nullopt;
    return nextCluster++;
  }
  /// The coordinates in the grid of the first CTA of a cluster.
  std::array<unsigned, 3> firstCtaOf(uint64_t cluster) const;

  /// The module whose text has an instruction.
  const Module &moduleOf(const InstInfo &info) const {
    return info.inModels ? *module.models : module;
  }
  /// A place for a report.
  Place placeOf(const Inst *inst, const Cta *cta, int warp, int lane) const;
  void error(Place place, llvm::StringRef rule, const llvm::Twine &message,
             std::vector<std::string> notes = {});

  uint64_t nextRandom();

  /// GlobalMemory::find, which looks first where the last access was.
  Allocation *findGlobal(uint64_t address, uint64_t count) {
    if (LLVM_UNLIKELY(!lastFound || !lastFound->contains(address, count))) {
      Allocation *found = memory.find(address, count);
      if (!found)
        return nullptr;
      lastFound = found;
    }
    return lastFound;
  }
  /// An allocation will end.
  void forgetGlobal() { lastFound = nullptr; }

private:
  Allocation *lastFound = nullptr;
};

/// The launch executed more warp instructions than allowed.
void reportStepLimit(ReportLog &log, uint64_t limit, uint64_t steps,
                     std::vector<std::string> notes);

/// The lanes of `mask` end.
inline Step endLanes(Warp &warp, uint32_t mask) {
  warp.taken = mask;
  return Step::Exit;
}

} // namespace tirx::sim

#endif // TIRX_LIB_SIMULATOR_MACHINE_H
