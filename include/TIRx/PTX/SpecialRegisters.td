//===- SpecialRegisters.td - predefined registers ---------*- tablegen -*--===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_PTX_SPECIALREGISTERS
#define TIRX_PTX_SPECIALREGISTERS

include "TIRx/PTX/Base.td"

class Vector3<string n, string d, int p = 0, list<string> tg = []>
    : SpecialRegister<n, "u32", d, 3, p, tg>;
class Scalar32<string n, string d, int p = 0, list<string> tg = [], bit v = 0>
    : SpecialRegister<n, "u32", d, 1, p, tg, v>;

def : Vector3<"%tid", "thread in the CTA">;
def : Vector3<"%ntid", "threads of a CTA">;
def : Vector3<"%ctaid", "CTA in the grid">;
def : Vector3<"%nctaid", "CTAs of the grid">;
def : Scalar32<"%laneid", "lane in the warp", 13>;
// The scheduler may move a warp or CTA: the ISA calls these volatile.
def : Scalar32<"%warpid", "warp slot in the CTA", 13, [], 1>;
def : Scalar32<"%nwarpid", "warp slots", 20, ["sm_20"]>;
def : Scalar32<"%smid", "the multiprocessor", 13, [], 1>;
def : Scalar32<"%nsmid", "multiprocessor slots", 20, ["sm_20"]>;
def : SpecialRegister<"%gridid", "u64", "the launch", 1, 30, ["sm_30"]>;

def : SpecialRegister<"%is_explicit_cluster", "pred",
                      "whether the launch names a cluster", 1, 78, ["sm_90"]>;
def : Vector3<"%clusterid", "cluster in the grid", 78, ["sm_90"]>;
def : Vector3<"%nclusterid", "clusters of the grid", 78, ["sm_90"]>;
def : Vector3<"%cluster_ctaid", "CTA in the cluster", 78, ["sm_90"]>;
def : Vector3<"%cluster_nctaid", "CTAs of a cluster", 78, ["sm_90"]>;
def : Scalar32<"%cluster_ctarank", "rank of the CTA in the cluster", 78,
               ["sm_90"]>;
def : Scalar32<"%cluster_nctarank", "CTAs of a cluster", 78, ["sm_90"]>;

def : Scalar32<"%lanemask_eq", "a bit for this lane", 20, ["sm_20"]>;
def : Scalar32<"%lanemask_le", "bits for lanes up to this", 20, ["sm_20"]>;
def : Scalar32<"%lanemask_lt", "bits for lanes below this", 20, ["sm_20"]>;
def : Scalar32<"%lanemask_ge", "bits for lanes from this on", 20, ["sm_20"]>;
def : Scalar32<"%lanemask_gt", "bits for lanes above this", 20, ["sm_20"]>;

def : Scalar32<"%clock", "cycles, low half", 0, [], 1>;
def : Scalar32<"%clock_hi", "cycles, high half", 50, ["sm_20"], 1>;
def : SpecialRegister<"%clock64", "u64", "cycles", 1, 20, ["sm_20"], 1>;
def : SpecialRegister<"%globaltimer", "u64", "nanoseconds", 1, 31, ["sm_30"], 1>;
def : Scalar32<"%globaltimer_lo", "nanoseconds, low half", 31, ["sm_30"], 1>;
def : Scalar32<"%globaltimer_hi", "nanoseconds, high half", 31, ["sm_30"], 1>;

foreach i = 0...7 in
  def : Scalar32<"%pm" # i, "performance counter " # i, 13, [], 1>;
foreach i = 0...7 in
  def : SpecialRegister<"%pm" # i # "_64", "u64", "performance counter " # i, 1,
                        40, ["sm_50"], 1>;
foreach i = 0...31 in
  def : SpecialRegister<"%envreg" # i, "b32", "set by the driver", 1, 21>;

def : Scalar32<"%total_smem_size", "shared memory of the CTA, bytes", 41,
               ["sm_20"]>;
def : Scalar32<"%aggr_smem_size", "shared memory with the system's, bytes", 81,
               ["sm_90"]>;
def : Scalar32<"%dynamic_smem_size", "dynamic shared memory, bytes", 41,
               ["sm_20"]>;
def : Scalar32<"%reserved_smem_offset_begin", "start of the system's", 76,
               ["sm_80"]>;
def : Scalar32<"%reserved_smem_offset_end", "end of the system's", 76,
               ["sm_80"]>;
def : Scalar32<"%reserved_smem_offset_cap", "size of the system's", 76,
               ["sm_80"]>;
def : Scalar32<"%reserved_smem_offset_0", "first offset in the system's", 76,
               ["sm_80"]>;
def : Scalar32<"%reserved_smem_offset_1", "second offset in the system's", 76,
               ["sm_80"]>;
def : SpecialRegister<"%current_graph_exec", "u64", "the graph being run", 1, 80,
                      ["sm_50"]>;

#endif // TIRX_PTX_SPECIALREGISTERS
