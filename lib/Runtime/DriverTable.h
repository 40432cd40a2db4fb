//===- DriverTable.h - functions of the CUDA driver -------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_LIB_RUNTIME_DRIVERTABLE_H
#define TIRX_LIB_RUNTIME_DRIVERTABLE_H

#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"
#include <cstddef>
#include <cstdint>

namespace tirx::runtime {

/// One attribute of a launch: a number that says which, padding to 8 bytes and
/// a union of 64 bytes.
struct LaunchAttribute {
  uint32_t id = 0;
  uint32_t padding = 0;
  uint32_t value[16] = {};
};
static_assert(sizeof(LaunchAttribute) == 72, "as in the driver's interface");

inline constexpr uint32_t kAttributeCooperative = 2;
inline constexpr uint32_t kAttributeCluster = 4;
inline constexpr uint32_t kAttributeProgrammatic = 6;

/// The driver's CUlaunchConfig.
struct RawLaunchConfig {
  unsigned grid[3], block[3];
  unsigned sharedBytes;
  void *stream;
  LaunchAttribute *attributes;
  unsigned attributeCount;
};

// NAME, the symbol's name, its parameters. Those of OPTIONAL may be absent in
// older drivers.
#define TIRX_DRIVER_FUNCTIONS(REQUIRED, OPTIONAL)                              \
  REQUIRED(init, "cuInit", (unsigned))                                         \
  REQUIRED(driverGetVersion, "cuDriverGetVersion", (int *))                    \
  REQUIRED(getErrorName, "cuGetErrorName", (int, const char **))               \
  REQUIRED(getErrorString, "cuGetErrorString", (int, const char **))           \
  REQUIRED(deviceGetCount, "cuDeviceGetCount", (int *))                        \
  REQUIRED(deviceGet, "cuDeviceGet", (int *, int))                             \
  REQUIRED(deviceGetName, "cuDeviceGetName", (char *, int, int))               \
  REQUIRED(deviceGetAttribute, "cuDeviceGetAttribute", (int *, int, int))      \
  REQUIRED(deviceTotalMem, "cuDeviceTotalMem_v2", (size_t *, int))             \
  REQUIRED(primaryRetain, "cuDevicePrimaryCtxRetain", (void **, int))          \
  REQUIRED(primaryRelease, "cuDevicePrimaryCtxRelease_v2", (int))              \
  REQUIRED(ctxSetCurrent, "cuCtxSetCurrent", (void *))                         \
  REQUIRED(ctxSynchronize, "cuCtxSynchronize", ())                             \
  REQUIRED(ctxEnablePeer, "cuCtxEnablePeerAccess", (void *, unsigned))         \
  REQUIRED(memAlloc, "cuMemAlloc_v2", (uint64_t *, size_t))                    \
  REQUIRED(memFree, "cuMemFree_v2", (uint64_t))                                \
  REQUIRED(copyHtoD, "cuMemcpyHtoD_v2", (uint64_t, const void *, size_t))      \
  REQUIRED(copyDtoH, "cuMemcpyDtoH_v2", (void *, uint64_t, size_t))            \
  REQUIRED(moduleLoad, "cuModuleLoadDataEx",                                   \
           (void **, const void *, unsigned, int *, void **))                  \
  REQUIRED(moduleUnload, "cuModuleUnload", (void *))                           \
  REQUIRED(moduleGetFunction, "cuModuleGetFunction",                           \
           (void **, void *, const char *))                                    \
  REQUIRED(funcGetAttribute, "cuFuncGetAttribute", (int *, int, void *))       \
  REQUIRED(funcSetAttribute, "cuFuncSetAttribute", (void *, int, int))         \
  REQUIRED(streamCreate, "cuStreamCreate", (void **, unsigned))                \
  REQUIRED(streamDestroy, "cuStreamDestroy_v2", (void *))                      \
  REQUIRED(eventCreate, "cuEventCreate", (void **, unsigned))                  \
  REQUIRED(eventDestroy, "cuEventDestroy_v2", (void *))                        \
  REQUIRED(eventRecord, "cuEventRecord", (void *, void *))                     \
  REQUIRED(eventSynchronize, "cuEventSynchronize", (void *))                   \
  REQUIRED(eventElapsed, "cuEventElapsedTime", (float *, void *, void *))      \
  OPTIONAL(launchKernelEx, "cuLaunchKernelEx",                                 \
           (const RawLaunchConfig *, void *, void **, void **))                \
  OPTIONAL(moduleFunctionCount, "cuModuleGetFunctionCount",                    \
           (unsigned *, void *))                                               \
  OPTIONAL(moduleFunctions, "cuModuleEnumerateFunctions",                      \
           (void **, unsigned, void *))                                        \
  OPTIONAL(funcGetName, "cuFuncGetName", (const char **, void *))              \
  OPTIONAL(funcGetParam, "cuFuncGetParamInfo",                                 \
           (void *, size_t, size_t *, size_t *))                               \
  OPTIONAL(encodeTiled, "cuTensorMapEncodeTiled",                              \
           (void *, int, uint32_t, void *, const uint64_t *, const uint64_t *, \
            const uint32_t *, const uint32_t *, int, int, int, int))           \
  OPTIONAL(encodeIm2col, "cuTensorMapEncodeIm2col",                            \
           (void *, int, uint32_t, void *, const uint64_t *, const uint64_t *, \
            const int *, const int *, uint32_t, uint32_t, const uint32_t *,    \
            int, int, int, int))                                               \
  OPTIONAL(encodeIm2colWide, "cuTensorMapEncodeIm2colWide",                    \
           (void *, int, uint32_t, void *, const uint64_t *, const uint64_t *, \
            int, int, uint32_t, uint32_t, const uint32_t *, int, int, int,     \
            int, int))

struct DriverTable {
#define TIRX_DECLARE(NAME, SYMBOL, PARAMETERS) int(*NAME) PARAMETERS = nullptr;
  TIRX_DRIVER_FUNCTIONS(TIRX_DECLARE, TIRX_DECLARE)
#undef TIRX_DECLARE

  /// Success, or "WHAT: CUDA_ERROR_...: the driver's words".
  llvm::Error check(int status, const llvm::Twine &what) const;
  /// An error for an optional function that this driver lacks.
  static llvm::Error missing(llvm::StringRef symbol);
};

} // namespace tirx::runtime

#endif // TIRX_LIB_RUNTIME_DRIVERTABLE_H
