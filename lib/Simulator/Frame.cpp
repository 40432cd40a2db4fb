//===- Frame.cpp - calls, returns and the stacks of lanes -----------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Machine.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <cstring>

using namespace tirx::sim;

/// What a call takes from the stack beside the callee's variables, as the
/// return address and saved registers do.
static constexpr uint32_t kCallBytes = 16;
/// Bytes of registers that all frames of a grid may hold.
static constexpr uint64_t kMaxFrameBytes = uint64_t(1) << 30;

//===----------------------------------------------------------------------===//
// Registers with a fixed content
//===----------------------------------------------------------------------===//

static uint64_t specialValue(SpecialRegister which, const Cta &cta,
                             unsigned warp, unsigned lane) {
  const Grid &grid = cta.grid;
  const auto &block = grid.block, &dims = grid.grid, &cluster = grid.cluster;
  unsigned thread = warp * 32 + lane;
  auto clusterCount = [&](unsigned d) { return dims[d] / cluster[d]; };
  using S = SpecialRegister;
  switch (which) {
  case S::TidX:
    return thread % block[0];
  case S::TidY:
    return thread / block[0] % block[1];
  case S::TidZ:
    return thread / block[0] / block[1] % block[2];
  case S::NtidX:
    return block[0];
  case S::NtidY:
    return block[1];
  case S::NtidZ:
    return block[2];
  case S::CtaidX:
    return cta.id[0];
  case S::CtaidY:
    return cta.id[1];
  case S::CtaidZ:
    return cta.id[2];
  case S::NctaidX:
    return dims[0];
  case S::NctaidY:
    return dims[1];
  case S::NctaidZ:
    return dims[2];
  case S::LaneId:
    return lane;
  case S::WarpId:
    return warp;
  case S::NwarpId:
    return (block[0] * block[1] * block[2] + 31) / 32;
  case S::SmId:
    return cta.linear % kSmCount;
  case S::NsmId:
    return kSmCount;
  case S::ClusteridX:
    return cta.id[0] / cluster[0];
  case S::ClusteridY:
    return cta.id[1] / cluster[1];
  case S::ClusteridZ:
    return cta.id[2] / cluster[2];
  case S::NclusteridX:
    return clusterCount(0);
  case S::NclusteridY:
    return clusterCount(1);
  case S::NclusteridZ:
    return clusterCount(2);
  case S::ClusterCtaidX:
    return cta.id[0] % cluster[0];
  case S::ClusterCtaidY:
    return cta.id[1] % cluster[1];
  case S::ClusterCtaidZ:
    return cta.id[2] % cluster[2];
  case S::ClusterNctaidX:
    return cluster[0];
  case S::ClusterNctaidY:
    return cluster[1];
  case S::ClusterNctaidZ:
    return cluster[2];
  case S::ClusterCtarank:
    return cta.rank;
  case S::ClusterNctarank:
    return cluster[0] * cluster[1] * cluster[2];
  case S::IsExplicitCluster:
    return grid.kernel.requiredCluster ||
           cluster[0] * cluster[1] * cluster[2] > 1;
  case S::LanemaskEq:
    return 1u << lane;
  case S::LanemaskLe:
    return (2ull << lane) - 1;
  case S::LanemaskLt:
    return (1u << lane) - 1;
  case S::LanemaskGe:
    return uint32_t(~((1u << lane) - 1));
  case S::LanemaskGt:
    return uint32_t(~((2ull << lane) - 1));
  case S::DynamicSmemSize:
    return grid.dynamicShared;
  case S::TotalSmemSize:
    return grid.sharedBytes;
  case S::AggrSmemSize:
    return grid.sharedBytes + kSharedBase;
  case S::ReservedSmemSize:
    return kSharedBase;
  case S::WorkspaceHigh:
    return uint32_t(grid.launch.workspace >> 32);
  case S::WorkspaceLow:
    return uint32_t(grid.launch.workspace);
  case S::RuntimeSmemOffset:
    return kSharedBase + grid.runtimeShared;
  case S::GridId:
  case S::Zero:
    return 0;
  }
  return 0;
}

static void fill(Frame &frame, Slot slot, unsigned bytes, unsigned lane,
                 uint64_t value) {
  if (bytes == 8)
    frame.at<uint64_t>(slot)[lane] = value;
  else
    frame.at<uint32_t>(slot)[lane] = uint32_t(value);
}

/// Those that are the same in every activation.
void Warp::presetRegisters(Frame &frame) {
  const Function &function = *frame.function;
  for (const ConstantSlot &constant : function.constants) {
    if (constant.local && !function.isKernel)
      continue;
    uint64_t value = constant.value;
    if (constant.shared)
      value += uint64_t(cta.rank) << kSharedRankShift;
    if (constant.generic)
      value += kSharedWindow;
    if (constant.bytes == 1) {
      *frame.at<uint32_t>(constant.slot) = value ? ~0u : 0;
      continue;
    }
    for (unsigned lane = 0; lane < 32; ++lane)
      fill(frame, constant.slot, constant.bytes, lane, value);
  }
  for (const SpecialSlot &special : function.specials)
    for (unsigned lane = 0; lane < 32; ++lane)
      fill(frame, special.slot, special.bytes, lane,
           specialValue(special.which, cta, index, lane));
}

/// The addresses of local variables in lanes that enter.
void Warp::placeLocals(Frame &frame, uint32_t lanes) {
  for (const ConstantSlot &constant : frame.function->constants) {
    if (!constant.local)
      continue;
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
      unsigned lane = llvm::countr_zero(rest);
      fill(frame, constant.slot, constant.bytes, lane,
           constant.value + frame.base(lane));
    }
  }
}

//===----------------------------------------------------------------------===//
// Frames
//===----------------------------------------------------------------------===//

Frame *Warp::takeFrame(const Function &function) {
  std::vector<Frame *> &idle = idleFrames[function.index];
  if (!idle.empty()) {
    Frame *frame = idle.back();
    idle.pop_back();
    return frame;
  }
  auto frame = std::make_unique<Frame>();
  frame->function = &function;
  size_t bytes = std::max<size_t>(function.registerBytes, 64);
  frame->registers.reset(
      static_cast<uint8_t *>(::operator new[](bytes, std::align_val_t(64))));
  std::memset(frame->registers.get(), 0, bytes);
  presetRegisters(*frame);
  if (!function.isKernel)
    cta.grid.frameBytes += function.registerBytes;
  frames.push_back(std::move(frame));
  return frames.back().get();
}

void Warp::recycle(Frame *frame) {
  frame->returns.clear();
  idleFrames[frame->function->index].push_back(frame);
}

void Warp::leaveFrames(Frame *frame, uint32_t lanes) {
  llvm::SmallVector<std::pair<Frame *, uint32_t>, 8> pending = {{frame, lanes}};
  while (!pending.empty()) {
    auto [leaving, some] = pending.pop_back_val();
    for (Frame::Return &way : leaving->returns) {
      if (way.lanes & some)
        pending.push_back({way.caller, way.lanes & some});
      way.lanes &= ~some;
    }
    leaving->lanes &= ~some;
    if (!leaving->lanes)
      recycle(leaving);
  }
}

/// Moves lanes with all that is theirs from one activation of a function to
/// another.
static void moveLanes(Frame &from, Frame &to, uint32_t lanes) {
  for (auto [slot, bits] : from.function->registers) {
    if (bits == 1) {
      for (unsigned n = 0; n < 16; ++n) {
        uint32_t &p = to.at<uint32_t>(slot)[n];
        p = (p & ~lanes) | (from.at<uint32_t>(slot)[n] & lanes);
      }
      continue;
    }
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
      unsigned lane = llvm::countr_zero(rest);
      if (bits <= 32) {
        to.at<uint32_t>(slot)[lane] = from.at<uint32_t>(slot)[lane];
        continue;
      }
      for (unsigned n = lane; n < bits / 2; n += 32)
        to.at<uint64_t>(slot)[n] = from.at<uint64_t>(slot)[n];
    }
  }
  for (Frame::Return &way : from.returns) {
    if (!(way.lanes & lanes))
      continue;
    to.returns.push_back(
        {way.lanes & lanes, way.caller, way.pc, way.from, way.site});
    way.lanes &= ~lanes;
  }
  for (uint32_t rest = lanes; rest; rest &= rest - 1) {
    unsigned lane = llvm::countr_zero(rest);
    to.savedTop[lane] = from.savedTop[lane];
  }
  to.lanes |= lanes;
  from.lanes &= ~lanes;
}

Frame *Warp::mergeFrames(const Fragment &one, const Fragment &other) {
  // A third frame, because either may be what the other's lanes return to.
  Frame *merged = takeFrame(*one.frame->function);
  moveLanes(*one.frame, *merged, one.mask);
  moveLanes(*other.frame, *merged, other.mask);
  for (Frame *left : {one.frame, other.frame})
    if (!left->lanes)
      recycle(left);
  return merged;
}

//===----------------------------------------------------------------------===//
// Values that cross a call
//===----------------------------------------------------------------------===//

/// Bits of a register of up to 128 bits.
static void readRegister(Frame &frame, const CallValue &value, unsigned lane,
                         uint64_t (&bits)[2]) {
  bits[1] = 0;
  if (value.bits == 1)
    bits[0] = *frame.at<uint32_t>(value.slot) >> lane & 1;
  else if (value.bits <= 32)
    bits[0] = frame.at<uint32_t>(value.slot)[lane];
  else
    bits[0] = frame.at<uint64_t>(value.slot)[lane];
  if (value.bits == 128)
    bits[1] = frame.at<uint64_t>(value.slot)[lane + 32];
}

static void writeRegister(Frame &frame, const CallValue &value, unsigned lane,
                          const uint64_t (&bits)[2]) {
  if (value.bits == 1) {
    uint32_t &p = *frame.at<uint32_t>(value.slot);
    p = (p & ~(1u << lane)) | uint32_t(bits[0] & 1) << lane;
  } else if (value.bits <= 32) {
    frame.at<uint32_t>(value.slot)[lane] = uint32_t(bits[0]);
  } else {
    frame.at<uint64_t>(value.slot)[lane] = bits[0];
  }
  if (value.bits == 128)
    frame.at<uint64_t>(value.slot)[lane + 32] = bits[1];
}

/// False when the run must end.
bool Warp::passValue(const Inst &inst, Frame &from, const CallValue &source,
                     Frame &to, const CallValue &target, unsigned lane) {
  ByteStore &stack = local[lane];
  uint64_t offset = from.base(lane) + source.offset;
  if (!source.isRegister && !target.isRegister) {
    stack.copyWithin(to.base(lane) + target.offset, offset,
                     std::min(source.bytes, target.bytes));
    return true;
  }
  uint64_t bits[2] = {0, 0};
  if (source.isRegister) {
    readRegister(from, source, lane, bits);
  } else {
    MemoryRef ref{stack.data() + offset, &stack, offset};
    unsigned size = std::min<uint32_t>(source.bytes, sizeof bits);
    if (!checkWritten(inst, ref, size, offset, lane))
      return false;
    std::memcpy(bits, ref.data, size);
  }
  if (target.isRegister) {
    writeRegister(to, target, lane, bits);
    return true;
  }
  unsigned size = std::min<uint32_t>(target.bytes, sizeof bits);
  uint64_t at = to.base(lane) + target.offset;
  std::memcpy(stack.data() + at, bits, size);
  stack.markWritten(at, size);
  return true;
}

uint64_t Warp::readValue(Frame &frame, const CallValue &value, unsigned lane) {
  uint64_t bits[2] = {0, 0};
  if (value.isRegister)
    readRegister(frame, value, lane, bits);
  else
    std::memcpy(bits, local[lane].data() + frame.base(lane) + value.offset,
                std::min(value.bytes, 8u));
  return bits[0];
}

void Warp::writeValue(Frame &frame, const CallValue &value, unsigned lane,
                      uint64_t bits) {
  if (value.isRegister)
    return writeRegister(frame, value, lane, {bits, 0});
  uint64_t at = frame.base(lane) + value.offset;
  std::memcpy(local[lane].data() + at, &bits, std::min(value.bytes, 8u));
  local[lane].markWritten(at, std::min(value.bytes, 8u));
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

void Warp::describeCalls(unsigned lane, std::vector<std::string> &notes) const {
  const Grid &grid = cta.grid;
  constexpr unsigned kShown = 12;
  unsigned depth = 0;
  for (const Frame *frame = running->frame; !frame->function->isKernel;
       ++depth) {
    const auto *way = llvm::find_if(frame->returns, [&](const auto &entry) {
      return entry.lanes >> lane & 1;
    });
    if (way == frame->returns.end())
      return;
    if (depth < kShown) {
      notes.push_back(llvm::formatv("'{0}' was called by '{1}' at line {2}",
                                    frame->function->name,
                                    way->caller->function->name,
                                    grid.kernel.info[way->from].ptxLine)
                          .str());
    }
    frame = way->caller;
  }
  if (depth > kShown)
    notes.push_back("and " + std::to_string(depth - kShown) +
                    " more calls, from '" + grid.kernel.name + "'");
}

Step Warp::reportStack(const Inst &inst, const Function &callee, unsigned lane,
                       const llvm::Twine &limit) {
  return fault(inst, lane, "stack",
               "stack overflow in the call of '" + callee.name + "': " + limit);
}

Step Warp::enter(const Inst &inst, const CallSite &site,
                 const Function &callee) {
  Fragment &fragment = *running;
  Grid &grid = cta.grid;
  uint32_t lanes = fragment.mask;
  unsigned first = llvm::countr_zero(lanes);
  if (grid.frameBytes + callee.registerBytes > kMaxFrameBytes)
    return reportStack(inst, callee, first,
                       "expected at most 1 GiB of registers in all calls that "
                       "have not returned");
  const uint64_t own = grid.kernel.functions.front().localBytes;
  Frame *caller = fragment.frame;
  Frame *frame = takeFrame(callee);
  frame->lanes = lanes;
  for (uint32_t rest = lanes; rest; rest &= rest - 1) {
    unsigned lane = llvm::countr_zero(rest);
    frame->savedTop[lane] = localTop[lane];
    uint64_t base = frame->base(lane);
    uint64_t top = base + callee.localBytes + kCallBytes;
    if (top - own > grid.options.stackBytes)
      return reportStack(inst, callee, lane,
                         llvm::formatv("expected at most {0} bytes of stack "
                                       "for each thread, got {1}",
                                       grid.options.stackBytes, top - own)
                             .str());
    local[lane].grow(top);
    local[lane].forget(localTop[lane], top - localTop[lane]);
    localTop[lane] = top;
  }
  placeLocals(*frame, lanes);
  for (size_t n = 0; n < site.arguments.size(); ++n)
    for (uint32_t rest = lanes; rest; rest &= rest - 1)
      if (!passValue(inst, *caller, site.arguments[n], *frame,
                     callee.parameters[n], llvm::countr_zero(rest)))
        return Step::Fault;
  uint32_t back = site.noReturn ? kNoPc : fragment.pc + 1;
  if (back != kNoPc)
    ensureJoin(fragment, back);
  frame->returns.push_back({lanes, caller, back, fragment.pc,
                            uint32_t(&site - grid.kernel.callSites.data())});
  fragment.frame = frame;
  fragment.pc = callee.entry;
  registers = frame->registers.get();
  return Step::Moved;
}

/// Where the callee has the result that the call takes as its n-th.
static CallValue returnedValue(const Function &callee, const CallSite &site,
                               size_t n) {
  if (!site.isStruct)
    return callee.returns[n];
  CallValue value = callee.returns.front();
  value.offset += site.results[n].offset;
  value.bytes = site.results[n].bytes;
  return value;
}

Step Warp::leave(const Inst &inst, uint32_t lanes) {
  Fragment &fragment = *running;
  Frame *frame = fragment.frame;
  const Function &function = *frame->function;
  // Joins inside the function are not reached any more.
  int32_t outer = fragment.join;
  while (outer >= 0 && joins[outer].frame == frame)
    outer = joins[outer].parent;
  leaveJoins(fragment.join, outer, lanes);
  fragment.mask &= ~lanes;
  if (fragment.mask)
    ++fragment.pc;
  for (Frame::Return &way : frame->returns) {
    uint32_t some = way.lanes & lanes;
    if (!some)
      continue;
    if (way.pc == kNoPc)
      return fault(inst, llvm::countr_zero(some), "call",
                   "expected '" + function.name +
                       "' not to return, as its .noreturn says");
    const CallSite &site = cta.grid.kernel.callSites[way.site];
    for (uint32_t rest = some; rest; rest &= rest - 1) {
      unsigned lane = llvm::countr_zero(rest);
      for (size_t n = 0; n < site.results.size(); ++n)
        if (!passValue(inst, *frame, returnedValue(function, site, n),
                       *way.caller, site.results[n], lane))
          return Step::Fault;
      localTop[lane] = frame->savedTop[lane];
    }
    Fragment back;
    back.pc = way.pc;
    back.mask = some;
    back.frame = way.caller;
    back.join = outer;
    way.lanes &= ~some;
    if (fragment.mask)
      fragments.push_back(back);
    else
      fragment = back;
  }
  frame->lanes &= ~lanes;
  if (!frame->lanes)
    recycle(frame);
  registers = fragment.frame->registers.get();
  return Step::Moved;
}
