//===- Difference.cpp - how two layouts differ ----------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Difference.h"
#include "Formula.h"
#include "TIRx/Layout/Algebra.h"

using namespace tirx;
using namespace tirx::layouttool;

/// (element, copy) pairs that are compared.
static constexpr int64_t kMaxCompared = int64_t(1) << 20;
/// Copies that a line of text names.
static constexpr size_t kMaxListed = 16;

bool layouttool::differsAt(const Layout &a, const Layout &b, int64_t flat) {
  return a.image(flat) != b.image(flat);
}

/// All copies of an element: `m 64` or `{laneid 1; laneid 5}`.
static std::string describeImage(const Picture &picture, int64_t flat) {
  llvm::SmallVector<Axis> axes = picture.layout.getAxes();
  llvm::SmallVector<Coordinates> image = getSortedImage(picture.layout, flat);
  std::string text;
  for (const Coordinates &copy : llvm::ArrayRef(image).take_front(kMaxListed))
    text += (text.empty() ? "" : "; ") +
            describePoint(copy, axes, picture.elementBits);
  if (image.size() > kMaxListed)
    text += "; " + std::to_string(image.size() - kMaxListed) + " more";
  if (text.empty())
    return "no axis";
  return image.size() > 1 ? "{" + text + "}" : text;
}

std::string layouttool::describeDifference(const Picture &a, const Picture &b) {
  if (isEqual(a.layout, b.layout))
    return "A and B are equal: every element has the same places";
  int64_t copies = std::max(a.layout.getTile()->getReplicaCount(),
                            b.layout.getTile()->getReplicaCount());
  int64_t size = a.logical.getSize(),
          compared = std::min(size, kMaxCompared / copies);
  int64_t count = 0, first = -1;
  for (int64_t flat = 0; flat < compared; ++flat)
    if (differsAt(a.layout, b.layout, flat)) {
      first = count == 0 ? flat : first;
      ++count;
    }
  std::string among =
      (compared < size ? "the first " : "") + std::to_string(compared);
  if (count == 0)
    return "A and B are not known to be equal: no difference among " + among +
           " of " + std::to_string(size) + " elements";
  return std::to_string(count) + " of " + among + " elements differ, first (" +
         a.logical.describe(first) + "): A " + describeImage(a, first) +
         ", B " + describeImage(b, first);
}
