//===- KernelDecoder.h - decodes an entry and what it calls -----*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_LIB_SIMULATOR_KERNELDECODER_H
#define TIRX_LIB_SIMULATOR_KERNELDECODER_H

#include "ControlFlow.h"
#include "TIRx/PTX/AST.h"
#include "TIRx/Simulator/Program.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"

namespace tirx::sim {

class ModuleDecoder;

/// Decodes one entry, and every function that it may reach, into a Kernel.
class KernelDecoder {
public:
  KernelDecoder(ModuleDecoder &module, const ptx::Function &entry,
                Kernel &kernel)
      : main(module), entry(entry), kernel(kernel) {}
  void run();

  // For FunctionDecoder.
  /// The index in Kernel::functions of a function that can be executed (see
  /// ModuleDecoder::findBody). From now on it is part of the kernel.
  uint32_t reach(ModuleDecoder &module, const ptx::Function &body);
  /// An indirect call may reach every function that an initial value names.
  void reachInitialisers(ModuleDecoder &module);
  bool isModel(const ModuleDecoder &module) const { return &module != &main; }
  void emit(const Inst &inst, const InstInfo &info, Flow kind);
  /// The index in Kernel::opcodes of what an instruction is called.
  uint32_t opcodeOf(const ptx::Instruction &instruction);
  uint32_t sharedAddress(ModuleDecoder &module, const ptx::Variable &variable);
  /// A constant of a function holds an offset into dynamic shared memory.
  void useDynamicShared(uint32_t functionIndex, const ptx::Variable &variable);

private:
  void readDirectives();
  void placeDynamicShared();
  void collectErrors();

  struct Body {
    ModuleDecoder *module;
    const ptx::Function *function;
  };
  ModuleDecoder &main;
  const ptx::Function &entry;
  Kernel &kernel;
  std::vector<Body> bodies; ///< by index in Kernel::functions
  llvm::DenseMap<const ptx::Function *, uint32_t> indices;
  llvm::DenseMap<const ptx::Variable *, uint32_t> shared;
  llvm::StringMap<uint32_t> opcodes;
  std::vector<Flow> flow;
  /// Function and index of its constant.
  std::vector<std::pair<uint32_t, size_t>> dynamicConstants;
  unsigned dynamicAlign = 16;
};

} // namespace tirx::sim

#endif // TIRX_LIB_SIMULATOR_KERNELDECODER_H
