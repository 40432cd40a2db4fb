//===- AST.cpp - PTX text as a tree ---------------------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TIRx/PTX/AST.h"

using namespace tirx::ptx;
using llvm::StringRef;

namespace {
struct TypeEntry {
  llvm::StringLiteral name;
  uint8_t bits;
};
} // namespace

/// In the order of ScalarType.
static constexpr TypeEntry types[] = {
    {"", 0},      {"b8", 8},      {"b16", 16},        {"b32", 32},
    {"b64", 64},  {"b128", 128},  {"u8", 8},          {"u16", 16},
    {"u32", 32},  {"u64", 64},    {"s8", 8},          {"s16", 16},
    {"s32", 32},  {"s64", 64},    {"f16", 16},        {"f16x2", 32},
    {"bf16", 16}, {"bf16x2", 32}, {"f32", 32},        {"f64", 64},
    {"pred", 1},  {"texref", 64}, {"samplerref", 64}, {"surfref", 64},
};
static_assert(std::size(types) == size_t(ScalarType::surfref) + 1);

StringRef tirx::ptx::spelling(ScalarType type) {
  return types[size_t(type)].name;
}

ScalarType tirx::ptx::findScalarType(StringRef name) {
  for (size_t i = 1; i != std::size(types); ++i)
    if (types[i].name == name)
      return ScalarType(i);
  return ScalarType::none;
}

unsigned tirx::ptx::bitWidth(ScalarType type) {
  return types[size_t(type)].bits;
}

unsigned tirx::ptx::byteSize(ScalarType type) {
  return (bitWidth(type) + 7) / 8;
}

StringRef tirx::ptx::spelling(StateSpace space) {
  static constexpr llvm::StringLiteral names[] = {
      "", "reg", "global", "shared", "local", "param", "const"};
  return names[size_t(space)];
}

StringRef tirx::ptx::spelling(Linkage linkage) {
  static constexpr llvm::StringLiteral names[] = {"", ".extern", ".visible",
                                                  ".weak", ".common"};
  return names[size_t(linkage)];
}

uint64_t Variable::elementCount() const {
  uint64_t count = 1;
  for (int64_t dim : dims)
    count *= dim < 0 ? 0 : uint64_t(dim);
  return count;
}

uint64_t Variable::sizeInBytes() const {
  return elementCount() * vectorWidth * byteSize(type);
}

unsigned Variable::alignment() const {
  return align ? align : std::max(1u, byteSize(type)) * vectorWidth;
}

const FunctionDirective *Function::findDirective(StringRef directive) const {
  for (const FunctionDirective &candidate : directives)
    if (candidate.name == directive)
      return &candidate;
  return nullptr;
}

std::optional<std::array<uint64_t, 3>>
Function::extents(StringRef directive) const {
  const FunctionDirective *found = findDirective(directive);
  if (!found || found->values.empty())
    return std::nullopt;
  std::array<uint64_t, 3> result = {1, 1, 1};
  for (size_t i = 0; i != std::min<size_t>(3, found->values.size()); ++i)
    result[i] = found->values[i];
  return result;
}

const Function *Module::findFunction(StringRef name) const {
  const Function *found = nullptr;
  for (const Function *function : functions)
    if (function->name == name && (!found || function->isDefinition))
      found = function;
  return found;
}

const Variable *Module::findGlobal(StringRef name) const {
  const Variable *found = nullptr;
  for (const Variable *variable : globals)
    if (variable->name == name &&
        (!found || variable->linkage != Linkage::Extern))
      found = variable;
  return found;
}

StringRef Module::findFile(uint32_t number) const {
  for (const FileEntry *file : files)
    if (file->number == number)
      return file->path;
  return "";
}
