//===- LinearLayout.cpp - layouts to and from Triton ----------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TIRx/Layout/Exchange/LinearLayout.h"
#include "../CheckedMath.h"
#include "BitMatrix.h"
#include "TIRx/Assert.h"
#include "TIRx/Layout/Algebra.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

using namespace tirx;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;
using llvm::SmallVector;
using llvm::StringRef;
using llvm::Twine;

/// Bits of all elements, and of all places: their numbers fit 64 bits with room
/// for a sign.
static constexpr unsigned kBitLimit = 62;

/// Lanes of a warp, in bits: thread numbers are lane numbers below.
static constexpr unsigned kLaneBits = 5;

/// The bits of a power of two.
static Expected<unsigned> getBits(int64_t extent, const Twine &what) {
  if (extent < 1 || !llvm::isPowerOf2_64(extent))
    return makeError("expected a power of two as " + what + ", got " +
                     Twine(extent));
  return llvm::Log2_64(extent);
}

/// The bits of each dimension, outermost first.
static Expected<SmallVector<unsigned>> getShapeBits(ArrayRef<int64_t> shape) {
  SmallVector<unsigned> bits;
  unsigned total = 0;
  for (auto [dim, extent] : llvm::enumerate(shape)) {
    Expected<unsigned> count =
        getBits(extent, "extent of dimension " + Twine(dim));
    if (!count)
      return count.takeError();
    bits.push_back(*count);
    total += *count;
  }
  if (total > kBitLimit)
    return makeError("expected at most 2^" + Twine(kBitLimit) +
                     " elements, got 2^" + Twine(total));
  return bits;
}

//===----------------------------------------------------------------------===//
// From Triton
//===----------------------------------------------------------------------===//

namespace {
/// Where the bits of an axis stand in the number of a place.
struct Field {
  Axis axis;
  unsigned start;
  unsigned count;

  Bits getMask() const { return ((Bits(1) << count) - 1) << start; }
};

/// Steps of single bits of elements, outermost first, and of copies.
struct Steps {
  SmallVector<Iter> shard, replica;
};
} // namespace

static Axis getAxisOfInput(StringRef name) {
  static const std::pair<StringRef, StringRef> names[] = {
      {"register", "m"},  {"offset", "m"},  {"lane", "laneid"},
      {"warp", "warpid"}, {"block", "cbx"}, {"row", "TLane"},
      {"col", "TCol"}};
  for (const auto &[input, axis] : names)
    if (name == input)
      return lookupBuiltinAxis(axis);
  return Axis();
}

static Expected<SmallVector<Field>> getFields(const LinearLayout &layout) {
  SmallVector<Field> fields;
  unsigned start = 0;
  for (const LinearInput &input : layout.inputs) {
    Axis axis = getAxisOfInput(input.name);
    if (!axis)
      return makeError("expected the bases of register, lane, warp, block, "
                       "offset, row or col, got '" +
                       input.name + "'");
    for (const Field &field : fields)
      if (field.axis == axis)
        return makeError("expected one list of bases for axis '" +
                         axis.getName() + "', got '" + input.name +
                         "' as a second one");
    if (input.bases.size() > kBitLimit - start)
      return makeError("expected at most " + Twine(kBitLimit) +
                       " bases in all");
    unsigned count = input.bases.size();
    fields.push_back({axis, start, count});
    start += count;
  }
  return fields;
}

/// The row-major number of the coordinate of each basis.
static Expected<SmallVector<Bits>> getColumns(const LinearLayout &layout) {
  SmallVector<Bits> columns;
  for (const LinearInput &input : layout.inputs)
    for (ArrayRef<int64_t> basis : input.bases) {
      if (basis.size() != layout.shape.size())
        return makeError("expected bases of " + Twine(layout.shape.size()) +
                         " coordinates, got " + Twine(basis.size()) + " in " +
                         input.name);
      for (auto [dim, value] : llvm::enumerate(basis))
        if (value < 0 || value >= layout.shape[dim])
          return makeError("expected bases of " + input.name +
                           " inside dimension " + Twine(dim) + " of extent " +
                           Twine(layout.shape[dim]) + ", got " + Twine(value));
      columns.push_back(flatten(basis, layout.shape));
    }
  return columns;
}

/// The step of a vector; nothing when it moves on several axes.
static std::optional<Iter> getStep(ArrayRef<Field> fields, Bits vector) {
  for (const Field &field : fields)
    if ((vector & ~field.getMask()) == 0)
      return Iter{2, int64_t(vector >> field.start), field.axis};
  return std::nullopt;
}

/// Whether vectors of elements and copies are steps that share no bits, after
/// the swizzle is taken off. Copies may be added to an element's vector: it is
/// taken without the leading bits of copies, which no other choice leaves
/// apart.
static std::optional<Steps> takeSteps(ArrayRef<Field> fields,
                                      ArrayRef<Bits> elements,
                                      ArrayRef<Bits> copies) {
  Steps steps;
  Bits used = 0;
  auto add = [&](Bits vector, SmallVector<Iter> &iters) {
    std::optional<Iter> step = getStep(fields, vector);
    if (!step || (vector & used) != 0)
      return false;
    used |= vector;
    iters.push_back(*step);
    return true;
  };
  SmallVector<Bits> basis = getReducedBasis(copies);
  for (Bits copy : basis)
    if (!add(copy, steps.replica))
      return std::nullopt;
  for (Bits element : llvm::reverse(elements)) {
    for (Bits copy : basis)
      if (element >> llvm::Log2_64(copy) & 1)
        element ^= copy;
    if (!add(element, steps.shard))
      return std::nullopt;
  }
  return steps;
}

/// The vectors with the field of `m` swizzled.
static SmallVector<Bits> swizzleAll(const SwizzleLayout &swizzle,
                                    const Field &memory,
                                    ArrayRef<Bits> vectors) {
  SmallVector<Bits> result;
  for (Bits vector : vectors) {
    Bits index = (vector & memory.getMask()) >> memory.start;
    Bits moved = swizzle.apply(index);
    result.push_back(vector ^ ((index ^ moved) << memory.start));
  }
  return result;
}

/// The tile with fused iters, cut at the shape's dimensions so that it reads
/// like the shape.
static TileLayout makeTile(const Steps &steps, ArrayRef<int64_t> shape) {
  TileLayout tile =
      canonicalize(llvm::cantFail(TileLayout::get(steps.shard, steps.replica)));
  SmallVector<Iter> shard;
  for (ArrayRef<Iter> iters : llvm::cantFail(group(tile, shape)))
    shard.append(iters.begin(), iters.end());
  return llvm::cantFail(TileLayout::get(shard, tile.getReplica()));
}

/// Tries all swizzles that stay inside the field of `m`, none first: a swizzle
/// that reaches beyond it is one of fewer bits.
static std::optional<Layout> findLayout(ArrayRef<Field> fields,
                                        ArrayRef<Bits> elements,
                                        ArrayRef<Bits> copies,
                                        ArrayRef<int64_t> shape) {
  if (auto steps = takeSteps(fields, elements, copies))
    return Layout(makeTile(*steps, shape));
  const Field *memory = llvm::find_if(
      fields, [](const Field &field) { return field.axis == memoryAxis(); });
  if (memory == fields.end())
    return std::nullopt;
  int64_t width = memory->count;
  for (int64_t bits = 1; bits <= width; ++bits)
    for (int64_t atom = bits; atom + bits <= width; ++atom)
      for (int64_t base = 0; base + atom + bits <= width; ++base)
        for (bool outer : {false, true}) {
          SwizzleLayout swizzle =
              llvm::cantFail(SwizzleLayout::get(base, bits, atom, outer));
          auto steps = takeSteps(fields, swizzleAll(swizzle, *memory, elements),
                                 swizzleAll(swizzle, *memory, copies));
          if (steps)
            return llvm::cantFail(
                Layout::compose(swizzle, makeTile(*steps, shape)));
        }
  return std::nullopt;
}

Expected<ShapedLayout> tirx::fromLinear(const LinearLayout &layout) {
  Expected<SmallVector<unsigned>> shapeBits = getShapeBits(layout.shape);
  if (!shapeBits)
    return shapeBits.takeError();
  Expected<SmallVector<Field>> fields = getFields(layout);
  if (!fields)
    return fields.takeError();
  Expected<SmallVector<Bits>> columns = getColumns(layout);
  if (!columns)
    return columns.takeError();

  BitMatrix places(*columns);
  SmallVector<Bits> elements;
  for (size_t dim = layout.shape.size(); dim-- > 0;)
    for (unsigned bit = 0; bit < (*shapeBits)[dim]; ++bit) {
      std::optional<Bits> place = places.solve(Bits(1) << elements.size());
      if (!place)
        return makeError("expected every element to have a place, got none for "
                         "index " +
                         Twine(int64_t(1) << bit) + " of dimension " +
                         Twine(dim));
      elements.push_back(*place);
    }
  std::optional<Layout> found =
      findLayout(*fields, elements, places.getKernel(), layout.shape);
  if (!found)
    return makeError("expected bases under which, but for a swizzle of m, each "
                     "bit of an element and each copy moves on bits of one "
                     "axis that are its own");
  return ShapedLayout{*found, layout.shape};
}

//===----------------------------------------------------------------------===//
// To Triton
//===----------------------------------------------------------------------===//

namespace {
/// A step of one bit of an element's number or of a copy's.
struct BitStep {
  Axis axis;
  Bits value;
};

/// Gathers the bits of places, one input after the other.
class PlaceBits {
public:
  PlaceBits(bool distributed) : distributed(distributed) {}

  /// Which input the bits of an axis belong to.
  Error addAxis(Axis axis);
  /// Makes room for a step.
  void reserve(BitStep step);
  /// The number of the place that a step leads to. All room has been made.
  Bits getNumber(BitStep step) const;

  unsigned getTotal() const;
  /// The inputs with no bases yet, as many as each has bits.
  std::vector<LinearInput> getInputs() const;

private:
  struct Input {
    StringRef name;
    unsigned bits = 0;
    Axis axis = Axis();
  };
  /// The inputs that a step's bits go to: (input, first bit there, bits).
  struct Part {
    unsigned input;
    Bits value;
  };
  SmallVector<Part, 2> split(BitStep step) const;
  StringRef getName(Axis axis) const;
  unsigned getIndex(StringRef name) const {
    return llvm::find_if(inputs,
                         [&](const Input &i) { return i.name == name; }) -
           inputs;
  }

  bool distributed;
  Input inputs[7] = {{"register"}, {"lane"}, {"warp"}, {"offset"},
                     {"row"},      {"col"},  {"block"}};
};
} // namespace

/// `thread` for axes that number lanes and warps together; empty for axes that
/// Triton does not have.
StringRef PlaceBits::getName(Axis axis) const {
  static const std::pair<StringRef, StringRef> names[] = {
      {"laneid", "lane"}, {"warpid", "warp"},      {"wid_in_wg", "warp"},
      {"tx", "thread"},   {"tid_in_wg", "thread"}, {"cbx", "block"},
      {"TLane", "row"},   {"TCol", "col"}};
  if (axis.getName() == "m" || axis.getName() == "reg")
    return distributed ? "register" : "offset";
  for (const auto &[name, input] : names)
    if (axis == lookupBuiltinAxis(name))
      return input;
  return "";
}

Error PlaceBits::addAxis(Axis axis) {
  StringRef name = getName(axis);
  if (name.empty())
    return makeError("expected axes that Triton has (m, reg, laneid, warpid, "
                     "wid_in_wg, tx, tid_in_wg, cbx, TLane, TCol), got '" +
                     axis.getName() + "'");
  SmallVector<StringRef, 2> parts = {name};
  if (name == "thread")
    parts = {"lane", "warp"};
  for (StringRef part : parts) {
    Input &input = inputs[getIndex(part)];
    if (input.axis && input.axis != axis)
      return makeError("expected one axis for the " + part +
                       "s of Triton, got '" + input.axis.getName() + "' and '" +
                       axis.getName() + "'");
    input.axis = axis;
  }
  return Error::success();
}

SmallVector<PlaceBits::Part, 2> PlaceBits::split(BitStep step) const {
  StringRef name = getName(step.axis);
  if (name != "thread")
    return {{getIndex(name), step.value}};
  Bits mask = (Bits(1) << kLaneBits) - 1;
  return {{getIndex("lane"), step.value & mask},
          {getIndex("warp"), step.value >> kLaneBits}};
}

void PlaceBits::reserve(BitStep step) {
  for (const Part &part : split(step)) {
    Input &input = inputs[part.input];
    input.bits = std::max(input.bits, 64u - llvm::countl_zero(part.value));
    // A second warp has lanes, whether an iter numbers them or not.
    if (part.value && input.name == "warp" && getName(step.axis) == "thread")
      inputs[getIndex("lane")].bits = kLaneBits;
  }
}

Bits PlaceBits::getNumber(BitStep step) const {
  Bits number = 0;
  for (const Part &part : split(step)) {
    unsigned start = 0;
    for (unsigned i = 0; i < part.input; ++i)
      start += inputs[i].bits;
    if (part.value)
      number |= part.value << start;
  }
  return number;
}

unsigned PlaceBits::getTotal() const {
  unsigned total = 0;
  for (const Input &input : inputs)
    total += input.bits;
  return total;
}

std::vector<LinearInput> PlaceBits::getInputs() const {
  std::vector<LinearInput> result;
  for (const Input &input : inputs) {
    // Triton writes all four of a tile in registers, bits or not.
    bool always =
        distributed && (input.name == "register" || input.name == "lane" ||
                        input.name == "warp" || input.name == "block");
    if (!always && !input.axis)
      continue;
    result.push_back({input.name.str(), {}});
    result.back().bases.resize(input.bits);
  }
  return result;
}

/// Appends the steps of the bits of `iter`, the lowest first.
static Error addBitSteps(const Iter &iter, SmallVector<BitStep> &steps) {
  Expected<unsigned> bits = getBits(iter.extent, "extent of an iter on axis '" +
                                                     iter.axis.getName() + "'");
  if (!bits)
    return bits.takeError();
  if (iter.stride < 0)
    return makeError("expected strides of at least 0, got " +
                     Twine(iter.stride) + " on axis '" + iter.axis.getName() +
                     "'");
  for (unsigned bit = 0; bit < *bits; ++bit)
    steps.push_back({iter.axis, Bits(iter.stride) << bit});
  return Error::success();
}

/// The steps of an element's bits, the lowest of its row-major number first,
/// then those of copies.
static Expected<SmallVector<BitStep>> getBitSteps(const TileLayout &tile) {
  SmallVector<BitStep> steps;
  for (const Iter &iter : llvm::reverse(tile.getShard()))
    if (Error error = addBitSteps(iter, steps))
      return std::move(error);
  for (const Iter &iter : tile.getReplica())
    if (Error error = addBitSteps(iter, steps))
      return std::move(error);
  if (!tile.getOffset().empty())
    return makeError("expected no offset, since a linear layout maps 0 to 0, "
                     "got " +
                     Twine(tile.getOffset().front().value) + " on axis '" +
                     tile.getOffset().front().axis.getName() + "'");
  std::map<Axis, Bits> used;
  for (const BitStep &step : steps) {
    Bits &bits = used[step.axis];
    if (step.value == 0)
      return makeError("expected every element to have a place of its own, got "
                       "a stride of 0");
    if (bits & step.value)
      return makeError("expected strides on axis '" + step.axis.getName() +
                       "' that share no bits, so that adding them is an "
                       "exclusive or, got " +
                       Twine(step.value) + " beside bits " + Twine(bits));
    bits |= step.value;
  }
  return steps;
}

/// The inverse of the steps: the element at each single bit of a place.
static Expected<LinearLayout> invertSteps(ArrayRef<BitStep> steps,
                                          PlaceBits &places,
                                          ArrayRef<int64_t> shape,
                                          unsigned elementBits) {
  for (BitStep step : steps)
    places.reserve(step);
  unsigned total = places.getTotal();
  if (total != steps.size())
    return makeError("expected every place to hold an element, got 2^" +
                     Twine(steps.size()) + " elements and copies in 2^" +
                     Twine(total) + " places");
  SmallVector<Bits> columns;
  for (BitStep step : steps)
    columns.push_back(places.getNumber(step));
  BitMatrix matrix(columns);
  LinearLayout result;
  result.shape.assign(shape.begin(), shape.end());
  result.inputs = places.getInputs();
  unsigned place = 0;
  for (LinearInput &input : result.inputs)
    for (SmallVector<int64_t> &basis : input.bases) {
      // Steps that share no bits are independent, and a swizzle keeps them so:
      // as many as there are bits reach every place.
      std::optional<Bits> held = matrix.solve(Bits(1) << place++);
      TIRX_ASSERT(held, "an element at every place");
      int64_t index = *held & ((Bits(1) << elementBits) - 1);
      basis.resize(shape.size());
      for (size_t dim = shape.size(); dim-- > 0; index /= shape[dim])
        basis[dim] = index % shape[dim];
    }
  return result;
}

Expected<LinearLayout> tirx::toLinear(const Layout &layout,
                                      ArrayRef<int64_t> shape) {
  Expected<SmallVector<unsigned>> shapeBits = getShapeBits(shape);
  if (!shapeBits)
    return shapeBits.takeError();
  unsigned elementBits = 0;
  for (unsigned bits : *shapeBits)
    elementBits += bits;
  Expected<Layout> full = layout.withTile(int64_t(1) << elementBits);
  if (!full)
    return full.takeError();
  if (*full->getSize() != int64_t(1) << elementBits)
    return makeError("expected a shape of " + Twine(*full->getSize()) +
                     " elements, got " + Twine(int64_t(1) << elementBits));

  Layout canonical = canonicalize(*full);
  const TileLayout &tile = *canonical.getTile();
  Expected<SmallVector<BitStep>> steps = getBitSteps(tile);
  if (!steps)
    return steps.takeError();
  if (steps->size() > kBitLimit)
    return makeError("expected at most 2^" + Twine(kBitLimit) +
                     " elements and copies, got 2^" + Twine(steps->size()));
  PlaceBits places(hasThreadAxes(canonical));
  for (Axis axis : canonical.getAxes())
    if (Error error = places.addAxis(axis))
      return std::move(error);
  if (const SwizzleLayout *swizzle = canonical.getSwizzle())
    for (BitStep &step : *steps)
      if (step.axis == memoryAxis())
        step.value = swizzle->apply(step.value);
  return invertSteps(*steps, places, shape, elementBits);
}
