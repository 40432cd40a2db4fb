//===- SourcePlaces.cpp - the lines that a location names -----------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TIRx/Compiler/SourcePlaces.h"

using namespace mlir;

void tirx::collectPlaces(Location location,
                         SmallVectorImpl<FileLineColLoc> &places) {
  if (auto place = dyn_cast<FileLineColLoc>(location)) {
    places.push_back(place);
  } else if (auto named = dyn_cast<NameLoc>(location)) {
    collectPlaces(named.getChildLoc(), places);
  } else if (auto call = dyn_cast<CallSiteLoc>(location)) {
    collectPlaces(call.getCallee(), places);
    collectPlaces(call.getCaller(), places);
  } else if (auto fused = dyn_cast<FusedLoc>(location)) {
    for (Location part : fused.getLocations())
      collectPlaces(part, places);
  }
}
