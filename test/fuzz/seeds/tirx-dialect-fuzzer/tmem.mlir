!slot = !tirx.buffer<2xi32, shared>
!acc = !tirx.buffer<128x128xf32, tmem, #tirx.tile<S[(128, 128) : (1@TLane, 1@TCol)]>>
!p = !tirx.buffer<128x128xf16, tmem, #tirx.tile<S[(128, 128) : (1@TLane, 1@TCol)]>>

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
