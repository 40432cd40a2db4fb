//===- Simd.h - instruction sets of the host --------------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The files of the families whose loops run over lanes are compiled once for
// each instruction set, in a namespace of its own (CMakeLists.txt lists them);
// the table of models takes those that the host has when it is built. Behind
// its includes such a file has TIRX_SIMD_BEGIN, and TIRX_SIMD_END at its end:
// headers of others stay what they are for every host. Everything in between
// has internal linkage or is declared in the namespace, else the linker would
// take one of the copies for all.
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_LIB_SIMULATOR_SIMD_H
#define TIRX_LIB_SIMULATOR_SIMD_H

#define TIRX_PRAGMA(...) _Pragma(#__VA_ARGS__)

// clang-format off
#if defined(TIRX_SIMD_AVX512)
#define TIRX_SIMD_NAMESPACE avx512
#define TIRX_SIMD_BEGIN                                                        \
  TIRX_PRAGMA(clang attribute push(__attribute__((target(                      \
      "avx512f,avx512bw,avx512dq,avx512vl,avx512cd,"                           \
      "avx2,fma,f16c,bmi,bmi2,lzcnt,popcnt"))), apply_to = function))
#define TIRX_SIMD_END TIRX_PRAGMA(clang attribute pop)
#elif defined(TIRX_SIMD_AVX2)
#define TIRX_SIMD_NAMESPACE avx2
#define TIRX_SIMD_BEGIN                                                        \
  TIRX_PRAGMA(clang attribute push(__attribute__((target(                      \
      "avx2,fma,f16c,bmi,bmi2,lzcnt,popcnt"))), apply_to = function))
#define TIRX_SIMD_END TIRX_PRAGMA(clang attribute pop)
#else
#define TIRX_SIMD_NAMESPACE baseline
#define TIRX_SIMD_BEGIN
#define TIRX_SIMD_END
#endif
// clang-format on

#endif // TIRX_LIB_SIMULATOR_SIMD_H
