//===- KernelDecoder.cpp - decodes an entry and what it calls -------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelDecoder.h"
#include "FunctionDecoder.h"
#include "TIRx/PTX/Table.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace tirx::sim;

/// A limit that no real kernel reaches, against inputs that ask for the moon.
static constexpr uint32_t kMaxSharedBytes = 16u << 20;

uint32_t KernelDecoder::reach(ModuleDecoder &module,
                              const ptx::Function &body) {
  auto [it, isNew] = indices.try_emplace(&body, kernel.functions.size());
  if (!isNew)
    return it->second;
  bodies.push_back({&module, &body});
  kernel.functions.emplace_back();
  Function &function = kernel.functions.back();
  function.name = body.name.str();
  function.index = it->second;
  function.isKernel = body.isEntry;
  function.address = module.addressOf(body);
  kernel.functionAt[function.address] = function.index;
  return it->second;
}

void KernelDecoder::reachInitialisers(ModuleDecoder &module) {
  for (const ptx::Function *body : module.functionsInInitialisers())
    reach(module, *body);
}

void KernelDecoder::emit(const Inst &inst, const InstInfo &info, Flow kind) {
  kernel.code.push_back(inst);
  kernel.info.push_back(info);
  flow.push_back(kind);
}

uint32_t KernelDecoder::opcodeOf(const ptx::Instruction &instruction) {
  auto [it, isNew] =
      opcodes.try_emplace(instruction.opcode, kernel.opcodes.size());
  if (isNew)
    kernel.opcodes.push_back(
        {instruction.opcode.str(),
         instruction.resolved
             ? ptx::spelling(instruction.resolved->info().family)
             : "registered"});
  return it->second;
}

uint32_t KernelDecoder::sharedAddress(ModuleDecoder &module,
                                      const ptx::Variable &variable) {
  auto it = shared.find(&variable);
  if (it != shared.end())
    return it->second;
  uint64_t size = variable.sizeInBytes();
  uint64_t address =
      llvm::alignTo(kernel.staticSharedEnd, std::max(1u, variable.alignment()));
  if (size > kMaxSharedBytes || address + size > kMaxSharedBytes) {
    module.fail(variable.loc, "expected at most 16 MiB of shared memory");
    return kSharedBase;
  }
  shared[&variable] = address;
  kernel.staticSharedEnd = address + size;
  kernel.sharedVariables.push_back(
      {variable.name.str(), uint32_t(address), size});
  return address;
}

void KernelDecoder::useDynamicShared(uint32_t functionIndex,
                                     const ptx::Variable &variable) {
  dynamicConstants.push_back(
      {functionIndex, kernel.functions[functionIndex].constants.size()});
  dynamicAlign = std::max(dynamicAlign, variable.alignment());
  kernel.usesDynamicShared = true;
  if (shared.try_emplace(&variable, 0).second)
    kernel.sharedVariables.push_back({variable.name.str(), 0, 0});
}

void KernelDecoder::placeDynamicShared() {
  kernel.dynamicSharedBase =
      llvm::alignTo(kernel.staticSharedEnd, std::max(16u, dynamicAlign));
  for (auto [function, constant] : dynamicConstants)
    kernel.functions[function].constants[constant].value +=
        kernel.dynamicSharedBase;
  for (SharedVariable &variable : kernel.sharedVariables)
    if (variable.address == 0)
      variable.address = kernel.dynamicSharedBase;
}

void KernelDecoder::readDirectives() {
  auto read = [&](llvm::StringRef name,
                  std::optional<std::array<unsigned, 3>> &result) {
    if (auto extents = entry.extents(name))
      result = {unsigned((*extents)[0]), unsigned((*extents)[1]),
                unsigned((*extents)[2])};
  };
  read("reqntid", kernel.requiredBlock);
  read("maxntid", kernel.maximumBlock);
  read("reqnctapercluster", kernel.requiredCluster);
  auto readNumber = [&](llvm::StringRef name, std::optional<unsigned> &result) {
    const ptx::FunctionDirective *directive = entry.findDirective(name);
    if (directive && !directive->values.empty())
      result = unsigned(std::min<uint64_t>(directive->values.front(), ~0u));
  };
  readNumber("maxnreg", kernel.maximumRegisters);
  readNumber("minnctapersm", kernel.minimumCtas);
}

void KernelDecoder::collectErrors() {
  llvm::SmallVector<ModuleDecoder *, 2> modules;
  for (const Body &body : bodies)
    if (!llvm::is_contained(modules, body.module))
      modules.push_back(body.module);
  for (ModuleDecoder *module : modules) {
    std::string text = module->takeErrors();
    if (!text.empty())
      kernel.errors += (kernel.errors.empty() ? "" : "\n") + text;
  }
}

void KernelDecoder::run() {
  kernel.name = entry.name.str();
  kernel.opcodes.emplace_back();
  readDirectives();
  reach(main, entry);
  // The list grows while its functions are decoded.
  for (size_t n = 0; n < bodies.size(); ++n)
    FunctionDecoder(*this, *bodies[n].module, *bodies[n].function, kernel,
                    kernel.functions[n])
        .run();
  placeDynamicShared();
  computeJoins(kernel.code, flow);
  collectErrors();
}
