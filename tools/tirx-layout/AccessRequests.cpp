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
// Loads and stores
//===----------------------------------------------------------------------===//

/// The size of an element, which has to be given.
static Expected<unsigned> getElementBits(const Request &request) {
  Expected<unsigned> bits = request.elementBits();
  if (bits && *bits == 0)
    return makeError("expected key 'bits' or 'dtype'");
  return bits;
}

namespace {
struct AccessArguments {
  Layout memory, threads;
  unsigned elementBits;
  int64_t vector;
  SharedAccess kind;
};
} // namespace

static Expected<AccessArguments> getAccess(const Request &request) {
  Expected<Layout> memory = request.layout();
  if (!memory)
    return memory.takeError();
  Expected<Layout> threads = request.layout("threads");
  if (!threads)
    return threads.takeError();
  Expected<unsigned> bits = getElementBits(request);
  if (!bits)
    return bits.takeError();
  Arguments arguments(request);
  int64_t vector = arguments.integer("vector", 1);
  SharedAccess kind =
      arguments.flag("store") ? SharedAccess::Store : SharedAccess::Load;
  if (llvm::Error error = arguments.takeError())
    return std::move(error);
  return AccessArguments{*memory, *threads, *bits, vector, kind};
}

static Answer runBankConflicts(const Request &request) {
  Expected<AccessArguments> access = getAccess(request);
  if (!access)
    return access.takeError();
  Expected<AccessCost> cost =
      countBankConflicts(access->kind, access->threads, access->memory,
                         access->elementBits, access->vector);
  if (!cost)
    return cost.takeError();
  json::Object answer{{"instructions", cost->instructions},
                      {"wavefronts", cost->wavefronts},
                      {"ideal", cost->ideal}};
  if (cost->wavefronts != cost->ideal)
    answer["worst"] =
        json::Object{{"warp", toString(cost->worstAccess.warp)},
                     {"instruction", cost->worstAccess.instruction},
                     {"bank", cost->worst.worstBank},
                     {"lanes", json::Array(cost->worst.worstLanes)}};
  return answer;
}

static Answer runCoalescing(const Request &request) {
  Expected<AccessArguments> access = getAccess(request);
  if (!access)
    return access.takeError();
  Expected<Coalescing> result = getCoalescing(
      access->threads, access->memory, access->elementBits, access->vector);
  if (!result)
    return result.takeError();
  return json::Object{{"instructions", result->instructions},
                      {"sectors", result->sectors},
                      {"ideal", result->ideal},
                      {"contiguous_lanes", result->contiguousLanes}};
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

/// Whether ldmatrix or stmatrix moves the fragment `threads`.
template <auto fit> static Answer runMatrixFit(const Request &request) {
  Expected<Layout> shared = request.layout();
  if (!shared)
    return shared.takeError();
  Expected<Layout> fragment = request.layout("threads");
  if (!fragment)
    return fragment.takeError();
  Expected<unsigned> bits = getElementBits(request);
  if (!bits)
    return bits.takeError();
  Arguments arguments(request);
  bool byteMatrices = arguments.flag("byte_matrices");
  if (llvm::Error error = arguments.takeError())
    return std::move(error);
  Expected<MatrixAccess> access = fit(*fragment, *shared, *bits, byteMatrices);
  if (!access)
    return access.takeError();
  return toJson(*access);
}

//===----------------------------------------------------------------------===//
// Vectors
//===----------------------------------------------------------------------===//

static Expected<AccessLimits> getLimits(const Request &request) {
  Expected<unsigned> bits = getElementBits(request);
  if (!bits)
    return bits.takeError();
  Arguments arguments(request);
  AccessLimits limits;
  limits.elementBits = *bits;
  limits.baseAlignment = arguments.integer("alignment", 16);
  limits.maxBytes = arguments.integer("max_bytes", 16);
  if (llvm::Error error = arguments.takeError())
    return std::move(error);
  return limits;
}

static Answer runContiguousRun(const Request &request) {
  Expected<ShapedLayout> subject = getShapedLayout(request);
  if (!subject)
    return subject.takeError();
  Expected<unsigned> dim = getDim(request, subject->shape);
  if (!dim)
    return dim.takeError();
  Expected<ContiguousRun> run =
      getContiguousRun(subject->layout, subject->shape, *dim);
  if (!run)
    return run.takeError();
  return json::Object{{"length", run->length}, {"alignment", run->alignment}};
}

static Answer runAccessWidth(const Request &request) {
  Expected<ShapedLayout> subject = getShapedLayout(request);
  if (!subject)
    return subject.takeError();
  Expected<unsigned> dim = getDim(request, subject->shape);
  if (!dim)
    return dim.takeError();
  Expected<AccessLimits> limits = getLimits(request);
  if (!limits)
    return limits.takeError();
  Expected<std::optional<int64_t>> width =
      getAccessWidth(subject->layout, subject->shape, *dim, *limits);
  if (!width)
    return width.takeError();
  return *width ? json::Value(**width) : json::Value(nullptr);
}

static Answer runPartition(const Request &request) {
  Expected<ShapedLayout> subject = getShapedLayout(request);
  if (!subject)
    return subject.takeError();
  Expected<AccessLimits> limits = getLimits(request);
  if (!limits)
    return limits.takeError();
  Expected<int64_t> threads = request.integer("threads");
  if (!threads)
    return threads.takeError();
  Expected<StringRef> name = request.string("axis");
  if (!name)
    return name.takeError();
  Expected<Axis> axis = toAxis(*name, "axis");
  if (!axis)
    return axis.takeError();
  Expected<Partition> partition = partitionRegion(
      subject->layout, subject->shape, *axis, *threads, *limits);
  if (!partition)
    return partition.takeError();
  return json::Object{{"threads", toJson(Layout(partition->threads))},
                      {"dim", int64_t(partition->dim)},
                      {"vector", partition->vector},
                      {"accesses", partition->accesses}};
}

//===----------------------------------------------------------------------===//
// Copies by tensor map
//===----------------------------------------------------------------------===//

static json::Value toJson(const TensorCopyPlan &plan) {
  auto orNull = [](std::optional<int64_t> value) {
    return value ? json::Value(*value) : json::Value(nullptr);
  };
  json::Array dims, loops;
  for (const TensorMapDim &dim : plan.dims)
    dims.push_back(json::Object{{"size", orNull(dim.size)},
                                {"stride_bytes", orNull(dim.stride)},
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

static Answer runTensorCopy(const Request &request) {
  Expected<ShapedLayout> global =
      getShapedLayout(request, "global", "global_shape");
  if (!global)
    return global.takeError();
  Expected<Layout> shared = request.layout("shared");
  if (!shared)
    return shared.takeError();
  Arguments arguments(request);
  SmallVector<int64_t> region = arguments.integers("region");
  unsigned bits = arguments.bits("bits");
  bool padded = arguments.flag("padded");
  if (llvm::Error error = arguments.takeError())
    return std::move(error);
  Expected<GlobalTensor> tensor =
      GlobalTensor::get(global->layout, global->shape, bits);
  if (!tensor)
    return tensor.takeError();
  TensorCopyRequest copy{*tensor, *shared, {}, padded};
  copy.region.assign(region.begin(), region.end());
  Expected<TensorCopyPlan> plan = planTensorCopy(copy);
  if (!plan)
    return plan.takeError();
  return toJson(*plan);
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
