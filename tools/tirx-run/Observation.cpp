//===- Observation.cpp - options that look into a run ---------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Observation.h"
#include "DebugSession.h"
#include "Options.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Process.h"
#include <iostream>

using namespace tirx;
using namespace tirx::sim;
namespace cl = llvm::cl;

namespace {
cl::opt<bool>
    printCounts("counters",
                cl::desc("print instructions by class, bytes, bank conflicts; "
                         "with --json also what each line did"),
                cl::cat(getOptionCategory()));
cl::opt<std::string>
    traceRange("trace",
               cl::desc("print each instruction that one warp executes, with "
                        "what it writes; instructions count from 1"),
               cl::value_desc("cta,warp[,first,last]"),
               cl::cat(getOptionCategory()));
cl::opt<std::string>
    annotate("annotate",
             cl::desc("write the PTX with what its lines did: executions, "
                      "branches, conflicts (default: to standard output)"),
             cl::value_desc("file"), cl::ValueOptional, cl::init(""),
             cl::cat(getOptionCategory()));
cl::opt<bool> debug("debug",
                    cl::desc("stop before the first instruction and read "
                             "commands; 'help' lists them"),
                    cl::cat(getOptionCategory()));
} // namespace

bool tirx::wantsCounters() { return printCounts; }

static llvm::Expected<TraceRange> parseRange(llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef, 4> parts;
  text.split(parts, ',');
  uint64_t numbers[4] = {0, 0, 1, ~uint64_t(0)};
  bool bad = parts.size() < 2 || parts.size() > 4;
  for (size_t n = 0; n < parts.size() && !bad; ++n)
    bad = parts[n].getAsInteger(10, numbers[n]);
  if (bad || numbers[1] > 31)
    return llvm::createStringError(
        "--trace: expected cta,warp[,first,last] with a warp from 0 to 31, "
        "got '" +
        text + "'");
  TraceRange range;
  range.cta = numbers[0];
  range.warp = int(numbers[1]);
  range.first = numbers[2];
  range.last = numbers[3];
  return range;
}

llvm::Error Observation::readOptions(bool asJson) {
  if (!traceRange.empty()) {
    auto range = parseRange(traceRange);
    if (!range)
      return range.takeError();
    tracer.emplace(*range, asJson ? llvm::errs() : llvm::outs());
  }
  if (annotate.getNumOccurrences())
    coverage.emplace();
  if (debug && asJson)
    return llvm::createStringError("--debug: expected no --json beside it");
  return llvm::Error::success();
}

bool Observation::isWanted() const {
  return printCounts || tracer || coverage || debug;
}

void Observation::addTo(RunOptions &options) {
  options.countAccesses |= printCounts || coverage;
  options.keepNames |= tracer || debug;
  if (tracer)
    options.observers.push_back(&*tracer);
  if (coverage)
    options.observers.push_back(&*coverage);
}

std::optional<llvm::Expected<RunResult>>
Observation::run(llvm::function_ref<llvm::Expected<RunResult>(RunOptions)> body,
                 RunOptions options) {
  addTo(options);
  if (!debug)
    return body(std::move(options));
  Debugger debugger;
  options.observers.push_back(&debugger);
  std::optional<llvm::Expected<RunResult>> result;
  bool isTerminal = llvm::sys::Process::StandardInIsUserInput();
  DebugSession session(debugger, std::cin, llvm::outs(), !isTerminal);
  if (session.run([&] { result.emplace(body(std::move(options))); }))
    return result;
  // Results of a run that was ended mean nothing.
  if (result && !*result)
    llvm::consumeError(result->takeError());
  return std::nullopt;
}

llvm::Error Observation::print(const RunResult &result,
                               llvm::json::Object *object) {
  if (printCounts && !object)
    printCounters(result.counters, llvm::outs());
  if (!coverage)
    return llvm::Error::success();
  if (object)
    (*object)["coverage"] = toJson(coverage->getFiles());
  if (annotate.empty() && object)
    return llvm::Error::success();
  auto printAll = [&](llvm::raw_ostream &os) {
    for (const FileCoverage &file : coverage->getFiles())
      printAnnotated(file, result.counters, os);
  };
  if (annotate.empty()) {
    printAll(llvm::outs());
    return llvm::Error::success();
  }
  std::error_code code;
  llvm::raw_fd_ostream os(annotate, code);
  if (!code) {
    printAll(os);
    os.close();
    code = os.error();
    os.clear_error();
  }
  if (code)
    return llvm::createStringError("--annotate: cannot write '" + annotate +
                                   "': " + code.message());
  return llvm::Error::success();
}
