//===- RegisterRow.h - the registers of one thread --------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_LIB_CONVERSION_TIRXTONVVM_REGISTERROW_H
#define TIRX_LIB_CONVERSION_TIRXTONVVM_REGISTERROW_H

#include "TIRx/Conversion/TIRxToNVVM/Dispatch.h"

namespace tirx {

/// What a thread holds of a local buffer, one register after the other: a
/// buffer of rank 1.
mlir::Value getRegisterRow(mlir::OpBuilder &builder, mlir::Location loc,
                           mlir::Value buffer);

/// Whether a local buffer is such a row to each thread of `scope`: its
/// registers lie side by side, and its thread axes are those of the scope or,
/// for a thread, none.
mlir::LogicalResult matchRegisterRow(mlir::Value buffer, llvm::StringRef name,
                                     Scope scope, Reasons &reasons);

/// Whether the registers that a thread holds of a local buffer have no gaps.
mlir::LogicalResult matchRegistersSideBySide(mlir::Value buffer,
                                             llvm::StringRef name,
                                             Reasons &reasons);

/// The first register of a part of a local buffer, counted from the buffer's
/// first, if the part is laid out as `atom`.
std::optional<int64_t> findRegisterPart(mlir::Value buffer, const Layout &atom,
                                        llvm::ArrayRef<int64_t> offsets,
                                        llvm::ArrayRef<int64_t> sizes);

/// Whether both buffers place every element in the same register of the same
/// thread, counted from their first.
bool haveSameRegisters(mlir::Value lhs, mlir::Value rhs);

/// 32 bits of a register row, from element `first` on: an i32 where several
/// elements share them, else the element.
mlir::Value loadRegisterWord(mlir::OpBuilder &builder, mlir::Location loc,
                             mlir::Value row, int64_t first);
void storeRegisterWord(mlir::OpBuilder &builder, mlir::Location loc,
                       mlir::Value row, int64_t first, mlir::Value word);

} // namespace tirx

#endif // TIRX_LIB_CONVERSION_TIRXTONVVM_REGISTERROW_H
