//===- RegisterValue.h - registers for people -------------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_SIMULATOR_REGISTERVALUE_H
#define TIRX_SIMULATOR_REGISTERVALUE_H

#include "TIRx/Simulator/Program.h"

namespace tirx::sim {

/// The bits of a register in one lane, those above 64 second. `registers` is
/// the register file of the frame.
std::array<uint64_t, 2> readRegister(const uint8_t *registers,
                                     const NamedRegister &reg, unsigned lane);

/// A value as its type says: numbers for integers and floats ("-5", "0.1"), 0
/// or 1 for predicates, pairs for packed halves, else hexadecimal.
std::string formatValue(std::array<uint64_t, 2> bits, llvm::StringRef type,
                        unsigned width);

/// The values of all lanes in `lanes`: one when they agree, else 32 places in
/// brackets, "-" for the other lanes.
std::string formatRegister(const uint8_t *registers, const NamedRegister &reg,
                           uint32_t lanes);

} // namespace tirx::sim

#endif // TIRX_SIMULATOR_REGISTERVALUE_H
