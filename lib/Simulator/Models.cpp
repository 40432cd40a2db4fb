//===- Models.cpp - the table of models -----------------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"
#include "llvm/ADT/StringSwitch.h"
#include <cstdlib>

using namespace tirx::sim;

namespace {
enum class Simd { Baseline, Avx2, Avx512 };
} // namespace

#ifdef TIRX_SIMD_VARIANTS
namespace tirx::sim {
namespace avx2 {
TIRX_DECLARE_SIMD_FAMILIES
} // namespace avx2
namespace avx512 {
TIRX_DECLARE_SIMD_FAMILIES
} // namespace avx512
} // namespace tirx::sim

/// What the host has, or less when TIRX_SIMD says so.
static Simd chooseSimd() {
  Simd best = Simd::Baseline;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
      __builtin_cpu_supports("f16c") && __builtin_cpu_supports("bmi") &&
      __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("lzcnt"))
    best = Simd::Avx2;
  if (best == Simd::Avx2 && __builtin_cpu_supports("avx512f") &&
      __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512cd"))
    best = Simd::Avx512;
  const char *wish = std::getenv("TIRX_SIMD");
  return std::min(best, llvm::StringSwitch<Simd>(wish ? wish : "")
                            .Case("baseline", Simd::Baseline)
                            .Case("avx2", Simd::Avx2)
                            .Default(Simd::Avx512));
}
#else
static Simd chooseSimd() { return Simd::Baseline; }
#endif

#define TIRX_ADD_SIMD_FAMILIES(ISA)                                            \
  ISA::addIntegerModels(models);                                               \
  ISA::addPackedIntegerModels(models);                                         \
  ISA::addLogicModels(models);                                                 \
  ISA::addFloatModels(models);                                                 \
  ISA::addApproximateModels(models);                                           \
  ISA::addCompareModels(models);                                               \
  ISA::addVideoModels(models);                                                 \
  ISA::addConversionModels(models)

static ModelTable makeModels() {
  ModelTable models;
  switch (chooseSimd()) {
#ifdef TIRX_SIMD_VARIANTS
  case Simd::Avx512:
    TIRX_ADD_SIMD_FAMILIES(avx512);
    break;
  case Simd::Avx2:
    TIRX_ADD_SIMD_FAMILIES(avx2);
    break;
#endif
  default:
    TIRX_ADD_SIMD_FAMILIES(baseline);
    break;
  }
  addMoveModels(models);
  addMemoryModels(models);
  addAtomicModels(models);
  addControlModels(models);
  addCallModels(models);
  addStackModels(models);
  addWarpModels(models);
  addSyncModels(models);
  addMBarrierModels(models);
  addCopyAsyncModels(models);
  addMatrixModels(models);
  addMmaModels(models);
  addWmmaModels(models);
  addBulkCopyModels(models);
  addTensorCopyModels(models);
  addTensorModels(models);
  addTensorMemoryModels(models);
  addWgmmaModels(models);
  addRegisterPoolModels(models);
  addGridDependencyModels(models);
  addClusterLaunchModels(models);
  return models;
}

const ModelTable &tirx::sim::getModels() {
  static const ModelTable table = makeModels();
  return table;
}
