//===- VectorsMatrix.cpp - ldmatrix and stmatrix --------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VectorLaunch.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tirx;
namespace json = llvm::json;

/// Copies between global memory and the shared image, 64 bytes a lane.
static std::string copyImage(bool isLoad, unsigned parameter) {
  std::string text =
      llvm::formatv("mad.wide.u32 %at, %x0, 64, %p{0}; mov.u32 %x2, image; "
                    "mad.lo.u32 %x2, %x0, 64, %x2;\n",
                    parameter)
          .str();
  for (unsigned i = 0; i < 64; i += 4)
    text += isLoad ? llvm::formatv("ld.global.b32 %x3, [%at+{0}]; "
                                   "st.shared.b32 [%x2+{0}], %x3;\n",
                                   i)
                         .str()
                   : llvm::formatv("ld.shared.b32 %x3, [%x2+{0}]; "
                                   "st.global.b32 [%at+{0}], %x3;\n",
                                   i)
                         .str();
  return text + "bar.warp.sync -1;\n";
}

/// `_in`: a shared image of 2048 bytes; `_addr`: the offset that each lane
/// gives; `_out`: the registers of a load, or the image after a store of
/// `_regs`.
std::string tirx::runMatrixVectors(const VectorFile &file,
                                   const json::Object &entry) {
  auto key = entry.getString("key"), ptx = entry.getString("ptx");
  if (!key || !ptx)
    return "expected 'key' and 'ptx'";
  bool isStore = ptx->starts_with("stmatrix");
  VectorLaunch launch;
  std::vector<llvm::StringRef> names = {"_in", "_addr"};
  if (isStore)
    names.push_back("_regs");
  for (llvm::StringRef name : names) {
    auto array = file.array((*key + name).str());
    if (!array)
      return take(array.takeError());
    launch.inputs.push_back(*array);
  }
  auto want = file.array((*key + "_out").str());
  if (!want)
    return take(want.takeError());
  const VectorArray &registers = isStore ? launch.inputs[2] : *want;
  if (launch.inputs[0].data.size() != 2048 ||
      launch.inputs[1].data.size() != 128 || registers.shape.size() != 2 ||
      registers.shape[0] != 32 || registers.elementBytes != 4 ||
      registers.shape[1] > 4 || (isStore && want->data.size() != 2048))
    return "expected an image of 2048 bytes, 32 addresses and 32 by at most 4 "
           "registers";
  unsigned count = registers.shape[1];
  launch.outputBytes = want->data.size();

  std::vector<std::string> operands;
  std::string move;
  for (unsigned r = 0; r < count; ++r) {
    operands.push_back("%r" + std::to_string(r));
    move += llvm::formatv(isStore ? "ld.global.b32 %r{0}, [%at+{1}];\n"
                                  : "st.global.b32 [%at+{1}], %r{0};\n",
                          r, 4 * r)
                .str();
  }
  operands.insert(isStore ? operands.begin() : operands.end(), "%x1");
  unsigned output = launch.inputs.size();
  std::string at = "mad.wide.u32 %at, %x0, " + std::to_string(4 * count) +
                   ", %p" + std::to_string(isStore ? 2 : output) + ";\n";
  launch.ptx = openEntry(output + 1) +
               ".shared .align 1024 .b8 image[2048];\n.reg .b32 %r<4>;\n"
               "mov.u32 %x0, %tid.x;\n" +
               copyImage(true, 0) +
               "mad.wide.u32 %at, %x0, 4, %p1; ld.global.b32 %x1, [%at];\n"
               "mov.u32 %x2, image; add.u32 %x1, %x1, %x2;\n" +
               (isStore ? at + move : "") + substitute(*ptx, operands) + "\n" +
               (isStore ? copyImage(false, output) : at + move) + "ret;\n}\n";
  auto got = run(launch);
  return got ? compare(*got, *want) : take(got.takeError());
}
