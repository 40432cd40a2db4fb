//===- SampleOps.cpp - tirx.ptx ops for sampled instructions --------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SampleOps.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace tirx::ptx;

namespace {
/// The values and types of an op, and the constants that it needs.
class Op {
public:
  Op(const ResolvedInstruction &inst, const SampleTarget &target,
     std::mt19937 &random)
      : inst(inst), target(target), random(random) {}
  std::string kernel(unsigned number);

private:
  void add(const OperandSpec &operand);
  void read(StringRef type);
  void readConstant(const OperandSpec &operand);
  std::string typeOf(const OperandSpec &operand);

  const ResolvedInstruction &inst;
  const SampleTarget &target;
  std::mt19937 &random;
  std::string constants;
  SmallVector<std::string> inputs, inputTypes, resultTypes;
};
} // namespace

/// How a value of this type is called in every kernel.
static std::string valueOf(StringRef type) { return ("%" + type).str(); }

void Op::read(StringRef type) {
  inputs.push_back(valueOf(type));
  inputTypes.push_back(type.str());
}

void Op::readConstant(const OperandSpec &operand) {
  std::string name = "%c" + std::to_string(inputs.size());
  std::string type =
      "i" + std::to_string(std::max(16u, bitWidth(operand.type)));
  constants += name + " = arith.constant " + immediate(inst, operand.name) +
               " : " + type + " ";
  inputs.push_back(name);
  inputTypes.push_back(type);
}

std::string Op::typeOf(const OperandSpec &operand) {
  bool asFloat = random() % 2;
  switch (bitWidth(operand.type)) {
  case 0:
    return "i64";
  case 1:
    return "i1";
  case 32:
    return asFloat && operand.type == Token::f32 ? "f32" : "i32";
  case 64:
    return asFloat && operand.type == Token::f64 ? "f64" : "i64";
  case 128:
    return "i128";
  default:
    return bitWidth(operand.type) == 8 && isFloat(operand.type) ? "i8" : "i16";
  }
}

void Op::add(const OperandSpec &operand) {
  switch (operand.kind) {
  case OperandKind::Immediate:
    return readConstant(operand);
  case OperandKind::Address: {
    bool isTmem = operand.name.starts_with("scale_");
    for (const EffectInfo &effect : inst.form().effects)
      isTmem |= effect.operand == operand.name && effect.space == Token::tmem;
    return read(isTmem ? "i32" : "i64");
  }
  case OperandKind::TensorAddress:
    read("i64");
    for (unsigned i = tensorCount(inst, operand.name); i; --i)
      read("i32");
    return;
  case OperandKind::DescriptorOrAddress:
    return read(inst.has("ashift") || random() % 2 ? "i32" : "i64");
  case OperandKind::PredicatePair:
    resultTypes.push_back(operand.type == Token::none ? "i1" : typeOf(operand));
    resultTypes.push_back("i1");
    return;
  default:
    break;
  }
  if (operand.onlySink)
    return;
  std::string type = typeOf(operand);
  unsigned lanes = std::max(1u, operand.lanes);
  if (operand.name == "offsets") {
    type = "i16";
    lanes = tensorCount(inst, operand.name);
  }
  for (unsigned i = 0; i != lanes; ++i) {
    if (operand.access != Access::Write)
      read(type);
    if (operand.access != Access::Read)
      resultTypes.push_back(type);
  }
}

std::string Op::kernel(unsigned number) {
  bool inRegisters = isWgmma(inst) && random() % 2;
  std::optional<StringRef> chosen = chooseOptional(inst, target, random);
  for (const OperandSpec &operand : operands(inst))
    if (isWgmma(inst) && operand.name == "a")
      for (unsigned i = inRegisters ? 4 : 1; i; --i)
        read(inRegisters ? "i32" : "i64");
    else if (isWritten(operand, inRegisters, chosen))
      add(operand);
  std::string results, stores;
  // Pure instructions without a use would go.
  for (auto [i, type] : enumerate(resultTypes))
    stores += "llvm.store volatile %r#" + std::to_string(i) + ", %p : " + type +
              ", !llvm.ptr<1> ";
  if (!resultTypes.empty())
    results = "%r:" + std::to_string(resultTypes.size()) + " = ";
  return "gpu.func @k" + std::to_string(number) +
         "(%i8: i8, %i16: i16, %i32: i32, %i64: i64, %f32: f32, %f64: f64, "
         "%p: !llvm.ptr<1>) "
         "kernel attributes {known_block_size = array<i32: 128, 1, 1>} { "
         "%i1 = arith.trunci %i8 : i8 to i1 "
         "%i128 = arith.extui %i64 : i64 to i128 " +
         constants + results + "tirx.ptx \"" + print(inst) + "\"(" +
         join(inputs, ", ") + ") : (" + join(inputTypes, ", ") + ") -> (" +
         join(resultTypes, ", ") + ") " + stores + "gpu.return } // " +
         print(inst) + "\n";
}

bool tirx::ptx::isOp(const ResolvedInstruction &inst) {
  return isSampled(inst) && llvm::none_of(operands(inst), [](auto &operand) {
           return (operand.kind == OperandKind::Label ||
                   operand.kind == OperandKind::Symbol) &&
                  !operand.optional;
         });
}

std::string tirx::ptx::kernelWithOp(const ResolvedInstruction &inst,
                                    unsigned number, const SampleTarget &target,
                                    std::mt19937 &random) {
  return Op(inst, target, random).kernel(number);
}
