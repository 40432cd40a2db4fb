//===- Property.cpp - properties of random layouts ------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Property.h"
#include "llvm/Support/xxhash.h"
#include <cstdlib>

using namespace tirx;
using namespace tirx::testing;
using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::StringRef;

/// An unsigned number from the environment, or the default.
static uint64_t readVariable(const char *name, uint64_t otherwise) {
  const char *text = std::getenv(name);
  uint64_t value = 0;
  if (!text || !*text)
    return otherwise;
  if (StringRef(text).getAsInteger(10, value))
    ADD_FAILURE() << "expected a number in " << name << ", got " << text;
  return value;
}

int64_t tirx::testing::getPropertyRuns() {
  static const int64_t runs = readVariable("TIRX_PROPERTY_RUNS", 10000);
  return runs;
}

//===----------------------------------------------------------------------===//
// Shrinking
//===----------------------------------------------------------------------===//

namespace {
/// The parts of a layout, free to change.
struct Parts {
  SmallVector<Iter> shard, replica;
  SmallVector<AxisOffset> offset;
  std::optional<SwizzleLayout> swizzle;

  explicit Parts(const Layout &layout) {
    if (const TileLayout *tile = layout.getTile()) {
      shard.assign(tile->getShard().begin(), tile->getShard().end());
      replica.assign(tile->getReplica().begin(), tile->getReplica().end());
      offset.assign(tile->getOffset().begin(), tile->getOffset().end());
    }
    if (layout.getSwizzle())
      swizzle = *layout.getSwizzle();
  }

  /// Nothing where the parts make no layout.
  std::optional<Layout> build() const {
    llvm::Expected<TileLayout> tile = TileLayout::get(shard, replica, offset);
    if (!tile) {
      llvm::consumeError(tile.takeError());
      return std::nullopt;
    }
    if (!swizzle)
      return Layout(*tile);
    llvm::Expected<Layout> layout = Layout::compose(*swizzle, *tile);
    if (layout)
      return *layout;
    llvm::consumeError(layout.takeError());
    return std::nullopt;
  }
};
} // namespace

/// Values nearer to `least`, the nearest first; a negative one also without its
/// sign.
static SmallVector<int64_t> smallerValues(int64_t value, int64_t least) {
  SmallVector<int64_t> values;
  auto add = [&](int64_t smaller) {
    if (smaller != value && !llvm::is_contained(values, smaller))
      values.push_back(smaller);
  };
  add(least);
  add(least + (value - least) / 2);
  add(value > least ? value - 1 : value + 1);
  if (value < 0)
    add(-value);
  return values;
}

/// Calls `visit` with the parts after each change that makes an iter list
/// smaller; undone afterwards.
template <class Visit>
static void shrinkIters(SmallVector<Iter> &iters, Visit visit) {
  const SmallVector<Iter> before = iters;
  for (size_t i = 0; i < before.size(); ++i) {
    iters.erase(iters.begin() + i);
    visit();
    iters = before;
  }
  for (size_t i = 0; i < before.size(); ++i) {
    for (int64_t extent : smallerValues(before[i].extent, 1)) {
      iters[i].extent = extent;
      visit();
    }
    iters[i] = before[i];
    for (int64_t stride : smallerValues(before[i].stride, 0)) {
      iters[i].stride = stride;
      visit();
    }
    iters[i] = before[i];
    if (before[i].axis != memoryAxis()) {
      iters[i].axis = memoryAxis();
      visit();
    }
    iters[i] = before[i];
  }
}

std::vector<Layout> tirx::testing::getSmallerLayouts(const Layout &layout) {
  std::vector<Layout> smaller;
  if (!layout.getTile())
    return smaller;
  Parts parts(layout);
  const Parts before = parts;
  auto visit = [&] {
    if (std::optional<Layout> changed = parts.build())
      smaller.push_back(*changed);
  };
  if (parts.swizzle) {
    parts.swizzle.reset();
    visit();
    const SwizzleLayout &swizzle = *before.swizzle;
    int64_t p = swizzle.getPerElement(), b = swizzle.getSwizzleLen(),
            s = swizzle.getAtomLen();
    const int64_t changes[][3] = {
        {p - 1, b, s}, {p, b - 1, s}, {p, b, s - 1}, {p, b - 1, s - 1}};
    for (const int64_t (&change)[3] : changes) {
      auto changed = SwizzleLayout::get(change[0], change[1], change[2],
                                        swizzle.isOuter());
      if (!changed) {
        llvm::consumeError(changed.takeError());
        continue;
      }
      parts.swizzle = *changed;
      visit();
    }
    parts.swizzle = before.swizzle;
  }
  shrinkIters(parts.shard, visit);
  shrinkIters(parts.replica, visit);
  for (size_t i = 0; i < parts.offset.size(); ++i) {
    for (int64_t value : smallerValues(before.offset[i].value, 0)) {
      parts.offset[i].value = value;
      visit();
    }
    parts.offset = before.offset;
  }
  return smaller;
}

std::vector<Layout>
tirx::testing::shrink(std::vector<Layout> layouts,
                      llvm::function_ref<bool(ArrayRef<Layout>)> fails) {
  // Each step makes a number smaller, so this ends; the bound keeps a slow
  // property from shrinking for minutes.
  int64_t attempts = 0;
  bool changed = true;
  while (changed && attempts < 5000) {
    changed = false;
    for (size_t i = 0; i < layouts.size() && !changed; ++i)
      for (const Layout &smaller : getSmallerLayouts(layouts[i])) {
        std::vector<Layout> candidate = layouts;
        candidate[i] = smaller;
        if (++attempts >= 5000 || !fails(candidate))
          continue;
        layouts = std::move(candidate);
        changed = true;
        break;
      }
  }
  return layouts;
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

using ListProperty = std::function<std::string(ArrayRef<Layout>, Random &)>;

/// The choices of a property belong to its layouts' seed, but not to the bits
/// that the layouts took.
static Random getChoices(uint64_t seed, uint64_t attempt) {
  return Random(~seed + (attempt << 32));
}

static void reportFailure(StringRef name, std::vector<Layout> layouts,
                          const ListProperty &property, uint64_t seed) {
  // A smaller layout may need other choices to fail.
  constexpr uint64_t kChoices = 8;
  std::string message;
  auto fails = [&](ArrayRef<Layout> candidate) {
    for (uint64_t attempt = 0; attempt < kChoices; ++attempt) {
      Random choices = getChoices(seed, attempt);
      std::string found = property(candidate, choices);
      if (found.empty())
        continue;
      message = found;
      return true;
    }
    return false;
  };
  fails(layouts);
  layouts = shrink(std::move(layouts), fails);
  std::string text;
  for (const Layout &layout : layouts)
    text += "\n  " + toString(layout);
  ADD_FAILURE() << name.str() << " fails for" << text << "\n  " << message
                << "\n  found with TIRX_PROPERTY_SEED=" << seed;
}

static void forRandom(StringRef name, size_t count,
                      const ListProperty &property,
                      const LayoutSource &source) {
  uint64_t first = readVariable("TIRX_PROPERTY_SEED", llvm::xxh3_64bits(name));
  for (int64_t i = 0, e = getPropertyRuns(); i < e; ++i) {
    uint64_t seed = first + i;
    Random random(seed);
    std::vector<Layout> layouts;
    for (size_t n = 0; n < count; ++n)
      layouts.push_back(source(random));
    Random choices = getChoices(seed, 0);
    if (property(layouts, choices).empty())
      continue;
    reportFailure(name, std::move(layouts), property, seed);
    return;
  }
}

void tirx::testing::forRandomLayouts(StringRef name, const Property &property,
                                     const LayoutSource &source) {
  forRandom(
      name, 1,
      [&](ArrayRef<Layout> layouts, Random &random) {
        return property(layouts[0], random);
      },
      source);
}

void tirx::testing::forRandomPairs(StringRef name, const PairProperty &property,
                                   const LayoutSource &source) {
  forRandom(
      name, 2,
      [&](ArrayRef<Layout> layouts, Random &random) {
        return property(layouts[0], layouts[1], random);
      },
      source);
}
