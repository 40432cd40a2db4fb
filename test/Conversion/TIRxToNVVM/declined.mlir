// RUN: tirx-opt %s -split-input-file -verify-diagnostics -tirx-lower-tiles="remarks=false"

// Each reason for which a variant declines, at the operand at fault.

#rows = #tirx.tile<S[(128, 64) : (1@tid_in_wg, 1)]>

gpu.module @m [#nvvm.target<chip = "sm_100a", verifyTarget = false>] {
  gpu.func @copy_spread(%A: !tirx.buffer<128x64xf32, global>)
      kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    // expected-note @+1 {{variant 'vectorized': dst is spread over the registers of several threads}}
    %r = tirx.alloc_local : !tirx.buffer<128x64xf32, local, #rows>
    // expected-error @+1 {{'tirx.copy' op is served by no dispatch variant on sm_100a}}
    tirx.copy warpgroup %r, %A dispatch("vectorized") : !tirx.buffer<128x64xf32, local, #rows>, !tirx.buffer<128x64xf32, global>
    gpu.return
  }
}

// -----

gpu.module @m [#nvvm.target<chip = "sm_100a", verifyTarget = false>] {
  gpu.func @copy_scope(%A: !tirx.buffer<64xf32, global>)
      kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    // expected-note @+1 {{src is in the registers of one thread: expected scope thread, got cta}}
    %r = tirx.alloc_local : !tirx.buffer<64xf32, local>
    // expected-error @+1 {{served by no dispatch variant}}
    tirx.copy cta %A, %r dispatch("vectorized") : !tirx.buffer<64xf32, global>, !tirx.buffer<64xf32, local>
    gpu.return
  }
}

// -----

gpu.module @m [#nvvm.target<chip = "sm_100a", verifyTarget = false>] {
  gpu.func @unknown_name(%A: !tirx.buffer<64xf32, global>, %B: !tirx.buffer<64xf32, global>)
      kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    // expected-error @+1 {{'tirx.copy' op has no dispatch variant "tma": expected one of "vectorized"}}
    tirx.copy cta %A, %B dispatch("tma") : !tirx.buffer<64xf32, global>, !tirx.buffer<64xf32, global>
    gpu.return
  }
}

// -----

gpu.module @m [#nvvm.target<chip = "sm_100a", verifyTarget = false>] {
  gpu.func @cluster(%A: !tirx.buffer<64xf32, global>, %B: !tirx.buffer<64xf32, global>)
      kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    // expected-error @+2 {{served by no dispatch variant}}
    // expected-note @+1 {{expected scope thread, warp, warpgroup or cta, got cluster}}
    tirx.copy cluster %A, %B dispatch("vectorized") : !tirx.buffer<64xf32, global>, !tirx.buffer<64xf32, global>
    gpu.return
  }
}

// -----

// A buffer does not pass through a loop.

gpu.module @m [#nvvm.target<chip = "sm_100a", verifyTarget = false>] {
  gpu.func @carried(%A: !tirx.buffer<64xf32, global>, %B: !tirx.buffer<64xf32, global>)
      kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    // expected-note @+1 {{buffers do not pass through loops or branches}}
    scf.for %i = %c0 to %c1 step %c1 iter_args(%X = %A) -> (!tirx.buffer<64xf32, global>) {
      // expected-error @+1 {{served by no dispatch variant}}
      tirx.copy cta %B, %X dispatch("vectorized") : !tirx.buffer<64xf32, global>, !tirx.buffer<64xf32, global>
      scf.yield %X : !tirx.buffer<64xf32, global>
    }
    gpu.return
  }
}

// -----

gpu.module @m [#nvvm.target<chip = "sm_100a", verifyTarget = false>] {
  gpu.func @cast_scope() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tirx.alloc_local : !tirx.buffer<64xf32, local>
    // expected-note @+1 {{variant 'registers': expected dst spread over the threads of a warp, the scope, got #tirx.tile<S[(64) : (1)]>}}
    %b = tirx.alloc_local : !tirx.buffer<64xf16, local>
    // expected-error @+1 {{served by no dispatch variant}}
    tirx.cast warp %b, %a : !tirx.buffer<64xf16, local>, !tirx.buffer<64xf32, local>
    gpu.return
  }
}

// -----

gpu.module @m [#nvvm.target<chip = "sm_100a", verifyTarget = false>] {
  gpu.func @cast_type() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tirx.alloc_local : !tirx.buffer<64xf32, local>
    // expected-note @+1 {{expected dst of f8E4M3FN, f8E5M2, f16, bf16, f32, f64 or integers, got f8E8M0FNU}}
    %b = tirx.alloc_local : !tirx.buffer<64xf8E8M0FNU, local>
    // expected-error @+1 {{served by no dispatch variant}}
    tirx.cast thread %b, %a : !tirx.buffer<64xf8E8M0FNU, local>, !tirx.buffer<64xf32, local>
    gpu.return
  }
}

// -----

// expected-error-re @+2 {{expected one #nvvm.target on the gpu.module{{.*}}}}
gpu.module @m {
  gpu.func @no_target(%A: !tirx.buffer<64xf32, global>, %B: !tirx.buffer<64xf32, global>)
      kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    tirx.copy cta %A, %B dispatch("vectorized") : !tirx.buffer<64xf32, global>, !tirx.buffer<64xf32, global>
    gpu.return
  }
}

// -----

gpu.module @m [#nvvm.target<chip = "sm_70", verifyTarget = false>] {
  // expected-error @+1 {{unknown target 'sm_70': expected one of sm_75, sm_80, sm_86, sm_89, sm_90, sm_90a, sm_100, sm_100a, sm_103, sm_103a, sm_120, sm_120a}}
  gpu.func @old_target(%A: !tirx.buffer<64xf32, global>, %B: !tirx.buffer<64xf32, global>)
      kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    tirx.copy cta %A, %B dispatch("vectorized") : !tirx.buffer<64xf32, global>, !tirx.buffer<64xf32, global>
    gpu.return
  }
}
