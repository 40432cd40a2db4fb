//===- FactoriesWarp.cpp - fragments of a warp ----------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FactoryUtils.h"
#include "TIRx/Layout/Factories.h"
#include "llvm/ADT/STLExtras.h"

using namespace tirx;
using llvm::Expected;
using llvm::SmallVector;
using llvm::Twine;

static Axis lanes() { return lookupBuiltinAxis("laneid"); }

//===----------------------------------------------------------------------===//
// mma.sync
//===----------------------------------------------------------------------===//

/// K of the instructions with elements of so many bits.
static SmallVector<int64_t, 3> getLegalK(int64_t m, unsigned bits,
                                         bool sparse) {
  // One register of each of four threads.
  int64_t unit = bits == 64 ? 4 : 128 / int64_t(bits);
  if (m == 8)
    return {unit};
  if (sparse)
    return {2 * unit, 4 * unit};
  if (bits == 64)
    return {unit, 2 * unit, 4 * unit};
  return {unit, 2 * unit};
}

static llvm::Error checkMma(int64_t m, int64_t k, unsigned bits, bool sparse) {
  const unsigned sizes[] = {1, 4, 8, 16, 32, 64};
  if (!llvm::is_contained(sizes, bits))
    return makeError(
        "expected mma elements of 1, 4, 8, 16, 32 or 64 bits, got " +
        Twine(bits));
  if (sparse && (bits == 1 || bits == 64))
    return makeError("expected sparse mma elements of 4, 8, 16 or 32 bits, "
                     "got " +
                     Twine(bits));
  bool hasM8 = !sparse && bits != 16 && bits != 32;
  if (m != 16 && !(m == 8 && hasM8))
    return makeError(Twine("expected M of ") + (sparse ? "a sparse" : "an") +
                     " mma with " + Twine(bits) + "-bit elements to be " +
                     (hasM8 ? "8 or 16" : "16") + ", got " + Twine(m));
  SmallVector<int64_t, 3> legal = getLegalK(m, bits, sparse);
  if (llvm::is_contained(legal, k))
    return llvm::Error::success();
  std::string list;
  for (auto [i, value] : llvm::enumerate(legal))
    list += (i == 0                  ? ""
             : i + 1 == legal.size() ? " or "
                                     : ", ") +
            std::to_string(value);
  return makeError(Twine("expected K of ") + (sparse ? "a sparse" : "an") +
                   " mma with M " + Twine(m) + " and " + Twine(bits) +
                   "-bit elements to be " + list + ", got " + Twine(k));
}

/// Lane 4 * g + t has row g of each 8 rows and of each 4 * `packed` columns the
/// `packed` neighbours behind packed * t. Groups of 8 rows follow each other
/// before groups of columns.
static Expected<Layout> makeMmaFragment(int64_t rows, int64_t columns,
                                        int64_t packed) {
  Axis lane = lanes(), m = memoryAxis();
  int64_t groups = rows / 8;
  return makeFactoryLayout({{groups, packed, m},
                            {8, 4, lane},
                            {columns / (4 * packed), groups * packed, m},
                            {4, 1, lane},
                            {packed, 1, m}});
}

Expected<Layout> tirx::mmaFragmentLayout(MmaOperand operand, int64_t m,
                                         int64_t k, unsigned elementBits,
                                         bool sparse) {
  if (llvm::Error error = checkMma(m, k, elementBits, sparse))
    return std::move(error);
  int64_t packed = elementBits == 64 ? 1 : 32 / elementBits;
  switch (operand) {
  case MmaOperand::A:
    return makeMmaFragment(m, sparse ? k / 2 : k, packed);
  case MmaOperand::B:
    return makeMmaFragment(8, k, packed);
  case MmaOperand::D:
    return makeMmaFragment(m, 8, 2);
  }
  llvm_unreachable("all operands handled");
}

Expected<Layout> tirx::quadPairFragmentLayout(MmaOperand operand, bool kMajor,
                                              unsigned accumulatorBits) {
  Axis lane = lanes(), m = memoryAxis();
  // Product q is computed by lanes 4q .. 4q + 3 and 4q + 16 .. 4q + 19; the
  // latter have the upper half of the rows of A, of B as (N, K), and of D.
  if (operand != MmaOperand::D) {
    if (kMajor)
      return makeFactoryLayout(
          {{4, 4, lane}, {2, 16, lane}, {4, 1, lane}, {4, 1, m}});
    return makeFactoryLayout(
        {{4, 4, lane}, {2, 16, lane}, {4, 1, m}, {4, 1, lane}});
  }
  if (accumulatorBits == 16)
    return makeFactoryLayout(
        {{4, 4, lane}, {2, 16, lane}, {4, 1, lane}, {8, 1, m}});
  if (accumulatorBits == 32)
    return makeFactoryLayout({{4, 4, lane},
                              {2, 16, lane},
                              {2, 2, m},
                              {2, 1, lane},
                              {2, 4, m},
                              {2, 2, lane},
                              {2, 1, m}});
  return makeError("expected accumulators of 16 or 32 bits, got " +
                   Twine(accumulatorBits));
}

Expected<Layout> tirx::mmaScaleFactorLayout(MmaOperand operand, int64_t scales,
                                            int64_t threadId, int64_t byteId) {
  bool isA = operand == MmaOperand::A;
  if (operand == MmaOperand::D)
    return makeError("expected scale factors of A or B, got D");
  if (scales != 1 && scales != 2 && scales != 4)
    return makeError("expected 1, 2 or 4 scale factors of a row, got " +
                     Twine(scales));
  if (threadId < 0 || threadId > (isA ? 1 : 3))
    return makeError(Twine("expected a thread selector of ") +
                     (isA ? "A from 0 to 1" : "B from 0 to 3") + ", got " +
                     Twine(threadId));
  if (byteId < 0 || byteId > 3 || byteId % scales != 0)
    return makeError("expected a byte selector that is a multiple of " +
                     Twine(scales) + " below 4, got " + Twine(byteId));
  Axis lane = lanes(), m = memoryAxis();
  return makeFactoryLayout(
      {{isA ? 2 : 1, 1, lane}, {8, 4, lane}, {scales, 1, m}}, {},
      {{lane, isA ? 2 * threadId : threadId}, {m, byteId}});
}

//===----------------------------------------------------------------------===//
// ldmatrix, stmatrix
//===----------------------------------------------------------------------===//

static llvm::StringRef getName(MatrixShape shape) {
  switch (shape) {
  case MatrixShape::M8N8:
    return "m8n8";
  case MatrixShape::M8N16:
    return "m8n16";
  case MatrixShape::M16N16:
    return "m16n16";
  case MatrixShape::M16N8:
    return "m16n8";
  }
  llvm_unreachable("all shapes handled");
}

static llvm::Error checkCount(MatrixShape shape, int64_t count) {
  if (count == 1 || count == 2 || (count == 4 && shape != MatrixShape::M16N16))
    return llvm::Error::success();
  return makeError(Twine("expected 1") +
                   (shape == MatrixShape::M16N16 ? " or 2" : ", 2 or 4") +
                   " matrices of " + getName(shape) + ", got " + Twine(count));
}

static llvm::Error checkMatrices(const char *instruction,
                                 llvm::ArrayRef<MatrixShape> shapes,
                                 MatrixShape shape, int64_t count,
                                 bool transposed) {
  if (!llvm::is_contained(shapes, shape)) {
    std::string list;
    for (auto [i, legal] : llvm::enumerate(shapes))
      list += (i == 0                   ? ""
               : i + 1 == shapes.size() ? " or "
                                        : ", ") +
              getName(legal).str();
    return makeError(Twine("expected ") + instruction + " to have " + list +
                     ", got " + getName(shape));
  }
  if (shape == MatrixShape::M8N16 && transposed)
    return makeError("expected m8n16 without .trans, got .trans");
  if ((shape == MatrixShape::M16N16 || shape == MatrixShape::M16N8) &&
      !transposed)
    return makeError("expected " + getName(shape) +
                     " with .trans, got no .trans");
  return checkCount(shape, count);
}

static Expected<Layout> makeMatrixFragment(MatrixShape shape, int64_t count,
                                           bool transposed) {
  Axis lane = lanes(), m = memoryAxis();
  switch (shape) {
  case MatrixShape::M8N8:
    if (transposed)
      return makeFactoryLayout(
          {{count, 2, m}, {4, 1, lane}, {2, 1, m}, {8, 4, lane}});
    return makeFactoryLayout(
        {{count, 2, m}, {8, 4, lane}, {4, 1, lane}, {2, 1, m}});
  case MatrixShape::M8N16:
    return makeFactoryLayout(
        {{count, 4, m}, {8, 4, lane}, {4, 1, lane}, {4, 1, m}});
  case MatrixShape::M16N16:
    return makeFactoryLayout(
        {{count, 8, m}, {4, 1, lane}, {4, 1, m}, {2, 4, m}, {8, 4, lane}});
  case MatrixShape::M16N8:
    return makeFactoryLayout(
        {{count, 4, m}, {4, 1, lane}, {2, 1, m}, {2, 2, m}, {8, 4, lane}});
  }
  llvm_unreachable("all shapes handled");
}

Expected<Layout> tirx::ldmatrixLayout(MatrixShape shape, int64_t count,
                                      bool transposed) {
  if (llvm::Error error = checkMatrices(
          "ldmatrix",
          {MatrixShape::M8N8, MatrixShape::M8N16, MatrixShape::M16N16}, shape,
          count, transposed))
    return std::move(error);
  return makeMatrixFragment(shape, count, transposed);
}

Expected<Layout> tirx::stmatrixLayout(MatrixShape shape, int64_t count,
                                      bool transposed) {
  if (llvm::Error error =
          checkMatrices("stmatrix", {MatrixShape::M8N8, MatrixShape::M16N8},
                        shape, count, transposed))
    return std::move(error);
  return makeMatrixFragment(shape, count, transposed);
}

Expected<Layout> tirx::matrixAddressLayout(MatrixShape shape, int64_t count) {
  if (llvm::Error error = checkCount(shape, count))
    return std::move(error);
  int64_t rows = shape == MatrixShape::M16N16 ? 16 : 8;
  return makeFactoryLayout({{count, rows, lanes()}, {rows, 1, lanes()}});
}
