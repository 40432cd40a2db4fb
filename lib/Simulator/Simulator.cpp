//===- Simulator.cpp - launches kernels -----------------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TIRx/Simulator/Simulator.h"
#include "GridRunner.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/FormatVariadic.h"
#include <cstring>

using namespace tirx::sim;

/// Shared memory of one CTA without the system's 1 KiB (sm_90 to sm_103).
static constexpr uint64_t kMaxShared = 227 * 1024;

void Simulator::prepareGlobals(const Module &module) {
  if (llvm::is_contained(loaded, &module))
    return;
  loaded.push_back(&module);
  if (module.models)
    prepareGlobals(*module.models);
  for (const GlobalVariable &variable : module.globals) {
    Allocation *allocation =
        memory.allocateAt(variable.name, variable.address, variable.size);
    // Variables without an initial value are zero (PTX ISA 5.4.4).
    std::memset(allocation->store.data(), 0, variable.size);
    if (!variable.data.empty())
      std::memcpy(allocation->store.data(), variable.data.data(),
                  std::min<size_t>(variable.data.size(), variable.size));
    allocation->store.markAllWritten();
    allocation->readOnly = variable.constant;
  }
}

static std::string print(const std::array<unsigned, 3> &extents) {
  return llvm::formatv("[{0}, {1}, {2}]", extents[0], extents[1], extents[2]);
}

static llvm::Error checkLaunch(const Kernel &kernel,
                               const LaunchParameters &p) {
  auto fail = [](const llvm::Twine &message) {
    return llvm::createStringError(message);
  };
  uint64_t threads = uint64_t(p.block[0]) * p.block[1] * p.block[2];
  if (threads == 0 || threads > 1024)
    return fail("block: expected 1 to 1024 threads, got " +
                llvm::Twine(threads));
  if (kernel.requiredBlock && *kernel.requiredBlock != p.block)
    return fail("block: expected " + print(*kernel.requiredBlock) +
                " (.reqntid of the kernel), got " + print(p.block));
  if (kernel.maximumBlock) {
    const auto &m = *kernel.maximumBlock;
    uint64_t limit = uint64_t(m[0]) * m[1] * m[2];
    if (threads > limit)
      return fail("block: expected at most " + llvm::Twine(limit) +
                  " threads (.maxntid of the kernel), got " +
                  llvm::Twine(threads));
  }
  if (kernel.requiredCluster && *kernel.requiredCluster != p.cluster)
    return fail("cluster: expected " + print(*kernel.requiredCluster) +
                " (.reqnctapercluster of the kernel), got " + print(p.cluster));
  uint64_t perCluster = 1;
  for (unsigned d = 0; d < 3; ++d) {
    if (p.grid[d] == 0 || p.cluster[d] == 0 || p.grid[d] % p.cluster[d])
      return fail("grid: expected a multiple of the cluster " +
                  print(p.cluster) + ", got " + print(p.grid));
    perCluster *= p.cluster[d];
  }
  if (perCluster > 16)
    return fail("cluster: expected at most 16 CTAs, got " +
                llvm::Twine(perCluster));
  uint64_t fixed = kernel.staticSharedEnd - kSharedBase;
  if (p.dynamicShared > kMaxShared || fixed + p.dynamicShared > kMaxShared)
    return fail(
        llvm::formatv("shared: expected at most {0} bytes of static and "
                      "dynamic shared memory, got {1} and {2}",
                      kMaxShared, fixed, p.dynamicShared)
            .str());
  if (p.arguments.size() != kernel.parameterBytes)
    return fail(llvm::formatv("args: expected {0} bytes of parameters, got {1}",
                              kernel.parameterBytes, p.arguments.size())
                    .str());
  return llvm::Error::success();
}

/// Holds a count of bytes, the arrivals at the barrier of the grid, and locks
/// of the runtime.
static constexpr uint64_t kWorkspaceBytes = 64;

llvm::Error Simulator::launch(const Module &module,
                              const LaunchParameters &parameters,
                              LaunchStatistics *statistics) {
  auto kernel = module.findKernel(parameters.entry);
  if (!kernel)
    return kernel.takeError();
  LaunchParameters p = parameters;
  if (p.cluster == std::array<unsigned, 3>{1, 1, 1} &&
      (*kernel)->requiredCluster)
    p.cluster = *(*kernel)->requiredCluster;
  if (auto error = checkLaunch(**kernel, p))
    return error;
  prepareGlobals(module);

  Allocation *block = nullptr;
  if (!p.arguments.empty()) {
    block = memory.allocateAt("parameters", kParameterBase, p.arguments.size());
    std::memcpy(block->store.data(), p.arguments.data(), p.arguments.size());
    block->store.markAllWritten();
    block->readOnly = true;
  }
  Allocation *workspace = nullptr;
  auto unmap = llvm::make_scope_exit([&] {
    for (Allocation *allocation : {block, workspace})
      if (allocation)
        memory.release(allocation);
  });
  if (p.cooperative) {
    auto allocated =
        memory.allocate("workspace of the cooperative launch", kWorkspaceBytes);
    if (!allocated)
      return allocated.takeError();
    workspace = *allocated;
    std::memset(workspace->store.data(), 0, kWorkspaceBytes);
    workspace->store.markAllWritten();
  }
  Observer *observer = observers.simplify();
  LaunchEvent event{&module, *kernel, &p};
  if (observer)
    observer->onLaunchBegin(event);
  LaunchContext context{
      module, **kernel, p,      options,
      memory, observer, output, workspace ? workspace->base : 0};
  const bool ordered = options.async == AsyncMode::Eager;
  if (p.isDependent && !ordered && !unseen.empty())
    context.unseen = &unseen;
  GridWrites writes;
  if (p.hasDependent && !ordered)
    writes.begin(memory);
  LaunchStatistics ignored;
  GridRunner(context, log, statistics ? *statistics : ignored).run();
  if (p.hasDependent && !ordered)
    writes.end(memory);
  unseen = std::move(writes);
  if (observer)
    observer->onLaunchEnd(event);
  return llvm::Error::success();
}
