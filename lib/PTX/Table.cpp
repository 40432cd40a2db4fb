//===- Table.cpp - the PTX instruction table ------------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TIRx/PTX/Table.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace tirx::ptx {
#define GET_PTX_TABLE
#include "TIRx/PTX/Table.inc"
} // namespace tirx::ptx

using namespace tirx::ptx;

StringRef tirx::ptx::spelling(Token token) {
  return tokenNames[unsigned(token)];
}

StringRef tirx::ptx::spelling(Mod mod) { return modNames[unsigned(mod)]; }

StringRef tirx::ptx::spelling(Family family) {
  switch (family) {
  case Family::Arithmetic:
    return "arithmetic";
  case Family::Logic:
    return "logic";
  case Family::Comparison:
    return "comparison";
  case Family::Move:
    return "move";
  case Family::Conversion:
    return "conversion";
  case Family::Memory:
    return "memory";
  case Family::Atomic:
    return "atomic";
  case Family::Control:
    return "control";
  case Family::Barrier:
    return "barrier";
  case Family::Fence:
    return "fence";
  case Family::Warp:
    return "warp";
  case Family::AsyncCopy:
    return "async copy";
  case Family::Matrix:
    return "matrix";
  case Family::Tcgen05:
    return "tcgen05";
  case Family::System:
    return "system";
  }
  return "";
}

/// Index of `text` in a sorted array whose first element is "".
static std::optional<unsigned> findName(ArrayRef<StringLiteral> names,
                                        StringRef text) {
  const auto *it = llvm::lower_bound(names, text);
  if (it == names.end() || *it != text || text.empty())
    return std::nullopt;
  return it - names.begin();
}

std::optional<Token> tirx::ptx::findToken(StringRef text) {
  if (auto index = findName(tokenNames, text))
    return Token(*index);
  return std::nullopt;
}

std::optional<Mod> tirx::ptx::findMod(StringRef name) {
  if (auto index = findName(modNames, name))
    return Mod(*index);
  return std::nullopt;
}

ArrayRef<InstructionInfo> tirx::ptx::instructions() { return instructionTable; }

const InstructionInfo &tirx::ptx::lookup(Opcode opcode) {
  return instructionTable[unsigned(opcode)];
}

const InstructionInfo *tirx::ptx::lookup(StringRef mnemonic) {
  const auto *it = llvm::partition_point(
      instructionTable, [&](auto &info) { return info.mnemonic < mnemonic; });
  if (it == std::end(instructionTable) || it->mnemonic != mnemonic)
    return nullptr;
  return it;
}

ArrayRef<SpecialRegisterInfo> tirx::ptx::specialRegisters() {
  return registerTable;
}

const SpecialRegisterInfo *tirx::ptx::lookupSpecialRegister(StringRef name) {
  const auto *it = llvm::partition_point(
      registerTable, [&](auto &info) { return info.name < name; });
  if (it == std::end(registerTable) || it->name != name)
    return nullptr;
  return it;
}

// --- Types -------------------------------------------------------------------

namespace {
struct TypeInfo {
  char kind = 0; ///< u, s, f or b; 0: not a type
  uint8_t bits = 0;
  uint8_t packed = 1;
};
} // namespace

/// Types whose name does not say everything, and the narrow formats.
static TypeInfo irregularType(StringRef text) {
  return StringSwitch<TypeInfo>(text)
      .Case("pred", {'b', 1, 1})
      .Case("bf16", {'f', 16, 1})
      .Case("tf32", {'f', 32, 1})
      .Cases({"f16x2", "bf16x2"}, {'f', 32, 2})
      .Case("f32x2", {'f', 64, 2})
      .Case("u16x2", {'u', 32, 2})
      .Case("s16x2", {'s', 32, 2})
      .Cases({"e4m3", "e5m2", "ue8m0", "ue4m3"}, {'f', 8, 1})
      .Cases({"e2m3", "e3m2"}, {'f', 6, 1})
      .Case("e2m1", {'f', 4, 1})
      .Cases({"e4m3x2", "e5m2x2", "e2m3x2", "e3m2x2", "ue8m0x2"}, {'f', 16, 2})
      .Cases({"e4m3x4", "e5m2x4", "e2m3x4", "e3m2x4"}, {'f', 32, 4})
      .Case("e2m1x2", {'f', 8, 2})
      .Case("e2m1x4", {'f', 16, 4})
      .Default({});
}

static TypeInfo computeType(StringRef text) {
  TypeInfo irregular = irregularType(text);
  if (irregular.kind)
    return irregular;
  unsigned bits;
  if (text.size() < 2 || !StringRef("usfb").contains(text[0]) ||
      text.drop_front().getAsInteger(10, bits) || bits > 128)
    return {};
  return {text[0], uint8_t(bits), 1};
}

static TypeInfo typeInfo(Token token) {
  static const auto types = [] {
    std::vector<TypeInfo> result;
    for (StringRef name : tokenNames)
      result.push_back(computeType(name));
    return result;
  }();
  return types[unsigned(token)];
}

unsigned tirx::ptx::bitWidth(Token type) { return typeInfo(type).bits; }
unsigned tirx::ptx::packedElements(Token type) { return typeInfo(type).packed; }
bool tirx::ptx::isSignedInteger(Token type) {
  return typeInfo(type).kind == 's';
}
bool tirx::ptx::isUnsignedInteger(Token type) {
  return typeInfo(type).kind == 'u';
}
bool tirx::ptx::isFloat(Token type) { return typeInfo(type).kind == 'f'; }
bool tirx::ptx::isBits(Token type) { return typeInfo(type).kind == 'b'; }

// --- A resolved instruction --------------------------------------------------

Token ResolvedInstruction::written(Mod mod) const {
  ArrayRef<ModifierSlot> slots = form().slots;
  for (size_t i = 0; i != slots.size(); ++i)
    if (slots[i].mod == mod)
      return tokens[i];
  return Token::none;
}

Token ResolvedInstruction::get(Mod mod) const {
  ArrayRef<ModifierSlot> slots = form().slots;
  for (size_t i = 0; i != slots.size(); ++i)
    if (slots[i].mod == mod)
      return tokens[i] != Token::none ? tokens[i] : slots[i].defaultChoice;
  return Token::none;
}

bool ResolvedInstruction::has(Token token) const {
  return token != Token::none && llvm::is_contained(tokens, token);
}

StringRef ResolvedInstruction::get(StringRef slot) const {
  std::optional<Mod> mod = findMod(slot);
  return mod ? spelling(get(*mod)) : StringRef();
}

bool ResolvedInstruction::has(StringRef modifier) const {
  std::optional<Token> token = findToken(modifier);
  return token && has(*token);
}

std::string tirx::ptx::print(const ResolvedInstruction &inst) {
  std::string text = inst.info().mnemonic.str();
  for (Token token : inst.choices())
    if (token != Token::none) {
      text += '.';
      text += spelling(token);
    }
  return text;
}
