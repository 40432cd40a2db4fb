//===- TensorMap.h - what a tensor map says ---------------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tensor map is the opaque 128-byte object that cp.async.bulk.tensor reads.
// This is its description, in the order and with the numbers of the CUDA
// driver's cuTensorMapEncodeTiled, -Im2col and -Im2colWide: dimension 0 is the
// innermost, strides are bytes and begin with dimension 1.
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_SIMULATOR_TENSORMAP_H
#define TIRX_SIMULATOR_TENSORMAP_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include <array>
#include <cstdint>
#include <string>

namespace tirx::sim {

/// CUtensorMapDataType.
enum class TensorMapType : uint8_t {
  U8 = 0,
  U16,
  U32,
  I32,
  U64,
  I64,
  F16,
  F32,
  F64,
  BF16,
  F32Ftz,
  TF32,
  TF32Ftz,
  U4x16Align8,
  U4x16Align16,
  U6x16Align16,
};

/// CUtensorMapInterleave.
enum class TensorMapInterleave : uint8_t { None = 0, B16, B32 };

/// CUtensorMapSwizzle.
enum class TensorMapSwizzle : uint8_t {
  None = 0,
  B32,
  B64,
  B128,
  B128Atom32,
  B128Atom32Flip8,
  B128Atom64,
};

/// CUtensorMapL2promotion.
enum class TensorMapL2 : uint8_t { None = 0, B64, B128, B256 };

/// CUtensorMapFloatOOBfill.
enum class TensorMapFill : uint8_t { Zero = 0, NaN };

/// Which of the driver's functions makes it; of the wide forms, the mode.
enum class TensorMapMode : uint8_t { Tiled, Im2col, Im2colW, Im2colW128 };

struct TensorMapDescription {
  TensorMapMode mode = TensorMapMode::Tiled;
  TensorMapType type = TensorMapType::U8;
  /// The global address of element 0.
  uint64_t address = 0;
  /// Elements; as many as the rank, 1 to 5.
  llvm::SmallVector<uint64_t, 5> dims;
  /// Bytes between neighbours of dimension 1, 2, ...
  llvm::SmallVector<uint64_t, 4> strides;
  /// Tiled: elements of the box before element strides.
  llvm::SmallVector<uint32_t, 5> box;
  /// Im2col: corners of the box of pixels, innermost spatial dimension first
  /// (rank - 2 of them). Wide forms: one, along W.
  llvm::SmallVector<int32_t, 3> lower, upper;
  uint32_t channels = 0; ///< im2col: channelsPerPixel
  uint32_t pixels = 0;   ///< im2col: pixelsPerColumn
  llvm::SmallVector<uint32_t, 5> elementStrides;
  TensorMapInterleave interleave = TensorMapInterleave::None;
  TensorMapSwizzle swizzle = TensorMapSwizzle::None;
  TensorMapL2 l2 = TensorMapL2::None;
  TensorMapFill fill = TensorMapFill::Zero;

  unsigned rank() const { return dims.size(); }
};

/// How elements lie in memory: `elements` of them, the smallest number that
/// fills whole bytes, take so many bytes there.
struct TensorMapPacking {
  unsigned elements, globalBytes, sharedBytes;
};
TensorMapPacking packingOf(TensorMapType type);

/// Bytes of a row of shared memory that a swizzle permutes, 0 for none.
unsigned swizzleSpan(TensorMapSwizzle swizzle);

/// What the driver would refuse, in words; "" when nothing.
std::string checkTensorMap(const TensorMapDescription &map);

/// The 128 bytes of a map in the simulator's own encoding. Only what the driver
/// would encode has one.
inline constexpr unsigned kTensorMapBytes = 128;
llvm::Expected<std::array<uint8_t, kTensorMapBytes>>
encodeTensorMap(const TensorMapDescription &map);

/// Fails when the bytes are no map, or one that the driver would refuse.
llvm::Expected<TensorMapDescription> decodeTensorMap(const uint8_t *bytes);

/// Fields of tensormap.replace (PTX ISA 9.7.9.26).
enum class TensorMapField : uint8_t {
  Address,
  Rank,
  Box,
  Dim,
  Stride,
  ElementStride,
  Type,
  Interleave,
  Swizzle,
  SwizzleAtom,
  Fill,
};

/// Sets a field to a value as the instruction gives it. Returns what is wrong,
/// or "". Whether the fields fit together is decided by the next use.
std::string replaceTensorMapField(uint8_t *bytes, TensorMapField field,
                                  unsigned index, uint64_t value);

} // namespace tirx::sim

#endif // TIRX_SIMULATOR_TENSORMAP_H
