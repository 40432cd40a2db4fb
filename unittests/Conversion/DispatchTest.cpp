//===- DispatchTest.cpp - choosing variants, and those of embedders -------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TIRx/Conversion/TIRxToNVVM/Dispatch.h"
#include "TIRx/Conversion/TIRxToNVVM/Passes.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace tirx;

namespace {

/// A variant of an embedder: it turns a copy into one instruction of its own.
class CopyByTrap : public DispatchVariant {
public:
  CopyByTrap(int priority, bool fits)
      : DispatchVariant("tirx.copy", "trap", priority), fits(fits) {}

  LogicalResult match(Operation *op, const DispatchContext &context,
                      Reasons &reasons) const override {
    EXPECT_EQ(context.numThreads(), 64);
    EXPECT_EQ(context.target.chip, "sm_90a");
    return fits ? success() : reasons.decline(op, "expected another kernel");
  }

  std::string lower(Operation *op, const DispatchContext &,
                    OpBuilder &builder) const override {
    PtxOp::create(builder, op->getLoc(), TypeRange(),
                  builder.getStringAttr("trap"), ValueRange(), Value(),
                  ValueRange());
    return "a trap";
  }

private:
  bool fits;
};

constexpr StringLiteral kKernel = R"(
  gpu.module @m [#nvvm.target<chip = "sm_90a", verifyTarget = false>] {
    gpu.func @k(%A: !tirx.buffer<64xf32, global>, %B: !tirx.buffer<64xf32, global>)
        kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
      tirx.copy cta %A, %B {DISPATCH} : !tirx.buffer<64xf32, global>, !tirx.buffer<64xf32, global>
      gpu.return
    }
  })";

/// What came of lowering the kernel above.
struct Lowered {
  bool ok = false;
  unsigned numTraps = 0, numLoads = 0;
  /// Remarks and errors with their notes.
  std::string diagnostics;
};

Lowered lower(std::shared_ptr<const DispatchRegistry> variants,
              StringRef dispatch = "") {
  DialectRegistry registry;
  registry.insert<TIRxDialect, gpu::GPUDialect, NVVM::NVVMDialect,
                  scf::SCFDialect, arith::ArithDialect>();
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  Lowered result;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    llvm::raw_string_ostream stream(result.diagnostics);
    stream << diagnostic << "\n";
    for (Diagnostic &note : diagnostic.getNotes())
      stream << note << "\n";
    return success();
  });
  std::string text = kKernel.str();
  text.replace(text.find("{DISPATCH}"), 10, dispatch.str());
  auto module = parseSourceString<ModuleOp>(text, &context);
  if (!module)
    return result;
  PassManager manager(&context);
  manager.addPass(createLowerTiles(std::move(variants)));
  result.ok = succeeded(manager.run(*module));
  module->walk([&](PtxOp) { ++result.numTraps; });
  module->walk([&](LoadOp) { ++result.numLoads; });
  return result;
}

std::shared_ptr<DispatchRegistry> builtin() {
  auto registry = std::make_shared<DispatchRegistry>();
  registerBuiltinVariants(*registry);
  return registry;
}

TEST(Dispatch, HigherPriorityWins) {
  auto registry = builtin();
  registry->insert(std::make_unique<CopyByTrap>(10, true));
  Lowered result = lower(registry);
  EXPECT_TRUE(result.ok);
  EXPECT_EQ(result.numTraps, 1u);
  EXPECT_EQ(result.numLoads, 0u);
  EXPECT_NE(result.diagnostics.find("dispatch: trap: a trap"),
            std::string::npos);
}

TEST(Dispatch, LowerPriorityWaits) {
  auto registry = builtin();
  registry->insert(std::make_unique<CopyByTrap>(-10, true));
  Lowered result = lower(registry);
  EXPECT_TRUE(result.ok);
  EXPECT_EQ(result.numTraps, 0u);
  EXPECT_EQ(result.numLoads, 1u);
}

TEST(Dispatch, NameOverridesPriority) {
  auto registry = builtin();
  registry->insert(std::make_unique<CopyByTrap>(-10, true));
  EXPECT_EQ(lower(registry, "dispatch(\"trap\")").numTraps, 1u);
}

TEST(Dispatch, DeclinedVariantIsExplainedBesideTheChosenOne) {
  auto registry = builtin();
  registry->insert(std::make_unique<CopyByTrap>(10, false));
  Lowered result = lower(registry);
  EXPECT_TRUE(result.ok);
  EXPECT_EQ(result.numLoads, 1u);
  EXPECT_NE(result.diagnostics.find("variant 'trap': expected another kernel"),
            std::string::npos);
}

TEST(Dispatch, NamedVariantThatDeclinesIsAnError) {
  auto registry = builtin();
  registry->insert(std::make_unique<CopyByTrap>(10, false));
  Lowered result = lower(registry, "dispatch(\"trap\")");
  EXPECT_FALSE(result.ok);
  EXPECT_NE(result.diagnostics.find("expected another kernel"),
            std::string::npos);
  EXPECT_EQ(result.diagnostics.find("vectorized"), std::string::npos);
}

TEST(Dispatch, NoVariantAtAll) {
  Lowered result = lower(std::make_shared<DispatchRegistry>());
  EXPECT_FALSE(result.ok);
  EXPECT_NE(result.diagnostics.find("has no dispatch variant"),
            std::string::npos);
}

} // namespace
