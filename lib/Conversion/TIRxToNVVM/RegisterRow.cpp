//===- RegisterRow.cpp - the registers of one thread ----------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RegisterRow.h"
#include "BufferRef.h"
#include "TIRx/Layout/Algebra.h"
#include "TIRx/Layout/Text.h"

using namespace mlir;

namespace tirx {

static BufferType typeOf(Value buffer) {
  return cast<BufferType>(buffer.getType());
}

static Span registerSpan(Value buffer) {
  return getStorage(typeOf(buffer).getLayout()).getSpan(memoryAxis());
}

Value getRegisterRow(OpBuilder &builder, Location loc, Value buffer) {
  BufferType type = typeOf(buffer);
  auto row = BufferType::get(type.getContext(), {registerSpan(buffer).size()},
                             type.getElementType(), MemorySpace::Local,
                             LayoutAttrInterface());
  return row == type ? buffer
                     : Value(LocalViewOp::create(builder, loc, row, buffer));
}

LogicalResult matchRegisterRow(Value buffer, StringRef name, Scope scope,
                               Reasons &reasons) {
  BufferType type = typeOf(buffer);
  if (!type.isLocal())
    return reasons.decline(buffer,
                           "expected " + name + " in local memory, got " +
                               stringifyMemorySpace(type.getMemorySpace()));
  std::string why;
  auto ref = traceBuffer(buffer, why);
  if (failed(ref))
    return reasons.decline(buffer, name + ": " + why);
  if (!ref->offsets.empty())
    return reasons.decline(buffer, name + " has dynamic offsets, but registers "
                                          "have no addresses");
  Layout layout = type.getLayout(), storage = getStorage(layout);
  if (!layout.isTile())
    return reasons.decline(buffer, name + " has a swizzle, but registers have "
                                          "no addresses");
  if (storage.getSize().value_or(0) != registerSpan(buffer).size())
    return reasons.decline(buffer, "expected the registers of " + name +
                                       " side by side, got " +
                                       toString(storage));
  auto threads = getScope(layout);
  if (!threads)
    return reasons.decline(buffer,
                           name + ": " + llvm::toString(threads.takeError()));
  if (!*threads && scope == Scope::Thread)
    return success();
  ThreadScope wanted{"thread", stringifyScope(scope)};
  if (*threads && **threads == wanted)
    return success();
  return reasons.decline(
      buffer, "expected " + name +
                  (scope == Scope::Thread
                       ? Twine(" in the registers of one thread")
                       : " spread over the threads of a " + wanted.scope) +
                  ", the scope, got " + toString(layout));
}

/// The layout with its first register as register 0.
static std::optional<Layout> countedFromFirst(Value buffer) {
  Layout layout = typeOf(buffer).getLayout();
  if (!layout.isTile())
    return std::nullopt;
  const TileLayout &tile = *layout.getTile();
  SmallVector<AxisOffset> offsets(tile.getOffset());
  offsets.push_back({memoryAxis(), -registerSpan(buffer).min});
  auto moved = TileLayout::get(tile.getShard(), tile.getReplica(), offsets);
  if (moved)
    return Layout(*moved);
  llvm::consumeError(moved.takeError());
  return std::nullopt;
}

bool haveSameRegisters(Value lhs, Value rhs) {
  auto left = countedFromFirst(lhs), right = countedFromFirst(rhs);
  if (!left || !right)
    return false;
  return isEqual(canonicalize(*left, "warpgroup"),
                 canonicalize(*right, "warpgroup"));
}

} // namespace tirx
