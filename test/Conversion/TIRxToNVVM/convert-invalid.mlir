// RUN: tirx-opt %s -split-input-file -verify-diagnostics -convert-tirx-to-nvvm

// local_index_static
gpu.module @m [#nvvm.target<chip = "sm_90a", verifyTarget = false>] {
  // expected-note @+1 {{this index is not a constant}}
  gpu.func @dynamic(%i: index, %x: f32) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %r = tirx.alloc_local : !tirx.buffer<4xf32, local>
    // expected-error @+1 {{expected constant indices into registers once loops are unrolled}}
    tirx.store %x, %r[%i] : f32, !tirx.buffer<4xf32, local>
    gpu.return
  }
}

// -----

gpu.module @m [#nvvm.target<chip = "sm_90a", verifyTarget = false>] {
  gpu.func @outside(%x: f32) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c4 = arith.constant 4 : index
    %r = tirx.alloc_local : !tirx.buffer<4xf32, local>
    // expected-error @+1 {{expected an index below the extent 4, got 4}}
    tirx.store %x, %r[%c4] : f32, !tirx.buffer<4xf32, local>
    gpu.return
  }
}

// -----

gpu.module @m [#nvvm.target<chip = "sm_90a", verifyTarget = false>] {
  gpu.func @long_loop(%x: f32) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %end = arith.constant 100000 : index
    %r = tirx.alloc_local : !tirx.buffer<100000xf32, local>
    // expected-error @+1 {{expected a loop over registers of at most 1024 iterations, got 100000}}
    scf.for %i = %c0 to %end step %c1 {
      tirx.store %x, %r[%i] : f32, !tirx.buffer<100000xf32, local>
    }
    gpu.return
  }
}

// -----

gpu.module @m [#nvvm.target<chip = "sm_90a", verifyTarget = false>] {
  // expected-error @+1 {{expected known_block_size on a kernel that uses tirx ops}}
  gpu.func @no_block() kernel {
    %w = tirx.id warp_id
    gpu.return
  }
}

// -----

gpu.module @m [#nvvm.target<chip = "sm_90a", verifyTarget = false>] {
  // expected-error @+1 {{expected tirx ops in kernels only}}
  gpu.func @helper() {
    %w = tirx.id warp_id
    gpu.return
  }
}

// -----

gpu.module @m [#nvvm.target<chip = "sm_90a", verifyTarget = false>] {
  gpu.func @still_tiles(%A: !tirx.buffer<64xf32, global>, %B: !tirx.buffer<64xf32, global>)
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    // expected-error @+1 {{is not at instruction level: run tirx-lower-tiles first}}
    tirx.copy warp %A, %B : !tirx.buffer<64xf32, global>, !tirx.buffer<64xf32, global>
    gpu.return
  }
}

// -----

gpu.module @m [#nvvm.target<chip = "sm_90a", verifyTarget = false>] {
  // expected-error @+1 {{expected parameter 0 to be a global buffer, a pointer or a scalar}}
  gpu.func @shared_parameter(%A: !tirx.buffer<64xf32, shared>)
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    gpu.return
  }
}

// -----

gpu.module @m [#nvvm.target<chip = "sm_90a", verifyTarget = false>] {
  gpu.func @no_offset(%x: f32) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %pool = tirx.smem_pool
    // expected-error @+1 {{has no offset: run tirx-allocate-shared first}}
    %s = tirx.pool_alloc %pool : !tirx.buffer<64xf32, shared>
    gpu.return
  }
}

// -----

gpu.module @m [#nvvm.target<chip = "sm_90a", verifyTarget = false>] {
  gpu.func @carried(%A: !tirx.buffer<64xf32, global>)
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    scf.for %i = %c0 to %c4 step %c1 iter_args(%X = %A) -> (!tirx.buffer<64xf32, global>) {
      // expected-error @+1 {{buffers do not pass through loops or branches}}
      %v = tirx.load %X[%c0] : !tirx.buffer<64xf32, global> -> f32
      tirx.store %v, %A[%i] : f32, !tirx.buffer<64xf32, global>
      scf.yield %X : !tirx.buffer<64xf32, global>
    }
    gpu.return
  }
}

// -----

// The swizzle of a descriptor starts on 1024 bytes: 512 elements, 8 rows.

#a8 = #tirx.compose<#tirx.swizzle<3, 3, 3>, #tirx.tile<S[(8, 64) : (64, 1)]>>
#a = #tirx.compose<#tirx.swizzle<3, 3, 3>, #tirx.tile<S[(128, 64) : (64, 1)]>>

gpu.module @m [#nvvm.target<chip = "sm_100a", verifyTarget = false>] {
  gpu.func @moved(%i: index, %p: !llvm.ptr<1>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c4 = arith.constant 4 : index
    %row = arith.muli %i, %c4 : index
    %pool = tirx.smem_pool
    %s = tirx.pool_alloc %pool at(0) : !tirx.buffer<128x64xf16, shared, #a>
    %v = tirx.view %s[%row, 0] : !tirx.buffer<128x64xf16, shared, #a> -> !tirx.buffer<8x64xf16, shared, #a8>
    // expected-error @+1 {{expected dynamic offsets of its buffer in multiples of 512 elements (1024 bytes, where the pattern of its layout repeats)}}
    %d = tirx.smem_descriptor %v k_dim(1) step(0) : !tirx.buffer<8x64xf16, shared, #a8>
    tirx.ptx "st.global.b64"(%p, %d) : (!llvm.ptr<1>, i64) -> ()
    gpu.return
  }
}
