//===- LayoutRequests.cpp - requests for layouts of layouts ---------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Arguments.h"
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
  Arguments arguments(request);
  Layout layout = arguments.layout();
  return arguments.answer([&] { return canonicalize(layout); });
}

static Answer runStorage(const Request &request) {
  Arguments arguments(request);
  Layout layout = arguments.layout();
  return arguments.answer([&] { return getStorage(layout); });
}

static Answer runGroup(const Request &request) {
  Arguments arguments(request);
  TileLayout tile = arguments.tile();
  SmallVector<int64_t> shape = arguments.integers("shape");
  return arguments.answer([&]() -> Answer {
    auto groups = group(tile, shape);
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
  });
}

static Answer runSlice(const Request &request) {
  Arguments arguments(request);
  ShapedLayout subject = arguments.shaped();
  SmallVector<int64_t> offsets = arguments.integers("offsets");
  SmallVector<int64_t> sizes = arguments.integers("sizes");
  return arguments.answer(
      [&] { return slice(subject.layout, subject.shape, offsets, sizes); });
}

static Answer runPermute(const Request &request) {
  Arguments arguments(request);
  ShapedLayout subject = arguments.shaped();
  SmallVector<int64_t> permutation = arguments.integers("permutation");
  return arguments.answer(
      [&] { return permute(subject.layout, subject.shape, permutation); });
}

static Answer runStride(const Request &request) {
  Arguments arguments(request);
  ShapedLayout subject = arguments.shaped();
  unsigned dim = arguments.dim(subject.shape);
  return arguments.answer([&]() -> Answer {
    Expected<Iter> iter = getDimStride(subject.layout, subject.shape, dim);
    if (!iter)
      return iter.takeError();
    return toJson(*iter);
  });
}

static Answer runVectorWidth(const Request &request) {
  Arguments arguments(request);
  ShapedLayout subject = arguments.shaped();
  unsigned dim = arguments.dim(subject.shape);
  int64_t limit = arguments.integer("limit");
  if (limit < 1)
    arguments.note("expected 'limit' of at least 1, got " + Twine(limit));
  return arguments.answer([&] {
    return json::Value(
        getVectorWidth(subject.layout, subject.shape, dim, limit));
  });
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
