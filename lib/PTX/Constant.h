//===- Constant.h - numbers and constant expressions ------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_LIB_PTX_CONSTANT_H
#define TIRX_LIB_PTX_CONSTANT_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>

namespace tirx::ptx {

/// A number: 64-bit integers, and floats of 32 or 64 bits (PTX ISA 4.5).
struct Constant {
  enum Kind : uint8_t { S64, U64, F32, F64 };
  Kind kind = S64;
  uint64_t bits = 0;

  bool isFloat() const { return kind == F32 || kind == F64; }
  bool isTrue() const { return bits != 0; }
  double toDouble() const;
};

/// Reads a literal ("0x1F", "017", "0b11", "42U", "0f3F800000", "1.5e3").
/// Returns what is wrong with it, or "".
llvm::StringRef parseLiteral(llvm::StringRef text, Constant &result);

/// `op` is one of the unary operators + - ! ~. Returns what is wrong, or "".
llvm::StringRef applyUnary(char op, Constant &value);
/// Any binary operator of PTX. Returns what is wrong, or "".
llvm::StringRef applyBinary(llvm::StringRef op, Constant &left,
                            const Constant &right);
/// 0 where `op` is no binary operator; higher binds tighter.
unsigned precedence(llvm::StringRef op);

} // namespace tirx::ptx

#endif // TIRX_LIB_PTX_CONSTANT_H
