//===- DataMovement.td - moves, loads, stores and atomics --*- tablegen -*--===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_PTX_DATAMOVEMENT
#define TIRX_PTX_DATAMOVEMENT

include "TIRx/PTX/Base.td"

defvar kMoveTypes = ["pred", "u16", "u32", "u64", "s16", "s32", "s64", "f32",
                     "f64"];
// With b16..b128 a vector on one side packs or unpacks the scalar on the other.
def : Instruction<"mov", "Move", "9.7.9.3", "copies a value, an address, or packs", [
  Form<[Type<["b16", "b32", "b64", "b128"]>],
       [SinkDst<"d", "$type", "Unknown">, Src<"a", "$type", "Unknown">]>,
  Form<[Type<kMoveTypes>], [Dst<"d">, Src<"a">]>,
]> {
  let since = [Since<["b128"], 83, ["sm_70"]>];
}

// --- Slots of loads and stores -----------------------------------------------

defvar kMemTypes = ["b8", "b16", "b32", "b64", "b128", "u8", "u16", "u32", "u64",
                    "s8", "s16", "s32", "s64", "f32", "f64"];
defvar kParamSpaces = ["param|param::entry", "param::func"];
defvar LoadSpace =
    Opt<"space", !listconcat(["const", "global", "local"], kShared, kParamSpaces)>;
defvar StoreSpace =
    Opt<"space", !listconcat(["global", "local"], kShared, kParamSpaces)>;
defvar VolatileSpace = Opt<"space", ["global"] # kShared>;
defvar OrderedSpace = Opt<"space", !listconcat(["global"], kShared)>;
defvar MemType = Type<kMemTypes>;
defvar EvictL1 = Opt<"l1", ["L1::evict_normal", "L1::evict_unchanged",
                            "L1::evict_first", "L1::evict_last",
                            "L1::no_allocate"]>;
defvar EvictL2 = Opt<"l2", ["L2::evict_normal", "L2::evict_first",
                            "L2::evict_last"]>;
defvar Hint = Flag<"L2::cache_hint">;
defvar PrefetchL2 = Opt<"prefetch", ["L2::64B", "L2::128B", "L2::256B"]>;
defvar Scope = Slot<"scope", kScopes>;
defvar Policy = When<"L2::cache_hint", Src<"policy", "b64">>;

// 16 bytes at most; 32 bytes are a form of their own.
defvar VectorBytes = [
  Excludes<["v4"], ["b64", "u64", "s64", "f64", "b128"],
           "a vector has at most 16 bytes, in global memory 32 ('.v8' of 32-bit, "
           "'.v4' of 64-bit types)">,
  Excludes<["v2"], ["b128"], "a vector has at most 16 bytes of this type">,
];
defvar kNotGlobal = ["const", "local", "shared", "shared::cluster", "param",
                     "param::func"];
defvar GlobalHints = [
  Excludes<["L2::cache_hint", "L2::64B", "L2::128B", "L2::256B",
            "L1::evict_normal", "L1::evict_unchanged", "L1::evict_first",
            "L1::evict_last", "L1::no_allocate"],
           kNotGlobal, "cache hints are for global or generic addresses">,
];
defvar Vec2or4 = Opt<"vec", ["v2", "v4"]>;
defvar GlobalOnly = Opt<"space", ["global"]>;
// The types of the two ways to 32 bytes.
defvar Wide8 = [Slot<"vec", ["v8"]>, Type<["b32", "u32", "s32", "f32"]>];
defvar Wide4 = [Slot<"vec", ["v4"]>, Type<["b64", "u64", "s64", "f64"]>];

defvar kMemSince = [
  Since<["b128"], 83, ["sm_70"]>, Since<["v8"], 88, ["sm_100"]>,
  Since<["shared::cluster"], 78, ["sm_90"]>,
  Since<["L2::cache_hint"], 74, ["sm_80"]>,
  Since<["L2::64B", "L2::128B"], 74, ["sm_75"]>,
  Since<["L2::256B"], 74, ["sm_80"]>,
  Since<["L1::evict_normal", "L1::evict_unchanged", "L1::evict_first",
         "L1::evict_last", "L1::no_allocate"], 74, ["sm_70"]>,
  Since<["L2::evict_normal", "L2::evict_first", "L2::evict_last"], 88,
        ["sm_100"]>,
  Since<["cluster"], 78, ["sm_90"]>,
  Since<["relaxed", "acquire", "release"], 60, ["sm_70"]>,
];

// --- Loads -------------------------------------------------------------------

class Load<list<Slot> mods, list<Slot> tail = [Vec2or4, MemType],
           list<string> f = [], int p = 0, list<string> tg = []>
    : Form<mods # tail, [SinkDst<"d", "$type", "Vector">, Addr<"a">, Policy],
           [Reads<"a", "$space", "Generic", "of(d)">], f, VectorBytes # GlobalHints, p, tg>;
class WideLoad<list<Slot> mods, list<Slot> tail, list<string> f = []>
    : Form<mods # tail, [SinkDst<"d", "$type", "Vector">, Addr<"a">, Policy],
           [Reads<"a", "$space", "Generic", "of(d)">], f, [], 88, ["sm_100"]>;
/// A form of up to 16 bytes, and the two of 32 bytes in global memory.
class Loads<list<Slot> mods, list<Slot> space, list<Slot> wideSpace,
            list<string> f = []> {
  defvar hints = [EvictL1, EvictL2, Hint, PrefetchL2];
  list<Form> all = [
    Load<mods # space # [EvictL1, Hint, PrefetchL2], [Vec2or4, MemType], f>,
    WideLoad<mods # wideSpace # hints, Wide8, f>,
    WideLoad<mods # wideSpace # hints, Wide4, f>
  ];
}

defvar MmioType = Type<!filter(t, kMemTypes, !ne(t, "b128"))>;
defvar Mmio = [Word<"mmio">, Slot<"sem", ["relaxed"]>, Slot<"scope", ["sys"]>,
               GlobalOnly];
defvar Nc = [Slot<"space", ["global"]>, Word<"nc">];
defvar NcCop = [Slot<"space", ["global"]>, Slot<"cop", ["ca", "cg", "cs"]>,
                Word<"nc">];
defvar LoadCop = Slot<"cop", ["ca", "cg", "cs", "lu", "cv"]>;
// Non-coherent (.nc): the memory is read-only for the life of the kernel.
def : Instruction<"ld", "Memory", "9.7.9.8", "loads from memory",
  [Load<[Flag<"weak">, LoadSpace, LoadCop, Hint, PrefetchL2]>,
   WideLoad<[Flag<"weak">, GlobalOnly, LoadCop, Hint, PrefetchL2], Wide8>,
   WideLoad<[Flag<"weak">, GlobalOnly, LoadCop, Hint, PrefetchL2], Wide4>]
  # Loads<[Flag<"weak">], [LoadSpace], [GlobalOnly]>.all
  # Loads<[Slot<"sem", ["relaxed", "acquire"]>, Scope], [OrderedSpace],
          [GlobalOnly], ["Orders"]>.all
  # [Load<[Word<"volatile">, VolatileSpace, PrefetchL2], [Vec2or4, MemType],
          ["Volatile"]>,
     WideLoad<[Word<"volatile">, GlobalOnly, PrefetchL2], Wide8, ["Volatile"]>,
     WideLoad<[Word<"volatile">, GlobalOnly, PrefetchL2], Wide4, ["Volatile"]>,
     Load<Mmio, [MmioType], ["Orders", "Volatile"], 82, ["sm_70"]>,
     Load<Mmio, [Type<["b128"]>], ["Orders", "Volatile"], 84, ["sm_70"]>,
     Load<NcCop # [Hint, PrefetchL2]>,
     WideLoad<NcCop # [Hint, PrefetchL2], Wide8>,
     WideLoad<NcCop # [Hint, PrefetchL2], Wide4>]
  # Loads<Nc, [], []>.all> {
  let since = kMemSince;
}

def : Instruction<"ldu", "Memory", "9.7.9.10",
                  "loads read-only data from an address that the warp shares",
                  [Load<[GlobalOnly]>]> {
  let since = kMemSince;
}

// --- Stores ------------------------------------------------------------------

class Store<list<Slot> mods, list<Slot> tail = [Vec2or4, MemType],
            list<string> f = [], int p = 0, list<string> tg = []>
    : Form<mods # tail, [Addr<"a">, Src<"b", "$type", "Vector">, Policy],
           [Writes<"a", "$space", "Generic", "of(b)">], f, VectorBytes # GlobalHints, p, tg>;
class WideStore<list<Slot> mods, list<Slot> tail, list<string> f = []>
    : Form<mods # tail, [Addr<"a">, Src<"b", "$type", "Vector">, Policy],
           [Writes<"a", "$space", "Generic", "of(b)">], f, [], 88, ["sm_100"]>;
class Stores<list<Slot> mods, list<Slot> space, list<string> f = []> {
  list<Form> all = [
    Store<mods # space # [EvictL1, Hint], [Vec2or4, MemType], f>,
    WideStore<mods # [GlobalOnly, EvictL1, EvictL2, Hint], Wide8, f>,
    WideStore<mods # [GlobalOnly, EvictL1, EvictL2, Hint], Wide4, f>
  ];
}
defvar StoreCop = Slot<"cop", ["wb", "cg", "cs", "wt"]>;
def : Instruction<"st", "Memory", "9.7.9.11", "stores to memory",
  [Store<[Flag<"weak">, StoreSpace, StoreCop, Hint]>,
   WideStore<[Flag<"weak">, GlobalOnly, StoreCop, Hint], Wide8>,
   WideStore<[Flag<"weak">, GlobalOnly, StoreCop, Hint], Wide4>]
  # Stores<[Flag<"weak">], [StoreSpace]>.all
  # Stores<[Slot<"sem", ["relaxed", "release"]>, Scope], [OrderedSpace],
           ["Orders"]>.all
  # [Store<[Word<"volatile">, VolatileSpace], [Vec2or4, MemType], ["Volatile"]>,
     WideStore<[Word<"volatile">, GlobalOnly], Wide8, ["Volatile"]>,
     WideStore<[Word<"volatile">, GlobalOnly], Wide4, ["Volatile"]>,
     Store<Mmio, [MmioType], ["Orders", "Volatile"], 82, ["sm_70"]>,
     Store<Mmio, [Type<["b128"]>], ["Orders", "Volatile"], 84, ["sm_70"]>]> {
  let since = kMemSince;
}

defvar kStoreAsync = ["Asynchronous", "SideEffects", "CompletesOnMbarrier"];
defvar kAsyncTypes = ["b32", "b64", "u32", "u64", "s32", "s64", "f32", "f64"];
/// The store of a release: it counts on no mbarrier, and is the release itself.
defvar StoreRelease = [Flag<"mmio">, Slot<"sem", ["release"]>,
                       Slot<"scope", ["gpu", "sys"]>, GlobalOnly];
class StoreAsync<list<Slot> mods>
    : Form<mods # [Opt<"vec", ["v2", "v4"]>, Type<kAsyncTypes>],
           [Addr<"a">, Src<"b", "$type", "Vector">, Addr<"mbar">],
           [Writes<"a", "shared::cluster", "Async", "of(b)">,
            CountsOn<"mbar", "shared::cluster">],
           kStoreAsync, VectorBytes>;
defvar AsyncSpace = Opt<"space", ["shared::cluster"], "shared::cluster">;
defvar AsyncTx = Word<"mbarrier::complete_tx::bytes">;
def : Instruction<"st.async", "Memory", "9.7.9.12",
                  "stores to another CTA's shared memory and counts the bytes", [
  StoreAsync<[Flag<"weak">, AsyncTx, AsyncSpace]>,
  StoreAsync<[Flag<"weak">, AsyncSpace, AsyncTx]>,
  StoreAsync<[Slot<"scope", ["cluster"]>, AsyncSpace, AsyncTx]>,
  Form<StoreRelease # [Type<["b8", "u8", "s8", "b16", "u16", "s16"] #
                           kAsyncTypes>],
       [Addr<"a">, Src<"b">], [Writes<"a", "$space", "Async", "of(b)">],
       ["Asynchronous", "Orders", "SideEffects"], [], 87, ["sm_100"]>,
]> {
  let ptx = 81;
  let targets = ["sm_90"];
}
def : Instruction<"st.bulk", "Memory", "9.7.9.13", "fills shared memory with zeros", [
  Form<[Flag<"weak">, Opt<"space", ["shared::cta"], "shared::cta">],
       [Addr<"a">, Src<"size", "u64">, Imm<"initval", "s32", "0">],
       [Writes<"a", "$space", "Generic", "value(size)">], [], [],
       86, ["sm_100"]>,
]>;

// --- Caches ------------------------------------------------------------------

def : Instruction<"prefetch", "Memory", "9.7.9.15", "brings a line into a cache", [
  Form<[Opt<"space", ["global", "local"]>, Slot<"level", ["L1", "L2"]>],
       [Addr<"a">], [], ["SideEffects"]>,
  Form<[Opt<"space", ["global"]>,
        Slot<"level", ["L2::evict_last", "L2::evict_normal"]>],
       [Addr<"a">], [], ["SideEffects"], [], 74, ["sm_80"]>,
  Form<[Opt<"space", ["const", "param"]>, Word<"tensormap">], [Addr<"a">], [],
       ["SideEffects"], [], 80, ["sm_90"]>,
]>;
def : Instruction<"prefetchu", "Memory", "9.7.9.15",
                  "brings a line into the uniform cache",
                  [Form<[Word<"L1">], [Addr<"a">], [], ["SideEffects"]>]>;
def : Instruction<"applypriority", "Memory", "9.7.9.16",
                  "sets the eviction priority of a range", [
  Form<[Opt<"space", ["global"]>, Word<"L2::evict_normal">],
       [Addr<"a">, Imm<"size", "s32", "128">], [], ["SideEffects"], [], 74, ["sm_80"]>,
]>;
def : Instruction<"discard", "Memory", "9.7.9.17",
                  "drops a range from the cache without writing it back", [
  Form<[Opt<"space", ["global"]>, Word<"L2">], [Addr<"a">, Imm<"size", "s32", "128">],
       [Writes<"a", "$space", "Generic", "value(size)">], [], [], 74, ["sm_80"]>,
]>;
defvar kPrimary = ["L2::evict_last", "L2::evict_normal", "L2::evict_first",
                   "L2::evict_unchanged"];
defvar Secondary = Opt<"secondary", ["L2::evict_first", "L2::evict_unchanged"]>;
def : Instruction<"createpolicy", "Memory", "9.7.9.18",
                  "makes a cache eviction policy", [
  Form<[Word<"range">, Opt<"space", ["global"]>, Slot<"primary", kPrimary>,
        Secondary, Type<["b64"]>],
       [Dst<"policy">, Addr<"a">, Src<"primary_size", "u32">,
        Src<"total_size", "u32">]>,
  Form<[Word<"fractional">, Slot<"primary", kPrimary>, Secondary,
        Type<["b64"]>],
       [Dst<"policy">, Maybe<Src<"fraction", "f32">>]>,
  Form<[Word<"cvt">, Word<"L2">, Type<["b64"]>],
       [Dst<"policy">, Src<"property", "b64">]>,
]> {
  let ptx = 74;
  let targets = ["sm_80"];
}

// --- Atomics -----------------------------------------------------------------

defvar AtomSem = Opt<"sem", ["relaxed", "acquire", "release", "acq_rel"], "relaxed">;
defvar AtomScope = Opt<"scope", kScopes, "gpu">;
defvar AtomSpace = OrderedSpace;
defvar kAtomHead = [AtomSem, AtomScope, AtomSpace];
defvar kAtomOut = [SinkDst<"d">, Addr<"a">, Src<"b">];
defvar AtomEffect = Updates<"a", "$space", "Generic", "of(b)">;
defvar HalfVector = [Excludes<["v8"], ["f16x2", "bf16x2"],
                              "a vector has at most 16 bytes">];
defvar kVecHalf = ["f16", "bf16", "f16x2", "bf16x2"];

class Atom<list<string> ops, list<string> types, list<Slot> mid = [], int p = 0,
           list<string> tg = []>
    : Form<!listconcat(kAtomHead, [Slot<"op", ops>], mid, [Hint, Type<types>]),
           !listconcat(kAtomOut, [Policy]), [AtomEffect], [], GlobalHints, p, tg>;
class AtomVector<list<string> ops, list<string> vecs, list<string> types,
                 list<Slot> mid = []>
    : Form<[AtomSem, AtomScope, Opt<"space", ["global"]>, Slot<"op", ops>]
               # mid # [Hint, Slot<"vec", vecs>, Type<types>],
           [SinkDst<"d", "$type", "Vector">, Addr<"a">,
            Src<"b", "$type", "Vector">, Policy],
           [AtomEffect], [], HalfVector, 81, ["sm_90"]>;

def : Instruction<"atom", "Atomic", "9.7.13.5",
                  "updates memory atomically and gives the old value", [
  Atom<["and", "or", "xor"], ["b32", "b64"]>,
  Atom<["exch"], ["b32", "b64", "b128"]>,
  Atom<["add"], ["u32", "s32", "u64", "f32", "f64"]>,
  Atom<["inc", "dec"], ["u32"]>,
  Atom<["min", "max"], kI32to64>,
  Atom<["add"], ["f16", "f16x2"], [Word<"noftz">], 63, ["sm_70"]>,
  Atom<["add"], ["bf16", "bf16x2"], [Word<"noftz">], 78, ["sm_90"]>,
  Form<kAtomHead # [Slot<"op", ["cas"]>, Type<["b16", "b32", "b64", "b128"]>],
       [SinkDst<"d">, Addr<"a">, Src<"b">, Src<"c">], [AtomEffect]>,
  AtomVector<["add"], ["v2", "v4"], ["f32"]>,
  AtomVector<["add", "min", "max"], ["v2", "v4", "v8"], kVecHalf,
             [Word<"noftz">]>,
]> {
  let since = [Since<["b128"], 84, ["sm_90"]>, Since<["b16"], 63, ["sm_70"]>,
               Since<["cluster"], 78, ["sm_90"]>,
               Since<["shared::cluster"], 78, ["sm_90"]>,
               Since<["L2::cache_hint"], 74, ["sm_80"]>,
               Since<["relaxed", "acquire", "release", "acq_rel"], 60,
                     ["sm_70"]>,
               Since<["sys"], 50, ["sm_60"]>];
}

defvar RedSem = Opt<"sem", ["relaxed", "release"], "relaxed">;
class Red<list<string> ops, list<string> types, list<Slot> mid = [], int p = 0,
          list<string> tg = []>
    : Form<[RedSem, AtomScope, AtomSpace, Slot<"op", ops>] # mid #
               [Hint, Type<types>],
           [Addr<"a">, Src<"b">, Policy], [AtomEffect], [], GlobalHints, p, tg>;
class RedVector<list<string> ops, list<string> vecs, list<string> types,
                list<Slot> mid = []>
    : Form<[RedSem, AtomScope, Opt<"space", ["global"]>, Slot<"op", ops>]
               # mid # [Hint, Slot<"vec", vecs>, Type<types>],
           [Addr<"a">, Src<"b", "$type", "Vector">, Policy], [AtomEffect], [],
           HalfVector, 81, ["sm_90"]>;
def : Instruction<"red", "Atomic", "9.7.13.6", "updates memory atomically", [
  Red<["and", "or", "xor"], ["b32", "b64"]>,
  Red<["add"], ["u32", "s32", "u64", "f32", "f64"]>,
  Red<["inc", "dec"], ["u32"]>,
  Red<["min", "max"], kI32to64>,
  Red<["add"], ["f16", "f16x2"], [Word<"noftz">], 63, ["sm_70"]>,
  Red<["add"], ["bf16", "bf16x2"], [Word<"noftz">], 78, ["sm_90"]>,
  RedVector<["add"], ["v2", "v4"], ["f32"]>,
  RedVector<["add", "min", "max"], ["v2", "v4", "v8"], kVecHalf,
            [Word<"noftz">]>,
]> {
  let since = [Since<["cluster"], 78, ["sm_90"]>,
               Since<["shared::cluster"], 78, ["sm_90"]>,
               Since<["L2::cache_hint"], 74, ["sm_80"]>,
               Since<["relaxed", "release"], 60, ["sm_70"]>,
               Since<["sys"], 50, ["sm_60"]>];
}
class RedAsync<list<string> ops, list<string> types>
    : Form<[Slot<"sem", ["relaxed"]>, Slot<"scope", ["cluster"]>,
            Word<"mbarrier::complete_tx::bytes">,
            Opt<"space", ["shared::cluster"], "shared::cluster">,
            Slot<"op", ops>, Type<types>],
           [Addr<"a">, Src<"b">, Addr<"mbar">],
           [Updates<"a", "$space", "Async", "of(b)">, CountsOn<"mbar", "$space">],
           kStoreAsync>;
def : Instruction<"red.async", "Atomic", "9.7.13.7",
                  "updates another CTA's shared memory and counts the bytes", [
  RedAsync<["inc", "dec"], ["u32"]>,
  RedAsync<["min", "max"], ["u32", "s32"]>,
  RedAsync<["and", "or", "xor"], ["b32"]>,
  RedAsync<["add"], ["u32", "s32", "u64"]>,
  Form<StoreRelease # [Slot<"op", ["add"]>,
                       Type<["u32", "s32", "u64", "s64"]>],
       [Addr<"a">, Src<"b">], [Updates<"a", "$space", "Async", "of(b)">],
       ["Asynchronous", "Orders", "SideEffects"], [], 87, ["sm_100"]>,
]> {
  let ptx = 81;
  let targets = ["sm_90"];
}

// --- Multicast memory --------------------------------------------------------

defvar MultiSpace = Opt<"space", ["global"]>;
defvar MultiRules = [
  Excludes<["weak"], ["relaxed", "acquire", "release"] # kScopes,
           "'.weak' has no order or scope">,
  Needs<["relaxed", "acquire", "release"], kScopes,
        "an order is written with its scope">,
  Needs<kScopes, ["relaxed", "acquire", "release"],
        "a scope is written with its order">,
];
class MultiLoad<list<string> ops, list<Slot> mid, list<string> types, int p = 0,
                list<string> tg = []>
    : Form<[Flag<"weak">, Opt<"sem", ["relaxed", "acquire"]>,
            Opt<"scope", kScopes>, MultiSpace, Slot<"op", ops>] # mid #
               [Type<types>],
           [Dst<"d", "$type", "Vector">, Addr<"a">],
           [Reads<"a", "$space", "Generic", "of(d)">], [],
           MultiRules, p, tg>;
class Multimem<string m, string sec, string sum, list<Form> fs>
    : Instruction<m, "Memory", sec, sum, fs> {
  let ptx = 81;
  let targets = ["sm_90"];
}
defvar F32Acc = Opt<"acc", ["acc::f32"]>;
defvar F16Acc = Opt<"acc", ["acc::f16"]>;
/// The ways to pack 8-bit floats into 32 to 128 bits.
class Narrow<list<Slot> v, list<string> t> {
  list<Slot> vec = v;
  list<string> types = t;
}
defvar kNarrowVecs = [
  Narrow<[Slot<"vec", ["v4", "v8"]>], ["e4m3", "e5m2"]>,
  Narrow<[Slot<"vec", ["v2", "v4", "v8"]>], ["e4m3x2", "e5m2x2"]>,
  Narrow<[Opt<"vec", ["v2", "v4"]>], ["e4m3x4", "e5m2x4"]>,
];
defvar kNarrowMulti = kTcgen05 # ["sm_120a", "sm_120f", "sm_121a", "sm_121f"];
def : Multimem<"multimem.ld_reduce", "9.7.9.14",
               "loads from every copy and reduces", [
  MultiLoad<["min", "max"], [], kI32to64>,
  MultiLoad<["add"], [], ["u32", "s32", "u64"]>,
  MultiLoad<["and", "or", "xor"], [], ["b32", "b64"]>,
  MultiLoad<["add"], [F32Acc, Slot<"vec", ["v2", "v4"]>], ["f16x2", "bf16x2"]>,
  MultiLoad<["add"], [F32Acc], ["f16x2", "bf16x2"]>,
  MultiLoad<["add"], [F32Acc, Slot<"vec", ["v2", "v4", "v8"]>], ["f16", "bf16"]>,
  MultiLoad<["min", "max"], [Slot<"vec", ["v2", "v4"]>], ["f16x2", "bf16x2"]>,
  MultiLoad<["min", "max"], [], ["f16x2", "bf16x2"]>,
  MultiLoad<["min", "max"], [Slot<"vec", ["v2", "v4", "v8"]>], ["f16", "bf16"]>,
  MultiLoad<["add"], [Opt<"vec", ["v2", "v4"]>], ["f32"]>,
  MultiLoad<["add"], [], ["f64"]>,
] # !foreach(n, kNarrowVecs, MultiLoad<["add"], [F16Acc] # n.vec, n.types, 86,
                                       kNarrowMulti>)
  # !foreach(n, kNarrowVecs, MultiLoad<["min", "max"], n.vec, n.types, 86,
                                       kNarrowMulti>)>;
class MultiStore<list<Slot> vec, list<string> types, int p = 0,
                 list<string> tg = []>
    : Form<[Flag<"weak">, Opt<"sem", ["relaxed", "release"]>,
            Opt<"scope", kScopes>, MultiSpace] # vec # [Type<types>],
           [Addr<"a">, Src<"b", "$type", "Vector">],
           [Writes<"a", "$space", "Generic", "of(b)">], [],
           MultiRules, p, tg>;
def : Multimem<"multimem.st", "9.7.9.14", "stores to every copy", [
  MultiStore<[], kI32to64 # ["b32", "b64", "f32", "f64", "f16x2", "bf16x2"]>,
  MultiStore<[Slot<"vec", ["v2", "v4"]>], ["f32", "f16x2", "bf16x2"]>,
  MultiStore<[Slot<"vec", ["v2", "v4", "v8"]>], ["f16", "bf16"]>,
] # !foreach(n, kNarrowVecs, MultiStore<n.vec, n.types, 86, kNarrowMulti>)>;
class MultiRed<list<string> ops, list<Slot> vec, list<string> types>
    : Form<[Opt<"sem", ["relaxed", "release"]>, Opt<"scope", kScopes>,
            MultiSpace, Slot<"op", ops>] # vec # [Type<types>],
           [Addr<"a">, Src<"b", "$type", "Vector">],
           [Updates<"a", "$space", "Generic", "of(b)">], [],
           MultiRules>;
def : Multimem<"multimem.red", "9.7.9.14", "updates every copy", [
  MultiRed<["min", "max"], [], kI32to64>,
  MultiRed<["add"], [], ["u32", "s32", "u64", "f64"]>,
  MultiRed<["and", "or", "xor"], [], ["b32", "b64"]>,
  MultiRed<["add"], [Opt<"vec", ["v2", "v4"]>], ["f32", "f16x2", "bf16x2"]>,
  MultiRed<["add", "min", "max"], [Slot<"vec", ["v2", "v4", "v8"]>],
           ["f16", "bf16"]>,
  MultiRed<["min", "max"], [Slot<"vec", ["v2", "v4"]>], ["f16x2", "bf16x2"]>,
]>;

#endif // TIRX_PTX_DATAMOVEMENT
