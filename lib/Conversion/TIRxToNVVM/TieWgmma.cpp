//===- TieWgmma.cpp - accumulators through wgmma.wait_group
//-----------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TieWgmma.h"
#include "PtxAsm.h"
#include "RegisterRow.h"
#include "TIRx/Dialect/TIRx/IR/TIRxOps.h"
#include "mlir/IR/Dominance.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace tirx {

/// Registers that one statement ties; the rest follow in empty statements.
static constexpr int64_t kMaxTied = 64;

static bool isPtx(Operation *op, StringRef prefix) {
  auto ptx = dyn_cast<PtxOp>(op);
  return ptx && ptx.getInstruction().starts_with(prefix);
}

/// The allocation that a register buffer views.
static AllocLocalOp allocationOf(Value buffer) {
  while (auto view = buffer.getDefiningOp<ViewLikeOpInterface>())
    buffer = view.getViewSource();
  return buffer.getDefiningOp<AllocLocalOp>();
}

/// Allocations into which results of wgmma are stored, in program order.
static llvm::SetVector<Operation *> findAccumulators(Operation *kernel) {
  llvm::SetVector<Operation *> found;
  kernel->walk([&](Operation *op) {
    if (!isPtx(op, "wgmma.mma_async"))
      return;
    SmallVector<Value> values(op->getResults());
    while (!values.empty())
      for (Operation *user : values.pop_back_val().getUsers()) {
        if (isa<LLVM::BitcastOp>(user))
          values.push_back(user->getResult(0));
        else if (auto store = dyn_cast<StoreOp>(user))
          if (AllocLocalOp alloc = allocationOf(store.getBuffer()))
            found.insert(alloc);
      }
  });
  return found;
}

namespace {
/// One register of 32 bits of an accumulator, or less where it is the last.
struct Word {
  Value row, index, value;
};
} // namespace

static void loadWords(OpBuilder &builder, Location loc, AllocLocalOp alloc,
                      SmallVectorImpl<Word> &words) {
  BufferType type = alloc.getBuffer().getType();
  Type element = type.getElementType();
  int64_t count = type.getStorageElements();
  int64_t packed = 32 / int64_t(element.getIntOrFloatBitWidth());
  Value row = getRegisterRow(builder, loc, alloc.getBuffer());
  for (int64_t i = 0; i + packed <= count; i += packed) {
    Value index = arith::ConstantIndexOp::create(builder, loc, i);
    Type access =
        packed == 1 ? element : Type(VectorType::get(packed, element));
    Value value = LoadOp::create(builder, loc, access, row, index);
    words.push_back({row, index, value});
  }
}

static void tieWait(Operation *wait, ArrayRef<Operation *> accumulators) {
  OpBuilder builder(wait);
  Location loc = wait->getLoc();
  SmallVector<Word> words;
  for (Operation *alloc : accumulators)
    loadWords(builder, loc, cast<AllocLocalOp>(alloc), words);
  auto ptx = cast<PtxOp>(wait);
  auto pending =
      ptx.getInputs().front().getDefiningOp<arith::ConstantOp>().getValue();
  std::string text = ptx.getInstruction().str() + " " +
                     std::to_string(cast<IntegerAttr>(pending).getInt()) + ";";
  ArrayRef<Word> rest = words;
  while (!rest.empty()) {
    ArrayRef<Word> chunk = rest.take_front(kMaxTied);
    rest = rest.drop_front(chunk.size());
    AsmBuilder assembly(builder, loc);
    for (const Word &word : chunk)
      assembly.output(word.value.getType());
    for (auto [i, word] : llvm::enumerate(chunk))
      assembly.tiedInput(word.value, i);
    SmallVector<Value> tied = assembly.emit(text);
    for (auto [word, value] : llvm::zip_equal(chunk, tied))
      StoreOp::create(builder, loc, value, word.row, word.index);
    text = "";
  }
  wait->erase();
}

void tieWgmmaAccumulators(Operation *kernel) {
  llvm::SetVector<Operation *> accumulators = findAccumulators(kernel);
  SmallVector<Operation *> waits;
  kernel->walk([&](Operation *op) {
    if (isPtx(op, "wgmma.wait_group"))
      waits.push_back(op);
  });
  DominanceInfo dominance;
  for (Operation *wait : waits) {
    SmallVector<Operation *> reaching;
    for (Operation *alloc : accumulators)
      if (dominance.properlyDominates(alloc, wait))
        reaching.push_back(alloc);
    if (!reaching.empty())
      tieWait(wait, reaching);
  }
}

} // namespace tirx
