//===- TextTest.cpp - layouts as text -------------------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Testing.h"

using namespace tirx;
using namespace tirx::testing;

TEST(Text, PrintAndParseKeepTheSpelling) {
  Random random(31);
  for (int i = 0; i < 5000; ++i) {
    Layout layout = randomLayout(random);
    std::string text = toString(layout);
    Layout again = parse(text);
    ASSERT_TRUE(again == layout) << text << " and " << toString(again);
    ASSERT_EQ(toString(again), text);
  }
}

TEST(Text, FormsOfOneLayout) {
  struct {
    const char *text, *printed;
  } cases[] = {
      {"S[(128, 512) : (1@TLane, 1@TCol)]",
       "#tirx.tile<S[(128, 512) : (1@TLane, 1@TCol)]>"},
      {"S[(32,4):(1@TLane,1@TCol)]+R[4:32@TLane]",
       "#tirx.tile<S[(32, 4) : (1@TLane, 1@TCol)] + R[4 : 32@TLane]>"},
      {" TileLayout( S[8:1] + 5@warpid + 2 ) ",
       "#tirx.tile<S[(8) : (1)] + 2 + 5@warpid>"},
      {"S[():()]", "#tirx.tile<S[() : ()]>"},
      {"S[(8,):(1,)]", "#tirx.tile<S[(8) : (1)]>"},
      {"S[4:-1] + -3", "#tirx.tile<S[(4) : (-1)] + -3>"},
      {"SwizzleLayout(per_element=3, swizzle_len=2, atom_len=3)",
       "#tirx.swizzle<3, 2, 3>"},
      {"Compose(0, 3, 3, S[64:1], swizzle_inner=False)",
       "#tirx.compose<#tirx.swizzle<0, 3, 3, outer>, #tirx.tile<S[(64) : "
       "(1)]>>"},
      {"SwizzleLayout(3, 2, 3, swizzle_inner=False)",
       "#tirx.swizzle<3, 2, 3, outer>"},
      {"Compose(3,3,3, S[(8,64):(64,1)])",
       "#tirx.compose<#tirx.swizzle<3, 3, 3>, "
       "#tirx.tile<S[(8, 64) : (64, 1)]>>"},
      {"ComposeLayout(per_element=3, swizzle_len=3, atom_len=3, "
       "tile_layout=TileLayout(S[(8,64):(64@m,1@m)]))",
       "#tirx.compose<#tirx.swizzle<3, 3, 3>, "
       "#tirx.tile<S[(8, 64) : (64, 1)]>>"},
      {"ComposeLayout(SwizzleLayout(3,3,3), TileLayout(S[8:1]))",
       "#tirx.compose<#tirx.swizzle<3, 3, 3>, #tirx.tile<S[(8) : (1)]>>"},
  };
  for (const auto &c : cases)
    EXPECT_EQ(toString(parse(c.text)), c.printed) << c.text;
}

static std::string failure(llvm::StringRef text) {
  return messageOf(parseLayout(text, AxisTable()));
}

TEST(Text, ErrorsNameThePlace) {
  struct {
    const char *text, *start;
  } cases[] = {
      {"", "at 0: expected "},
      {"S[(8, 4) : (4@lanid, 1)]", "at 14: expected one of the axes "},
      {"S[(8, 4) : (4)]", "at "},
      {"S[8 : 1] x", "at 9: expected "},
      {"S[99999999999999999999 : 1]", "at 2: expected an integer"},
      {"S[8 : 1", "at 7: expected ']', got the end"},
      {"S[8 : 1@]", "at 8: expected "},
      {"S[0 : 1]", "at 0: expected extents"},
      {"S[(9223372036854775807, 2) : (1, 1)]", "at 0: expected "},
      {"#tirx.swizzle<3, 3>", "at "},
      {"#tirx.swizzle<3, 3, 2>", "at "},
      {"#tirx.compose<#tirx.swizzle<3, 3, 3>, S[4:-1]>", "at "},
      {"Compose(3,3,3)", "at "},
  };
  for (const auto &c : cases) {
    std::string message = failure(c.text);
    EXPECT_TRUE(isReason(message)) << c.text;
    EXPECT_TRUE(llvm::StringRef(message).starts_with(c.start))
        << c.text << ": " << message;
  }
}

/// Cutting or changing a byte gives a layout or a reason, and what is accepted
/// prints to something that is accepted again.
TEST(Text, DamagedText) {
  Random random(32);
  for (int i = 0; i < 20000; ++i) {
    std::string text = toString(randomLayout(random));
    static const char alphabet[] = "S[]():,@+-R0123456789 #<>.mtirxle\0\xff";
    for (int64_t n = pick(random, 1, 3); n > 0; --n) {
      size_t at = pick(random, 0, text.size() - 1);
      switch (pick(random, 0, 2)) {
      case 0:
        text.resize(at);
        break;
      case 1:
        text[at] = alphabet[pick(random, 0, sizeof(alphabet) - 1)];
        break;
      default:
        text.insert(at, 1, alphabet[pick(random, 0, sizeof(alphabet) - 1)]);
      }
      if (text.empty())
        break;
    }
    auto layout = parseLayout(text, AxisTable());
    if (!layout) {
      std::string message = llvm::toString(layout.takeError());
      ASSERT_TRUE(llvm::StringRef(message).starts_with("at ")) << message;
      continue;
    }
    ASSERT_TRUE(parse(toString(*layout)) == *layout) << text;
  }
}

TEST(Text, Coordinates) {
  Layout layout = parse("S[(8, 4) : (4@laneid, 1)] + 5@warpid");
  EXPECT_EQ(toString(layout.apply(0)), "(warpid 5)");
  EXPECT_EQ(toString(layout.apply(5)), "(laneid 4, m 1, warpid 5)");
}
