//===- Vectors.cpp - measured vectors on the simulator --------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Vectors.h"
#include "TIRx/Simulator/Simulator.h"
#include "VectorFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include <cstring>

using namespace tirx;
namespace json = llvm::json;

static const char kHeader[] = ".version 9.0\n.target sm_90a\n"
                              ".address_size 64\n";

namespace {

/// Arrays in, one array out, on the simulator.
struct Launch {
  std::string ptx;
  unsigned blocks = 1, threads = 32;
  std::vector<VectorArray> inputs;
  uint64_t outputBytes = 0;
};

/// What a case lacks to pass; "" when nothing.
using CaseFn = std::string (*)(const VectorFile &file,
                               const json::Object &entry);

} // namespace

static std::string take(llvm::Error error) {
  return llvm::toString(std::move(error));
}

/// The output bytes; zero where nothing was stored.
static llvm::Expected<std::vector<uint8_t>> run(const Launch &launch) {
  auto module = sim::Module::load(launch.ptx, "case.ptx");
  if (!module)
    return module.takeError();
  sim::Simulator simulator;
  sim::LaunchParameters parameters;
  parameters.grid = {launch.blocks, 1, 1};
  parameters.block = {launch.threads, 1, 1};
  sim::Allocation *last = nullptr;
  auto place = [&](const uint8_t *data, uint64_t bytes) -> llvm::Error {
    auto allocation = simulator.getMemory().allocate("array", bytes);
    if (!allocation)
      return allocation.takeError();
    last = *allocation;
    if (data)
      std::memcpy(last->store.data(), data, bytes);
    else
      std::memset(last->store.data(), 0, bytes);
    last->store.markAllWritten();
    for (unsigned i = 0; i < 8; ++i)
      parameters.arguments.push_back(last->base >> (8 * i));
    return llvm::Error::success();
  };
  for (const VectorArray &input : launch.inputs)
    if (auto error = place(input.data.data(), input.data.size()))
      return std::move(error);
  if (auto error = place(nullptr, launch.outputBytes))
    return std::move(error);
  if (auto error = simulator.launch(**module, parameters))
    return std::move(error);
  for (const sim::Report &report : simulator.getLog().getReports())
    if (report.severity == sim::Severity::Error)
      return llvm::createStringError(report.message);
  return std::vector<uint8_t>(last->store.data(),
                              last->store.data() + last->size());
}

static std::string compare(const std::vector<uint8_t> &got,
                           const VectorArray &want) {
  uint64_t differ = 0;
  std::string first;
  VectorArray ours = want;
  ours.data = got;
  for (uint64_t i = 0; i < want.count(); ++i)
    if (ours.at(i) != want.at(i) && differ++ == 0)
      first = llvm::formatv("element {0}: expected {1:x}, got {2:x}", i,
                            want.at(i), ours.at(i))
                  .str();
  return differ ? llvm::formatv("{0} of {1} differ, first {2}", differ,
                                want.count(), first)
                      .str()
                : "";
}

/// The beginning of an entry whose parameters are `count` pointers, in %p0, ...
static std::string openEntry(unsigned count) {
  std::string text = kHeader + std::string(".visible .entry k(");
  for (unsigned i = 0; i < count; ++i)
    text += llvm::formatv("{0}.param .u64 a{1}", i ? ", " : "", i).str();
  text += ")\n{\n.reg .b64 %p<16>; .reg .b64 %at; .reg .b32 %x<4>;\n"
          ".reg .pred %out, %q;\n";
  for (unsigned i = 0; i < count; ++i)
    text += llvm::formatv("ld.param.u64 %p{0}, [a{0}];\n", i).str();
  return text;
}

//===----------------------------------------------------------------------===//
// scalar: out[i] = ptx(in_0[i], in_1[i], ...)
//===----------------------------------------------------------------------===//

static std::string runScalar(const VectorFile &file,
                             const json::Object &entry) {
  auto ptx = entry.getString("ptx"), inputs = entry.getString("inputs"),
       out = entry.getString("out"), type = entry.getString("dst");
  const json::Array *sources = entry.getArray("src");
  if (!ptx || !inputs || !out || !type || !sources || sources->size() > 8)
    return "expected 'ptx', 'dst', 'src', 'inputs' and 'out'";
  auto want = file.array(*out);
  if (!want)
    return take(want.takeError());
  Launch launch;
  uint64_t count = want->count();
  if (!count || count > 1 << 24)
    return "expected 1 to 2^24 elements";
  launch.threads = 256;
  launch.blocks = (count + 255) / 256;
  launch.outputBytes = want->data.size();
  std::string body, list;
  for (unsigned n = 0; n < sources->size(); ++n) {
    auto array = file.array((*inputs + llvm::Twine(n)).str());
    if (!array)
      return take(array.takeError());
    if (array->count() != count)
      return "expected inputs and results of one length";
    body += llvm::formatv(".reg .b{0} %s{1}; mad.wide.u32 %at, %x0, {2}, %p{1};"
                          " ld.global.b{0} %s{1}, [%at];\n",
                          array->elementBytes * 8, n, array->elementBytes)
                .str();
    list += ", %s" + std::to_string(n);
    launch.inputs.push_back(*array);
  }
  if (auto immediate = entry.getString("imm"))
    list += ", " + immediate->str();
  bool isPredicate = *type == "pred";
  unsigned bytes = want->elementBytes;
  if (!isPredicate)
    body += llvm::formatv(".reg .b{0} %d;\n", bytes * 8).str();
  body += (*ptx + (isPredicate ? " %out" : " %d") + list + ";\n").str();
  if (isPredicate)
    body += llvm::formatv(".reg .b{0} %d; selp.b{0} %d, 1, 0, %out;\n",
                          std::max(16u, bytes * 8))
                .str();
  launch.ptx =
      openEntry(sources->size() + 1) +
      llvm::formatv("mov.u32 %x0, %ctaid.x; mov.u32 %x1, %tid.x; mad.lo.u32 "
                    "%x0, %x0, 256, %x1; setp.ge.u32 %q, %x0, {0}; @%q exit;\n",
                    count)
          .str() +
      body +
      llvm::formatv("mad.wide.u32 %at, %x0, {0}, %p{1}; st.global.b{2} [%at], "
                    "%d;\nret;\n}\n",
                    bytes, sources->size(), bytes * 8)
          .str();
  auto got = run(launch);
  return got ? compare(*got, *want) : take(got.takeError());
}

//===----------------------------------------------------------------------===//
// warp: out (warp, lane, result) of in (warp, lane, operand)
//===----------------------------------------------------------------------===//

/// `%3` in a text becomes the fourth name; unknown numbers stay.
static std::string substitute(llvm::StringRef text,
                              llvm::ArrayRef<std::string> names) {
  std::string result;
  while (!text.empty()) {
    unsigned number;
    llvm::StringRef rest = text.drop_front();
    if (text.front() == '%' && !rest.consumeInteger(10, number) &&
        number < names.size()) {
      result += names[number];
      text = rest;
      continue;
    }
    result += text.front();
    text = text.drop_front();
  }
  return result;
}

static std::string runWarp(const VectorFile &file, const json::Object &entry) {
  auto key = entry.getString("key"), ptx = entry.getString("ptx"),
       active = entry.getString("active");
  uint32_t mask;
  if (!key || !ptx || !active || active->getAsInteger(16, mask))
    return "expected 'key', 'ptx' and 'active'";
  auto in = file.array((*key + "_in").str());
  if (!in)
    return take(in.takeError());
  auto want = file.array((*key + "_out").str());
  if (!want)
    return take(want.takeError());
  if (in->shape.size() != 3 || want->shape.size() != 3 ||
      in->shape[0] != want->shape[0] || in->shape[1] != 32 ||
      want->shape[1] != 32 || !in->shape[0] || in->shape[0] > 1 << 16 ||
      in->shape[2] > 8 || want->shape[2] > 8 || in->elementBytes != 4 ||
      want->elementBytes != 4)
    return "expected words of shape (warps, 32, at most 8)";
  unsigned operands = in->shape[2], results = want->shape[2];
  std::vector<std::string> names;
  std::string loads, stores;
  for (unsigned n = 0; n < results; ++n) {
    names.push_back("%d" + std::to_string(n));
    stores +=
        llvm::formatv("st.global.b32 [%at+{0}], %d{1};\n", n * 4, n).str();
  }
  for (unsigned n = 0; n < operands; ++n) {
    names.push_back("%s" + std::to_string(n));
    loads += llvm::formatv("ld.global.b32 %s{1}, [%at+{0}];\n", n * 4, n).str();
  }
  names.push_back("0x" + llvm::utohexstr(mask));
  Launch launch;
  launch.blocks = in->shape[0];
  launch.inputs.push_back(*in);
  launch.outputBytes = want->data.size();
  launch.ptx =
      openEntry(2) + ".reg .b32 %d<8>; .reg .b32 %s<8>;\n" +
      llvm::formatv("mov.u32 %x1, %tid.x; shr.u32 %x2, {0}, %x1; and.b32 %x2, "
                    "%x2, 1; setp.eq.u32 %q, %x2, 0; @%q exit;\nmov.u32 %x0, "
                    "%ctaid.x; mad.lo.u32 %x0, %x0, 32, %x1;\nmad.wide.u32 "
                    "%at, %x0, {1}, %p0;\n",
                    mask, operands * 4)
          .str() +
      loads + substitute(*ptx, names) +
      llvm::formatv("\nmad.wide.u32 %at, %x0, {0}, %p1;\n", results * 4).str() +
      stores + "ret;\n}\n";
  auto got = run(launch);
  return got ? compare(*got, *want) : take(got.takeError());
}

//===----------------------------------------------------------------------===//
// Folders
//===----------------------------------------------------------------------===//

static CaseFn runnerOf(llvm::StringRef family) {
  return family == "scalar" ? runScalar : family == "warp" ? runWarp : nullptr;
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
