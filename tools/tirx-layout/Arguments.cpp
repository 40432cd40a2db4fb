//===- Arguments.cpp - arguments of requests with defaults ----------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Arguments.h"

using namespace tirx;
using namespace tirx::layouttool;
using llvm::SmallVector;
using llvm::StringRef;

/// What stands for a layout that could not be read.
static TileLayout getEmptyTile() { return llvm::cantFail(TileLayout::get({})); }

Layout Arguments::layout(StringRef key) {
  return valueOr<Layout>(request.layout(key), getEmptyTile());
}

TileLayout Arguments::tile(StringRef key) {
  return valueOr<TileLayout>(request.tile(key), getEmptyTile());
}

ShapedLayout Arguments::shaped(StringRef key, StringRef shapeKey) {
  return valueOr<ShapedLayout>(getShapedLayout(request, key, shapeKey),
                               {getEmptyTile(), {}});
}

Axis Arguments::axis(StringRef key) {
  return valueOr<Axis>(request.axis(key), memoryAxis());
}

SmallVector<Axis> Arguments::axes(StringRef key) {
  return valueOr<SmallVector<Axis>>(request.axes(key), {});
}

unsigned Arguments::elementBits(bool required) {
  unsigned bits = valueOr<unsigned>(request.elementBits(), 8);
  if (bits == 0 && required)
    note("expected key 'bits' or 'dtype'");
  return bits;
}

unsigned Arguments::dim(llvm::ArrayRef<int64_t> shape) {
  int64_t dim = integer("dim");
  if (dim >= 0 && dim < int64_t(shape.size()))
    return unsigned(dim);
  note("expected 'dim' to be in [0, " + llvm::Twine(shape.size()) + "), got " +
       llvm::Twine(dim));
  return 0;
}

int64_t Arguments::integer(StringRef key, std::optional<int64_t> absent) {
  if (absent && !request.has(key))
    return *absent;
  return valueOr<int64_t>(request.integer(key), 0);
}

unsigned Arguments::bits(StringRef key, std::optional<int64_t> absent) {
  int64_t value = integer(key, absent);
  if (value >= 0 && value <= 1024)
    return unsigned(value);
  note("key '" + key + "': expected a number of bits, got " +
       llvm::Twine(value));
  return 0;
}

SmallVector<int64_t> Arguments::integers(StringRef key) {
  return valueOr<SmallVector<int64_t>>(request.integers(key), {});
}

std::string Arguments::string(StringRef key) {
  return valueOr<StringRef>(request.string(key), "").str();
}

bool Arguments::flag(StringRef key) {
  if (!request.has(key))
    return false;
  llvm::Expected<const llvm::json::Value *> value = request.value(key);
  if (std::optional<bool> flag = (*value)->getAsBoolean())
    return *flag;
  note("expected true or false at key '" + key + "'");
  return false;
}

void Arguments::note(const llvm::Twine &message) {
  if (error.empty())
    error = message.str();
}

llvm::Error Arguments::takeError() {
  return error.empty() ? llvm::Error::success() : makeError(error);
}
