//===- VectorsWgmma.cpp - matrix products of a warpgroup ------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VectorLaunch.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"
#include <cstring>

using namespace tirx;
namespace json = llvm::json;

static constexpr unsigned kThreads = 128;

namespace {
/// One wgmma: what it reads, as the kernel takes it.
struct Wgmma {
  std::string ptx; ///< D is %0, ..., then A and B; the predicate is p
  std::vector<uint8_t> image;
  /// Descriptors without addresses, and offsets into the image. `descA` is not
  /// used with A in registers.
  uint64_t descA = 0, descB = 0;
  unsigned startA = 0, startB = 0;
  bool scaleD = true;
  unsigned registers = 0;               ///< of D in a thread
  std::vector<uint32_t> a, accumulator; ///< by thread, then register
};
} // namespace

static std::vector<uint8_t> bytesOf(const std::vector<uint32_t> &words) {
  std::vector<uint8_t> bytes(words.size() * 4);
  std::memcpy(bytes.data(), words.data(), bytes.size());
  return bytes;
}

/// Stores `bytes` of global memory at %p0 to the shared array `image`.
static std::string copyImage(unsigned bytes) {
  return llvm::formatv(
             ".shared .align 1024 .b8 image[{0}];\n"
             ".reg .b32 %at4; .reg .b32 %end; .reg .b64 %from; .reg .b32 %v;\n"
             "mov.u32 %at4, image; add.u32 %end, %at4, {0}; shl.b32 %x1, %x0, "
             "2;\nadd.u32 %at4, %at4, %x1; cvt.u64.u32 %from, %x1; add.u64 "
             "%from, %from, %p0;\n"
             "copy: setp.ge.u32 %q, %at4, %end; @%q bra copied;\n"
             "ld.global.b32 %v, [%from]; st.shared.b32 [%at4], %v;\n"
             "add.u32 %at4, %at4, {1}; add.u64 %from, %from, {1}; bra copy;\n"
             "copied: fence.proxy.async; bar.sync 0;\n",
             bytes, kThreads * 4)
      .str();
}

/// %NAME = the descriptor with the address of image + start.
static std::string makeDescriptor(llvm::StringRef name, uint64_t bits,
                                  unsigned start) {
  return llvm::formatv(".reg .b64 %{0}; mov.u32 %x1, image; add.u32 %x1, %x1, "
                       "{1}; bfe.u32 %x1, %x1, 4, 14;\ncvt.u64.u32 %{0}, %x1; "
                       "or.b64 %{0}, %{0}, {2};\n",
                       name, start, bits)
      .str();
}

/// Loads `count` words of this thread from the array in `parameter`.
static std::string loadWords(llvm::StringRef prefix, unsigned count,
                             unsigned parameter) {
  std::string text =
      llvm::formatv(".reg .b32 {0}<{1}>; mad.wide.u32 %at, %x0, {2}, %p{3};\n",
                    prefix, count, count * 4, parameter)
          .str();
  for (unsigned n = 0; n < count; ++n)
    text +=
        llvm::formatv("ld.global.b32 {0}{1}, [%at+{2}];\n", prefix, n, n * 4)
            .str();
  return text;
}

/// The accumulators after the product, by thread, then register.
static llvm::Expected<std::vector<uint32_t>> runWgmma(Wgmma wgmma) {
  wgmma.image.resize((wgmma.image.size() + 3) / 4 * 4);
  std::vector<uint8_t> a = bytesOf(wgmma.a), c = bytesOf(wgmma.accumulator);
  bool registerA = !a.empty();
  if (!registerA)
    a.resize(16 * kThreads);
  VectorLaunch launch;
  launch.threads = kThreads;
  for (const std::vector<uint8_t> *bytes : {&wgmma.image, &a, &c}) {
    VectorArray array;
    array.data = *bytes;
    launch.inputs.push_back(array);
  }
  launch.outputBytes = c.size();
  std::vector<std::string> names;
  for (unsigned n = 0; n < wgmma.registers; ++n)
    names.push_back("%d" + std::to_string(n));
  for (unsigned n = 0; n < 4 && registerA; ++n)
    names.push_back("%a" + std::to_string(n));
  if (!registerA)
    names.push_back("%descA");
  names.push_back("%descB");
  std::string stores;
  for (unsigned n = 0; n < wgmma.registers; ++n)
    stores +=
        llvm::formatv("st.global.b32 [%at+{0}], %d{1};\n", n * 4, n).str();
  launch.ptx =
      openEntry(4) + "mov.u32 %x0, %tid.x;\n" + copyImage(wgmma.image.size()) +
      makeDescriptor("descA", wgmma.descA, wgmma.startA) +
      makeDescriptor("descB", wgmma.descB, wgmma.startB) +
      loadWords("%a", 4, 1) + loadWords("%d", wgmma.registers, 2) +
      llvm::formatv(".reg .pred p; setp.ne.u32 p, {0}, 0;\n"
                    "wgmma.fence.sync.aligned;\n",
                    int(wgmma.scaleD))
          .str() +
      substitute(wgmma.ptx, names) +
      "\nwgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\n" +
      llvm::formatv("mad.wide.u32 %at, %x0, {0}, %p3;\n", wgmma.registers * 4)
          .str() +
      stores + "ret;\n}\n";
  auto got = run(launch);
  if (!got)
    return got.takeError();
  std::vector<uint32_t> words(got->size() / 4);
  std::memcpy(words.data(), got->data(), got->size());
  return words;
}

static std::string compareWords(const std::vector<uint32_t> &got,
                                const std::vector<uint32_t> &want) {
  VectorArray array;
  array.elementBytes = 4;
  std::vector<uint8_t> bytes = bytesOf(want);
  array.data = bytes;
  return compare(bytesOf(got), array);
}

//===----------------------------------------------------------------------===//
// wgmma_layout: an image in shared memory, descriptors, registers
//===----------------------------------------------------------------------===//

/// Registers that a case stores as bits, or as integers of 16 bits that stand
/// for values of their type.
static std::vector<uint32_t> registersOf(const VectorArray &array,
                                         llvm::StringRef store,
                                         llvm::StringRef type) {
  std::vector<uint32_t> words(array.count());
  for (uint64_t i = 0; i < words.size(); ++i) {
    words[i] = array.at(i);
    if (store != "int16")
      continue;
    int16_t value = words[i];
    words[i] = type == "f32" ? llvm::bit_cast<uint32_t>(float(value))
                             : uint32_t(int32_t(value));
  }
  return words;
}

std::string tirx::runWgmmaLayoutVectors(const VectorFile &file,
                                        const json::Object &entry) {
  auto key = entry.getString("key"), ptx = entry.getString("ptx"),
       type = entry.getString("d"), descA = entry.getString("desc_a"),
       descB = entry.getString("desc_b"), storeC = entry.getString("c_store"),
       storeD = entry.getString("d_store");
  auto startA = entry.getInteger("start_a"),
       startB = entry.getInteger("start_b"),
       scaleD = entry.getInteger("scale_d");
  Wgmma wgmma;
  if (!key || !ptx || !type || !descB || !storeC || !storeD || !startB ||
      !scaleD || descB->getAsInteger(16, wgmma.descB))
    return "expected 'key', 'ptx', 'd', 'desc_b', 'start_b', 'scale_d', "
           "'c_store' and 'd_store'";
  wgmma.ptx = ptx->str();
  wgmma.startB = *startB;
  wgmma.scaleD = *scaleD;
  auto image = file.array((*key + "_smem").str());
  if (!image)
    return take(image.takeError());
  auto c = file.array((*key + "_c").str());
  if (!c)
    return take(c.takeError());
  auto d = file.array((*key + "_d").str());
  if (!d)
    return take(d.takeError());
  if (c->shape.size() != 2 || c->shape[0] != kThreads || d->shape != c->shape ||
      !c->shape[1] || c->shape[1] > 128 || image->data.empty() ||
      image->data.size() > 200 << 10)
    return "expected registers of shape (128, at most 128) and an image";
  wgmma.image = image->data.vec();
  wgmma.registers = c->shape[1];
  wgmma.accumulator = registersOf(*c, *storeC, *type);
  if (entry.getBoolean("a_in_registers").value_or(false)) {
    auto a = file.array((*key + "_a").str());
    if (!a)
      return take(a.takeError());
    if (a->count() != 4 * kThreads)
      return "expected registers of A of shape (128, 4)";
    wgmma.a = registersOf(*a, "bits", "b32");
  } else {
    if (!descA || !startA || descA->getAsInteger(16, wgmma.descA))
      return "expected 'desc_a' and 'start_a'";
    wgmma.startA = *startA;
  }
  auto got = runWgmma(std::move(wgmma));
  return got ? compareWords(*got, registersOf(*d, *storeD, *type))
             : take(got.takeError());
}

//===----------------------------------------------------------------------===//
// tensor_core: rows of A and B, elements of C and D
//===----------------------------------------------------------------------===//

/// Puts rows of 32 bytes at `start` of an image as 8x16-byte blocks: groups of
/// 8 rows 256 bytes apart, the halves of a row 128 bytes.
static void placeRows(std::vector<uint8_t> &image, unsigned start,
                      llvm::ArrayRef<uint8_t> rows) {
  for (unsigned i = 0; i < rows.size(); ++i) {
    unsigned row = i / 32, byte = i % 32;
    image[start + row / 8 * 256 + byte / 16 * 128 + row % 8 * 16 + byte % 16] =
        rows[i];
  }
}
/// The descriptor of that.
static constexpr uint64_t kRowsDescriptor =
    128 >> 4 << 16 | uint64_t(256) >> 4 << 32;

/// The word and the half in it where a thread's fragment has an element of D.
static unsigned wordOf(unsigned row, unsigned column, unsigned registers,
                       bool half) {
  unsigned thread = row / 16 * 32 + row % 8 * 4 + column % 8 / 2;
  unsigned upper = row / 8 % 2;
  unsigned index =
      half ? column / 8 * 2 + upper : column / 8 * 4 + upper * 2 + column % 2;
  return thread * registers + index;
}

std::string tirx::runWgmmaProductVectors(const VectorFile &file,
                                         const json::Object &entry) {
  auto key = entry.getString("key"), a = entry.getString("a"),
       b = entry.getString("b"), d = entry.getString("d");
  auto n = entry.getInteger("n"), k = entry.getInteger("k"),
       rows = entry.getInteger("rows");
  if (!key || !a || !b || !d || !n || !k || !rows || *rows < 1 || *rows > 64 ||
      *n < 8 || *n > 256)
    return "expected 'key', 'a', 'b', 'd', 'n', 'k' and 'rows'";
  VectorArray arrays[4];
  for (unsigned i = 0; i < 4; ++i) {
    auto array = file.array((*key + "_" + llvm::Twine("ABCD"[i])).str());
    if (!array)
      return take(array.takeError());
    arrays[i] = *array;
  }
  uint64_t cells = *rows * *n;
  if (arrays[0].data.size() != uint64_t(*rows) * 32 ||
      arrays[1].data.size() != uint64_t(*n) * 32 ||
      arrays[2].count() != cells || arrays[3].count() != cells)
    return "expected A and B with rows of 32 bytes, and C and D of (rows, n)";
  Wgmma wgmma;
  wgmma.startB = 2048;
  wgmma.image.resize(2048 + *n * 32);
  placeRows(wgmma.image, 0, arrays[0].data);
  placeRows(wgmma.image, 2048, arrays[1].data);
  wgmma.descA = wgmma.descB = kRowsDescriptor;
  wgmma.scaleD = entry.getInteger("scale_d").value_or(1);
  bool half = *d == "f16", isFloat = *d != "s32";
  wgmma.registers = half ? *n / 4 : *n / 2;
  std::string list;
  for (unsigned i = 0; i < wgmma.registers; ++i)
    list += (i ? ",%" : "%") + std::to_string(i);
  std::string tail;
  if (isFloat)
    tail = llvm::formatv(", {0}, {1}{2}", entry.getInteger("neg_a").value_or(1),
                         entry.getInteger("neg_b").value_or(1),
                         a->ends_with("f16") ? ", 0, 0" : "")
               .str();
  std::string suffix = *a == "b1" ? ".and.popc"
                       : entry.getInteger("satfinite").value_or(0)
                           ? ".satfinite"
                           : "";
  wgmma.ptx = llvm::formatv("wgmma.mma_async.sync.aligned.m64n{0}k{1}.{2}.{3}."
                            "{4}{5} {{{6}}, %{7}, %{8}, p{9};",
                            *n, *k, *d, *a, *b, suffix, list, wgmma.registers,
                            wgmma.registers + 1, tail)
                  .str();
  std::vector<uint32_t> want(wgmma.registers * kThreads);
  wgmma.accumulator.assign(want.size(), 0);
  std::vector<bool> known(want.size());
  for (unsigned i = 0; i < cells; ++i) {
    unsigned row = i / *n, column = i % *n;
    unsigned word = wordOf(row, column, wgmma.registers, half);
    unsigned shift = half ? column % 2 * 16 : 0;
    wgmma.accumulator[word] |= uint32_t(arrays[2].at(i)) << shift;
    want[word] |= uint32_t(arrays[3].at(i)) << shift;
    known[word] = true;
  }
  auto got = runWgmma(std::move(wgmma));
  if (!got)
    return take(got.takeError());
  for (size_t word = 0; word < want.size(); ++word)
    if (!known[word])
      want[word] = (*got)[word];
  return compareWords(*got, want);
}
