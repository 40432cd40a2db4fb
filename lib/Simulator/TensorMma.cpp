//===- TensorMma.cpp - executes tcgen05.mma and tcgen05.cp ----------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorOps.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <cstring>

using namespace tirx::sim;

/// Counts a read of bytes that nobody wrote; false when the run must end.
static bool warnUnwritten(Cta &cta, const Issuer &issuer,
                          const llvm::Twine &message) {
  Grid &grid = cta.grid;
  ++grid.uninitialisedReads;
  Report report;
  bool error = grid.options.uninitialisedIsError;
  report.severity = error ? Severity::Error : Severity::Warning;
  report.rule = "R42";
  report.message = message.str();
  report.place = grid.placeOf(issuer.inst, &cta, issuer.warp, issuer.lane);
  grid.log.add(std::move(report));
  grid.stopped |= error;
  return !error;
}

const uint8_t *tirx::sim::readChunk(Cta &cta, const Issuer &issuer,
                                    uint32_t address, const char *operand) {
  return AsyncMemory(cta, issuer).readShared(cta, address, 16, operand);
}

bool tirx::sim::checkColumns(Cta &cta, const Issuer &issuer, unsigned column,
                             unsigned count, const char *operand) {
  if (cta.tensor.find(column, count))
    return true;
  return failOperation(
      cta, issuer, "R29",
      llvm::formatv("expected {0} inside a live tensor memory allocation, got "
                    "columns [{1}, {2}); {3}",
                    operand, column, column + count, cta.tensor.describe()));
}

bool tirx::sim::checkCells(Cta &cta, const Issuer &issuer, unsigned lane,
                           unsigned column, unsigned count,
                           const char *operand) {
  for (unsigned c = column; c < column + count; ++c)
    if (!cta.tensor.isWritten(lane, c))
      return warnUnwritten(cta, issuer,
                           llvm::formatv("{0} reads tensor memory lane {1}, "
                                         "column {2} that was never written",
                                         operand, lane, c));
  return true;
}

//===----------------------------------------------------------------------===//
// Multiplicands
//===----------------------------------------------------------------------===//

/// Tells the observer of `count` cells of one lane.
static void notifyCells(Cta &cta, const Issuer &issuer, unsigned lane,
                        unsigned column, unsigned count, AccessKind kind) {
  if (LLVM_UNLIKELY(cta.grid.accessObserver != nullptr))
    cta.grid.accessObserver->onAccess({{cta.linear, issuer.warp, 0},
                                       Space::Tensor,
                                       kind,
                                       Proxy::Async,
                                       lane << 16 | column,
                                       count * 4,
                                       issuer.inst});
}

/// Elements of one 16-byte chunk as raw bits.
static unsigned unpackChunk(const uint8_t *chunk, const ElementType &type,
                            uint32_t *out) {
  if (type.bits >= 8) {
    unsigned bytes = type.containerBytes, count = 16 / bytes;
    for (unsigned i = 0; i < count; ++i) {
      uint32_t value = 0;
      std::memcpy(&value, chunk + i * bytes, bytes);
      out[i] = value;
    }
    return count;
  }
  // 16 elements, packed at the front of the 16 bytes, the rest is padding.
  for (unsigned i = 0; i < 16; ++i) {
    uint32_t value = 0;
    unsigned bit = i * type.bits;
    std::memcpy(&value, chunk + bit / 8, 2);
    out[i] = value >> (bit % 8) & llvm::maskTrailingOnes<uint32_t>(type.bits);
  }
  return 16;
}

bool tirx::sim::readMatrix(Cta &cta, const Issuer &issuer,
                           const SharedDescriptor &descriptor, bool mnMajor,
                           const ElementType &type, unsigned rows, unsigned k,
                           const char *operand, std::vector<uint32_t> &out) {
  out.assign(size_t(rows) * k, 0);
  unsigned bytes = type.containerBytes, perChunk = 16 / bytes;
  uint32_t elements[16];
  unsigned outer = mnMajor ? k : rows, inner = mnMajor ? rows : k;
  for (unsigned o = 0; o < outer; ++o)
    for (unsigned first = 0; first < inner; first += perChunk) {
      uint32_t address = chunkAddress(descriptor, mnMajor, bytes,
                                      mnMajor ? first : o, mnMajor ? o : first);
      const uint8_t *chunk = readChunk(cta, issuer, address, operand);
      if (!chunk)
        return false;
      unsigned count = unpackChunk(chunk, type, elements);
      for (unsigned e = 0; e < count && first + e < inner; ++e)
        out[mnMajor ? size_t(first + e) * k + o : size_t(o) * k + first + e] =
            elements[e];
    }
  return true;
}

/// Reads `rows` x `k` elements through a descriptor of tcgen05.
static bool readOperand(Cta &cta, const Issuer &issuer, uint64_t bits,
                        bool mnMajor, const ElementType &type, unsigned rows,
                        unsigned k, const char *operand,
                        std::vector<uint32_t> &out) {
  auto descriptor = decodeSharedDescriptor(bits);
  if (!descriptor)
    return failOperation(cta, issuer, "R41",
                         llvm::Twine(operand) + ": " +
                             llvm::toString(descriptor.takeError()));
  bool atom32 = descriptor->swizzle == SwizzleMode::B128Atom32;
  if (mnMajor ? atom32 != (type.containerBytes == 4) : false)
    return failOperation(
        cta, issuer, "R41",
        llvm::formatv("{0}: expected the 128B swizzle with 32-byte atoms for "
                      "MN-major 32-bit elements and only for them",
                      operand));
  return readMatrix(cta, issuer, *descriptor, mnMajor, type, rows, k, operand,
                    out);
}

/// The tensor memory lane of row `row` (rules of PTX ISA 9.7.16.10.5): M 64
/// puts 16 rows into each group of 32 lanes.
static unsigned laneOfRow(unsigned row, unsigned m, unsigned baseLane) {
  return m == 64 ? 32 * (row / 16) + row % 16 + baseLane : row;
}

static bool readTensorOperand(Cta &cta, const Issuer &issuer, uint32_t address,
                              const InstructionDescriptor &d,
                              std::vector<uint32_t> &out) {
  unsigned column = address & 0xffff, baseLane = address >> 16;
  unsigned columns = d.k * d.a.containerBytes / 4;
  if (d.transposeA)
    return failOperation(cta, issuer, "R30",
                         "expected a K-major A in tensor memory (bit 15 of the "
                         "instruction descriptor zero)");
  if (d.a.bits < 8)
    return failOperation(cta, issuer, "R41",
                         "A of 4- and 6-bit elements in tensor memory has no "
                         "model");
  if (baseLane != 0 && !(d.m == 64 && baseLane == 16))
    return failOperation(
        cta, issuer, "R29",
        llvm::formatv("expected A at tensor memory lane 0{0}, got {1}",
                      d.m == 64 ? " or 16" : "", baseLane));
  if (!checkColumns(cta, issuer, column, columns, "A"))
    return false;
  out.assign(size_t(d.m) * d.k, 0);
  for (unsigned row = 0; row < d.m; ++row) {
    unsigned lane = laneOfRow(row, d.m, baseLane);
    if (!checkCells(cta, issuer, lane, column, columns, "A"))
      return false;
    notifyCells(cta, issuer, lane, column, columns, AccessKind::Read);
    const uint8_t *bytes =
        reinterpret_cast<const uint8_t *>(cta.tensor.lane(lane) + column);
    uint32_t elements[16];
    for (unsigned first = 0; first < d.k;) {
      unsigned count =
          unpackChunk(bytes + first * d.a.containerBytes, d.a, elements);
      for (unsigned e = 0; e < count && first + e < d.k; ++e)
        out[size_t(row) * d.k + first + e] = elements[e];
      first += count;
    }
  }
  return true;
}

//===----------------------------------------------------------------------===//
// The product
//===----------------------------------------------------------------------===//

static std::vector<int16_t> toIntegers(const std::vector<uint32_t> &bits,
                                       bool isSigned) {
  std::vector<int16_t> result(bits.size());
  for (size_t i = 0; i < bits.size(); ++i)
    result[i] = isSigned ? int8_t(bits[i]) : uint8_t(bits[i]);
  return result;
}

static bool isDisabled(const MmaOperation &operation, unsigned lane) {
  return operation.disabledLanes[lane / 32] >> (lane % 32) & 1;
}

/// Calls fn(row, cells) for each row of D that is written, after checking that
/// the old values exist where they are read.
template <class Fn>
static bool forRows(Cta &cta, const MmaOperation &operation,
                    const InstructionDescriptor &d, Fn fn) {
  unsigned column = operation.d & 0xffff, baseLane = operation.d >> 16;
  for (unsigned row = 0; row < d.m; ++row) {
    unsigned lane = laneOfRow(row, d.m, baseLane);
    if (isDisabled(operation, lane))
      continue;
    if (operation.accumulate &&
        !checkCells(cta, operation.issuer, lane, column, d.n, "D"))
      return false;
    if (operation.accumulate)
      notifyCells(cta, operation.issuer, lane, column, d.n, AccessKind::Read);
    fn(row, cta.tensor.lane(lane) + column);
    notifyCells(cta, operation.issuer, lane, column, d.n, AccessKind::Write);
    cta.tensor.markWritten(lane, column, d.n);
  }
  return true;
}

static bool multiplyFloat(Cta &cta, const MmaOperation &operation,
                          const InstructionDescriptor &d,
                          const std::vector<uint32_t> &aBits,
                          const std::vector<uint32_t> &bBits) {
  PreparedOperand a(aBits, d.m, d.k, *d.a.format, d.negateA,
                    PreparedOperand::Order::RowMajor);
  PreparedOperand b(bBits, d.n, d.k, *d.b.format, d.negateB,
                    PreparedOperand::Order::KMajor);
  FusedParameters parameters;
  parameters.result = d.d;
  parameters.scaleD = operation.scaleD;
  return forRows(cta, operation, d, [&](unsigned row, uint32_t *cells) {
    multiplyRow(a, row, b, operation.accumulate ? cells : nullptr, cells,
                parameters);
  });
}

static bool multiplyInteger(Cta &cta, const MmaOperation &operation,
                            const InstructionDescriptor &d,
                            const std::vector<uint32_t> &aBits,
                            const std::vector<uint32_t> &bBits) {
  std::vector<int16_t> a = toIntegers(aBits, d.a.isSigned);
  std::vector<int16_t> b = toIntegers(bBits, d.b.isSigned);
  return forRows(cta, operation, d, [&](unsigned row, uint32_t *cells) {
    llvm::ArrayRef<int16_t> rowA = llvm::ArrayRef(a).slice(row * d.k, d.k);
    for (unsigned n = 0; n < d.n; ++n)
      cells[n] = integerDot(rowA, llvm::ArrayRef(b).slice(n * d.k, d.k),
                            operation.accumulate ? cells[n] : 0, d.saturate);
  });
}

static const char *nameOf(MmaKind kind) {
  switch (kind) {
  case MmaKind::F16:
    return "f16";
  case MmaKind::TF32:
    return "tf32";
  case MmaKind::F8F6F4:
    return "f8f6f4";
  case MmaKind::I8:
    return "i8";
  }
  return "";
}

bool tirx::sim::executeMma(Cta &cta, const MmaOperation &operation) {
  const Issuer &issuer = operation.issuer;
  auto d = decodeInstructionDescriptor(operation.instruction, operation.kind,
                                       /*ctaGroup=*/1);
  if (!d)
    return failOperation(cta, issuer, "R41", llvm::toString(d.takeError()));
  unsigned column = operation.d & 0xffff, baseLane = operation.d >> 16;
  if (baseLane != 0 && !(d->m == 64 && baseLane == 16))
    return failOperation(
        cta, issuer, "R29",
        llvm::formatv("expected D at tensor memory lane 0{0}, got {1}",
                      d->m == 64 ? " or 16" : "", baseLane));
  if (!checkColumns(cta, issuer, column, d->n, "D"))
    return false;

  if (cta.grid.observer)
    cta.grid.observer->onMatrix({{cta.linear, issuer.warp, 0},
                                 uint64_t(d->m) * d->n * d->k,
                                 nameOf(operation.kind),
                                 issuer.inst});

  std::vector<uint32_t> a, b;
  bool ok = operation.aInTensor
                ? readTensorOperand(cta, issuer, uint32_t(operation.a), *d, a)
                : readOperand(cta, issuer, operation.a, d->transposeA, d->a,
                              d->m, d->k, "A", a);
  ok = ok && readOperand(cta, issuer, operation.b, d->transposeB, d->b, d->n,
                         d->k, "B", b);
  if (!ok)
    return false;
  return operation.kind == MmaKind::I8
             ? multiplyInteger(cta, operation, *d, a, b)
             : multiplyFloat(cta, operation, *d, a, b);
}

bool tirx::sim::executeCopy(Cta &cta, const CopyOperation &operation) {
  const Issuer &issuer = operation.issuer;
  auto descriptor = decodeSharedDescriptor(operation.descriptor);
  if (!descriptor)
    return failOperation(cta, issuer, "R41",
                         llvm::toString(descriptor.takeError()));
  unsigned column = operation.tensor & 0xffff, lane = operation.tensor >> 16;
  if (!checkColumns(cta, issuer, column, operation.bytes / 4,
                    "the destination"))
    return false;
  unsigned last = lane + std::min(operation.rows, 32u) - 1 +
                  operation.upperStride * ((operation.rows - 1) / 32) +
                  operation.copyStride * (operation.copies - 1);
  if (last >= TensorMemory::kLanes)
    return failOperation(
        cta, issuer, "R29",
        llvm::formatv("expected lanes up to 127, got {0}", last));
  for (unsigned row = 0; row < operation.rows; ++row)
    for (unsigned byte = 0; byte < operation.bytes; byte += 16) {
      const uint8_t *chunk =
          readChunk(cta, issuer, chunkAddress(*descriptor, false, 1, row, byte),
                    "the source");
      if (!chunk)
        return false;
      for (unsigned copy = 0; copy < operation.copies; ++copy) {
        unsigned to = lane + row % 32 + row / 32 * operation.upperStride +
                      copy * operation.copyStride;
        std::memcpy(cta.tensor.lane(to) + column + byte / 4, chunk, 16);
        notifyCells(cta, issuer, to, column + byte / 4, 4, AccessKind::Write);
        cta.tensor.markWritten(to, column + byte / 4, 4);
      }
    }
  return true;
}
