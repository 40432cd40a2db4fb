//===- RunResult.cpp - prints the result of a run -------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TIRx/Simulator/LaunchRunner.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tirx::sim;
namespace json = llvm::json;

bool RunResult::hasErrors() const {
  return llvm::any_of(reports, [](const Report &report) {
    return report.severity == Severity::Error;
  });
}

static bool anyMismatch(llvm::ArrayRef<BufferResult> buffers) {
  return llvm::any_of(buffers, [](const BufferResult &buffer) {
    return buffer.mismatches != 0;
  });
}

bool RunResult::hasMismatches() const { return anyMismatch(buffers); }

bool RunResult::hasDifferences() const { return anyMismatch(differences); }

static json::Object toJson(const Report &report) {
  const Place &place = report.place;
  json::Object object;
  object["rule"] = report.rule;
  object["message"] = json::fixUTF8(report.message);
  object["file"] = json::fixUTF8(place.file);
  object["line"] = place.line;
  object["ptx_line"] = place.ptxLine;
  object["cta"] =
      place.hasCta
          ? json::Value(json::Array{place.cta[0], place.cta[1], place.cta[2]})
          : json::Value(nullptr);
  object["warp"] = place.warp >= 0 ? json::Value(place.warp) : nullptr;
  object["lane"] = place.lane >= 0 ? json::Value(place.lane) : nullptr;
  object["count"] = report.count;
  json::Array notes;
  for (const std::string &note : report.notes)
    notes.push_back(json::fixUTF8(note));
  if (!notes.empty())
    object["notes"] = std::move(notes);
  return object;
}

static json::Object toJson(llvm::ArrayRef<BufferResult> results) {
  json::Object buffers;
  for (const BufferResult &buffer : results) {
    json::Object object;
    object["mismatches"] = buffer.mismatches;
    object["max_abs"] = buffer.maxAbs;
    object["first"] = buffer.mismatches ? json::Value(json::Array(buffer.first))
                                        : json::Value(nullptr);
    if (buffer.mismatches) {
      object["got_bits"] = llvm::formatv("{0:x}", buffer.gotBits).str();
      object["want_bits"] = llvm::formatv("{0:x}", buffer.wantBits).str();
    }
    buffers[buffer.name] = std::move(object);
  }
  return buffers;
}

json::Object tirx::sim::toJson(const RunResult &result, bool withLines) {
  json::Array reports, warnings;
  for (const Report &report : result.reports)
    (report.severity == Severity::Error ? reports : warnings)
        .push_back(::toJson(report));
  json::Object object{
      {"status", result.status()},
      {"buffers", ::toJson(result.buffers)},
      {"reports", std::move(reports)},
      {"warnings", std::move(warnings)},
      {"printed", json::fixUTF8(result.printed)},
      {"counters", toJson(result.counters, withLines)},
  };
  object["ran"] = json::fixUTF8(result.place);
  if (!result.differences.empty())
    object["differences"] = ::toJson(result.differences);
  return object;
}

static void printBuffer(const BufferResult &buffer, llvm::raw_ostream &os,
                        llvm::StringRef title = "") {
  os << title << buffer.name << ": ";
  if (!buffer.mismatches) {
    os << "OK, " << buffer.count << " elements, max abs error "
       << llvm::format("%.3g", buffer.maxAbs) << '\n';
    return;
  }
  os << buffer.mismatches << " of " << buffer.count
     << " elements mismatch, max abs error "
     << llvm::format("%.3g", buffer.maxAbs) << ", first at [";
  llvm::interleaveComma(buffer.first, os);
  os << "]: expected " << llvm::format("%.9g", buffer.want) << ", got "
     << llvm::format("%.9g", buffer.got)
     << llvm::format(" (bits %#llx", (unsigned long long)buffer.wantBits)
     << llvm::format(", %#llx)", (unsigned long long)buffer.gotBits) << '\n';
}

void tirx::sim::printResult(const RunResult &result, llvm::raw_ostream &os) {
  os << result.printed;
  for (const Report &report : result.reports)
    printReport(report, result.kernelFile, os);
  for (const BufferResult &buffer : result.buffers)
    printBuffer(buffer, os);
  for (const BufferResult &buffer : result.differences)
    if (buffer.mismatches)
      printBuffer(buffer, os, "GPU and simulator: ");
  if (!result.differences.empty() && !result.hasDifferences())
    os << llvm::formatv("GPU and simulator agree bit for bit in {0} buffers\n",
                        result.differences.size());
  os << result.place;
  if (result.counters.launch.ctas)
    os << llvm::formatv(": {0} CTAs, {1} warp instructions",
                        result.counters.launch.ctas,
                        result.counters.launch.warpInstructions);
  os << '\n';
}
