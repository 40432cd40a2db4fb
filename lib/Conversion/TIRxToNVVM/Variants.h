//===- Variants.h - the dispatch variants of this library -------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_LIB_CONVERSION_TIRXTONVVM_VARIANTS_H
#define TIRX_LIB_CONVERSION_TIRXTONVVM_VARIANTS_H

#include "TIRx/Conversion/TIRxToNVVM/Dispatch.h"

namespace tirx {

/// copy: vector loads and stores between global, shared and registers.
std::unique_ptr<DispatchVariant> createCopyVectorized();
/// copy: between memory and a tile spread over the registers of threads.
std::unique_ptr<DispatchVariant> createCopyFragment();
/// copy_async: tensor memory to registers.
std::unique_ptr<DispatchVariant> createCopyTcgen05Ld();
/// copy_async: boxes of a tensor between global and shared memory.
std::unique_ptr<DispatchVariant> createCopyTma();
/// copy_async: chunks from global to shared memory by each thread.
std::unique_ptr<DispatchVariant> createCopyCpAsync();
/// gemm: mma.sync on fragments in registers.
std::unique_ptr<DispatchVariant> createGemmMmaSync();
/// gemm_async: tcgen05.mma on shared-memory operands.
std::unique_ptr<DispatchVariant> createGemmTcgen05();
/// gemm_async: wgmma on accumulators in registers.
std::unique_ptr<DispatchVariant> createGemmWgmma();
/// fill: vector stores to global and shared memory.
std::unique_ptr<DispatchVariant> createFillMemory();
/// fill and all ops of arithmetic: in registers.
void addElementwiseRegisters(DispatchRegistry &registry);
/// cast: in registers.
std::unique_ptr<DispatchVariant> createCastRegisters();

} // namespace tirx

#endif // TIRX_LIB_CONVERSION_TIRXTONVVM_VARIANTS_H
