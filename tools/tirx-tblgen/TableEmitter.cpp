//===- TableEmitter.cpp - Table.inc, the data of TIRx/PTX/Table.h ---------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/TableGen/Error.h"
#include "llvm/TableGen/TableGenBackend.h"

using namespace llvm;
using namespace tirx::tblgen;

namespace {

std::string quote(StringRef text) {
  std::string result;
  raw_string_ostream os(result);
  os << '"';
  os.write_escaped(text);
  os << '"';
  return result;
}

std::string token(StringRef text) {
  return text.empty() ? "Token::none" : "Token::" + identifier(text);
}

std::string mod(StringRef name) {
  return name.empty() ? "Mod::none" : "Mod::" + identifier(name);
}

/// Writes the arrays of the table. Equal arrays are written once.
class TableEmitter {
public:
  TableEmitter(const Model &model, raw_ostream &os) : model(model), os(os) {}
  void emit();

private:
  void emitEnums();
  void emitNames();
  void emitRegisters();
  std::string emitForm(const Form &form);
  std::string slots(const Form &form);
  std::string operands(const Form &form);
  std::string effects(const Form &form);
  std::string restrictions(const Form &form);
  std::string tokenArray(const Strings &tokens);
  std::string availability(const Availability &since);

  /// The name of a constant array with these elements, "{}" for none.
  std::string array(StringRef type, ArrayRef<std::string> elements);

  const Model &model;
  raw_ostream &os;
  std::map<std::string, std::string> arrays;
};

} // namespace

std::string TableEmitter::array(StringRef type,
                                ArrayRef<std::string> elements) {
  if (elements.empty())
    return "{}";
  std::string text = type.str() + "[] = {" + join(elements, ", ") + "};\n";
  auto [it, isNew] = arrays.try_emplace(text);
  if (isNew) {
    it->second = "array" + std::to_string(arrays.size());
    os << "static constexpr " << type << " " << it->second
       << StringRef(text).drop_front(type.size());
  }
  return it->second;
}

std::string TableEmitter::availability(const Availability &since) {
  std::vector<std::string> targets;
  for (StringRef target : since.targets)
    targets.push_back(quote(target));
  return "{" + std::to_string(since.ptx) + ", " +
         array("llvm::StringLiteral", targets) + "}";
}

std::string TableEmitter::tokenArray(const Strings &tokens) {
  std::vector<std::string> elements;
  for (StringRef text : tokens)
    elements.push_back(token(text));
  return array("Token", elements);
}

std::string TableEmitter::slots(const Form &form) {
  std::vector<std::string> elements;
  for (const Slot &slot : form.slots) {
    std::vector<std::string> choices;
    for (const Choice &choice : slot.choices)
      choices.push_back("{" + token(choice.token) + ", " + quote(choice.alias) +
                        ", " + availability(choice.since) + "}");
    elements.push_back(
        "{" + mod(slot.mod) + ", " + (slot.optional ? "true, " : "false, ") +
        token(slot.defaultChoice) + ", " + array("Choice", choices) + "}");
  }
  return array("ModifierSlot", elements);
}

std::string TableEmitter::operands(const Form &form) {
  std::vector<std::string> elements;
  for (const Operand &o : form.operands) {
    TypeSpec type = parseType(o.type);
    bool isSlot = type.rule.ends_with("Slot");
    unsigned count = 0;
    bool fixed = !o.lanes.getAsInteger(10, count);
    std::string lanes = fixed ? "Fixed" : o.lanes.str();
    // Checked by the model.
    std::vector<std::array<int64_t, 3>> ranges = *parseValues(o.values);
    std::vector<std::string> values;
    for (auto [least, most, step] : ranges)
      values.push_back("{" + std::to_string(least) + ", " +
                       std::to_string(most) + ", " + std::to_string(step) +
                       "}");
    elements.push_back(
        "{" + quote(o.name) + ", OperandKind::" + o.kind.str() +
        ", Access::" + o.access.str() + ", TypeRule::" + type.rule.str() +
        ", " + token(isSlot ? "" : type.argument) + ", " +
        mod(isSlot ? type.argument : "") + ", LaneRule::" + lanes + ", " +
        std::to_string(count) + (o.optional ? ", true" : ", false") +
        (o.sink ? ", true" : ", false") +
        (o.onlySink ? ", true, " : ", false, ") + token(o.when) +
        ", PartRule::" + o.parts.str() + ", " + quote(o.instead) + ", " +
        availability(o.since) + ", " + array("ImmediateRange", values) + "}");
  }
  return array("OperandInfo", elements);
}

/// The last three members of an EffectInfo.
static std::string size(StringRef spec) {
  TypeSpec bytes = parseBytes(spec);
  bool isFixed = bytes.rule == "Fixed";
  return "SizeRule::" + bytes.rule.str() + ", " +
         (isFixed ? bytes.argument.str() : "0") + ", " +
         quote(isFixed ? "" : bytes.argument);
}

std::string TableEmitter::effects(const Form &form) {
  std::vector<std::string> elements;
  for (const Effect &e : form.effects) {
    StringRef space = e.space;
    bool isSlot = space.consume_front("$");
    elements.push_back("{" + quote(e.operand) + ", Access::" + e.access.str() +
                       ", " + token(isSlot ? "" : space) + ", " +
                       mod(isSlot ? space : "") + ", Proxy::" + e.proxy.str() +
                       ", " + size(e.bytes) + "}");
  }
  return array("EffectInfo", elements);
}

std::string TableEmitter::restrictions(const Form &form) {
  std::vector<std::string> elements;
  for (const Restriction &r : form.restrictions)
    elements.push_back(
        "{" + tokenArray(r.ifAny) + ", " + tokenArray(r.needsAny) +
        (r.excludes ? ", true, " : ", false, ") + quote(r.why) + "}");
  return array("Restriction", elements);
}

std::string TableEmitter::emitForm(const Form &form) {
  std::string flags = form.flags.empty() ? "0" : join(form.flags, " | ");
  return "{" + slots(form) + ", " + operands(form) + ", " + effects(form) +
         ", " + restrictions(form) + ", " + flags + ", " +
         availability(form.since) + "}";
}

/// `names` without repetition; two texts with one identifier are an error.
static void emitEnum(raw_ostream &os, StringRef name, StringRef type,
                     ArrayRef<StringRef> names, bool hasNone) {
  std::map<std::string, StringRef> seen;
  os << "enum class " << name << " : " << type << " {\n";
  if (hasNone)
    os << "  none,\n";
  for (StringRef text : names) {
    auto [it, isNew] = seen.try_emplace(identifier(text), text);
    if (!isNew)
      PrintFatalError("expected names to differ as identifiers, got '" +
                      it->second + "' and '" + text + "'");
    os << "  " << it->first << ",\n";
  }
  os << "};\n";
}

void TableEmitter::emitEnums() {
  std::vector<StringRef> opcodes, registers;
  std::vector<StringRef> mods(model.mods.begin(), model.mods.end());
  std::vector<StringRef> tokens(model.tokens.begin(), model.tokens.end());
  for (const Instruction &instruction : model.instructions)
    opcodes.push_back(instruction.mnemonic);
  for (const SpecialRegister &r : model.registers)
    registers.push_back(r.name.drop_front());
  os << "#ifdef GET_PTX_ENUMS\n#undef GET_PTX_ENUMS\n";
  emitEnum(os, "Opcode", "uint16_t", opcodes, false);
  emitEnum(os, "Mod", "uint8_t", mods, true);
  emitEnum(os, "Token", "uint16_t", tokens, true);
  emitEnum(os, "SpecialRegister", "uint8_t", registers, false);
  os << "#endif // GET_PTX_ENUMS\n\n";
}

void TableEmitter::emitNames() {
  auto emit = [&](StringRef name, const std::set<StringRef> &texts) {
    os << "static constexpr llvm::StringLiteral " << name << "[] = {\"\"";
    for (StringRef text : texts)
      os << ", " << quote(text);
    os << "};\n";
  };
  emit("tokenNames", model.tokens);
  emit("modNames", model.mods);
}

void TableEmitter::emitRegisters() {
  std::vector<std::string> elements;
  for (const SpecialRegister &r : model.registers)
    elements.push_back("{SpecialRegister::" + identifier(r.name.drop_front()) +
                       ", " + quote(r.name) + ", " + token(r.type) + ", " +
                       std::to_string(r.lanes) +
                       (r.isVolatile ? ", true, " : ", false, ") +
                       availability(r.since) + ", " + quote(r.summary) + "}");
  os << "static constexpr SpecialRegisterInfo registerTable[] = {\n"
     << join(elements, ",\n") << "};\n";
}

void TableEmitter::emit() {
  emitSourceFileHeader("the PTX instruction table", os);
  emitEnums();
  os << "#ifdef GET_PTX_TABLE\n#undef GET_PTX_TABLE\n";
  emitNames();
  emitRegisters();
  std::vector<std::string> elements;
  for (const Instruction &instruction : model.instructions) {
    std::vector<std::string> forms;
    for (const Form &form : instruction.forms)
      forms.push_back(emitForm(form));
    StringRef lowering = instruction.lowering;
    StringRef kind = lowering.starts_with("nvvm.")   ? "NVVMOp"
                     : lowering.starts_with("llvm.") ? "Intrinsic"
                                                     : "InlineAsm";
    elements.push_back(
        "{Opcode::" + identifier(instruction.mnemonic) + ", " +
        quote(instruction.mnemonic) + ", Family::" + instruction.family.str() +
        ", LoweringKind::" + kind.str() + ", " + quote(lowering) + ", " +
        quote(instruction.summary) + ", " + quote(instruction.section) + ", " +
        array("Form", forms) + "}");
  }
  os << "static constexpr InstructionInfo instructionTable[] = {\n"
     << join(elements, ",\n") << "};\n#endif // GET_PTX_TABLE\n";
}

void tirx::tblgen::emitTable(const Model &model, raw_ostream &os) {
  TableEmitter(model, os).emit();
}
