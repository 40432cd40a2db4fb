//===- LayoutConversion.cpp - layouts to and from MLIR's ------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TIRx/Dialect/TIRx/IR/LayoutConversion.h"
#include "TIRx/Layout/Exchange/Strided.h"
#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/BuiltinAttributes.h"

using namespace mlir;
using namespace tirx;
using llvm::Expected;

static llvm::Error makeError(const llvm::Twine &message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), message);
}

//===----------------------------------------------------------------------===//
// Strides
//===----------------------------------------------------------------------===//

Expected<StridedLayoutAttr> tirx::toStridedLayout(MLIRContext *context,
                                                  const Layout &layout,
                                                  ArrayRef<int64_t> shape) {
  Expected<StridedForm> form = toStrided(layout, shape);
  if (!form)
    return form.takeError();
  // MLIR spells "dynamic" as one of the integers.
  if (ShapedType::isDynamic(form->offset) ||
      llvm::any_of(form->strides, ShapedType::isDynamic))
    return makeError("expected strides and an offset above -2^63");
  return StridedLayoutAttr::get(context, form->offset, form->strides);
}

Expected<Layout> tirx::fromStridedLayout(StridedLayoutAttr attr,
                                         ArrayRef<int64_t> shape) {
  if (!attr.hasStaticLayout())
    return makeError("expected static strides and offset");
  StridedForm form;
  form.strides.assign(attr.getStrides().begin(), attr.getStrides().end());
  form.offset = attr.getOffset();
  return fromStrided(form, shape);
}

//===----------------------------------------------------------------------===//
// Affine maps
//===----------------------------------------------------------------------===//

static AffineExpr buildResult(MLIRContext *context,
                              const AffineResult &result) {
  AffineExpr sum = getAffineConstantExpr(0, context);
  for (const AffineTerm &term : result.terms) {
    AffineExpr expr = getAffineDimExpr(term.dim, context);
    if (term.divisor != 1)
      expr = expr.floorDiv(term.divisor);
    if (term.modulus)
      expr = expr % term.modulus;
    sum = sum + expr * term.stride;
  }
  return sum + result.constant;
}

Expected<AffineMap> tirx::toAffineMap(MLIRContext *context,
                                      const Layout &layout,
                                      ArrayRef<int64_t> shape,
                                      ArrayRef<Axis> axes) {
  auto results = toAffine(layout, shape, axes);
  if (!results)
    return results.takeError();
  SmallVector<AffineExpr> exprs;
  for (const AffineResult &result : *results)
    exprs.push_back(buildResult(context, result));
  return AffineMap::get(shape.size(), 0, exprs, context);
}

static Expected<AffineValue> evaluate(AffineExpr expr,
                                      ArrayRef<int64_t> shape) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return AffineValue::getConstant(constant.getValue());
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return AffineValue::getDim(dim.getPosition(), shape[dim.getPosition()]);
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return makeError("expected no symbols in the map of a static layout");
  Expected<AffineValue> lhs = evaluate(binary.getLHS(), shape);
  if (!lhs)
    return lhs;
  Expected<AffineValue> rhs = evaluate(binary.getRHS(), shape);
  if (!rhs)
    return rhs;
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return AffineValue::add(*lhs, *rhs);
  case AffineExprKind::Mul:
    return AffineValue::multiply(*lhs, *rhs);
  case AffineExprKind::FloorDiv:
    return AffineValue::floorDiv(*lhs, *rhs);
  case AffineExprKind::Mod:
    return AffineValue::mod(*lhs, *rhs);
  default:
    return makeError("expected no ceildiv, which cuts no digits");
  }
}

Expected<Layout> tirx::fromAffineMap(AffineMap map, ArrayRef<int64_t> shape,
                                     ArrayRef<Axis> axes) {
  if (map.getNumDims() != shape.size())
    return makeError("expected a map of " + Twine(shape.size()) +
                     " dimensions, as many as the shape has, got " +
                     Twine(map.getNumDims()));
  SmallVector<AffineValue> results;
  for (AffineExpr expr : map.getResults()) {
    Expected<AffineValue> value = evaluate(expr, shape);
    if (!value)
      return value.takeError();
    results.push_back(*value);
  }
  return fromAffine(results, shape, axes);
}

//===----------------------------------------------------------------------===//
// Memrefs
//===----------------------------------------------------------------------===//

Expected<MemRefType> tirx::toMemRef(const Layout &layout,
                                    ArrayRef<int64_t> shape, Type elementType,
                                    Attribute memorySpace) {
  if (!BaseMemRefType::isValidElementType(elementType))
    return makeError("expected an element type that a memref holds");
  MLIRContext *context = elementType.getContext();
  Expected<StridedLayoutAttr> strided = toStridedLayout(context, layout, shape);
  if (strided) {
    auto type = MemRefType::get(shape, elementType, *strided, memorySpace);
    // Row-major needs no layout, and passes ask for none.
    auto plain = MemRefType::get(shape, elementType, AffineMap(), memorySpace);
    return type.getLayout().getAffineMap() ==
                   makeStridedLinearLayoutMap(plain.getStridesAndOffset().first,
                                              0, context)
               ? plain
               : type;
  }
  llvm::consumeError(strided.takeError());
  Expected<AffineMap> map = toAffineMap(context, layout, shape, {memoryAxis()});
  if (!map)
    return map.takeError();
  return MemRefType::get(shape, elementType, AffineMapAttr::get(*map),
                         memorySpace);
}

Expected<Layout> tirx::fromMemRef(MemRefType type) {
  if (!type.hasStaticShape())
    return makeError("expected a static shape");
  if (auto strided = dyn_cast<StridedLayoutAttr>(type.getLayout()))
    return fromStridedLayout(strided, type.getShape());
  if (type.getLayout().isIdentity()) {
    Expected<TileLayout> tile = TileLayout::rowMajor(type.getShape());
    if (!tile)
      return tile.takeError();
    return Layout(*tile);
  }
  return fromAffineMap(type.getLayout().getAffineMap(), type.getShape(),
                       {memoryAxis()});
}
