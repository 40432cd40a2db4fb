//===- AccessView.cpp - conflicts of an access, to be shown ---------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AccessView.h"
#include "Elements.h"
#include "TIRx/Layout/Text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/Support/raw_ostream.h"

using namespace tirx;
using namespace tirx::layouttool;
using llvm::Expected;
using llvm::SmallVector;
using llvm::Twine;

Expected<Layout> layouttool::getRowMajorThreads(int64_t size, int64_t count,
                                                int64_t vector) {
  int64_t round;
  if (count < 1 || vector < 1 || llvm::MulOverflow(count, vector, round) ||
      size % round != 0)
    return makeError("expected threads times vector to divide the " +
                     Twine(size) + " elements, got " + Twine(count) +
                     " threads and vectors of " + Twine(vector));
  Axis thread = lookupBuiltinAxis(count <= kWarpLanes ? "laneid" : "tx");
  Expected<TileLayout> tile =
      TileLayout::get({{size / round, vector, memoryAxis()},
                       {count, 1, thread},
                       {vector, 1, memoryAxis()}});
  if (!tile)
    return tile.takeError();
  return Layout(*tile);
}

/// The elements at the addresses of lanes.
static SmallVector<int64_t> findElements(const Picture &picture,
                                         const Access &access,
                                         const AccessCost &cost) {
  llvm::SmallSet<int64_t, 32> starts;
  for (unsigned lane : cost.worst.worstLanes)
    if (std::optional<int64_t> byte = cost.worstAccess.addresses[lane])
      starts.insert(*byte);
  SmallVector<int64_t> elements;
  int64_t bytes = access.vector * picture.elementBits / 8;
  for (int64_t flat = 0; flat < picture.logical.getSize(); ++flat) {
    int64_t byte =
        picture.layout.apply(flat).get(memoryAxis()) * picture.elementBits / 8;
    if (starts.contains(byte / bytes * bytes))
      elements.push_back(flat);
  }
  return elements;
}

static std::string describeCost(const Picture &picture, const Access &access,
                                const AccessCost &cost) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << (access.kind == SharedAccess::Load ? "ld" : "st") << ".shared of "
     << access.vector * picture.elementBits / 8
     << " bytes a lane: " << cost.instructions << " instructions, "
     << cost.wavefronts << " wavefronts";
  if (cost.wavefronts == cost.ideal) {
    os << ", no bank conflicts";
    return text;
  }
  os << ", " << cost.ideal << " without conflicts; worst: bank "
     << cost.worst.worstBank << " by lanes ";
  llvm::interleaveComma(cost.worst.worstLanes, os);
  os << " in access " << cost.worstAccess.instruction;
  if (!cost.worstAccess.warp.values().empty())
    os << " of " << toString(cost.worstAccess.warp);
  return text;
}

Expected<AccessView> layouttool::viewAccess(const Picture &picture,
                                            const Access &access) {
  if (picture.elementBits == 0)
    return makeError("expected --dtype: banks are counted in bytes");
  if (std::optional<int64_t> size = access.threads.getSize();
      size != picture.logical.getSize())
    return makeError(
        "expected an access of " + Twine(picture.logical.getSize()) +
        " elements, as many as the layout has, got " + Twine(size.value_or(0)));
  Expected<AccessCost> cost =
      countBankConflicts(access.kind, access.threads, picture.layout,
                         picture.elementBits, access.vector);
  if (!cost)
    return cost.takeError();
  AccessView view{describeCost(picture, access, *cost), access, {}};
  if (cost->wavefronts != cost->ideal)
    view.worst = findElements(picture, access, *cost);
  return view;
}
