//===- GridDependency.h - programmatic dependent launches -------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A dependent launch may begin before the one before it has ended; what that
// one wrote is there for sure behind griddepcontrol.wait (PTX ISA 9.7.13.13).
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_LIB_SIMULATOR_GRIDDEPENDENCY_H
#define TIRX_LIB_SIMULATOR_GRIDDEPENDENCY_H

#include "Machine.h"
#include "TIRx/Simulator/GridDependency.h"

namespace tirx::sim {

/// A warp has synchronised with others of its CTA or cluster: if one of those
/// has waited for the earlier grid, so has it.
inline void joinGridWait(Warp &warp) {
  if (LLVM_LIKELY(!warp.cta.grid.launch.unseen || warp.seesEarlierGrid))
    return;
  for (const Cta *peer : warp.cta.cluster)
    warp.seesEarlierGrid |= peer->waitedForGrid;
}

/// Whether a warp may not rely on what these bytes hold.
inline bool isUnseen(const Warp &warp, uint64_t address, uint64_t size) {
  const GridWrites *unseen = warp.cta.grid.launch.unseen;
  return LLVM_UNLIKELY(unseen != nullptr) && !warp.seesEarlierGrid &&
         unseen->overlaps(address, size);
}

/// What a report of such a read says.
std::string describeUnseen(uint64_t address, unsigned size);

} // namespace tirx::sim

#endif // TIRX_LIB_SIMULATOR_GRIDDEPENDENCY_H
