//===- PtxSignatureTest.cpp - values of instruction operands --------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TIRx/Dialect/TIRx/IR/PtxSignature.h"
#include "gtest/gtest.h"

using namespace tirx;

namespace {

/// Every form of every instruction takes the numbers of values that its own
/// operands ask for, and each value stands for exactly one register.
TEST(PtxSignature, CoversTheTable) {
  unsigned matched = 0;
  for (const ptx::InstructionInfo &info : ptx::instructions()) {
    llvm::Expected<ptx::ResolvedInstruction> instruction =
        ptx::resolve(info.mnemonic);
    if (!instruction) { // it needs modifiers
      llvm::consumeError(instruction.takeError());
      continue;
    }
    unsigned inputs = 0, results = 0;
    bool isText = false;
    for (const ptx::OperandSpec &spec : ptx::operands(*instruction)) {
      isText |= spec.kind == ptx::OperandKind::Label ||
                spec.kind == ptx::OperandKind::Symbol;
      if (spec.optional)
        continue;
      unsigned count = std::max(1u, spec.lanes);
      inputs += spec.access != ptx::Access::Write ? count : 0;
      results += spec.access != ptx::Access::Read ? count : 0;
    }
    llvm::Expected<PtxSignature> signature =
        matchSignature(*instruction, inputs, results);
    if (isText) {
      llvm::consumeError(signature.takeError());
      continue;
    }
    ASSERT_TRUE(bool(signature))
        << info.mnemonic.str() << ": " << llvm::toString(signature.takeError());
    unsigned nextInput = 0, nextResult = 0;
    for (const PtxOperand &operand : *signature) {
      EXPECT_EQ(operand.firstInput, nextInput) << info.mnemonic.str();
      EXPECT_EQ(operand.firstResult, nextResult) << info.mnemonic.str();
      nextInput += operand.numInputs;
      nextResult += operand.numResults;
    }
    EXPECT_EQ(nextInput, inputs) << info.mnemonic.str();
    EXPECT_EQ(nextResult, results) << info.mnemonic.str();
    ++matched;
  }
  EXPECT_GT(matched, 5u);
}

TEST(PtxSignature, LeavesOptionalOperandsOut) {
  llvm::Expected<ptx::ResolvedInstruction> wait =
      ptx::resolve("mbarrier.try_wait.parity.shared::cta.b64");
  ASSERT_TRUE(bool(wait));
  llvm::Expected<PtxSignature> without = matchSignature(*wait, 2, 1);
  ASSERT_TRUE(bool(without));
  llvm::Expected<PtxSignature> with = matchSignature(*wait, 3, 1);
  ASSERT_TRUE(bool(with));
  EXPECT_EQ(with->size(), without->size() + 1);
  llvm::Expected<PtxSignature> tooMany = matchSignature(*wait, 4, 1);
  EXPECT_FALSE(bool(tooMany));
  llvm::consumeError(tooMany.takeError());
}

} // namespace
