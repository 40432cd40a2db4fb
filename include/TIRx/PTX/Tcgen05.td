//===- Tcgen05.td - the tensor cores of Blackwell ---------*- tablegen -*--===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_PTX_TCGEN05
#define TIRX_PTX_TCGEN05

include "TIRx/PTX/Base.td"

defvar CtaGroup = Slot<"cta_group", kCtaGroup>;
defvar TSync = [Word<"sync">, Word<"aligned">];
/// What belongs to the chips, not to their families.
defvar kChipTargets = ["sm_100a", "sm_101a", "sm_103a", "sm_110a"];
defvar kCollective = ["Convergent", "SideEffects"];
defvar kStart = ["Asynchronous", "SideEffects", "CompletesByCommit"];

class Tcgen05<string m, string sec, string sum, list<Form> fs, string low = "">
    : Instruction<m, "Tcgen05", sec, sum, fs> {
  let ptx = 86;
  let targets = kTcgen05;
  let lowering = low;
}

// --- Allocation --------------------------------------------------------------

def : Tcgen05<"tcgen05.alloc", "9.7.16.7.1",
              "allocates columns of TMEM, writes the address to shared memory", [
  Form<[CtaGroup] # TSync # [Opt<"space", ["shared::cta"]>, Type<["b32"]>],
       [Addr<"dst">, Src<"columns", "u32">], [Writes<"dst", "$space", "Generic", "4">], kCollective>,
], "nvvm.tcgen05.alloc">;
def : Tcgen05<"tcgen05.dealloc", "9.7.16.7.1", "frees columns of TMEM", [
  Form<[CtaGroup] # TSync # [Type<["b32"]>],
       [Src<"taddr", "b32">, Src<"columns", "u32">], [], kCollective>,
], "nvvm.tcgen05.dealloc">;
def : Tcgen05<"tcgen05.relinquish_alloc_permit", "9.7.16.7.1",
              "promises that the CTA allocates no more", [
  Form<[CtaGroup] # TSync, [], [], kCollective>,
], "nvvm.tcgen05.relinquish_alloc_permit">;

// --- Registers and TMEM ------------------------------------------------------

defvar kNums = ["x1", "x2", "x4", "x8", "x16", "x32", "x64", "x128"];
defvar Num = Slot<"num", kNums>;
defvar kShapes = ["16x64b", "16x128b", "16x256b", "32x32b"];
// A lane has at most 128 registers of one tcgen05.ld or st.
defvar kNumRules = [
  Excludes<["16x128b"], ["x128"], "'.16x128b' goes up to '.x64' (128 registers)">,
  Excludes<["16x256b"], ["x64", "x128"],
           "'.16x256b' goes up to '.x32' (128 registers)">,
];
defvar kLoadFlags = ["Convergent", "Asynchronous", "CompletesByWait"];

def : Tcgen05<"tcgen05.ld", "9.7.16.8.3", "loads registers from TMEM", [
  Form<TSync # [Slot<"shape", kShapes>, Num, Flag<"pack::16b">, Type<["b32"]>],
       [Dst<"r", "$type", "Tcgen05">, Addr<"taddr">],
       [Reads<"taddr", "tmem", "Tcgen05", "of(r)">], kLoadFlags, kNumRules>,
  Form<TSync # [Slot<"shape", ["16x32bx2"]>, Num, Flag<"pack::16b">,
                Type<["b32"]>],
       [Dst<"r", "$type", "Tcgen05">, Addr<"taddr">, Imm<"split">],
       [Reads<"taddr", "tmem", "Tcgen05", "of(r)">], kLoadFlags>,
]>;
class LoadReduce<list<string> shapes, list<Slot> mods, list<string> types,
                 list<Operand> more>
    : Form<TSync # [Slot<"shape", shapes>, Slot<"num", !tail(kNums)>,
                    Slot<"op", ["min", "max"]>] # mods # [Type<types>],
           [Dst<"r", "$type", "Tcgen05">, Dst<"reduced", "$type">,
            Addr<"taddr">] # more,
           [Reads<"taddr", "tmem", "Tcgen05", "of(r)">], kLoadFlags>;
def : Instruction<"tcgen05.ld.red", "Tcgen05", "9.7.16.8.3",
                  "loads registers from TMEM and reduces them", [
  LoadReduce<["32x32b"], [Flag<"abs">, Flag<"NaN">], ["f32"], []>,
  LoadReduce<["32x32b"], [], ["u32", "s32"], []>,
  LoadReduce<["16x32bx2"], [Flag<"abs">, Flag<"NaN">], ["f32"], [Imm<"split">]>,
  LoadReduce<["16x32bx2"], [], ["u32", "s32"], [Imm<"split">]>,
]> {
  let ptx = 90;
  let targets = ["sm_101a", "sm_101f", "sm_103a", "sm_103f"];
}
def : Tcgen05<"tcgen05.st", "9.7.16.8.4", "stores registers to TMEM", [
  Form<TSync # [Slot<"shape", kShapes>, Num, Flag<"unpack::16b">,
                Type<["b32"]>],
       [Addr<"taddr">, Src<"r", "$type", "Tcgen05">],
       [Writes<"taddr", "tmem", "Tcgen05", "of(r)">], kLoadFlags, kNumRules>,
  Form<TSync # [Slot<"shape", ["16x32bx2"]>, Num, Flag<"unpack::16b">,
                Type<["b32"]>],
       [Addr<"taddr">, Imm<"split">, Src<"r", "$type", "Tcgen05">],
       [Writes<"taddr", "tmem", "Tcgen05", "of(r)">], kLoadFlags>,
]>;
defvar kWaitFlags = ["Convergent", "Orders", "SideEffects"];
def : Tcgen05<"tcgen05.wait::ld", "9.7.16.8.5",
              "waits for the thread's earlier tcgen05.ld",
              [Form<TSync, [], [], kWaitFlags>], "nvvm.tcgen05.wait">;
def : Tcgen05<"tcgen05.wait::st", "9.7.16.8.5",
              "waits for the thread's earlier tcgen05.st",
              [Form<TSync, [], [], kWaitFlags>], "nvvm.tcgen05.wait">;

// --- Shared memory to TMEM ---------------------------------------------------

defvar kCopyFormats = [Slot<"dst_fmt", ["b8x16"]>,
                       Slot<"src_fmt", ["b6x16_p32", "b4x16_p64"]>];
class TmemCopy<list<Slot> shape, list<Slot> formats>
    : Form<[CtaGroup] # shape # formats, [Addr<"taddr">, Src<"desc", "b64">],
           [Writes<"taddr", "tmem", "Tcgen05">,
            Reads<"desc", "shared", "Async">],
           kStart>;
defvar CopyWhole = [Slot<"shape", ["128x256b", "4x256b", "128x128b"]>];
defvar CopyPair = [Slot<"shape", ["64x128b"]>,
                   Slot<"multicast", ["warpx2::02_13", "warpx2::01_23"]>];
defvar CopyFour = [Slot<"shape", ["32x128b"]>, Slot<"multicast", ["warpx4"]>];
def : Tcgen05<"tcgen05.cp", "9.7.16.9.2", "copies shared memory to TMEM", [
  TmemCopy<CopyWhole, []>, TmemCopy<CopyWhole, kCopyFormats>,
  TmemCopy<CopyPair, []>, TmemCopy<CopyPair, kCopyFormats>,
  TmemCopy<CopyFour, []>, TmemCopy<CopyFour, kCopyFormats>,
]>;
def : Tcgen05<"tcgen05.shift", "9.7.16.9.3", "shifts rows of TMEM down by one", [
  Form<[CtaGroup, Word<"down">], [Addr<"taddr">],
       [Updates<"taddr", "tmem", "Tcgen05">], kStart, [], 0, kChipTargets>,
]>;

// --- Matrix multiply ---------------------------------------------------------

defvar KindScaled = Slot<"kind", ["kind::f16", "kind::tf32"]>;
defvar KindNarrow = Slot<"kind", ["kind::f8f6f4", "kind::i8"]>;
defvar Kind = Slot<"kind", ["kind::f16", "kind::tf32", "kind::f8f6f4",
                            "kind::i8"]>;
defvar CollectorA = Opt<"collector", ["collector::a::fill", "collector::a::use",
                                      "collector::a::lastuse",
                                      "collector::a::discard"],
                        "collector::a::discard">;
defvar MmaHead = [Addr<"d">, DescOrAddr<"a">, Src<"b", "b64">];
defvar Idesc = Src<"idesc", "b32">;
defvar Meta = Addr<"meta">;
defvar Lanes = Maybe<Src<"disable_output_lane", "b32", "CtaGroup">>;
defvar EnableD = PredSrc<"enable_input_d">;
defvar ScaleD = From<86, ["sm_100a", "sm_100f"],
                     Maybe<Imm<"scale_input_d", "u32", "0..15">>>;
defvar Scales = [Addr<"scale_a">, Addr<"scale_b">];

// An `a` that is an address is in TMEM: then the effect on it is tmem's.
defvar MmaEffects = [Updates<"d", "tmem", "Tcgen05">,
                     Reads<"a", "shared", "Async">,
                     Reads<"b", "shared", "Async">];
defvar MetaEffect = [Reads<"meta", "tmem", "Tcgen05">];
defvar ScaleEffects = [Reads<"scale_a", "tmem", "Tcgen05">,
                       Reads<"scale_b", "tmem", "Tcgen05">];
defvar AshiftRule =
    Excludes<["ashift"], ["collector::a::fill", "collector::a::use"],
             "'.ashift' goes with '.collector::a::discard' or '::lastuse'">;
defvar kMmaSince = [
  Since<["kind::i8"], 86, ["sm_100a", "sm_101a", "sm_110a"]>,
  Since<["block16", "block32"], 88>,
  Since<["scale_vec::1X", "scale_vec::2X", "scale_vec::4X"], 86, kChipTargets>,
];

/// The kinds f16 and tf32 may scale D; the others have no such operand.
class MmaPlain<Slot kind, list<Operand> meta, list<Effect> effs,
               list<Operand> scale>
    : Form<[CtaGroup, kind, Flag<"ashift">, CollectorA],
           MmaHead # meta # [Idesc, Lanes, EnableD] # scale, MmaEffects # effs,
           kStart, [AshiftRule]>;
class PlainForms<list<Operand> meta, list<Effect> effs> {
  list<Form> all = [MmaPlain<KindScaled, meta, effs, [ScaleD]>,
                    MmaPlain<KindNarrow, meta, effs, []>];
}
class MmaBlock<string kind, list<Slot> size, list<Operand> meta,
               list<Effect> effs, int p, list<string> tg>
    : Form<[CtaGroup, Slot<"kind", [kind]>, Word<"block_scale">] # size #
               [CollectorA],
           MmaHead # meta # [Idesc] # Scales # [EnableD],
           MmaEffects # ScaleEffects # effs, kStart, [], p, tg>;
class VecSize<list<string> c> {
  list<Slot> slot = [Slot<"scale_vec", c>];
}
/// Without a size it is block32, from PTX 8.8; mxf4nvf4 always says it. `tg`: the
/// targets of the kinds of 4 bits.
class BlockForms<list<Operand> meta, list<Effect> effs, list<string> tg> {
  list<Form> all = [
    MmaBlock<"kind::mxf8f6f4", [], meta, effs, 88, []>,
    MmaBlock<"kind::mxf8f6f4", VecSize<["scale_vec::1X", "block32"]>.slot, meta,
             effs, 86, []>,
    MmaBlock<"kind::mxf4", [], meta, effs, 88, tg>,
    MmaBlock<"kind::mxf4", VecSize<["scale_vec::2X", "block32"]>.slot, meta,
             effs, 86, tg>,
    MmaBlock<"kind::mxf4nvf4",
             VecSize<["scale_vec::2X", "scale_vec::4X", "block16",
                      "block32"]>.slot,
             meta, effs, 87, tg>
  ];
}

def : Tcgen05<"tcgen05.mma", "9.7.16.10.9.1",
              "D = A * B or D = A * B + D, with D in TMEM",
              PlainForms<[], []>.all # BlockForms<[], [], []>.all,
              "nvvm.tcgen05.mma"> {
  let since = kMmaSince;
}
def : Tcgen05<"tcgen05.mma.sp", "9.7.16.10.9.2", "tcgen05.mma with a sparse A",
              PlainForms<[Meta], MetaEffect>.all # BlockForms<[Meta], MetaEffect, kChipTargets>.all> {
  let since = kMmaSince;
}
defvar kCollectorsB = [
  "collector::b0::fill", "collector::b0::use", "collector::b0::lastuse",
  "collector::b0::discard", "collector::b1::fill", "collector::b1::use",
  "collector::b1::lastuse", "collector::b1::discard", "collector::b2::fill",
  "collector::b2::use", "collector::b2::lastuse", "collector::b2::discard",
  "collector::b3::fill", "collector::b3::use", "collector::b3::lastuse",
  "collector::b3::discard"
];
class MmaWs<list<Operand> meta, list<Effect> effs>
    : Form<[Slot<"cta_group", ["cta_group::1"]>, Kind,
            Opt<"collector", kCollectorsB, "collector::b0::discard">],
           MmaHead # meta # [Idesc, EnableD, Maybe<Src<"zero_columns", "b64">>],
           MmaEffects # effs, kStart>;
def : Tcgen05<"tcgen05.mma.ws", "9.7.16.10.9.3",
              "tcgen05.mma that keeps B in the collector", [MmaWs<[], []>]> {
  let since = kMmaSince;
}
def : Tcgen05<"tcgen05.mma.ws.sp", "9.7.16.10.9.4",
              "tcgen05.mma.ws with a sparse A", [MmaWs<[Meta], MetaEffect>]> {
  let since = kMmaSince;
}

// --- Completion and order ----------------------------------------------------

def : Tcgen05<"tcgen05.commit", "9.7.16.12.1",
              "makes an mbarrier track the thread's earlier tcgen05 operations", [
  Form<[CtaGroup, Word<"mbarrier::arrive::one">,
        Opt<"space", ["shared::cluster"]>, Flag<"multicast::cluster">,
        Type<["b64"]>],
       [Addr<"mbar">, When<"multicast::cluster", Src<"cta_mask", "u16">>],
       [CountsOn<"mbar", "$space">],
       ["Asynchronous", "SideEffects", "CompletesOnMbarrier"]>,
], "nvvm.tcgen05.commit">;
def : Tcgen05<"tcgen05.fence::before_thread_sync", "9.7.16.11.1",
              "orders earlier tcgen05 operations before later synchronisation",
              [Form<[], [], [], ["Orders", "SideEffects"]>],
              "nvvm.tcgen05.fence">;
def : Tcgen05<"tcgen05.fence::after_thread_sync", "9.7.16.11.1",
              "orders later tcgen05 operations after earlier synchronisation",
              [Form<[], [], [], ["Orders", "SideEffects"]>],
              "nvvm.tcgen05.fence">;

#endif // TIRX_PTX_TCGEN05
