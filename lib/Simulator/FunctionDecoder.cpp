//===- FunctionDecoder.cpp - decodes one function -------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FunctionDecoder.h"
#include "Builtins.h"
#include "Machine.h"
#include "TIRx/PTX/Parser.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace tirx::sim;

/// Limits that no real kernel reaches, against inputs that ask for the moon.
static constexpr uint32_t kMaxRegisterBytes = 8u << 20;
static constexpr uint32_t kMaxLocalBytes = 16u << 20;
static constexpr unsigned kMaxBlockDepth = 256;

Slot FunctionDecoder::allocate(unsigned bits) {
  if (bits == 1) {
    if (freePredicate == lastPredicate) {
      freePredicate = llvm::alignTo(frame.registerBytes, 64);
      lastPredicate = freePredicate + 64;
      frame.registerBytes = lastPredicate;
      frame.registers.push_back({freePredicate, uint8_t(1)});
    }
    freePredicate += 4;
    return freePredicate - 4;
  }
  uint32_t bytes = bits <= 32 ? 128 : bits == 64 ? 256 : 512;
  if (frame.registerBytes > kMaxRegisterBytes) {
    module.fail(function.loc, "expected fewer registers: a warp of this kernel "
                              "needs more than 8 MiB of them");
    return 0;
  }
  Slot slot = llvm::alignTo(frame.registerBytes, 64);
  frame.registerBytes = slot + bytes;
  frame.registers.push_back({slot, uint8_t(std::max(bits, 32u))});
  return slot;
}

Slot FunctionDecoder::registerSlot(const ptx::Variable &variable,
                                   uint32_t index) {
  auto [it, isNew] = registers.try_emplace({&variable, index}, 0);
  if (isNew)
    it->second = allocate(ptx::bitWidth(variable.type));
  Slot slot = it->second;
  touched.push_back({uint32_t(kernel.code.size()), slot});
  if (isNew && module.module.keepsNames)
    frame.names.push_back(
        {variable.name.str() +
             (variable.rangeCount ? std::to_string(index) : ""),
         slot, uint8_t(ptx::bitWidth(variable.type)),
         ptx::spelling(variable.type)});
  return slot;
}

Slot FunctionDecoder::constant(uint64_t value, unsigned bits) {
  unsigned bytes = bits == 1 ? 1 : bits <= 32 ? 4 : 8;
  if (bytes == 4)
    value = uint32_t(value);
  auto [it, isNew] = constants.try_emplace({value, bytes}, 0);
  if (isNew) {
    it->second = allocate(bits);
    frame.constants.push_back(
        {it->second, uint8_t(bytes), value, false, false});
  }
  return it->second;
}

/// The kernel's own frame begins at 0, those of functions where the lane's
/// stack ends.
Slot FunctionDecoder::localConstant(uint64_t value, unsigned bits) {
  if (frame.isKernel)
    return constant(value, bits);
  auto [it, isNew] = localConstants.try_emplace({value, bits}, 0);
  if (isNew) {
    it->second = allocate(bits);
    frame.constants.push_back(
        {it->second, uint8_t(bits <= 32 ? 4 : 8), value, false, false, true});
  }
  return it->second;
}

Slot FunctionDecoder::special(SpecialRegister which, unsigned bits) {
  uint8_t bytes = bits <= 32 ? 4 : 8;
  auto [it, isNew] = specials.try_emplace({unsigned(which), bytes}, 0);
  if (isNew) {
    it->second = allocate(bits);
    frame.specials.push_back({it->second, bytes, which});
  }
  return it->second;
}

Slot FunctionDecoder::carryFlag() {
  if (carry == kNoSlot)
    carry = allocate(1);
  return carry;
}

uint32_t FunctionDecoder::localOffset(const ptx::Variable &variable) {
  auto it = locals.find(&variable);
  if (it != locals.end())
    return it->second;
  uint64_t address =
      llvm::alignTo(frame.localBytes, std::max(1u, variable.alignment()));
  uint64_t size = variable.sizeInBytes();
  if (size > kMaxLocalBytes || address + size > kMaxLocalBytes) {
    module.fail(variable.loc, "expected at most 16 MiB of local memory");
    return 0;
  }
  locals[&variable] = address;
  frame.localAlign = std::max(frame.localAlign, variable.alignment());
  // Rounded so that the alignment holds for every lane.
  frame.localBytes = llvm::alignTo(address + size, 16);
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
      program.useDynamicShared(frame.index, variable);
    } else {
      value += program.sharedAddress(module, variable);
    }
    frame.constants.push_back(
        {slot, uint8_t(bits <= 32 ? 4 : 8), value, true, false});
    return slot;
  }
  case ptx::StateSpace::Local:
    return localConstant(localOffset(variable) + offset, bits);
  case ptx::StateSpace::Param: {
    auto it = parameters.find(&variable);
    if (it == parameters.end())
      return localConstant(localOffset(variable) + offset, bits);
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
  program.emit(inst, currentInfo, kind);
  currentInfo.isFirst = false;
}

CallValue FunctionDecoder::declareValue(const ptx::Variable &variable) {
  CallValue value;
  if (variable.space == ptx::StateSpace::Reg) {
    value.isRegister = true;
    value.slot = registerSlot(variable, 0);
    value.bits = ptx::bitWidth(variable.type);
    value.bytes = ptx::byteSize(variable.type);
    return value;
  }
  if (variable.isUnsized())
    module.fail(variable.loc,
                "parameter lists of variable length have no model");
  value.offset = localOffset(variable);
  value.bytes = variable.sizeInBytes();
  return value;
}

void FunctionDecoder::declareParameters() {
  if (frame.isKernel)
    return declareKernelParameters();
  for (const ptx::Variable *variable : function.params)
    frame.parameters.push_back(declareValue(*variable));
  for (const ptx::Variable *variable : function.returns)
    frame.returns.push_back(declareValue(*variable));
}

void FunctionDecoder::declareKernelParameters() {
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

void FunctionDecoder::decode(const ptx::Instruction &instruction) {
  current = &instruction;
  currentInfo.ptxLine = instruction.loc.line;
  currentInfo.opcode = program.opcodeOf(instruction);
  currentInfo.isFirst = true;
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
  if (module.module.keepsNames && !decoder.failed())
    noteWrites(instruction);
}

void FunctionDecoder::noteWrite(const ptx::Operand &operand, ptx::Token type) {
  for (const ptx::Operand &element : operand.elements)
    noteWrite(element, type);
  if (!operand.is(ptx::Operand::Kind::Register))
    return;
  Slot slot = registerSlot(*operand.variable, operand.index);
  auto known = llvm::find_if(frame.names, [&](const NamedRegister &entry) {
    return entry.slot == slot;
  });
  NamedRegister target = *known;
  // `.b32` says less than what the instruction makes of it; of `d|p`, only one
  // has the type.
  if (ptx::bitWidth(type) == target.bits || ptx::packedElements(type) > 1)
    target.type = known->type = ptx::spelling(type);
  kernel.writes.push_back({uint32_t(kernel.code.size() - 1), target});
}

void FunctionDecoder::noteWrites(const ptx::Instruction &instruction) {
  if (!instruction.resolved)
    return;
  auto specs = ptx::matchOperands(instruction, 64);
  for (auto [spec, operand] : llvm::zip(specs, instruction.operands))
    if (spec.access != ptx::Access::Read &&
        !operand.is(ptx::Operand::Kind::Address))
      noteWrite(operand, spec.type);
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

void FunctionDecoder::decodeBody() {
  labels.assign(function.labelCount, kNoPc);
  walk(function.body, 0);
  // The end of the text ends the activation, too.
  Inst end;
  end.fn = frame.isKernel ? endThread : endCall;
  pendingLabel = kNoLabel;
  currentInfo.opcode = 0;
  emit(end, Flow::Ends);
  bindLabels();
  guardAsyncRegisters(kernel, frame.entry, touched);
}

/// The simulator's own function, and the way back.
static void emitBuiltin(FunctionDecoder &decoder, const Builtin &builtin) {
  Inst inst;
  inst.fn = builtin.fn;
  decoder.emit(inst, Flow::Falls);
  inst.fn = endCall;
  decoder.emit(inst, Flow::Ends);
  decoder.kernel.clustersInteract |= builtin.ordersCtas;
}

void FunctionDecoder::run() {
  frame.entry = kernel.code.size();
  currentInfo.inModels = program.isModel(module);
  declareParameters();
  if (function.isDefinition)
    return decodeBody();
  currentInfo.ptxLine = function.loc.line;
  const Builtin *builtin = findBuiltin(function.name);
  if (std::string problem = checkSignature(*builtin, frame); !problem.empty())
    module.fail(function.loc, problem);
  emitBuiltin(*this, *builtin);
}
