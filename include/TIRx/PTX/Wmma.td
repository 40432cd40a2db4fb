//===- Wmma.td - matrix fragments of a warp, the older way -*- tablegen -*--===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_PTX_WMMA
#define TIRX_PTX_WMMA

include "TIRx/PTX/Base.td"

defvar WmmaSync = [Word<"sync">, Word<"aligned">];
defvar kWmmaFlags = ["Convergent"];
defvar WmmaSpace = Opt<"space", ["global", "shared|shared::cta"]>;
defvar kWmmaWide = ["m16n16k16", "m8n32k16", "m32n8k16"];
defvar WmmaLayout = Slot<"layout", ["row", "col"]>;
defvar Row = Slot<"layout", ["row"]>;
defvar Col = Slot<"layout", ["col"]>;
/// Elements between rows or columns; those of the matrix itself if left out.
defvar WmmaStride = Maybe<Src<"stride", "u32">>;

class WmmaLoad<string slot, string lanes, Slot layout, list<string> shapes,
               list<string> types, int p, list<string> tg>
    : Form<WmmaSync # [layout, Slot<"shape", shapes>, WmmaSpace,
                       Slot<slot, types>],
           [Dst<"r", "$" # slot, lanes>, Addr<"p">, WmmaStride],
           [Reads<"p">], kWmmaFlags, [], p, tg>;
/// `narrow` is the layout that elements below a byte must have.
class WmmaLoads<string m, string slot, string lanes, Slot narrow, string what>
    : Instruction<m, "Matrix", "9.7.14.4.3", "loads the fragment of " # what, [
        WmmaLoad<slot, lanes, WmmaLayout, ["m16n16k16"], ["f16"], 60, ["sm_70"]>,
        WmmaLoad<slot, lanes, WmmaLayout, ["m8n32k16", "m32n8k16"], ["f16"], 61,
                 ["sm_70"]>,
        WmmaLoad<slot, lanes, WmmaLayout, kWmmaWide, ["u8", "s8"], 63,
                 ["sm_72"]>,
        WmmaLoad<slot, lanes, WmmaLayout, kWmmaWide, ["bf16"], 70, ["sm_80"]>,
        WmmaLoad<slot, lanes, WmmaLayout, ["m16n16k8"], ["tf32"], 70,
                 ["sm_80"]>,
        WmmaLoad<slot, lanes, WmmaLayout, ["m8n8k4"], ["f64"], 70, ["sm_80"]>,
        WmmaLoad<slot, lanes, narrow, ["m8n8k32"], ["u4", "s4"], 63, ["sm_75"]>,
        WmmaLoad<slot, lanes, narrow, ["m8n8k128"], ["b1"], 63, ["sm_75"]>,
      ]>;
def : WmmaLoads<"wmma.load.a", "atype", "FragmentA", Row, "A">;
def : WmmaLoads<"wmma.load.b", "btype", "FragmentB", Col, "B">;

/// Shape, types, PTX and target of an accumulator.
class WmmaAcc<list<string> s, list<string> t, int p, list<string> tg> {
  list<string> shapes = s;
  list<string> types = t;
  int ptx = p;
  list<string> targets = tg;
}
defvar kWmmaAccs = [
  WmmaAcc<["m16n16k16"], ["f16", "f32"], 60, ["sm_70"]>,
  WmmaAcc<["m8n32k16", "m32n8k16"], ["f16", "f32"], 61, ["sm_70"]>,
  WmmaAcc<kWmmaWide, ["s32"], 63, ["sm_72"]>,
  WmmaAcc<["m16n16k8"], ["f32"], 70, ["sm_80"]>,
  WmmaAcc<["m8n8k4"], ["f64"], 70, ["sm_80"]>,
  WmmaAcc<["m8n8k32", "m8n8k128"], ["s32"], 63, ["sm_75"]>,
];
def : Instruction<"wmma.load.c", "Matrix", "9.7.14.4.3",
                  "loads the fragment of C",
  !foreach(a, kWmmaAccs, WmmaLoad<"ctype", "FragmentC", WmmaLayout, a.shapes,
                                  a.types, a.ptx, a.targets>)>;
class WmmaStore<list<string> shapes, list<string> types, int p, list<string> tg>
    : Form<WmmaSync # [WmmaLayout, Slot<"shape", shapes>, WmmaSpace,
                       Type<types>],
           [Addr<"p">, Src<"r", "$type", "FragmentC">, WmmaStride],
           [Writes<"p">], kWmmaFlags, [], p, tg>;
def : Instruction<"wmma.store.d", "Matrix", "9.7.14.4.4",
                  "stores the fragment of D",
  !foreach(a, kWmmaAccs, WmmaStore<a.shapes, a.types, a.ptx, a.targets>)>;

// --- D = A * B + C -----------------------------------------------------------

class WmmaMma<list<Slot> head, list<Slot> layouts, list<string> shapes,
              list<Slot> tail, string a, string b, int p, list<string> tg>
    : Form<head # WmmaSync # layouts # [Slot<"shape", shapes>] # tail,
           [Dst<"d", "$dtype", "FragmentC">, Src<"a", a, "FragmentA">,
            Src<"b", b, "FragmentB">, Src<"c", "$ctype", "FragmentC">],
           [], kWmmaFlags, [], p, tg>;
defvar WmmaLayouts = [Slot<"alayout", ["row", "col"]>,
                      Slot<"blayout", ["row", "col"]>];
defvar WmmaRowCol = [Slot<"alayout", ["row"]>, Slot<"blayout", ["col"]>];
class WmmaF16<list<string> shapes, int p>
    : WmmaMma<[], WmmaLayouts, shapes,
              [Slot<"dtype", ["f16", "f32"]>, Slot<"ctype", ["f16", "f32"]>],
              "f16", "f16", p, ["sm_70"]>;
class WmmaTyped<list<Slot> mods, list<Slot> layouts, list<string> shapes,
                string acc, string ab, list<Slot> tail, int p, list<string> tg,
                list<Slot> head = []>
    : WmmaMma<head, layouts, shapes,
              mods # [Slot<"dtype", [acc]>, Slot<"atype", [ab]>,
                      Slot<"btype", [ab]>, Slot<"ctype", [acc]>] # tail,
              "$atype", "$btype", p, tg>;
defvar WmmaSat = [Flag<"satfinite">];
def : Instruction<"wmma.mma", "Matrix", "9.7.14.4.5", "D = A * B + C over a warp", [
  WmmaF16<["m16n16k16"], 60>,
  WmmaF16<["m8n32k16", "m32n8k16"], 61>,
  WmmaTyped<[], WmmaLayouts, kWmmaWide, "s32", "u8", WmmaSat, 63, ["sm_72"]>,
  WmmaTyped<[], WmmaLayouts, kWmmaWide, "s32", "s8", WmmaSat, 63, ["sm_72"]>,
  WmmaTyped<[], WmmaLayouts, kWmmaWide, "f32", "bf16", [], 70, ["sm_80"]>,
  WmmaTyped<[], WmmaLayouts, ["m16n16k8"], "f32", "tf32", [], 70, ["sm_80"]>,
  WmmaTyped<[Opt<"rnd", kRoundF, "rn">], WmmaLayouts, ["m8n8k4"], "f64", "f64",
            [], 70, ["sm_80"]>,
  WmmaTyped<[], WmmaRowCol, ["m8n8k32"], "s32", "u4", WmmaSat, 63, ["sm_75"]>,
  WmmaTyped<[], WmmaRowCol, ["m8n8k32"], "s32", "s4", WmmaSat, 63, ["sm_75"]>,
  WmmaTyped<[], WmmaRowCol, ["m8n8k128"], "s32", "b1", [], 63, ["sm_75"],
            [Slot<"op", ["xor"]>, Word<"popc">]>,
  WmmaTyped<[], WmmaRowCol, ["m8n8k128"], "s32", "b1", [], 71, ["sm_80"],
            [Slot<"op", ["and"]>, Word<"popc">]>,
]>;

#endif // TIRX_PTX_WMMA
