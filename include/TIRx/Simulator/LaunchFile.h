//===- LaunchFile.h - launch files ------------------------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A launch file says which kernel runs, over which grid, on which buffers, and
// what must come out. This is the file as data; LaunchRunner executes it.
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_SIMULATOR_LAUNCHFILE_H
#define TIRX_SIMULATOR_LAUNCHFILE_H

#include "TIRx/Simulator/DType.h"
#include "TIRx/Simulator/TensorMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <array>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace llvm::json {
class Array;
} // namespace llvm::json

namespace tirx::sim {

/// Element i is low + (splitmix64(seed + i) >> 40) * 2^-24 * (high - low);
/// integer: its floor.
struct RandomFill {
  uint64_t seed = 0;
  double low = 0;
  double high = 1;
  bool integer = false;
};

/// Raw bits that every element is set to.
struct ConstantFill {
  uint64_t bits;
};

struct FileFill {
  std::string path;
};

struct BufferSpec {
  std::string name;
  const DType *type = nullptr;
  std::vector<uint64_t> shape;
  /// monostate: never written.
  std::variant<std::monostate, FileFill, ConstantFill, RandomFill> data;
  std::string out;
  std::string expect;
  std::optional<double> relativeTolerance, absoluteTolerance;
  unsigned device = 0;

  uint64_t count() const;
};

/// One argument, or one field of a struct.
struct ArgSpec {
  enum Kind { Buffer, Scalar, Null, Struct, Bytes, TensorMap } kind = Null;
  /// The key path, for messages: "args[2]".
  std::string where;
  std::string buffer;          ///< Buffer, TensorMap: its name
  int64_t offset = 0;          ///< Buffer, TensorMap: bytes from its start
  const DType *type = nullptr; ///< Scalar
  uint64_t bits = 0;           ///< Scalar
  std::vector<ArgSpec> fields; ///< Struct
  std::string path;            ///< Bytes
  uint64_t align = 0;          ///< Struct, Bytes; 0 is natural
  TensorMapDescription map;    ///< TensorMap; its address is the runner's
  bool mapTypeFromBuffer = false;
};

struct LaunchSpec {
  std::string where; ///< "" or "launches[1]."
  std::string kernel, entry, target;
  std::string models; ///< "": that beside the kernel, if any
  std::optional<std::array<unsigned, 3>> grid, block, cluster;
  std::optional<uint64_t> shared;
  bool cooperative = false; ///< all CTAs are resident at once
  bool pdl = false;         ///< may begin before the launch before it ends
  unsigned device = 0;
  std::vector<ArgSpec> args;
};

struct LaunchFile {
  std::vector<BufferSpec> buffers;
  std::vector<LaunchSpec> launches;
  unsigned devices = 1;

  const BufferSpec *find(llvm::StringRef name) const;
};

/// Parses the text of a launch file. An error names the key; an unknown key
/// comes with the nearest known one. Paths stay as they are written.
llvm::Expected<LaunchFile> parseLaunchFile(llvm::StringRef text);

/// The first output of splitmix64 from state `x`.
uint64_t splitmix64(uint64_t x);

/// The packed elements of a buffer that is filled with a constant or at random.
std::vector<uint8_t> fillBuffer(const BufferSpec &buffer);

/// A tensor map that the compiler added to the parameters of a kernel.
struct HiddenTensorMap {
  /// The key path, for messages: "tensor_maps[0]".
  std::string where;
  /// The number of the parameter whose argument has the tensor, and the bytes
  /// from there to element 0.
  unsigned parameter = 0;
  uint64_t offset = 0;
  TensorMapDescription map; ///< without its address
};

/// Reads `tensor_maps` of K.meta.json: objects as those of launch files, but
/// with the number of a parameter as `of`.
llvm::Expected<std::vector<HiddenTensorMap>>
parseHiddenTensorMaps(const llvm::json::Array &maps, const llvm::Twine &where);

} // namespace tirx::sim

#endif // TIRX_SIMULATOR_LAUNCHFILE_H
