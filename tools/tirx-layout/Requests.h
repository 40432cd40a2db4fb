//===- Requests.h - operations on layouts for programs ----------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// A program asks in JSON, one object a line, and gets one object a line back:
//
//   {"op": "slice", "layout": "S[(8, 8) : (8, 1)]", "offsets": [0, 4],
//    "sizes": [8, 4]}
//   {"result": "#tirx.tile<S[(8, 4) : (8, 1)] + 4@m>"}
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_TOOLS_TIRX_LAYOUT_REQUESTS_H
#define TIRX_TOOLS_TIRX_LAYOUT_REQUESTS_H

#include "Json.h"
#include "TIRx/Layout/Exchange/ShapedLayout.h"
#include <cstdio>

namespace tirx::layouttool {

/// What one request may cost.
struct RequestLimits {
  /// Elements times copies of any layout in a request.
  int64_t points = std::numeric_limits<int64_t>::max();
};

/// Access to the arguments of a request, checked. Errors name the key.
class Request {
public:
  Request(const llvm::json::Object &arguments, const RequestLimits &limits)
      : arguments(arguments), limits(limits) {}

  bool has(llvm::StringRef key) const { return arguments.get(key) != nullptr; }
  llvm::Expected<const llvm::json::Value *> value(llvm::StringRef key) const {
    return getKey(arguments, key);
  }
  llvm::Expected<int64_t> integer(llvm::StringRef key) const {
    return getInteger(arguments, key);
  }
  llvm::Expected<llvm::SmallVector<int64_t>>
  integers(llvm::StringRef key) const {
    return getIntegers(arguments, key);
  }
  llvm::Expected<llvm::StringRef> string(llvm::StringRef key) const;
  /// Of `bits`, or of the element type `dtype`; 0 when neither is given.
  llvm::Expected<unsigned> elementBits() const;
  llvm::Expected<Layout> layout(llvm::StringRef key = "layout") const;
  /// A layout that must be a tile, without a swizzle.
  llvm::Expected<TileLayout> tile(llvm::StringRef key = "layout") const;

  /// The axis of a name, `m` where the key is absent.
  llvm::Expected<Axis> axis(llvm::StringRef key) const;
  /// A list of axes, `m` alone where the key is absent.
  llvm::Expected<llvm::SmallVector<Axis>> axes(llvm::StringRef key) const;

private:
  const llvm::json::Object &arguments;
  const RequestLimits &limits;
};

/// The axis of a name; the error names the key it is from.
llvm::Expected<Axis> toAxis(llvm::StringRef name, llvm::StringRef key);

/// A layout under the shape at a key, or else under the extents of its shard. A
/// bare swizzle gets a tile of the shape's size.
llvm::Expected<ShapedLayout>
getShapedLayout(const Request &request, llvm::StringRef key = "layout",
                llvm::StringRef shapeKey = "shape");

using Answer = llvm::Expected<llvm::json::Value>;
struct Operation {
  llvm::StringLiteral name;
  Answer (*run)(const Request &);
};

// The operations, one list a concern.
llvm::ArrayRef<Operation> getPointOperations();
llvm::ArrayRef<Operation> getLayoutOperations();
llvm::ArrayRef<Operation> getAlgebraOperations();
llvm::ArrayRef<Operation> getFunctionOperations();
llvm::ArrayRef<Operation> getFactoryOperations();
llvm::ArrayRef<Operation> getExchangeOperations();
llvm::ArrayRef<Operation> getDescriptorOperations();
llvm::ArrayRef<Operation> getAccessOperations();

// Results.
llvm::json::Value toJson(const Layout &layout);
llvm::json::Value toJson(const Iter &iter);
Answer toAnswer(llvm::Expected<Layout> layout);
inline Answer toAnswer(Answer answer) { return answer; }
inline Answer toAnswer(Layout layout) { return toJson(layout); }
inline Answer toAnswer(llvm::json::Value value) { return value; }
inline Answer toAnswer(bool value) { return llvm::json::Value(value); }
/// Text, as that of another notation.
Answer toAnswer(llvm::Expected<std::string> text);

/// The result of one request, or why there is none.
Answer runRequest(const llvm::json::Object &object,
                  const RequestLimits &limits);

/// The answer to one request: an object with `result` or `error`, and with the
/// request's `id` where it has one. Never fails.
llvm::json::Value answerRequest(llvm::StringRef text,
                                const RequestLimits &limits);

/// Answers each line of a file, `-` for the standard input, as soon as it is
/// read; empty lines are passed over.
llvm::Error answerFile(llvm::raw_ostream &os, llvm::StringRef path,
                       const RequestLimits &limits);

} // namespace tirx::layouttool

#endif // TIRX_TOOLS_TIRX_LAYOUT_REQUESTS_H
