//===- Arithmetic.td - integer and floating-point arithmetic -*- tablegen -*--===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_PTX_ARITHMETIC
#define TIRX_PTX_ARITHMETIC

include "TIRx/PTX/Base.td"

defvar kAbsForms = [
  Form<[Type<["s16", "s32", "s64"]>], [Dst<"d">, Src<"a">]>,
  Form<[Flag<"ftz">, Type<["f32"]>], [Dst<"d">, Src<"a">]>,
  Form<[Type<["f64"]>], [Dst<"d">, Src<"a">]>,
  Form<[Flag<"ftz">, Type<["f16", "f16x2"]>], [Dst<"d">, Src<"a">], [], [], [],
       60, ["sm_53"]>,
  Form<[Type<["bf16", "bf16x2"]>], [Dst<"d">, Src<"a">], [], [], [], 70,
       ["sm_80"]>,
];

def : Instruction<"abs", "Arithmetic", "9.7.1.10", "the absolute value", kAbsForms>;

defvar kAddForms = [
  Form<[Type<kI16to64>], [Dst<"d">, Src<"a">, Src<"b">]>,
  Form<[Type<["u16x2", "s16x2"]>], [Dst<"d">, Src<"a">, Src<"b">], [], [], [],
       80, ["sm_90"]>,
  Form<[Word<"sat">, Type<["s32"]>], [Dst<"d">, Src<"a">, Src<"b">]>,
  Form<[Word<"cc">, Type<kI32to64>], [Dst<"d">, Src<"a">, Src<"b">], [],
       ["SideEffects"]>,
  Form<[Opt<"rnd", kRoundF, "rn">, Flag<"ftz">, Flag<"sat">, Type<["f32"]>],
       [Dst<"d">, Src<"a">, Src<"b">]>,
  Form<[Opt<"rnd", kRoundF, "rn">, Type<["f64"]>], [Dst<"d">, Src<"a">,
       Src<"b">]>,
  Form<[Opt<"rnd", kRoundF, "rn">, Flag<"ftz">, Type<["f32x2"]>], [Dst<"d">,
       Src<"a">, Src<"b">], [], [], [], 86, ["sm_100"]>,
  Form<[Opt<"rnd", ["rn"], "rn">, Flag<"ftz">, Flag<"sat">, Type<["f16",
       "f16x2"]>], [Dst<"d">, Src<"a">, Src<"b">], [], [], [], 42, ["sm_53"]>,
  Form<[Opt<"rnd", ["rn"], "rn">, Type<["bf16", "bf16x2"]>], [Dst<"d">,
       Src<"a">, Src<"b">], [], [], [], 78, ["sm_90"]>,
  Form<[Opt<"rnd", kRoundF, "rn">, Flag<"sat">, Type<["f32"]>, Slot<"atype",
       ["f16", "bf16"]>], [Dst<"d">, Src<"a", "$atype">, Src<"c">], [], [], [],
       86, ["sm_100"]>,
];

def : Instruction<"add", "Arithmetic", "9.7.1.1", "adds two values", kAddForms>;

defvar kAddcForms = [
  Form<[Flag<"cc">, Type<kI32to64>], [Dst<"d">, Src<"a">, Src<"b">], [],
       ["SideEffects"]>,
];

def : Instruction<"addc", "Arithmetic", "9.7.2.2",
     "adds two values and the carry", kAddcForms>;

def : Instruction<"copysign", "Arithmetic", "9.7.3.2", "b with the sign of a", [
  Form<[Type<["f32", "f64"]>], [Dst<"d">, Src<"a">, Src<"b">]>,
]>;

defvar kCosForms = [
  Form<[Word<"approx">, Flag<"ftz">, Type<["f32"]>], [Dst<"d">, Src<"a">]>,
];

def : Instruction<"cos", "Arithmetic", "9.7.3.19", "the cosine, a in radians", kCosForms>;

def : Instruction<"div", "Arithmetic", "9.7.1.8", "divides a by b", [
  Form<[Type<kI16to64>], [Dst<"d">, Src<"a">, Src<"b">]>,
  Form<[Slot<"rnd", ["approx", "full", "rn", "rz", "rm", "rp"]>, Flag<"ftz">,
       Type<["f32"]>], [Dst<"d">, Src<"a">, Src<"b">]>,
  Form<[Slot<"rnd", kRoundF>, Type<["f64"]>], [Dst<"d">, Src<"a">, Src<"b">]>,
]>;

def : Instruction<"dp2a", "Arithmetic", "9.7.1.24",
     "dot product of two halves and two bytes, added to c", [
  Form<[Slot<"half", ["lo", "hi"]>, Slot<"atype", ["u32", "s32"]>,
       Slot<"btype", ["u32", "s32"]>], [Dst<"d", "b32">, Src<"a", "b32">,
       Src<"b", "b32">, Src<"c", "b32">], [], [], [], 50, ["sm_61"]>,
]>;

def : Instruction<"dp4a", "Arithmetic", "9.7.1.23",
     "dot product of four bytes, added to c", [
  Form<[Slot<"atype", ["u32", "s32"]>, Slot<"btype", ["u32", "s32"]>],
       [Dst<"d", "b32">, Src<"a", "b32">, Src<"b", "b32">, Src<"c", "b32">],
       [], [], [], 50, ["sm_61"]>,
]>;

def : Instruction<"ex2", "Arithmetic", "9.7.3.21", "two to the power of a", [
  Form<[Word<"approx">, Flag<"ftz">, Type<["f32"]>], [Dst<"d">, Src<"a">]>,
  Form<[Word<"approx">, Type<["f16", "f16x2"]>], [Dst<"d">, Src<"a">], [], [],
       [], 70, ["sm_75"]>,
  Form<[Word<"approx">, Word<"ftz">, Type<["bf16", "bf16x2"]>], [Dst<"d">,
       Src<"a">], [], [], [], 78, ["sm_90"]>,
]>;

def : Instruction<"fma", "Arithmetic", "9.7.3.7",
     "multiplies a by b and adds c with one rounding", [
  Form<[Slot<"rnd", kRoundF>, Flag<"ftz">, Flag<"sat">, Type<["f32"]>],
       [Dst<"d">, Src<"a">, Src<"b">, Src<"c">]>,
  Form<[Slot<"rnd", kRoundF>, Type<["f64"]>], [Dst<"d">, Src<"a">, Src<"b">,
       Src<"c">]>,
  Form<[Slot<"rnd", kRoundF>, Flag<"ftz">, Type<["f32x2"]>], [Dst<"d">,
       Src<"a">, Src<"b">, Src<"c">], [], [], [], 86, ["sm_100"]>,
  Form<[Slot<"rnd", ["rn"]>, Flag<"ftz">, Flag<"sat">, Type<["f16", "f16x2"]>],
       [Dst<"d">, Src<"a">, Src<"b">, Src<"c">], [], [], [], 42, ["sm_53"]>,
  Form<[Slot<"rnd", ["rn"]>, Flag<"ftz">, Word<"relu">, Type<["f16",
       "f16x2"]>], [Dst<"d">, Src<"a">, Src<"b">, Src<"c">], [], [], [], 70,
       ["sm_80"]>,
  Form<[Slot<"rnd", ["rn"]>, Flag<"relu">, Type<["bf16", "bf16x2"]>],
       [Dst<"d">, Src<"a">, Src<"b">, Src<"c">], [], [], [], 70, ["sm_80"]>,
  Form<[Slot<"rnd", ["rn"]>, Word<"oob">, Flag<"relu">, Type<["f16", "f16x2",
       "bf16", "bf16x2"]>], [Dst<"d">, Src<"a">, Src<"b">, Src<"c">], [], [],
       [], 81, ["sm_90"]>,
  Form<[Slot<"rnd", kRoundF>, Flag<"sat">, Type<["f32"]>, Slot<"atype", ["f16",
       "bf16"]>], [Dst<"d">, Src<"a", "$atype">, Src<"b", "$atype">, Src<"c">],
       [], [], [], 86, ["sm_100"]>,
]>;

def : Instruction<"lg2", "Arithmetic", "9.7.3.20", "the logarithm to base 2", kCosForms>;

def : Instruction<"mad", "Arithmetic", "9.7.1.4", "multiplies a by b, adds c", [
  Form<[Slot<"half", ["hi", "lo"]>, Type<kI16to64>], [Dst<"d">, Src<"a">,
       Src<"b">, Src<"c">]>,
  Form<[Word<"hi">, Word<"sat">, Type<["s32"]>], [Dst<"d">, Src<"a">, Src<"b">,
       Src<"c">]>,
  Form<[Word<"wide">, Type<["u16", "u32", "s16", "s32"]>], [Dst<"d",
       "wide($type)">, Src<"a">, Src<"b">, Src<"c", "wide($type)">]>,
  Form<[Slot<"half", ["hi", "lo"]>, Word<"cc">, Type<kI32to64>], [Dst<"d">,
       Src<"a">, Src<"b">, Src<"c">], [], ["SideEffects"]>,
  Form<[Slot<"rnd", kRoundF>, Flag<"ftz">, Flag<"sat">, Type<["f32"]>],
       [Dst<"d">, Src<"a">, Src<"b">, Src<"c">]>,
  Form<[Slot<"rnd", kRoundF>, Type<["f64"]>], [Dst<"d">, Src<"a">, Src<"b">,
       Src<"c">]>,
]>;

def : Instruction<"mad24", "Arithmetic", "9.7.1.6",
     "multiplies 24-bit integers, adds c", [
  Form<[Slot<"half", ["hi", "lo"]>, Type<["u32", "s32"]>], [Dst<"d">, Src<"a">,
       Src<"b">, Src<"c">]>,
]>;

def : Instruction<"madc", "Arithmetic", "9.7.2.6",
     "multiplies a by b, adds c and the carry", [
  Form<[Slot<"half", ["hi", "lo"]>, Flag<"cc">, Type<kI32to64>], [Dst<"d">,
       Src<"a">, Src<"b">, Src<"c">], [], ["SideEffects"]>,
]>;

defvar kMaxForms = [
  Form<[Type<kI16to64>], [Dst<"d">, Src<"a">, Src<"b">]>,
  Form<[Type<["u16x2"]>], [Dst<"d">, Src<"a">, Src<"b">], [], [], [], 80,
       ["sm_90"]>,
  Form<[Flag<"relu">, Type<["s16x2", "s32"]>], [Dst<"d">, Src<"a">, Src<"b">],
       [], [], [], 80, ["sm_90"]>,
  Form<[Flag<"ftz">, Flag<"NaN">, Flag<"xorsign">, Flag<"abs">, Type<["f32"]>],
       [Dst<"d">, Src<"a">, Src<"b">, Maybe<Src<"c">>], [], [],
       [Needs<["xorsign"], ["abs"], "'.xorsign' is written '.xorsign.abs'">]>,
  Form<[Type<["f64"]>], [Dst<"d">, Src<"a">, Src<"b">]>,
  Form<[Flag<"ftz">, Flag<"NaN">, Flag<"xorsign">, Flag<"abs">, Type<["f16",
       "f16x2", "bf16", "bf16x2"]>], [Dst<"d">, Src<"a">, Src<"b">], [], [],
       [Needs<["xorsign"], ["abs"], "'.xorsign' is written '.xorsign.abs'">,
       Excludes<["ftz"], ["bf16", "bf16x2"], "'.ftz' is not for bf16 types">],
       70, ["sm_80"]>,
];

def : Instruction<"max", "Arithmetic", "9.7.1.13", "the larger value", kMaxForms> {
  let since = [Since<["NaN"], 70, ["sm_80"]>, Since<["xorsign"], 72, ["sm_86"]>];
}

def : Instruction<"min", "Arithmetic", "9.7.1.12", "the smaller value", kMaxForms> {
  let since = [Since<["NaN"], 70, ["sm_80"]>, Since<["xorsign"], 72, ["sm_86"]>];
}

def : Instruction<"mul", "Arithmetic", "9.7.1.3", "multiplies two values", [
  Form<[Slot<"half", ["hi", "lo"]>, Type<kI16to64>], [Dst<"d">, Src<"a">,
       Src<"b">]>,
  Form<[Word<"wide">, Type<["u16", "u32", "s16", "s32"]>], [Dst<"d",
       "wide($type)">, Src<"a">, Src<"b">]>,
  Form<[Opt<"rnd", kRoundF, "rn">, Flag<"ftz">, Flag<"sat">, Type<["f32"]>],
       [Dst<"d">, Src<"a">, Src<"b">]>,
  Form<[Opt<"rnd", kRoundF, "rn">, Type<["f64"]>], [Dst<"d">, Src<"a">,
       Src<"b">]>,
  Form<[Opt<"rnd", kRoundF, "rn">, Flag<"ftz">, Type<["f32x2"]>], [Dst<"d">,
       Src<"a">, Src<"b">], [], [], [], 86, ["sm_100"]>,
  Form<[Opt<"rnd", ["rn"], "rn">, Flag<"ftz">, Flag<"sat">, Type<["f16",
       "f16x2"]>], [Dst<"d">, Src<"a">, Src<"b">], [], [], [], 42, ["sm_53"]>,
  Form<[Opt<"rnd", ["rn"], "rn">, Type<["bf16", "bf16x2"]>], [Dst<"d">,
       Src<"a">, Src<"b">], [], [], [], 78, ["sm_90"]>,
]>;

def : Instruction<"mul24", "Arithmetic", "9.7.1.5",
     "multiplies 24-bit integers", [
  Form<[Slot<"half", ["hi", "lo"]>, Type<["u32", "s32"]>], [Dst<"d">, Src<"a">,
       Src<"b">]>,
]>;

def : Instruction<"neg", "Arithmetic", "9.7.1.11", "the negated value", kAbsForms>;

def : Instruction<"rcp", "Arithmetic", "9.7.3.13", "one over a", [
  Form<[Slot<"rnd", ["approx", "rn", "rz", "rm", "rp"]>, Flag<"ftz">,
       Type<["f32"]>], [Dst<"d">, Src<"a">]>,
  Form<[Slot<"rnd", kRoundF>, Type<["f64"]>], [Dst<"d">, Src<"a">]>,
  Form<[Word<"approx">, Word<"ftz">, Type<["f64"]>], [Dst<"d">, Src<"a">], [],
       [], [], 21, ["sm_20"]>,
]>;

def : Instruction<"rem", "Arithmetic", "9.7.1.9",
     "the remainder of a divided by b", [
  Form<[Type<kI16to64>], [Dst<"d">, Src<"a">, Src<"b">]>,
]>;

def : Instruction<"rsqrt", "Arithmetic", "9.7.3.16",
     "one over the square root", [
  Form<[Word<"approx">, Flag<"ftz">, Type<["f32"]>], [Dst<"d">, Src<"a">]>,
  Form<[Word<"approx">, Flag<"ftz">, Type<["f64"]>], [Dst<"d">, Src<"a">]>,
]>;

def : Instruction<"sad", "Arithmetic", "9.7.1.7",
     "c plus the distance of a and b", [
  Form<[Type<kI16to64>], [Dst<"d">, Src<"a">, Src<"b">, Src<"c">]>,
]>;

def : Instruction<"sin", "Arithmetic", "9.7.3.18", "the sine, a in radians", kCosForms>;

def : Instruction<"sqrt", "Arithmetic", "9.7.3.15", "the square root", [
  Form<[Slot<"rnd", ["approx", "rn", "rz", "rm", "rp"]>, Flag<"ftz">,
       Type<["f32"]>], [Dst<"d">, Src<"a">]>,
  Form<[Slot<"rnd", kRoundF>, Type<["f64"]>], [Dst<"d">, Src<"a">]>,
]>;

def : Instruction<"sub", "Arithmetic", "9.7.1.2", "subtracts b from a", kAddForms>;

def : Instruction<"subc", "Arithmetic", "9.7.2.4",
     "subtracts b and the borrow from a", kAddcForms>;

def : Instruction<"tanh", "Arithmetic", "9.7.3.22", "the hyperbolic tangent", [
  Form<[Word<"approx">, Type<["f32"]>], [Dst<"d">, Src<"a">], [], [], [], 70,
       ["sm_75"]>,
  Form<[Word<"approx">, Type<["f16", "f16x2"]>], [Dst<"d">, Src<"a">], [], [],
       [], 70, ["sm_75"]>,
  Form<[Word<"approx">, Type<["bf16", "bf16x2"]>], [Dst<"d">, Src<"a">], [],
       [], [], 78, ["sm_90"]>,
]>;

def : Instruction<"testp", "Arithmetic", "9.7.3.1",
     "tests a property of a float", [
  Form<[Slot<"property", ["finite", "infinite", "number", "notanumber",
       "normal", "subnormal"]>, Type<["f32", "f64"]>], [PredDst<"p">,
       Src<"a">]>,
]>;

#endif // TIRX_PTX_ARITHMETIC
