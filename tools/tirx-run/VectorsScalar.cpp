//===- VectorsScalar.cpp - scalar instructions ----------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VectorLaunch.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tirx;
namespace json = llvm::json;

/// out[i] = ptx(in_0[i], in_1[i], ...).
std::string tirx::runScalarVectors(const VectorFile &file,
                                   const json::Object &entry) {
  auto ptx = entry.getString("ptx"), inputs = entry.getString("inputs"),
       out = entry.getString("out"), type = entry.getString("dst");
  const json::Array *sources = entry.getArray("src");
  if (!ptx || !inputs || !out || !type || !sources || sources->size() > 8)
    return "expected 'ptx', 'dst', 'src', 'inputs' and 'out'";
  auto want = file.array(*out);
  if (!want)
    return take(want.takeError());
  VectorLaunch launch;
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
