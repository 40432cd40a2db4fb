//===- ImportPTX.cpp - modules and their variables ------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TIRx/Conversion/PTXToTIRx/ImportPTX.h"
#include "Importer.h"
#include "TIRx/Dialect/TIRx/IR/TIRxDialect.h"
#include "TIRx/PTX/Parser.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using tirx::ptx::Linkage;
using tirx::ptx::ScalarType;
using tirx::ptx::StateSpace;
using tirx::ptx::Variable;

namespace tirx {

//===----------------------------------------------------------------------===//
// Types and locations
//===----------------------------------------------------------------------===//

Location ModuleImporter::locOf(ptx::SourceLoc loc) const {
  return FileLineColLoc::get(&const_cast<MLIRContext &>(context),
                             source.fileName, loc.line, loc.column);
}

/// `function_name $L__info_string0, inlined_at 1 29 3`: the call.
static std::optional<std::array<uint32_t, 3>> inlinedAt(StringRef rest) {
  size_t position = rest.find("inlined_at");
  if (position == StringRef::npos)
    return std::nullopt;
  rest = rest.drop_front(position + sizeof("inlined_at") - 1);
  std::array<uint32_t, 3> result;
  for (uint32_t &number : result)
    if (rest = rest.ltrim(); rest.consumeInteger(10, number))
      return std::nullopt;
  return result;
}

/// What .loc says, if it names a file that .file does; for what was inlined
/// also where.
Location ModuleImporter::locOf(const ptx::Instruction &instruction) const {
  const ptx::Location *location = instruction.location;
  StringRef path = location ? source.findFile(location->file) : "";
  if (path.empty())
    return locOf(instruction.opcodeLoc);
  auto *owner = &const_cast<MLIRContext &>(context);
  Location own =
      FileLineColLoc::get(owner, path, location->line, location->column);
  auto call = inlinedAt(location->rest);
  StringRef caller = call ? source.findFile((*call)[0]) : "";
  if (caller.empty())
    return own;
  return CallSiteLoc::get(
      own, FileLineColLoc::get(owner, caller, (*call)[1], (*call)[2]));
}

Type ModuleImporter::typeOf(ScalarType type) const {
  Builder types(&const_cast<MLIRContext &>(context));
  switch (type) {
  case ScalarType::f16:
    return types.getF16Type();
  case ScalarType::bf16:
    return types.getBF16Type();
  case ScalarType::f32:
    return types.getF32Type();
  case ScalarType::f64:
    return types.getF64Type();
  case ScalarType::none:
  case ScalarType::texref:
  case ScalarType::samplerref:
  case ScalarType::surfref:
    return {};
  default:
    return types.getIntegerType(ptx::bitWidth(type));
  }
}

ParameterType ModuleImporter::parameterType(const Variable &variable) const {
  Type scalar = typeOf(variable.type);
  if (!scalar)
    return {};
  bool isMemory = variable.space == StateSpace::Param &&
                  (variable.isArray() || variable.vectorWidth > 1 ||
                   addressTaken.contains(&variable));
  if (isMemory)
    return {LLVM::LLVMPointerType::get(scalar.getContext()), true};
  return {scalar, false};
}

/// Of integers as wide as its alignment, which so is that of the type too.
Type ModuleImporter::resultType(const Variable &variable) const {
  ParameterType type = parameterType(variable);
  if (!type.type || !type.isMemory)
    return type.type;
  uint64_t bytes = variable.sizeInBytes();
  if (bytes == 0 || bytes > UINT16_MAX)
    return {};
  uint64_t width = std::min<uint64_t>(variable.alignment(), 8);
  if (bytes % width)
    width = 1;
  MLIRContext *context = type.type.getContext();
  return LLVM::LLVMArrayType::get(IntegerType::get(context, 8 * width),
                                  bytes / width);
}

LLVM::LLVMFunctionType
ModuleImporter::functionType(ArrayRef<const Variable *> returns,
                             ArrayRef<const Variable *> params) {
  SmallVector<Type> inputs;
  for (const Variable *param : params) {
    ParameterType type = parameterType(*param);
    if (!type.type || param->isUnsized()) {
      (void)error(param->loc, "cannot import a parameter of type ." +
                                  ptx::spelling(param->type) +
                                  (param->isUnsized() ? "[]" : "") + " yet");
      return {};
    }
    inputs.push_back(type.type);
  }
  Type result = LLVM::LLVMVoidType::get(&context);
  if (returns.size() > 1) {
    (void)error(returns[1]->loc, "cannot import a function of more than one "
                                 "result yet");
    return {};
  }
  if (returns.size() == 1) {
    result = resultType(*returns[0]);
    if (!result) {
      (void)error(returns[0]->loc, "cannot import a result of type ." +
                                       ptx::spelling(returns[0]->type) +
                                       " yet");
      return {};
    }
  }
  return LLVM::LLVMFunctionType::get(result, inputs);
}

unsigned ModuleImporter::addressSpace(StateSpace space) {
  switch (space) {
  case StateSpace::Global:
    return 1;
  case StateSpace::Shared:
    return 3;
  case StateSpace::Const:
    return 4;
  case StateSpace::Local:
    return 5;
  default:
    return 0;
  }
}

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

static LLVM::Linkage linkageOf(Linkage linkage) {
  switch (linkage) {
  case Linkage::Internal:
    return LLVM::Linkage::Internal;
  case Linkage::Weak:
    return LLVM::Linkage::Weak;
  case Linkage::Common:
    return LLVM::Linkage::Common;
  case Linkage::Extern:
  case Linkage::Visible:
    break;
  }
  return LLVM::Linkage::External;
}

/// The bytes of the initial values that are numbers, little endian.
static SmallVector<int8_t> bytesOf(const Variable &variable) {
  SmallVector<int8_t> bytes(variable.sizeInBytes());
  unsigned width = ptx::byteSize(variable.type);
  for (const ptx::Initializer &value : variable.init)
    if (value.symbol.empty())
      for (unsigned i = 0; i != std::min(width, 8u); ++i)
        bytes[value.index * width + i] = value.bits >> (8 * i);
  return bytes;
}

/// Larger initial values are not worth the memory.
static constexpr uint64_t kMaxInitializedBytes = uint64_t(1) << 28;

LogicalResult ModuleImporter::importGlobal(const Variable &variable) {
  if (!typeOf(variable.type))
    return error(variable.loc, "cannot import a variable of type ." +
                                   ptx::spelling(variable.type) + " yet");
  if (!variable.attributes.empty())
    return error(variable.loc,
                 "cannot import .attribute(" + variable.attributes + ") yet");
  if (variable.sizeInBytes() > kMaxInitializedBytes)
    return error(variable.loc, "expected a variable of at most 2^28 bytes, got "
                               "'" +
                                   variable.name + "' of " +
                                   Twine(variable.sizeInBytes()));
  std::string name = variable.name.str();
  // What is declared in a function makes way for what others can name.
  auto isTaken = [&] {
    return module.lookupSymbol(name) ||
           (variable.function &&
            (source.findGlobal(name) || source.findFunction(name)));
  };
  for (unsigned i = 0; isTaken(); ++i) {
    auto known = module.lookupSymbol<LLVM::GlobalOp>(name);
    if (!variable.function && known) { // a declaration that is repeated
      symbols[&variable] = known.getSymName();
      if (variable.linkage == Linkage::Extern)
        return success();
      known.erase();
      break;
    }
    name = (variable.name + "$" + Twine(i)).str();
  }
  builder.setInsertionPointToEnd(module.getBody());
  auto type =
      LLVM::LLVMArrayType::get(builder.getI8Type(), variable.sizeInBytes());
  auto global = LLVM::GlobalOp::create(
      builder, locOf(variable.loc), type,
      /*isConstant=*/variable.space == StateSpace::Const,
      linkageOf(variable.linkage), name, Attribute(), variable.alignment(),
      addressSpace(variable.space));
  symbols[&variable] = StringRef(name).copy(names);
  return variable.linkage == Linkage::Extern ? success()
                                             : initialize(global, variable);
}

LogicalResult ModuleImporter::initialize(LLVM::GlobalOp global,
                                         const Variable &variable) {
  if (variable.space == StateSpace::Shared) { // has no initial value
    Block *block = builder.createBlock(&global.getInitializerRegion());
    builder.setInsertionPointToStart(block);
    Value undef =
        LLVM::UndefOp::create(builder, global.getLoc(), global.getType());
    LLVM::ReturnOp::create(builder, global.getLoc(), undef);
    return success();
  }
  if (llvm::any_of(variable.init, [](const ptx::Initializer &value) {
        return !value.symbol.empty();
      }))
    return initializeWithAddresses(global, variable);
  SmallVector<int8_t> bytes = bytesOf(variable);
  auto type =
      RankedTensorType::get({int64_t(bytes.size())}, builder.getI8Type());
  global.setValueAttr(DenseElementsAttr::get(type, ArrayRef(bytes)));
  return success();
}

/// A packed struct of bytes and addresses.
LogicalResult
ModuleImporter::initializeWithAddresses(LLVM::GlobalOp global,
                                        const Variable &variable) {
  unsigned width = ptx::byteSize(variable.type);
  SmallVector<int8_t> bytes = bytesOf(variable);
  SmallVector<Type> types;
  SmallVector<const ptx::Initializer *> addresses; // null: bytes
  SmallVector<uint64_t> starts;
  auto addBytes = [&](uint64_t begin, uint64_t end) {
    if (begin == end)
      return;
    types.push_back(LLVM::LLVMArrayType::get(builder.getI8Type(), end - begin));
    addresses.push_back(nullptr);
    starts.push_back(begin);
  };
  uint64_t done = 0;
  for (const ptx::Initializer &value : variable.init) {
    if (value.symbol.empty())
      continue;
    if (value.mask || width != 8)
      return error(value.loc, "cannot import a part of an address yet");
    addBytes(done, value.index * width);
    auto known = module.lookupSymbol(value.symbol);
    unsigned space = 0;
    if (auto target = dyn_cast_or_null<LLVM::GlobalOp>(known))
      space = value.generic ? 0 : target.getAddrSpace();
    types.push_back(LLVM::LLVMPointerType::get(&context, space));
    addresses.push_back(&value);
    starts.push_back(value.index * width);
    done = (value.index + 1) * width;
  }
  addBytes(done, bytes.size());

  auto type = LLVM::LLVMStructType::getLiteral(&context, types, true);
  global.setGlobalType(type);
  Location loc = global.getLoc();
  builder.setInsertionPointToStart(
      builder.createBlock(&global.getInitializerRegion()));
  Value result = LLVM::UndefOp::create(builder, loc, type);
  for (auto [i, address] : llvm::enumerate(addresses)) {
    Value part;
    if (!address) {
      uint64_t size = cast<LLVM::LLVMArrayType>(types[i]).getNumElements();
      auto tensor = RankedTensorType::get({int64_t(size)}, builder.getI8Type());
      part = LLVM::ConstantOp::create(
          builder, loc, types[i],
          DenseElementsAttr::get(tensor,
                                 ArrayRef(bytes).slice(starts[i], size)));
    } else {
      auto target = module.lookupSymbol<LLVM::GlobalOp>(address->symbol);
      unsigned space = target ? target.getAddrSpace() : 0;
      part = LLVM::AddressOfOp::create(
          builder, loc, LLVM::LLVMPointerType::get(&context, space),
          address->symbol);
      if (address->bits)
        part = LLVM::GEPOp::create(
            builder, loc, part.getType(), builder.getI8Type(), part,
            ValueRange(LLVM::ConstantOp::create(
                builder, loc, builder.getI64Type(),
                builder.getI64IntegerAttr(int64_t(address->bits)))));
      if (part.getType() != types[i])
        part = LLVM::AddrSpaceCastOp::create(builder, loc, types[i], part);
    }
    result = LLVM::InsertValueOp::create(builder, loc, result, part, i);
  }
  LLVM::ReturnOp::create(builder, loc, result);
  return success();
}

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

/// mov and cvta make an address of a parameter, which then lies in memory.
void ModuleImporter::findTakenAddresses() {
  for (const ptx::Instruction *instruction : source.instructions)
    for (const ptx::Operand &operand : instruction->operands)
      if (operand.is(ptx::Operand::Kind::Symbol) &&
          operand.variable->space == StateSpace::Param)
        addressTaken.insert(operand.variable);
}

LogicalResult ModuleImporter::importItem(const ptx::ModuleItem &item) {
  using Kind = ptx::ModuleItem::Kind;
  switch (item.kind) {
  case Kind::Variables:
    for (const Variable *variable : item.declaration->variables)
      if (failed(importGlobal(*variable)))
        return failure();
    return success();
  case Kind::Function:
    return FunctionImporter(*this, module, *item.function).run();
  case Kind::Alias:
    return error({}, "cannot import .alias " + (*item.alias)[0] + " yet");
  case Kind::File:
    break; // locations have it
  case Kind::Section:
    dropped({}, ".section " + item.section->name);
    break;
  case Kind::Pragma:
    for (StringRef text : item.pragma->texts)
      dropped(item.pragma->loc, ".pragma \"" + text + "\"");
    break;
  }
  return success();
}

OwningOpRef<ModuleOp> ModuleImporter::run() {
  Location loc = locOf(ptx::SourceLoc{1, 1});
  OwningOpRef<ModuleOp> top = ModuleOp::create(loc);
  builder.setInsertionPointToEnd(top->getBody());
  auto target = NVVM::NVVMTargetAttr::get(
      &context, /*optLevel=*/3, "nvptx64-nvidia-cuda", source.target,
      "+ptx" + std::to_string(source.version), nullptr, nullptr);
  module = gpu::GPUModuleOp::create(builder, loc, "ptx",
                                    builder.getArrayAttr(target));
  if (source.addressSize != 64) {
    (void)error({}, "cannot import text of 32-bit addresses");
    return nullptr;
  }
  for (StringRef option : source.targetOptions)
    dropped({}, "option " + option + " of .target");
  findTakenAddresses();
  for (const ptx::ModuleItem &item : source.items)
    if (failed(importItem(item)) && diagnostics.isFull())
      break;
  if (diagnostics.hasErrors())
    return nullptr;
  return top;
}

/// Slots of registers become values; what nobody reads goes.
static LogicalResult promote(ModuleOp module) {
  PassManager manager(module.getContext(), ModuleOp::getOperationName());
  OpPassManager &inner = manager.nest<gpu::GPUModuleOp>();
  inner.nest<gpu::GPUFuncOp>().addPass(createMem2Reg());
  inner.nest<LLVM::LLVMFuncOp>().addPass(createMem2Reg());
  manager.addPass(createCanonicalizerPass());
  return manager.run(module);
}

void registerImportDialects(DialectRegistry &registry) {
  registry.insert<TIRxDialect, arith::ArithDialect, cf::ControlFlowDialect,
                  gpu::GPUDialect, LLVM::LLVMDialect, NVVM::NVVMDialect,
                  ub::UBDialect>();
}

OwningOpRef<ModuleOp> importPTX(StringRef text, StringRef fileName,
                                MLIRContext &context,
                                ptx::Diagnostics &diagnostics) {
  std::unique_ptr<ptx::Module> source =
      ptx::parseModule(text, fileName, diagnostics);
  if (!source || !ptx::verifyModule(*source, diagnostics))
    return nullptr;
  // What MLIR finds is reported like what is found here.
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() != DiagnosticSeverity::Error)
      return success();
    auto where = dyn_cast<FileLineColLoc>(diagnostic.getLocation());
    bool isOurs = where && where.getFilename() == source->fileName;
    diagnostics.error(source->text,
                      isOurs
                          ? ptx::SourceLoc{where.getLine(), where.getColumn()}
                          : ptx::SourceLoc{},
                      diagnostic.str());
    return success();
  });
  OwningOpRef<ModuleOp> module =
      ModuleImporter(context, *source, diagnostics).run();
  if (!module || failed(verify(*module)) || failed(promote(*module)) ||
      diagnostics.hasErrors())
    return nullptr;
  return module;
}

} // namespace tirx
