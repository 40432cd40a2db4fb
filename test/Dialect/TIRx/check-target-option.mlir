// RUN: tirx-opt %s -tirx-check=target=sm_100a -o /dev/null
// RUN: not tirx-opt %s -tirx-check=target=sm_90a -o /dev/null 2>&1 | FileCheck %s

// CHECK: error: 'tirx.ptx' op {{.*}}sm_90a
gpu.module @m {
  gpu.func @kernel(%t: i32) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %0 = tirx.ptx "tcgen05.ld.sync.aligned.32x32b.x1.b32"(%t) : (i32) -> i32
    gpu.return
  }
}
