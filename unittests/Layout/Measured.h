//===- Measured.h - cases measured on hardware ------------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_UNITTESTS_LAYOUT_MEASURED_H
#define TIRX_UNITTESTS_LAYOUT_MEASURED_H

#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

namespace tirx::testing {

/// A file of test/data/h200, an object with a list `cases`. An empty object,
/// and a failed test, when it cannot be read.
inline llvm::json::Object readMeasured(llvm::StringRef name) {
  std::string path = (TIRX_TEST_DATA "/h200/" + name).str();
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer) {
    ADD_FAILURE() << path << ": " << buffer.getError().message();
    return {};
  }
  auto value = llvm::json::parse((*buffer)->getBuffer());
  if (!value || !value->getAsObject() ||
      !value->getAsObject()->getArray("cases")) {
    ADD_FAILURE() << path << " is not a file of cases";
    llvm::consumeError(value.takeError());
    return {};
  }
  return *value->getAsObject();
}

inline std::vector<int64_t> toIntegers(const llvm::json::Array *array) {
  std::vector<int64_t> integers;
  for (const llvm::json::Value &value : *array)
    integers.push_back(*value.getAsInteger());
  return integers;
}

} // namespace tirx::testing

#endif // TIRX_UNITTESTS_LAYOUT_MEASURED_H
