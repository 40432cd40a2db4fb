//===- KernelReport.cpp - what a user wants to know of a kernel -----------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TIRx/Compiler/KernelReport.h"
#include "TIRx/Dialect/TIRx/IR/TIRxOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace tirx {

int64_t countTmemColumns(gpu::GPUFuncOp kernel) {
  int64_t columns = 0;
  kernel.walk([&](TmemAllocOp op) { columns += op.getColumns(); });
  kernel.walk([&](PtxOp op) {
    if (op.getInstruction().starts_with("tcgen05.alloc."))
      if (auto count = getConstantIntValue(op.getInputs().back()))
        columns += *count;
  });
  return columns;
}

/// The dtype names of launch files: f16, bf16, i32, e4m3, ...
static std::string dtypeName(Type type) {
  if (isa<Float8E4M3FNType>(type))
    return "e4m3";
  if (isa<Float8E5M2Type>(type))
    return "e5m2";
  if (type.isIndex())
    return "i64";
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

static llvm::json::Value parameterOf(Type type) {
  auto buffer = dyn_cast<BufferType>(type);
  if (!buffer)
    return llvm::json::Object{{"scalar", dtypeName(type)}};
  llvm::json::Array shape(buffer.getShape());
  return llvm::json::Object{{"dtype", dtypeName(buffer.getElementType())},
                            {"shape", std::move(shape)}};
}

/// A tensor map that the host has to encode, in the words of launch files: `of`
/// is the number of the parameter that has the tensor.
static llvm::json::Value tensorMapOf(TensorMapAttr map) {
  return llvm::json::Object{
      {"of", map.getOf()},
      {"offset", map.getOffset()},
      {"dtype", map.getDtype()},
      {"dims", llvm::json::Array(map.getDims().asArrayRef())},
      {"strides", llvm::json::Array(map.getStrides().asArrayRef())},
      {"box", llvm::json::Array(map.getBox().asArrayRef())},
      {"swizzle", map.getSwizzle()}};
}

static llvm::json::Array dimensions(std::optional<ArrayRef<int32_t>> sizes) {
  if (!sizes)
    return llvm::json::Array({1, 1, 1});
  return llvm::json::Array(*sizes);
}

/// The name that the author gave to the result of the op at `location`: the
/// text before the op on its line, or the name that a front end attached.
static std::string nameAt(Location location, llvm::SourceMgr &sources) {
  if (auto named = location->findInstanceOf<NameLoc>())
    return named.getName().str();
  auto place = location->findInstanceOf<FileLineColLoc>();
  if (!place)
    return "";
  for (unsigned id = 1; id <= sources.getNumBuffers(); ++id) {
    const llvm::MemoryBuffer *buffer = sources.getMemoryBuffer(id);
    if (buffer->getBufferIdentifier() != place.getFilename().getValue())
      continue;
    llvm::SMLoc start = sources.FindLocForLineAndColumn(id, place.getLine(), 1);
    if (!start.isValid())
      return "";
    StringRef line(start.getPointer());
    line = line.take_until([](char c) { return c == '\n'; }).ltrim();
    auto [name, rest] = line.split('=');
    return name.starts_with("%") ? name.rtrim().str() : "";
  }
  return "";
}

KernelRecord recordKernel(gpu::GPUFuncOp kernel, StringRef target,
                          llvm::SourceMgr &sources) {
  KernelRecord record;
  record.name = kernel.getName().str();
  if (auto bytes = kernel->getAttrOfType<IntegerAttr>("tirx.shared_bytes"))
    record.sharedBytes = bytes.getInt();
  kernel.walk([&](PoolAllocOp op) {
    record.buffers.push_back({nameAt(op.getLoc(), sources),
                              int64_t(op.getOffset().value_or(0)),
                              op.getBuffer().getType().getStorageBytes()});
  });
  llvm::json::Array params, maps;
  for (auto [i, type] : llvm::enumerate(kernel.getArgumentTypes())) {
    auto map =
        kernel.getArgAttrOfType<TensorMapAttr>(i, TIRxDialect::kTensorMapAttr);
    if (map)
      maps.push_back(tensorMapOf(map));
    else
      params.push_back(parameterOf(type));
  }
  record.metadata =
      llvm::json::Object{{"entry", record.name},
                         {"target", target},
                         {"params", std::move(params)},
                         {"block", dimensions(kernel.getKnownBlockSize())},
                         {"cluster", dimensions(kernel.getKnownClusterSize())},
                         {"shared", record.sharedBytes},
                         {"tensor_maps", std::move(maps)}};
  return record;
}

llvm::json::Value metadataOf(ArrayRef<KernelRecord> kernels) {
  if (kernels.size() == 1)
    return llvm::json::Object(kernels.front().metadata);
  llvm::json::Array all;
  for (const KernelRecord &kernel : kernels)
    all.push_back(llvm::json::Object(kernel.metadata));
  return llvm::json::Object{{"kernels", std::move(all)}};
}

static void printResources(raw_ostream &stream, StringRef name,
                           const PtxasResult *resources) {
  if (!resources) {
    stream << "  registers     unknown (ptxas not found)\n";
    return;
  }
  for (const KernelResources &kernel : resources->kernels) {
    if (kernel.kernel != name)
      continue;
    stream << llvm::formatv("  registers     {0} per thread\n",
                            kernel.registers);
    stream << llvm::formatv(
        "  spills        {0} bytes stored, {1} bytes loaded\n",
        kernel.spillStoreBytes, kernel.spillLoadBytes);
    stream << llvm::formatv("  stack         {0} bytes\n", kernel.stackBytes);
    stream << llvm::formatv("  barriers      {0}\n", kernel.barriers);
  }
}

void printReport(raw_ostream &stream, ArrayRef<KernelRecord> kernels,
                 const PtxasResult *resources) {
  for (const KernelRecord &kernel : kernels) {
    stream << "kernel " << kernel.name << "\n";
    stream << llvm::formatv("  shared memory {0} bytes\n", kernel.sharedBytes);
    for (const SharedBufferUse &buffer : kernel.buffers)
      stream << llvm::formatv("    {0,-12} {1,6} bytes at {2}\n",
                              buffer.name.empty() ? "(unnamed)" : buffer.name,
                              buffer.bytes, buffer.offset);
    stream << llvm::formatv("  tensor memory {0} columns\n",
                            kernel.tmemColumns);
    printResources(stream, kernel.name, resources);
  }
}

} // namespace tirx
