// RUN: tirx-opt %s -split-input-file -verify-diagnostics -tirx-lower-tiles="remarks=false"

// Why TMA declines.

!bar = !tirx.buffer<1x!tirx.mbarrier, shared>
!s = !tirx.buffer<64x64xf16, shared>
!g = !tirx.buffer<64x64xf16, global>

gpu.module @m [#nvvm.target<chip = "sm_80", verifyTarget = false>] {
  gpu.func @target(%A: !g) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %c0 = arith.constant 0 : index
    %pool = tirx.smem_pool
    %bar = tirx.pool_alloc %pool at(0) : !bar
    %s = tirx.pool_alloc %pool at(128) : !s
    // expected-error @+2 {{served by no dispatch variant on sm_80}}
    // expected-note @+1 {{variant 'tma': sm_80 has no cp.async.bulk.tensor: expected sm_90a, sm_100a or sm_103a}}
    tirx.copy_async thread %s, %A barrier(%bar[%c0]) dispatch("tma") : !s, !g, !bar
    gpu.return
  }
}

// -----

!s = !tirx.buffer<64x64xf16, shared>
!g = !tirx.buffer<64x64xf16, global>
!r = !tirx.buffer<64x64xf16, local>
!bar = !tirx.buffer<1x!tirx.mbarrier, shared>

gpu.module @m [#nvvm.target<chip = "sm_90a", verifyTarget = false>] {
  gpu.func @spaces(%A: !g) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %r = tirx.alloc_local : !r
    // expected-error @+2 {{served by no dispatch variant}}
    // expected-note @+1 {{variant 'tma': expected a copy between global and shared memory, got global to local}}
    tirx.copy_async thread %r, %A dispatch("tma") : !r, !g
    gpu.return
  }
  gpu.func @no_barrier(%A: !g) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %pool = tirx.smem_pool
    %s = tirx.pool_alloc %pool at(0) : !s
    // expected-error @+2 {{served by no dispatch variant}}
    // expected-note @+1 {{variant 'tma': expected a barrier, where the bytes of a load arrive, got none}}
    tirx.copy_async thread %s, %A dispatch("tma") : !s, !g
    gpu.return
  }
  gpu.func @scope(%A: !g) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %pool = tirx.smem_pool
    %s = tirx.pool_alloc %pool at(0) : !s
    // expected-error @+2 {{served by no dispatch variant}}
    // expected-note @+1 {{variant 'tma': expected scope thread, since one thread issues the copy (rule R37), got warp}}
    tirx.copy_async warp %A, %s dispatch("tma") : !g, !s
    gpu.return
  }
  gpu.func @pair(%A: !g) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %c0 = arith.constant 0 : index
    %pool = tirx.smem_pool
    %bar = tirx.pool_alloc %pool at(0) : !bar
    %s = tirx.pool_alloc %pool at(128) : !s
    // expected-error @+2 {{served by no dispatch variant}}
    // expected-note @+1 {{variant 'tma': sm_90a has no pairs of CTAs: expected cta_group 1, got 2}}
    tirx.copy_async thread %s, %A barrier(%bar[%c0]) cta_group(2) dispatch("tma") : !s, !g, !bar
    gpu.return
  }
  gpu.func @alignment(%A: !g) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %pool = tirx.smem_pool
    // expected-note @+1 {{variant 'tma': expected src aligned to 128 bytes (align of its pool_alloc), got 64}}
    %s = tirx.pool_alloc %pool at(64) : !s
    // expected-error @+1 {{served by no dispatch variant}}
    tirx.copy_async thread %A, %s dispatch("tma") : !g, !s
    gpu.return
  }
  gpu.func @shared_offset(%A: !tirx.buffer<1x64xf16, global>) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %row = tirx.id cta_id_x
    %pool = tirx.smem_pool
    %s = tirx.pool_alloc %pool at(0) : !tirx.buffer<64x32xf16, shared>
    // expected-note @+1 {{variant 'tma': expected dynamic offsets of src in multiples of 64 elements (128 bytes), got multiples of 32}}
    %v = tirx.view %s[%row, 0] : !tirx.buffer<64x32xf16, shared> -> 1x32xf16
    %g = tirx.view %A[0, 0] : !tirx.buffer<1x64xf16, global> -> 1x32xf16
    // expected-error @+1 {{served by no dispatch variant}}
    tirx.copy_async thread %g, %v dispatch("tma") : !tirx.buffer<1x32xf16, global>, !tirx.buffer<1x32xf16, shared>
    gpu.return
  }
  gpu.func @coordinates(%A: !tirx.buffer<64x512xf16, global>) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %x = tirx.id cta_id_x
    %pool = tirx.smem_pool
    %s = tirx.pool_alloc %pool at(0) : !s
    // expected-note @+1 {{variant 'tma': expected offsets of dst along dimension 1 of the tensor in multiples of 8, got multiples of 1}}
    %g = tirx.view %A[0, %x] : !tirx.buffer<64x512xf16, global> -> 64x64xf16
    // expected-error @+1 {{served by no dispatch variant}}
    tirx.copy_async thread %g, %s dispatch("tma") : !tirx.buffer<64x64xf16, global, #tirx.tile<S[(64, 64) : (512, 1)]>>, !s
    gpu.return
  }
  gpu.func @stride(%A: !tirx.buffer<64x66xf16, global>) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %pool = tirx.smem_pool
    %s = tirx.pool_alloc %pool at(0) : !s
    %g = tirx.view %A[0, 0] : !tirx.buffer<64x66xf16, global> -> 64x64xf16
    // expected-error @+2 {{served by no dispatch variant}}
    // expected-note @+1 {{variant 'tma': expected a stride of dimension 0 that is a multiple of 16 bytes below 2^40, got 66 elements of 16 bits}}
    tirx.copy_async thread %g, %s dispatch("tma") : !tirx.buffer<64x64xf16, global, #tirx.tile<S[(64, 64) : (66, 1)]>>, !s
    gpu.return
  }
  gpu.func @transposed(%A: !g) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %pool = tirx.smem_pool
    %s = tirx.pool_alloc %pool at(0) : !tirx.buffer<64x64xf16, shared, #tirx.tile<S[(64, 64) : (1, 64)]>>
    // expected-error @+2 {{served by no dispatch variant}}
    // expected-note @+1 {{variant 'tma': expected dimension 0, whose neighbours are neighbours in shared memory, to have neighbours in the tensor, got a stride of 64}}
    tirx.copy_async thread %A, %s dispatch("tma") : !g, !tirx.buffer<64x64xf16, shared, #tirx.tile<S[(64, 64) : (1, 64)]>>
    gpu.return
  }
  gpu.func @not_a_parameter(%A: memref<64x64xf16, 1>) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %pool = tirx.smem_pool
    %s = tirx.pool_alloc %pool at(0) : !s
    // expected-note @+1 {{variant 'tma': dst: expected a view of a kernel parameter, whose tensor map the host encodes, got one of the result of 'tirx.from_memref'}}
    %g = tirx.from_memref %A : memref<64x64xf16, 1> -> !g
    // expected-error @+1 {{served by no dispatch variant}}
    tirx.copy_async thread %g, %s dispatch("tma") : !g, !s
    gpu.return
  }
  gpu.func @reshaped(%A: !tirx.buffer<128x64xf16, global>) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %x = tirx.id cta_id_x
    %pool = tirx.smem_pool
    %t = tirx.pool_alloc %pool at(0) : !tirx.buffer<2x32x64xf16, shared>
    %v = tirx.view %A[%x, 0] : !tirx.buffer<128x64xf16, global> -> 64x64xf16
    // expected-note @+1 {{variant 'tma': dst: expected offsets known at run time behind the last reshape or recast, got one in front of it}}
    %g = tirx.reshape %v : !tirx.buffer<64x64xf16, global> -> 2x32x64xf16
    // expected-error @+1 {{served by no dispatch variant}}
    tirx.copy_async thread %g, %t dispatch("tma") : !tirx.buffer<2x32x64xf16, global>, !tirx.buffer<2x32x64xf16, shared>
    gpu.return
  }
}
