//===- Decoder.cpp - from the AST to instructions -------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"
#include "Exec.h"
#include "FunctionDecoder.h"
#include "InstructionModels.h"
#include "TIRx/Simulator/FloatFormat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tirx::sim;
using Kind = tirx::ptx::Operand::Kind;

/// The model of the longest mnemonic that begins the dotted text; `rest` is
/// what follows it.
static DecodeFn findModel(llvm::StringRef opcode, llvm::StringRef &rest) {
  const ModelTable &models = getModels();
  for (llvm::StringRef name = opcode; !name.empty();
       name = name.rsplit('.').first) {
    auto it = models.find(name);
    if (it != models.end()) {
      rest = opcode.substr(name.size());
      return it->second;
    }
    if (!name.contains('.'))
      break;
  }
  return nullptr;
}

InstDecoder::InstDecoder(FunctionDecoder &function, const ptx::Instruction &ast)
    : function(function), instruction(ast) {
  if (ast.guard)
    guard = predicate(*ast.guard, /*isDst=*/true);
  // What the table does not know was registered.
  if (!ast.resolved && function.module.models)
    registered = function.module.models->find(ast.opcode);
  if (registered)
    return;
  llvm::StringRef rest;
  model = findModel(ast.opcode, rest);
  if (!model) {
    fail("the simulator does not know this instruction");
    return;
  }
  rest.split(mods, '.', -1, /*KeepEmpty=*/false);
  known.assign(mods.size(), false);
  for (llvm::StringRef modifier : mods)
    if (auto type = parseType(modifier))
      typeMods.push_back(*type);
}

/// Modifiers that order memory or hint at caches: this interpreter executes in
/// order and has no caches, so they change no value.
static bool changesNothing(llvm::StringRef modifier) {
  static const llvm::StringRef names[] = {
      "sync",     "aligned",      "uni",     "rn",      "lo",      "weak",
      "volatile", "mmio",         "relaxed", "acquire", "release", "acq_rel",
      "sc",       "cta",          "cluster", "gpu",     "sys",     "nc",
      "ca",       "cg",           "cs",      "lu",      "cv",      "wb",
      "wt",       "cta_group::1", "ctas",    "noinc",   "gl"};
  for (llvm::StringRef prefix : {"L1::", "L2::", "level::", "collector::"})
    if (modifier.starts_with(prefix))
      return true;
  return llvm::is_contained(names, modifier);
}

void InstDecoder::decode(Inst &inst, Flow &kind) {
  if (registered)
    decodeModelCall(*this, inst, *function.module.models, *registered);
  else
    model(*this, inst);
  // A modifier that the model never asked for must not be lost in silence.
  for (size_t n = 0; n < mods.size() && !failed(); ++n)
    if (!known[n] && !parseType(mods[n]) && !changesNothing(mods[n]))
      fail("the modifier ." + mods[n] + " has no model");
  inst.guard = guard;
  inst.guardNegated = instruction.guard && instruction.guard->negated;
  // Barriers count threads, however they arrive.
  inst.needsWarp = instruction.opcode.contains(".aligned") &&
                   !instruction.opcode.starts_with("bar");
  function.kernel.clustersInteract |= letsClustersInteract(instruction.opcode);
  kind = flow;
  inst.isBranch = flow == Flow::Branches;
}

void InstDecoder::usesAsyncProxy() { function.kernel.usesAsyncProxy = true; }

void InstDecoder::takesOverClusters() {
  function.kernel.takesOverClusters = true;
}

void InstDecoder::emitBefore(Inst inst, Flow kind) {
  if (inst.guard == kNoSlot) {
    inst.guard = guard;
    inst.guardNegated = instruction.guard && instruction.guard->negated;
  }
  inst.isBranch = kind == Flow::Branches;
  function.emit(inst, kind);
}

void InstDecoder::emitSkip(unsigned count) {
  Inst skip;
  skip.fn = [](Warp &w, const Inst &, uint32_t mask) {
    w.taken = mask;
    return Step::Branch;
  };
  skip.guard = guard;
  skip.guardNegated = !instruction.guard->negated;
  skip.target = function.kernel.code.size() + 1 + count;
  function.emit(skip, Flow::Branches);
}

void InstDecoder::fail(const llvm::Twine &text) {
  if (message.empty())
    message = text.str();
}

unsigned InstDecoder::targetNumber() const {
  llvm::StringRef target = function.module.module.target;
  unsigned number = 0;
  target.consume_front("sm_");
  target.consumeInteger(10, number);
  return number;
}

bool InstDecoder::has(llvm::StringRef modifier) {
  accept(modifier);
  return llvm::is_contained(mods, modifier);
}

bool InstDecoder::hasPrefix(llvm::StringRef prefix) const {
  return llvm::any_of(mods, [&](llvm::StringRef modifier) {
    return modifier.starts_with(prefix);
  });
}

void InstDecoder::accept(llvm::StringRef modifier) {
  for (size_t n = 0; n < mods.size(); ++n)
    if (mods[n] == modifier)
      known[n] = true;
}

void InstDecoder::accept(std::initializer_list<llvm::StringRef> modifiers) {
  for (llvm::StringRef modifier : modifiers)
    accept(modifier);
}

Type InstDecoder::type(unsigned i) {
  if (i < typeMods.size())
    return typeMods[i];
  fail("expected a type among the modifiers");
  return Type::B32;
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

unsigned InstDecoder::size() const { return instruction.operands.size(); }

const tirx::ptx::Operand &InstDecoder::operand(unsigned n) const {
  static const ptx::Operand missing;
  return n < size() ? instruction.operands[n] : missing;
}

bool InstDecoder::isVector(unsigned n) const {
  return operand(n).is(Kind::Vector);
}
bool InstDecoder::isAddress(unsigned n) const {
  return operand(n).is(Kind::Address);
}
bool InstDecoder::isSink(unsigned n) const {
  return exists(n) && operand(n).is(Kind::Sink);
}
bool InstDecoder::isRegister(unsigned n) const {
  return operand(n).is(Kind::Register);
}
bool InstDecoder::isPredicate(unsigned n) const {
  return isRegister(n) && operand(n).variable->type == ptx::ScalarType::pred;
}
unsigned InstDecoder::registerBits(unsigned n) const {
  return isRegister(n) ? ptx::bitWidth(operand(n).variable->type) : 0;
}
unsigned InstDecoder::vectorSize(unsigned n) const {
  return isVector(n) ? operand(n).elements.size() : 1;
}
llvm::StringRef InstDecoder::name(unsigned n) const { return operand(n).name; }

llvm::StringRef InstDecoder::parts(unsigned n) const {
  return isRegister(n) ? llvm::StringRef(operand(n).suffix) : "";
}

std::optional<int64_t> InstDecoder::immediate(unsigned n) {
  if (operand(n).is(Kind::Integer))
    return operand(n).value;
  return std::nullopt;
}

int64_t InstDecoder::immediateIn(unsigned n, int64_t low, int64_t high) {
  auto value = immediate(n);
  if (!value || *value < low || *value > high) {
    fail(llvm::formatv("expected a constant from {0} to {1} as operand {2}",
                       low, high, n + 1)
             .str());
    return low;
  }
  return *value;
}

Slot InstDecoder::scratch(Type type) { return function.allocate(bitsOf(type)); }
Slot InstDecoder::constant(uint64_t value, Type type) {
  return function.constant(value, bitsOf(type));
}
Slot InstDecoder::carryFlag() { return function.carryFlag(); }

static unsigned slotBits(unsigned bits) {
  return bits == 1 || bits > 32 ? bits : 32;
}

Slot InstDecoder::registerSlot(const ptx::Operand &op, Type type, bool anyWidth,
                               bool &wide) {
  unsigned have = ptx::bitWidth(op.variable->type), want = bitsOf(type);
  if (!op.suffix.empty() && !partsAccepted) {
    fail("components of registers have no model");
    return 0;
  }
  bool fits = slotBits(have) == slotBits(want) ||
              (anyWidth && have == 64 && want < 64 && want > 1);
  if (!fits) {
    fail(llvm::formatv("expected a register of {0} bits, got {1} with {2}",
                       want, op.name, have)
             .str());
    return 0;
  }
  wide = have == 64;
  return function.registerSlot(*op.variable, op.index);
}

/// The special registers that are constant for a lane.
static std::optional<SpecialRegister> findSpecial(llvm::StringRef name,
                                                  llvm::StringRef suffix) {
  using S = SpecialRegister;
  struct Triple {
    const char *name;
    S x;
  };
  static const Triple triples[] = {{"%tid", S::TidX},
                                   {"%ntid", S::NtidX},
                                   {"%ctaid", S::CtaidX},
                                   {"%nctaid", S::NctaidX},
                                   {"%clusterid", S::ClusteridX},
                                   {"%nclusterid", S::NclusteridX},
                                   {"%cluster_ctaid", S::ClusterCtaidX},
                                   {"%cluster_nctaid", S::ClusterNctaidX}};
  for (const Triple &triple : triples) {
    if (name != triple.name)
      continue;
    if (suffix == "x" || suffix == "y" || suffix == "z")
      return S(unsigned(triple.x) + (suffix[0] - 'x'));
    return suffix == "w" ? std::optional(S::Zero) : std::nullopt;
  }
  return llvm::StringSwitch<std::optional<S>>(name)
      .Case("%laneid", S::LaneId)
      .Case("%warpid", S::WarpId)
      .Case("%nwarpid", S::NwarpId)
      .Case("%smid", S::SmId)
      .Case("%nsmid", S::NsmId)
      .Case("%gridid", S::GridId)
      .Case("%cluster_ctarank", S::ClusterCtarank)
      .Case("%cluster_nctarank", S::ClusterNctarank)
      .Case("%lanemask_eq", S::LanemaskEq)
      .Case("%lanemask_le", S::LanemaskLe)
      .Case("%lanemask_lt", S::LanemaskLt)
      .Case("%lanemask_ge", S::LanemaskGe)
      .Case("%lanemask_gt", S::LanemaskGt)
      .Case("%dynamic_smem_size", S::DynamicSmemSize)
      .Case("%total_smem_size", S::TotalSmemSize)
      .Case("%aggr_smem_size", S::AggrSmemSize)
      .Cases({"%reserved_smem_offset_end", "%reserved_smem_offset_cap"},
             S::ReservedSmemSize)
      .Cases({"%reserved_smem_offset_0", "%reserved_smem_offset_1"},
             S::RuntimeSmemOffset)
      .Case("%envreg1", S::WorkspaceHigh)
      .Case("%envreg2", S::WorkspaceLow)
      // Nobody has configured a counter, set a word or made a graph.
      .Cases({"%reserved_smem_offset_begin", "%current_graph_exec"}, S::Zero)
      .Default(name.starts_with("%pm") || name.starts_with("%envreg")
                   ? std::optional(S::Zero)
                   : std::nullopt);
}

/// Clocks count the warp instructions that the grid has executed.
static Step readClock(Warp &w, const Inst &i, uint32_t mask) {
  uint64_t now = ++w.cta.grid.clock + w.cta.grid.steps;
  forLanes(mask,
           [&](unsigned l) { writeLane(w, i, 0, l, i.a ? now >> 32 : now); });
  return Step::Next;
}

Slot InstDecoder::specialSource(const ptx::Operand &op, Type type,
                                bool /*anyWidth*/, bool &wide) {
  unsigned bits = bitsOf(type);
  wide = bits == 64;
  if (op.name == "%is_explicit_cluster") {
    fail("%is_explicit_cluster is a predicate");
    return 0;
  }
  if (op.name.starts_with("%clock") || op.name.starts_with("%globaltimer")) {
    Inst read;
    read.fn = readClock;
    read.a = op.name.ends_with("_hi");
    read.op[0] = scratch(type);
    read.wide = wide;
    emitBefore(read);
    return read.op[0];
  }
  auto which = findSpecial(op.name, op.suffix);
  if (!which) {
    fail("the special register " + op.name + " has no model");
    return 0;
  }
  return function.special(*which, bits);
}

/// A literal as the bits of `type`.
static uint64_t literalBits(const tirx::ptx::Operand &op, Type type) {
  if (!op.is(Kind::Float))
    return op.value;
  uint64_t bits = op.value;
  if (op.floatBits == 64 && bitsOf(type) == 32)
    return floatToBits(float(llvm::bit_cast<double>(bits)));
  if (op.floatBits == 32 && type == Type::F64)
    return llvm::bit_cast<uint64_t>(double(bitsToFloat(uint32_t(bits))));
  return bits;
}

/// d = a + imm: for operands such as `%rd16+2`.
template <class T>
static Step addOffset(Warp &w, const Inst &i, uint32_t mask) {
  return map1<T, T>(w, i, mask, [&](T a) { return T(a + i.imm); });
}

Slot InstDecoder::source(const ptx::Operand &op, Type type, bool anyWidth,
                         bool &wide) {
  wide = bitsOf(type) == 64;
  switch (op.kind) {
  case Kind::Register: {
    Slot slot = registerSlot(op, type, anyWidth, wide);
    if (!op.value || failed())
      return slot;
    Inst add;
    add.fn = wide ? addOffset<uint64_t> : addOffset<uint32_t>;
    add.op[0] = function.allocate(wide ? 64 : 32);
    add.op[1] = slot;
    add.imm = op.value;
    emitBefore(add);
    return add.op[0];
  }
  case Kind::Integer:
  case Kind::Float:
    if (bitsOf(type) == 128) {
      fail("128-bit constants have no model");
      return 0;
    }
    return function.constant(literalBits(op, type), bitsOf(type));
  case Kind::Special:
    return specialSource(op, type, anyWidth, wide);
  case Kind::Symbol: {
    std::string error;
    Slot slot = function.symbol(*op.variable, op.value, bitsOf(type), error);
    if (!error.empty())
      fail(error);
    return slot;
  }
  case Kind::Function: {
    uint32_t index;
    const ptx::Function *body = reach(*op.callee, index);
    return body ? function.constant(function.module.addressOf(*body),
                                    bitsOf(type))
                : 0;
  }
  default:
    fail("expected a register or a constant, got '" + op.name + "'");
    return 0;
  }
}

Slot InstDecoder::dst(unsigned n, Type type) {
  const ptx::Operand &op = operand(n);
  if (op.is(Kind::Sink) && n < size())
    return scratch(type);
  if (!op.is(Kind::Register)) {
    fail("expected a register as operand " + llvm::Twine(n + 1));
    return 0;
  }
  bool wide;
  return registerSlot(op, type, false, wide);
}

Slot InstDecoder::src(unsigned n, Type type) {
  if (!exists(n)) {
    fail("expected an operand " + llvm::Twine(n + 1));
    return 0;
  }
  bool wide;
  return source(operand(n), type, false, wide);
}

void InstDecoder::dstAny(Inst &inst, unsigned field, unsigned n, Type type) {
  bool wide = bitsOf(type) == 64;
  const ptx::Operand &op = operand(n);
  if (op.is(Kind::Sink) && n < size())
    inst.op[field] = scratch(type);
  else if (op.is(Kind::Register))
    inst.op[field] = registerSlot(op, type, true, wide);
  else
    fail("expected a register as operand " + llvm::Twine(n + 1));
  inst.wide |= wide << field;
}

void InstDecoder::srcAny(Inst &inst, unsigned field, unsigned n, Type type) {
  bool wide = false;
  if (exists(n))
    inst.op[field] = source(operand(n), type, true, wide);
  else
    fail("expected an operand " + llvm::Twine(n + 1));
  inst.wide |= wide << field;
}

/// A predicate that is set where a word is not zero.
static Step isNotZero(Warp &w, const Inst &i, uint32_t mask) {
  auto *a = w.at<uint32_t>(i.op[1]);
  uint32_t result = 0;
  forLanes(mask, [&](unsigned l) { result |= uint32_t(a[l] != 0) << l; });
  setPredicate(w, i.op[0], mask, result);
  return Step::Next;
}

static Step invert(Warp &w, const Inst &i, uint32_t mask) {
  setPredicate(w, i.op[0], mask, ~w.predicate(i.op[1]));
  return Step::Next;
}

Slot InstDecoder::predicate(const ptx::Operand &op, bool isDst) {
  if (op.is(Kind::Integer) && !isDst)
    return function.constant(op.value != 0, 1);
  if (op.is(Kind::Special) && op.name == "%is_explicit_cluster" && !isDst) {
    Inst test;
    test.fn = isNotZero;
    test.op[0] = function.allocate(1);
    test.op[1] = function.special(SpecialRegister::IsExplicitCluster, 32);
    emitBefore(test);
    return test.op[0];
  }
  if (!op.is(Kind::Register) || op.variable->type != ptx::ScalarType::pred) {
    fail("expected a predicate register, got '" + op.name + "'");
    return 0;
  }
  Slot slot = function.registerSlot(*op.variable, op.index);
  if (!op.negated || isDst)
    return slot;
  Inst inst;
  inst.fn = invert;
  inst.op[0] = function.allocate(1);
  inst.op[1] = slot;
  emitBefore(inst);
  return inst.op[0];
}

Slot InstDecoder::dstPredicate(unsigned n) {
  const ptx::Operand &op = operand(n);
  if (op.is(Kind::Sink) && n < size())
    return function.allocate(1);
  return predicate(op, true);
}

Slot InstDecoder::srcPredicate(unsigned n) {
  return predicate(operand(n), false);
}

Slot InstDecoder::pairFirst(unsigned n, Type type) {
  const ptx::Operand &op = operand(n);
  if (!op.is(Kind::Pair))
    return dst(n, type);
  if (op.elements[0].is(Kind::Sink))
    return scratch(type);
  bool wide;
  if (op.elements[0].is(Kind::Register))
    return registerSlot(op.elements[0], type, false, wide);
  fail("expected a register before '|'");
  return 0;
}

Slot InstDecoder::pairFirstPredicate(unsigned n) {
  const ptx::Operand &op = operand(n);
  if (!op.is(Kind::Pair))
    return dstPredicate(n);
  if (op.elements[0].is(Kind::Sink))
    return function.allocate(1);
  return predicate(op.elements[0], true);
}

Slot InstDecoder::pairSecond(unsigned n) {
  const ptx::Operand &op = operand(n);
  if (!op.is(Kind::Pair) || op.elements[1].is(Kind::Sink))
    return kNoSlot;
  return predicate(op.elements[1], true);
}

void InstDecoder::vector(Inst &inst, unsigned n, Type type, bool isDst,
                         bool anyWidth) {
  llvm::ArrayRef<ptx::Operand> elements = operand(n);
  if (isVector(n))
    elements = operand(n).elements;
  if (!exists(n) || elements.empty()) {
    fail("expected an operand " + llvm::Twine(n + 1));
    return;
  }
  llvm::SmallVector<Slot, 8> slots;
  for (const ptx::Operand &element : elements) {
    bool wide = bitsOf(type) == 64;
    Slot slot = 0;
    if (isDst && element.is(Kind::Sink))
      slot = scratch(type);
    else if (isDst && !element.is(Kind::Register))
      fail("expected registers in the vector");
    else if (isDst)
      slot = registerSlot(element, type, anyWidth, wide);
    else
      slot = source(element, type, anyWidth, wide);
    slots.push_back(slot | (anyWidth && wide ? kWideSlot : 0));
  }
  inst.vector = function.kernel.slots.size();
  inst.vectorCount = slots.size();
  llvm::append_range(function.kernel.slots, slots);
}

void InstDecoder::sources(Inst &inst, unsigned first, unsigned count,
                          Type type) {
  llvm::SmallVector<Slot, 4> slots;
  for (unsigned n = first; n < first + count; ++n)
    slots.push_back(src(n, type));
  inst.vector = function.kernel.slots.size();
  inst.vectorCount = count;
  llvm::append_range(function.kernel.slots, slots);
}

bool InstDecoder::allNarrow(const Inst &inst) const {
  auto slots = llvm::ArrayRef(function.kernel.slots)
                   .slice(inst.vector, inst.vectorCount);
  return llvm::none_of(slots, [](Slot slot) { return slot & kWideSlot; });
}

void InstDecoder::address(Inst &inst, unsigned field, unsigned n) {
  const ptx::Operand &op = operand(n);
  if (!op.is(Kind::Address) || op.elements.size() != 1 || op.subscript) {
    fail("expected an address such as [%rd1+4] as operand " +
         llvm::Twine(n + 1));
    return;
  }
  const ptx::Operand &base = op.base();
  bool wide = false;
  inst.imm = op.value;
  switch (base.kind) {
  case Kind::Register:
    inst.op[field] = registerSlot(base, Type::B32, true, wide);
    break;
  default:
    // Addresses of parameters and variables need all 64 bits.
    inst.op[field] = source(base, Type::B64, false, wide);
  }
  inst.wide |= wide << field;
}

void InstDecoder::tensorAddress(Inst &inst, unsigned field, unsigned n) {
  const ptx::Operand &op = operand(n);
  if (!op.is(Kind::Address) || op.elements.size() != 2 ||
      !op.elements[1].is(Kind::Vector)) {
    fail("expected a tensor map and coordinates such as [%rd1, {%r1, %r2}] as "
         "operand " +
         llvm::Twine(n + 1));
    return;
  }
  bool wide = false;
  const ptx::Operand &base = op.base();
  if (base.is(Kind::Register))
    inst.op[field] = registerSlot(base, Type::B64, true, wide);
  else
    inst.op[field] = source(base, Type::B64, false, wide);
  inst.wide |= wide << field;
  // The constant part of the address stands before the coordinates.
  llvm::SmallVector<Slot, 6> slots = {Slot(op.value)};
  for (const ptx::Operand &element : op.elements[1].elements) {
    bool isWide = false;
    slots.push_back(source(element, Type::S32, false, isWide));
  }
  inst.vector = function.kernel.slots.size();
  inst.vectorCount = slots.size();
  llvm::append_range(function.kernel.slots, slots);
}

bool InstDecoder::isTensorAddress(unsigned n) const {
  return operand(n).is(Kind::Address) && operand(n).elements.size() == 2;
}

void InstDecoder::keepConstant(Inst &inst, int32_t value) {
  inst.vector = function.kernel.slots.size();
  inst.vectorCount = 1;
  function.kernel.slots.push_back(Slot(value));
}

Slot InstDecoder::element(unsigned n, unsigned index, Type type) {
  bool wide = false;
  llvm::ArrayRef<ptx::Operand> elements = operand(n).elements;
  if (isVector(n) && index < elements.size())
    return source(elements[index], type, false, wide);
  if (!isVector(n) && exists(n) && index == 0)
    return source(operand(n), type, false, wide);
  fail("expected an element " + llvm::Twine(index + 1) + " of operand " +
       llvm::Twine(n + 1));
  return 0;
}

void InstDecoder::address(Inst &inst, unsigned field, const ptx::Operand &op) {
  bool wide = false;
  inst.op[field] = registerSlot(op, Type::B32, true, wide);
  inst.wide |= wide << field;
}

//===----------------------------------------------------------------------===//
// Calls and labels
//===----------------------------------------------------------------------===//

bool InstDecoder::inKernel() const { return function.frame.isKernel; }

const tirx::ptx::Function *InstDecoder::reach(const ptx::Function &callee,
                                              uint32_t &index) {
  const ptx::Function *body = function.module.findBody(callee);
  if (!body)
    fail("expected a definition of '" + callee.name +
         "' in this module, got a declaration only");
  else if (body->isEntry)
    fail("expected a device function, got the kernel '" + callee.name + "'");
  else
    index = function.program.reach(function.module, *body);
  return failed() ? nullptr : body;
}

void InstDecoder::reachModel(ModuleDecoder &models, const ptx::Function &body,
                             uint32_t &index) {
  index = function.program.reach(models, body);
}

Slot InstDecoder::modelSource(const ptx::Operand &op, Type type) {
  bool wide;
  if (type == Type::Pred)
    return predicate(op, /*isDst=*/false);
  if (!op.is(Kind::Address))
    return source(op, type, false, wide);
  if (op.elements.size() != 1 || op.subscript) {
    fail("expected an address such as [%rd1+4]");
    return 0;
  }
  ptx::Operand sum = op.base();
  sum.value = int64_t(uint64_t(sum.value) + uint64_t(op.value));
  return source(sum, type, false, wide);
}

Slot InstDecoder::modelResult(const ptx::Operand &op, Type type) {
  bool wide;
  if (op.is(Kind::Sink))
    return scratch(type);
  if (type == Type::Pred)
    return predicate(op, /*isDst=*/true);
  if (op.is(Kind::Register))
    return registerSlot(op, type, false, wide);
  fail("expected a register, got '" + op.name + "'");
  return 0;
}

void InstDecoder::reachInitialisers() {
  function.program.reachInitialisers(function.module);
}

uint32_t InstDecoder::addCallSite(CallSite site) {
  function.kernel.callSites.push_back(std::move(site));
  return function.kernel.callSites.size() - 1;
}

void InstDecoder::label(Inst & /*inst*/, unsigned n) {
  const ptx::Operand &op = operand(n);
  if (!op.is(Kind::Label) || op.label->role != ptx::Label::Role::Code) {
    fail("expected a label as operand " + llvm::Twine(n + 1));
    return;
  }
  function.useLabel(*op.label);
}

llvm::ArrayRef<const tirx::ptx::Label *>
InstDecoder::branchTargets(unsigned n) {
  targetList.clear();
  const ptx::Operand &op = operand(n);
  if (!op.is(Kind::Label) ||
      op.label->role != ptx::Label::Role::BranchTargets) {
    fail("expected a list of branch targets as operand " + llvm::Twine(n + 1));
    return targetList;
  }
  for (const ptx::Operand &target : op.label->targets) {
    if (!target.is(Kind::Label))
      fail("expected labels in the list of branch targets");
    else
      targetList.push_back(target.label);
  }
  return targetList;
}

void InstDecoder::useLabel(const ptx::Label &label) {
  function.useLabel(label);
}
