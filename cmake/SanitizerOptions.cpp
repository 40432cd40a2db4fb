//===- SanitizerOptions.cpp - defaults of AddressSanitizer ----------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM and MLIR are packaged without the sanitizer, and our code inlines parts
// of their allocators and containers: what one side poisons the other does not
// unpoison. Uniqued attributes and types are never freed on purpose.
//
//===----------------------------------------------------------------------===//

// The name is the sanitizer's. NOLINTBEGIN(bugprone-reserved-identifier)
extern "C" const char *__asan_default_options();
extern "C" const char *__asan_default_options() {
  return "detect_leaks=0:detect_container_overflow=0:allow_user_poisoning=0";
}
// NOLINTEND(bugprone-reserved-identifier)
