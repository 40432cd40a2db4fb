//===- ViewOps.cpp - types and verifiers of views -------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TIRx/Layout/Algebra.h"
#include "TIRx/Layout/Text.h"
#include "VerifierUtils.h"
#include "ViewSyntax.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tirx;

using EmitError = function_ref<InFlightDiagnostic()>;

//===----------------------------------------------------------------------===//
// What views have in common
//===----------------------------------------------------------------------===//

/// The source's type under another shape and layout, spelled by the dimensions
/// of the shape. Names no layout where it is what a type without one means.
static FailureOr<BufferType>
makeViewType(EmitError emitError, BufferType source, ArrayRef<int64_t> shape,
             const Layout &layout, Type elementType = {}) {
  MLIRContext *context = source.getContext();
  llvm::Expected<Layout> spelled = tirx::reshape(layout, shape);
  if (!spelled)
    return emitError() << llvm::toString(spelled.takeError());
  LayoutAttrInterface attr = getLayoutAttr(context, *spelled);
  llvm::Expected<TileLayout> rowMajor = TileLayout::rowMajor(shape);
  if (!rowMajor)
    return emitError() << llvm::toString(rowMajor.takeError());
  if (isEqual(layout, Layout(*rowMajor)))
    attr = {};
  auto type = BufferType::getChecked(emitError, context, shape,
                                     elementType ? elementType
                                                 : source.getElementType(),
                                     source.getMemorySpace(), attr);
  if (!type)
    return failure();
  return type;
}

/// Same element type and memory space.
static LogicalResult verifySameMemory(Operation *op, BufferType source,
                                      BufferType result) {
  if (source.getElementType() == result.getElementType() &&
      source.getMemorySpace() == result.getMemorySpace())
    return success();
  return op->emitOpError("expected a result of ")
         << source.getElementType() << " in "
         << stringifyMemorySpace(source.getMemorySpace()) << ", got "
         << result.getElementType() << " in "
         << stringifyMemorySpace(result.getMemorySpace());
}

/// The result's layout is `expected`, in any spelling.
static LogicalResult verifyLayout(Operation *op, StringRef what,
                                  const Layout &expected, BufferType result) {
  Layout got = result.getLayout();
  if (isEqual(expected, got))
    return success();
  return op->emitOpError("expected the result to have ")
         << what << ", " << toString(expected) << ", got " << toString(got)
         << describeDifference(expected, got, result.getShape());
}

//===----------------------------------------------------------------------===//
// Result types in the text
//===----------------------------------------------------------------------===//

using InferType = function_ref<FailureOr<BufferType>(EmitError, BufferType,
                                                     ArrayRef<int64_t>, Type)>;

/// A buffer type in full, or shape and element type, with the rest inferred.
static ParseResult parseResult(OpAsmParser &parser, Type sourceType,
                               Type &result, InferType infer) {
  SMLoc loc = parser.getCurrentLocation();
  Type whole;
  if (OptionalParseResult parsed = parser.parseOptionalType(whole);
      parsed.has_value()) {
    if (failed(*parsed))
      return failure();
    result = whole;
    if (isa<BufferType>(whole))
      return success();
    return parser.emitError(loc, "expected a buffer type, got ") << whole;
  }
  SmallVector<int64_t> shape;
  Type elementType;
  if (parser.parseDimensionList(shape, /*allowDynamic=*/false) ||
      parser.parseType(elementType))
    return failure();
  FailureOr<BufferType> type =
      infer([&] { return parser.emitError(loc); }, cast<BufferType>(sourceType),
            shape, elementType);
  if (failed(type))
    return failure();
  // What the op infers is a fact; the text repeats it.
  if (type->getShape() != ArrayRef(shape))
    return parser.emitError(loc, "expected the shape ")
           << verifier::formatShape(type->getShape()) << ", got "
           << verifier::formatShape(shape);
  if (type->getElementType() != elementType)
    return parser.emitError(loc, "expected the source's element type ")
           << type->getElementType() << ", got " << elementType;
  result = *type;
  return success();
}

ParseResult tirx::parseViewResult(OpAsmParser &parser, Type source,
                                  DenseI64ArrayAttr offsets, Type &result) {
  return parseResult(
      parser, source, result,
      [&](EmitError emitError, BufferType type, ArrayRef<int64_t> shape, Type) {
        return ViewOp::inferType(emitError, type, offsets.asArrayRef(), shape);
      });
}

void tirx::printViewResult(OpAsmPrinter &printer, Operation *, Type,
                           DenseI64ArrayAttr, Type result) {
  printer << result;
}

ParseResult tirx::parsePermuteResult(OpAsmParser &parser, Type source,
                                     DenseI64ArrayAttr permutation,
                                     Type &result) {
  return parseResult(
      parser, source, result,
      [&](EmitError emitError, BufferType type, ArrayRef<int64_t>, Type) {
        return PermuteOp::inferType(emitError, type, permutation.asArrayRef());
      });
}

void tirx::printPermuteResult(OpAsmPrinter &printer, Operation *, Type,
                              DenseI64ArrayAttr, Type result) {
  printer << result;
}

ParseResult tirx::parseReshapeResult(OpAsmParser &parser, Type source,
                                     Type &result) {
  return parseResult(
      parser, source, result,
      [](EmitError emitError, BufferType type, ArrayRef<int64_t> shape, Type) {
        return ReshapeOp::inferType(emitError, type, shape);
      });
}

void tirx::printReshapeResult(OpAsmPrinter &printer, Operation *, Type,
                              Type result) {
  printer << result;
}

ParseResult tirx::parseRecastResult(OpAsmParser &parser, Type source,
                                    Type &result) {
  return parseResult(parser, source, result,
                     [](EmitError emitError, BufferType type, ArrayRef<int64_t>,
                        Type elementType) {
                       return RecastOp::inferType(emitError, type, elementType);
                     });
}

void tirx::printRecastResult(OpAsmPrinter &printer, Operation *, Type,
                             Type result) {
  printer << result;
}

//===----------------------------------------------------------------------===//
// view
//===----------------------------------------------------------------------===//

/// The offsets with 0 for those that are not static.
static SmallVector<int64_t> staticPart(ArrayRef<int64_t> offsets) {
  SmallVector<int64_t> result(offsets);
  for (int64_t &offset : result)
    if (ShapedType::isDynamic(offset))
      offset = 0;
  return result;
}

/// The layout of the region, or why there is none.
static FailureOr<Layout> sliceOf(EmitError emitError, BufferType source,
                                 ArrayRef<int64_t> staticOffsets,
                                 ArrayRef<int64_t> sizes) {
  // (view_c1)
  size_t rank = source.getRank();
  if (staticOffsets.size() != rank || sizes.size() != rank)
    return emitError() << "expected as many offsets and result dimensions as "
                          "the source has, "
                       << rank << ", got " << staticOffsets.size()
                       << " offsets and " << sizes.size() << " dimensions";
  // (view_c3)
  SmallVector<int64_t> begins = staticPart(staticOffsets);
  for (size_t dim = 0; dim < rank; ++dim) {
    int64_t extent = source.getShape()[dim], size = sizes[dim];
    if (begins[dim] < 0 || size > extent || begins[dim] > extent - size)
      return emitError() << "expected the region to stay inside extent "
                         << extent << " of dimension " << dim << ", got offset "
                         << begins[dim] << " and extent " << size;
  }
  // (view_c4)
  llvm::Expected<Layout> layout =
      tirx::slice(source.getLayout(), source.getShape(), begins, sizes);
  if (!layout)
    return emitError() << "expected a region that a layout describes: "
                       << llvm::toString(layout.takeError());
  return *layout;
}

FailureOr<BufferType> ViewOp::inferType(EmitError emitError, BufferType source,
                                        ArrayRef<int64_t> staticOffsets,
                                        ArrayRef<int64_t> sizes) {
  FailureOr<Layout> layout = sliceOf(emitError, source, staticOffsets, sizes);
  if (failed(layout))
    return failure();
  return makeViewType(emitError, source, sizes, *layout);
}

/// A dynamic offset in `dim` must move the region by a constant step.
static LogicalResult verifyDynamicStep(ViewOp op, unsigned dim) {
  BufferType source = op.getSource().getType();
  // The only place in a dimension of extent 1 is 0.
  if (source.getShape()[dim] == 1)
    return success();
  Layout layout = source.getLayout();
  // (view_c5)
  llvm::Expected<Iter> step = getDimStride(layout, source.getShape(), dim);
  if (!step)
    return op.emitOpError("expected dimension ")
           << dim << ", which has a dynamic offset, to have one stride: "
           << llvm::toString(step.takeError());
  if (step->stride != 0 && !step->axis.isMemory())
    return op.emitOpError("expected dimension ")
           << dim << ", which has a dynamic offset, on a memory axis, got "
           << step->axis.getName();
  return success();
}

LogicalResult ViewOp::verify() {
  BufferType source = getSource().getType(), result = getType();
  ArrayRef<int64_t> offsets = getStaticOffsets();
  // (view_c1)
  size_t dynamic = llvm::count_if(offsets, ShapedType::isDynamic);
  if (dynamic != getOffsets().size())
    return emitOpError("expected one operand for each dynamic offset, ")
           << dynamic << ", got " << getOffsets().size();
  // (view_c2)
  if (failed(verifySameMemory(*this, source, result)))
    return failure();
  FailureOr<Layout> layout = sliceOf([&] { return emitOpError(); }, source,
                                     offsets, result.getShape());
  // (view_c4)
  if (failed(layout) ||
      failed(verifyLayout(*this, "the slice of the source's layout", *layout,
                          result)))
    return failure();
  for (unsigned dim = 0, e = offsets.size(); dim < e; ++dim)
    if (ShapedType::isDynamic(offsets[dim]) &&
        failed(verifyDynamicStep(*this, dim)))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// local_view
//===----------------------------------------------------------------------===//

LogicalResult LocalViewOp::verify() {
  BufferType source = getSource().getType(), result = getType();
  // (local_view_c1)
  if (source.getElementType() != result.getElementType() ||
      source.getStorageElements() != result.getStorageElements())
    return emitOpError("expected a result with as many registers of the same "
                       "type in each thread, ")
           << source.getStorageElements() << " of " << source.getElementType()
           << ", got " << result.getStorageElements() << " of "
           << result.getElementType();
  return success();
}

//===----------------------------------------------------------------------===//
// permute
//===----------------------------------------------------------------------===//

FailureOr<BufferType> PermuteOp::inferType(EmitError emitError,
                                           BufferType source,
                                           ArrayRef<int64_t> permutation) {
  // (permute_c1)
  llvm::Expected<Layout> layout =
      tirx::permute(source.getLayout(), source.getShape(), permutation);
  if (!layout)
    return emitError() << llvm::toString(layout.takeError());
  SmallVector<int64_t> shape;
  for (int64_t dim : permutation)
    shape.push_back(source.getShape()[dim]);
  return makeViewType(emitError, source, shape, *layout);
}

LogicalResult PermuteOp::verify() {
  BufferType source = getSource().getType(), result = getType();
  FailureOr<BufferType> inferred =
      inferType([&] { return emitOpError(); }, source, getPermutation());
  // (permute_c2)
  if (failed(inferred) || failed(verifySameMemory(*this, source, result)))
    return failure();
  if (inferred->getShape() != result.getShape())
    return emitOpError("expected a result of shape ")
           << verifier::formatShape(inferred->getShape()) << ", got "
           << verifier::formatShape(result.getShape());
  // (permute_c3)
  return verifyLayout(*this, "the permutation of the source's layout",
                      inferred->getLayout(), result);
}

//===----------------------------------------------------------------------===//
// reshape
//===----------------------------------------------------------------------===//

FailureOr<BufferType> ReshapeOp::inferType(EmitError emitError,
                                           BufferType source,
                                           ArrayRef<int64_t> shape) {
  // (reshape_c1)
  int64_t elements = 1;
  for (int64_t extent : shape)
    if (extent < 1 || llvm::MulOverflow(elements, extent, elements))
      return emitError() << "expected a shape of " << source.getNumElements()
                         << " elements, got " << verifier::formatShape(shape);
  if (elements != source.getNumElements())
    return emitError() << "expected a shape of " << source.getNumElements()
                       << " elements, got " << verifier::formatShape(shape)
                       << " of " << elements;
  return makeViewType(emitError, source, shape, source.getLayout());
}

LogicalResult ReshapeOp::verify() {
  BufferType source = getSource().getType(), result = getType();
  // (reshape_c1)
  if (failed(verifySameMemory(*this, source, result)) ||
      failed(
          inferType([&] { return emitOpError(); }, source, result.getShape())))
    return failure();
  // (reshape_c2)
  return verifyLayout(*this, "the source's layout", source.getLayout(), result);
}

//===----------------------------------------------------------------------===//
// recast
//===----------------------------------------------------------------------===//

/// Bits of a type that buffers may hold as data; 0 for others.
static unsigned dataBits(Type type) {
  return type.isIntOrFloat() ? type.getIntOrFloatBitWidth() : 0;
}

FailureOr<BufferType> RecastOp::inferType(EmitError emitError,
                                          BufferType source, Type elementType) {
  // (recast_c1)
  int64_t from = dataBits(source.getElementType()), to = dataBits(elementType);
  if (source.isLocal() || from == 0 || to == 0)
    return emitError()
           << "expected numbers in global, shared or tensor memory, "
              "got "
           << source.getElementType() << " in "
           << stringifyMemorySpace(source.getMemorySpace()) << " and "
           << elementType;
  // (recast_c2)
  SmallVector<int64_t> shape(source.getShape());
  if (shape.empty() && from != to)
    return emitError() << "expected a dimension along which elements of "
                       << from << " bits become elements of " << to
                       << ", got rank 0";
  if (!shape.empty()) {
    int64_t bits;
    if (llvm::MulOverflow(shape.back(), from, bits) || bits % to != 0)
      return emitError() << "expected a last extent of whole elements of " << to
                         << " bits, got " << shape.back() << " elements of "
                         << from;
    shape.back() = bits / to;
  }
  // (recast_c3)
  llvm::Expected<Layout> layout =
      tirx::recast(source.getLayout(), from, to,
                   source.isTmem() ? lookupBuiltinAxis("TCol") : memoryAxis());
  if (!layout)
    return emitError() << "expected a layout that elements of " << to
                       << " bits have: " << llvm::toString(layout.takeError());
  return makeViewType(emitError, source, shape, *layout, elementType);
}

LogicalResult RecastOp::verify() {
  BufferType source = getSource().getType(), result = getType();
  FailureOr<BufferType> inferred =
      inferType([&] { return emitOpError(); }, source, result.getElementType());
  if (failed(inferred))
    return failure();
  // (recast_c2)
  if (inferred->getShape() != result.getShape() ||
      inferred->getMemorySpace() != result.getMemorySpace())
    return emitOpError("expected a result of shape ")
           << verifier::formatShape(inferred->getShape()) << " in "
           << stringifyMemorySpace(inferred->getMemorySpace()) << ", got "
           << verifier::formatShape(result.getShape()) << " in "
           << stringifyMemorySpace(result.getMemorySpace());
  // (recast_c3)
  return verifyLayout(*this, "the source's layout for the new elements",
                      inferred->getLayout(), result);
}

//===----------------------------------------------------------------------===//
// layout_cast
//===----------------------------------------------------------------------===//

LogicalResult LayoutCastOp::verify() {
  BufferType source = getSource().getType(), result = getType();
  // (layout_cast_c1)
  if (failed(verifySameMemory(*this, source, result)))
    return failure();
  if (source.getShape() != result.getShape())
    return emitOpError("expected a result of shape ")
           << verifier::formatShape(source.getShape()) << ", got "
           << verifier::formatShape(result.getShape());
  // (layout_cast_c2)
  return verifyLayout(*this, "the source's layout", source.getLayout(), result);
}
