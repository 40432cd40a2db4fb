//===- Report.cpp - what a simulation finds -------------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TIRx/Simulator/Report.h"

using namespace tirx::sim;

void ReportLog::add(Report report) {
  if (report.severity == Severity::Error)
    ++errors;
  for (Report &known : reports)
    if (known.rule == report.rule &&
        known.place.ptxLine == report.place.ptxLine &&
        known.place.ptxFile == report.place.ptxFile &&
        known.severity == report.severity && known.place.ptxLine != 0) {
      known.count += report.count;
      return;
    }
  reports.push_back(std::move(report));
}

void tirx::sim::printReport(const Report &report, llvm::StringRef ptxFile,
                            llvm::raw_ostream &os) {
  const Place &place = report.place;
  os << (place.ptxFile.empty() ? ptxFile : llvm::StringRef(place.ptxFile));
  if (place.ptxLine)
    os << ':' << place.ptxLine;
  os << (report.severity == Severity::Error ? ": error: " : ": warning: ");
  if (!report.rule.empty())
    os << '[' << report.rule << "] ";
  os << report.message << '\n';
  if (!place.ptxText.empty())
    os << "    " << place.ptxText << '\n';
  if (place.hasCta) {
    os << "  at cta (" << place.cta[0] << ", " << place.cta[1] << ", "
       << place.cta[2] << ')';
    if (place.warp >= 0)
      os << ", warp " << place.warp;
    if (place.lane >= 0)
      os << ", lane " << place.lane;
    os << '\n';
  }
  if (!place.file.empty())
    os << "  source " << place.file << ':' << place.line << '\n';
  for (const std::string &note : report.notes)
    os << "  note: " << note << '\n';
  if (report.count > 1)
    os << "  note: reported " << report.count << " times at this line\n";
}
