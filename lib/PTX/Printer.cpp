//===- Printer.cpp - from a tree to PTX text ------------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TIRx/PTX/Printer.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

using namespace tirx::ptx;
using llvm::raw_ostream;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Operands and instructions
//===----------------------------------------------------------------------===//

static void printFloat(uint64_t bits, unsigned width, raw_ostream &os) {
  os << (width == 32 ? "0f" : "0d");
  os << llvm::format_hex_no_prefix(bits, width / 4, /*Upper=*/true);
}

static void printOffset(const Operand &operand, raw_ostream &os) {
  if (operand.hasOffset)
    os << '+' << operand.value;
}

static void printElements(llvm::ArrayRef<Operand> elements, raw_ostream &os,
                          StringRef separator = ", ") {
  llvm::interleave(
      elements, os, [&](const Operand &element) { print(element, os); },
      separator);
}

/// `[base+16]`, `[map, {x, y}]`, `array[3]`.
static void printAddress(const Operand &operand, raw_ostream &os) {
  const Operand &base = operand.base();
  if (operand.subscript) {
    const Variable &array = *base.variable;
    int64_t size = byteSize(array.type) * array.vectorWidth;
    os << base.name << '[' << operand.value / size << ']';
    return;
  }
  os << '[';
  print(base, os);
  printOffset(operand, os);
  if (operand.elements.size() > 1) {
    os << ", ";
    printElements(operand.elements.drop_front(), os);
  }
  os << ']';
}

void tirx::ptx::print(const Operand &operand, raw_ostream &os) {
  switch (operand.kind) {
  case Operand::Kind::Register:
  case Operand::Kind::Special:
  case Operand::Kind::Symbol:
  case Operand::Kind::Function:
  case Operand::Kind::Label:
    if (operand.negated)
      os << (operand.kind == Operand::Kind::Register &&
                     operand.variable->type == ScalarType::pred
                 ? '!'
                 : '-');
    os << operand.name;
    if (!operand.suffix.empty())
      os << '.' << operand.suffix;
    printOffset(operand, os);
    return;
  case Operand::Kind::Integer:
    os << operand.value;
    return;
  case Operand::Kind::Float:
    printFloat(operand.value, operand.floatBits, os);
    return;
  case Operand::Kind::Address:
    printAddress(operand, os);
    return;
  case Operand::Kind::Vector:
    os << '{';
    printElements(operand.elements, os);
    os << '}';
    return;
  case Operand::Kind::Pair:
    printElements(operand.elements, os, "|");
    return;
  case Operand::Kind::List:
    os << '(';
    printElements(operand.elements, os);
    os << ')';
    return;
  case Operand::Kind::Sink:
    os << '_';
    return;
  }
}

void tirx::ptx::print(const Instruction &instruction, raw_ostream &os) {
  if (instruction.guard) {
    os << '@';
    print(*instruction.guard, os);
    os << ' ';
  }
  os << instruction.opcode;
  if (!instruction.operands.empty()) {
    os << ' ';
    printElements(instruction.operands, os);
  }
  os << ';';
}

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

namespace {

class ModulePrinter {
public:
  explicit ModulePrinter(raw_ostream &os) : os(os) {}
  void run(const Module &module);

private:
  raw_ostream &indent() { return os.indent(2 * depth); }
  void printPrefix(const Variable &variable);
  void printVariable(const Variable &variable);
  void printInitializer(const Variable &variable);
  void printList(const Variable &variable, llvm::ArrayRef<uint64_t> extents,
                 uint64_t start, llvm::ArrayRef<Initializer> &next);
  void printValue(const Initializer &value, ScalarType type);
  void printDeclaration(const Declaration &declaration);
  void printParameters(llvm::ArrayRef<const Variable *> parameters);
  void printFunction(const Function &function);
  void printDirective(const FunctionDirective &directive);
  void printBody(llvm::ArrayRef<const Statement *> body);
  void printStatement(const Statement &statement);
  void printLabel(const Label &label);
  void printLocation(const Location &location);
  void printPragma(const Pragma &pragma);
  void printItem(const ModuleItem &item);

  raw_ostream &os;
  unsigned depth = 0;
};

} // namespace

void ModulePrinter::printPrefix(const Variable &variable) {
  if (variable.linkage != Linkage::Internal)
    os << spelling(variable.linkage) << ' ';
  if (variable.isHidden)
    os << ".hidden ";
  os << '.' << spelling(variable.space) << ' ';
  if (!variable.attributes.empty())
    os << ".attribute(" << variable.attributes << ") ";
  if (variable.align)
    os << ".align " << variable.align << ' ';
  if (variable.vectorWidth > 1)
    os << ".v" << unsigned(variable.vectorWidth) << ' ';
  os << '.' << spelling(variable.type) << ' ';
  if (variable.isPointer) {
    os << ".ptr ";
    if (variable.pointerSpace != StateSpace::None)
      os << '.' << spelling(variable.pointerSpace) << ' ';
    if (variable.pointerAlign)
      os << ".align " << variable.pointerAlign << ' ';
  }
}

void ModulePrinter::printVariable(const Variable &variable) {
  os << variable.name;
  if (variable.rangeCount)
    os << '<' << variable.rangeCount << '>';
  for (int64_t dim : variable.dims) {
    os << '[';
    if (dim >= 0)
      os << dim;
    os << ']';
  }
  if (!variable.init.empty())
    printInitializer(variable);
}

void ModulePrinter::printValue(const Initializer &value, ScalarType type) {
  if (value.symbol.empty()) {
    if (type == ScalarType::f32 || type == ScalarType::f64)
      printFloat(value.bits, bitWidth(type), os);
    else
      os << value.bits;
    return;
  }
  if (value.mask)
    os << "0x" << llvm::utohexstr(value.mask) << '(';
  os << (value.generic ? "generic(" : "") << value.symbol
     << (value.generic ? ")" : "");
  if (value.bits)
    os << '+' << int64_t(value.bits);
  if (value.mask)
    os << ')';
}

/// The list of one level of braces, whose first element is `start`; `next` is
/// the first value not printed yet. Ends after the last value.
void ModulePrinter::printList(const Variable &variable,
                              llvm::ArrayRef<uint64_t> extents, uint64_t start,
                              llvm::ArrayRef<Initializer> &next) {
  uint64_t stride = 1;
  for (uint64_t extent : extents.drop_front())
    stride *= extent;
  os << '{';
  for (uint64_t i = 0; i != extents.front(); ++i) {
    uint64_t position = start + i * stride;
    if (next.empty() || next.front().index >= start + extents.front() * stride)
      break;
    os << (i ? ", " : "");
    if (extents.size() > 1) {
      printList(variable, extents.drop_front(), position, next);
    } else if (next.front().index == position) {
      printValue(next.front(), variable.type);
      next = next.drop_front();
    } else {
      printValue(Initializer(), variable.type);
    }
  }
  os << '}';
}

void ModulePrinter::printInitializer(const Variable &variable) {
  os << " = ";
  llvm::SmallVector<uint64_t, 4> extents(variable.dims.begin(),
                                         variable.dims.end());
  if (variable.vectorWidth > 1)
    extents.push_back(variable.vectorWidth);
  if (extents.empty())
    return printValue(variable.init.front(), variable.type);
  llvm::ArrayRef<Initializer> next = variable.init;
  printList(variable, extents, 0, next);
}

void ModulePrinter::printDeclaration(const Declaration &declaration) {
  indent();
  printPrefix(*declaration.variables.front());
  llvm::interleaveComma(
      declaration.variables, os,
      [&](const Variable *variable) { printVariable(*variable); });
  os << ";\n";
}

void ModulePrinter::printParameters(
    llvm::ArrayRef<const Variable *> parameters) {
  os << '(';
  llvm::interleaveComma(parameters, os, [&](const Variable *variable) {
    printPrefix(*variable);
    printVariable(*variable);
  });
  os << ')';
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

void ModulePrinter::printLabel(const Label &label) {
  os << label.name << ':';
  switch (label.role) {
  case Label::Role::Code:
    break;
  case Label::Role::BranchTargets:
  case Label::Role::CallTargets:
    os << (label.role == Label::Role::BranchTargets ? " .branchtargets "
                                                    : " .calltargets ");
    printElements(label.targets, os);
    os << ';';
    break;
  case Label::Role::CallPrototype:
    os << " .callprototype ";
    if (!label.returns.empty()) {
      printParameters(label.returns);
      os << ' ';
    }
    os << "_ ";
    printParameters(label.params);
    for (const FunctionDirective &directive : label.directives)
      printDirective(directive);
    os << ';';
    break;
  }
  os << '\n';
}

void ModulePrinter::printLocation(const Location &location) {
  indent() << ".loc " << location.file << ' ' << location.line << ' '
           << location.column;
  if (!location.rest.empty())
    os << ", " << location.rest;
  os << '\n';
}

void ModulePrinter::printPragma(const Pragma &pragma) {
  indent() << ".pragma ";
  llvm::interleaveComma(pragma.texts, os,
                        [&](StringRef text) { os << '"' << text << '"'; });
  os << ";\n";
}

void ModulePrinter::printStatement(const Statement &statement) {
  switch (statement.kind) {
  case Statement::Kind::Instruction:
    indent();
    print(llvm::cast<Instruction>(statement), os);
    os << '\n';
    return;
  case Statement::Kind::Label:
    return printLabel(llvm::cast<Label>(statement));
  case Statement::Kind::Declaration:
    return printDeclaration(llvm::cast<Declaration>(statement));
  case Statement::Kind::Block:
    indent();
    printBody(llvm::cast<Block>(statement).body);
    return;
  case Statement::Kind::Location:
    return printLocation(llvm::cast<Location>(statement));
  case Statement::Kind::Pragma:
    return printPragma(llvm::cast<Pragma>(statement));
  }
}

void ModulePrinter::printBody(llvm::ArrayRef<const Statement *> body) {
  os << "{\n";
  ++depth;
  for (const Statement *statement : body)
    printStatement(*statement);
  --depth;
  indent() << "}\n";
}

//===----------------------------------------------------------------------===//
// Functions and modules
//===----------------------------------------------------------------------===//

void ModulePrinter::printDirective(const FunctionDirective &directive) {
  os << "\n." << directive.name;
  if (directive.name == "pragma") {
    os << " \"" << directive.text << "\";";
    return;
  }
  if (!directive.values.empty())
    os << ' ';
  llvm::interleaveComma(directive.values, os);
}

void ModulePrinter::printFunction(const Function &function) {
  os << '\n';
  if (function.linkage != Linkage::Internal)
    os << spelling(function.linkage) << ' ';
  os << (function.isEntry ? ".entry " : ".func ");
  if (!function.attributes.empty())
    os << ".attribute(" << function.attributes << ") ";
  if (!function.returns.empty()) {
    printParameters(function.returns);
    os << ' ';
  }
  os << function.name << ' ';
  printParameters(function.params);
  for (const FunctionDirective &directive : function.directives)
    printDirective(directive);
  if (!function.isDefinition) {
    os << ";\n";
    return;
  }
  os << '\n';
  printBody(function.body);
}

void ModulePrinter::printItem(const ModuleItem &item) {
  switch (item.kind) {
  case ModuleItem::Kind::Variables:
    return printDeclaration(*item.declaration);
  case ModuleItem::Kind::Function:
    return printFunction(*item.function);
  case ModuleItem::Kind::File:
    os << ".file " << item.file->number << " \"" << item.file->path << '"'
       << item.file->rest << '\n';
    return;
  case ModuleItem::Kind::Section:
    os << ".section " << item.section->name << " {" << item.section->body
       << "}\n";
    return;
  case ModuleItem::Kind::Pragma:
    return printPragma(*item.pragma);
  case ModuleItem::Kind::Alias:
    os << ".alias " << (*item.alias)[0] << ", " << (*item.alias)[1] << ";\n";
    return;
  }
}

void ModulePrinter::run(const Module &module) {
  os << ".version " << module.version / 10 << '.' << module.version % 10
     << "\n.target " << module.target;
  for (StringRef option : module.targetOptions)
    os << ", " << option;
  os << "\n.address_size " << module.addressSize << '\n';
  for (const ModuleItem &item : module.items)
    printItem(item);
}

void tirx::ptx::print(const Module &module, raw_ostream &os) {
  ModulePrinter(os).run(module);
}
