//===- Conversion.td - conversion of values and addresses --*- tablegen -*--===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_PTX_CONVERSION
#define TIRX_PTX_CONVERSION

include "TIRx/PTX/Base.td"

defvar kInt = ["u8", "u16", "u32", "u64", "s8", "s16", "s32", "s64"];
defvar RoundInt = Slot<"rnd", kRoundI>;
defvar RoundFloat = Slot<"rnd", kRoundF>;
defvar MaybeRoundInt = Opt<"rnd", kRoundI>;
defvar CvtFtz = Flag<"ftz">;
defvar CvtSatFlag = Flag<"sat">;

defvar kStochastic = ["sm_100a", "sm_103a"];

class Cvt<list<Slot> mods, list<string> d, list<string> a, int p = 0,
          list<string> tg = [], list<Restriction> r = []>
    : Form<mods # [Slot<"type", d>, Slot<"atype", a>],
           [Dst<"d">, Src<"a", "$atype">], [], [], r, p, tg>;
/// Saturation is for sources that go beyond the destination.
class CvtSat<string d, list<string> a> : Cvt<[Word<"sat">], [d], a>;
/// Two values packed: the first operand goes to the upper half.
class CvtPack<list<Slot> mods, list<string> d, list<string> a, int p,
              list<string> tg, list<Operand> more = []>
    : Form<mods # [Slot<"type", d>, Slot<"atype", a>],
           [Dst<"d">, Src<"a", "$atype">, Src<"b", "$atype">] # more, [], [], [],
           p, tg>;
/// Four values packed, with random bits for stochastic rounding.
class CvtPack4<list<Slot> mods, list<string> d>
    : Form<mods # [Slot<"type", d>, Slot<"atype", ["f32"]>],
           [Dst<"d">, Src<"abef", "f32", "4">, Src<"rbits", "b32">], [], [], [],
           87, kStochastic>;

defvar kNarrowTargets = ["sm_100a", "sm_100f", "sm_101a", "sm_101f", "sm_110a",
                         "sm_110f", "sm_120a", "sm_120f"];
defvar Finite = Slot<"satfinite", ["satfinite"]>;
defvar MaybeFinite = Flag<"satfinite">;
defvar Relu = Flag<"relu">;
defvar CvtRn = Slot<"rnd", ["rn"]>;
defvar RnRz = Slot<"rnd", ["rn", "rz"]>;
defvar RzRp = Slot<"rnd", ["rz", "rp"]>;
defvar kBytes8 = ["e4m3x2", "e5m2x2"];
defvar kBytes6 = ["e2m3x2", "e3m2x2", "e2m1x2"];

// Rounding is required where the value may not fit, and refused where it does.
def : Instruction<"cvt", "Conversion", "9.7.9.21",
                  "converts between types, rounding or saturating", [
  // Integers.
  Cvt<[], kInt, kInt>,
  CvtSat<"s8", ["s16", "s32", "s64", "u8", "u16", "u32", "u64"]>,
  CvtSat<"s16", ["s32", "s64", "u16", "u32", "u64"]>,
  CvtSat<"s32", ["s64", "u32", "u64"]>,
  CvtSat<"s64", ["u64"]>,
  CvtSat<"u8", ["s8", "s16", "s32", "s64", "u16", "u32", "u64"]>,
  CvtSat<"u16", ["s8", "s16", "s32", "s64", "u32", "u64"]>,
  CvtSat<"u32", ["s8", "s16", "s32", "s64", "u64"]>,
  CvtSat<"u64", ["s8", "s16", "s32", "s64"]>,
  // Between integers and floats.
  Cvt<[RoundInt, CvtFtz, CvtSatFlag], kInt, ["f32"]>,
  Cvt<[RoundInt, CvtSatFlag], kInt, ["f16", "f64"]>,
  Cvt<[RoundInt], kInt, ["bf16"], 78, ["sm_90"]>,
  Cvt<[RoundFloat, CvtSatFlag], ["f16", "f64"], kInt>,
  Cvt<[RoundFloat, CvtFtz, CvtSatFlag], ["f32"], kInt>,
  Cvt<[RoundFloat], ["bf16"], kInt, 78, ["sm_90"]>,
  // To a float that holds less.
  Cvt<[RoundFloat, CvtFtz, CvtSatFlag], ["f32"], ["f64"]>,
  Cvt<[RoundFloat, CvtFtz, CvtSatFlag], ["f16"], ["f32"]>,
  Cvt<[RoundFloat, CvtSatFlag], ["f16"], ["f64"]>,
  Cvt<[RoundFloat], ["bf16"], ["f64"], 78, ["sm_90"]>,
  Cvt<[Opt<"rnd", kRoundF, "rn">], ["bf16"], ["f16"], 78, ["sm_90"]>,
  Cvt<[Opt<"rnd", kRoundF, "rn">], ["f16"], ["bf16"], 78, ["sm_90"]>,
  // To a float that holds more.
  Cvt<[CvtFtz, CvtSatFlag], ["f32"], ["f16"]>,
  Cvt<[], ["f32"], ["bf16"], 71, ["sm_80"]>,
  Cvt<[Word<"ftz">], ["f32"], ["bf16"], 78, ["sm_90"]>,
  Cvt<[RoundFloat], ["f32"], ["bf16"], 71, ["sm_80"]>,
  Cvt<[RoundFloat, Word<"ftz">], ["f32"], ["bf16"], 78, ["sm_90"]>,
  Cvt<[CvtSatFlag], ["f64"], ["f16"]>,
  Cvt<[Opt<"rnd", kRoundF>], ["f64"], ["bf16"], 78, ["sm_90"]>,
  Cvt<[CvtFtz, CvtSatFlag], ["f64"], ["f32"]>,
  // The same type on both sides: to an integral value, or as it is.
  Cvt<[MaybeRoundInt, CvtFtz, CvtSatFlag], ["f32"], ["f32"]>,
  Cvt<[MaybeRoundInt, CvtSatFlag], ["f16"], ["f16"]>,
  Cvt<[MaybeRoundInt, CvtSatFlag], ["f64"], ["f64"]>,
  Cvt<[MaybeRoundInt], ["bf16"], ["bf16"], 78, ["sm_90"]>,
  // Half types with relu and finite saturation.
  Cvt<[RnRz, Relu], ["f16", "bf16"], ["f32"], 70, ["sm_80"]>,
  Cvt<[RoundFloat, CvtFtz], ["bf16"], ["f32"], 70, ["sm_80"]>,
  Cvt<[RnRz, Relu, Finite], ["f16", "bf16"], ["f32"], 81, ["sm_80"]>,
  Cvt<[Slot<"rnd", ["rna"]>], ["tf32"], ["f32"], 70, ["sm_80"]>,
  Cvt<[Slot<"rnd", ["rna"]>, Finite], ["tf32"], ["f32"], 81, ["sm_80"]>,
  Cvt<[RnRz, Relu], ["tf32"], ["f32"], 78, ["sm_90"]>,
  Cvt<[RnRz, Finite, Relu], ["tf32"], ["f32"], 86, ["sm_100"]>,
  CvtPack<[RnRz, Relu], ["f16x2", "bf16x2"], ["f32"], 70, ["sm_80"]>,
  CvtPack<[RnRz, Relu, Finite], ["f16x2", "bf16x2"], ["f32"], 81, ["sm_80"]>,
  CvtPack<[Slot<"rnd", ["rs"]>, Relu, MaybeFinite], ["f16x2", "bf16x2"], ["f32"],
          87, kStochastic, [Src<"rbits", "b32">]>,
  // 8-bit formats.
  CvtPack<[CvtRn, Finite, Relu], kBytes8, ["f32"], 78, ["sm_89"]>,
  Cvt<[CvtRn, Finite, Relu], kBytes8, ["f16x2"], 78, ["sm_89"]>,
  Cvt<[CvtRn, Relu], ["f16x2"], kBytes8, 78, ["sm_89"]>,
  Cvt<[CvtRn, Finite, Relu], kBytes8, ["bf16x2"], 91, kNarrowTargets>,
  // 6- and 4-bit formats, and scale factors.
  CvtPack<[CvtRn, Finite, Relu], kBytes6, ["f32"], 86, kNarrowTargets>,
  Cvt<[CvtRn, Relu], ["f16x2"], kBytes6, 86, kNarrowTargets>,
  Cvt<[CvtRn, Finite, Relu], kBytes6, ["f16x2", "bf16x2"], 91, kNarrowTargets>,
  CvtPack<[RzRp, MaybeFinite], ["ue8m0x2"], ["f32"], 86, kNarrowTargets>,
  Cvt<[RzRp, MaybeFinite], ["ue8m0x2"], ["bf16x2"], 86, kNarrowTargets>,
  Cvt<[CvtRn], ["bf16x2"], ["ue8m0x2"], 86, kNarrowTargets>,
  CvtPack4<[Slot<"rnd", ["rs"]>, Relu, Finite],
           ["e4m3x4", "e5m2x4", "e2m3x4", "e3m2x4", "e2m1x4"]>,
]> {
  let since = [Since<["bf16"], 70, ["sm_80"]>];
}

def : Instruction<"cvt.pack", "Conversion", "9.7.9.22",
                  "saturates two integers and packs them", [
  Form<[Word<"sat">, Slot<"type", ["u16", "s16"]>, Slot<"atype", ["s32"]>],
       [Dst<"d", "b32">, Src<"a", "$atype">, Src<"b", "$atype">], [], [], [], 65,
       ["sm_72"]>,
  Form<[Word<"sat">, Slot<"type", ["u2", "s2", "u4", "s4", "u8", "s8"]>,
        Slot<"atype", ["s32"]>, Slot<"ctype", ["b32"]>],
       [Dst<"d", "b32">, Src<"a", "$atype">, Src<"b", "$atype">,
        Src<"c", "$ctype">],
       [], [], [], 65, ["sm_72"]>,
]> {
  let since = [Since<["u2", "s2", "u4", "s4"], 65, ["sm_75"]>];
}

// --- Addresses ---------------------------------------------------------------

defvar kWindows = ["const", "global", "local", "shared|shared::cta",
                   "shared::cluster", "param|param::entry"];
defvar kWindowSince = [Since<["shared::cluster"], 78, ["sm_90"]>,
                       Since<["param"], 77, ["sm_70"]>];
def : Instruction<"cvta", "Conversion", "9.7.9.20",
                  "converts an address to or from a state space", [
  Form<[Slot<"space", kWindows>, Type<["u32", "u64"]>], [Dst<"d">, Src<"a">]>,
  Form<[Word<"to">, Slot<"space", kWindows>, Type<["u32", "u64"]>],
       [Dst<"d">, Src<"a">]>,
]> {
  let ptx = 20;
  let targets = ["sm_20"];
  let since = kWindowSince;
}
def : Instruction<"isspacep", "Conversion", "9.7.9.19",
                  "whether a generic address lies in a state space", [
  Form<[Slot<"space", kWindows>], [PredDst<"p">, Src<"a", "address">], [], [],
       [], 20, ["sm_20"]>,
]> {
  let since = kWindowSince;
}
def : Instruction<"mapa", "Conversion", "9.7.9.23",
                  "the address of a variable in another CTA of the cluster", [
  Form<[Opt<"space", ["shared::cluster"]>, Type<["u32", "u64"]>],
       [Dst<"d">, Src<"a">, Src<"b", "u32">], [], [], [], 78, ["sm_90"]>,
]>;
def : Instruction<"getctarank", "Conversion", "9.7.9.24",
                  "the rank of the CTA that owns a shared address", [
  Form<[Opt<"space", ["shared::cluster"]>, Type<["u32", "u64"]>],
       [Dst<"d", "u32">, Src<"a">], [], [], [], 78, ["sm_90"]>,
]>;

#endif // TIRX_PTX_CONVERSION
