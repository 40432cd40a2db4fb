//===- InstructionBits.h - fields of instruction descriptors ----*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the two forms of tcgen05 instruction descriptors share.
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_LIB_LAYOUT_INSTRUCTIONBITS_H
#define TIRX_LIB_LAYOUT_INSTRUCTIONBITS_H

#include "CheckedMath.h"
#include "TIRx/Layout/Descriptors.h"

namespace tirx {

/// A type of A or B, and its code in the descriptor (PTX ISA 9.7.16.4.2, rows
/// atype and btype).
struct TypeCode {
  MmaType type;
  unsigned code;
};

/// Of the kinds f8f6f4 and mxf8f6f4.
inline constexpr TypeCode kNarrowCodes[] = {{MmaType::E4M3, 0},
                                            {MmaType::E5M2, 1},
                                            {MmaType::E2M3, 3},
                                            {MmaType::E3M2, 4},
                                            {MmaType::E2M1, 5}};

/// "e4m3, e5m2, ...".
inline std::string listTypes(llvm::ArrayRef<TypeCode> codes) {
  std::string names;
  for (const TypeCode &entry : codes)
    names += (names.empty() ? "" : ", ") + getName(entry.type).str();
  return names;
}

/// The code of operand `name` ("A", "B") in a kind (as messages call it) that
/// has `codes`.
inline llvm::Expected<uint32_t> encodeOperand(const char *name, MmaType type,
                                              const std::string &kind,
                                              llvm::ArrayRef<TypeCode> codes) {
  for (const TypeCode &entry : codes)
    if (entry.type == type)
      return entry.code;
  return makeError("expected operand " + llvm::Twine(name) + " of " + kind +
                   " to have one of the types " + listTypes(codes) + ", got " +
                   getName(type));
}

inline llvm::Expected<MmaType> decodeOperand(const char *name, unsigned code,
                                             const std::string &kind,
                                             llvm::ArrayRef<TypeCode> codes) {
  for (const TypeCode &entry : codes)
    if (entry.code == code)
      return entry.type;
  return makeError("expected the format of operand " + llvm::Twine(name) +
                   " of " + kind + " to be the code of one of " +
                   listTypes(codes) + ", got " + llvm::Twine(code));
}

/// A size that its field counts in `unit`s.
inline llvm::Expected<uint32_t> encodeSize(const char *name, int64_t size,
                                           int64_t unit, int64_t limit) {
  if (size > 0 && size <= limit && size % unit == 0)
    return size / unit;
  return makeError("expected " + llvm::Twine(name) + " to be a multiple of " +
                   llvm::Twine(unit) + " from " + llvm::Twine(unit) + " to " +
                   llvm::Twine(limit) + ", got " + llvm::Twine(size));
}

/// Bits [first, end).
inline uint32_t getField(uint32_t bits, unsigned first, unsigned end) {
  return bits >> first & llvm::maskTrailingOnes<uint32_t>(end - first);
}

} // namespace tirx

#endif // TIRX_LIB_LAYOUT_INSTRUCTIONBITS_H
