//===- Base.td - classes of the PTX instruction table -----*- tablegen -*--===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The language in which the instructions of PTX are written. tirx-tblgen turns
// the records into Table.inc (see Table.h for the meaning of each field) and into
// the reference, docs/ptx.md.
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_PTX_BASE
#define TIRX_PTX_BASE

// --- Modifiers ---------------------------------------------------------------

/// A place for one of `choices` in the dotted name. "shared|shared::cta" is one
/// choice, `shared`, with another spelling.
class Slot<string m, list<string> c, bit opt = 0, string dflt = ""> {
  string mod = m;
  list<string> choices = c;
  bit optional = opt;
  string defaultChoice = dflt;
}
/// A place that may be empty; `dflt` is what that means.
class Opt<string m, list<string> c, string dflt = ""> : Slot<m, c, 1, dflt>;
/// A fixed modifier, and one that is there or not.
class Word<string w> : Slot<w, [w]>;
class Flag<string w> : Opt<w, [w]>;
class Type<list<string> types> : Slot<"type", types>;

/// Modifiers that came later than the instruction itself.
class Since<list<string> t, int p, list<string> tg = []> {
  list<string> tokens = t;
  int ptx = p;
  list<string> targets = tg;
}

/// Where one of `ifAny` is written, one of `needsAny` must be.
class Restriction<list<string> i, list<string> n, bit e, string w> {
  list<string> ifAny = i;
  list<string> needsAny = n;
  bit excludes = e;
  string why = w;
}
class Needs<list<string> i, list<string> n, string w> : Restriction<i, n, 0, w>;
class Excludes<list<string> i, list<string> n, string w> : Restriction<i, n, 1, w>;

// --- Operands ----------------------------------------------------------------

/// `type`: "u32" is that type, "$type" the type in slot `type`, "wide($type)"
/// twice its width, "bits($type)" its width untyped, "" no type.
/// `lanes`: "1", "4", or a rule of LaneRule ("Vector").
class Operand<string n, string k, string a, string t, string l = "1"> {
  string name = n;
  string kind = k;
  string access = a;
  string type = t;
  string lanes = l;
  bit optional = 0;
  bit sink = 0;
  bit onlySink = 0;
  string when = "";
  string parts = "None";
  string instead = "";
  string values = "";
  int ptx = 0;
  list<string> targets = [];
}
class Dst<string n, string t = "$type", string l = "1">
    : Operand<n, "Register", "Write", t, l>;
/// A destination that may be `_`.
class SinkDst<string n, string t = "$type", string l = "1"> : Dst<n, t, l> {
  let sink = 1;
}
class Src<string n, string t = "$type", string l = "1">
    : Operand<n, "Value", "Read", t, l>;
/// `v`: the legal values, such as "4,8,16", "0..15" or "24..256/8" (the step);
/// "": all.
class Imm<string n, string t = "s32", string v = "">
    : Operand<n, "Immediate", "Read", t> {
  let values = v;
}
class PredDst<string n> : Operand<n, "Predicate", "Write", "pred"> {
  let sink = 1;
}
class PredSrc<string n> : Operand<n, "Predicate", "Read", "pred">;
/// `n` or `n|p`: a destination of type `t` and a predicate.
class PairDst<string n, string t> : Operand<n, "PredicatePair", "Write", t> {
  let sink = 1;
}
/// `[n]`. What is done with the memory is an effect of the form.
class Addr<string n> : Operand<n, "Address", "Read", "">;
class TensorAddr<string n>
    : Operand<n, "TensorAddress", "Read", "s32", "TensorDim">;
/// A 64-bit matrix descriptor in a register, or `[n]`, an address in TMEM.
class DescOrAddr<string n> : Operand<n, "DescriptorOrAddress", "Read", "b64">;
class Label<string n> : Operand<n, "Label", "Read", "">;
class Symbol<string n> : Operand<n, "Symbol", "Read", "">;

class Copy<Operand o> : Operand<o.name, o.kind, o.access, o.type, o.lanes> {
  let optional = o.optional;
  let sink = o.sink;
  let onlySink = o.onlySink;
  let when = o.when;
  let parts = o.parts;
  let instead = o.instead;
  let values = o.values;
  let ptx = o.ptx;
  let targets = o.targets;
}
/// May be left out.
class Maybe<Operand o> : Copy<o> { let optional = 1; }
/// May be left out, and not written with operand `other`.
class Instead<string other, Operand o> : Maybe<o> { let instead = other; }
/// An operand that came later than the instruction itself.
class From<int p, list<string> tg, Operand o> : Copy<o> {
  let ptx = p;
  let targets = tg;
}
/// There only if modifier `w` is written.
class When<string w, Operand o> : Copy<o> { let when = w; }
/// Must be `_`.
class OnlySink<Operand o> : Copy<o> { let onlySink = 1; }
/// May say which halves or bytes of the register are meant (`%r1.h10`): `p` is a
/// rule of PartRule.
class Parts<string p, Operand o> : Copy<o> { let parts = p; }
/// Read and written.
class InOut<Operand o> : Copy<o> { let access = "ReadWrite"; }

// --- Effects -----------------------------------------------------------------

/// An access through the address in operand `operand`. `space` is a state space,
/// "$slot" for the one in a slot, or "" for generic. `bytes` is how much a thread
/// accesses: "16", "of(d)" for what the registers of operand d hold, "value(size)"
/// for a number that operand `size` has; "" where no operand says it (a box of a
/// tensor map, a descriptor's matrix, the rows of another lane).
class Effect<string o, string a, string s, string p, string b = ""> {
  string operand = o;
  string access = a;
  string space = s;
  string proxy = p;
  string bytes = b;
}
class Reads<string o, string s = "$space", string p = "Generic", string b = "">
    : Effect<o, "Read", s, p, b>;
class Writes<string o, string s = "$space", string p = "Generic", string b = "">
    : Effect<o, "Write", s, p, b>;
class Updates<string o, string s = "$space", string p = "Generic", string b = "">
    : Effect<o, "ReadWrite", s, p, b>;
/// An mbarrier that asynchronous work counts on, and one of the thread's own.
class CountsOn<string o, string s> : Updates<o, s, "Async", "8">;
class UpdatesMbar<string o> : Updates<o, "$space", "Generic", "8">;

// --- Instructions ------------------------------------------------------------

/// `flags` are names of FormFlags. `ptx` (10 * version) and `targets` replace
/// those of the instruction.
class Form<list<Slot> s, list<Operand> o, list<Effect> effs = [],
           list<string> f = [], list<Restriction> r = [], int p = 0,
           list<string> tg = []> {
  list<Slot> slots = s;
  list<Operand> operands = o;
  list<Effect> effects = effs;
  list<string> flags = f;
  list<Restriction> restrictions = r;
  int ptx = p;
  list<string> targets = tg;
}

/// `lowering` is an op of the nvvm dialect ("nvvm.barrier") that some forms of the
/// instruction become (PtxToNVVM.cpp), or "": all become inline assembly.
class Instruction<string m, string fam, string sec, string sum, list<Form> fs> {
  string mnemonic = m;
  string family = fam;
  string section = sec;
  string summary = sum;
  list<Form> forms = fs;
  list<Since> since = [];
  int ptx = 0;
  list<string> targets = [];
  string lowering = "";
}

/// A predefined read-only register; `lanes` 3 has components .x .y .z (.w is 0).
class SpecialRegister<string n, string t, string d, int l = 1, int p = 0,
                      list<string> tg = [], bit v = 0> {
  string name = n;
  string type = t;
  string summary = d;
  int lanes = l;
  int ptx = p;
  list<string> targets = tg;
  bit isVolatile = v; // two reads may differ
}

// --- Lists that many instructions share --------------------------------------

defvar kI16to64 = ["u16", "u32", "u64", "s16", "s32", "s64"];
defvar kI32to64 = ["u32", "u64", "s32", "s64"];
defvar kB16to64 = ["b16", "b32", "b64"];
defvar kRoundF = ["rn", "rz", "rm", "rp"];
defvar kRoundI = ["rni", "rzi", "rmi", "rpi"];
defvar kShared = ["shared|shared::cta", "shared::cluster"];
defvar kScopes = ["cta", "cluster", "gpu", "sys"];
defvar kCtaGroup = ["cta_group::1", "cta_group::2"];
/// tcgen05 and its kin: sm_100, sm_103 and sm_110 with their features.
defvar kTcgen05 = ["sm_100a", "sm_100f", "sm_101a", "sm_101f", "sm_110a",
                   "sm_110f"];

#endif // TIRX_PTX_BASE
