//===- TensorMap.h - copies by tensor map -----------------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// cp.async.bulk.tensor copies a box of a tensor in global memory to or from
// shared memory, where the box lies dense, its first dimension fastest, under a
// swizzle of the absolute address; with a swizzle, rows begin at its width even
// where they are shorter (measured on an H200). What tensor and box are stands
// in a tensor map (PTX ISA, "Tensors"; CUDA driver API,
// cuTensorMapEncodeTiled).
//
// Here a copy between two layouts becomes a tensor map and the loops of copies
// that it takes, or a reason in words why none exists.
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_LAYOUT_TENSORMAP_H
#define TIRX_LAYOUT_TENSORMAP_H

#include "TIRx/Layout/Descriptors.h"

namespace tirx {

/// One step of a dimension of a tensor in global memory. What is not known
/// before the kernel runs is nullopt.
struct GlobalIter {
  std::optional<int64_t> extent;
  /// In elements.
  std::optional<int64_t> stride;
};

/// A tensor in global memory. Each dimension has its iters, outermost first;
/// only the outermost extent may be unknown.
struct GlobalTensor {
  llvm::SmallVector<llvm::SmallVector<GlobalIter, 2>, 5> dims;
  unsigned elementBits = 16;
  /// Alignment of element 0 in bytes.
  int64_t baseAlignment = 16;

  /// A tensor of one stride a dimension. Fails when the lists differ in length.
  static llvm::Expected<GlobalTensor>
  get(llvm::ArrayRef<std::optional<int64_t>> sizes,
      llvm::ArrayRef<std::optional<int64_t>> strides, unsigned elementBits);
  /// A layout on `m`, without swizzle, replicas and offset.
  static llvm::Expected<GlobalTensor> get(const Layout &layout,
                                          llvm::ArrayRef<int64_t> shape,
                                          unsigned elementBits);
};

/// A region of a tensor, and where it is in shared memory.
struct TensorCopyRequest {
  GlobalTensor global;
  /// Maps the region, row-major, to elements of shared memory on `m`.
  Layout shared;
  llvm::SmallVector<int64_t, 5> region;
  /// 4- and 6-bit elements that take 16 bytes of shared memory for 16 of them
  /// (16U4_ALIGN16B, 16U6_ALIGN16B): `shared` counts bytes then. Elements of 4
  /// bits that are not padded are dense in both (16U4_ALIGN8B).
  bool padded = false;
};

/// A part of a coordinate: digit (offset[dim] / divisor) % modulus of the
/// region's offset along a dimension of the tensor, times factor. Modulus 0 is
/// none.
struct CoordinateTerm {
  unsigned dim = 0;
  int64_t divisor = 1;
  int64_t modulus = 0;
  int64_t factor = 1;
};

/// A dimension of a tensor map.
struct TensorMapDim {
  /// Elements; nullopt when known only at run time.
  std::optional<int64_t> size;
  /// Bytes; of dimension 0, the size of an element, rounded up.
  std::optional<int64_t> stride;
  int64_t box = 1;
  /// The coordinate of the first copy is the sum of these.
  llvm::SmallVector<CoordinateTerm, 2> terms;
};

/// A loop around the copy. Each turn adds to one coordinate and to the address
/// in shared memory.
struct TensorCopyLoop {
  int64_t count = 1;
  unsigned dim = 0;
  int64_t coordinateStep = 0;
  int64_t sharedStep = 0; // Bytes.
};

/// A tensor map and the copies that move the region with it. All element
/// strides are 1 and there is no interleave.
struct TensorCopyPlan {
  /// 1 to 5, innermost first.
  llvm::SmallVector<TensorMapDim, 5> dims;
  SwizzleMode swizzle = SwizzleMode::None;
  /// Outermost first; no loop when one copy moves all.
  llvm::SmallVector<TensorCopyLoop, 4> loops;
  /// Bytes from the buffer's base to where the first copy goes.
  int64_t sharedOffset = 0;
  /// Bytes in shared memory of one copy: what a barrier expects of each.
  int64_t bytes = 0;
  /// The alignment in bytes that the base of the shared buffer must have.
  int64_t sharedAlignment = 128;
  /// For each dimension of the tensor, what the region's offset must be a
  /// multiple of: blocks must not be straddled, and the first coordinate counts
  /// whole 16 bytes.
  llvm::SmallVector<int64_t, 5> offsetMultiples;

  int64_t getNumCopies() const;
};

/// How to copy a region, in boxes as large as the hardware's limits allow and
/// with the swizzle that needs the fewest copies of those that agree with the
/// shared layout. Limits: rank 1 to 5,
/// sizes up to 2^32, strides multiples of 16 bytes below 2^40, boxes of 1 to
/// 256 elements a dimension whose rows are multiples of 16 bytes and no longer
/// than the swizzle, shared addresses on 128 bytes or the swizzle's period.
/// Dimensions of one extent are left out; above rank 5, dimensions whose
/// strides continue each other are merged. The region may exceed the tensor
/// only along dimensions of unknown size.
llvm::Expected<TensorCopyPlan> planTensorCopy(const TensorCopyRequest &request);

} // namespace tirx

#endif // TIRX_LAYOUT_TENSORMAP_H
