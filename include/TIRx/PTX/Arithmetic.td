//===- Arithmetic.td - integer and floating-point arithmetic --*- tablegen -*--===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_PTX_ARITHMETIC
#define TIRX_PTX_ARITHMETIC

include "TIRx/PTX/Base.td"

// --- Slots and operands that repeat ------------------------------------------

defvar Rnd = Opt<"rnd", kRoundF, "rn">;
defvar RndRequired = Slot<"rnd", kRoundF>;
defvar RnOnly = Opt<"rnd", ["rn"], "rn">;
defvar RnRequired = Slot<"rnd", ["rn"]>;
defvar Ftz = Flag<"ftz">;
defvar Sat = Flag<"sat">;
defvar Cc = Flag<"cc">;
defvar Half = Slot<"half", ["hi", "lo"]>;

defvar Unary = [Dst<"d">, Src<"a">];
defvar Binary = [Dst<"d">, Src<"a">, Src<"b">];
defvar Ternary = [Dst<"d">, Src<"a">, Src<"b">, Src<"c">];

/// The carry flag is state that no operand names: this keeps them in order.
defvar kCarry = ["SideEffects"];

/// A form without effects.
class Pure<list<Slot> s, list<Operand> o, int p = 0, list<string> tg = []>
    : Form<s, o, [], [], [], p, tg>;

// --- Addition and subtraction ------------------------------------------------

class AddSub<string m, string sec, string sum, list<Form> more>
    : Instruction<m, "Arithmetic", sec, sum, [
        Pure<[Type<kI16to64>], Binary>,
        Pure<[Word<"sat">, Type<["s32"]>], Binary>,
        Form<[Word<"cc">, Type<kI32to64>], Binary, [], kCarry>,
        Pure<[Rnd, Ftz, Sat, Type<["f32"]>], Binary>,
        Pure<[Rnd, Type<["f64"]>], Binary>,
        Pure<[Rnd, Ftz, Type<["f32x2"]>], Binary, 86, ["sm_100"]>,
        Pure<[RnOnly, Ftz, Sat, Type<["f16", "f16x2"]>], Binary, 42, ["sm_53"]>,
        Pure<[RnOnly, Type<["bf16", "bf16x2"]>], Binary, 78, ["sm_90"]>,
        Pure<[Rnd, Sat, Type<["f32"]>, Slot<"atype", ["f16", "bf16"]>],
             [Dst<"d">, Src<"a", "$atype">, Src<"c">], 86, ["sm_100"]>,
      ] # more>;
defvar AddPacked = Pure<[Type<["u16x2", "s16x2"]>], Binary, 80, ["sm_90"]>;
def : AddSub<"add", "9.7.1.1", "adds two values", [AddPacked]>;
def : AddSub<"sub", "9.7.1.2", "subtracts b from a", []>;

class AddSubCarry<string m, string sec, string sum>
    : Instruction<m, "Arithmetic", sec, sum,
                  [Form<[Cc, Type<kI32to64>], Binary, [], kCarry>]>;
def : AddSubCarry<"addc", "9.7.2.2", "adds two values and the carry">;
def : AddSubCarry<"subc", "9.7.2.4", "subtracts b and the borrow from a">;

// --- Multiplication ----------------------------------------------------------

def : Instruction<"mul", "Arithmetic", "9.7.1.3", "multiplies two values", [
  Pure<[Half, Type<kI16to64>], Binary>,
  Pure<[Word<"wide">, Type<["u16", "u32", "s16", "s32"]>],
       [Dst<"d", "wide($type)">, Src<"a">, Src<"b">]>,
  Pure<[Rnd, Ftz, Sat, Type<["f32"]>], Binary>,
  Pure<[Rnd, Type<["f64"]>], Binary>,
  Pure<[Rnd, Ftz, Type<["f32x2"]>], Binary, 86, ["sm_100"]>,
  Pure<[RnOnly, Ftz, Sat, Type<["f16", "f16x2"]>], Binary, 42, ["sm_53"]>,
  Pure<[RnOnly, Type<["bf16", "bf16x2"]>], Binary, 78, ["sm_90"]>,
]>;
def : Instruction<"mad", "Arithmetic", "9.7.1.4", "multiplies a by b, adds c", [
  Pure<[Half, Type<kI16to64>], Ternary>,
  Pure<[Slot<"half", ["hi"]>, Word<"sat">, Type<["s32"]>], Ternary>,
  Pure<[Word<"wide">, Type<["u16", "u32", "s16", "s32"]>],
       [Dst<"d", "wide($type)">, Src<"a">, Src<"b">, Src<"c", "wide($type)">]>,
  Form<[Half, Word<"cc">, Type<kI32to64>], Ternary, [], kCarry>,
  Pure<[RndRequired, Ftz, Sat, Type<["f32"]>], Ternary>,
  Pure<[RndRequired, Type<["f64"]>], Ternary>,
]>;
def : Instruction<"madc", "Arithmetic", "9.7.2.6",
                  "multiplies a by b, adds c and the carry",
                  [Form<[Half, Cc, Type<kI32to64>], Ternary, [], kCarry>]>;

class Mul24<string m, string sec, string sum, list<Operand> ops>
    : Instruction<m, "Arithmetic", sec, sum,
                  [Pure<[Half, Type<["u32", "s32"]>], ops>]>;
def : Mul24<"mul24", "9.7.1.5", "multiplies 24-bit integers", Binary>;
def : Mul24<"mad24", "9.7.1.6", "multiplies 24-bit integers, adds c", Ternary>;

def : Instruction<"fma", "Arithmetic", "9.7.3.7",
                  "multiplies a by b and adds c with one rounding", [
  Pure<[RndRequired, Ftz, Sat, Type<["f32"]>], Ternary>,
  Pure<[RndRequired, Type<["f64"]>], Ternary>,
  Pure<[RndRequired, Ftz, Type<["f32x2"]>], Ternary, 86, ["sm_100"]>,
  Pure<[RnRequired, Ftz, Sat, Type<["f16", "f16x2"]>], Ternary, 42, ["sm_53"]>,
  Pure<[RnRequired, Ftz, Word<"relu">, Type<["f16", "f16x2"]>], Ternary, 70,
       ["sm_80"]>,
  Pure<[RnRequired, Flag<"relu">, Type<["bf16", "bf16x2"]>], Ternary, 70,
       ["sm_80"]>,
  Pure<[RnRequired, Word<"oob">, Flag<"relu">,
        Type<["f16", "f16x2", "bf16", "bf16x2"]>],
       Ternary, 81, ["sm_90"]>,
  Pure<[RndRequired, Sat, Type<["f32"]>, Slot<"atype", ["f16", "bf16"]>],
       [Dst<"d">, Src<"a", "$atype">, Src<"b", "$atype">, Src<"c">], 86,
       ["sm_100"]>,
]>;

// --- Division, remainder -----------------------------------------------------

def : Instruction<"div", "Arithmetic", "9.7.1.8", "divides a by b", [
  Pure<[Type<kI16to64>], Binary>,
  Pure<[Slot<"rnd", ["approx", "full"] # kRoundF>, Ftz, Type<["f32"]>], Binary>,
  Pure<[RndRequired, Type<["f64"]>], Binary>,
]>;
def : Instruction<"rem", "Arithmetic", "9.7.1.9",
                  "the remainder of a divided by b",
                  [Pure<[Type<kI16to64>], Binary>]>;

// --- Sign, minimum, maximum --------------------------------------------------

class AbsNeg<string m, string sec, string sum>
    : Instruction<m, "Arithmetic", sec, sum, [
        Pure<[Type<["s16", "s32", "s64"]>], Unary>,
        Pure<[Ftz, Type<["f32"]>], Unary>,
        Pure<[Type<["f64"]>], Unary>,
        Pure<[Ftz, Type<["f16", "f16x2"]>], Unary, 60, ["sm_53"]>,
        Pure<[Type<["bf16", "bf16x2"]>], Unary, 70, ["sm_80"]>,
      ]>;
def : AbsNeg<"abs", "9.7.1.10", "the absolute value">;
def : AbsNeg<"neg", "9.7.1.11", "the negated value">;

// Two inputs have both or neither; f32 with three inputs may have abs alone.
defvar XorsignAbs = [
  Needs<["xorsign"], ["abs"], "'.xorsign' is written '.xorsign.abs'">,
  Needs<["abs"], ["xorsign"], "'.abs' needs '.xorsign' with two inputs">,
];
// The form of three inputs has the same name, so that c is optional in it.
class MinMax<string m, string sec, string sum>
    : Instruction<m, "Arithmetic", sec, sum, [
        Pure<[Type<kI16to64>], Binary>,
        Pure<[Type<["u16x2"]>], Binary, 80, ["sm_90"]>,
        Pure<[Flag<"relu">, Type<["s16x2", "s32"]>], Binary, 80, ["sm_90"]>,
        Pure<[Ftz, Flag<"NaN">, Type<["f32"]>],
             [Dst<"d">, Src<"a">, Src<"b">,
              From<88, ["sm_100"], Maybe<Src<"c">>>]>,
        Pure<[Ftz, Flag<"NaN">, Word<"xorsign">, Word<"abs">, Type<["f32"]>],
             Binary>,
        Pure<[Ftz, Flag<"NaN">, Word<"abs">, Type<["f32"]>], Ternary, 88,
             ["sm_100"]>,
        Pure<[Type<["f64"]>], Binary>,
        Form<[Ftz, Flag<"NaN">, Flag<"xorsign">, Flag<"abs">,
              Type<["f16", "f16x2"]>],
             Binary, [], [], XorsignAbs, 70, ["sm_80"]>,
        Form<[Flag<"NaN">, Flag<"xorsign">, Flag<"abs">,
              Type<["bf16", "bf16x2"]>],
             Binary, [], [], XorsignAbs, 70, ["sm_80"]>,
      ]> {
  let since = [Since<["NaN"], 70, ["sm_80"]>,
               Since<["xorsign"], 72, ["sm_86"]>];
}
def : MinMax<"min", "9.7.1.12", "the smaller value">;
def : MinMax<"max", "9.7.1.13", "the larger value">;

def : Instruction<"sad", "Arithmetic", "9.7.1.7",
                  "c plus the distance of a and b",
                  [Pure<[Type<kI16to64>], Ternary>]>;
def : Instruction<"copysign", "Arithmetic", "9.7.3.2", "b with the sign of a",
                  [Pure<[Type<["f32", "f64"]>], Binary>]>;
def : Instruction<"testp", "Arithmetic", "9.7.3.1",
                  "tests a property of a float", [
  Pure<[Slot<"property", ["finite", "infinite", "number", "notanumber",
                          "normal", "subnormal"]>,
        Type<["f32", "f64"]>],
       [PredDst<"p">, Src<"a">]>,
]>;

// --- Dot products ------------------------------------------------------------

defvar kDot = [Dst<"d", "b32">, Src<"a", "b32">, Src<"b", "b32">,
               Src<"c", "b32">];
defvar kDotTypes = [Slot<"atype", ["u32", "s32"]>,
                    Slot<"btype", ["u32", "s32"]>];
def : Instruction<"dp4a", "Arithmetic", "9.7.1.23",
                  "dot product of four bytes, added to c",
                  [Pure<kDotTypes, kDot, 50, ["sm_61"]>]>;
def : Instruction<"dp2a", "Arithmetic", "9.7.1.24",
                  "dot product of two halves and two bytes, added to c",
                  [Pure<[Slot<"half", ["lo", "hi"]>] # kDotTypes, kDot, 50,
                        ["sm_61"]>]>;

// --- Elementary functions ----------------------------------------------------

defvar RndApprox = Slot<"rnd", ["approx"] # kRoundF>;
defvar Approximate = Slot<"rnd", ["approx"]>;
def : Instruction<"rcp", "Arithmetic", "9.7.3.13", "one over a", [
  Pure<[RndApprox, Ftz, Type<["f32"]>], Unary>,
  Pure<[RndRequired, Type<["f64"]>], Unary>,
  Pure<[Approximate, Word<"ftz">, Type<["f64"]>], Unary, 21, ["sm_20"]>,
]>;
def : Instruction<"sqrt", "Arithmetic", "9.7.3.15", "the square root", [
  Pure<[RndApprox, Ftz, Type<["f32"]>], Unary>,
  Pure<[RndRequired, Type<["f64"]>], Unary>,
]>;
def : Instruction<"rsqrt", "Arithmetic", "9.7.3.16",
                  "one over the square root",
                  [Pure<[Approximate, Ftz, Type<["f32", "f64"]>], Unary>]>;

class Approx<string m, string sec, string sum>
    : Instruction<m, "Arithmetic", sec, sum,
                  [Pure<[Approximate, Ftz, Type<["f32"]>], Unary>]>;
def : Approx<"sin", "9.7.3.18", "the sine, a in radians">;
def : Approx<"cos", "9.7.3.19", "the cosine, a in radians">;
def : Approx<"lg2", "9.7.3.20", "the logarithm to base 2">;

def : Instruction<"ex2", "Arithmetic", "9.7.3.21", "two to the power of a", [
  Pure<[Approximate, Ftz, Type<["f32"]>], Unary>,
  Pure<[Approximate, Type<["f16", "f16x2"]>], Unary, 70, ["sm_75"]>,
  Pure<[Approximate, Word<"ftz">, Type<["bf16", "bf16x2"]>], Unary, 78,
       ["sm_90"]>,
]>;
def : Instruction<"tanh", "Arithmetic", "9.7.3.22", "the hyperbolic tangent", [
  Pure<[Approximate, Type<["f32", "f16", "f16x2"]>], Unary, 70, ["sm_75"]>,
  Pure<[Approximate, Type<["bf16", "bf16x2"]>], Unary, 78, ["sm_90"]>,
]>;

#endif // TIRX_PTX_ARITHMETIC
