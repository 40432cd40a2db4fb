//===- ParseVariable.cpp - variables and constants of PTX text ------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ParserImpl.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

using namespace tirx::ptx;
using llvm::StringRef;
using llvm::Twine;

/// The largest variable: more than any memory, less than an overflow.
static constexpr uint64_t kMaxBytes = uint64_t(1) << 48;

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

bool Parser::startsConstant() const {
  return token.is(Lexeme::Number) || token.isOperator('-') ||
         token.isOperator('+') || token.isOperator('~') ||
         token.isOperator('!') || token.isOperator('(') ||
         (token.is(Lexeme::Identifier) && token.text == "WARP_SZ");
}

bool Parser::parseUnaryConstant(Constant &value) {
  if (token.is(Lexeme::Operator) && token.text.size() == 1 &&
      StringRef("+-!~").contains(token.text[0])) {
    char op = token.text[0];
    SourceLoc loc = token.loc;
    advance();
    if (constantDepth++ > 100)
      return error(loc, "expected at most 100 nested operators");
    bool failed = parseUnaryConstant(value);
    --constantDepth;
    if (failed)
      return true;
    StringRef problem = applyUnary(op, value);
    return !problem.empty() && error(loc, problem);
  }
  if (token.is(Lexeme::Identifier) && token.text == "WARP_SZ") {
    value = {Constant::S64, 32};
    advance();
    return false;
  }
  if (token.is(Lexeme::Number)) {
    StringRef problem = parseLiteral(token.text, value);
    if (!problem.empty())
      return error(token.loc, Twine(problem) + ", got '" +
                                  token.text.take_front(60) + "'");
    advance();
    return false;
  }
  if (!token.isOperator('('))
    return expected("a constant");

  if (constantDepth++ > 100)
    return error(token.loc, "expected at most 100 nested parentheses");
  advance();
  bool failed;
  if (token.isDirective(".s64") || token.isDirective(".u64")) {
    bool isSigned = token.text == ".s64";
    advance();
    failed = expect(')') || parseUnaryConstant(value);
    if (!failed) {
      if (value.isFloat())
        failed = error(token.loc, "expected an integer after a cast");
      value.kind = isSigned ? Constant::S64 : Constant::U64;
    }
  } else {
    failed = parseConstant(value) || expect(')');
  }
  --constantDepth;
  return failed;
}

bool Parser::parseConstant(Constant &value, unsigned minPrecedence) {
  if (parseUnaryConstant(value))
    return true;
  while (token.is(Lexeme::Operator)) {
    unsigned level = precedence(token.text);
    if (level == 0 || level <= minPrecedence)
      break;
    StringRef op = token.text;
    SourceLoc loc = token.loc;
    advance();
    Constant right;
    if (parseConstant(right, level))
      return true;
    StringRef problem = applyBinary(op, value, right);
    if (!problem.empty())
      return error(loc, problem);
  }
  if (minPrecedence != 0 || !token.isOperator('?'))
    return false;
  if (constantDepth++ > 100)
    return error(token.loc, "expected at most 100 nested operators");
  advance();
  Constant second, third;
  bool failed = parseConstant(second) || expect(':') || parseConstant(third);
  --constantDepth;
  value = value.isTrue() ? second : third;
  return failed;
}

bool Parser::parseInteger(StringRef what, uint64_t &value) {
  SourceLoc loc = token.loc;
  if (!startsConstant())
    return expected(what);
  Constant constant;
  if (parseConstant(constant))
    return true;
  if (constant.isFloat() ||
      (constant.kind == Constant::S64 && int64_t(constant.bits) < 0))
    return error(loc,
                 "expected " + what + ", got a float or a negative number");
  value = constant.bits;
  return false;
}

//===----------------------------------------------------------------------===//
// Declarations
//===----------------------------------------------------------------------===//

StateSpace Parser::spaceOf(const Lexeme &token) {
  if (!token.is(Lexeme::Directive))
    return StateSpace::None;
  return llvm::StringSwitch<StateSpace>(token.text)
      .Case(".reg", StateSpace::Reg)
      .Case(".global", StateSpace::Global)
      .Case(".shared", StateSpace::Shared)
      .Case(".local", StateSpace::Local)
      .Case(".param", StateSpace::Param)
      .Case(".const", StateSpace::Const)
      .Default(StateSpace::None);
}

bool Parser::parseAlign(uint32_t &align) {
  SourceLoc loc = token.loc;
  uint64_t value;
  if (parseInteger("an alignment", value))
    return true;
  if (!llvm::isPowerOf2_64(value) || value > (1u << 20))
    return error(loc, "expected an alignment that is a power of two, got " +
                          Twine(value));
  align = value;
  return false;
}

/// `.attribute(.managed)`, `.attribute(.unified(1, 2))`.
bool Parser::parseAttribute(StringRef &text) {
  advance();
  if (!token.isOperator('('))
    return expected("'('");
  const char *start = token.text.end();
  for (unsigned depth = 0;;) {
    if (token.isOperator('('))
      ++depth;
    else if (token.isOperator(')') && --depth == 0)
      break;
    else if (token.is(Lexeme::End) || token.isOperator(';'))
      return expected("')'");
    advance();
  }
  text = StringRef(start, token.text.data() - start).trim();
  advance();
  return false;
}

/// `.ptr .global .align 16`.
bool Parser::parsePointer(Variable &variable) {
  variable.isPointer = true;
  StateSpace space = spaceOf(token);
  if (space == StateSpace::Reg)
    return expected("a state space in memory");
  if (space != StateSpace::None) {
    variable.pointerSpace = space;
    advance();
  }
  return consumeIfDirective(".align") && parseAlign(variable.pointerAlign);
}

bool Parser::parseVariableType(Variable &variable) {
  if (token.is(Lexeme::Directive)) {
    variable.type = findScalarType(token.text.drop_front());
    if (variable.type != ScalarType::none) {
      advance();
      return false;
    }
  }
  return expected("a type such as .b32");
}

bool Parser::parseVariablePrefix(Variable &variable, bool isParameter) {
  if (token.isDirective(".attribute") && parseAttribute(variable.attributes))
    return true;
  variable.isHidden = isParameter && consumeIfDirective(".hidden");
  variable.space = spaceOf(token);
  if (variable.space == StateSpace::None ||
      (isParameter && variable.space != StateSpace::Param &&
       variable.space != StateSpace::Reg))
    return expected(isParameter ? "'.param' or '.reg'" : "a state space");
  advance();
  for (;;) {
    if (token.isDirective(".attribute")) {
      if (parseAttribute(variable.attributes))
        return true;
    } else if (consumeIfDirective(".align")) {
      if (parseAlign(variable.align))
        return true;
    } else if (consumeIfDirective(".v2")) {
      variable.vectorWidth = 2;
    } else if (consumeIfDirective(".v4")) {
      variable.vectorWidth = 4;
    } else if (consumeIfDirective(".v8")) {
      variable.vectorWidth = 8;
    } else {
      break;
    }
  }
  SourceLoc loc = token.loc;
  if (parseVariableType(variable))
    return true;
  if (variable.type == ScalarType::pred && variable.space != StateSpace::Reg)
    return error(loc, "expected .pred only for registers");
  while (isParameter) { // .ptr and .align stand after the type here
    if (consumeIfDirective(".ptr")) {
      if (parsePointer(variable))
        return true;
    } else if (consumeIfDirective(".align")) {
      if (parseAlign(variable.align))
        return true;
    } else {
      break;
    }
  }
  return false;
}

/// A variable in memory has a size, unless another module has it.
bool Parser::checkMemory(const Variable &variable) {
  if (variable.linkage == Linkage::Common &&
      variable.space != StateSpace::Global)
    return error(variable.loc, "expected .common only for variables in "
                               ".global, got '" +
                                   variable.name + "' in ." +
                                   spelling(variable.space));
  if (variable.isArray() && variable.elementCount() == 0 &&
      variable.linkage != Linkage::Extern &&
      variable.space != StateSpace::Param)
    return error(variable.loc, "expected an extent above 0 for '" +
                                   variable.name +
                                   "': only that of an .extern variable may "
                                   "be left out");
  return false;
}

/// `<10>` after the name of registers.
bool Parser::parseRange(Variable &variable) {
  SourceLoc loc = token.loc;
  uint64_t count;
  // Not a whole expression: its `>` would be taken for an operator.
  Constant constant;
  if (parseUnaryConstant(constant))
    return true;
  count = constant.bits;
  if (constant.isFloat() || count == 0 || count > (1u << 30))
    return error(loc, "expected a count from 1 to 2^30");
  variable.rangeCount = count;
  return expect('>');
}

bool Parser::parseDims(Variable &variable) {
  llvm::SmallVector<int64_t, 3> dims;
  uint64_t bytes = uint64_t(byteSize(variable.type)) * variable.vectorWidth;
  while (token.isOperator('[')) {
    SourceLoc loc = token.loc;
    advance();
    if (token.isOperator(']')) {
      if (!dims.empty())
        return expected("an extent: only the first may be left out");
      dims.push_back(-1);
      advance();
      continue;
    }
    uint64_t extent;
    if (parseInteger("an extent", extent) || expect(']'))
      return true;
    bool overflow = false;
    bytes = llvm::SaturatingMultiply(bytes, extent, &overflow);
    if (overflow || bytes > kMaxBytes || extent > kMaxBytes)
      return error(loc, "expected a variable of at most 2^48 bytes");
    dims.push_back(extent);
  }
  variable.dims = keep<int64_t>(dims);
  return false;
}

bool Parser::declare(const Variable *variable) {
  if (variable->name == "_")
    return false;
  // One register of a range that the same scope has.
  Scopes::Found covering = scopes.find(variable->name);
  if (covering.variable && !variable->rangeCount &&
      covering.variable->rangeCount &&
      covering.variable->function == variable->function &&
      scopes.isInnermost(covering.variable))
    return error(variable->loc, "redefinition of '" + variable->name +
                                    "', which is in the range of line " +
                                    Twine(covering.variable->loc.line));
  if (const Variable *covered = scopes.findCovered(*variable))
    return error(variable->loc, "redefinition of '" + covered->name +
                                    "', which is declared on line " +
                                    Twine(covered->loc.line) +
                                    ", by the range '" + variable->name + "<" +
                                    Twine(variable->rangeCount) + ">'");
  const Variable *previous = scopes.declare(variable);
  // Modules may repeat a declaration; the definition is one.
  bool repeats = previous && (previous->linkage == Linkage::Extern ||
                              variable->linkage == Linkage::Extern);
  if (repeats &&
      (previous->space != variable->space || previous->type != variable->type ||
       previous->vectorWidth != variable->vectorWidth))
    return error(variable->loc,
                 "expected '" + variable->name +
                     "' with the space and the type of its declaration on "
                     "line " +
                     Twine(previous->loc.line));
  if (previous && !repeats)
    return error(variable->loc, "redefinition of '" + variable->name +
                                    "', which is declared on line " +
                                    Twine(previous->loc.line));
  if (!function && functionsByName.count(variable->name))
    return error(variable->loc, "expected a new name, got '" + variable->name +
                                    "', which is a function");
  return false;
}

bool Parser::parseDeclaration(Linkage linkage, Declaration *&declaration) {
  declaration = make<Declaration>(token.loc);
  Variable prefix;
  prefix.linkage = linkage;
  if (parseVariablePrefix(prefix, /*isParameter=*/false))
    return true;
  llvm::SmallVector<const Variable *, 8> variables;
  do {
    auto *variable = make<Variable>(prefix);
    variable->loc = token.loc;
    if (expectIdentifier("the name of a variable", variable->name))
      return true;
    if (variable->space == StateSpace::Reg) {
      if (consumeIf('<') && parseRange(*variable))
        return true;
    } else if (parseDims(*variable) ||
               (consumeIf('=') && parseInitializer(*variable)) ||
               checkMemory(*variable)) {
      return true;
    }
    variable->function = function;
    variable->id = function ? function->variableCount++ : moduleVariables++;
    if (declare(variable))
      return true;
    variables.push_back(variable);
  } while (consumeIf(','));
  declaration->variables = keep<const Variable *>(variables);
  return expect(';');
}

bool Parser::parseParameters(llvm::ArrayRef<const Variable *> &result) {
  advance();
  llvm::SmallVector<const Variable *, 8> parameters;
  while (!token.isOperator(')')) {
    auto *variable = make<Variable>();
    if (parseVariablePrefix(*variable, /*isParameter=*/true))
      return true;
    variable->loc = token.loc;
    if (expectIdentifier("the name of a parameter", variable->name) ||
        parseDims(*variable))
      return true;
    variable->function = function;
    if (function && function->isEntry && variable->space != StateSpace::Param)
      return error(variable->loc, "expected a parameter of a kernel in .param, "
                                  "got '" +
                                      variable->name + "' in .reg");
    if (function) { // not in a prototype, whose names are not declared
      variable->id = function->variableCount++;
      if (declare(variable))
        return true;
    }
    parameters.push_back(variable);
    if (!consumeIf(','))
      break;
  }
  result = keep<const Variable *>(parameters);
  return expect(')');
}

//===----------------------------------------------------------------------===//
// Initialisers
//===----------------------------------------------------------------------===//

/// A number as the bits of an element of `type`.
static uint64_t convert(const Constant &value, ScalarType type) {
  unsigned bits = bitWidth(type);
  // ptxas converts a double for 32 bits; else it keeps the bits as written.
  if (value.kind == Constant::F64 && bits == 32)
    return llvm::bit_cast<uint32_t>(float(value.toDouble()));
  return bits < 64 ? value.bits & llvm::maskTrailingOnes<uint64_t>(bits)
                   : value.bits;
}

/// `symbol`, `generic(symbol)`, `symbol + 8`.
bool Parser::parseAddressInitializer(Initializer &value) {
  if (expectIdentifier("a name", value.symbol))
    return true;
  if (value.symbol == "generic" && consumeIf('(')) {
    value.generic = true;
    if (expectIdentifier("the name of a variable", value.symbol) || expect(')'))
      return true;
    if (functionsByName.count(value.symbol))
      return error(value.loc, "expected generic() of a variable, got function "
                              "'" +
                                  value.symbol + "', whose address is one");
  }
  int64_t offset = 0;
  bool isWritten = false;
  if (checkAddressable(value) || parseOffset(offset, isWritten))
    return true;
  value.bits = offset;
  return false;
}

/// What an address in an initialiser names must be declared before, and have an
/// address that the linker knows.
bool Parser::checkAddressable(const Initializer &value) {
  if (functionsByName.count(value.symbol))
    return false;
  const Variable *variable = scopes.find(value.symbol).variable;
  if (!variable)
    return error(value.loc, "expected a declared variable or function, got '" +
                                value.symbol + "'");
  if (variable->space != StateSpace::Global &&
      variable->space != StateSpace::Const)
    return error(value.loc, "expected the address of a function or of a "
                            "variable in .global or .const, got '" +
                                value.symbol + "' in ." +
                                spelling(variable->space));
  return false;
}

bool Parser::parseInitializerValue(const Variable &variable,
                                   Initializer &value) {
  value.loc = token.loc;
  bool isName = token.is(Lexeme::Identifier) && token.text != "WARP_SZ";
  if (isName)
    return parseAddressInitializer(value);
  if (!startsConstant())
    return expected("a number or the name of a variable");
  Constant constant;
  if (parseConstant(constant))
    return true;
  if (consumeIf('(')) { // a byte of an address: 0xFF00(symbol)
    value.mask = constant.bits;
    return parseAddressInitializer(value) || expect(')');
  }
  bool wantsFloat =
      variable.type == ScalarType::f32 || variable.type == ScalarType::f64;
  bool isUntyped =
      variable.type >= ScalarType::b8 && variable.type <= ScalarType::b64;
  if (constant.isFloat() != wantsFloat && !isUntyped)
    return error(value.loc,
                 Twine("expected ") + (wantsFloat ? "a float" : "an integer") +
                     " for a variable of type ." + spelling(variable.type));
  value.bits = convert(constant, variable.type);
  return false;
}

/// `{1, 2, {3, 4}}`. `level` counts the braces; `position` is the element that
/// comes next. Each extent has braces of its own.
bool Parser::parseInitializerList(const Variable &variable, unsigned level,
                                  uint64_t &position,
                                  llvm::SmallVectorImpl<Initializer> &values) {
  llvm::SmallVector<uint64_t, 4> extents(variable.dims.begin(),
                                         variable.dims.end());
  if (variable.vectorWidth > 1)
    extents.push_back(variable.vectorWidth);
  if (level >= extents.size())
    return error(token.loc, "expected at most " + Twine(extents.size()) +
                                " levels of braces for '" + variable.name +
                                "'");
  uint64_t stride = 1; // elements of one entry of this list
  for (uint64_t extent : llvm::ArrayRef(extents).drop_front(level + 1))
    stride *= extent;
  const uint64_t start = position;
  const uint64_t limit = level == 0 && variable.isUnsized()
                             ? kMaxBytes
                             : start + stride * extents[level];

  advance();
  ++openBraces;
  while (!token.isOperator('}')) {
    bool isNested = level + 1 < extents.size();
    if (isNested && !token.isOperator('{'))
      return expected("'{' of an element of '" + variable.name +
                      "', which is an array or a vector itself");
    if (position + stride > limit)
      return error(token.loc,
                   "expected fewer elements for '" + variable.name + "'");
    if (isNested) {
      const uint64_t next = position + stride;
      if (parseInitializerList(variable, level + 1, position, values))
        return true;
      position = next;
    } else {
      values.emplace_back();
      values.back().index = position++;
      if (parseInitializerValue(variable, values.back()))
        return true;
    }
    if (!consumeIf(','))
      break;
  }
  if (expect('}'))
    return true;
  --openBraces;
  return false;
}

bool Parser::parseInitializer(Variable &variable) {
  llvm::SmallVector<Initializer, 8> values;
  uint64_t count = 0;
  if (variable.space != StateSpace::Global &&
      variable.space != StateSpace::Const)
    return error(token.loc, "expected an initialiser only for .global and "
                            ".const variables");
  if (variable.linkage == Linkage::Extern)
    return error(token.loc, "expected no initialiser for the external "
                            "variable '" +
                                variable.name + "'");
  if (variable.type >= ScalarType::f16 && variable.type <= ScalarType::bf16x2)
    return error(token.loc, Twine("expected no initialiser for type .") +
                                spelling(variable.type) +
                                ": ptxas takes it as bits of .b16 or .b32 "
                                "only");
  if (token.isOperator('{')) {
    if (parseInitializerList(variable, 0, count, values))
      return true;
  } else {
    if (variable.isArray() || variable.vectorWidth > 1)
      return expected("'{'");
    values.emplace_back();
    if (parseInitializerValue(variable, values.back()))
      return true;
  }
  variable.init = keep<Initializer>(values);
  if (variable.isUnsized()) { // the initialiser says how many
    llvm::SmallVector<int64_t, 3> dims(variable.dims);
    uint64_t inner = variable.vectorWidth;
    for (int64_t dim : llvm::ArrayRef(dims).drop_front())
      inner *= dim;
    dims[0] = inner ? llvm::divideCeil(count, inner) : 0;
    variable.dims = keep<int64_t>(dims);
  }
  return false;
}
