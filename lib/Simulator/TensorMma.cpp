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

const uint8_t *tirx::sim::readChunk(Cta &cta, const Issuer &issuer, Cta &owner,
                                    uint32_t address, const char *operand) {
  return AsyncMemory(cta, issuer).readShared(owner, address, 16, operand);
}

/// " of CTA 1 of the cluster" where that is not the one that issued.
static std::string nameOwner(const Cta &cta, const Cta &owner) {
  if (&cta == &owner)
    return "";
  return llvm::formatv(" of CTA {0} of the cluster", owner.rank);
}

bool tirx::sim::checkColumns(Cta &cta, const Issuer &issuer, const Cta &owner,
                             unsigned column, unsigned count,
                             const char *operand) {
  if (owner.tensor.find(column, count))
    return true;
  return failOperation(
      cta, issuer, "R29",
      llvm::formatv("expected {0} inside a live tensor memory allocation{1}, "
                    "got columns [{2}, {3}); {4}",
                    operand, nameOwner(cta, owner), column, column + count,
                    owner.tensor.describe()));
}

bool tirx::sim::checkCells(Cta &cta, const Issuer &issuer, const Cta &owner,
                           unsigned lane, unsigned column, unsigned count,
                           const char *operand) {
  for (unsigned c = column; c < column + count; ++c)
    if (!owner.tensor.isWritten(lane, c))
      return warnUnwritten(cta, issuer,
                           llvm::formatv("{0} reads tensor memory{1}, lane "
                                         "{2}, column {3} that was never "
                                         "written",
                                         operand, nameOwner(cta, owner), lane,
                                         c));
  return true;
}

//===----------------------------------------------------------------------===//
// Multiplicands
//===----------------------------------------------------------------------===//

/// Tells the observer of `count` cells of one lane.
static void notifyCells(const Cta &owner, const Issuer &issuer, unsigned lane,
                        unsigned column, unsigned count, AccessKind kind) {
  if (LLVM_UNLIKELY(owner.grid.accessObserver != nullptr))
    owner.grid.accessObserver->onAccess({{owner.linear, issuer.warp, 0},
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

bool tirx::sim::readMatrix(Cta &cta, const Issuer &issuer, Cta &owner,
                           const SharedDescriptor &descriptor, bool mnMajor,
                           const ElementType &type, unsigned rows, unsigned k,
                           const char *operand, std::vector<uint32_t> &out) {
  size_t begin = out.size();
  out.resize(begin + size_t(rows) * k);
  uint32_t *matrix = out.data() + begin;
  unsigned bytes = type.containerBytes, perChunk = 16 / bytes;
  uint32_t elements[16];
  unsigned outer = mnMajor ? k : rows, inner = mnMajor ? rows : k;
  for (unsigned o = 0; o < outer; ++o)
    for (unsigned first = 0; first < inner; first += perChunk) {
      uint32_t address = chunkAddress(descriptor, mnMajor, bytes,
                                      mnMajor ? first : o, mnMajor ? o : first);
      const uint8_t *chunk = readChunk(cta, issuer, owner, address, operand);
      if (!chunk)
        return false;
      unsigned count = unpackChunk(chunk, type, elements);
      for (unsigned e = 0; e < count && first + e < inner; ++e)
        matrix[mnMajor ? size_t(first + e) * k + o
                       : size_t(o) * k + first + e] = elements[e];
    }
  return true;
}

/// Reads `rows` x `k` elements through a descriptor of tcgen05, as many from
/// each CTA.
static bool readOperand(Cta &cta, const MmaOperation &operation, uint64_t bits,
                        bool mnMajor, const ElementType &type, unsigned rows,
                        unsigned k, const char *operand,
                        std::vector<uint32_t> &out) {
  const Issuer &issuer = operation.issuer;
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
  unsigned perCta = rows / operation.ctas.size();
  for (Cta *owner : operation.ctas)
    if (!readMatrix(cta, issuer, *owner, *descriptor, mnMajor, type, perCta, k,
                    operand, out))
      return false;
  return true;
}

DataPath tirx::sim::dataPathOf(const InstructionDescriptor &d,
                               unsigned ctaGroup, bool weightStationary) {
  DataPath path{d.m / ctaGroup};
  if (ctaGroup == 2 || weightStationary)
    path.columnParts = TensorMemory::kLanes / path.rows;
  else
    path.scattered = path.rows == 64;
  return path;
}

/// D and A may begin at lane 16 where they take every other 16 lanes.
static bool placeRows(Cta &cta, const Issuer &issuer, uint32_t address,
                      const char *operand, DataPath &path) {
  path.baseLane = address >> 16;
  if (path.baseLane == 0 || (path.scattered && path.baseLane == 16))
    return true;
  return failOperation(
      cta, issuer, "R29",
      llvm::formatv("expected {0} at tensor memory lane 0{1}, got {2}", operand,
                    path.scattered ? " or 16" : "", path.baseLane));
}

/// One row of A from one lane of tensor memory.
static bool readTensorRow(Cta &cta, const Issuer &issuer, Cta &owner,
                          unsigned lane, unsigned column,
                          const InstructionDescriptor &d, uint32_t *row) {
  unsigned columns = d.k * d.a.containerBytes / 4;
  if (!checkCells(cta, issuer, owner, lane, column, columns, "A"))
    return false;
  notifyCells(owner, issuer, lane, column, columns, AccessKind::Read);
  const uint8_t *bytes =
      reinterpret_cast<const uint8_t *>(owner.tensor.lane(lane) + column);
  uint32_t elements[16];
  for (unsigned first = 0; first < d.k;) {
    unsigned count =
        unpackChunk(bytes + first * d.a.containerBytes, d.a, elements);
    for (unsigned e = 0; e < count && first + e < d.k; ++e)
      row[first + e] = elements[e];
    first += count;
  }
  return true;
}

/// Where the columns of D are cut into parts, each part's lanes must hold the
/// same rows of A again.
static bool checkCopies(Cta &cta, const Issuer &issuer, Cta &owner,
                        const DataPath &path, unsigned row, unsigned column,
                        unsigned columns) {
  const uint32_t *first = owner.tensor.lane(path.lane(row)) + column;
  for (unsigned part = 1; part < path.columnParts; ++part) {
    unsigned lane = path.lane(row, part);
    if (!std::equal(first, first + columns, owner.tensor.lane(lane) + column))
      return failOperation(
          cta, issuer, "R43",
          llvm::formatv("expected A in tensor memory lanes 0 to {0} and the "
                        "same again from lane {1} on, got different values in "
                        "lanes {2} and {3}{4}",
                        path.rows - 1, path.rows, row, lane,
                        nameOwner(cta, owner)));
  }
  return true;
}

static bool readTensorOperand(Cta &cta, const MmaOperation &operation,
                              const InstructionDescriptor &d,
                              std::vector<uint32_t> &out) {
  const Issuer &issuer = operation.issuer;
  uint32_t address = uint32_t(operation.a);
  unsigned column = address & 0xffff;
  unsigned columns = d.k * d.a.containerBytes / 4;
  if (d.transposeA)
    return failOperation(cta, issuer, "R30",
                         "expected a K-major A in tensor memory (bit 15 of the "
                         "instruction descriptor zero)");
  if (d.a.bits < 8)
    return failOperation(cta, issuer, "R41",
                         "A of 4- and 6-bit elements in tensor memory has no "
                         "model");
  DataPath path =
      dataPathOf(d, operation.ctas.size(), operation.weightStationary);
  if (!placeRows(cta, issuer, address, "A", path))
    return false;
  out.assign(size_t(d.m) * d.k, 0);
  uint32_t *to = out.data();
  for (Cta *owner : operation.ctas) {
    if (!checkColumns(cta, issuer, *owner, column, columns, "A"))
      return false;
    for (unsigned row = 0; row < path.rows; ++row, to += d.k)
      if (!readTensorRow(cta, issuer, *owner, path.lane(row), column, d, to) ||
          !checkCopies(cta, issuer, *owner, path, row, column, columns))
        return false;
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

namespace {
/// The rows of D in tensor memory.
class Accumulator {
public:
  Accumulator(Cta &cta, const MmaOperation &operation,
              const InstructionDescriptor &d)
      : cta(cta), operation(operation), d(d),
        path(dataPathOf(d, operation.ctas.size(), operation.weightStationary)),
        column(operation.d & 0xffff), partColumns(d.n / path.columnParts) {}

  /// Checks where D stands; false when an error was reported.
  bool check() {
    if (!placeRows(cta, operation.issuer, operation.d, "D", path))
      return false;
    for (const Cta *owner : operation.ctas)
      if (!checkColumns(cta, operation.issuer, *owner, column, partColumns,
                        "D"))
        return false;
    return true;
  }

  /// Calls fn(row, cells) for each row that is written, after checking that the
  /// old values exist where they are read. fn replaces the N cells.
  template <class Fn> bool forRows(Fn fn) {
    for (unsigned row = 0; row < d.m; ++row) {
      unsigned rank = row / path.rows;
      bool ok = path.columnParts == 1 ? updateWhole(rank, row, fn)
                                      : updateParts(rank, row, fn);
      if (!ok)
        return false;
    }
    return true;
  }

private:
  bool isDisabled(unsigned rank, unsigned lane) const {
    return operation.disabledLanes[4 * rank + lane / 32] >> (lane % 32) & 1;
  }

  /// Before the cells of a lane are read as C.
  bool noteRead(const Cta &owner, unsigned lane) {
    if (!operation.accumulate)
      return true;
    if (!checkCells(cta, operation.issuer, owner, lane, column, partColumns,
                    "D"))
      return false;
    notifyCells(owner, operation.issuer, lane, column, partColumns,
                AccessKind::Read);
    return true;
  }

  void noteWrite(Cta &owner, unsigned lane) {
    notifyCells(owner, operation.issuer, lane, column, partColumns,
                AccessKind::Write);
    owner.tensor.markWritten(lane, column, partColumns);
  }

  /// A row that is contiguous in one lane: computed in place.
  template <class Fn> bool updateWhole(unsigned rank, unsigned row, Fn fn) {
    unsigned lane = path.lane(row % path.rows);
    if (isDisabled(rank, lane))
      return true;
    Cta &owner = *operation.ctas[rank];
    if (!noteRead(owner, lane))
      return false;
    fn(row, owner.tensor.lane(lane) + column);
    noteWrite(owner, lane);
    return true;
  }

  template <class Fn> bool updateParts(unsigned rank, unsigned row, Fn fn) {
    std::array<uint32_t, 256> cells = {};
    Cta &owner = *operation.ctas[rank];
    auto forParts = [&](auto visit) {
      for (unsigned part = 0; part < path.columnParts; ++part) {
        unsigned lane = path.lane(row % path.rows, part);
        if (!isDisabled(rank, lane) &&
            !visit(lane, owner.tensor.lane(lane) + column,
                   cells.data() + part * partColumns))
          return false;
      }
      return true;
    };
    bool ok = forParts([&](unsigned lane, uint32_t *there, uint32_t *here) {
      std::copy_n(there, partColumns, here);
      return noteRead(owner, lane);
    });
    if (!ok)
      return false;
    fn(row, cells.data());
    return forParts([&](unsigned lane, uint32_t *there, uint32_t *here) {
      std::copy_n(here, partColumns, there);
      noteWrite(owner, lane);
      return true;
    });
  }

  Cta &cta;
  const MmaOperation &operation;
  const InstructionDescriptor &d;
  DataPath path;
  unsigned column, partColumns;
};
} // namespace

static bool multiplyFloat(Accumulator &accumulator,
                          const MmaOperation &operation,
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
  return accumulator.forRows([&](unsigned row, uint32_t *cells) {
    multiplyRow(a, row, b, operation.accumulate ? cells : nullptr, cells,
                parameters);
  });
}

static bool multiplyInteger(Accumulator &accumulator,
                            const MmaOperation &operation,
                            const InstructionDescriptor &d,
                            const std::vector<uint32_t> &aBits,
                            const std::vector<uint32_t> &bBits) {
  std::vector<int16_t> a = toIntegers(aBits, d.a.isSigned);
  std::vector<int16_t> b = toIntegers(bBits, d.b.isSigned);
  return accumulator.forRows([&](unsigned row, uint32_t *cells) {
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

/// Both CTAs of a pair must live while one of them uses their memory.
static bool checkPeers(Cta &cta, const Issuer &issuer, const CtaGroup &ctas) {
  for (const Cta *peer : ctas)
    if (peer != &cta && peer->isDone())
      return failOperation(
          cta, issuer, "R26",
          llvm::formatv("expected CTA {0} of the cluster, the other one of the "
                        "pair, to live until the operation is complete, got "
                        "one that ended",
                        peer->rank));
  return true;
}

bool tirx::sim::executeMma(Cta &cta, const MmaOperation &operation) {
  const Issuer &issuer = operation.issuer;
  auto d = decodeInstructionDescriptor(operation.instruction, operation.kind,
                                       operation.ctas.size(),
                                       operation.weightStationary);
  if (!d)
    return failOperation(cta, issuer, "R41", llvm::toString(d.takeError()));
  if (operation.zeroColumns >> 39 & 1 || operation.zeroColumns >> 56 & 63)
    return failOperation(
        cta, issuer, "R41",
        llvm::formatv("zero-column masks that zero or shift columns have no "
                      "model: expected bits 39 and [56,62) zero, got {0:x}",
                      operation.zeroColumns));
  Accumulator accumulator(cta, operation, *d);
  if (!checkPeers(cta, issuer, operation.ctas) || !accumulator.check())
    return false;

  if (cta.grid.observer)
    cta.grid.observer->onMatrix({{cta.linear, issuer.warp, 0},
                                 uint64_t(d->m) * d->n * d->k,
                                 nameOf(operation.kind),
                                 issuer.inst});

  std::vector<uint32_t> a, b;
  bool ok = operation.aInTensor
                ? readTensorOperand(cta, operation, *d, a)
                : readOperand(cta, operation, operation.a, d->transposeA, d->a,
                              d->m, d->k, "A", a);
  ok = ok && readOperand(cta, operation, operation.b, d->transposeB, d->b, d->n,
                         d->k, "B", b);
  if (!ok)
    return false;
  return operation.kind == MmaKind::I8
             ? multiplyInteger(accumulator, operation, *d, a, b)
             : multiplyFloat(accumulator, operation, *d, a, b);
}

/// The part of a copy in one CTA, from its own shared memory.
static bool copyWithin(Cta &cta, const CopyOperation &operation, Cta &owner,
                       const SharedDescriptor &descriptor) {
  const Issuer &issuer = operation.issuer;
  unsigned column = operation.tensor & 0xffff, lane = operation.tensor >> 16;
  if (!checkColumns(cta, issuer, owner, column, operation.bytes / 4,
                    "the destination"))
    return false;
  for (unsigned row = 0; row < operation.rows; ++row)
    for (unsigned byte = 0; byte < operation.bytes; byte += 16) {
      const uint8_t *chunk = readChunk(
          cta, issuer, owner, chunkAddress(descriptor, false, 1, row, byte),
          "the source");
      if (!chunk)
        return false;
      for (unsigned copy = 0; copy < operation.copies; ++copy) {
        unsigned to = lane + row % 32 + row / 32 * operation.upperStride +
                      copy * operation.copyStride;
        std::memcpy(owner.tensor.lane(to) + column + byte / 4, chunk, 16);
        notifyCells(owner, issuer, to, column + byte / 4, 4, AccessKind::Write);
        owner.tensor.markWritten(to, column + byte / 4, 4);
      }
    }
  return true;
}

bool tirx::sim::executeCopy(Cta &cta, const CopyOperation &operation) {
  const Issuer &issuer = operation.issuer;
  auto descriptor = decodeSharedDescriptor(operation.descriptor);
  if (!descriptor)
    return failOperation(cta, issuer, "R41",
                         llvm::toString(descriptor.takeError()));
  unsigned last = (operation.tensor >> 16) + std::min(operation.rows, 32u) - 1 +
                  operation.upperStride * ((operation.rows - 1) / 32) +
                  operation.copyStride * (operation.copies - 1);
  if (last >= TensorMemory::kLanes)
    return failOperation(
        cta, issuer, "R29",
        llvm::formatv("expected lanes up to 127, got {0}", last));
  if (!checkPeers(cta, issuer, operation.ctas))
    return false;
  for (Cta *owner : operation.ctas)
    if (!copyWithin(cta, operation, *owner, *descriptor))
      return false;
  return true;
}
