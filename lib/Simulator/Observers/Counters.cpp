//===- Counters.cpp - counts what a run does ------------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TIRx/Simulator/Counters.h"
#include "TIRx/Layout/Accesses.h"
#include "TIRx/PTX/Table.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"

using namespace tirx::sim;
using llvm::StringRef;

void ExecutionCount::operator+=(const ExecutionCount &other) {
  warps += other.warps;
  lanes += other.lanes;
}

void ByteCount::operator+=(const ByteCount &other) {
  read += other.read;
  written += other.written;
}

void RequestCount::operator+=(const RequestCount &other) {
  requests += other.requests;
  units += other.units;
  ideal += other.ideal;
}

void LineCounters::operator+=(const LineCounters &other) {
  executions += other.executions;
  for (unsigned space = 0; space < kSpaces; ++space)
    bytes[space] += other.bytes[space];
  shared += other.shared;
  global += other.global;
}

//===----------------------------------------------------------------------===//
// Matrix work
//===----------------------------------------------------------------------===//

/// m, n and k of "m16n8k16".
static std::optional<std::array<unsigned, 3>> parseShape(StringRef text) {
  std::array<unsigned, 3> shape;
  for (unsigned i = 0; i < 3; ++i)
    if (!text.consume_front(StringRef("mnk").substr(i, 1)) ||
        text.consumeInteger(10, shape[i]))
      return std::nullopt;
  if (!text.empty())
    return std::nullopt;
  return shape;
}

std::pair<uint64_t, StringRef> tirx::sim::countMultiplyAdds(StringRef opcode) {
  bool isWarpgroup = opcode.starts_with("wgmma.mma_async");
  if (!isWarpgroup && !opcode.starts_with("mma.") &&
      !opcode.starts_with("wmma.mma"))
    return {0, ""};
  uint64_t count = 0;
  llvm::SmallVector<StringRef, 4> types;
  llvm::SmallVector<StringRef, 16> modifiers;
  opcode.split(modifiers, '.');
  for (StringRef modifier : modifiers) {
    if (auto shape = parseShape(modifier))
      count = uint64_t((*shape)[0]) * (*shape)[1] * (*shape)[2];
    else if (auto token = ptx::findToken(modifier);
             token && ptx::bitWidth(*token))
      types.push_back(modifier);
  }
  // Types are those of D and C, or of D, A and B. The four warps of a group
  // share the product.
  StringRef type = types.size() > 2 ? types[1] : "f16";
  return {isWarpgroup ? count / 4 : count, type};
}

//===----------------------------------------------------------------------===//
// Events
//===----------------------------------------------------------------------===//

namespace {
/// With counters of its own.
struct CounterFork final : CounterObserver {
  CounterFork() : CounterObserver(own) {}
  Counters own;
};
} // namespace

std::unique_ptr<Observer> CounterObserver::fork() const {
  auto result = std::make_unique<CounterFork>();
  static_cast<CounterObserver &>(*result).begin(*kernel);
  return result;
}

void CounterObserver::join(Observer &fork) {
  auto &other = static_cast<CounterObserver &>(fork);
  for (auto [line, more] : llvm::zip_equal(lines, other.lines))
    line += more;
  counters.asyncOperations += other.counters.asyncOperations;
  counters.branches += other.counters.branches;
  counters.divergentBranches += other.counters.divergentBranches;
  for (const auto &[type, count] : other.counters.multiplyAdds)
    counters.multiplyAdds[type] += count;
}

void CounterObserver::begin(const Kernel &launched) {
  kernel = &launched;
  lines.assign(kernel->code.size(), {});
  pending.clear();
}

void CounterObserver::onLaunchBegin(const LaunchEvent &event) {
  begin(*event.kernel);
}

void CounterObserver::onLaunchEnd(const LaunchEvent &event) {
  const Module &module = *event.module;
  for (size_t pc = 0; pc < lines.size(); ++pc) {
    const LineCounters &line = lines[pc];
    const InstInfo &info = kernel->info[pc];
    const OpcodeInfo &opcode = kernel->opcodes[info.opcode];
    counters.total += line;
    if (info.isFirst) {
      counters.families[opcode.family.str()] += line.executions;
      auto [work, type] = countMultiplyAdds(opcode.text);
      if (work && line.executions.warps)
        counters.multiplyAdds[type.str()] += work * line.executions.warps;
    }
    const Module &text = info.inModels ? *module.models : module;
    counters.ptxLines[{text.fileName, info.ptxLine}] += line;
    if (info.file && info.file <= text.files.size())
      counters.sourceLines[{text.files[info.file - 1], info.line}] += line;
  }
  kernel = nullptr;
}

namespace {
/// What the lanes of a warp access at one time.
struct Request {
  tirx::LaneAddresses addresses;
  uint32_t bytes = 0;
};
} // namespace

/// The requests of the accesses to one space: a lane that accesses several
/// places does so in several requests.
static llvm::SmallVector<Request, 1>
requestsOf(llvm::ArrayRef<AccessEvent> accesses, Space space) {
  llvm::SmallVector<Request, 1> requests;
  for (const AccessEvent &access : accesses) {
    if (access.space != space)
      continue;
    unsigned lane = llvm::countr_zero(access.actor.lanes);
    auto free = llvm::find_if(requests, [&](const Request &request) {
      return !request.addresses[lane] && request.bytes == access.size;
    });
    if (free == requests.end()) {
      requests.emplace_back();
      free = std::prev(requests.end());
      free->bytes = access.size;
    }
    free->addresses[lane] = access.address;
  }
  return requests;
}

/// Wavefronts and sectors of an instruction whose accesses are all there.
void CounterObserver::countRequests(LineCounters &line,
                                    const std::string &opcode) {
  auto count = [&](llvm::Expected<tirx::Wavefronts> wavefronts) {
    // A form of access whose cost nobody measured is not counted.
    if (!wavefronts)
      return llvm::consumeError(wavefronts.takeError());
    line.shared +=
        {1, uint64_t(wavefronts->count), uint64_t(wavefronts->ideal)};
  };
  StringRef name = StringRef(opcode).split('.').first;
  if (name == "ldmatrix" || name == "stmatrix") {
    llvm::SmallVector<int64_t, 32> rows;
    for (const AccessEvent &access : pending)
      rows.push_back(access.address);
    count(countMatrixWavefronts(rows));
  } else if (name == "ld" || name == "st") {
    for (const Request &request : requestsOf(pending, Space::Shared))
      count(countWavefronts(name == "ld" ? SharedAccess::Load
                                         : SharedAccess::Store,
                            request.bytes, request.addresses));
  }
  for (const Request &request : requestsOf(pending, Space::Global)) {
    Sectors sectors = countSectors(request.bytes, request.addresses);
    line.global += {1, uint64_t(sectors.count), uint64_t(sectors.ideal)};
  }
}

void CounterObserver::onInstruction(const InstructionEvent &event) {
  LineCounters &line = lines[event.pc];
  const InstInfo &info = kernel->info[event.pc];
  if (info.isFirst && event.actor.lanes)
    line.executions += {1, uint64_t(llvm::popcount(event.actor.lanes))};
  if (pending.empty())
    return;
  // Copies of other instructions may have taken effect meanwhile.
  llvm::erase_if(pending, [&](const AccessEvent &access) {
    return access.inst != event.inst || access.actor.warp != event.actor.warp ||
           access.actor.cta != event.actor.cta;
  });
  countRequests(line, kernel->opcodes[info.opcode].text);
  pending.clear();
}

void CounterObserver::onBranch(const BranchEvent &event) {
  if (event.inst->guard == kNoSlot)
    return;
  ++counters.branches;
  counters.divergentBranches += event.taken && event.fallThrough;
}

void CounterObserver::onAccess(const AccessEvent &event) {
  ByteCount &bytes =
      lines[event.inst - kernel->code.data()].bytes[unsigned(event.space)];
  // A warp that accesses tensor memory says what one lane does.
  uint64_t count = uint64_t(event.size) *
                   (event.space == Space::Tensor
                        ? std::max(1, llvm::popcount(event.actor.lanes))
                        : 1);
  if (event.kind != AccessKind::Write)
    bytes.read += count;
  if (event.kind != AccessKind::Read)
    bytes.written += count;
  bool isRequest = event.space == Space::Global || event.space == Space::Shared;
  if (isRequest && event.actor.lanes && event.proxy == Proxy::Generic)
    pending.push_back(event);
}

void CounterObserver::onMatrix(const MatrixEvent &event) {
  counters.multiplyAdds[event.type] += event.multiplyAdds;
}

void CounterObserver::onAsyncBegin(const AsyncEvent &) {
  ++counters.asyncOperations;
}
