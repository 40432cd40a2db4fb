//===- FactoryRequests.cpp - requests for layouts of the hardware ---------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Arguments.h"
#include "TIRx/Layout/Factories.h"

using namespace tirx;
using namespace tirx::layouttool;

//===----------------------------------------------------------------------===//
// Shared memory
//===----------------------------------------------------------------------===//

static SwizzleMode getMode(Arguments &arguments) {
  return arguments.choice<SwizzleMode>(
      "swizzle", {{"none", SwizzleMode::None},
                  {"32B", SwizzleMode::B32},
                  {"64B", SwizzleMode::B64},
                  {"128B", SwizzleMode::B128},
                  {"128B_atom32B", SwizzleMode::B128Atom32}});
}

static Packing getPacking(Arguments &arguments) {
  return arguments.flag("padded") ? Packing::Padded : Packing::Dense;
}

static Answer runMmaShared(const Request &request) {
  Arguments arguments(request);
  unsigned bits = arguments.bits("bits");
  SwizzleMode mode = getMode(arguments);
  Major major = arguments.choice<Major>(
      "major", {{"K", Major::K}, {"MN", Major::MN}}, Major::K);
  auto shape = arguments.integers("shape");
  Packing packing = getPacking(arguments);
  return arguments.answer(
      [&] { return mmaSharedLayout(bits, mode, major, shape, packing); });
}

static Answer runTmaShared(const Request &request) {
  Arguments arguments(request);
  unsigned bits = arguments.bits("bits");
  SwizzleMode mode = getMode(arguments);
  auto shape = arguments.integers("shape");
  Packing packing = getPacking(arguments);
  return arguments.answer(
      [&] { return tmaSharedLayout(bits, mode, shape, packing); });
}

static Answer runSharedScaleFactors(const Request &request) {
  Arguments arguments(request);
  int64_t rows = arguments.integer("rows");
  int64_t scales = arguments.integer("scales");
  int64_t reuse = arguments.integer("reuse", 1);
  return arguments.answer(
      [&] { return sharedScaleFactorLayout(rows, scales, reuse); });
}

//===----------------------------------------------------------------------===//
// Tensor memory
//===----------------------------------------------------------------------===//

static TmemMma getMma(Arguments &arguments) {
  TmemMma mma;
  mma.m = arguments.integer("m");
  int64_t ctaGroup = arguments.integer("cta_group", 1);
  // A group that no instruction has, for the factory to refuse.
  mma.ctaGroup = ctaGroup == 1 || ctaGroup == 2 ? int(ctaGroup) : 0;
  mma.weightStationary = arguments.flag("ws");
  mma.sparse = arguments.flag("sparse");
  return mma;
}

static Answer runTmemAccumulator(const Request &request) {
  Arguments arguments(request);
  bool upper = arguments.flag("upper_lanes");
  unsigned bits = arguments.bits("bits", 32);
  if (!request.has("datapath")) {
    TmemMma mma = getMma(arguments);
    int64_t n = arguments.integer("n");
    return arguments.answer(
        [&] { return tmemAccumulatorLayout(mma, n, upper, bits); });
  }
  TmemDatapath datapath =
      arguments.choice<TmemDatapath>("datapath", {{"A", TmemDatapath::A},
                                                  {"B", TmemDatapath::B},
                                                  {"C", TmemDatapath::C},
                                                  {"D", TmemDatapath::D},
                                                  {"E", TmemDatapath::E},
                                                  {"F", TmemDatapath::F},
                                                  {"G", TmemDatapath::G}});
  int64_t rows = arguments.integer("rows");
  int64_t columns = arguments.integer("columns");
  return arguments.answer([&] {
    return tmemAccumulatorLayout(datapath, rows, columns, upper, bits);
  });
}

static Answer runTmemOperand(const Request &request) {
  Arguments arguments(request);
  TmemMma mma = getMma(arguments);
  int64_t columns = arguments.integer("columns");
  unsigned bits = arguments.bits("bits");
  bool upper = arguments.flag("upper_lanes");
  return arguments.answer(
      [&] { return tmemOperandLayout(mma, columns, bits, upper); });
}

static Answer runTmemScaleFactors(const Request &request) {
  Arguments arguments(request);
  int64_t rows = arguments.integer("rows");
  int64_t scales = arguments.integer("scales");
  int64_t perMma = arguments.integer("scales_per_mma");
  int64_t reuse = arguments.integer("reuse", 1);
  ScaleFactorCopies copies = arguments.choice<ScaleFactorCopies>(
      "copies",
      {{"all", ScaleFactorCopies::All}, {"halves", ScaleFactorCopies::Halves}},
      ScaleFactorCopies::All);
  return arguments.answer([&] {
    return tmemScaleFactorLayout(rows, scales, perMma, reuse, copies);
  });
}

static Answer runTmemFragment(const Request &request) {
  Arguments arguments(request);
  TmemAccess access = arguments.choice<TmemAccess>(
      "access", {{"32x32b", TmemAccess::B32x32},
                 {"16x64b", TmemAccess::B16x64},
                 {"16x128b", TmemAccess::B16x128},
                 {"16x256b", TmemAccess::B16x256},
                 {"16x32bx2", TmemAccess::B16x32x2}});
  int64_t rows = arguments.integer("rows");
  int64_t columns = arguments.integer("columns");
  unsigned bits = arguments.bits("bits", 32);
  return arguments.answer(
      [&] { return tmemFragmentLayout(access, rows, columns, bits); });
}

//===----------------------------------------------------------------------===//
// Registers
//===----------------------------------------------------------------------===//

static Answer runWgmmaAccumulator(const Request &request) {
  Arguments arguments(request);
  int64_t n = arguments.integer("n");
  bool isInteger = arguments.flag("integer");
  return arguments.answer([&] { return wgmmaAccumulatorLayout(n, isInteger); });
}

static Answer runWgmmaOperand(const Request &request) {
  Arguments arguments(request);
  int64_t k = arguments.integer("k");
  unsigned bits = arguments.bits("bits");
  return arguments.answer([&] { return wgmmaOperandLayout(k, bits); });
}

static MmaOperand getOperand(Arguments &arguments) {
  return arguments.choice<MmaOperand>(
      "operand",
      {{"A", MmaOperand::A}, {"B", MmaOperand::B}, {"D", MmaOperand::D}});
}

static Answer runMmaFragment(const Request &request) {
  Arguments arguments(request);
  MmaOperand operand = getOperand(arguments);
  int64_t m = arguments.integer("m"), k = arguments.integer("k");
  unsigned bits = arguments.bits("bits");
  bool sparse = arguments.flag("sparse");
  return arguments.answer(
      [&] { return mmaFragmentLayout(operand, m, k, bits, sparse); });
}

static Answer runQuadPairFragment(const Request &request) {
  Arguments arguments(request);
  MmaOperand operand = getOperand(arguments);
  bool mnMajor = arguments.flag("mn_major");
  unsigned bits = arguments.bits("accumulator_bits", 32);
  return arguments.answer(
      [&] { return quadPairFragmentLayout(operand, !mnMajor, bits); });
}

static Answer runMmaScaleFactors(const Request &request) {
  Arguments arguments(request);
  MmaOperand operand = getOperand(arguments);
  int64_t scales = arguments.integer("scales");
  int64_t threadId = arguments.integer("thread_id", 0);
  int64_t byteId = arguments.integer("byte_id", 0);
  return arguments.answer(
      [&] { return mmaScaleFactorLayout(operand, scales, threadId, byteId); });
}

static MatrixShape getMatrixShape(Arguments &arguments) {
  return arguments.choice<MatrixShape>("matrix",
                                       {{"m8n8", MatrixShape::M8N8},
                                        {"m8n16", MatrixShape::M8N16},
                                        {"m16n16", MatrixShape::M16N16},
                                        {"m16n8", MatrixShape::M16N8}});
}

template <auto factory> static Answer runMatrix(const Request &request) {
  Arguments arguments(request);
  MatrixShape shape = getMatrixShape(arguments);
  int64_t count = arguments.integer("count");
  bool transposed = arguments.flag("transposed");
  return arguments.answer([&] { return factory(shape, count, transposed); });
}

static Answer runMatrixAddresses(const Request &request) {
  Arguments arguments(request);
  MatrixShape shape = getMatrixShape(arguments);
  int64_t count = arguments.integer("count");
  return arguments.answer([&] { return matrixAddressLayout(shape, count); });
}

llvm::ArrayRef<Operation> layouttool::getFactoryOperations() {
  static const Operation operations[] = {
      {"mma_shared", runMmaShared},
      {"tma_shared", runTmaShared},
      {"shared_scale_factors", runSharedScaleFactors},
      {"tmem_accumulator", runTmemAccumulator},
      {"tmem_operand", runTmemOperand},
      {"tmem_scale_factors", runTmemScaleFactors},
      {"tmem_fragment", runTmemFragment},
      {"wgmma_accumulator", runWgmmaAccumulator},
      {"wgmma_operand", runWgmmaOperand},
      {"mma_fragment", runMmaFragment},
      {"quad_pair_fragment", runQuadPairFragment},
      {"mma_scale_factors", runMmaScaleFactors},
      {"ldmatrix", runMatrix<ldmatrixLayout>},
      {"stmatrix", runMatrix<stmatrixLayout>},
      {"matrix_addresses", runMatrixAddresses},
  };
  return operations;
}
