// RUN: tirx-opt %s -tirx-check -split-input-file -verify-diagnostics

!slot = !tirx.buffer<2xi32, shared>

// smem_pool_c1
gpu.module @m {
  gpu.func @nested(%flag: i1) kernel {
    scf.if %flag {
      // expected-error @+1 {{expected the pool in the entry block of a kernel, got a nested one}}
      %pool = tirx.smem_pool
    }
    gpu.return
  }
}

// -----

// smem_pool_c1
gpu.module @m {
  gpu.func @twice() kernel {
    // expected-note @+1 {{this is the first}}
    %pool = tirx.smem_pool
    // expected-error @+1 {{expected one pool in a kernel, got a second one}}
    %again = tirx.smem_pool
    gpu.return
  }
}

// -----

!slot = !tirx.buffer<2xi32, shared>

// tmem_alloc_c4
gpu.module @m {
  gpu.func @too_many(%slot: !slot) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    // expected-note @+1 {{512 columns are alive from here}}
    tirx.tmem_alloc %slot[%c0] columns(512) : !slot
    // expected-error @+1 {{expected allocations that are alive together to have at most 512 columns, got 544}}
    tirx.tmem_alloc %slot[%c1] columns(32) : !slot
    tirx.tmem_dealloc %slot[%c1] columns(32) : !slot
    tirx.tmem_dealloc %slot[%c0] columns(512) : !slot
    gpu.return
  }
}

// -----

!slot = !tirx.buffer<2xi32, shared>

// tmem_alloc_c5
gpu.module @m {
  gpu.func @leak(%slot: !slot) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    tirx.tmem_alloc %slot[%c0] columns(64) : !slot
    // expected-error @+1 {{expected a tmem_dealloc of the same slot before the kernel ends, got none}}
    tirx.tmem_alloc %slot[%c1] columns(32) : !slot
    tirx.tmem_dealloc %slot[%c0] columns(64) : !slot
    gpu.return
  }
}

// -----

!slot = !tirx.buffer<2xi32, shared>

// tmem_dealloc_c4
gpu.module @m {
  gpu.func @never(%slot: !slot) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    // expected-error @+1 {{expected an earlier tmem_alloc of the same slot, got none}}
    tirx.tmem_dealloc %slot[%c0] columns(32) : !slot
    gpu.return
  }
}

// -----

!slot = !tirx.buffer<2xi32, shared>

// tmem_dealloc_c4
gpu.module @m {
  gpu.func @columns(%slot: !slot) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    // expected-note @+1 {{it is allocated here}}
    tirx.tmem_alloc %slot[%c0] columns(512) : !slot
    // expected-error @+1 {{expected columns(512) cta_group(1) of the allocation, got columns(256) cta_group(1)}}
    tirx.tmem_dealloc %slot[%c0] columns(256) : !slot
    gpu.return
  }
}

// -----

!slot = !tirx.buffer<2xi32, shared>

// tmem_dealloc_c4
gpu.module @m {
  gpu.func @twice(%slot: !slot) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    tirx.tmem_alloc %slot[%c0] columns(512) : !slot
    // expected-note @+1 {{it is freed here}}
    tirx.tmem_dealloc %slot[%c0] columns(512) : !slot
    // expected-error @+1 {{expected an allocation that is alive, got one that is freed already (rule R24)}}
    tirx.tmem_dealloc %slot[%c0] columns(512) : !slot
    gpu.return
  }
}

// -----

!slot = !tirx.buffer<2xi32, shared>

// R23
gpu.module @m {
  gpu.func @relinquished(%slot: !slot) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    // expected-note @+1 {{it is given up here}}
    tirx.tmem_relinquish
    // expected-error @+1 {{expected no allocation after the right to allocate was given up (rule R23)}}
    tirx.tmem_alloc %slot[%c0] columns(32) : !slot
    gpu.return
  }
}

// -----

!slot = !tirx.buffer<2xi32, shared>

// R25
gpu.module @m {
  gpu.func @groups(%slot: !slot, %bar: !tirx.buffer<1x!tirx.mbarrier, shared>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    // expected-note @+1 {{this op has cta_group 2}}
    tirx.tmem_alloc %slot[%c0] columns(32) cta_group(2) : !slot
    %leader = tirx.elect
    scf.if %leader {
      // expected-error @+1 {{expected one cta_group in all tcgen05 ops of a kernel (rule R25), got 1}}
      tirx.commit %bar[%c0] : !tirx.buffer<1x!tirx.mbarrier, shared>
    }
    tirx.tmem_dealloc %slot[%c0] columns(32) cta_group(2) : !slot
    gpu.return
  }
}

// -----

!slot = !tirx.buffer<2xi32, shared>
!acc = !tirx.buffer<128x128xf32, tmem, #tirx.tile<S[(128, 128) : (1@TLane, 1@TCol)]>>

// tmem_buffer_c2
gpu.module @m {
  gpu.func @outside(%slot: !slot) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    // expected-note @+1 {{it is allocated here}}
    tirx.tmem_alloc %slot[%c0] columns(128) : !slot
    // expected-error @+1 {{expected columns inside the allocation of 128, got columns 64 to 191}}
    %t = tirx.tmem_buffer %slot[%c0] column(64) : !slot -> !acc
    tirx.tmem_dealloc %slot[%c0] columns(128) : !slot
    gpu.return
  }
}

// -----

!slot = !tirx.buffer<2xi32, shared>
!acc = !tirx.buffer<128x128xf32, tmem, #tirx.tile<S[(128, 128) : (1@TLane, 1@TCol)]>>

// tmem_buffer_c3
gpu.module @m {
  gpu.func @overlap(%slot: !slot) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    tirx.tmem_alloc %slot[%c0] columns(256) : !slot
    // expected-note @+1 {{has columns 0 to 127}}
    %t = tirx.tmem_buffer %slot[%c0] : !slot -> !acc
    // expected-error @+1 {{expected buffers of one allocation not to overlap, or alias, got columns 64 to 191}}
    %u = tirx.tmem_buffer %slot[%c0] column(64) : !slot -> !acc
    tirx.tmem_dealloc %slot[%c0] columns(256) : !slot
    gpu.return
  }
}

// -----

!slot = !tirx.buffer<2xi32, shared>
!acc = !tirx.buffer<128x128xf32, tmem, #tirx.tile<S[(128, 128) : (1@TLane, 1@TCol)]>>
!other = !tirx.buffer<128x128xf32, tmem, #tirx.tile<S[(128, 2, 64) : (1@TLane, 1@TCol, 2@TCol)]>>

// tmem_buffer_c3: producer and consumer disagree on the layout (R43)
gpu.module @m {
  gpu.func @layout(%slot: !slot) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    tirx.tmem_alloc %slot[%c0] columns(256) : !slot
    // expected-note @+1 {{has columns 0 to 127}}
    %t = tirx.tmem_buffer %slot[%c0] : !slot -> !acc
    // expected-error @+1 {{expected buffers at the same columns to have the same element type and layout (rule R43), or alias, got '!tirx.buffer<128x128xf32, tmem, #tirx.tile<S[(128, 2, 64) : (1@TLane, 1@TCol, 2@TCol)]>>'; element (0, 1) is at (TCol 1), not at (TCol 2)}}
    %u = tirx.tmem_buffer %slot[%c0] : !slot -> !other
    tirx.tmem_dealloc %slot[%c0] columns(256) : !slot
    gpu.return
  }
}

// -----

!slot = !tirx.buffer<2xi32, shared>
!acc = !tirx.buffer<128x128xf32, tmem, #tirx.tile<S[(128, 128) : (1@TLane, 1@TCol)]>>
!p = !tirx.buffer<128x128xf16, tmem, #tirx.tile<S[(128, 128) : (1@TLane, 1@TCol)]>>

// All of it right: two allocations, neighbours, the same buffer twice, an alias,
// lanes apart, and a second life of a slot.
gpu.module @m {
  gpu.func @right(%slot: !slot, %flag: i1) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    tirx.tmem_alloc %slot[%c0] columns(256) : !slot
    tirx.tmem_alloc %slot[%c1] columns(256) : !slot
    %t = tirx.tmem_buffer %slot[%c0] : !slot -> !acc
    %u = tirx.tmem_buffer %slot[%c0] column(128) : !slot -> !acc
    %v = tirx.tmem_buffer %slot[%c0] column(128) : !slot -> !acc
    %w = tirx.tmem_buffer %slot[%c0] column(192) alias : !slot -> !p
    %x = tirx.tmem_buffer %slot[%c1] : !slot -> !tirx.buffer<64x128xf32, tmem, #tirx.tile<S[(64, 128) : (1@TLane, 1@TCol)]>>
    %y = tirx.tmem_buffer %slot[%c1] : !slot -> !tirx.buffer<64x64xf32, tmem, #tirx.tile<S[(64, 64) : (1@TLane, 1@TCol)] + 64@TLane>>
    tirx.tmem_dealloc %slot[%c0] columns(256) : !slot
    tirx.tmem_dealloc %slot[%c1] columns(256) : !slot
    tirx.tmem_alloc %slot[%c0] columns(512) : !slot
    %z = tirx.tmem_buffer %slot[%c0] : !slot -> !p
    scf.if %flag {
      tirx.tmem_dealloc %slot[%c0] columns(512) : !slot
    } else {
      tirx.tmem_dealloc %slot[%c0] columns(512) : !slot
    }
    gpu.return
  }
}
