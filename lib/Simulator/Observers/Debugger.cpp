//===- Debugger.cpp - stops grids -----------------------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TIRx/Simulator/Debugger.h"
#include "DebuggerState.h"
#include "llvm/ADT/STLExtras.h"

using namespace tirx::sim;

//===----------------------------------------------------------------------===//
// Turns
//===----------------------------------------------------------------------===//

void Debugger::State::pause(Stop reason) {
  std::unique_lock<std::mutex> lock(mutex);
  stop = std::move(reason);
  turn = Turn::User;
  changed.notify_all();
  changed.wait(lock, [&] { return turn == Turn::Program; });
}

Stop Debugger::State::proceed(Mode next) {
  std::unique_lock<std::mutex> lock(mutex);
  if (finished)
    return {};
  mode = next;
  turn = Turn::Program;
  changed.notify_all();
  changed.wait(lock, [&] { return turn == Turn::User; });
  return stop;
}

Debugger::Debugger() : state(std::make_unique<State>()) {}

Debugger::~Debugger() { kill(); }

Stop Debugger::start(std::function<void()> program) {
  kill();
  state->finished = false;
  state->thread = std::thread([this, program = std::move(program)] {
    {
      std::unique_lock<std::mutex> lock(state->mutex);
      state->changed.wait(lock,
                          [&] { return state->turn == State::Turn::Program; });
    }
    program();
    std::lock_guard<std::mutex> lock(state->mutex);
    state->finished = true;
    state->stop = {};
    state->turn = State::Turn::User;
    state->changed.notify_all();
  });
  return state->proceed(State::Mode::Entry);
}

Stop Debugger::resume() { return state->proceed(State::Mode::Run); }

Stop Debugger::step(uint64_t count) {
  state->remaining = count;
  return state->proceed(State::Mode::Step);
}

void Debugger::kill() {
  while (!state->finished)
    state->proceed(State::Mode::Kill);
  if (state->thread.joinable())
    state->thread.join();
}

bool Debugger::isPaused() const { return !state->finished; }

//===----------------------------------------------------------------------===//
// Events: the program's thread
//===----------------------------------------------------------------------===//

void Debugger::onLaunchBegin(const LaunchEvent &event) {
  state->module = event.module;
  state->kernel = event.kernel;
  state->breakpointAt.assign(event.kernel->code.size(), 0);
  // Other kernels may lack the line; then it has no breakpoint there.
  for (Breakpoint breakpoint : state->breakpoints) {
    unsigned line = breakpoint.line;
    std::vector<uint32_t> locations = state->locate(breakpoint);
    if (breakpoint.line == line)
      state->place(breakpoint, locations);
  }
}

void Debugger::onLaunchEnd(const LaunchEvent &) {
  state->ctas.clear();
  state->stopped.clear();
  state->selected = nullptr;
  state->module = nullptr;
  state->kernel = nullptr;
}

void Debugger::onCtaBegin(Cta &cta) { state->ctas.push_back(&cta); }

void Debugger::onCtaEnd(Cta &cta) {
  llvm::erase(state->ctas, &cta);
  if (state->selected && &state->selected->cta == &cta)
    state->selected = nullptr;
}

bool Debugger::onIssue(const IssueEvent &event) {
  State &s = *state;
  if (s.mode == State::Mode::Kill)
    return false;
  auto stopHere = [&](StopReason reason, unsigned breakpoint = 0) {
    s.selected = event.warp;
    s.stopped.insert({event.warp->cta.linear, event.warp->index, event.pc});
    s.pause({reason, breakpoint, ""});
    return s.mode != State::Mode::Kill;
  };
  if (s.mode == State::Mode::Entry)
    return stopHere(StopReason::Entry);
  if (!s.kernel->info[event.pc].isFirst)
    return true;
  if (s.mode == State::Mode::Step) {
    if (!s.selected || !s.selected->live)
      return stopHere(StopReason::WarpEnd);
    if (event.warp == s.selected && !s.remaining)
      return stopHere(StopReason::Step);
  }
  unsigned breakpoint = s.breakpointAt[event.pc];
  if (!breakpoint ||
      s.stopped.count({event.warp->cta.linear, event.warp->index, event.pc}))
    return true;
  return stopHere(StopReason::Breakpoint, breakpoint);
}

void Debugger::onInstruction(const InstructionEvent &event) {
  State &s = *state;
  if (!s.stopped.empty())
    s.stopped.erase({event.actor.cta, unsigned(event.actor.warp), event.pc});
  if (s.mode == State::Mode::Step && s.remaining && s.selected &&
      s.selected->cta.linear == event.actor.cta &&
      int(s.selected->index) == event.actor.warp &&
      s.kernel->info[event.pc].isFirst)
    --s.remaining;
}

void Debugger::onError(const Report &report) {
  State &s = *state;
  if (s.mode == State::Mode::Kill)
    return;
  for (Cta *cta : s.ctas)
    if (report.place.hasCta && cta->id == report.place.cta)
      s.selected = cta->warps[std::max(report.place.warp, 0)].get();
  s.pause({StopReason::Error, 0, "[" + report.rule + "] " + report.message});
}

//===----------------------------------------------------------------------===//
// Breakpoints
//===----------------------------------------------------------------------===//

/// Whether a path is, or ends in, what the user wrote.
static bool isFile(llvm::StringRef path, llvm::StringRef written) {
  return path.consume_back(written) && (path.empty() || path.ends_with("/"));
}

std::vector<uint32_t> Debugger::State::locate(Breakpoint &breakpoint) const {
  // The line of an instruction in the file of the breakpoint, or 0.
  auto lineOf = [&](uint32_t pc) -> unsigned {
    const InstInfo &info = kernel->info[pc];
    if (!info.isFirst || info.inModels)
      return 0;
    if (breakpoint.file.empty() || isFile(module->fileName, breakpoint.file))
      return info.ptxLine;
    if (info.file && info.file <= module->files.size() &&
        isFile(module->files[info.file - 1], breakpoint.file))
      return info.line;
    return 0;
  };
  unsigned line = 0;
  for (uint32_t pc = 0; pc < kernel->code.size(); ++pc)
    if (unsigned here = lineOf(pc); here >= breakpoint.line)
      line = line ? std::min(line, here) : here;
  std::vector<uint32_t> locations;
  if (!line)
    return locations;
  breakpoint.line = line;
  // Of instructions of one line that follow each other, the first.
  unsigned before = 0;
  for (uint32_t pc = 0; pc < kernel->code.size(); ++pc) {
    if (!kernel->info[pc].isFirst)
      continue;
    unsigned here = lineOf(pc);
    if (here == line && before != line)
      locations.push_back(pc);
    before = here;
  }
  return locations;
}

void Debugger::State::place(const Breakpoint &breakpoint,
                            const std::vector<uint32_t> &locations) {
  for (uint32_t pc : locations)
    breakpointAt[pc] = breakpoint.number;
}

llvm::Expected<Breakpoint> Debugger::addBreakpoint(llvm::StringRef file,
                                                   unsigned line) {
  if (!state->kernel)
    return llvm::createStringError("expected a running kernel, got none");
  Breakpoint breakpoint{state->nextBreakpoint, file.str(), line};
  std::vector<uint32_t> locations = state->locate(breakpoint);
  if (locations.empty())
    return llvm::createStringError(
        "expected a line with an instruction of the kernel at or behind it, "
        "got " +
        (file.empty() ? "" : file + ":") + llvm::Twine(line));
  ++state->nextBreakpoint;
  state->breakpoints.push_back(breakpoint);
  state->place(breakpoint, locations);
  return breakpoint;
}

bool Debugger::removeBreakpoint(unsigned number) {
  size_t before = state->breakpoints.size();
  llvm::erase_if(state->breakpoints, [&](const Breakpoint &breakpoint) {
    return breakpoint.number == number;
  });
  if (state->breakpoints.size() == before)
    return false;
  // Another one may have been hidden at the same place.
  state->breakpointAt.assign(state->breakpointAt.size(), 0);
  if (state->kernel)
    for (Breakpoint breakpoint : state->breakpoints)
      state->place(breakpoint, state->locate(breakpoint));
  return true;
}

llvm::ArrayRef<Breakpoint> Debugger::getBreakpoints() const {
  return state->breakpoints;
}
