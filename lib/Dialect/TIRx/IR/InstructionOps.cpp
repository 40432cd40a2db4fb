//===- InstructionOps.cpp - verifiers of accesses and addresses -----------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TIRx/Layout/Algebra.h"
#include "TIRx/Layout/Descriptors.h"
#include "VerifierUtils.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tirx;

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

/// `access` is the element type or a vector of it that lies side by side.
static LogicalResult verifyAccessType(Operation *op, BufferType buffer,
                                      std::optional<uint32_t> dim, Type access,
                                      StringRef name) {
  // (load_c2) (store_c2)
  if (access == buffer.getElementType())
    return success();
  auto vector = dyn_cast<VectorType>(access);
  if (!vector || vector.getRank() != 1 || vector.isScalable() ||
      vector.getElementType() != buffer.getElementType())
    return op->emitOpError("expected ")
           << name << " to be " << buffer.getElementType()
           << " or a vector of it of rank 1, got " << access;
  // (load_c3) (store_c3)
  int64_t length = vector.getNumElements();
  if (!llvm::isPowerOf2_64(length))
    return op->emitOpError("expected a vector whose length is a power of two, "
                           "got ")
           << length;
  if (length == 1)
    return success();
  if (buffer.getRank() == 0)
    return op->emitOpError(
        "expected a buffer with a dimension to read or write "
        "a vector along, got rank 0");
  int64_t width = getVectorWidth(buffer.getLayout(), buffer.getShape(),
                                 dim.value_or(buffer.getRank() - 1), length);
  if (width < length)
    return op->emitOpError("expected ")
           << length << " elements along "
           << (dim ? "dimension " + std::to_string(*dim)
                   : std::string("the last dimension"))
           << " to lie side by side at their natural alignment, got a layout "
              "with runs of "
           << width;
  return success();
}

/// What load and store have in common.
static LogicalResult verifyAccess(Operation *op, BufferType buffer,
                                  size_t indices, std::optional<uint32_t> dim,
                                  Type access, StringRef name) {
  // (load_c1) (store_c1)
  if (failed(verifier::verifyIndexCount(op, buffer, indices)))
    return failure();
  // (load_c4) (store_c4)
  if (buffer.isTmem())
    return op->emitOpError("expected a buffer in global, shared or local "
                           "memory, got tmem");
  if (hasThreadAxes(buffer.getLayout()))
    return op->emitOpError("expected a buffer without thread axes, got ")
           << buffer << ": take a local_view of what one thread holds";
  // (load_c5) (store_c5)
  if (dim && *dim >= size_t(buffer.getRank()))
    return op->emitOpError("expected dim below the rank ")
           << buffer.getRank() << ", got " << int32_t(*dim);
  return verifyAccessType(op, buffer, dim, access, name);
}

LogicalResult LoadOp::verify() {
  return verifyAccess(*this, getBuffer().getType(), getIndices().size(),
                      getDim(), getResult().getType(), "the result");
}

LogicalResult StoreOp::verify() {
  return verifyAccess(*this, getBuffer().getType(), getIndices().size(),
                      getDim(), getValue().getType(), "the value");
}

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

/// The NVPTX address space of a memory space; no value for registers.
static std::optional<unsigned> addressSpaceOf(MemorySpace space) {
  switch (space) {
  case MemorySpace::Global:
    return 1;
  case MemorySpace::Shared:
    return 3;
  case MemorySpace::Tmem:
    return 6;
  case MemorySpace::Local:
    return std::nullopt;
  }
  llvm_unreachable("unknown memory space");
}

LogicalResult PtrOp::verify() {
  BufferType buffer = getBuffer().getType();
  // (ptr_c1)
  if (failed(verifier::verifyIndexCount(*this, buffer, getIndices().size())))
    return failure();
  // (ptr_c2)
  std::optional<unsigned> expected = addressSpaceOf(buffer.getMemorySpace());
  if (!expected)
    return emitOpError("expected a buffer in global, shared or tensor memory, "
                       "got local: registers have no address");
  unsigned space =
      cast<LLVM::LLVMPointerType>(getResult().getType()).getAddressSpace();
  if (space != *expected)
    return emitOpError("expected a pointer in address space ")
           << *expected << ", that of "
           << stringifyMemorySpace(buffer.getMemorySpace()) << ", got "
           << space;
  return success();
}

LogicalResult SmemDescriptorOp::verify() {
  BufferType buffer = getBuffer().getType();
  // (smem_descriptor_c1)
  if (buffer.getRank() != 2)
    return emitOpError("expected a buffer of rank 2, got rank ")
           << buffer.getRank();
  int64_t kDim = static_cast<int32_t>(getKDim());
  if (kDim != 0 && kDim != 1)
    return emitOpError("expected k_dim 0 or 1, got ") << kDim;
  // (smem_descriptor_c2)
  SmemOperand operand{buffer.getLayout(),
                      SmallVector<int64_t, 2>(buffer.getShape()),
                      unsigned(kDim), buffer.getElementBits()};
  llvm::Expected<SmemDescriptor> descriptor =
      getWgmma() ? deriveWgmmaDescriptor(operand)
                 : deriveTcgen05Descriptor(operand);
  if (!descriptor)
    return emitOpError("expected a layout that a ")
           << (getWgmma() ? "wgmma" : "tcgen05") << " descriptor expresses: "
           << llvm::toString(descriptor.takeError());
  // (smem_descriptor_c3)
  int64_t step = static_cast<int32_t>(getStep());
  int64_t steps = descriptor->numSteps();
  if (step < 0 || step >= steps)
    return emitOpError("expected step to be 0 to ")
           << steps - 1 << " (" << steps << " instructions along K), got "
           << step;
  return success();
}
