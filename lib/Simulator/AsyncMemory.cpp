//===- AsyncMemory.cpp - memory through the asynchronous proxy ------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Async.h"
#include "GridDependency.h"
#include "Machine.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tirx::sim;

static uint64_t addressOf(const Cta &target, uint32_t offset) {
  return kSharedWindow + (uint64_t(target.rank) << kSharedRankShift) + offset;
}

void AsyncMemory::notify(Space space, AccessKind kind, uint64_t address,
                         unsigned size) {
  if (cta.grid.accessObserver)
    cta.grid.accessObserver->onAccess({{cta.linear, issuer.warp, 0},
                                       space,
                                       kind,
                                       Proxy::Async,
                                       address,
                                       size,
                                       issuer.inst});
}

uint8_t *AsyncMemory::locateShared(Cta &target, uint32_t offset, unsigned size,
                                   AccessKind kind, llvm::StringRef operand) {
  if (!target.sharedContains(offset, size)) {
    failOperation(cta, issuer, "R42",
                  llvm::formatv("{0}: {1} bytes at shared address {2:x} of CTA "
                                "{3} of the cluster are outside: {4}",
                                operand, size, offset, target.rank,
                                target.describeShared(offset)));
    return nullptr;
  }
  if (&target != &cta && target.isDone()) {
    failOperation(cta, issuer, "R44",
                  llvm::formatv("{0}: expected CTA {1} of the cluster to live "
                                "while its shared memory is used, got one that "
                                "ended",
                                operand, target.rank));
    return nullptr;
  }
  if (kind != AccessKind::Read)
    if (uint32_t barrier = target.overlappingBarrier(offset, size)) {
      failOperation(cta, issuer, "R33",
                    llvm::formatv("{0}: {1} bytes at shared address {2:x} "
                                  "overlap the live mbarrier at {3:x} ({4})",
                                  operand, size, offset, barrier,
                                  target.describeShared(barrier)));
      return nullptr;
    }
  notify(Space::Shared, kind,
         uint64_t(target.rank) << kSharedRankShift | offset, size);
  return target.sharedData(offset);
}

uint8_t *AsyncMemory::locateGlobal(uint64_t address, unsigned size,
                                   AccessKind kind, llvm::StringRef operand) {
  Allocation *allocation = cta.grid.findGlobal(address, size);
  if (!allocation) {
    failOperation(cta, issuer, "R42",
                  llvm::formatv("{0}: {1} bytes at {2:x} are outside every "
                                "allocation: {3}",
                                operand, size, address,
                                cta.grid.memory.describe(address)));
    return nullptr;
  }
  if (allocation->readOnly && kind != AccessKind::Read) {
    failOperation(cta, issuer, "R42",
                  llvm::formatv("{0}: {1} bytes at {2:x}: '{3}' is read-only",
                                operand, size, address, allocation->name));
    return nullptr;
  }
  if (kind == AccessKind::Read &&
      isUnseen(*cta.warps[issuer.warp], address, size)) {
    failOperation(cta, issuer, "R12",
                  operand + ": " + describeUnseen(address, size));
    return nullptr;
  }
  uint64_t offset = address - allocation->base;
  if (kind != AccessKind::Read) {
    allocation->store.markWritten(offset, size);
  } else if (!allocation->store.isWritten(offset, size)) {
    if (!reportUnwritten(address, operand))
      return nullptr;
  }
  notify(Space::Global, kind, address, size);
  return allocation->store.data() + offset;
}

/// A warning, or an error (then false), as for ordinary loads.
bool AsyncMemory::reportUnwritten(uint64_t address, llvm::StringRef operand) {
  Grid &grid = cta.grid;
  ++grid.uninitialisedReads;
  Report report;
  report.severity =
      grid.options.uninitialisedIsError ? Severity::Error : Severity::Warning;
  report.rule = "R42";
  report.message =
      llvm::formatv("{0}: bytes at {1:x} were never written", operand, address);
  report.place = grid.placeOf(issuer.inst, &cta, issuer.warp, issuer.lane);
  grid.log.add(std::move(report));
  grid.stopped |= grid.options.uninitialisedIsError;
  return !grid.options.uninitialisedIsError;
}

const uint8_t *AsyncMemory::view(const uint8_t *data, uint64_t address,
                                 unsigned size, llvm::StringRef operand) {
  ProxyTracker *tracker = cta.engine->proxy();
  if (!tracker || tracker->isClean())
    return data;
  std::vector<uint8_t> &copy = tracker->scratch;
  copy.assign(data, data + size);
  ProxyTracker::Stale stale;
  if (!tracker->restore(address, copy.data(), size, stale))
    return data;
  Grid &grid = cta.grid;
  Report report;
  report.severity = Severity::Warning;
  report.rule = "R1";
  report.message = llvm::formatv(
      "{0}: expected fence.proxy.async between a store of the generic proxy "
      "and this read of the asynchronous proxy, got none; it sees the bytes "
      "from before the store at {1:x}",
      operand, stale.address);
  report.place = grid.placeOf(issuer.inst, &cta, issuer.warp, issuer.lane);
  Place writer = grid.placeOf(stale.inst, cta.cluster[stale.writer.rank],
                              stale.writer.warp, stale.writer.lane);
  report.notes.push_back(
      llvm::formatv("the store: PTX line {0}, '{1}', CTA {2} of the cluster, "
                    "warp {3}, lane {4}",
                    writer.ptxLine, writer.ptxText, stale.writer.rank,
                    writer.warp, writer.lane));
  grid.log.add(std::move(report));
  return copy.data();
}

const uint8_t *AsyncMemory::readShared(Cta &target, uint32_t offset,
                                       unsigned size, llvm::StringRef operand) {
  uint8_t *data = locateShared(target, offset, size, AccessKind::Read, operand);
  if (!data)
    return nullptr;
  if (!target.shared.isWritten(offset - kSharedBase, size) &&
      !reportUnwritten(offset, operand))
    return nullptr;
  return view(data, addressOf(target, offset), size, operand);
}

uint8_t *AsyncMemory::updateShared(Cta &target, uint32_t offset, unsigned size,
                                   llvm::StringRef operand) {
  uint8_t *data =
      locateShared(target, offset, size, AccessKind::Write, operand);
  if (!data)
    return nullptr;
  target.shared.markWritten(offset - kSharedBase, size);
  if (ProxyTracker *tracker = cta.engine->proxy())
    tracker->async(addressOf(target, offset), size);
  return data;
}

bool AsyncMemory::writeShared(Cta &target, uint32_t offset,
                              const uint8_t *bytes, unsigned size,
                              llvm::StringRef operand) {
  uint8_t *data = updateShared(target, offset, size, operand);
  if (data)
    std::copy(bytes, bytes + size, data);
  return data;
}

const uint8_t *AsyncMemory::readGlobal(uint64_t address, unsigned size,
                                       llvm::StringRef operand) {
  uint8_t *data = locateGlobal(address, size, AccessKind::Read, operand);
  return data ? view(data, address, size, operand) : nullptr;
}

uint8_t *AsyncMemory::updateGlobal(uint64_t address, unsigned size,
                                   llvm::StringRef operand) {
  uint8_t *data = locateGlobal(address, size, AccessKind::Write, operand);
  if (data)
    if (ProxyTracker *tracker = cta.engine->proxy())
      tracker->async(address, size);
  return data;
}

bool AsyncMemory::writeGlobal(uint64_t address, const uint8_t *bytes,
                              unsigned size, llvm::StringRef operand) {
  uint8_t *data = updateGlobal(address, size, operand);
  if (data)
    std::copy(bytes, bytes + size, data);
  return data;
}
