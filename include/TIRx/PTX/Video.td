//===- Video.td - SIMD arithmetic on halves and bytes ------*- tablegen -*--===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_PTX_VIDEO
#define TIRX_PTX_VIDEO

include "TIRx/PTX/Base.td"

defvar kVideoTypes = ["u32", "s32"];
// A mask (`d.h10`) keeps halves or bytes of c, a selector (`a.b3210`) chooses
// those of a and b: suffixes of the operands, not modifiers.
class VideoOperands<string unit> {
  list<Operand> all = [Parts<unit # "Mask", Dst<"d", "b32">>,
                       Parts<unit # "Selector", Src<"a", "b32">>,
                       Parts<unit # "Selector", Src<"b", "b32">>,
                       Src<"c", "b32">];
}

/// The result goes into c, part by part; with `.add` it is summed up and added.
class VideoForm<string unit, list<Slot> types, list<Slot> tail>
    : Form<types # tail, VideoOperands<unit>.all, [], [], [], 30, ["sm_30"]>;
class SimdOp<string m, string sec, string sum, string unit>
    : Instruction<m, "Arithmetic", sec, sum, [
        VideoForm<unit, [Slot<"dtype", kVideoTypes>, Slot<"atype", kVideoTypes>,
                         Slot<"btype", kVideoTypes>],
                  [Flag<"sat">]>,
        VideoForm<unit, [Slot<"dtype", kVideoTypes>, Slot<"atype", kVideoTypes>,
                         Slot<"btype", kVideoTypes>],
                  [Word<"add">]>,
      ]>;
class SimdSet<string m, string sec, string sum, string unit>
    : Instruction<m, "Comparison", sec, sum, [
        VideoForm<unit, [Slot<"atype", kVideoTypes>, Slot<"btype", kVideoTypes>,
                         Slot<"cmp", ["eq", "ne", "lt", "le", "gt", "ge"]>],
                  [Flag<"add">]>,
      ]>;

foreach n = [2, 4] in {
  defvar what = !if(!eq(n, 2), "halves", "bytes");
  defvar unit = !if(!eq(n, 2), "Half", "Byte");
  defvar sec = !if(!eq(n, 2), "9.7.18.2.1", "9.7.18.3.1");
  def : SimdOp<"vadd" # n, sec, "adds " # what, unit>;
  def : SimdOp<"vsub" # n, sec, "subtracts " # what, unit>;
  def : SimdOp<"vavrg" # n, sec, "averages " # what, unit>;
  def : SimdOp<"vabsdiff" # n, sec, "the distances of " # what, unit>;
  def : SimdOp<"vmin" # n, sec, "the smaller " # what, unit>;
  def : SimdOp<"vmax" # n, sec, "the larger " # what, unit>;
  def : SimdSet<"vset" # n, !if(!eq(n, 2), "9.7.18.2.2", "9.7.18.3.2"),
                "compares " # what, unit>;
}

#endif // TIRX_PTX_VIDEO
