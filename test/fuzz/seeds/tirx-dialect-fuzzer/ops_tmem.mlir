#acc = #tirx.tile<S[(128, 128) : (1@TLane, 1@TCol)]>
func.func @tmem(%slot: !tirx.buffer<1xi32, shared>, %i: index) {
  tirx.tmem_alloc %slot[%i] columns(512) : !tirx.buffer<1xi32, shared>
  tirx.tmem_alloc %slot[%i] columns(32) cta_group(2) : !tirx.buffer<1xi32, shared>
  %0 = tirx.tmem_buffer %slot[%i] : !tirx.buffer<1xi32, shared> -> !tirx.buffer<128x128xf32, tmem, #acc>
  %1 = tirx.tmem_buffer %slot[%i] column(384) alias : !tirx.buffer<1xi32, shared> -> !tirx.buffer<128x128xf32, tmem, #acc>
  %2 = tirx.tmem_buffer %slot[%i] column(384) : !tirx.buffer<1xi32, shared> -> !tirx.buffer<128x256xf16, tmem, #tirx.tile<S[(128, 256) : (1@TLane, 1@TCol)]>>
  tirx.tmem_relinquish
  tirx.tmem_relinquish cta_group(2)
  tirx.tmem_dealloc %slot[%i] columns(512) : !tirx.buffer<1xi32, shared>
  tirx.tmem_dealloc %slot[%i] columns(32) cta_group(2) : !tirx.buffer<1xi32, shared>
  return
}
