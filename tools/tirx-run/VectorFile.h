//===- VectorFile.h - measured vectors --------------------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A family of measured vectors: NAME.json has `arrays` (name to dtype as NumPy
// writes it, shape and byte offset) and `cases`; NAME.bin or NAME.bin.xz holds
// the arrays one after the other, little-endian.
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_TOOLS_TIRX_RUN_VECTORFILE_H
#define TIRX_TOOLS_TIRX_RUN_VECTORFILE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <string>
#include <vector>

namespace tirx {

struct VectorArray {
  unsigned elementBytes = 1;
  llvm::SmallVector<uint64_t, 4> shape;
  llvm::ArrayRef<uint8_t> data;

  uint64_t count() const { return data.size() / elementBytes; }
  uint64_t at(uint64_t index) const;
};

class VectorFile {
public:
  /// Reads the family whose description is at `path`.
  static llvm::Expected<VectorFile> load(llvm::StringRef path);

  const llvm::json::Array &cases() const;
  llvm::Expected<VectorArray> array(llvm::StringRef name) const;

private:
  llvm::json::Value index = nullptr;
  std::vector<uint8_t> bytes;
};

} // namespace tirx

#endif // TIRX_TOOLS_TIRX_RUN_VECTORFILE_H
