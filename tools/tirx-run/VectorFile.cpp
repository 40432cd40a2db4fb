//===- VectorFile.cpp - measured vectors ----------------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VectorFile.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <cstring>
#ifdef TIRX_HAVE_LZMA
#include <lzma.h>
#endif

using namespace tirx;

/// What a compressed file may grow to.
[[maybe_unused]] static constexpr uint64_t kMaxBytes = uint64_t(1) << 30;

static llvm::Error fail(llvm::StringRef path, const llvm::Twine &message) {
  return llvm::createStringError(path + ": " + message);
}

static llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
readFile(llvm::StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!buffer)
    return fail(path, "cannot read: " + buffer.getError().message());
  return std::move(*buffer);
}

/// Expands .xz into `bytes`.
static llvm::Error expand(llvm::StringRef path, llvm::StringRef packed,
                          std::vector<uint8_t> &bytes) {
#ifdef TIRX_HAVE_LZMA
  lzma_stream stream = LZMA_STREAM_INIT;
  if (lzma_stream_decoder(&stream, kMaxBytes, 0) != LZMA_OK)
    return fail(path, "cannot start the xz decoder");
  stream.next_in = packed.bytes_begin();
  stream.avail_in = packed.size();
  lzma_ret result = LZMA_OK;
  while (result == LZMA_OK && bytes.size() < kMaxBytes) {
    constexpr size_t kStep = 1 << 20;
    size_t before = bytes.size();
    bytes.resize(before + kStep);
    stream.next_out = bytes.data() + before;
    stream.avail_out = kStep;
    result = lzma_code(&stream, LZMA_FINISH);
    bytes.resize(before + kStep - stream.avail_out);
  }
  lzma_end(&stream);
  if (result != LZMA_STREAM_END)
    return fail(path, "expected a whole .xz file of at most 1 GiB, expanded");
  return llvm::Error::success();
#else
  return fail(path, "this build has no liblzma: expected the same file without "
                    ".xz");
#endif
}

uint64_t VectorArray::at(uint64_t index) const {
  uint64_t value = 0;
  std::memcpy(&value, data.data() + index * elementBytes, elementBytes);
  return value;
}

llvm::Expected<VectorFile> VectorFile::load(llvm::StringRef path) {
  VectorFile file;
  auto text = readFile(path);
  if (!text)
    return text.takeError();
  auto index = llvm::json::parse((*text)->getBuffer());
  if (!index)
    return fail(path, llvm::toString(index.takeError()));
  file.index = std::move(*index);
  const llvm::json::Object *object = file.index.getAsObject();
  if (!object || !object->getObject("arrays") || !object->getArray("cases"))
    return fail(path, "expected an object with 'arrays' and 'cases'");
  llvm::SmallString<128> data(path);
  llvm::sys::path::replace_extension(data, "bin");
  if (llvm::sys::fs::exists(data)) {
    auto plain = readFile(data);
    if (!plain)
      return plain.takeError();
    llvm::StringRef contents = (*plain)->getBuffer();
    file.bytes.assign(contents.bytes_begin(), contents.bytes_end());
    return std::move(file);
  }
  data += ".xz";
  auto packed = readFile(data);
  if (!packed)
    return packed.takeError();
  if (auto error = expand(data, (*packed)->getBuffer(), file.bytes))
    return std::move(error);
  return std::move(file);
}

const llvm::json::Array &VectorFile::cases() const {
  return *index.getAsObject()->getArray("cases");
}

llvm::Expected<VectorArray> VectorFile::array(llvm::StringRef name) const {
  const llvm::json::Object *arrays = index.getAsObject()->getObject("arrays");
  const llvm::json::Object *entry = arrays->getObject(name);
  if (!entry)
    return fail(name, "expected an array of this name");
  auto dtype = entry->getString("dtype");
  const llvm::json::Array *shape = entry->getArray("shape");
  auto offset = entry->getInteger("offset");
  if (!dtype || !shape || !offset || *offset < 0)
    return fail(name, "expected 'dtype', 'shape' and 'offset'");
  VectorArray array;
  llvm::StringRef size =
      dtype->drop_while([](char c) { return c < '0' || c > '9'; });
  if (size.getAsInteger(10, array.elementBytes) || array.elementBytes > 8 ||
      !llvm::isPowerOf2_32(array.elementBytes) || dtype->starts_with(">"))
    return fail(name, "expected a little-endian dtype of 1, 2, 4 or 8 bytes, "
                      "got '" +
                          *dtype + "'");
  uint64_t total = array.elementBytes;
  for (const llvm::json::Value &extent : *shape) {
    auto value = extent.getAsInteger();
    if (!value || *value < 0 || *value > int64_t(1) << 30 ||
        (total *= *value) > uint64_t(1) << 30)
      return fail(name, "expected extents of at most 1 GiB");
    array.shape.push_back(*value);
  }
  if (uint64_t(*offset) > bytes.size() || total > bytes.size() - *offset)
    return fail(name, "expected the array inside the data file");
  array.data = llvm::ArrayRef(bytes).slice(*offset, total);
  return array;
}
