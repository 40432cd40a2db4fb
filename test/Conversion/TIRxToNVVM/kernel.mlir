// RUN: tirx-opt %s -split-input-file -convert-tirx-to-nvvm | FileCheck %s

// The kernel's signature, its shared memory and the ids of its threads.

// CHECK-LABEL: gpu.module @m
// CHECK: llvm.mlir.global external @tirx_shared_pool() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
// CHECK: llvm.func @k(%{{.*}}: !llvm.ptr<1> {llvm.align = 16 : i64}, %{{.*}}: i64, %{{.*}}: f32)
// CHECK-SAME: nvvm.cluster_dim = array<i32: 2, 1, 1>
// CHECK-SAME: nvvm.kernel
// CHECK-SAME: nvvm.reqntid = array<i32: 64, 4, 1>
// CHECK: nvvm.read.ptx.sreg.tid.x range <i32, 0, 64>
// CHECK: nvvm.read.ptx.sreg.tid.y range <i32, 0, 4>
// CHECK: nvvm.shfl.sync
// The warp id is broadcast before any control flow, however deep its use.
// CHECK: scf.if
// CHECK-NOT: shfl
// CHECK: llvm.return
gpu.module @m [#nvvm.target<chip = "sm_90a", verifyTarget = false>] {
  gpu.func @k(%A: !tirx.buffer<128x64xf16, global>, %n: index, %x: f32)
      kernel attributes {known_block_size = array<i32: 64, 4, 1>,
                         known_cluster_size = array<i32: 2, 1, 1>,
                         tirx.shared_bytes = 4096 : i64} {
    %c0 = arith.constant 0 : index
    %pool = tirx.smem_pool
    %s = tirx.pool_alloc %pool at(1024) : !tirx.buffer<1024xf16, shared>
    %is0 = arith.cmpi eq, %n, %c0 : index
    scf.if %is0 {
      %warp = tirx.id warp_id
      %v = tirx.load %A[%c0, %c0] : !tirx.buffer<128x64xf16, global> -> f16
      tirx.store %v, %s[%warp] : f16, !tirx.buffer<1024xf16, shared>
    }
    gpu.return
  }
}

// -----

// Registers: a stack slot with constant indices; loops over it are unrolled.

// CHECK-LABEL: llvm.func @registers
// CHECK: llvm.alloca %{{.*}} x !llvm.array<4 x f32>
// CHECK-NOT: scf.for
// CHECK-COUNT-4: llvm.store %{{.*}}, %{{.*}} {alignment = 4 : i64} : f32, !llvm.ptr
// CHECK: llvm.return
gpu.module @m [#nvvm.target<chip = "sm_90a", verifyTarget = false>] {
  gpu.func @registers(%x: f32) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %r = tirx.alloc_local : !tirx.buffer<4xf32, local>
    scf.for %i = %c0 to %c4 step %c1 {
      tirx.store %x, %r[%i] : f32, !tirx.buffer<4xf32, local>
    }
    gpu.return
  }
}

// -----

// The swizzle is in the address: (row * 64 + col) ^ ((row & 7) << 3).

#a = #tirx.compose<#tirx.swizzle<3, 3, 3>, #tirx.tile<S[(128, 64) : (64, 1)]>>

// CHECK-LABEL: llvm.func @swizzle
// CHECK: %[[I:.*]] = arith.addi {{.*}} : i32
// CHECK: %[[S:.*]] = arith.shrui %[[I]], %{{.*}} : i32
// CHECK: %[[P:.*]] = arith.andi %[[S]], %{{.*}} : i32
// CHECK: %[[X:.*]] = arith.xori %[[I]], %[[P]] : i32
// CHECK: llvm.getelementptr %{{.*}}[%[[X]]] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f16
gpu.module @m [#nvvm.target<chip = "sm_90a", verifyTarget = false>] {
  gpu.func @swizzle(%i: index, %j: index, %x: f16)
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %pool = tirx.smem_pool
    %s = tirx.pool_alloc %pool at(0) : !tirx.buffer<128x64xf16, shared, #a>
    tirx.store %x, %s[%i, %j] : f16, !tirx.buffer<128x64xf16, shared, #a>
    gpu.return
  }
}

// -----

// tcgen05.wait::ld takes the loaded registers in and out (R17), and the stores into
// the tile follow it.

// CHECK-LABEL: llvm.func @tied
// CHECK: %[[L:.*]] = llvm.inline_asm {{.*}}"tcgen05.ld.sync.aligned.32x32b.x2.b32 {$0, $1}, [$2];"
// CHECK-NOT: llvm.store
// CHECK: %[[W:.*]] = llvm.inline_asm {{.*}}"tcgen05.wait::ld.sync.aligned;", "=f,=f,0,1,~{memory}"
// CHECK: llvm.extractvalue %[[W]][0]
// CHECK: llvm.store
gpu.module @m [#nvvm.target<chip = "sm_100a", verifyTarget = false>] {
  gpu.func @tied(%t: i32) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %r = tirx.alloc_local : !tirx.buffer<2xf32, local>
    %v:2 = tirx.ptx "tcgen05.ld.sync.aligned.32x32b.x2.b32"(%t) : (i32) -> (f32, f32)
    tirx.store %v#0, %r[%c0] : f32, !tirx.buffer<2xf32, local>
    tirx.store %v#1, %r[%c1] : f32, !tirx.buffer<2xf32, local>
    tirx.ptx "tcgen05.wait::ld.sync.aligned"() : () -> ()
    gpu.return
  }
}
