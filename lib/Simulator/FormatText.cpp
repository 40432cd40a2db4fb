//===- FormatText.cpp - printf --------------------------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Builtins.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/bit.h"
#include <cstdio>

using namespace tirx::sim;

/// Widths beyond this would only fill memory.
static constexpr int kMaxWidth = 4096;

namespace {

/// `%-*.3lld`, taken apart.
struct Conversion {
  std::string flags;
  int width = -1, precision = -1;
  bool widthIsArgument = false, precisionIsArgument = false;
  unsigned longs = 0; ///< l, ll, j, z, t: at least one means 64 bits
  unsigned halves = 0;
  char letter = 0;
};

} // namespace

static int takeNumber(llvm::StringRef &text) {
  int value = 0;
  for (; !text.empty() && llvm::isDigit(text.front()); text = text.drop_front())
    value = std::min(value * 10 + (text.front() - '0'), kMaxWidth);
  return value;
}

/// Takes what follows the `%`; false when it is no conversion.
static bool takeConversion(llvm::StringRef &text, Conversion &c) {
  size_t flags = std::min(text.find_first_not_of("-+ #0"), text.size());
  c.flags = text.take_front(flags).str();
  text = text.drop_front(flags);
  if (text.consume_front("*"))
    c.widthIsArgument = true;
  else if (!text.empty() && llvm::isDigit(text.front()))
    c.width = takeNumber(text);
  if (text.consume_front(".")) {
    if (text.consume_front("*"))
      c.precisionIsArgument = true;
    else
      c.precision = takeNumber(text);
  }
  for (; !text.empty() && llvm::StringRef("hljztL").contains(text.front());
       text = text.drop_front())
    (text.front() == 'h' ? c.halves : c.longs) += 1;
  if (text.empty() ||
      !llvm::StringRef("diuoxXcspfFeEgGaA").contains(text.front()))
    return false;
  c.letter = text.front();
  text = text.drop_front();
  return true;
}

template <class T>
static std::string print(const Conversion &c, const char *length, T value) {
  std::string format = "%" + c.flags;
  if (c.width >= 0)
    format += std::to_string(c.width);
  if (c.precision >= 0)
    format += "." + std::to_string(c.precision);
  format += length;
  format += c.letter;
  int size = std::snprintf(nullptr, 0, format.c_str(), value);
  if (size < 0)
    return "";
  std::string text(size + 1, 0);
  std::snprintf(text.data(), text.size(), format.c_str(), value);
  text.pop_back();
  return text;
}

static std::string printInteger(Conversion &c, uint64_t bits) {
  bool isSigned = c.letter == 'd' || c.letter == 'i';
  unsigned width = c.longs ? 64 : c.halves == 1 ? 16 : c.halves > 1 ? 8 : 32;
  if (isSigned) {
    int64_t value = int64_t(bits << (64 - width)) >> (64 - width);
    return print(c, "ll", static_cast<long long>(value));
  }
  uint64_t value = bits << (64 - width) >> (64 - width);
  return print(c, "ll", static_cast<unsigned long long>(value));
}

static int clampWidth(uint64_t bits) {
  return std::clamp(int32_t(bits), -kMaxWidth, kMaxWidth);
}

bool tirx::sim::formatText(
    llvm::StringRef format, llvm::function_ref<bool(unsigned, uint64_t &)> next,
    llvm::function_ref<bool(uint64_t, std::string &)> string, std::string &text,
    unsigned &arguments) {
  auto take = [&](unsigned size, uint64_t &bits) {
    ++arguments;
    return next(size, bits);
  };
  while (!format.empty()) {
    size_t plain = std::min(format.find('%'), format.size());
    text += format.take_front(plain);
    format = format.drop_front(plain);
    if (format.empty())
      break;
    if (format.consume_front("%%")) {
      text += '%';
      continue;
    }
    llvm::StringRef rest = format.drop_front();
    Conversion c;
    if (!takeConversion(rest, c)) {
      // What is no conversion is printed as it is.
      text += format.front();
      format = format.drop_front();
      continue;
    }
    format = rest;
    uint64_t bits = 0;
    if (c.widthIsArgument) {
      if (!take(4, bits))
        return false;
      c.width = clampWidth(bits);
      if (c.width < 0) {
        c.flags += '-';
        c.width = -c.width;
      }
    }
    if (c.precisionIsArgument) {
      if (!take(4, bits))
        return false;
      c.precision = clampWidth(bits);
    }
    bool isFloat = llvm::StringRef("fFeEgGaA").contains(c.letter);
    bool isPointer = c.letter == 's' || c.letter == 'p';
    if (!take(isFloat || isPointer || c.longs ? 8 : 4, bits))
      return false;
    if (isFloat) {
      text += print(c, "", llvm::bit_cast<double>(bits));
    } else if (c.letter == 's') {
      std::string value;
      if (!string(bits, value))
        return false;
      text += print(c, "", value.c_str());
    } else if (c.letter == 'p') {
      text += print(c, "", reinterpret_cast<void *>(bits));
    } else if (c.letter == 'c') {
      text += print(c, "", int(bits & 0xff));
    } else {
      text += printInteger(c, bits);
    }
  }
  return true;
}
