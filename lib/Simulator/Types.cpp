//===- Types.cpp - operand types of PTX -----------------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Types.h"
#include "llvm/ADT/StringSwitch.h"

using namespace tirx::sim;

std::optional<Type> tirx::sim::parseType(llvm::StringRef modifier) {
  return llvm::StringSwitch<std::optional<Type>>(modifier)
      .Case("pred", Type::Pred)
      .Case("b8", Type::B8)
      .Case("b16", Type::B16)
      .Case("b32", Type::B32)
      .Case("b64", Type::B64)
      .Case("b128", Type::B128)
      .Case("u8", Type::U8)
      .Case("u16", Type::U16)
      .Case("u32", Type::U32)
      .Case("u64", Type::U64)
      .Case("s8", Type::S8)
      .Case("s16", Type::S16)
      .Case("s32", Type::S32)
      .Case("s64", Type::S64)
      .Case("u16x2", Type::U16x2)
      .Case("s16x2", Type::S16x2)
      .Case("f16", Type::F16)
      .Case("f16x2", Type::F16x2)
      .Case("bf16", Type::BF16)
      .Case("bf16x2", Type::BF16x2)
      .Case("tf32", Type::TF32)
      .Case("f32", Type::F32)
      .Case("f32x2", Type::F32x2)
      .Case("f64", Type::F64)
      .Case("e4m3x2", Type::E4M3x2)
      .Case("e5m2x2", Type::E5M2x2)
      .Case("e2m3x2", Type::E2M3x2)
      .Case("e3m2x2", Type::E3M2x2)
      .Case("e2m1x2", Type::E2M1x2)
      .Case("ue8m0x2", Type::UE8M0x2)
      .Case("e4m3x4", Type::E4M3x4)
      .Case("e5m2x4", Type::E5M2x4)
      .Case("e2m3x4", Type::E2M3x4)
      .Case("e3m2x4", Type::E3M2x4)
      .Case("e2m1x4", Type::E2M1x4)
      .Default(std::nullopt);
}
