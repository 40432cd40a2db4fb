//===- ParseOperand.cpp - operands of PTX instructions --------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ParserImpl.h"
#include "TIRx/PTX/Table.h"
#include <tuple>

using namespace tirx::ptx;

using Kind = Operand::Kind;

void Parser::bind(Operand &operand) {
  if (Scopes::Found found = scopes.find(operand.name); found.variable) {
    operand.kind = found.variable->space == StateSpace::Reg ? Kind::Register
                                                            : Kind::Symbol;
    operand.variable = found.variable;
    operand.index = found.index;
    return;
  }
  if (auto found = functionsByName.find(operand.name);
      found != functionsByName.end()) {
    operand.kind = Kind::Function;
    operand.callee = found->second;
    return;
  }
  operand.kind =
      operand.name.starts_with("%") && lookupSpecialRegister(operand.name)
          ? Kind::Special
          : Kind::Label;
}

void Parser::deferLabels(llvm::ArrayRef<Operand> operands) {
  for (const Operand &operand : operands)
    if (operand.kind == Kind::Label)
      deferred.push_back(const_cast<Operand *>(&operand));
}

/// `+ 16`, `+ -16`, `- 16`, any number of times.
bool Parser::parseOffset(int64_t &offset, bool &isWritten) {
  while (token.isOperator('+') || token.isOperator('-')) {
    isWritten = true;
    bool isNegative = token.isOperator('-');
    SourceLoc loc = token.loc;
    advance();
    Constant value;
    if (parseConstant(value, precedence("+")))
      return true;
    if (value.isFloat())
      return error(loc, "expected an integer offset, got a float");
    offset =
        int64_t(uint64_t(offset) + (isNegative ? 0 - value.bits : value.bits));
  }
  return false;
}

/// `name`, `name.x`, `name + 16`.
bool Parser::parseName(Operand &operand) {
  operand.name = token.text;
  operand.suffix = lexer.takeSuffix();
  advance();
  if (operand.name == "_" && operand.suffix.empty()) {
    operand.kind = Kind::Sink;
    return false;
  }
  bind(operand);
  if (operand.kind == Kind::Label && operand.name.starts_with("%"))
    return error(operand.loc,
                 "expected a declared register, got '" + operand.name + "'");
  if (!operand.suffix.empty() && operand.kind != Kind::Register &&
      operand.kind != Kind::Special)
    return error(operand.loc, "expected a register before '." + operand.suffix +
                                  "', got '" + operand.name + "'");
  if (operand.kind == Kind::Register || operand.kind == Kind::Symbol)
    return parseOffset(operand.value, operand.hasOffset);
  return false;
}

bool Parser::parseImmediate(Operand &operand) {
  Constant value;
  if (parseConstant(value))
    return true;
  operand.kind = value.isFloat() ? Kind::Float : Kind::Integer;
  operand.floatBits = value.kind == Constant::F32   ? 32
                      : value.kind == Constant::F64 ? 64
                                                    : 0;
  operand.value = value.bits;
  return false;
}

/// A name or an immediate, with `!` or `-` before a name.
bool Parser::parsePrimary(Operand &operand) {
  operand.loc = token.loc;
  if (token.is(Lexeme::Identifier) && token.text != "WARP_SZ")
    return parseName(operand);
  if (!startsConstant())
    return expected("an operand");
  if (token.isOperator('!') || token.isOperator('-')) {
    Lexeme following = lexer.peek();
    if (following.is(Lexeme::Identifier) && following.text != "WARP_SZ") {
      operand.negated = true;
      advance();
      return parseName(operand);
    }
  }
  return parseImmediate(operand);
}

/// `[base + offset]`, `[map, {x, y}]`. What is before the bracket, if anything,
/// is in `operand`.
bool Parser::parseAddress(Operand &operand) {
  operand.kind = Kind::Address;
  operand.loc = token.loc;
  advance();
  llvm::SmallVector<Operand, 4> elements;
  do {
    Operand element;
    if (token.isOperator('{') ? parseVector(element) : parsePrimary(element))
      return true;
    elements.push_back(element);
  } while (consumeIf(','));
  Operand &base = elements.front();
  if (base.kind == Kind::Register || base.kind == Kind::Symbol)
    std::tie(operand.value, operand.hasOffset, base.value, base.hasOffset) =
        std::make_tuple(base.value, base.hasOffset, int64_t(0), false);
  else if (base.kind != Kind::Integer && base.kind != Kind::Function)
    return error(base.loc, "expected a register, a variable or an integer as "
                           "the base of an address");
  for (const Operand &element : elements)
    if (element.kind == Kind::Label)
      return error(element.loc,
                   "expected a declared name, got '" + element.name + "'");
  operand.elements = keep<Operand>(elements);
  return expect(']');
}

/// `array[3]`: the address of an element.
bool Parser::parseSubscript(Operand &operand) {
  const Variable &array = *operand.variable;
  advance();
  SourceLoc loc = token.loc;
  Constant index;
  if (!startsConstant())
    return expected("a constant index (an index in a register must be added to "
                    "the address before)");
  if (parseConstant(index))
    return true;
  if (index.isFloat() || array.dims.size() > 1)
    return error(loc, "expected an integer index of an array with one extent");
  Operand base = operand;
  base.value = 0;
  base.hasOffset = operand.hasOffset = false;
  operand.kind = Kind::Address;
  operand.subscript = true;
  operand.value =
      int64_t(index.bits * byteSize(array.type) * array.vectorWidth);
  operand.elements = keep<Operand>(base);
  return expect(']');
}

bool Parser::parseVector(Operand &operand) {
  operand.kind = Kind::Vector;
  operand.loc = token.loc;
  advance();
  ++openBraces;
  llvm::SmallVector<Operand, 16> elements;
  do {
    Operand element;
    if (parsePrimary(element))
      return true;
    if (element.kind == Kind::Label)
      return error(element.loc,
                   "expected a declared name, got '" + element.name + "'");
    elements.push_back(element);
  } while (consumeIf(','));
  operand.elements = keep<Operand>(elements);
  if (expect('}'))
    return true;
  --openBraces;
  return false;
}

/// `(a, b)` of a call.
bool Parser::parseList(Operand &operand) {
  operand.kind = Kind::List;
  operand.loc = token.loc;
  advance();
  llvm::SmallVector<Operand, 8> elements;
  while (!token.isOperator(')')) {
    Operand element;
    if (parsePrimary(element))
      return true;
    if (element.kind == Kind::Label)
      return error(element.loc,
                   "expected a declared name, got '" + element.name + "'");
    elements.push_back(element);
    if (!consumeIf(','))
      break;
  }
  operand.elements = keep<Operand>(elements);
  return expect(')');
}

bool Parser::parseOperand(bool isCall, Operand &operand) {
  if (token.isOperator('['))
    return parseAddress(operand);
  if (token.isOperator('{'))
    return parseVector(operand);
  if (isCall && token.isOperator('('))
    return parseList(operand);
  if (parsePrimary(operand))
    return true;
  if (token.isOperator('[') && operand.kind == Kind::Symbol)
    return parseSubscript(operand);
  if (!token.isOperator('|'))
    return false;
  advance();
  Operand pair[2] = {operand, {}};
  if (parsePrimary(pair[1]))
    return true;
  for (const Operand &half : pair)
    if (half.kind == Kind::Label)
      return error(half.loc,
                   "expected a declared register, got '" + half.name + "'");
  operand = Operand();
  operand.kind = Kind::Pair;
  operand.loc = pair[0].loc;
  operand.elements = keep<Operand>(pair);
  return false;
}

bool Parser::parseOperands(bool isCall,
                           llvm::SmallVectorImpl<Operand> &operands) {
  do {
    operands.emplace_back();
    if (parseOperand(isCall, operands.back()))
      return true;
  } while (consumeIf(','));
  return false;
}
