//===- ApproximateTest.cpp - approximate instructions ---------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestKernel.h"
#include <fstream>
#include <sstream>

using namespace tirx::sim;

namespace {
/// One instruction of the file with its cases.
struct Measured {
  std::string ptx;
  unsigned bits, operands;
  std::vector<std::vector<uint64_t>> rows; ///< operands, then the result
};
} // namespace

static std::vector<Measured> readFile() {
  std::ifstream file(TIRX_TEST_DATA "/approximate.txt");
  std::vector<Measured> all;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    if (line[0] == '#')
      continue;
    if (line.find('.') != std::string::npos) {
      Measured measured;
      words >> measured.ptx >> measured.bits >> measured.operands;
      all.push_back(measured);
      continue;
    }
    std::vector<uint64_t> row;
    for (uint64_t value; words >> std::hex >> value;)
      row.push_back(value);
    all.back().rows.push_back(row);
  }
  return all;
}

/// Operands and result in double words; each thread has one case.
static std::vector<uint64_t> run(const Measured &measured) {
  std::string b = ".b" + std::to_string(measured.bits);
  std::string body = "mul.wide.u32 %rd0, %t, 8;\n.reg " + b + " %d;\n", list;
  for (unsigned n = 0; n < measured.operands; ++n) {
    std::string s = std::to_string(n);
    body += ".reg " + b + " %s" + s + "; add.u64 %rd1, %p" + s +
            ", %rd0; ld.global" + b + " %s" + s + ", [%rd1];\n";
    list += ", %s" + s;
  }
  body += measured.ptx + " %d" + list + ";\nadd.u64 %rd1, %p" +
          std::to_string(measured.operands) + ", %rd0; st.global" + b +
          " [%rd1], %d;";
  TestKernel kernel(entry(measured.operands + 1, body));
  EXPECT_EQ(kernel.error, "");
  if (!kernel.module)
    return {};
  size_t count = measured.rows.size();
  kernel.parameters.block = {unsigned(count), 1, 1};
  for (unsigned n = 0; n < measured.operands; ++n) {
    std::vector<uint64_t> column;
    for (const auto &row : measured.rows)
      column.push_back(row[n]);
    kernel.buffer(column);
  }
  Allocation *out = kernel.buffer(std::vector<uint64_t>(count, 0));
  EXPECT_EQ(kernel.run(), "");
  return TestKernel::read<uint64_t>(out);
}

TEST(Approximate, GivesTheBitsOfHardware) {
  std::vector<Measured> all = readFile();
  EXPECT_EQ(all.size(), 29u);
  for (const Measured &measured : all) {
    std::vector<uint64_t> results = run(measured);
    ASSERT_EQ(results.size(), measured.rows.size());
    for (size_t n = 0; n < results.size(); ++n)
      EXPECT_EQ(results[n], measured.rows[n].back())
          << measured.ptx << " of 0x" << std::hex << measured.rows[n][0];
  }
}
