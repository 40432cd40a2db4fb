//===- LaunchJson.h - reads keys of launch files ----------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_LIB_SIMULATOR_LAUNCHJSON_H
#define TIRX_LIB_SIMULATOR_LAUNCHJSON_H

#include "TIRx/Simulator/LaunchFile.h"
#include "llvm/Support/JSON.h"

namespace tirx::sim::launch {

namespace json = llvm::json;

llvm::Error fail(const llvm::Twine &where, const llvm::Twine &message);
/// A value as text, cut when it is long.
std::string describe(const json::Value &value);
llvm::Error expected(const llvm::Twine &where, const llvm::Twine &what,
                     const json::Value &got);

/// An error for the first key of `object` that is not in `known`.
llvm::Error checkKeys(const json::Object &object,
                      llvm::ArrayRef<llvm::StringRef> known,
                      const llvm::Twine &where);
// These leave the result as it is when the key is absent.
llvm::Error readString(const json::Object &object, llvm::StringRef key,
                       const llvm::Twine &where, std::string &result);
llvm::Error readFlag(const json::Object &object, llvm::StringRef key,
                     const llvm::Twine &where, bool &result);
llvm::Error readTolerance(const json::Object &object, llvm::StringRef key,
                          const llvm::Twine &where,
                          std::optional<double> &result);
/// One to three extents, missing ones being 1.
llvm::Error readExtents(const json::Object &object, llvm::StringRef key,
                        const llvm::Twine &where,
                        std::array<uint64_t, 3> limits,
                        std::optional<std::array<unsigned, 3>> &result);

llvm::Error readUnsigned(const json::Value &value, const llvm::Twine &where,
                         uint64_t low, uint64_t high, uint64_t &result);

/// {"tensormap": {...}}
llvm::Error parseTensorMap(const json::Value &value, const std::string &where,
                           ArgSpec &arg);
/// What depends on the buffer: its type where the map names none.
llvm::Error completeTensorMap(const LaunchFile &file, ArgSpec &arg);

} // namespace tirx::sim::launch

#endif // TIRX_LIB_SIMULATOR_LAUNCHJSON_H
