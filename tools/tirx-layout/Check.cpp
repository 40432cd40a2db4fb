//===- Check.cpp - files of cases -----------------------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Check.h"
#include "Cases.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include <map>

using namespace tirx;
using namespace tirx::layouttool;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;
namespace json = llvm::json;

static Check findCheck(StringRef operation) {
  for (auto find : {findPointCheck, findLayoutCheck, findTileCheck,
                    findFactoryCheck, findDescriptorCheck})
    if (Check check = find(operation))
      return check;
  return nullptr;
}

namespace {
/// A list in a file. All its cases are held against `check`, or else against
/// what belongs to the operation that they name at `operationKey`.
struct CaseList {
  StringRef key;
  StringRef operationKey;
  Check check = nullptr;
};

/// Counts outcomes and prints failures.
class Runner {
public:
  Runner(llvm::raw_ostream &os) : os(os) {}

  /// Runs the cases of one list.
  llvm::Error runList(const json::Object &file, const CaseList &list);
  CheckSummary finish();

private:
  llvm::Error runCase(const json::Object &test, StringRef name,
                      const CaseList &list);

  llvm::raw_ostream &os;
  CheckSummary summary;
  std::map<std::string, unsigned> skipped;
};
} // namespace

llvm::Error Runner::runCase(const json::Object &test, StringRef name,
                            const CaseList &list) {
  Check check = list.check;
  if (!check) {
    std::optional<StringRef> operation = test.getString(list.operationKey);
    if (!operation)
      return makeError("expected a string at key '" + list.operationKey + "'");
    check = findCheck(*operation);
    if (!check) {
      ++summary.skipped;
      ++skipped[operation->str()];
      return llvm::Error::success();
    }
  }
  Outcome outcome = check(test);
  if (!outcome)
    return outcome.takeError();
  if (!*outcome) {
    ++summary.passed;
    return llvm::Error::success();
  }
  ++summary.failed;
  os << "failed: " << name << ": " << **outcome << '\n';
  return llvm::Error::success();
}

llvm::Error Runner::runList(const json::Object &file, const CaseList &list) {
  StringRef key = list.key;
  const json::Value *value = file.get(key);
  if (!value)
    return llvm::Error::success();
  const json::Array *array = value->getAsArray();
  if (!array)
    return makeError("expected a list at key '" + key + "'");
  for (auto [i, item] : llvm::enumerate(*array)) {
    const json::Object *test = item.getAsObject();
    std::string name = (key + "[" + Twine(i) + "]").str();
    if (!test)
      return makeError(name + ": expected an object");
    if (std::optional<StringRef> given = test->getString("name"))
      name += " " + given->str();
    if (llvm::Error error = runCase(*test, name, list))
      return makeError(name + ": " + llvm::toString(std::move(error)));
  }
  return llvm::Error::success();
}

CheckSummary Runner::finish() {
  for (const auto &[operation, count] : skipped)
    os << "skipped: " << operation << " (" << count << ")\n";
  if (summary.skipped)
    os << summary.skipped << " skipped\n";
  os << summary.passed << " passed, " << summary.failed << " failed\n";
  return summary;
}

Expected<CheckSummary> layouttool::checkFile(llvm::raw_ostream &os,
                                             StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(path, /*IsText=*/true);
  if (!buffer)
    return makeError("cannot read '" + path +
                     "': " + buffer.getError().message());
  Expected<json::Value> value = parseJson((*buffer)->getBuffer());
  if (!value)
    return makeError("'" + path + "': " + llvm::toString(value.takeError()));
  const CaseList lists[] = {{"apply", "", checkApply},
                            {"algebra", "op"},
                            {"cases", "kind"},
                            {"requests", "", checkRequest}};
  const json::Object *file = value->getAsObject();
  if (!file || llvm::none_of(lists, [&](const CaseList &list) {
        return file->get(list.key);
      }))
    return makeError("'" + path +
                     "': expected an object with a list 'apply', 'algebra', "
                     "'cases' or 'requests'");
  // Nothing is said of a file before all of it is understood.
  std::string report;
  llvm::raw_string_ostream reportStream(report);
  Runner runner(reportStream);
  for (const CaseList &list : lists)
    if (llvm::Error error = runner.runList(*file, list))
      return makeError("'" + path + "': " + llvm::toString(std::move(error)));
  CheckSummary summary = runner.finish();
  os << report;
  return summary;
}
