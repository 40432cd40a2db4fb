//===- ScopeThreads.h - the threads of a scope share work -------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_LIB_CONVERSION_TIRXTONVVM_SCOPETHREADS_H
#define TIRX_LIB_CONVERSION_TIRXTONVVM_SCOPETHREADS_H

#include "TIRx/Conversion/TIRxToNVVM/Dispatch.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace tirx {

/// How many threads execute an op of this scope together.
int64_t getNumThreads(Scope scope, const DispatchContext &context);

/// The id of the thread in the scope; null for a single thread.
mlir::Value getThreadInScope(mlir::OpBuilder &builder, mlir::Location loc,
                             Scope scope);

/// Deals chunks 0 to `chunks` - 1 to the threads of the scope in turns; `body`
/// gets the number of a chunk.
void emitChunks(mlir::OpBuilder &builder, mlir::Location loc, Scope scope,
                const DispatchContext &context, int64_t chunks,
                llvm::function_ref<void(mlir::OpBuilder &, mlir::Value)> body);

} // namespace tirx

#endif // TIRX_LIB_CONVERSION_TIRXTONVVM_SCOPETHREADS_H
