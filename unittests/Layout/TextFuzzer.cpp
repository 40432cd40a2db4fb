//===- TextFuzzer.cpp - the layout parser against any text ----------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Any text is a layout or an error. A layout prints to text that parses to the
// same spelling, and the operations hold their laws on it.
//
//===----------------------------------------------------------------------===//

#include "TIRx/Layout/Algebra.h"
#include "TIRx/Layout/Descriptors.h"
#include "TIRx/Layout/Text.h"
#include <cstdlib>

using namespace tirx;

static void require(bool condition) {
  if (!condition)
    std::abort();
}

static void checkLaws(const Layout &layout) {
  Layout canonical = canonicalize(layout);
  require(canonicalize(canonical) == canonical);
  for (Axis axis : layout.getAxes())
    if (layout.isTile())
      require(layout.getSpan(axis).size() >= 1);
  getStorage(layout);
  std::optional<int64_t> size = layout.getSize();
  if (!size)
    return;
  layout.image(0);
  layout.image(*size - 1);
  require(getVectorWidth(layout, {*size}, 0, 16) >= 1);
  for (int64_t k : {16, 32, 64}) {
    auto desc = deriveTcgen05Descriptor({layout, {*size / k, k}, 1, 16});
    if (!desc)
      llvm::consumeError(desc.takeError());
  }
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  llvm::StringRef text(reinterpret_cast<const char *>(data), size);
  AxisTable axes;
  llvm::Expected<Layout> layout = parseLayout(text, axes);
  if (!layout) {
    llvm::consumeError(layout.takeError());
    return 0;
  }
  llvm::Expected<Layout> again = parseLayout(toString(*layout), axes);
  require(bool(again));
  require(*again == *layout);
  checkLaws(*layout);
  return 0;
}
