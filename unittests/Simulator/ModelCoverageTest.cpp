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
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/GlobPattern.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"
#include <cstdlib>

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

static std::string sampleText(const ptx::ResolvedInstruction &inst,
                              StringRef name, const ptx::SampleTarget &target,
                              std::mt19937 &random) {
  std::string text =
      (".version " + Twine(target.ptx / 10) + "." + Twine(target.ptx % 10) +
       "\n.target " + target.chip + "\n.address_size 64\n")
          .str();
  return text + ptx::kernelLine(inst, name, '+', 0, target, random);
}

/// Calls `each` with every instruction that targets of all generations have.
static void
forEachSample(std::mt19937 &random,
              function_ref<void(const ptx::ResolvedInstruction &,
                                StringRef name, const ptx::SampleTarget &)>
                  each) {
  StringSet<> seen;
  for (ptx::SampleTarget target : {ptx::SampleTarget{"sm_75", 90},
                                   {"sm_90a", 90},
                                   {"sm_100a", 90},
                                   {"sm_103a", 90},
                                   {"sm_120a", 90}})
    ptx::forEachChoice(ptx::instructions(), target.chip, target.ptx, random,
                       [&](auto &, size_t, size_t, size_t,
                           const ptx::ResolvedInstruction &inst,
                           StringRef name) {
                         if (ptx::isSampled(inst) && seen.insert(name).second)
                           each(inst, name, target);
                       });
}

/// Why the simulator cannot run the statement, or "".
static std::string whyNot(const ptx::ResolvedInstruction &inst, StringRef name,
                          const ptx::SampleTarget &target,
                          std::mt19937 &random) {
  std::string text = sampleText(inst, name, target, random);
  auto module = sim::Module::load(text, "sample.ptx");
  if (!module)
    return toString(module.takeError());
  auto kernel = (*module)->findKernel("");
  return kernel ? "" : toString(kernel.takeError());
}

TEST(ModelCoverage, EveryFormRunsOrHasAReason) {
  std::vector<Exception> exceptions = readExceptions();
  std::mt19937 random(1);
  forEachSample(random, [&](const ptx::ResolvedInstruction &inst,
                            StringRef name, const ptx::SampleTarget &target) {
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
  for (const Exception &exception : exceptions)
    EXPECT_TRUE(exception.isUsed)
        << "everything that matches has a model: " << exception.pattern;
}

//===----------------------------------------------------------------------===//
// Operands that do not fit
//===----------------------------------------------------------------------===//

/// Another operand: of another width or class, a constant, an address.
static std::string randomOperandText(std::mt19937 &random) {
  static const char *const texts[] = {"%p1",
                                      "%b1",
                                      "%h1",
                                      "%r1",
                                      "%r2",
                                      "%rd1",
                                      "%rd2",
                                      "%q1",
                                      "!%p1",
                                      "_",
                                      "0",
                                      "-1",
                                      "1",
                                      "7",
                                      "31",
                                      "255",
                                      "65536",
                                      "0x7fffffff",
                                      "1.5",
                                      "0f3f800000",
                                      "0d3ff0000000000000",
                                      "%tid.x",
                                      "%clock64",
                                      "%laneid",
                                      "[%rd7]",
                                      "[%r7+4]",
                                      "[param]",
                                      "{%r1, %r2}",
                                      "%r1|%p1",
                                      "{%r1, %r2, %r3, %r4}",
                                      "{%rd1, %rd2}",
                                      "param",
                                      "0xffffffffffffffff",
                                      "%r1.h10",
                                      "%r1.b3210"};
  return texts[random() % std::size(texts)];
}

/// Replaces operands of the statement before "end:".
static std::string mutate(StringRef text, std::mt19937 &random) {
  auto [before, after] = text.rsplit(" end: ");
  size_t start = before.rfind("; ");
  if (start == StringRef::npos)
    return text.str();
  StringRef statement = before.drop_front(start + 2).rtrim("; ");
  auto [opcode, list] = statement.split(' ');
  SmallVector<StringRef> parts;
  list.split(parts, ", ");
  SmallVector<std::string> operands(parts.begin(), parts.end());
  for (unsigned n = random() % 2 + 1; n != 0; --n)
    operands[random() % operands.size()] = randomOperandText(random);
  return (before.take_front(start + 2) + opcode + " " + join(operands, ", ") +
          "; end: " + after)
      .str();
}

static void loadAndRun(const std::string &text) {
  auto module = sim::Module::load(text, "sample.ptx");
  if (!module) {
    EXPECT_NE(toString(module.takeError()), "") << text;
    return;
  }
  sim::LaunchOptions options;
  options.maxSteps = 200;
  sim::Simulator simulator(options);
  sim::LaunchParameters parameters;
  parameters.block = {64, 1, 1};
  parameters.arguments.assign(8, 0);
  consumeError(simulator.launch(**module, parameters));
}

/// Whatever the operands are: a message or a result, no crash and no hang.
/// TIRX_FUZZ_ROUNDS asks for more than one round.
TEST(ModelCoverage, OperandsThatDoNotFitAreNoCrash) {
  unsigned rounds = 1;
  if (const char *text = std::getenv("TIRX_FUZZ_ROUNDS"))
    StringRef(text).getAsInteger(10, rounds);
  std::mt19937 random(1);
  for (unsigned round = 0; round < rounds; ++round)
    forEachSample(random, [&](const ptx::ResolvedInstruction &inst,
                              StringRef name, const ptx::SampleTarget &target) {
      std::string text = sampleText(inst, name, target, random);
      loadAndRun(text);
      for (int n = 0; n < 2; ++n)
        loadAndRun(mutate(text, random));
    });
}
