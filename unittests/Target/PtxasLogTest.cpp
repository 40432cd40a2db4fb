//===- PtxasLogTest.cpp - reading what ptxas -v prints --------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TIRx/Target/Ptxas.h"
#include "TIRx/Target/TargetInfo.h"
#include "gtest/gtest.h"

using namespace tirx;

namespace {

TEST(PtxasLog, KernelsInOrder) {
  PtxasResult result;
  parsePtxasLog(R"(ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function 'a' for 'sm_100a'
ptxas info    : Function properties for a
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 118 registers, used 1 barriers, 1024 bytes smem
ptxas info    : Compile time = 36.947 ms
ptxas info    : Compiling entry function 'b' for 'sm_100a'
ptxas info    : Function properties for b
    48 bytes stack frame, 40 bytes spill stores, 44 bytes spill loads
ptxas info    : Used 255 registers, used 2 barriers
)",
                result);
  ASSERT_EQ(result.kernels.size(), 2u);
  EXPECT_EQ(result.kernels[0].kernel, "a");
  EXPECT_EQ(result.kernels[0].registers, 118u);
  EXPECT_EQ(result.kernels[0].barriers, 1u);
  EXPECT_EQ(result.kernels[0].sharedBytes, 1024u);
  EXPECT_EQ(result.kernels[0].spillStoreBytes, 0u);
  EXPECT_EQ(result.kernels[1].registers, 255u);
  EXPECT_EQ(result.kernels[1].stackBytes, 48u);
  EXPECT_EQ(result.kernels[1].spillStoreBytes, 40u);
  EXPECT_EQ(result.kernels[1].spillLoadBytes, 44u);
  ASSERT_EQ(result.warnings.size(), 1u);
  EXPECT_EQ(
      result.warnings[0],
      "kernel 'b' spills registers: 40 bytes stored, 44 bytes loaded with "
      "255 registers");
}

TEST(PtxasLog, Complaints) {
  PtxasResult result;
  parsePtxasLog("ptxas info    : (C7508) Potential Performance Loss: "
                "'setmaxnreg' ignored\n"
                "ptxas warning : something\n"
                "ptxas info    : 0 bytes gmem\n",
                result);
  EXPECT_EQ(result.warnings.size(), 2u);
}

TEST(PtxasLog, NotALog) {
  PtxasResult result;
  parsePtxasLog("Used registers\nbytes stack frame\n'", result);
  EXPECT_TRUE(result.kernels.empty());
  EXPECT_TRUE(result.warnings.empty());
}

TEST(TargetInfo, Lookup) {
  llvm::Expected<const TargetInfo *> target = lookupTarget("sm_100a");
  ASSERT_TRUE(bool(target));
  EXPECT_TRUE((*target)->hasTcgen05);
  EXPECT_EQ((*target)->sharedBytes, 232448);
  llvm::Expected<const TargetInfo *> unknown = lookupTarget("sm_99");
  ASSERT_FALSE(bool(unknown));
  EXPECT_EQ(llvm::toString(unknown.takeError()),
            "unknown target 'sm_99': expected one of " + describeTargets());
  // Without the letter, a chip lacks what only its own architecture has.
  for (llvm::StringRef chip : {"sm_100", "sm_103", "sm_120a"}) {
    llvm::Expected<const TargetInfo *> plain = lookupTarget(chip);
    ASSERT_TRUE(bool(plain));
    EXPECT_FALSE((*plain)->hasTcgen05);
  }
}

} // namespace
