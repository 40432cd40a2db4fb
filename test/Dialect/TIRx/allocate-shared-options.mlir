// RUN: tirx-opt %s -tirx-allocate-shared=max-bytes=64 -o /dev/null
// RUN: not tirx-opt %s -tirx-allocate-shared=max-bytes=63 -o /dev/null 2>&1 | FileCheck %s
// RUN: not tirx-opt %s -tirx-allocate-shared=max-bytes=-1 -o /dev/null 2>&1 | FileCheck %s --check-prefix=NEG

// CHECK: error: 'tirx.pool_alloc' op expected the pool to fit 63 bytes of shared memory (option max-bytes), got a buffer of 64 bytes at offset 0
// NEG: error: expected option max-bytes to be at least 0, got -1
gpu.module @m {
  gpu.func @small() kernel {
    %pool = tirx.smem_pool
    %a = tirx.pool_alloc %pool : !tirx.buffer<16xf32, shared>
    gpu.return
  }
}
