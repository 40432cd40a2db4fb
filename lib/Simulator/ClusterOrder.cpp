//===- ClusterOrder.cpp - can clusters observe each other? ----------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// CTAs of different clusters share global memory only, and only strong accesses
// (PTX ISA 8.5: volatile, relaxed, acquire, release, atomic) may race there. A
// kernel without any gives one result whatever the order of its clusters; so do
// integer reductions that return nothing, because they commute.
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"
#include "llvm/ADT/STLExtras.h"

using namespace tirx::sim;

static bool hasAny(llvm::ArrayRef<llvm::StringRef> parts,
                   std::initializer_list<llvm::StringRef> names) {
  return llvm::any_of(names, [&](llvm::StringRef name) {
    return llvm::is_contained(parts, name);
  });
}

/// The access is to memory that no other cluster sees.
static bool isPrivate(llvm::ArrayRef<llvm::StringRef> parts) {
  return llvm::any_of(parts, [](llvm::StringRef part) {
    return part.starts_with("shared") || part.starts_with("param") ||
           part == "local" || part == "const";
  });
}

static bool commutes(llvm::ArrayRef<llvm::StringRef> parts) {
  return hasAny(parts, {"add", "min", "max", "and", "or", "xor"}) &&
         hasAny(parts, {"u32", "s32", "b32", "u64", "s64", "b64"}) &&
         !hasAny(parts, {"v2", "v4", "v8"});
}

bool tirx::sim::letsClustersInteract(llvm::StringRef opcode) {
  llvm::SmallVector<llvm::StringRef, 12> parts;
  opcode.split(parts, '.');
  llvm::StringRef name = parts.front();
  if (name == "multimem" || name == "clusterlaunchcontrol")
    return true;
  // cp.reduce.async.bulk.DESTINATION.SOURCE, or a tensor in global memory.
  if (opcode.starts_with("cp.reduce"))
    return !opcode.starts_with("cp.reduce.async.bulk.shared");
  if (isPrivate(parts))
    return false;
  if (name == "red")
    return !commutes(parts);
  if (name == "atom")
    return true;
  return hasAny({name}, {"ld", "st"}) &&
         hasAny(parts, {"volatile", "relaxed", "acquire", "release", "mmio"});
}
