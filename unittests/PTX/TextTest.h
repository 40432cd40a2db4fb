//===- TextTest.h - what the tests of PTX text share ------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_UNITTESTS_PTX_TEXTTEST_H
#define TIRX_UNITTESTS_PTX_TEXTTEST_H

#include "TIRx/PTX/Parser.h"
#include "TIRx/PTX/Printer.h"
#include "gtest/gtest.h"

namespace tirx::ptx {

/// A module around the body of a kernel with registers of every type.
inline std::string kernel(llvm::StringRef body,
                          llvm::StringRef target = "sm_100a") {
  return (".version 8.7\n.target " + target +
          "\n.address_size 64\n"
          ".global .b32 g;\n.shared .b32 s;\n"
          ".func callee() { ret; }\n"
          ".entry k(.param .b64 arg) {\n"
          ".reg .pred %p<4>; .reg .b16 %h<4>; .reg .b32 %r<64>;\n"
          ".reg .b64 %rd<8>; .reg .f32 %f<8>; .reg .f64 %fd<4>;\n"
          ".reg .u32 %u<4>; .reg .v4 .f32 %v; .reg .b8 %b;\n" +
          body + "\nret;\n}\n")
      .str();
}

/// The errors of parsing, or of what follows it, one a line.
inline std::string errorsOf(llvm::StringRef text, bool verify = false) {
  Diagnostics diagnostics;
  std::unique_ptr<Module> module = parseModule(text, "t.ptx", diagnostics);
  if (module && verify)
    verifyModule(*module, diagnostics);
  std::string result;
  for (const Diagnostic &diagnostic : diagnostics.all())
    result += diagnostic.message + "\n";
  return result;
}

inline std::unique_ptr<Module> parse(llvm::StringRef text) {
  Diagnostics diagnostics;
  std::unique_ptr<Module> module = parseModule(text, "t.ptx", diagnostics);
  EXPECT_TRUE(module) << diagnostics.str();
  return module;
}

inline std::string toString(const Module &module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  print(module, os);
  return text;
}

} // namespace tirx::ptx

#endif // TIRX_UNITTESTS_PTX_TEXTTEST_H
