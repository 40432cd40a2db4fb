//===- Program.h - a decoded module -----------------------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the interpreter executes. Every entry of a PTX module becomes a flat
// array of instructions whose operands are places in the warp's register file:
// immediates and symbol addresses are registers that never change, so that no
// instruction distinguishes kinds of source operands.
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_SIMULATOR_PROGRAM_H
#define TIRX_SIMULATOR_PROGRAM_H

#include "TIRx/Simulator/Memory.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <array>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tirx::ptx {
struct Module;
} // namespace tirx::ptx

namespace tirx::sim {

class Warp;
struct Inst;

/// What the interpreter does after an instruction.
enum class Step : uint8_t {
  Next,   ///< go on with the next instruction
  Again,  ///< the set of lanes changed: execute the same instruction again
  Branch, ///< the lanes of Warp::taken continue at Inst::target
  Block,  ///< the fragment waits; its state says for what
  Yield,  ///< go on, but let others run first
  Moved,  ///< the fragment's program counter and frame have been set
  Exit,   ///< the lanes of Warp::taken have ended
  Fault,  ///< an error has been reported: the launch ends
};

using ExecFn = Step (*)(Warp &warp, const Inst &inst, uint32_t mask);

/// A place in a warp's register file: a byte offset. A predicate takes 4 bytes
/// (one bit a lane), registers up to 32 bits take 32 words, 64-bit registers 32
/// double words, 128-bit ones 64.
using Slot = uint32_t;
inline constexpr Slot kNoSlot = ~0u;
inline constexpr uint32_t kNoPc = ~0u;

struct Inst {
  ExecFn fn = nullptr;
  /// Operands in the order of the text, destinations first.
  Slot op[7] = {kNoSlot, kNoSlot, kNoSlot, kNoSlot, kNoSlot, kNoSlot, kNoSlot};
  /// Guard predicate.
  Slot guard = kNoSlot;
  bool guardNegated = false;
  /// Must be executed by all lanes of the guard at one time: when the guard
  /// holds for some lanes only, the fragment splits.
  bool splitsOnGuard = false;
  /// `.aligned`: waits until all lanes of the warp that live are here.
  bool needsWarp = false;
  /// Lanes may go on elsewhere, at `target`.
  bool isBranch = false;
  /// Bit i: operand i is 64 bits wide where the type is narrower.
  uint8_t wide = 0;
  /// Space, sizes and modifiers, as the instruction's family defines them.
  uint8_t space = 0;
  uint8_t size = 0;
  uint8_t a = 0, b = 0, c = 0, d = 0;
  /// A vector operand: `vectorCount` entries of Program::slots.
  uint32_t vector = 0;
  uint32_t vectorCount = 0;
  /// Constant part of an address operand and others.
  int64_t imm = 0, imm2 = 0;
  /// Branch target and where diverged lanes meet again.
  uint32_t target = kNoPc;
  uint32_t join = kNoPc;
};

/// Source information of an instruction, apart from what execution touches.
struct InstInfo {
  uint32_t ptxLine = 0;
  uint32_t file = 0; ///< index into Module::files, 0 is none
  uint32_t line = 0;
  uint32_t opcode = 0;   ///< index into Kernel::opcodes
  bool inModels = false; ///< of Module::models, not of the module itself
  /// The first of those that one instruction of the text becomes. Not set for
  /// what the text has no instruction for.
  bool isFirst = false;
};

/// What an instruction was in the text.
struct OpcodeInfo {
  std::string text; ///< "ld.global.v4.u32"
  /// Its class in the table ("memory"); "registered" for those of a models
  /// file, "runtime" for what the simulator itself provides.
  llvm::StringRef family = "runtime";
};

/// A register of the text.
struct NamedRegister {
  std::string name; ///< "%r12"
  Slot slot;
  uint8_t bits;         ///< 1 for a predicate
  llvm::StringRef type; ///< as declared or as written: "b32", "f32", "pred"
};

/// An instruction writes a register. With several entries of Kernel::code for
/// one instruction of the text, the last of them counts.
struct RegisterWrite {
  uint32_t pc;
  NamedRegister target;
};

/// Special registers that are constant for a lane.
enum class SpecialRegister : uint8_t {
  TidX,
  TidY,
  TidZ,
  NtidX,
  NtidY,
  NtidZ,
  CtaidX,
  CtaidY,
  CtaidZ,
  NctaidX,
  NctaidY,
  NctaidZ,
  LaneId,
  WarpId,
  NwarpId,
  SmId,
  NsmId,
  GridId,
  ClusteridX,
  ClusteridY,
  ClusteridZ,
  NclusteridX,
  NclusteridY,
  NclusteridZ,
  ClusterCtaidX,
  ClusterCtaidY,
  ClusterCtaidZ,
  ClusterNctaidX,
  ClusterNctaidY,
  ClusterNctaidZ,
  ClusterCtarank,
  ClusterNctarank,
  IsExplicitCluster,
  LanemaskEq,
  LanemaskLe,
  LanemaskLt,
  LanemaskGe,
  LanemaskGt,
  DynamicSmemSize,
  TotalSmemSize,
  AggrSmemSize,
  ReservedSmemSize,
  WorkspaceHigh,
  WorkspaceLow,
  RuntimeSmemOffset, ///< where the runtime keeps data in shared memory
  Zero,
};

/// Registers with a fixed content.
struct ConstantSlot {
  Slot slot;
  uint8_t bytes; ///< 4, 8, or 1 for a predicate
  uint64_t value;
  /// A shared address: the CTA's rank is added from bit kSharedRankShift.
  bool shared;
  /// A generic shared address: the window is added as well.
  bool generic;
  /// A local address: the frame's place on the lane's stack is added.
  bool local = false;
};

struct SpecialSlot {
  Slot slot;
  uint8_t bytes;
  SpecialRegister which;
};

struct SharedVariable {
  std::string name;
  uint32_t address;
  uint64_t size; ///< 0 for dynamic shared memory
};

struct KernelParameter {
  std::string name;
  uint64_t offset, size, align;
};

/// Addresses of functions: kFunctionSpan apart in modules one after the other,
/// 16 bytes apart in one. No memory lies there.
inline constexpr uint64_t kFunctionBase = 0x580000000000;
inline constexpr uint64_t kFunctionSpan = uint64_t(1) << 32;

/// Where a function's code finds a value that crosses a call: a register, or
/// bytes of the frame's local memory.
struct CallValue {
  bool isRegister = false;
  Slot slot = kNoSlot;
  uint8_t bits = 0; ///< of the register
  uint32_t offset = 0;
  uint32_t bytes = 0; ///< in memory, or as wide as the register
};

/// The body of a kernel or a device function: where it begins in Kernel::code,
/// and what each activation of it needs.
struct Function {
  std::string name;
  uint32_t index = 0;
  uint32_t entry = 0;
  uint64_t address = 0;
  bool isKernel = false;
  std::vector<ConstantSlot> constants;
  std::vector<SpecialSlot> specials;
  /// Of device functions.
  std::vector<CallValue> parameters, returns;
  /// Registers by width, 1 for a 64-byte block of predicates.
  std::vector<std::pair<Slot, uint8_t>> registers;
  /// Of the text, when names are kept, in the order of their first use.
  std::vector<NamedRegister> names;
  uint32_t registerBytes = 0;
  uint32_t localBytes = 0;
  uint32_t localAlign = 16;
};

/// What a call instruction passes and takes.
struct CallSite {
  /// Index into Kernel::functions; kIndirect: an address in a register.
  uint32_t callee = kIndirect;
  std::vector<CallValue> arguments, results;
  /// The callee promised not to return.
  bool noReturn = false;
  /// The one value that the callee returns holds all results, each at its
  /// offset.
  bool isStruct = false;
  static constexpr uint32_t kIndirect = ~0u;
};

/// An instruction that touches registers which an asynchronous one uses.
struct GuardedInst {
  ExecFn fn = nullptr; ///< what it does once it may
  llvm::SmallVector<Slot, 4> slots;
};

/// One entry function, and the functions that it may call.
struct Kernel {
  std::string name;
  /// Why it cannot run: instructions without a model, one a line. Other kernels
  /// of the module are not held back by it.
  std::string errors;
  std::vector<Inst> code;
  std::vector<InstInfo> info;
  std::vector<OpcodeInfo> opcodes;
  /// By pc, when names are kept.
  std::vector<RegisterWrite> writes;
  std::vector<Slot> slots;
  /// The first is the kernel itself.
  std::deque<Function> functions;
  std::vector<CallSite> callSites;
  /// By program counter.
  llvm::DenseMap<uint32_t, GuardedInst> guarded;
  /// By address, the functions that indirect calls may reach.
  llvm::DenseMap<uint64_t, uint32_t> functionAt;
  std::vector<KernelParameter> parameters;
  std::vector<SharedVariable> sharedVariables;
  uint64_t parameterBytes = 0;
  /// Where static shared memory ends and dynamic shared memory begins.
  uint32_t staticSharedEnd = kSharedBase;
  uint32_t dynamicSharedBase = kSharedBase;
  bool usesDynamicShared = false;
  /// The result may depend on the order in which clusters execute.
  bool clustersInteract = false;
  /// Has instructions that take over clusters that have not started.
  bool takesOverClusters = false;
  /// Has instructions that read memory through the asynchronous proxy.
  bool usesAsyncProxy = false;
  /// From .reqntid, .maxntid and .reqnctapercluster.
  std::optional<std::array<unsigned, 3>> requiredBlock, maximumBlock;
  std::optional<std::array<unsigned, 3>> requiredCluster;
  /// From .maxnreg and .minnctapersm.
  std::optional<unsigned> maximumRegisters, minimumCtas;
};

/// A variable in global or constant memory and its initial bytes.
struct GlobalVariable {
  std::string name;
  uint64_t size, align;
  std::vector<uint8_t> data; ///< empty: zero
  bool constant;
  uint64_t address = 0;
};

struct ModuleText {
  std::string text, fileName;
};

class ModelLibrary;

class Module {
public:
  Module(ModuleText source, unsigned number);
  /// Parses and decodes PTX. Fails with everything that is wrong in the text
  /// ("file:line: ...", one a line); instructions that have no model are the
  /// business of findKernel. Modules that share a simulator need different
  /// numbers: each has its own addresses of global variables.
  ///
  /// `models` explains instructions that the table does not know by functions
  /// (docs/simulator.md). `keepNames` keeps the names of registers, for traces
  /// and debuggers.
  static llvm::Expected<std::unique_ptr<Module>>
  load(llvm::StringRef text, llvm::StringRef fileName, unsigned number = 0,
       const ModuleText *models = nullptr, bool keepNames = false);

  /// The kernel called `name`, or the only one when `name` is empty. Fails when
  /// there is none, or when it has an instruction without a model.
  llvm::Expected<const Kernel *> findKernel(llvm::StringRef name) const;

  /// The trimmed text of a 1-based line.
  llvm::StringRef lineText(unsigned line) const;
  llvm::StringRef getText() const { return text; }

  std::string fileName;
  std::string target;
  std::vector<std::string> files;
  std::vector<std::unique_ptr<Kernel>> kernels;
  std::vector<GlobalVariable> globals;
  unsigned number;
  bool keepsNames = false;
  /// The functions of registered instructions, or null.
  std::unique_ptr<Module> models;

private:
  friend class ModelLibrary;
  llvm::Expected<std::unique_ptr<ptx::Module>>
  parse(const ModelLibrary *library) const;

  std::string text;
  std::vector<size_t> lineStarts;
};

} // namespace tirx::sim

#endif // TIRX_SIMULATOR_PROGRAM_H
