// REQUIRES: plugin
// RUN: mlir-opt --load-dialect-plugin=%plugin --load-pass-plugin=%plugin %s \
// RUN:   --pass-pipeline='builtin.module(tirx-check,tirx-allocate-shared)' | FileCheck %s
// RUN: not mlir-opt --load-dialect-plugin=%plugin --load-pass-plugin=%plugin %s \
// RUN:   --pass-pipeline='builtin.module(tirx-allocate-shared{max-bytes=1})' 2>&1 | FileCheck %s --check-prefix=ERR

// The dialect and its passes in a stock mlir-opt.

#ab = #tirx.compose<#tirx.swizzle<3, 3, 3>, #tirx.tile<S[(128, 64) : (64, 1)]>>

// CHECK: gpu.func @kernel
// CHECK-SAME: tirx.shared_bytes = 17408 : i64
// ERR: expected the pool to fit 1 bytes of shared memory
gpu.module @m {
  gpu.func @kernel() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %pool = tirx.smem_pool
    // CHECK: tirx.pool_alloc %{{.*}} at(0) : !tirx.buffer<1xi32, shared>
    %slot = tirx.pool_alloc %pool : !tirx.buffer<1xi32, shared>
    // CHECK: tirx.pool_alloc %{{.*}} at(1024) : !tirx.buffer<128x64xf16, shared, #{{.*}}>
    %a = tirx.pool_alloc %pool : !tirx.buffer<128x64xf16, shared, #ab>
    tirx.barrier cta
    gpu.return
  }
}
