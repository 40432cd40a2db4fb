// RUN: tirx-opt %s -tirx-check -verify-diagnostics | FileCheck %s
// RUN: tirx-opt %examples/hgemm.mlir -tirx-check -o /dev/null

// Guards that the scope analysis understands: no complaint here is a test that
// each of them is evaluated for every thread.

!bar = !tirx.buffer<4x!tirx.mbarrier, shared>
!slot = !tirx.buffer<1xi32, shared>

// CHECK-LABEL: gpu.module @m
gpu.module @m {
  // Block of one warp: no guard is needed to be the only warp.
  gpu.func @one_warp(%slot: !slot) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    tirx.tmem_alloc %slot[%c0] columns(32) : !slot
    tirx.tmem_dealloc %slot[%c0] columns(32) : !slot
    tirx.barrier cta
    gpu.return
  }

  // The else branch has the other warps, and all of them together a warpgroup
  // barrier in the second warpgroup.
  gpu.func @else_branch() kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c1 = arith.constant 1 : index
    %wg = tirx.id warpgroup_id
    %first = arith.cmpi ult, %wg, %c1 : index
    scf.if %first {
      tirx.barrier warpgroup id(1)
    } else {
      tirx.barrier warpgroup id(2)
      tirx.wait tcgen05_ld
    }
    tirx.barrier cta
    gpu.return
  }

  // or, and, xor, select and shifts on ids.
  gpu.func @arithmetic(%bar: !bar) kernel attributes {known_block_size = array<i32: 64, 2, 1>} {
    %c0 = arith.constant 0 : index
    %c0_i32 = arith.constant 0 : i32
    %c5 = arith.constant 5 : i32
    %c31 = arith.constant 31 : i32
    %c3 = arith.constant 3 : i32
    %true = arith.constant true
    %x = gpu.thread_id x
    %y = gpu.thread_id y
    %dim = gpu.block_dim x
    %row = arith.muli %y, %dim : index
    %tid = arith.addi %row, %x : index
    %tid32 = arith.index_cast %tid : index to i32
    %warp = arith.shrui %tid32, %c5 : i32
    %lane = arith.andi %tid32, %c31 : i32
    %w0 = arith.cmpi eq, %warp, %c0_i32 : i32
    %w3 = arith.cmpi eq, %warp, %c3 : i32
    %either = arith.ori %w0, %w3 : i1
    scf.if %either {
      // Warps 0 and 3.
      tirx.barrier warp
      %l0 = arith.cmpi eq, %lane, %c0_i32 : i32
      %leader0 = arith.andi %l0, %w0 : i1
      scf.if %leader0 {
        tirx.mbarrier_init %bar[%c0] count(1) : !bar
      }
      %neither = arith.xori %w0, %true : i1
      scf.if %neither {
        // Warp 3 alone.
        %leader = tirx.elect
        %only = arith.select %leader, %w3, %w0 : i1
        scf.if %only {
          tirx.commit %bar[%c0] : !bar
        }
      }
    }
    gpu.return
  }

  // Kernel arguments, block ids and loop counters are the same for a whole block.
  gpu.func @uniform(%n: index, %flag: i1, %tiles: !tirx.buffer<8xi32, global>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %bx = gpu.block_id x
    %grid = gpu.grid_dim x
    scf.if %flag {
      tirx.barrier cta
    }
    // A persistent loop: bounds differ between blocks only.
    %last = scf.for %tile = %bx to %n step %grid iter_args(%phase = %c0) -> index {
      tirx.barrier cta
      %next = arith.addi %phase, %c1 : index
      %flip = arith.remui %next, %c4 : index
      %even = arith.cmpi eq, %flip, %c0 : index
      scf.if %even {
        tirx.barrier cta
      }
      scf.yield %flip : index
    }
    %done = arith.cmpi eq, %last, %c0 : index
    scf.if %done {
      tirx.barrier cta
    }
    // What all threads read from one address is the same for all.
    %count = tirx.load %tiles[%bx] : !tirx.buffer<8xi32, global> -> i32
    %zero = arith.constant 0 : i32
    %some = arith.cmpi sgt, %count, %zero : i32
    scf.if %some {
      tirx.barrier cta
    }
    scf.while (%i = %count) : (i32) -> i32 {
      %go = arith.cmpi sgt, %i, %zero : i32
      scf.condition(%go) %i : i32
    } do {
    ^bb0(%i: i32):
      tirx.barrier cta
      %one = arith.constant 1 : i32
      %less = arith.subi %i, %one : i32
      scf.yield %less : i32
    }
    gpu.return
  }

  // A value that each warp agrees on guards what a warp does.
  gpu.func @per_warp(%work: !tirx.buffer<4xi32, global>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %warp = tirx.id warp_id
    %zero = arith.constant 0 : i32
    %mine = tirx.load %work[%warp] : !tirx.buffer<4xi32, global> -> i32
    %some = arith.cmpi ne, %mine, %zero : i32
    scf.if %some {
      tirx.barrier warp
      %leader = tirx.elect
    }
    gpu.return
  }

  // A loop whose trips differ between warps, from ids alone.
  gpu.func @warp_strided() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c6 = arith.constant 6 : index
    %c4 = arith.constant 4 : index
    %warp = tirx.id warp_id
    scf.for %i = %warp to %c6 step %c4 {
      tirx.barrier warp
    }
    tirx.barrier cta
    gpu.return
  }

  gpu.func @roles(%bar: !bar) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %warp = tirx.id warp_id
    scf.index_switch %warp
    case 0 {
      %leader = tirx.elect
      scf.if %leader {
        tirx.commit %bar[%c0] : !bar
      }
      scf.yield
    }
    case 1 {
      tirx.barrier warp
      scf.yield
    }
    default {
      // Warps 2 and 3.
      tirx.barrier warp
    }
    gpu.return
  }

  // Several blocks, with branches that are the same for the whole block.
  gpu.func @blocks(%n: index) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    cf.br ^head(%c0 : index)
  ^head(%i: index):
    %go = arith.cmpi ult, %i, %n : index
    cf.cond_br %go, ^body, ^exit
  ^body:
    tirx.barrier cta
    %next = arith.addi %i, %c1 : index
    cf.br ^head(%next : index)
  ^exit:
    tirx.barrier cta
    gpu.return
  }

  // Instructions by which a warp agrees mix with ops.
  gpu.func @instructions(%bar: !bar, %p: !llvm.ptr<1>, %m: memref<4xi32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0 : i32
    %clamp = arith.constant 31 : i32
    %mask = arith.constant -1 : i32
    %tid = tirx.id thread_id
    %tid32 = arith.index_cast %tid : index to i32
    %five = arith.constant 5 : i32
    %warp = arith.shrui %tid32, %five : i32
    %first = arith.cmpi eq, %warp, %zero : i32
    scf.if %first {
      %leader:2 = tirx.ptx "elect.sync"(%mask) : (i32) -> (i32, i1)
      scf.if %leader#1 {
        tirx.commit %bar[%c0] : !bar
      }
    }
    %mine = tirx.ptx "xor.b32"(%tid32, %clamp) : (i32, i32) -> i32
    %shared = tirx.ptx "shfl.sync.idx.b32"(%mine, %zero, %clamp, %mask) : (i32, i32, i32, i32) -> i32
    %go = arith.cmpi sgt, %shared, %zero : i32
    scf.if %go {
      tirx.barrier warp
    }
    // Loads of one address, in any dialect.
    %a = tirx.ptx "ld.global.u32"(%p) : (!llvm.ptr<1>) -> i32
    %b = memref.load %m[%c0] : memref<4xi32>
    %sum = arith.addi %a, %b : i32
    %some = arith.cmpi sgt, %sum, %zero : i32
    scf.if %some {
      tirx.barrier cta
    }
    gpu.return
  }

  // A kernel without scoped ops needs no block size.
  gpu.func @plain() kernel {
    gpu.return
  }
}
