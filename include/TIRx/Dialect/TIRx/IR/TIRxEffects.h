//===- TIRxEffects.h - resources of memory effects --------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// One resource for each memory space, so that upstream analyses see that, say,
// a copy within registers does not touch shared memory.
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_DIALECT_TIRX_IR_TIRXEFFECTS_H
#define TIRX_DIALECT_TIRX_IR_TIRXEFFECTS_H

#include "TIRx/Dialect/TIRx/IR/TIRxDialect.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace tirx {

#define TIRX_RESOURCE(NAME, TEXT)                                              \
  struct NAME : ::mlir::SideEffects::Resource::Base<NAME> {                    \
    MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(NAME)                         \
    ::llvm::StringRef getName() final { return TEXT; }                         \
  }

TIRX_RESOURCE(GlobalMemory, "tirx.global");
TIRX_RESOURCE(SharedMemory, "tirx.shared");
TIRX_RESOURCE(TensorMemory, "tirx.tmem");
TIRX_RESOURCE(RegisterMemory, "tirx.local");
/// The order of allocations in the shared-memory pool.
TIRX_RESOURCE(PoolOrder, "tirx.pool");

#undef TIRX_RESOURCE

/// The resource of a memory space.
::mlir::SideEffects::Resource *getResource(MemorySpace space);

/// Read and write effects on all memory: what orders memory (a barrier, a wait)
/// or has effects that the IR does not describe.
void addAllMemoryEffects(
    ::llvm::SmallVectorImpl<
        ::mlir::SideEffects::EffectInstance<::mlir::MemoryEffects::Effect>>
        &effects);

} // namespace tirx

#endif // TIRX_DIALECT_TIRX_IR_TIRXEFFECTS_H
