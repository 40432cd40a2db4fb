//===- Trace.cpp - what a warp executes, line by line ---------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TIRx/Simulator/Trace.h"
#include "TIRx/Simulator/RegisterValue.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tirx::sim;

void Tracer::onLaunchBegin(const LaunchEvent &event) {
  module = event.module;
  kernel = event.kernel;
  number = 0;
}

void Tracer::onLaunchEnd(const LaunchEvent &) { flush(); }

void Tracer::flush() {
  if (!line.empty())
    os << line << '\n';
  line.clear();
  hasResults = false;
}

void Tracer::addResult(const std::string &text) {
  line += (hasResults ? ", " : "  // ") + text;
  hasResults = true;
}

void Tracer::onBranch(const BranchEvent &event) { taken = event.taken; }

void Tracer::onInstruction(const InstructionEvent &event) {
  if (event.actor.cta != range.cta || event.actor.warp != range.warp ||
      !event.actor.lanes)
    return;
  const InstInfo &info = kernel->info[event.pc];
  if (info.isFirst) {
    flush();
    if (++number < range.first || number > range.last)
      return;
    const Module &text = info.inModels ? *module->models : *module;
    line = llvm::formatv("{0,6} line {1,5} {2:x-8} {3}", number, info.ptxLine,
                         event.actor.lanes, text.lineText(info.ptxLine));
  }
  if (line.empty() || !event.registers)
    return;
  if (event.inst->isBranch && event.inst->guard != kNoSlot)
    addResult(llvm::formatv("taken by {0:x-8}", taken));
  auto write = llvm::lower_bound(
      kernel->writes, event.pc,
      [](const RegisterWrite &entry, uint32_t pc) { return entry.pc < pc; });
  for (; write != kernel->writes.end() && write->pc == event.pc; ++write) {
    addResult(
        write->target.name + " = " +
        formatRegister(event.registers, write->target, event.actor.lanes));
  }
}
