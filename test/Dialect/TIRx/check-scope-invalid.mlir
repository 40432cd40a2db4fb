// RUN: tirx-opt %s -tirx-check -split-input-file -verify-diagnostics

gpu.module @m {
  // expected-error @+1 {{expected known_block_size with three extents on a kernel with scoped ops}}
  gpu.func @no_block_size() kernel {
    tirx.barrier cta
    gpu.return
  }
}

// -----

gpu.module @m {
  // expected-error @+1 {{expected known_block_size of at most 1024 threads, got 2048}}
  gpu.func @too_many() kernel attributes {known_block_size = array<i32: 64, 32, 1>} {
    tirx.barrier cta
    gpu.return
  }
}

// -----

gpu.module @m {
  // expected-error @+1 {{expected extents of known_block_size to be 1 to 1024, got 0}}
  gpu.func @none() kernel attributes {known_block_size = array<i32: 0, 1, 1>} {
    tirx.barrier cta
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @one_lane() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %lane = tirx.id lane_id
    %guard = arith.cmpi eq, %lane, %c0 : index
    // expected-note @+1 {{this guard narrows the threads}}
    scf.if %guard {
      // expected-error @+1 {{expected whole warps of 32 threads to reach it (scope warp), got lane 0 of each of warps 0 to 3}}
      tirx.barrier warp
    }
    gpu.return
  }
}

// -----

// The else branch of "thread 0" is not the whole block.
gpu.module @m {
  gpu.func @else_branch() kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %tid = gpu.thread_id x
    %guard = arith.cmpi eq, %tid, %c0 : index
    // expected-note @+1 {{this guard narrows the threads}}
    scf.if %guard {
    } else {
      // expected-error @+1 {{expected all threads of the cta to reach it (scope cta), got threads 1 to 63}}
      tirx.barrier cta
    }
    gpu.return
  }
}

// -----

// `or` does not make two lanes a warp.
gpu.module @m {
  gpu.func @or_guard() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %lane = tirx.id lane_id
    %a = arith.cmpi eq, %lane, %c0 : index
    %b = arith.cmpi eq, %lane, %c1 : index
    %either = arith.ori %a, %b : i1
    // expected-note @+1 {{this guard narrows the threads}}
    scf.if %either {
      // expected-error @+1 {{got threads 0 to 1 (lanes 0 to 1 of warp 0)}}
      %leader = tirx.elect
    }
    gpu.return
  }
}

// -----

// A warpgroup op under a lane guard; the note is at the guard responsible, not at
// the innermost one.
gpu.module @m {
  gpu.func @warpgroup() kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %lane = tirx.id lane_id
    %wg = tirx.id warpgroup_id
    %low = arith.cmpi ult, %lane, %c16 : index
    %second = arith.cmpi eq, %wg, %c1 : index
    // expected-note @+1 {{this guard narrows the threads}}
    scf.if %low {
      scf.if %second {
        // expected-error @+1 {{expected whole warpgroups of 128 threads to reach it (scope warpgroup), got lanes 0 to 15 of each of warps 4 to 7}}
        tirx.barrier warpgroup id(1)
      }
    }
    gpu.return
  }
}

// -----

// Two warps of a warpgroup.
gpu.module @m {
  gpu.func @half(%r: !tirx.buffer<128x8xf32, local, #tirx.tile<S[(128, 8) : (1@tid_in_wg, 1)]>>,
                 %t: !tirx.buffer<128x8xf32, tmem, #tirx.tile<S[(128, 8) : (1@TLane, 1@TCol)]>>)
      kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c2 = arith.constant 2 : index
    %warp = tirx.id warp_id
    %low = arith.cmpi ult, %warp, %c2 : index
    // expected-note @+1 {{this guard narrows the threads}}
    scf.if %low {
      // expected-error @+1 {{'tirx.copy_async' op expected whole warpgroups of 128 threads to reach it (scope warpgroup), got threads 0 to 63 (warps 0 to 1)}}
      tirx.copy_async warpgroup %r, %t : !tirx.buffer<128x8xf32, local, #tirx.tile<S[(128, 8) : (1@tid_in_wg, 1)]>>,
                                         !tirx.buffer<128x8xf32, tmem, #tirx.tile<S[(128, 8) : (1@TLane, 1@TCol)]>>
    }
    gpu.return
  }
}

// -----

// A block smaller than the scope.
gpu.module @m {
  gpu.func @small() kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    // expected-error @+1 {{expected whole warpgroups of 128 threads to reach it (scope warpgroup), got all 64 threads of the block: the block has 64 threads}}
    tirx.barrier warpgroup id(1)
    gpu.return
  }
}

// -----

// The last warp of 48 threads is not whole.
gpu.module @m {
  gpu.func @ragged() kernel attributes {known_block_size = array<i32: 48, 1, 1>} {
    // expected-error @+1 {{expected whole warps of 32 threads to reach it (scope warp), got all 48 threads of the block: the block has 48 threads}}
    tirx.barrier warp
    gpu.return
  }
}

// -----

// One warp allocates, not four.
gpu.module @m {
  gpu.func @alloc(%slot: !tirx.buffer<1xi32, shared>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    // expected-error @+1 {{'tirx.tmem_alloc' op expected exactly one warp to reach it, got all 128 threads of the block}}
    tirx.tmem_alloc %slot[%c0] columns(32) : !tirx.buffer<1xi32, shared>
    // expected-error @+1 {{'tirx.tmem_dealloc' op expected exactly one warp to reach it, got all 128 threads of the block}}
    tirx.tmem_dealloc %slot[%c0] columns(32) : !tirx.buffer<1xi32, shared>
    gpu.return
  }
}

// -----

// One elected thread of each warp is four threads.
gpu.module @m {
  gpu.func @elect(%bar: !tirx.buffer<1x!tirx.mbarrier, shared>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %leader = tirx.elect
    scf.if %leader {
      // expected-error @+1 {{'tirx.commit' op expected exactly one thread to reach it, got lane 0 of each of warps 0 to 3}}
      tirx.commit %bar[%c0] : !tirx.buffer<1x!tirx.mbarrier, shared>
    }
    gpu.return
  }
}

// -----

// elect under the condition of a single lane is not an election.
gpu.module @m {
  gpu.func @elect_lane() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %lane = tirx.id lane_id
    %guard = arith.cmpi eq, %lane, %c0 : index
    // expected-note @+1 {{this guard narrows the threads}}
    scf.if %guard {
      // expected-error @+1 {{'tirx.elect' op expected whole warps of 32 threads to reach it (scope warp), got thread 0 (lane 0 of warp 0)}}
      %leader = tirx.elect
    }
    gpu.return
  }
}

// -----

// The tile op's scope is wrong: a cta copy that one warp runs.
gpu.module @m {
  gpu.func @copy(%s: !tirx.buffer<64xf16, shared>, %g: !tirx.buffer<64xf16, global>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c3 = arith.constant 3 : index
    %warp = tirx.id warp_id_in_wg
    %last = arith.cmpi eq, %warp, %c3 : index
    // expected-note @+1 {{this guard narrows the threads}}
    scf.if %last {
      // expected-error @+1 {{'tirx.copy' op expected all threads of the cta to reach it (scope cta), got threads 96 to 127 (warp 3)}}
      tirx.copy cta %s, %g : !tirx.buffer<64xf16, shared>, !tirx.buffer<64xf16, global>
    }
    gpu.return
  }
}

// -----

// What a thread reads for itself may differ from its neighbours.
gpu.module @m {
  gpu.func @divergent(%g: !tirx.buffer<128xi32, global>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %tid = tirx.id thread_id
    %zero = arith.constant 0 : i32
    %mine = tirx.load %g[%tid] : !tirx.buffer<128xi32, global> -> i32
    %guard = arith.cmpi ne, %mine, %zero : i32
    // expected-note @+1 {{nothing known here makes them agree}}
    scf.if %guard {
      // expected-error @+1 {{expected all threads of a cta to reach it together (scope cta), got a guard that may differ between threads}}
      tirx.barrier cta
    }
    gpu.return
  }
}

// -----

// Warps that disagree do not run a barrier of the block.
gpu.module @m {
  gpu.func @per_warp(%g: !tirx.buffer<4xi32, global>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %warp = tirx.id warp_id
    %zero = arith.constant 0 : i32
    %mine = tirx.load %g[%warp] : !tirx.buffer<4xi32, global> -> i32
    %guard = arith.cmpi ne, %mine, %zero : i32
    // expected-note @+1 {{nothing known here makes them agree}}
    scf.if %guard {
      tirx.barrier warp
      // expected-error @+1 {{got a guard that may differ between warps}}
      gpu.barrier
    }
    gpu.return
  }
}

// -----

// `warp 0, and the others when flag` is not all or none.
gpu.module @m {
  gpu.func @mixed(%flag: i1) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %warp = tirx.id warp_id
    %first = arith.cmpi eq, %warp, %c0 : index
    %guard = arith.ori %first, %flag : i1
    // expected-note @+1 {{nothing known here makes them agree}}
    scf.if %guard {
      tirx.barrier warp
      // expected-error @+1 {{expected all threads of a cta to reach it together}}
      tirx.barrier cta
    }
    gpu.return
  }
}

// -----

// A loop that threads leave at different times.
gpu.module @m {
  gpu.func @strided() kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c96 = arith.constant 96 : index
    %c64 = arith.constant 64 : index
    %tid = tirx.id thread_id
    // expected-note @+1 {{nothing known here makes them agree}}
    scf.for %i = %tid to %c96 step %c64 {
      // Threads 0 to 31 run it twice, the others once.
      tirx.barrier warp
      // expected-error @+1 {{expected all threads of a cta to reach it together}}
      tirx.barrier cta
    }
    gpu.return
  }
}

// -----

// A while loop whose condition differs between threads.
gpu.module @m {
  gpu.func @while_loop(%g: !tirx.buffer<128xi32, global>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %tid = tirx.id thread_id
    %zero = arith.constant 0 : i32
    %mine = tirx.load %g[%tid] : !tirx.buffer<128xi32, global> -> i32
    // expected-note @+1 {{nothing known here makes them agree}}
    scf.while (%i = %mine) : (i32) -> i32 {
      %go = arith.cmpi sgt, %i, %zero : i32
      scf.condition(%go) %i : i32
    } do {
    ^bb0(%i: i32):
      // expected-error @+1 {{expected all threads of a warp to reach it together (scope warp), got a guard that may differ between threads}}
      tirx.barrier warp
      %one = arith.constant 1 : i32
      %less = arith.subi %i, %one : i32
      scf.yield %less : i32
    }
    // All threads are here again.
    tirx.barrier cta
    gpu.return
  }
}

// -----

// A value that a divergent loop carries out differs between threads.
gpu.module @m {
  gpu.func @carried() kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %tid = tirx.id thread_id
    %n = scf.for %i = %c0 to %tid step %c1 iter_args(%k = %c0) -> index {
      %next = arith.addi %k, %c1 : index
      scf.yield %next : index
    }
    %guard = arith.cmpi eq, %n, %c0 : index
    // expected-note @+1 {{nothing known here makes them agree}}
    scf.if %guard {
      // expected-error @+1 {{expected all threads of a cta to reach it together}}
      tirx.barrier cta
    }
    gpu.return
  }
}

// -----

// Branches of a graph that differ between threads.
gpu.module @m {
  gpu.func @graph() kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %tid = tirx.id thread_id
    %guard = arith.cmpi eq, %tid, %c0 : index
    cf.cond_br %guard, ^one, ^two
  ^one:
    // expected-error @+1 {{expected all threads of a cta to reach it together}}
    tirx.barrier cta
    // expected-note @+1 {{nothing known here makes them agree}}
    cf.br ^two
  ^two:
    gpu.return
  }
}

// -----

// Blocks of a cluster may disagree on their own id.
gpu.module @m {
  gpu.func @cluster(%s: !tirx.buffer<64xf16, shared>, %g: !tirx.buffer<64xf16, global>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %rank = tirx.id cta_id_in_cluster
    %first = arith.cmpi eq, %rank, %c0 : index
    // expected-note @+1 {{nothing known here makes them agree}}
    scf.if %first {
      tirx.barrier cta
      // expected-error @+1 {{expected all threads of a cluster to reach it together (scope cluster), got a guard that may differ between ctas}}
      tirx.copy cluster %s, %g : !tirx.buffer<64xf16, shared>, !tirx.buffer<64xf16, global>
    }
    gpu.return
  }
}

// -----

// A set-up that no thread of the block runs.
gpu.module @m {
  gpu.func @nobody(%bar: !tirx.buffer<1x!tirx.mbarrier, shared>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c128 = arith.constant 128 : index
    %tid = tirx.id thread_id
    %guard = arith.cmpi eq, %tid, %c128 : index
    scf.if %guard {
      // expected-warning @+1 {{no thread of the block reaches this op}}
      tirx.mbarrier_init %bar[%c0] count(1) : !tirx.buffer<1x!tirx.mbarrier, shared>
    }
    gpu.return
  }
}

// -----

gpu.module @m {
  // expected-warning @+1 {{not a gpu.func kernel: scopes of the ops inside are not checked}}
  gpu.func @helper() {
    tirx.barrier cta
    gpu.return
  }
}

// -----

// Registers are a thread's own, whatever the index.
gpu.module @m {
  gpu.func @registers() kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0 : i32
    %r = tirx.alloc_local : !tirx.buffer<4xi32, local>
    %v = tirx.load %r[%c0] : !tirx.buffer<4xi32, local> -> i32
    %go = arith.cmpi eq, %v, %zero : i32
    // expected-note @+1 {{nothing known here makes them agree}}
    scf.if %go {
      // expected-error @+1 {{expected all threads of a warp to reach it together}}
      tirx.barrier warp
    }
    gpu.return
  }
}

// -----

// A shuffle in segments of 16 lanes does not make a warp agree.
gpu.module @m {
  gpu.func @segments() kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %zero = arith.constant 0 : i32
    %clamp = arith.constant 4111 : i32
    %mask = arith.constant -1 : i32
    %tid = tirx.id thread_id
    %tid32 = arith.index_cast %tid : index to i32
    %shared = tirx.ptx "shfl.sync.idx.b32"(%tid32, %zero, %clamp, %mask) : (i32, i32, i32, i32) -> i32
    %go = arith.cmpi eq, %shared, %zero : i32
    // expected-note @+1 {{nothing known here makes them agree}}
    scf.if %go {
      // expected-error @+1 {{expected all threads of a warp to reach it together}}
      tirx.barrier warp
    }
    gpu.return
  }
}
