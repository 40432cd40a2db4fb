//===- RegisterPoolTest.cpp - setmaxnreg ----------------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestKernel.h"

using namespace tirx::sim;

namespace {

/// Runs `body` with 128 threads for each warpgroup; %r0 is the number of the
/// warpgroup, %r1 that of the warp. Gives the rules of errors, and in
/// parentheses those of warnings.
std::string run(const std::string &body, const std::string &directives,
                unsigned groups = 3, std::string *message = nullptr) {
  std::string text = entry(0, "shr.u32 %r0, %t, 7;\nshr.u32 %r1, %t, 5;\n"
                              "setp.eq.u32 %q0, %r0, 0;\n"
                              "setp.eq.u32 %q1, %r1, 0;\n" +
                                  body);
  text.insert(text.find("\n{"), directives);
  TestKernel kernel(text);
  kernel.parameters.block = {groups * 128, 1, 1};
  std::string rules = kernel.run();
  if (!kernel.simulator)
    return rules;
  for (const Report &report : kernel.simulator->getLog().getReports()) {
    if (report.severity == Severity::Warning)
      rules += "(" + report.rule + ")";
    if (message) {
      *message = report.message;
      for (const std::string &note : report.notes)
        *message += "\n" + note;
    }
  }
  return rules;
}

std::string set(const std::string &what) {
  std::string at = what;
  at.replace(what.find(' '), 1, ".sync.aligned.u32 ");
  return "setmaxnreg." + at + ";\n";
}

/// The first warpgroup executes one, the others the other; nobody ends before
/// all have (a warp that ends gives its registers back).
std::string roles(const std::string &first, const std::string &others) {
  return "@%q0 bra P;\n" + set(others) + "bra E;\nP:\n" + set(first) +
         "E:\nbar.sync 0;\n";
}

const std::string kBounds = " .maxntid 384 .minnctapersm 1";

TEST(RegisterPool, ProducerGivesConsumersTake) {
  // 168 at entry: 40 + 2 * 232 = 504 = 3 * 168.
  EXPECT_EQ(run(roles("dec 40", "inc 232"), kBounds), "");
  EXPECT_EQ(run(roles("dec 24", "inc 240"), kBounds), "");
  // Consumers come first and wait.
  EXPECT_EQ(run("@!%q0 bra C;\n" + set("dec 40") + "bra E;\nC:\n" +
                    set("inc 232") + "E:\n",
                kBounds),
            "");
  EXPECT_EQ(run(roles("dec 40", "inc 232"), " .maxnreg 168"), "");
}

TEST(RegisterPool, MoreThanTheShareIsADeadlock) {
  std::string message;
  EXPECT_EQ(run(roles("dec 80", "inc 224"), kBounds, 3, &message), "deadlock");
  EXPECT_NE(message.find("waits for 1792 registers, 32 times 56 more than its "
                         "168"),
            std::string::npos)
      << message;
  // Each of two CTAs on an SM has half.
  EXPECT_EQ(run(roles("dec 40", "inc 112"), " .maxntid 384 .minnctapersm 2"),
            "deadlock");
  EXPECT_EQ(run(roles("dec 40", "inc 96"), " .maxntid 384 .minnctapersm 2"),
            "");
}

TEST(RegisterPool, RegistersOfEarlierChangesComeBack) {
  std::string barrier = "bar.sync 1, 128;\n";
  std::string body = "@!%q0 bra E;\n" + set("dec 40") + barrier +
                     set("inc 168") + barrier + set("dec 24") + "E:\n";
  EXPECT_EQ(run(body, kBounds), "");
}

TEST(RegisterPool, WrongDirection) {
  std::string message;
  EXPECT_EQ(run(set("dec 176"), kBounds, 3, &message), "R40");
  EXPECT_NE(message.find("at most the 168 registers"), std::string::npos)
      << message;
  EXPECT_EQ(run(set("inc 160"), kBounds), "R40");
  // To what it is already.
  EXPECT_EQ(run(set("inc 168"), kBounds), "");
}

TEST(RegisterPool, AllWarpsOfAWarpgroup) {
  EXPECT_EQ(run("@!%q1 bra E;\n" + set("dec 40") + "E:\n", kBounds), "R40");
  // Different counts.
  EXPECT_EQ(run("@%q1 bra P;\n" + set("dec 40") + "bra E;\nP:\n" +
                    set("dec 48") + "E:\n",
                kBounds),
            "R40");
  // No synchronisation between two.
  EXPECT_EQ(run(set("dec 40") + set("dec 24"), kBounds), "R40");
}

TEST(RegisterPool, IgnoredWithoutACountAtEntry) {
  EXPECT_EQ(run(set("dec 40"), ""), "(R40)");
  EXPECT_EQ(run(set("dec 40"), " .maxntid 384"), "(R40)");
}

} // namespace
