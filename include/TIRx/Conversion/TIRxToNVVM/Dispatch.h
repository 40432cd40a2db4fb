//===- Dispatch.h - which hardware path serves a tile op --------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tile op says what to do; a dispatch variant is one way in which hardware
// does it. Variants are plain objects in a registry, and embedders add their
// own:
//
//   auto variants = std::make_shared<tirx::DispatchRegistry>();
//   tirx::registerBuiltinVariants(*variants);
//   variants->insert(std::make_unique<MyVariant>());
//   manager.addPass(tirx::createLowerTiles(variants));
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_CONVERSION_TIRXTONVVM_DISPATCH_H
#define TIRX_CONVERSION_TIRXTONVVM_DISPATCH_H

#include "TIRx/Dialect/TIRx/IR/TIRxOps.h"
#include "TIRx/Target/TargetInfo.h"
#include "mlir/IR/Builders.h"
#include "mlir/Support/LLVM.h"
#include <memory>
#include <string>
#include <vector>

namespace tirx {

/// What a variant may ask about the kernel around the op.
struct DispatchContext {
  const TargetInfo &target;
  /// Threads of a block, x fastest; the product is the thread count.
  std::array<int64_t, 3> blockSize;

  int64_t numThreads() const {
    return blockSize[0] * blockSize[1] * blockSize[2];
  }
};

/// Why a variant declines: one sentence, and the place of the operand at fault.
struct Reason {
  std::string text;
  ::mlir::Location location;
};

/// Collects why one variant declines.
class Reasons {
public:
  /// The op, or an operand of it, is at fault. Returns failure, so that `match`
  /// can end with it.
  ::llvm::LogicalResult decline(::mlir::Operation *op,
                                const ::llvm::Twine &text);
  ::llvm::LogicalResult decline(::mlir::Value operand,
                                const ::llvm::Twine &text);

  ::llvm::ArrayRef<Reason> get() const { return reasons; }

private:
  std::vector<Reason> reasons;
};

/// One way of executing one tile op.
class DispatchVariant {
public:
  /// `op` is the op's full name ("tirx.copy"), `name` what `dispatch("...")`
  /// says. Of several that fit, the highest priority wins.
  DispatchVariant(::llvm::StringRef op, ::llvm::StringRef name, int priority)
      : op(op), name(name), priority(priority) {}
  virtual ~DispatchVariant();

  ::llvm::StringRef getOpName() const { return op; }
  ::llvm::StringRef getName() const { return name; }
  int getPriority() const { return priority; }

  /// Whether the variant can serve the op; if not, `reasons` says why in words.
  virtual ::llvm::LogicalResult match(::mlir::Operation *op,
                                      const DispatchContext &context,
                                      Reasons &reasons) const = 0;

  /// Replaces an op that `match` accepts. The op is erased by the caller.
  /// Returns what it expands to, for the remark.
  virtual std::string lower(::mlir::Operation *op,
                            const DispatchContext &context,
                            ::mlir::OpBuilder &builder) const = 0;

private:
  std::string op, name;
  int priority;
};

/// The variants that a lowering may choose from.
class DispatchRegistry {
public:
  void insert(std::unique_ptr<DispatchVariant> variant);

  /// Variants of an op, highest priority first.
  ::llvm::SmallVector<const DispatchVariant *>
  getVariants(::llvm::StringRef op) const;

private:
  std::vector<std::unique_ptr<DispatchVariant>> variants;
};

/// Inserts the variants that this library has.
void registerBuiltinVariants(DispatchRegistry &registry);

/// A chosen variant, and what the others said.
struct DispatchChoice {
  const DispatchVariant *variant = nullptr;
  std::vector<std::pair<const DispatchVariant *, Reasons>> declined;
};

/// Chooses the variant that serves `op`. When there is none, emits an error on
/// the op with a note for each reason of each candidate. `explain` also asks
/// the variants behind the chosen one.
::llvm::FailureOr<DispatchChoice>
chooseVariant(TileOpInterface op, const DispatchContext &context,
              const DispatchRegistry &registry, bool explain);

/// A remark on the op: the chosen variant, what it expands to, and why the
/// others declined.
void reportChoice(TileOpInterface op, const DispatchChoice &choice,
                  ::llvm::StringRef expansion);

} // namespace tirx

#endif // TIRX_CONVERSION_TIRXTONVVM_DISPATCH_H
