//===- VectorsWarp.cpp - warp collectives ---------------------------------===//
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

/// out (warp, lane, result) of in (warp, lane, operand).
std::string tirx::runWarpVectors(const VectorFile &file,
                                 const json::Object &entry) {
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
  VectorLaunch launch;
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
