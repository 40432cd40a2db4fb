//===- VectorsReduce.cpp - atomics, reductions and reducing copies --------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// KEY_g is memory before, KEY_s the operand (KEY_s2 the second one of cas),
// KEY_r memory after and KEY_o what is returned. One thread acts on a location,
// or on `vec` neighbours; a reducing copy takes all of them.
//
//===----------------------------------------------------------------------===//

#include "VectorLaunch.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tirx;
namespace json = llvm::json;

namespace {
struct Case {
  std::string ptx, kind;
  unsigned vector = 1;
  VectorArray before, operand, after;
  std::optional<VectorArray> second, returned;

  unsigned bytes() const { return before.elementBytes; }
};
} // namespace

/// An array of the case that need not be there.
static std::optional<VectorArray> optionalArray(const VectorFile &file,
                                                const std::string &name) {
  auto array = file.array(name);
  if (array)
    return *array;
  llvm::consumeError(array.takeError());
  return std::nullopt;
}

/// What is wrong with the case, or "".
static std::string readCase(const VectorFile &file, const json::Object &entry,
                            Case &result) {
  auto key = entry.getString("key"), ptx = entry.getString("ptx"),
       kind = entry.getString("kind");
  if (!key || !ptx || !kind)
    return "expected 'key', 'ptx' and 'kind'";
  result.ptx = ptx->str();
  result.kind = kind->str();
  std::string name = key->str() + "_";
  for (auto [array, suffix] :
       {std::pair(&result.before, "g"), std::pair(&result.operand, "s"),
        std::pair(&result.after, "r")}) {
    auto found = file.array(name + suffix);
    if (!found)
      return take(found.takeError());
    *array = *found;
  }
  result.second = optionalArray(file, name + "s2");
  result.returned = optionalArray(file, name + "o");
  int64_t vector = entry.getInteger("vec").value_or(1);
  uint64_t count = result.before.count();
  if (vector < 1 || vector > 8 || !count || count > 1024 || count % vector ||
      result.operand.count() != count || result.after.count() != count ||
      (result.second && result.second->count() != count) ||
      (result.returned && result.returned->count() != count))
    return "expected arrays of one length, at most 1,024, and 'vec' from 1 to "
           "8 that divides it";
  result.vector = vector;
  return "";
}

/// Registers of a vector, in braces if there are several.
static std::string loads(const char *name, unsigned parameter, unsigned count,
                         unsigned bytes) {
  std::string text = llvm::formatv("add.u64 %at, %p{0}, %offset;\n", parameter);
  for (unsigned n = 0; n < count; ++n)
    text += llvm::formatv("ld.global.b{0} {1}{2}, [%at+{3}];\n", bytes * 8,
                          name, n, n * bytes);
  return text;
}

static std::string stores(const std::string &space, const char *address,
                          const char *name, unsigned count, unsigned bytes) {
  std::string text;
  for (unsigned n = 0; n < count; ++n)
    text += llvm::formatv("st.{0}.b{1} [{2}+{3}], {4}{5};\n", space, bytes * 8,
                          address, n * bytes, name, n);
  return text;
}

/// Each thread puts its locations where the instruction acts, which is the
/// result's place or shared memory, acts, and stores what comes of it.
static std::string atomicKernel(const Case &c, unsigned out) {
  unsigned bytes = c.bytes();
  bool isShared = llvm::StringRef(c.ptx).contains(".shared");
  std::string space = isShared ? "shared" : "global";
  std::string text = openEntry(out + 1);
  text += llvm::formatv(
      ".reg .b{0} %g<8>; .reg .b{0} %s<8>; .reg .b{0} %c<8>; .reg .b{0} %o<8>;"
      "\n.reg .b64 %offset; .reg .b64 %place; .reg .b64 %result;\n"
      ".shared .align 16 .b8 memory[{1}];\n"
      "mov.u32 %x0, %tid.x; mul.wide.u32 %offset, %x0, {2};\n",
      bytes * 8, c.before.data.size(), bytes * c.vector);
  text += loads("%g", 0, c.vector, bytes) + loads("%s", 1, c.vector, bytes);
  if (c.second)
    text += loads("%c", 2, c.vector, bytes);
  text += llvm::formatv("add.u64 %result, %p{0}, %offset;\n", out);
  text += isShared ? "mov.u64 %place, memory; add.u64 %place, %place, %offset;"
                     "\n"
                   : "mov.u64 %place, %result;\n";
  text += stores(space, "%place", "%g", c.vector, bytes);
  std::vector<std::string> names;
  if (c.returned)
    names.push_back("%o0");
  names.push_back("%place");
  for (unsigned n = 0; n < c.vector; ++n)
    names.push_back("%s" + std::to_string(n));
  if (c.second)
    names.push_back("%c0");
  text += substitute(c.ptx, names) + "\n";
  for (unsigned n = 0; n < c.vector; ++n)
    text += llvm::formatv("ld.{0}.b{1} %g{2}, [%place+{3}];\n", space,
                          bytes * 8, n, n * bytes);
  text += stores("global", "%result", "%g", c.vector, bytes);
  if (c.returned)
    text += llvm::formatv("st.global.b{0} [%result+{1}], %o0;\n", bytes * 8,
                          c.before.data.size());
  return text + "ret;\n}\n";
}

/// Threads fill both sides, then one copies.
static std::string copyKernel(const Case &c) {
  unsigned bytes = c.bytes();
  uint64_t size = c.before.data.size();
  std::string text = openEntry(3);
  text += llvm::formatv(
      ".reg .b{0} %g<1>; .reg .b{0} %s<1>; .reg .b64 %offset; .reg .b64 %place;"
      "\n.shared .align 128 .b8 memory[{1}];\n"
      "mov.u32 %x0, %tid.x; mul.wide.u32 %offset, %x0, {2};\n",
      bytes * 8, size, bytes);
  text += loads("%g", 0, 1, bytes) + loads("%s", 1, 1, bytes);
  text += "mov.u64 %place, memory; add.u64 %place, %place, %offset;\n";
  text += stores("shared", "%place", "%s", 1, bytes);
  text += "add.u64 %place, %p2, %offset;\n";
  text += stores("global", "%place", "%g", 1, bytes);
  text += "fence.proxy.async; bar.sync 0;\nsetp.ne.u32 %q, %x0, 0; @%q exit;\n"
          "mov.u64 %place, memory;\n";
  text += substitute(c.ptx, {"%p2", "%place", std::to_string(size)});
  return text + "\ncp.async.bulk.commit_group; cp.async.bulk.wait_group 0;\n"
                "ret;\n}\n";
}

std::string tirx::runReduceVectors(const VectorFile &file,
                                   const json::Object &entry) {
  Case c;
  if (std::string problem = readCase(file, entry, c); !problem.empty())
    return problem;
  VectorLaunch launch;
  launch.inputs = {c.before, c.operand};
  if (c.second)
    launch.inputs.push_back(*c.second);
  bool isCopy = c.kind == "bulk";
  launch.threads = c.before.count() / c.vector;
  launch.outputBytes = c.before.data.size() * (c.returned ? 2 : 1);
  launch.ptx = isCopy ? copyKernel(c) : atomicKernel(c, launch.inputs.size());
  auto got = run(launch);
  if (!got)
    return take(got.takeError());
  size_t size = c.before.data.size();
  std::string problem =
      compare(std::vector<uint8_t>(got->begin(), got->begin() + size), c.after);
  if (problem.empty() && c.returned)
    problem = compare(std::vector<uint8_t>(got->begin() + size, got->end()),
                      *c.returned);
  return problem;
}
