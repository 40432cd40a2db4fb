//===- AST.h - PTX text as a tree -------------------------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A module owns its text and an arena; every node lives in that arena, and
// every name is a piece of that text. Names are bound while parsing: an operand
// knows the variable or the label that it means, so that users of the tree need
// no scopes of their own.
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_PTX_AST_H
#define TIRX_PTX_AST_H

#include "TIRx/PTX/Diagnostics.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/Casting.h"
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tirx::ptx {

class ResolvedInstruction;
struct SpecialRegisterInfo;
struct Function;
struct Label;
struct Location;
struct Variable;

//===----------------------------------------------------------------------===//
// Types, spaces, linkage
//===----------------------------------------------------------------------===//

/// The types that a variable may have (PTX ISA 5.2, 5.3).
enum class ScalarType : uint8_t {
  none,
  b8,
  b16,
  b32,
  b64,
  b128,
  u8,
  u16,
  u32,
  u64,
  s8,
  s16,
  s32,
  s64,
  f16,
  f16x2,
  bf16,
  bf16x2,
  f32,
  f64,
  pred,
  texref,
  samplerref,
  surfref,
};
/// "b32"; "" for none.
llvm::StringRef spelling(ScalarType type);
/// The type of that name without its dot, or none.
ScalarType findScalarType(llvm::StringRef name);
/// 32 for b32; 1 for pred; 64 for the opaque types.
unsigned bitWidth(ScalarType type);
/// Bytes in memory; 1 for pred.
unsigned byteSize(ScalarType type);

enum class StateSpace : uint8_t {
  None,
  Reg,
  Global,
  Shared,
  Local,
  Param,
  Const
};
/// "global"; "" for None.
llvm::StringRef spelling(StateSpace space);

enum class Linkage : uint8_t { Internal, Extern, Visible, Weak, Common };
/// ".visible"; "" for Internal.
llvm::StringRef spelling(Linkage linkage);

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

/// One element of an initialiser.
struct Initializer {
  /// Which element of the variable, row-major; one of a vector counts as one.
  uint64_t index = 0;
  /// A number, zero extended, as the bits of the variable's type; or the offset
  /// in bytes from `symbol`.
  uint64_t bits = 0;
  /// The variable or function whose address it is, or "".
  llvm::StringRef symbol;
  /// generic(symbol): the generic address, not the one in the symbol's space.
  bool generic = false;
  /// `0xFF00(symbol)`: the byte of the address that the mask selects; 0: all.
  uint64_t mask = 0;
  SourceLoc loc;
};

/// A register, a variable in memory or a parameter.
struct Variable {
  llvm::StringRef name; ///< without `<n>`; "_" for a nameless parameter
  StateSpace space = StateSpace::None;
  ScalarType type = ScalarType::none;
  uint8_t vectorWidth = 1; ///< 2, 4, 8 for .v2, .v4, .v8
  Linkage linkage = Linkage::Internal;
  /// For registers: `%r<10>` declares %r0 to %r9. 0: one register.
  uint32_t rangeCount = 0;
  /// In bytes; 0: the natural one of the type.
  uint32_t align = 0;
  /// Array extents, outermost first. -1: `[]`, known at launch or at link.
  llvm::ArrayRef<int64_t> dims;
  /// In the order of `index`; elements without an entry are zero.
  llvm::ArrayRef<Initializer> init;

  // What a kernel parameter of pointer type points to (PTX ISA 5.1.6.4).
  bool isPointer = false;
  /// `.hidden .param` of newer compilers; no released document says what it
  /// means.
  bool isHidden = false;
  StateSpace pointerSpace = StateSpace::None; ///< None: generic
  uint32_t pointerAlign = 0;                  ///< 0: not said

  /// The text of .attribute(...), or "".
  llvm::StringRef attributes;
  SourceLoc loc;
  /// A number for each variable that the function declares, from 0, in the
  /// order of the text (parameters first); for those of the module, from 0.
  uint32_t id = 0;
  /// The function that declares it; null for a variable of the module.
  const Function *function = nullptr;

  bool isArray() const { return !dims.empty(); }
  /// Is it `x[]`?
  bool isUnsized() const { return !dims.empty() && dims.front() < 0; }
  /// Elements of a memory variable (vectors count as one); 0 when unsized.
  uint64_t elementCount() const;
  /// Bytes of a memory variable; 0 when unsized.
  uint64_t sizeInBytes() const;
  /// The declared alignment, or the natural one of the type.
  unsigned alignment() const;
};

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

/// An operand of an instruction.
struct Operand {
  enum class Kind : uint8_t {
    Register, ///< `variable` (`index` in its range), `suffix`, `negated`,
              ///< `value`
    Special,  ///< a predefined register: `name` is "%tid", `suffix` is "x"
    Symbol,   ///< address of `variable`, plus `value` bytes
    Function, ///< `callee`
    Label,    ///< `label`: of code, .branchtargets or .callprototype
    Integer,  ///< `value`
    Float,    ///< `value` holds the bits, `floatBits` is 32 or 64
    Address, ///< `[base + value]`, base is elements[0]; more elements where the
             ///< brackets hold a list, as in `[tensorMap, {x, y}]`
    Vector,  ///< `{elements}`
    Pair,    ///< `elements[0] | elements[1]`
    List,    ///< `(elements)`, of a call
    Sink,    ///< `_`
  };

  Kind kind = Kind::Sink;
  /// `!p`, and `-a` of video instructions.
  bool negated = false;
  uint8_t floatBits = 0;
  /// The address was written `name[elements]`.
  bool subscript = false;
  /// `+ value` was written. Also +0 is kept: without optimisation, ptxas adds
  /// it.
  bool hasOffset = false;
  SourceLoc loc;
  /// As written, without suffix: "%r12", "%tid", "smem", "$L__BB0_1".
  llvm::StringRef name;
  /// A component: "x" of `%tid.x`, "b1" or "h0" in video instructions; or "".
  llvm::StringRef suffix;
  /// Integer: the value (unsigned ones as their bits). Float: the bits.
  /// Register (`%rd16+2`), Symbol, Address: a constant that is added.
  int64_t value = 0;
  union {
    const Variable *variable; ///< Register, Symbol
    const Label *label;       ///< Label
    const Function *callee;   ///< Function
    const void *bound = nullptr;
  };
  uint32_t index = 0; ///< Register: 12 for %r12 of %r<20>
  llvm::ArrayRef<Operand> elements;

  bool is(Kind k) const { return kind == k; }
  /// Address: its first element (a register, symbol or integer).
  const Operand &base() const { return elements.front(); }
};

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

struct Statement {
  enum class Kind : uint8_t {
    Instruction,
    Label,
    Declaration,
    Block,
    Location,
    Pragma,
  };
  const Kind kind;
  SourceLoc loc;

protected:
  Statement(Kind kind, SourceLoc loc) : kind(kind), loc(loc) {}
};

/// `@guard opcode operands;`
struct Instruction : Statement {
  explicit Instruction(SourceLoc loc) : Statement(Kind::Instruction, loc) {}
  static bool classof(const Statement *s) {
    return s->kind == Kind::Instruction;
  }

  /// The dotted text: "ld.global.v4.u32".
  llvm::StringRef opcode;
  SourceLoc opcodeLoc; ///< `loc` is where the guard begins
  /// The entry of the table and the modifiers; set by resolveModule, null
  /// before. Instructions with the same text share it.
  const ResolvedInstruction *resolved = nullptr;
  llvm::ArrayRef<Operand> operands;
  /// A predicate register (`negated` for `@!p`), or null.
  const Operand *guard = nullptr;
  /// The .loc that applies, or null.
  const Location *location = nullptr;
};

/// `.maxntid 128, 1, 1` and its kin between the parameters and the body, or at
/// the end of a prototype.
struct FunctionDirective {
  llvm::StringRef name; ///< without the dot: "reqntid"
  llvm::ArrayRef<uint64_t> values;
  llvm::StringRef text; ///< the string of .pragma
  SourceLoc loc;
};

/// `name:`, also with the list or the prototype that follows it.
struct Label : Statement {
  explicit Label(SourceLoc loc) : Statement(Kind::Label, loc) {}
  static bool classof(const Statement *s) { return s->kind == Kind::Label; }

  enum class Role : uint8_t { Code, BranchTargets, CallTargets, CallPrototype };
  Role role = Role::Code;
  llvm::StringRef name;
  /// A number for each label of the function, from 0.
  uint32_t id = 0;
  /// .branchtargets (labels) and .calltargets (functions).
  llvm::ArrayRef<Operand> targets;
  /// .callprototype.
  llvm::ArrayRef<const Variable *> returns, params;
  llvm::ArrayRef<FunctionDirective> directives; ///< .noreturn, .abi_preserve
};

/// `.reg .b32 a, b;`
struct Declaration : Statement {
  explicit Declaration(SourceLoc loc) : Statement(Kind::Declaration, loc) {}
  static bool classof(const Statement *s) {
    return s->kind == Kind::Declaration;
  }
  llvm::ArrayRef<const Variable *> variables;
};

/// `{ ... }`
struct Block : Statement {
  explicit Block(SourceLoc loc) : Statement(Kind::Block, loc) {}
  static bool classof(const Statement *s) { return s->kind == Kind::Block; }
  llvm::ArrayRef<const Statement *> body;
};

/// `.loc file line column`
struct Location : Statement {
  explicit Location(SourceLoc loc) : Statement(Kind::Location, loc) {}
  static bool classof(const Statement *s) { return s->kind == Kind::Location; }
  uint32_t file = 0; ///< the number of its .file; see Module::findFile
  uint32_t line = 0;
  uint32_t column = 0;
  /// The text after the column: function_name, inlined_at; or "".
  llvm::StringRef rest;
};

/// `.pragma "text";`
struct Pragma : Statement {
  explicit Pragma(SourceLoc loc) : Statement(Kind::Pragma, loc) {}
  static bool classof(const Statement *s) { return s->kind == Kind::Pragma; }
  llvm::ArrayRef<llvm::StringRef> texts; ///< without the quotes
};

//===----------------------------------------------------------------------===//
// Functions and modules
//===----------------------------------------------------------------------===//

/// An `.entry` or a `.func`.
struct Function {
  llvm::StringRef name;
  bool isEntry = false;
  bool isDefinition = false;
  Linkage linkage = Linkage::Internal;
  /// The text of .attribute(...), or "".
  llvm::StringRef attributes;
  llvm::ArrayRef<const Variable *> returns;
  llvm::ArrayRef<const Variable *> params;
  llvm::ArrayRef<FunctionDirective> directives;
  llvm::ArrayRef<const Statement *> body;
  uint32_t variableCount = 0; ///< ids of its variables are below
  uint32_t labelCount = 0;
  SourceLoc loc;

  /// Null if there is none.
  const FunctionDirective *findDirective(llvm::StringRef directive) const;
  /// The three extents of "reqntid", "maxntid" or "reqnctapercluster"; those
  /// that are left out are 1.
  std::optional<std::array<uint64_t, 3>>
  extents(llvm::StringRef directive) const;
};

/// `.file 1 "path"`
struct FileEntry {
  uint32_t number;
  llvm::StringRef path;
  llvm::StringRef rest; ///< timestamp and size, as written
};

/// `.section .debug_info { ... }`, kept as it is.
struct Section {
  llvm::StringRef name;
  llvm::StringRef body; ///< between the braces
};

/// What stands at module level, in the order of the text.
struct ModuleItem {
  enum class Kind : uint8_t {
    Variables,
    Function,
    File,
    Section,
    Pragma,
    Alias
  };
  Kind kind;
  union {
    const Declaration *declaration;
    const Function *function;
    const FileEntry *file;
    const Section *section;
    const Pragma *pragma;
    const std::array<llvm::StringRef, 2> *alias; ///< .alias name, aliasee;
  };
};

struct Module {
  std::string text;
  std::string fileName;
  unsigned version = 0;   ///< 10 * major + minor: 87 for .version 8.7
  llvm::StringRef target; ///< "sm_100a"
  std::vector<llvm::StringRef> targetOptions; ///< "debug", "texmode_unified"
  unsigned addressSize = 64;

  std::vector<ModuleItem> items;
  /// The same by kind. A function that is declared and defined appears once for
  /// each; findFunction prefers the definition.
  std::vector<const Variable *> globals;
  std::vector<const Function *> functions;
  std::vector<const FileEntry *> files;
  /// The instructions of all functions, in the order of the text.
  std::vector<Instruction *> instructions;

  /// Null if there is none.
  const Function *findFunction(llvm::StringRef name) const;
  const Variable *findGlobal(llvm::StringRef name) const;
  /// The path of a .file number, or "".
  llvm::StringRef findFile(uint32_t number) const;

  llvm::BumpPtrAllocator arena;
  /// Keeps what Instruction::resolved points to.
  std::shared_ptr<void> resolvedInstructions;

  Module() = default;
  Module(const Module &) = delete;
  Module &operator=(const Module &) = delete;
};

} // namespace tirx::ptx

#endif // TIRX_PTX_AST_H
