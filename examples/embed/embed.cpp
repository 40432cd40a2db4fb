//===- embed.cpp - TIRx in a compiler of one's own ------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A small compiler on an installed TIRx: embed FILE.mlir
//
// It adds an axis to layouts, an instruction to the modules that it reads and a
// way to serve tirx.copy, then takes the kernel to the LLVM dialect. In the
// kernel, tile ops share memory with scf, arith, vector and memref.
//
//===----------------------------------------------------------------------===//

#include "TIRx/Conversion/TIRxToNVVM/Dispatch.h"
#include "TIRx/Conversion/TIRxToNVVM/Passes.h"
#include "TIRx/Dialect/TIRx/IR/TIRxDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace {
/// Copies element by element in one thread, whatever the layouts. A kernel asks
/// for it with dispatch("element_by_element"): its priority is below that of
/// the built-in variants.
class ElementCopy : public tirx::DispatchVariant {
public:
  ElementCopy() : DispatchVariant("tirx.copy", "element_by_element", -10) {}

  LogicalResult match(Operation *op, const tirx::DispatchContext &,
                      tirx::Reasons &reasons) const override {
    auto copy = cast<tirx::CopyOp>(op);
    auto dst = cast<tirx::BufferType>(copy.getDst().getType());
    auto src = cast<tirx::BufferType>(copy.getSrc().getType());
    if (copy.getScope() != tirx::Scope::Thread)
      return reasons.decline(op, "expected scope thread");
    if (dst.getShape() != src.getShape())
      return reasons.decline(copy.getSrc(), "expected the shape of dst");
    for (Value operand : {copy.getDst(), copy.getSrc()})
      if (cast<tirx::BufferType>(operand.getType()).isTmem())
        return reasons.decline(operand, "expected no tensor memory");
    return success();
  }

  std::string lower(Operation *op, const tirx::DispatchContext &,
                    OpBuilder &builder) const override {
    auto copy = cast<tirx::CopyOp>(op);
    auto type = cast<tirx::BufferType>(copy.getDst().getType());
    Location loc = op->getLoc();
    auto constant = [&](int64_t value) -> Value {
      return arith::ConstantIndexOp::create(builder, loc, value);
    };
    SmallVector<Value> begins(type.getRank(), constant(0)), ends,
        steps(type.getRank(), constant(1));
    for (int64_t extent : type.getShape())
      ends.push_back(constant(extent));
    scf::buildLoopNest(
        builder, loc, begins, ends, steps,
        [&](OpBuilder &inside, Location, ValueRange indices) {
          Value element = tirx::LoadOp::create(
              inside, loc, type.getElementType(), copy.getSrc(), indices);
          tirx::StoreOp::create(inside, loc, element, copy.getDst(), indices);
        });
    return std::to_string(type.getNumElements()) + " loads and stores";
  }
};
} // namespace

/// d = a * a + b, as an instruction of one's own.
static constexpr llvm::StringLiteral instruction = R"(
  tirx.instruction @square_add "acme.square_add.f32" (out d: f32, in %a: f32, in %b: f32)
      text "fma.rn.f32 {d}, {a}, {a}, {b};" {
    %0 = math.fma %a, %a, %b : f32
    tirx.yield %0 : f32
  }
)";

/// Puts the instruction into each GPU module.
static LogicalResult addInstruction(ModuleOp module) {
  auto library = parseSourceString<ModuleOp>(instruction, module.getContext());
  if (!library)
    return failure();
  module.walk([&](gpu::GPUModuleOp gpuModule) {
    OpBuilder builder = OpBuilder::atBlockBegin(gpuModule.getBody());
    for (auto op : library->getOps<tirx::InstructionOp>())
      builder.clone(*op);
  });
  return success();
}

int main(int argc, char **argv) {
  if (argc != 2) {
    llvm::errs() << "usage: embed FILE.mlir\n";
    return 2;
  }
  MLIRContext context;
  context
      .loadDialect<tirx::TIRxDialect, arith::ArithDialect,
                   cf::ControlFlowDialect, gpu::GPUDialect, LLVM::LLVMDialect,
                   math::MathDialect, memref::MemRefDialect, NVVM::NVVMDialect,
                   scf::SCFDialect, vector::VectorDialect>();
  context.getLoadedDialect<tirx::TIRxDialect>()->getAxes().declare(
      "expert", tirx::AxisKind::Thread, "cta");

  // Uses of the instruction verify once it is there.
  ParserConfig config(&context, /*verifyAfterParse=*/false);
  auto module = parseSourceFile<ModuleOp>(argv[1], config);
  if (!module || failed(addInstruction(*module)) || failed(verify(*module)))
    return 1;

  auto variants = std::make_shared<tirx::DispatchRegistry>();
  tirx::registerBuiltinVariants(*variants);
  variants->insert(std::make_unique<ElementCopy>());
  PassManager manager(&context);
  tirx::buildLowerTilesPipeline(manager, variants);
  tirx::buildConvertToNVVMPipeline(manager);
  tirx::buildFinishPipeline(manager);
  if (failed(manager.run(*module)))
    return 1;
  module->print(llvm::outs());
  return 0;
}
