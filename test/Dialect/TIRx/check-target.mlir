// RUN: tirx-opt %s -tirx-check -split-input-file -verify-diagnostics

// ptx_c3: tensor memory is Blackwell's
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @hopper(%t: i32) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    // expected-error-re @+1 {{'tirx.ptx' op {{.*}}sm_90a}}
    %0 = tirx.ptx "tcgen05.ld.sync.aligned.32x32b.x1.b32"(%t) : (i32) -> i32
    gpu.return
  }
}

// -----

gpu.module @m [#nvvm.target<chip = "sm_100a">] {
  gpu.func @blackwell(%t: i32) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %0 = tirx.ptx "tcgen05.ld.sync.aligned.32x32b.x1.b32"(%t) : (i32) -> i32
    gpu.return
  }
}

// -----

// An `.aligned` instruction is a collective of the warp.
gpu.module @m {
  gpu.func @aligned(%t: i32) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %lane = tirx.id lane_id
    %first = arith.cmpi eq, %lane, %c0 : index
    // expected-note @+1 {{this guard narrows the threads}}
    scf.if %first {
      // expected-error @+1 {{'tirx.ptx' op expected whole warps of 32 threads to reach it (scope warp), got thread 0 (lane 0 of warp 0)}}
      tirx.ptx "tcgen05.wait::ld.sync.aligned"() : () -> ()
    }
    gpu.return
  }
}

// -----

// ptx_c3: an operand that came later than its instruction
gpu.module @m [#nvvm.target<chip = "sm_80">] {
  gpu.func @count(%m: !llvm.ptr<3>, %n: i32) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    // expected-error @+1 {{expected target sm_90 or later for operand 'count' of 'mbarrier.arrive', got sm_80}}
    %0 = tirx.ptx "mbarrier.arrive.shared.b64"(%m, %n) : (!llvm.ptr<3>, i32) -> i64
    %1 = tirx.ptx "mbarrier.arrive.shared.b64"(%m) : (!llvm.ptr<3>) -> i64
    gpu.return
  }
}
