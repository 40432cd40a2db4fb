//===- Matrix.td - the tensor cores of Ampere and Hopper --*- tablegen -*--===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_PTX_MATRIX
#define TIRX_PTX_MATRIX

include "TIRx/PTX/Base.td"

defvar MatrixSync = [Word<"sync">, Word<"aligned">];
defvar kMatrix = ["Convergent"];
defvar MatSpace = Opt<"space", ["shared|shared::cta"]>;

// --- Matrices between shared memory and registers ----------------------------

defvar Nums = Slot<"num", ["x1", "x2", "x4"]>;
defvar MatDst = [Dst<"r", "b32", "Matrix">, Addr<"a">];
defvar MatSrc = [Addr<"a">, Src<"r", "b32", "Matrix">];
defvar MatReads = [Reads<"a", "shared">];
defvar kMatTargets = ["sm_100a", "sm_100f", "sm_101a", "sm_101f", "sm_110a",
                      "sm_110f", "sm_120a", "sm_120f"];
defvar kMatFormats = [Slot<"dst_fmt", ["b8x16"]>,
                      Slot<"src_fmt", ["b6x16_p32", "b4x16_p64"]>];

def : Instruction<"ldmatrix", "Matrix", "9.7.14.5.15",
                  "loads 8x8 matrices of 16-bit elements over a warp", [
  Form<MatrixSync # [Slot<"shape", ["m8n8"]>, Nums, Flag<"trans">, MatSpace,
                     Type<["b16"]>],
       MatDst, MatReads, kMatrix, [], 65, ["sm_75"]>,
  Form<MatrixSync # [Slot<"shape", ["m16n16"]>, Slot<"num", ["x1", "x2"]>,
                     Word<"trans">, MatSpace, Type<["b8"]>],
       MatDst, MatReads, kMatrix, [], 86, kMatTargets>,
  Form<MatrixSync # [Slot<"shape", ["m16n16"]>, Slot<"num", ["x1", "x2"]>,
                     Word<"trans">, MatSpace] # kMatFormats,
       MatDst, MatReads, kMatrix, [], 86, kMatTargets>,
  Form<MatrixSync # [Slot<"shape", ["m8n16"]>, Nums, MatSpace] # kMatFormats,
       MatDst, MatReads, kMatrix, [], 86, kMatTargets>,
]>;
def : Instruction<"stmatrix", "Matrix", "9.7.14.5.16",
                  "stores 8x8 matrices of 16-bit elements over a warp", [
  Form<MatrixSync # [Slot<"shape", ["m8n8"]>, Nums, Flag<"trans">, MatSpace,
                     Type<["b16"]>],
       MatSrc, [Writes<"a", "shared">], kMatrix, [], 78, ["sm_90"]>,
  Form<MatrixSync # [Slot<"shape", ["m16n8"]>, Nums, Word<"trans">, MatSpace,
                     Type<["b8"]>],
       MatSrc, [Writes<"a", "shared">], kMatrix, [], 86, kMatTargets>,
]>;
def : Instruction<"movmatrix", "Matrix", "9.7.14.5.17", "transposes a matrix", [
  Form<MatrixSync # [Slot<"shape", ["m8n8"]>, Word<"trans">, Type<["b16"]>],
       [Dst<"d", "b32">, Src<"a", "b32">], [], kMatrix, [], 78, ["sm_75"]>,
]>;

// --- mma.sync ----------------------------------------------------------------

/// The registers of a 32-bit or wider accumulator have its type; f16 ones are
/// packed by two.
class Acc<string n, string slot, string a>
    : Operand<n, !if(!eq(a, "Write"), "Register", "Value"), a, "$" # slot,
              "FragmentC">;
class Mma<list<string> shapes, list<string> d, list<string> ab,
          list<Slot> mid = [], int p = 70, list<string> tg = ["sm_80"],
          list<Restriction> r = []>
    : Form<MatrixSync # [Slot<"shape", shapes>, Word<"row">, Word<"col">] # mid #
               [Slot<"dtype", d>, Slot<"atype", ab>, Slot<"btype", ab>,
                Slot<"ctype", d>],
           [Acc<"d", "dtype", "Write">, Src<"a", "$atype", "FragmentA">,
            Src<"b", "$btype", "FragmentB">, Acc<"c", "ctype", "Read">],
           [], kMatrix, r, p, tg>;
class MmaTyped<list<string> shapes, string d, string ab, int p = 70,
               list<string> tg = ["sm_80"]> : Mma<shapes, [d], [ab], [], p, tg>;
class MmaInt<list<string> shapes, list<string> ab, int p, list<string> tg>
    : Mma<shapes, ["s32"], ab, [Flag<"satfinite">], p, tg>;
/// Four products of 8x8x4, each of eight lanes: the only shape with a choice of
/// layouts, and with c narrower than d.
class MmaVolta<list<string> d, list<string> c>
    : Form<MatrixSync # [Slot<"shape", ["m8n8k4"]>,
                         Slot<"alayout", ["row", "col"]>,
                         Slot<"blayout", ["row", "col"]>, Slot<"dtype", d>,
                         Slot<"atype", ["f16"]>, Slot<"btype", ["f16"]>,
                         Slot<"ctype", c>],
           [Acc<"d", "dtype", "Write">, Src<"a", "b32", "2">,
            Src<"b", "b32", "2">, Acc<"c", "ctype", "Read">],
           [], kMatrix, [], 64, ["sm_70"]>;
/// One bit: a population count of the and or exclusive or.
class MmaBit<list<string> shapes>
    : Form<MatrixSync # [Slot<"shape", shapes>, Word<"row">, Word<"col">,
                         Slot<"dtype", ["s32"]>, Slot<"atype", ["b1"]>,
                         Slot<"btype", ["b1"]>, Slot<"ctype", ["s32"]>,
                         Slot<"op", ["xor", "and"]>, Word<"popc">],
           [Acc<"d", "dtype", "Write">, Src<"a", "$atype", "FragmentA">,
            Src<"b", "$btype", "FragmentB">, Acc<"c", "ctype", "Read">],
           [], kMatrix, [], 71, ["sm_80"]>;

/// ptxas takes roundings of f64 products, as the ISA has them for wmma.
defvar kMmaRound = [Opt<"rnd", kRoundF, "rn">];
defvar KindF8F6F4 = Slot<"kind", ["kind::f8f6f4"]>;
defvar kNarrow = ["e4m3", "e5m2", "e3m2", "e2m3", "e2m1"];
defvar kBlockTargets = ["sm_120a", "sm_120f", "sm_121a", "sm_121f"];
class MmaScaled<string kind, string shape, list<string> ab, list<Slot> vec,
                list<string> scale>
    : Form<MatrixSync # [Slot<"shape", [shape]>, Word<"row">, Word<"col">,
                         Slot<"kind", [kind]>, Word<"block_scale">] # vec #
               [Slot<"dtype", ["f32"]>, Slot<"atype", ab>, Slot<"btype", ab>,
                Slot<"ctype", ["f32"]>, Slot<"stype", scale>],
           [Acc<"d", "dtype", "Write">, Src<"a", "$atype", "FragmentA">,
            Src<"b", "$btype", "FragmentB">, Acc<"c", "ctype", "Read">,
            Src<"scale_a", "b32">, Src<"selector_a", "u16", "2">,
            Src<"scale_b", "b32">, Src<"selector_b", "u16", "2">],
           [], kMatrix, [], 87, kBlockTargets>;

def : Instruction<"mma", "Matrix", "9.7.14.5.14", "D = A * B + C over a warp", [
  Mma<["m8n8k4"], ["f64"], ["f64"], kMmaRound, 70, ["sm_80"]>,
  Mma<["m16n8k4", "m16n8k8", "m16n8k16"], ["f64"], ["f64"], kMmaRound, 78,
      ["sm_90"]>,
  MmaVolta<["f16", "f32"], ["f16"]>,
  MmaVolta<["f32"], ["f32"]>,
  MmaTyped<["m16n8k8"], "f16", "f16", 65, ["sm_75"]>,
  MmaTyped<["m16n8k8"], "f32", "f16", 65, ["sm_75"]>,
  MmaTyped<["m16n8k16"], "f16", "f16">,
  MmaTyped<["m16n8k16"], "f32", "f16">,
  MmaTyped<["m16n8k8", "m16n8k16"], "f32", "bf16">,
  MmaTyped<["m16n8k4", "m16n8k8"], "f32", "tf32">,
  MmaInt<["m8n8k16"], ["u8", "s8"], 65, ["sm_75"]>,
  MmaInt<["m16n8k16", "m16n8k32"], ["u8", "s8"], 70, ["sm_80"]>,
  MmaInt<["m8n8k32"], ["u4", "s4"], 65, ["sm_75"]>,
  MmaInt<["m16n8k32", "m16n8k64"], ["u4", "s4"], 70, ["sm_80"]>,
  MmaBit<["m8n8k128", "m16n8k128", "m16n8k256"]>,
  Mma<["m16n8k32"], ["f32"], ["e4m3", "e5m2"], [], 84, ["sm_89"]>,
  Mma<["m16n8k16"], ["f32"], ["e4m3", "e5m2"], [], 87, ["sm_89"]>,
  Mma<["m16n8k16", "m16n8k32"], ["f16"], ["e4m3", "e5m2"], [], 87, ["sm_89"]>,
  Mma<["m16n8k32"], ["f32"], kNarrow, [KindF8F6F4], 87, kBlockTargets>,
  Mma<["m16n8k32"], ["f16"], kNarrow, [KindF8F6F4], 87, kBlockTargets>,
  MmaScaled<"kind::mxf8f6f4", "m16n8k32", kNarrow,
            [Opt<"scale_vec", ["scale_vec::1X"]>], ["ue8m0"]>,
  MmaScaled<"kind::mxf4", "m16n8k64", ["e2m1"],
            [Opt<"scale_vec", ["scale_vec::2X"]>], ["ue8m0"]>,
  MmaScaled<"kind::mxf4nvf4", "m16n8k64", ["e2m1"],
            [Slot<"scale_vec", ["scale_vec::2X"]>], ["ue8m0"]>,
  MmaScaled<"kind::mxf4nvf4", "m16n8k64", ["e2m1"],
            [Slot<"scale_vec", ["scale_vec::4X"]>], ["ue4m3"]>,
]>;

// --- wgmma -------------------------------------------------------------------

class Wgmma<string m, string sec, string sum, list<Form> fs>
    : Instruction<m, "Matrix", sec, sum, fs> {
  let ptx = 80;
  let targets = ["sm_90a"];
}
class WgmmaShapes<string k, int step> {
  list<string> all =
      !foreach(i, !range(1, !add(!div(256, step), 1)),
               "m64n" # !mul(i, step) # k);
}
/// The integer shapes: multiples of 16 from 32, and 8 and 24.
defvar kWgmmaIntN = [8, 16, 24, 32, 48, 64, 80, 96, 112, 128, 144, 160, 176, 192,
                     208, 224, 240, 256];
class WgmmaIntShapes<string k> {
  list<string> all = !foreach(n, kWgmmaIntN, "m64n" # n # k);
}
// `a` is a descriptor or four registers. A 16-bit type has the two immediates
// that transpose, b's only where a is in registers.
defvar WgmmaD = InOut<Operand<"d", "Register", "Write", "$dtype", "Wgmma">>;
defvar WgmmaHead = [WgmmaD, Operand<"a", "Value", "Read", "", "Unknown">,
                    Src<"b", "b64">, PredSrc<"scale_d">];
defvar WgmmaSigns = [Imm<"scale_a", "s32", "-1,1">,
                     Imm<"scale_b", "s32", "-1,1">];
defvar WgmmaEffects = [Reads<"a", "shared", "Async">,
                       Reads<"b", "shared", "Async">];
defvar WgmmaFlags = ["Convergent", "Asynchronous", "SideEffects",
                     "CompletesInWgmmaGroup"];
class WgmmaForm<list<string> shapes, list<string> d, list<string> ab,
                list<Slot> tail = [], list<Operand> more = [], int p = 0>
    : Form<MatrixSync # [Slot<"shape", shapes>, Slot<"dtype", d>,
                         Slot<"atype", ab>, Slot<"btype", ab>] # tail,
           WgmmaHead # more, WgmmaEffects, WgmmaFlags, [], p>;
defvar WgmmaTrans = WgmmaSigns # [Maybe<Imm<"trans_a", "s32", "0,1">>,
                                   Maybe<Imm<"trans_b", "s32", "0,1">>];

def : Wgmma<"wgmma.mma_async", "9.7.15.5.2",
            "D = A * B + D over a warpgroup, D in registers", [
  WgmmaForm<WgmmaShapes<"k16", 8>.all, ["f16", "f32"], ["f16"], [], WgmmaTrans>,
  WgmmaForm<WgmmaShapes<"k16", 8>.all, ["f32"], ["bf16"], [], WgmmaTrans>,
  WgmmaForm<WgmmaShapes<"k8", 8>.all, ["f32"], ["tf32"], [], WgmmaSigns>,
  WgmmaForm<WgmmaShapes<"k32", 8>.all, ["f16", "f32"], ["e4m3", "e5m2"], [],
            WgmmaSigns>,
  WgmmaForm<WgmmaIntShapes<"k32">.all, ["s32"], ["s8"], [Flag<"satfinite">]>,
  WgmmaForm<WgmmaIntShapes<"k32">.all, ["s32"], ["u8"], [Flag<"satfinite">]>,
  WgmmaForm<WgmmaIntShapes<"k32">.all, ["s32"], ["s8", "u8"],
            [Flag<"satfinite">], [], 84>,
  WgmmaForm<WgmmaIntShapes<"k256">.all, ["s32"], ["b1"],
            [Slot<"op", ["and"]>, Word<"popc">]>,
]>;
def : Wgmma<"wgmma.fence", "9.7.15.7.1",
            "orders register accesses with the next wgmma",
            [Form<MatrixSync, [], [], ["Convergent", "Orders", "SideEffects"]>]>;
def : Wgmma<"wgmma.commit_group", "9.7.15.7.2",
            "closes a group of the warpgroup's wgmma",
            [Form<MatrixSync, [], [], ["Convergent", "SideEffects"]>]>;
def : Wgmma<"wgmma.wait_group", "9.7.15.7.3",
            "waits until at most n groups are pending",
            [Form<MatrixSync, [Imm<"n", "u32">], [],
                  ["Convergent", "Orders", "SideEffects"]>]>;

#endif // TIRX_PTX_MATRIX
