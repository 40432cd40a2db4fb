//===- ViewFolds.cpp - views of views ----------------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A view that changes nothing is its source, and a view of a view of the same
// kind is one view. Every view may look through a layout_cast, as verifiers ask
// for equal layouts and not for one spelling.
//
//===----------------------------------------------------------------------===//

#include "TIRx/Dialect/TIRx/IR/TIRxOps.h"
#include "TIRx/Layout/Algebra.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace tirx;

/// Takes the place of a source that is a `Through`, which the op need not see.
template <typename Through, typename OpTy> static bool skipSource(OpTy op) {
  auto source = op.getSource().template getDefiningOp<Through>();
  if (!source)
    return false;
  op.getSourceMutable().assign(source.getSource());
  return true;
}

/// What an op that only renames does: nothing where the types are the same, one
/// step where there were two.
template <typename OpTy> static OpFoldResult foldRename(OpTy op) {
  if (op.getSource().getType() == op.getType())
    return op.getSource();
  if (skipSource<LayoutCastOp>(op) || skipSource<OpTy>(op))
    return op.getResult();
  return {};
}

OpFoldResult LayoutCastOp::fold(FoldAdaptor) { return foldRename(*this); }

OpFoldResult ReshapeOp::fold(FoldAdaptor) { return foldRename(*this); }

OpFoldResult RecastOp::fold(FoldAdaptor) { return foldRename(*this); }

OpFoldResult LocalViewOp::fold(FoldAdaptor) { return foldRename(*this); }

OpFoldResult PermuteOp::fold(FoldAdaptor) {
  ArrayRef<int64_t> outer = getPermutation();
  bool isIdentity = llvm::equal(outer, llvm::seq<int64_t>(0, outer.size()));
  if (isIdentity && getSource().getType() == getType())
    return getSource();
  if (skipSource<LayoutCastOp>(*this))
    return getResult();
  auto source = getSource().getDefiningOp<PermuteOp>();
  if (!source)
    return {};
  SmallVector<int64_t> both;
  for (int64_t dim : outer)
    both.push_back(source.getPermutation()[dim]);
  setPermutation(both);
  getSourceMutable().assign(source.getSource());
  return getResult();
}

OpFoldResult ViewOp::fold(FoldAdaptor) {
  bool isWhole = llvm::all_of(getStaticOffsets(),
                              [](int64_t offset) { return offset == 0; });
  if (isWhole && getSource().getType() == getType())
    return getSource();
  if (skipSource<LayoutCastOp>(*this))
    return getResult();
  return {};
}

namespace {
/// view(view(x)) -> view(x), where in each dimension one of the two offsets is
/// 0 or both are static: a sum of dynamic ones would be a new op.
struct MergeViews : OpRewritePattern<ViewOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ViewOp outer,
                                PatternRewriter &rewriter) const override {
    auto inner = outer.getSource().getDefiningOp<ViewOp>();
    if (!inner)
      return rewriter.notifyMatchFailure(outer, "not a view of a view");
    SmallVector<OpFoldResult> first = getMixed(inner), second = getMixed(outer);
    SmallVector<int64_t> staticOffsets;
    SmallVector<Value> offsets;
    for (auto [dim, pair] : llvm::enumerate(llvm::zip_equal(first, second))) {
      std::optional<OpFoldResult> sum =
          add(rewriter, std::get<0>(pair), std::get<1>(pair));
      if (!sum)
        return rewriter.notifyMatchFailure(outer, "two offsets to be added");
      auto value = dyn_cast<Value>(*sum);
      if (value && !hasOneStride(inner.getSource().getType(), dim))
        return rewriter.notifyMatchFailure(
            outer, "a dynamic offset over several strides");
      staticOffsets.push_back(
          value ? ShapedType::kDynamic
                : cast<IntegerAttr>(cast<Attribute>(*sum)).getInt());
      if (value)
        offsets.push_back(value);
    }
    rewriter.replaceOpWithNewOp<ViewOp>(
        outer, outer.getType(), inner.getSource(), offsets, staticOffsets);
    return success();
  }

private:
  static SmallVector<OpFoldResult> getMixed(ViewOp op) {
    Builder builder(op.getContext());
    SmallVector<OpFoldResult> mixed;
    unsigned next = 0;
    for (int64_t offset : op.getStaticOffsets())
      if (ShapedType::isDynamic(offset))
        mixed.push_back(op.getOffsets()[next++]);
      else
        mixed.push_back(builder.getIndexAttr(offset));
    return mixed;
  }

  static std::optional<OpFoldResult> add(Builder &builder, OpFoldResult a,
                                         OpFoldResult b) {
    // Only what is static is part of the layouts, so a dynamic constant stays
    // dynamic.
    auto left = dyn_cast<Attribute>(a), right = dyn_cast<Attribute>(b);
    if (left && isZeroInteger(a))
      return b;
    if (right && isZeroInteger(b))
      return a;
    if (left && right) // both inside one shape, so the sum is
      return OpFoldResult(builder.getIndexAttr(*getConstantIntValue(a) +
                                               *getConstantIntValue(b)));
    return std::nullopt;
  }

  static bool hasOneStride(BufferType type, unsigned dim) {
    if (type.getShape()[dim] == 1)
      return true;
    llvm::Expected<Iter> step =
        getDimStride(type.getLayout(), type.getShape(), dim);
    if (step)
      return step->stride == 0 || step->axis.isMemory();
    llvm::consumeError(step.takeError());
    return false;
  }
};
} // namespace

void ViewOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                         MLIRContext *context) {
  patterns.add<MergeViews>(context);
}
