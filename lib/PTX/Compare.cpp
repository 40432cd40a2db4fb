//===- Compare.cpp - are two trees of PTX text the same? ------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TIRx/PTX/Compare.h"
#include "llvm/ADT/Twine.h"

using namespace tirx::ptx;
using llvm::ArrayRef;
using llvm::StringRef;
using llvm::Twine;

namespace {

/// Every function returns true if its arguments are the same; the first that
/// finds a difference says which.
class Comparer {
public:
  bool compare(const Module &left, const Module &right);
  std::string difference;

private:
  bool differ(const Twine &what, SourceLoc left, SourceLoc right) {
    if (difference.empty())
      difference = (what + " (lines " + Twine(left.line) + " and " +
                    Twine(right.line) + ")")
                       .str();
    return false;
  }

  /// Two lists, element by element.
  template <typename T>
  bool all(ArrayRef<T> left, ArrayRef<T> right, const Twine &what,
           SourceLoc leftLoc, SourceLoc rightLoc) {
    if (left.size() != right.size())
      return differ(Twine(left.size()) + " and " + Twine(right.size()) + " " +
                        what,
                    leftLoc, rightLoc);
    for (size_t i = 0; i != left.size(); ++i)
      if (!same(left[i], right[i]))
        return false;
    return true;
  }

  bool same(const Variable *left, const Variable *right);
  bool same(const Initializer &left, const Initializer &right);
  bool same(const Operand &left, const Operand &right);
  bool same(const Statement *left, const Statement *right);
  bool same(const FunctionDirective &left, const FunctionDirective &right);
  bool same(const ModuleItem &left, const ModuleItem &right);
  bool sameBinding(const Operand &left, const Operand &right);
  bool sameInstruction(const Instruction &left, const Instruction &right);
  bool sameLabel(const Label &left, const Label &right);
  bool sameLocation(const Location *left, const Location *right);
  bool sameFunction(const Function &left, const Function &right);
};

} // namespace

bool Comparer::same(const Initializer &left, const Initializer &right) {
  if (left.index == right.index && left.bits == right.bits &&
      left.symbol == right.symbol && left.generic == right.generic &&
      left.mask == right.mask)
    return true;
  return differ("initial values", left.loc, right.loc);
}

bool Comparer::same(const Variable *left, const Variable *right) {
  const Variable &a = *left, &b = *right;
  bool equal = a.name == b.name && a.space == b.space && a.type == b.type &&
               a.vectorWidth == b.vectorWidth && a.linkage == b.linkage &&
               a.rangeCount == b.rangeCount && a.align == b.align &&
               a.dims == b.dims && a.isPointer == b.isPointer &&
               a.isHidden == b.isHidden && a.pointerSpace == b.pointerSpace &&
               a.pointerAlign == b.pointerAlign &&
               a.attributes == b.attributes && a.id == b.id &&
               !a.function == !b.function;
  if (!equal)
    return differ("variables '" + a.name + "' and '" + b.name + "'", a.loc,
                  b.loc);
  return all(a.init, b.init, "initial values", a.loc, b.loc);
}

/// Variables have numbers in the order of the text, and so have labels.
bool Comparer::sameBinding(const Operand &left, const Operand &right) {
  switch (left.kind) {
  case Operand::Kind::Register:
  case Operand::Kind::Symbol:
    return left.variable->id == right.variable->id &&
           left.variable->name == right.variable->name &&
           !left.variable->function == !right.variable->function;
  case Operand::Kind::Label:
    return left.label->id == right.label->id;
  case Operand::Kind::Function:
    return left.callee->name == right.callee->name &&
           left.callee->isDefinition == right.callee->isDefinition;
  default:
    return true;
  }
}

bool Comparer::same(const Operand &left, const Operand &right) {
  bool equal = left.kind == right.kind && left.negated == right.negated &&
               left.floatBits == right.floatBits &&
               left.subscript == right.subscript &&
               left.hasOffset == right.hasOffset && left.name == right.name &&
               left.suffix == right.suffix && left.value == right.value &&
               left.index == right.index && sameBinding(left, right);
  if (!equal)
    return differ("operands '" + left.name + "' and '" + right.name + "'",
                  left.loc, right.loc);
  return all(left.elements, right.elements, "operands", left.loc, right.loc);
}

bool Comparer::sameLocation(const Location *left, const Location *right) {
  if (!left || !right)
    return left == right;
  return left->file == right->file && left->line == right->line &&
         left->column == right->column && left->rest == right->rest;
}

bool Comparer::sameInstruction(const Instruction &left,
                               const Instruction &right) {
  if (left.opcode != right.opcode || !left.guard != !right.guard)
    return differ("instructions '" + left.opcode + "' and '" + right.opcode +
                      "'",
                  left.loc, right.loc);
  if (!sameLocation(left.location, right.location))
    return differ("locations of '" + left.opcode + "'", left.loc, right.loc);
  return (!left.guard || same(*left.guard, *right.guard)) &&
         all(left.operands, right.operands, "operands", left.loc, right.loc);
}

bool Comparer::sameLabel(const Label &left, const Label &right) {
  if (left.role != right.role || left.name != right.name || left.id != right.id)
    return differ("labels '" + left.name + "' and '" + right.name + "'",
                  left.loc, right.loc);
  return all(left.targets, right.targets, "targets", left.loc, right.loc) &&
         all(left.returns, right.returns, "results", left.loc, right.loc) &&
         all(left.params, right.params, "parameters", left.loc, right.loc) &&
         all(left.directives, right.directives, "directives", left.loc,
             right.loc);
}

bool Comparer::same(const Statement *left, const Statement *right) {
  if (left->kind != right->kind)
    return differ("statements", left->loc, right->loc);
  switch (left->kind) {
  case Statement::Kind::Instruction:
    return sameInstruction(*llvm::cast<Instruction>(left),
                           *llvm::cast<Instruction>(right));
  case Statement::Kind::Label:
    return sameLabel(*llvm::cast<Label>(left), *llvm::cast<Label>(right));
  case Statement::Kind::Declaration:
    return all(llvm::cast<Declaration>(left)->variables,
               llvm::cast<Declaration>(right)->variables, "variables",
               left->loc, right->loc);
  case Statement::Kind::Block:
    return all(llvm::cast<Block>(left)->body, llvm::cast<Block>(right)->body,
               "statements", left->loc, right->loc);
  case Statement::Kind::Location:
    return sameLocation(llvm::cast<Location>(left),
                        llvm::cast<Location>(right)) ||
           differ("locations", left->loc, right->loc);
  case Statement::Kind::Pragma:
    return llvm::cast<Pragma>(left)->texts ==
               llvm::cast<Pragma>(right)->texts ||
           differ("pragmas", left->loc, right->loc);
  }
  return true;
}

bool Comparer::same(const FunctionDirective &left,
                    const FunctionDirective &right) {
  if (left.name == right.name && left.values == right.values &&
      left.text == right.text)
    return true;
  return differ("directives '" + left.name + "' and '" + right.name + "'",
                left.loc, right.loc);
}

bool Comparer::sameFunction(const Function &left, const Function &right) {
  if (left.name != right.name || left.isEntry != right.isEntry ||
      left.isDefinition != right.isDefinition ||
      left.linkage != right.linkage || left.attributes != right.attributes ||
      left.variableCount != right.variableCount ||
      left.labelCount != right.labelCount)
    return differ("functions '" + left.name + "' and '" + right.name + "'",
                  left.loc, right.loc);
  return all(left.returns, right.returns, "results", left.loc, right.loc) &&
         all(left.params, right.params, "parameters", left.loc, right.loc) &&
         all(left.directives, right.directives, "directives", left.loc,
             right.loc) &&
         all(left.body, right.body, "statements", left.loc, right.loc);
}

bool Comparer::same(const ModuleItem &left, const ModuleItem &right) {
  if (left.kind != right.kind)
    return differ("items of the module", {}, {});
  switch (left.kind) {
  case ModuleItem::Kind::Variables:
    return all(left.declaration->variables, right.declaration->variables,
               "variables", left.declaration->loc, right.declaration->loc);
  case ModuleItem::Kind::Function:
    return sameFunction(*left.function, *right.function);
  case ModuleItem::Kind::File:
    return (left.file->number == right.file->number &&
            left.file->path == right.file->path &&
            left.file->rest == right.file->rest) ||
           differ("files '" + left.file->path + "' and '" + right.file->path +
                      "'",
                  {}, {});
  case ModuleItem::Kind::Section:
    return (left.section->name == right.section->name &&
            left.section->body == right.section->body) ||
           differ("sections '" + left.section->name + "' and '" +
                      right.section->name + "'",
                  {}, {});
  case ModuleItem::Kind::Pragma:
    return same(left.pragma, right.pragma);
  case ModuleItem::Kind::Alias:
    return *left.alias == *right.alias || differ("aliases", {}, {});
  }
  return true;
}

bool Comparer::compare(const Module &left, const Module &right) {
  if (left.version != right.version || left.target != right.target ||
      left.targetOptions != right.targetOptions ||
      left.addressSize != right.addressSize)
    return differ("versions, targets or address sizes", {}, {});
  return all(ArrayRef(left.items), ArrayRef(right.items), "items of the module",
             {}, {});
}

std::string tirx::ptx::findDifference(const Module &left, const Module &right) {
  Comparer comparer;
  comparer.compare(left, right);
  return comparer.difference;
}
