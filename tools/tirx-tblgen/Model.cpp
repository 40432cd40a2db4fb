//===- Model.cpp - the PTX table as read from TableGen --------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/TableGen/Error.h"

using namespace llvm;
using namespace tirx::tblgen;

/// Modifiers and mnemonics that are words of C++.
static bool isKeyword(StringRef text) {
  static const std::set<StringRef> keywords = {
      "and",     "or",     "xor",      "not",   "const", "volatile", "switch",
      "default", "return", "continue", "union", "new",   "alloca"};
  return keywords.count(text);
}

std::string tirx::tblgen::identifier(StringRef text) {
  std::string result;
  for (size_t i = 0; i != text.size(); ++i) {
    if (text[i] == ':' && i + 1 != text.size() && text[i + 1] == ':')
      ++i;
    result += isAlnum(text[i]) ? text[i] : '_';
  }
  if (isDigit(result[0]))
    result = "_" + result;
  if (isKeyword(text))
    result += '_';
  return result;
}

TypeSpec tirx::tblgen::parseType(StringRef spec) {
  if (spec.empty())
    return {"Any", ""};
  if (spec == "address")
    return {"Address", ""};
  if (spec.consume_front("$"))
    return {"Slot", spec};
  if (spec.consume_front("wide($"))
    return {"WideSlot", spec.drop_back()};
  if (spec.consume_front("bits($"))
    return {"BitsSlot", spec.drop_back()};
  return {"Fixed", spec};
}

std::optional<std::vector<std::array<int64_t, 3>>>
tirx::tblgen::parseValues(StringRef spec) {
  std::vector<std::array<int64_t, 3>> result;
  if (spec.empty())
    return result;
  for (StringRef part : split(spec, ',')) {
    auto [range, step] = part.split('/');
    auto [least, most] = range.split("..");
    std::array<int64_t, 3> &parsed = result.emplace_back();
    parsed[2] = 1;
    if (least.getAsInteger(10, parsed[0]) ||
        (most.empty() ? least : most).getAsInteger(10, parsed[1]) ||
        (!step.empty() && step.getAsInteger(10, parsed[2])) ||
        parsed[0] > parsed[1] || parsed[2] < 1)
      return std::nullopt;
  }
  return result;
}

TypeSpec tirx::tblgen::parseBytes(StringRef spec) {
  if (spec.empty())
    return {"Unknown", ""};
  if (spec.consume_front("of("))
    return {"Data", spec.drop_back()};
  if (spec.consume_front("value("))
    return {"Value", spec.drop_back()};
  return {"Fixed", spec};
}

static Availability readAvailability(const Record &record) {
  return {record.getValueAsInt("ptx"),
          record.getValueAsListOfStrings("targets")};
}

Model::Model(const RecordKeeper &records) {
  for (const Record *record :
       records.getAllDerivedDefinitions("SpecialRegister")) {
    registers.push_back(
        {record->getValueAsString("name"), record->getValueAsString("type"),
         record->getValueAsString("summary"), record->getValueAsInt("lanes"),
         record->getValueAsBit("isVolatile"), readAvailability(*record)});
    tokens.insert(registers.back().type);
  }
  llvm::sort(registers, [](auto &a, auto &b) { return a.name < b.name; });
  for (const Record *record : records.getAllDerivedDefinitions("Instruction"))
    instructions.push_back(readInstruction(*record));
  llvm::sort(instructions,
             [](auto &a, auto &b) { return a.mnemonic < b.mnemonic; });
  for (size_t i = 1; i < instructions.size(); ++i)
    if (instructions[i - 1].mnemonic == instructions[i].mnemonic)
      PrintFatalError("expected one record for an instruction, got two for '" +
                      instructions[i].mnemonic + "'");
}

Instruction Model::readInstruction(const Record &record) {
  Instruction result;
  result.mnemonic = record.getValueAsString("mnemonic");
  result.family = record.getValueAsString("family");
  result.section = record.getValueAsString("section");
  result.summary = record.getValueAsString("summary");
  result.lowering = record.getValueAsString("lowering");
  for (const Record *form : record.getValueAsListOfDefs("forms")) {
    result.forms.push_back(readForm(*form, record));
    checkForm(result.forms.back(), record);
    addTokens(result.forms.back());
  }
  return result;
}

Form Model::readForm(const Record &record, const Record &instruction) {
  Form form;
  for (const Record *slot : record.getValueAsListOfDefs("slots"))
    form.slots.push_back(readSlot(*slot, instruction));
  for (const Record *operand : record.getValueAsListOfDefs("operands"))
    form.operands.push_back(readOperand(*operand));
  for (const Record *effect : record.getValueAsListOfDefs("effects"))
    form.effects.push_back(
        {effect->getValueAsString("operand"),
         effect->getValueAsString("access"), effect->getValueAsString("space"),
         effect->getValueAsString("proxy"), effect->getValueAsString("bytes")});
  for (const Record *r : record.getValueAsListOfDefs("restrictions"))
    form.restrictions.push_back({r->getValueAsListOfStrings("ifAny"),
                                 r->getValueAsListOfStrings("needsAny"),
                                 r->getValueAsBit("excludes"),
                                 r->getValueAsString("why")});
  form.flags = record.getValueAsListOfStrings("flags");
  form.since = readAvailability(record);
  Availability general = readAvailability(instruction);
  if (!form.since.ptx)
    form.since.ptx = general.ptx;
  if (form.since.targets.empty())
    form.since.targets = general.targets;
  return form;
}

Slot Model::readSlot(const Record &record, const Record &instruction) {
  Slot slot{record.getValueAsString("mod"),
            record.getValueAsBit("optional"),
            record.getValueAsString("defaultChoice"),
            {}};
  for (StringRef text : record.getValueAsListOfStrings("choices")) {
    auto [token, alias] = text.split('|');
    slot.choices.push_back({token, alias, {}});
  }
  for (const Record *since : instruction.getValueAsListOfDefs("since"))
    for (StringRef token : since->getValueAsListOfStrings("tokens"))
      for (Choice &choice : slot.choices)
        if (choice.token == token)
          choice.since = readAvailability(*since);
  return slot;
}

Operand Model::readOperand(const Record &record) {
  return {record.getValueAsString("name"),   record.getValueAsString("kind"),
          record.getValueAsString("access"), record.getValueAsString("type"),
          record.getValueAsString("lanes"),  record.getValueAsString("when"),
          record.getValueAsString("parts"),  record.getValueAsString("instead"),
          record.getValueAsString("values"), record.getValueAsBit("optional"),
          record.getValueAsBit("sink"),      record.getValueAsBit("onlySink"),
          readAvailability(record)};
}

void Model::checkForm(const Form &form, const Record &instruction) {
  auto fail = [&](const Twine &message) {
    PrintFatalError(instruction.getLoc(),
                    "'" + instruction.getValueAsString("mnemonic") +
                        "': " + message);
  };
  std::set<StringRef> slotNames;
  for (const Slot &slot : form.slots)
    if (!slotNames.insert(slot.mod).second)
      fail("expected each slot once in a form, got '" + slot.mod + "' twice");
  auto checkSlot = [&](StringRef slot, StringRef user) {
    if (!slotNames.count(slot))
      fail("expected a slot of the form, got '$" + slot + "' in '" + user +
           "'");
  };
  std::set<StringRef> operandNames;
  for (const Operand &operand : form.operands) {
    if (!operandNames.insert(operand.name).second)
      fail("expected operand names to differ, got '" + operand.name +
           "' twice");
    if (!operand.instead.empty() && !operandNames.count(operand.instead))
      fail("expected an operand before '" + operand.name + "', got '" +
           operand.instead + "' that it stands instead of");
    if (!parseValues(operand.values))
      fail("expected values such as '4,8,16', '0..15' or '24..256/8' for '" +
           operand.name + "', got '" + operand.values + "'");
    TypeSpec type = parseType(operand.type);
    if (type.rule.ends_with("Slot"))
      checkSlot(type.argument, operand.name);
  }
  for (const Effect &effect : form.effects) {
    if (!operandNames.count(effect.operand))
      fail("expected an operand of the form, got '" + effect.operand +
           "' in an effect");
    if (effect.space.starts_with("$"))
      checkSlot(effect.space.drop_front(), effect.operand);
    TypeSpec bytes = parseBytes(effect.bytes);
    unsigned count;
    if (bytes.rule == "Fixed"
            ? bytes.argument.getAsInteger(10, count)
            : bytes.rule != "Unknown" && !operandNames.count(bytes.argument))
      fail(
          "expected a number, 'of(operand)' or 'value(operand)' as the size of "
          "an effect, got '" +
          effect.bytes + "'");
  }
}

void Model::addTokens(const Form &form) {
  auto add = [&](StringRef token) {
    if (!token.empty())
      tokens.insert(token);
  };
  for (const Slot &slot : form.slots) {
    mods.insert(slot.mod);
    add(slot.defaultChoice);
    for (const Choice &choice : slot.choices)
      add(choice.token);
  }
  for (const Operand &operand : form.operands) {
    add(operand.when);
    TypeSpec type = parseType(operand.type);
    if (type.rule == "Fixed")
      add(type.argument);
  }
  for (const Effect &effect : form.effects)
    if (!effect.space.starts_with("$"))
      add(effect.space);
  for (const Restriction &restriction : form.restrictions) {
    llvm::for_each(restriction.ifAny, add);
    llvm::for_each(restriction.needsAny, add);
  }
}
