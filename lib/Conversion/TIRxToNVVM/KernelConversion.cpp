//===- KernelConversion.cpp - one kernel from L2 to L3 --------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelConversion.h"
#include "ElementAddress.h"
#include "LocalIndices.h"
#include "TIRx/Layout/Descriptors.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tirx {

Type memoryType(Type elementType) {
  MLIRContext *context = elementType.getContext();
  if (isa<MbarrierType>(elementType))
    return IntegerType::get(context, 64);
  if (isa<FloatType>(elementType) && !LLVM::isCompatibleType(elementType))
    return IntegerType::get(context, elementType.getIntOrFloatBitWidth());
  return elementType;
}

/// The same for what a load gives: an element or a vector.
static Type accessType(Type type) {
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.clone(memoryType(vector.getElementType()));
  return memoryType(type);
}

static Value bitcast(OpBuilder &builder, Location loc, Value value, Type type) {
  if (value.getType() == type)
    return value;
  return arith::BitcastOp::create(builder, loc, type, value);
}

static unsigned accessBytes(Type type) {
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.getNumElements() * vector.getElementTypeBitWidth() / 8;
  return type.getIntOrFloatBitWidth() / 8;
}

LogicalResult KernelConversion::run() {
  SmallVector<Operation *> ops;
  kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa_and_present<TIRxDialect>(op->getDialect()))
      ops.push_back(op);
  });
  for (Operation *op : ops)
    if (failed(convert(op)))
      return failure();
  for (Operation *op : llvm::reverse(dead))
    op->erase();
  // Casts of buffer parameters have served as roots.
  for (Operation &op : llvm::make_early_inc_range(kernel.getBody().front()))
    if (isa<UnrealizedConversionCastOp>(op) && op.use_empty())
      op.erase();
  return success();
}

LogicalResult KernelConversion::convert(Operation *op) {
  LogicalResult result =
      llvm::TypeSwitch<Operation *, LogicalResult>(op)
          .Case([&](IdOp id) { return convertId(id); })
          .Case([&](PoolAllocOp alloc) { return convertAlloc(alloc); })
          .Case([&](TmemBufferOp tmem) { return convertTmemBuffer(tmem); })
          .Case([&](AllocLocalOp alloc) { return convertAllocLocal(alloc); })
          .Case([&](LoadOp load) { return convertLoad(load); })
          .Case([&](StoreOp store) { return convertStore(store); })
          .Case([&](PtrOp ptr) { return convertPtr(ptr); })
          .Case([&](SmemDescriptorOp op) { return convertDescriptor(op); })
          .Case([&](PtxOp ptx) { return emitPtx(ptx); })
          .Case([&](ToMemrefOp op) { return convertToMemref(op); })
          .Case([&](FromMemrefOp op) { return convertFromMemref(op); })
          // Views are folded into the accesses that use them.
          .Case<ViewLikeOpInterface>([](auto) { return success(); })
          .Case<SmemPoolOp, PoolMoveBaseOp>([](auto) { return success(); })
          .Default([](Operation *op) {
            return op->emitOpError(
                "is not at instruction level: run tirx-lower-tiles first");
          });
  dead.push_back(op);
  return result;
}

LogicalResult KernelConversion::convertId(IdOp op) {
  Value id = ids.get(op.getKind(), op.getLoc());
  OpBuilder builder(op);
  op.getResult().replaceAllUsesWith(arith::IndexCastUIOp::create(
      builder, op.getLoc(), builder.getIndexType(), id));
  return success();
}

//===----------------------------------------------------------------------===//
// Roots
//===----------------------------------------------------------------------===//

LogicalResult KernelConversion::convertAlloc(PoolAllocOp op) {
  if (!op.getOffset())
    return op.emitOpError("has no offset: run tirx-allocate-shared first");
  OpBuilder builder(op);
  auto pointer = LLVM::LLVMPointerType::get(op.getContext(), 3);
  Value pool = LLVM::AddressOfOp::create(builder, op.getLoc(), pointer,
                                         kSharedPoolSymbol);
  bases[op.getBuffer()] = LLVM::GEPOp::create(
      builder, op.getLoc(), pointer, builder.getI8Type(), pool,
      ArrayRef<LLVM::GEPArg>{int32_t(*op.getOffset())});
  return success();
}

LogicalResult KernelConversion::convertTmemBuffer(TmemBufferOp op) {
  auto slot = elementPointer(op, op.getSlot(), op.getIndex());
  if (failed(slot))
    return failure();
  OpBuilder builder(op);
  Value address = LLVM::LoadOp::create(builder, op.getLoc(),
                                       builder.getI32Type(), *slot, 4);
  IndexMath math(builder, op.getLoc(), builder.getI32Type());
  if (op.getColumn() != 0)
    address = math.add(address, math.constant(op.getColumn()));
  bases[op.getBuffer()] = address;
  return success();
}

LogicalResult KernelConversion::convertAllocLocal(AllocLocalOp op) {
  auto type = cast<BufferType>(op.getBuffer().getType());
  OpBuilder builder = OpBuilder::atBlockBegin(&kernel.getBody().front());
  Type array = LLVM::LLVMArrayType::get(memoryType(type.getElementType()),
                                        type.getStorageElements());
  Value one = LLVM::ConstantOp::create(builder, op.getLoc(),
                                       builder.getI32IntegerAttr(1));
  bases[op.getBuffer()] = LLVM::AllocaOp::create(
      builder, op.getLoc(), LLVM::LLVMPointerType::get(op.getContext()), array,
      one, /*alignment=*/16);
  return success();
}

FailureOr<BufferRef> KernelConversion::trace(Operation *op, Value buffer) {
  std::string why;
  auto ref = traceBuffer(buffer, why);
  if (succeeded(ref))
    return ref;
  op->emitOpError(why);
  return failure();
}

Value KernelConversion::baseOf(const BufferRef &ref) {
  if (Value base = bases.lookup(ref.root))
    return base;
  // A parameter: its buffer is a cast of the pointer.
  return ref.root.getDefiningOp()->getOperand(0);
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

FailureOr<Value> KernelConversion::registerPointer(Operation *op,
                                                   const BufferRef &ref,
                                                   ValueRange indices) {
  auto evaluateAll = [&](auto &&values, SmallVectorImpl<int64_t> &known) {
    for (Value value : values) {
      std::optional<int64_t> constant = evaluateConstant(value);
      if (!constant) { // local_index_static
        InFlightDiagnostic error =
            op->emitOpError()
            << "expected constant indices into registers once loops are "
               "unrolled: registers have no addresses";
        error.attachNote(value.getLoc()) << "this index is not a constant";
        return failure();
      }
      known.push_back(*constant);
    }
    return success();
  };
  SmallVector<int64_t> element, offsets;
  auto dynamic = llvm::map_range(
      ref.offsets, [](const DynamicOffset &offset) { return offset.index; });
  if (failed(evaluateAll(indices, element)) ||
      failed(evaluateAll(dynamic, offsets)))
    return failure();
  for (auto [index, extent] : llvm::zip(element, ref.type.getShape()))
    if (index < 0 || index >= extent)
      return op->emitOpError() << "expected an index below the extent "
                               << extent << ", got " << index;
  int64_t number = ref.firstRegister + ref.type.getLayout()
                                           .apply(element, ref.type.getShape())
                                           .get(memoryAxis());
  for (auto [offset, index] : llvm::zip(ref.offsets, offsets))
    number += offset.stride * index;
  int64_t registers = ref.rootType().getStorageElements();
  if (number < 0 || number >= registers)
    return op->emitOpError()
           << "expected a register below " << registers << ", got " << number;
  OpBuilder builder(op);
  return Value(LLVM::GEPOp::create(
      builder, op->getLoc(), LLVM::LLVMPointerType::get(op->getContext()),
      memoryType(ref.type.getElementType()), baseOf(ref),
      ArrayRef<LLVM::GEPArg>{int32_t(number)}));
}

FailureOr<Value> KernelConversion::elementPointer(Operation *op, Value buffer,
                                                  ValueRange indices) {
  auto ref = trace(op, buffer);
  if (failed(ref))
    return failure();
  if (ref->type.isLocal())
    return registerPointer(op, *ref, indices);
  OpBuilder builder(op);
  // 32-bit arithmetic is cheaper, and exact where the whole buffer is smaller.
  bool isSmall = ref->rootType().getStorageBytes() <= INT32_MAX;
  IndexMath math(builder, op->getLoc(),
                 builder.getIntegerType(isSmall ? 32 : 64));
  Value index = emitLinearIndex(math, *ref, indices);
  Value base = baseOf(*ref);
  return Value(LLVM::GEPOp::create(builder, op->getLoc(), base.getType(),
                                   memoryType(ref->type.getElementType()), base,
                                   ArrayRef<LLVM::GEPArg>{index}));
}

LogicalResult KernelConversion::convertLoad(LoadOp op) {
  auto pointer = elementPointer(op, op.getBuffer(), op.getIndices());
  if (failed(pointer))
    return failure();
  OpBuilder builder(op);
  Type type = op.getResult().getType();
  Type access = accessType(type);
  Value loaded = LLVM::LoadOp::create(builder, op.getLoc(), access, *pointer,
                                      accessBytes(access));
  op.getResult().replaceAllUsesWith(
      bitcast(builder, op.getLoc(), loaded, type));
  return success();
}

LogicalResult KernelConversion::convertStore(StoreOp op) {
  auto pointer = elementPointer(op, op.getBuffer(), op.getIndices());
  if (failed(pointer))
    return failure();
  OpBuilder builder(op);
  Type access = accessType(op.getValue().getType());
  Value value = bitcast(builder, op.getLoc(), op.getValue(), access);
  LLVM::StoreOp::create(builder, op.getLoc(), value, *pointer,
                        accessBytes(access));
  return success();
}

LogicalResult KernelConversion::convertPtr(PtrOp op) {
  auto type = cast<BufferType>(op.getBuffer().getType());
  if (!type.isTmem()) {
    auto pointer = elementPointer(op, op.getBuffer(), op.getIndices());
    if (failed(pointer))
      return failure();
    op.getResult().replaceAllUsesWith(*pointer);
    return success();
  }
  auto ref = trace(op, op.getBuffer());
  if (failed(ref))
    return failure();
  OpBuilder builder(op);
  IndexMath math(builder, op.getLoc(), builder.getI32Type());
  Value address =
      math.add(baseOf(*ref), emitTmemOffset(math, *ref, op.getIndices()));
  op.getResult().replaceAllUsesWith(LLVM::IntToPtrOp::create(
      builder, op.getLoc(), op.getResult().getType(), address));
  return success();
}

/// The constant fields and the buffer's address >> 4 in the low 14 bits, which
/// all steps share, plus the constant of the step.
LogicalResult KernelConversion::convertDescriptor(SmemDescriptorOp op) {
  auto type = cast<BufferType>(op.getBuffer().getType());
  SmemOperand operand{type.getLayout(),
                      SmallVector<int64_t, 2>(type.getShape()),
                      unsigned(op.getKDim()), type.getElementBits()};
  auto descriptor = op.getWgmma() ? deriveWgmmaDescriptor(operand)
                                  : deriveTcgen05Descriptor(operand);
  if (!descriptor)
    return op.emitOpError(llvm::toString(descriptor.takeError()));
  auto ref = trace(op, op.getBuffer());
  if (failed(ref))
    return failure();
  // The hardware's pattern follows the address, the layout's the buffer.
  int64_t period = descriptor->requiredAlignment * 8 / type.getElementBits();
  for (const DynamicOffset &offset : ref->offsets)
    if (knownMove(offset, period) != 0)
      return op.emitOpError()
             << "expected dynamic offsets of its buffer in multiples of "
             << period << " elements (" << descriptor->requiredAlignment
             << " bytes, where the pattern of its layout repeats)";
  OpBuilder builder(op);
  Location loc = op.getLoc();
  IndexMath math(builder, loc, builder.getI32Type());
  Value address = LLVM::PtrToIntOp::create(builder, loc, builder.getI32Type(),
                                           baseOf(*ref));
  for (const DynamicOffset &offset : ref->offsets)
    address =
        math.add(address, math.mul(math.cast(offset.index),
                                   offset.stride * type.getElementBits() / 8));
  // Shared memory has less than 2^18 bytes, so neither part carries.
  IndexMath wide(builder, loc, builder.getI64Type());
  Value start = math.bitAnd(math.shiftRight(address, 4), 0x3fff);
  Value bits =
      arith::OrIOp::create(builder, loc, wide.cast(start),
                           wide.constant(int64_t(descriptor->constantBits)));
  bits = arith::AddIOp::create(
      builder, loc, bits,
      wide.constant(descriptor->stepOffset(op.getStep()) / 16));
  op.getDescriptor().replaceAllUsesWith(bits);
  return success();
}

} // namespace tirx
