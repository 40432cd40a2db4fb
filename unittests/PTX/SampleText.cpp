//===- SampleText.cpp - statements for sampled instructions ---------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SampleText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace tirx::ptx;

/// r: 32 bits, rd: 64, and so on.
static constexpr const char *kRegisters =
    ".reg .pred %p<8>; .reg .b8 %b<300>; .reg .b16 %h<300>; .reg .b32 %r<300>; "
    ".reg .b64 %rd<300>; ";

static std::string reg(unsigned bits, unsigned index) {
  const char *prefix = bits == 1     ? "%p"
                       : bits == 8   ? "%b"
                       : bits == 16  ? "%h"
                       : bits == 64  ? "%rd"
                       : bits == 128 ? "%q"
                                     : "%r";
  return prefix + std::to_string(index);
}

std::string tirx::ptx::immediate(const ResolvedInstruction &inst,
                                 StringRef operand) {
  StringRef mnemonic = inst.info().mnemonic;
  if (operand == "size")
    return mnemonic == "cp.async" ? "16" : "128";
  if (operand == "count")
    return "40";
  if (operand == "align")
    return "8";
  if (operand == "initval" || operand.starts_with("trans") || operand == "f" ||
      operand == "selector")
    return "0";
  return "1";
}

static std::string address(const ResolvedInstruction &inst, StringRef name) {
  for (const EffectInfo &effect : inst.form().effects)
    if (effect.operand == name && effect.space == Token::tmem)
      return "[%r7]";
  Token space = inst.get(Mod::space);
  if (space == Token::param && inst.info().mnemonic == "ld")
    return "[param]";
  return name == "scale_a" || name == "scale_b" ? "[%r7]" : "[%rd7]";
}

unsigned tirx::ptx::tensorCount(const ResolvedInstruction &inst,
                                StringRef operand) {
  unsigned dims = spelling(inst.get(Mod::dim))[0] - '0';
  Token mode = inst.get(Mod::load_mode);
  bool rows = mode == Token::tile_gather4 || mode == Token::tile_scatter4;
  if (operand == "tensor")
    return rows ? 5 : dims;
  return mode == Token::im2col ? dims - 2 : 2;
}

static std::string vector(unsigned bits, unsigned lanes, unsigned first) {
  SmallVector<std::string> parts;
  for (unsigned i = 0; i != lanes; ++i)
    parts.push_back(reg(bits, first + i));
  return "{" + join(parts, ", ") + "}";
}

/// Bits of the registers that hold the operand.
static unsigned registerBits(const ResolvedInstruction &inst,
                             const OperandSpec &operand) {
  if (operand.type == Token::none)
    return 64;
  unsigned bits = bitWidth(operand.type);
  // 8-bit integers are in wider registers, but for st.async.
  if (bits == 8 && !isFloat(operand.type) && inst.opcode() != Opcode::st_async)
    return 16;
  bool isSelector = operand.name.starts_with("selector");
  bool isMatrix = inst.info().family == Family::Matrix && !isSelector &&
                  operand.kind != OperandKind::Predicate;
  // Fragments of a matrix are in 32-bit registers whatever the element.
  return isMatrix ? std::max(bits, 32u) : bits;
}

/// Whether one register of the operand stands in braces too.
static bool isBraced(const ResolvedInstruction &inst,
                     const OperandSpec &operand) {
  Family family = inst.info().family;
  if (family != Family::Matrix && family != Family::Tcgen05)
    return false;
  StringRef mnemonic = inst.info().mnemonic;
  if (mnemonic.starts_with("mma") || mnemonic == "wmma.mma")
    return operand.name.size() == 1 && StringRef("abcd").contains(operand.name);
  return operand.name == "r";
}

/// A suffix that names parts of the register, or none.
static std::string parts(PartRule rule, std::mt19937 &random) {
  if (rule == PartRule::None || random() % 2)
    return "";
  for (;;) {
    bool halves = rule == PartRule::HalfMask || rule == PartRule::HalfSelector;
    std::string suffix = halves ? "h" : "b";
    for (unsigned i = 0, n = random() % 4 + 1; i != n; ++i)
      suffix += char('0' + random() % 8);
    // ptxas reads this one as the type of tensor maps.
    if (suffix != "b1024" && isPartSuffix(rule, suffix))
      return "." + suffix;
  }
}

static std::string text(const ResolvedInstruction &inst,
                        const OperandSpec &operand, unsigned index,
                        std::mt19937 &random) {
  unsigned bits = registerBits(inst, operand);
  unsigned first = 8 * index + 1;
  switch (operand.kind) {
  case OperandKind::Predicate:
    return reg(1, index % 8);
  case OperandKind::PredicatePair:
    return operand.type == Token::pred ? "%p0|%p7" : reg(bits, first) + "|%p7";
  case OperandKind::Immediate:
    return immediate(inst, operand.name);
  case OperandKind::Address:
    return address(inst, operand.name);
  case OperandKind::TensorAddress:
    return "[%rd7, " + vector(32, tensorCount(inst, operand.name), first) + "]";
  case OperandKind::DescriptorOrAddress:
    return inst.has("ashift") || random() % 2 ? "[%r7]" : "%rd8";
  case OperandKind::Label:
    return inst.info().mnemonic == "brx.idx" ? "targets" : "end";
  case OperandKind::Register:
  case OperandKind::Value:
  case OperandKind::Symbol:
    break;
  }
  if (operand.onlySink)
    return "_";
  if (operand.name == "offsets")
    return vector(16, tensorCount(inst, operand.name), first);
  if (operand.lanes > 1 || isBraced(inst, operand))
    return vector(bits, std::max(1u, operand.lanes), first);
  return reg(bits, bits == 128 || bits == 1 ? index % 8 : first) +
         parts(operand.parts, random);
}

bool tirx::ptx::isWgmma(const ResolvedInstruction &inst) {
  return inst.info().mnemonic.starts_with("wgmma.mma_async");
}

std::optional<StringRef>
tirx::ptx::chooseOptional(const ResolvedInstruction &inst,
                          const SampleTarget &target, std::mt19937 &random) {
  SmallVector<StringRef> names;
  for (const OperandSpec &operand : operands(inst))
    if (operand.optional && !operand.name.starts_with("trans") &&
        !errorToBool(checkTarget(inst, operand, target.chip, target.ptx)))
      names.push_back(operand.name);
  size_t choice = random() % (2 * names.size() + 1);
  if (choice >= names.size())
    return std::nullopt;
  return names[choice];
}

bool tirx::ptx::isWritten(const OperandSpec &operand, bool isAInRegisters,
                          std::optional<StringRef> chosen) {
  return !operand.optional || operand.name == chosen ||
         operand.name == "trans_b" ||
         (operand.name == "trans_a" && !isAInRegisters);
}

static std::string statement(const ResolvedInstruction &inst, StringRef name,
                             const SampleTarget &target, std::mt19937 &random) {
  SmallVector<std::string> texts;
  bool inRegisters = isWgmma(inst) && random() % 2;
  std::optional<StringRef> chosen = chooseOptional(inst, target, random);
  for (const OperandSpec &operand : operands(inst))
    if (isWgmma(inst) && operand.name == "a")
      texts.push_back(inRegisters ? vector(32, 4, 250) : "%rd8");
    else if (isWritten(operand, inRegisters, chosen))
      texts.push_back(text(inst, operand, texts.size(), random));
  return (name + " " + join(texts, ", ") + ";").str();
}

bool tirx::ptx::isSampled(const ResolvedInstruction &inst) {
  // These need a place in a program: a call sequence, a prototype.
  if (inst.opcode() == Opcode::call || inst.has("param::func"))
    return false;
  if (inst.opcode() == Opcode::st && inst.has("param"))
    return false;
  // A module has addresses of one width, here 64 bits.
  switch (inst.opcode()) {
  case Opcode::cvta:
  case Opcode::alloca_:
  case Opcode::stacksave:
  case Opcode::stackrestore:
    return !inst.has("u32");
  default:
    return true;
  }
}

std::string tirx::ptx::kernelLine(const ResolvedInstruction &inst,
                                  StringRef name, char mark, unsigned number,
                                  const SampleTarget &target,
                                  std::mt19937 &random) {
  bool needsTargets = inst.opcode() == Opcode::brx_idx;
  return (".entry k" + Twine(number) + "(.param .u64 param) { " + kRegisters +
          (target.ptx >= 83 ? ".reg .b128 %q<8>; " : "") +
          (needsTargets ? "targets: .branchtargets end; " : "") +
          statement(inst, name, target, random) + " end: ret; } // " +
          Twine(mark) + name + "\n")
      .str();
}
