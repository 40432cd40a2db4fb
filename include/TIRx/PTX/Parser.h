//===- Parser.h - from PTX text to a tree -----------------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_PTX_PARSER_H
#define TIRX_PTX_PARSER_H

#include "TIRx/PTX/AST.h"
#include "TIRx/PTX/Table.h"
#include <memory>

namespace tirx::ptx {

/// The newest .version whose directives and instructions are known, as
/// Module::version. Newer text is parsed; what is new in it is an error that
/// names the version.
constexpr unsigned kNewestVersion = 90;

/// What an error about something unknown adds where the module is newer than
/// kNewestVersion: "; .version 9.3 is newer than 9.0, the newest that is
/// known"; else "".
std::string describeNewerVersion(const Module &module);

/// Parses PTX text (of which the module keeps a copy) and binds its names.
/// After an error it goes on with the next statement, until `diagnostics` is
/// full. Returns null if there were errors.
///
/// Opcodes are not looked at: see resolveModule.
std::unique_ptr<Module> parseModule(llvm::StringRef text,
                                    llvm::StringRef fileName,
                                    Diagnostics &diagnostics);

/// Looks every instruction up in the table (Instruction::resolved) and checks
/// the number, kinds and types of its operands and its guard. Returns false,
/// and reports, if one is wrong; those keep a null `resolved` where the table
/// does not know them.
bool resolveModule(Module &module, Diagnostics &diagnostics);

/// The spec of each operand of a resolved instruction, in the order of the
/// text: `operands` less the optional ones that are left out.
llvm::SmallVector<OperandSpec, 8> matchOperands(const Instruction &instruction,
                                                unsigned addressSize);

/// resolveModule, and the target: each instruction must exist on the module's
/// .target in its .version.
bool verifyModule(Module &module, Diagnostics &diagnostics);

} // namespace tirx::ptx

#endif // TIRX_PTX_PARSER_H
