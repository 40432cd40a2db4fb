// RUN: tirx-opt %s -tirx-allocate-shared -split-input-file -verify-diagnostics

// pool_alloc_c3
gpu.module @m {
  gpu.func @overlap() kernel {
    %pool = tirx.smem_pool
    // expected-note @+1 {{this buffer has bytes 0 to 63}}
    %a = tirx.pool_alloc %pool : !tirx.buffer<16xf32, shared>
    // expected-error @+1 {{expected buffers of a pool not to overlap, got bytes 48 to 63}}
    %b = tirx.pool_alloc %pool at(48) : !tirx.buffer<4xf32, shared>
    gpu.return
  }
}

// -----

// pool_alloc_c3: behind a buffer that says at, the next one may meet an earlier
gpu.module @m {
  gpu.func @overlap() kernel {
    %pool = tirx.smem_pool
    // expected-note @+1 {{this buffer has bytes 1024 to 1087}}
    %a = tirx.pool_alloc %pool at(1024) : !tirx.buffer<16xf32, shared>
    %b = tirx.pool_alloc %pool at(0) : !tirx.buffer<256xf32, shared>
    // expected-error @+1 {{got bytes 1024 to 1027}}
    %c = tirx.pool_alloc %pool : !tirx.buffer<1xf32, shared>
    gpu.return
  }
}

// -----

// pool_alloc_c4: without a target, 227 KiB
gpu.module @m {
  gpu.func @large() kernel {
    %pool = tirx.smem_pool
    %a = tirx.pool_alloc %pool : !tirx.buffer<232448xi8, shared>
    // expected-error @+1 {{expected the pool to fit 232448 bytes of shared memory (227 KiB, as sm_90a and sm_100a have), got a buffer of 1 bytes at offset 232448}}
    %b = tirx.pool_alloc %pool : !tirx.buffer<1xi8, shared>
    gpu.return
  }
}

// -----

// pool_alloc_c4: the target's limit
gpu.module @m [#nvvm.target<chip = "sm_80">] {
  gpu.func @large() kernel {
    %pool = tirx.smem_pool
    // expected-error @+1 {{expected the pool to fit 166912 bytes of shared memory (the limit of sm_80), got a buffer of 166913 bytes at offset 0}}
    %a = tirx.pool_alloc %pool : !tirx.buffer<166913xi8, shared>
    gpu.return
  }
}

// -----

// pool_alloc_c4: sizes near the end of 64 bits
gpu.module @m {
  gpu.func @huge() kernel {
    %pool = tirx.smem_pool
    // expected-error @+1 {{expected the pool to fit 232448 bytes}}
    %a = tirx.pool_alloc %pool at(9223372036854775792) : !tirx.buffer<1152921504606846975xi8, shared>
    gpu.return
  }
}

// -----

// pool_alloc_c4: a base beyond the memory
gpu.module @m {
  gpu.func @far() kernel {
    %pool = tirx.smem_pool
    tirx.pool_move_base %pool to(9223372036854775807)
    // expected-error @+1 {{expected the pool to fit 232448 bytes}}
    %a = tirx.pool_alloc %pool : !tirx.buffer<1xi8, shared>
    gpu.return
  }
}

// -----

// pool_alloc_c4: an alignment that no shared memory has
gpu.module @m {
  gpu.func @align() kernel {
    %pool = tirx.smem_pool
    %a = tirx.pool_alloc %pool : !tirx.buffer<1xi8, shared>
    // expected-error @+1 {{expected the pool to fit 232448 bytes}}
    %b = tirx.pool_alloc %pool align(4611686018427387904) : !tirx.buffer<1xi8, shared>
    gpu.return
  }
}

// -----

// pool_move_base_c1
gpu.module @m {
  gpu.func @back() kernel {
    %pool = tirx.smem_pool
    // expected-note @+1 {{this buffer ends at byte 64}}
    %a = tirx.pool_alloc %pool : !tirx.buffer<16xf32, shared>
    // expected-error @+1 {{expected an offset at or behind the end of earlier allocations, got 32}}
    tirx.pool_move_base %pool to(32)
    gpu.return
  }
}

// -----

gpu.module @m [#nvvm.target<chip = "sm_42">] {
  // expected-error @+1 {{sm_42}}
  gpu.func @unknown() kernel {
    %pool = tirx.smem_pool
    gpu.return
  }
}
