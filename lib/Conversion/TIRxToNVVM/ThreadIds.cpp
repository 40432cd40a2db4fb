//===- ThreadIds.cpp - ids of the executing thread ------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ThreadIds.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;

namespace tirx {

/// A special register whose value is in [0, limit); limit 0 says nothing.
template <typename Register>
static Value readRegister(OpBuilder &builder, Location loc, int64_t limit = 0) {
  LLVM::ConstantRangeAttr range;
  if (limit > 0)
    range = LLVM::ConstantRangeAttr::get(builder.getContext(), 32, 0, limit);
  return Register::create(builder, loc, builder.getI32Type(), range);
}

static Value constant(OpBuilder &builder, Location loc, int64_t value) {
  return arith::ConstantOp::create(builder, loc,
                                   builder.getI32IntegerAttr(value));
}

/// index * extent + inner
static Value flatten(OpBuilder &builder, Location loc, Value index,
                     int64_t extent, Value inner) {
  Value scaled = arith::MulIOp::create(builder, loc, index,
                                       constant(builder, loc, extent));
  return arith::AddIOp::create(builder, loc, scaled, inner);
}

Value ThreadIds::linearThread(Location loc) {
  Value thread = readRegister<NVVM::ThreadIdXOp>(builder, loc, blockSize[0]);
  int64_t inner = blockSize[0];
  if (blockSize[1] > 1) {
    Value y = readRegister<NVVM::ThreadIdYOp>(builder, loc, blockSize[1]);
    thread = flatten(builder, loc, y, inner, thread);
  }
  inner *= blockSize[1];
  if (blockSize[2] > 1) {
    Value z = readRegister<NVVM::ThreadIdZOp>(builder, loc, blockSize[2]);
    thread = flatten(builder, loc, z, inner, thread);
  }
  return thread;
}

Value ThreadIds::get(IdKind kind, Location loc) {
  if (Value known = cache.lookup(kind))
    return known;
  Value id = compute(kind, loc);
  cache[kind] = id;
  return id;
}

Value ThreadIds::compute(IdKind kind, Location loc) {
  auto masked = [&](IdKind whole, int64_t mask) {
    return arith::AndIOp::create(builder, loc, get(whole, loc),
                                 constant(builder, loc, mask))
        .getResult();
  };
  switch (kind) {
  case IdKind::LaneId:
    return readRegister<NVVM::LaneIdOp>(builder, loc, 32);
  case IdKind::ThreadId:
    return linearThread(loc);
  case IdKind::ThreadIdInWg:
    return numThreads() <= 128 ? get(IdKind::ThreadId, loc)
                               : masked(IdKind::ThreadId, 127);
  case IdKind::WarpId: {
    if (numThreads() <= 32)
      return constant(builder, loc, 0);
    // The same in all lanes, but only a broadcast lets ptxas know.
    Value thread = get(IdKind::ThreadId, loc);
    Value warp =
        arith::ShRUIOp::create(builder, loc, thread, constant(builder, loc, 5));
    return NVVM::ShflOp::create(
        builder, loc, builder.getI32Type(), constant(builder, loc, -1), warp,
        constant(builder, loc, 0), constant(builder, loc, 31),
        NVVM::ShflKind::idx, UnitAttr());
  }
  case IdKind::WarpIdInWg:
    return numThreads() <= 128 ? get(IdKind::WarpId, loc)
                               : masked(IdKind::WarpId, 3);
  case IdKind::WarpgroupId: {
    if (numThreads() <= 128)
      return constant(builder, loc, 0);
    Value warp = get(IdKind::WarpId, loc);
    return arith::ShRUIOp::create(builder, loc, warp,
                                  constant(builder, loc, 2));
  }
  case IdKind::CtaIdX:
    return readRegister<NVVM::BlockIdXOp>(builder, loc);
  case IdKind::CtaIdY:
    return readRegister<NVVM::BlockIdYOp>(builder, loc);
  case IdKind::CtaIdZ:
    return readRegister<NVVM::BlockIdZOp>(builder, loc);
  case IdKind::CtaIdInCluster:
    return readRegister<NVVM::ClusterId>(builder, loc);
  case IdKind::ClusterIdX:
    return readRegister<NVVM::ClusterIdXOp>(builder, loc);
  case IdKind::ClusterIdY:
    return readRegister<NVVM::ClusterIdYOp>(builder, loc);
  case IdKind::ClusterIdZ:
    return readRegister<NVVM::ClusterIdZOp>(builder, loc);
  }
  llvm_unreachable("unknown id kind");
}

} // namespace tirx
