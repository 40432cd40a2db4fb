//===- Registration.cpp - instructions of the user's own ------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TIRx/Dialect/TIRx/IR/Registration.h"
#include "RegistrationText.h"
#include "TIRx/Dialect/TIRx/IR/PtxSignature.h"
#include "mlir/Interfaces/FunctionImplementation.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace tirx;

unsigned OperandAttr::getNumRegisters() const {
  auto vector = dyn_cast<VectorType>(getType());
  return vector ? vector.getNumElements() : 1;
}

Type OperandAttr::getRegisterType() const {
  auto vector = dyn_cast<VectorType>(getType());
  return vector ? vector.getElementType() : getType();
}

//===----------------------------------------------------------------------===//
// Text form
//===----------------------------------------------------------------------===//

/// `out d: f32`, or with an argument of the body `in %a: f32`.
static ParseResult
parseOperand(OpAsmParser &parser, SmallVectorImpl<Attribute> &operands,
             SmallVectorImpl<OpAsmParser::Argument> &arguments) {
  StringRef keyword;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&keyword))
    return failure();
  std::optional<OperandRole> role = symbolizeOperandRole(keyword);
  if (!role)
    return parser.emitError(loc, "expected out, in, inout or imm, got '")
           << keyword << "'";
  std::string name;
  Type type;
  if (*role == OperandRole::Out) {
    StringRef text;
    if (parser.parseKeyword(&text) || parser.parseColonType(type))
      return failure();
    name = text.str();
  } else {
    OpAsmParser::Argument argument;
    if (parser.parseArgument(argument) || parser.parseColonType(type))
      return failure();
    argument.type = type;
    name = argument.ssaName.name.drop_front().str();
    arguments.push_back(argument);
  }
  operands.push_back(OperandAttr::get(parser.getContext(), *role, name, type));
  return success();
}

/// `read p 16`, `write q 4 async`, `convergent` or `orders`.
static ParseResult parseEffect(OpAsmParser &parser, OperationState &state,
                               SmallVectorImpl<Attribute> &effects) {
  Builder &builder = parser.getBuilder();
  StringRef keyword, operand, proxyName;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&keyword))
    return failure();
  if (keyword == "convergent" || keyword == "orders") {
    state.addAttribute(keyword, builder.getUnitAttr());
    return success();
  }
  std::optional<AccessKind> access = symbolizeAccessKind(keyword);
  if (!access)
    return parser.emitError(loc,
                            "expected read, write, convergent or orders, got '")
           << keyword << "'";
  int64_t bytes;
  if (parser.parseKeyword(&operand) || parser.parseInteger(bytes))
    return failure();
  EffectProxy proxy = EffectProxy::Generic;
  SMLoc proxyLoc = parser.getCurrentLocation();
  if (succeeded(parser.parseOptionalKeyword(&proxyName))) {
    std::optional<EffectProxy> named = symbolizeEffectProxy(proxyName);
    if (!named)
      return parser.emitError(proxyLoc,
                              "expected generic, async, tensormap or tcgen05, "
                              "got '")
             << proxyName << "'";
    proxy = *named;
  }
  effects.push_back(
      EffectAttr::get(parser.getContext(), *access, operand, bytes, proxy));
  return success();
}

ParseResult InstructionOp::parse(OpAsmParser &parser, OperationState &state) {
  Builder &builder = parser.getBuilder();
  StringAttr name, mnemonic, text;
  SmallVector<Attribute> operands, effects;
  SmallVector<OpAsmParser::Argument> arguments;
  auto parseOne = [&] { return parseOperand(parser, operands, arguments); };
  if (parser.parseSymbolName(name, getSymNameAttrName(state.name),
                             state.attributes) ||
      parser.parseAttribute(mnemonic, getMnemonicAttrName(state.name),
                            state.attributes) ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren, parseOne))
    return failure();
  state.addAttribute(getOperandListAttrName(state.name),
                     builder.getArrayAttr(operands));
  if (succeeded(parser.parseOptionalKeyword("effects"))) {
    auto parseNext = [&] { return parseEffect(parser, state, effects); };
    if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren, parseNext))
      return failure();
    if (!effects.empty())
      state.addAttribute(getEffectListAttrName(state.name),
                         builder.getArrayAttr(effects));
  }
  if (succeeded(parser.parseOptionalKeyword("text")) &&
      parser.parseAttribute(text, getTextAttrName(state.name),
                            state.attributes))
    return failure();
  return failure(parser.parseOptionalAttrDictWithKeyword(state.attributes) ||
                 parser.parseRegion(*state.addRegion(), arguments));
}

void InstructionOp::print(OpAsmPrinter &printer) {
  printer << ' ';
  printer.printSymbolName(getSymName());
  printer << ' ' << getMnemonicAttr() << " (";
  unsigned next = 0;
  auto arguments = getBody().getArguments();
  llvm::interleaveComma(
      getInstructionOperands(), printer, [&](OperandAttr operand) {
        printer << stringifyOperandRole(operand.getRole()) << ' ';
        if (operand.isRead() && next < arguments.size())
          printer.printOperand(arguments[next++]);
        else
          printer << operand.getName();
        printer << ": " << operand.getType();
      });
  printer << ')';
  SmallVector<std::string> effects;
  if (getEffectList())
    for (auto effect : getEffectList()->getAsRange<EffectAttr>()) {
      std::string text = (stringifyAccessKind(effect.getAccess()) + " " +
                          effect.getOperand() + " " + Twine(effect.getBytes()))
                             .str();
      if (effect.getProxy() != EffectProxy::Generic)
        text += " " + stringifyEffectProxy(effect.getProxy()).str();
      effects.push_back(text);
    }
  if (getConvergent())
    effects.push_back("convergent");
  if (getOrders())
    effects.push_back("orders");
  if (!effects.empty())
    printer << " effects(" << llvm::join(effects, ", ") << ')';
  if (getTextAttr())
    printer << " text " << getTextAttr();
  printer.printOptionalAttrDictWithKeyword(
      (*this)->getAttrs(),
      {getSymNameAttrName(), getMnemonicAttrName(), getOperandListAttrName(),
       getEffectListAttrName(), getConvergentAttrName(), getOrdersAttrName(),
       getTextAttrName()});
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

/// The names by which the text calls the operands.
void InstructionOp::getAsmBlockArgumentNames(Region &region,
                                             OpAsmSetValueNameFn setName) {
  auto argument = region.args_begin();
  for (OperandAttr operand : getInstructionOperands())
    if (operand.isRead() && argument != region.args_end())
      setName(*argument++, operand.getName());
}

//===----------------------------------------------------------------------===//
// Questions
//===----------------------------------------------------------------------===//

std::string InstructionOp::getEmittedText() {
  if (getText())
    return getText()->str();
  std::string text = getMnemonic().str();
  StringRef separator = " ";
  for (OperandAttr operand : getInstructionOperands()) {
    bool isAddress = isa<LLVM::LLVMPointerType>(operand.getType());
    text += separator;
    text += isAddress ? "[{" : "{";
    text += operand.getName();
    text += isAddress ? "}]" : "}";
    separator = ", ";
  }
  return text + ";";
}

void InstructionOp::getValueTypes(SmallVectorImpl<Type> &inputs,
                                  SmallVectorImpl<Type> &results) {
  for (OperandAttr operand : getInstructionOperands()) {
    if (operand.isRead())
      inputs.append(operand.getNumRegisters(), operand.getRegisterType());
    if (operand.isWritten())
      results.append(operand.getNumRegisters(), operand.getRegisterType());
  }
}

InstructionOp tirx::lookupInstruction(Operation *from, StringRef mnemonic) {
  for (Operation *scope = from->getParentOp(); scope;
       scope = scope->getParentOp()) {
    if (!scope->hasTrait<OpTrait::SymbolTable>())
      continue;
    for (auto op : scope->getRegion(0).getOps<InstructionOp>())
      if (op.getMnemonic() == mnemonic)
        return op;
  }
  return nullptr;
}

/// The next `{name}` at or behind `from`: where it begins and the name. Braces
/// around anything else are the text's own.
std::optional<Placeholder> tirx::findPlaceholder(StringRef text, size_t from) {
  while ((from = text.find('{', from)) != StringRef::npos) {
    StringRef name = text.substr(from + 1).take_while(
        [](char c) { return llvm::isAlnum(c) || c == '_'; });
    if (!name.empty() && text.substr(from + 1 + name.size()).starts_with("}"))
      return Placeholder{from, name};
    ++from;
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Verifier
//===----------------------------------------------------------------------===//

/// `acme.fma3.rn.f32`: words of letters, digits, `_` and `::`, between dots.
static bool isOpcode(StringRef mnemonic) {
  SmallVector<StringRef> words;
  mnemonic.split(words, '.');
  return llvm::isAlpha(mnemonic.empty() ? '0' : mnemonic.front()) &&
         llvm::all_of(words, [](StringRef word) {
           SmallVector<StringRef> parts;
           word.split(parts, "::");
           return llvm::all_of(parts, [](StringRef part) {
             return !part.empty() && llvm::all_of(part, [](char c) {
               return llvm::isAlnum(c) || c == '_';
             });
           });
         });
}

static LogicalResult verifyMnemonic(InstructionOp op) {
  // (instruction_c1)
  if (!isOpcode(op.getMnemonic()))
    return op.emitOpError("expected a PTX opcode such as acme.fma3.rn.f32, "
                          "got '")
           << op.getMnemonic() << "'";
  // Of two in one module, the second is reported; of two in nested ones, the
  // inner one.
  InstructionOp other = lookupInstruction(op, op.getMnemonic());
  if (other == op)
    other = lookupInstruction(op->getParentOp(), op.getMnemonic());
  if (!other)
    return success();
  InFlightDiagnostic diagnostic =
      op.emitOpError("expected a mnemonic that no other instruction has, "
                     "got '")
      << op.getMnemonic() << "'";
  diagnostic.attachNote(other.getLoc()) << "it is registered here";
  return diagnostic;
}

static bool isScalar(Type type, unsigned minBits) {
  return (type.isSignlessInteger() || isa<Float16Type, BFloat16Type>(type) ||
          type.isF32() || type.isF64()) &&
         llvm::is_contained({1u, 8u, 16u, 32u, 64u},
                            type.getIntOrFloatBitWidth()) &&
         type.getIntOrFloatBitWidth() >= minBits;
}

static bool isRegisterType(Type type) {
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.getRank() == 1 && !vector.isScalable() &&
           vector.getNumElements() >= 2 && vector.getNumElements() <= 128 &&
           isScalar(vector.getElementType(), 16);
  return isa<LLVM::LLVMPointerType>(type) || isScalar(type, 1);
}

/// A name that the text can hold in braces and that printing keeps.
static bool isName(StringRef name) {
  return !name.empty() && (llvm::isAlpha(name.front()) || name[0] == '_') &&
         llvm::all_of(name,
                      [](char c) { return llvm::isAlnum(c) || c == '_'; });
}

static LogicalResult verifyOperands(InstructionOp op) {
  // (instruction_c2)
  llvm::StringSet<> names;
  for (OperandAttr operand : op.getInstructionOperands()) {
    if (!isName(operand.getName()))
      return op.emitOpError("expected an operand name of letters, digits and "
                            "underscores that begins with no digit, got '")
             << operand.getName() << "'";
    if (!names.insert(operand.getName()).second)
      return op.emitOpError("expected operands of different names, got two "
                            "called '")
             << operand.getName() << "'";
    Type type = operand.getType();
    bool fits = isRegisterType(type);
    if (operand.getRole() == OperandRole::Imm)
      fits = type.isSignlessInteger() && isScalar(type, 1);
    else if (operand.isWritten())
      fits = fits && !isa<LLVM::LLVMPointerType>(type);
    if (!fits)
      return op.emitOpError("expected operand '")
             << operand.getName() << "', which is "
             << stringifyOperandRole(operand.getRole())
             << ", to have a type that the role allows (i1 to i64, f16 to "
                "f64, a pointer or a vector of them; imm: an integer), got "
             << type;
  }
  return success();
}

static OperandAttr findOperand(InstructionOp op, StringRef name) {
  for (OperandAttr operand : op.getInstructionOperands())
    if (operand.getName() == name)
      return operand;
  return {};
}

static LogicalResult verifyEffects(InstructionOp op) {
  // (instruction_c5)
  if (!op.getEffectList())
    return success();
  llvm::StringSet<> seen;
  for (auto effect : op.getEffectList()->getAsRange<EffectAttr>()) {
    StringRef kind = stringifyAccessKind(effect.getAccess());
    OperandAttr operand = findOperand(op, effect.getOperand());
    if (!operand || !isa<LLVM::LLVMPointerType>(operand.getType()))
      return op.emitOpError("expected the effect '")
             << kind << "' on a pointer operand, got '" << effect.getOperand()
             << "'" << (operand ? "" : ", which is no operand");
    if (effect.getBytes() < 1)
      return op.emitOpError("expected the effect '")
             << kind << "' on '" << effect.getOperand()
             << "' to cover at least 1 byte, got " << effect.getBytes();
    if (!seen.insert((kind + effect.getOperand()).str()).second)
      return op.emitOpError("expected one effect '")
             << kind << "' on '" << effect.getOperand() << "', got two";
  }
  return success();
}

/// An entry of the table says what operands there are; a registration repeats
/// them.
static LogicalResult verifyAgainstTable(InstructionOp op) {
  // (instruction_c8)
  llvm::Expected<ptx::ResolvedInstruction> known =
      ptx::resolve(op.getMnemonic());
  if (!known) {
    llvm::consumeError(known.takeError());
    return success();
  }
  if (op.getText())
    return op.emitOpError("expected no text for ")
           << op.getMnemonic() << ", which is emitted as PTX has it";
  SmallVector<Type> inputs, results;
  op.getValueTypes(inputs, results);
  llvm::Expected<PtxSignature> signature =
      matchSignature(*known, inputs.size(), results.size(), inputs);
  if (!signature)
    return op.emitOpError("expected the operands that PTX gives ")
           << op.getMnemonic() << ": " << llvm::toString(signature.takeError());
  for (const PtxOperand &operand : *signature)
    for (bool isResult : {false, true}) {
      ArrayRef<Type> types =
          isResult
              ? ArrayRef(results).slice(operand.firstResult, operand.numResults)
              : ArrayRef(inputs).slice(operand.firstInput, operand.numInputs);
      for (auto [index, type] : llvm::enumerate(types)) {
        std::string expected = expectedType(operand.spec, type, index);
        if (!expected.empty())
          return op.emitOpError("expected '")
                 << operand.spec.name << "' of " << op.getMnemonic()
                 << " to be " << expected << " as in PTX, got " << type;
      }
    }
  return success();
}

LogicalResult InstructionOp::verify() {
  if (failed(verifyMnemonic(*this)) || failed(verifyOperands(*this)) ||
      failed(verifyText(*this)) || failed(verifyEffects(*this)) ||
      failed(verifyTextEffects(*this)))
    return failure();
  return verifyAgainstTable(*this);
}

//===----------------------------------------------------------------------===//
// Body
//===----------------------------------------------------------------------===//

static LogicalResult verifyArguments(InstructionOp op) {
  // (instruction_c4)
  SmallVector<Type> inputs, results;
  for (OperandAttr operand : op.getInstructionOperands()) {
    if (operand.isRead())
      inputs.push_back(operand.getType());
    if (operand.isWritten())
      results.push_back(operand.getType());
  }
  Block *body = op.getBodyBlock();
  if (!llvm::equal(body->getArgumentTypes(), inputs))
    return op.emitOpError("expected a body with the arguments (")
           << inputs << "), got (" << body->getArgumentTypes() << ")";
  auto yield = dyn_cast_if_present<YieldOp>(
      body->mightHaveTerminator() ? body->getTerminator() : nullptr);
  if (!yield)
    return op.emitOpError("expected a body that ends in tirx.yield");
  if (llvm::equal(yield.getValues().getTypes(), results))
    return success();
  return yield.emitOpError("expected the values (")
         << results << ") of the operands that are written, got ("
         << yield.getValues().getTypes() << ")";
}

/// The argument of the body from which an address is computed.
static BlockArgument findBase(Value address, Block *body) {
  while (Operation *op = address.getDefiningOp()) {
    if (!isa<LLVM::GEPOp, LLVM::AddrSpaceCastOp, LLVM::BitcastOp>(op))
      return {};
    address = op->getOperand(0);
  }
  auto argument = cast<BlockArgument>(address);
  return argument.getOwner() == body ? argument : BlockArgument();
}

/// Whether `effects` has the access at the operand that `argument` is.
static bool isDeclared(InstructionOp op, BlockArgument argument,
                       AccessKind access) {
  unsigned number = 0;
  for (OperandAttr operand : op.getInstructionOperands()) {
    if (!operand.isRead() || number++ != argument.getArgNumber())
      continue;
    return op.getEffectList() &&
           llvm::any_of(op.getEffectList()->getAsRange<EffectAttr>(),
                        [&](EffectAttr effect) {
                          return effect.getOperand() == operand.getName() &&
                                 effect.getAccess() == access;
                        });
  }
  return false;
}

static LogicalResult verifyAccess(InstructionOp op, Operation *inner,
                                  Value address, AccessKind access) {
  // (instruction_c6)
  BlockArgument base = findBase(address, op.getBodyBlock());
  if (base && isDeclared(op, base, access))
    return success();
  InFlightDiagnostic diagnostic =
      inner->emitOpError("expected an address computed from an operand with "
                         "the effect '")
      << stringifyAccessKind(access) << "'";
  diagnostic.attachNote(op.getLoc()) << "of this instruction";
  return diagnostic;
}

static LogicalResult verifyBodyOp(InstructionOp op, Operation *inner) {
  // (instruction_c7)
  StringRef dialect = inner->getName().getDialectNamespace();
  bool isKnown =
      llvm::is_contained({"arith", "math", "scf", "vector", "ub", "llvm"},
                         dialect) &&
      !isa<LLVM::CallOp, LLVM::InlineAsmOp, LLVM::CallIntrinsicOp,
           LLVM::AddressOfOp, LLVM::InvokeOp>(inner);
  if (!isKnown && !isa<YieldOp>(inner))
    return inner->emitOpError("expected the body of an instruction to consist "
                              "of arith, math, scf, vector, ub and llvm, "
                              "without calls and inline assembly");
  if (auto load = dyn_cast<LLVM::LoadOp>(inner))
    return verifyAccess(op, inner, load.getAddr(), AccessKind::Read);
  if (auto store = dyn_cast<LLVM::StoreOp>(inner))
    return verifyAccess(op, inner, store.getAddr(), AccessKind::Write);
  if (isMemoryEffectFree(inner) || isa<YieldOp>(inner) ||
      inner->hasTrait<OpTrait::HasRecursiveMemoryEffects>())
    return success();
  return inner->emitOpError("expected llvm.load and llvm.store to be the only "
                            "ops that touch memory");
}

LogicalResult InstructionOp::verifyRegions() {
  if (failed(verifyArguments(*this)))
    return failure();
  WalkResult result = getBody().walk([&](Operation *inner) {
    return failed(verifyBodyOp(*this, inner)) ? WalkResult::interrupt()
                                              : WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}
