//===- Instructions.cpp - the instruction table through the C API ---------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Common.h"
#include "TIRx/PTX/Table.h"
#include "TIRx/Target/TargetInfo.h"

using namespace llvm;
using namespace tirx;
using namespace tirx::capi;

static StringRef nameOf(ptx::Access access) {
  switch (access) {
  case ptx::Access::Read:
    return "read";
  case ptx::Access::Write:
    return "write";
  case ptx::Access::ReadWrite:
    return "readwrite";
  }
  return "";
}

static StringRef nameOf(ptx::OperandKind kind) {
  switch (kind) {
  case ptx::OperandKind::Register:
    return "register";
  case ptx::OperandKind::Value:
    return "value";
  case ptx::OperandKind::Immediate:
    return "immediate";
  case ptx::OperandKind::Predicate:
    return "predicate";
  case ptx::OperandKind::PredicatePair:
    return "predicate_pair";
  case ptx::OperandKind::Address:
    return "address";
  case ptx::OperandKind::TensorAddress:
    return "tensor_address";
  case ptx::OperandKind::DescriptorOrAddress:
    return "descriptor_or_address";
  case ptx::OperandKind::Label:
    return "label";
  case ptx::OperandKind::Symbol:
    return "symbol";
  }
  return "";
}

static json::Value describe(const ptx::Form &form) {
  json::Array slots, operands;
  for (const ptx::ModifierSlot &slot : form.slots) {
    json::Array choices;
    for (const ptx::Choice &choice : slot.choices)
      choices.push_back(ptx::spelling(choice.token));
    slots.push_back(json::Object{{"name", ptx::spelling(slot.mod)},
                                 {"optional", slot.optional},
                                 {"choices", std::move(choices)}});
  }
  for (const ptx::OperandInfo &operand : form.operands)
    operands.push_back(json::Object{{"name", operand.name},
                                    {"kind", nameOf(operand.kind)},
                                    {"access", nameOf(operand.access)},
                                    {"optional", operand.optional}});
  return json::Object{{"slots", std::move(slots)},
                      {"operands", std::move(operands)}};
}

TirxResult *tirxListInstructions(void) {
  json::Array list;
  for (const ptx::InstructionInfo &instruction : ptx::instructions()) {
    json::Array forms;
    for (const ptx::Form &form : instruction.forms)
      forms.push_back(describe(form));
    list.push_back(json::Object{{"mnemonic", instruction.mnemonic},
                                {"summary", instruction.summary},
                                {"section", instruction.section},
                                {"forms", std::move(forms)}});
  }
  auto *result = new TirxResult;
  result->setJson("instructions", std::move(list));
  return result;
}

TirxResult *tirxListTileOps(void) {
  static constexpr char definitions[] =
#include "TIRx/Dialect/TIRx/IR/TileOps.inc"
      ;
  auto *result = new TirxResult;
  result->set("ops", definitions);
  return result;
}

TirxResult *tirxResolveInstruction(TirxString text) {
  auto instruction = ptx::resolve(toRef(text));
  if (!instruction)
    return fail(instruction.takeError());
  json::Array list;
  for (const ptx::OperandSpec &operand : ptx::operands(*instruction))
    list.push_back(json::Object{{"name", operand.name},
                                {"kind", nameOf(operand.kind)},
                                {"access", nameOf(operand.access)},
                                {"type", ptx::spelling(operand.type)},
                                {"bits", ptx::bitWidth(operand.type)},
                                {"lanes", operand.lanes},
                                {"optional", operand.optional},
                                {"sink", operand.sink}});
  json::Array targets;
  for (const TargetInfo &target : getTargets()) {
    if (Error error = ptx::checkTarget(*instruction, target.chip, 0))
      consumeError(std::move(error));
    else
      targets.push_back(target.chip);
  }
  auto *result = new TirxResult;
  result->setJson("instruction",
                  json::Object{{"text", ptx::print(*instruction)},
                               {"operands", std::move(list)},
                               {"targets", std::move(targets)},
                               {"pure", ptx::effects(*instruction).isPure()}});
  return result;
}
