//===- VectorsTensorCore.cpp - matrix products ----------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A (rows, K), B (n, K), C and D (rows, n), element by element as bits.
// Those of wgmma have a runner of their own.
//
//===----------------------------------------------------------------------===//

#include "VectorLaunch.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"
#include <optional>

using namespace tirx;
namespace json = llvm::json;

namespace {

struct ProductCase {
  VectorArray a, b, c, d;
  std::string aType, bType, dType;
  unsigned rows, columns, k;
};

/// How a matrix lies in the registers of a warp (PTX ISA, fragments of mma):
/// lane 4g + t, register r has elements of row g + 8 * (r mod blocks).
struct Fragment {
  unsigned rows, k, bits;

  unsigned wordBits() const { return bits == 64 ? 64 : 32; }
  unsigned perRegister() const { return wordBits() / bits; }
  unsigned registers() const { return rows * k / 32 / perRegister(); }
  unsigned row(unsigned r, unsigned lane) const {
    return lane / 4 + 8 * (r % (rows / 8));
  }
  unsigned column(unsigned r, unsigned lane) const {
    return (4 * (r / (rows / 8)) + lane % 4) * perRegister();
  }
};

} // namespace

static unsigned elementBits(llvm::StringRef type) {
  return llvm::StringSwitch<unsigned>(type)
      .Cases({"f16", "bf16"}, 16)
      .Cases({"e4m3", "e5m2", "s8", "u8"}, 8)
      .Cases({"s4", "u4"}, 4)
      .Case("b1", 1)
      .Case("f64", 64)
      .Cases({"tf32", "f32", "s32"}, 32)
      .Default(0);
}

static void append(std::vector<uint8_t> &bytes, uint64_t word, unsigned bits) {
  for (unsigned i = 0; i < bits / 8; ++i)
    bytes.push_back(word >> (8 * i));
}

/// Registers of all lanes, lane by lane.
static std::vector<uint8_t> toRegisters(const VectorArray &matrix,
                                        const Fragment &f) {
  std::vector<uint8_t> bytes;
  // b1 is packed already: four bytes make a word.
  bool isPacked = f.bits == 1;
  for (unsigned lane = 0; lane < 32; ++lane)
    for (unsigned r = 0; r < f.registers(); ++r) {
      uint64_t first = uint64_t(f.row(r, lane)) * f.k + f.column(r, lane);
      uint64_t word = 0;
      for (unsigned e = 0; e < (isPacked ? 4 : f.perRegister()); ++e)
        word |= matrix.at(isPacked ? first / 8 + e : first + e)
                << (e * (isPacked ? 8 : f.bits));
      append(bytes, word, f.wordBits());
    }
  return bytes;
}

/// The accumulator: columns 2t and 2t + 1, in two registers or one of f16.
static std::vector<uint8_t> accumulatorToRegisters(const VectorArray &matrix,
                                                   unsigned rows,
                                                   unsigned bits) {
  std::vector<uint8_t> bytes;
  for (unsigned lane = 0; lane < 32; ++lane)
    for (unsigned block = 0; block < rows / 8; ++block)
      for (unsigned j = 0; j < 2; ++j)
        append(bytes, matrix.at((8 * block + lane / 4) * 8 + lane % 4 * 2 + j),
               bits);
  return bytes;
}

static std::vector<uint8_t>
registersToAccumulator(llvm::ArrayRef<uint8_t> registers, unsigned rows,
                       unsigned bits) {
  std::vector<uint8_t> matrix(registers.size());
  unsigned bytes = bits / 8, from = 0;
  for (unsigned lane = 0; lane < 32; ++lane)
    for (unsigned block = 0; block < rows / 8; ++block)
      for (unsigned j = 0; j < 2; ++j, from += bytes) {
        unsigned cell = (8 * block + lane / 4) * 8 + lane % 4 * 2 + j;
        std::copy_n(registers.begin() + from, bytes,
                    matrix.begin() + size_t(cell) * bytes);
      }
  return matrix;
}

static std::string registerList(const char *prefix, unsigned count) {
  std::string list = "{";
  for (unsigned i = 0; i < count; ++i)
    list += (i ? ", %" : "%") + std::string(prefix) + std::to_string(i);
  return list + "}";
}

/// Moves the registers of one operand between memory and `prefix`.
static std::string moveRegisters(const char *op, const char *prefix,
                                 unsigned parameter, unsigned count,
                                 unsigned bits) {
  std::string text = llvm::formatv("mad.wide.u32 %at, %x0, {0}, %p{1};\n",
                                   count * bits / 8, parameter)
                         .str();
  for (unsigned i = 0; i < count; ++i) {
    std::string reg = "%" + std::string(prefix) + std::to_string(i);
    std::string at = "[%at+" + std::to_string(i * bits / 8) + "]";
    bool isLoad = llvm::StringRef(op) == "ld";
    text += llvm::formatv("{0}.global.b{1} {2}, {3};\n", op, bits,
                          isLoad ? reg : at, isLoad ? at : reg)
                .str();
  }
  return text;
}

static std::string runMma(const ProductCase &p, const json::Object &entry) {
  auto shape = entry.getString("shape");
  if (!shape)
    return "expected 'shape'";
  unsigned inBits = elementBits(p.aType), outBits = elementBits(p.dType);
  Fragment a = {p.rows, p.k, inBits}, b = {p.columns, p.k, inBits};
  std::vector<uint8_t> bytes[] = {toRegisters(p.a, a), toRegisters(p.b, b),
                                  accumulatorToRegisters(p.c, p.rows, outBits)};
  unsigned word = a.wordBits(), outWord = outBits == 64 ? 64 : 32;
  unsigned results = bytes[2].size() * 8 / 32 / outWord;
  VectorLaunch launch;
  for (const std::vector<uint8_t> &data : bytes) {
    VectorArray array;
    array.data = data;
    launch.inputs.push_back(array);
  }
  launch.outputBytes = bytes[2].size();

  std::string name = "mma.sync.aligned." + shape->str() + ".row.col";
  if (auto rounding = entry.getString("rounding"))
    name += "." + rounding->str();
  if (entry.getInteger("satfinite").value_or(0))
    name += ".satfinite";
  for (llvm::StringRef type : {p.dType, p.aType, p.bType, p.dType})
    name += "." + type.str();
  if (auto op = entry.getString("op"))
    name += "." + op->str() + ".popc";
  launch.ptx =
      openEntry(4) +
      llvm::formatv(".reg .b{0} %a<8>, %b<8>; .reg .b{1} %c<8>, %d<8>;\n"
                    "mov.u32 %x0, %tid.x;\n",
                    word, outWord)
          .str() +
      moveRegisters("ld", "a", 0, a.registers(), word) +
      moveRegisters("ld", "b", 1, b.registers(), word) +
      moveRegisters("ld", "c", 2, results, outWord) + name + " " +
      registerList("d", results) + ", " + registerList("a", a.registers()) +
      ", " + registerList("b", b.registers()) + ", " +
      registerList("c", results) + ";\n" +
      moveRegisters("st", "d", 3, results, outWord) + "ret;\n}\n";
  auto got = run(launch);
  return got ? compare(registersToAccumulator(*got, p.rows, outBits), p.d)
             : take(got.takeError());
}

//===----------------------------------------------------------------------===//
// Cases
//===----------------------------------------------------------------------===//

/// The arrays and sizes of a case, or what is wrong with them.
static std::string readCase(const VectorFile &file, const json::Object &entry,
                            ProductCase &p) {
  auto key = entry.getString("key"), aType = entry.getString("a"),
       bType = entry.getString("b"), dType = entry.getString("d");
  auto rows = entry.getInteger("rows"), columns = entry.getInteger("n"),
       k = entry.getInteger("k");
  if (!key || !aType || !bType || !dType || !rows || !columns || !k)
    return "expected 'key', 'a', 'b', 'd', 'rows', 'n' and 'k'";
  p.aType = aType->str();
  p.bType = bType->str();
  p.dType = dType->str();
  if (*rows < 1 || *rows > 64 || *columns < 1 || *columns > 256 || *k < 4 ||
      *k > 512 || *k % 4)
    return "expected at most 64 rows, 256 columns and 512 products";
  p.rows = *rows;
  p.columns = *columns;
  p.k = *k;
  for (auto [suffix, array, wide] :
       {std::tuple("_A", &p.a, false), std::tuple("_B", &p.b, false),
        std::tuple("_C", &p.c, true), std::tuple("_D", &p.d, true)}) {
    auto loaded = file.array((*key + suffix).str());
    if (!loaded)
      return take(loaded.takeError());
    *array = *loaded;
    unsigned bits = elementBits(wide ? dType->str() : aType->str());
    if (!bits || (wide ? p.dType : p.bType).empty() ||
        elementBits(p.bType) != elementBits(p.aType))
      return "expected types of the tensor cores";
    unsigned outer = suffix[1] == 'B' ? p.columns : p.rows;
    uint64_t elements = uint64_t(outer) * (wide ? p.columns : p.k);
    unsigned bytes = std::max(8u, bits) / 8;
    if (bits == 1)
      elements /= 8;
    if (loaded->elementBytes != bytes || loaded->count() != elements)
      return llvm::formatv("expected {0} elements of {1} bytes in {2}",
                           elements, bytes, *key + suffix)
          .str();
  }
  return "";
}

std::string tirx::runTensorCoreVectors(const VectorFile &file,
                                       const json::Object &entry) {
  ProductCase p;
  std::string problem = readCase(file, entry, p);
  if (!problem.empty())
    return problem;
  auto instruction = entry.getString("instr");
  if (instruction == "wgmma")
    return runWgmmaProductVectors(file, entry);
  if (instruction != "mma")
    return "expected 'instr' to be mma or wgmma";
  unsigned bits = elementBits(p.aType);
  if ((p.rows != 8 && p.rows != 16) || p.columns != 8 ||
      p.k % (bits == 64 ? 4 : 128 / bits))
    return "expected the shape of an mma";
  return runMma(p, entry);
}
