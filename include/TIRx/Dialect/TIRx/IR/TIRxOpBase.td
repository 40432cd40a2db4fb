//===----------------------------------------------------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Base classes of ops, and the text that several of them share.

#ifndef TIRX_OP_BASE
#define TIRX_OP_BASE

include "TIRx/Dialect/TIRx/IR/TIRxAttributes.td"
include "TIRx/Dialect/TIRx/IR/TIRxEnums.td"
include "TIRx/Dialect/TIRx/IR/TIRxInterfaces.td"
include "TIRx/Dialect/TIRx/IR/TIRxTypes.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Dialect/LLVMIR/LLVMTypes.td"

class TIRx_Op<string mnemonic, list<Trait> traits = []>
    : Op<TIRx_Dialect, mnemonic, traits>;

// Ops whose effects depend on the memory spaces of their operands.
defvar TIRx_HasEffects = DeclareOpInterfaceMethods<MemoryEffectsOpInterface>;

// Waits, fences, barriers and collectives read and write all memory, so that no
// pass moves, merges or drops them (lib/Dialect/TIRx/IR/Effects.cpp).
defvar TIRx_OrdersAllMemory = DeclareOpInterfaceMethods<MemoryEffectsOpInterface>;

// The op states its scope as an attribute called `scope`.
defvar TIRx_Scoped = DeclareOpInterfaceMethods<TIRx_ScopedOpInterface>;
defvar TIRx_ScopedSingleIssue =
    DeclareOpInterfaceMethods<TIRx_ScopedOpInterface, ["isSingleIssue"]>;

#endif // TIRX_OP_BASE
