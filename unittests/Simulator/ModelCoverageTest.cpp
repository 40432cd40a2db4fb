//===- ModelCoverageTest.cpp - every instruction has a model --------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every choice of every form of the table, on targets of each generation, is
// decoded. What has no model stands in test/Simulator/without-model.txt with a
// reason; a line there to which nothing corresponds any more is an error too.
//
//===----------------------------------------------------------------------===//

#include "../PTX/Combinations.h"
#include "../PTX/SampleText.h"
#include "TIRx/Simulator/Simulator.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/GlobPattern.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace tirx;

namespace {
/// One line of the file: a pattern of names, then a reason.
struct Exception {
  std::string pattern;
  bool isUsed = false;

  bool matches(StringRef name) const {
    return cantFail(GlobPattern::create(pattern)).match(name);
  }
};
} // namespace

static std::vector<Exception> readExceptions() {
  std::vector<Exception> exceptions;
  auto buffer = cantFail(errorOrToExpected(
      MemoryBuffer::getFile(TIRX_TEST_SIMULATOR "/without-model.txt")));
  SmallVector<StringRef> lines;
  buffer->getBuffer().split(lines, '\n', -1, /*KeepEmpty=*/false);
  for (StringRef line : lines) {
    if (line.starts_with("#"))
      continue;
    auto [pattern, reason] = line.split(' ');
    EXPECT_FALSE(reason.trim().empty()) << "no reason: " << line.str();
    exceptions.push_back({pattern.str()});
  }
  return exceptions;
}

/// Why the simulator cannot run the statement, or "".
static std::string whyNot(const ptx::ResolvedInstruction &inst, StringRef name,
                          const ptx::SampleTarget &target,
                          std::mt19937 &random) {
  std::string text =
      (".version " + Twine(target.ptx / 10) + "." + Twine(target.ptx % 10) +
       "\n.target " + target.chip + "\n.address_size 64\n")
          .str();
  text += ptx::kernelLine(inst, name, '+', 0, target, random);
  auto module = sim::Module::load(text, "sample.ptx");
  if (!module)
    return toString(module.takeError());
  auto kernel = (*module)->findKernel("");
  return kernel ? "" : toString(kernel.takeError());
}

TEST(ModelCoverage, EveryFormRunsOrHasAReason) {
  std::vector<Exception> exceptions = readExceptions();
  StringSet<> seen;
  for (ptx::SampleTarget target : {ptx::SampleTarget{"sm_75", 90},
                                   {"sm_90a", 90},
                                   {"sm_100a", 90},
                                   {"sm_103a", 90},
                                   {"sm_120a", 90}}) {
    std::mt19937 random(1);
    ptx::forEachChoice(
        ptx::instructions(), target.chip, target.ptx, random,
        [&](auto &, size_t, size_t, size_t,
            const ptx::ResolvedInstruction &inst, StringRef name) {
          if (!ptx::isSampled(inst) || !seen.insert(name).second)
            return;
          std::string reason = whyNot(inst, name, target, random);
          if (reason.empty())
            return;
          for (Exception &exception : exceptions)
            if (exception.matches(name)) {
              exception.isUsed = true;
              return;
            }
          ADD_FAILURE() << name.str() << ": " << reason;
        });
  }
  for (const Exception &exception : exceptions)
    EXPECT_TRUE(exception.isUsed)
        << "everything that matches has a model: " << exception.pattern;
}
