//===- Access.cpp - resolving addresses -----------------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From an address operand to bytes of the host: windows of the generic space,
// bounds, alignment, and bytes that nobody wrote.
//
//===----------------------------------------------------------------------===//

#include "GridDependency.h"
#include "Machine.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tirx::sim;

static const char *nameOf(AccessKind kind) {
  switch (kind) {
  case AccessKind::Read:
    return "read";
  case AccessKind::Write:
    return "write";
  case AccessKind::Atomic:
    return "atomic";
  }
  return "access";
}

static const char *nameOf(AddressSpace space) {
  switch (space) {
  case AddressSpace::Generic:
    return "generic";
  case AddressSpace::Global:
    return "global";
  case AddressSpace::Shared:
    return "shared";
  case AddressSpace::Local:
    return "local";
  case AddressSpace::Constant:
    return "constant";
  case AddressSpace::Parameter:
    return "parameter";
  }
  return "";
}

bool Warp::reportOutOfBounds(const Inst &inst, AddressSpace space,
                             uint64_t address, unsigned size, unsigned lane,
                             AccessKind kind) {
  std::string nearest;
  if (space == AddressSpace::Shared)
    nearest = cta.describeShared(uint32_t(address));
  else if (space == AddressSpace::Local)
    nearest = llvm::formatv("the thread has {0} bytes of local memory",
                            localTop[lane]);
  else
    nearest = cta.grid.memory.describe(address);
  fault(inst, lane, "R42",
        llvm::formatv("{0} {1} of {2} bytes at {3:x} is outside every "
                      "allocation: {4}",
                      nameOf(space), nameOf(kind), size, address, nearest));
  return false;
}

bool Warp::reportMisaligned(const Inst &inst, AddressSpace space,
                            uint64_t address, unsigned size, unsigned lane) {
  fault(inst, lane, "alignment",
        llvm::formatv("expected a {0} address that is a multiple of the {1} "
                      "bytes accessed, got {2:x}",
                      nameOf(space), size, address));
  return false;
}

void Warp::noteGenericWrite(const Inst &inst, Space space, uint64_t address,
                            unsigned size, unsigned lane, AccessKind kind,
                            const MemoryRef &ref) {
  ProxyTracker *proxy = cta.engine->proxy();
  if (!proxy || space == Space::Local || space == Space::Constant)
    return;
  if (kind == AccessKind::Atomic)
    proxy->synchronise(cta.rank, index, 1u << lane, SyncReach::Cluster);
  proxy->generic({uint16_t(cta.rank), uint8_t(index), uint8_t(lane)}, &inst,
                 space == Space::Shared ? kSharedWindow + address : address,
                 ref.data, size);
}

/// The space that an address is in; makes a generic one relative to its window.
static AddressSpace resolveWindows(AddressSpace space, uint64_t &address) {
  if (space == AddressSpace::Generic) {
    if (address - kSharedWindow < kWindowSize) {
      address -= kSharedWindow;
      return AddressSpace::Shared;
    }
    if (address - kLocalWindow < kWindowSize) {
      address -= kLocalWindow;
      return AddressSpace::Local;
    }
    return AddressSpace::Global;
  }
  // Parameters of device functions lie in their frames.
  if (space == AddressSpace::Parameter &&
      address - kParameterBase >= kWindowSize)
    return AddressSpace::Local;
  return space;
}

bool Warp::findSpan(AddressSpace space, uint64_t address, uint64_t size,
                    AccessKind kind, MemoryRef &ref) {
  space = resolveWindows(space, address);
  if (space == AddressSpace::Local)
    return false;
  if (space == AddressSpace::Shared) {
    uint64_t rank = address >> kSharedRankShift;
    uint32_t offset = address & ((1u << kSharedRankShift) - 1);
    if (rank >= cta.cluster.size() ||
        !cta.cluster[rank]->sharedContains(offset, size) ||
        (cta.cluster[rank] != &cta && cta.cluster[rank]->isDone()) ||
        (kind != AccessKind::Read &&
         cta.cluster[rank]->overlappingBarrier(offset, size)))
      return false;
    ref.store = &cta.cluster[rank]->shared;
    ref.offset = offset - kSharedBase;
  } else {
    Allocation *allocation = cta.grid.findGlobal(address, size);
    if (!allocation || (allocation->readOnly && kind != AccessKind::Read) ||
        isUnseen(*this, address, size))
      return false;
    ref.store = &allocation->store;
    ref.offset = address - allocation->base;
  }
  ref.data = ref.store->data() + ref.offset;
  return true;
}

bool Warp::resolveBytes(const Inst &inst, AddressSpace space, uint64_t address,
                        unsigned size, unsigned lane, AccessKind kind,
                        MemoryRef &ref) {
  space = resolveWindows(space, address);
  Space observed = Space::Global;
  switch (space) {
  case AddressSpace::Shared: {
    observed = Space::Shared;
    uint64_t rank = address >> kSharedRankShift;
    uint32_t offset = address & ((1u << kSharedRankShift) - 1);
    if (LLVM_UNLIKELY(rank >= cta.cluster.size() ||
                      !cta.cluster[rank]->sharedContains(offset, size)))
      return reportOutOfBounds(inst, space, address, size, lane, kind);
    if (LLVM_UNLIKELY(cta.cluster[rank] != &cta &&
                      cta.cluster[rank]->isDone())) {
      fault(inst, lane, "R44",
            llvm::formatv("{0} of {1} bytes at shared address {2:x}: expected "
                          "CTA {3} of the cluster to live, got one that ended",
                          nameOf(kind), size, address, rank));
      return false;
    }
    if (kind != AccessKind::Read)
      if (uint32_t barrier =
              cta.cluster[rank]->overlappingBarrier(offset, size)) {
        fault(inst, lane, "R33",
              llvm::formatv("{0} of {1} bytes at shared address {2:x} overlaps "
                            "the live mbarrier at {3:x} ({4}); expected "
                            "mbarrier.inval before another use of its memory",
                            nameOf(kind), size, address, barrier,
                            cta.describeShared(barrier)));
        return false;
      }
    ref.store = &cta.cluster[rank]->shared;
    ref.offset = offset - kSharedBase;
    break;
  }
  case AddressSpace::Local:
    observed = Space::Local;
    if (LLVM_UNLIKELY(address >= localTop[lane] ||
                      localTop[lane] - address < size))
      return reportOutOfBounds(inst, space, address, size, lane, kind);
    ref.store = &local[lane];
    ref.offset = address;
    break;
  default: {
    Allocation *allocation = cta.grid.findGlobal(address, size);
    if (LLVM_UNLIKELY(!allocation))
      return reportOutOfBounds(inst, space, address, size, lane, kind);
    if (LLVM_UNLIKELY(allocation->readOnly && kind != AccessKind::Read)) {
      fault(inst, lane, "R42",
            llvm::formatv("{0} of {1} bytes at {2:x}: '{3}' is read-only",
                          nameOf(kind), size, address, allocation->name));
      return false;
    }
    if (kind != AccessKind::Write && isUnseen(*this, address, size)) {
      fault(inst, lane, "R12", describeUnseen(address, size));
      return false;
    }
    // What cannot be written is in constant memory: .const and parameters.
    if (allocation->readOnly)
      observed = Space::Constant;
    ref.store = &allocation->store;
    ref.offset = address - allocation->base;
    break;
  }
  }
  ref.data = ref.store->data() + ref.offset;
  if (kind != AccessKind::Read)
    noteGenericWrite(inst, observed, address, size, lane, kind, ref);
  if (LLVM_UNLIKELY(cta.grid.accessObserver != nullptr))
    cta.grid.accessObserver->onAccess({{cta.linear, int(index), 1u << lane},
                                       observed,
                                       kind,
                                       Proxy::Generic,
                                       address,
                                       size,
                                       &inst});
  return true;
}

bool Warp::reportUninitialised(const Inst &inst, const MemoryRef &ref,
                               unsigned size, uint64_t address, unsigned lane) {
  Grid &grid = cta.grid;
  grid.uninitialisedReads += 1;
  uint64_t first = ref.store->firstUnwritten(ref.offset, size);
  Report report;
  report.severity =
      grid.options.uninitialisedIsError ? Severity::Error : Severity::Warning;
  report.rule = "R42";
  report.message = llvm::formatv(
      "read of {0} bytes at {1:x}: byte {2} was never written (it reads as "
      "{3:x})",
      size, address, first - ref.offset, unsigned(kUninitialisedByte));
  report.place = grid.placeOf(&inst, &cta, index, lane);
  grid.log.add(std::move(report));
  grid.stopped |= grid.options.uninitialisedIsError;
  return !grid.options.uninitialisedIsError;
}
