//===- DebugSession.cpp - the commands of --debug -------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DebugSession.h"
#include "TIRx/Simulator/DType.h"
#include "TIRx/Simulator/RegisterValue.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tirx;
using namespace tirx::sim;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

/// Bytes that one command shows at most.
static constexpr uint64_t kMaxShownBytes = 4096;

namespace {
struct Command {
  StringRef name, shortName, arguments, summary;
  Error (DebugSession::*execute)(DebugSession::Words words);
};
} // namespace

static const Command kCommands[] = {
    {"break", "b", "LINE | FILE:LINE",
     "stop before a line of the PTX or source", &DebugSession::setBreakpoint},
    {"delete", "d", "NUMBER", "remove a breakpoint",
     &DebugSession::deleteBreakpoint},
    {"breakpoints", "bl", "", "list the breakpoints",
     &DebugSession::showBreakpoints},
    {"continue", "c", "", "run to the next stop (also: run, r)",
     &DebugSession::resume},
    {"step", "s", "[COUNT]", "execute instructions of the selected warp",
     &DebugSession::step},
    {"cta", "", "[NUMBER]", "select a CTA by its number in the grid",
     &DebugSession::selectCta},
    {"warp", "", "[NUMBER]", "select a warp of the CTA",
     &DebugSession::selectWarp},
    {"where", "w", "", "where the warps of the CTA are, and what they wait for",
     &DebugSession::where},
    {"backtrace", "bt", "[LANE]", "the calls that led here",
     &DebugSession::backtrace},
    {"list", "l", "[LINE]", "the PTX around here", &DebugSession::list},
    {"registers", "p", "[NAME...] [LANE]",
     "registers (also: print; print/x, print/f32: as that type)",
     &DebugSession::showRegisters},
    {"memory", "x", "SPACE ADDRESS [COUNT] [TYPE] [LANE]",
     "elements in global, shared or local memory; %rd1+8 is an address",
     &DebugSession::showMemory},
    {"help", "h", "", "this list", &DebugSession::help},
};

static Error fail(const llvm::Twine &message) {
  return llvm::createStringError(message);
}

static Expected<unsigned> parseNumber(StringRef word, const char *what) {
  unsigned number;
  if (word.getAsInteger(0, number))
    return fail(llvm::Twine("expected ") + what + ", got '" + word + "'");
  return number;
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

Error DebugSession::setBreakpoint(Words words) {
  if (words.size() != 1)
    return fail("expected a line, or FILE:LINE");
  auto [file, line] = words[0].rsplit(':');
  if (line.empty())
    std::swap(file, line);
  auto number = parseNumber(line, "a line");
  if (!number)
    return number.takeError();
  auto breakpoint = debugger.addBreakpoint(file, *number);
  if (!breakpoint)
    return breakpoint.takeError();
  os << llvm::formatv("breakpoint {0} at {1}\n", breakpoint->number,
                      breakpoint->file.empty()
                          ? "line " + std::to_string(breakpoint->line)
                          : breakpoint->file + ":" +
                                std::to_string(breakpoint->line));
  return Error::success();
}

Error DebugSession::deleteBreakpoint(Words words) {
  if (words.size() != 1)
    return fail("expected the number of a breakpoint");
  auto number = parseNumber(words[0], "the number of a breakpoint");
  if (!number)
    return number.takeError();
  if (!debugger.removeBreakpoint(*number))
    return fail("there is no breakpoint " + llvm::Twine(*number));
  return Error::success();
}

Error DebugSession::showBreakpoints(Words) {
  for (const Breakpoint &breakpoint : debugger.getBreakpoints())
    os << llvm::formatv("{0}: {1}{2}\n", breakpoint.number,
                        breakpoint.file.empty() ? "line "
                                                : breakpoint.file + ":",
                        breakpoint.line);
  return Error::success();
}

void DebugSession::showPosition() {
  auto position = debugger.getPosition();
  if (!position) {
    os << llvm::toString(position.takeError()) << '\n';
    return;
  }
  os << llvm::formatv("cta {0} warp {1} lanes {2:x-8}", debugger.getCta(),
                      debugger.getWarp(), position->lanes);
  if (!position->file.empty())
    os << ' ' << position->file << ':' << position->line;
  os << llvm::formatv(" line {0}: {1}\n", position->ptxLine, position->text);
}

void DebugSession::report(const Stop &stop) {
  switch (stop.reason) {
  case StopReason::Entry:
  case StopReason::Step:
    break;
  case StopReason::Breakpoint:
    os << "breakpoint " << stop.breakpoint << '\n';
    break;
  case StopReason::WarpEnd:
    os << "the warp has ended\n";
    break;
  case StopReason::Error:
    os << "error: " << stop.message << '\n';
    break;
  case StopReason::Finished:
    os << "the program has ended\n";
    return;
  }
  showPosition();
}

Error DebugSession::resume(Words) {
  report(debugger.resume());
  return Error::success();
}

Error DebugSession::step(Words words) {
  unsigned count = 1;
  if (!words.empty()) {
    auto number = parseNumber(words[0], "a number of instructions");
    if (!number)
      return number.takeError();
    count = *number;
  }
  if (count)
    report(debugger.step(count));
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Looking around
//===----------------------------------------------------------------------===//

Error DebugSession::selectCta(Words words) {
  if (!words.empty()) {
    auto number = parseNumber(words[0], "the number of a CTA");
    if (!number)
      return number.takeError();
    if (Error error = debugger.selectCta(*number))
      return error;
  } else {
    os << "CTAs that run:";
    for (uint64_t number : debugger.getCtas())
      os << ' ' << number;
    os << '\n';
  }
  showPosition();
  return Error::success();
}

Error DebugSession::selectWarp(Words words) {
  if (!words.empty()) {
    auto number = parseNumber(words[0], "the number of a warp");
    if (!number)
      return number.takeError();
    if (Error error = debugger.selectWarp(*number))
      return error;
  }
  showPosition();
  return Error::success();
}

Error DebugSession::where(Words) {
  for (const std::string &line : debugger.where())
    os << line << '\n';
  return Error::success();
}

Error DebugSession::backtrace(Words words) {
  std::optional<unsigned> lane;
  if (!words.empty()) {
    auto number = parseNumber(words[0], "a lane");
    if (!number)
      return number.takeError();
    lane = *number;
  }
  auto calls = debugger.backtrace(lane);
  if (!calls)
    return calls.takeError();
  for (const std::string &call : *calls)
    os << call << '\n';
  return Error::success();
}

Error DebugSession::list(Words words) {
  constexpr unsigned kAround = 5;
  const Module *module = debugger.getModule();
  if (!module)
    return fail("expected a running kernel, got none");
  unsigned here = 0;
  if (auto position = debugger.getPosition())
    here = position->ptxLine;
  else
    llvm::consumeError(position.takeError());
  unsigned middle = here;
  if (!words.empty()) {
    auto number = parseNumber(words[0], "a line");
    if (!number)
      return number.takeError();
    middle = *number;
  }
  unsigned last = module->getText().count('\n') + 1;
  for (unsigned line = middle > kAround ? middle - kAround : 1;
       line <= std::min(last, middle + kAround); ++line)
    os << llvm::formatv("{0}{1,6} {2}\n", line == here ? '>' : ' ', line,
                        module->lineText(line));
  return Error::success();
}

Error DebugSession::showRegisters(Words words) {
  std::optional<unsigned> lane;
  if (!words.empty() && !words.back().starts_with("%")) {
    unsigned number;
    if (!words.back().getAsInteger(10, number)) {
      if (number >= 32)
        return fail("expected a lane from 0 to 31, got " + llvm::Twine(number));
      lane = number;
      words = words.drop_back();
    }
  }
  std::vector<std::string> names;
  for (StringRef word : words)
    names.push_back(word.str());
  if (names.empty()) {
    auto registers = debugger.getRegisters(lane);
    if (!registers)
      return registers.takeError();
    for (const NamedRegister &reg : *registers)
      names.push_back(reg.name);
  }
  for (const std::string &name : names) {
    auto value = debugger.printRegister(name, lane, type);
    if (!value)
      return value.takeError();
    os << name << " = " << *value << '\n';
  }
  return Error::success();
}

Expected<uint64_t> DebugSession::parseAddress(StringRef word, unsigned lane) {
  uint64_t address;
  auto [base, offset] = word.split('+');
  if (base.getAsInteger(0, address)) {
    auto bits = debugger.readRegister(base, lane);
    if (!bits)
      return bits.takeError();
    address = (*bits)[0];
  }
  uint64_t added = 0;
  if (!offset.empty() && offset.getAsInteger(0, added))
    return fail("expected a number of bytes, got '" + offset + "'");
  return address + added;
}

Error DebugSession::showMemory(Words words) {
  if (words.size() < 2)
    return fail("expected global, shared or local, and an address");
  MemorySpace space;
  if (words[0] == "global")
    space = MemorySpace::Global;
  else if (words[0] == "shared")
    space = MemorySpace::Shared;
  else if (words[0] == "local")
    space = MemorySpace::Local;
  else
    return fail("expected global, shared or local, got '" + words[0] + "'");
  uint64_t count = 16;
  std::string type = "b32";
  unsigned lane = 0;
  if (auto position = debugger.getPosition())
    lane = llvm::countr_zero(position->lanes);
  else
    llvm::consumeError(position.takeError());
  if (words.size() > 4) {
    auto number = parseNumber(words[4], "a lane");
    if (!number)
      return number.takeError();
    lane = *number;
  }
  if (words.size() > 3)
    type = words[3].str();
  if (words.size() > 2) {
    auto number = parseNumber(words[2], "a number of elements");
    if (!number)
      return number.takeError();
    count = *number;
  }
  unsigned bits = 0;
  StringRef letters = StringRef(type).take_while(llvm::isAlpha);
  StringRef(type).drop_front(letters.size()).getAsInteger(10, bits);
  if (bits != 8 && bits != 16 && bits != 32 && bits != 64)
    return fail("expected a type of 8, 16, 32 or 64 bits such as f32, got '" +
                type + "'");
  const unsigned size = bits / 8;
  if (count > kMaxShownBytes / size)
    return fail(llvm::formatv("expected at most {0} bytes", kMaxShownBytes));
  auto address = parseAddress(words[1], lane);
  if (!address)
    return address.takeError();
  auto view = debugger.readMemory(space, *address, count * size, lane);
  if (!view)
    return view.takeError();
  const unsigned perLine = size == 8 ? 4 : 8;
  for (uint64_t n = 0; n < count; ++n) {
    if (n % perLine == 0)
      os << (n ? "\n" : "") << llvm::formatv("{0:x}:", *address + n * size);
    uint64_t value = 0;
    bool written = true;
    for (unsigned byte = 0; byte < size; ++byte) {
      value |= uint64_t(view->bytes[n * size + byte]) << (8 * byte);
      written &= view->written[n * size + byte];
    }
    // What nobody wrote has no value.
    os << ' ' << (written ? formatValue({value, 0}, type, bits) : "?");
  }
  os << '\n';
  return Error::success();
}

//===----------------------------------------------------------------------===//
// The session
//===----------------------------------------------------------------------===//

Error DebugSession::help(Words) {
  for (const Command &command : kCommands) {
    std::string usage = command.name.str();
    if (!command.shortName.empty())
      usage += ", " + command.shortName.str();
    if (!command.arguments.empty())
      usage += " " + command.arguments.str();
    os << llvm::formatv("{0,-45} {1}\n", usage, command.summary);
  }
  os << llvm::formatv("{0,-45} {1}\n", "quit, q", "end the program");
  return Error::success();
}

void DebugSession::execute(Words words) {
  StringRef name;
  std::tie(name, type) = words[0].split('/');
  if (type == "x")
    type = "b64"; // hexadecimal
  if (name == "run" || name == "r")
    name = "continue";
  else if (name == "print")
    name = "registers";
  for (const Command &command : kCommands) {
    if (command.name != name &&
        (command.shortName.empty() || command.shortName != name))
      continue;
    if (Error error = (this->*command.execute)(words.drop_front()))
      os << "error: " << llvm::toString(std::move(error)) << '\n';
    return;
  }
  os << "error: expected a command, got '" << name << "'; help lists them\n";
}

bool DebugSession::run(std::function<void()> program) {
  Stop first = debugger.start(std::move(program));
  if (first.reason == StopReason::Finished)
    return true; // it did not come to a kernel
  report(first);
  std::string line;
  while (debugger.isPaused()) {
    os << "(tirx) ";
    os.flush();
    if (!std::getline(input, line)) {
      os << '\n';
      break;
    }
    if (echo)
      os << line << '\n';
    llvm::SmallVector<StringRef, 8> words;
    StringRef(line).trim().split(words, ' ', -1, /*KeepEmpty=*/false);
    if (words.empty() || words[0].starts_with("#"))
      continue;
    if (words[0] == "quit" || words[0] == "q")
      break;
    execute(words);
  }
  bool ended = !debugger.isPaused();
  debugger.kill();
  return ended;
}
