//===- FunctionDecoder.h - decodes one function -----------------*- C++ -*-===//
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
#include "KernelDecoder.h"
#include "TIRx/PTX/Table.h"
#include "llvm/ADT/DenseMap.h"
#include <map>

namespace tirx::sim {

/// Assigns addresses to the variables of a module and reports problems.
class ModuleDecoder {
public:
  ModuleDecoder(Module &module, const ptx::Module &ast,
                ModelLibrary *models = nullptr)
      : module(module), ast(ast), models(models) {}
  /// Lays out the variables, and decodes the kernels.
  llvm::Error prepare();
  void decodeKernels();
  /// Takes the errors since the last call, "" when there are none.
  std::string takeErrors();
  /// Address of a global or constant variable.
  uint64_t addressOf(const ptx::Variable &variable) const;
  /// What calls of a function execute: its definition, be it under an alias, or
  /// the declaration of a function that the simulator itself provides. Null:
  /// the module does not say.
  const ptx::Function *findBody(const ptx::Function &function) const;
  /// The address of what findBody returned.
  uint64_t addressOf(const ptx::Function &body) const;
  /// Bodies of the functions whose addresses initial values hold.
  llvm::ArrayRef<const ptx::Function *> functionsInInitialisers() const {
    return pointedTo;
  }
  void fail(ptx::SourceLoc loc, const llvm::Twine &message);

  Module &module;
  const ptx::Module &ast;
  /// Models of registered instructions, or null.
  ModelLibrary *const models;

private:
  void layOutGlobals();
  void fillInitialisers();
  bool addressOf(const ptx::Initializer &init, uint64_t &address);

  llvm::DenseMap<const ptx::Variable *, uint64_t> addresses;
  std::vector<const ptx::Variable *> initialised;
  llvm::DenseMap<const ptx::Function *, uint64_t> functionNumbers;
  llvm::SmallVector<const ptx::Function *> pointedTo;
  std::string errors;
  unsigned errorCount = 0;
};

/// Decodes one function into the code of a Kernel.
class FunctionDecoder {
public:
  FunctionDecoder(KernelDecoder &program, ModuleDecoder &module,
                  const ptx::Function &function, Kernel &kernel,
                  Function &frame)
      : program(program), module(module), function(function), kernel(kernel),
        frame(frame) {}
  void run();

  // For InstDecoder.
  Slot registerSlot(const ptx::Variable &variable, uint32_t index);
  Slot constant(uint64_t value, unsigned bits);
  Slot special(SpecialRegister which, unsigned bits);
  /// The address of a variable in its own space, as a constant.
  Slot symbol(const ptx::Variable &variable, int64_t offset, unsigned bits,
              std::string &error);
  Slot allocate(unsigned bits);
  /// Where a local variable, or a parameter that is no kernel's, lies in the
  /// frame.
  uint32_t localOffset(const ptx::Variable &variable);
  bool isKernelParameter(const ptx::Variable &variable) const {
    return parameters.contains(&variable);
  }
  Slot carryFlag();
  void emit(const Inst &inst, Flow flow);
  void useLabel(const ptx::Label &label) { pendingLabel = label.id; }

  KernelDecoder &program;
  ModuleDecoder &module;
  const ptx::Function &function;
  Kernel &kernel;
  Function &frame;

private:
  void declareParameters();
  void declareKernelParameters();
  CallValue declareValue(const ptx::Variable &variable);
  void decodeBody();
  Slot localConstant(uint64_t value, unsigned bits);
  void walk(llvm::ArrayRef<const ptx::Statement *> body, unsigned depth);
  void decode(const ptx::Instruction &instruction);
  void noteWrites(const ptx::Instruction &instruction);
  void noteWrite(const ptx::Operand &operand, ptx::Token type);
  void bindLabels();

  static constexpr uint32_t kNoLabel = ~0u;

  llvm::DenseMap<std::pair<const ptx::Variable *, uint32_t>, Slot> registers;
  std::map<std::pair<uint64_t, unsigned>, Slot> constants, localConstants;
  std::map<std::pair<unsigned, unsigned>, Slot> specials;
  std::map<std::tuple<const ptx::Variable *, int64_t, unsigned>, Slot>
      sharedSymbols;
  llvm::DenseMap<const ptx::Variable *, uint64_t> parameters;
  llvm::DenseMap<const ptx::Variable *, uint32_t> locals;
  /// The registers that instructions name, by program counter.
  std::vector<std::pair<uint32_t, Slot>> touched;
  std::vector<uint32_t> labels;
  std::vector<std::pair<uint32_t, uint32_t>> branches; ///< pc, label
  uint32_t pendingLabel = kNoLabel;
  InstInfo currentInfo;
  const ptx::Instruction *current = nullptr;
  Slot carry = kNoSlot;
  Slot freePredicate = 0, lastPredicate = 0;
};

} // namespace tirx::sim

#endif // TIRX_LIB_SIMULATOR_FUNCTIONDECODER_H
