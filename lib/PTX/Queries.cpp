//===- Queries.cpp - operands, effects and targets of instructions --------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TIRx/PTX/Table.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace tirx::ptx;

// --- Operands ----------------------------------------------------------------

/// The type of twice the width; the table asks for it of integers only.
static Token widen(Token type) {
  switch (type) {
  case Token::u16:
    return Token::u32;
  case Token::s16:
    return Token::s32;
  case Token::u32:
    return Token::u64;
  case Token::s32:
    return Token::s64;
  default:
    return type;
  }
}

static Token bitsOf(Token type) {
  switch (bitWidth(type)) {
  case 8:
    return Token::b8;
  case 16:
    return Token::b16;
  case 32:
    return Token::b32;
  case 64:
    return Token::b64;
  case 128:
    return Token::b128;
  default:
    return type;
  }
}

/// Fragments of matrices are held in 32-bit registers, whatever is in them.
static bool isFragment(LaneRule rule) {
  return rule == LaneRule::FragmentA || rule == LaneRule::FragmentB ||
         rule == LaneRule::FragmentC || rule == LaneRule::Wgmma;
}

/// What the table says of the type, before what the registers make of it.
static Token elementType(const OperandInfo &info,
                         const ResolvedInstruction &inst) {
  switch (info.typeRule) {
  case TypeRule::Fixed:
    return info.type;
  case TypeRule::Slot:
    return inst.get(info.mod);
  case TypeRule::WideSlot:
    return widen(inst.get(info.mod));
  case TypeRule::BitsSlot:
    return bitsOf(inst.get(info.mod));
  case TypeRule::Any:
  case TypeRule::Address:
    break;
  }
  return Token::none;
}

static Token operandType(const OperandInfo &info,
                         const ResolvedInstruction &inst) {
  Token type = elementType(info, inst);
  bool isPacked = isFragment(info.laneRule) && bitWidth(type) < 32;
  return isPacked ? Token::b32 : type;
}

/// The number in the text of a modifier: 4 for "v4", "x4", "4d"; 1 for none.
static unsigned numberIn(Token token) {
  unsigned number = 1;
  StringRef text = spelling(token).trim("vxd");
  return text.getAsInteger(10, number) ? 1 : number;
}

/// Registers that a warp's lane holds of a tcgen05.ld/st, PTX ISA 9.7.16.8.
static unsigned tcgen05Lanes(const ResolvedInstruction &inst) {
  unsigned num = numberIn(inst.get(Mod::num));
  switch (inst.get(Mod::shape)) {
  case Token::_16x128b:
    return 2 * num;
  case Token::_16x256b:
    return 4 * num;
  default:
    return num;
  }
}

/// m, n, k of "m16n8k16"; zeros if the token is no such shape.
static std::array<unsigned, 3> shapeOf(Token token) {
  std::array<unsigned, 3> result = {0, 0, 0};
  StringRef text = spelling(token);
  const char letters[] = {'m', 'n', 'k'};
  for (unsigned i = 0; i != 3; ++i)
    if (text.empty() || text[0] != letters[i] ||
        (text = text.drop_front()).consumeInteger(10, result[i]))
      return {0, 0, 0};
  return result;
}

/// 32-bit registers of a fragment of `elements` of `type`, spread over a warp.
static unsigned fragment(unsigned elements, Token type) {
  unsigned bits = elements * bitWidth(type) / 32;
  return std::max(1u, bitWidth(type) == 64 ? elements / 32 : bits / 32);
}

/// Elements of A and B as the registers hold them: 4- and 6-bit formats take a
/// byte each except under the kinds that pack them.
static Token storedType(Token type, const ResolvedInstruction &inst) {
  bool packed = type == Token::e2m1 &&
                (inst.has("kind::mxf4") || inst.has("kind::mxf4nvf4"));
  if (isFloat(type) && bitWidth(type) < 8 && !packed)
    return Token::e4m3;
  return type;
}

static unsigned matrixLanes(const ResolvedInstruction &inst) {
  unsigned num = numberIn(inst.get(Mod::num));
  return inst.get(Mod::shape) == Token::m16n16 ? 2 * num : num;
}

/// Two lanes of a warp hold each f16 element of a wmma fragment of A or B, so
/// that it has 8 registers in all shapes (PTX ISA 9.7.14.4.1). wmma.mma does
/// not write this type.
static bool isHalfWmma(const ResolvedInstruction &inst, Mod mod) {
  return inst.info().mnemonic.starts_with("wmma.") &&
         (inst.get(mod) == Token::none || inst.get(mod) == Token::f16);
}

/// Offsets of im2col: one for each dimension of the image; the modes `w` have
/// two (PTX ISA 5.5.4).
static unsigned tensorOffsets(const ResolvedInstruction &inst) {
  unsigned dims = numberIn(inst.get(Mod::dim));
  return inst.get(Mod::load_mode) == Token::im2col && dims > 2 ? dims - 2 : 2;
}

/// The threads of a quad from which the metadata of mma.sp may come: fewer,
/// the more of it there is (PTX ISA 9.7.14.5.12).
static ArrayRef<ImmediateRange>
sparsitySelectors(const ResolvedInstruction &inst) {
  static constexpr ImmediateRange kLast[] = {{0, 0, 1}, {0, 1, 1}, {0, 3, 1}};
  Token type = storedType(inst.get(Mod::atype), inst);
  unsigned bits = shapeOf(inst.get(Mod::shape))[2] * bitWidth(type);
  unsigned index = (bitWidth(type) >= 16 ? 2 : 1) - (bits > 256 ? 1 : 0);
  return ArrayRef(kLast).slice(index, 1);
}

static ArrayRef<ImmediateRange> operandValues(const OperandInfo &info,
                                              const ResolvedInstruction &inst) {
  bool isSelector =
      info.name == "f" && inst.info().mnemonic.starts_with("mma.sp");
  return isSelector ? sparsitySelectors(inst) : info.values;
}

static unsigned operandLanes(const OperandInfo &info,
                             const ResolvedInstruction &inst) {
  auto [m, n, k] = shapeOf(inst.get(Mod::shape));
  switch (info.laneRule) {
  case LaneRule::Fixed:
    return info.lanes;
  case LaneRule::Vector:
    return numberIn(inst.get(Mod::vec));
  case LaneRule::Tcgen05:
    return tcgen05Lanes(inst);
  case LaneRule::Matrix:
    return matrixLanes(inst);
  case LaneRule::FragmentA: {
    if (isHalfWmma(inst, Mod::atype))
      return 8;
    // A sparse A holds half the elements of K.
    unsigned stored = inst.info().mnemonic.contains("mma.sp") ? k / 2 : k;
    return fragment(m * stored, storedType(inst.get(Mod::atype), inst));
  }
  case LaneRule::FragmentB:
    if (isHalfWmma(inst, Mod::btype))
      return 8;
    return fragment(k * n, storedType(inst.get(Mod::btype), inst));
  case LaneRule::FragmentC: {
    // mma.m8n8k4 on f16 is four products, each of a quarter of the warp.
    bool isQuad = inst.get(Mod::shape) == Token::m8n8k4 &&
                  inst.get(Mod::atype) == Token::f16;
    return fragment((isQuad ? 4 : 1) * m * n, inst.get(info.mod));
  }
  case LaneRule::Wgmma:
    // A warp holds m / 4 rows of the accumulator.
    return fragment(m / 4 * n, inst.get(Mod::dtype));
  case LaneRule::CtaGroup:
    return inst.has(Token::cta_group_2) ? 8 : 4;
  case LaneRule::TensorDim:
    // A column and four rows.
    if (inst.has("tile::gather4") || inst.has("tile::scatter4"))
      return 5;
    return numberIn(inst.get(Mod::dim));
  case LaneRule::Unknown:
    return info.name == "offsets" ? tensorOffsets(inst) : 0;
  }
  return 0;
}

SmallVector<OperandSpec, 8>
tirx::ptx::operands(const ResolvedInstruction &inst) {
  SmallVector<OperandSpec, 8> result;
  for (const OperandInfo &info : inst.form().operands)
    if (info.when == Token::none || inst.has(info.when))
      result.push_back({info.name, info.kind, info.access,
                        operandType(info, inst), operandLanes(info, inst),
                        info.optional, info.sink, info.onlySink, info.parts,
                        info.instead, info.since, operandValues(info, inst)});
  return result;
}

// --- Effects -----------------------------------------------------------------

static std::optional<unsigned> findOperand(ArrayRef<OperandSpec> specs,
                                           StringRef name) {
  for (unsigned i = 0; i != specs.size(); ++i)
    if (specs[i].name == name)
      return i;
  return std::nullopt;
}

/// The size of an access, from the modifiers or as the operand that has it.
static void setSize(MemoryEffect &access, const EffectInfo &info,
                    ArrayRef<OperandSpec> specs) {
  std::optional<unsigned> operand = findOperand(specs, info.sizeOperand);
  switch (info.sizeRule) {
  case SizeRule::Unknown:
    break;
  case SizeRule::Fixed:
    access.bytes = info.bytes;
    break;
  case SizeRule::Data:
    if (operand)
      access.bytes = bitWidth(specs[*operand].type) * specs[*operand].lanes / 8;
    break;
  case SizeRule::Value:
    access.sizeOperand = operand;
    break;
  }
}

Effects tirx::ptx::effects(const ResolvedInstruction &inst) {
  Effects result;
  result.flags = inst.form().flags;
  result.sem = inst.get(Mod::sem);
  result.scope = inst.get(Mod::scope);
  SmallVector<OperandSpec, 8> specs = operands(inst);
  for (const EffectInfo &effect : inst.form().effects) {
    std::optional<unsigned> operand = findOperand(specs, effect.operand);
    if (!operand)
      continue;
    Token space = effect.mod != Mod::none ? inst.get(effect.mod) : effect.space;
    MemoryEffect access{*operand, effect.access, space, effect.proxy};
    setSize(access, effect, specs);
    result.memory.push_back(access);
  }
  return result;
}

bool tirx::ptx::isPartSuffix(PartRule rule, StringRef suffix) {
  bool halves = rule == PartRule::HalfMask || rule == PartRule::HalfSelector;
  if (rule == PartRule::None || !suffix.consume_front(halves ? "h" : "b"))
    return false;
  bool isMask = rule == PartRule::HalfMask || rule == PartRule::ByteMask;
  unsigned parts = halves ? 2 : 4;
  // A mask names parts of one register, highest first; a selector one for each
  // place, of the parts of a and b.
  char end = '0' + (isMask ? parts : 2 * parts);
  if (suffix.empty() || suffix.size() > parts ||
      (!isMask && suffix.size() != parts))
    return false;
  for (size_t i = 0; i != suffix.size(); ++i)
    if (suffix[i] < '0' || suffix[i] >= end ||
        (isMask && i && suffix[i] >= suffix[i - 1]))
      return false;
  return true;
}

// --- Targets -----------------------------------------------------------------

namespace {
/// "sm_103a": 103 and 'a'.
struct Chip {
  unsigned number = 0;
  char suffix = 0; ///< 'a', 'f' or 0
};
} // namespace

static std::optional<Chip> parseChip(StringRef text) {
  Chip chip;
  if (!text.consume_front("sm_") || text.consumeInteger(10, chip.number))
    return std::nullopt;
  if (text.empty())
    return chip;
  if (text != "a" && text != "f")
    return std::nullopt;
  chip.suffix = text[0];
  return chip;
}

/// sm_101 was renamed sm_110 in PTX 9.0; they are one chip.
static Chip renamed(Chip chip) {
  if (chip.number == 101)
    chip.number = 110;
  return chip;
}

/// PTX ISA 11.1.2: a plain target is a lower bound, `a` is that chip only, `f`
/// that chip and later ones of its family.
static bool satisfies(Chip chip, Chip need) {
  chip = renamed(chip);
  need = renamed(need);
  switch (need.suffix) {
  case 'a':
    return chip.suffix == 'a' && chip.number == need.number;
  case 'f':
    return chip.suffix && chip.number / 10 == need.number / 10 &&
           chip.number >= need.number;
  default:
    return chip.number >= need.number;
  }
}

static Error checkAvailability(const Availability &since, const Twine &what,
                               StringRef target, Chip chip, unsigned ptx) {
  if (ptx && since.ptx > ptx)
    return createStringError(inconvertibleErrorCode(),
                             "expected PTX " + Twine(since.ptx / 10) + "." +
                                 Twine(since.ptx % 10) + " or later for " +
                                 what + ", got " + Twine(ptx / 10) + "." +
                                 Twine(ptx % 10));
  if (since.targets.empty())
    return Error::success();
  for (StringRef alternative : since.targets)
    if (satisfies(chip, *parseChip(alternative)))
      return Error::success();
  bool isFloor = !parseChip(since.targets[0])->suffix;
  return createStringError(inconvertibleErrorCode(),
                           "expected target " + join(since.targets, " or ") +
                               (isFloor ? " or later for " : " for ") + what +
                               ", got " + target);
}

Error tirx::ptx::checkTarget(const ResolvedInstruction &inst, StringRef target,
                             unsigned ptxVersion) {
  std::optional<Chip> chip = parseChip(target);
  if (!chip)
    return createStringError(inconvertibleErrorCode(),
                             "expected a target like 'sm_100a', got '" +
                                 target + "'");
  const Form &form = inst.form();
  if (Error e = checkAvailability(form.since, "'" + inst.info().mnemonic + "'",
                                  target, *chip, ptxVersion))
    return e;
  for (size_t i = 0; i != form.slots.size(); ++i)
    for (const Choice &choice : form.slots[i].choices)
      if (choice.token == inst.choices()[i])
        if (Error e =
                checkAvailability(choice.since,
                                  "'." + spelling(choice.token) + "' of '" +
                                      inst.info().mnemonic + "'",
                                  target, *chip, ptxVersion))
          return e;
  return Error::success();
}

/// "operand 'c' of 'max'".
static std::string describe(const OperandSpec &spec,
                            const ResolvedInstruction &inst) {
  return ("operand '" + spec.name + "' of '" + inst.info().mnemonic + "'")
      .str();
}

Error tirx::ptx::checkTarget(const ResolvedInstruction &inst,
                             ArrayRef<OperandSpec> written, StringRef target,
                             unsigned ptxVersion) {
  // A wrong target is reported for the instruction.
  std::optional<Chip> chip = parseChip(target);
  if (!chip)
    return Error::success();
  for (const OperandSpec &spec : written)
    if (Error e = checkAvailability(spec.since, describe(spec, inst), target,
                                    *chip, ptxVersion))
      return e;
  return Error::success();
}

std::string tirx::ptx::expectedValue(const OperandSpec &spec, int64_t value) {
  for (const ImmediateRange &range : spec.values)
    if (value >= range.least && value <= range.most &&
        (value - range.least) % range.step == 0)
      return "";
  std::string text;
  for (const ImmediateRange &range : spec.values) {
    if (!text.empty())
      text += &range == &spec.values.back() ? " or " : ", ";
    text += std::to_string(range.least);
    if (range.most != range.least)
      text += " to " + std::to_string(range.most);
    if (range.step != 1)
      text += " in steps of " + std::to_string(range.step);
  }
  return text;
}

Error tirx::ptx::checkTogether(const ResolvedInstruction &inst,
                               ArrayRef<OperandSpec> written) {
  for (const OperandSpec &spec : written)
    if (!spec.instead.empty() && findOperand(written, spec.instead))
      return createStringError("expected " + describe(spec, inst) +
                               " or operand '" + spec.instead + "', got both");
  return Error::success();
}

unsigned tirx::ptx::requiredPtx(const ResolvedInstruction &inst,
                                ArrayRef<OperandSpec> written) {
  const Form &form = inst.form();
  unsigned result = form.since.ptx;
  for (size_t i = 0; i != form.slots.size(); ++i)
    for (const Choice &choice : form.slots[i].choices)
      if (choice.token == inst.choices()[i])
        result = std::max<unsigned>(result, choice.since.ptx);
  for (const OperandSpec &spec : written)
    result = std::max<unsigned>(result, spec.since.ptx);
  return result;
}
