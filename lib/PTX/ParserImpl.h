//===- ParserImpl.h - the state of the PTX parser ---------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Recursive descent, one token ahead. Every function that parses returns true
// on failure, after it has reported.
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_LIB_PTX_PARSERIMPL_H
#define TIRX_LIB_PTX_PARSERIMPL_H

#include "Constant.h"
#include "Lexer.h"
#include "Scopes.h"
#include "TIRx/PTX/AST.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

namespace tirx::ptx {

class Parser {
public:
  Parser(Module &module, Diagnostics &diagnostics)
      : module(module), diagnostics(diagnostics), lexer(module.text) {}

  void run();

private:
  // --- Tokens (Parser.cpp) ---
  void advance() { token = lexer.next(); }
  bool error(SourceLoc loc, const llvm::Twine &message);
  /// "expected WHAT, got TOKEN".
  bool expected(const llvm::Twine &what);
  bool consumeIf(char op);
  bool consumeIfDirective(llvm::StringRef name);
  bool expect(char op);
  bool expectIdentifier(llvm::StringRef what, llvm::StringRef &name);
  bool expectString(llvm::StringRef &text);
  /// To the end of a wrong statement: past its `;`, or before the `}`, the
  /// directive or the guard that ends it.
  void recover();
  /// To the end of what is wrong at module level: past its `;` or its body, or
  /// before what begins the next.
  void recoverModule();

  template <typename T> llvm::ArrayRef<T> keep(llvm::ArrayRef<T> values) {
    T *copy = module.arena.Allocate<T>(values.size());
    std::uninitialized_copy(values.begin(), values.end(), copy);
    return llvm::ArrayRef<T>(copy, values.size());
  }
  template <typename T, typename... Args> T *make(Args &&...args) {
    return new (module.arena.Allocate<T>()) T(std::forward<Args>(args)...);
  }

  // --- Module level (Parser.cpp) ---
  bool parseHeader();
  bool parseVersion();
  bool parseTarget();
  bool parseAddressSize();
  bool parseModuleItem();
  bool parseFile();
  bool parseSection();
  bool parseAlias();
  Linkage parseLinkage();
  bool parseFunction(Linkage linkage);
  bool parseFunctionDirectives(llvm::ArrayRef<FunctionDirective> &result);
  bool checkDirective(const FunctionDirective &directive,
                      llvm::ArrayRef<FunctionDirective> others);
  bool parseFunctionBody(Function &function);
  bool declareFunction(Function &function);
  void addItem(ModuleItem item) { module.items.push_back(item); }

  // --- Variables (ParseVariable.cpp) ---
  static StateSpace spaceOf(const Lexeme &token);
  bool parseDeclaration(Linkage linkage, Declaration *&declaration);
  /// What stands before the name; `isParameter` allows .ptr.
  bool parseVariablePrefix(Variable &variable, bool isParameter);
  bool parseVariableType(Variable &variable);
  bool parseAlign(uint32_t &align);
  bool parseAttribute(llvm::StringRef &text);
  bool parsePointer(Variable &variable);
  bool parseRange(Variable &variable);
  bool parseDims(Variable &variable);
  bool parseParameters(llvm::ArrayRef<const Variable *> &result);
  bool parseInitializer(Variable &variable);
  bool parseInitializerList(const Variable &variable, unsigned level,
                            uint64_t &position,
                            llvm::SmallVectorImpl<Initializer> &values);
  bool parseInitializerValue(const Variable &variable, Initializer &value);
  bool parseAddressInitializer(Initializer &value);
  bool checkAddressable(const Initializer &value);
  bool checkMemory(const Variable &variable);
  bool declare(const Variable *variable);

  // --- Constants (ParseVariable.cpp) ---
  bool startsConstant() const;
  bool parseConstant(Constant &value, unsigned minPrecedence = 0);
  bool parseUnaryConstant(Constant &value);
  bool parseInteger(llvm::StringRef what, uint64_t &value);

  // --- Statements (ParseStatement.cpp) ---
  /// The body of a function has no scope of its own: its names and those of
  /// the parameters are in one.
  bool parseBlock(llvm::ArrayRef<const Statement *> &body,
                  bool hasScope = true);
  bool parseStatement(llvm::SmallVectorImpl<const Statement *> &body);
  bool parseLabel(llvm::StringRef name, SourceLoc loc, Label *&label);
  bool parseTargets(Label &label);
  bool parseCallPrototype(Label &label);
  bool parseLocation(const Statement *&statement);
  bool parsePragma(const Pragma *&pragma);
  bool parseOpcode(llvm::StringRef what, llvm::StringRef &name);
  bool parseGuardedInstruction(const Statement *&statement);
  bool beginsStatement(uint32_t lineBefore) const;
  bool parseInstruction(llvm::StringRef name, SourceLoc loc,
                        SourceLoc opcodeLoc, const Operand *guard,
                        const Statement *&statement);

  // --- Operands (ParseOperand.cpp) ---
  bool parseOperands(bool isCall, llvm::SmallVectorImpl<Operand> &operands);
  bool parseOperand(bool isCall, Operand &operand);
  bool parsePrimary(Operand &operand);
  bool parseName(Operand &operand);
  bool parseOffset(int64_t &offset, bool &isWritten);
  bool parseAddress(Operand &operand);
  bool parseSubscript(Operand &operand);
  bool parseVector(Operand &operand);
  bool parseList(Operand &operand);
  bool parseImmediate(Operand &operand);
  /// Finds the variable, predefined register or function; else leaves a label
  /// to be bound at the end of its block.
  void bind(Operand &operand);
  void deferLabels(llvm::ArrayRef<Operand> operands);
  /// Binds the names that a block has left to its labels; what remains is for
  /// the block around it.
  void bindLabels(size_t firstDeferred, size_t firstLabel);

  Module &module;
  Diagnostics &diagnostics;
  Lexer lexer;
  Lexeme token;

  Scopes scopes;
  llvm::DenseMap<llvm::StringRef, Function *> functionsByName;
  Function *function = nullptr; ///< whose variables are being declared
  uint32_t moduleVariables = 0;
  const Location *location = nullptr;
  /// Braces that the statement has opened: vectors and initialisers.
  unsigned openBraces = 0;
  unsigned blockDepth = 0;
  unsigned constantDepth = 0;
  std::vector<Operand *> deferred;
  /// Labels of the open blocks.
  std::vector<Label *> labels;
};

} // namespace tirx::ptx

#endif // TIRX_LIB_PTX_PARSERIMPL_H
