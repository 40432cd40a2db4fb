//===- ApproximateTest.cpp - approximate instructions ---------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Columns.h"
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

static Column run(const Measured &measured) {
  std::string text = measured.ptx + " %d";
  std::vector<unsigned> widths(measured.operands + 1, measured.bits);
  std::vector<Column> columns(measured.operands);
  for (unsigned n = 0; n < measured.operands; ++n) {
    text += ", %s" + std::to_string(n);
    for (const auto &row : measured.rows)
      columns[n].push_back(row[n]);
  }
  return runColumns(text + ";", widths, columns);
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
