//===- MatrixAccessTest.cpp - ldmatrix and stmatrix -----------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Executes the instructions found, from their row addresses alone and as the
// PTX ISA describes ldmatrix and stmatrix, and compares what each register then
// holds with the fragment.
//
//===----------------------------------------------------------------------===//

#include "TIRx/Layout/MatrixAccess.h"
#include "TIRx/Layout/Algebra.h"
#include "Testing.h"

using namespace tirx;
using namespace tirx::testing;
using llvm::SmallVector;

/// The byte of shared memory that comes to byte `at` of the registers of a
/// lane with m8n8 matrices of 16-bit elements.
static int64_t readByte(const MatrixAccess &access,
                        const MatrixInstruction &instruction, int64_t lane,
                        int64_t at) {
  int64_t matrix = at / 4, within = at % 4;
  if (!access.transposed)
    return instruction.rowAddresses[8 * matrix + lane / 4] + 4 * (lane % 4) +
           within;
  return instruction.rowAddresses[8 * matrix + 2 * (lane % 4) + within / 2] +
         2 * (lane / 4) + within % 2;
}

/// The first byte of the fragment that the instructions get wrong.
static std::string checkAccess(const MatrixAccess &access,
                               const Layout &fragment, const Layout &shared,
                               int64_t bits) {
  std::map<std::pair<int64_t, int64_t>, const MatrixInstruction *> byRegister;
  for (const MatrixInstruction &instruction : access.instructions) {
    if (int64_t(instruction.rowAddresses.size()) != 8 * access.count)
      return "wrong number of rows";
    for (int64_t row : instruction.rowAddresses)
      if (row % 16 != 0)
        return "row not aligned";
    int64_t warp = toPoint(instruction.warp)["warpid"];
    byRegister[{warp, instruction.instruction}] = &instruction;
  }
  auto holders = enumerate(fragment), places = enumerate(shared);
  for (size_t flat = 0; flat < holders.size(); ++flat)
    for (Point holder : holders[flat])
      for (int64_t byte = 0; byte < std::max<int64_t>(bits / 8, 1); ++byte) {
        int64_t reg = holder["m"] * bits / 8 + byte;
        int64_t perInstruction = 4 * access.count;
        auto it = byRegister.find({holder["warpid"], reg / perInstruction});
        if (it == byRegister.end())
          return "no instruction for a register";
        int64_t got = readByte(access, *it->second, holder["laneid"],
                               reg % perInstruction);
        Point place = *places[flat].begin();
        if (got != place["m"] * bits / 8 + byte)
          return "element " + std::to_string(flat) + " from byte " +
                 std::to_string(got);
      }
  return "";
}

namespace {
struct RandomFragment {
  Layout fragment = llvm::cantFail(TileLayout::get({}));
  Layout shared = llvm::cantFail(TileLayout::get({}));
  unsigned bits;
};
} // namespace

/// Fragments of mma.sync, several of them in registers or over warps, with a
/// tile in shared memory whose rows are those of the fragment or transposed.
static RandomFragment makeFragment(Random &random) {
  struct Shape {
    MmaOperand operand;
    int64_t m, k;
    unsigned bits;
    int64_t rows, columns;
  };
  static const Shape shapes[] = {
      {MmaOperand::A, 16, 8, 16, 16, 8},  {MmaOperand::A, 16, 16, 16, 16, 16},
      {MmaOperand::B, 16, 16, 16, 8, 16}, {MmaOperand::B, 16, 8, 16, 8, 8},
      {MmaOperand::A, 16, 32, 8, 16, 32}, {MmaOperand::B, 16, 32, 8, 8, 32},
      {MmaOperand::A, 16, 8, 32, 16, 8},  {MmaOperand::B, 16, 8, 32, 8, 8}};
  const Shape &shape = choose(random, shapes);
  Layout one = llvm::cantFail(
      mmaFragmentLayout(shape.operand, shape.m, shape.k, shape.bits));
  int64_t repeat = pick(random, 1, 3), warps = pick(random, 1, 2);
  int64_t registers = one.getSpan(memoryAxis()).size();
  SmallVector<Iter> shard = {{warps, 1, lookupBuiltinAxis("warpid")},
                             {repeat, registers, memoryAxis()}};
  shard.append(one.getTile()->getShard().begin(),
               one.getTile()->getShard().end());
  RandomFragment result;
  result.bits = shape.bits;
  result.fragment = llvm::cantFail(TileLayout::get(shard));

  bool columns = pick(random, 0, 1);
  int64_t inner = columns ? shape.rows : shape.columns;
  int64_t outer = columns ? shape.columns : shape.rows;
  int64_t chunk = 128 / shape.bits, pitch = inner;
  if (pick(random, 0, 1))
    pitch = 1024 / shape.bits; // Rows of 128 bytes.
  pitch += pick(random, 0, 3) == 0 ? pick(random, 0, chunk) : 0;
  int64_t tile = pitch * outer;
  SmallVector<Iter> places = {
      {warps, tile * repeat, memoryAxis()},
      {repeat, tile, memoryAxis()},
      {shape.rows, columns ? 1 : pitch, memoryAxis()},
      {shape.columns, columns ? pitch : 1, memoryAxis()}};
  TileLayout memory = llvm::cantFail(TileLayout::get(
      places, {}, {{memoryAxis(), pick(random, 0, 2) * chunk}}));
  result.shared = memory;
  if (pick(random, 0, 1))
    if (auto swizzle =
            getElementSwizzle(SwizzleMode(pick(random, 1, 3)), shape.bits))
      result.shared = llvm::cantFail(Layout::compose(*swizzle, memory));
  return result;
}

TEST(MatrixAccess, FragmentsAreMovedRight) {
  Random random(95);
  int fits = 0, transposed = 0, refused = 0, affine = 0;
  for (int i = 0; i < 1500; ++i) {
    RandomFragment r = makeFragment(random);
    bool store = pick(random, 0, 1);
    auto access = store ? fitMatrixStore(r.fragment, r.shared, r.bits)
                        : fitMatrixLoad(r.fragment, r.shared, r.bits);
    if (!access) {
      ++refused;
      std::string reason = llvm::toString(access.takeError());
      ASSERT_TRUE(isReason(reason)) << reason;
      continue;
    }
    ++fits;
    transposed += access->transposed;
    ASSERT_EQ(checkAccess(*access, r.fragment, r.shared, r.bits), "");
    if (!access->rows)
      continue;
    ++affine;
    int64_t flat = 0;
    for (const MatrixInstruction &instruction : access->instructions)
      for (int64_t address : instruction.rowAddresses)
        ASSERT_EQ(access->rows->apply(flat++).get(memoryAxis()) * r.bits / 8,
                  address);
    ASSERT_EQ(*access->rows->getSize(), flat);
  }
  EXPECT_GT(fits, 400);
  EXPECT_GT(transposed, 50);
  EXPECT_GT(refused, 200);
  EXPECT_GT(affine * 2, fits);
}

/// A fragment with two registers or two places exchanged: what is still
/// accepted is right.
TEST(MatrixAccess, ChangedFragmentsAreRightOrRefused) {
  Random random(96);
  int fits = 0, refused = 0;
  for (int i = 0; i < 2000; ++i) {
    RandomFragment r = makeFragment(random);
    const TileLayout &tile =
        *(pick(random, 0, 1) ? r.fragment : r.shared).getTile();
    bool isFragment = tile == *r.fragment.getTile();
    SmallVector<Iter> shard(tile.getShard());
    size_t a = pick(random, 0, shard.size() - 1),
           b = pick(random, 0, shard.size() - 1);
    if (pick(random, 0, 1) && shard[a].extent == shard[b].extent)
      std::swap(shard[a], shard[b]);
    else if (shard[a].axis == memoryAxis())
      shard[a].stride += pick(random, 0, 8);
    TileLayout changed =
        llvm::cantFail(TileLayout::get(shard, {}, tile.getOffset()));
    if (isFragment)
      r.fragment = changed;
    else if (r.shared.getSwizzle())
      r.shared =
          llvm::cantFail(Layout::compose(*r.shared.getSwizzle(), changed));
    else
      r.shared = changed;
    auto access = fitMatrixLoad(r.fragment, r.shared, r.bits);
    if (!access) {
      ++refused;
      ASSERT_TRUE(isReason(llvm::toString(access.takeError())));
      continue;
    }
    ++fits;
    ASSERT_EQ(checkAccess(*access, r.fragment, r.shared, r.bits), "");
  }
  EXPECT_GT(fits, 200);
  EXPECT_GT(refused, 300);
}

/// Each form is found again from its own fragment, whatever rows it reads.
TEST(MatrixAccess, FormsAreFound) {
  auto check = [](MatrixShape shape, bool transposed, int64_t count, bool store,
                  unsigned bits) {
    Layout fragment =
        llvm::cantFail(store ? stmatrixLayout(shape, count, transposed)
                             : ldmatrixLayout(shape, count, transposed));
    int64_t perRow = 128 / bits, rows = *fragment.getSize() / perRow;
    // Rows of 80 bytes: no conflicts, and no shorter spelling.
    TileLayout memory = llvm::cantFail(TileLayout::get(
        {{rows, 5 * perRow, memoryAxis()}, {perRow, 1, memoryAxis()}}));
    auto access = store ? fitMatrixStore(fragment, memory, bits, true)
                        : fitMatrixLoad(fragment, memory, bits, true);
    ASSERT_TRUE(bool(access)) << llvm::toString(access.takeError());
    EXPECT_EQ(access->shape, shape);
    EXPECT_EQ(access->transposed, transposed);
    EXPECT_EQ(access->count, count);
    ASSERT_EQ(access->instructions.size(), 1u);
    ASSERT_EQ(int64_t(access->instructions[0].rowAddresses.size()), rows);
    for (int64_t row = 0; row < rows; ++row)
      EXPECT_EQ(access->instructions[0].rowAddresses[row], 80 * row);
    ASSERT_TRUE(access->rows.has_value());
    EXPECT_EQ(access->rows->getTile()->getShard().size(), 1u);
  };
  for (int64_t count : {1, 2, 4})
    for (bool transposed : {false, true})
      for (bool store : {false, true})
        check(MatrixShape::M8N8, transposed, count, store, 16);
  for (int64_t count : {1, 2})
    check(MatrixShape::M16N16, true, count, false, 8);
  for (int64_t count : {1, 2, 4})
    check(MatrixShape::M16N8, true, count, true, 8);
}

TEST(MatrixAccess, Reasons) {
  Layout a = llvm::cantFail(mmaFragmentLayout(MmaOperand::A, 16, 16, 16));
  EXPECT_EQ(messageOf(fitMatrixLoad(a, parse("S[(16, 16) : (20, 1)]"), 16)),
            "ldmatrix.m8n8: expected rows at multiples of 16 bytes of shared "
            "memory, got row 1 of instruction 0 at byte 40; "
            "ldmatrix.m8n8.trans: expected lane 4 to hold byte 2 of shared "
            "memory, in row 0 of instruction 0, got byte 40");
  EXPECT_EQ(messageOf(fitMatrixStore(parse("S[(16, 2) : (1@laneid, 1)]"),
                                     parse("S[(16, 2) : (2, 1)]"), 16)),
            "stmatrix.m8n8: expected all 32 lanes to hold the fragment, got "
            "nothing in lane 16; stmatrix.m8n8.trans: expected all 32 lanes to "
            "hold the fragment, got nothing in lane 16");
  EXPECT_TRUE(isReason(messageOf(
      fitMatrixLoad(parse("S[32 : 1@laneid]"), parse("S[32 : 1]"), 12))));
}
