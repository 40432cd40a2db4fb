//===- CheckFactories.cpp - layouts of hardware operands ------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Cases.h"
#include "TIRx/Layout/Factories.h"
#include "llvm/ADT/StringSwitch.h"

using namespace tirx;
using namespace tirx::layouttool;
using llvm::Expected;
using llvm::SmallVector;
using llvm::StringRef;
using llvm::Twine;
namespace json = llvm::json;

/// Compares a factory's layout with the case: a layout, or an object of a
/// layout and of points [[index, coordinates], ...].
static Outcome compareFactory(const json::Object &test,
                              llvm::ArrayRef<int64_t> shape,
                              Expected<Layout> got) {
  Expected<const json::Value *> expected = getKey(test, "expected");
  if (!expected) {
    llvm::consumeError(got.takeError());
    return expected.takeError();
  }
  const json::Object *object = (*expected)->getAsObject();
  const json::Value *layout = object ? object->get("layout") : nullptr;
  const json::Array *points = object ? object->getArray("points") : nullptr;
  std::optional<Layout> result;
  if (got)
    result = *got;
  Outcome outcome =
      compareLayout(layout ? *layout : **expected, std::move(got));
  if (!outcome || *outcome || !points || !result)
    return outcome;
  for (const json::Value &item : *points) {
    const json::Array *pair = item.getAsArray();
    const json::Object *place =
        pair && pair->size() == 2 ? (*pair)[1].getAsObject() : nullptr;
    if (!place)
      return makeError("expected points of an index and coordinates");
    Expected<SmallVector<int64_t>> index = toIntegers((*pair)[0], "an index");
    if (!index)
      return index.takeError();
    if (llvm::Error error = checkIndex(*index, shape))
      return std::move(error);
    Outcome at =
        checkPlace(*place, *result, flatten(*index, shape), std::nullopt);
    if (!at || *at)
      return at;
  }
  return passed;
}

static Expected<unsigned> getElementBits(const json::Object &object) {
  std::optional<StringRef> name = object.getString("dtype");
  if (!name)
    return makeError("expected an element type at key 'dtype'");
  return parseElementType(*name);
}

static Outcome checkMmaShared(const json::Object &test) {
  Expected<const json::Object *> input = getObject(test, "input");
  if (!input)
    return input.takeError();
  Expected<unsigned> bits = getElementBits(**input);
  if (!bits)
    return bits.takeError();
  Expected<int64_t> mode = getInteger(**input, "swizzle_mode");
  if (!mode)
    return mode.takeError();
  if (*mode < 0 || *mode > int64_t(SwizzleMode::B128Atom32))
    return makeError("expected 'swizzle_mode' from 0 to 4, got " +
                     Twine(*mode));
  Expected<SmallVector<int64_t>> shape = getIntegers(**input, "shape");
  if (!shape)
    return shape.takeError();
  return compareFactory(
      test, *shape,
      mmaSharedLayout(*bits, SwizzleMode(*mode), Major::K, *shape));
}

static Outcome checkDatapath(const json::Object &test) {
  Expected<const json::Object *> input = getObject(test, "input");
  if (!input)
    return input.takeError();
  StringRef name = (*input)->getString("datapath").value_or("");
  if (name.size() != 1 || name[0] < 'A' || name[0] > 'G')
    return makeError("expected a letter from A to G at key 'datapath'");
  Expected<int64_t> rows = getInteger(**input, "rows");
  if (!rows)
    return rows.takeError();
  Expected<int64_t> columns = getInteger(**input, "cols");
  if (!columns)
    return columns.takeError();
  bool upper = (*input)->getInteger("sub_slab").value_or(0) != 0;
  return compareFactory(test, {*rows, *columns},
                        tmemAccumulatorLayout(TmemDatapath(name[0] - 'A'),
                                              *rows, *columns, upper));
}

static Outcome checkFragment(const json::Object &test) {
  Expected<const json::Object *> input = getObject(test, "input");
  if (!input)
    return input.takeError();
  Expected<unsigned> bits = getElementBits(**input);
  if (!bits)
    return bits.takeError();
  Expected<SmallVector<int64_t>> shape = getIntegers(**input, "tensor_shape");
  if (!shape)
    return shape.takeError();
  if (shape->size() != 2)
    return makeError("expected two dimensions at key 'tensor_shape'");
  auto access = llvm::StringSwitch<std::optional<TmemAccess>>(
                    (*input)->getString("instr_shape").value_or(""))
                    .Case("32x32b", TmemAccess::B32x32)
                    .Case("16x64b", TmemAccess::B16x64)
                    .Case("16x128b", TmemAccess::B16x128)
                    .Case("16x256b", TmemAccess::B16x256)
                    .Default(std::nullopt);
  if (!access)
    return makeError("expected 32x32b, 16x64b, 16x128b or 16x256b at key "
                     "'instr_shape'");
  return compareFactory(
      test, *shape,
      tmemFragmentLayout(*access, (*shape)[0], (*shape)[1], *bits));
}

Check layouttool::findFactoryCheck(StringRef operation) {
  return llvm::StringSwitch<Check>(operation)
      .Case("mma_shared_layout", checkMmaShared)
      .Case("tmem_datapath_layout", checkDatapath)
      .Case("tcgen05_atom_layout", checkFragment)
      .Default(nullptr);
}
