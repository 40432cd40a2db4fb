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
#include "AlgebraDetail.h"
#include "TIRx/Layout/Algebra.h"
#include "TIRx/Layout/Text.h"

using namespace tirx;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;
using llvm::SmallVector;
using llvm::Twine;

/// Rows of an atom without swizzle, and the rows that K-major operands group.
static constexpr int64_t kGroupRows = 8;
/// The end of the 14-bit fields that count 16 bytes.
static constexpr int64_t kFieldEnd = int64_t(1) << 18;

namespace {
/// Where the elements of an operand are, in bits before the swizzle: element
/// (mn, k) is at start + mnBits[mn] + kBits[k].
struct LinearOperand {
  int64_t start = 0;
  SmallVector<int64_t> mnBits, kBits;
  SwizzleMode swizzle = SwizzleMode::None;
  /// Bits from one element to the next, padding included.
  int64_t elementBits = 16;
  int64_t stepBytes = 32;

  int64_t getStepElements() const { return stepBytes * 8 / elementBits; }
};

/// Which operands the instructions of a family take.
struct Family {
  const char *name;
  Expected<uint64_t> (*encode)(const MatrixDescriptor &);
  /// Whether MN-major operands have elements of 8 and 32 bits too, and K-major
  /// ones 4 and 6: tcgen05.
  bool allWidths;
  /// Whether a start address in any row of a swizzle's pattern is known to be
  /// read right.
  bool startsInAnyRow;
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

/// Bits that the layout's `m` counts.
static int64_t getSlotBits(const SmemOperand &operand) {
  return operand.padded ? 8 : operand.elementBits;
}

static Error checkElements(const SmemOperand &operand, const Family &family) {
  unsigned bits = operand.elementBits;
  if (operand.padded) {
    if (family.allWidths && (bits == 4 || bits == 6))
      return Error::success();
    return makeError(
        family.allWidths
            ? "expected padded elements of 4 or 6 bits, got " + Twine(bits)
            : Twine("expected no padded elements for ") + family.name +
                  ", got " + Twine(bits) + "-bit ones");
  }
  bool wide = bits == 8 || bits == 16 || bits == 32;
  if (wide || (family.allWidths && bits == 4))
    return Error::success();
  return makeError(Twine("expected elements of ") +
                   (family.allWidths ? "4, 8, 16 or 32" : "8, 16 or 32") +
                   " bits, got " + Twine(bits));
}

static Error checkShape(const SmemOperand &operand) {
  if (operand.shape.size() != 2)
    return makeError("expected a tile of 2 dimensions, got " +
                     Twine(operand.shape.size()));
  if (operand.kDim > 1)
    return makeError("expected K to be dimension 0 or 1, got " +
                     Twine(operand.kDim));
  if (operand.stepBytes != 32 && operand.stepBytes != 64)
    return makeError("expected 32 bytes of K for an instruction (64 for B of a "
                     "sparse one), got " +
                     Twine(operand.stepBytes));
  int64_t mn = operand.shape[1 - operand.kDim], k = operand.shape[operand.kDim];
  if (mn < 8 || mn > 256 || mn % 8 != 0)
    return makeError("expected an extent along MN that is a multiple of 8 up "
                     "to 256, got " +
                     Twine(mn));
  int64_t step = operand.stepBytes * 8 / getSlotBits(operand);
  // The limit keeps dimensions of stride 0 from being walked for ever.
  int64_t limit = kFieldEnd * 8 / getSlotBits(operand);
  if (k < step || k > limit || k % step != 0)
    return makeError("expected an extent along K that is a multiple of " +
                     Twine(step) + " (" + Twine(operand.stepBytes) +
                     " bytes) up to " + Twine(limit) + ", got " + Twine(k));
  return Error::success();
}

static SmallVector<int64_t> evaluate(ArrayRef<Iter> iters, int64_t extent,
                                     int64_t elementBits) {
  SmallVector<int64_t> bits(extent);
  for (int64_t i = 0; i < extent; ++i) {
    int64_t rest = i;
    for (const Iter &iter : llvm::reverse(iters)) {
      bits[i] += rest % iter.extent * iter.stride * elementBits;
      rest /= iter.extent;
    }
  }
  return bits;
}

static Expected<LinearOperand> linearise(const SmemOperand &operand,
                                         const Family &family) {
  if (Error error = checkElements(operand, family))
    return std::move(error);
  if (Error error = checkShape(operand))
    return std::move(error);
  CheckedInt size = CheckedInt(operand.shape[0]) * operand.shape[1];
  if (size.hasOverflowed())
    return makeError("expected a tile whose size fits 64 bits");
  Expected<Layout> full = operand.layout.withTile(size.get());
  if (!full)
    return full.takeError();
  Layout layout = detail::withCanonicalTile(*full);
  const TileLayout &tile = *layout.getTile();
  if (Error error = detail::checkMemoryOnly("a shared-memory operand", tile))
    return std::move(error);
  auto groups = group(tile, operand.shape);
  if (!groups)
    return groups.takeError();

  LinearOperand linear;
  linear.elementBits = getSlotBits(operand);
  linear.stepBytes = operand.stepBytes;
  Span span = tile.getSpan(memoryAxis());
  // The addresses of shared memory have 18 bits; this also keeps the
  // arithmetic below from overflowing.
  int64_t end = kFieldEnd * 8 / linear.elementBits;
  if (span.min < 0 || span.max >= end)
    return makeError("expected elements from 0 to " + Twine(end - 1) +
                     " of shared memory, got elements from " + Twine(span.min) +
                     " to " + Twine(span.max));
  Expected<SmallVector<SwizzleMode, 5>> modes =
      findSwizzleModes(layout.getSwizzle(), span.max, linear.elementBits);
  if (!modes)
    return modes.takeError();
  // A tile has whole periods of its pattern along both dimensions, so the mode
  // of the shortest period is the one to compare with.
  linear.swizzle = modes->front();
  linear.start = tile.getOffset(memoryAxis()) * linear.elementBits;
  unsigned k = operand.kDim, mn = 1 - operand.kDim;
  linear.mnBits =
      evaluate((*groups)[mn], operand.shape[mn], linear.elementBits);
  linear.kBits = evaluate((*groups)[k], operand.shape[k], linear.elementBits);
  return linear;
}

//===----------------------------------------------------------------------===//
// Comparison with the formulas
//===----------------------------------------------------------------------===//

/// Whether runs of `run` elements lie `pitch` apart: bits[i] is
/// (i / run) * stride + (i % run) * pitch. Returns the first index that does
/// not, or the size.
static int64_t matchRuns(ArrayRef<int64_t> bits, int64_t run, int64_t pitch,
                         int64_t stride) {
  for (int64_t i = 0, e = bits.size(); i < e; ++i)
    if (bits[i] - bits[0] != i / run * stride + i % run * pitch)
      return i;
  return bits.size();
}

/// Where groups of `run` elements follow each other, or `otherwise` when there
/// is one group.
static int64_t getGroupStride(ArrayRef<int64_t> bits, int64_t run,
                              int64_t otherwise) {
  return int64_t(bits.size()) > run ? bits[run] - bits[0] : otherwise;
}

/// "byte 3", or a bit.
static std::string describePlace(int64_t bits) {
  return bits % 8 == 0 ? ("byte " + Twine(bits / 8)).str()
                       : ("bit " + Twine(bits)).str();
}

static Error rowError(const LinearOperand &op, Major major, int64_t got) {
  int64_t row = getRowBytes(op.swizzle);
  return makeError("expected rows of " + Twine(row * 8 / op.elementBits) +
                   " elements (" + Twine(row) + " bytes) for " +
                   describe(op.swizzle, major) + ", got " +
                   Twine(got / op.elementBits));
}

static Error groupError(const LinearOperand &op, Major major, Major dim,
                        ArrayRef<int64_t> bits, int64_t run, int64_t stride,
                        int64_t index) {
  return makeError("expected groups of " + Twine(run) + " elements along " +
                   getName(dim) + " at one stride (" + describeBits(stride) +
                   ") for " + describe(op.swizzle, major) + ", got element " +
                   Twine(index) + " at " + describePlace(bits[index]));
}

/// Compares each step along K with the first and with the formula.
static Error checkSteps(const LinearOperand &op, Major major, int64_t run,
                        int64_t pitch, int64_t stride) {
  ArrayRef<int64_t> bits = op.kBits;
  int64_t step = op.getStepElements();
  for (int64_t at = 0, e = bits.size(); at < e; at += step) {
    ArrayRef<int64_t> slice = bits.slice(at, step);
    int64_t index = matchRuns(slice, run, pitch, stride);
    if (index != step)
      return groupError(op, major, Major::K, bits, run, stride, at + index);
  }
  return Error::success();
}

/// Turns an offset into bytes. It must fit its field, and where it leads from
/// atom to atom it must not move the swizzle pattern.
static Error putStride(const LinearOperand &op, const char *name, int64_t bits,
                       bool movesAtoms, int64_t &bytes) {
  int64_t unit = movesAtoms ? getPatternBytes(op.swizzle) : 16;
  if (bits < 0 || bits >= kFieldEnd * 8 || bits % (unit * 8) != 0)
    return makeError(Twine("expected a ") + name + " that is a multiple of " +
                     Twine(unit) + " below 262144 bytes, got " +
                     (bits % 8 == 0 ? Twine(bits / 8) : Twine(bits) + " bits"));
  bytes = bits / 8;
  return Error::success();
}

/// Fills in the strides of a K-major operand.
static Error matchKMajor(const LinearOperand &op, SmemDescriptor &desc) {
  bool swizzled = op.swizzle != SwizzleMode::None;
  int64_t row = getRowBytes(op.swizzle) * 8, chunk = 128 / op.elementBits;
  if (op.mnBits[1] != row)
    return rowError(op, Major::K, op.mnBits[1]);
  if (swizzled && op.stepBytes * 8 > row)
    return makeError("expected a swizzle of at least " + Twine(op.stepBytes) +
                     " bytes, the K of an instruction, got " +
                     describe(op.swizzle, Major::K));
  int64_t stride = getGroupStride(op.mnBits, kGroupRows, kGroupRows * row);
  int64_t index = matchRuns(op.mnBits, kGroupRows, row, stride);
  if (index != int64_t(op.mnBits.size()))
    return groupError(op, Major::K, Major::MN, op.mnBits, kGroupRows, stride,
                      index);
  if (Error error = putStride(op, "stride byte offset", stride, swizzled,
                              desc.strideByteOffset))
    return error;
  if (!swizzled) {
    int64_t leading = op.kBits[chunk];
    if (Error error = checkSteps(op, Major::K, chunk, op.elementBits, leading))
      return error;
    return putStride(op, "leading byte offset", leading,
                     /*movesAtoms=*/false, desc.leadingByteOffset);
  }
  // Not read by the hardware: says where the next atom along K is.
  int64_t next = getGroupStride(op.kBits, row / op.elementBits, 128);
  bool fits = next >= 0 && next < kFieldEnd * 8 && next % 128 == 0;
  desc.leadingByteOffset = fits ? next / 8 : 16;
  return checkSteps(op, Major::K, op.getStepElements(), op.elementBits, 0);
}

/// The same for an MN-major operand.
static Error matchMNMajor(const LinearOperand &op, SmemDescriptor &desc) {
  bool swizzled = op.swizzle != SwizzleMode::None;
  int64_t row = getRowBytes(op.swizzle) * 8, run = row / op.elementBits;
  // Rows along K that one period of the pattern has.
  int64_t rows = swizzled ? getPatternBytes(op.swizzle) * 8 / row : kGroupRows;
  int64_t mnStride = getGroupStride(op.mnBits, run, 128);
  int64_t index = matchRuns(op.mnBits, run, op.elementBits, mnStride);
  if (index < std::min<int64_t>(run, op.mnBits.size()))
    return rowError(op, Major::MN, index * op.elementBits);
  if (index != int64_t(op.mnBits.size()))
    return groupError(op, Major::MN, Major::MN, op.mnBits, run, mnStride,
                      index);
  if (op.kBits[1] != row)
    return rowError(op, Major::MN, op.kBits[1]);
  int64_t kStride = op.kBits[rows];
  if (Error error = checkSteps(op, Major::MN, rows, row, kStride))
    return error;
  bool severalAtoms = int64_t(op.mnBits.size()) > run;
  if (Error error =
          putStride(op, "leading byte offset", swizzled ? mnStride : kStride,
                    swizzled && severalAtoms, desc.leadingByteOffset))
    return error;
  return putStride(op, "stride byte offset", swizzled ? kStride : mnStride,
                   swizzled, desc.strideByteOffset);
}

/// A step may start inside a row of the pattern. At another row only where the
/// hardware is known to count rows from the start of the pattern.
static Error checkStart(const LinearOperand &op, const Family &family,
                        int64_t step, int64_t bits) {
  bool swizzled = op.swizzle != SwizzleMode::None && !family.startsInAnyRow;
  int64_t pattern = getPatternBytes(op.swizzle), bytes = bits / 8;
  if (bits < 0 || bits % 128 != 0)
    return makeError("expected step " + Twine(step) +
                     " along K to start at a multiple of 16 bytes, got " +
                     describePlace(bits));
  if (swizzled && bytes % pattern >= getRowBytes(op.swizzle))
    return makeError("expected step " + Twine(step) +
                     " along K to start in the first row of a " +
                     Twine(pattern) + "-byte atom of the " +
                     getName(op.swizzle) + " swizzle, got byte " +
                     Twine(bytes));
  return Error::success();
}

static Error fillSteps(const LinearOperand &op, const Family &family,
                       SmemDescriptor &desc) {
  int64_t step = op.getStepElements();
  for (int64_t at = 0, e = op.kBits.size(); at < e; at += step) {
    int64_t bits = op.start + op.kBits[at];
    if (Error error = checkStart(op, family, at / step, bits))
      return error;
    desc.stepOffsets.push_back(bits / 8);
  }
  return Error::success();
}

/// Which elements an MN-major operand may have, and how 32-bit ones swizzle.
static Error checkMNMajor(const LinearOperand &op, const SmemOperand &operand,
                          const Family &family) {
  unsigned bits = operand.elementBits;
  if (bits == 16 ? false : !family.allWidths || bits < 8)
    return makeError("expected a K-major operand for " + Twine(bits) +
                     "-bit elements" + (family.allWidths ? "" : " of ") +
                     (family.allWidths ? "" : family.name) +
                     ", got an MN-major one");
  bool atoms32 = op.swizzle == SwizzleMode::B128Atom32;
  if (family.allWidths && atoms32 != (bits == 32))
    return makeError("expected " +
                     (bits == 32 ? Twine("a 128B swizzle with 32B atoms")
                                 : Twine("no 32B atoms")) +
                     " for an MN-major operand of " + Twine(bits) +
                     "-bit elements, got " + describe(op.swizzle, Major::MN));
  return Error::success();
}

static Expected<SmemDescriptor> matchFormula(const LinearOperand &op,
                                             const SmemOperand &operand,
                                             const Family &family) {
  bool kMajor = op.kBits[1] == op.elementBits;
  bool mnMajor = op.mnBits[1] == op.elementBits;
  if (!kMajor && !mnMajor)
    return makeError("expected neighbours along K or MN to be neighbours in "
                     "memory, got steps of " +
                     Twine(op.kBits[1] / op.elementBits) + " and " +
                     Twine(op.mnBits[1] / op.elementBits) + " elements");
  if (!kMajor)
    if (Error error = checkMNMajor(op, operand, family))
      return std::move(error);
  SmemDescriptor desc;
  desc.major = kMajor ? Major::K : Major::MN;
  desc.swizzle = op.swizzle;
  desc.requiredAlignment = getPatternBytes(op.swizzle);
  if (Error error = kMajor ? matchKMajor(op, desc) : matchMNMajor(op, desc))
    return std::move(error);
  if (Error error = fillSteps(op, family, desc))
    return std::move(error);
  return desc;
}

/// The row of the hardware's pattern at which the buffer begins. The layout's
/// pattern begins there, and the base offset tells the hardware so.
static Expected<uint8_t> getBaseOffset(const SmemOperand &operand,
                                       SmemDescriptor &desc) {
  bool swizzled = desc.swizzle != SwizzleMode::None;
  int64_t phase = operand.basePhase;
  if (phase < 0 || phase >= 1024)
    return makeError("expected the phase of the buffer to be 0 to 1023 bytes, "
                     "got " +
                     Twine(phase));
  phase %= desc.requiredAlignment;
  if (phase == 0)
    return 0;
  if (!swizzled || phase % 128 != 0)
    return makeError("expected the buffer to begin at a multiple of " +
                     Twine(swizzled ? 128 : 16) + " bytes for " +
                     describe(desc.swizzle, desc.major) + ", got a phase of " +
                     Twine(operand.basePhase));
  return operand.basePhase / 128;
}

//===----------------------------------------------------------------------===//
// Instruction families
//===----------------------------------------------------------------------===//

static Expected<SmemDescriptor> derive(const SmemOperand &operand,
                                       const Family &family) {
  Expected<LinearOperand> linear = linearise(operand, family);
  if (!linear)
    return linear.takeError();
  Expected<SmemDescriptor> desc = matchFormula(*linear, operand, family);
  if (!desc)
    return desc;
  Expected<uint8_t> baseOffset = getBaseOffset(operand, *desc);
  if (!baseOffset)
    return baseOffset.takeError();
  MatrixDescriptor fields;
  fields.leadingByteOffset = desc->leadingByteOffset;
  fields.strideByteOffset = desc->strideByteOffset;
  fields.baseOffset = *baseOffset;
  fields.swizzle = desc->swizzle;
  Expected<uint64_t> bits = family.encode(fields);
  if (!bits)
    return bits.takeError();
  desc->constantBits = *bits;
  return desc;
}

Expected<SmemDescriptor>
tirx::deriveTcgen05Descriptor(const SmemOperand &operand) {
  return derive(operand, {"tcgen05", encodeTcgen05Descriptor,
                          /*allWidths=*/true, /*startsInAnyRow=*/false});
}

Expected<SmemDescriptor>
tirx::deriveWgmmaDescriptor(const SmemOperand &operand) {
  return derive(operand, {"wgmma", encodeWgmmaDescriptor,
                          /*allWidths=*/false, /*startsInAnyRow=*/true});
}
