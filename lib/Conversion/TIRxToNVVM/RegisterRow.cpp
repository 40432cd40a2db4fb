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
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

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

LogicalResult matchRegistersSideBySide(Value buffer, StringRef name,
                                       Reasons &reasons) {
  Layout storage = getStorage(typeOf(buffer).getLayout());
  if (storage.getSize().value_or(0) == registerSpan(buffer).size())
    return success();
  return reasons.decline(buffer, "expected the registers of " + name +
                                     " side by side, got " + toString(storage));
}

std::optional<int64_t> findRegisterPart(Value buffer, const Layout &atom,
                                        ArrayRef<int64_t> offsets,
                                        ArrayRef<int64_t> sizes) {
  BufferType type = typeOf(buffer);
  auto part = slice(type.getLayout(), type.getShape(), offsets, sizes);
  if (!part) {
    llvm::consumeError(part.takeError());
    return std::nullopt;
  }
  if (!part->isTile())
    return std::nullopt;
  int64_t first = part->getTile()->getOffset(memoryAxis());
  auto moved = TileLayout::get(atom.getTile()->getShard(), {},
                               AxisOffset{memoryAxis(), first});
  if (!moved) {
    llvm::consumeError(moved.takeError());
    return std::nullopt;
  }
  if (!isEqual(canonicalize(*part, "warpgroup"),
               canonicalize(Layout(*moved), "warpgroup")))
    return std::nullopt;
  return first - registerSpan(buffer).min;
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
  Layout layout = type.getLayout();
  if (!layout.isTile())
    return reasons.decline(buffer, name + " has a swizzle, but registers have "
                                          "no addresses");
  if (failed(matchRegistersSideBySide(buffer, name, reasons)))
    return failure();
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

Value loadRegisterWord(OpBuilder &builder, Location loc, Value row,
                       int64_t first) {
  Type element = typeOf(row).getElementType();
  unsigned count = 32 / element.getIntOrFloatBitWidth();
  Type type = count == 1 ? element : Type(VectorType::get(count, element));
  Value index = arith::ConstantIndexOp::create(builder, loc, first);
  Value value = LoadOp::create(builder, loc, type, row, index);
  if (count == 1)
    return value;
  // The LLVM dialect has no floats of 8 bits.
  if (count == 4 && isa<FloatType>(element))
    value = arith::BitcastOp::create(
        builder, loc, VectorType::get(count, builder.getI8Type()), value);
  return LLVM::BitcastOp::create(builder, loc, builder.getI32Type(), value);
}

void storeRegisterWord(OpBuilder &builder, Location loc, Value row,
                       int64_t first, Value word) {
  Type element = typeOf(row).getElementType();
  unsigned count = 32 / element.getIntOrFloatBitWidth();
  if (count != 1)
    word = LLVM::BitcastOp::create(builder, loc,
                                   VectorType::get(count, element), word);
  Value index = arith::ConstantIndexOp::create(builder, loc, first);
  StoreOp::create(builder, loc, word, row, index);
}

} // namespace tirx
