//===- Samples.cpp - PTX modules with samples of the table ----------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prints a PTX module with one kernel for each sampled instruction, a kernel a
// line, so that scripts/check-ptx-table.py can ask ptxas about each by its
// line.
//
//   TIRxPTXSamples TARGET PTX [--rejected]
//
// Without --rejected: instructions that the table has for TARGET; ptxas should
// take all. With it: variations that the table refuses; ptxas should too.
//
//===----------------------------------------------------------------------===//

#include "TIRx/PTX/Table.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <random>
#include <set>

using namespace llvm;
using namespace tirx::ptx;

/// The header and the registers of each kernel; r: 32 bits, rd: 64, and so on.
static constexpr const char *kHead = ".version %u.%u\n.target %s\n"
                                     ".address_size 64\n";
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

/// A constant that the instruction takes at this place.
static std::string immediate(const ResolvedInstruction &inst, StringRef name) {
  StringRef mnemonic = inst.info().mnemonic;
  if (name == "size")
    return mnemonic == "cp.async" ? "16" : "128";
  if (name == "count")
    return "40";
  if (name == "initval" || name.starts_with("trans"))
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

/// How many coordinates or offsets; the table leaves them to the text.
static unsigned tensorCount(const ResolvedInstruction &inst, StringRef name) {
  unsigned dims = spelling(inst.get(Mod::dim))[0] - '0';
  Token mode = inst.get(Mod::load_mode);
  bool rows = mode == Token::tile_gather4 || mode == Token::tile_scatter4;
  if (name == "tensor")
    return rows ? 5 : dims;
  return mode == Token::im2col ? dims - 2 : 2;
}

static std::string vector(unsigned bits, unsigned lanes, unsigned first) {
  SmallVector<std::string> parts;
  for (unsigned i = 0; i != lanes; ++i)
    parts.push_back(reg(bits, first + i));
  return "{" + join(parts, ", ") + "}";
}

static std::string text(const ResolvedInstruction &inst,
                        const OperandSpec &operand, unsigned index) {
  unsigned bits = bitWidth(operand.type);
  if (operand.type == Token::none)
    bits = 64;
  // 8-bit integers are in wider registers.
  if (bits == 8 && !isFloat(operand.type))
    bits = 16;
  // Fragments of a matrix are in 32-bit registers whatever the element.
  Family family = inst.info().family;
  if (family == Family::Matrix && bits < 32 && bits != 1 &&
      operand.name != "selector_a" && operand.name != "selector_b")
    bits = 32;
  if (family == Family::Matrix && bits == 1 &&
      operand.kind != OperandKind::Predicate)
    bits = 32;
  unsigned first = 8 * index + 1;
  switch (operand.kind) {
  case OperandKind::Predicate:
    return reg(1, index);
  case OperandKind::PredicatePair:
    return operand.type == Token::pred ? "%p0|%p7" : reg(bits, first) + "|%p7";
  case OperandKind::Immediate:
    return immediate(inst, operand.name);
  case OperandKind::Address:
    return address(inst, operand.name);
  case OperandKind::TensorAddress:
    return "[%rd7, " + vector(32, tensorCount(inst, operand.name), first) + "]";
  case OperandKind::DescriptorOrAddress:
    return inst.has("ashift") ? "[%r7]" : "%rd8";
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
  if (operand.name == "a" && inst.opcode() == Opcode::wgmma_mma_async)
    return "%rd8";
  if (operand.lanes <= 1 && operand.name == "r" &&
      (family == Family::Matrix || family == Family::Tcgen05))
    return "{" + reg(bits, first) + "}";
  bool braces = family == Family::Matrix && inst.opcode() == Opcode::mma &&
                operand.name.size() == 1;
  return operand.lanes > 1 || (braces && operand.lanes == 1)
             ? vector(bits, operand.lanes, first)
             : reg(bits, bits == 128 || bits == 1 ? index : first);
}

/// The instruction with registers and constants for its operands; optional
/// operands are left out, except those that go with a descriptor of wgmma.
static std::string statement(const ResolvedInstruction &inst, StringRef name) {
  SmallVector<std::string> parts;
  for (const OperandSpec &operand : operands(inst))
    if (!operand.optional || operand.name.starts_with("trans"))
      parts.push_back(text(inst, operand, parts.size()));
  return (name + " " + join(parts, ", ") + ";").str();
}

static bool isSampled(const ResolvedInstruction &inst) {
  // These need a place in a program: a call sequence, a prototype.
  if (inst.opcode() == Opcode::call || inst.has("param::func"))
    return false;
  if (inst.opcode() == Opcode::st && inst.has("param"))
    return false;
  // A module has addresses of one width, here 64 bits.
  if (inst.opcode() == Opcode::cvta && inst.has("u32"))
    return false;
  return true;
}

namespace {
class Sampler {
public:
  Sampler(StringRef target, unsigned ptx) : target(target), ptx(ptx) {}
  void accepted();
  void rejected();

private:
  void sampleForm(const InstructionInfo &info, const Form &form);
  std::string randomName(const InstructionInfo &info, const Form &form);
  void emit(const ResolvedInstruction &inst, StringRef name);

  StringRef target;
  unsigned ptx;
  std::mt19937 random{1};
  std::set<std::string> seen;
  unsigned kernels = 0;
};
} // namespace

void Sampler::emit(const ResolvedInstruction &inst, StringRef name) {
  bool needsTargets = inst.opcode() == Opcode::brx_idx;
  outs() << ".entry k" << kernels++ << "(.param .u64 param) { " << kRegisters
         << (ptx >= 83 ? ".reg .b128 %q<8>; " : "")
         << (needsTargets ? "targets: .branchtargets end; " : "")
         << statement(inst, name) << " end: ret; } // " << name << "\n";
}

std::string Sampler::randomName(const InstructionInfo &info, const Form &form) {
  std::string name = info.mnemonic.str();
  for (const ModifierSlot &slot : form.slots) {
    if (slot.optional && random() % 3)
      continue;
    const Choice &choice = slot.choices[random() % slot.choices.size()];
    name += "." + spelling(choice.token).str();
  }
  return name;
}

void Sampler::sampleForm(const InstructionInfo &info, const Form &form) {
  for (int i = 0; i != 60; ++i) {
    std::string name = randomName(info, form);
    if (!seen.insert(name).second)
      continue;
    Expected<ResolvedInstruction> inst = resolve(name);
    if (!inst) {
      consumeError(inst.takeError());
      continue;
    }
    if (Error e = checkTarget(*inst, target, ptx)) {
      consumeError(std::move(e));
      continue;
    }
    if (isSampled(*inst))
      emit(*inst, name);
  }
}

void Sampler::accepted() {
  for (const InstructionInfo &info : instructions())
    for (const Form &form : info.forms)
      sampleForm(info, form);
}

/// Replaces one modifier of a good name by another of the instruction, and
/// keeps what the table refuses. The operands are those of the good name.
void Sampler::rejected() {
  for (const InstructionInfo &info : instructions()) {
    std::set<StringRef> all;
    for (const Form &form : info.forms)
      for (const ModifierSlot &slot : form.slots)
        for (const Choice &choice : slot.choices)
          all.insert(spelling(choice.token));
    SmallVector<StringRef> tokens(all.begin(), all.end());
    for (const Form &form : info.forms)
      for (int i = 0; i != 40 && !tokens.empty(); ++i) {
        Expected<ResolvedInstruction> inst = resolve(randomName(info, form));
        if (!inst) {
          consumeError(inst.takeError());
          continue;
        }
        if (!isSampled(*inst) || errorToBool(checkTarget(*inst, target, ptx)))
          continue;
        SmallVector<StringRef> parts;
        for (Token token : inst->choices())
          if (token != Token::none)
            parts.push_back(spelling(token));
        if (parts.empty())
          continue;
        parts[random() % parts.size()] = tokens[random() % tokens.size()];
        std::string name = info.mnemonic.str() + "." + join(parts, ".");
        if (!seen.insert(name).second)
          continue;
        Expected<ResolvedInstruction> changed = resolve(name);
        if (!changed) {
          consumeError(changed.takeError());
          emit(*inst, name);
        }
      }
  }
}

int main(int argc, char **argv) {
  unsigned ptx;
  if (argc < 3 || StringRef(argv[2]).getAsInteger(10, ptx)) {
    errs() << "expected TARGET and PTX version (90) as arguments\n";
    return 1;
  }
  outs() << format(kHead, ptx / 10, ptx % 10, argv[1]);
  Sampler sampler(argv[1], ptx);
  if (argc > 3)
    sampler.rejected();
  else
    sampler.accepted();
  return 0;
}
