//===- Report.h - what a simulation finds -----------------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A report is one thing that went wrong (or, for a warning, that a reader ought
// to know) at one place: rule label, PTX line, source line, CTA, warp, lane.
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_SIMULATOR_REPORT_H
#define TIRX_SIMULATOR_REPORT_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"
#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace tirx::sim {

/// Where in the program and in the grid something happened. Fields that do not
/// apply are empty, 0 (lines) or -1 (warp, lane).
struct Place {
  /// Source file and line of the last `.loc`, when the PTX carries any.
  std::string file;
  unsigned line = 0;
  /// The PTX file, when it is not the kernel's but that of the models.
  std::string ptxFile;
  /// 1-based line of the PTX text, and that text.
  unsigned ptxLine = 0;
  std::string ptxText;
  std::array<unsigned, 3> cta = {0, 0, 0};
  bool hasCta = false;
  int warp = -1;
  int lane = -1;
};

enum class Severity { Error, Warning };

struct Report {
  Severity severity = Severity::Error;
  /// The label of the broken rule ("R24"), or a short word for what has no
  /// number: "bounds", "alignment", "deadlock", "steps", "trap".
  std::string rule;
  std::string message;
  Place place;
  /// The other parties of a conflict, one line each.
  std::vector<std::string> notes;
  /// How often the same report came from the same instruction.
  uint64_t count = 1;
};

/// Collects reports. The same rule at the same PTX line is kept once and
/// counted, so that a fault in a loop over all threads stays readable.
class ReportLog {
public:
  /// Adds a report, or counts it when its like is there already.
  void add(Report report);

  const std::vector<Report> &getReports() const { return reports; }
  bool hasErrors() const { return errors != 0; }
  bool empty() const { return reports.empty(); }

private:
  std::vector<Report> reports;
  uint64_t errors = 0;
};

/// Prints a report as `file:line: error: [R24] message`, the place and the
/// notes following, indented.
void printReport(const Report &report, llvm::StringRef ptxFile,
                 llvm::raw_ostream &os);

} // namespace tirx::sim

#endif // TIRX_SIMULATOR_REPORT_H
