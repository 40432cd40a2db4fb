//===- Common.h - what the C API is made of ---------------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_LIB_CAPI_COMMON_H
#define TIRX_LIB_CAPI_COMMON_H

#include "TIRx-c/TIRx.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <memory>
#include <string>

struct TirxResult {
  bool succeeded = true;
  llvm::StringMap<std::string> parts;

  void set(llvm::StringRef part, std::string text) {
    parts[part] = std::move(text);
  }
  void setJson(llvm::StringRef part, const llvm::json::Value &value) {
    llvm::raw_string_ostream(parts[part]) << value;
  }
};

namespace tirx::capi {

inline llvm::StringRef toRef(TirxString text) {
  return llvm::StringRef(text.data, text.data ? text.length : 0);
}

/// A result that has failed with the text of an error.
inline TirxResult *fail(llvm::Error error) {
  auto *result = new TirxResult;
  result->succeeded = false;
  result->set("error", llvm::toString(std::move(error)));
  return result;
}

/// The options of a call: a JSON object; an empty text is an empty object.
inline llvm::Expected<llvm::json::Object> parseOptions(TirxString text) {
  llvm::StringRef ref = toRef(text);
  if (ref.trim().empty())
    return llvm::json::Object();
  auto value = llvm::json::parse(ref);
  if (!value)
    return value.takeError();
  if (llvm::json::Object *object = value->getAsObject())
    return std::move(*object);
  return llvm::createStringError("options: expected a JSON object");
}

} // namespace tirx::capi

#endif // TIRX_LIB_CAPI_COMMON_H
