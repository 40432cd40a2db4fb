//===- DocsEmitter.cpp - the reference of PTX instructions ----------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace tirx::tblgen;

/// "{.rn, .rz}" or ".sync"; optional ones in the ISA's braces.
static void emitSlot(const Slot &slot, raw_ostream &os) {
  if (slot.choices.size() == 1) {
    os << (slot.optional ? "{." : ".") << slot.choices[0].token
       << (slot.optional ? "}" : "");
    return;
  }
  os << (slot.optional ? "{." : ".") << slot.mod << (slot.optional ? "}" : "");
}

static std::string version(int64_t ptx) {
  return std::to_string(ptx / 10) + "." + std::to_string(ptx % 10);
}

static std::string describe(const Availability &since) {
  std::string text;
  if (since.ptx)
    text += "PTX " + version(since.ptx);
  if (!since.targets.empty())
    text += (text.empty() ? "" : ", ") + join(since.targets, " or ");
  return text;
}

static std::string shownOperand(const Operand &o) {
  std::string text = o.name.str();
  if (o.kind == "Address")
    text = "[" + text + "]";
  else if (o.kind == "TensorAddress")
    text = "[" + text + ", {coordinates}]";
  else if (o.kind == "PredicatePair")
    text += "|p";
  else if (o.lanes != "1")
    text = "{" + text + "...}";
  if (o.optional || !o.when.empty())
    text = "(" + text + ")";
  return text;
}

static void emitSyntax(const Instruction &instruction, const Form &form,
                       raw_ostream &os) {
  os << "```\n" << instruction.mnemonic;
  for (const Slot &slot : form.slots)
    emitSlot(slot, os);
  ListSeparator comma;
  os << " ";
  for (const Operand &operand : form.operands)
    os << comma << shownOperand(operand);
  os << ";\n";
  for (const Slot &slot : form.slots) {
    if (slot.choices.size() == 1)
      continue;
    os << "." << slot.mod << " = {";
    ListSeparator inner;
    for (const Choice &choice : slot.choices)
      os << inner << "." << choice.token;
    os << "}";
    if (!slot.defaultChoice.empty())
      os << "  default ." << slot.defaultChoice;
    os << "\n";
  }
  os << "```\n\n";
}

static void emitOperands(const Form &form, raw_ostream &os) {
  if (form.operands.empty())
    return;
  os << "| operand | access | kind | type | lanes |\n|---|---|---|---|---|\n";
  for (const Operand &o : form.operands) {
    os << "| " << o.name << " | " << o.access << " | " << o.kind << " | "
       << o.type << " | " << o.lanes;
    if (o.optional)
      os << ", optional";
    if (!o.when.empty())
      os << ", with `." << o.when << "`";
    if (!o.values.empty())
      os << ", " << o.values;
    if (!o.instead.empty())
      os << ", not with " << o.instead;
    if (o.parts != "None")
      os << ", " << o.parts << " may follow";
    os << " |\n";
  }
  os << "\n";
}

static std::string describeSize(const Effect &effect) {
  TypeSpec bytes = parseBytes(effect.bytes);
  if (bytes.rule == "Unknown")
    return "";
  if (bytes.rule == "Fixed")
    return ", " + bytes.argument.str() + " bytes";
  return bytes.rule == "Data" ? ", the bytes of `" + bytes.argument.str() + "`"
                              : ", `" + bytes.argument.str() + "` bytes";
}

static void emitFacts(const Form &form, raw_ostream &os) {
  for (const Effect &effect : form.effects)
    os << "- effect: " << StringRef(effect.access).lower() << " `["
       << effect.operand << "]`"
       << (effect.space.empty() ? " (generic)"
                                : " (`" + effect.space.str() + "`)")
       << ", " << effect.proxy.lower() << " proxy" << describeSize(effect)
       << "\n";
  if (!form.flags.empty())
    os << "- " << join(form.flags, ", ") << "\n";
  for (const Restriction &restriction : form.restrictions)
    os << "- " << restriction.why << "\n";
  std::string since = describe(form.since);
  if (!since.empty())
    os << "- needs " << since << "\n";
  for (const Operand &operand : form.operands) {
    std::string text = describe(operand.since);
    if (!text.empty())
      os << "- operand `" << operand.name << "` needs " << text << "\n";
  }
  for (const Slot &slot : form.slots)
    for (const Choice &choice : slot.choices) {
      std::string text = describe(choice.since);
      if (!text.empty())
        os << "- `." << choice.token << "` needs " << text << "\n";
    }
  os << "\n";
}

static void emitInstruction(const Instruction &instruction, raw_ostream &os) {
  os << "### `" << instruction.mnemonic << "`\n\n"
     << instruction.summary << " (PTX ISA " << instruction.section
     << "). Lowers to "
     << (instruction.lowering.empty()
             ? "inline assembly"
             : "`" + instruction.lowering.str() +
                   "` where it is the same instruction, else inline assembly")
     << ".\n\n";
  for (const Form &form : instruction.forms) {
    emitSyntax(instruction, form, os);
    emitOperands(form, os);
    emitFacts(form, os);
  }
}

static void emitRegisters(const Model &model, raw_ostream &os) {
  os << "## Special registers\n\n| name | type | meaning | needs |\n"
        "|---|---|---|---|\n";
  for (const SpecialRegister &r : model.registers)
    os << "| `" << r.name << (r.lanes > 1 ? ".x .y .z" : "") << "` | " << r.type
       << " | " << r.summary << " | " << describe(r.since) << " |\n";
  os << "\n";
}

void tirx::tblgen::emitDocs(const Model &model, raw_ostream &os) {
  os << "# PTX instructions\n\nGenerated from `include/TIRx/PTX/*.td` by "
        "`tirx-tblgen -gen-ptx-docs`; do not edit. `{.x}` is an optional "
        "modifier, `(x)` an optional operand. `$slot` is the type or state "
        "space that the slot names; without a version, PTX 1.0.\n\n";
  std::map<StringRef, std::vector<const Instruction *>> families;
  for (const Instruction &instruction : model.instructions)
    families[instruction.family].push_back(&instruction);
  for (auto &[family, members] : families) {
    os << "## " << family << "\n\n";
    for (const Instruction *instruction : members)
      emitInstruction(*instruction, os);
  }
  emitRegisters(model, os);
}
