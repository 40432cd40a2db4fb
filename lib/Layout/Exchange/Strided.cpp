//===- Strided.cpp - layouts to and from strides --------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TIRx/Layout/Exchange/Strided.h"
#include "../Scanner.h"
#include "Exchange.h"
#include "llvm/ADT/STLExtras.h"

using namespace tirx;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;
using llvm::SmallVector;
using llvm::Twine;

void tirx::print(llvm::raw_ostream &os, const StridedForm &form) {
  os << "strided<[";
  llvm::interleaveComma(form.strides, os);
  os << ']';
  if (form.offset)
    os << ", offset: " << form.offset;
  os << '>';
}

namespace {
class StridedParser : Scanner {
public:
  explicit StridedParser(llvm::StringRef text) : Scanner(text) {}

  Expected<StridedForm> parseAll() {
    StridedForm form;
    for (llvm::StringRef token : {"strided", "<", "["})
      if (Error error = expect(token))
        return std::move(error);
    if (Error error = parseStrides(form))
      return std::move(error);
    if (consume(","))
      if (Error error = parseOffset(form))
        return std::move(error);
    if (Error error = expect(">"))
      return std::move(error);
    skipSpace();
    if (position != text.size())
      return unexpected("the end of the layout");
    return form;
  }

private:
  Error parseStrides(StridedForm &form) {
    if (consume("]"))
      return Error::success();
    do {
      Expected<int64_t> stride = parseInteger();
      if (!stride)
        return stride.takeError();
      form.strides.push_back(*stride);
    } while (consume(","));
    return expect("]");
  }
  Error parseOffset(StridedForm &form) {
    for (llvm::StringRef token : {"offset", ":"})
      if (Error error = expect(token))
        return error;
    Expected<int64_t> offset = parseInteger();
    if (!offset)
      return offset.takeError();
    form.offset = *offset;
    return Error::success();
  }
};
} // namespace

Expected<StridedForm> tirx::parseStrided(llvm::StringRef text) {
  return StridedParser(text).parseAll();
}

Expected<Layout> tirx::fromStrided(const StridedForm &form,
                                   ArrayRef<int64_t> shape, Axis axis) {
  if (form.strides.size() != shape.size())
    return makeError("expected " + Twine(shape.size()) +
                     " strides, one for each dimension, got " +
                     Twine(form.strides.size()));
  SmallVector<Iter> shard;
  for (auto [extent, stride] : llvm::zip_equal(shape, form.strides))
    shard.push_back({extent, stride, axis});
  Expected<TileLayout> tile =
      TileLayout::get(shard, {}, AxisOffset{axis, form.offset});
  if (!tile)
    return tile.takeError();
  return Layout(*tile);
}

Expected<StridedForm> tirx::toStrided(const Layout &layout,
                                      ArrayRef<int64_t> shape, Axis axis) {
  Expected<TileLayout> tile = getUnswizzled(layout, "a strided layout");
  if (!tile)
    return tile.takeError();
  Expected<SingleAxis> parts =
      getSingleAxis(*tile, shape, axis, "a strided layout");
  if (!parts)
    return parts.takeError();
  StridedForm form;
  form.offset = parts->offset;
  for (auto [dim, iters] : llvm::enumerate(parts->groups)) {
    if (iters.size() > 1)
      return makeError("expected one stride along dimension " + Twine(dim) +
                       ", got " + Twine(iters.size()));
    form.strides.push_back(iters.empty() ? 1 : iters.front().stride);
  }
  return form;
}
