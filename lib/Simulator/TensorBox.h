//===- TensorBox.h - the elements of a tensor copy --------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which bytes a tensor map and coordinates name: rows of a box in global
// memory, and where they stand in shared memory.
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_LIB_SIMULATOR_TENSORBOX_H
#define TIRX_LIB_SIMULATOR_TENSORBOX_H

#include "TIRx/Simulator/TensorMap.h"
#include "llvm/ADT/ArrayRef.h"

namespace tirx::sim {

/// How coordinates choose rows.
enum class BoxMode : uint8_t {
  Tile,
  Im2col,
  Rows4, ///< gather4 and scatter4: a column, and four rows
};

class TensorBox {
public:
  /// `offsets`: of im2col. Check `problem` before anything else.
  TensorBox(TensorMapDescription map, BoxMode mode,
            llvm::ArrayRef<int32_t> coordinates,
            llvm::ArrayRef<uint16_t> offsets, bool isLoad);

  /// Why the hardware would trap, or "".
  std::string problem;

  unsigned rows() const { return rowCount; }
  /// Bytes of one row in shared memory, without gap.
  unsigned rowBytes() const { return units * packing.sharedBytes; }
  /// What a copy counts at its mbarrier.
  unsigned bytes() const { return rowCount * rowBytes(); }
  /// Bytes of shared memory from the first to the last.
  unsigned sharedExtent() const { return rowCount * pitch; }

  /// The part of a row that lies in the tensor: units [first, last) at
  /// `address` and on. Empty when first is not below last.
  struct Row {
    uint64_t address = 0;
    unsigned first = 0, last = 0;
  };
  Row row(unsigned r) const;

  /// Where the 16 bytes at `byte` of a row stand, given the box's place.
  uint32_t sharedAddress(uint32_t base, unsigned r, unsigned byte) const;
  /// Whether the halves of these 16 bytes change places.
  bool isFlipped(uint32_t address) const {
    return map.swizzle == TensorMapSwizzle::B128Atom32Flip8 &&
           (address >> 7 & 1);
  }

  const TensorMapDescription map;
  const TensorMapPacking packing;

private:
  void checkCoordinates(bool isLoad);
  bool tileRow(unsigned r, llvm::SmallVectorImpl<int64_t> &at) const;
  void pixelRow(unsigned r, llvm::SmallVectorImpl<int64_t> &at) const;

  BoxMode mode;
  llvm::SmallVector<int64_t, 5> start;
  llvm::SmallVector<int64_t, 3> offsets;
  llvm::SmallVector<unsigned, 5> counts; ///< of a tile, by dimension
  unsigned rowCount = 0;
  unsigned units = 0;     ///< of a row
  int64_t firstUnit = 0;  ///< of dimension 0
  int64_t limitUnits = 0; ///< of dimension 0
  unsigned pitch = 0;
};

} // namespace tirx::sim

#endif // TIRX_LIB_SIMULATOR_TENSORBOX_H
