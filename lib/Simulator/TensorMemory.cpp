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

bool TensorMemory::isFree(unsigned column, unsigned count) const {
  return column + count <= kColumns &&
         llvm::none_of(live, [&](const Range &range) {
           return column < range.column + range.count &&
                  range.column < column + count;
         });
}

std::optional<unsigned>
TensorMemory::findFree(unsigned columns, const TensorMemory *other) const {
  // The first range that is wide enough begins at 0 or where another ends.
  std::vector<unsigned> starts = {0};
  for (const TensorMemory *memory : {this, other})
    if (memory)
      for (const Range &range : memory->live)
        starts.push_back(range.column + range.count);
  llvm::sort(starts);
  for (unsigned start : starts)
    if (isFree(start, columns) && (!other || other->isFree(start, columns)))
      return start;
  return std::nullopt;
}

void TensorMemory::take(unsigned column, unsigned columns) {
  auto after = llvm::find_if(
      live, [&](const Range &range) { return range.column > column; });
  live.insert(after, Range{column, columns});
  if (cells.empty()) {
    cells.resize(kLanes * kColumns);
    written.resize(kLanes * kColumns);
  }
  for (unsigned lane = 0; lane < kLanes; ++lane)
    for (unsigned c = column; c < column + columns; ++c) {
      cells[lane * kColumns + c] = kUninitialisedByte * 0x01010101u;
      written[lane * kColumns + c] = 0;
    }
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
