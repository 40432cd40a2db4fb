//===- InjectiveTest.cpp - whether points meet ----------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Property.h"
#include "TIRx/Layout/Algebra.h"

using namespace tirx;
using namespace tirx::testing;

TEST(Algebra, InjectivityAgreesWithEnumeration) {
  int64_t injective = 0;
  forRandomLayouts("injectivity", [&](const Layout &layout, Random &) {
    Points seen;
    size_t count = 0;
    for (const Points &points : enumerate(layout)) {
      seen.insert(points.begin(), points.end());
      count += points.size();
    }
    bool expected = seen.size() == count;
    injective += expected;
    return isInjective(layout) == expected ? ""
           : expected                      ? "is injective"
                                           : "is not injective";
  });
  EXPECT_GT(injective, getPropertyRuns() / 20);
}

TEST(Algebra, InjectivityOfStepsThatInterleave) {
  EXPECT_TRUE(isInjective(parse("#tirx.swizzle<3, 3, 3>")));
  EXPECT_TRUE(isInjective(parse("S[(4096, 4000) : (1, 4097)]")));
  EXPECT_TRUE(isInjective(parse("S[(3, 5) : (7, 3)]")));
  EXPECT_FALSE(isInjective(parse("S[(4096, 4096) : (1, 4095)]")));
  EXPECT_FALSE(isInjective(parse("S[(1048576, 1048576) : (1, 2)]")));
  EXPECT_TRUE(isInjective(parse(
      "S[(3, 5, 3, 5) : (7340032@laneid, 3145728@laneid, 7340032, 3145728)]")));
  EXPECT_FALSE(isInjective(parse("S[(3, 5) : (7, -7)]")));
  // Two steps meet at their least common multiple, whatever their extents.
  EXPECT_TRUE(isInjective(parse("S[(1048576, 1048576) : (1048577, 1048576)]")));
  EXPECT_FALSE(
      isInjective(parse("S[(1048577, 1048578) : (1048577, 1048576)]")));
  // Copies that coincide are no second element.
  EXPECT_TRUE(isInjective(parse("S[32 : 1] + R[3 : 0]")));
  EXPECT_TRUE(isInjective(parse("S[4 : 8] + R[(2, 2) : (1, 1)]")));
  EXPECT_FALSE(isInjective(parse("S[4 : 2] + R[(2, 2) : (1, 1)]")));
  // What interleaves below does not with what is far above.
  EXPECT_TRUE(
      isInjective(parse("S[(3, 1048576, 5, 1048576) : (7, 67108864, 3, 64)]")));
  EXPECT_FALSE(
      isInjective(parse("S[(4, 1048576, 8, 1048576) : (7, 67108864, 3, 64)]")));
}
