//===- Printer.h - from a tree to PTX text ----------------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_PTX_PRINTER_H
#define TIRX_PTX_PRINTER_H

#include "TIRx/PTX/AST.h"
#include "llvm/Support/raw_ostream.h"

namespace tirx::ptx {

/// Prints a module so that parsing it gives the same tree: names, opcodes and
/// order as they were, numbers and white space in one form, no comments.
void print(const Module &module, llvm::raw_ostream &os);
void print(const Instruction &instruction, llvm::raw_ostream &os);
void print(const Operand &operand, llvm::raw_ostream &os);

} // namespace tirx::ptx

#endif // TIRX_PTX_PRINTER_H
