//===- Dispatch.cpp - which hardware path serves a tile op ----------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TIRx/Conversion/TIRxToNVVM/Dispatch.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace tirx {

DispatchVariant::~DispatchVariant() = default;

LogicalResult Reasons::decline(Operation *op, const Twine &text) {
  reasons.push_back({text.str(), op->getLoc()});
  return failure();
}

LogicalResult Reasons::decline(Value operand, const Twine &text) {
  reasons.push_back({text.str(), operand.getLoc()});
  return failure();
}

void DispatchRegistry::insert(std::unique_ptr<DispatchVariant> variant) {
  variants.push_back(std::move(variant));
}

SmallVector<const DispatchVariant *>
DispatchRegistry::getVariants(StringRef op) const {
  SmallVector<const DispatchVariant *> found;
  for (const auto &variant : variants)
    if (variant->getOpName() == op)
      found.push_back(variant.get());
  llvm::stable_sort(found, [](const auto *a, const auto *b) {
    return a->getPriority() > b->getPriority();
  });
  return found;
}

using Declined = std::vector<std::pair<const DispatchVariant *, Reasons>>;

/// One note for each reason, at the operand at fault.
static void attachReasons(Diagnostic &diagnostic, const Declined &declined) {
  for (const auto &[variant, reasons] : declined)
    for (const Reason &reason : reasons.get())
      diagnostic.attachNote(reason.location)
          << "variant '" << variant->getName() << "': " << reason.text;
}

/// Only the variants that `dispatch("name")` allows; null after an error.
static FailureOr<SmallVector<const DispatchVariant *>>
candidates(TileOpInterface op, const DispatchRegistry &registry) {
  StringRef opName = op->getName().getStringRef();
  SmallVector<const DispatchVariant *> all = registry.getVariants(opName);
  StringRef wanted = op.getDispatchName();
  if (wanted.empty())
    return all;
  SmallVector<const DispatchVariant *> named;
  for (const DispatchVariant *variant : all)
    if (variant->getName() == wanted)
      named.push_back(variant);
  if (!named.empty())
    return named;
  auto names = llvm::map_range(all, [](const DispatchVariant *variant) {
    return "\"" + variant->getName().str() + "\"";
  });
  op->emitOpError() << "has no dispatch variant \"" << wanted
                    << "\": expected one of " << llvm::join(names, ", ");
  return failure();
}

FailureOr<DispatchChoice> chooseVariant(TileOpInterface op,
                                        const DispatchContext &context,
                                        const DispatchRegistry &registry,
                                        bool explain) {
  auto variants = candidates(op, registry);
  if (failed(variants))
    return failure();
  DispatchChoice choice;
  for (const DispatchVariant *variant : *variants) {
    if (choice.variant && !explain)
      break;
    Reasons reasons;
    if (failed(variant->match(op, context, reasons)))
      choice.declined.emplace_back(variant, std::move(reasons));
    else if (!choice.variant)
      choice.variant = variant;
  }
  if (choice.variant)
    return choice;
  InFlightDiagnostic error = op->emitOpError();
  if (variants->empty())
    error << "has no dispatch variant";
  else
    error << "is served by no dispatch variant on " << context.target.chip;
  attachReasons(*error.getUnderlyingDiagnostic(), choice.declined);
  return failure();
}

void reportChoice(TileOpInterface op, const DispatchChoice &choice,
                  StringRef expansion) {
  InFlightDiagnostic remark = op->emitRemark();
  remark << "dispatch: " << choice.variant->getName() << ": " << expansion;
  attachReasons(*remark.getUnderlyingDiagnostic(), choice.declined);
}

} // namespace tirx
