//===- FunctionDecoder.h - decodes one entry --------------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_LIB_SIMULATOR_FUNCTIONDECODER_H
#define TIRX_LIB_SIMULATOR_FUNCTIONDECODER_H

#include "ControlFlow.h"
#include "Decoder.h"
#include "llvm/ADT/DenseMap.h"
#include <map>

namespace tirx::sim {

/// Assigns addresses to the variables of a module and reports problems.
class ModuleDecoder {
public:
  ModuleDecoder(Module &module, const ptx::Module &ast)
      : module(module), ast(ast) {}
  llvm::Error run();
  /// Takes the errors since the last call, "" when there are none.
  std::string takeErrors();
  /// Address of a global or constant variable.
  uint64_t addressOf(const ptx::Variable &variable) const;
  void fail(ptx::SourceLoc loc, const llvm::Twine &message);

  Module &module;
  const ptx::Module &ast;

private:
  void layOutGlobals();
  void fillInitialisers();

  llvm::DenseMap<const ptx::Variable *, uint64_t> addresses;
  std::vector<const ptx::Variable *> initialised;
  std::string errors;
  unsigned errorCount = 0;
};

/// Decodes one entry into a Kernel.
class FunctionDecoder {
public:
  FunctionDecoder(ModuleDecoder &module, const ptx::Function &function,
                  Kernel &kernel)
      : module(module), function(function), kernel(kernel) {}
  void run();

  // For InstDecoder.
  Slot registerSlot(const ptx::Variable &variable, uint32_t index);
  Slot constant(uint64_t value, unsigned bits);
  Slot special(SpecialRegister which, unsigned bits);
  /// The address of a variable in its own space, as a constant.
  Slot symbol(const ptx::Variable &variable, int64_t offset, unsigned bits,
              std::string &error);
  Slot allocate(unsigned bits);
  Slot carryFlag();
  void emit(const Inst &inst, Flow flow);
  void useLabel(const ptx::Label &label) { pendingLabel = label.id; }

  ModuleDecoder &module;
  const ptx::Function &function;
  Kernel &kernel;

private:
  void declareParameters();
  void readDirectives();
  void walk(llvm::ArrayRef<const ptx::Statement *> body, unsigned depth);
  void decode(const ptx::Instruction &instruction);
  void placeDynamicShared();
  void bindLabels();
  uint32_t sharedAddress(const ptx::Variable &variable);
  uint32_t localAddress(const ptx::Variable &variable);

  static constexpr uint32_t kNoLabel = ~0u;

  llvm::DenseMap<std::pair<const ptx::Variable *, uint32_t>, Slot> registers;
  std::map<std::pair<uint64_t, unsigned>, Slot> constants;
  std::map<std::pair<unsigned, unsigned>, Slot> specials;
  std::map<std::tuple<const ptx::Variable *, int64_t, unsigned>, Slot>
      sharedSymbols;
  llvm::DenseMap<const ptx::Variable *, uint64_t> parameters;
  llvm::DenseMap<const ptx::Variable *, uint32_t> shared, locals;
  std::vector<Flow> flow;
  std::vector<uint32_t> labels;
  std::vector<std::pair<uint32_t, uint32_t>> branches; ///< pc, label
  std::vector<size_t> dynamicConstants;
  unsigned dynamicAlign = 16;
  uint32_t pendingLabel = kNoLabel;
  InstInfo currentInfo;
  const ptx::Instruction *current = nullptr;
  Slot carry = kNoSlot;
  Slot freePredicate = 0, lastPredicate = 0;
};

} // namespace tirx::sim

#endif // TIRX_LIB_SIMULATOR_FUNCTIONDECODER_H
