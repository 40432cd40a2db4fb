//===- Columns.h - one instruction on many operands -------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_UNITTESTS_SIMULATOR_COLUMNS_H
#define TIRX_UNITTESTS_SIMULATOR_COLUMNS_H

#include "TestKernel.h"
#include <random>

namespace tirx::sim {

using Column = std::vector<uint64_t>;

/// Executes `text`, statements with operands %s0, %s1, ... and the result %d,
/// on each row of the columns. `widths` are the bits of the result, then of the
/// operands.
inline Column runColumns(const std::string &text,
                         const std::vector<unsigned> &widths,
                         const std::vector<Column> &columns) {
  auto bits = [&](unsigned n) { return ".b" + std::to_string(widths[n]); };
  std::string body = "mov.u32 %r0, %ctaid.x; mad.lo.u32 %t, %r0, 256, %t;\n"
                     "mul.wide.u32 %rd0, %t, 8;\n.reg " +
                     bits(0) + " %d;\n.reg .pred %x, %y;\n";
  for (unsigned n = 0; n < columns.size(); ++n) {
    std::string s = std::to_string(n);
    body += ".reg " + bits(n + 1) + " %s" + s + "; add.u64 %rd1, %p" + s +
            ", %rd0; ld.global" + bits(n + 1) + " %s" + s + ", [%rd1];\n";
  }
  body += text + "\nadd.u64 %rd1, %p" + std::to_string(columns.size()) +
          ", %rd0; st.global" + bits(0) + " [%rd1], %d;";
  TestKernel kernel(entry(columns.size() + 1, body));
  EXPECT_EQ(kernel.error, "") << text;
  if (!kernel.module)
    return {};
  size_t count = columns.front().size(), padded = (count + 255) / 256 * 256;
  kernel.parameters.block = {256, 1, 1};
  kernel.parameters.grid = {unsigned(padded / 256), 1, 1};
  for (Column column : columns) {
    column.resize(padded);
    kernel.buffer(column);
  }
  Allocation *out = kernel.buffer(Column(padded, 0));
  EXPECT_EQ(kernel.run(), "") << text;
  Column result = TestKernel::read<uint64_t>(out);
  result.resize(count);
  return result;
}

/// Random bits of a width, every fourth of them a corner of integers or floats.
inline uint64_t randomOperand(std::mt19937_64 &random, unsigned bits) {
  uint64_t value = random(), mask = ~uint64_t(0) >> (64 - bits);
  switch (random() % 8) {
  case 0:
    value = uint64_t(1) << random() % bits;
    break;
  case 1:
    value = ~uint64_t(0) << random() % bits;
    break;
  default:
    break;
  }
  return (value + (random() % 4 ? 0 : random() % 3 - 1)) & mask;
}

inline Column randomColumn(std::mt19937_64 &random, unsigned bits,
                           size_t count) {
  Column column(count);
  for (uint64_t &value : column)
    value = randomOperand(random, bits);
  return column;
}

} // namespace tirx::sim

#endif // TIRX_UNITTESTS_SIMULATOR_COLUMNS_H
