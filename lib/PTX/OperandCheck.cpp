//===- OperandCheck.cpp - operands against the table ----------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// As strict as ptxas where a mistake would give wrong values: widths, integers
// against floats, what may be written. The rules of types are PTX ISA 9.4
// ("Type information for instructions and operands").
//
//===----------------------------------------------------------------------===//

#include "OperandCheck.h"
#include "TIRx/PTX/Parser.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

using namespace tirx::ptx;
using llvm::ArrayRef;
using llvm::StringRef;
using llvm::Twine;

using Kind = Operand::Kind;

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

namespace {
enum class TypeClass { Bits, Integer, Float };
} // namespace

static TypeClass classOf(ScalarType type) {
  if (type >= ScalarType::u8 && type <= ScalarType::s64)
    return TypeClass::Integer;
  if (type >= ScalarType::f16 && type <= ScalarType::f64)
    return TypeClass::Float;
  return TypeClass::Bits;
}

static TypeClass classOf(Token type) {
  if (isFloat(type))
    return TypeClass::Float;
  return isSignedInteger(type) || isUnsignedInteger(type) ? TypeClass::Integer
                                                          : TypeClass::Bits;
}

/// Untyped bits agree with everything, a float not with an integer.
static bool agree(TypeClass a, TypeClass b) {
  return a == b || a == TypeClass::Bits || b == TypeClass::Bits;
}

static std::string describe(Token type) {
  if (type == Token::none)
    return "";
  return (" of type ." + spelling(type) + " (" + Twine(bitWidth(type)) +
          (bitWidth(type) == 1 ? " bit)" : " bits)"))
      .str();
}

/// "register '%r1' of type .b32".
static std::string describe(const Operand &operand) {
  switch (operand.kind) {
  case Kind::Register:
    return ("register '" + operand.name +
            (operand.suffix.empty() ? "" : "." + operand.suffix) +
            "' of type ." + spelling(operand.variable->type))
        .str();
  case Kind::Special:
    return ("the special register '" + operand.name + "'").str();
  case Kind::Symbol:
    return ("the address of '" + operand.name + "'").str();
  case Kind::Function:
    return ("function '" + operand.name + "'").str();
  case Kind::Label:
    return ("label '" + operand.name + "'").str();
  case Kind::Integer:
    return "the integer " + std::to_string(operand.value);
  case Kind::Float:
    return "a float of " + std::to_string(operand.floatBits) + " bits";
  case Kind::Address:
    return "an address in brackets";
  case Kind::Vector:
    return std::to_string(operand.elements.size()) + " operands in braces";
  case Kind::Pair:
    return "a pair";
  case Kind::List:
    return "a list in parentheses";
  case Kind::Sink:
    return "'_'";
  }
  return "";
}

/// The parts that may be named after a register.
static StringRef partsOf(PartRule rule) {
  switch (rule) {
  case PartRule::None:
    break;
  case PartRule::HalfMask:
    return "'.h0', '.h1' or '.h10'";
  case PartRule::HalfSelector:
    return "'.hXY' with X and Y from 0 to 3";
  case PartRule::ByteMask:
    return "'.b' and digits from 3 down to 0";
  case PartRule::ByteSelector:
    return "'.bXYZW' with digits from 0 to 7";
  }
  return "";
}

//===----------------------------------------------------------------------===//
// One operand
//===----------------------------------------------------------------------===//

namespace {

class Checker {
public:
  Checker(const Instruction &instruction, const ResolvedInstruction &resolved,
          ArrayRef<OperandSpec> specs, unsigned addressSize)
      : instruction(instruction), specs(specs), addressSize(addressSize),
        mnemonic(resolved.info().mnemonic),
        isWide(mnemonic == "ld" || mnemonic == "st" || mnemonic == "cvt" ||
               mnemonic == "ldu"),
        isMove(mnemonic == "mov" || mnemonic == "cvta"),
        space(resolved.get(Mod::space)) {}

  OperandProblem run();
  /// After a run without a problem: the spec that each operand was given.
  ArrayRef<unsigned> matches() const { return matched; }

private:
  OperandProblem match(size_t spec, size_t operand);
  OperandProblem check(const OperandSpec &spec, const Operand &operand);
  OperandProblem checkCount() const;
  OperandProblem checkLanes(const OperandSpec &spec, const Operand &operand);
  OperandProblem checkScalar(const OperandSpec &spec, const Operand &operand,
                             Token type, bool sinkAllowed);
  OperandProblem checkRegister(const OperandSpec &spec, const Operand &operand,
                               Token type);
  OperandProblem checkPredicate(const OperandSpec &spec,
                                const Operand &operand);
  OperandProblem checkPair(const OperandSpec &spec, const Operand &operand);
  OperandProblem checkAddress(const OperandSpec &spec, const Operand &operand);
  OperandProblem checkTensorAddress(const OperandSpec &spec,
                                    const Operand &operand);
  OperandProblem fail(const OperandSpec &spec, const Operand &operand,
                      const Twine &what) const;

  const Instruction &instruction;
  ArrayRef<OperandSpec> specs;
  unsigned addressSize;
  StringRef mnemonic;
  /// Registers may be wider than the type (PTX ISA 9.4.1).
  bool isWide;
  /// Special registers and addresses of variables are legal sources.
  bool isMove;
  Token space;
  llvm::SmallVector<unsigned, 8> matched;
};

} // namespace

OperandProblem Checker::fail(const OperandSpec &spec, const Operand &operand,
                             const Twine &what) const {
  return {("operand '" + spec.name + "' of '" + instruction.opcode +
           "': expected " + what + ", got " + describe(operand))
              .str(),
          operand.loc};
}

OperandProblem Checker::checkRegister(const OperandSpec &spec,
                                      const Operand &operand, Token type) {
  auto wanted = [&] { return "a register" + describe(type); };
  bool isRead = spec.access != Access::Write;
  if (operand.kind != Kind::Register)
    return fail(spec, operand,
                isRead ? "a register or a constant" + describe(type)
                       : wanted());
  const Variable &variable = *operand.variable;
  if (variable.vectorWidth > 1 && operand.suffix.empty())
    return fail(spec, operand, wanted() + " and not a vector");
  if (!operand.suffix.empty() && variable.vectorWidth <= 1 &&
      !isPartSuffix(spec.parts, operand.suffix))
    return fail(spec, operand,
                spec.parts == PartRule::None
                    ? Twine("a register without a component")
                    : Twine(partsOf(spec.parts)) + " after the register");
  if (operand.value && (!isRead || classOf(variable.type) == TypeClass::Float))
    return fail(spec, operand, "a register without an offset");
  if (operand.negated && !(isRead && variable.type == ScalarType::pred))
    return fail(spec, operand, "a register without a sign");
  if (type == Token::none)
    return {};
  unsigned have = bitWidth(variable.type), want = bitWidth(type);
  bool isPredicate = variable.type == ScalarType::pred;
  // A wider float register would need a conversion.
  bool areFloats = classOf(variable.type) == TypeClass::Float && isFloat(type);
  bool widthFits = have == want || (isWide && have > want && !areFloats);
  if (isPredicate != (type == Token::pred) || !widthFits ||
      !agree(classOf(variable.type), classOf(type)))
    return fail(spec, operand, wanted());
  return {};
}

/// A register, or for a source also a constant and what `mov` takes.
OperandProblem Checker::checkScalar(const OperandSpec &spec,
                                    const Operand &operand, Token type,
                                    bool sinkAllowed) {
  if (operand.kind == Kind::Sink)
    return sinkAllowed ? OperandProblem() : fail(spec, operand, "a register");
  bool isSource =
      spec.access == Access::Read && spec.kind != OperandKind::Register;
  if (!isSource)
    return checkRegister(spec, operand, type);

  auto wanted = [&] { return "a register or a constant" + describe(type); };
  switch (operand.kind) {
  case Kind::Integer:
    return classOf(type) == TypeClass::Float ? fail(spec, operand, wanted())
                                             : OperandProblem();
  case Kind::Float: {
    bool fits = type == Token::none || isFloat(type) ||
                (classOf(type) == TypeClass::Bits &&
                 operand.floatBits == bitWidth(type));
    return fits ? OperandProblem() : fail(spec, operand, wanted());
  }
  case Kind::Special:
  case Kind::Symbol:
  case Kind::Function:
    return isMove ? OperandProblem() : fail(spec, operand, wanted());
  default:
    return checkRegister(spec, operand, type);
  }
}

/// Several registers in braces, one variable that is a vector, or one register.
OperandProblem Checker::checkLanes(const OperandSpec &spec,
                                   const Operand &operand) {
  bool isVectorVariable = operand.kind == Kind::Register &&
                          operand.variable->vectorWidth > 1 &&
                          operand.suffix.empty();
  if (isVectorVariable) {
    if (spec.lanes && operand.variable->vectorWidth != spec.lanes)
      return fail(spec, operand, Twine(spec.lanes) + " registers");
    return {};
  }
  if (operand.kind != Kind::Vector) {
    if (spec.lanes > 1)
      return fail(spec, operand, Twine(spec.lanes) + " registers in braces");
    return checkScalar(spec, operand, spec.type, spec.sink);
  }
  if (spec.lanes && operand.elements.size() != spec.lanes)
    return fail(spec, operand,
                spec.lanes == 1 ? Twine("one operand")
                                : Twine(spec.lanes) + " operands in braces");
  // Packing has no type for the elements.
  Token type = spec.lanes ? spec.type : Token::none;
  for (const Operand &element : operand.elements)
    if (OperandProblem problem =
            checkScalar(spec, element, type, spec.access == Access::Write))
      return problem;
  return {};
}

OperandProblem Checker::checkPredicate(const OperandSpec &spec,
                                       const Operand &operand) {
  if (spec.access == Access::Read && operand.kind == Kind::Integer)
    return {};
  return checkScalar(spec, operand, Token::pred, spec.sink);
}

OperandProblem Checker::checkPair(const OperandSpec &spec,
                                  const Operand &operand) {
  Token type = spec.type == Token::none ? Token::pred : spec.type;
  if (operand.kind != Kind::Pair)
    return checkScalar(spec, operand, type, spec.sink);
  if (OperandProblem problem =
          checkScalar(spec, operand.elements[0], type, spec.sink))
    return problem;
  return checkScalar(spec, operand.elements[1], Token::pred, true);
}

OperandProblem Checker::checkAddress(const OperandSpec &spec,
                                     const Operand &operand) {
  if (operand.kind != Kind::Address)
    return fail(spec, operand, "an address in brackets");
  if (operand.elements.size() != 1)
    return fail(spec, operand, "one address in brackets");
  const Operand &base = operand.base();
  if (base.kind != Kind::Register)
    return {};
  unsigned width = bitWidth(base.variable->type);
  if (classOf(base.variable->type) == TypeClass::Float || base.negated ||
      (width != 32 && width != 64) || base.variable->vectorWidth > 1)
    return fail(spec, base, "an integer register of 32 or 64 bits");
  // Only shared, local and tensor memory fit in 32 bits.
  bool isFar = space == Token::none || space == Token::global;
  bool isAccess = mnemonic == "ld" || mnemonic == "st" || mnemonic == "atom" ||
                  mnemonic == "red";
  if (isFar && isAccess && width < addressSize)
    return fail(spec, base, "a register of 64 bits");
  return {};
}

/// `[map, {x, y}]`.
OperandProblem Checker::checkTensorAddress(const OperandSpec &spec,
                                           const Operand &operand) {
  if (operand.kind != Kind::Address || operand.elements.size() != 2 ||
      operand.elements[1].kind != Kind::Vector)
    return fail(spec, operand, "[tensor map, {coordinates}]");
  const Operand &coordinates = operand.elements[1];
  if (spec.lanes && coordinates.elements.size() != spec.lanes)
    return fail(spec, coordinates, Twine(spec.lanes) + " coordinates");
  OperandSpec source = spec;
  source.kind = OperandKind::Value;
  for (const Operand &coordinate : coordinates.elements)
    if (OperandProblem problem =
            checkScalar(source, coordinate, spec.type, false))
      return problem;
  return {};
}

OperandProblem Checker::check(const OperandSpec &spec, const Operand &operand) {
  switch (spec.kind) {
  case OperandKind::Register:
  case OperandKind::Value:
    return checkLanes(spec, operand);
  case OperandKind::Immediate:
    if (operand.kind == Kind::Integer)
      if (std::string values = expectedValue(spec, operand.value);
          !values.empty())
        return fail(spec, operand, values);
    if (operand.kind == Kind::Integer ||
        (operand.kind == Kind::Float && isFloat(spec.type)))
      return {};
    return fail(spec, operand, "a constant");
  case OperandKind::Predicate:
    return checkPredicate(spec, operand);
  case OperandKind::PredicatePair:
    return checkPair(spec, operand);
  case OperandKind::Address:
    return checkAddress(spec, operand);
  case OperandKind::TensorAddress:
    return checkTensorAddress(spec, operand);
  case OperandKind::DescriptorOrAddress:
    return operand.kind == Kind::Address ? checkAddress(spec, operand)
                                         : checkScalar(spec, operand, spec.type,
                                                       /*sinkAllowed=*/false);
  case OperandKind::Label:
    if (operand.kind == Kind::Label || operand.kind == Kind::Function ||
        (operand.kind == Kind::Register && mnemonic == "call"))
      return {};
    return fail(spec, operand, "a label or a function");
  case OperandKind::Symbol:
    if (operand.kind == Kind::List || operand.kind == Kind::Symbol ||
        operand.kind == Kind::Label || operand.kind == Kind::Function ||
        operand.kind == Kind::Register)
      return {};
    return fail(spec, operand, "a name or a list of names");
  }
  return {};
}

//===----------------------------------------------------------------------===//
// All operands
//===----------------------------------------------------------------------===//

/// Gives the operands from `operand` to the specs from `spec`; an optional spec
/// takes one if that can work, else none.
OperandProblem Checker::match(size_t spec, size_t operand) {
  ArrayRef<Operand> operands = instruction.operands;
  if (spec == specs.size())
    return operand == operands.size() ? OperandProblem() : checkCount();
  OperandProblem problem;
  if (operand != operands.size()) {
    problem = check(specs[spec], operands[operand]);
    if (!problem) {
      problem = match(spec + 1, operand + 1);
      if (!problem) {
        matched[operand] = spec;
        return {};
      }
    }
  } else {
    problem = checkCount();
  }
  if (specs[spec].optional && !match(spec + 1, operand))
    return {};
  return problem;
}

OperandProblem Checker::checkCount() const {
  size_t most = specs.size();
  size_t least = llvm::count_if(
      specs, [](const OperandSpec &spec) { return !spec.optional; });
  std::string names;
  for (const OperandSpec &spec : specs) {
    names += names.empty() ? "" : ", ";
    names += spec.optional ? ("[" + spec.name + "]").str() : spec.name.str();
  }
  std::string range = std::to_string(least);
  if (least != most)
    range += " to " + std::to_string(most);
  return {("'" + instruction.opcode + "': expected " + range + " operand" +
           (most == 1 ? "" : "s") +
           (names.empty() ? std::string() : " (" + names + ")") + ", got " +
           Twine(instruction.operands.size()))
              .str(),
          instruction.loc};
}

OperandProblem Checker::run() {
  size_t count = instruction.operands.size();
  size_t least = llvm::count_if(
      specs, [](const OperandSpec &spec) { return !spec.optional; });
  if (count < least || count > specs.size())
    return checkCount();
  matched.resize(count);
  return match(0, 0);
}

OperandProblem tirx::ptx::checkOperands(const Instruction &instruction,
                                        const ResolvedInstruction &resolved,
                                        ArrayRef<OperandSpec> specs,
                                        unsigned addressSize) {
  return Checker(instruction, resolved, specs, addressSize).run();
}

llvm::SmallVector<OperandSpec, 8>
tirx::ptx::matchOperands(const Instruction &instruction, unsigned addressSize) {
  llvm::SmallVector<OperandSpec, 8> specs = operands(*instruction.resolved);
  Checker checker(instruction, *instruction.resolved, specs, addressSize);
  llvm::SmallVector<OperandSpec, 8> result;
  if (!checker.run())
    for (unsigned spec : checker.matches())
      result.push_back(specs[spec]);
  return result;
}
