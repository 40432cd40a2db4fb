//===- MoveTest.cpp - mov between a register and its parts ----------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Columns.h"

using namespace tirx::sim;

static Column numbers() {
  std::mt19937_64 random(7);
  Column values(256);
  for (uint64_t &value : values)
    value = random();
  return values;
}

/// Parts of a register of `bits`, taken apart and put together in reverse.
static void reversed(unsigned bits, unsigned parts) {
  unsigned size = bits / parts;
  std::string forwards, backwards, reg = ".reg .b" + std::to_string(size);
  for (unsigned n = 0; n < parts; ++n) {
    std::string name = "%part" + std::to_string(n);
    forwards += (n ? ", " : "") + name;
    backwards = name + (n ? ", " : "") + backwards;
    reg += (n ? ", " : " ") + name;
  }
  std::string mov = "mov.b" + std::to_string(bits);
  std::string text = reg + ";\n" + mov + " {" + forwards + "}, %s0;\n" + mov +
                     " %d, {" + backwards + "};";
  Column values = numbers(), result = runColumns(text, {bits, bits}, {values});
  for (size_t row = 0; row < result.size(); ++row) {
    uint64_t expected = 0, part = (uint64_t(1) << size) - 1;
    for (unsigned n = 0; n < parts; ++n)
      expected |= (values[row] >> n * size & part) << (parts - 1 - n) * size;
    EXPECT_EQ(result[row], expected) << text << row;
  }
}

TEST(Move, PartsOfRegisters) {
  reversed(16, 2);
  reversed(32, 2);
  reversed(32, 4);
  reversed(64, 2);
  reversed(64, 4);
}

TEST(Move, ConstantsAreParts) {
  Column values = numbers();
  Column result =
      runColumns(".reg .b8 %b; cvt.u8.u16 %b, %s0; mov.b16 %d, {%b, 0x5a};",
                 {16, 16}, {values});
  for (size_t row = 0; row < result.size(); ++row)
    EXPECT_EQ(result[row], 0x5a00 | (values[row] & 0xff)) << row;
}
