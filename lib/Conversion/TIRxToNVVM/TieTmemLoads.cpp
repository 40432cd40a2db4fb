//===- TieTmemLoads.cpp - registers through tcgen05.wait::ld --------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TieTmemLoads.h"
#include "PtxAsm.h"
#include "TIRx/Dialect/TIRx/IR/TIRxOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace tirx {

/// Registers that one statement ties; the rest follow in empty statements,
/// which stay behind the wait because they have side effects too.
static constexpr size_t kMaxTied = 64;

static bool isPtx(Operation *op, StringRef prefix) {
  auto ptx = dyn_cast<PtxOp>(op);
  return ptx && ptx.getInstruction().starts_with(prefix);
}

static bool isLocal(Value buffer) {
  return cast<BufferType>(buffer.getType()).isLocal();
}

/// Whether the op may stand between a load and its wait without seeing the
/// loaded registers.
static bool isNeutral(Operation *op) {
  if (auto load = dyn_cast<LoadOp>(op))
    return !isLocal(load.getBuffer());
  return op->getNumRegions() == 0 && !isa<TileOpInterface>(op);
}

/// Ops between the load and the wait that use its registers: conversions and
/// stores into registers. Null when something else uses them.
static bool collectUsers(Value value, Operation *wait,
                         llvm::SetVector<Operation *> &users) {
  for (Operation *user : value.getUsers()) {
    if (user->getBlock() != wait->getBlock() || !user->isBeforeInBlock(wait))
      continue;
    auto store = dyn_cast<StoreOp>(user);
    if (!(store ? isLocal(store.getBuffer()) : isPure(user)))
      return false;
    users.insert(user);
    for (Value result : user->getResults())
      if (!collectUsers(result, wait, users))
        return false;
  }
  return true;
}

static void tie(Operation *wait, ArrayRef<Value> values) {
  OpBuilder builder(wait);
  std::string text = cast<PtxOp>(wait).getInstruction().str() + ";";
  do {
    ArrayRef<Value> chunk = values.take_front(kMaxTied);
    values = values.drop_front(chunk.size());
    AsmBuilder assembly(builder, wait->getLoc());
    for (Value value : chunk)
      assembly.output(value.getType());
    for (auto [i, value] : llvm::enumerate(chunk))
      assembly.tiedInput(value, i);
    SmallVector<Value> tied = assembly.emit(text);
    Operation *last = &*std::prev(builder.getInsertionPoint());
    for (auto [before, after] : llvm::zip(chunk, tied)) {
      Value value = before;
      value.replaceUsesWithIf(after, [&](OpOperand &use) {
        Operation *user =
            wait->getBlock()->findAncestorOpInBlock(*use.getOwner());
        return !user || last->isBeforeInBlock(user);
      });
    }
    text = "";
  } while (!values.empty());
  wait->erase();
}

static void tieWait(Operation *wait) {
  SmallVector<Operation *> loads;
  for (Operation *op = wait->getPrevNode(); op; op = op->getPrevNode()) {
    if (isPtx(op, "tcgen05.wait::ld") || !isNeutral(op))
      break;
    if (isPtx(op, "tcgen05.ld"))
      loads.push_back(op);
  }
  SmallVector<Value> values;
  llvm::SetVector<Operation *> users;
  for (Operation *load : llvm::reverse(loads)) {
    llvm::SetVector<Operation *> own;
    if (!llvm::all_of(load->getResults(), [&](Value value) {
          return collectUsers(value, wait, own);
        }))
      continue;
    users.insert(own.begin(), own.end());
    llvm::append_range(values, load->getResults());
  }
  if (values.empty())
    return;
  SmallVector<Operation *> moved = users.takeVector();
  llvm::sort(moved,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  Operation *place = wait;
  for (Operation *user : moved) {
    user->moveAfter(place);
    place = user;
  }
  tie(wait, values);
}

void tieTmemLoads(Operation *kernel) {
  SmallVector<Operation *> waits;
  kernel->walk([&](Operation *op) {
    if (isPtx(op, "tcgen05.wait::ld"))
      waits.push_back(op);
  });
  for (Operation *wait : waits)
    tieWait(wait);
}

} // namespace tirx
