//===- Npy.h - NumPy .npy files ---------------------------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_SIMULATOR_NPY_H
#define TIRX_SIMULATOR_NPY_H

#include "TIRx/Simulator/DType.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <vector>

namespace tirx::sim {

/// An array as it stands in a file: little-endian, row-major.
struct NpyArray {
  /// The type code without byte order: "f4", "u2", "i8", "b1", "V2".
  std::string code;
  std::vector<uint64_t> shape;
  std::vector<uint8_t> data;

  uint64_t itemSize() const;
  uint64_t count() const;
};

/// Whether the bytes begin like an .npy file.
bool isNpy(llvm::StringRef bytes);

/// Reads versions 1 to 3, either memory order. Refuses big-endian and
/// structured types, and sizes that do not match the data.
llvm::Expected<NpyArray> parseNpy(llvm::StringRef bytes);

/// Writes version 1.0.
std::string printNpy(const NpyArray &array);

/// The code that `type` has in a file: its own where NumPy has the type, else
/// the unsigned integer that holds its bits.
std::string npyCode(const DType &type);

} // namespace tirx::sim

#endif // TIRX_SIMULATOR_NPY_H
