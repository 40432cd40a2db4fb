//===- Decoder.h - from the AST to instructions -----------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A model of an instruction is a decode function: it turns the operands of one
// PTX instruction into slots and picks the function that executes it. Families
// of instructions add their models to one table, by mnemonic.
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_LIB_SIMULATOR_DECODER_H
#define TIRX_LIB_SIMULATOR_DECODER_H

#include "ControlFlow.h"
#include "Simd.h"
#include "TIRx/PTX/AST.h"
#include "TIRx/Simulator/Program.h"
#include "Types.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"

namespace tirx::sim {

class FunctionDecoder;
class InstDecoder;
class ModuleDecoder;
struct InstructionModel;
using DecodeFn = void (*)(InstDecoder &decoder, Inst &inst);

/// Marks an entry of Kernel::slots whose register is 64 bits wide while the
/// instruction's elements are narrower.
inline constexpr uint32_t kWideSlot = uint32_t(1) << 31;

/// One instruction on its way through the decoder. The first failure sticks;
/// accessors then return harmless values, so that models need no checks.
class InstDecoder {
public:
  InstDecoder(FunctionDecoder &function, const ptx::Instruction &ast);
  /// Finds the model and lets it decode.
  void decode(Inst &inst, Flow &flow);

  // Modifiers, in the order of the text.
  llvm::ArrayRef<llvm::StringRef> modifiers() const { return mods; }
  /// Whether the modifier is there; then the model knows of it.
  bool has(llvm::StringRef modifier);
  bool hasPrefix(llvm::StringRef prefix) const;
  /// The model knows these modifiers, and they change nothing in it.
  void accept(llvm::StringRef modifier);
  void accept(std::initializer_list<llvm::StringRef> modifiers);
  void acceptAll() { known.assign(mods.size(), true); }
  /// The modifiers that are types.
  llvm::ArrayRef<Type> types() const { return typeMods; }
  Type type(unsigned i = 0);

  // Operands.
  unsigned size() const;
  bool exists(unsigned operand) const { return operand < size(); }
  bool isVector(unsigned operand) const;
  bool isAddress(unsigned operand) const;
  bool isPredicate(unsigned operand) const;
  bool isRegister(unsigned operand) const;
  bool isSink(unsigned operand) const;
  /// Bits of the register, 0 when the operand is none.
  unsigned registerBits(unsigned operand) const;
  std::optional<int64_t> immediate(unsigned operand);
  /// An immediate within [low, high], or a failure.
  int64_t immediateIn(unsigned operand, int64_t low, int64_t high);

  /// A register to write. `_` gives a scratch register. The register must have
  /// the type's width.
  Slot dst(unsigned operand, Type type);
  /// A register, immediate, symbol or special register to read.
  Slot src(unsigned operand, Type type);
  /// The same where wider registers are legal: sets the operand's wide bit.
  void dstAny(Inst &inst, unsigned n, unsigned operand, Type type);
  void srcAny(Inst &inst, unsigned n, unsigned operand, Type type);
  Slot dstPredicate(unsigned operand);
  /// A predicate to read, `!p` included.
  Slot srcPredicate(unsigned operand);
  /// `d|p`: the two halves. The second is kNoSlot when the operand is no pair.
  Slot pairFirst(unsigned operand, Type type);
  Slot pairFirstPredicate(unsigned operand);
  Slot pairSecond(unsigned operand);
  /// Parts of registers, such as the `.h10` of `%r1.h10`, are this model's
  /// business; then `parts` says what an operand has.
  void acceptParts() { partsAccepted = true; }
  llvm::StringRef parts(unsigned operand) const;
  /// The elements of a vector, or the scalar as a vector of one. Widths may
  /// differ when `anyWidth`.
  void vector(Inst &inst, unsigned operand, Type type, bool isDst,
              bool anyWidth = false);
  /// `count` operands from `first` on, read as elements of a vector.
  void sources(Inst &inst, unsigned first, unsigned count, Type type);
  unsigned vectorSize(unsigned operand) const;
  /// Whether no element of the instruction's vector is marked kWideSlot.
  bool allNarrow(const Inst &inst) const;
  /// `[base + offset]`: slot of the base in op[n], offset in imm.
  void address(Inst &inst, unsigned n, unsigned operand);
  /// `[map + offset, {coordinates}]`: slot of the map's address in op[n]; the
  /// vector is the offset itself, then the slots of the coordinates.
  void tensorAddress(Inst &inst, unsigned n, unsigned operand);
  bool isTensorAddress(unsigned operand) const;
  /// A number that is the instruction's whole vector.
  void keepConstant(Inst &inst, int32_t value);
  /// One element of a vector operand, to read.
  Slot element(unsigned operand, unsigned index, Type type);
  /// The next instruction that is emitted branches to this label.
  void label(Inst &inst, unsigned operand);
  void useLabel(const ptx::Label &label);
  /// The labels of a .branchtargets list.
  llvm::ArrayRef<const ptx::Label *> branchTargets(unsigned operand);
  llvm::StringRef name(unsigned operand) const;

  // Calls.
  bool inKernel() const;
  /// What calls of a function execute, now part of the kernel as number
  /// `index`; null: a failure.
  const ptx::Function *reach(const ptx::Function &callee, uint32_t &index);
  void reachInitialisers();
  /// The same for the function of a models file.
  void reachModel(ModuleDecoder &models, const ptx::Function &body,
                  uint32_t &index);
  /// A register, constant or address that a registered instruction reads, and a
  /// register that it writes.
  Slot modelSource(const ptx::Operand &operand, Type type);
  Slot modelResult(const ptx::Operand &operand, Type type);
  /// An argument or the place for a result, to match the callee's parameter.
  CallValue callValue(const ptx::Operand &operand, const ptx::Variable &formal,
                      bool isResult);
  /// The address in a register, as op[n].
  void address(Inst &inst, unsigned n, const ptx::Operand &operand);
  uint32_t addCallSite(CallSite site);

  Slot scratch(Type type);
  Slot constant(uint64_t value, Type type);
  Slot carryFlag();
  /// Puts an instruction before this one (under the same guard).
  void emitBefore(Inst inst, Flow flow = Flow::Falls);
  /// The kernel has instructions that read through the asynchronous proxy.
  void usesAsyncProxy();
  /// The kernel may run the work of clusters that have not started.
  void takesOverClusters();
  bool isGuarded() const { return guard != kNoSlot; }
  /// Lanes whose guard is false go on behind the next `count` instructions.
  void emitSkip(unsigned count);
  void setFlow(Flow value) { flow = value; }

  void fail(const llvm::Twine &message);
  bool failed() const { return !message.empty(); }
  /// 90 for sm_90a.
  unsigned targetNumber() const;
  const std::string &error() const { return message; }
  const ptx::Instruction &ast() const { return instruction; }

private:
  using Kind = ptx::Operand::Kind;
  const ptx::Operand &operand(unsigned n) const;
  Slot registerSlot(const ptx::Operand &operand, Type type, bool anyWidth,
                    bool &wide);
  Slot source(const ptx::Operand &operand, Type type, bool anyWidth,
              bool &wide);
  Slot specialSource(const ptx::Operand &operand, Type type, bool anyWidth,
                     bool &wide);
  Slot predicate(const ptx::Operand &operand, bool isDst);

  FunctionDecoder &function;
  const ptx::Instruction &instruction;
  Slot guard = kNoSlot;
  Flow flow = Flow::Falls;
  DecodeFn model = nullptr;
  /// Of a registered instruction.
  const InstructionModel *registered = nullptr;
  llvm::SmallVector<llvm::StringRef, 8> mods;
  llvm::SmallVector<bool, 8> known;
  llvm::SmallVector<Type, 4> typeMods;
  llvm::SmallVector<const ptx::Label *, 8> targetList;
  bool partsAccepted = false;
  std::string message;
};

using ModelTable = llvm::StringMap<DecodeFn>;

/// Families that are compiled for each instruction set of the host.
#define TIRX_DECLARE_SIMD_FAMILIES                                             \
  void addIntegerModels(ModelTable &table);                                    \
  void addPackedIntegerModels(ModelTable &table);                              \
  void addLogicModels(ModelTable &table);                                      \
  void addFloatModels(ModelTable &table);                                      \
  void addApproximateModels(ModelTable &table);                                \
  void addCompareModels(ModelTable &table);                                    \
  void addVideoModels(ModelTable &table);                                      \
  void addConversionModels(ModelTable &table);

inline namespace TIRX_SIMD_NAMESPACE {
TIRX_DECLARE_SIMD_FAMILIES

/// `add`, `sub`, ... have integer and floating-point forms: decodes the latter;
/// false when the instruction has an integer type.
bool decodeFloatArithmetic(InstDecoder &decoder, Inst &inst,
                           llvm::StringRef name);

/// The forms of `div`, `rcp` and `sqrt` that the unit for special
/// functions computes; false when the instruction is none of them.
bool decodeApproximate(InstDecoder &decoder, Inst &inst, llvm::StringRef name);

/// `add`, `min` and `max` of two 16-bit integers, and integers with .relu;
/// false when the instruction is none of them.
bool decodePackedInteger(InstDecoder &decoder, Inst &inst,
                         llvm::StringRef name);

/// cvt whose result or source has several values in a register; false when it
/// is another one.
bool decodeNarrowConversion(InstDecoder &decoder, Inst &inst);
} // namespace TIRX_SIMD_NAMESPACE

void addMoveModels(ModelTable &table);
void addMemoryModels(ModelTable &table);
void addAtomicModels(ModelTable &table);
void addControlModels(ModelTable &table);
void addCallModels(ModelTable &table);
void addStackModels(ModelTable &table);
void addWarpModels(ModelTable &table);
void addSyncModels(ModelTable &table);
void addMBarrierModels(ModelTable &table);
void addCopyAsyncModels(ModelTable &table);
void addMatrixModels(ModelTable &table);
void addMmaModels(ModelTable &table);
void addWmmaModels(ModelTable &table);
void addBulkCopyModels(ModelTable &table);
void addTensorCopyModels(ModelTable &table);
void addTensorModels(ModelTable &table);
void addTensorMemoryModels(ModelTable &table);
void addWgmmaModels(ModelTable &table);
void addGridDependencyModels(ModelTable &table);
void addClusterLaunchModels(ModelTable &table);
void addRegisterPoolModels(ModelTable &table);

/// A function's code begins at `begin` and ends the kernel's. Its instructions
/// that touch registers which wgmma uses become guarded; `touched`: the
/// registers that each instruction names, by program counter.
void guardAsyncRegisters(Kernel &kernel, uint32_t begin,
                         llvm::ArrayRef<std::pair<uint32_t, Slot>> touched);
bool isWgmma(const Inst &inst);

/// The end of a thread, and of a call of a device function.
Step endThread(Warp &warp, const Inst &inst, uint32_t mask);
Step endCall(Warp &warp, const Inst &inst, uint32_t mask);
/// A call of one function; imm: its call site.
Step callDirect(Warp &warp, const Inst &inst, uint32_t mask);

/// Whether an instruction lets a cluster see what another one does meanwhile.
bool letsClustersInteract(llvm::StringRef opcode);

/// All models by mnemonic.
const ModelTable &getModels();

} // namespace tirx::sim

#endif // TIRX_LIB_SIMULATOR_DECODER_H
