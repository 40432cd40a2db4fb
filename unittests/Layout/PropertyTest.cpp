//===- PropertyTest.cpp - failures are found and shrunk -------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Property.h"
#include "gtest/gtest-spi.h"

using namespace tirx;
using namespace tirx::testing;

/// Holds unless some iter has an extent of at least 3 and a stride above 4.
static std::string hasNoWideStep(const Layout &layout, Random &) {
  for (const Iter &iter : layout.getTile()->getShard())
    if (iter.extent >= 3 && iter.stride > 4)
      return "wide step";
  return "";
}

TEST(Property, ReportsAShrunkLayoutAndTheSeed) {
  EXPECT_NONFATAL_FAILURE(
      forRandomLayouts("a property that fails", hasNoWideStep),
      "a property that fails fails for\n  #tirx.tile<S[(3) : (5)]>\n  wide "
      "step\n");
  EXPECT_NONFATAL_FAILURE(
      forRandomLayouts("a property that fails", hasNoWideStep),
      "found with TIRX_PROPERTY_SEED=");
}

TEST(Property, ShrinksEveryPart) {
  auto shrunk = [](llvm::StringRef text, auto fails) {
    return toString(shrink({parse(text)}, [&](llvm::ArrayRef<Layout> layouts) {
                      return fails(layouts.front());
                    }).front());
  };
  llvm::StringRef text =
      "Compose(2, 2, 3, S[(4, 8) : (8@laneid, 1)] + R[3 : 40] + 17)";
  EXPECT_EQ(shrunk(text, [](const Layout &) { return true; }),
            "#tirx.tile<S[() : ()]>");
  EXPECT_EQ(
      shrunk(text, [](const Layout &layout) { return layout.isCompose(); }),
      "#tirx.compose<#tirx.swizzle<0, 0, 0>, #tirx.tile<S[() : ()]>>");
  EXPECT_EQ(shrunk(text,
                   [](const Layout &layout) {
                     return layout.getTile()->hasReplica();
                   }),
            "#tirx.tile<S[() : ()] + R[2 : 1]>");
  EXPECT_EQ(shrunk(text,
                   [](const Layout &layout) {
                     return layout.getTile()->getOffset(memoryAxis()) > 5;
                   }),
            "#tirx.tile<S[() : ()] + 6>");
  EXPECT_EQ(shrunk("S[(2, 3) : (-9, 1)]",
                   [](const Layout &layout) {
                     return layout.getSpan(memoryAxis()).min < -3;
                   }),
            "#tirx.tile<S[(2) : (-4)]>");
}
