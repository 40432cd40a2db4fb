//===- Variants.cpp - the dispatch variants of this library ---------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Variants.h"

namespace tirx {

void registerBuiltinVariants(DispatchRegistry &registry) {
  registry.insert(createCopyVectorized());
  registry.insert(createCopyFragment());
  registry.insert(createCopyTcgen05Ld());
  registry.insert(createCopyTma());
  registry.insert(createCopyCpAsync());
  registry.insert(createGemmMmaSync());
  registry.insert(createGemmTcgen05());
  registry.insert(createGemmWgmma());
  registry.insert(createFillMemory());
  addElementwiseRegisters(registry);
  registry.insert(createCastRegisters());
}

} // namespace tirx
