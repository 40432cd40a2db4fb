//===- Property.h - properties of random layouts ----------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs a property on random layouts; a layout on which it fails is shrunk to a
// small one before it is reported, with the seed that finds it again.
//
//   TIRX_PROPERTY_RUNS   layouts a property is tried on; 10,000 when not set
//   TIRX_PROPERTY_SEED   seed of the first layout; the name's hash when not set
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_UNITTESTS_LAYOUT_PROPERTY_H
#define TIRX_UNITTESTS_LAYOUT_PROPERTY_H

#include "Testing.h"
#include <functional>

namespace tirx::testing {

/// What is wrong with a layout; empty when the property holds. Whatever a
/// property chooses besides, it takes from `random`, so that a failure can be
/// repeated.
using Property = std::function<std::string(const Layout &, Random &)>;
using PairProperty =
    std::function<std::string(const Layout &, const Layout &, Random &)>;
using LayoutSource = std::function<Layout(Random &)>;

/// Tries the property on random layouts and stops at the first failure.
void forRandomLayouts(llvm::StringRef name, const Property &property,
                      const LayoutSource &source = randomLayout);
/// The same for two layouts drawn one after the other.
void forRandomPairs(llvm::StringRef name, const PairProperty &property,
                    const LayoutSource &source = randomLayout);

/// Layouts a property is tried on: the least number of those that it must
/// reach is a share of this.
int64_t getPropertyRuns();

/// Layouts a little smaller than `layout`, for shrinking.
std::vector<Layout> getSmallerLayouts(const Layout &layout);

/// The smallest layouts reached from `layouts` on which `fails` still holds.
std::vector<Layout>
shrink(std::vector<Layout> layouts,
       llvm::function_ref<bool(llvm::ArrayRef<Layout>)> fails);

} // namespace tirx::testing

#endif // TIRX_UNITTESTS_LAYOUT_PROPERTY_H
