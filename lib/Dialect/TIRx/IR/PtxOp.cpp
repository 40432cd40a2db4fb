//===- PtxOp.cpp - verifier and effects of tirx.ptx -----------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TIRx/Dialect/TIRx/IR/PtxSignature.h"
#include "TIRx/Dialect/TIRx/IR/Registration.h"
#include "TIRx/Dialect/TIRx/IR/TIRxEffects.h"
#include "TIRx/Dialect/TIRx/IR/TIRxOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tirx;
using ptx::OperandKind;
using ptx::Token;

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

/// Bits of a value that fits one register or a pair of them; 0 for others.
static unsigned bitsOf(Type type) {
  if (auto vector = dyn_cast<VectorType>(type)) {
    if (vector.isScalable() || vector.getRank() != 1 ||
        vector.getNumElements() > 128)
      return 0;
    return vector.getNumElements() * bitsOf(vector.getElementType());
  }
  if (auto integer = dyn_cast<IntegerType>(type))
    return integer.getWidth() <= 128 ? integer.getWidth() : 0;
  if (isa<FloatType>(type))
    return type.getIntOrFloatBitWidth();
  return 0;
}

/// Pointers into shared and tensor memory may stand for 32 bits, all for 64.
static bool isPointerOf(Type type, unsigned bits) {
  auto pointer = dyn_cast<LLVM::LLVMPointerType>(type);
  if (!pointer)
    return false;
  unsigned space = pointer.getAddressSpace();
  return bits == 64 || (bits == 32 && (space == 3 || space == 6 || space == 7));
}

/// Whether a register of a value of `type` holds the PTX type `token`.
static bool holds(Type type, Token token) {
  unsigned bits = ptx::bitWidth(token);
  if (token == Token::pred)
    return type.isInteger(1);
  if (isPointerOf(type, bits))
    return !ptx::isFloat(token);
  unsigned own = bitsOf(type);
  if (own == 0 || own == 1)
    return false;
  // Registers have at least 16 bits: what is narrower lies in the low ones.
  bool fits =
      own == bits || (bits < 16 && (own == 8 || own == 16 || own == 32));
  bool isScalarFloat = isa<FloatType>(type);
  bool wantsFloat = ptx::isFloat(token) && ptx::packedElements(token) == 1;
  if (isScalarFloat && !wantsFloat && !ptx::isBits(token))
    return false;
  return fits;
}

/// Whether `type` can be an address: a pointer, or an integer of its width.
static bool isAddress(Type type) {
  return isa<LLVM::LLVMPointerType>(type) || type.isInteger(32) ||
         type.isInteger(64);
}

std::string tirx::expectedType(const ptx::OperandSpec &spec, Type type,
                               unsigned index) {
  switch (spec.kind) {
  case OperandKind::Predicate:
    return type.isInteger(1) ? "" : "i1";
  case OperandKind::PredicatePair:
    // `d|p`: the type says what d is. The predicate may be left out
    // (shfl.sync).
    if (index == 0 && spec.type != Token::none && spec.type != Token::pred)
      break;
    return type.isInteger(1) ? "" : "i1";
  case OperandKind::Address:
    return isAddress(type) ? "" : "a pointer, i32 or i64";
  case OperandKind::TensorAddress:
    if (index == 0)
      return isAddress(type) ? "" : "a pointer, i32 or i64";
    return type.isInteger(32) ? "" : "i32";
  case OperandKind::DescriptorOrAddress:
    return type.isInteger(64) || isPointerOf(type, 32) || type.isInteger(32)
               ? ""
               : "an i64 descriptor, or !llvm.ptr<6> or i32";
  case OperandKind::Register:
  case OperandKind::Value:
  case OperandKind::Immediate:
  case OperandKind::Label:
  case OperandKind::Symbol:
    break;
  }
  if (spec.type == Token::none)
    return bitsOf(type) || isAddress(type) ? ""
                                           : "an integer, a float, a vector of "
                                             "them or a pointer";
  if (holds(type, spec.type))
    return "";
  unsigned bits = ptx::bitWidth(spec.type);
  std::string text =
      spec.type == Token::pred ? "i1"
      : ptx::isFloat(spec.type) && ptx::packedElements(spec.type) == 1
          ? "a float or integer of " + std::to_string(bits) + " bits"
          : "a value of " + std::to_string(bits) + " bits";
  return text + " (." + ptx::spelling(spec.type).str() + ")";
}

/// Several values that an operand of any number packs fill its type together;
/// empty where `type` is right.
static std::string expectedPart(const ptx::OperandSpec &spec, Type type,
                                unsigned count) {
  unsigned bits = ptx::bitWidth(spec.type) / count;
  if (bits * count == ptx::bitWidth(spec.type) && bitsOf(type) == bits)
    return "";
  return "a value of " + std::to_string(bits) + " bits, " +
         std::to_string(count) + " of which are a ." +
         ptx::spelling(spec.type).str();
}

/// The type that a register of the PTX type `token` has by default.
static Type defaultType(MLIRContext *context, Token token) {
  if (token == Token::pred)
    return IntegerType::get(context, 1);
  unsigned bits = ptx::bitWidth(token), count = ptx::packedElements(token);
  StringRef name = ptx::spelling(token);
  Type element;
  if (ptx::isFloat(token) && bits / count >= 16)
    element = name.starts_with("bf16")  ? Type(BFloat16Type::get(context))
              : name.starts_with("f16") ? Type(Float16Type::get(context))
              : bits / count == 64      ? Type(Float64Type::get(context))
              : bits / count == 32      ? Type(Float32Type::get(context))
                                        : Type();
  if (!element)
    return IntegerType::get(context, std::max(bits, 8u));
  return count == 1 ? element : VectorType::get({int64_t(count)}, element);
}

llvm::Expected<SmallVector<Type>> PtxOp::inferResultTypes(MLIRContext *context,
                                                          StringRef text) {
  llvm::Expected<ptx::ResolvedInstruction> instruction = ptx::resolve(text);
  if (!instruction) {
    llvm::consumeError(instruction.takeError());
    return llvm::createStringError("expected result types: '" + text +
                                   "' is no instruction of the table");
  }
  SmallVector<Type> types;
  for (const ptx::OperandSpec &spec : ptx::operands(*instruction)) {
    if (spec.access == ptx::Access::Read || spec.onlySink)
      continue;
    bool isOpen = spec.lanes == 0 || spec.optional ||
                  spec.kind == OperandKind::PredicatePair ||
                  spec.type == Token::none;
    if (isOpen)
      return llvm::createStringError(
          "expected result types: those of '" + text +
          "' do not follow from its name (operand '" + spec.name + "')");
    types.append(spec.lanes, defaultType(context, spec.type));
  }
  return types;
}

/// Whether the instruction takes no 32-bit or no 64-bit address there; what it
/// takes instead, or empty. Tensor memory has 32 bits, and only shared and
/// local memory are reached by so few else.
static std::string expectedAddress(const ptx::ResolvedInstruction &instruction,
                                   const ptx::OperandSpec &spec, Type type) {
  auto pointer = dyn_cast<LLVM::LLVMPointerType>(type);
  bool isTensor = pointer && pointer.getAddressSpace() == 6;
  StringRef mnemonic = instruction.info().mnemonic;
  if (mnemonic == "isspacep" && spec.name == "a")
    return isAddress(type) ? "" : "a pointer, i32 or i64";
  if (spec.kind != OperandKind::Address)
    return "";
  for (const ptx::EffectInfo &effect : instruction.form().effects)
    if (effect.operand == spec.name && effect.space == Token::tmem)
      return type.isInteger(32) || isTensor ? "" : "!llvm.ptr<6> or i32";
  Token space = instruction.get(ptx::Mod::space);
  bool isFar = (space == Token::none || space == Token::global) &&
               (mnemonic.starts_with("multimem.") ||
                llvm::is_contained({"ld", "st", "atom", "red"}, mnemonic));
  return isFar && (type.isInteger(32) || isTensor) ? "a pointer or i64" : "";
}

/// Bits of the register that holds a value.
static unsigned registerBits(Type type) { return std::max(16u, bitsOf(type)); }

static LogicalResult verifyTypes(PtxOp op,
                                 const ptx::ResolvedInstruction &instruction,
                                 const PtxOperand &operand) {
  unsigned count = std::max(operand.numInputs, operand.numResults);
  // Only mov packs; the offsets of im2col are several values of their type.
  bool isPacked = op.getInstruction().starts_with("mov.") &&
                  operand.spec.lanes == 0 && count > 1 &&
                  operand.spec.type != Token::none;
  auto check = [&](Value value, unsigned index,
                   StringRef side) -> LogicalResult {
    std::string expected =
        isPacked ? expectedPart(operand.spec, value.getType(), count)
                 : expectedType(operand.spec, value.getType(), index);
    // A of wgmma is a descriptor or a fragment of four registers.
    if (instruction.info().mnemonic.starts_with("wgmma.mma_async") &&
        operand.spec.name == "a" &&
        bitsOf(value.getType()) != (count == 1 ? 64 : 32))
      expected = count == 1 ? "an i64 descriptor" : "a value of 32 bits";
    if (expected.empty() && index == 0)
      expected = expectedAddress(instruction, operand.spec, value.getType());
    // The registers of a vector are of one width, also where each could be
    // wider than the type.
    bool isVector =
        operand.spec.lanes > 1 && (operand.spec.kind == OperandKind::Register ||
                                   operand.spec.kind == OperandKind::Value);
    Type first = operand.numResults
                     ? op.getOutputs()[operand.firstResult].getType()
                     : op.getInputs()[operand.firstInput].getType();
    if (expected.empty() && isVector &&
        registerBits(value.getType()) != registerBits(first))
      expected = "values of one width, " + std::to_string(registerBits(first)) +
                 " bits as the first";
    if (expected.empty())
      return success();
    return op.emitOpError("expected ")
           << side << " '" << operand.spec.name << "' to be " << expected
           << ", got " << value.getType();
  };
  for (unsigned i = 0; i < operand.numInputs; ++i)
    if (failed(check(op.getInputs()[operand.firstInput + i], i, "operand")))
      return failure();
  for (unsigned i = 0; i < operand.numResults; ++i)
    if (failed(check(op.getOutputs()[operand.firstResult + i], i, "result")))
      return failure();
  // An operand that is read and written is one register.
  for (unsigned i = 0; i < std::min(operand.numInputs, operand.numResults);
       ++i) {
    Type in = op.getInputs()[operand.firstInput + i].getType();
    Type out = op.getOutputs()[operand.firstResult + i].getType();
    if (in != out)
      return op.emitOpError("expected '")
             << operand.spec.name
             << "', which is read and written, to have one type, got " << in
             << " in and " << out << " out";
  }
  return success();
}

/// An immediate is part of the instruction's text.
static LogicalResult verifyImmediate(PtxOp op, const PtxOperand &operand) {
  // (ptx_c5)
  if (operand.spec.kind != OperandKind::Immediate)
    return success();
  for (unsigned i = 0; i < operand.numInputs; ++i) {
    Value input = op.getInputs()[operand.firstInput + i];
    if (!matchPattern(input, m_Constant()))
      return op.emitOpError("expected '")
             << operand.spec.name
             << "' to be a constant: the instruction takes an immediate there";
    APInt value;
    if (!matchPattern(input, m_ConstantInt(&value)) || !value.isSignedIntN(64))
      continue;
    std::string expected =
        ptx::expectedValue(operand.spec, value.getSExtValue());
    if (!expected.empty())
      return op.emitOpError("expected '")
             << operand.spec.name << "' to be " << expected << ", got "
             << value.getSExtValue();
  }
  return success();
}

/// The values that results keep when the guard is false.
static LogicalResult verifyGuard(PtxOp op) {
  // (ptx_c4)
  if (!op.getPredicate()) {
    if (op.getOtherwise().empty())
      return success();
    return op.emitOpError("expected pred with else, got else alone");
  }
  if (op.getOtherwise().size() != op.getOutputs().size())
    return op.emitOpError("expected ")
           << op.getOutputs().size()
           << " else values, one for each result of a guarded instruction, got "
           << op.getOtherwise().size();
  for (auto [index, pair] : llvm::enumerate(llvm::zip_equal(
           op.getOtherwise().getTypes(), op.getOutputs().getTypes()))) {
    auto [otherwise, output] = pair;
    if (otherwise != output)
      return op.emitOpError("expected else value ")
             << index << " to have the type of its result, " << output
             << ", got " << otherwise;
  }
  return success();
}

LogicalResult PtxOp::verify() {
  llvm::Expected<ptx::ResolvedInstruction> instruction =
      ptx::resolve(getInstruction());
  if (!instruction) { // an instruction of the user's, or an error there
    llvm::consumeError(instruction.takeError());
    return verifyGuard(*this);
  }
  // (ptx_c2)
  llvm::Expected<PtxSignature> signature =
      matchSignature(*instruction, getInputs().size(), getOutputs().size(),
                     getInputs().getTypes());
  if (!signature)
    return emitOpError() << llvm::toString(signature.takeError());
  for (const PtxOperand &operand : *signature)
    if (failed(verifyTypes(*this, *instruction, operand)) ||
        failed(verifyImmediate(*this, operand)))
      return failure();
  return verifyGuard(*this);
}

/// What the table does not have must be registered, which only the symbols
/// around the op tell.
LogicalResult PtxOp::verifySymbolUses(SymbolTableCollection &) {
  llvm::Expected<ptx::ResolvedInstruction> known =
      ptx::resolve(getInstruction());
  if (known)
    return success();
  // (ptx_c1)
  InstructionOp registered = lookupInstruction(*this, getInstruction());
  if (!registered)
    return emitOpError() << llvm::toString(known.takeError());
  llvm::consumeError(known.takeError());
  // (ptx_c2)
  SmallVector<Type> inputs, results;
  registered.getValueTypes(inputs, results);
  if (!llvm::equal(getInputs().getTypes(), inputs) ||
      !llvm::equal(getOutputs().getTypes(), results)) {
    InFlightDiagnostic diagnostic =
        emitOpError("expected the types (")
        << inputs << ") -> (" << results << "), got (" << getInputs().getTypes()
        << ") -> (" << getOutputs().getTypes() << ")";
    diagnostic.attachNote(registered.getLoc()) << "of this instruction";
    return diagnostic;
  }
  // (ptx_c5)
  unsigned next = 0;
  for (OperandAttr operand : registered.getInstructionOperands()) {
    if (!operand.isRead())
      continue;
    if (operand.getRole() == OperandRole::Imm &&
        !matchPattern(getInputs()[next], m_Constant()))
      return emitOpError("expected '")
             << operand.getName()
             << "' to be a constant: the instruction takes an immediate there";
    next += operand.getNumRegisters();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Effects
//===----------------------------------------------------------------------===//

/// The resource of a state space; null where the instruction may reach any.
static SideEffects::Resource *resourceOf(Token space) {
  switch (space) {
  case Token::global:
    return GlobalMemory::get();
  case Token::shared:
  case Token::shared_cta:
  case Token::shared_cluster:
    return SharedMemory::get();
  case Token::tmem:
    return TensorMemory::get();
  default:
    return nullptr;
  }
}

/// The resource of an address space of LLVM; null for the generic one.
static SideEffects::Resource *resourceOf(unsigned addressSpace) {
  switch (addressSpace) {
  case 1:
    return GlobalMemory::get();
  case 3:
  case 7:
    return SharedMemory::get();
  case 6:
    return TensorMemory::get();
  default:
    return nullptr;
  }
}

/// The effects that a registration declares.
static void addDeclaredEffects(
    InstructionOp registered,
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  if (registered.getConvergent() || registered.getOrders())
    return addAllMemoryEffects(effects);
  if (!registered.getEffectList())
    return;
  SmallVector<SideEffects::EffectInstance<MemoryEffects::Effect>> declared;
  for (auto effect : registered.getEffectList()->getAsRange<EffectAttr>()) {
    SideEffects::Resource *resource = nullptr;
    for (OperandAttr operand : registered.getInstructionOperands())
      if (operand.getName() == effect.getOperand())
        resource = resourceOf(
            cast<LLVM::LLVMPointerType>(operand.getType()).getAddressSpace());
    // Asynchronous work, and what may be anywhere, orders with everything.
    if (!resource || effect.getProxy() != EffectProxy::Generic)
      return addAllMemoryEffects(effects);
    if (effect.getAccess() == AccessKind::Read)
      declared.emplace_back(MemoryEffects::Read::get(), resource);
    else
      declared.emplace_back(MemoryEffects::Write::get(), resource);
  }
  effects.append(declared);
}

/// An ordinary, weak access by the thread itself may move past others like it;
/// whatever orders, starts asynchronous work or needs other lanes may not.
void PtxOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  llvm::Expected<ptx::ResolvedInstruction> instruction =
      ptx::resolve(getInstruction());
  if (!instruction) {
    llvm::consumeError(instruction.takeError());
    if (InstructionOp registered = lookupInstruction(*this, getInstruction()))
      return addDeclaredEffects(registered, effects);
    return addAllMemoryEffects(effects);
  }
  ptx::Effects known = ptx::effects(*instruction);
  if (known.isPure())
    return;
  bool isWeak = known.flags == 0 && known.sem == Token::none;
  bool isPlain =
      isWeak && llvm::all_of(known.memory, [](const ptx::MemoryEffect &access) {
        return access.proxy == ptx::Proxy::Generic && resourceOf(access.space);
      });
  if (!isPlain)
    return addAllMemoryEffects(effects);
  for (const ptx::MemoryEffect &access : known.memory) {
    SideEffects::Resource *resource = resourceOf(access.space);
    if (access.access != ptx::Access::Write)
      effects.emplace_back(MemoryEffects::Read::get(), resource);
    if (access.access != ptx::Access::Read)
      effects.emplace_back(MemoryEffects::Write::get(), resource);
  }
}
