//===- InstructionModels.cpp - registered instructions --------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InstructionModels.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace tirx::sim;
namespace ptx = tirx::ptx;

/// More registers than any operand has.
static constexpr unsigned kMaxRegisters = 256;

//===----------------------------------------------------------------------===//
// The file
//===----------------------------------------------------------------------===//

/// `in:b32x4`; false when it is none.
static bool parseOperand(llvm::StringRef text, ModelOperand &operand) {
  auto [role, type] = text.split(':');
  operand.isRead = role != "out";
  operand.isWritten = role == "out" || role == "inout";
  operand.isImmediate = role == "imm";
  if (!operand.isWritten && !operand.isImmediate && role != "in")
    return false;
  auto [name, count] = type.split('x');
  operand.bits = llvm::StringSwitch<unsigned>(name)
                     .Case("pred", 1)
                     .Case("b8", 8)
                     .Case("b16", 16)
                     .Case("b32", 32)
                     .Case("b64", 64)
                     .Default(0);
  if (count.data() && type.contains('x') &&
      (count.getAsInteger(10, operand.count) || operand.count < 1 ||
       operand.count > kMaxRegisters))
    return false;
  return operand.bits != 0;
}

namespace {
/// What a model's function must take and return, in bytes.
struct WordLayout {
  llvm::SmallVector<unsigned, 8> parameters;
  llvm::SmallVector<unsigned, 8> resultOffsets, resultBytes;
  unsigned structBytes = 0;
};
} // namespace

static WordLayout layOutWords(const InstructionModel &model) {
  WordLayout layout;
  unsigned align = 1, end = 0;
  for (const ModelOperand &operand : model.operands) {
    unsigned bytes = operand.wordBytes();
    if (operand.isRead)
      layout.parameters.append(operand.count, bytes);
    if (!operand.isWritten)
      continue;
    for (unsigned n = 0; n < operand.count; ++n) {
      end = llvm::alignTo(end, bytes);
      layout.resultOffsets.push_back(end);
      layout.resultBytes.push_back(bytes);
      end += bytes;
      align = std::max(align, bytes);
    }
  }
  layout.structBytes = llvm::alignTo(end, align);
  return layout;
}

static std::string describe(llvm::ArrayRef<unsigned> bytes) {
  std::string text;
  for (unsigned count : bytes)
    text += (text.empty() ? "" : ", ") + std::to_string(count);
  return "(" + text + ")";
}

static llvm::SmallVector<unsigned, 8>
bytesOf(llvm::ArrayRef<const ptx::Variable *> variables) {
  llvm::SmallVector<unsigned, 8> bytes;
  for (const ptx::Variable *variable : variables)
    bytes.push_back(variable->space == ptx::StateSpace::Reg
                        ? ptx::byteSize(variable->type)
                        : variable->sizeInBytes());
  return bytes;
}

/// Why the function does not fit the operands, or "".
static std::string checkFunction(const InstructionModel &model) {
  WordLayout layout = layOutWords(model);
  auto parameters = bytesOf(model.function->params);
  auto returns = bytesOf(model.function->returns);
  llvm::SmallVector<unsigned, 1> expected;
  if (layout.structBytes)
    expected.push_back(layout.structBytes);
  if (parameters == layout.parameters && llvm::equal(returns, expected) &&
      (expected.empty() ||
       model.function->returns[0]->space == ptx::StateSpace::Param))
    return "";
  return llvm::formatv("expected '{0}' to take parameters of {1} bytes and to "
                       "return {2}, got {3} and {4}",
                       model.function->name, describe(layout.parameters),
                       describe(expected), describe(parameters),
                       describe(returns))
      .str();
}

llvm::Error ModelLibrary::readPragma(llvm::StringRef text) {
  auto fail = [&](const llvm::Twine &message) {
    return llvm::createStringError(decoder.module.fileName + ": .pragma \"" +
                                   text + "\": " + message);
  };
  llvm::SmallVector<llvm::StringRef, 8> words;
  text.split(words, ' ', -1, /*KeepEmpty=*/false);
  if (words.size() < 3)
    return fail("expected tirx.instruction MNEMONIC FUNCTION role:type ...");
  InstructionModel model;
  const ptx::Function *function = ast->findFunction(words[2]);
  if (!function || !function->isDefinition || function->isEntry)
    return fail("expected the name of a function of this file, got '" +
                words[2] + "'");
  model.function = function;
  for (llvm::StringRef word : llvm::drop_begin(words, 3)) {
    ModelOperand operand;
    if (!parseOperand(word, operand))
      return fail("expected in, out, inout or imm, ':' and pred, b8, b16, b32 "
                  "or b64, such as in:b32x4, got '" +
                  word + "'");
    model.operands.push_back(operand);
  }
  if (std::string problem = checkFunction(model); !problem.empty())
    return fail(problem);
  if (!models.try_emplace(words[1], std::move(model)).second)
    return fail("expected one model of '" + words[1] + "', got a second");
  return llvm::Error::success();
}

llvm::Error ModelLibrary::readPragmas() {
  for (const ptx::ModuleItem &item : ast->items) {
    if (item.kind != ptx::ModuleItem::Kind::Pragma)
      continue;
    for (llvm::StringRef text : item.pragma->texts)
      if (text == "tirx.instruction" || text.starts_with("tirx.instruction "))
        if (auto error = readPragma(text))
          return error;
  }
  return llvm::Error::success();
}

llvm::Expected<std::unique_ptr<ModelLibrary>>
ModelLibrary::load(Module &module) {
  auto ast = module.parse(nullptr);
  if (!ast)
    return ast.takeError();
  std::unique_ptr<ModelLibrary> library(
      new ModelLibrary(module, std::move(*ast)));
  if (auto error = library->decoder.prepare())
    return std::move(error);
  if (auto error = library->readPragmas())
    return std::move(error);
  return std::move(library);
}

const InstructionModel *ModelLibrary::find(llvm::StringRef mnemonic) const {
  auto it = models.find(mnemonic);
  return it == models.end() ? nullptr : &it->second;
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

static Type registerType(unsigned bits) {
  return bits == 1    ? Type::Pred
         : bits == 8  ? Type::B8
         : bits == 16 ? Type::B16
         : bits == 32 ? Type::B32
                      : Type::B64;
}

/// The registers of an operand; an address counts as its sum.
static llvm::ArrayRef<ptx::Operand> registersOf(const ptx::Operand &operand) {
  return operand.is(ptx::Operand::Kind::Vector) ? operand.elements
                                                : llvm::ArrayRef(operand);
}

static CallValue registerValue(Slot slot, const ModelOperand &operand) {
  CallValue value;
  value.isRegister = true;
  value.slot = slot;
  value.bits = operand.bits == 1 ? 1 : operand.bits > 32 ? 64 : 32;
  value.bytes = operand.wordBytes();
  return value;
}

void tirx::sim::decodeModelCall(InstDecoder &d, Inst &i, ModelLibrary &library,
                                const InstructionModel &model) {
  llvm::ArrayRef<ptx::Operand> operands = d.ast().operands;
  if (operands.size() != model.operands.size())
    return d.fail(llvm::formatv("expected the {0} operands of its model, got "
                                "{1}",
                                model.operands.size(), operands.size())
                      .str());
  WordLayout layout = layOutWords(model);
  CallSite site;
  site.isStruct = true;
  for (auto [n, operand] : llvm::enumerate(model.operands)) {
    auto registers = registersOf(operands[n]);
    if (registers.size() != operand.count)
      return d.fail(llvm::formatv("expected {0} registers as operand {1}, got "
                                  "{2}",
                                  operand.count, n + 1, registers.size())
                        .str());
    Type type = registerType(operand.bits);
    for (const ptx::Operand &element : registers) {
      if (operand.isImmediate && !element.is(ptx::Operand::Kind::Integer))
        d.fail("expected a constant as operand " + llvm::Twine(n + 1));
      if (operand.isRead)
        site.arguments.push_back(
            registerValue(d.modelSource(element, type), operand));
      if (!operand.isWritten)
        continue;
      CallValue result = registerValue(d.modelResult(element, type), operand);
      result.offset = layout.resultOffsets[site.results.size()];
      site.results.push_back(result);
    }
  }
  if (d.failed())
    return;
  d.reachModel(library.decoder, *model.function, site.callee);
  i.fn = callDirect;
  i.splitsOnGuard = true;
  i.imm = d.addCallSite(std::move(site));
}
