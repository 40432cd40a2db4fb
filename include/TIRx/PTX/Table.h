//===- Table.h - the PTX instruction table ----------------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What every PTX instruction is: its modifiers, operands, effects, targets and
// lowering. The data is written in TableGen (include/TIRx/PTX/*.td); this is
// its C++ face, and the only source for the verifier, the emission, the
// simulator's decoding and the documentation.
//
// An *instruction* is a mnemonic (`ld`, `tcgen05.mma`). It has one or more
// *forms*; a form is an ordered list of modifier slots, a list of operands, and
// effects. `resolve` finds the form that a dotted text names and the choice it
// makes for each slot.
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_PTX_TABLE_H
#define TIRX_PTX_TABLE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <optional>
#include <string>

namespace tirx::ptx {

// enum class Opcode : uint16_t { ld, st, add, tcgen05_mma, mbarrier_try_wait };
//   One for each mnemonic; dots become underscores, a C++ keyword gets a
//   trailing underscore (`and_`).
// enum class Mod : uint8_t { none, type, stype, space, sem, scope, vec, ... };
//   The names of modifier slots.
// enum class Token : uint16_t { none, u32, f16x2, global, shared_cluster, ...
// };
//   The modifiers themselves, without the dot; `::` becomes `_`, a leading
//   digit gets `_` in front (`_16x64b`). Token::none: the modifier is absent.
// enum class SpecialRegister : uint8_t { clock, ctaid, envreg0, laneid, tid };
#define GET_PTX_ENUMS
#include "TIRx/PTX/Table.inc"

/// The text of a modifier without its dot ("shared::cluster"); "" for none.
llvm::StringRef spelling(Token token);
/// The name of a slot as the tables write it ("type").
llvm::StringRef spelling(Mod mod);
/// The token or slot of that text, if the table knows it at all.
std::optional<Token> findToken(llvm::StringRef text);
std::optional<Mod> findMod(llvm::StringRef name);

/// Bits of one element of a fundamental or packed type (u32: 32, f16x2: 32,
/// b128: 128, pred: 1); 0 if the token is not a type.
unsigned bitWidth(Token type);
/// Scalars in one element of a type: 2 for f16x2, 4 for e4m3x4, else 1.
unsigned packedElements(Token type);
bool isSignedInteger(Token type);
bool isUnsignedInteger(Token type);
bool isFloat(Token type);
/// An untyped b8..b128 (or pred).
bool isBits(Token type);

/// What an operand may be in the text.
enum class OperandKind : uint8_t {
  Register,      ///< a destination: a register, or `_` where sinks are allowed
  Value,         ///< a source: a register, an immediate, a special register
                 ///< or the address of a variable
  Immediate,     ///< a constant
  Predicate,     ///< a predicate register; a source may be negated
  PredicatePair, ///< `p` or `p|q`; also `d|p` (then the type says what d is)
  Address,       ///< `[base + offset]`
  TensorAddress, ///< `[tensorMap, {coordinates}]`
  DescriptorOrAddress, ///< a 64-bit matrix descriptor, or `[tmem]`
  Label,               ///< a label, a function or a list of targets
  Symbol,              ///< the name of a variable, parameter list or table
};

enum class Access : uint8_t { Read, Write, ReadWrite };

/// How the element type of an operand follows from the modifiers.
enum class TypeRule : uint8_t {
  Fixed,    ///< `token`
  Slot,     ///< the type in slot `mod`
  WideSlot, ///< twice the width of the type in slot `mod` (mul.wide)
  BitsSlot, ///< untyped bits of the width of the type in slot `mod`
  Any,      ///< no type (labels, symbols)
  Address,  ///< an address: 32 or 64 bits
};

/// How the number of registers of an operand follows from the modifiers.
enum class LaneRule : uint8_t {
  Fixed,   ///< `count`
  Vector,  ///< v2, v4, v8 in slot vec; 1 without
  Tcgen05, ///< tcgen05.ld/st: from shape and num
  Matrix,  ///< ldmatrix/stmatrix: x1, x2, x4 (the .m16n16 shapes have two each)
  FragmentA, ///< mma.sync: from shape and type
  FragmentB,
  FragmentC,
  Wgmma,     ///< wgmma accumulator: from shape and type
  CtaGroup,  ///< 4 with cta_group::1, 8 with cta_group::2
  TensorDim, ///< coordinates of a tensor: 1d..5d
  Unknown,   ///< anything from 1 up; the text decides (mov pack/unpack)
};

/// What may follow a register to name parts of it (SIMD video instructions).
enum class PartRule : uint8_t {
  None,
  HalfMask,     ///< halves that are written: h0, h1, h10
  HalfSelector, ///< two of the halves of a and b: h00 to h33
  ByteMask,     ///< bytes that are written: b0, b1, b10 to b3210
  ByteSelector, ///< four of the bytes of a and b: b0000 to b7777
};

/// Where an instruction an operand or a modifier exists. `targets` are
/// alternatives: "sm_90" is that or newer, "sm_90a" exactly that, "sm_100f" the
/// family.
struct Availability {
  uint8_t ptx = 0; ///< 10 * major + minor, 0: always
  llvm::ArrayRef<llvm::StringLiteral> targets = {};
};

/// Legal values of an immediate: `least`, `least + step`, ... up to `most`.
struct ImmediateRange {
  int64_t least, most, step;
};

/// One operand as the table describes it, before the modifiers are known.
struct OperandInfo {
  llvm::StringRef name;
  OperandKind kind;
  Access access;
  TypeRule typeRule;
  Token type; ///< for TypeRule::Fixed
  Mod mod;    ///< for the rules that read a slot
  LaneRule laneRule;
  uint8_t lanes; ///< for LaneRule::Fixed
  bool optional; ///< may be left out, whatever the modifiers
  bool sink;     ///< `_` is allowed
  bool onlySink; ///< must be `_`
  Token when;    ///< there only if this modifier is written (none: always)
  PartRule parts;
  llvm::StringRef instead;               ///< an operand that excludes it, or ""
  Availability since;                    ///< of the operand alone
  llvm::ArrayRef<ImmediateRange> values; ///< of an immediate; {}: all
};

/// A concrete operand: what `operands` gives for a resolved instruction.
struct OperandSpec {
  llvm::StringRef name;
  OperandKind kind;
  Access access;
  Token type;     ///< none: any, or an address of either width
  unsigned lanes; ///< registers in braces; 1: a plain operand; 0: any number
  bool optional;
  bool sink;     ///< `_` is allowed
  bool onlySink; ///< must be `_`
  PartRule parts = PartRule::None;
  llvm::StringRef instead = "";               ///< not written with that operand
  Availability since = {};                    ///< of the operand alone
  llvm::ArrayRef<ImmediateRange> values = {}; ///< of an immediate; {}: all
};

/// A predefined read-only register.
struct SpecialRegisterInfo {
  SpecialRegister id;
  llvm::StringRef name; ///< "%tid"; "%tid.x" is a component of it
  Token type;
  uint8_t lanes;   ///< 3: has components x, y, z (w reads as 0)
  bool isVolatile; ///< two reads may differ (%clock, %smid)
  Availability since;
  llvm::StringRef summary;
};

struct Choice {
  Token token;
  llvm::StringRef alias; ///< another spelling of the same choice, or ""
  Availability since;
};

struct ModifierSlot {
  Mod mod;
  bool optional;
  Token defaultChoice; ///< what leaving it out means, or none
  llvm::ArrayRef<Choice> choices;
};

/// A restriction between slots: where one of `ifAny` is written, one of
/// `needsAny` must be (or, with `excludes`, none may be).
struct Restriction {
  llvm::ArrayRef<Token> ifAny;
  llvm::ArrayRef<Token> needsAny;
  bool excludes;
  llvm::StringRef why;
};

enum class Proxy : uint8_t { Generic, Async, Tensormap, Tcgen05 };

/// How the number of bytes that a thread accesses follows.
enum class SizeRule : uint8_t {
  Unknown, ///< from a tensor map, a descriptor, or another lane's address
  Fixed,   ///< `bytes`
  Data,    ///< what the registers of operand `sizeOperand` hold
  Value,   ///< the value of operand `sizeOperand`
};

/// One access to memory through an operand, as the table describes it.
struct EffectInfo {
  llvm::StringRef operand;
  Access access;
  Token space; ///< none: that of the slot `mod`, or generic
  Mod mod;
  Proxy proxy;
  SizeRule sizeRule;
  uint8_t bytes;               ///< for SizeRule::Fixed
  llvm::StringRef sizeOperand; ///< for SizeRule::Data and Value
};

enum FormFlags : uint32_t {
  /// All lanes of the warp that run it must run it together.
  Convergent = 1 << 0,
  /// Begins work that completes later, by the mechanism of CompletionFlags.
  Asynchronous = 1 << 1,
  /// A fence, a barrier or a wait: orders all memory around it.
  Orders = 1 << 2,
  /// Changes control flow.
  Control = 1 << 3,
  /// Effects other than memory: must not be removed, merged or moved.
  SideEffects = 1 << 4,
  /// Reads what changes by itself (%clock, activemask): not to be merged.
  Volatile = 1 << 5,
  // How the work of an asynchronous instruction is known to be complete: on the
  // mbarrier operand (or the one that tracks it), ...
  CompletesOnMbarrier = 1 << 6,
  /// with cp.async.wait_group of the group that it is committed to,
  CompletesInCpGroup = 1 << 7,
  /// with cp.async.bulk.wait_group,
  CompletesInBulkGroup = 1 << 8,
  /// with wgmma.wait_group,
  CompletesInWgmmaGroup = 1 << 9,
  /// when the mbarrier of a later tcgen05.commit completes,
  CompletesByCommit = 1 << 10,
  /// with tcgen05.wait::ld or ::st. The registers of a load hold nothing
  /// before.
  CompletesByWait = 1 << 11,
  CompletionFlags = CompletesOnMbarrier | CompletesInCpGroup |
                    CompletesInBulkGroup | CompletesInWgmmaGroup |
                    CompletesByCommit | CompletesByWait,
};

/// What an instruction lowers to from the dialect.
enum class LoweringKind : uint8_t { InlineAsm, NVVMOp, Intrinsic };

/// The class of an instruction: what it is counted as, and its page.
enum class Family : uint8_t {
  Arithmetic,
  Logic,
  Comparison,
  Move,
  Conversion,
  Memory,
  Atomic,
  Control,
  Barrier,
  Fence,
  Warp,
  AsyncCopy,
  Matrix,
  Tcgen05,
  System,
};

/// "arithmetic", "async copy".
llvm::StringRef spelling(Family family);

/// One form of an instruction.
struct Form {
  llvm::ArrayRef<ModifierSlot> slots;
  llvm::ArrayRef<OperandInfo> operands;
  llvm::ArrayRef<EffectInfo> effects;
  llvm::ArrayRef<Restriction> restrictions;
  uint32_t flags;
  Availability since;
};

struct InstructionInfo {
  Opcode opcode;
  llvm::StringRef mnemonic;
  Family family;
  LoweringKind lowering;
  llvm::StringRef loweringName; ///< op ("nvvm.barrier") or intrinsic, or ""
  llvm::StringRef summary;
  llvm::StringRef section; ///< of the PTX ISA: "9.7.16.4"
  llvm::ArrayRef<Form> forms;
};

/// The whole table, in order of Opcode.
llvm::ArrayRef<InstructionInfo> instructions();
const InstructionInfo &lookup(Opcode opcode);
/// Null if there is none. Exact: "tcgen05.mma", not "tcgen05.mma.cta_group::1".
const InstructionInfo *lookup(llvm::StringRef mnemonic);

/// All predefined registers, in order of SpecialRegister.
llvm::ArrayRef<SpecialRegisterInfo> specialRegisters();
/// By name with the `%`, without a component ("%tid"); null if there is none.
const SpecialRegisterInfo *lookupSpecialRegister(llvm::StringRef name);

/// An instruction with a choice for each modifier. Small; copy it freely.
class ResolvedInstruction {
public:
  ResolvedInstruction() = default;

  explicit operator bool() const { return instruction != nullptr; }
  const InstructionInfo &info() const { return *instruction; }
  Opcode opcode() const { return instruction->opcode; }
  const Form &form() const { return instruction->forms[formIndex]; }
  unsigned getFormIndex() const { return formIndex; }

  /// The choice of a slot: as written, else its default, else none (also where
  /// the form has no such slot).
  Token get(Mod mod) const;
  /// Only what is written: none where a default applies.
  Token written(Mod mod) const;
  /// True if that modifier is written, in whichever slot.
  bool has(Token token) const;

  /// By text, for code that is not fast: get("type") == "f32".
  llvm::StringRef get(llvm::StringRef slot) const;
  bool has(llvm::StringRef modifier) const;

  /// What is written, one for each slot of the form (none: absent).
  llvm::ArrayRef<Token> choices() const { return tokens; }

  bool operator==(const ResolvedInstruction &other) const {
    return instruction == other.instruction && formIndex == other.formIndex &&
           tokens == other.tokens;
  }
  bool operator!=(const ResolvedInstruction &other) const {
    return !(*this == other);
  }

private:
  friend class Resolver;
  const InstructionInfo *instruction = nullptr;
  uint16_t formIndex = 0;
  llvm::SmallVector<Token, 8> tokens;
};

/// Finds the instruction that "ld.global.v4.u32" names. Modifiers may stand in
/// another order than the ISA's where that is unambiguous. The error says which
/// modifier is wrong, what was expected there and the nearest match.
llvm::Expected<ResolvedInstruction> resolve(llvm::StringRef dottedText);

/// The operands in the order of the text, those that the modifiers rule out
/// left away. Optional ones are at the end or marked.
llvm::SmallVector<OperandSpec, 8> operands(const ResolvedInstruction &inst);

struct MemoryEffect {
  unsigned operand; ///< index into `operands`
  Access access;
  Token space; ///< global, shared, shared_cluster, local, param, const_, tmem;
               ///< none: generic
  Proxy proxy;
  /// Bytes that a thread accesses; 0 if the instruction does not say, or says
  /// it in an operand.
  unsigned bytes = 0;
  /// Index into `operands` of the number of bytes, or none.
  std::optional<unsigned> sizeOperand = std::nullopt;
};

/// Whether `suffix` ("h10") is one that `rule` allows after a register.
bool isPartSuffix(PartRule rule, llvm::StringRef suffix);

/// What an instruction does besides writing its destinations.
struct Effects {
  llvm::SmallVector<MemoryEffect, 2> memory;
  Token sem =
      Token::none; ///< relaxed, acquire, release, acq_rel, sc; none: weak
  Token scope = Token::none; ///< cta, cluster, gpu, sys
  uint32_t flags = 0;        ///< FormFlags
  bool isPure() const { return memory.empty() && !flags; }
};
Effects effects(const ResolvedInstruction &inst);

/// Succeeds if `target` ("sm_100a") with PTX ISA `ptxVersion` (86 for 8.6; 0:
/// not checked) has the instruction with these modifiers; the error says what
/// lacks.
llvm::Error checkTarget(const ResolvedInstruction &inst, llvm::StringRef target,
                        unsigned ptxVersion);

/// The same for the operands that are written.
llvm::Error checkTarget(const ResolvedInstruction &inst,
                        llvm::ArrayRef<OperandSpec> written,
                        llvm::StringRef target, unsigned ptxVersion);

/// "4, 8 or 16" where an immediate may not be `value`, else "".
std::string expectedValue(const OperandSpec &spec, int64_t value);

/// Fails where two operands are written that exclude each other.
llvm::Error checkTogether(const ResolvedInstruction &inst,
                          llvm::ArrayRef<OperandSpec> written);

/// The PTX version (75 for 7.5) that has the instruction with these modifiers
/// and operands; 0 where all do.
unsigned requiredPtx(const ResolvedInstruction &inst,
                     llvm::ArrayRef<OperandSpec> written);

/// The canonical text: modifiers in the ISA's order, without operands.
std::string print(const ResolvedInstruction &inst);

} // namespace tirx::ptx

#endif // TIRX_PTX_TABLE_H
