//===- TensorMemory.h - TMEM of one CTA -------------------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 128 lanes of 512 columns of 32 bits, allocated in columns (PTX ISA 9.7.16.1).
// An address is lane << 16 | column.
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_SIMULATOR_TENSORMEMORY_H
#define TIRX_SIMULATOR_TENSORMEMORY_H

#include <bitset>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tirx::sim {

class TensorMemory {
public:
  static constexpr unsigned kLanes = 128;
  static constexpr unsigned kColumns = 512;

  struct Range {
    unsigned column;
    unsigned count;
  };

  /// The cells of one lane, contiguous in columns.
  uint32_t *lane(unsigned lane) { return cells.data() + lane * kColumns; }
  bool isWritten(unsigned lane, unsigned column) const {
    return written[lane * kColumns + column];
  }
  void markWritten(unsigned lane, unsigned column, unsigned count) {
    for (unsigned i = 0; i < count; ++i)
      written[lane * kColumns + column + i] = 1;
  }

  /// The first of `columns` columns that are free here, and in `other` if it is
  /// given; nothing when there are none.
  std::optional<unsigned> findFree(unsigned columns,
                                   const TensorMemory *other = nullptr) const;
  /// Takes free columns. They have never been written.
  void take(unsigned column, unsigned columns);

  /// Frees an allocation. Returns an empty string, or what is wrong.
  std::string release(uint32_t address, unsigned columns);

  /// The live allocation that holds all of [column, column + count), or null.
  const Range *find(unsigned column, unsigned count) const;

  const std::vector<Range> &getLive() const { return live; }
  /// The live allocations in words.
  std::string describe() const;

private:
  bool isFree(unsigned column, unsigned count) const;

  /// One byte a cell: nothing is made before the first allocation, since most
  /// kernels use no tensor memory.
  std::vector<uint32_t> cells;
  std::vector<uint8_t> written;
  std::vector<Range> live;
};

} // namespace tirx::sim

#endif // TIRX_SIMULATOR_TENSORMEMORY_H
