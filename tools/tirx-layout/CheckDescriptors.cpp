//===- CheckDescriptors.cpp - bits of descriptors -------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Cases.h"
#include "TIRx/Layout/Descriptors.h"
#include "TIRx/Layout/Factories.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace tirx;
using namespace tirx::layouttool;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;
namespace json = llvm::json;

static std::string toHex(uint64_t bits) {
  return "0x" + llvm::utohexstr(bits, /*LowerCase=*/true);
}

static Outcome compareBits(uint64_t expected, uint64_t got) {
  if (expected == got)
    return passed;
  return differ(toHex(expected), toHex(got));
}

/// `ldo` and `sdo` count 16 bytes; the modes are numbered as SwizzleMode.
static Outcome checkSmemDescriptor(
    const json::Object &test,
    Expected<uint64_t> (*encodeFields)(const MatrixDescriptor &)) {
  Expected<const json::Object *> input = getObject(test, "input");
  if (!input)
    return input.takeError();
  int64_t values[4];
  static const char *const keys[] = {"ldo", "sdo", "swizzle_enum", "address"};
  for (auto [value, key] : llvm::zip(values, keys)) {
    Expected<int64_t> integer = getInteger(**input, key);
    if (!integer)
      return integer.takeError();
    if (*integer < 0 || *integer >= (1 << 18))
      return makeError(Twine("expected '") + key + "' from 0 to 262143, got " +
                       Twine(*integer));
    value = *integer;
  }
  if (values[2] > int64_t(SwizzleMode::B128Atom32))
    return makeError("expected 'swizzle_enum' from 0 to 4, got " +
                     Twine(values[2]));
  Expected<uint64_t> expected = getBits(test, "expected");
  if (!expected)
    return expected.takeError();
  MatrixDescriptor fields;
  fields.leadingByteOffset = values[0] * 16;
  fields.strideByteOffset = values[1] * 16;
  fields.swizzle = SwizzleMode(values[2]);
  fields.startAddress = values[3];
  Expected<uint64_t> got = encodeFields(fields);
  if (!got)
    return differ(toHex(*expected),
                  "the error: " + llvm::toString(got.takeError()));
  return compareBits(*expected, *got);
}

static Outcome checkTcgen05Smem(const json::Object &test) {
  return checkSmemDescriptor(test, encodeTcgen05Descriptor);
}

static Outcome checkWgmmaSmem(const json::Object &test) {
  return checkSmemDescriptor(test, encodeWgmmaDescriptor);
}

static Expected<MmaType> getMmaType(const json::Object &object, StringRef key) {
  static const std::pair<const char *, MmaType> names[] = {
      {"float16", MmaType::F16},
      {"bfloat16", MmaType::BF16},
      {"float32", MmaType::F32},
      {"tf32", MmaType::TF32},
      {"float8_e4m3fn", MmaType::E4M3},
      {"float8_e5m2", MmaType::E5M2},
      {"float6_e2m3fn", MmaType::E2M3},
      {"float6_e3m2fn", MmaType::E3M2},
      {"float4_e2m1fn", MmaType::E2M1},
      {"uint8", MmaType::U8},
      {"int8", MmaType::S8},
      {"int32", MmaType::S32}};
  std::optional<StringRef> text = object.getString(key);
  for (auto [name, type] : names)
    if (text == StringRef(name))
      return type;
  return makeError("expected an element type at key '" + key + "'");
}

namespace {
/// What dense and block-scaled instructions have in common.
struct Product {
  uint64_t expected;
  int64_t m, n;
  MmaType a, b;
  Major aMajor, bMajor;
};
} // namespace

static Expected<Product> getProduct(const json::Object &test,
                                    const json::Object &input) {
  Expected<uint64_t> expected = getBits(test, "expected");
  if (!expected)
    return expected.takeError();
  Expected<int64_t> m = getInteger(input, "M"), n = getInteger(input, "N");
  Expected<MmaType> a = getMmaType(input, "a"), b = getMmaType(input, "b");
  if (!m || !n || !a || !b)
    return llvm::joinErrors(llvm::joinErrors(m.takeError(), n.takeError()),
                            llvm::joinErrors(a.takeError(), b.takeError()));
  auto getMajor = [&](StringRef key) {
    return input.getInteger(key).value_or(0) ? Major::MN : Major::K;
  };
  return Product{*expected,          *m, *n, *a, *b, getMajor("trans_a"),
                 getMajor("trans_b")};
}

static Outcome compareEncoded(uint64_t expected, Expected<uint32_t> got) {
  if (!got)
    return differ(toHex(expected),
                  "the error: " + llvm::toString(got.takeError()));
  return compareBits(expected, *got);
}

static Outcome checkInstruction(const json::Object &test) {
  Expected<const json::Object *> input = getObject(test, "input");
  if (!input)
    return input.takeError();
  Expected<Product> product = getProduct(test, **input);
  if (!product)
    return product.takeError();
  Expected<MmaType> d = getMmaType(**input, "d");
  if (!d)
    return d.takeError();
  std::optional<MmaKind> kind = getMmaKind(product->a, product->b);
  if (!kind)
    return makeError("expected types that one kind multiplies");
  InstructionDescriptor desc;
  desc.kind = *kind;
  desc.m = product->m;
  desc.n = product->n;
  desc.d = *d;
  desc.a = product->a;
  desc.b = product->b;
  desc.aMajor = product->aMajor;
  desc.bMajor = product->bMajor;
  return compareEncoded(product->expected, encode(desc));
}

static Expected<ScaleType> getScaleType(const json::Object &object,
                                        StringRef key) {
  std::optional<StringRef> text = object.getString(key);
  if (text == StringRef("float8_e8m0fnu"))
    return ScaleType::UE8M0;
  if (text == StringRef("float8_e4m3fn"))
    return ScaleType::UE4M3;
  return makeError("expected 'float8_e8m0fnu' or 'float8_e4m3fn' at key '" +
                   key + "'");
}

/// The kind follows from K and the type of the scale factors: 4-bit operands
/// are dense from K 64.
static Outcome checkScaledInstruction(const json::Object &test) {
  Expected<const json::Object *> input = getObject(test, "input");
  if (!input)
    return input.takeError();
  Expected<Product> product = getProduct(test, **input);
  if (!product)
    return product.takeError();
  Expected<ScaleType> scale = getScaleType(**input, "sf");
  Expected<int64_t> k = getInteger(**input, "K"),
                    ctaGroup = getInteger(**input, "cta_group");
  if (!scale || !k || !ctaGroup)
    return llvm::joinErrors(
        scale.takeError(),
        llvm::joinErrors(k.takeError(), ctaGroup.takeError()));
  ScaledInstructionDescriptor desc;
  desc.kind = *k == 32                     ? ScaledKind::MXF8F6F4
              : *scale == ScaleType::UE8M0 ? ScaledKind::MXF4
                                           : ScaledKind::MXF4NVF4;
  desc.m = product->m;
  desc.n = product->n;
  desc.a = product->a;
  desc.b = product->b;
  desc.aMajor = product->aMajor;
  desc.bMajor = product->bMajor;
  desc.scale = *scale;
  desc.k96 = *k == 96;
  if (getStepK(desc) != *k)
    return differ("K " + Twine(getStepK(desc)), Twine(*k));
  int64_t scaleVector = desc.kind == ScaledKind::MXF8F6F4 ? 1
                        : desc.kind == ScaledKind::MXF4   ? 2
                                                          : 4;
  int group = *ctaGroup == 1 ? 1 : *ctaGroup == 2 ? 2 : 0;
  if (llvm::Error error = verify(desc, group, scaleVector))
    return differ(toHex(product->expected),
                  "the error: " + llvm::toString(std::move(error)));
  return compareEncoded(product->expected, encode(desc));
}

/// `value` lists the steps along K in units of 16 bytes of an operand that its
/// `name` describes: "32 rows x 128 f16 SW128B", K-major.
static Outcome checkSteps(const json::Object &test) {
  std::optional<StringRef> name = test.getString("name");
  llvm::SmallVector<StringRef> words;
  if (name)
    name->split(words, ' ');
  int64_t rows, columns;
  if (words.size() != 6 || words[0].getAsInteger(10, rows) ||
      words[1] != "rows" || words[2] != "x" ||
      words[3].getAsInteger(10, columns) || words[4] != "f16" ||
      words[5] != "SW128B")
    return makeError("expected a name of the form 'R rows x C f16 SW128B'");
  Expected<llvm::SmallVector<int64_t>> value = getIntegers(test, "value");
  if (!value)
    return value.takeError();
  Expected<Layout> layout =
      mmaSharedLayout(16, SwizzleMode::B128, Major::K, {rows, columns});
  if (!layout)
    return layout.takeError();
  Expected<SmemDescriptor> desc =
      deriveTcgen05Descriptor({*layout, {rows, columns}, 1, 16});
  if (!desc)
    return differ("a descriptor", llvm::toString(desc.takeError()));
  json::Array got, want;
  for (int64_t step : *value)
    want.push_back(step * 16);
  for (int64_t step : desc->stepOffsets)
    got.push_back(step);
  if (want == got)
    return passed;
  return differ(describe(std::move(want)), describe(std::move(got)));
}

//===----------------------------------------------------------------------===//
// Descriptors by value
//===----------------------------------------------------------------------===//

static Outcome checkField(const json::Object &fields, StringRef key,
                          int64_t got) {
  Expected<int64_t> want = getInteger(fields, key);
  if (!want)
    return want.takeError();
  return *want == got ? Outcome(passed)
                      : differ(key + " " + Twine(*want), Twine(got));
}

static Outcome
checkFields(const json::Object &fields,
            llvm::ArrayRef<std::pair<StringRef, int64_t>> values) {
  for (auto [key, value] : values) {
    Outcome outcome = checkField(fields, key, value);
    if (!outcome || *outcome)
      return outcome;
  }
  return passed;
}

static Outcome checkDecodedSmem(const json::Object &test) {
  Expected<uint64_t> bits = getBits(test, "value");
  if (!bits)
    return bits.takeError();
  Expected<const json::Object *> fields = getObject(test, "fields");
  if (!fields)
    return fields.takeError();
  Expected<MatrixDescriptor> desc = decodeTcgen05Descriptor(*bits);
  if (!desc)
    return differ("a descriptor", llvm::toString(desc.takeError()));
  if (getName(desc->swizzle) != (*fields)->getString("swizzle").value_or(""))
    return differ("the swizzle of the case", getName(desc->swizzle));
  Outcome outcome =
      checkFields(**fields, {{"addr_16B", desc->startAddress / 16},
                             {"lbo_16B", desc->leadingByteOffset / 16},
                             {"sbo_16B", desc->strideByteOffset / 16},
                             {"base_offset", desc->baseOffset},
                             {"lbo_mode", desc->absoluteLeading}});
  if (!outcome || *outcome)
    return outcome;
  return compareBits(*bits, llvm::cantFail(encodeTcgen05Descriptor(*desc)));
}

static Outcome checkDecodedInstruction(const json::Object &test) {
  Expected<uint64_t> bits = getBits(test, "value");
  if (!bits)
    return bits.takeError();
  Expected<const json::Object *> fields = getObject(test, "fields");
  if (!fields)
    return fields.takeError();
  // The kind is not in the bits: format 2 is tf32 and below it f16.
  Expected<int64_t> format = getInteger(**fields, "a_format");
  if (!format)
    return format.takeError();
  Expected<InstructionDescriptor> desc = decodeInstructionDescriptor(
      *bits, *format == 2 ? MmaKind::TF32 : MmaKind::F16);
  if (!desc)
    return differ("a descriptor", llvm::toString(desc.takeError()));
  Outcome outcome =
      checkFields(**fields, {{"M", desc->m},
                             {"N", desc->n},
                             {"trans_a", desc->aMajor == Major::MN},
                             {"trans_b", desc->bMajor == Major::MN}});
  if (!outcome || *outcome)
    return outcome;
  Expected<uint32_t> again = encode(*desc);
  if (!again)
    return differ(toHex(*bits), llvm::toString(again.takeError()));
  return compareBits(*bits, *again);
}

Check layouttool::findDescriptorCheck(StringRef operation) {
  return llvm::StringSwitch<Check>(operation)
      .Case("tcgen05_smem_descriptor", checkTcgen05Smem)
      .Case("wgmma_smem_descriptor", checkWgmmaSmem)
      .Case("tcgen05_instr_descriptor_dense", checkInstruction)
      .Case("tcgen05_instr_descriptor_block_scaled", checkScaledInstruction)
      .Case("k_step_offsets_16B", checkSteps)
      .Case("tcgen05_smem_desc", checkDecodedSmem)
      .Case("tcgen05_idesc_dense", checkDecodedInstruction)
      .Default(nullptr);
}
