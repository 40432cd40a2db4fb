//===- Coverage.cpp - lines and branches executed -------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TIRx/Simulator/Coverage.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tirx::sim;
using llvm::StringRef;
namespace json = llvm::json;

//===----------------------------------------------------------------------===//
// Events
//===----------------------------------------------------------------------===//

void CoverageObserver::onLaunchBegin(const LaunchEvent &event) {
  kernel = event.kernel;
  executions.assign(kernel->code.size(), {});
  branches.assign(kernel->code.size(), {});
}

void CoverageObserver::onInstruction(const InstructionEvent &event) {
  if (event.actor.lanes && kernel->info[event.pc].isFirst)
    executions[event.pc] += {1, uint64_t(llvm::popcount(event.actor.lanes))};
}

void CoverageObserver::onBranch(const BranchEvent &event) {
  branches[event.pc].taken += llvm::popcount(event.taken);
  branches[event.pc].fallThrough += llvm::popcount(event.fallThrough);
}

FileCoverage &CoverageObserver::fileOf(const Module &module) {
  auto it = llvm::find_if(files, [&](const FileCoverage &file) {
    return file.name == module.fileName && file.text == module.getText();
  });
  if (it != files.end())
    return *it;
  files.emplace_back();
  files.back().name = module.fileName;
  files.back().text = module.getText().str();
  files.back().lines.resize(module.getText().count('\n') + 1);
  return files.back();
}

void CoverageObserver::onLaunchEnd(const LaunchEvent &event) {
  const InstInfo *last = nullptr;
  unsigned branch = 0;
  for (size_t pc = 0; pc < executions.size(); ++pc) {
    const InstInfo &info = kernel->info[pc];
    FileCoverage &file =
        fileOf(info.inModels ? *event.module->models : *event.module);
    if (info.ptxLine == 0 || info.ptxLine > file.lines.size())
      continue;
    LineCoverage &line = file.lines[info.ptxLine - 1];
    line.isExecutable |= info.isFirst;
    line.executions += executions[pc];
    // Kernels that share a function each have its branches.
    if (!last || last->ptxLine != info.ptxLine ||
        last->inModels != info.inModels)
      branch = 0;
    last = &info;
    if (!kernel->code[pc].isBranch || kernel->code[pc].guard == kNoSlot)
      continue;
    if (line.branches.size() <= branch)
      line.branches.resize(branch + 1);
    line.branches[branch].taken += branches[pc].taken;
    line.branches[branch].fallThrough += branches[pc].fallThrough;
    ++branch;
  }
  kernel = nullptr;
}

FileCoverage::Summary FileCoverage::summarize() const {
  Summary summary;
  for (const LineCoverage &line : lines) {
    summary.lines += line.isExecutable;
    summary.executed += line.executions.warps != 0;
    for (const BranchCoverage &branch : line.branches) {
      summary.branchWays += 2;
      summary.waysSeen += (branch.taken != 0) + (branch.fallThrough != 0);
    }
  }
  return summary;
}

//===----------------------------------------------------------------------===//
// Output
//===----------------------------------------------------------------------===//

static json::Object toJson(const LineCoverage &line, unsigned number) {
  json::Object object{{"line", number},
                      {"warps", line.executions.warps},
                      {"lanes", line.executions.lanes}};
  json::Array branches;
  for (const BranchCoverage &branch : line.branches)
    branches.push_back(json::Object{{"taken", branch.taken},
                                    {"fall_through", branch.fallThrough}});
  if (!branches.empty())
    object["branches"] = std::move(branches);
  return object;
}

json::Array tirx::sim::toJson(llvm::ArrayRef<FileCoverage> files) {
  json::Array array;
  for (const FileCoverage &file : files) {
    json::Array lines;
    for (const auto &[index, line] : llvm::enumerate(file.lines))
      if (line.isExecutable)
        lines.push_back(::toJson(line, index + 1));
    FileCoverage::Summary summary = file.summarize();
    array.push_back(json::Object{{"file", json::fixUTF8(file.name)},
                                 {"executable_lines", summary.lines},
                                 {"executed_lines", summary.executed},
                                 {"branch_ways", summary.branchWays},
                                 {"branch_ways_seen", summary.waysSeen},
                                 {"lines", std::move(lines)}});
  }
  return array;
}

/// What stands behind a line, "" when there is nothing to say.
static std::string remarksOf(const LineCoverage &line,
                             const LineCounters *counters) {
  std::vector<std::string> remarks;
  for (const BranchCoverage &branch : line.branches)
    if (branch.taken || branch.fallThrough)
      remarks.push_back(llvm::formatv("taken by {0} lanes, not by {1}",
                                      branch.taken, branch.fallThrough));
  if (counters && counters->shared.requests)
    remarks.push_back(llvm::formatv("{0} wavefronts, {1} would do",
                                    counters->shared.units,
                                    counters->shared.ideal));
  if (counters && counters->global.requests)
    remarks.push_back(llvm::formatv("{0} sectors, {1} would do",
                                    counters->global.units,
                                    counters->global.ideal));
  return llvm::join(remarks, "; ");
}

void tirx::sim::printAnnotated(const FileCoverage &file,
                               const Counters &counters,
                               llvm::raw_ostream &os) {
  StringRef rest = file.text;
  for (unsigned number = 1; number <= file.lines.size(); ++number) {
    auto [text, behind] = rest.split('\n');
    rest = behind;
    if (number == file.lines.size() && text.empty())
      break; // behind the last newline
    const LineCoverage &line = file.lines[number - 1];
    if (!line.isExecutable)
      os << (text.trim().empty() ? "" : std::string(28, ' '));
    else if (!line.executions.warps)
      os << llvm::formatv("/* {0,21} */ ", "never");
    else
      os << llvm::formatv("/* {0,10} {1,10} */ ", line.executions.warps,
                          line.executions.lanes);
    os << text.rtrim('\r');
    auto known = counters.ptxLines.find({file.name, number});
    std::string remarks = remarksOf(
        line, known == counters.ptxLines.end() ? nullptr : &known->second);
    if (!remarks.empty())
      os << "  // " << remarks;
    os << '\n';
  }
}
