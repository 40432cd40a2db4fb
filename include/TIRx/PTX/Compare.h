//===- Compare.h - are two trees of PTX text the same? ----------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_PTX_COMPARE_H
#define TIRX_PTX_COMPARE_H

#include "TIRx/PTX/AST.h"
#include <string>

namespace tirx::ptx {

/// What differs first between two modules, with the lines on both sides, or ""
/// if they are the same. Compares all that the trees say, also what each name
/// is bound to, and neither where it stands in the text nor
/// Instruction::resolved. Law: a module and what the printer makes of it,
/// parsed again, are the same.
std::string findDifference(const Module &left, const Module &right);

} // namespace tirx::ptx

#endif // TIRX_PTX_COMPARE_H
