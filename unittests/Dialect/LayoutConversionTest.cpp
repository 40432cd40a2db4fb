//===- LayoutConversionTest.cpp - layouts to and from MLIR's --------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TIRx/Dialect/TIRx/IR/LayoutConversion.h"
#include "../Layout/Property.h"
#include "TIRx/Layout/Algebra.h"
#include "TIRx/Layout/Exchange/Strided.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/MLIRContext.h"

using namespace mlir;
using namespace tirx;
using namespace tirx::testing;

namespace {
/// MLIR's own evaluation of a map at constants.
SmallVector<int64_t> foldMap(AffineMap map, ArrayRef<int64_t> at) {
  SmallVector<Attribute> operands, results;
  Builder builder(map.getContext());
  for (int64_t index : at)
    operands.push_back(builder.getIndexAttr(index));
  // Of no results it reports failure.
  EXPECT_EQ(succeeded(map.constantFold(operands, results)),
            map.getNumResults() > 0);
  SmallVector<int64_t> values;
  for (Attribute result : results)
    values.push_back(cast<IntegerAttr>(result).getInt());
  return values;
}

/// Empty when the map's results are the layout's coordinates on `axes`.
std::string checkMap(AffineMap map, const Layout &layout, const Shape &shape,
                     ArrayRef<Axis> axes) {
  std::vector<Points> images = enumerate(layout);
  size_t number = 0;
  for (const Shape &at : coordinatesOf(shape)) {
    Point point;
    for (auto [axis, value] : llvm::zip_equal(axes, foldMap(map, at)))
      if (value)
        point[axis.getName().str()] = value;
    if (images[number++] != Points{point})
      return "another map";
  }
  return "";
}
} // namespace

TEST(LayoutConversion, AffineMaps) {
  MLIRContext context;
  int64_t written = 0;
  forRandomLayouts("to an affine map of MLIR", [&](const Layout &layout,
                                                   Random &random) {
    Shape shape = randomShape(random, layout);
    llvm::SmallVector<Axis> axes = layout.getAxes();
    llvm::Expected<AffineMap> map = toAffineMap(&context, layout, shape, axes);
    if (!map) {
      std::string message = llvm::toString(map.takeError());
      return isReason(message) ? "" : "no reason: " + message;
    }
    ++written;
    // What is printed without MLIR is the same map to MLIR.
    std::string text = "affine_map<";
    llvm::raw_string_ostream os(text);
    printAffine(os, shape.size(),
                llvm::cantFail(toAffine(layout, shape, axes)));
    os << '>';
    auto parsed =
        dyn_cast_or_null<AffineMapAttr>(parseAttribute(text, &context));
    if (!parsed || parsed.getValue() != *map)
      return "MLIR reads another map: " + text;
    Layout back = llvm::cantFail(fromAffineMap(*map, shape, axes));
    if (!isEqual(back, layout))
      return "read as another: " + toString(back);
    return checkMap(*map, layout, shape, axes);
  });
  EXPECT_GT(written, getPropertyRuns() / 3);
}

TEST(LayoutConversion, MemRefs) {
  MLIRContext context;
  Type f32 = Builder(&context).getF32Type();
  int64_t strided = 0, mapped = 0, plain = 0;
  forRandomLayouts("to a memref", [&](const Layout &layout, Random &random) {
    Shape shape = randomShape(random, layout);
    llvm::Expected<MemRefType> type = toMemRef(layout, shape, f32);
    if (!type) {
      std::string message = llvm::toString(type.takeError());
      return isReason(message) ? "" : "no reason: " + message;
    }
    MemRefLayoutAttrInterface form = type->getLayout();
    if (form.isIdentity())
      ++plain;
    else
      ++(isa<StridedLayoutAttr>(form) ? strided : mapped);
    Layout back = llvm::cantFail(fromMemRef(*type));
    if (!isEqual(back, layout))
      return "read as another: " + toString(back);
    // Folds to nothing: an identity of several dimensions has no linear map.
    if (form.isIdentity())
      return isEqual(layout, llvm::cantFail(TileLayout::rowMajor(shape)))
                 ? std::string()
                 : "not row-major";
    return checkMap(form.getAffineMap(), layout, shape, {memoryAxis()});
  });
  EXPECT_GT(strided, 0);
  EXPECT_GT(mapped, 0);
  EXPECT_GT(plain, 0);
}

TEST(LayoutConversion, WhatIsDynamicOrLossyIsRefused) {
  MLIRContext context;
  auto fromText = [&](llvm::StringRef text) {
    auto type = dyn_cast_or_null<MemRefType>(parseType(text, &context));
    EXPECT_TRUE(type) << text.str();
    llvm::Expected<Layout> layout = fromMemRef(type);
    return layout ? toString(*layout) : llvm::toString(layout.takeError());
  };
  EXPECT_EQ(fromText("memref<4x8xf32>"), "#tirx.tile<S[(4, 8) : (8, 1)]>");
  EXPECT_EQ(fromText("memref<f32>"), "#tirx.tile<S[() : ()]>");
  EXPECT_EQ(fromText("memref<4x8xf32, strided<[1, 4], offset: 3>>"),
            "#tirx.tile<S[(4, 8) : (1, 4)] + 3>");
  EXPECT_EQ(fromText("memref<4x8xf32, affine_map<(i, j) -> (j floordiv 2 * 8 + "
                     "i * 2 + j mod 2)>>"),
            "#tirx.tile<S[(4, 4, 2) : (2, 8, 1)]>");
  for (const char *text :
       {"memref<?x8xf32>", "memref<4x8xf32, strided<[?, 1]>>",
        "memref<4x8xf32, strided<[8, 1], offset: ?>>",
        "memref<4x8xf32, affine_map<(i, j) -> (j, i)>>",
        "memref<0x8xf32, strided<[8, 1]>>",
        "memref<4x8xf32, affine_map<(i, j) -> (i + j ceildiv 2)>>",
        "memref<4x8xf32, affine_map<(i, j) -> (i mod 3 + j)>>",
        "memref<4x8xf32, affine_map<(i, j)[s] -> (i * 8 + j + s)>>"})
    EXPECT_TRUE(isReason(fromText(text))) << text << ": " << fromText(text);
  Type f32 = Builder(&context).getF32Type();
  for (const char *text :
       {"S[(4) : (1@laneid)]", "S[(4) : (1)] + R[2 : 4]",
        "S[(4) : (1)] + 1@laneid", "Compose(0, 1, 1, S[(4) : (1)])"}) {
    std::string message = messageOf(toMemRef(parse(text), {4}, f32));
    EXPECT_TRUE(isReason(message)) << text << ": " << message;
  }
}
