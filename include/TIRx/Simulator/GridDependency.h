//===- GridDependency.h - what a grid changed in memory ---------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_SIMULATOR_GRIDDEPENDENCY_H
#define TIRX_SIMULATOR_GRIDDEPENDENCY_H

#include <cstdint>
#include <map>
#include <vector>

namespace tirx::sim {

class GlobalMemory;

/// The bytes of global memory that a grid changed.
class GridWrites {
public:
  /// Keeps what memory holds before the grid begins.
  void begin(const GlobalMemory &memory);
  /// The grid has ended: finds what is different now.
  void end(const GlobalMemory &memory);
  void clear();

  bool empty() const { return changed.empty(); }
  bool overlaps(uint64_t address, uint64_t size) const;

private:
  /// By address.
  std::map<uint64_t, std::vector<uint8_t>> before;
  /// First address of each range, and the one behind it.
  std::map<uint64_t, uint64_t> changed;
};

} // namespace tirx::sim

#endif // TIRX_SIMULATOR_GRIDDEPENDENCY_H
