//===- ParseStatement.cpp - the bodies of PTX functions -------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ParserImpl.h"
#include <tuple>

using namespace tirx::ptx;
using llvm::StringRef;
using llvm::Twine;

/// Deep enough for any compiler, shallow enough for our stack.
static constexpr unsigned kMaxBlockDepth = 256;

bool Parser::parseBlock(llvm::ArrayRef<const Statement *> &body,
                        bool hasScope) {
  SourceLoc loc = token.loc;
  if (blockDepth == kMaxBlockDepth)
    return error(loc, "expected at most " + Twine(kMaxBlockDepth) +
                          " nested blocks");
  advance();
  ++blockDepth;
  if (hasScope)
    scopes.open();
  size_t firstDeferred = deferred.size(), firstLabel = labels.size();
  llvm::SmallVector<const Statement *, 16> statements;
  bool failed = false;
  while (!token.isOperator('}') && !diagnostics.isFull()) {
    if (token.is(Lexeme::End)) {
      failed = expected("'}' that closes the block of line " + Twine(loc.line));
      break;
    }
    if (parseStatement(statements))
      recover();
  }
  bindLabels(firstDeferred, firstLabel);
  if (hasScope)
    scopes.close();
  --blockDepth;
  body = keep<const Statement *>(statements);
  return failed || diagnostics.isFull() || expect('}');
}

bool Parser::parseStatement(llvm::SmallVectorImpl<const Statement *> &body) {
  const Statement *statement = nullptr;
  SourceLoc loc = token.loc;
  if (consumeIf(';'))
    return false;
  if (token.isOperator('{')) {
    auto *block = make<Block>(loc);
    body.push_back(block);
    return parseBlock(block->body);
  }
  if (token.isOperator('@')) {
    if (parseGuardedInstruction(statement))
      return true;
  } else if (token.is(Lexeme::Directive)) {
    if (token.isDirective(".loc")) {
      if (parseLocation(statement))
        return true;
    } else if (token.isDirective(".pragma")) {
      const Pragma *pragma;
      if (parsePragma(pragma))
        return true;
      statement = pragma;
    } else if (spaceOf(token) != StateSpace::None) {
      Declaration *declaration;
      if (parseDeclaration(Linkage::Internal, declaration))
        return true;
      statement = declaration;
    } else if (Linkage linkage = parseLinkage(); linkage != Linkage::Internal) {
      Declaration *declaration;
      if (parseDeclaration(linkage, declaration))
        return true;
      statement = declaration;
    } else {
      return expected("an instruction, a label or a declaration");
    }
  } else {
    StringRef name;
    if (parseOpcode("an instruction, a label or a declaration", name))
      return true;
    if (consumeIf(':')) {
      Label *label;
      if (parseLabel(name, loc, label))
        return true;
      statement = label;
    } else if (parseInstruction(name, loc, loc, nullptr, statement)) {
      return true;
    }
  }
  body.push_back(statement);
  return false;
}

//===----------------------------------------------------------------------===//
// Labels
//===----------------------------------------------------------------------===//

bool Parser::parseLabel(StringRef name, SourceLoc loc, Label *&label) {
  label = make<Label>(loc);
  label->name = name;
  label->id = function->labelCount++;
  labels.push_back(label);
  if (token.isDirective(".branchtargets") || token.isDirective(".calltargets"))
    return parseTargets(*label);
  if (token.isDirective(".callprototype"))
    return parseCallPrototype(*label);
  return false;
}

bool Parser::parseTargets(Label &label) {
  bool isBranch = token.isDirective(".branchtargets");
  label.role = isBranch ? Label::Role::BranchTargets : Label::Role::CallTargets;
  advance();
  llvm::SmallVector<Operand, 8> targets;
  do {
    Operand target;
    target.loc = token.loc;
    if (expectIdentifier(isBranch ? "a label" : "a function", target.name))
      return true;
    if (isBranch)
      target.kind = Operand::Kind::Label;
    else
      bind(target);
    targets.push_back(target);
  } while (consumeIf(','));
  label.targets = keep<Operand>(targets);
  deferLabels(label.targets);
  return expect(';');
}

/// `.callprototype (.param .b32 _) _ (.param .b64 _);`
bool Parser::parseCallPrototype(Label &label) {
  label.role = Label::Role::CallPrototype;
  advance();
  // The names of a prototype mean nothing.
  Function *enclosing = function;
  function = nullptr;
  StringRef name;
  bool failed = (token.isOperator('(') && parseParameters(label.returns)) ||
                expectIdentifier("_", name) ||
                (token.isOperator('(') && parseParameters(label.params)) ||
                parseFunctionDirectives(label.directives);
  function = enclosing;
  return failed || expect(';');
}

void Parser::bindLabels(size_t firstDeferred, size_t firstLabel) {
  llvm::DenseMap<StringRef, Label *> byName;
  for (size_t i = firstLabel; i != labels.size(); ++i) {
    auto [known, isNew] = byName.try_emplace(labels[i]->name, labels[i]);
    if (!isNew)
      error(labels[i]->loc, "redefinition of label '" + labels[i]->name +
                                "', which is on line " +
                                Twine(known->second->loc.line));
  }
  labels.resize(firstLabel);
  size_t kept = firstDeferred;
  for (size_t i = firstDeferred; i != deferred.size(); ++i) {
    Operand *operand = deferred[i];
    auto found = byName.find(operand->name);
    if (found == byName.end()) {
      deferred[kept++] = operand;
      continue;
    }
    // A list or a prototype stands before what uses it.
    const Label *label = found->second;
    if (label->role != Label::Role::Code &&
        std::tie(operand->loc.line, operand->loc.column) <
            std::tie(label->loc.line, label->loc.column))
      error(operand->loc, "expected '" + label->name + "', which is on line " +
                              Twine(label->loc.line) + ", before its use");
    operand->kind = Operand::Kind::Label;
    operand->label = label;
  }
  deferred.resize(kept);
}

//===----------------------------------------------------------------------===//
// Directives
//===----------------------------------------------------------------------===//

/// `.loc 1 38 28, function_name $L_name, inlined_at 1 20 3`: ends with the
/// line.
bool Parser::parseLocation(const Statement *&statement) {
  auto *parsed = make<Location>(token.loc);
  uint32_t textLine = token.loc.line;
  advance();
  for (uint32_t *field : {&parsed->file, &parsed->line, &parsed->column}) {
    // Not an expression: the next number is no part of it.
    uint64_t value;
    if (!token.is(Lexeme::Number) || token.text.getAsInteger(10, value) ||
        value > UINT32_MAX)
      return expected("the file, line and column of .loc");
    *field = value;
    advance();
  }
  if (token.loc.line == textLine && token.isOperator(',')) {
    parsed->rest = lexer.takeRestOfLine();
    advance();
  }
  location = parsed;
  statement = parsed;
  return false;
}

bool Parser::parsePragma(const Pragma *&pragma) {
  auto *parsed = make<Pragma>(token.loc);
  llvm::SmallVector<StringRef, 2> texts;
  do {
    advance();
    texts.emplace_back();
    if (expectString(texts.back()))
      return true;
  } while (token.isOperator(','));
  parsed->texts = keep<StringRef>(texts);
  pragma = parsed;
  return expect(';');
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

/// True at a directive after which a statement begins, on a line of its own:
/// the `;` before it was forgotten.
bool Parser::beginsStatement(uint32_t lineBefore) const {
  return token.loc.line != lineBefore &&
         (token.isDirective(".loc") || token.isDirective(".pragma") ||
          spaceOf(token) != StateSpace::None);
}

/// An identifier with its modifiers. They may stand apart: `add .s32`.
bool Parser::parseOpcode(StringRef what, StringRef &name) {
  if (!token.is(Lexeme::Identifier))
    return expected(what);
  uint32_t line = token.loc.line;
  name = lexer.extendOpcode(token.text);
  advance();
  if (!token.is(Lexeme::Directive) || beginsStatement(line))
    return false;
  std::string joined = name.str();
  while (token.is(Lexeme::Directive) && !beginsStatement(line)) {
    line = token.loc.line;
    joined += lexer.extendOpcode(token.text);
    advance();
  }
  llvm::ArrayRef<char> kept =
      keep(llvm::ArrayRef(joined.data(), joined.size()));
  name = StringRef(kept.data(), kept.size());
  return false;
}

bool Parser::parseGuardedInstruction(const Statement *&statement) {
  SourceLoc loc = token.loc;
  advance();
  auto *guard = make<Operand>();
  guard->negated = consumeIf('!');
  guard->loc = token.loc;
  if (expectIdentifier("a predicate after @", guard->name))
    return true;
  bind(*guard);
  if (guard->kind != Operand::Kind::Register)
    return error(guard->loc, "expected a declared predicate after @, got '" +
                                 guard->name + "'");
  if (guard->variable->type != ScalarType::pred)
    return error(guard->loc, "expected a predicate after @, got '" +
                                 guard->name + "' of type ." +
                                 spelling(guard->variable->type));
  StringRef name;
  SourceLoc opcodeLoc = token.loc;
  return parseOpcode("an instruction after the guard", name) ||
         parseInstruction(name, loc, opcodeLoc, guard, statement);
}

/// A name of module level, alone.
static bool isOfModule(const Operand &operand) {
  return operand.kind == Operand::Kind::Function ||
         (operand.kind == Operand::Kind::Symbol && !operand.hasOffset &&
          !operand.variable->function);
}

bool Parser::parseInstruction(StringRef name, SourceLoc loc,
                              SourceLoc opcodeLoc, const Operand *guard,
                              const Statement *&statement) {
  auto *instruction = make<Instruction>(loc);
  instruction->guard = guard;
  instruction->opcode = name;
  instruction->opcodeLoc = opcodeLoc;
  instruction->location = location;
  llvm::SmallVector<Operand, 8> operands;
  if (!token.isOperator(';') && !token.is(Lexeme::Directive) &&
      parseOperands(name.split('.').first == "call", operands))
    return true;
  if (name.split('.').first == "bra")
    for (Operand &operand : operands)
      if (isOfModule(operand)) { // a label may have its name
        operand.kind = Operand::Kind::Label;
        operand.bound = nullptr;
      }
  instruction->operands = keep<Operand>(operands);
  deferLabels(instruction->operands);
  module.instructions.push_back(instruction);
  statement = instruction;
  return expect(';');
}
