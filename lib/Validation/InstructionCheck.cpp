//===- InstructionCheck.cpp - registered instructions by running ----------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TIRx/Validation/InstructionCheck.h"
#include "CheckKernels.h"
#include "TIRx/Conversion/TIRxToNVVM/InstructionModels.h"
#include "TIRx/PTX/Parser.h"
#include "TIRx/PTX/Table.h"
#include "TIRx/Simulator/Simulator.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringExtras.h"
#include <random>

using namespace mlir;

namespace tirx {

static constexpr int64_t kBlocks = 8;
static constexpr int64_t kThreads = kBlocks * kCheckThreads;

//===----------------------------------------------------------------------===//
// What can be checked
//===----------------------------------------------------------------------===//

/// Whether one thread alone, with its own memory, shows what it does.
static bool isCheckable(InstructionOp op) {
  if (op.getConvergent() || op.getOrders())
    return false;
  if (op.getEffectList())
    for (auto effect : op.getEffectList()->getAsRange<EffectAttr>())
      if (effect.getProxy() != EffectProxy::Generic ||
          effect.getBytes() > (1 << 16))
        return false;
  return llvm::all_of(op.getInstructionOperands(), [](OperandAttr operand) {
    auto pointer = dyn_cast<LLVM::LLVMPointerType>(operand.getType());
    return !pointer || pointer.getAddressSpace() <= 1;
  });
}

namespace {
enum class Text { Known, Unknown, Wrong };
} // namespace

/// Whether the PTX of the check kernels consists of instructions of the table.
/// `why` says what is wrong with it.
static Text classify(StringRef ptx, std::string &why) {
  ptx::Diagnostics diagnostics;
  diagnostics.setFile("text");
  std::unique_ptr<ptx::Module> module =
      ptx::parseModule(ptx, "text", diagnostics);
  if (!module) {
    why = diagnostics.all().front().message;
    return Text::Wrong;
  }
  bool isRight = ptx::resolveModule(*module, diagnostics);
  for (const ptx::Instruction *instruction : module->instructions) {
    if (instruction->resolved)
      continue;
    llvm::Expected<ptx::ResolvedInstruction> known =
        ptx::resolve(instruction->opcode);
    if (!known) { // else it is known, and its operands are wrong
      llvm::consumeError(known.takeError());
      return Text::Unknown;
    }
  }
  if (isRight)
    return Text::Known;
  why = diagnostics.all().front().message;
  return Text::Wrong;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

using Words = std::vector<uint64_t>;

static const llvm::fltSemantics *semanticsOf(Type type) {
  auto floating = dyn_cast<FloatType>(type);
  return floating ? &floating.getFloatSemantics() : nullptr;
}

/// Corner values half of the time, random bits else.
static uint64_t randomRegister(std::mt19937_64 &random, Type type) {
  unsigned bits = type.getIntOrFloatBitWidth();
  uint64_t mask = bits == 64 ? ~uint64_t(0) : (uint64_t(1) << bits) - 1;
  if (random() & 1)
    return random() & mask;
  if (const llvm::fltSemantics *semantics = semanticsOf(type)) {
    static constexpr double corners[] = {0.0, -0.0, 1.0,  -1.5,
                                         0.1, 3e38, 1e-40};
    uint64_t pick = random() % (std::size(corners) + 3);
    llvm::APFloat value(*semantics);
    if (pick < std::size(corners)) {
      bool lost;
      value = llvm::APFloat(corners[pick]);
      value.convert(*semantics, llvm::APFloat::rmNearestTiesToEven, &lost);
    } else {
      pick -= std::size(corners);
      value = pick == 0   ? llvm::APFloat::getInf(*semantics)
              : pick == 1 ? llvm::APFloat::getInf(*semantics, true)
                          : llvm::APFloat::getNaN(*semantics);
    }
    return value.bitcastToAPInt().getZExtValue();
  }
  const uint64_t corners[] = {
      0, 1, 2, mask, mask - 1, mask >> 1, (mask >> 1) + 1, bits - 1};
  return corners[random() % std::size(corners)] & mask;
}

/// Equal bits, or two numbers of a float type that are both none.
static bool isSame(uint64_t a, uint64_t b, Type type) {
  if (a == b)
    return true;
  const llvm::fltSemantics *semantics = semanticsOf(type);
  if (!semantics)
    return false;
  unsigned bits = type.getIntOrFloatBitWidth();
  return llvm::APFloat(*semantics, llvm::APInt(bits, a)).isNaN() &&
         llvm::APFloat(*semantics, llvm::APInt(bits, b)).isNaN();
}

static std::string formatWords(llvm::ArrayRef<uint64_t> words) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleaveComma(
      words, os, [&](uint64_t word) { os << llvm::format_hex(word, 1); });
  return "(" + text + ")";
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

namespace {
/// Outputs and memory after a run, or what went wrong.
struct Outcome {
  Words outputs;
  std::vector<uint8_t> memory;
  std::string problem;
};
} // namespace

static llvm::Expected<sim::Allocation *> place(sim::GlobalMemory &memory,
                                               StringRef name, const void *data,
                                               size_t bytes) {
  auto allocation = memory.allocate(name, std::max<size_t>(bytes, 8));
  if (!allocation)
    return allocation.takeError();
  std::memcpy((*allocation)->store.data(), data, bytes);
  (*allocation)->store.markWritten(0, bytes);
  return *allocation;
}

static Outcome run(const sim::Module &module, StringRef entry,
                   const CheckShape &shape, const Words &inputs,
                   const std::vector<uint8_t> &memory) {
  sim::Simulator simulator;
  Outcome outcome;
  outcome.outputs.assign(kThreads * shape.outputs.size(), 0);
  auto fail = [&](llvm::Error error) {
    outcome.problem = llvm::toString(std::move(error));
    return outcome;
  };
  sim::LaunchParameters launch;
  launch.entry = entry.str();
  launch.grid = {unsigned(kBlocks), 1, 1};
  launch.block = {unsigned(kCheckThreads), 1, 1};
  sim::Allocation *places[3];
  const void *data[] = {inputs.data(), outcome.outputs.data(), memory.data()};
  const size_t sizes[] = {inputs.size() * 8, outcome.outputs.size() * 8,
                          memory.size()};
  for (unsigned i = 0; i < 3; ++i) {
    auto allocation = place(simulator.getMemory(), "buffer", data[i], sizes[i]);
    if (!allocation)
      return fail(allocation.takeError());
    places[i] = *allocation;
    for (unsigned byte = 0; byte < 8; ++byte)
      launch.arguments.push_back(places[i]->base >> (8 * byte));
  }
  if (llvm::Error error = simulator.launch(module, launch))
    return fail(std::move(error));
  for (const sim::Report &report : simulator.getLog().getReports())
    if (report.severity == sim::Severity::Error) {
      outcome.problem = report.message;
      return outcome;
    }
  std::memcpy(outcome.outputs.data(), places[1]->store.data(), sizes[1]);
  outcome.memory.assign(places[2]->store.data(),
                        places[2]->store.data() + sizes[2]);
  return outcome;
}

/// The first thread in which text and body differ, in words; empty for none.
static std::string compare(const CheckShape &shape, const Words &inputs,
                           const Outcome &text, const Outcome &body) {
  size_t numIn = shape.inputs.size(), numOut = shape.outputs.size();
  size_t bytes = shape.pointers * shape.memoryBytes;
  for (int64_t thread = 0; thread < kThreads; ++thread) {
    llvm::ArrayRef<uint64_t> in(inputs.data() + thread * numIn, numIn);
    llvm::ArrayRef<uint64_t> a(text.outputs.data() + thread * numOut, numOut);
    llvm::ArrayRef<uint64_t> b(body.outputs.data() + thread * numOut, numOut);
    for (size_t i = 0; i < numOut; ++i)
      if (!isSame(a[i], b[i], shape.outputs[i]))
        return "for the registers " + formatWords(in) + " the text gives " +
               formatWords(a) + " and the body " + formatWords(b);
    for (size_t i = thread * bytes; i < (thread + 1) * bytes; ++i)
      if (text.memory[i] != body.memory[i])
        return "for the registers " + formatWords(in) +
               " they leave different memory, first in byte " +
               std::to_string(i % shape.memoryBytes) + " of pointer " +
               std::to_string(i % bytes / shape.memoryBytes);
  }
  return "";
}

static LogicalResult checkByRunning(InstructionOp op, StringRef ptx) {
  auto module = sim::Module::load(ptx, "check.ptx");
  if (!module) // no model of the instruction: nothing to hold it against
    return llvm::consumeError(module.takeError()), success();
  CheckShape shape = getCheckShape(op);
  std::mt19937_64 random(0);
  Words inputs;
  for (int64_t thread = 0; thread < kThreads; ++thread)
    for (Type type : shape.inputs)
      inputs.push_back(randomRegister(random, type));
  std::vector<uint8_t> memory(kThreads * shape.pointers * shape.memoryBytes);
  for (uint8_t &byte : memory)
    byte = random();
  auto entry = (*module)->findKernel(kTextEntry);
  if (!entry)
    return llvm::consumeError(entry.takeError()), success();
  Outcome text = run(**module, kTextEntry, shape, inputs, memory);
  Outcome body = run(**module, kBodyEntry, shape, inputs, memory);
  std::string difference =
      !text.problem.empty()   ? "running the text: " + text.problem
      : !body.problem.empty() ? "running the body: " + body.problem
                              : compare(shape, inputs, text, body);
  if (difference.empty())
    return success();
  return op.emitOpError("expected the body to compute what the text does, but ")
         << difference;
}

//===----------------------------------------------------------------------===//
// Models
//===----------------------------------------------------------------------===//

static FailureOr<std::string> emitModels(ArrayRef<InstructionOp> instructions,
                                         const TargetInfo &target) {
  if (instructions.empty())
    return std::string();
  Operation *first = instructions.front();
  OwningOpRef<ModuleOp> module = ModuleOp::create(first->getLoc());
  OpBuilder builder(first->getContext());
  builder.setInsertionPointToStart(module->getBody());
  auto gpuModule = gpu::GPUModuleOp::create(builder, first->getLoc(), "models");
  builder.setInsertionPointToStart(gpuModule.getBody());
  std::string pragmas;
  for (auto [i, op] : llvm::enumerate(instructions)) {
    std::string name = "tirx_model_" + std::to_string(i);
    createInstructionModel(builder, op, name);
    pragmas += ".pragma \"tirx.instruction " +
               describeInstructionModel(op, name) + "\";\n";
  }
  llvm::Expected<std::string> ptx = compileToPTX(*module, target);
  if (!ptx)
    return first->emitOpError(llvm::toString(ptx.takeError()));
  return *ptx + pragmas;
}

/// Immediates to try: all operands the same. One round where there are none.
static SmallVector<int64_t> immediatesToTry(InstructionOp op) {
  bool hasImmediate =
      llvm::any_of(op.getInstructionOperands(), [](OperandAttr operand) {
        return operand.getRole() == OperandRole::Imm;
      });
  return hasImmediate ? SmallVector<int64_t>{0, 1, 5} : SmallVector<int64_t>{0};
}

/// Sets `isKnown` to whether the text is PTX of the table.
static LogicalResult checkInstruction(InstructionOp op,
                                      const TargetInfo &target, bool &isKnown) {
  unsigned numImmediates =
      llvm::count_if(op.getInstructionOperands(), [](OperandAttr operand) {
        return operand.getRole() == OperandRole::Imm;
      });
  for (int64_t immediate : immediatesToTry(op)) {
    SmallVector<int64_t> immediates(numImmediates, immediate);
    auto module = createCheckKernels(op, immediates);
    llvm::Expected<std::string> ptx = compileToPTX(*module, target);
    if (!ptx)
      return op.emitOpError(llvm::toString(ptx.takeError()));
    std::string why;
    Text text = classify(*ptx, why);
    // An immediate out of the instruction's range is not the author's fault.
    if (text == Text::Wrong && numImmediates && immediate != 0)
      continue;
    if (text == Text::Wrong)
      return op.emitOpError("expected a text that is PTX: ") << why;
    isKnown = text == Text::Known;
    if (!isKnown)
      return success();
    if (isCheckable(op) && failed(checkByRunning(op, *ptx)))
      return failure();
  }
  return success();
}

FailureOr<std::string> checkInstructions(Operation *root,
                                         const TargetInfo &target) {
  SmallVector<InstructionOp> instructions, unknown;
  root->walk([&](InstructionOp op) { instructions.push_back(op); });
  for (InstructionOp op : instructions) {
    bool isKnown = false;
    if (failed(checkInstruction(op, target, isKnown)))
      return failure();
    if (!isKnown)
      unknown.push_back(op);
  }
  return emitModels(unknown, target);
}

} // namespace tirx
