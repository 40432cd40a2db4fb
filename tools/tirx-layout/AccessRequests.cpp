//===- AccessRequests.cpp - requests about accesses of threads ------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Arguments.h"
#include "TIRx/Layout/Accesses.h"
#include "TIRx/Layout/MatrixAccess.h"
#include "TIRx/Layout/TensorMap.h"
#include "TIRx/Layout/Text.h"
#include "TIRx/Layout/Vectorize.h"

using namespace tirx;
using namespace tirx::layouttool;
using llvm::Expected;
using llvm::SmallVector;
using llvm::StringRef;
namespace json = llvm::json;

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

static json::Value toJson(std::optional<int64_t> width) {
  return width ? json::Value(*width) : json::Value(nullptr);
}

static json::Value toJson(const AccessCost &cost) {
  json::Object answer{{"instructions", cost.instructions},
                      {"wavefronts", cost.wavefronts},
                      {"ideal", cost.ideal}};
  if (cost.wavefronts != cost.ideal)
    answer["worst"] =
        json::Object{{"warp", toString(cost.worstAccess.warp)},
                     {"instruction", cost.worstAccess.instruction},
                     {"bank", cost.worst.worstBank},
                     {"lanes", json::Array(cost.worst.worstLanes)}};
  return answer;
}

static json::Value toJson(const Coalescing &result) {
  return json::Object{{"instructions", result.instructions},
                      {"sectors", result.sectors},
                      {"ideal", result.ideal},
                      {"contiguous_lanes", result.contiguousLanes}};
}

static json::Value toJson(const MatrixAccess &access) {
  StringRef shape = access.shape == MatrixShape::M8N8     ? "m8n8"
                    : access.shape == MatrixShape::M8N16  ? "m8n16"
                    : access.shape == MatrixShape::M16N16 ? "m16n16"
                                                          : "m16n8";
  return json::Object{
      {"matrix", shape},
      {"transposed", access.transposed},
      {"count", access.count},
      {"instructions", int64_t(access.instructions.size())},
      {"rows", access.rows ? toJson(*access.rows) : json::Value(nullptr)}};
}

static json::Value toJson(const ContiguousRun &run) {
  return json::Object{{"length", run.length}, {"alignment", run.alignment}};
}

static json::Value toJson(const Partition &partition) {
  return json::Object{{"threads", toJson(Layout(partition.threads))},
                      {"dim", int64_t(partition.dim)},
                      {"vector", partition.vector},
                      {"accesses", partition.accesses}};
}

static json::Value toJson(const TensorCopyPlan &plan) {
  json::Array dims, loops;
  for (const TensorMapDim &dim : plan.dims)
    dims.push_back(json::Object{{"size", toJson(dim.size)},
                                {"stride_bytes", toJson(dim.stride)},
                                {"box", dim.box}});
  for (const TensorCopyLoop &loop : plan.loops)
    loops.push_back(json::Object{{"count", loop.count},
                                 {"dim", int64_t(loop.dim)},
                                 {"coordinate_step", loop.coordinateStep},
                                 {"shared_step_bytes", loop.sharedStep}});
  return json::Object{{"dims", std::move(dims)},
                      {"swizzle", getName(plan.swizzle)},
                      {"loops", std::move(loops)},
                      {"copies", plan.getNumCopies()},
                      {"bytes", plan.bytes},
                      {"shared_offset", plan.sharedOffset},
                      {"shared_alignment", plan.sharedAlignment},
                      {"offset_multiples", json::Array(plan.offsetMultiples)}};
}

/// The result as JSON, or its error.
template <class T> static Answer toJsonAnswer(Expected<T> result) {
  if (!result)
    return result.takeError();
  return toJson(*result);
}

//===----------------------------------------------------------------------===//
// Loads and stores
//===----------------------------------------------------------------------===//

namespace {
struct AccessArguments {
  Layout memory, threads;
  unsigned elementBits;
  int64_t vector;
  SharedAccess kind;
};
} // namespace

static AccessArguments getAccess(Arguments &arguments) {
  return {arguments.layout(), arguments.layout("threads"),
          arguments.elementBits(), arguments.integer("vector", 1),
          arguments.flag("store") ? SharedAccess::Store : SharedAccess::Load};
}

static Answer runBankConflicts(const Request &request) {
  Arguments arguments(request);
  AccessArguments access = getAccess(arguments);
  return arguments.answer([&] {
    return toJsonAnswer(countBankConflicts(access.kind, access.threads,
                                           access.memory, access.elementBits,
                                           access.vector));
  });
}

static Answer runCoalescing(const Request &request) {
  Arguments arguments(request);
  AccessArguments access = getAccess(arguments);
  return arguments.answer([&] {
    return toJsonAnswer(getCoalescing(access.threads, access.memory,
                                      access.elementBits, access.vector));
  });
}

/// Whether ldmatrix or stmatrix moves the fragment `threads`.
template <auto fit> static Answer runMatrixFit(const Request &request) {
  Arguments arguments(request);
  Layout shared = arguments.layout(), fragment = arguments.layout("threads");
  unsigned bits = arguments.elementBits();
  bool byteMatrices = arguments.flag("byte_matrices");
  return arguments.answer(
      [&] { return toJsonAnswer(fit(fragment, shared, bits, byteMatrices)); });
}

//===----------------------------------------------------------------------===//
// Vectors
//===----------------------------------------------------------------------===//

static AccessLimits getLimits(Arguments &arguments) {
  AccessLimits limits;
  limits.elementBits = arguments.elementBits();
  limits.baseAlignment = arguments.integer("alignment", 16);
  limits.maxBytes = arguments.integer("max_bytes", 16);
  return limits;
}

static Answer runContiguousRun(const Request &request) {
  Arguments arguments(request);
  ShapedLayout subject = arguments.shaped();
  unsigned dim = arguments.dim(subject.shape);
  return arguments.answer([&] {
    return toJsonAnswer(getContiguousRun(subject.layout, subject.shape, dim));
  });
}

static Answer runAccessWidth(const Request &request) {
  Arguments arguments(request);
  ShapedLayout subject = arguments.shaped();
  unsigned dim = arguments.dim(subject.shape);
  AccessLimits limits = getLimits(arguments);
  return arguments.answer([&] {
    return toJsonAnswer(
        getAccessWidth(subject.layout, subject.shape, dim, limits));
  });
}

static Answer runPartition(const Request &request) {
  Arguments arguments(request);
  ShapedLayout subject = arguments.shaped();
  AccessLimits limits = getLimits(arguments);
  int64_t threads = arguments.integer("threads");
  Axis axis = arguments.axis("axis");
  return arguments.answer([&] {
    return toJsonAnswer(
        partitionRegion(subject.layout, subject.shape, axis, threads, limits));
  });
}

//===----------------------------------------------------------------------===//
// Copies by tensor map
//===----------------------------------------------------------------------===//

static Answer runTensorCopy(const Request &request) {
  Arguments arguments(request);
  ShapedLayout global = arguments.shaped("global", "global_shape");
  Layout shared = arguments.layout("shared");
  SmallVector<int64_t> region = arguments.integers("region");
  unsigned bits = arguments.elementBits();
  bool padded = arguments.flag("padded");
  return arguments.answer([&]() -> Answer {
    Expected<GlobalTensor> tensor =
        GlobalTensor::get(global.layout, global.shape, bits);
    if (!tensor)
      return tensor.takeError();
    TensorCopyRequest copy{*tensor, shared, {}, padded};
    copy.region.assign(region.begin(), region.end());
    return toJsonAnswer(planTensorCopy(copy));
  });
}

llvm::ArrayRef<Operation> layouttool::getAccessOperations() {
  static const Operation operations[] = {
      {"bank_conflicts", runBankConflicts},
      {"coalescing", runCoalescing},
      {"ldmatrix_fit", runMatrixFit<fitMatrixLoad>},
      {"stmatrix_fit", runMatrixFit<fitMatrixStore>},
      {"contiguous_run", runContiguousRun},
      {"access_width", runAccessWidth},
      {"partition", runPartition},
      {"tensor_copy", runTensorCopy},
  };
  return operations;
}
