//===- Arguments.h - arguments of requests with defaults --------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_TOOLS_TIRX_LAYOUT_ARGUMENTS_H
#define TIRX_TOOLS_TIRX_LAYOUT_ARGUMENTS_H

#include "Requests.h"

namespace tirx::layouttool {

/// Reads many arguments and keeps the first error for later, so that an
/// operation checks once. What is read after an error is a default.
class Arguments {
public:
  explicit Arguments(const Request &request) : request(request) {}

  Layout layout(llvm::StringRef key = "layout");
  TileLayout tile(llvm::StringRef key = "layout");
  ShapedLayout shaped(llvm::StringRef key = "layout",
                      llvm::StringRef shapeKey = "shape");
  Axis axis(llvm::StringRef key);
  llvm::SmallVector<Axis> axes(llvm::StringRef key);
  /// Of `bits` or `dtype`: 0 where both are absent, which is an error if they
  /// are `required`.
  unsigned elementBits(bool required = true);
  /// The dimension of a shape at key `dim`.
  unsigned dim(llvm::ArrayRef<int64_t> shape);
  int64_t integer(llvm::StringRef key,
                  std::optional<int64_t> absent = std::nullopt);
  /// An integer that fits the type of a size in bits.
  unsigned bits(llvm::StringRef key,
                std::optional<int64_t> absent = std::nullopt);
  llvm::SmallVector<int64_t> integers(llvm::StringRef key);
  std::string string(llvm::StringRef key);
  /// False where it is absent.
  bool flag(llvm::StringRef key);

  template <class T>
  using Choices = llvm::ArrayRef<std::pair<llvm::StringRef, T>>;
  /// One of several names.
  template <class T>
  T choice(llvm::StringRef key, Choices<T> choices,
           std::optional<T> absent = std::nullopt) {
    if (absent && !request.has(key))
      return *absent;
    std::string name = string(key), known;
    for (const auto &[other, value] : choices) {
      if (name == other)
        return value;
      known += (known.empty() ? "'" : ", '") + other.str() + "'";
    }
    note("key '" + key + "': expected one of " + known + ", got '" + name +
         "'");
    return choices.front().second;
  }

  /// The first error, or success. To be called before results are used.
  llvm::Error takeError();
  /// The answer that `make` gives, called when all arguments are there.
  template <class Make> Answer answer(Make make) {
    if (llvm::Error error = takeError())
      return std::move(error);
    return toAnswer(make());
  }

  /// Keeps an error of the caller's own.
  void note(const llvm::Twine &message);
  template <class T> T valueOr(llvm::Expected<T> value, T absent) {
    if (value)
      return std::move(*value);
    note(llvm::toString(value.takeError()));
    return absent;
  }

private:
  const Request &request;
  std::string error;
};

} // namespace tirx::layouttool

#endif // TIRX_TOOLS_TIRX_LAYOUT_ARGUMENTS_H
