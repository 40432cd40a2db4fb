//===- Conversion.td - conversions ------------------------*- tablegen -*--===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_PTX_CONVERSION
#define TIRX_PTX_CONVERSION

include "TIRx/PTX/Base.td"

def : Instruction<"cvt", "Conversion", "9.7.9.21",
     "converts between types, rounding or saturating", [
  Form<[Flag<"sat">, Type<["u8", "u16", "u32", "u64", "s8", "s16", "s32",
       "s64"]>, Slot<"atype", ["u8", "u16", "u32", "u64", "s8", "s16", "s32",
       "s64"]>], [Dst<"d">, Src<"a", "$atype">]>,
  Form<[Slot<"rnd", kRoundI>, Flag<"ftz">, Flag<"sat">, Type<["u8", "u16",
       "u32", "u64", "s8", "s16", "s32", "s64"]>, Slot<"atype", ["f16", "bf16",
       "f32", "f64"]>], [Dst<"d">, Src<"a", "$atype">], [], [], [Needs<["ftz"],
       ["f32"], "'.ftz' is for conversions with f32">]>,
  Form<[Slot<"rnd", kRoundF>, Flag<"sat">, Type<["f16", "bf16", "f32", "f64"]>,
       Slot<"atype", ["u8", "u16", "u32", "u64", "s8", "s16", "s32", "s64"]>],
       [Dst<"d">, Src<"a", "$atype">]>,
  Form<[Slot<"rnd", kRoundF>, Flag<"ftz">, Flag<"sat">, Type<["f32"]>,
       Slot<"atype", ["f64"]>], [Dst<"d">, Src<"a", "$atype">]>,
  Form<[Slot<"rnd", kRoundF>, Flag<"ftz">, Flag<"sat">, Type<["f16"]>,
       Slot<"atype", ["f32", "f64"]>], [Dst<"d">, Src<"a", "$atype">], [], [],
       [Needs<["ftz"], ["f32"], "'.ftz' is for conversions with f32">]>,
  Form<[Slot<"rnd", kRoundF>, Flag<"sat">, Type<["bf16"]>, Slot<"atype",
       ["f16", "f64"]>], [Dst<"d">, Src<"a", "$atype">], [], [], [], 78,
       ["sm_90"]>,
  Form<[Slot<"rnd", kRoundF>, Flag<"sat">, Type<["f16"]>, Slot<"atype",
       ["bf16"]>], [Dst<"d">, Src<"a", "$atype">], [], [], [], 78, ["sm_90"]>,
  Form<[Flag<"ftz">, Flag<"sat">, Type<["f32"]>, Slot<"atype", ["f16",
       "bf16"]>], [Dst<"d">, Src<"a", "$atype">]>,
  Form<[Flag<"sat">, Type<["f64"]>, Slot<"atype", ["f16", "bf16"]>], [Dst<"d">,
       Src<"a", "$atype">]>,
  Form<[Flag<"ftz">, Flag<"sat">, Type<["f64"]>, Slot<"atype", ["f32"]>],
       [Dst<"d">, Src<"a", "$atype">]>,
  Form<[Opt<"rnd", kRoundI>, Flag<"ftz">, Flag<"sat">, Type<["f32"]>,
       Slot<"atype", ["f32"]>], [Dst<"d">, Src<"a", "$atype">]>,
  Form<[Opt<"rnd", kRoundI>, Flag<"sat">, Type<["f64"]>, Slot<"atype",
       ["f64"]>], [Dst<"d">, Src<"a", "$atype">]>,
  Form<[Opt<"rnd", kRoundI>, Flag<"sat">, Type<["f16"]>, Slot<"atype",
       ["f16"]>], [Dst<"d">, Src<"a", "$atype">]>,
  Form<[Opt<"rnd", kRoundI>, Flag<"sat">, Type<["bf16"]>, Slot<"atype",
       ["bf16"]>], [Dst<"d">, Src<"a", "$atype">], [], [], [], 78, ["sm_90"]>,
  Form<[Slot<"rnd", ["rn", "rz"]>, Flag<"relu">, Flag<"satfinite">,
       Type<["f16", "bf16"]>, Slot<"atype", ["f32"]>], [Dst<"d">, Src<"a",
       "$atype">], [], [], [], 70, ["sm_80"]>,
  Form<[Slot<"rnd", ["rna"]>, Flag<"satfinite">, Type<["tf32"]>, Slot<"atype",
       ["f32"]>], [Dst<"d">, Src<"a", "$atype">], [], [], [], 70, ["sm_80"]>,
  Form<[Slot<"rnd", ["rn", "rz"]>, Flag<"satfinite">, Flag<"relu">,
       Type<["tf32"]>, Slot<"atype", ["f32"]>], [Dst<"d">, Src<"a", "$atype">],
       [], [], [], 78, ["sm_90"]>,
  Form<[Slot<"rnd", ["rn", "rz"]>, Flag<"relu">, Flag<"satfinite">,
       Type<["f16x2", "bf16x2"]>, Slot<"atype", ["f32"]>], [Dst<"d">, Src<"a",
       "$atype">, Src<"b", "$atype">], [], [], [], 70, ["sm_80"]>,
  Form<[Slot<"rnd", ["rs"]>, Flag<"relu">, Flag<"satfinite">, Type<["f16x2",
       "bf16x2"]>, Slot<"atype", ["f32"]>], [Dst<"d">, Src<"a", "$atype">,
       Src<"b", "$atype">, Src<"rbits", "b32">], [], [], [], 87, ["sm_100a",
       "sm_100f", "sm_103a", "sm_103f"]>,
  Form<[Slot<"rnd", ["rn"]>, Word<"satfinite">, Flag<"relu">, Type<["e4m3x2",
       "e5m2x2"]>, Slot<"atype", ["f32"]>], [Dst<"d">, Src<"a", "$atype">,
       Src<"b", "$atype">], [], [], [], 78, ["sm_89"]>,
  Form<[Slot<"rnd", ["rn"]>, Word<"satfinite">, Flag<"relu">, Type<["e4m3x2",
       "e5m2x2"]>, Slot<"atype", ["f16x2"]>], [Dst<"d">, Src<"a", "$atype">],
       [], [], [], 78, ["sm_89"]>,
  Form<[Slot<"rnd", ["rn"]>, Flag<"relu">, Type<["f16x2"]>, Slot<"atype",
       ["e4m3x2", "e5m2x2"]>], [Dst<"d">, Src<"a", "$atype">], [], [], [], 78,
       ["sm_89"]>,
  Form<[Slot<"rnd", ["rn"]>, Word<"satfinite">, Flag<"relu">, Type<["e2m3x2",
       "e3m2x2", "e2m1x2"]>, Slot<"atype", ["f32"]>], [Dst<"d">, Src<"a",
       "$atype">, Src<"b", "$atype">], [], [], [], 86, ["sm_100a", "sm_100f",
       "sm_101a", "sm_101f", "sm_110a", "sm_110f", "sm_120a", "sm_120f"]>,
  Form<[Slot<"rnd", ["rn"]>, Flag<"relu">, Type<["f16x2"]>, Slot<"atype",
       ["e2m3x2", "e3m2x2", "e2m1x2"]>], [Dst<"d">, Src<"a", "$atype">], [],
       [], [], 86, ["sm_100a", "sm_100f", "sm_101a", "sm_101f", "sm_110a",
       "sm_110f", "sm_120a", "sm_120f"]>,
  Form<[Slot<"rnd", ["rn"]>, Word<"satfinite">, Flag<"relu">, Type<["e2m3x2",
       "e3m2x2", "e2m1x2"]>, Slot<"atype", ["f16x2", "bf16x2"]>], [Dst<"d">,
       Src<"a", "$atype">], [], [], [], 91, ["sm_100a", "sm_100f", "sm_101a",
       "sm_101f", "sm_110a", "sm_110f", "sm_120a", "sm_120f"]>,
  Form<[Slot<"rnd", ["rn"]>, Word<"satfinite">, Flag<"relu">, Type<["e4m3x2",
       "e5m2x2"]>, Slot<"atype", ["bf16x2"]>], [Dst<"d">, Src<"a", "$atype">],
       [], [], [], 91, ["sm_100a", "sm_100f", "sm_101a", "sm_101f", "sm_110a",
       "sm_110f", "sm_120a", "sm_120f"]>,
  Form<[Slot<"rnd", ["rz", "rp"]>, Flag<"satfinite">, Type<["ue8m0x2"]>,
       Slot<"atype", ["f32"]>], [Dst<"d">, Src<"a", "$atype">, Src<"b",
       "$atype">], [], [], [], 86, ["sm_100a", "sm_100f", "sm_101a", "sm_101f",
       "sm_110a", "sm_110f", "sm_120a", "sm_120f"]>,
  Form<[Slot<"rnd", ["rz", "rp"]>, Flag<"satfinite">, Type<["ue8m0x2"]>,
       Slot<"atype", ["bf16x2"]>], [Dst<"d">, Src<"a", "$atype">], [], [], [],
       86, ["sm_100a", "sm_100f", "sm_101a", "sm_101f", "sm_110a", "sm_110f",
       "sm_120a", "sm_120f"]>,
  Form<[Slot<"rnd", ["rn"]>, Type<["bf16x2"]>, Slot<"atype", ["ue8m0x2"]>],
       [Dst<"d">, Src<"a", "$atype">], [], [], [], 86, ["sm_100a", "sm_100f",
       "sm_101a", "sm_101f", "sm_110a", "sm_110f", "sm_120a", "sm_120f"]>,
  Form<[Slot<"rnd", ["rs"]>, Flag<"relu">, Word<"satfinite">, Type<["e4m3x4",
       "e5m2x4", "e2m3x4", "e3m2x4", "e2m1x4"]>, Slot<"atype", ["f32"]>],
       [Dst<"d">, Src<"abef", "f32", "4">, Src<"rbits", "b32">], [], [], [],
       87, ["sm_100a", "sm_100f", "sm_103a", "sm_103f"]>,
]> {
  let since = [Since<["bf16"], 70, ["sm_80"]>];
}

def : Instruction<"cvt.pack", "Conversion", "9.7.9.22",
     "saturates two integers and packs them", [
  Form<[Word<"sat">, Type<["u16", "s16"]>, Slot<"atype", ["s32"]>], [Dst<"d",
       "b32">, Src<"a", "$atype">, Src<"b", "$atype">], [], [], [], 65,
       ["sm_72"]>,
  Form<[Word<"sat">, Type<["u2", "s2", "u4", "s4", "u8", "s8"]>, Slot<"atype",
       ["s32"]>, Slot<"ctype", ["b32"]>], [Dst<"d", "b32">, Src<"a", "$atype">,
       Src<"b", "$atype">, Src<"c", "$ctype">], [], [], [], 65, ["sm_72"]>,
]> {
  let since = [Since<["u2", "s2", "u4", "s4"], 65, ["sm_75"]>];
}

def : Instruction<"cvta", "Conversion", "9.7.9.20",
     "converts an address to or from a state space", [
  Form<[Slot<"space", ["const", "global", "local", "shared|shared::cta",
       "shared::cluster", "param|param::entry"]>, Type<["u32", "u64"]>],
       [Dst<"d">, Src<"a">], [], [], [], 20, ["sm_20"]>,
  Form<[Word<"to">, Slot<"space", ["const", "global", "local",
       "shared|shared::cta", "shared::cluster", "param|param::entry"]>,
       Type<["u32", "u64"]>], [Dst<"d">, Src<"a">], [], [], [], 20, ["sm_20"]>,
]> {
  let since = [Since<["shared::cluster"], 78, ["sm_90"]>, Since<["param"], 77, ["sm_70"]>];
}

def : Instruction<"getctarank", "Conversion", "9.7.9.24",
     "the rank of the CTA that owns a shared address", [
  Form<[Opt<"space", ["shared::cluster"]>, Type<["u32", "u64"]>], [Dst<"d",
       "u32">, Src<"a">], [], [], [], 78, ["sm_90"]>,
]>;

def : Instruction<"isspacep", "Conversion", "9.7.9.19",
     "whether a generic address lies in a state space", [
  Form<[Slot<"space", ["const", "global", "local", "shared|shared::cta",
       "shared::cluster", "param|param::entry"]>], [PredDst<"p">, Src<"a",
       "address">], [], [], [], 20, ["sm_20"]>,
]> {
  let since = [Since<["shared::cluster"], 78, ["sm_90"]>, Since<["param"], 77, ["sm_70"]>];
}

def : Instruction<"mapa", "Conversion", "9.7.9.23",
     "the address of the same variable in another CTA of the cluster", [
  Form<[Opt<"space", ["shared::cluster"]>, Type<["u32", "u64"]>], [Dst<"d">,
       Src<"a">, Src<"b", "u32">], [], [], [], 78, ["sm_90"]>,
]>;

#endif // TIRX_PTX_CONVERSION
