//===- TensorRegion.cpp - a region of a tensor in global memory
//-------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorRegion.h"
#include "BufferRef.h"
#include <numeric>

using namespace mlir;

namespace tirx {

static BufferType typeOf(Value buffer) {
  return cast<BufferType>(buffer.getType());
}

static void addOffsets(ViewOp view, TensorRegion &region) {
  unsigned next = 0;
  for (auto [dim, offset] : llvm::enumerate(view.getStaticOffsets())) {
    if (ShapedType::isDynamic(offset))
      region.offsets[dim].indices.push_back(view.getOffsets()[next++]);
    else
      region.offsets[dim].constant += offset;
  }
}

static void permuteDims(PermuteOp permute, TensorRegion &region) {
  SmallVector<RegionOffset> offsets(region.offsets.size());
  SmallVector<int64_t> sizes(region.sizes.size());
  ArrayRef<int64_t> permutation = permute.getPermutation();
  for (auto [dim, source] : llvm::enumerate(permutation)) {
    offsets[source] = region.offsets[dim];
    sizes[source] = region.sizes[dim];
  }
  region.offsets = offsets;
  region.sizes = sizes;
  for (int64_t &dim : region.order)
    dim = permutation[dim];
}

FailureOr<TensorRegion> traceTensor(Value buffer, std::string &why) {
  TensorRegion region;
  region.sizes = SmallVector<int64_t>(typeOf(buffer).getShape());
  region.offsets.resize(region.sizes.size());
  region.order.resize(region.sizes.size());
  std::iota(region.order.begin(), region.order.end(), 0);
  while (Operation *op = buffer.getDefiningOp()) {
    if (auto view = dyn_cast<ViewOp>(op)) {
      addOffsets(view, region);
      buffer = view.getSource();
    } else if (auto permute = dyn_cast<PermuteOp>(op)) {
      permuteDims(permute, region);
      buffer = permute.getSource();
    } else if (auto cast = dyn_cast<LayoutCastOp>(op)) {
      buffer = cast.getSource();
    } else {
      break;
    }
  }
  region.tensor = typeOf(buffer);
  auto ref = traceBuffer(buffer, why);
  if (failed(ref))
    return failure();
  if (!ref->offsets.empty()) {
    why = "expected offsets known at run time behind the last reshape or "
          "recast, got one in front of it";
    return failure();
  }
  auto argument = dyn_cast<BlockArgument>(ref->root);
  if (!argument) {
    why = "expected a view of a kernel parameter, whose tensor map the host "
          "encodes, got one of the result of '" +
          ref->root.getDefiningOp()->getName().getStringRef().str() + "'";
    return failure();
  }
  region.parameter = argument.getArgNumber();
  return region;
}

} // namespace tirx
