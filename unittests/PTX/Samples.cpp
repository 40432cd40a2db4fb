//===- Samples.cpp - PTX modules with samples of the table ----------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   TIRxPTXSamples counts
//     How many entries, instructions, families and combinations there are.
//   TIRxPTXSamples samples TARGET PTX COUNT SEED [MNEMONIC]
//     A module with one kernel a line, each of one instruction that the table
//     has for TARGET: every choice of every slot of every form that TARGET has,
//     and COUNT random combinations.
//   TIRxPTXSamples neighbours TARGET PTX COUNT SEED [MNEMONIC]
//     The same of instructions in which one modifier is changed, added or left
//     out. The comment of a line begins with + if the table has the result,
//     else with -.
//   TIRxPTXSamples ops TARGET PTX COUNT SEED [MNEMONIC]
//     COUNT random combinations as tirx.ptx ops, one kernel a line.
//   TIRxPTXSamples uncovered TARGET PTX TARGET PTX ...
//     The choices that the first samples of these targets do not show. Forms
//     that are newer than all of the targets' PTX versions do not count.
//
//===----------------------------------------------------------------------===//

#include "Combinations.h"
#include "SampleOps.h"
#include "SampleText.h"
#include "TIRx/PTX/Table.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"
#include <set>

using namespace llvm;
using namespace tirx::ptx;

/// How often the dice may fail for each instruction that is wanted: a target
/// may have none.
static constexpr uint64_t kTries = 100;

namespace {

class Sampler {
public:
  /// `mnemonic`: that one only; "": all.
  Sampler(StringRef target, unsigned ptx, unsigned seed, StringRef mnemonic)
      : target(target), ptx(ptx), random(seed), all(instructions()) {
    if (const InstructionInfo *info = lookup(mnemonic))
      all = *info;
  }

  void printSamples(unsigned count);
  void printNeighbours(unsigned count);
  void printOps(unsigned count);

private:
  std::optional<ResolvedInstruction> find(StringRef name) const {
    return findOnTarget(name, target, ptx);
  }
  std::optional<ResolvedInstruction> randomInstruction(std::string &name);
  void print(const ResolvedInstruction &inst, StringRef name, char mark);

  StringRef target;
  unsigned ptx;
  std::mt19937 random;
  ArrayRef<InstructionInfo> all;
  std::set<std::string> seen;
  unsigned kernels = 0;
};

} // namespace

void Sampler::print(const ResolvedInstruction &inst, StringRef name,
                    char mark) {
  if (isSampled(inst) && seen.insert(name.str()).second)
    outs() << kernelLine(inst, name, mark, kernels++, {target, ptx}, random);
}

/// One that the target has; empty if the form that the dice chose has none.
std::optional<ResolvedInstruction>
Sampler::randomInstruction(std::string &name) {
  const InstructionInfo &info = all[random() % all.size()];
  const Form &form = info.forms[random() % info.forms.size()];
  Tokens tokens = combination(form, random());
  if (!isLegal(form, tokens))
    return std::nullopt;
  name = nameOf(info, tokens);
  return find(name);
}

void Sampler::printSamples(unsigned count) {
  forEachChoice(all, target, ptx, random,
                [&](auto &, size_t, size_t, size_t, auto &inst,
                    StringRef name) { print(inst, name, '+'); });
  std::string name;
  for (uint64_t i = 0, tries = 0; i != count && tries != kTries * count;
       ++tries)
    if (auto inst = randomInstruction(name)) {
      print(*inst, name, '+');
      ++i;
    }
}

void Sampler::printOps(unsigned count) {
  outs() << "gpu.module @m [#nvvm.target<chip = \"" << target
         << "\", verifyTarget = false>] {\n";
  std::string name;
  for (uint64_t tries = 0; kernels != count && tries != kTries * count; ++tries)
    if (auto inst = randomInstruction(name))
      if (isOp(*inst) && seen.insert(name).second)
        outs() << kernelWithOp(*inst, kernels++, {target, ptx}, random);
  outs() << "}\n";
}

/// Every modifier of any form.
static SmallVector<StringRef> allModifiers(const InstructionInfo &info) {
  std::set<StringRef> all;
  for (const Form &form : info.forms)
    for (const ModifierSlot &slot : form.slots)
      for (const Choice &choice : slot.choices)
        all.insert(spelling(choice.token));
  return SmallVector<StringRef>(all.begin(), all.end());
}

void Sampler::printNeighbours(unsigned count) {
  std::string name;
  for (uint64_t i = 0, tries = 0; i != count && tries != kTries * count;
       ++tries) {
    std::optional<ResolvedInstruction> inst = randomInstruction(name);
    if (!inst || !isSampled(*inst) || inst->choices().empty())
      continue;
    ++i;
    SmallVector<StringRef> parts;
    for (Token token : inst->choices())
      if (token != Token::none)
        parts.push_back(spelling(token));
    SmallVector<StringRef> others = allModifiers(inst->info());
    StringRef other = others[random() % others.size()];
    size_t place = random() % (parts.size() + 1);
    if (random() % 4 == 0 || place == parts.size())
      parts.insert(parts.begin() + place, other);
    else if (random() % 4 == 0)
      parts.erase(parts.begin() + place);
    else
      parts[place] = other;
    // Modifiers twice and in another order are a question of the parser.
    if (std::set<StringRef>(parts.begin(), parts.end()).size() != parts.size())
      continue;
    std::string changed = inst->info().mnemonic.str();
    for (StringRef part : parts)
      changed += "." + part.str();
    // The table takes modifiers in any order; what it prints has ptxas's.
    if (auto legal = find(changed))
      print(*legal, tirx::ptx::print(*legal), '+');
    else
      print(*inst, changed, '-');
  }
}

static void printCounts() {
  DenseSet<uint64_t> names;
  std::set<Family> families;
  size_t forms = 0;
  for (const InstructionInfo &info : instructions()) {
    families.insert(info.family);
    forms += info.forms.size();
    for (const Form &form : info.forms)
      for (uint64_t i = 0, end = numCombinations(form); i != end; ++i) {
        Tokens tokens = combination(form, i);
        // The two values that DenseSet keeps for itself are left out.
        if (isLegal(form, tokens))
          names.insert(xxh3_64bits(nameOf(info, tokens)) >> 1);
      }
  }
  outs() << forms << " entries (forms) of " << instructions().size()
         << " instructions in " << families.size() << " families, "
         << names.size() << " legal modifier combinations\n";
}

/// Where each choice of the table is.
using Place = std::tuple<StringRef, size_t, size_t, size_t>;

static void printUncovered(ArrayRef<std::pair<StringRef, unsigned>> targets) {
  std::set<Place> covered;
  unsigned newest = 0;
  for (auto [target, ptx] : targets) {
    newest = std::max(newest, ptx);
    std::mt19937 random(1);
    forEachChoice(instructions(), target, ptx, random,
                  [&](const InstructionInfo &info, size_t f, size_t s, size_t c,
                      auto &,
                      StringRef) { covered.insert({info.mnemonic, f, s, c}); });
  }
  for (const InstructionInfo &info : instructions())
    for (size_t f = 0; f != info.forms.size(); ++f)
      for (size_t s = 0; s != info.forms[f].slots.size(); ++s)
        for (size_t c = 0; c != numDigits(info.forms[f].slots[s]); ++c)
          if (info.forms[f].since.ptx <= newest &&
              !covered.count({info.mnemonic, f, s, c})) {
            const ModifierSlot &slot = info.forms[f].slots[s];
            outs() << info.mnemonic << ", form " << f << ": "
                   << (c == slot.choices.size()
                           ? "without ." + spelling(slot.mod).str()
                           : "." + spelling(slot.choices[c].token).str())
                   << "\n";
          }
}

int main(int argc, char **argv) {
  SmallVector<StringRef> args(argv + 1, argv + argc);
  if (args.size() == 1 && args[0] == "counts") {
    printCounts();
    return 0;
  }
  if (args.size() % 2 == 1 && args[0] == "uncovered") {
    SmallVector<std::pair<StringRef, unsigned>> targets;
    for (size_t i = 1; i != args.size(); i += 2)
      targets.emplace_back(args[i], std::atoi(args[i + 1].data()));
    printUncovered(targets);
    return 0;
  }
  unsigned ptx, count, seed;
  if (args.size() < 5 || args.size() > 6 || args[2].getAsInteger(10, ptx) ||
      args[3].getAsInteger(10, count) || args[4].getAsInteger(10, seed)) {
    errs() << "expected counts, uncovered TARGET PTX ..., or samples or "
              "neighbours or ops with TARGET, PTX version (90), COUNT, SEED "
              "and perhaps "
              "a mnemonic\n";
    return 1;
  }
  Sampler sampler(args[1], ptx, seed, args.size() == 6 ? args[5] : "");
  if (args[0] == "ops") {
    sampler.printOps(count);
    return 0;
  }
  outs() << format(".version %u.%u\n.target %s\n.address_size 64\n", ptx / 10,
                   ptx % 10, args[1].data());
  if (args[0] == "neighbours")
    sampler.printNeighbours(count);
  else
    sampler.printSamples(count);
  return 0;
}
