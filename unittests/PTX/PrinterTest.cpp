//===- PrinterTest.cpp - tests of the PTX printer -------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Also reads the files of other compilers under test/PTX/Inputs.
//
//===----------------------------------------------------------------------===//

#include "TIRx/PTX/Compare.h"
#include "TextTest.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace tirx::ptx;

static std::string printed(const Instruction &instruction) {
  std::string text;
  llvm::raw_string_ostream os(text);
  print(instruction, os);
  return text;
}

TEST(PTXPrinter, Instructions) {
  for (const char *text : {
           "add.f32 %f1, %f2, 0fBF800000;",
           "add.f64 %fd1, %fd2, 0d3FF0000000000000;",
           "@!%p1 ld.global.v2.u32 {%r1, _}, [%rd1+8];",
           "@%p1 st.shared.b32 [s], -1;",
           "shfl.sync.idx.b32 %r1|%p1, %r2, 0, 31, -1;",
           "mov.u32 %r1, %tid.x;",
           "setp.lt.and.s32 %p1, %r1, %r2, !%p2;",
           "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::"
           "complete_tx::bytes [%r1], [%rd1, {%r2, %r3}], [%r4];",
           "tcgen05.mma.cta_group::1.kind::f16 [%r1], %rd1, %rd2+2, %r2, %p1;",
           "mov.b32 %r1, s+4;",
           "ld.shared.u32 %r1, [s+-4];",
           "ld.shared.u32 %r1, [s+0];",
           "ld.global.u32 %r1, [%rd1];",
           "call callee;",
           "ret;",
       }) {
    auto module = parse(kernel(text));
    ASSERT_TRUE(module);
    EXPECT_EQ(printed(*module->instructions[module->instructions.size() - 2]),
              text);
  }
}

TEST(PTXPrinter, Numbers) {
  auto module = parse(kernel("x 0x10, 18446744073709551615, 1.0, [g+ 2 * 4];"));
  EXPECT_EQ(printed(*module->instructions[module->instructions.size() - 2]),
            "x 16, -1, 0d3FF0000000000000, [g+8];");
}

TEST(PTXPrinter, NestedInitialisers) {
  auto module = parse(".version 8.7\n.target sm_90\n"
                      ".global .b32 x[2][3] = {{1}, {2, 0, 3}};\n");
  EXPECT_NE(toString(*module).find("x[2][3] = {{1}, {2, 0, 3}};"),
            std::string::npos)
      << toString(*module);
}

/// Parse, print, parse, print: both texts and both trees are equal; every
/// instruction resolves.
TEST(PTXPrinter, FilesOfOtherCompilers) {
  std::error_code error;
  unsigned files = 0, instructions = 0;
  for (llvm::sys::fs::directory_iterator it(TIRX_PTX_INPUTS, error), end;
       it != end && !error; it.increment(error)) {
    if (!llvm::StringRef(it->path()).ends_with(".ptx"))
      continue;
    SCOPED_TRACE(it->path());
    auto buffer = llvm::MemoryBuffer::getFile(it->path());
    ASSERT_TRUE(buffer);
    Diagnostics diagnostics;
    auto module = parseModule((*buffer)->getBuffer(), it->path(), diagnostics);
    ASSERT_TRUE(module) << diagnostics.str();
    EXPECT_TRUE(verifyModule(*module, diagnostics)) << diagnostics.str();
    std::string text = toString(*module);
    auto again = parseModule(text, "printed", diagnostics);
    ASSERT_TRUE(again) << diagnostics.str();
    EXPECT_EQ(toString(*again), text);
    EXPECT_EQ(findDifference(*module, *again), "");
    ++files;
    instructions += module->instructions.size();
  }
  EXPECT_GE(files, 8u);
  EXPECT_GE(instructions, 1000u);
}

/// Each change of one place is found, and only changes are.
TEST(PTXCompare, FindsEveryChange) {
  const std::string text = R"(.version 8.7
.target sm_90
.file 1 "a.cu"
.global .align 4 .b32 x[2] = {1, 2};
.func (.param .b32 r) f(.param .b64 a) .noreturn;
.func g(.param .b32 r);
.entry k(.param .b64 arg)
.maxntid 128
{
  .reg .pred %p<2>; .reg .b32 %r<4>; .reg .b64 %rd<4>;
  .loc 1 2 3
L0: @%p1 ld.global.v2.b32 {%r1, %r2}, [%rd1+8];
L1: ts: .branchtargets L0, L1;
  brx.idx %r1, ts;
  { .reg .b32 %r<3>; mov.b32 %r1, 5; }
  add.f32 %r1, %r2, 0f3F800000;
  mov.b64 %rd2, x+4;
  proto: .callprototype _ (.param .b64 _) .noreturn;
  .pragma "nounroll";
  bra L0;
}
.section .debug_str { .b8 1 }
)";
  auto left = parse(text);
  EXPECT_EQ(findDifference(*left, *parse("// a comment\n" + text)), "");
  for (auto [from, to] :
       std::initializer_list<std::pair<const char *, const char *>>{
           {"8.7", "8.6"},
           {"sm_90", "sm_80"},
           {"a.cu", "b.cu"},
           {".align 4", ".align 8"},
           {"{1, 2}", "{1, 3}"},
           {"{1, 2}", "{1}"},
           {".noreturn;\n.func g", ";\n.func g"},
           {".b64 a", ".u64 a"},
           {"128", "64"},
           {"1 2 3", "1 2 4"},
           {"@%p1", "@!%p1"},
           {"@%p1", ""},
           {"+8", "+16"},
           {"%r2}", "%r3}"},
           {"b32 {", "u32 {"},
           {"L0, L1", "L1, L0"},
           {"brx.idx %r1", "brx.idx %r2"},
           {"{ .reg .b32 %r<3>; ", "{ "},
           {"3F8", "3F9"},
           {"x+4", "x"},
           {"(.param .b64 _)", "(.param .b32 _)"},
           {"_) .noreturn", "_) "},
           {"nounroll", "unroll"},
           {"bra L0", "bra L1"},
           {"bra L0;", ""},
           {".b8 1", ".b8 2"},
           {"L1: ts:", "ts:"},
           {"r);", "q);"}}) {
    std::string changed = text;
    size_t at = changed.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    changed.replace(at, strlen(from), to);
    if (llvm::StringRef(from) == "L1: ts:")
      changed.replace(changed.find("L0, L1"), 6, "L0, L0");
    auto right = parse(changed);
    ASSERT_TRUE(right) << from;
    EXPECT_NE(findDifference(*left, *right), "") << from << " -> " << to;
  }
}
