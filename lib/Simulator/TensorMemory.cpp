//===- TensorMemory.cpp - TMEM of one CTA ---------------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TIRx/Simulator/TensorMemory.h"
#include "TIRx/Simulator/Memory.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tirx::sim;

std::optional<unsigned> TensorMemory::allocate(unsigned columns) {
  unsigned start = 0;
  // `live` is sorted by column: the first gap that is wide enough.
  auto it = live.begin();
  for (; it != live.end(); ++it) {
    if (it->column - start >= columns)
      break;
    start = it->column + it->count;
  }
  if (start + columns > kColumns)
    return std::nullopt;
  live.insert(it, Range{start, columns});
  if (cells.empty()) {
    cells.resize(kLanes * kColumns);
    written.resize(kLanes * kColumns);
  }
  for (unsigned lane = 0; lane < kLanes; ++lane)
    for (unsigned c = start; c < start + columns; ++c) {
      cells[lane * kColumns + c] = kUninitialisedByte * 0x01010101u;
      written[lane * kColumns + c] = 0;
    }
  return start;
}

std::string TensorMemory::release(uint32_t address, unsigned columns) {
  auto it = llvm::find_if(
      live, [&](const Range &range) { return range.column == address; });
  if (it == live.end())
    return llvm::formatv(
        "expected the address of a live allocation, got {0:x}; "
        "{1}",
        address, describe());
  if (it->count != columns)
    return llvm::formatv("expected the {0} columns of the allocation at {1:x}, "
                         "got {2}",
                         it->count, address, columns);
  live.erase(it);
  return "";
}

const TensorMemory::Range *TensorMemory::find(unsigned column,
                                              unsigned count) const {
  for (const Range &range : live)
    if (column >= range.column && column + count <= range.column + range.count)
      return &range;
  return nullptr;
}

std::string TensorMemory::describe() const {
  if (live.empty())
    return "no tensor memory is allocated";
  std::string text = "live allocations are columns";
  for (const Range &range : live)
    text += llvm::formatv("{0}[{1}, {2})", text.back() == ')' ? ", " : " ",
                          range.column, range.column + range.count);
  return text;
}
