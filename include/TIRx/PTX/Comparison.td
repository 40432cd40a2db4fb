//===- Comparison.td - comparisons and selections ---------*- tablegen -*--===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_PTX_COMPARISON
#define TIRX_PTX_COMPARISON

include "TIRx/PTX/Base.td"

def : Instruction<"selp", "Comparison", "9.7.6.3", "a if c, else b", [
  Form<[Type<["b16", "b32", "b64", "u16", "u32", "u64", "s16", "s32", "s64",
       "f32", "f64"]>], [Dst<"d">, Src<"a">, Src<"b">, PredSrc<"c">]>,
]>;

def : Instruction<"set", "Comparison", "9.7.6.1", "compares into a number", [
  Form<[Slot<"cmp", ["eq", "ne", "lt", "le", "gt", "ge", "lo", "ls", "hi",
       "hs"]>, Flag<"ftz">, Slot<"dtype", ["u32", "s32", "f32"]>,
       Type<kI16to64>], [Dst<"d", "$dtype">, Src<"a">, Src<"b">], [], [],
       [Excludes<["lo", "ls", "hi", "hs"], ["s16", "s32", "s64"],
       "'.lo', '.ls', '.hi' and '.hs' compare unsigned integers">,
       Needs<["ftz"], ["f32", "f16", "f16x2"], "'.ftz' is for f32 and f16">]>,
  Form<[Slot<"cmp", ["eq", "ne"]>, Flag<"ftz">, Slot<"dtype", ["u32", "s32",
       "f32"]>, Type<kB16to64>], [Dst<"d", "$dtype">, Src<"a">, Src<"b">], [],
       [], [Needs<["ftz"], ["f32", "f16", "f16x2"],
       "'.ftz' is for f32 and f16">]>,
  Form<[Slot<"cmp", ["eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu",
       "leu", "gtu", "geu", "num", "nan"]>, Flag<"ftz">, Slot<"dtype", ["u32",
       "s32", "f32"]>, Type<["f32", "f64"]>], [Dst<"d", "$dtype">, Src<"a">,
       Src<"b">], [], [], [Needs<["ftz"], ["f32", "f16", "f16x2"],
       "'.ftz' is for f32 and f16">]>,
  Form<[Slot<"cmp", ["eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu",
       "leu", "gtu", "geu", "num", "nan"]>, Flag<"ftz">, Slot<"dtype", ["f16",
       "u16", "s16", "u32", "s32"]>, Type<["f16"]>], [Dst<"d", "$dtype">,
       Src<"a">, Src<"b">], [], [], [], 42, ["sm_53"]>,
  Form<[Slot<"cmp", ["eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu",
       "leu", "gtu", "geu", "num", "nan"]>, Flag<"ftz">, Slot<"dtype",
       ["f16x2", "u32", "s32"]>, Type<["f16x2"]>], [Dst<"d", "$dtype">,
       Src<"a">, Src<"b">], [], [], [], 42, ["sm_53"]>,
  Form<[Slot<"cmp", ["eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu",
       "leu", "gtu", "geu", "num", "nan"]>, Flag<"ftz">, Slot<"dtype", ["bf16",
       "u16", "s16", "u32", "s32"]>, Type<["bf16"]>], [Dst<"d", "$dtype">,
       Src<"a">, Src<"b">], [], [], [], 78, ["sm_90"]>,
  Form<[Slot<"cmp", ["eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu",
       "leu", "gtu", "geu", "num", "nan"]>, Flag<"ftz">, Slot<"dtype",
       ["bf16x2", "u32", "s32"]>, Type<["bf16x2"]>], [Dst<"d", "$dtype">,
       Src<"a">, Src<"b">], [], [], [], 78, ["sm_90"]>,
  Form<[Slot<"cmp", ["eq", "ne", "lt", "le", "gt", "ge", "lo", "ls", "hi",
       "hs"]>, Slot<"boolop", ["and", "or", "xor"]>, Flag<"ftz">, Slot<"dtype",
       ["u32", "s32", "f32"]>, Type<kI16to64>], [Dst<"d", "$dtype">, Src<"a">,
       Src<"b">, PredSrc<"c">], [], [], [Excludes<["lo", "ls", "hi", "hs"],
       ["s16", "s32", "s64"],
       "'.lo', '.ls', '.hi' and '.hs' compare unsigned integers">,
       Needs<["ftz"], ["f32", "f16", "f16x2"], "'.ftz' is for f32 and f16">]>,
  Form<[Slot<"cmp", ["eq", "ne"]>, Slot<"boolop", ["and", "or", "xor"]>,
       Flag<"ftz">, Slot<"dtype", ["u32", "s32", "f32"]>, Type<kB16to64>],
       [Dst<"d", "$dtype">, Src<"a">, Src<"b">, PredSrc<"c">], [], [],
       [Needs<["ftz"], ["f32", "f16", "f16x2"], "'.ftz' is for f32 and f16">]>,
  Form<[Slot<"cmp", ["eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu",
       "leu", "gtu", "geu", "num", "nan"]>, Slot<"boolop", ["and", "or",
       "xor"]>, Flag<"ftz">, Slot<"dtype", ["u32", "s32", "f32"]>, Type<["f32",
       "f64"]>], [Dst<"d", "$dtype">, Src<"a">, Src<"b">, PredSrc<"c">], [],
       [], [Needs<["ftz"], ["f32", "f16", "f16x2"],
       "'.ftz' is for f32 and f16">]>,
  Form<[Slot<"cmp", ["eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu",
       "leu", "gtu", "geu", "num", "nan"]>, Slot<"boolop", ["and", "or",
       "xor"]>, Flag<"ftz">, Slot<"dtype", ["f16", "u16", "s16", "u32",
       "s32"]>, Type<["f16"]>], [Dst<"d", "$dtype">, Src<"a">, Src<"b">,
       PredSrc<"c">], [], [], [], 42, ["sm_53"]>,
  Form<[Slot<"cmp", ["eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu",
       "leu", "gtu", "geu", "num", "nan"]>, Slot<"boolop", ["and", "or",
       "xor"]>, Flag<"ftz">, Slot<"dtype", ["f16x2", "u32", "s32"]>,
       Type<["f16x2"]>], [Dst<"d", "$dtype">, Src<"a">, Src<"b">,
       PredSrc<"c">], [], [], [], 42, ["sm_53"]>,
  Form<[Slot<"cmp", ["eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu",
       "leu", "gtu", "geu", "num", "nan"]>, Slot<"boolop", ["and", "or",
       "xor"]>, Flag<"ftz">, Slot<"dtype", ["bf16", "u16", "s16", "u32",
       "s32"]>, Type<["bf16"]>], [Dst<"d", "$dtype">, Src<"a">, Src<"b">,
       PredSrc<"c">], [], [], [], 78, ["sm_90"]>,
  Form<[Slot<"cmp", ["eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu",
       "leu", "gtu", "geu", "num", "nan"]>, Slot<"boolop", ["and", "or",
       "xor"]>, Flag<"ftz">, Slot<"dtype", ["bf16x2", "u32", "s32"]>,
       Type<["bf16x2"]>], [Dst<"d", "$dtype">, Src<"a">, Src<"b">,
       PredSrc<"c">], [], [], [], 78, ["sm_90"]>,
]>;

def : Instruction<"setp", "Comparison", "9.7.6.2", "compares into a predicate", [
  Form<[Slot<"cmp", ["eq", "ne", "lt", "le", "gt", "ge", "lo", "ls", "hi",
       "hs"]>, Type<kI16to64>], [PairDst<"p", "pred">, Src<"a">, Src<"b">], [],
       [], [Excludes<["lo", "ls", "hi", "hs"], ["s16", "s32", "s64"],
       "'.lo', '.ls', '.hi' and '.hs' compare unsigned integers">]>,
  Form<[Slot<"cmp", ["eq", "ne"]>, Type<kB16to64>], [PairDst<"p", "pred">,
       Src<"a">, Src<"b">]>,
  Form<[Slot<"cmp", ["eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu",
       "leu", "gtu", "geu", "num", "nan"]>, Flag<"ftz">, Type<["f32", "f16",
       "f16x2"]>], [PairDst<"p", "pred">, Src<"a">, Src<"b">]>,
  Form<[Slot<"cmp", ["eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu",
       "leu", "gtu", "geu", "num", "nan"]>, Type<["f64"]>], [PairDst<"p",
       "pred">, Src<"a">, Src<"b">]>,
  Form<[Slot<"cmp", ["eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu",
       "leu", "gtu", "geu", "num", "nan"]>, Type<["bf16", "bf16x2"]>],
       [PairDst<"p", "pred">, Src<"a">, Src<"b">], [], [], [], 78, ["sm_90"]>,
  Form<[Slot<"cmp", ["eq", "ne", "lt", "le", "gt", "ge", "lo", "ls", "hi",
       "hs"]>, Slot<"boolop", ["and", "or", "xor"]>, Type<kI16to64>],
       [PairDst<"p", "pred">, Src<"a">, Src<"b">, PredSrc<"c">], [], [],
       [Excludes<["lo", "ls", "hi", "hs"], ["s16", "s32", "s64"],
       "'.lo', '.ls', '.hi' and '.hs' compare unsigned integers">]>,
  Form<[Slot<"cmp", ["eq", "ne"]>, Slot<"boolop", ["and", "or", "xor"]>,
       Type<kB16to64>], [PairDst<"p", "pred">, Src<"a">, Src<"b">,
       PredSrc<"c">]>,
  Form<[Slot<"cmp", ["eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu",
       "leu", "gtu", "geu", "num", "nan"]>, Slot<"boolop", ["and", "or",
       "xor"]>, Flag<"ftz">, Type<["f32", "f16", "f16x2"]>], [PairDst<"p",
       "pred">, Src<"a">, Src<"b">, PredSrc<"c">]>,
  Form<[Slot<"cmp", ["eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu",
       "leu", "gtu", "geu", "num", "nan"]>, Slot<"boolop", ["and", "or",
       "xor"]>, Type<["f64"]>], [PairDst<"p", "pred">, Src<"a">, Src<"b">,
       PredSrc<"c">]>,
  Form<[Slot<"cmp", ["eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu",
       "leu", "gtu", "geu", "num", "nan"]>, Slot<"boolop", ["and", "or",
       "xor"]>, Type<["bf16", "bf16x2"]>], [PairDst<"p", "pred">, Src<"a">,
       Src<"b">, PredSrc<"c">], [], [], [], 78, ["sm_90"]>,
]> {
  let since = [Since<["f16", "f16x2"], 42, ["sm_53"]>];
}

def : Instruction<"slct", "Comparison", "9.7.6.4",
     "a if c is not negative, else b", [
  Form<[Type<["b16", "b32", "b64", "u16", "u32", "u64", "s16", "s32", "s64",
       "f32", "f64"]>, Slot<"ctype", ["s32"]>], [Dst<"d">, Src<"a">, Src<"b">,
       Src<"c", "s32">]>,
  Form<[Flag<"ftz">, Type<["b16", "b32", "b64", "u16", "u32", "u64", "s16",
       "s32", "s64", "f32", "f64"]>, Slot<"ctype", ["f32"]>], [Dst<"d">,
       Src<"a">, Src<"b">, Src<"c", "f32">]>,
]>;

#endif // TIRX_PTX_COMPARISON
