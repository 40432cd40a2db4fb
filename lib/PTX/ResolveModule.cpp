//===- ResolveModule.cpp - instructions against the table -----------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OperandCheck.h"
#include "TIRx/PTX/Parser.h"
#include "TIRx/PTX/Table.h"
#include "llvm/ADT/StringMap.h"

using namespace tirx::ptx;
using llvm::StringRef;
using llvm::Twine;

namespace {

/// What the table says about one dotted text.
struct Entry {
  ResolvedInstruction resolved;
  llvm::SmallVector<OperandSpec, 8> specs;
  std::string error;     ///< why `resolved` is empty
  bool hasRules = false; ///< of single operands: what excludes them or is newer
  std::string targetError; ///< what the module's target or version lacks
};

class ModuleResolver {
public:
  ModuleResolver(Module &module, Diagnostics &diagnostics, bool checkTargets)
      : module(module), diagnostics(diagnostics), checkTargets(checkTargets),
        table(std::make_shared<llvm::StringMap<Entry>>()) {}

  void run();

private:
  Entry &lookup(StringRef opcode);
  bool checkWritten(const Instruction &instruction, const Entry &entry);
  void resolveOne(Instruction &instruction);
  void checkLabels(const Instruction &instruction, const Entry &entry);
  void error(SourceLoc loc, const Twine &message) {
    diagnostics.error(module.text, loc, message);
  }

  Module &module;
  Diagnostics &diagnostics;
  const bool checkTargets;
  /// Lives as long as the module, whose instructions point into it.
  std::shared_ptr<llvm::StringMap<Entry>> table;
};

} // namespace

Entry &ModuleResolver::lookup(StringRef opcode) {
  auto [position, isNew] = table->try_emplace(opcode);
  Entry &entry = position->second;
  if (!isNew)
    return entry;
  llvm::Expected<ResolvedInstruction> resolved = tirx::ptx::resolve(opcode);
  if (!resolved) {
    entry.error =
        llvm::toString(resolved.takeError()) + describeNewerVersion(module);
    return entry;
  }
  entry.resolved = std::move(*resolved);
  entry.specs = operands(entry.resolved);
  entry.hasRules = llvm::any_of(entry.specs, [](const OperandSpec &spec) {
    return spec.since.ptx || !spec.since.targets.empty() ||
           !spec.instead.empty();
  });
  if (checkTargets)
    if (llvm::Error problem =
            checkTarget(entry.resolved, module.target, module.version))
      entry.targetError = llvm::toString(std::move(problem));
  return entry;
}

/// The label of a branch must be one of code, that of brx.idx a list.
void ModuleResolver::checkLabels(const Instruction &instruction,
                                 const Entry &entry) {
  Opcode opcode = entry.resolved.opcode();
  for (const Operand &operand : instruction.operands) {
    if (operand.kind != Operand::Kind::Label)
      continue;
    Label::Role role = operand.label->role;
    StringRef wanted;
    if (opcode == Opcode::bra && role != Label::Role::Code)
      wanted = "a label of an instruction";
    else if (opcode == Opcode::brx_idx && role != Label::Role::BranchTargets)
      wanted = "a list made by .branchtargets";
    else if (opcode == Opcode::call && role != Label::Role::CallTargets &&
             role != Label::Role::CallPrototype)
      wanted = "a .callprototype or a list made by .calltargets";
    if (!wanted.empty())
      error(operand.loc, "'" + instruction.opcode + "': expected " + wanted +
                             ", got '" + operand.name + "'");
  }
  bool isBranch = opcode == Opcode::bra || opcode == Opcode::brx_idx;
  if (isBranch && !instruction.operands.empty() &&
      instruction.operands.back().kind != Operand::Kind::Label)
    error(instruction.operands.back().loc,
          "'" + instruction.opcode + "': expected a label, got '" +
              instruction.operands.back().name + "'");
}

/// What holds for some operands only; true after a report.
bool ModuleResolver::checkWritten(const Instruction &instruction,
                                  const Entry &entry) {
  if (!entry.hasRules)
    return false;
  llvm::SmallVector<OperandSpec, 8> written =
      matchOperands(instruction, module.addressSize);
  llvm::Error problem = checkTogether(entry.resolved, written);
  if (!problem && checkTargets)
    problem =
        checkTarget(entry.resolved, written, module.target, module.version);
  if (!problem)
    return false;
  error(instruction.opcodeLoc, llvm::toString(std::move(problem)));
  return true;
}

void ModuleResolver::resolveOne(Instruction &instruction) {
  Entry &entry = lookup(instruction.opcode);
  if (!entry.resolved) {
    error(instruction.opcodeLoc, entry.error);
    return;
  }
  if (OperandProblem problem = checkOperands(instruction, entry.resolved,
                                             entry.specs, module.addressSize)) {
    error(problem.loc, problem.message);
    return;
  }
  instruction.resolved = &entry.resolved;
  checkLabels(instruction, entry);
  if (!checkWritten(instruction, entry) && !entry.targetError.empty())
    error(instruction.opcodeLoc, entry.targetError);
}

void ModuleResolver::run() {
  module.resolvedInstructions = table;
  for (Instruction *instruction : module.instructions) {
    resolveOne(*instruction);
    if (diagnostics.isFull())
      return;
  }
}

bool tirx::ptx::resolveModule(Module &module, Diagnostics &diagnostics) {
  unsigned before = diagnostics.getCount();
  ModuleResolver(module, diagnostics, /*checkTargets=*/false).run();
  return diagnostics.getCount() == before;
}

bool tirx::ptx::verifyModule(Module &module, Diagnostics &diagnostics) {
  unsigned before = diagnostics.getCount();
  ModuleResolver(module, diagnostics, /*checkTargets=*/true).run();
  return diagnostics.getCount() == before;
}
