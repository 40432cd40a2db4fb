//===- Sparse.td - matrix products with a sparse A ---------*- tablegen -*--===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A holds half the elements of each row; `e` says which, and the selector which
// lanes of four have it.
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_PTX_SPARSE
#define TIRX_PTX_SPARSE

include "TIRx/PTX/Matrix.td"

// --- mma.sp ------------------------------------------------------------------

defvar MmaSparseTail = [Src<"e", "b32">, Imm<"f">];
class MmaSparse<list<string> shapes, string d, list<string> ab, int p,
                list<string> tg, list<Slot> mid = []>
    : Form<MatrixSync # [Slot<"shape", shapes>, Word<"row">, Word<"col">] # mid #
               [Slot<"dtype", [d]>, Slot<"atype", ab>, Slot<"btype", ab>,
                Slot<"ctype", [d]>],
           [Acc<"d", "dtype", "Write">, Src<"a", "$atype", "FragmentA">,
            Src<"b", "$btype", "FragmentB">, Acc<"c", "ctype", "Read">] #
               MmaSparseTail,
           [], kMatrix, [], p, tg>;
class MmaSparseScaled<string kind, string shape, list<string> ab,
                      list<Slot> vec, list<string> scale>
    : Form<MatrixSync # [Slot<"shape", [shape]>, Word<"row">, Word<"col">,
                         Slot<"kind", [kind]>, Word<"block_scale">] # vec #
               [Slot<"dtype", ["f32"]>, Slot<"atype", ab>, Slot<"btype", ab>,
                Slot<"ctype", ["f32"]>, Slot<"stype", scale>],
           [Acc<"d", "dtype", "Write">, Src<"a", "$atype", "FragmentA">,
            Src<"b", "$btype", "FragmentB">, Acc<"c", "ctype", "Read">] #
               MmaSparseTail #
               [Src<"scale_a", "b32">, Src<"selector_a", "u16", "2">,
                Src<"scale_b", "b32">, Src<"selector_b", "u16", "2">],
           [], kMatrix, [], 87, kBlockTargets>;
/// What both spellings have; ordered metadata came later.
class MmaSparseForms<int p> {
  list<Form> all = [
    MmaSparse<["m16n8k16", "m16n8k32"], "f16", ["f16"], p, ["sm_80"]>,
    MmaSparse<["m16n8k16", "m16n8k32"], "f32", ["f16"], p, ["sm_80"]>,
    MmaSparse<["m16n8k16", "m16n8k32"], "f32", ["bf16"], p, ["sm_80"]>,
    MmaSparse<["m16n8k8", "m16n8k16"], "f32", ["tf32"], p, ["sm_80"]>,
    MmaSparse<["m16n8k32", "m16n8k64"], "s32", ["u8", "s8"], p, ["sm_80"],
              [Flag<"satfinite">]>,
    MmaSparse<["m16n8k64", "m16n8k128"], "s32", ["u4", "s4"], p, ["sm_80"],
              [Flag<"satfinite">]>,
    MmaSparse<["m16n8k64"], "f32", ["e4m3", "e5m2"], !if(!lt(p, 84), 84, p),
              ["sm_89"]>
  ];
}
def : Instruction<"mma.sp", "Matrix", "9.7.14.6.3",
                  "mma with a sparse A, its metadata in any order",
                  MmaSparseForms<71>.all>;
def : Instruction<"mma.sp::ordered_metadata", "Matrix", "9.7.14.6.3",
                  "mma with a sparse A, its metadata in increasing order",
  MmaSparseForms<85>.all # [
  MmaSparse<["m16n8k64"], "f32", kNarrow, 87, kBlockTargets, [KindF8F6F4]>,
  MmaSparse<["m16n8k64"], "f16", kNarrow, 87, kBlockTargets, [KindF8F6F4]>,
  MmaSparseScaled<"kind::mxf8f6f4", "m16n8k64", kNarrow,
                  [Opt<"scale_vec", ["scale_vec::1X"]>], ["ue8m0"]>,
  MmaSparseScaled<"kind::mxf4", "m16n8k128", ["e2m1"],
                  [Opt<"scale_vec", ["scale_vec::2X"]>], ["ue8m0"]>,
  MmaSparseScaled<"kind::mxf4nvf4", "m16n8k128", ["e2m1"],
                  [Slot<"scale_vec", ["scale_vec::2X"]>], ["ue8m0"]>,
  MmaSparseScaled<"kind::mxf4nvf4", "m16n8k128", ["e2m1"],
                  [Slot<"scale_vec", ["scale_vec::4X"]>], ["ue4m3"]>,
]>;

// --- wgmma with a sparse A ---------------------------------------------------

class WgmmaSparse<list<string> shapes, list<string> d, list<string> a,
                  list<string> b, list<Slot> tail = [], list<Operand> more = [],
                  int p = 0>
    : Form<MatrixSync # [Slot<"shape", shapes>, Slot<"dtype", d>,
                         Slot<"atype", a>, Slot<"btype", b>] # tail,
           [WgmmaD, Operand<"a", "Value", "Read", "", "Unknown">,
            Src<"b", "b64">, Src<"meta", "b32">, Imm<"selector", "s32", "0,1">,
            PredSrc<"scale_d">] # more,
           WgmmaEffects, WgmmaFlags, [], p>;
defvar kFloat8 = ["e4m3", "e5m2"];
def : Wgmma<"wgmma.mma_async.sp", "9.7.15.6.3",
            "wgmma.mma_async with a sparse A", [
  WgmmaSparse<WgmmaShapes<"k32", 8>.all, ["f16", "f32"], ["f16"], ["f16"], [],
              WgmmaTrans, 82>,
  WgmmaSparse<WgmmaShapes<"k32", 8>.all, ["f32"], ["bf16"], ["bf16"], [],
              WgmmaTrans, 82>,
  WgmmaSparse<WgmmaShapes<"k16", 8>.all, ["f32"], ["tf32"], ["tf32"], [],
              WgmmaSigns, 82>,
  WgmmaSparse<WgmmaShapes<"k64", 8>.all, ["f16", "f32"], kFloat8, kFloat8, [],
              WgmmaSigns, 82>,
  WgmmaSparse<WgmmaIntShapes<"k64">.all, ["s32"], ["s8"], ["s8"],
              [Flag<"satfinite">], [], 82>,
  WgmmaSparse<WgmmaIntShapes<"k64">.all, ["s32"], ["u8"], ["u8"],
              [Flag<"satfinite">], [], 82>,
  WgmmaSparse<WgmmaIntShapes<"k64">.all, ["s32"], ["s8"], ["u8"],
              [Flag<"satfinite">], [], 84>,
  WgmmaSparse<WgmmaIntShapes<"k64">.all, ["s32"], ["u8"], ["s8"],
              [Flag<"satfinite">], [], 84>,
]>;

#endif // TIRX_PTX_SPARSE
