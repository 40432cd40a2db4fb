//===- Move.cpp - mov and address conversions -----------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"
#include "Exec.h"

using namespace tirx::sim;

template <class T> static Step move(Warp &w, const Inst &i, uint32_t mask) {
  return map1<T, T>(w, i, mask, [](T a) { return a; });
}
static Step movePredicate(Warp &w, const Inst &i, uint32_t mask) {
  setPredicate(w, i.op[0], mask, w.predicate(i.op[1]));
  return Step::Next;
}
static Step move128(Warp &w, const Inst &i, uint32_t mask) {
  auto *d = w.at<uint64_t>(i.op[0]), *a = w.at<uint64_t>(i.op[1]);
  forLanes(mask, [&](unsigned l) {
    d[l] = a[l];
    d[l + 32] = a[l + 32];
  });
  return Step::Next;
}

/// Element `n` of a vector operand, widths of 8 to 64 bits.
static uint64_t readElement(Warp &w, const Inst &i, unsigned n, unsigned l) {
  Slot slot = w.cta.grid.kernel.slots[i.vector + n];
  return i.size == 64 ? w.at<uint64_t>(slot)[l] : w.at<uint32_t>(slot)[l];
}
static void writeElement(Warp &w, const Inst &i, unsigned n, unsigned l,
                         uint64_t value) {
  Slot slot = w.cta.grid.kernel.slots[i.vector + n];
  if (i.size == 64)
    w.at<uint64_t>(slot)[l] = value;
  else
    w.at<uint32_t>(slot)[l] = uint32_t(value);
}

/// Elements of `size` bits into one register, whose slot has `a` bits.
static Step pack(Warp &w, const Inst &i, uint32_t mask) {
  uint64_t elementMask =
      i.size == 64 ? ~uint64_t(0) : (uint64_t(1) << i.size) - 1;
  forLanes(mask, [&](unsigned l) {
    uint64_t low = 0, high = 0;
    for (unsigned n = 0; n < i.vectorCount; ++n) {
      uint64_t value = readElement(w, i, n, l) & elementMask;
      unsigned at = n * i.size;
      (at < 64 ? low : high) |= value << (at % 64);
    }
    if (i.a == 32) {
      w.at<uint32_t>(i.op[0])[l] = uint32_t(low);
      return;
    }
    w.at<uint64_t>(i.op[0])[l] = low;
    if (i.a == 128)
      w.at<uint64_t>(i.op[0])[l + 32] = high;
  });
  return Step::Next;
}

static Step unpackVector(Warp &w, const Inst &i, uint32_t mask) {
  uint64_t elementMask =
      i.size == 64 ? ~uint64_t(0) : (uint64_t(1) << i.size) - 1;
  forLanes(mask, [&](unsigned l) {
    uint64_t low, high = 0;
    if (i.a == 32)
      low = w.at<uint32_t>(i.op[0])[l];
    else
      low = w.at<uint64_t>(i.op[0])[l];
    if (i.a == 128)
      high = w.at<uint64_t>(i.op[0])[l + 32];
    for (unsigned n = 0; n < i.vectorCount; ++n) {
      unsigned at = n * i.size;
      writeElement(w, i, n, l,
                   (at < 64 ? low : high) >> (at % 64) & elementMask);
    }
  });
  return Step::Next;
}

static Type bitsType(unsigned bits) {
  return bits == 8    ? Type::B8
         : bits == 16 ? Type::B16
         : bits == 32 ? Type::B32
         : bits == 64 ? Type::B64
                      : Type::B128;
}

static void decodeMov(InstDecoder &d, Inst &i) {
  Type type = d.type();
  if (type == Type::Pred) {
    i.op[0] = d.dstPredicate(0);
    i.op[1] = d.srcPredicate(1);
    i.fn = movePredicate;
    return;
  }
  unsigned bits = bitsOf(type);
  bool unpacks = d.isVector(0), packs = d.isVector(1);
  if (unpacks && packs)
    return d.fail("expected a vector on one side only");
  if (unpacks || packs) {
    unsigned vector = unpacks ? 0 : 1;
    unsigned count = d.vectorSize(vector);
    if (count < 2 || bits / count < 8 || bits % count)
      return d.fail("mov between these vectors has no model");
    i.size = bits / count;
    i.a = std::max(bits, 32u); // of the slot
    d.vector(i, vector, bitsType(i.size), unpacks);
    i.op[0] = unpacks ? d.src(1, type) : d.dst(0, type);
    i.fn = unpacks ? unpackVector : pack;
    return;
  }
  i.op[0] = d.dst(0, type);
  i.op[1] = d.src(1, type);
  i.fn = bits == 128 ? move128 : bits == 64 ? move<uint64_t> : move<uint32_t>;
}

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

template <class T>
static Step addConstant(Warp &w, const Inst &i, uint32_t mask) {
  return map1<T, T>(w, i, mask, [&](T a) { return T(a + i.imm); });
}

static int64_t windowOf(InstDecoder &d) {
  d.accept({"global", "const", "param::entry"});
  // Parameters of device functions lie in their frames.
  if (d.has("param") && !d.inKernel())
    return kLocalWindow;
  if (d.has("shared") || d.has("shared::cta") || d.has("shared::cluster"))
    return kSharedWindow;
  if (d.has("local"))
    return kLocalWindow;
  return 0;
}

static void decodeCvta(InstDecoder &d, Inst &i) {
  Type type = d.type();
  if (bitsOf(type) != 64)
    return d.fail("32-bit generic addresses have no model");
  i.imm = d.has("to") ? -windowOf(d) : windowOf(d);
  i.op[0] = d.dst(0, type);
  i.op[1] = d.src(1, type);
  i.fn = addConstant<uint64_t>;
}

/// isspacep: `a` is what is asked for.
static Step isspacep(Warp &w, const Inst &i, uint32_t mask) {
  auto *a = w.at<uint64_t>(i.op[1]);
  uint32_t result = 0;
  forLanes(mask, [&](unsigned l) {
    uint64_t address = a[l];
    bool shared = address - kSharedWindow < kWindowSize;
    bool local = address - kLocalWindow < kWindowSize;
    bool is = false;
    switch (AddressSpace(i.a)) {
    case AddressSpace::Shared:
      is = shared &&
           (i.b || (address - kSharedWindow) >> kSharedRankShift == w.cta.rank);
      break;
    case AddressSpace::Local:
      is = local;
      break;
    case AddressSpace::Parameter:
      is = address - kParameterBase < kWindowSize;
      break;
    case AddressSpace::Constant: {
      Allocation *allocation = w.cta.grid.findGlobal(address, 1);
      is = allocation && allocation->readOnly &&
           address - kParameterBase >= kWindowSize;
      break;
    }
    default:
      is = !shared && !local;
    }
    result |= uint32_t(is) << l;
  });
  setPredicate(w, i.op[0], mask, result);
  return Step::Next;
}

static void decodeIsspacep(InstDecoder &d, Inst &i) {
  i.op[0] = d.dstPredicate(0);
  i.op[1] = d.src(1, Type::B64);
  i.b = d.has("shared::cluster");
  bool shared = i.b || d.has("shared") || d.has("shared::cta");
  d.accept("global");
  i.a = uint8_t(shared           ? AddressSpace::Shared
                : d.has("local") ? AddressSpace::Local
                : d.has("param") ? AddressSpace::Parameter
                : d.has("const") ? AddressSpace::Constant
                                 : AddressSpace::Global);
  i.fn = isspacep;
}

/// mapa: the same offset in another CTA's shared memory.
template <class T> static Step mapa(Warp &w, const Inst &i, uint32_t mask) {
  constexpr uint64_t kRankBits = uint64_t(0xff) << kSharedRankShift;
  auto *d = w.at<T>(i.op[0]), *a = w.at<T>(i.op[1]);
  auto *b = w.at<uint32_t>(i.op[2]);
  bool ok = true;
  forLanes(mask, [&](unsigned l) {
    if (ok && b[l] >= w.cta.cluster.size()) {
      w.fault(i, l, "R44",
              "expected the rank of a CTA of the cluster (below " +
                  llvm::Twine(w.cta.cluster.size()) + "), got " +
                  llvm::Twine(b[l]));
      ok = false;
    }
    d[l] =
        T((uint64_t(a[l]) & ~kRankBits) | uint64_t(b[l]) << kSharedRankShift);
  });
  return ok ? Step::Next : Step::Fault;
}

static void decodeMapa(InstDecoder &d, Inst &i) {
  Type type = d.type(); // .u32 or .u64 is that of the address
  d.accept("shared::cluster");
  i.op[0] = d.dst(0, type);
  i.op[1] = d.src(1, type);
  i.op[2] = d.src(2, Type::U32);
  i.fn = bitsOf(type) == 64 ? mapa<uint64_t> : mapa<uint32_t>;
}

static Step getctarank(Warp &w, const Inst &i, uint32_t mask) {
  auto *d = w.at<uint32_t>(i.op[0]);
  forLanes(mask, [&](unsigned l) {
    d[l] = readLane(w, i, 1, l) >> kSharedRankShift & 0xff;
  });
  return Step::Next;
}

void tirx::sim::addMoveModels(ModelTable &table) {
  table["mov"] = decodeMov;
  table["cvta"] = decodeCvta;
  table["isspacep"] = decodeIsspacep;
  table["mapa"] = decodeMapa;
  table["getctarank"] = [](InstDecoder &d, Inst &i) {
    d.accept("shared::cluster");
    i.op[0] = d.dst(0, Type::U32);
    d.srcAny(i, 1, 1, d.type());
    i.fn = getctarank;
  };
}
