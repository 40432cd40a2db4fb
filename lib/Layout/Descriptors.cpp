//===- Descriptors.cpp - matrix descriptors of layouts --------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A canonical layout is a sum of a function of mn and one of k, followed by a
// swizzle. So a layout is brought to that form, whatever its spelling, and both
// functions are compared with the hardware's formula at every index.
//
//===----------------------------------------------------------------------===//

#include "TIRx/Layout/Descriptors.h"
#include "CheckedMath.h"
#include "TIRx/Layout/Algebra.h"
#include "TIRx/Layout/Text.h"

using namespace tirx;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;
using llvm::SmallVector;
using llvm::Twine;

/// Bytes of K that one instruction takes, for elements of 8, 16 and 32 bits.
static constexpr int64_t kStepBytes = 32;
/// Rows of an atom: 8 rows of a swizzle width, or of 16 bytes without swizzle.
static constexpr int64_t kAtomRows = 8;
/// The end of the 14-bit fields that count 16 bytes.
static constexpr int64_t kFieldEnd = int64_t(1) << 18;

namespace {
/// Where the elements of an operand are, in bytes before the swizzle: element
/// (mn, k) is at start + mnBytes[mn] + kBytes[k].
struct LinearOperand {
  int64_t start = 0;
  SmallVector<int64_t> mnBytes, kBytes;
  SwizzleMode swizzle = SwizzleMode::None;
  int64_t elementBytes = 2;

  int64_t getStepElements() const { return kStepBytes / elementBytes; }
};
} // namespace

/// "a 128B swizzle along K", "no swizzle along MN".
static std::string describe(SwizzleMode mode, Major major) {
  std::string swizzle = mode == SwizzleMode::None
                            ? std::string("no swizzle")
                            : ("a " + getName(mode) + " swizzle").str();
  return swizzle + " along " + getName(major).str();
}

//===----------------------------------------------------------------------===//
// The operand as functions of mn and k
//===----------------------------------------------------------------------===//

static Error checkShape(const SmemOperand &operand) {
  if (operand.elementBits != 8 && operand.elementBits != 16 &&
      operand.elementBits != 32)
    return makeError("expected elements of 8, 16 or 32 bits, got " +
                     Twine(operand.elementBits));
  if (operand.shape.size() != 2)
    return makeError("expected a tile of 2 dimensions, got " +
                     Twine(operand.shape.size()));
  if (operand.kDim > 1)
    return makeError("expected K to be dimension 0 or 1, got " +
                     Twine(operand.kDim));
  int64_t mn = operand.shape[1 - operand.kDim], k = operand.shape[operand.kDim];
  if (mn < 8 || mn > 256 || mn % 8 != 0)
    return makeError("expected an extent along MN that is a multiple of 8 up "
                     "to 256, got " +
                     Twine(mn));
  int64_t step = kStepBytes * 8 / operand.elementBits;
  // The limit keeps dimensions of stride 0 from being walked for ever.
  int64_t limit = kFieldEnd * 8 / operand.elementBits;
  if (k < step || k > limit || k % step != 0)
    return makeError("expected an extent along K that is a multiple of " +
                     Twine(step) + " (32 bytes) up to " + Twine(limit) +
                     ", got " + Twine(k));
  return Error::success();
}

/// The mode whose pattern the swizzle has on addresses up to `max`.
static Expected<SwizzleMode> findSwizzleMode(const SwizzleLayout *swizzle,
                                             int64_t max,
                                             unsigned elementBits) {
  if (!swizzle)
    return SwizzleMode::None;
  // Source bits above all addresses are zero and change nothing.
  int64_t source = swizzle->getPerElement() + swizzle->getAtomLen();
  int64_t bits = swizzle->getSwizzleLen();
  while (bits > 0 && max < (int64_t(1) << (source + bits - 1)))
    --bits;
  Expected<SwizzleLayout> effective =
      SwizzleLayout::get(swizzle->getPerElement(), bits, swizzle->getAtomLen());
  if (!effective)
    return effective.takeError();
  std::string known;
  llvm::raw_string_ostream os(known);
  for (SwizzleMode mode :
       {SwizzleMode::B32, SwizzleMode::B64, SwizzleMode::B128}) {
    SwizzleLayout candidate = *getElementSwizzle(mode, elementBits);
    if (!swizzle->isOuter() && candidate == *effective)
      return mode;
    os << (known.empty() ? "" : ", ") << toString(Layout(candidate)) << " ("
       << getName(mode) << ")";
  }
  return makeError("expected no swizzle or one of " + known + " for " +
                   Twine(elementBits) + "-bit elements, got " +
                   toString(Layout(*swizzle)));
}

static Error checkMemoryOnly(const TileLayout &tile) {
  if (tile.hasReplica())
    return makeError("expected one copy of each element of a shared-memory "
                     "operand, got " +
                     Twine(tile.getReplicaCount()));
  for (Axis axis : tile.getAxes())
    if (axis != memoryAxis())
      return makeError("expected a shared-memory operand on axis 'm' only, got "
                       "axis '" +
                       axis.getName() + "'");
  return Error::success();
}

static SmallVector<int64_t> evaluate(ArrayRef<Iter> iters, int64_t extent,
                                     int64_t elementBytes) {
  SmallVector<int64_t> bytes(extent);
  for (int64_t i = 0; i < extent; ++i) {
    int64_t rest = i;
    for (const Iter &iter : llvm::reverse(iters)) {
      bytes[i] += rest % iter.extent * iter.stride * elementBytes;
      rest /= iter.extent;
    }
  }
  return bytes;
}

static Expected<LinearOperand> linearise(const SmemOperand &operand) {
  if (Error error = checkShape(operand))
    return std::move(error);
  CheckedInt size = CheckedInt(operand.shape[0]) * operand.shape[1];
  if (size.hasOverflowed())
    return makeError("expected a tile whose size fits 64 bits");
  Expected<Layout> full = operand.layout.withTile(size.get());
  if (!full)
    return full.takeError();
  Layout layout = canonicalize(*full);
  const TileLayout &tile = *layout.getTile();
  if (Error error = checkMemoryOnly(tile))
    return std::move(error);
  auto groups = group(tile, operand.shape);
  if (!groups)
    return groups.takeError();

  LinearOperand linear;
  linear.elementBytes = operand.elementBits / 8;
  Span span = tile.getSpan(memoryAxis());
  // The addresses of shared memory have 18 bits; this also keeps the byte
  // arithmetic below from overflowing.
  if (span.min < 0 || span.max >= kFieldEnd)
    return makeError("expected elements from 0 to 262143 of shared memory, got "
                     "elements from " +
                     Twine(span.min) + " to " + Twine(span.max));
  Expected<SwizzleMode> mode =
      findSwizzleMode(layout.getSwizzle(), span.max, operand.elementBits);
  if (!mode)
    return mode.takeError();
  linear.swizzle = *mode;
  linear.start = tile.getOffset(memoryAxis()) * linear.elementBytes;
  unsigned k = operand.kDim, mn = 1 - operand.kDim;
  linear.mnBytes =
      evaluate((*groups)[mn], operand.shape[mn], linear.elementBytes);
  linear.kBytes = evaluate((*groups)[k], operand.shape[k], linear.elementBytes);
  return linear;
}

//===----------------------------------------------------------------------===//
// Comparison with the formulas
//===----------------------------------------------------------------------===//

/// Whether runs of `run` elements lie `pitch` apart: bytes[i] is
/// (i / run) * stride + (i % run) * pitch. Returns the first index that does
/// not, or the size.
static int64_t matchRuns(ArrayRef<int64_t> bytes, int64_t run, int64_t pitch,
                         int64_t stride) {
  for (int64_t i = 0, e = bytes.size(); i < e; ++i)
    if (bytes[i] - bytes[0] != i / run * stride + i % run * pitch)
      return i;
  return bytes.size();
}

/// Where groups of `run` elements follow each other, or `otherwise` when there
/// is one group.
static int64_t getGroupStride(ArrayRef<int64_t> bytes, int64_t run,
                              int64_t otherwise) {
  return int64_t(bytes.size()) > run ? bytes[run] - bytes[0] : otherwise;
}

static Error rowError(const LinearOperand &op, Major major, int64_t got) {
  int64_t row = getRowBytes(op.swizzle);
  return makeError("expected rows of " + Twine(row / op.elementBytes) +
                   " elements (" + Twine(row) + " bytes) for " +
                   describe(op.swizzle, major) + ", got " +
                   Twine(got / op.elementBytes));
}

static Error groupError(const LinearOperand &op, Major major, Major dim,
                        ArrayRef<int64_t> bytes, int64_t run, int64_t stride,
                        int64_t index) {
  return makeError("expected groups of " + Twine(run) + " elements along " +
                   getName(dim) + " at one stride (" + Twine(stride) +
                   " bytes) for " + describe(op.swizzle, major) +
                   ", got element " + Twine(index) + " at byte " +
                   Twine(bytes[index]));
}

/// Compares each step along K with the first and with the formula.
static Error checkSteps(const LinearOperand &op, Major major, int64_t run,
                        int64_t pitch, int64_t stride) {
  ArrayRef<int64_t> bytes = op.kBytes;
  int64_t step = op.getStepElements();
  for (int64_t at = 0, e = bytes.size(); at < e; at += step) {
    ArrayRef<int64_t> slice = bytes.slice(at, step);
    int64_t index = matchRuns(slice, run, pitch, stride);
    if (index != step)
      return groupError(op, major, Major::K, bytes, run, stride, at + index);
  }
  return Error::success();
}

/// Offsets must fit their fields, and where they lead from atom to atom they
/// must not move the swizzle pattern.
static Error checkStride(const LinearOperand &op, const char *name,
                         int64_t bytes, bool movesAtoms) {
  int64_t unit = movesAtoms ? getPatternBytes(op.swizzle) : 16;
  if (bytes < 0 || bytes >= kFieldEnd || bytes % unit != 0)
    return makeError(Twine("expected a ") + name + " that is a multiple of " +
                     Twine(unit) + " below 262144 bytes, got " + Twine(bytes));
  return Error::success();
}

/// Fills in the strides of a K-major operand.
static Error matchKMajor(const LinearOperand &op, SmemDescriptor &desc) {
  bool swizzled = op.swizzle != SwizzleMode::None;
  int64_t row = getRowBytes(op.swizzle), chunk = 16 / op.elementBytes;
  int64_t pitch = op.mnBytes[1];
  if (pitch != row)
    return rowError(op, Major::K, pitch);
  desc.strideByteOffset =
      getGroupStride(op.mnBytes, kAtomRows, kAtomRows * row);
  int64_t index = matchRuns(op.mnBytes, kAtomRows, row, desc.strideByteOffset);
  if (index != int64_t(op.mnBytes.size()))
    return groupError(op, Major::K, Major::MN, op.mnBytes, kAtomRows,
                      desc.strideByteOffset, index);
  if (Error error = checkStride(op, "stride byte offset", desc.strideByteOffset,
                                swizzled))
    return error;
  if (!swizzled) {
    desc.leadingByteOffset = op.kBytes[chunk];
    if (Error error = checkSteps(op, Major::K, chunk, op.elementBytes,
                                 desc.leadingByteOffset))
      return error;
    return checkStride(op, "leading byte offset", desc.leadingByteOffset,
                       /*movesAtoms=*/false);
  }
  // Not read by the hardware: says where the next atom along K is.
  int64_t next = getGroupStride(op.kBytes, row / op.elementBytes, 16);
  bool fits = next >= 0 && next < kFieldEnd && next % 16 == 0;
  desc.leadingByteOffset = fits ? next : 16;
  return checkSteps(op, Major::K, op.getStepElements(), op.elementBytes, 0);
}

/// The same for an MN-major operand.
static Error matchMNMajor(const LinearOperand &op, SmemDescriptor &desc) {
  bool swizzled = op.swizzle != SwizzleMode::None;
  int64_t row = getRowBytes(op.swizzle), run = row / op.elementBytes;
  int64_t mnStride = getGroupStride(op.mnBytes, run, 16);
  int64_t index = matchRuns(op.mnBytes, run, op.elementBytes, mnStride);
  if (index < std::min<int64_t>(run, op.mnBytes.size()))
    return rowError(op, Major::MN, index * op.elementBytes);
  if (index != int64_t(op.mnBytes.size()))
    return groupError(op, Major::MN, Major::MN, op.mnBytes, run, mnStride,
                      index);
  if (op.kBytes[1] != row)
    return rowError(op, Major::MN, op.kBytes[1]);
  int64_t kStride = op.kBytes[kAtomRows];
  if (Error error = checkSteps(op, Major::MN, kAtomRows, row, kStride))
    return error;
  desc.leadingByteOffset = swizzled ? mnStride : kStride;
  desc.strideByteOffset = swizzled ? kStride : mnStride;
  bool severalAtoms = int64_t(op.mnBytes.size()) > run;
  if (Error error =
          checkStride(op, "leading byte offset", desc.leadingByteOffset,
                      swizzled && severalAtoms))
    return error;
  return checkStride(op, "stride byte offset", desc.strideByteOffset, swizzled);
}

/// A step may start inside a row of the pattern, but not at another row: the
/// hardware counts rows from the start of the pattern.
static Error checkStart(const LinearOperand &op, int64_t step, int64_t bytes) {
  bool swizzled = op.swizzle != SwizzleMode::None;
  int64_t pattern = getPatternBytes(op.swizzle);
  if (bytes < 0 || bytes % 16 != 0)
    return makeError("expected step " + Twine(step) +
                     " along K to start at a multiple of 16 bytes, got byte " +
                     Twine(bytes));
  if (swizzled && bytes % pattern >= getRowBytes(op.swizzle))
    return makeError("expected step " + Twine(step) +
                     " along K to start in the first row of a " +
                     Twine(pattern) + "-byte atom of the " +
                     getName(op.swizzle) + " swizzle, got byte " +
                     Twine(bytes));
  return Error::success();
}

static Error fillSteps(const LinearOperand &op, SmemDescriptor &desc) {
  int64_t step = op.getStepElements();
  for (int64_t at = 0, e = op.kBytes.size(); at < e; at += step) {
    int64_t bytes = op.start + op.kBytes[at];
    if (Error error = checkStart(op, at / step, bytes))
      return error;
    desc.stepOffsets.push_back(bytes);
  }
  return Error::success();
}

static Expected<SmemDescriptor> matchFormula(const LinearOperand &op,
                                             unsigned minMNMajorBits) {
  bool kMajor = op.kBytes[1] == op.elementBytes;
  bool mnMajor = op.mnBytes[1] == op.elementBytes;
  if (!kMajor && !mnMajor)
    return makeError("expected neighbours along K or MN to be neighbours in "
                     "memory, got steps of " +
                     Twine(op.kBytes[1] / op.elementBytes) + " and " +
                     Twine(op.mnBytes[1] / op.elementBytes) + " elements");
  unsigned bits = op.elementBytes * 8;
  if (!kMajor && (bits < minMNMajorBits || bits > 16))
    return makeError("expected a K-major operand for " + Twine(bits) +
                     "-bit elements, got an MN-major one");
  SmemDescriptor desc;
  desc.major = kMajor ? Major::K : Major::MN;
  desc.swizzle = op.swizzle;
  desc.requiredAlignment = getPatternBytes(op.swizzle);
  if (Error error = kMajor ? matchKMajor(op, desc) : matchMNMajor(op, desc))
    return std::move(error);
  if (Error error = fillSteps(op, desc))
    return std::move(error);
  return desc;
}

//===----------------------------------------------------------------------===//
// Instruction families
//===----------------------------------------------------------------------===//

/// MN-major operands have elements of `minMNMajorBits` to 16 bits.
static Expected<SmemDescriptor>
derive(const SmemOperand &operand, unsigned minMNMajorBits,
       Expected<uint64_t> (*encode)(const MatrixDescriptor &)) {
  Expected<LinearOperand> linear = linearise(operand);
  if (!linear)
    return linear.takeError();
  Expected<SmemDescriptor> desc = matchFormula(*linear, minMNMajorBits);
  if (!desc)
    return desc;
  MatrixDescriptor fields;
  fields.leadingByteOffset = desc->leadingByteOffset;
  fields.strideByteOffset = desc->strideByteOffset;
  fields.swizzle = desc->swizzle;
  Expected<uint64_t> bits = encode(fields);
  if (!bits)
    return bits.takeError();
  desc->constantBits = *bits;
  return desc;
}

Expected<SmemDescriptor>
tirx::deriveTcgen05Descriptor(const SmemOperand &operand) {
  return derive(operand, 8, encodeTcgen05Descriptor);
}

Expected<SmemDescriptor>
tirx::deriveWgmmaDescriptor(const SmemOperand &operand) {
  return derive(operand, 16, encodeWgmmaDescriptor);
}
