//===- Ptxas.cpp - assemble PTX, read back resources ----------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TIRx/Target/Ptxas.h"
#include "CudaTool.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"

using llvm::StringRef;

namespace tirx {

std::optional<std::string> findPtxas(StringRef requested) {
  if (!requested.empty()) {
    if (llvm::sys::fs::can_execute(requested))
      return requested.str();
    return std::nullopt;
  }
  return findCudaTool("ptxas");
}

/// The number just before `unit` in "... 56 registers, ..."; 0 without it.
static unsigned numberBefore(StringRef line, StringRef unit) {
  size_t end = line.find(unit);
  if (end == StringRef::npos)
    return 0;
  StringRef digits = line.take_front(end).rtrim();
  size_t start = digits.find_last_not_of("0123456789");
  digits = digits.drop_front(start == StringRef::npos ? 0 : start + 1);
  unsigned value = 0;
  return digits.getAsInteger(10, value) ? 0 : value;
}

/// Whether the line is a complaint. C7508 (setmaxnreg ignored) and C75xx
/// (wgmma serialised) come as info lines on some versions.
static bool isComplaint(StringRef line) {
  if (line.contains("warning"))
    return true;
  size_t code = line.find("(C75");
  return code != StringRef::npos;
}

void parsePtxasLog(StringRef log, PtxasResult &result) {
  llvm::SmallVector<StringRef> lines;
  log.split(lines, '\n');
  for (StringRef line : lines) {
    line = line.trim();
    if (isComplaint(line))
      result.warnings.push_back(line.str());
    size_t name = line.find("Compiling entry function '");
    if (name != StringRef::npos) {
      StringRef rest = line.drop_front(name).split('\'').second;
      result.kernels.emplace_back();
      result.kernels.back().kernel = rest.split('\'').first.str();
      continue;
    }
    if (result.kernels.empty())
      continue;
    KernelResources &kernel = result.kernels.back();
    if (line.contains("bytes stack frame")) {
      kernel.stackBytes = numberBefore(line, " bytes stack frame");
      kernel.spillStoreBytes = numberBefore(line, " bytes spill stores");
      kernel.spillLoadBytes = numberBefore(line, " bytes spill loads");
    }
    if (line.contains("Used ")) {
      kernel.registers = numberBefore(line, " registers");
      kernel.barriers = numberBefore(line, " barriers");
      kernel.sharedBytes = numberBefore(line, " bytes smem");
    }
  }
  for (const KernelResources &kernel : result.kernels)
    if (kernel.spillStoreBytes || kernel.spillLoadBytes)
      result.warnings.push_back(
          llvm::formatv("kernel '{0}' spills registers: {1} bytes stored, {2} "
                        "bytes loaded with {3} registers",
                        kernel.kernel, kernel.spillStoreBytes,
                        kernel.spillLoadBytes, kernel.registers)
              .str());
}

llvm::Expected<PtxasResult> runPtxas(StringRef ptxas, StringRef ptx,
                                     StringRef chip) {
  TemporaryFile source, cubin, log;
  if (llvm::Error error = source.create("ptx"))
    return std::move(error);
  if (llvm::Error error = cubin.create("cubin"))
    return std::move(error);
  if (llvm::Error error = log.create("log"))
    return std::move(error);
  if (llvm::Error error = source.write(ptx))
    return std::move(error);
  std::string arch = ("-arch=" + chip).str();
  std::string message;
  bool done = runCudaTool(
      ptxas,
      {arch, "-O3", "-v", "-lineinfo", source.getPath(), "-o", cubin.getPath()},
      log, log, message);
  std::string text = log.read();
  if (!done)
    return llvm::createStringError("ptxas failed for " + chip + ": " +
                                   (message.empty() ? text : message));
  PtxasResult result;
  result.binary = cubin.read();
  parsePtxasLog(text, result);
  return result;
}

} // namespace tirx
