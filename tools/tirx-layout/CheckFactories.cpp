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

/// An operand in shared memory for MMA or, `tma`, for TMA.
static Outcome checkShared(const json::Object &test, bool tma) {
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
  SwizzleMode swizzle = SwizzleMode(*mode);
  return compareFactory(
      test, *shape,
      tma ? tmaSharedLayout(*bits, swizzle, *shape)
          : mmaSharedLayout(*bits, swizzle, Major::K, *shape));
}

static Outcome checkMmaShared(const json::Object &test) {
  return checkShared(test, /*tma=*/false);
}

static Outcome checkTmaShared(const json::Object &test) {
  return checkShared(test, /*tma=*/true);
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
                    .Case("16x32bx2", TmemAccess::B16x32x2)
                    .Default(std::nullopt);
  if (!access)
    return makeError("expected 32x32b, 16x64b, 16x128b, 16x256b or 16x32bx2 at "
                     "key 'instr_shape'");
  return compareFactory(
      test, *shape,
      tmemFragmentLayout(*access, (*shape)[0], (*shape)[1], *bits));
}

/// An integer at a key that may be absent.
static Expected<int64_t> getIntegerOr(const json::Object &object, StringRef key,
                                      int64_t absent) {
  return object.get(key) ? getInteger(object, key) : absent;
}

static Outcome checkMmaOperand(const json::Object &test) {
  Expected<const json::Object *> input = getObject(test, "input");
  if (!input)
    return input.takeError();
  StringRef operand = (*input)->getString("operand").value_or("");
  if (operand != "A" && operand != "D")
    return makeError("expected A or D at key 'operand'");
  Expected<unsigned> bits = getElementBits(**input);
  if (!bits)
    return bits.takeError();
  Expected<SmallVector<int64_t>> shape = getIntegers(**input, "shape");
  if (!shape)
    return shape.takeError();
  if (shape->size() != 2)
    return makeError("expected two dimensions at key 'shape'");
  Expected<int64_t> m = getInteger(**input, "M");
  if (!m)
    return m.takeError();
  Expected<int64_t> ctaGroup = getInteger(**input, "cta_group");
  if (!ctaGroup)
    return ctaGroup.takeError();
  if (*ctaGroup != 1 && *ctaGroup != 2)
    return makeError("expected 1 or 2 at key 'cta_group', got " +
                     Twine(*ctaGroup));
  if ((*shape)[0] != *m / *ctaGroup)
    return makeError("expected 'shape' to have M / cta_group rows, " +
                     Twine(*m / *ctaGroup) + ", got " + Twine((*shape)[0]));
  TmemMma mma = {*m, int(*ctaGroup), (*input)->getBoolean("ws").value_or(false),
                 (*input)->getBoolean("sparse").value_or(false)};
  bool upper = (*input)->getInteger("sub_slab").value_or(0) != 0;
  return compareFactory(
      test, *shape,
      operand == "A" ? tmemOperandLayout(mma, (*shape)[1], *bits, upper)
                     : tmemAccumulatorLayout(mma, (*shape)[1], upper, *bits));
}

/// The scale factors of `rows` rows in shared or in tensor memory.
static Outcome checkScaleFactors(const json::Object &test, bool tensorMemory) {
  Expected<const json::Object *> input = getObject(test, "input");
  if (!input)
    return input.takeError();
  Expected<int64_t> rows = getInteger(**input, "rows");
  if (!rows)
    return rows.takeError();
  Expected<int64_t> scales = getInteger(**input, "SF_K");
  if (!scales)
    return scales.takeError();
  Expected<int64_t> scalesPerMma = getInteger(**input, "sf_per_mma");
  if (!scalesPerMma)
    return scalesPerMma.takeError();
  Expected<int64_t> reuse = getIntegerOr(**input, "sf_reuse", 1);
  if (!reuse)
    return reuse.takeError();
  Expected<Layout> got =
      tensorMemory
          ? tmemScaleFactorLayout(*rows, *scales, *scalesPerMma, *reuse)
          : sharedScaleFactorLayout(*rows, *scales, *reuse);
  int64_t columns = got ? *got->getSize() / *rows : 1;
  return compareFactory(test, {*rows, columns}, std::move(got));
}

static Outcome checkSharedScaleFactors(const json::Object &test) {
  return checkScaleFactors(test, /*tensorMemory=*/false);
}

static Outcome checkTmemScaleFactors(const json::Object &test) {
  return checkScaleFactors(test, /*tensorMemory=*/true);
}

Check layouttool::findFactoryCheck(StringRef operation) {
  return llvm::StringSwitch<Check>(operation)
      .Case("mma_shared_layout", checkMmaShared)
      .Case("tmem_datapath_layout", checkDatapath)
      .Case("tma_shared_layout", checkTmaShared)
      .Case("tcgen05_atom_layout", checkFragment)
      .Case("tmem_mma_operand_layout", checkMmaOperand)
      .Case("sf_smem_layout", checkSharedScaleFactors)
      .Case("sf_tmem_layout", checkTmemScaleFactors)
      .Default(nullptr);
}
