//===- Builtins.cpp - functions of the simulator itself -------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Builtins.h"
#include "Exec.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cstring>

using namespace tirx::sim;

static constexpr size_t kMaxString = 1 << 16;
static constexpr uint64_t kMaxOutput = uint64_t(64) << 20;

static uint64_t argument(Warp &w, unsigned n, unsigned lane) {
  Frame &frame = *w.fragment().frame;
  return w.readValue(frame, frame.function->parameters[n], lane);
}

static void giveResult(Warp &w, unsigned lane, uint64_t value) {
  Frame &frame = *w.fragment().frame;
  w.writeValue(frame, frame.function->returns.front(), lane, value);
}

/// A value in generic memory; false: reported.
static bool readMemory(Warp &w, const Inst &i, uint64_t address, unsigned size,
                       unsigned lane, uint64_t &bits) {
  MemoryRef ref;
  if (!w.resolve(i, AddressSpace::Generic, address, size, lane,
                 AccessKind::Read, ref) ||
      !w.checkWritten(i, ref, size, address, lane))
    return false;
  bits = 0;
  std::memcpy(&bits, ref.data, size);
  return true;
}

/// Text up to a zero byte; false: reported.
static bool readText(Warp &w, const Inst &i, uint64_t address, unsigned lane,
                     std::string &text) {
  while (text.size() < kMaxString) {
    uint64_t byte;
    if (!readMemory(w, i, address + text.size(), 1, lane, byte))
      return false;
    if (!byte)
      return true;
    text += char(byte);
  }
  w.fault(i, lane, "call",
          llvm::formatv("expected a text of at most {0} bytes that ends with a "
                        "zero byte, at {1:x}",
                        kMaxString, address));
  return false;
}

/// int vprintf(const char *format, void *arguments)
static Step printText(Warp &w, const Inst &i, uint32_t mask) {
  Grid &grid = w.cta.grid;
  for (uint32_t rest = mask; rest; rest &= rest - 1) {
    unsigned lane = llvm::countr_zero(rest);
    std::string format, text;
    if (!readText(w, i, argument(w, 0, lane), lane, format))
      return Step::Fault;
    uint64_t at = argument(w, 1, lane);
    auto next = [&](unsigned size, uint64_t &bits) {
      at = (at + size - 1) / size * size;
      at += size;
      return readMemory(w, i, at - size, size, lane, bits);
    };
    auto string = [&](uint64_t address, std::string &value) {
      if (address)
        return readText(w, i, address, lane, value);
      value = "(null)";
      return true;
    };
    unsigned count = 0;
    if (!formatText(format, next, string, text, count))
      return Step::Fault;
    grid.printedBytes += text.size();
    if (grid.printedBytes > kMaxOutput)
      return w.fault(i, lane, "call",
                     "expected at most 64 MiB of output of printf");
    if (grid.output)
      *grid.output << text;
    giveResult(w, lane, count);
  }
  ++grid.progress;
  return Step::Next;
}

/// void __assertfail(const char *message, const char *file, unsigned line,
///                   const char *function, size_t charSize)
static Step failAssertion(Warp &w, const Inst &i, uint32_t mask) {
  unsigned lane = llvm::countr_zero(mask);
  std::string message, file, function;
  if (!readText(w, i, argument(w, 0, lane), lane, message) ||
      !readText(w, i, argument(w, 1, lane), lane, file) ||
      !readText(w, i, argument(w, 3, lane), lane, function))
    return Step::Fault;
  return w.fault(i, lane, "assert",
                 llvm::formatv("{0}:{1}: {2}: assertion `{3}` failed", file,
                               uint32_t(argument(w, 2, lane)), function,
                               message)
                     .str());
}

/// void *malloc(size_t size). Null when memory is short, as in CUDA.
static Step allocateHeap(Warp &w, const Inst & /*i*/, uint32_t mask) {
  Grid &grid = w.cta.grid;
  for (uint32_t rest = mask; rest; rest &= rest - 1) {
    unsigned lane = llvm::countr_zero(rest);
    uint64_t size = argument(w, 0, lane), base = 0;
    if (size)
      if (Allocation *block = grid.memory.allocateHeap(size))
        base = block->base;
    giveResult(w, lane, base);
  }
  ++grid.progress;
  return Step::Next;
}

/// void free(void *block)
static Step releaseHeap(Warp &w, const Inst &i, uint32_t mask) {
  Grid &grid = w.cta.grid;
  for (uint32_t rest = mask; rest; rest &= rest - 1) {
    unsigned lane = llvm::countr_zero(rest);
    uint64_t address = argument(w, 0, lane);
    if (!address)
      continue;
    Allocation *block = grid.findGlobal(address, 1);
    if (!block || !block->isHeap || block->base != address)
      return w.fault(i, lane, "call",
                     llvm::formatv("expected free of an address that malloc "
                                   "returned and that is not yet free, got "
                                   "{0:x}: {1}",
                                   address, grid.memory.describe(address))
                         .str());
    grid.forgetGlobal();
    grid.memory.release(block);
  }
  ++grid.progress;
  return Step::Next;
}

const Builtin *tirx::sim::findBuiltin(llvm::StringRef name) {
  static const Builtin builtins[] = {
      {"vprintf", printText, {8, 8}, {4}, true},
      {"__assertfail", failAssertion, {8, 8, 4, 8, 8}, {}},
      {"malloc", allocateHeap, {8}, {8}, true},
      {"free", releaseHeap, {8}, {}, true},
  };
  const Builtin *found = llvm::find_if(
      builtins, [&](const Builtin &entry) { return entry.name == name; });
  return found == std::end(builtins) ? nullptr : found;
}

static bool match(llvm::ArrayRef<unsigned> expected,
                  llvm::ArrayRef<CallValue> got) {
  return llvm::equal(expected, got, [](unsigned bytes, const CallValue &value) {
    return value.bytes == bytes;
  });
}

std::string tirx::sim::checkSignature(const Builtin &builtin,
                                      const Function &declared) {
  if (match(builtin.parameters, declared.parameters) &&
      match(builtin.returns, declared.returns))
    return "";
  auto print = [](llvm::ArrayRef<unsigned> sizes) {
    std::string text;
    for (unsigned bytes : sizes)
      text += (text.empty() ? "" : ", ") + std::to_string(bytes);
    return text.empty() ? "no" : text;
  };
  return llvm::formatv("expected '{0}' with parameters of {1} bytes and a "
                       "result of {2} bytes",
                       builtin.name, print(builtin.parameters),
                       print(builtin.returns))
      .str();
}
