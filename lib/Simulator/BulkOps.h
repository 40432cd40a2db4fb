//===- BulkOps.h - what bulk and tensor copies share ------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_LIB_SIMULATOR_BULKOPS_H
#define TIRX_LIB_SIMULATOR_BULKOPS_H

#include "Atomic.h"
#include "Decoder.h"
#include "Exec.h"

namespace tirx::sim {

/// A place in the shared memory of a CTA of the cluster.
struct SharedPlace {
  Cta *cta = nullptr;
  uint32_t offset = 0;
};

/// The place that a shared address names. False when it is misaligned or of no
/// CTA of the cluster (reported).
bool locatePlace(Warp &w, const Inst &i, unsigned lane, uint64_t address,
                 unsigned align, const char *operand, SharedPlace &place);

/// Where copies go: pairs of a destination and the mbarrier that hears of it.
struct BulkTarget {
  SharedPlace to, barrier;
};

/// The destinations of a load. `mask`: a slot of CTAs to multicast to, or none;
/// `pair`: the mbarrier may be of either CTA of a pair. False: reported.
bool findTargets(Warp &w, const Inst &i, unsigned lane, SharedPlace to,
                 SharedPlace barrier, Slot mask, bool pair,
                 llvm::SmallVectorImpl<BulkTarget> &targets);

/// What an operation keeps between its read and its write.
using BulkBytes = std::shared_ptr<std::vector<uint8_t>>;

/// Issues an operation that writes shared memory and signals an mbarrier.
bool issueLoad(Warp &w, const Inst &i, unsigned lane, const BulkTarget &target,
               uint64_t bytes, std::function<bool()> read,
               std::function<bool()> write);
/// Issues one that reads shared memory of the own CTA and joins the thread's
/// bulk group.
bool issueStore(Warp &w, const Inst &i, unsigned lane,
                std::function<bool()> read, std::function<bool()> write);

/// Combines elements of a type, one behind the other.
void combineRun(AtomicOp op, Type type, uint8_t *to, const uint8_t *from,
                unsigned bytes);

/// st.async, red.async and st.bulk.
void addStoreAsyncModels(ModelTable &table);

/// The operation among the modifiers of a reduction.
AtomicOp bulkOperation(InstDecoder &d);

} // namespace tirx::sim

#endif // TIRX_LIB_SIMULATOR_BULKOPS_H
