//===- Call.cpp - call, ret and the stack ---------------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Builtins.h"
#include "Decoder.h"
#include "Exec.h"
#include "FunctionDecoder.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tirx::sim;
namespace ptx = tirx::ptx;
using OperandKind = ptx::Operand::Kind;

Step tirx::sim::endThread(Warp &w, const Inst & /*i*/, uint32_t mask) {
  return endLanes(w, mask);
}

Step tirx::sim::endCall(Warp &w, const Inst &i, uint32_t mask) {
  return w.leave(i, mask);
}

//===----------------------------------------------------------------------===//
// Execution
//===----------------------------------------------------------------------===//

Step tirx::sim::callDirect(Warp &w, const Inst &i, uint32_t /*mask*/) {
  const Kernel &kernel = w.cta.grid.kernel;
  const CallSite &site = kernel.callSites[i.imm];
  return w.enter(i, site, kernel.functions[site.callee]);
}

/// Why a function cannot be called from there, or "".
static std::string checkPrototype(const CallSite &site,
                                  const Function &callee) {
  auto fits = [](const CallValue &a, const CallValue &b) {
    return a.bytes == b.bytes ||
           (a.isRegister && a.bytes <= 4 && b.bytes <= 4) ||
           (b.isRegister && a.bytes <= 4 && b.bytes <= 4);
  };
  auto check = [&](llvm::StringRef what, llvm::ArrayRef<CallValue> formal,
                   llvm::ArrayRef<CallValue> actual) -> std::string {
    if (formal.size() != actual.size())
      return llvm::formatv("expected {0} {1}s for '{2}', got {3}",
                           formal.size(), what, callee.name, actual.size())
          .str();
    for (size_t n = 0; n < formal.size(); ++n)
      if (!fits(formal[n], actual[n]))
        return llvm::formatv("expected {0} bytes for {1} {2} of '{3}', got {4}",
                             formal[n].bytes, what, n + 1, callee.name,
                             actual[n].bytes)
            .str();
    return "";
  };
  std::string problem = check("argument", callee.parameters, site.arguments);
  return problem.empty() ? check("result", callee.returns, site.results)
                         : problem;
}

/// op[0]: the address of the function, which may differ between lanes.
static Step callIndirect(Warp &w, const Inst &i, uint32_t mask) {
  const Kernel &kernel = w.cta.grid.kernel;
  const CallSite &site = kernel.callSites[i.imm];
  unsigned first = llvm::countr_zero(mask);
  uint64_t address = readLane(w, i, 0, first);
  uint32_t away = 0;
  forLanes(mask, [&](unsigned l) {
    away |= uint32_t(readLane(w, i, 0, l) != address) << l;
  });
  if (away) {
    // Each function gets its lanes; all meet again after the call.
    Fragment &fragment = w.fragment();
    w.split(fragment, away, fragment.pc,
            site.noReturn ? kNoPc : fragment.pc + 1);
    return Step::Again;
  }
  // Not every number may be looked up in a DenseMap.
  bool isFunction = address - kFunctionBase < 256 * kFunctionSpan;
  auto it =
      isFunction ? kernel.functionAt.find(address) : kernel.functionAt.end();
  if (it == kernel.functionAt.end() || kernel.functions[it->second].isKernel)
    return w.fault(i, first, "call",
                   llvm::formatv("expected the address of a function of this "
                                 "module, got {0:x}",
                                 address)
                       .str());
  const Function &callee = kernel.functions[it->second];
  if (std::string problem = checkPrototype(site, callee); !problem.empty())
    return w.fault(i, first, "call", problem);
  return w.enter(i, site, callee);
}

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

namespace {

/// `call (results), callee, (arguments), prototype`, taken apart.
struct CallOperands {
  llvm::ArrayRef<ptx::Operand> results, arguments;
  const ptx::Operand *callee = nullptr;
  const ptx::Label *prototype = nullptr;
};

struct Signature {
  llvm::ArrayRef<const ptx::Variable *> params, returns;
  bool noReturn = false;
};

} // namespace

/// A list of one may stand without parentheses.
static llvm::ArrayRef<ptx::Operand> listOf(const ptx::Operand &operand) {
  return operand.is(OperandKind::List) ? operand.elements
                                       : llvm::ArrayRef(operand);
}

static CallOperands takeApart(llvm::ArrayRef<ptx::Operand> operands) {
  CallOperands parts;
  size_t n = 0;
  if (n < operands.size() && operands[n].is(OperandKind::List))
    parts.results = operands[n++].elements;
  if (n < operands.size())
    parts.callee = &operands[n++];
  if (n < operands.size() && !operands[n].is(OperandKind::Label))
    parts.arguments = listOf(operands[n++]);
  if (n < operands.size() && operands[n].is(OperandKind::Label))
    parts.prototype = operands[n].label;
  return parts;
}

static Signature signatureOf(const ptx::Function &function) {
  return {function.params, function.returns,
          function.findDirective("noreturn") != nullptr};
}

/// That of an indirect call: its prototype, or the functions that it lists.
static std::optional<Signature> signatureOf(const ptx::Label *label) {
  if (!label)
    return std::nullopt;
  if (label->role == ptx::Label::Role::CallPrototype) {
    Signature signature{label->params, label->returns};
    for (const ptx::FunctionDirective &directive : label->directives)
      signature.noReturn |= directive.name == "noreturn";
    return signature;
  }
  if (label->role != ptx::Label::Role::CallTargets || label->targets.empty() ||
      !label->targets.front().is(OperandKind::Function))
    return std::nullopt;
  return signatureOf(*label->targets.front().callee);
}

static unsigned bytesOf(const ptx::Variable &variable) {
  return variable.space == ptx::StateSpace::Reg ? ptx::byteSize(variable.type)
                                                : variable.sizeInBytes();
}

CallValue InstDecoder::callValue(const ptx::Operand &op,
                                 const ptx::Variable &formal, bool isResult) {
  CallValue value;
  bool isMemory =
      op.is(Kind::Symbol) && op.variable->space == ptx::StateSpace::Param;
  if (isMemory && !function.isKernelParameter(*op.variable)) {
    value.offset = function.localOffset(*op.variable);
    value.bytes = op.variable->sizeInBytes();
    if (value.bytes != bytesOf(formal) || op.value)
      fail(
          llvm::formatv("expected a variable of {0} bytes for '{1}', got '{2}' "
                        "of {3}",
                        bytesOf(formal), formal.name, op.name, value.bytes)
              .str());
    return value;
  }
  value.isRegister = true;
  bool isPredicate = formal.type == ptx::ScalarType::pred;
  value.bits = std::max(ptx::bitWidth(formal.type), isPredicate ? 1u : 32u);
  value.bytes = ptx::byteSize(formal.type);
  Type type = isPredicate         ? Type::Pred
              : value.bits == 128 ? Type::B128
              : value.bits == 64  ? Type::B64
                                  : Type::B32;
  bool isSink = op.is(Kind::Sink), isWritable = isSink || op.is(Kind::Register);
  if (formal.isArray() || formal.vectorWidth > 1 || (isResult && !isWritable)) {
    fail("expected a variable in .param space for '" + formal.name + "'");
    return value;
  }
  bool wide;
  value.slot = isSink        ? scratch(type)
               : isPredicate ? predicate(op, isResult)
                             : source(op, type, false, wide);
  return value;
}

static void decodeValues(InstDecoder &d, const char *what,
                         llvm::ArrayRef<ptx::Operand> actual,
                         llvm::ArrayRef<const ptx::Variable *> formal,
                         bool isResult, std::vector<CallValue> &values) {
  if (actual.size() != formal.size())
    return d.fail(llvm::formatv("expected {0} {1}, got {2}", formal.size(),
                                what, actual.size())
                      .str());
  for (size_t n = 0; n < actual.size() && !d.failed(); ++n)
    values.push_back(d.callValue(actual[n], *formal[n], isResult));
}

static void decodeCall(InstDecoder &d, Inst &i) {
  d.accept("uni");
  CallOperands parts = takeApart(d.ast().operands);
  if (!parts.callee)
    return d.fail("expected a function");
  std::optional<Signature> signature;
  CallSite site;
  if (parts.callee->is(OperandKind::Function)) {
    const ptx::Function *body = d.reach(*parts.callee->callee, site.callee);
    if (!body)
      return;
    signature = signatureOf(*body);
    signature->noReturn |= signatureOf(*parts.callee->callee).noReturn;
    i.fn = callDirect;
  } else if (parts.callee->is(OperandKind::Register)) {
    signature = signatureOf(parts.prototype);
    if (!signature)
      return d.fail("expected a .callprototype or .calltargets with functions "
                    "for an indirect call");
    d.reachInitialisers();
    d.address(i, 0, *parts.callee);
    i.fn = callIndirect;
  } else {
    return d.fail("expected a function, got '" + parts.callee->name + "'");
  }
  decodeValues(d, "arguments", parts.arguments, signature->params, false,
               site.arguments);
  decodeValues(d, "results", parts.results, signature->returns, true,
               site.results);
  site.noReturn = signature->noReturn;
  if (site.noReturn)
    d.setFlow(Flow::Ends);
  i.splitsOnGuard = true;
  i.imm = d.addCallSite(std::move(site));
}

void tirx::sim::addCallModels(ModelTable &table) {
  table["call"] = decodeCall;
  table["exit"] = [](InstDecoder &d, Inst &i) {
    i.fn = endThread;
    d.setFlow(Flow::Ends);
  };
  table["ret"] = [](InstDecoder &d, Inst &i) {
    i.fn = d.inKernel() ? endThread : endCall;
    d.setFlow(Flow::Ends);
  };
}
