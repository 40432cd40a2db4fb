//===- DescriptorRequests.cpp - requests for matrix descriptors -----------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Arguments.h"
#include "TIRx/Layout/Descriptors.h"
#include "llvm/ADT/StringExtras.h"

using namespace tirx;
using namespace tirx::layouttool;
using llvm::Expected;
namespace json = llvm::json;

static json::Value toJson(const SmemDescriptor &desc) {
  return json::Object{
      {"major", getName(desc.major)},
      {"swizzle", getName(desc.swizzle)},
      {"leading_byte_offset", desc.leadingByteOffset},
      {"stride_byte_offset", desc.strideByteOffset},
      {"step_offsets", json::Array(desc.stepOffsets)},
      {"alignment", desc.requiredAlignment},
      {"bits", "0x" + llvm::utohexstr(desc.constantBits, /*LowerCase=*/true)}};
}

template <auto derive> static Answer runDescriptor(const Request &request) {
  Arguments arguments(request);
  ShapedLayout subject = arguments.shaped();
  SmemOperand operand{subject.layout, {}};
  operand.shape.assign(subject.shape.begin(), subject.shape.end());
  operand.kDim =
      arguments.choice<unsigned>("order", {{"MN,K", 1}, {"K,MN", 0}}, 1u);
  operand.elementBits = arguments.elementBits();
  operand.padded = arguments.flag("padded");
  operand.stepBytes = arguments.integer("step_bytes", 32);
  operand.basePhase = arguments.integer("base_phase", 0);
  return arguments.answer([&]() -> Answer {
    Expected<SmemDescriptor> desc = derive(operand);
    if (!desc)
      return desc.takeError();
    return toJson(*desc);
  });
}

llvm::ArrayRef<Operation> layouttool::getDescriptorOperations() {
  static const Operation operations[] = {
      {"tcgen05_descriptor", runDescriptor<deriveTcgen05Descriptor>},
      {"wgmma_descriptor", runDescriptor<deriveWgmmaDescriptor>},
  };
  return operations;
}
