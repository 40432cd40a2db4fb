//===- Synchronization.td - barriers, fences and mbarriers --*- tablegen -*--===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_PTX_SYNCHRONIZATION
#define TIRX_PTX_SYNCHRONIZATION

include "TIRx/PTX/Base.td"

defvar kBarrier = ["Convergent", "Orders", "SideEffects"];
defvar kOrder = ["Orders", "SideEffects"];

// --- Barriers of the CTA -----------------------------------------------------

/// `tail` is `.aligned`, which `bar` has without saying so.
class CtaBarrier<string m, list<Slot> tail, string sum>
    : Instruction<m, "Barrier", "9.7.13.1", sum, [
        Form<[Flag<"cta">, Word<"sync">] # tail,
             [Src<"barrier", "u32">, Maybe<Src<"threads", "u32">>], [],
             kBarrier>,
        Form<[Flag<"cta">, Word<"arrive">] # tail,
             [Src<"barrier", "u32">, Src<"threads", "u32">], [], kBarrier>,
        Form<[Flag<"cta">, Word<"red">, Slot<"op", ["popc"]>] # tail #
                 [Type<["u32"]>],
             [Dst<"d">, Src<"barrier", "u32">, Maybe<Src<"threads", "u32">>,
              PredSrc<"c">],
             [], kBarrier>,
        Form<[Flag<"cta">, Word<"red">, Slot<"op", ["and", "or"]>] # tail #
                 [Type<["pred"]>],
             [PredDst<"p">, Src<"barrier", "u32">, Maybe<Src<"threads", "u32">>,
              PredSrc<"c">],
             [], kBarrier>,
      ]>;
def : CtaBarrier<"bar", [], "a barrier of the CTA, all warps converged"> {
  let lowering = "nvvm.barrier";
  let since = [Since<["cta"], 78>];
}
def : CtaBarrier<"barrier", [Flag<"aligned">], "a barrier of the CTA"> {
  let ptx = 60;
  let targets = ["sm_30"];
  let since = [Since<["cta"], 78>];
}
def : Instruction<"bar.warp.sync", "Barrier", "9.7.13.2",
                  "a barrier of the lanes in a mask", [
  Form<[], [Src<"mask", "b32">], [], kBarrier, [], 60, ["sm_30"]>,
]> {
  let lowering = "nvvm.bar.warp.sync";
}
def : Instruction<"barrier.cluster.arrive", "Barrier", "9.7.13.3",
                  "arrives at the barrier of the cluster", [
  Form<[Opt<"sem", ["release", "relaxed"], "release">, Flag<"aligned">], [], [],
       kBarrier, [], 78, ["sm_90"]>,
]> {
  let since = [Since<["release", "relaxed"], 80>];
}
def : Instruction<"barrier.cluster.wait", "Barrier", "9.7.13.3",
                  "waits at the barrier of the cluster", [
  Form<[Opt<"sem", ["acquire"], "acquire">, Flag<"aligned">], [], [], kBarrier,
       [], 78, ["sm_90"]>,
]> {
  let since = [Since<["acquire"], 80>];
}

// --- Fences ------------------------------------------------------------------

def : Instruction<"membar", "Fence", "9.7.13.4", "orders memory (older spelling)", [
  Form<[Slot<"level", ["cta", "gl", "sys"]>], [], [], kOrder>,
  Form<[Word<"proxy">, Slot<"kind", ["alias"]>], [], [], kOrder, [], 75,
       ["sm_70"]>,
]>;
def : Instruction<"fence", "Fence", "9.7.13.4", "orders memory", [
  Form<[Opt<"sem", ["sc", "acq_rel", "acquire", "release"], "acq_rel">,
        Slot<"scope", kScopes>],
       [], [], kOrder>,
  Form<[Slot<"sem", ["acquire"]>,
        Slot<"restrict", ["sync_restrict::shared::cluster"]>,
        Slot<"scope", ["cluster"]>],
       [], [], kOrder, [], 86, ["sm_90"]>,
  Form<[Slot<"sem", ["release"]>,
        Slot<"restrict", ["sync_restrict::shared::cta"]>,
        Slot<"scope", ["cluster"]>],
       [], [], kOrder, [], 86, ["sm_90"]>,
]> {
  let ptx = 60;
  let targets = ["sm_70"];
  let since = [Since<["cluster"], 78, ["sm_90"]>,
               Since<["acquire", "release"], 86, ["sm_90"]>];
}
def : Instruction<"fence.mbarrier_init", "Fence", "9.7.13.4",
                  "makes the initialisation of mbarriers visible to the cluster", [
  Form<[Slot<"sem", ["release"]>, Slot<"scope", ["cluster"]>], [], [], kOrder,
       [], 80, ["sm_90"]>,
]> {
  let lowering = "nvvm.fence.mbarrier.init";
}
def : Instruction<"fence.proxy", "Fence", "9.7.13.4", "orders accesses of proxies", [
  Form<[Slot<"kind", ["alias", "async"]>,
        Opt<"space", ["global", "shared::cta", "shared::cluster"]>],
       [], [], kOrder,
       [Excludes<["alias"], ["global", "shared::cta", "shared::cluster"],
                 "only '.async' names a state space">]>,
  Form<[Slot<"kind", ["tensormap::generic"]>, Slot<"sem", ["release"]>, Scope],
       [], [], kOrder, [], 83, ["sm_90"]>,
  Form<[Slot<"kind", ["tensormap::generic"]>, Slot<"sem", ["acquire"]>, Scope],
       [Addr<"a">, Imm<"size", "u32", "128">], [Reads<"a", "", "Tensormap", "value(size)">], kOrder,
       [], 83, ["sm_90"]>,
  Form<[Slot<"kind", ["async::generic"]>, Slot<"sem", ["acquire"]>,
        Slot<"restrict", ["sync_restrict::shared::cluster"]>,
        Slot<"scope", ["cluster"]>],
       [], [], kOrder, [], 86, ["sm_90"]>,
  Form<[Slot<"kind", ["async::generic"]>, Slot<"sem", ["release"]>,
        Slot<"restrict", ["sync_restrict::shared::cta"]>,
        Slot<"scope", ["cluster"]>],
       [], [], kOrder, [], 86, ["sm_90"]>,
]> {
  let ptx = 75;
  let targets = ["sm_70"];
  let lowering = "nvvm.fence.proxy";
  let since = [Since<["async"], 80, ["sm_90"]>];
}

// --- mbarrier ----------------------------------------------------------------

defvar MbarLocal = Opt<"space", ["shared|shared::cta"]>;
defvar MbarAny = Opt<"space", kShared>;
defvar MbarRemote = Slot<"space", ["shared::cluster"]>;
/// An arrival at another CTA's mbarrier gives no state: `_`.
defvar NoState = OnlySink<SinkDst<"state", "b64">>;
defvar MbarScope = Opt<"scope", ["cta", "cluster"], "cta">;
defvar ArriveSem = Opt<"sem", ["release", "relaxed"], "release">;
defvar WaitSem = Opt<"sem", ["acquire", "relaxed"], "acquire">;
defvar B64 = Type<["b64"]>;
/// Arrivals and waits order memory as their .sem says.
defvar kMbar = ["Orders", "SideEffects"];
defvar MbarSince = [
  Since<["shared::cluster"], 80, ["sm_90"]>,
  Since<["release", "acquire", "cta"], 80>,
  Since<["cluster"], 80, ["sm_90"]>,
  Since<["relaxed"], 86, ["sm_90"]>,
  Since<["parity"], 71>,
];
defvar SemScope = [
  Needs<["release", "acquire", "relaxed"], ["cta", "cluster"],
        "an order is written with its scope">,
  Needs<["cta", "cluster"], ["release", "acquire", "relaxed"],
        "a scope is written with its order">,
];

class MBarrier<string m, string sec, string sum, list<Form> fs, int p = 70,
               string t = "sm_80"> : Instruction<m, "Barrier", sec, sum, fs> {
  let ptx = p;
  let targets = [t];
  let since = MbarSince;
}

def : MBarrier<"mbarrier.init", "9.7.13.15.9",
               "makes an mbarrier that expects a count of arrivals",
               [Form<[MbarLocal, B64], [Addr<"mbar">, Src<"count", "u32">],
                     [Writes<"mbar", "$space", "Generic", "8">]>]> {
  let lowering = "nvvm.mbarrier.init";
}
def : MBarrier<"mbarrier.inval", "9.7.13.15.10", "ends an mbarrier",
               [Form<[MbarLocal, B64], [Addr<"mbar">], [Writes<"mbar", "$space", "Generic", "8">]>]>;

class TxCount<string m, string sec, string sum>
    : MBarrier<m, sec, sum, [
        Form<[Opt<"sem", ["relaxed"], "relaxed">, MbarScope, MbarAny, B64],
             [Addr<"mbar">, Src<"tx", "u32">], [UpdatesMbar<"mbar">], [],
             SemScope>,
      ], 80, "sm_90">;
def : TxCount<"mbarrier.expect_tx", "9.7.13.15.11",
              "adds bytes that the phase waits for">;
def : TxCount<"mbarrier.complete_tx", "9.7.13.15.12",
              "counts bytes as arrived">;

class Arrive<string m, string sec, string sum>
    : MBarrier<m, sec, sum, [
        Form<[ArriveSem, MbarScope, MbarLocal, B64],
             [SinkDst<"state", "b64">, Addr<"mbar">,
              From<78, ["sm_90"], Maybe<Src<"count", "u32">>>],
             [UpdatesMbar<"mbar">], kMbar, SemScope>,
        Form<[ArriveSem, MbarScope, MbarRemote, B64],
             [NoState, Addr<"mbar">, Maybe<Src<"count", "u32">>],
             [UpdatesMbar<"mbar">], kMbar, SemScope, 80, ["sm_90"]>,
        Form<[Word<"noComplete">, Opt<"sem", ["release"], "release">,
              Opt<"scope", ["cta"], "cta">, MbarLocal, B64],
             [SinkDst<"state", "b64">, Addr<"mbar">, Src<"count", "u32">],
             [UpdatesMbar<"mbar">], kMbar, SemScope>,
      ]>;
def : Arrive<"mbarrier.arrive", "9.7.13.15.13", "arrives at an mbarrier">;
def : Arrive<"mbarrier.arrive_drop", "9.7.13.15.14",
             "arrives and leaves the count of later phases">;
class ArriveTx<string m, string sec, string sum>
    : MBarrier<m, sec, sum, [
        Form<[ArriveSem, MbarScope, MbarLocal, B64],
             [SinkDst<"state", "b64">, Addr<"mbar">, Src<"tx", "u32">],
             [UpdatesMbar<"mbar">], kMbar, SemScope>,
        Form<[ArriveSem, MbarScope, MbarRemote, B64],
             [NoState, Addr<"mbar">, Src<"tx", "u32">], [UpdatesMbar<"mbar">], kMbar,
             SemScope>,
      ], 80, "sm_90">;
def : ArriveTx<"mbarrier.arrive.expect_tx", "9.7.13.15.13",
               "adds expected bytes, then arrives">;
def : ArriveTx<"mbarrier.arrive_drop.expect_tx", "9.7.13.15.14",
               "adds expected bytes, arrives and leaves">;

class Wait<string m, string sum, list<Operand> hint, int p, string t>
    : MBarrier<m, "9.7.13.15.16", sum, [
        Form<[WaitSem, MbarScope, MbarLocal, B64],
             [PredDst<"done">, Addr<"mbar">, Src<"state", "b64">] # hint,
             [Reads<"mbar", "$space", "Generic", "8">], kMbar, SemScope>,
        Form<[Word<"parity">, WaitSem, MbarScope, MbarLocal, B64],
             [PredDst<"done">, Addr<"mbar">, Src<"parity", "u32">] # hint,
             [Reads<"mbar", "$space", "Generic", "8">], kMbar, SemScope>,
      ], p, t>;
def : Wait<"mbarrier.test_wait", "tests whether a phase is complete", [], 70,
           "sm_80">;
def : Wait<"mbarrier.try_wait", "waits a while for a phase to complete",
           [Maybe<Src<"hint", "u32">>], 78, "sm_90"> {
  let lowering = "nvvm.mbarrier.try_wait";
}
def : MBarrier<"mbarrier.pending_count", "9.7.13.15.17",
               "the pending arrivals of a state",
               [Form<[B64], [Dst<"count", "u32">, Src<"state", "b64">]>]>;

// --- Between grids -----------------------------------------------------------

def : Instruction<"griddepcontrol", "Barrier", "9.7.13.13",
                  "lets dependent grids start, or waits for the one before", [
  Form<[Slot<"action", ["launch_dependents", "wait"]>], [], [], kOrder, [], 78,
       ["sm_90"]>,
]>;

#endif // TIRX_PTX_SYNCHRONIZATION
