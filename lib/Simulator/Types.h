//===- Types.h - operand types of PTX ---------------------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_LIB_SIMULATOR_TYPES_H
#define TIRX_LIB_SIMULATOR_TYPES_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>

namespace tirx::sim {

enum class Type : uint8_t {
  Pred,
  B8,
  B16,
  B32,
  B64,
  B128,
  U8,
  U16,
  U32,
  U64,
  S8,
  S16,
  S32,
  S64,
  U16x2,
  S16x2,
  F16,
  F16x2,
  BF16,
  BF16x2,
  TF32,
  F32,
  F32x2,
  F64,
  E4M3x2,
  E5M2x2,
  E2M3x2,
  E3M2x2,
  E2M1x2,
  UE8M0x2,
  E4M3x4,
  E5M2x4,
  E2M3x4,
  E3M2x4,
  E2M1x4,
};

/// The type that a modifier such as "u32" names, if it is one.
std::optional<Type> parseType(llvm::StringRef modifier);

constexpr unsigned bitsOf(Type type) {
  switch (type) {
  case Type::Pred:
    return 1;
  case Type::B8:
  case Type::U8:
  case Type::S8:
  case Type::E2M1x2:
    return 8;
  case Type::B16:
  case Type::U16:
  case Type::S16:
  case Type::F16:
  case Type::BF16:
  case Type::E4M3x2:
  case Type::E5M2x2:
  case Type::E2M3x2:
  case Type::E3M2x2:
  case Type::UE8M0x2:
  case Type::E2M1x4:
    return 16;
  case Type::B32:
  case Type::U32:
  case Type::S32:
  case Type::U16x2:
  case Type::S16x2:
  case Type::F16x2:
  case Type::BF16x2:
  case Type::TF32:
  case Type::F32:
  case Type::E4M3x4:
  case Type::E5M2x4:
  case Type::E2M3x4:
  case Type::E3M2x4:
    return 32;
  case Type::B64:
  case Type::U64:
  case Type::S64:
  case Type::F32x2:
  case Type::F64:
    return 64;
  case Type::B128:
    return 128;
  }
  return 0;
}

constexpr bool isSigned(Type type) {
  return type == Type::S8 || type == Type::S16 || type == Type::S32 ||
         type == Type::S64;
}
constexpr bool isUnsigned(Type type) {
  return type == Type::U8 || type == Type::U16 || type == Type::U32 ||
         type == Type::U64;
}
constexpr bool isInteger(Type type) {
  return isSigned(type) || isUnsigned(type);
}
constexpr bool isFloat(Type type) {
  return type >= Type::F16 && type <= Type::F64;
}

} // namespace tirx::sim

#endif // TIRX_LIB_SIMULATOR_TYPES_H
