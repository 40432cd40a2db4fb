//===- LayoutRequests.cpp - requests for layouts of layouts ---------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Requests.h"
#include "TIRx/Layout/Algebra.h"
#include "TIRx/Layout/Text.h"
#include "llvm/ADT/STLExtras.h"

using namespace tirx;
using namespace tirx::layouttool;
using llvm::ArrayRef;
using llvm::Expected;
using llvm::SmallVector;
using llvm::Twine;
namespace json = llvm::json;

static Answer runPrint(const Request &request) {
  return toAnswer(request.layout());
}

static Answer runCanonicalize(const Request &request) {
  Expected<Layout> layout = request.layout();
  if (!layout)
    return layout.takeError();
  return toJson(canonicalize(*layout));
}

static Answer runStorage(const Request &request) {
  Expected<Layout> layout = request.layout();
  if (!layout)
    return layout.takeError();
  return toJson(getStorage(*layout));
}

static Answer runGroup(const Request &request) {
  Expected<TileLayout> tile = request.tile();
  if (!tile)
    return tile.takeError();
  Expected<SmallVector<int64_t>> shape = request.integers("shape");
  if (!shape)
    return shape.takeError();
  auto groups = group(*tile, *shape);
  if (!groups)
    return groups.takeError();
  json::Array result;
  for (const auto &iters : *groups) {
    json::Array dim;
    for (const Iter &iter : iters)
      dim.push_back(toJson(iter));
    result.push_back(std::move(dim));
  }
  return result;
}

static Answer runSlice(const Request &request) {
  Expected<ShapedLayout> subject = getShapedLayout(request);
  if (!subject)
    return subject.takeError();
  Expected<SmallVector<int64_t>> offsets = request.integers("offsets");
  if (!offsets)
    return offsets.takeError();
  Expected<SmallVector<int64_t>> sizes = request.integers("sizes");
  if (!sizes)
    return sizes.takeError();
  return toAnswer(slice(subject->layout, subject->shape, *offsets, *sizes));
}

static Answer runPermute(const Request &request) {
  Expected<ShapedLayout> subject = getShapedLayout(request);
  if (!subject)
    return subject.takeError();
  Expected<SmallVector<int64_t>> permutation = request.integers("permutation");
  if (!permutation)
    return permutation.takeError();
  return toAnswer(permute(subject->layout, subject->shape, *permutation));
}

static Answer runStride(const Request &request) {
  Expected<ShapedLayout> subject = getShapedLayout(request);
  if (!subject)
    return subject.takeError();
  Expected<unsigned> dim = getDim(request, subject->shape);
  if (!dim)
    return dim.takeError();
  Expected<Iter> iter = getDimStride(subject->layout, subject->shape, *dim);
  if (!iter)
    return iter.takeError();
  return toJson(*iter);
}

static Answer runVectorWidth(const Request &request) {
  Expected<ShapedLayout> subject = getShapedLayout(request);
  if (!subject)
    return subject.takeError();
  Expected<unsigned> dim = getDim(request, subject->shape);
  if (!dim)
    return dim.takeError();
  Expected<int64_t> limit = request.integer("limit");
  if (!limit)
    return limit.takeError();
  if (*limit < 1)
    return makeError("expected 'limit' of at least 1, got " + Twine(*limit));
  return getVectorWidth(subject->layout, subject->shape, *dim, *limit);
}

ArrayRef<Operation> layouttool::getLayoutOperations() {
  static const Operation operations[] = {
      {"print", runPrint},     {"canonicalize", runCanonicalize},
      {"storage", runStorage}, {"group", runGroup},
      {"slice", runSlice},     {"permute", runPermute},
      {"stride", runStride},   {"vector_width", runVectorWidth},
  };
  return operations;
}
