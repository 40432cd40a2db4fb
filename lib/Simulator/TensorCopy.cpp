//===- TensorCopy.cpp - cp.async.bulk.tensor and tensor maps --------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Copies and reductions of boxes of tensors (PTX ISA 9.7.9.25.5), and the
// instructions that change tensor maps.
//
//===----------------------------------------------------------------------===//

#include "BulkOps.h"
#include "TensorBox.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"
#include <cstring>
#include <memory>

using namespace tirx::sim;

/// Operands by index into Inst::op; kOffsets is the first of up to three.
static constexpr unsigned kShared = 0, kMap = 1, kBarrier = 2, kMask = 3,
                          kOffsets = 4;

namespace {
/// A copy between issue and completion.
struct TensorCopy {
  TensorCopy(Warp &w, const Inst &i, unsigned lane, TensorBox box)
      : box(std::move(box)), memory(w.cta, {&i, int(w.index), int(lane)}) {}

  bool readGlobal();
  bool writeShared(SharedPlace to);
  bool readShared(SharedPlace from);
  bool writeGlobal();
  bool reduceGlobal(AtomicOp op, Type type);

  TensorBox box;
  AsyncMemory memory;
  std::vector<uint8_t> bytes; ///< of all rows, without gaps

private:
  void fill();
  void unpack(const uint8_t *from, unsigned units, uint8_t *to);
};
} // namespace

//===----------------------------------------------------------------------===//
// Moving bytes
//===----------------------------------------------------------------------===//

/// What elements outside the tensor read as.
void TensorCopy::fill() {
  bytes.assign(box.bytes(), 0);
  if (box.map.fill != TensorMapFill::NaN)
    return;
  for (size_t n = 0; n + 1 < bytes.size(); n += 2) {
    bytes[n] = 0xf7;
    bytes[n + 1] = 0x7f;
  }
}

/// To the nearest tf32, ties to even; every NaN becomes one, as measured on an
/// H200.
static uint32_t roundToTF32(uint32_t bits) {
  if ((bits & 0x7fffffff) > 0x7f800000)
    return 0x7fffe000;
  if ((bits & 0x7f800000) != 0x7f800000)
    bits += 0xfff + (bits >> 13 & 1);
  return bits & ~0x1fffu;
}

void TensorCopy::unpack(const uint8_t *from, unsigned units, uint8_t *to) {
  const TensorMapPacking &p = box.packing;
  if (p.globalBytes == p.sharedBytes) {
    std::memcpy(to, from, size_t(units) * p.globalBytes);
  } else {
    for (unsigned n = 0; n < units; ++n)
      std::memcpy(to + n * p.sharedBytes, from + n * p.globalBytes,
                  p.globalBytes);
  }
  if (box.map.type != TensorMapType::TF32 &&
      box.map.type != TensorMapType::TF32Ftz)
    return;
  for (unsigned n = 0; n < units; ++n) {
    uint32_t bits;
    std::memcpy(&bits, to + 4 * n, 4);
    bits = roundToTF32(bits);
    std::memcpy(to + 4 * n, &bits, 4);
  }
}

bool TensorCopy::readGlobal() {
  fill();
  for (unsigned r = 0; r < box.rows(); ++r) {
    TensorBox::Row row = box.row(r);
    if (row.first >= row.last)
      continue;
    unsigned units = row.last - row.first;
    const uint8_t *data = memory.readGlobal(
        row.address, units * box.packing.globalBytes, "the tensor");
    if (!data)
      return false;
    unpack(data, units,
           bytes.data() + size_t(r) * box.rowBytes() +
               row.first * box.packing.sharedBytes);
  }
  return true;
}

static void swapHalves(uint8_t *bytes) {
  std::swap_ranges(bytes, bytes + 8, bytes + 8);
}

bool TensorCopy::writeShared(SharedPlace to) {
  bool whole = box.map.swizzle == TensorMapSwizzle::None;
  unsigned step = whole ? box.rowBytes() : 16;
  for (unsigned r = 0; r < box.rows(); ++r)
    for (unsigned b = 0; b < box.rowBytes(); b += step) {
      uint8_t *data = bytes.data() + size_t(r) * box.rowBytes() + b;
      uint32_t address = box.sharedAddress(to.offset, r, b);
      if (box.isFlipped(address))
        swapHalves(data);
      if (!memory.writeShared(*to.cta, address, data, step, "the destination"))
        return false;
    }
  return true;
}

bool TensorCopy::readShared(SharedPlace from) {
  bytes.resize(box.bytes());
  bool whole = box.map.swizzle == TensorMapSwizzle::None;
  unsigned step = whole ? box.rowBytes() : 16;
  for (unsigned r = 0; r < box.rows(); ++r)
    for (unsigned b = 0; b < box.rowBytes(); b += step) {
      uint32_t address = box.sharedAddress(from.offset, r, b);
      const uint8_t *data =
          memory.readShared(*from.cta, address, step, "the source");
      if (!data)
        return false;
      uint8_t *to = bytes.data() + size_t(r) * box.rowBytes() + b;
      std::memcpy(to, data, step);
      if (box.isFlipped(address))
        swapHalves(to);
    }
  return true;
}

bool TensorCopy::writeGlobal() {
  const TensorMapPacking &p = box.packing;
  std::vector<uint8_t> packed;
  for (unsigned r = 0; r < box.rows(); ++r) {
    TensorBox::Row row = box.row(r);
    if (row.first >= row.last)
      continue;
    unsigned units = row.last - row.first;
    const uint8_t *from =
        bytes.data() + size_t(r) * box.rowBytes() + row.first * p.sharedBytes;
    if (p.globalBytes != p.sharedBytes) {
      packed.resize(size_t(units) * p.globalBytes);
      for (unsigned n = 0; n < units; ++n)
        std::memcpy(packed.data() + n * p.globalBytes, from + n * p.sharedBytes,
                    p.globalBytes);
      from = packed.data();
    }
    if (!memory.writeGlobal(row.address, from, units * p.globalBytes,
                            "the tensor"))
      return false;
  }
  return true;
}

bool TensorCopy::reduceGlobal(AtomicOp op, Type type) {
  for (unsigned r = 0; r < box.rows(); ++r) {
    TensorBox::Row row = box.row(r);
    if (row.first >= row.last)
      continue;
    unsigned size = (row.last - row.first) * box.packing.globalBytes;
    uint8_t *data = memory.updateGlobal(row.address, size, "the tensor");
    if (!data)
      return false;
    combineRun(op, type, data,
               bytes.data() + size_t(r) * box.rowBytes() +
                   row.first * box.packing.sharedBytes,
               size);
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

/// The box that a lane names, or nothing (reported). `a`: BoxMode, `b`: number
/// of im2col offsets.
static std::optional<TensorBox> boxOf(Warp &w, const Inst &i, unsigned lane,
                                      bool isLoad) {
  const Slot *slots = w.cta.grid.kernel.slots.data() + i.vector;
  uint64_t address = laneAddress(w, i, kMap, lane, int32_t(slots[0]));
  if (address % 64) {
    w.fault(i, lane, "alignment",
            llvm::formatv("expected a tensor map at a multiple of 64, got "
                          "{0:x}",
                          address));
    return std::nullopt;
  }
  MemoryRef ref;
  if (!w.resolveBytes(i, AddressSpace::Generic, address, kTensorMapBytes, lane,
                      AccessKind::Read, ref))
    return std::nullopt;
  auto map = decodeTensorMap(ref.data);
  if (!map) {
    w.fault(i, lane, "R38", llvm::toString(map.takeError()));
    return std::nullopt;
  }
  llvm::SmallVector<int32_t, 5> coordinates;
  for (unsigned n = 1; n < i.vectorCount; ++n)
    coordinates.push_back(w.at<uint32_t>(slots[n])[lane]);
  llvm::SmallVector<uint16_t, 3> offsets;
  for (unsigned n = 0; n < i.b; ++n)
    offsets.push_back(w.at<uint32_t>(i.op[kOffsets + n])[lane]);
  TensorBox box(std::move(*map), BoxMode(i.a), coordinates, offsets, isLoad);
  if (!box.problem.empty()) {
    w.fault(i, lane, "R38", box.problem);
    return std::nullopt;
  }
  return box;
}

/// `c`: the mbarrier may be of either CTA of a pair; imm: offset of the
/// destination, imm2: of the mbarrier.
static Step loadTensor(Warp &w, const Inst &i, uint32_t mask) {
  for (uint32_t rest = mask; rest; rest &= rest - 1) {
    unsigned l = llvm::countr_zero(rest);
    SharedPlace to, barrier;
    auto box = boxOf(w, i, l, /*isLoad=*/true);
    if (!box ||
        !locatePlace(w, i, l, laneAddress(w, i, kShared, l, i.imm), 128,
                     "the destination", to) ||
        !locatePlace(w, i, l, laneAddress(w, i, kBarrier, l, i.imm2), 8,
                     "the mbarrier", barrier))
      return Step::Fault;
    llvm::SmallVector<BulkTarget, 4> targets;
    if (!findTargets(w, i, l, to, barrier,
                     i.op[kMask] == kNoSlot ? kNoSlot : kMask, i.c, targets))
      return Step::Fault;
    for (const BulkTarget &target : targets) {
      auto copy = std::make_shared<TensorCopy>(w, i, l, *box);
      if (!issueLoad(
              w, i, l, target, box->bytes(),
              [copy] { return copy->readGlobal(); },
              [copy, target] { return copy->writeShared(target.to); }))
        return Step::Fault;
    }
  }
  return Step::Next;
}

/// The type in which a reduction combines elements of a map, or nothing.
static std::optional<Type> reductionType(AtomicOp op, TensorMapType type) {
  switch (op) {
  case AtomicOp::And:
  case AtomicOp::Or:
  case AtomicOp::Xor:
    if (type == TensorMapType::U64) // of I64 an H200 traps
      return Type::B64;
    if (type == TensorMapType::U32 || type == TensorMapType::I32)
      return Type::B32;
    return std::nullopt;
  case AtomicOp::Inc:
  case AtomicOp::Dec:
    if (type == TensorMapType::U32)
      return Type::U32;
    return std::nullopt;
  default:
    break;
  }
  switch (type) {
  case TensorMapType::U32:
    return Type::U32;
  case TensorMapType::I32:
    return Type::S32;
  case TensorMapType::U64:
    return Type::U64;
  case TensorMapType::I64:
    return Type::S64;
  case TensorMapType::F16:
    return Type::F16;
  case TensorMapType::BF16:
    return Type::BF16;
  case TensorMapType::F32:
  case TensorMapType::F32Ftz:
  case TensorMapType::TF32:
  case TensorMapType::TF32Ftz:
    if (op == AtomicOp::Add)
      return Type::F32;
    return std::nullopt;
  case TensorMapType::F64:
    if (op == AtomicOp::Add)
      return Type::F64;
    return std::nullopt;
  default:
    return std::nullopt;
  }
}

/// `d`: one more than the AtomicOp of a reduction; 0: a store.
static Step storeTensor(Warp &w, const Inst &i, uint32_t mask) {
  for (uint32_t rest = mask; rest; rest &= rest - 1) {
    unsigned l = llvm::countr_zero(rest);
    SharedPlace from;
    auto box = boxOf(w, i, l, /*isLoad=*/false);
    if (!box || !locatePlace(w, i, l, laneAddress(w, i, kShared, l, i.imm), 128,
                             "the source", from))
      return Step::Fault;
    auto copy = std::make_shared<TensorCopy>(w, i, l, *box);
    std::function<bool()> write = [copy] { return copy->writeGlobal(); };
    if (i.d) {
      AtomicOp op = AtomicOp(i.d - 1);
      auto type = reductionType(op, box->map.type);
      if (!type)
        return w.fault(i, l, "R41",
                       llvm::formatv("expected an element type that this "
                                     "reduction has, got number {0} of the "
                                     "driver",
                                     unsigned(box->map.type)));
      write = [copy, op, type] { return copy->reduceGlobal(op, *type); };
    }
    if (!issueStore(
            w, i, l, [copy, from] { return copy->readShared(from); }, write))
      return Step::Fault;
  }
  return Step::Next;
}

static bool decodeMode(InstDecoder &d, Inst &i) {
  d.usesAsyncProxy();
  d.accept({"1d", "2d", "3d", "4d", "5d", "tile", "global", "shared::cta",
            "shared::cluster", "mbarrier::complete_tx::bytes", "bulk_group"});
  i.a = uint8_t(BoxMode::Tile);
  if (d.has("tile::gather4") || d.has("tile::scatter4"))
    i.a = uint8_t(BoxMode::Rows4);
  else if (d.has("im2col") || d.has("im2col_no_offs"))
    i.a = uint8_t(BoxMode::Im2col);
  else if (d.hasPrefix("im2col::w"))
    d.fail("the wide im2col modes have no model");
  return !d.failed();
}

static void decodeStore(InstDecoder &d, Inst &i) {
  if (!decodeMode(d, i))
    return;
  d.tensorAddress(i, kMap, 0);
  d.address(i, kShared, 1);
  i.fn = storeTensor;
}

static void decodeLoad(InstDecoder &d, Inst &i) {
  if (!d.modifiers().empty() && d.isTensorAddress(0))
    return decodeStore(d, i);
  if (!decodeMode(d, i))
    return;
  d.tensorAddress(i, kMap, 1);
  d.address(i, kBarrier, 2);
  i.imm2 = i.imm;
  unsigned n = 3;
  if (BoxMode(i.a) == BoxMode::Im2col) {
    i.b = i.vectorCount - 3; // the offset of the map, channels and images apart
    for (unsigned k = 0; k < i.b && k < 3; ++k)
      i.op[kOffsets + k] = d.element(n, k, Type::U16);
    ++n;
  }
  if (d.has("multicast::cluster"))
    i.op[kMask] = d.src(n, Type::U16);
  i.c = d.has("cta_group::2");
  d.address(i, kShared, 0);
  i.fn = loadTensor;
}

//===----------------------------------------------------------------------===//
// Tensor maps in memory
//===----------------------------------------------------------------------===//

/// op[0] address, op[1] value; `a`: TensorMapField, `b`: index.
static Step replaceField(Warp &w, const Inst &i, uint32_t mask) {
  for (uint32_t rest = mask; rest; rest &= rest - 1) {
    unsigned l = llvm::countr_zero(rest);
    MemoryRef ref;
    uint64_t address = laneAddress(w, i, 0, l, i.imm);
    if (address % 64)
      return w.fault(i, l, "alignment",
                     llvm::formatv("expected a tensor map at a multiple of 64, "
                                   "got {0:x}",
                                   address));
    if (!w.resolveBytes(i, AddressSpace(i.space), address, kTensorMapBytes, l,
                        AccessKind::Write, ref))
      return Step::Fault;
    uint64_t value =
        i.size == 8 ? w.at<uint64_t>(i.op[1])[l] : w.at<uint32_t>(i.op[1])[l];
    std::string problem =
        replaceTensorMapField(ref.data, TensorMapField(i.a), i.b, value);
    if (!problem.empty())
      return w.fault(i, l, "R38", problem);
  }
  ++w.cta.grid.progress;
  return Step::Next;
}

static void decodeReplace(InstDecoder &d, Inst &i) {
  static const std::pair<const char *, TensorMapField> fields[] = {
      {"global_address", TensorMapField::Address},
      {"rank", TensorMapField::Rank},
      {"box_dim", TensorMapField::Box},
      {"global_dim", TensorMapField::Dim},
      {"global_stride", TensorMapField::Stride},
      {"element_stride", TensorMapField::ElementStride},
      {"elemtype", TensorMapField::Type},
      {"interleave_layout", TensorMapField::Interleave},
      {"swizzle_mode", TensorMapField::Swizzle},
      {"swizzle_atomicity", TensorMapField::SwizzleAtom},
      {"fill_mode", TensorMapField::Fill}};
  d.accept({"tile", "b1024"});
  i.space = uint8_t(spaceOf(d));
  Type type = d.has("b64") ? Type::B64 : Type::B32;
  i.size = bitsOf(type) / 8;
  for (auto [name, field] : fields)
    if (d.has(name))
      i.a = uint8_t(field);
  unsigned n = 1;
  if (d.exists(2))
    i.b = d.immediateIn(n++, 0, 4);
  i.op[1] = d.src(n, type);
  d.address(i, 0, 0);
  i.fn = replaceField;
}

/// A warp copies a map from shared to global memory.
static Step copyMap(Warp &w, const Inst &i, uint32_t mask) {
  unsigned l = llvm::countr_zero(mask);
  if (mask != kFullMask)
    return w.fault(i, l, "R36",
                   llvm::formatv("expected all 32 lanes of the warp, got lanes "
                                 "{0:x8}",
                                 mask));
  uint64_t to = laneAddress(w, i, 0, l, i.imm),
           from = laneAddress(w, i, 1, l, i.imm2);
  for (uint64_t address : {to, from})
    if (address % 128)
      return w.fault(i, l, "alignment",
                     llvm::formatv("expected addresses that are multiples of "
                                   "128, got {0:x}",
                                   address));
  MemoryRef source, target;
  if (!w.resolveBytes(i, AddressSpace::Shared, from, kTensorMapBytes, l,
                      AccessKind::Read, source) ||
      !w.resolveBytes(i, AddressSpace::Global, to, kTensorMapBytes, l,
                      AccessKind::Write, target))
    return Step::Fault;
  std::memcpy(target.data, source.data, kTensorMapBytes);
  target.store->markWritten(target.offset, kTensorMapBytes);
  ++w.cta.grid.progress;
  return Step::Next;
}

void tirx::sim::addTensorCopyModels(ModelTable &table) {
  table["cp.async.bulk.tensor"] = decodeLoad;
  table["cp.reduce.async.bulk.tensor"] = [](InstDecoder &d, Inst &i) {
    i.d = 1 + uint8_t(bulkOperation(d));
    decodeStore(d, i);
  };
  table["cp.async.bulk.prefetch.tensor"] = [](InstDecoder &d, Inst &i) {
    d.acceptAll();
    i.fn = [](Warp &, const Inst &, uint32_t) { return Step::Next; };
  };
  table["tensormap.replace"] = decodeReplace;
  table["tensormap.cp_fenceproxy"] = [](InstDecoder &d, Inst &i) {
    d.acceptAll();
    d.address(i, 1, 1);
    i.imm2 = i.imm;
    d.address(i, 0, 0);
    i.splitsOnGuard = true;
    i.fn = copyMap;
  };
}
