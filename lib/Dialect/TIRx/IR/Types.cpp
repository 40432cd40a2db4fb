//===- Types.cpp - buffers, pools and barriers ----------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TIRx/Dialect/TIRx/IR/TIRxTypes.h"
#include "TIRx/Layout/Algebra.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tirx;

#define GET_TYPEDEF_CLASSES
#include "TIRx/Dialect/TIRx/IR/TIRxTypes.cpp.inc"

void TIRxDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "TIRx/Dialect/TIRx/IR/TIRxTypes.cpp.inc"
      >();
}

/// Hardware columns of tensor memory have 32 bits; there are 512, of 128 lanes.
static constexpr int64_t kTmemLanes = 128, kTmemColumns = 512,
                         kTmemColumnBits = 32;

static Axis laneAxis() { return lookupBuiltinAxis("TLane"); }
static Axis columnAxis() { return lookupBuiltinAxis("TCol"); }

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

Type BufferType::parse(AsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<int64_t> shape;
  Type elementType;
  StringRef spaceName;
  SMLoc spaceLoc;
  if (parser.parseLess() ||
      parser.parseDimensionList(shape, /*allowDynamic=*/false) ||
      parser.parseType(elementType) || parser.parseComma() ||
      parser.getCurrentLocation(&spaceLoc) || parser.parseKeyword(&spaceName))
    return {};
  std::optional<MemorySpace> space = symbolizeMemorySpace(spaceName);
  if (!space) {
    parser.emitError(spaceLoc, "expected global, shared, tmem or local, got '")
        << spaceName << "'";
    return {};
  }
  LayoutAttrInterface layout;
  if (succeeded(parser.parseOptionalComma())) {
    SMLoc layoutLoc = parser.getCurrentLocation();
    Attribute attr;
    if (parser.parseAttribute(attr))
      return {};
    layout = dyn_cast<LayoutAttrInterface>(attr);
    if (!layout) {
      parser.emitError(layoutLoc, "expected a layout, got ") << attr;
      return {};
    }
  }
  if (parser.parseGreater())
    return {};
  return parser.getChecked<BufferType>(loc, parser.getContext(), shape,
                                       elementType, *space, layout);
}

void BufferType::print(AsmPrinter &printer) const {
  printer << "<";
  for (int64_t extent : getShape())
    printer << extent << "x";
  printer << getElementType() << ", " << stringifyMemorySpace(getMemorySpace());
  if (getLayoutAttr())
    printer << ", " << getLayoutAttr();
  printer << ">";
}

//===----------------------------------------------------------------------===//
// Verifier
//===----------------------------------------------------------------------===//

using EmitError = function_ref<InFlightDiagnostic()>;

/// Bits of an element; 0 for a type that buffers cannot hold.
static unsigned bitsOf(Type type) {
  if (isa<MbarrierType>(type))
    return 64;
  if (auto integer = dyn_cast<IntegerType>(type);
      integer && !integer.isSignless())
    return 0;
  if (!isa<IntegerType, FloatType>(type))
    return 0;
  unsigned bits = type.getIntOrFloatBitWidth();
  return bits >= 8 && bits <= 64 && llvm::isPowerOf2_32(bits) ? bits : 0;
}

static LogicalResult verifyElementType(EmitError emitError, Type type,
                                       MemorySpace space) {
  // (buffer_c5)
  unsigned bits = bitsOf(type);
  if (bits == 0)
    return emitError() << "expected an element type of 8, 16, 32 or 64 bits "
                          "(a signless integer or a float) or !tirx.mbarrier, "
                          "got "
                       << type;
  if (isa<MbarrierType>(type) && space != MemorySpace::Shared)
    return emitError() << "expected mbarriers in shared memory, got "
                       << stringifyMemorySpace(space);
  if (space == MemorySpace::Tmem && bits > 32)
    return emitError() << "expected elements of 8, 16 or 32 bits in tensor "
                          "memory, got "
                       << type;
  return success();
}

/// The number of elements of a shape.
static FailureOr<int64_t> verifyShape(EmitError emitError,
                                      ArrayRef<int64_t> shape) {
  // (buffer_c1)
  int64_t elements = 1;
  for (auto [dim, extent] : llvm::enumerate(shape)) {
    if (extent < 1)
      return emitError() << "expected extents of at least 1, got " << extent
                         << " in dimension " << dim;
    if (llvm::MulOverflow(elements, extent, elements))
      return emitError() << "expected a number of elements that fits 64 bits, "
                            "got more in dimension "
                         << dim;
  }
  return elements;
}

static bool isLegalAxis(Axis axis, MemorySpace space) {
  switch (space) {
  case MemorySpace::Global:
  case MemorySpace::Shared:
    return axis == memoryAxis();
  case MemorySpace::Tmem:
    return axis == laneAxis() || axis == columnAxis();
  case MemorySpace::Local:
    return axis == memoryAxis() || axis.isThread();
  }
  llvm_unreachable("unknown memory space");
}

static StringRef describeLegalAxes(MemorySpace space) {
  switch (space) {
  case MemorySpace::Global:
  case MemorySpace::Shared:
    return "the axis m";
  case MemorySpace::Tmem:
    return "the axes TLane and TCol";
  case MemorySpace::Local:
    return "thread axes and m";
  }
  llvm_unreachable("unknown memory space");
}

/// Members of the group that a thread axis counts in; no value for others.
static std::optional<int64_t> threadLimit(Axis axis) {
  int64_t limit = llvm::StringSwitch<int64_t>(axis.getName())
                      .Case("laneid", 32)
                      .Case("wid_in_wg", 4)
                      .Case("tid_in_wg", 128)
                      .Case("warpid", 32)
                      .Case("wgid", 8)
                      .Case("tx", 1024)
                      .Default(0);
  return limit ? std::optional(limit) : std::nullopt;
}

static LogicalResult verifyAxes(EmitError emitError, const Layout &layout,
                                MemorySpace space) {
  for (Axis axis : layout.getAxes()) {
    // (buffer_c3)
    if (!isLegalAxis(axis, space))
      return emitError() << "expected a " << stringifyMemorySpace(space)
                         << " layout on " << describeLegalAxes(space)
                         << ", got the axis " << axis.getName();
    // (buffer_c6) The tile's span: a swizzle permutes what is not negative.
    Span span = layout.getTile()->getSpan(axis);
    if (span.min < 0)
      return emitError() << "expected coordinates of at least 0, got "
                         << span.min << " on " << axis.getName();
    if (std::optional<int64_t> limit = threadLimit(axis);
        limit && span.max >= *limit)
      return emitError() << "expected coordinates below " << *limit << " on "
                         << axis.getName() << ", got " << span.max;
  }
  // (buffer_c3)
  if (space == MemorySpace::Tmem && layout.getSwizzle())
    return emitError() << "expected a tmem layout on the axes TLane and TCol, "
                          "got a swizzle "
                          "of m";
  return success();
}

static LogicalResult verifyTmemWindow(EmitError emitError, const Layout &layout,
                                      int64_t bits) {
  // (buffer_c3)
  int64_t lane = layout.getSpan(laneAxis()).max;
  if (lane >= kTmemLanes)
    return emitError() << "expected TLane below " << kTmemLanes << ", got "
                       << lane;
  int64_t column = layout.getSpan(columnAxis()).max;
  int64_t limit = kTmemColumns * kTmemColumnBits / bits;
  if (column >= limit)
    return emitError() << "expected TCol below " << limit << " ("
                       << kTmemColumns << " columns of " << kTmemColumnBits
                       << " bits, elements of " << bits << "), got " << column;
  return success();
}

/// The bits that a holder stores must be countable.
static LogicalResult verifyStorage(EmitError emitError, const Layout &layout,
                                   int64_t bits) {
  // (buffer_c1) A swizzle stays inside its period, of at most 2^62 elements.
  int64_t last = layout.getTile()->getSpan(memoryAxis()).max;
  int64_t period = layout.getSwizzle() ? layout.getSwizzle()->getPeriod() : 1;
  int64_t limit = std::numeric_limits<int64_t>::max() / bits;
  if (last < limit && period <= limit - last)
    return success();
  return emitError()
         << "expected a layout that stores less than 2^63 bits, got "
            "index "
         << last << " of elements of " << bits << " bits"
         << (period > 1 ? " under a swizzle" : "");
}

LogicalResult BufferType::verify(EmitError emitError, ArrayRef<int64_t> shape,
                                 Type elementType, MemorySpace memorySpace,
                                 LayoutAttrInterface layoutAttr) {
  if (failed(verifyElementType(emitError, elementType, memorySpace)))
    return failure();
  FailureOr<int64_t> elements = verifyShape(emitError, shape);
  if (failed(elements))
    return failure();
  llvm::Expected<Layout> layout =
      layoutAttr ? layoutAttr.getLayout().withTile(*elements)
                 : llvm::Expected<Layout>(
                       Layout(llvm::cantFail(TileLayout::rowMajor(shape))));
  if (!layout)
    return emitError() << llvm::toString(layout.takeError());
  // (buffer_c2)
  if (*layout->getSize() != *elements)
    return emitError() << "expected a layout of " << *elements
                       << " elements, as many as the shape has, got "
                       << *layout->getSize();
  if (failed(verifyAxes(emitError, *layout, memorySpace)))
    return failure();
  // (buffer_c4)
  if (layout->getTile()->hasReplica() && memorySpace != MemorySpace::Local &&
      memorySpace != MemorySpace::Tmem)
    return emitError() << "expected replicas in a local or tmem layout only, "
                          "got them in "
                       << stringifyMemorySpace(memorySpace);
  unsigned bits = bitsOf(elementType);
  if (memorySpace == MemorySpace::Tmem)
    return verifyTmemWindow(emitError, *layout, bits);
  return verifyStorage(emitError, *layout, bits);
}

//===----------------------------------------------------------------------===//
// Questions
//===----------------------------------------------------------------------===//

int64_t BufferType::getNumElements() const {
  int64_t elements = 1;
  for (int64_t extent : getShape())
    elements *= extent;
  return elements;
}

unsigned BufferType::getElementBits() const { return bitsOf(getElementType()); }

Layout BufferType::getLayout() const {
  if (!getLayoutAttr())
    return Layout(llvm::cantFail(TileLayout::rowMajor(getShape())));
  return llvm::cantFail(getLayoutAttr().getLayout().withTile(getNumElements()));
}

int64_t BufferType::getStorageElements() const {
  return getLayout().getSpan(memoryAxis()).max + 1;
}

int64_t BufferType::getStorageBytes() const {
  return getStorageElements() * (getElementBits() / 8);
}

int64_t BufferType::getBaseAlignment() const {
  if (isa<MbarrierType>(getElementType()))
    return 8;
  Layout layout = getLayout();
  if (const SwizzleLayout *swizzle = layout.getSwizzle())
    return std::max<int64_t>(16, swizzle->getPeriod() * getElementBits() / 8);
  return 16;
}

std::pair<int64_t, int64_t> BufferType::getTmemLanes() const {
  Span span = getLayout().getSpan(laneAxis());
  return {span.min, span.max + 1};
}

std::pair<int64_t, int64_t> BufferType::getTmemColumns() const {
  Span span = getLayout().getSpan(columnAxis());
  int64_t bits = getElementBits();
  return {span.min * bits / kTmemColumnBits,
          llvm::divideCeil((span.max + 1) * bits, kTmemColumnBits)};
}
