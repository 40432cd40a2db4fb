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

/// Parse, print, parse, print: both texts are equal; every instruction
/// resolves.
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
    ASSERT_EQ(again->instructions.size(), module->instructions.size());
    for (size_t i = 0; i != module->instructions.size(); ++i)
      EXPECT_EQ(printed(*again->instructions[i]),
                printed(*module->instructions[i]));
    ++files;
    instructions += module->instructions.size();
  }
  EXPECT_GE(files, 8u);
  EXPECT_GE(instructions, 1000u);
}
