//===- MatrixAccess.cpp - ldmatrix and stmatrix for two layouts -----------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TIRx/Layout/MatrixAccess.h"
#include "AlgebraDetail.h"
#include "TIRx/Layout/Accesses.h"
#include "TIRx/Layout/Algebra.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

using namespace tirx;
using namespace tirx::detail;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;
using llvm::SmallVector;
using llvm::Twine;

/// Bytes of a row, and what its address is a multiple of.
static constexpr int64_t kRowBytes = 16;

namespace {
/// An instruction without its number of matrices.
struct Form {
  MatrixShape shape;
  bool transposed;
  bool store;
  const char *name;
  /// Bits of what the instruction moves as a whole.
  unsigned unitBits;
};

/// The byte address of each unit of a register of each lane, in the order of
/// registers.
using UnitAddresses = std::vector<std::array<int64_t, kWarpLanes>>;
using WarpUnits = std::map<Coordinates, UnitAddresses>;
} // namespace

//===----------------------------------------------------------------------===//
// What the fragment asks for
//===----------------------------------------------------------------------===//

static Error checkLanes(const WarpAccess &access) {
  for (auto [lane, address] : llvm::enumerate(access.addresses))
    if (!address)
      return makeError("expected all 32 lanes to hold the fragment, got "
                       "nothing in lane " +
                       Twine(lane));
  return Error::success();
}

/// Elements of several units are taken apart, those of a part of one are put
/// together.
static Expected<WarpUnits> getUnits(const Layout &fragment,
                                    const Layout &shared, unsigned elementBits,
                                    unsigned unitBits) {
  if (elementBits < 1 || (unitBits % elementBits && elementBits % unitBits))
    return makeError("expected elements that divide " + Twine(unitBits) +
                     " bits or are multiples of them, got " +
                     Twine(elementBits) + " bits");
  int64_t vector = std::max(1u, unitBits / elementBits);
  int64_t parts = std::max(1u, elementBits / unitBits);
  auto accesses = enumerateAccesses(fragment, shared, elementBits, vector);
  if (!accesses)
    return accesses.takeError();
  WarpUnits units;
  for (const WarpAccess &access : *accesses) {
    if (Error error = checkLanes(access))
      return std::move(error);
    UnitAddresses &addresses = units[access.warp];
    if (access.instruction * parts != int64_t(addresses.size()))
      return makeError("expected registers from 0 on without gaps, got none at "
                       "element " +
                       Twine(int64_t(addresses.size()) / parts * vector));
    for (int64_t part = 0; part < parts; ++part)
      for (auto &lane : addresses.emplace_back())
        lane = *access.addresses[&lane - addresses.back().data()] +
               part * int64_t(unitBits) / 8;
  }
  for (const auto &[warp, addresses] : units)
    if (addresses.size() != units.begin()->second.size())
      return makeError("expected as many registers in each warp, got " +
                       Twine(units.begin()->second.size()) + " and " +
                       Twine(addresses.size()));
  return units;
}

//===----------------------------------------------------------------------===//
// What an instruction moves
//===----------------------------------------------------------------------===//

static Expected<Layout> getInstructionLayout(const Form &form, int64_t count) {
  return form.store ? stmatrixLayout(form.shape, count, form.transposed)
                    : ldmatrixLayout(form.shape, count, form.transposed);
}

/// Finds where each row begins from its first unit, and holds all units of the
/// instruction against it. `registers` are the units of the instruction.
static Error fillRows(const Form &form, const Layout &layout,
                      const Layout &lanes,
                      ArrayRef<std::array<int64_t, kWarpLanes>> registers,
                      MatrixInstruction &instruction) {
  Axis laneid = lookupBuiltinAxis("laneid");
  int64_t unitBytes = form.unitBits / 8, perRow = kRowBytes / unitBytes;
  int64_t rows = *layout.getSize() / perRow;
  instruction.rowAddresses.resize(rows);
  for (int64_t row = 0; row < rows; ++row) {
    int64_t base = 0;
    for (int64_t unit = 0; unit < perRow; ++unit) {
      Coordinates place = layout.apply(row * perRow + unit);
      int64_t reg = place.get(memoryAxis()), lane = place.get(laneid);
      int64_t address = registers[reg][lane];
      if (unit == 0)
        base = address;
      if (unit == 0 && base % kRowBytes != 0)
        return makeError("expected rows at multiples of 16 bytes of shared "
                         "memory, got row " +
                         Twine(row) + " of instruction " +
                         Twine(instruction.instruction) + " at byte " +
                         Twine(base));
      if (address != base + unit * unitBytes)
        return makeError("expected lane " + Twine(lane) + " to hold byte " +
                         Twine(base + unit * unitBytes) +
                         " of shared memory, in row " + Twine(row) +
                         " of instruction " + Twine(instruction.instruction) +
                         ", got byte " + Twine(address));
    }
    instruction.rowAddresses[lanes.apply(row).get(laneid)] = base;
  }
  return Error::success();
}

//===----------------------------------------------------------------------===//
// The rows as a layout
//===----------------------------------------------------------------------===//

/// A tile with these values on `m`, one after the other; nullopt when there is
/// none. Each iter is as long as its step lasts.
static std::optional<TileLayout> fitTile(ArrayRef<int64_t> values) {
  int64_t offset = values.front();
  SmallVector<int64_t> heads(values);
  SmallVector<Iter> iters;
  while (heads.size() > 1) {
    int64_t step = heads[1] - heads[0];
    size_t extent = 2;
    while (extent < heads.size() &&
           heads[extent] == heads[0] + int64_t(extent) * step)
      ++extent;
    // The longest run that divides what is left.
    while (heads.size() % extent != 0)
      --extent;
    if (extent == 1)
      return std::nullopt;
    SmallVector<int64_t> next;
    for (size_t i = 0; i < heads.size(); ++i) {
      if (heads[i] != heads[i - i % extent] + int64_t(i % extent) * step)
        return std::nullopt;
      if (i % extent == 0)
        next.push_back(heads[i]);
    }
    iters.insert(iters.begin(), {int64_t(extent), step, memoryAxis()});
    heads = std::move(next);
  }
  Expected<TileLayout> tile =
      TileLayout::get(iters, {}, {{memoryAxis(), offset}});
  if (tile)
    return canonicalize(*tile);
  llvm::consumeError(tile.takeError());
  return std::nullopt;
}

/// Undoes the swizzle, which is its own inverse, fits a tile and puts the
/// swizzle back.
static std::optional<Layout> fitRows(const MatrixAccess &access,
                                     const Layout &shared,
                                     unsigned elementBits) {
  SmallVector<int64_t> values;
  for (const MatrixInstruction &instruction : access.instructions)
    for (int64_t address : instruction.rowAddresses) {
      if (address * 8 % elementBits != 0)
        return std::nullopt;
      int64_t element = address * 8 / elementBits;
      values.push_back(shared.getSwizzle() ? shared.getSwizzle()->apply(element)
                                           : element);
    }
  std::optional<TileLayout> tile = fitTile(values);
  if (!tile || !shared.getSwizzle())
    return tile ? std::optional<Layout>(*tile) : std::nullopt;
  Expected<Layout> rows = Layout::compose(*shared.getSwizzle(), *tile);
  if (rows)
    return *rows;
  llvm::consumeError(rows.takeError());
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Forms
//===----------------------------------------------------------------------===//

static Expected<MatrixAccess> fitCount(const Form &form, int64_t count,
                                       const Layout &layout,
                                       const WarpUnits &units, int64_t perLane,
                                       const Layout &shared,
                                       unsigned elementBits) {
  Expected<Layout> lanes = matrixAddressLayout(form.shape, count);
  if (!lanes)
    return lanes.takeError();
  MatrixAccess access;
  access.shape = form.shape;
  access.transposed = form.transposed;
  access.count = count;
  for (const auto &[warp, addresses] : units)
    for (int64_t at = 0, e = addresses.size(); at < e; at += perLane) {
      MatrixInstruction instruction{warp, at / perLane, {}};
      if (Error error =
              fillRows(form, layout, *lanes,
                       ArrayRef(addresses).slice(at, perLane), instruction))
        return std::move(error);
      access.instructions.push_back(std::move(instruction));
    }
  access.rows = fitRows(access, shared, elementBits);
  return access;
}

static Expected<MatrixAccess> fitForm(const Form &form, const Layout &fragment,
                                      const Layout &shared,
                                      unsigned elementBits) {
  // Transposition moves units apart, so that they must be elements.
  if (form.transposed && elementBits != form.unitBits)
    return makeError("expected elements of " + Twine(form.unitBits) +
                     " bits, got " + Twine(elementBits));
  auto units = getUnits(fragment, shared, elementBits, form.unitBits);
  if (!units)
    return units.takeError();
  int64_t total = units->begin()->second.size(), least = 0;
  for (int64_t count : {4, 2, 1}) {
    Expected<Layout> layout = getInstructionLayout(form, count);
    if (!layout) {
      llvm::consumeError(layout.takeError());
      continue; // m16n16 has no .x4.
    }
    int64_t perLane = layout->getSpan(memoryAxis()).size();
    least = perLane;
    if (total % perLane == 0)
      return fitCount(form, count, *layout, *units, perLane, shared,
                      elementBits);
  }
  return makeError("expected a multiple of " + Twine(least * form.unitBits) +
                   " bits in registers of each lane, got " +
                   Twine(total * form.unitBits));
}

static Expected<MatrixAccess> fitForms(ArrayRef<Form> forms,
                                       const Layout &fragment,
                                       const Layout &shared,
                                       unsigned elementBits) {
  std::string reasons;
  for (const Form &form : forms) {
    Expected<MatrixAccess> access =
        fitForm(form, fragment, shared, elementBits);
    if (access)
      return access;
    reasons += (reasons.empty() ? "" : "; ") + std::string(form.name) + ": " +
               llvm::toString(access.takeError());
  }
  return makeError(reasons);
}

Expected<MatrixAccess> tirx::fitMatrixLoad(const Layout &fragment,
                                           const Layout &shared,
                                           unsigned elementBits,
                                           bool byteMatrices) {
  static constexpr Form forms[] = {
      {MatrixShape::M8N8, false, false, "ldmatrix.m8n8", 16},
      {MatrixShape::M8N8, true, false, "ldmatrix.m8n8.trans", 16},
      {MatrixShape::M16N16, true, false, "ldmatrix.m16n16.trans", 8}};
  return fitForms(ArrayRef(forms).take_front(byteMatrices ? 3 : 2), fragment,
                  shared, elementBits);
}

Expected<MatrixAccess> tirx::fitMatrixStore(const Layout &fragment,
                                            const Layout &shared,
                                            unsigned elementBits,
                                            bool byteMatrices) {
  static constexpr Form forms[] = {
      {MatrixShape::M8N8, false, true, "stmatrix.m8n8", 16},
      {MatrixShape::M8N8, true, true, "stmatrix.m8n8.trans", 16},
      {MatrixShape::M16N8, true, true, "stmatrix.m16n8.trans", 8}};
  return fitForms(ArrayRef(forms).take_front(byteMatrices ? 3 : 2), fragment,
                  shared, elementBits);
}
