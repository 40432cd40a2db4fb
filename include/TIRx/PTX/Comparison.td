//===- Comparison.td - comparison and selection -----------*- tablegen -*--===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_PTX_COMPARISON
#define TIRX_PTX_COMPARISON

include "TIRx/PTX/Base.td"

defvar kCompareI = ["eq", "ne", "lt", "le", "gt", "ge", "lo", "ls", "hi", "hs"];
defvar kCompareF = ["eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu",
                    "leu", "gtu", "geu", "num", "nan"];
defvar kCompareB = ["eq", "ne"];
defvar BoolOp = Slot<"boolop", ["and", "or", "xor"]>;
defvar FtzFlag = Flag<"ftz">;
defvar UnsignedOrders =
    Excludes<["lo", "ls", "hi", "hs"], ["s16", "s32", "s64"],
             "'.lo', '.ls', '.hi' and '.hs' compare unsigned integers">;

/// `op` and `c` are empty, or a boolean operation and its predicate.
class Setp<list<string> cmp, list<Slot> op, list<Operand> c, list<Slot> ftz,
           list<string> types, Operand d = PairDst<"p", "pred">, int p = 0,
           list<string> tg = [], list<Restriction> r = []>
    : Form<[Slot<"cmp", cmp>] # op # ftz # [Type<types>],
           [d, Src<"a">, Src<"b">] # c, [], [], r, p, tg>;
// f16 and bf16 have one result; the packed types write p|q for their halves.
class SetpForms<list<Slot> op, list<Operand> c> {
  list<Form> all = [
    Setp<kCompareI, op, c, [], kI16to64, PairDst<"p", "pred">, 0, [],
         [UnsignedOrders]>,
    Setp<kCompareB, op, c, [], kB16to64>,
    Setp<kCompareF, op, c, [FtzFlag], ["f32"]>,
    Setp<kCompareF, op, c, [], ["f64"]>,
    Setp<kCompareF, op, c, [FtzFlag], ["f16"], PredDst<"p">, 42, ["sm_53"]>,
    Setp<kCompareF, op, c, [FtzFlag], ["f16x2"], PairDst<"p", "pred">, 42,
         ["sm_53"]>,
    Setp<kCompareF, op, c, [], ["bf16"], PredDst<"p">, 78, ["sm_90"]>,
    Setp<kCompareF, op, c, [], ["bf16x2"], PairDst<"p", "pred">, 78, ["sm_90"]>
  ];
}
def : Instruction<"setp", "Comparison", "9.7.6.2", "compares into a predicate",
                  SetpForms<[], []>.all # SetpForms<[BoolOp], [PredSrc<"c">]>.all>;

class Set<list<string> dtypes, list<string> cmp, list<Slot> op,
          list<Operand> c, list<Slot> ftz, list<string> types, int p = 0,
          list<string> tg = [], list<Restriction> r = []>
    : Form<[Slot<"cmp", cmp>] # op # ftz # [Slot<"dtype", dtypes>, Type<types>],
           [Dst<"d", "$dtype">, Src<"a">, Src<"b">] # c, [], [], r, p, tg>;
defvar kSetTypes = ["u32", "s32", "f32"];
defvar kSetInts = ["u16", "s16", "u32", "s32"];
class SetForms<list<Slot> op, list<Operand> c> {
  list<Form> all = [
    Set<kSetTypes, kCompareI, op, c, [], kI16to64, 0, [], [UnsignedOrders]>,
    Set<kSetTypes, kCompareB, op, c, [], kB16to64>,
    Set<kSetTypes, kCompareF, op, c, [FtzFlag], ["f32"]>,
    Set<kSetTypes, kCompareF, op, c, [], ["f64"]>,
    Set<["f16"] # kSetInts, kCompareF, op, c, [FtzFlag], ["f16"], 42, ["sm_53"]>,
    Set<["f16x2", "u32", "s32"], kCompareF, op, c, [FtzFlag], ["f16x2"], 42,
        ["sm_53"]>,
    Set<["bf16"] # kSetInts, kCompareF, op, c, [], ["bf16"], 78, ["sm_90"]>,
    Set<["bf16x2", "u32", "s32"], kCompareF, op, c, [], ["bf16x2"], 78, ["sm_90"]>
  ];
}
def : Instruction<"set", "Comparison", "9.7.6.1", "compares into a number",
                  SetForms<[], []>.all # SetForms<[BoolOp], [PredSrc<"c">]>.all>;

defvar kSelectTypes = kB16to64 # kI16to64 # ["f32", "f64"];
def : Instruction<"selp", "Comparison", "9.7.6.3", "a if c, else b", [
  Form<[Type<kSelectTypes>], [Dst<"d">, Src<"a">, Src<"b">, PredSrc<"c">]>,
]>;
def : Instruction<"slct", "Comparison", "9.7.6.4",
                  "a if c is not negative, else b", [
  Form<[Type<kSelectTypes>, Slot<"ctype", ["s32"]>],
       [Dst<"d">, Src<"a">, Src<"b">, Src<"c", "s32">]>,
  Form<[FtzFlag, Type<kSelectTypes>, Slot<"ctype", ["f32"]>],
       [Dst<"d">, Src<"a">, Src<"b">, Src<"c", "f32">]>,
]>;

#endif // TIRX_PTX_COMPARISON
