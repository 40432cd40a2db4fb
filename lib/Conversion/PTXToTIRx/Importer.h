//===- Importer.h - the state of the PTX importer ---------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One ModuleImporter for a file, one FunctionImporter for a function. A
// register is a stack slot while its function is read: mem2reg makes values of
// the slots when the blocks are known. Every function that imports returns
// failure after it has reported.
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_LIB_CONVERSION_PTXTOTIRX_IMPORTER_H
#define TIRX_LIB_CONVERSION_PTXTOTIRX_IMPORTER_H

#include "TIRx/Dialect/TIRx/IR/TIRxOps.h"
#include "TIRx/PTX/AST.h"
#include "TIRx/PTX/Table.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace tirx {

using mlir::LogicalResult;
using mlir::Type;
using mlir::Value;

/// How a parameter or a result of a function is passed.
struct ParameterType {
  Type type; ///< of the argument; null: cannot be imported
  /// The bytes that the argument points to: an array, or a scalar whose address
  /// is taken.
  bool isMemory = false;
};

class ModuleImporter {
public:
  ModuleImporter(mlir::MLIRContext &context, const ptx::Module &source,
                 ptx::Diagnostics &diagnostics)
      : context(context), source(source), diagnostics(diagnostics) {}

  mlir::OwningOpRef<mlir::ModuleOp> run();

  LogicalResult error(ptx::SourceLoc loc, const llvm::Twine &message) {
    diagnostics.error(source.text, loc, message);
    return mlir::failure();
  }
  /// Says that `what` is left out: nothing is without a word.
  void dropped(ptx::SourceLoc loc, const llvm::Twine &what) {
    diagnostics.warning(source.text, loc, "left out: " + what);
  }
  mlir::Location locOf(ptx::SourceLoc loc) const;
  mlir::Location locOf(const ptx::Instruction &instruction) const;

  /// The type of a register, of an element in memory, or of a scalar parameter;
  /// null for the opaque types.
  Type typeOf(ptx::ScalarType type) const;
  ParameterType parameterType(const ptx::Variable &variable) const;
  /// A function returns an array by value.
  Type resultType(const ptx::Variable &variable) const;
  /// The signature of a call; null after a report.
  mlir::LLVM::LLVMFunctionType
  functionType(llvm::ArrayRef<const ptx::Variable *> returns,
               llvm::ArrayRef<const ptx::Variable *> params);
  LogicalResult importGlobal(const ptx::Variable &variable);
  llvm::StringRef symbolOf(const ptx::Variable &variable) const {
    return symbols.lookup(&variable);
  }
  /// LLVM's number of a state space that variables are in.
  static unsigned addressSpace(ptx::StateSpace space);

  mlir::MLIRContext &context;
  const ptx::Module &source;
  ptx::Diagnostics &diagnostics;
  /// Parameters whose address is in a register somewhere.
  llvm::DenseSet<const ptx::Variable *> addressTaken;

private:
  void findTakenAddresses();
  LogicalResult importItem(const ptx::ModuleItem &item);
  LogicalResult initialize(mlir::LLVM::GlobalOp global,
                           const ptx::Variable &variable);
  LogicalResult initializeWithAddresses(mlir::LLVM::GlobalOp global,
                                        const ptx::Variable &variable);

  mlir::OpBuilder builder{&context};
  mlir::gpu::GPUModuleOp module;
  /// The names of globals; those of functions are made unique.
  llvm::DenseMap<const ptx::Variable *, llvm::StringRef> symbols;
  llvm::BumpPtrAllocator names;
};

class FunctionImporter {
public:
  FunctionImporter(ModuleImporter &parent, mlir::gpu::GPUModuleOp module,
                   const ptx::Function &function)
      : parent(parent), module(module), function(function),
        builder(&parent.context) {}

  LogicalResult run();

private:
  using Loc = ptx::SourceLoc;
  LogicalResult error(Loc at, const llvm::Twine &message) {
    return parent.error(at, message);
  }

  // --- Functions and control flow (ImportFunction.cpp) ---
  LogicalResult createFunction();
  LogicalResult setAttributes(mlir::Operation *op);
  LogicalResult setFunctionAttributes(mlir::LLVM::LLVMFuncOp op);
  void createBlocks(llvm::ArrayRef<const ptx::Statement *> body);
  LogicalResult importArguments();
  LogicalResult importBody(llvm::ArrayRef<const ptx::Statement *> body);
  LogicalResult importDeclaration(const ptx::Declaration &declaration);
  LogicalResult importInstruction(const ptx::Instruction &instruction);
  LogicalResult importBranch(const ptx::Instruction &instruction);
  LogicalResult importIndexedBranch(const ptx::Instruction &instruction);
  LogicalResult importReturn(const ptx::Instruction &instruction);
  LogicalResult importCall(const ptx::Instruction &instruction);
  LogicalResult importCallOnly(const ptx::Instruction &instruction);
  void emitReturn();
  /// Leaves the current block for `target`.
  void branchTo(mlir::Block *target);
  void startBlock(mlir::Block *block);
  mlir::Block *addBlock();
  /// Runs `body` where the guard holds; the rest follows in a block of its own.
  LogicalResult underGuard(const ptx::Instruction &instruction,
                           llvm::function_ref<LogicalResult()> body);

  // --- Instructions (ImportInstruction.cpp) ---
  LogicalResult importPlain(const ptx::Instruction &instruction);
  LogicalResult importMove(const ptx::Instruction &instruction);
  LogicalResult importParamAccess(const ptx::Instruction &instruction);
  bool isMoveOfValue(const ptx::Instruction &instruction) const;
  struct Destination {
    const ptx::Operand *operand;
    Type type; ///< of the result
  };
  LogicalResult collectDestinations(const ptx::Operand &operand,
                                    const ptx::OperandSpec &spec, Type lone,
                                    llvm::SmallVectorImpl<Destination> &result);
  Type destinationType(const ptx::Operand &operand,
                       const ptx::OperandSpec &spec, Type lone) const;
  LogicalResult writeResults(const ptx::Instruction &instruction,
                             llvm::ArrayRef<Destination> destinations,
                             mlir::ValueRange results, Value guard);

  // --- Operands (ImportOperand.cpp) ---
  /// Appends the values that stand for a source.
  LogicalResult readOperand(const ptx::Operand &operand,
                            const ptx::OperandSpec &spec, Type lone,
                            llvm::SmallVectorImpl<Value> &values);
  /// One register, constant, special register or address, as `token` says.
  mlir::FailureOr<Value> readScalar(const ptx::Operand &operand,
                                    ptx::Token token, Type fallback);
  mlir::FailureOr<Value> readAddress(const ptx::Operand &operand);
  mlir::FailureOr<Value> readSpecial(const ptx::Operand &operand);
  mlir::FailureOr<Value> addressOf(const ptx::Operand &operand);
  Value readRegister(const ptx::Operand &operand);
  /// The slot of a register; made when first asked for.
  Value slotOf(const ptx::Operand &operand);
  Value slotOf(const ptx::Variable *variable, uint64_t index, Type type);
  Value constantOf(const ptx::Operand &operand, Type type);
  Value integer(Type type, uint64_t bits);
  Value readGuard(const ptx::Instruction &instruction);
  /// Writes `value`, made as wide as the register, unless the guard is false.
  void writeRegister(const ptx::Operand &operand, Value value, bool isSigned,
                     Value guard);
  /// Same bits in another type, wider or narrower if need be.
  Value convert(Value value, Type type, bool isSigned = false);
  Value addOffset(Value value, int64_t offset);

  // --- Parameters (ImportParameter.cpp) ---
  LogicalResult createStorage(const ptx::Variable &variable, Value initial);
  mlir::FailureOr<Value> loadParameter(const ptx::Operand &address,
                                       uint64_t extra, Type type);
  LogicalResult storeParameter(const ptx::Operand &address, uint64_t extra,
                               Value value, Value guard);
  mlir::FailureOr<Value> wholeParameter(const ptx::Variable &variable,
                                        Type type, Loc at);
  Value pointerInto(const ptx::Operand &address, uint64_t extra);

  ModuleImporter &parent;
  mlir::gpu::GPUModuleOp module;
  const ptx::Function &function;
  mlir::OpBuilder builder;
  mlir::Location loc = builder.getUnknownLoc();
  mlir::Operation *op = nullptr; ///< the gpu.func or llvm.func
  mlir::Region *region = nullptr;
  llvm::DenseMap<std::pair<const ptx::Variable *, uint64_t>, Value> slots;
  /// .param and .local variables in memory.
  llvm::DenseMap<const ptx::Variable *, Value> memory;
  llvm::DenseMap<const ptx::Label *, mlir::Block *> blocks;
};

} // namespace tirx

#endif // TIRX_LIB_CONVERSION_PTXTOTIRX_IMPORTER_H
