//===- Npy.cpp - NumPy .npy files -----------------------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TIRx/Simulator/Npy.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CheckedArithmetic.h"

using namespace tirx::sim;

static constexpr llvm::StringLiteral kMagic("\x93NUMPY");

uint64_t NpyArray::itemSize() const {
  uint64_t size = 0;
  llvm::StringRef(code).drop_front().getAsInteger(10, size);
  return size;
}

uint64_t NpyArray::count() const {
  uint64_t n = 1;
  for (uint64_t extent : shape)
    n *= extent;
  return n;
}

bool tirx::sim::isNpy(llvm::StringRef bytes) {
  return bytes.starts_with(kMagic);
}

static llvm::Error fail(const llvm::Twine &message) {
  return llvm::createStringError("npy: " + message);
}

/// The text after `'key':` in the header's dictionary.
static llvm::Expected<llvm::StringRef> headerValue(llvm::StringRef header,
                                                   llvm::StringRef key) {
  for (const std::string &quoted :
       {("'" + key + "'").str(), ("\"" + key + "\"").str()}) {
    size_t at = header.find(quoted);
    if (at == llvm::StringRef::npos)
      continue;
    llvm::StringRef rest = header.substr(at + quoted.size()).ltrim();
    if (rest.consume_front(":"))
      return rest.ltrim();
  }
  return fail("expected the key '" + key + "' in the header");
}

static llvm::Expected<std::vector<uint64_t>> parseShape(llvm::StringRef text) {
  std::vector<uint64_t> shape;
  if (!text.consume_front("("))
    return fail("expected '(' of the shape");
  size_t close = text.find(')');
  if (close == llvm::StringRef::npos)
    return fail("expected ')' of the shape");
  llvm::SmallVector<llvm::StringRef> parts;
  text.take_front(close).split(parts, ',', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef part : parts) {
    part = part.trim();
    if (part.empty())
      continue;
    uint64_t extent;
    if (part.getAsInteger(10, extent))
      return fail("expected an extent in the shape, got '" + part + "'");
    shape.push_back(extent);
  }
  return shape;
}

static llvm::Error parseCode(llvm::StringRef text, std::string &code) {
  if (text.empty() || (text[0] != '\'' && text[0] != '"'))
    return fail("expected a simple type, got a structured one");
  text = text.drop_front().take_until(
      [&](char c) { return c == '\'' || c == '"'; });
  if (text.empty())
    return fail("expected a type such as '<f4', got an empty one");
  char order = text[0];
  if (order == '<' || order == '|' || order == '=')
    text = text.drop_front();
  else if (order == '>')
    return fail("expected little-endian data, got '" + text + "'");
  uint64_t size;
  if (text.size() < 2 || !llvm::StringRef("fiubV").contains(text[0]) ||
      text.drop_front().getAsInteger(10, size) || size == 0 || size > 8)
    return fail("expected a number type of 1 to 8 bytes, got '" + text + "'");
  code = text.str();
  return llvm::Error::success();
}

/// Column-major to row-major.
static void reorder(NpyArray &array) {
  uint64_t size = array.itemSize(), count = array.count();
  std::vector<uint8_t> result(array.data.size());
  std::vector<uint64_t> index(array.shape.size(), 0);
  for (uint64_t from = 0; from < count; ++from) {
    uint64_t to = 0;
    for (size_t d = 0; d < index.size(); ++d)
      to = to * array.shape[d] + index[d];
    std::copy_n(array.data.begin() + from * size, size,
                result.begin() + to * size);
    for (size_t d = 0; d < index.size() && ++index[d] == array.shape[d]; ++d)
      index[d] = 0;
  }
  array.data = std::move(result);
}

llvm::Expected<NpyArray> tirx::sim::parseNpy(llvm::StringRef bytes) {
  if (!isNpy(bytes) || bytes.size() < 10)
    return fail("expected the magic bytes of an .npy file");
  unsigned major = uint8_t(bytes[6]);
  if (major < 1 || major > 3)
    return fail("expected format version 1 to 3, got " + llvm::Twine(major));
  unsigned lengthBytes = major == 1 ? 2 : 4;
  if (bytes.size() < 8 + lengthBytes)
    return fail("file is cut short in the header");
  uint64_t length = 0;
  for (unsigned i = 0; i < lengthBytes; ++i)
    length |= uint64_t(uint8_t(bytes[8 + i])) << (8 * i);
  if (bytes.size() - 8 - lengthBytes < length)
    return fail("file is cut short in the header");
  llvm::StringRef header = bytes.substr(8 + lengthBytes, length);
  llvm::StringRef data = bytes.substr(8 + lengthBytes + length);

  NpyArray array;
  auto descr = headerValue(header, "descr");
  if (!descr)
    return descr.takeError();
  if (auto error = parseCode(*descr, array.code))
    return std::move(error);
  auto shapeText = headerValue(header, "shape");
  if (!shapeText)
    return shapeText.takeError();
  auto shape = parseShape(*shapeText);
  if (!shape)
    return shape.takeError();
  array.shape = std::move(*shape);
  auto fortran = headerValue(header, "fortran_order");
  if (!fortran)
    return fortran.takeError();

  uint64_t total = array.itemSize();
  for (uint64_t extent : array.shape) {
    auto product = llvm::checkedMulUnsigned(total, extent);
    if (!product)
      return fail("the shape is too large");
    total = *product;
  }
  if (data.size() < total)
    return fail("expected " + llvm::Twine(total) + " bytes of data, got " +
                llvm::Twine(data.size()));
  array.data.assign(data.bytes_begin(), data.bytes_begin() + total);
  if (fortran->starts_with("True") && array.shape.size() > 1)
    reorder(array);
  return array;
}

std::string tirx::sim::printNpy(const NpyArray &array) {
  std::string shape = "(";
  for (uint64_t extent : array.shape)
    shape += std::to_string(extent) + ",";
  if (array.shape.size() > 1)
    shape.pop_back();
  std::string order = array.itemSize() == 1 ? "|" : "<";
  std::string header = "{'descr': '" + order + array.code +
                       "', 'fortran_order': False, 'shape': " + shape + "), }";
  size_t unpadded = kMagic.size() + 4 + header.size() + 1;
  header.append((64 - unpadded % 64) % 64, ' ');
  header += '\n';
  std::string result = kMagic.str();
  result += '\1';
  result += '\0';
  result += char(header.size() & 0xff);
  result += char(header.size() >> 8);
  result += header;
  result.append(reinterpret_cast<const char *>(array.data.data()),
                array.data.size());
  return result;
}

std::string tirx::sim::npyCode(const DType &type) {
  bool native = type.isInteger() || !type.format || type.format == &kF16 ||
                type.format == &kF32;
  if (type.kind == DType::Exponent)
    native = false;
  char kind = !native || type.kind == DType::Unsigned ? 'u'
              : type.kind == DType::Signed            ? 'i'
                                                      : 'f';
  return kind + std::to_string(type.bits < 8 ? 1 : type.bits / 8);
}
