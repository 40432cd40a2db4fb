//===- Logic.td - bitwise and bit-field instructions ------*- tablegen -*--===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_PTX_LOGIC
#define TIRX_PTX_LOGIC

include "TIRx/PTX/Base.td"

include "TIRx/PTX/Arithmetic.td"

class Bitwise<string m, string sec, string sum>
    : Instruction<m, "Logic", sec, sum,
                  [Pure<[Type<["pred", "b16", "b32", "b64"]>], Binary>]>;
def : Bitwise<"and", "9.7.8.1", "bitwise and">;
def : Bitwise<"or", "9.7.8.2", "bitwise or">;
def : Bitwise<"xor", "9.7.8.3", "bitwise exclusive or">;
def : Instruction<"not", "Logic", "9.7.8.4", "bitwise complement",
                  [Pure<[Type<["pred", "b16", "b32", "b64"]>], Unary>]>;
def : Instruction<"cnot", "Logic", "9.7.8.5", "1 if a is 0, else 0",
                  [Pure<[Type<kB16to64>], Unary>]>;

def : Instruction<"lop3", "Logic", "9.7.8.6",
                  "any function of three bits, given by its truth table", [
  Pure<[Type<["b32"]>], [Dst<"d">, Src<"a">, Src<"b">, Src<"c">, Imm<"lut">], 43,
       ["sm_50"]>,
  Pure<[Slot<"boolop", ["or", "and"]>, Type<["b32"]>],
       [PairDst<"d", "b32">, Src<"a">, Src<"b">, Src<"c">, Imm<"lut">,
        PredSrc<"q">],
       82, ["sm_70"]>,
]>;

// The shift amount is 32 bits whatever the type.
defvar Shift = [Dst<"d">, Src<"a">, Src<"b", "u32">];
def : Instruction<"shl", "Logic", "9.7.8.8", "shift left",
                  [Pure<[Type<kB16to64>], Shift>]>;
def : Instruction<"shr", "Logic", "9.7.8.9",
                  "shift right; signed types extend the sign",
                  [Pure<[Type<kB16to64 # kI16to64>], Shift>]>;
def : Instruction<"shf", "Logic", "9.7.8.7", "shifts a pair of registers", [
  Pure<[Slot<"dir", ["l", "r"]>, Slot<"mode", ["clamp", "wrap"]>,
        Type<["b32"]>],
       [Dst<"d">, Src<"a">, Src<"b">, Src<"c", "u32">], 31, ["sm_32"]>,
]>;

def : Instruction<"prmt", "Logic", "9.7.9.7", "selects four bytes of eight", [
  Pure<[Type<["b32"]>,
        Opt<"mode", ["f4e", "b4e", "rc8", "ecl", "ecr", "rc16"]>],
       Ternary, 20, ["sm_20"]>,
]>;

class BitCount<string m, string sec, string sum>
    : Instruction<m, "Logic", sec, sum, [
        Pure<[Type<["b32", "b64"]>], [Dst<"d", "u32">, Src<"a">], 20, ["sm_20"]>,
      ]>;
def : BitCount<"popc", "9.7.1.14", "number of ones">;
def : BitCount<"clz", "9.7.1.15", "number of leading zeros">;
def : Instruction<"bfind", "Logic", "9.7.1.16",
                  "position of the most significant bit that is not sign", [
  Pure<[Flag<"shiftamt">, Type<kI32to64>], [Dst<"d", "u32">, Src<"a">], 20,
       ["sm_20"]>,
]>;
def : Instruction<"fns", "Logic", "9.7.1.17", "position of the n-th set bit", [
  Pure<[Type<["b32"]>],
       [Dst<"d">, Src<"mask">, Src<"base">, Src<"offset", "s32">], 60,
       ["sm_30"]>,
]>;
def : Instruction<"brev", "Logic", "9.7.1.18", "reverses the bits",
                  [Pure<[Type<["b32", "b64"]>], Unary, 20, ["sm_20"]>]>;
def : Instruction<"bfe", "Logic", "9.7.1.19",
                  "extracts c bits of a from bit b", [
  Pure<[Type<kI32to64>], [Dst<"d">, Src<"a">, Src<"b", "u32">, Src<"c", "u32">],
       20, ["sm_20"]>,
]>;
def : Instruction<"bfi", "Logic", "9.7.1.20",
                  "inserts d bits of a into b from bit c", [
  Pure<[Type<["b32", "b64"]>],
       [Dst<"f">, Src<"a">, Src<"b">, Src<"c", "u32">, Src<"d", "u32">], 20,
       ["sm_20"]>,
]>;
def : Instruction<"szext", "Logic", "9.7.1.21", "sign or zero extends b bits", [
  Pure<[Slot<"mode", ["clamp", "wrap"]>, Type<["u32", "s32"]>],
       [Dst<"d">, Src<"a">, Src<"b", "u32">], 76, ["sm_70"]>,
]>;
def : Instruction<"bmsk", "Logic", "9.7.1.22", "b ones from bit a", [
  Pure<[Slot<"mode", ["clamp", "wrap"]>, Type<["b32"]>],
       [Dst<"d">, Src<"a">, Src<"b", "u32">], 76, ["sm_70"]>,
]>;

#endif // TIRX_PTX_LOGIC
