//===- Constant.cpp - numbers and constant expressions --------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Constant.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/Error.h"

using namespace tirx::ptx;
using llvm::StringRef;

double Constant::toDouble() const {
  switch (kind) {
  case S64:
    return double(int64_t(bits));
  case U64:
    return double(bits);
  case F32:
    return llvm::bit_cast<float>(uint32_t(bits));
  case F64:
    break;
  }
  return llvm::bit_cast<double>(bits);
}

static Constant makeDouble(double value) {
  return {Constant::F64, llvm::bit_cast<uint64_t>(value)};
}

/// "3F800000" after 0f, sixteen digits after 0d.
static StringRef parseHexFloat(StringRef digits, bool isDouble,
                               Constant &result) {
  if (digits.size() != (isDouble ? 16 : 8))
    return isDouble ? "expected 16 hexadecimal digits after 0d"
                    : "expected 8 hexadecimal digits after 0f";
  result.kind = isDouble ? Constant::F64 : Constant::F32;
  if (digits.getAsInteger(16, result.bits))
    return "expected hexadecimal digits";
  return "";
}

static StringRef parseDecimalFloat(StringRef text, Constant &result) {
  llvm::APFloat value(llvm::APFloat::IEEEdouble());
  auto status =
      value.convertFromString(text, llvm::APFloat::rmNearestTiesToEven);
  if (!status) {
    llvm::consumeError(status.takeError());
    return "expected a number";
  }
  result = {Constant::F64, value.bitcastToAPInt().getZExtValue()};
  return "";
}

StringRef tirx::ptx::parseLiteral(StringRef text, Constant &result) {
  if (text.starts_with_insensitive("0f"))
    return parseHexFloat(text.drop_front(2), false, result);
  if (text.starts_with_insensitive("0d"))
    return parseHexFloat(text.drop_front(2), true, result);
  bool isHex = text.starts_with_insensitive("0x");
  if (!isHex && !text.starts_with_insensitive("0b") &&
      text.find_first_of(".eE") != StringRef::npos)
    return parseDecimalFloat(text, result);

  bool isUnsigned = text.consume_back("U") || text.consume_back("u");
  unsigned radix = 10;
  if (isHex)
    radix = 16;
  else if (text.starts_with_insensitive("0b"))
    radix = 2;
  else if (text.size() > 1 && text[0] == '0')
    radix = 8;
  StringRef digits = text.drop_front(radix == 16 || radix == 2 ? 2
                                     : radix == 8              ? 1
                                                               : 0);
  uint64_t bits = 0;
  if (digits.empty())
    return "expected digits";
  for (char c : digits) {
    unsigned digit = llvm::hexDigitValue(c);
    if (digit >= radix)
      return radix == 8 ? "expected octal digits after a leading 0"
                        : "expected a number";
    if (bits > (~uint64_t(0) - digit) / radix)
      return "expected a number of at most 64 bits";
    bits = bits * radix + digit;
  }
  // Signed unless it does not fit (PTX ISA 4.5.1).
  bool fits = bits <= uint64_t(INT64_MAX);
  result = {isUnsigned || !fits ? Constant::U64 : Constant::S64, bits};
  return "";
}

StringRef tirx::ptx::applyUnary(char op, Constant &value) {
  if (value.isFloat()) {
    if (op == '-')
      value.bits ^=
          value.kind == Constant::F32 ? uint64_t(1) << 31 : uint64_t(1) << 63;
    else if (op != '+')
      return "expected an integer after ! or ~";
    return "";
  }
  switch (op) {
  case '-':
    value.bits = 0 - value.bits;
    break;
  case '~':
    value.bits = ~value.bits;
    break;
  case '!':
    value = {Constant::S64, value.bits == 0};
    break;
  default:
    break;
  }
  return "";
}

unsigned tirx::ptx::precedence(StringRef op) {
  return llvm::StringSwitch<unsigned>(op)
      .Case("||", 1)
      .Case("&&", 2)
      .Case("|", 3)
      .Case("^", 4)
      .Case("&", 5)
      .Cases({"==", "!="}, 6)
      .Cases({"<", ">", "<=", ">="}, 7)
      .Cases({"<<", ">>"}, 8)
      .Cases({"+", "-"}, 9)
      .Cases({"*", "/", "%"}, 10)
      .Default(0);
}

static StringRef applyFloat(StringRef op, Constant &left,
                            const Constant &right) {
  double a = left.toDouble(), b = right.toDouble();
  if (op.size() != 1)
    return "expected an operator of numbers, got one of integers";
  switch (op[0]) {
  case '+':
    left = makeDouble(a + b);
    return "";
  case '-':
    left = makeDouble(a - b);
    return "";
  case '*':
    left = makeDouble(a * b);
    return "";
  case '/':
    left = makeDouble(a / b);
    return "";
  default:
    return "expected an operator of numbers, got one of integers";
  }
}

static StringRef divide(bool isRemainder, bool isSigned, Constant &left,
                        uint64_t b) {
  if (b == 0)
    return "expected a divisor other than zero";
  uint64_t &a = left.bits;
  if (!isSigned) {
    a = isRemainder ? a % b : a / b;
    return "";
  }
  // INT64_MIN / -1 traps in C++; PTX wraps.
  if (int64_t(b) == -1)
    a = isRemainder ? 0 : 0 - a;
  else
    a = isRemainder ? uint64_t(int64_t(a) % int64_t(b))
                    : uint64_t(int64_t(a) / int64_t(b));
  return "";
}

StringRef tirx::ptx::applyBinary(StringRef op, Constant &left,
                                 const Constant &right) {
  if (left.isFloat() || right.isFloat())
    return applyFloat(op, left, right);
  uint64_t &a = left.bits;
  uint64_t b = right.bits;
  bool isShift = op == "<<" || op == ">>";
  bool isSigned =
      left.kind == Constant::S64 && (isShift || right.kind == Constant::S64);
  if (!isSigned)
    left.kind = Constant::U64;

  auto truth = [&](bool value) { left = {Constant::S64, value}; };
  bool less = isSigned ? int64_t(a) < int64_t(b) : a < b;
  if (op == "/" || op == "%")
    return divide(op == "%", isSigned, left, b);
  if (op == "+")
    a += b;
  else if (op == "-")
    a -= b;
  else if (op == "*")
    a *= b;
  else if (op == "<<")
    a = b < 64 ? a << b : 0;
  else if (op == ">>")
    a = isSigned ? uint64_t(int64_t(a) >> std::min<uint64_t>(b, 63))
                 : (b < 64 ? a >> b : 0);
  else if (op == "&")
    a &= b;
  else if (op == "|")
    a |= b;
  else if (op == "^")
    a ^= b;
  else if (op == "&&")
    truth(a && b);
  else if (op == "||")
    truth(a || b);
  else if (op == "==")
    truth(a == b);
  else if (op == "!=")
    truth(a != b);
  else if (op == "<")
    truth(less);
  else if (op == "<=")
    truth(less || a == b);
  else if (op == ">")
    truth(!less && a != b);
  else if (op == ">=")
    truth(!less);
  else
    return "expected an operator";
  return "";
}
