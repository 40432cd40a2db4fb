//===- CountersOutput.cpp - prints counters -------------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TIRx/Simulator/Counters.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tirx::sim;
namespace json = llvm::json;

static constexpr const char *kSpaceNames[kSpaces] = {
    "global", "shared", "local", "const", "tensor"};

static json::Object toJson(const RequestCount &count, const char *unit) {
  return json::Object{{"requests", count.requests},
                      {unit, count.units},
                      {"ideal", count.ideal}};
}

static json::Object toJson(const ExecutionCount &count) {
  return json::Object{{"warps", count.warps}, {"lanes", count.lanes}};
}

static json::Object toJson(const LineCounters &line) {
  json::Object object = toJson(line.executions);
  for (unsigned space = 0; space < kSpaces; ++space) {
    const ByteCount &bytes = line.bytes[space];
    if (bytes.read || bytes.written)
      object[std::string(kSpaceNames[space]) + "_bytes"] =
          json::Array{bytes.read, bytes.written};
  }
  if (line.shared.requests)
    object["shared"] = toJson(line.shared, "wavefronts");
  if (line.global.requests)
    object["global"] = toJson(line.global, "sectors");
  return object;
}

static json::Array toJson(const std::map<LineKey, LineCounters> &lines) {
  json::Array array;
  for (const auto &[key, line] : lines) {
    if (!line.executions.warps)
      continue;
    json::Object object = toJson(line);
    object["file"] = json::fixUTF8(key.first);
    object["line"] = key.second;
    array.push_back(std::move(object));
  }
  return array;
}

static double averageLanes(const ExecutionCount &count) {
  return count.warps ? double(count.lanes) / count.warps : 0;
}

json::Object tirx::sim::toJson(const Counters &c, bool withLines) {
  json::Object object{
      {"ctas", c.launch.ctas},
      {"warp_instructions", c.launch.warpInstructions},
      {"thread_instructions", c.total.executions.lanes},
      {"executed", ::toJson(c.total.executions)},
      {"average_lanes", averageLanes(c.total.executions)},
      {"branches", c.branches},
      {"divergent_branches", c.divergentBranches},
      {"async_operations", c.asyncOperations},
      {"uninitialised_reads", c.launch.uninitialisedReads},
      {"shared_requests", ::toJson(c.total.shared, "wavefronts")},
      {"global_requests", ::toJson(c.total.global, "sectors")},
  };
  for (unsigned space = 0; space < kSpaces; ++space) {
    std::string name = kSpaceNames[space];
    object[name + "_bytes_read"] = c.total.bytes[space].read;
    object[name + "_bytes_written"] = c.total.bytes[space].written;
  }
  json::Object families, work;
  for (const auto &[name, count] : c.families)
    if (count.warps)
      families[name] = ::toJson(count);
  for (const auto &[type, count] : c.multiplyAdds)
    work[type] = count;
  object["instructions"] = std::move(families);
  object["multiply_adds"] = std::move(work);
  if (withLines) {
    object["ptx_lines"] = ::toJson(c.ptxLines);
    object["source_lines"] = ::toJson(c.sourceLines);
  }
  return object;
}

/// One row of the table: what, how much, and a remark.
static void printRow(llvm::raw_ostream &os, const llvm::Twine &what,
                     uint64_t count, const llvm::Twine &remark = "") {
  os << llvm::formatv("  {0,-28} {1,14}", what.str(), count);
  std::string text = remark.str();
  if (!text.empty())
    os << "  " << text;
  os << '\n';
}

static void printRequests(llvm::raw_ostream &os, const char *what,
                          const RequestCount &count) {
  if (!count.requests)
    return;
  printRow(
      os, what, count.units,
      llvm::formatv("{0} requests, {1} would do", count.requests, count.ideal)
          .str());
}

void tirx::sim::printCounters(const Counters &c, llvm::raw_ostream &os) {
  const LineCounters &total = c.total;
  os << "counters\n";
  printRow(os, "instructions of warps", total.executions.warps,
           llvm::formatv("{0} of lanes, {1:f1} lanes each",
                         total.executions.lanes, averageLanes(total.executions))
               .str());
  for (const auto &[name, count] : c.families)
    if (count.warps)
      printRow(os, "  " + name, count.warps,
               llvm::formatv("{0:f1} lanes each", averageLanes(count)).str());
  if (c.branches)
    printRow(os, "conditional branches", c.branches,
             llvm::Twine(c.divergentBranches) + " diverged");
  for (unsigned space = 0; space < kSpaces; ++space) {
    const ByteCount &bytes = total.bytes[space];
    if (bytes.read)
      printRow(os, llvm::Twine(kSpaceNames[space]) + " bytes read", bytes.read);
    if (bytes.written)
      printRow(os, llvm::Twine(kSpaceNames[space]) + " bytes written",
               bytes.written);
  }
  printRequests(os, "shared wavefronts", total.shared);
  printRequests(os, "global sectors", total.global);
  for (const auto &[type, count] : c.multiplyAdds)
    printRow(os, "multiply-adds of " + type, count);
  if (c.asyncOperations)
    printRow(os, "asynchronous operations", c.asyncOperations);
}
