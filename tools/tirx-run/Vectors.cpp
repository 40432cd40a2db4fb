//===- Vectors.cpp - measured vectors on the simulator --------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Vectors.h"
#include "VectorLaunch.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace tirx;
namespace json = llvm::json;

/// What a case lacks to pass; "" when nothing.
using CaseFn = std::string (*)(const VectorFile &file,
                               const json::Object &entry);

static CaseFn runnerOf(llvm::StringRef family) {
  return llvm::StringSwitch<CaseFn>(family)
      .Case("reduce", runReduceVectors)
      .Case("matrix", runMatrixVectors)
      .Case("scalar", runScalarVectors)
      .Case("tensor_core", runTensorCoreVectors)
      .Case("tma", runTmaVectors)
      .Case("warp", runWarpVectors)
      .Case("wgmma_layout", runWgmmaLayoutVectors)
      .Default(nullptr);
}

static std::string nameOf(const json::Object &entry) {
  auto key = entry.getString("key");
  return (key ? *key : entry.getString("ptx").value_or("case")).str();
}

namespace {
struct Totals {
  uint64_t passed = 0, failed = 0;
};
} // namespace

static llvm::Error runFamily(llvm::StringRef path, llvm::raw_ostream &os,
                             Totals &totals) {
  llvm::StringRef family = llvm::sys::path::stem(path);
  auto file = VectorFile::load(path);
  if (!file)
    return file.takeError();
  CaseFn runCase = runnerOf(family);
  if (!runCase) {
    os << family << ": " << file->cases().size()
       << " cases not run: there is no runner for this family\n";
    return llvm::Error::success();
  }
  Totals own;
  for (const json::Value &value : file->cases()) {
    const json::Object *entry = value.getAsObject();
    std::string problem = entry ? runCase(*file, *entry) : "expected an object";
    if (!llvm::StringRef(problem).starts_with(kNotRun))
      ++(problem.empty() ? own.passed : own.failed);
    if (!problem.empty())
      os << family << ": " << (entry ? nameOf(*entry) : "case") << ": "
         << llvm::StringRef(problem).take_until(
                [](char c) { return c == '\n'; })
         << '\n';
  }
  os << family << ": " << own.passed << " passed, " << own.failed
     << " failed\n";
  totals.passed += own.passed;
  totals.failed += own.failed;
  return llvm::Error::success();
}

llvm::Expected<uint64_t> tirx::runVectors(llvm::StringRef folder,
                                          llvm::raw_ostream &os) {
  std::vector<std::string> paths;
  std::error_code code;
  for (llvm::sys::fs::directory_iterator it(folder, code), end;
       it != end && !code; it.increment(code)) {
    llvm::StringRef path = it->path();
    llvm::SmallString<128> data(path);
    llvm::sys::path::replace_extension(data, "bin");
    if (path.ends_with(".json") &&
        (llvm::sys::fs::exists(data) || llvm::sys::fs::exists(data + ".xz")))
      paths.push_back(path.str());
  }
  if (code)
    return llvm::createStringError("cannot read '" + folder +
                                   "': " + code.message());
  if (paths.empty())
    return llvm::createStringError("expected NAME.json beside NAME.bin or "
                                   "NAME.bin.xz in '" +
                                   folder + "', got none");
  llvm::sort(paths);
  Totals totals;
  for (const std::string &path : paths)
    if (auto error = runFamily(path, os, totals))
      return std::move(error);
  os << totals.passed << " passed, " << totals.failed << " failed\n";
  return totals.failed;
}
