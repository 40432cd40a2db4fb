//===- Layouts.cpp - operations on layouts through the C API --------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Common.h"
#include "Requests.h"

using namespace tirx::capi;

/// Requests come from programs of the user's own, but a slip in an extent must
/// not take minutes.
static constexpr int64_t kMaxPoints = int64_t(1) << 28;

TirxResult *tirxAnswerLayoutRequest(TirxString request) {
  tirx::layouttool::RequestLimits limits;
  limits.points = kMaxPoints;
  auto *result = new TirxResult;
  llvm::json::Value answer =
      tirx::layouttool::answerRequest(toRef(request), limits);
  if (const llvm::json::Object *object = answer.getAsObject())
    result->succeeded = !object->get("error");
  result->setJson("answer", answer);
  return result;
}
