//===- FunctionDecoder.cpp - decodes one entry ----------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FunctionDecoder.h"
#include "Machine.h"
#include "llvm/Support/MathExtras.h"

using namespace tirx::sim;

/// Limits that no real kernel reaches, against inputs that ask for the moon.
static constexpr uint32_t kMaxRegisterBytes = 8u << 20;
static constexpr uint32_t kMaxSharedBytes = 16u << 20;
static constexpr unsigned kMaxBlockDepth = 256;

Slot FunctionDecoder::allocate(unsigned bits) {
  if (bits == 1) {
    if (freePredicate == lastPredicate) {
      freePredicate = llvm::alignTo(kernel.registerBytes, 64);
      lastPredicate = freePredicate + 64;
      kernel.registerBytes = lastPredicate;
    }
    freePredicate += 4;
    return freePredicate - 4;
  }
  uint32_t bytes = bits <= 32 ? 128 : bits == 64 ? 256 : 512;
  if (kernel.registerBytes > kMaxRegisterBytes) {
    module.fail(function.loc, "expected fewer registers: a warp of this kernel "
                              "needs more than 8 MiB of them");
    return 0;
  }
  Slot slot = llvm::alignTo(kernel.registerBytes, 64);
  kernel.registerBytes = slot + bytes;
  return slot;
}

Slot FunctionDecoder::registerSlot(const ptx::Variable &variable,
                                   uint32_t index) {
  auto [it, isNew] = registers.try_emplace({&variable, index}, 0);
  if (isNew)
    it->second = allocate(ptx::bitWidth(variable.type));
  return it->second;
}

Slot FunctionDecoder::constant(uint64_t value, unsigned bits) {
  unsigned bytes = bits == 1 ? 1 : bits <= 32 ? 4 : 8;
  if (bytes == 4)
    value = uint32_t(value);
  auto [it, isNew] = constants.try_emplace({value, bytes}, 0);
  if (isNew) {
    it->second = allocate(bits);
    kernel.constants.push_back(
        {it->second, uint8_t(bytes), value, false, false});
  }
  return it->second;
}

Slot FunctionDecoder::special(SpecialRegister which, unsigned bits) {
  uint8_t bytes = bits <= 32 ? 4 : 8;
  auto [it, isNew] = specials.try_emplace({unsigned(which), bytes}, 0);
  if (isNew) {
    it->second = allocate(bits);
    kernel.specials.push_back({it->second, bytes, which});
  }
  return it->second;
}

Slot FunctionDecoder::carryFlag() {
  if (carry == kNoSlot)
    carry = allocate(1);
  return carry;
}

uint32_t FunctionDecoder::sharedAddress(const ptx::Variable &variable) {
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

uint32_t FunctionDecoder::localAddress(const ptx::Variable &variable) {
  auto it = locals.find(&variable);
  if (it != locals.end())
    return it->second;
  uint64_t address =
      llvm::alignTo(kernel.localBytes, std::max(1u, variable.alignment()));
  uint64_t size = variable.sizeInBytes();
  if (size > kMaxSharedBytes || address + size > kMaxSharedBytes) {
    module.fail(variable.loc, "expected at most 16 MiB of local memory");
    return 0;
  }
  locals[&variable] = address;
  // Rounded so that the alignment holds for every lane.
  kernel.localBytes = llvm::alignTo(address + size, 16);
  return address;
}

Slot FunctionDecoder::symbol(const ptx::Variable &variable, int64_t offset,
                             unsigned bits, std::string &error) {
  switch (variable.space) {
  case ptx::StateSpace::Shared: {
    bool dynamic =
        variable.isUnsized() || variable.linkage == ptx::Linkage::Extern;
    auto [known, isNew] =
        sharedSymbols.try_emplace({&variable, offset, bits}, 0);
    if (!isNew)
      return known->second;
    Slot slot = known->second = allocate(bits);
    uint64_t value = offset;
    if (dynamic) {
      dynamicConstants.push_back(kernel.constants.size());
      dynamicAlign = std::max(dynamicAlign, variable.alignment());
      kernel.usesDynamicShared = true;
      if (shared.try_emplace(&variable, 0).second)
        kernel.sharedVariables.push_back({variable.name.str(), 0, 0});
    } else {
      value += sharedAddress(variable);
    }
    kernel.constants.push_back(
        {slot, uint8_t(bits <= 32 ? 4 : 8), value, true, false});
    return slot;
  }
  case ptx::StateSpace::Local:
    return constant(localAddress(variable) + offset, bits);
  case ptx::StateSpace::Param: {
    auto it = parameters.find(&variable);
    if (it == parameters.end()) {
      error = "parameters of calls have no model";
      return kNoSlot;
    }
    return constant(kParameterBase + it->second + offset, bits);
  }
  case ptx::StateSpace::Global:
  case ptx::StateSpace::Const:
    return constant(module.addressOf(variable) + offset, bits);
  default:
    error = ("the address of '" + variable.name + "' has no model").str();
    return kNoSlot;
  }
}

void FunctionDecoder::emit(const Inst &inst, Flow kind) {
  if (pendingLabel != kNoLabel) {
    branches.push_back({uint32_t(kernel.code.size()), pendingLabel});
    pendingLabel = kNoLabel;
  }
  kernel.code.push_back(inst);
  kernel.info.push_back(currentInfo);
  flow.push_back(kind);
}

void FunctionDecoder::declareParameters() {
  uint64_t offset = 0;
  for (const ptx::Variable *parameter : function.params) {
    uint64_t align = std::max(1u, parameter->alignment());
    uint64_t size = parameter->sizeInBytes();
    offset = llvm::alignTo(offset, align);
    parameters[parameter] = offset;
    kernel.parameters.push_back({parameter->name.str(), offset, size, align});
    offset += size;
    if (offset > (32u << 10)) {
      module.fail(parameter->loc, "expected at most 32764 bytes of parameters");
      return;
    }
  }
  kernel.parameterBytes = offset;
}

void FunctionDecoder::readDirectives() {
  auto read = [&](llvm::StringRef name,
                  std::optional<std::array<unsigned, 3>> &result) {
    if (auto extents = function.extents(name))
      result = {unsigned((*extents)[0]), unsigned((*extents)[1]),
                unsigned((*extents)[2])};
  };
  read("reqntid", kernel.requiredBlock);
  read("maxntid", kernel.maximumBlock);
  read("reqnctapercluster", kernel.requiredCluster);
}

void FunctionDecoder::decode(const ptx::Instruction &instruction) {
  current = &instruction;
  currentInfo.ptxLine = instruction.loc.line;
  currentInfo.file = currentInfo.line = 0;
  if (instruction.location) {
    currentInfo.file = instruction.location->file;
    currentInfo.line = instruction.location->line;
  }
  InstDecoder decoder(*this, instruction);
  Inst inst;
  Flow kind = Flow::Falls;
  if (!decoder.failed())
    decoder.decode(inst, kind);
  if (!decoder.failed() && !inst.fn)
    decoder.fail("this form has no model");
  if (decoder.failed()) {
    llvm::StringRef text = module.module.lineText(instruction.loc.line);
    module.fail(instruction.loc, "instruction without a model: `" + text +
                                     "`: " + decoder.error());
    inst = Inst();
    pendingLabel = kNoLabel;
  }
  emit(inst, decoder.failed() ? Flow::Falls : kind);
}

void FunctionDecoder::walk(llvm::ArrayRef<const ptx::Statement *> body,
                           unsigned depth) {
  for (const ptx::Statement *statement : body) {
    if (auto *label = llvm::dyn_cast<ptx::Label>(statement)) {
      if (label->role == ptx::Label::Role::Code && label->id < labels.size())
        labels[label->id] = kernel.code.size();
    } else if (auto *instruction =
                   llvm::dyn_cast<ptx::Instruction>(statement)) {
      decode(*instruction);
    } else if (auto *block = llvm::dyn_cast<ptx::Block>(statement)) {
      if (depth >= kMaxBlockDepth)
        module.fail(block->loc, "expected blocks nested at most 256 deep");
      else
        walk(block->body, depth + 1);
    }
  }
}

void FunctionDecoder::placeDynamicShared() {
  kernel.dynamicSharedBase =
      llvm::alignTo(kernel.staticSharedEnd, std::max(16u, dynamicAlign));
  for (size_t index : dynamicConstants)
    kernel.constants[index].value += kernel.dynamicSharedBase;
  for (SharedVariable &variable : kernel.sharedVariables)
    if (variable.address == 0)
      variable.address = kernel.dynamicSharedBase;
}

void FunctionDecoder::bindLabels() {
  for (auto [pc, label] : branches) {
    if (label >= labels.size() || labels[label] == kNoPc) {
      module.fail({kernel.info[pc].ptxLine, 1}, "expected a label of this "
                                                "function as the target");
      kernel.code[pc].target = pc;
      continue;
    }
    kernel.code[pc].target = labels[label];
  }
}

void FunctionDecoder::run() {
  kernel.name = function.name.str();
  labels.assign(function.labelCount, kNoPc);
  readDirectives();
  declareParameters();
  walk(function.body, 0);
  // The end of the text ends the threads, too.
  Inst end;
  end.fn = [](Warp &warp, const Inst &, uint32_t mask) {
    return endLanes(warp, mask);
  };
  pendingLabel = kNoLabel;
  emit(end, Flow::Ends);
  bindLabels();
  placeDynamicShared();
  computeJoins(kernel.code, flow);
}
