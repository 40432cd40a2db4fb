//===- AsyncCopy.td - asynchronous copies and tensor maps --*- tablegen -*--===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_PTX_ASYNCCOPY
#define TIRX_PTX_ASYNCCOPY

include "TIRx/PTX/Base.td"

defvar kAsyncGroup = ["Asynchronous", "SideEffects", "CompletesInCpGroup"];
defvar kAsyncBulk = ["Asynchronous", "SideEffects", "CompletesInBulkGroup"];
defvar kAsyncMbar = ["Asynchronous", "SideEffects", "CompletesOnMbarrier"];
defvar kGroupOrder = ["Orders", "SideEffects"];
defvar BulkHint = Flag<"L2::cache_hint">;
defvar BulkPolicy = When<"L2::cache_hint", Src<"policy", "b64">>;
defvar Mbar = Word<"mbarrier::complete_tx::bytes">;
defvar Multicast = Flag<"multicast::cluster">;
defvar CtaMask = When<"multicast::cluster", Src<"cta_mask", "u16">>;

// --- cp.async: 4 to 16 bytes of a thread -------------------------------------

class CpAsync<list<string> cop, string sizes>
    : Form<[Slot<"cop", cop>, Slot<"dst", ["shared|shared::cta"]>,
            Slot<"src", ["global"]>, BulkHint,
            Opt<"prefetch", ["L2::64B", "L2::128B", "L2::256B"]>],
           [Addr<"d">, Addr<"a">, Imm<"size", "u32", sizes>,
            Maybe<Src<"src_size", "u32">>,
            From<75, ["sm_80"], Instead<"src_size", PredSrc<"ignore_src">>>,
            BulkPolicy],
           [Writes<"d", "shared", "Generic", "value(size)">,
            Reads<"a", "global", "Generic", "value(size)">],
           kAsyncGroup>;
class CpAsyncOp<string m, string sec, string sum, list<Form> fs>
    : Instruction<m, "AsyncCopy", sec, sum, fs> {
  let ptx = 70;
  let targets = ["sm_80"];
}
def : CpAsyncOp<"cp.async", "9.7.9.25.3.1",
                "copies 4, 8 or 16 bytes to shared memory (.cg: 16)",
                [CpAsync<["ca"], "4,8,16">, CpAsync<["cg"], "16">]> {
  let since = [Since<["L2::cache_hint", "L2::64B", "L2::128B", "L2::256B"], 74>];
}
def : CpAsyncOp<"cp.async.commit_group", "9.7.9.25.3.2",
                "closes a group of the thread's cp.async",
                [Form<[], [], [], ["SideEffects"]>]>;
def : CpAsyncOp<"cp.async.wait_group", "9.7.9.25.3.3",
                "waits until at most n groups are pending",
                [Form<[], [Imm<"n", "u32">], [], kGroupOrder>]>;
def : CpAsyncOp<"cp.async.wait_all", "9.7.9.25.3.3",
                "waits for all of the thread's cp.async",
                [Form<[], [], [], kGroupOrder>]>;
def : CpAsyncOp<"cp.async.mbarrier.arrive", "9.7.13.15.15",
                "arrives when the thread's earlier cp.async are complete", [
  Form<[Flag<"noinc">, Opt<"space", ["shared|shared::cta"]>, Type<["b64"]>],
       [Addr<"mbar">], [UpdatesMbar<"mbar">], kAsyncMbar>,
]>;

// --- cp.async.bulk: a run of bytes -------------------------------------------

class Bulk<string m, string sec, string sum, list<Form> fs>
    : Instruction<m, "AsyncCopy", sec, sum, fs> {
  let ptx = 80;
  let targets = ["sm_90"];
}
class BulkLoad<string dst, string src, list<Slot> mods, list<Operand> more,
               int p = 0>
    : Form<[Slot<"dst", [dst]>, Slot<"src", [src]>, Mbar] # mods,
           [Addr<"d">, Addr<"a">, Src<"size", "u32">, Addr<"mbar">] # more,
           [Writes<"d", "$dst", "Async", "value(size)">,
            Reads<"a", "$src", "Async", "value(size)">, CountsOn<"mbar", "$dst">],
           kAsyncMbar, [], p>;
defvar kCpMaskTargets = ["sm_100"];
def : Bulk<"cp.async.bulk", "9.7.9.25.4.1", "copies a run of bytes", [
  BulkLoad<"shared::cluster", "global", [Multicast, BulkHint],
           [CtaMask, BulkPolicy]>,
  BulkLoad<"shared::cta", "global", [BulkHint], [BulkPolicy], 86>,
  BulkLoad<"shared::cluster", "shared::cta", [], []>,
  Form<[Slot<"dst", ["global"]>, Slot<"src", ["shared::cta"]>,
        Word<"bulk_group">, BulkHint, Flag<"cp_mask">],
       [Addr<"d">, Addr<"a">, Src<"size", "u32">, BulkPolicy,
        When<"cp_mask", Src<"byte_mask", "u16">>],
       [Writes<"d", "global", "Async", "value(size)">,
        Reads<"a", "shared", "Async", "value(size)">],
       kAsyncBulk>,
]> {
  let since = [Since<["cp_mask"], 86, kCpMaskTargets>];
}

class BulkReduce<string dst, string completion, list<Slot> hint,
                 list<Operand> tail, list<string> ops, list<string> types,
                 list<Slot> noftz = [], list<Effect> mbar = [],
                 list<string> flags = kAsyncBulk>
    : Form<[Slot<"dst", [dst]>, Slot<"src", ["shared::cta"]>,
            Slot<"completion", [completion]>] # hint # [Slot<"op", ops>] # noftz #
               [Type<types>],
           [Addr<"d">, Addr<"a">, Src<"size", "u32">] # tail,
           [Updates<"d", "$dst", "Async", "value(size)">,
            Reads<"a", "shared", "Async", "value(size)">] # mbar,
           flags>;
class ReduceShared<list<string> ops, list<string> types>
    : BulkReduce<"shared::cluster", "mbarrier::complete_tx::bytes", [],
                 [Addr<"mbar">], ops, types, [],
                 [CountsOn<"mbar", "$dst">], kAsyncMbar>;
class ReduceGlobal<list<string> ops, list<string> types, list<Slot> noftz = []>
    : BulkReduce<"global", "bulk_group", [BulkHint], [BulkPolicy], ops, types,
                 noftz>;
def : Bulk<"cp.reduce.async.bulk", "9.7.9.25.4.2",
           "combines a run of elements with those in memory", [
  ReduceShared<["and", "or", "xor"], ["b32"]>,
  ReduceShared<["add"], ["u32", "s32", "u64"]>,
  ReduceShared<["min", "max"], ["u32", "s32"]>,
  ReduceShared<["inc", "dec"], ["u32"]>,
  ReduceGlobal<["and", "or", "xor"], ["b32", "b64"]>,
  ReduceGlobal<["add"], ["u32", "s32", "u64", "f32", "f64"]>,
  ReduceGlobal<["add"], ["f16", "bf16"], [Word<"noftz">]>,
  ReduceGlobal<["min", "max"], ["u32", "s32", "u64", "s64", "f16", "bf16"]>,
  ReduceGlobal<["inc", "dec"], ["u32"]>,
]>;
def : Bulk<"cp.async.bulk.prefetch", "9.7.9.25.4.3",
           "brings a run of bytes into the L2 cache", [
  Form<[Word<"L2">, Slot<"src", ["global"]>, BulkHint],
       [Addr<"a">, Src<"size", "u32">, BulkPolicy], [], ["SideEffects"]>,
]>;
def : Bulk<"cp.async.bulk.commit_group", "9.7.9.25.4.4",
           "closes a group of the thread's bulk stores",
           [Form<[], [], [], ["SideEffects"]>]>;
def : Bulk<"cp.async.bulk.wait_group", "9.7.9.25.4.5",
           "waits until at most n groups are pending (.read: have not been read)",
           [Form<[Flag<"read">], [Imm<"n", "u32">], [], kGroupOrder>]>;

// --- cp.async.bulk.tensor: a box of a tensor ---------------------------------

defvar Dim = Slot<"dim", ["1d", "2d", "3d", "4d", "5d"]>;
defvar Dim3to5 = Slot<"dim", ["3d", "4d", "5d"]>;
defvar Tensor = TensorAddr<"tensor">;
defvar TensorLoadTail = [Addr<"mbar">];
/// Offsets of im2col, one for each dimension but two (im2col::w: two).
defvar Im2colInfo = Src<"offsets", "u16", "Unknown">;
defvar TileLoad = Opt<"load_mode", ["tile", "tile::gather4"], "tile">;
defvar Im2colLoad = Slot<"load_mode", ["im2col", "im2col::w", "im2col::w::128"]>;
defvar TensorDims = [
  Excludes<["im2col_no_offs"], ["1d", "2d"],
           "im2col modes need a tensor of 3 to 5 dimensions">,
  Needs<["tile::gather4", "tile::scatter4"], ["2d"],
        "gather4 and scatter4 are for tensors of 2 dimensions">,
];
defvar TensorPair = Opt<"cta_group", kCtaGroup>;
defvar kTensorSince = [
  Since<["cta_group::1", "cta_group::2"], 86, kTcgen05>,
  Since<["tile::gather4", "tile::scatter4", "im2col::w", "im2col::w::128"], 86,
        kTcgen05>,
];

class TensorLoad<Slot dim, string dst, Slot mode, list<Slot> mods, list<Operand> info,
                 list<Operand> mask, int p = 0>
    : Form<[dim, Slot<"dst", [dst]>, Slot<"src", ["global"]>, mode, Mbar] #
               mods # [BulkHint],
           [Addr<"d">, Tensor, Addr<"mbar">] # info # mask # [BulkPolicy],
           [Writes<"d", "$dst", "Async">, Reads<"tensor", "global", "Async">,
            CountsOn<"mbar", "$dst">],
           kAsyncMbar, TensorDims, p>;
class TensorStore<list<Slot> op, bit reduces>
    : Form<[Dim, Slot<"dst", ["global"]>, Slot<"src", ["shared::cta"]>] # op #
               [Opt<"load_mode", !if(reduces, ["tile", "im2col_no_offs"],
                                     ["tile", "tile::scatter4",
                                      "im2col_no_offs"]),
                    "tile">,
                Word<"bulk_group">, BulkHint],
           [Tensor, Addr<"a">, BulkPolicy],
           [Effect<"tensor", !if(reduces, "ReadWrite", "Write"), "global",
                   "Async">,
            Reads<"a", "shared", "Async">],
           kAsyncBulk, TensorDims>;

def : Bulk<"cp.async.bulk.tensor", "9.7.9.25.5.2",
           "copies a box of a tensor between global and shared memory", [
  TensorLoad<Dim, "shared::cluster", TileLoad, [Multicast, TensorPair], [], [CtaMask]>,
  TensorLoad<Dim3to5, "shared::cluster", Im2colLoad, [Multicast, TensorPair],
             [Im2colInfo], [CtaMask]>,
  TensorLoad<Dim, "shared::cta", TileLoad, [TensorPair], [], [], 86>,
  TensorLoad<Dim3to5, "shared::cta", Im2colLoad, [TensorPair], [Im2colInfo], [], 86>,
  TensorStore<[], 0>,
]> {
  let since = kTensorSince;
}
def : Bulk<"cp.reduce.async.bulk.tensor", "9.7.9.25.5.3",
           "combines a box of shared memory with a tensor", [
  TensorStore<[Slot<"op", ["add", "min", "max", "inc", "dec", "and", "or",
                           "xor"]>],
              1>,
]>;
class TensorPrefetch<Slot dim, Slot mode, list<Operand> info>
    : Form<[dim, Word<"L2">, Slot<"src", ["global"]>, mode, BulkHint],
           [Tensor] # info # [BulkPolicy], [], ["SideEffects"], TensorDims>;
def : Bulk<"cp.async.bulk.prefetch.tensor", "9.7.9.25.5.4",
           "brings a box of a tensor into the L2 cache", [
  TensorPrefetch<Dim, TileLoad, []>,
  TensorPrefetch<Dim3to5, Im2colLoad, [Im2colInfo]>,
]> {
  let since = kTensorSince;
}

// --- Tensor maps -------------------------------------------------------------

defvar kMapTargets = kTcgen05 # ["sm_120a", "sm_120f"];
defvar MapSpace = Opt<"space", ["global", "shared::cta"]>;
class MapField<list<string> fields, list<string> types, list<Operand> value>
    : Form<[Word<"tile">, Slot<"field", fields>, MapSpace, Word<"b1024">,
            Type<types>],
           [Addr<"a">] # value, [Updates<"a", "$space", "Generic", "128">],
           ["SideEffects"]>;
def : Instruction<"tensormap.replace", "AsyncCopy", "9.7.9.26",
                  "changes a field of a tensor map", [
  MapField<["global_address"], ["b64"], [Src<"value">]>,
  MapField<["rank"], ["b32"], [Src<"value">]>,
  MapField<["box_dim", "global_dim", "element_stride"], ["b32"],
           [Imm<"index", "s32", "0..4">, Src<"value">]>,
  MapField<["global_stride"], ["b64"],
           [Imm<"index", "s32", "0..4">, Src<"value">]>,
  MapField<["elemtype"], ["b32"], [Imm<"value", "s32", "0..15">]>,
  MapField<["interleave_layout"], ["b32"], [Imm<"value", "s32", "0..2">]>,
  MapField<["swizzle_mode"], ["b32"], [Imm<"value", "s32", "0..4">]>,
  MapField<["swizzle_atomicity"], ["b32"], [Imm<"value", "s32", "0..3">]>,
  MapField<["fill_mode"], ["b32"], [Imm<"value", "s32", "0,1">]>,
]> {
  let ptx = 83;
  let targets = ["sm_90a"] # kMapTargets;
  let since = [Since<["swizzle_atomicity"], 86, kMapTargets>];
}
def : Instruction<"tensormap.cp_fenceproxy", "AsyncCopy", "9.7.13.16",
                  "copies a tensor map to global memory and orders it", [
  Form<[Slot<"dst", ["global"]>, Slot<"src", ["shared::cta"]>,
        Slot<"kind", ["tensormap::generic"]>, Slot<"sem", ["release"]>,
        Slot<"scope", kScopes>, Word<"sync">, Word<"aligned">],
       [Addr<"d">, Addr<"a">, Imm<"size", "u32", "128">],
       [Writes<"d", "global", "Generic", "value(size)">,
        Reads<"a", "shared", "Generic", "value(size)">],
       ["Convergent", "Orders", "SideEffects"], [], 83, ["sm_90"]>,
]>;

// --- Cluster launch control --------------------------------------------------

class Clc<string m, string sec, string sum, list<Form> fs>
    : Instruction<m, "AsyncCopy", sec, sum, fs> {
  let ptx = 86;
  let targets = ["sm_100"];
  let since = [Since<["multicast::cluster::all"], 86, kTcgen05>];
}
def : Clc<"clusterlaunchcontrol.try_cancel", "9.7.13.17",
          "asks to run a cluster that has not started", [
  Form<[Word<"async">, Opt<"space", ["shared::cta"]>, Mbar,
        Flag<"multicast::cluster::all">, Word<"b128">],
       [Addr<"d">, Addr<"mbar">],
       [Writes<"d", "shared", "Async", "16">, CountsOn<"mbar", "shared">],
       kAsyncMbar>,
]>;
def : Clc<"clusterlaunchcontrol.query_cancel", "9.7.13.18",
          "reads the answer to try_cancel", [
  Form<[Word<"is_canceled">, Type<["pred"]>, Word<"b128">],
       [PredDst<"p">, Src<"answer", "b128">]>,
  Form<[Word<"get_first_ctaid">, Slot<"vec", ["v4"]>, Type<["b32"]>,
        Word<"b128">],
       [Dst<"d", "$type", "Vector">, Src<"answer", "b128">]>,
  Form<[Slot<"component", ["get_first_ctaid::x", "get_first_ctaid::y",
                           "get_first_ctaid::z"]>,
        Type<["b32"]>, Word<"b128">],
       [Dst<"d">, Src<"answer", "b128">]>,
]>;

#endif // TIRX_PTX_ASYNCCOPY
