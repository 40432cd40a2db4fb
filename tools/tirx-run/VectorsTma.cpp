//===- VectorsTma.cpp - measured copies of tensor maps --------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A case has the fields of a tensor map, coordinates and an operation;
// KEY_global is the tensor before, KEY_smem the image in shared memory after a
// load or before a store, KEY_after the tensor after a store or reduction.
//
//===----------------------------------------------------------------------===//

#include "TIRx/Simulator/TensorMap.h"
#include "VectorLaunch.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tirx;
using namespace tirx::sim;
namespace json = llvm::json;

namespace {
using Numbers = llvm::SmallVector<int64_t, 5>;

struct Case {
  std::string op;
  TensorMapDescription map;
  Numbers coordinates, offsets;
  int64_t bytes = 0, fill = 0;
};
} // namespace

static Numbers numbers(const json::Object &entry, llvm::StringRef key) {
  Numbers list;
  if (const json::Array *array = entry.getArray(key))
    for (const json::Value &value : *array)
      list.push_back(value.getAsInteger().value_or(0));
  return list;
}

/// What is wrong with the case, or "".
static std::string readCase(const json::Object &entry, Case &c) {
  auto op = entry.getString("op"), swizzle = entry.getString("swizzle"),
       interleave = entry.getString("interleave");
  auto type = entry.getInteger("data_type_enum"),
       bytes = entry.getInteger("bytes");
  if (!op || !swizzle || !interleave || !type || !bytes || *type < 0 ||
      *type > 15 || *bytes < 0 || *bytes > 1 << 18)
    return "expected 'op', 'swizzle', 'interleave', 'data_type_enum' and "
           "'bytes'";
  c.op = op->str();
  c.bytes = *bytes;
  c.fill = entry.getInteger("fill_byte").value_or(0) & 0xff;
  TensorMapDescription &map = c.map;
  map.type = TensorMapType(*type);
  map.swizzle = llvm::StringSwitch<TensorMapSwizzle>(*swizzle)
                    .Case("32B", TensorMapSwizzle::B32)
                    .Case("64B", TensorMapSwizzle::B64)
                    .Case("128B", TensorMapSwizzle::B128)
                    .Default(TensorMapSwizzle::None);
  map.interleave = llvm::StringSwitch<TensorMapInterleave>(*interleave)
                       .Case("16B", TensorMapInterleave::B16)
                       .Case("32B", TensorMapInterleave::B32)
                       .Default(TensorMapInterleave::None);
  if (entry.getString("oob_fill").value_or("zero") == "nan")
    map.fill = TensorMapFill::NaN;
  llvm::append_range(map.dims, numbers(entry, "global_dim"));
  llvm::append_range(map.strides, numbers(entry, "global_strides_bytes"));
  llvm::append_range(map.box, numbers(entry, "box_dim"));
  llvm::append_range(map.elementStrides, numbers(entry, "element_strides"));
  llvm::append_range(map.lower, numbers(entry, "pixel_box_lower"));
  llvm::append_range(map.upper, numbers(entry, "pixel_box_upper"));
  map.channels = entry.getInteger("channels_per_pixel").value_or(0);
  map.pixels = entry.getInteger("pixels_per_column").value_or(0);
  if (entry.getInteger("channels_per_pixel"))
    map.mode = TensorMapMode::Im2col;
  c.coordinates = numbers(entry, "coords");
  c.offsets = numbers(entry, "im2col_offsets");
  if (c.coordinates.empty() || c.coordinates.size() > 5)
    return "expected 1 to 5 'coords'";
  return "";
}

static std::string braces(const Numbers &list) {
  std::string text;
  for (int64_t number : list)
    text += (text.empty() ? "{" : ", ") + std::to_string(number);
  return text + "}";
}

/// A loop of the block's threads over `bytes`, from %from to %to.
static std::string copyLoop(const char *label, uint64_t bytes, const char *load,
                            const char *store) {
  return llvm::formatv("mov.u32 %x0, %tid.x;\n{0}: setp.ge.u32 %q, %x0, {1}; "
                       "@%q bra {0}_END;\ncvt.u64.u32 %at, %x0;\n{2}\n{3}\n"
                       "add.u32 %x0, %x0, 32; bra {0};\n{0}_END:\n",
                       label, bytes, load, store)
      .str();
}

static std::string loadKernel(const Case &c, uint64_t imageBytes) {
  bool im2col = c.map.mode == TensorMapMode::Im2col;
  std::string text =
      copyLoop("FILL", imageBytes,
               llvm::formatv("mov.u32 %x1, {0};", c.fill).str().c_str(),
               "add.u64 %at, %at, %image; st.shared.u8 [%at], %x1;");
  text += "fence.proxy.async; bar.sync 0;\n"
          "setp.ne.u32 %q, %x2, 0; @%q bra WAIT;\n";
  text += llvm::formatv(
      "mbarrier.arrive.expect_tx.shared.b64 %at, [barrier], {0};\n"
      "cp.async.bulk.tensor.{1}d.shared::cluster.global.{2}."
      "mbarrier::complete_tx::bytes [%image], [%p0, {3}], [barrier]{4};\n",
      c.bytes, c.coordinates.size(), im2col ? "im2col" : "tile",
      braces(c.coordinates), im2col ? ", " + braces(c.offsets) : "");
  text += "WAIT: mbarrier.try_wait.parity.shared.b64 %q, [barrier], 0;\n"
          "@!%q bra WAIT;\n";
  return text +
         copyLoop("OUT", imageBytes,
                  "add.u64 %from, %at, %image; ld.shared.u8 %x1, [%from];",
                  "add.u64 %at, %at, %p2; st.global.u8 [%at], %x1;");
}

static std::string storeKernel(const Case &c, uint64_t imageBytes,
                               uint64_t tensorBytes) {
  std::string text = copyLoop(
      "FILL", imageBytes, "add.u64 %from, %at, %p2; ld.global.u8 %x1, [%from];",
      "add.u64 %at, %at, %image; st.shared.u8 [%at], %x1;");
  text += "fence.proxy.async; bar.sync 0;\n"
          "setp.ne.u32 %q, %x2, 0; @%q bra JOIN;\n";
  llvm::StringRef op = c.op;
  bool reduces = op.consume_front("reduce.");
  text += llvm::formatv(
      "cp.{0}async.bulk.tensor.{1}d.global.shared::cta.{2}tile.bulk_group "
      "[%p0, {3}], [%image];\ncp.async.bulk.commit_group; "
      "cp.async.bulk.wait_group 0;\nJOIN: bar.sync 0;\n",
      reduces ? "reduce." : "", c.coordinates.size(),
      reduces ? op.str() + "." : "", braces(c.coordinates));
  return text + copyLoop("OUT", tensorBytes,
                         "add.u64 %from, %at, %p1; ld.global.u8 %x1, [%from];",
                         "add.u64 %at, %at, %p3; st.global.u8 [%at], %x1;");
}

std::string tirx::runTmaVectors(const VectorFile &file,
                                const json::Object &entry) {
  auto key = entry.getString("key");
  Case c;
  std::string problem = key ? readCase(entry, c) : "expected 'key'";
  if (!problem.empty())
    return problem;
  std::string name = key->str() + "_";
  auto tensor = file.array(name + "global");
  if (!tensor)
    return take(tensor.takeError());
  auto image = file.array(name + "smem");
  if (!image)
    return take(image.takeError());
  if (c.map.interleave != TensorMapInterleave::None)
    return kNotRun + std::string("interleaved maps have no model");
  auto map = encodeTensorMap(c.map);
  if (!map)
    return take(map.takeError());
  bool isLoad = llvm::StringRef(c.op).starts_with("load");
  VectorArray want = *image;
  if (!isLoad) {
    auto after = file.array(name + "after");
    if (!after)
      return take(after.takeError());
    want = *after;
  }
  VectorLaunch launch;
  VectorArray mapBytes;
  mapBytes.shape = {kTensorMapBytes};
  mapBytes.data = *map;
  launch.inputs = {mapBytes, *tensor};
  if (!isLoad)
    launch.inputs.push_back(*image);
  launch.outputBytes = want.data.size();
  // The address is known in the kernel only.
  launch.ptx =
      openEntry(isLoad ? 3 : 4) +
      llvm::formatv(
          ".reg .b64 %image; .reg .b64 %from;\n.shared .align 1024 .b8 "
          "memory[{0}];\n.shared .align 8 .b64 barrier;\nmov.u64 %image, "
          "memory;\nmov.u32 %x2, %tid.x; setp.ne.u32 %q, %x2, 0; @%q bra "
          "START;\ntensormap.replace.tile.global_address.global.b1024.b64 "
          "[%p0], %p1;\nmbarrier.init.shared.b64 [barrier], 1;\nSTART: "
          "bar.sync 0;\n",
          // Boxes may be larger than the image that was recorded of them.
          std::max<uint64_t>(image->data.size(), 8 * c.bytes))
          .str() +
      (isLoad ? loadKernel(c, image->data.size())
              : storeKernel(c, image->data.size(), want.data.size())) +
      "ret;\n}\n";
  auto got = run(launch);
  return got ? compare(*got, want) : take(got.takeError());
}
