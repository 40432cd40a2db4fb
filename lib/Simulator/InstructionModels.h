//===- InstructionModels.h - registered instructions ------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A models file holds PTX functions for instructions that the table does not
// know, each with a line at module level:
//
//   .pragma "tirx.instruction MNEMONIC FUNCTION role:type ...";
//
// Roles are in, out, inout and imm; types pred, b8, b16, b32 and b64, with xN
// for an operand of N registers. The function takes every register that is read
// and returns every one that is written, in order: as .b32, or .b64 where they
// are wider; several results as a byte array with natural alignment.
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_LIB_SIMULATOR_INSTRUCTIONMODELS_H
#define TIRX_LIB_SIMULATOR_INSTRUCTIONMODELS_H

#include "FunctionDecoder.h"

namespace tirx::sim {

struct ModelOperand {
  bool isRead = false, isWritten = false, isImmediate = false;
  unsigned bits = 32; ///< of a register, 1 for a predicate
  unsigned count = 1; ///< of registers

  unsigned wordBytes() const { return bits > 32 ? 8 : 4; }
};

struct InstructionModel {
  const ptx::Function *function = nullptr;
  llvm::SmallVector<ModelOperand, 4> operands;
};

class ModelLibrary {
public:
  /// Parses the file, into `module`.
  static llvm::Expected<std::unique_ptr<ModelLibrary>> load(Module &module);

  /// The model of a whole dotted text, or null.
  const InstructionModel *find(llvm::StringRef mnemonic) const;

  std::unique_ptr<ptx::Module> ast;
  ModuleDecoder decoder;

private:
  ModelLibrary(Module &module, std::unique_ptr<ptx::Module> parsed)
      : ast(std::move(parsed)), decoder(module, *ast) {}
  llvm::Error readPragmas();
  llvm::Error readPragma(llvm::StringRef text);

  llvm::StringMap<InstructionModel> models;
};

/// Decodes an instruction as a call of its model.
void decodeModelCall(InstDecoder &decoder, Inst &inst, ModelLibrary &library,
                     const InstructionModel &model);

} // namespace tirx::sim

#endif // TIRX_LIB_SIMULATOR_INSTRUCTIONMODELS_H
