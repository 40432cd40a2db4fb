//===- WgmmaOps.cpp - wgmma: issue, fence, commit, wait -------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Exec.h"
#include "Wgmma.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tirx::sim;

//===----------------------------------------------------------------------===//
// Forms
//===----------------------------------------------------------------------===//

namespace {
struct NamedElement {
  const char *name;
  ElementType type;
  /// Elements of a row of dense A take 32 bytes.
  unsigned k() const { return 32 / type.containerBytes; }
};
/// The bits of Inst::d.
enum Flag : uint8_t {
  kNegateA = 1,
  kNegateB = 2,
  kTransposeA = 4,
  kTransposeB = 8,
  kSaturate = 16,
  kSparse = 32,
  kRegisterA = 64,
};
} // namespace

static const NamedElement kElements[] = {
    {"f16", {&kF16, false, 16, 2}},
    {"bf16", {&kBF16, false, 16, 2}},
    {"tf32", {&kTF32, false, 32, 4}},
    {"e4m3", {&kE4M3, false, 8, 1}},
    {"e5m2", {&kE5M2, false, 8, 1}},
    {"s8", {nullptr, true, 8, 1}},
    {"u8", {nullptr, false, 8, 1}},
    // 32 elements in each word.
    {"b1", {nullptr, false, 32, 4}},
};

static WgmmaForm formOf(const Inst &i) {
  const NamedElement &a = kElements[i.a];
  WgmmaForm form;
  form.a = a.type;
  form.b = kElements[i.b].type;
  form.d = AccumulatorFormat(i.c);
  form.sparse = i.d & kSparse;
  form.n = i.imm;
  form.k = a.k() * (form.sparse ? 2 : 1);
  form.selector = i.size;
  form.negateA = i.d & kNegateA;
  form.negateB = i.d & kNegateB;
  form.transposeA = i.d & kTransposeA;
  form.transposeB = i.d & kTransposeB;
  form.saturate = i.d & kSaturate;
  form.registerA = i.d & kRegisterA;
  form.binary = llvm::StringRef(a.name) == "b1";
  return form;
}

//===----------------------------------------------------------------------===//
// Warpgroups
//===----------------------------------------------------------------------===//

static bool failAt(Warp &warp, const Inst &inst, llvm::StringRef rule,
                   const llvm::Twine &message,
                   std::vector<std::string> notes = {}) {
  warp.fault(inst, -1, rule, message, std::move(notes));
  return false;
}

static std::string lineOf(const Cta &cta, const Inst *inst) {
  const Grid &grid = cta.grid;
  const InstInfo &info = grid.kernel.info[inst - grid.kernel.code.data()];
  return llvm::formatv("line {0} `{1}`", info.ptxLine,
                       grid.moduleOf(info).lineText(info.ptxLine))
      .str();
}

bool Warpgroup::issue(Warp &warp, const Inst &inst,
                      const WgmmaOperation &operation) {
  unsigned slot = warp.index - firstWarp;
  uint64_t number = perWarp[slot].issued++;
  if (number - first == operations.size())
    operations.push_back(operation);
  WgmmaOperation &shared = operations[number - first];
  if (shared.inst != &inst)
    return failAt(warp, inst, "R36",
                  llvm::formatv("expected all four warps of the warpgroup to "
                                "execute the same wgmma, got this one after "
                                "another warp's at {0}",
                                lineOf(cta, shared.inst)));
  if (shared.a != operation.a || shared.b != operation.b ||
      shared.accumulate != operation.accumulate)
    return failAt(
        warp, inst, "R28",
        llvm::formatv("expected the same descriptors and scale-d in all four "
                      "warps of the warpgroup, got A {0:x}, B {1:x}, scale-d "
                      "{2} and in another warp A {3:x}, B {4:x}, scale-d {5}",
                      operation.a, operation.b, int(operation.accumulate),
                      shared.a, shared.b, int(shared.accumulate)));
  shared.registers[slot] = operation.registers[slot];
  shared.metadata[slot] = operation.metadata[slot];
  // Every warp issues in order, so that this can only be the first.
  if (shared.issued() == kWarpgroupWarps) {
    start(shared);
    operations.pop_front();
    ++first;
  }
  return !cta.grid.stopped;
}

void Warpgroup::start(const WgmmaOperation &operation) {
  Issuer issuer{operation.inst, int(firstWarp), 0};
  AsyncOperation work(cta, issuer, AsyncUnit::Wgmma);
  auto product = std::make_shared<WgmmaProduct>(
      cta, issuer, formOf(*operation.inst), operation);
  work.read = [product] { return product->read(); };
  work.write = [product] { return product->write(); };
  if (!started.empty())
    work.after.push_back(started.back());
  started.push_back(cta.engine->issue(std::move(work)));
  ++cta.grid.progress;
}

void Warpgroup::commit(const Warp &warp) {
  PerWarp &own = perWarp[warp.index - firstWarp];
  own.registers.commit();
  own.groups.push_back(own.issued);
}

bool Warpgroup::wait(const Warp &warp, uint64_t pending) {
  PerWarp &own = perWarp[warp.index - firstWarp];
  while (own.groups.size() > pending) {
    uint64_t end = own.groups.front();
    if (end > first)
      return false;
    // Those before it are complete when it is.
    if (end > firstStarted &&
        !cta.engine->complete(started[end - 1 - firstStarted]))
      return false;
    own.groups.pop_front();
    // The last one stays: the next comes after it.
    while (firstStarted + 1 < end) {
      started.pop_front();
      ++firstStarted;
    }
  }
  own.registers.complete(pending);
  return true;
}

std::string Warpgroup::describe() const {
  if (operations.empty())
    return "all warps have issued it";
  std::string missing;
  for (unsigned n = 0; n < kWarpgroupWarps; ++n)
    if (!operations.front().registers[n])
      missing += " " + std::to_string(firstWarp + n);
  return missing.empty()
             ? "it has not run"
             : llvm::formatv("{0} was not executed by warps{1}",
                             lineOf(cta, operations.front().inst), missing)
                   .str();
}

void tirx::sim::checkWarpgroupsAtExit(const Cta &cta) {
  for (const auto &group : cta.warpgroups) {
    if (cta.grid.stopped || !group || !group->front())
      continue;
    cta.grid.error(cta.grid.placeOf(group->front(), &cta, -1, -1), "R36",
                   "expected all four warps of the warpgroup to execute the "
                   "same wgmma, got an exit: " +
                       group->describe());
  }
}

/// The warpgroup of a warp that executes one of its instructions, or a report
/// (null).
static Warpgroup *warpgroupOf(Warp &w, const Inst &i, uint32_t mask) {
  if (mask != kFullMask) {
    w.fault(i, llvm::countr_zero(mask), "R36",
            llvm::formatv("expected all 32 lanes of the warp to execute this "
                          "instruction together, got lanes {0:x8}",
                          mask));
    return nullptr;
  }
  unsigned first = w.index / kWarpgroupWarps * kWarpgroupWarps;
  if (first + kWarpgroupWarps > w.cta.warps.size()) {
    w.fault(i, -1, "R28",
            llvm::formatv("expected a warpgroup of 4 warps from warp {0}, got "
                          "a CTA with {1} warps",
                          first, w.cta.warps.size()));
    return nullptr;
  }
  auto &groups = w.cta.warpgroups;
  groups.resize(w.cta.warps.size() / kWarpgroupWarps);
  auto &group = groups[first / kWarpgroupWarps];
  if (!group)
    group = std::make_unique<Warpgroup>(w.cta, first);
  return group.get();
}

//===----------------------------------------------------------------------===//
// Registers
//===----------------------------------------------------------------------===//

static bool failConflict(Warp &w, const Inst &i,
                         const AsyncRegisters::Conflict &conflict) {
  std::string where = lineOf(w.cta, conflict.inst);
  return failAt(
      w, i, "R20",
      llvm::formatv(
          "expected no access to {0} of a wgmma before the {1} it, got one "
          "while {2} is in flight",
          conflict.isAccumulator ? "the accumulator" : "A in registers",
          conflict.isCommitted ? "wgmma.wait_group that covers"
                               : "wgmma.commit_group and wait_group that cover",
          where));
}

/// Checks the registers of a wgmma and takes them.
static bool takeRegisters(Warp &w, const Inst &i, AsyncRegisters &registers,
                          llvm::ArrayRef<Slot> slots, uint64_t shape) {
  const Frame *frame = w.fragment().frame;
  if (const Inst *access = registers.findUnfenced(frame, slots))
    return failAt(w, i, "R20",
                  llvm::formatv("expected wgmma.fence between another access "
                                "to {0} and the wgmma that uses it, got an "
                                "access at {1}",
                                shape ? "the accumulator" : "A in registers",
                                lineOf(w.cta, access)));
  auto conflict = registers.findInFlight(frame, slots, shape);
  if (conflict.inst)
    return failConflict(w, i, conflict);
  registers.use(frame, slots, shape, &i);
  return true;
}

/// Stands in for an instruction that touches registers of wgmma.
static Step touchFirst(Warp &w, const Inst &i, uint32_t mask) {
  const Kernel &kernel = w.cta.grid.kernel;
  const GuardedInst &guarded =
      kernel.guarded.find(&i - kernel.code.data())->second;
  unsigned group = w.index / kWarpgroupWarps;
  // Before the first wgmma or fence, every access is harmless.
  if (group < w.cta.warpgroups.size() && w.cta.warpgroups[group]) {
    auto conflict = w.cta.warpgroups[group]->registersOf(w).touch(
        w.fragment().frame, guarded.slots, &i);
    if (conflict.inst) {
      failConflict(w, i, conflict);
      return Step::Fault;
    }
  }
  return guarded.fn(w, i, mask);
}

void tirx::sim::guardAsyncRegisters(
    Kernel &kernel, uint32_t begin,
    llvm::ArrayRef<std::pair<uint32_t, Slot>> touched) {
  llvm::DenseSet<Slot> used;
  for (uint32_t pc = begin; pc < kernel.code.size(); ++pc) {
    const Inst &inst = kernel.code[pc];
    if (isWgmma(inst))
      for (uint32_t n = 0; n < inst.vectorCount; ++n)
        used.insert(kernel.slots[inst.vector + n]);
  }
  if (used.empty())
    return;
  auto guard = [&](uint32_t pc, Slot slot) {
    Inst &inst = kernel.code[pc];
    GuardedInst &guarded = kernel.guarded[pc];
    if (!guarded.fn) {
      guarded.fn = inst.fn;
      inst.fn = touchFirst;
    }
    guarded.slots.push_back(slot);
  };
  for (auto [pc, slot] : touched) {
    const Inst &inst = kernel.code[pc];
    if (used.contains(slot) && !isWgmma(inst) && inst.fn)
      guard(pc, slot);
  }
  // The registers of a function end with it.
  for (uint32_t pc = begin; pc < kernel.code.size(); ++pc)
    if (kernel.code[pc].fn == endCall)
      for (Slot slot : used)
        guard(pc, slot);
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

/// op[0]: A's descriptor, op[1]: B's, op[2]: scale-d, op[3]: metadata; the
/// vector: D, then A in registers, vectorCount counts both; `a`, `b`: types,
/// `c`: type of D, `d`: flags, `size`: selector, imm: N.
static Step issue(Warp &w, const Inst &i, uint32_t mask) {
  Warpgroup *group = warpgroupOf(w, i, mask);
  if (!group)
    return Step::Fault;
  WgmmaOperation operation;
  operation.inst = &i;
  if (!readUniform(w, i, 1, mask, "descriptor of B", operation.b) ||
      (!(i.d & kRegisterA) &&
       !readUniform(w, i, 0, mask, "descriptor of A", operation.a)))
    return Step::Fault;
  uint32_t accumulate = w.predicate(i.op[2]);
  if (accumulate != 0 && accumulate != kFullMask)
    return w.fault(i, llvm::countr_zero(accumulate), "R28",
                   "expected one value of scale-d in all lanes of the warp, "
                   "got different ones");
  operation.accumulate = accumulate != 0;
  unsigned slot = w.index % kWarpgroupWarps;
  operation.registers[slot] = w.at<uint8_t>(0);
  if (i.d & kSparse)
    std::copy_n(w.at<uint32_t>(i.op[3]), 32, operation.metadata[slot].begin());

  AsyncRegisters &registers = group->registersOf(w);
  if (!registers.hasFence())
    return w.fault(i, -1, "R20",
                   "expected wgmma.fence before the first wgmma of the warp, "
                   "got none");
  WgmmaForm form = formOf(i);
  llvm::ArrayRef<Slot> slots(w.cta.grid.kernel.slots.data() + i.vector,
                             i.vectorCount);
  if (!takeRegisters(w, i, registers, slots.take_front(form.accumulators()),
                     form.shape()) ||
      !takeRegisters(w, i, registers, slots.drop_front(form.accumulators()), 0))
    return Step::Fault;
  return group->issue(w, i, operation) ? Step::Next : Step::Fault;
}

bool tirx::sim::isWgmma(const Inst &inst) { return inst.fn == issue; }

static Step fence(Warp &w, const Inst &i, uint32_t mask) {
  Warpgroup *group = warpgroupOf(w, i, mask);
  if (!group)
    return Step::Fault;
  group->registersOf(w).fence();
  return Step::Next;
}

static Step commit(Warp &w, const Inst &i, uint32_t mask) {
  Warpgroup *group = warpgroupOf(w, i, mask);
  if (!group)
    return Step::Fault;
  group->commit(w);
  return Step::Next;
}

/// imm: groups that may be pending.
static Step wait(Warp &w, const Inst &i, uint32_t mask) {
  Warpgroup *group = warpgroupOf(w, i, mask);
  if (!group)
    return Step::Fault;
  if (group->wait(w, i.imm))
    return Step::Next;
  if (w.cta.grid.stopped)
    return Step::Fault;
  w.fragment().state = FragmentState::WgmmaWait;
  return Step::Block;
}

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

static std::optional<uint8_t> elementIndex(llvm::StringRef name) {
  for (auto [n, element] : llvm::enumerate(kElements))
    if (name == element.name)
      return n;
  return std::nullopt;
}

/// Types and N, from the modifiers behind the shape.
static bool decodeTypes(InstDecoder &d, Inst &i) {
  auto mods = d.modifiers();
  const auto *shape = llvm::find_if(
      mods, [](llvm::StringRef mod) { return mod.starts_with("m64n"); });
  if (mods.end() - shape < 4)
    return false;
  unsigned n = 0;
  llvm::StringRef text = shape->drop_front(4);
  auto a = elementIndex(shape[2]), b = elementIndex(shape[3]);
  if (text.consumeInteger(10, n) || n < 8 || n > 256 || n % 8 || !a || !b)
    return false;
  i.imm = n;
  i.a = *a;
  i.b = *b;
  i.c = uint8_t(shape[1] == "f16"   ? AccumulatorFormat::F16
                : shape[1] == "f32" ? AccumulatorFormat::F32
                                    : AccumulatorFormat::S32);
  return true;
}

/// D, then A if it is in registers, as one vector.
static void decodeRegisters(InstDecoder &d, Inst &i) {
  unsigned expected = formOf(i).accumulators();
  d.vector(i, 0, Type::B32, /*isDst=*/true);
  uint32_t first = i.vector, count = i.vectorCount;
  if (!d.failed() && count != expected)
    return d.fail(llvm::formatv("expected {0} registers of the accumulator, "
                                "got {1}",
                                expected, count));
  if (!d.isVector(1)) {
    i.op[0] = d.src(1, Type::B64);
    return;
  }
  i.d |= kRegisterA;
  d.vector(i, 1, Type::B32, /*isDst=*/false);
  if (!d.failed() && i.vectorCount != 4)
    return d.fail(
        llvm::formatv("expected 4 registers of A, got {0}", i.vectorCount));
  i.vector = first;
  i.vectorCount += count;
}

static void decodeWgmma(InstDecoder &d, Inst &i, bool isSparse) {
  if (!decodeTypes(d, i))
    return d.fail("wgmma of this shape and these types has no model");
  d.acceptAll();
  d.usesAsyncProxy();
  if (isSparse)
    i.d |= kSparse;
  if (d.has("satfinite"))
    i.d |= kSaturate;
  decodeRegisters(d, i);
  i.op[1] = d.src(2, Type::B64);
  unsigned n = 3;
  if (isSparse) {
    i.op[3] = d.src(n++, Type::B32);
    i.size = d.immediateIn(n++, 0, 1);
  }
  i.op[2] = d.srcPredicate(n++);
  if (d.exists(n)) {
    i.d |= d.immediateIn(n, -1, 1) < 0 ? kNegateA : 0;
    i.d |= d.immediateIn(n + 1, -1, 1) < 0 ? kNegateB : 0;
    n += 2;
  }
  if (d.exists(n) && !(i.d & kRegisterA))
    i.d |= d.immediateIn(n++, 0, 1) ? kTransposeA : 0;
  if (d.exists(n))
    i.d |= d.immediateIn(n, 0, 1) ? kTransposeB : 0;
  i.fn = issue;
}

void tirx::sim::addWgmmaModels(ModelTable &table) {
  table["wgmma.mma_async"] = [](InstDecoder &d, Inst &i) {
    decodeWgmma(d, i, /*isSparse=*/false);
  };
  table["wgmma.mma_async.sp"] = [](InstDecoder &d, Inst &i) {
    decodeWgmma(d, i, /*isSparse=*/true);
  };
  table["wgmma.fence"] = [](InstDecoder &, Inst &i) { i.fn = fence; };
  table["wgmma.commit_group"] = [](InstDecoder &, Inst &i) { i.fn = commit; };
  table["wgmma.wait_group"] = [](InstDecoder &d, Inst &i) {
    i.imm = d.immediateIn(0, 0, 7);
    i.fn = wait;
  };
}
