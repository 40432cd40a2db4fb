//===- ImportFunction.cpp - functions, branches and calls -----------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Importer.h"
#include "TIRx/Dialect/TIRx/IR/TIRxDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using tirx::ptx::Opcode;
using tirx::ptx::Statement;
using tirx::ptx::StateSpace;
using tirx::ptx::Variable;
using Kind = tirx::ptx::Operand::Kind;

namespace tirx {

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

Block *FunctionImporter::addBlock() {
  auto *block = new Block;
  region->push_back(block);
  return block;
}

void FunctionImporter::startBlock(Block *block) {
  builder.setInsertionPointToEnd(block);
}

void FunctionImporter::branchTo(Block *target) {
  cf::BranchOp::create(builder, loc, target);
}

/// A block for each label; those of nested blocks too, which are only scopes.
void FunctionImporter::createBlocks(ArrayRef<const Statement *> body) {
  for (const Statement *statement : body) {
    if (auto *nested = dyn_cast<ptx::Block>(statement))
      createBlocks(nested->body);
    else if (auto *label = dyn_cast<ptx::Label>(statement))
      if (label->role == ptx::Label::Role::Code)
        blocks[label] = addBlock();
  }
}

LogicalResult
FunctionImporter::underGuard(const ptx::Instruction &instruction,
                             llvm::function_ref<LogicalResult()> body) {
  if (!instruction.guard)
    return body();
  Block *taken = addBlock(), *after = addBlock();
  cf::CondBranchOp::create(builder, loc, readGuard(instruction), taken, after);
  startBlock(taken);
  if (failed(body()))
    return failure();
  branchTo(after);
  startBlock(after);
  return success();
}

//===----------------------------------------------------------------------===//
// Signatures
//===----------------------------------------------------------------------===//

/// Attributes of nvvm for the directives that have one.
LogicalResult FunctionImporter::setAttributes(Operation *op) {
  Builder attributes(op->getContext());
  auto extents = [&](const ptx::FunctionDirective &directive) {
    auto values = *function.extents(directive.name);
    return attributes.getDenseI32ArrayAttr(
        {int32_t(values[0]), int32_t(values[1]), int32_t(values[2])});
  };
  auto number = [&](const ptx::FunctionDirective &directive) {
    return attributes.getI32IntegerAttr(directive.values[0]);
  };
  for (const ptx::FunctionDirective &directive : function.directives) {
    for (uint64_t value : directive.values)
      if (value > INT32_MAX)
        return error(directive.loc, "expected a number of at most 2^31 - 1, "
                                    "got " +
                                        Twine(value));
    StringRef name = directive.name;
    // Not known_block_size: what other compilers make of thread ids to guard
    // the work of one warp is more than our checks of scopes see through.
    if (name == "reqntid")
      op->setAttr(NVVM::NVVMDialect::getReqntidAttrName(), extents(directive));
    else if (name == "reqnctapercluster")
      op->setAttr(NVVM::NVVMDialect::getClusterDimAttrName(),
                  extents(directive));
    else if (name == "maxntid")
      op->setAttr(NVVM::NVVMDialect::getMaxntidAttrName(), extents(directive));
    else if (name == "minnctapersm")
      op->setAttr(NVVM::NVVMDialect::getMinctasmAttrName(), number(directive));
    else if (name == "maxnreg")
      op->setAttr(NVVM::NVVMDialect::getMaxnregAttrName(), number(directive));
    else if (name == "maxclusterrank")
      op->setAttr(NVVM::NVVMDialect::getClusterMaxBlocksAttrName(),
                  number(directive));
    else if (name == "blocksareclusters")
      op->setAttr(NVVM::NVVMDialect::getBlocksAreClustersAttrName(),
                  attributes.getUnitAttr());
    else if (name == "pragma")
      parent.dropped(directive.loc, ".pragma \"" + directive.text + "\"");
    else if (name != "explicitcluster")
      return error(directive.loc, "cannot import ." + name + " yet");
    // With its extents, it is in nvvm.cluster_dim.
    else if (!function.findDirective("reqnctapercluster"))
      parent.dropped(directive.loc, ".explicitcluster");
  }
  return success();
}

LogicalResult
FunctionImporter::setFunctionAttributes(LLVM::LLVMFuncOp created) {
  SmallVector<StringRef> attributes;
  // Another module, or the driver, has the definition.
  if (!function.isDefinition)
    attributes.push_back("tirx-defined-elsewhere");
  for (const ptx::FunctionDirective &directive : function.directives) {
    if (directive.name == "noreturn")
      attributes.push_back("noreturn");
    else if (directive.name == "pragma")
      parent.dropped(directive.loc, ".pragma \"" + directive.text + "\"");
    else
      return error(directive.loc, "cannot import ." + directive.name + " yet");
  }
  if (!attributes.empty())
    created.setPassthroughAttr(builder.getStrArrayAttr(attributes));
  return success();
}

static LLVM::Linkage linkageOf(const ptx::Function &function) {
  switch (function.linkage) {
  case ptx::Linkage::Internal:
    // Another file cannot name it, and a declaration is of this file.
    return function.isDefinition ? LLVM::Linkage::Internal
                                 : LLVM::Linkage::External;
  case ptx::Linkage::Weak:
    return LLVM::Linkage::Weak;
  default:
    return LLVM::Linkage::External;
  }
}

LogicalResult FunctionImporter::createFunction() {
  LLVM::LLVMFunctionType type =
      parent.functionType(function.returns, function.params);
  if (!type)
    return failure();
  loc = parent.locOf(function.loc);
  builder.setInsertionPointToEnd(module.getBody());
  if (function.isEntry) {
    auto kernel =
        gpu::GPUFuncOp::create(builder, loc, function.name,
                               builder.getFunctionType(type.getParams(), {}));
    kernel->setAttr(gpu::GPUDialect::getKernelFuncAttrName(),
                    builder.getUnitAttr());
    // Its fences are all that it needs.
    kernel->setAttr(TIRxDialect::kExplicitSyncAttr, builder.getUnitAttr());
    op = kernel;
    if (function.linkage == ptx::Linkage::Weak)
      parent.dropped(function.loc, ".weak of an entry, which becomes visible");
    if (failed(setAttributes(op)))
      return failure();
  } else {
    auto created = LLVM::LLVMFuncOp::create(builder, loc, function.name, type,
                                            linkageOf(function));
    op = created;
    if (failed(setFunctionAttributes(created)))
      return failure();
  }
  auto interface = cast<FunctionOpInterface>(op);
  for (auto [i, param] : llvm::enumerate(function.params)) {
    if (param->isHidden)
      parent.dropped(param->loc, ".hidden of parameters");
    if (param->isPointer)
      parent.dropped(param->loc, ".ptr of parameters");
    if (!parent.parameterType(*param).isMemory)
      continue;
    auto bytes =
        LLVM::LLVMArrayType::get(builder.getI8Type(), param->sizeInBytes());
    interface.setArgAttr(i, LLVM::LLVMDialect::getByValAttrName(),
                         TypeAttr::get(bytes));
    interface.setArgAttr(i, LLVM::LLVMDialect::getAlignAttrName(),
                         builder.getI64IntegerAttr(param->alignment()));
    if (function.isEntry) // parameters of kernels are read only
      interface.setArgAttr(i, LLVM::LLVMDialect::getReadonlyAttrName(),
                           builder.getUnitAttr());
  }
  region = &op->getRegion(0);
  return success();
}

LogicalResult FunctionImporter::importArguments() {
  Block &entry = region->front();
  for (auto [i, param] : llvm::enumerate(function.params)) {
    Value argument = entry.getArgument(i);
    if (parent.parameterType(*param).isMemory)
      memory[param] = argument;
    else if (failed(createStorage(*param, argument)))
      return failure();
  }
  for (const Variable *result : function.returns)
    if (failed(createStorage(*result, Value())))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// Bodies
//===----------------------------------------------------------------------===//

LogicalResult
FunctionImporter::importDeclaration(const ptx::Declaration &declaration) {
  for (const Variable *variable : declaration.variables) {
    switch (variable->space) {
    case StateSpace::Reg:
      if (!parent.typeOf(variable->type))
        return error(variable->loc, "cannot import a register of type ." +
                                        ptx::spelling(variable->type));
      break;
    case StateSpace::Param:
    case StateSpace::Local:
      if (failed(createStorage(*variable, Value())))
        return failure();
      break;
    default: {
      OpBuilder::InsertionGuard guard(builder);
      if (failed(parent.importGlobal(*variable)))
        return failure();
    }
    }
  }
  return success();
}

LogicalResult
FunctionImporter::importBody(ArrayRef<const Statement *> statements) {
  LogicalResult result = success();
  for (const Statement *statement : statements) {
    if (auto *nested = dyn_cast<ptx::Block>(statement)) {
      if (failed(importBody(nested->body)))
        result = failure();
    } else if (auto *label = dyn_cast<ptx::Label>(statement)) {
      if (Block *block = blocks.lookup(label)) {
        branchTo(block);
        startBlock(block);
      }
    } else if (auto *pragma = dyn_cast<ptx::Pragma>(statement)) {
      for (StringRef text : pragma->texts)
        parent.dropped(pragma->loc, ".pragma \"" + text + "\"");
    } else if (auto *declaration = dyn_cast<ptx::Declaration>(statement)) {
      if (failed(importDeclaration(*declaration)))
        result = failure();
    } else if (auto *instruction = dyn_cast<ptx::Instruction>(statement)) {
      loc = parent.locOf(*instruction);
      if (failed(importInstruction(*instruction)))
        result = failure();
    }
    if (parent.diagnostics.isFull())
      return failure();
  }
  return result;
}

LogicalResult
FunctionImporter::importInstruction(const ptx::Instruction &instruction) {
  switch (instruction.resolved->opcode()) {
  case Opcode::bra:
    return importBranch(instruction);
  case Opcode::brx_idx:
    return importIndexedBranch(instruction);
  case Opcode::ret:
    return importReturn(instruction);
  case Opcode::exit:
    // Of a kernel, the same as its return.
    if (function.isEntry)
      return importReturn(instruction);
    return underGuard(instruction, [&] {
      PtxOp::create(builder, loc, TypeRange(), instruction.opcode, ValueRange(),
                    Value(), ValueRange());
      LLVM::UnreachableOp::create(builder, loc);
      startBlock(addBlock());
      return success();
    });
  case Opcode::call:
    return importCall(instruction);
  default:
    return importPlain(instruction);
  }
}

LogicalResult
FunctionImporter::importBranch(const ptx::Instruction &instruction) {
  Block *target = blocks.lookup(instruction.operands.back().label);
  if (!instruction.guard) {
    branchTo(target);
    startBlock(addBlock());
    return success();
  }
  Block *next = addBlock();
  cf::CondBranchOp::create(builder, loc, readGuard(instruction), target, next);
  startBlock(next);
  return success();
}

/// An index past the list is undefined: it goes to the last target.
LogicalResult
FunctionImporter::importIndexedBranch(const ptx::Instruction &instruction) {
  auto index = readScalar(instruction.operands[0], ptx::Token::u32,
                          builder.getI32Type());
  if (failed(index))
    return failure();
  return underGuard(instruction, [&] {
    ArrayRef<ptx::Operand> targets = instruction.operands[1].label->targets;
    SmallVector<Block *> cases;
    SmallVector<int32_t> values;
    for (const ptx::Operand &target : targets.drop_back()) {
      values.push_back(cases.size());
      cases.push_back(blocks.lookup(target.label));
    }
    SmallVector<ValueRange> operands(cases.size());
    cf::SwitchOp::create(builder, loc, *index,
                         blocks.lookup(targets.back().label), ValueRange(),
                         ArrayRef<int32_t>(values), cases, operands);
    startBlock(addBlock());
    return success();
  });
}

void FunctionImporter::emitReturn() {
  if (function.isEntry) {
    gpu::ReturnOp::create(builder, loc);
    return;
  }
  SmallVector<Value> results;
  for (const Variable *result : function.returns)
    results.push_back(*wholeParameter(*result, parent.resultType(*result), {}));
  LLVM::ReturnOp::create(builder, loc, results);
}

LogicalResult
FunctionImporter::importReturn(const ptx::Instruction &instruction) {
  return underGuard(instruction, [&] {
    emitReturn();
    startBlock(addBlock());
    return success();
  });
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

LogicalResult
FunctionImporter::importCall(const ptx::Instruction &instruction) {
  return underGuard(instruction, [&] { return importCallOnly(instruction); });
}

/// `call (results), callee, (arguments), prototype`: all but the callee may be
/// left out.
LogicalResult
FunctionImporter::importCallOnly(const ptx::Instruction &instruction) {
  ArrayRef<ptx::Operand> operands = instruction.operands;
  ArrayRef<ptx::Operand> results, arguments;
  if (operands.front().is(Kind::List)) {
    results = operands.front().elements;
    operands = operands.drop_front();
  }
  if (operands.empty())
    return error(instruction.opcodeLoc, "expected a function to call");
  const ptx::Operand &callee = operands.front();
  operands = operands.drop_front();
  if (!operands.empty() && operands.front().is(Kind::List)) {
    arguments = operands.front().elements;
    operands = operands.drop_front();
  }
  ArrayRef<const Variable *> returns, params;
  if (callee.is(Kind::Function)) {
    returns = callee.callee->returns;
    params = callee.callee->params;
  } else {
    if (operands.empty() || !operands.front().is(Kind::Label))
      return error(callee.loc, "expected a prototype of the called function");
    const ptx::Label &list = *operands.front().label;
    bool isList = list.role == ptx::Label::Role::CallTargets;
    if (isList && !list.targets.front().is(Kind::Function))
      return error(callee.loc, "expected a list of functions");
    for (const ptx::FunctionDirective &directive : list.directives)
      parent.dropped(directive.loc, "." + directive.name + " of a prototype");
    returns = isList ? list.targets.front().callee->returns : list.returns;
    params = isList ? list.targets.front().callee->params : list.params;
  }
  if (returns.size() != results.size() || params.size() != arguments.size())
    return error(instruction.opcodeLoc,
                 "expected " + Twine(returns.size()) + " results and " +
                     Twine(params.size()) + " arguments, got " +
                     Twine(results.size()) + " and " + Twine(arguments.size()));
  LLVM::LLVMFunctionType type = parent.functionType(returns, params);
  if (!type)
    return failure();

  SmallVector<Value> values;
  for (auto [argument, param, wanted] :
       llvm::zip_equal(arguments, params, type.getParams())) {
    bool isParam = argument.is(Kind::Symbol) &&
                   argument.variable->space == StateSpace::Param;
    auto value = isParam
                     ? wholeParameter(*argument.variable, wanted, argument.loc)
                     : readScalar(argument, ptx::Token::none, wanted);
    if (failed(value))
      return failure();
    if (isa<LLVM::LLVMPointerType>(wanted) !=
        isa<LLVM::LLVMPointerType>(value->getType()))
      return error(argument.loc, "expected an array for this parameter");
    values.push_back(value->getType() == wanted ? *value
                                                : convert(*value, wanted));
  }
  LLVM::CallOp call;
  if (callee.is(Kind::Function)) {
    call = LLVM::CallOp::create(
        builder, loc, type,
        FlatSymbolRefAttr::get(&parent.context, callee.callee->name), values);
  } else {
    auto pointer = LLVM::LLVMPointerType::get(&parent.context);
    auto address = readScalar(callee, ptx::Token::none, builder.getI64Type());
    if (failed(address))
      return failure();
    values.insert(values.begin(),
                  LLVM::IntToPtrOp::create(builder, loc, pointer, *address));
    call = LLVM::CallOp::create(builder, loc, type, values);
  }
  SmallVector<Attribute> attributes;
  for (const Variable *param : params) {
    NamedAttrList own;
    if (parent.parameterType(*param).isMemory) {
      own.set(LLVM::LLVMDialect::getByValAttrName(),
              TypeAttr::get(LLVM::LLVMArrayType::get(builder.getI8Type(),
                                                     param->sizeInBytes())));
      own.set(LLVM::LLVMDialect::getAlignAttrName(),
              builder.getI64IntegerAttr(param->alignment()));
    }
    attributes.push_back(own.getDictionary(&parent.context));
  }
  call.setArgAttrsAttr(builder.getArrayAttr(attributes));
  if (results.empty())
    return success();
  const ptx::Operand &result = results.front();
  Value value = call.getResult();
  if (result.is(Kind::Register)) {
    writeRegister(result, value, false, Value());
    return success();
  }
  if (!result.is(Kind::Symbol) || result.variable->space != StateSpace::Param)
    return error(result.loc, "expected a register or a variable in .param");
  if (isa<LLVM::LLVMArrayType>(value.getType())) {
    Value pointer = memory.lookup(result.variable);
    if (!pointer)
      return error(result.loc, "expected an array for the result, got '" +
                                   result.name + "'");
    LLVM::StoreOp::create(builder, loc, value, pointer, /*alignment=*/1);
    return success();
  }
  ptx::Operand address;
  address.kind = Kind::Address;
  address.loc = result.loc;
  address.elements = result;
  return storeParameter(address, 0, value, Value());
}

//===----------------------------------------------------------------------===//
// All of it
//===----------------------------------------------------------------------===//

LogicalResult FunctionImporter::run() {
  const ptx::Function *known = parent.source.findFunction(function.name);
  bool isRepeated = !function.isDefinition &&
                    (known->isDefinition || module.lookupSymbol(function.name));
  if (isRepeated || (function.isEntry && !function.isDefinition))
    return success();
  if (!function.attributes.empty())
    return error(function.loc,
                 "cannot import .attribute(" + function.attributes + ") yet");
  if (failed(createFunction()))
    return failure();
  if (!function.isDefinition)
    return success();
  if (region->empty())
    cast<LLVM::LLVMFuncOp>(op).addEntryBlock(builder);
  builder.setInsertionPointToStart(&region->front());
  createBlocks(function.body);
  if (failed(importArguments()) || failed(importBody(function.body)))
    return failure();
  emitReturn(); // a body may end without one
  IRRewriter rewriter(builder);
  (void)eraseUnreachableBlocks(rewriter, *region);
  return success();
}

} // namespace tirx
