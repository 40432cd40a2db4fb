//===- TIRx.h - TIRx from C and other languages --------------------*- C
//-*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compile kernels to any level, run them on the simulator, ask for operations
// on layouts, list instructions. The Python package uses nothing else.
//
// Texts go in as pointer and length (they need not end in a zero byte) and are
// UTF-8. What comes out is a result: named parts, texts or bytes, that belong
// to it until it is destroyed. Structured parts are JSON. No function throws,
// exits or prints; what went wrong is in the part "diagnostics" or "error".
//
// A context and a module may be used by one thread at a time; different ones by
// different threads.
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_C_TIRX_H
#define TIRX_C_TIRX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define TIRX_EXPORTED __attribute__((visibility("default")))
#else
#define TIRX_EXPORTED
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TirxString {
  const char *data;
  size_t length;
} TirxString;

/// The version of the library, "0.1.0".
TIRX_EXPORTED TirxString tirxGetVersion(void);

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

typedef struct TirxResult TirxResult;

TIRX_EXPORTED bool tirxResultSucceeded(const TirxResult *result);
/// A part by name; data is null when the result has no such part.
TIRX_EXPORTED TirxString tirxResultGet(const TirxResult *result,
                                       const char *part);
TIRX_EXPORTED void tirxResultDestroy(TirxResult *result);

//===----------------------------------------------------------------------===//
// Compiling
//===----------------------------------------------------------------------===//

/// Loaded dialects. Making one takes milliseconds, so keep it.
typedef struct TirxContext TirxContext;

TIRX_EXPORTED TirxContext *tirxContextCreate(void);
TIRX_EXPORTED void tirxContextDestroy(TirxContext *context);

/// Compiles a module in MLIR's text. `options` is a JSON object, or empty:
///
///   "name": "k.mlir"        what diagnostics call the source
///   "target": "sm_100a"     default: the #nvvm.target of the gpu.module
///   "levels": ["ptx"]       of tile, instruction, nvvm, llvm, ptx, cubin
///   "remarks": false        which dispatch variant serves each tile op
///   "report": false         resources; runs ptxas if there is one
///   "view": false           a page with all levels side by side, and no more
///   "title": ""             the page's; default: the name
///   "ptxas": ""             its path; default: CUDA_HOME, CUDA_PATH, PATH
///
/// Parts: each level by its name; "models", where registered instructions need
/// PTX functions; "view" (HTML); "metadata" (JSON, as K.meta.json); "report"
/// (text); "resources" (JSON, by kernel); "timing" (JSON, milliseconds by
/// part); "diagnostics" (JSON list of {severity, message, file, line, column,
/// notes, calls}, with errors when it failed).
TIRX_EXPORTED TirxResult *tirxCompile(TirxContext *context, TirxString source,
                                      TirxString options);

/// Part "operations": a JSON list of the names of the ops of the dialect.
TIRX_EXPORTED TirxResult *tirxListOperations(TirxContext *context);

//===----------------------------------------------------------------------===//
// Simulating
//===----------------------------------------------------------------------===//

/// PTX, parsed and decoded.
typedef struct TirxModule TirxModule;

/// Parses PTX of any compiler. `name` is for reports; `models` (or empty) has
/// functions for registered instructions. Null on failure, and then `*failure`
/// is a result whose part "error" says why, one line a fault.
TIRX_EXPORTED TirxModule *tirxModuleLoad(TirxString ptx, TirxString name,
                                         TirxString models,
                                         TirxResult **failure);
TIRX_EXPORTED void tirxModuleDestroy(TirxModule *module);
/// Part "kernels": a JSON list of {name, parameters: [{name, offset, size,
/// align}], block, cluster, shared}.
TIRX_EXPORTED TirxResult *tirxModuleDescribe(const TirxModule *module);

/// Memory of the caller that the kernel reads and writes.
typedef struct TirxBuffer {
  TirxString name; ///< for reports
  void *data;
  uint64_t size; ///< bytes
  /// The kernel may not write it.
  bool readOnly;
  /// Its bytes hold nothing yet: reading them is counted as a warning.
  bool uninitialised;
} TirxBuffer;

/// One argument: the address of a buffer plus an offset, or plain bytes.
typedef struct TirxArgument {
  int32_t buffer;  ///< index into the buffers, -1 for bytes
  uint64_t offset; ///< bytes
  const void *bytes;
  uint64_t size;
} TirxArgument;

typedef struct TirxLaunch {
  TirxString entry; ///< empty: the only kernel
  uint32_t grid[3], block[3], cluster[3];
  uint64_t shared; ///< bytes of dynamic shared memory
  const TirxBuffer *buffers;
  size_t bufferCount;
  const TirxArgument *arguments;
  size_t argumentCount;
} TirxLaunch;

/// Runs one launch on the simulator. `options` is a JSON object, or empty:
///
///   "async": "eager"    or "lazy", "random"
///   "seed": 0
///   "uninit": "warn"    or "error"
///   "max_steps": N      warp instructions
///   "tensor_maps": []   as in the metadata: parameters behind the arguments
///
/// Buffers hold what the kernel left in them, also after a report. Parts: as
/// `tirx-run --json` prints them in one object, "result"; "reports", the same
/// reports for people; "error" for a launch that no driver would accept.
TIRX_EXPORTED TirxResult *tirxSimulate(const TirxModule *module,
                                       const TirxLaunch *launch,
                                       TirxString options);

/// Runs the launch file with this text as tirx-run does; paths are relative to
/// `directory`. Kernels have to be PTX. `options` are those of tirxSimulate,
/// "on": "sim" or "gpu", and "count": true for counters of accesses. Parts:
/// "result" (JSON, as `tirx-run --json` prints it), "text" (the same for
/// people); "error" for a bad file or no GPU. It has succeeded when nothing was
/// reported and every buffer is as expected.
TIRX_EXPORTED TirxResult *
tirxRunLaunchFile(TirxString text, TirxString directory, TirxString options);

//===----------------------------------------------------------------------===//
// Running on a GPU
//===----------------------------------------------------------------------===//

/// The number of GPUs that the driver offers; 0 without a driver.
TIRX_EXPORTED int32_t tirxGetDeviceCount(void);

/// A GPU: its primary context, which other libraries of the process share.
typedef struct TirxDevice TirxDevice;

/// Null on failure, and then `*failure` is a result with part "error".
TIRX_EXPORTED TirxDevice *tirxDeviceOpen(int32_t ordinal, TirxResult **failure);
TIRX_EXPORTED void tirxDeviceClose(TirxDevice *device);
/// Part "device": JSON {name, architecture, memory}.
TIRX_EXPORTED TirxResult *tirxDeviceDescribe(const TirxDevice *device);

/// A kernel loaded onto a device, which must outlive it.
typedef struct TirxFunction TirxFunction;

/// Loads PTX, which the driver compiles, or a cubin. An empty entry is the only
/// one. Null on failure.
TIRX_EXPORTED TirxFunction *tirxFunctionLoad(TirxDevice *device,
                                             TirxString image, TirxString entry,
                                             TirxResult **failure);
TIRX_EXPORTED void tirxFunctionDestroy(TirxFunction *function);
/// Part "kernel": JSON {name, parameters: [{offset, size}], registers,
/// local_bytes, shared_bytes, max_threads}.
TIRX_EXPORTED TirxResult *tirxFunctionDescribe(const TirxFunction *function);

typedef struct TirxLaunchConfig {
  uint32_t grid[3], block[3], cluster[3];
  uint32_t shared; ///< bytes of dynamic shared memory
  bool cooperative;
  /// May begin before the kernel before it in the stream has ended.
  bool programmatic;
} TirxLaunchConfig;

/// Enqueues a launch on a stream of the driver (null: the default one);
/// `parameters` has each argument at its parameter's offset. Null on success.
TIRX_EXPORTED TirxResult *
tirxFunctionLaunch(TirxFunction *function, const TirxLaunchConfig *config,
                   const void *parameters, size_t parameterBytes, void *stream);
/// The tensor map of an array at an address of the device. `description` is a
/// JSON object with the keys of a launch file's tensormap; its `of` is a number
/// that says nothing here. Part "map": 128 bytes, or "error".
TIRX_EXPORTED TirxResult *tirxDeviceEncodeTensorMap(TirxDevice *device,
                                                    TirxString description,
                                                    uint64_t address);
/// Waits for all work of the device. Null on success.
TIRX_EXPORTED TirxResult *tirxDeviceSynchronize(TirxDevice *device);

//===----------------------------------------------------------------------===//
// Layouts and instructions
//===----------------------------------------------------------------------===//

/// One request of docs/tirx-layout.md. Part "answer": its JSON object.
TIRX_EXPORTED TirxResult *tirxAnswerLayoutRequest(TirxString request);

/// A layout for people, as `tirx-layout show` and `eval` print it. `request` is
/// a JSON object:
///
///   "layout": TEXT      in any notation of docs/layout.md
///   "other": TEXT       a second one, shown beside the first
///   "shape": [INT, ...] default: the extents of the shard
///   "dtype": "f16"      gives bytes, banks and columns
///   "at": [INT, ...]    where this element is, instead of the grids
///   "explain": false    how it comes there, step by step
///   "format": "text"    or "svg"
///
/// Part "text", or "error".
TIRX_EXPORTED TirxResult *tirxShowLayout(TirxString request);

/// Part "instructions": a JSON list of the PTX instructions that are known,
/// each {mnemonic, summary, section, forms: [{slots: [{name, optional, choices:
/// [text, ...]}], operands: [{name, access}]}]}.
TIRX_EXPORTED TirxResult *tirxListInstructions(void);

/// What an instruction with its modifiers ("ld.global.v4.u32", in any order)
/// is. Part "instruction": JSON {text (canonical), operands: [{name, kind,
/// access, type, bits, lanes, optional, sink}], targets (chips), pure}; on
/// failure part "error".
TIRX_EXPORTED TirxResult *tirxResolveInstruction(TirxString text);

/// Part "ops": a JSON list of the tile ops of the dialect as they are defined,
/// each {name, summary, segments, results (their number), arguments: [{name,
/// kind
/// ("operand" or "attribute"), type, optional, variadic, default, mnemonic and
/// cases (of enums)}]}. `segments`: operand sizes go into operandSegmentSizes.
TIRX_EXPORTED TirxResult *tirxListTileOps(void);

#ifdef __cplusplus
} // extern "C"
#endif

#endif // TIRX_C_TIRX_H
