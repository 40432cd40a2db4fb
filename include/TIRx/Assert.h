//===- Assert.h - this project's assertions ---------------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// TIRX_ASSERT states an invariant of our own code. It is on in the `debug`
// preset and independent of NDEBUG, because LLVM's headers change their ABI
// with NDEBUG and must keep the setting of the packaged LLVM. No assertion may
// be reachable from user input.
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_ASSERT_H
#define TIRX_ASSERT_H

#ifdef TIRX_ENABLE_ASSERTIONS
#include <cstdio>
#include <cstdlib>
#define TIRX_ASSERT(condition, message)                                        \
  do {                                                                         \
    if (!(condition)) {                                                        \
      std::fprintf(stderr, "%s:%d: assertion failed: %s (%s)\n", __FILE__,     \
                   __LINE__, #condition, message);                             \
      std::abort();                                                            \
    }                                                                          \
  } while (false)
#else
#define TIRX_ASSERT(condition, message) ((void)0)
#endif

#endif // TIRX_ASSERT_H
