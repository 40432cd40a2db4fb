//===- OperandCheckTest.cpp - tests of instructions against the table -----===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What ptxas 13.0 accepts and rejects of these was tried.
//
//===----------------------------------------------------------------------===//

#include "TIRx/PTX/Table.h"
#include "TextTest.h"

using namespace tirx::ptx;

TEST(PTXOperands, Legal) {
  for (const char *body : {
           // Untyped bits agree with all types; mov takes symbols and %tid.
           "mov.b32 %u1, %f1;",
           "mov.b32 %r1, 0f3F800000;",
           "mov.u64 %rd1, g;",
           "mov.u64 %rd1, g+4;",
           "mov.u32 %u1, %tid.x;",
           "mov.b32 %r1, s;",
           "mov.b64 {%r1, _}, %rd1;",
           "mov.b64 %rd1, {%r1, 0};",
           "mov.b32 {%h1, %h2}, %r1;",
           "mov.f32 %f1, %v.x;",
           "mov.pred %p1, %p2;",
           "mov.u64 %rd1, %rd2+2;",
           // ld, st and cvt take wider registers.
           "ld.global.u32 %rd1, [g];",
           "ld.global.f32 %rd1, [g];",
           "ld.global.b32 %fd1, [g];",
           "st.global.u32 [g], %rd1;",
           "cvt.u32.u16 %rd1, %h1;",
           "cvt.u32.u16 %u1, %u2;",
           "cvt.rn.f16.f32 %r1, %f1;",
           "ld.global.u8 %h1, [g];",
           "ld.global.u8 %b, [g];",
           "ld.shared.u32 %r1, [%r2+4];",
           "ld.global.v2.u32 {%r1, _}, [%rd1];",
           "ld.global.v4.f32 %v, [%rd1];",
           "st.global.v2.u32 [%rd1], {%r1, 1};",
           "add.f32 %f1, %f2, 1.5;",
           "add.f64 %fd1, %fd2, 0f3F800000;",
           "selp.b32 %r1, %u1, %f1, %p1;",
           "add.f16x2 %r1, %r2, %r3;",
           "atom.global.add.u32 _, [g], 1;",
           "setp.eq.u32 %p1|_, %u1, 1;",
           "setp.eq.u32 _|%p1, %u1, 1;",
           "setp.eq.and.u32 %p1, %u1, 1, !%p2;",
           "shfl.sync.idx.b32 %r1|%p1, %f1, 0, 31, -1;",
           "setp.ne.b32 %p1, %f1, 0;",
           "and.pred %p1, %p2, 1;",
           "bar.sync 0;",
           "bar.sync %r1, 128;",
           "bra L; L:",
           "tcgen05.mma.cta_group::1.kind::f16 [%r1], %rd1, %rd2+2, %r2, %p1;",
           "tcgen05.mma.cta_group::1.kind::f16 [%r1], [%r3], %rd2, %r2, %p1;",
           "tcgen05.mma.cta_group::1.kind::f16 [%r1], %rd1, %rd2, %r2, "
           "{%r4, %r5, %r6, %r7}, %p1;",
           "tcgen05.ld.sync.aligned.32x32b.x4.b32 {%r1, %r2, %r3, %r4}, [%r5];",
           "tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r1}, [%r5];",
           "cp.async.bulk.tensor.2d.shared::cta.global.tile.mbarrier::"
           "complete_tx::bytes [%r1], [%rd1, {%r2, %r3}], [%r4];",
       })
    EXPECT_EQ(errorsOf(kernel(body), /*verify=*/true), "") << body;
}

TEST(PTXOperands, Illegal) {
  struct Case {
    const char *body, *message;
  };
  for (
      auto [body, message] : {
          Case{"add.u32 %u1, %f1, %u2;",
               "operand 'a' of 'add.u32': expected a register of type .u32 (32 "
               "bits), got register '%f1' of type .f32"},
          {"mov.f32 %f1, %u1;",
           "operand 'a' of 'mov.f32': expected a register of type .f32 (32 "
           "bits), got register '%u1' of type .u32"},
          {"ld.global.f32 %fd1, [g];",
           "operand 'd' of 'ld.global.f32': expected a register of type .f32 "
           "(32 bits), got register '%fd1' of type .f64"},
          {"shl.b64 %rd1, %rd2, %rd3;",
           "operand 'b' of 'shl.b64': expected a register of type .u32 (32 "
           "bits), got register '%rd3' of type .b64"},
          {"mul.wide.u32 %u1, %u2, %u3;",
           "operand 'd' of 'mul.wide.u32': expected a register of type .u64 "
           "(64 bits), got register '%u1' of type .u32"},
          {"add.f32 %f1, %f2, 1;",
           "operand 'b' of 'add.f32': expected a register or a constant of "
           "type .f32 (32 bits), got the integer 1"},
          {"mov.b32 %r1, 0d3FF0000000000000;",
           "operand 'a' of 'mov.b32': expected a register or a constant of "
           "type .b32 (32 bits), got a float of 64 bits"},
          {"add.u32 %u1, %tid.x, 1;",
           "operand 'a' of 'add.u32': expected a register or a constant of "
           "type .u32 (32 bits), got the special register '%tid'"},
          {"add.u64 %rd1, %rd1, g;",
           "operand 'b' of 'add.u64': expected a register or a constant of "
           "type .u64 (64 bits), got the address of 'g'"},
          {"add.u32 _, %u1, 1;",
           "operand 'd' of 'add.u32': expected a register, got '_'"},
          {"add.u32 1, %u1, 1;",
           "operand 'd' of 'add.u32': expected a register of type .u32 (32 "
           "bits), got the integer 1"},
          {"add.u32 %u1, %u2;",
           "'add.u32': expected 3 operands (d, a, b), got 2"},
          {"ret %r1;", "'ret': expected 0 operands, got 1"},
          {"ld.global.u32 %r1, [%f1];",
           "operand 'a' of 'ld.global.u32': expected an integer register of 32 "
           "or 64 bits, got register '%f1' of type .f32"},
          {"ld.global.u32 %r1, [%r2];",
           "operand 'a' of 'ld.global.u32': expected a register of 64 bits, "
           "got register '%r2' of type .b32"},
          {"ld.global.u32 %r1, g;",
           "operand 'a' of 'ld.global.u32': expected an address in brackets, "
           "got the address of 'g'"},
          {"ld.global.v4.u32 {%r1, %r2}, [g];",
           "operand 'd' of 'ld.global.v4.u32': expected 4 operands in braces, "
           "got 2 operands in braces"},
          {"tcgen05.ld.sync.aligned.16x256b.x1.b32 {%r1, %r2}, [%r5];",
           "operand 'r' of 'tcgen05.ld.sync.aligned.16x256b.x1.b32': expected "
           "4 operands in braces, got 2 operands in braces"},
          {"bra callee;", "expected a declared name, got 'callee'"},
          {"T: .branchtargets T2; T2: bra T;",
           "'bra': expected a label of an instruction, got 'T'"},
          {"brx.idx %r1, L; L:",
           "'brx.idx': expected a list made by .branchtargets, got 'L'"},
      })
    EXPECT_EQ(errorsOf(kernel(body), /*verify=*/true),
              std::string(message) + "\n")
        << body;
}

TEST(PTXOperands, UnknownInstructionsAndTargets) {
  EXPECT_NE(errorsOf(kernel("bogus.u32 %u1;"), true).find("'bogus.u32'"),
            std::string::npos);
  EXPECT_NE(errorsOf(kernel("add.u33 %u1, %u2, %u3;"), true), "");
  std::string wait = "tcgen05.wait::ld.sync.aligned;";
  EXPECT_EQ(errorsOf(kernel(wait), true), "");
  EXPECT_NE(errorsOf(kernel(wait, "sm_90a"), true).find("sm_90a"),
            std::string::npos);
}

TEST(PTXOperands, ResolvedInstructionsAreShared) {
  auto module = parse(kernel("add.u32 %u1, %u2, 1; add.u32 %u2, %u1, 2;"));
  Diagnostics diagnostics;
  ASSERT_TRUE(resolveModule(*module, diagnostics)) << diagnostics.str();
  size_t n = module->instructions.size();
  const ResolvedInstruction *first = module->instructions[n - 3]->resolved;
  EXPECT_EQ(first, module->instructions[n - 2]->resolved);
  EXPECT_EQ(first->get("type"), "u32");
}

// What came later than the instruction, or not to all of its targets.
TEST(PTXOperands, OperandsOfNewerVersions) {
  auto errors = [](llvm::StringRef body, llvm::StringRef target,
                   llvm::StringRef version) {
    std::string text = kernel(body, target);
    text.replace(text.find("8.7"), 3, version.str());
    return errorsOf(text, /*verify=*/true);
  };
  EXPECT_EQ(errors("max.f32 %f1, %f2, %f3, %f4;", "sm_100", "8.8"), "");
  EXPECT_EQ(errors("max.f32 %f1, %f2, %f3, %f4;", "sm_90", "8.8"),
            "expected target sm_100 or later for operand 'c' of 'max', got "
            "sm_90\n");
  EXPECT_EQ(errors("max.f32 %f1, %f2, %f3, %f4;", "sm_100", "8.6"),
            "expected PTX 8.8 or later for operand 'c' of 'max', got 8.6\n");
  EXPECT_EQ(
      errors("mbarrier.arrive.shared.b64 %rd1, [s], %r1;", "sm_80", "8.0"),
      "expected target sm_90 or later for operand 'count' of "
      "'mbarrier.arrive', got sm_80\n");
  EXPECT_EQ(errors("mbarrier.arrive.shared.b64 %rd1, [s];", "sm_80", "8.0"),
            "");
  llvm::StringRef mma = "tcgen05.mma.cta_group::1.kind::f16 [%r1], %rd1, %rd2, "
                        "%r2, %p1, 3;";
  EXPECT_EQ(errors(mma, "sm_103a", "9.0"), "");
  EXPECT_NE(errors(mma, "sm_110a", "9.0"), "");
}

TEST(PTXOperands, OperandsThatExcludeEachOther) {
  llvm::StringRef copy = "cp.async.ca.shared.global [s], [%rd1], 16";
  EXPECT_EQ(errorsOf(kernel((copy + ", %r1;").str()), true), "");
  EXPECT_EQ(errorsOf(kernel((copy + ", %p1;").str()), true), "");
  EXPECT_EQ(
      errorsOf(kernel((copy + ", %r1, %p1;").str()), true),
      "expected operand 'ignore_src' of 'cp.async' or operand 'src_size', "
      "got both\n");
}
