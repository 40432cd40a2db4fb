//===----------------------------------------------------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Enumerations: scopes, memory spaces, fences and waits.

#ifndef TIRX_ENUMS
#define TIRX_ENUMS

include "TIRx/Dialect/TIRx/IR/TIRxDialect.td"

class TIRx_Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::tirx";
  let genSpecializedAttr = 0;
}

def TIRx_Scope : TIRx_Enum<"Scope", "the threads that take part in an op", [
  I32EnumAttrCase<"Thread", 0, "thread">,
  I32EnumAttrCase<"Warp", 1, "warp">,
  I32EnumAttrCase<"Warpgroup", 2, "warpgroup">,
  I32EnumAttrCase<"Cta", 3, "cta">,
  I32EnumAttrCase<"Cluster", 4, "cluster">]>;
def TIRx_ScopeAttr : EnumAttr<TIRx_Dialect, TIRx_Scope, "scope"> {
  let summary = "the threads that take part in an op";
  let assemblyFormat = "$value";
}

def TIRx_MemorySpace : TIRx_Enum<"MemorySpace", "where a buffer lives", [
  I32EnumAttrCase<"Global", 0, "global">,
  I32EnumAttrCase<"Shared", 1, "shared">,
  I32EnumAttrCase<"Tmem", 2, "tmem">,
  I32EnumAttrCase<"Local", 3, "local">]>;

def TIRx_FenceKind : TIRx_Enum<"FenceKind", "what a fence orders", [
  I32EnumAttrCase<"ProxyAsyncShared", 0, "proxy_async_shared">,
  I32EnumAttrCase<"ProxyAsyncGlobal", 1, "proxy_async_global">,
  I32EnumAttrCase<"ProxyAsync", 2, "proxy_async">,
  I32EnumAttrCase<"MbarrierInit", 3, "mbarrier_init">,
  I32EnumAttrCase<"Tcgen05Before", 4, "tcgen05_before">,
  I32EnumAttrCase<"Tcgen05After", 5, "tcgen05_after">]>;
def TIRx_FenceKindAttr : EnumAttr<TIRx_Dialect, TIRx_FenceKind, "fence_kind"> {
  let summary = "what a fence orders";
  let assemblyFormat = "$value";
}

def TIRx_WaitKind : TIRx_Enum<"WaitKind", "asynchronous work of the thread itself", [
  I32EnumAttrCase<"Tcgen05Ld", 0, "tcgen05_ld">,
  I32EnumAttrCase<"Tcgen05St", 1, "tcgen05_st">]>;
def TIRx_WaitKindAttr : EnumAttr<TIRx_Dialect, TIRx_WaitKind, "wait_kind"> {
  let summary = "asynchronous work of the thread itself";
  let assemblyFormat = "$value";
}

def TIRx_GroupKind : TIRx_Enum<"GroupKind", "asynchronous work that completes in groups", [
  I32EnumAttrCase<"Bulk", 0, "bulk">,
  I32EnumAttrCase<"CpAsync", 1, "cp_async">,
  I32EnumAttrCase<"Wgmma", 2, "wgmma">]>;
def TIRx_GroupKindAttr : EnumAttr<TIRx_Dialect, TIRx_GroupKind, "group_kind"> {
  let summary = "asynchronous work that completes in groups";
  let assemblyFormat = "$value";
}

def TIRx_IdKind : TIRx_Enum<"IdKind", "a coordinate of the executing thread", [
  I32EnumAttrCase<"LaneId", 0, "lane_id">,
  I32EnumAttrCase<"WarpId", 1, "warp_id">,
  I32EnumAttrCase<"WarpIdInWg", 2, "warp_id_in_wg">,
  I32EnumAttrCase<"WarpgroupId", 3, "warpgroup_id">,
  I32EnumAttrCase<"ThreadId", 4, "thread_id">,
  I32EnumAttrCase<"ThreadIdInWg", 5, "thread_id_in_wg">,
  I32EnumAttrCase<"CtaIdX", 6, "cta_id_x">,
  I32EnumAttrCase<"CtaIdY", 7, "cta_id_y">,
  I32EnumAttrCase<"CtaIdZ", 8, "cta_id_z">,
  I32EnumAttrCase<"CtaIdInCluster", 9, "cta_id_in_cluster">,
  I32EnumAttrCase<"ClusterIdX", 10, "cluster_id_x">,
  I32EnumAttrCase<"ClusterIdY", 11, "cluster_id_y">,
  I32EnumAttrCase<"ClusterIdZ", 12, "cluster_id_z">]>;
def TIRx_IdKindAttr : EnumAttr<TIRx_Dialect, TIRx_IdKind, "id_kind"> {
  let summary = "a coordinate of the executing thread";
  let assemblyFormat = "$value";
}

def TIRx_OperandRole : TIRx_Enum<"OperandRole", "what an instruction does with an operand", [
  I32EnumAttrCase<"Out", 0, "out">,
  I32EnumAttrCase<"In", 1, "in">,
  I32EnumAttrCase<"InOut", 2, "inout">,
  I32EnumAttrCase<"Imm", 3, "imm">]>;

def TIRx_AccessKind : TIRx_Enum<"AccessKind", "what an instruction does to memory", [
  I32EnumAttrCase<"Read", 0, "read">,
  I32EnumAttrCase<"Write", 1, "write">]>;

def TIRx_EffectProxy : TIRx_Enum<"EffectProxy", "the path by which memory is reached", [
  I32EnumAttrCase<"Generic", 0, "generic">,
  I32EnumAttrCase<"Async", 1, "async">,
  I32EnumAttrCase<"Tensormap", 2, "tensormap">,
  I32EnumAttrCase<"Tcgen05", 3, "tcgen05">]>;

#endif // TIRX_ENUMS
