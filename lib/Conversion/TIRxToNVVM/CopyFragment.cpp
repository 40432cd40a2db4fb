//===- CopyFragment.cpp - copy between memory and a spread tile
//-------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each thread moves the registers that it holds of a tile; which elements these
// are follows from its ids. Registers that hold neighbours, where memory has
// them side by side too, move as vectors.
//
//===----------------------------------------------------------------------===//

#include "BufferRef.h"
#include "Fragment.h"
#include "TileIndex.h"
#include "Variants.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include <numeric>

using namespace mlir;

namespace tirx {

/// Bytes of the widest vector load and store.
static constexpr int64_t kMaxVectorBytes = 16;

namespace {
/// The two sides of a copy, and how it is cut.
struct FragmentCopy {
  Value memory, registers;
  bool toMemory;
  Fragment fragment;
  /// The dimension of `registers`, and that of `memory`, along which vectors
  /// lie.
  unsigned dim = 0, memoryDim = 0;
  int64_t vector = 1;
};

class CopyFragment : public DispatchVariant {
public:
  CopyFragment() : DispatchVariant("tirx.copy", "fragment", 0) {}
  LogicalResult match(Operation *op, const DispatchContext &context,
                      Reasons &reasons) const override;
  std::string lower(Operation *op, const DispatchContext &context,
                    OpBuilder &builder) const override;
};
} // namespace

static BufferType typeOf(Value buffer) {
  return cast<BufferType>(buffer.getType());
}

static bool isSpread(Value buffer) {
  return typeOf(buffer).isLocal() && hasThreadAxes(typeOf(buffer).getLayout());
}

/// The widest vector along a dimension of memory that its layout and dynamic
/// offsets keep aligned.
static int64_t memoryVector(const BufferRef &ref, unsigned dim) {
  int64_t bytes = ref.type.getElementBits() / 8;
  int64_t width = getVectorWidth(ref.type.getLayout(), ref.type.getShape(), dim,
                                 kMaxVectorBytes / bytes);
  for (const DynamicOffset &offset : ref.offsets)
    width = std::gcd(width, knownMove(offset, width));
  return width;
}

static FailureOr<FragmentCopy>
planCopy(CopyOp op, const DispatchContext &context, Reasons &reasons) {
  bool toMemory = isSpread(op.getSrc());
  Value registers = toMemory ? op.getSrc() : op.getDst();
  Value memory = toMemory ? op.getDst() : op.getSrc();
  std::string why;
  auto ref = traceBuffer(memory, why);
  if (failed(ref))
    return reasons.decline(memory, (toMemory ? "dst: " : "src: ") + why);
  auto fragment = Fragment::get(registers, toMemory ? "src" : "dst",
                                op.getScope(), context, reasons);
  if (failed(fragment))
    return failure();
  FragmentCopy copy{memory, registers, toMemory, *fragment};
  SmallVector<unsigned> own = realDims(typeOf(registers).getShape());
  SmallVector<unsigned> others = realDims(typeOf(memory).getShape());
  for (auto [dim, other] : llvm::zip_equal(own, others)) {
    int64_t vector = copy.fragment.getVector(dim, memoryVector(*ref, other));
    if (vector <= copy.vector && dim != own.front())
      continue;
    copy.dim = dim;
    copy.memoryDim = other;
    copy.vector = vector;
  }
  return copy;
}

LogicalResult CopyFragment::match(Operation *op, const DispatchContext &context,
                                  Reasons &reasons) const {
  auto copy = cast<CopyOp>(op);
  bool dst = isSpread(copy.getDst()), src = isSpread(copy.getSrc());
  if (dst == src)
    return reasons.decline(op, dst ? "expected one operand in memory, got both "
                                     "in registers"
                                   : "expected one operand spread over the "
                                     "registers of several threads, got none");
  Value memory = dst ? copy.getSrc() : copy.getDst();
  if (typeOf(memory).isLocal())
    return reasons.decline(memory, "expected the other operand in global or "
                                   "shared memory, got local");
  return planCopy(copy, context, reasons);
}

static void emitRegister(OpBuilder &builder, Location loc,
                         const FragmentCopy &copy, Value row,
                         ArrayRef<Value> base, const Fragment::Register &reg) {
  IndexMath math(builder, loc, builder.getIndexType());
  SmallVector<Value> real;
  for (unsigned dim : realDims(typeOf(copy.registers).getShape()))
    real.push_back(math.add(base[dim], math.constant(reg.indices[dim])));
  BufferType type = typeOf(copy.memory);
  SmallVector<Value> place = spreadIndices(math, type.getShape(), real);
  IntegerAttr dim;
  if (copy.vector > 1 && copy.memoryDim + 1 != type.getRank())
    dim = builder.getI32IntegerAttr(copy.memoryDim);
  Type access = accessOf(type.getElementType(), copy.vector);
  Value number = math.constant(reg.number);
  if (copy.toMemory) {
    Value value = LoadOp::create(builder, loc, access, row, number);
    StoreOp::create(builder, loc, value, copy.memory, place, dim);
  } else {
    Value value = LoadOp::create(builder, loc, access, copy.memory, place, dim);
    StoreOp::create(builder, loc, value, row, number);
  }
}

std::string CopyFragment::lower(Operation *op, const DispatchContext &context,
                                OpBuilder &builder) const {
  Reasons none;
  FragmentCopy copy = *planCopy(cast<CopyOp>(op), context, none);
  Location loc = op->getLoc();
  SmallVector<Fragment::Register> registers =
      copy.fragment.getRegisters(copy.dim, copy.vector);
  Value row = copy.fragment.getRow(builder, loc);
  SmallVector<Value> base = copy.fragment.threadIndices(builder, loc);
  Value guard = copy.fragment.holdsElements(builder, loc, copy.toMemory);
  auto emitAll = [&](OpBuilder &inside) {
    for (const Fragment::Register &reg : registers)
      emitRegister(inside, loc, copy, row, base, reg);
  };
  if (!guard)
    emitAll(builder);
  else
    scf::IfOp::create(builder, loc, guard, [&](OpBuilder &then, Location) {
      emitAll(then);
      scf::YieldOp::create(then, loc);
    });
  int64_t bytes = copy.vector * typeOf(copy.memory).getElementBits() / 8;
  return std::to_string(registers.size()) +
         (registers.size() == 1 ? " vector of " : " vectors of ") +
         std::to_string(bytes) + " bytes a thread";
}

std::unique_ptr<DispatchVariant> createCopyFragment() {
  return std::make_unique<CopyFragment>();
}

} // namespace tirx
