//===- PtxSignature.cpp - operands and results of tirx.ptx ----------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TIRx/Dialect/TIRx/IR/PtxSignature.h"

using namespace mlir;
using namespace tirx;
using ptx::Access;
using ptx::OperandKind;
using ptx::OperandSpec;

static bool isRead(const OperandSpec &spec) {
  return spec.access != Access::Write;
}
/// What is always thrown away (`_`) has no value.
static bool isWritten(const OperandSpec &spec) {
  return spec.access != Access::Read && !spec.onlySink;
}

/// Values that the operand takes at least; one that takes any number takes one
/// or more. A tensor's address is its map and the coordinates.
static unsigned minimalCount(const OperandSpec &spec) {
  return std::max(1u, spec.lanes) +
         (spec.kind == OperandKind::TensorAddress ? 1 : 0);
}

/// A pair of predicates may leave its second half out.
static bool isFlexible(const OperandSpec &spec) {
  return spec.lanes == 0 || spec.kind == OperandKind::PredicatePair;
}

/// "d (write), a (read), 4 x b (read)".
static std::string describe(ArrayRef<OperandSpec> specs) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::ListSeparator comma;
  for (const OperandSpec &spec : specs) {
    os << comma;
    if (spec.lanes == 0)
      os << "any number of ";
    else if (minimalCount(spec) > 1)
      os << minimalCount(spec) << " x ";
    os << spec.name;
    os << (spec.onlySink                  ? " (never a value"
           : spec.access == Access::Read  ? " (read"
           : spec.access == Access::Write ? " (written"
                                          : " (read and written");
    os << (spec.optional ? ", optional)" : ")");
  }
  return text.empty() ? "no operands" : text;
}

namespace {
/// Assigns values to operands from left to right.
class Matcher {
public:
  Matcher(const ptx::ResolvedInstruction &instruction,
          ArrayRef<OperandSpec> specs, unsigned inputs, unsigned results,
          TypeRange types)
      : isWgmma(instruction.info().mnemonic.starts_with("wgmma.")),
        specs(specs), types(types), inputs(inputs), results(results) {
    for (const OperandSpec &spec : specs)
      if (!spec.optional)
        reserve(spec);
  }

  /// Whether the counts that are left allow the operand; takes its values.
  bool take(const OperandSpec &spec, PtxSignature &signature);
  bool isDone() const { return usedInputs == inputs && usedResults == results; }

private:
  /// Whether the next value is rather that of an operand that may stand
  /// instead.
  bool isInstead(const OperandSpec &spec) const {
    return llvm::any_of(specs, [&](const OperandSpec &other) {
      return !types.empty() && other.instead == spec.name &&
             !expectedType(spec, types[usedInputs], 0).empty();
    });
  }
  void reserve(const OperandSpec &spec) {
    reservedInputs += isRead(spec) ? minimalCount(spec) : 0;
    reservedResults += isWritten(spec) ? minimalCount(spec) : 0;
  }
  void release(const OperandSpec &spec) {
    reservedInputs -= isRead(spec) ? minimalCount(spec) : 0;
    reservedResults -= isWritten(spec) ? minimalCount(spec) : 0;
  }
  /// Values that no operand has and no required one behind needs.
  unsigned spareInputs() const {
    unsigned taken = usedInputs + reservedInputs;
    return inputs > taken ? inputs - taken : 0;
  }
  unsigned spareResults() const {
    unsigned taken = usedResults + reservedResults;
    return results > taken ? results - taken : 0;
  }

  bool isWgmma;
  ArrayRef<OperandSpec> specs;
  TypeRange types;
  unsigned inputs, results;
  unsigned usedInputs = 0, usedResults = 0;
  unsigned reservedInputs = 0, reservedResults = 0;
};
} // namespace

bool Matcher::take(const OperandSpec &spec, PtxSignature &signature) {
  unsigned count = minimalCount(spec);
  if (spec.optional) {
    if ((isRead(spec) && spareInputs() < count) ||
        (isWritten(spec) && spareResults() < count) || isInstead(spec))
      return true; // left out
  } else {
    release(spec);
    if ((isRead(spec) && inputs - usedInputs < count) ||
        (isWritten(spec) && results - usedResults < count))
      return false;
  }
  if (isFlexible(spec)) {
    unsigned spare = isWritten(spec) ? results - usedResults - reservedResults
                                     : inputs - usedInputs - reservedInputs;
    unsigned limit = spec.lanes == 0 ? spare : 2;
    // A of wgmma is a descriptor or four registers; the immediates behind it
    // that transpose are one or two.
    if (isWgmma)
      limit = spare >= 4 ? 4 : 1;
    count = std::max(count, std::min(spare, limit));
  }
  PtxOperand operand{spec, usedInputs, isRead(spec) ? count : 0, usedResults,
                     isWritten(spec) ? count : 0};
  usedInputs += operand.numInputs;
  usedResults += operand.numResults;
  signature.push_back(operand);
  return usedInputs <= inputs && usedResults <= results;
}

SmallVector<OperandSpec, 8> tirx::specsOf(const PtxSignature &signature) {
  SmallVector<OperandSpec, 8> result;
  for (const PtxOperand &operand : signature)
    result.push_back(operand.spec);
  return result;
}

llvm::Expected<PtxSignature>
tirx::matchSignature(const ptx::ResolvedInstruction &instruction,
                     unsigned numInputs, unsigned numResults, TypeRange types) {
  SmallVector<OperandSpec, 8> specs = ptx::operands(instruction);
  for (const OperandSpec &spec : specs)
    if ((spec.kind == OperandKind::Label || spec.kind == OperandKind::Symbol) &&
        !spec.optional)
      return llvm::createStringError(
          "expected an instruction whose operands are values, got the " +
          Twine(spec.kind == OperandKind::Label ? "label" : "symbol") +
          " operand '" + spec.name + "': write control flow with scf or cf");
  // Of all pairs `d|p`, elect.sync alone has no form without p (PTX ISA
  // 9.7.13.14).
  if (instruction.info().mnemonic == "elect" && numResults != 2)
    return llvm::createStringError(
        "expected two results, the elected lane and the predicate, got " +
        Twine(numResults));
  Matcher matcher(instruction, specs, numInputs, numResults, types);
  PtxSignature signature;
  bool fits = llvm::all_of(specs, [&](const OperandSpec &spec) {
    return matcher.take(spec, signature);
  });
  if (fits && matcher.isDone()) {
    if (llvm::Error error = ptx::checkTogether(instruction, specsOf(signature)))
      return error;
    return signature;
  }
  return llvm::createStringError("expected values for " + describe(specs) +
                                 ", got " + Twine(numInputs) + " inputs and " +
                                 Twine(numResults) + " results");
}

llvm::Expected<std::pair<ptx::ResolvedInstruction, PtxSignature>>
tirx::getSignature(PtxOp op) {
  llvm::Expected<ptx::ResolvedInstruction> instruction =
      ptx::resolve(op.getInstruction());
  if (!instruction)
    return instruction.takeError();
  llvm::Expected<PtxSignature> signature =
      matchSignature(*instruction, op.getInputs().size(),
                     op.getOutputs().size(), op.getInputs().getTypes());
  if (!signature)
    return signature.takeError();
  return std::make_pair(*instruction, *signature);
}
