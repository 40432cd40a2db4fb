// RUN: tirx-opt %s -split-input-file -tirx-lower-tiles="remarks=false" -canonicalize -cse | FileCheck %s

// A wgmma accumulator to global memory: each thread stores its pairs of
// neighbours; row 16 * warp + lane / 4, column 2 * (lane % 4) of the first.

#acc = #tirx.tile<S[(4, 2, 8, 2, 4, 2) : (1@wid_in_wg, 2, 4@laneid, 4, 1@laneid, 1)]>

// CHECK-LABEL: gpu.func @accumulator(
// CHECK-DAG: %[[WARP:.*]] = tirx.id warp_id_in_wg
// CHECK-DAG: %[[LANE:.*]] = tirx.id lane_id
// CHECK-DAG: %[[M:.*]] = {{arith.muli|arith.shli}} %[[WARP]]
// CHECK-DAG: arith.{{divui|shrui}} %[[LANE]]
// CHECK-NOT: scf.if
// CHECK: tirx.load %{{.*}}[%c0] : !tirx.buffer<8xf32, local> -> vector<2xf32>
// CHECK: tirx.store %{{.*}}, %{{.*}} : vector<2xf32>, !tirx.buffer<64x16xf32, global>
// CHECK: tirx.load %{{.*}}[%c4] : !tirx.buffer<8xf32, local> -> vector<2xf32>
// CHECK: tirx.store
// CHECK: tirx.load %{{.*}}[%c2] : !tirx.buffer<8xf32, local> -> vector<2xf32>
// CHECK: tirx.store
// CHECK: tirx.load %{{.*}}[%c6] : !tirx.buffer<8xf32, local> -> vector<2xf32>
// CHECK: tirx.store
// CHECK-NOT: tirx.store
gpu.module @m [#nvvm.target<chip = "sm_90a", verifyTarget = false>] {
  gpu.func @accumulator(%D: !tirx.buffer<64x16xf32, global>)
      kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %r = tirx.alloc_local : !tirx.buffer<64x16xf32, local, #acc>
    tirx.copy warpgroup %D, %r : !tirx.buffer<64x16xf32, global>, !tirx.buffer<64x16xf32, local, #acc>
    gpu.return
  }
}

// -----

// Half of the lanes hold the tile, twice: all of those load, and the first copy
// is stored.

#twice = #tirx.tile<S[(8, 4) : (1@laneid, 1)] + R[2 : 8@laneid]>

// CHECK-LABEL: gpu.func @guarded(
// CHECK: %[[LANE:.*]] = tirx.id lane_id
// CHECK: %[[IN:.*]] = arith.cmpi ult, %[[LANE]], %c16
// CHECK: scf.if %[[IN]]
// CHECK: tirx.load %{{.*}} -> vector<4xf32>
// CHECK: %[[FIRST:.*]] = arith.cmpi eq, %{{.*}}, %c0
// CHECK: %[[BOTH:.*]] = arith.andi %[[FIRST]], %[[IN]]
// CHECK: scf.if %[[BOTH]]
gpu.module @m [#nvvm.target<chip = "sm_80", verifyTarget = false>] {
  gpu.func @guarded(%A: !tirx.buffer<8x4xf32, global>, %D: !tirx.buffer<8x4xf32, global>)
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %r = tirx.alloc_local : !tirx.buffer<8x4xf32, local, #twice>
    tirx.copy warp %r, %A : !tirx.buffer<8x4xf32, local, #twice>, !tirx.buffer<8x4xf32, global>
    tirx.copy warp %D, %r : !tirx.buffer<8x4xf32, global>, !tirx.buffer<8x4xf32, local, #twice>
    gpu.return
  }
}
