//===- Json.h - JSON that others wrote --------------------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_TOOLS_TIRX_LAYOUT_JSON_H
#define TIRX_TOOLS_TIRX_LAYOUT_JSON_H

#include "Elements.h"
#include "llvm/Support/JSON.h"

namespace tirx::layouttool {

/// Parses JSON of at most 64 levels of nesting: the parser behind it recurses,
/// and text that is only brackets would exhaust its stack.
llvm::Expected<llvm::json::Value> parseJson(llvm::StringRef text);

std::string describe(const llvm::json::Value &value);

// Values of required keys; an error names the key.
llvm::Expected<const llvm::json::Value *>
getKey(const llvm::json::Object &object, llvm::StringRef key);
llvm::Expected<const llvm::json::Object *>
getObject(const llvm::json::Object &object, llvm::StringRef key);
llvm::Expected<int64_t> getInteger(const llvm::json::Object &object,
                                   llvm::StringRef key);
/// A number written as an integer or as a string such as "0x10".
llvm::Expected<uint64_t> getBits(const llvm::json::Object &object,
                                 llvm::StringRef key);
llvm::Expected<llvm::SmallVector<int64_t>>
toIntegers(const llvm::json::Value &value, llvm::StringRef what);
llvm::Expected<llvm::SmallVector<int64_t>>
getIntegers(const llvm::json::Object &object, llvm::StringRef key);
/// A layout as text, or as an object that has it at `text`.
llvm::Expected<Layout> toLayout(const llvm::json::Value &value);
llvm::Expected<Layout> getLayout(const llvm::json::Object &object,
                                 llvm::StringRef key);

} // namespace tirx::layouttool

#endif // TIRX_TOOLS_TIRX_LAYOUT_JSON_H
