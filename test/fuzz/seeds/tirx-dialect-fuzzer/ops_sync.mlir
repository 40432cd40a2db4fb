func.func @sync(%bar: !tirx.buffer<4x!tirx.mbarrier, shared>, %i: index, %phase: i32) {
  tirx.barrier warp
  tirx.barrier warpgroup id(15)
  tirx.barrier cta
  %0 = tirx.elect
  tirx.mbarrier_init %bar[%i] count(1048575) : !tirx.buffer<4x!tirx.mbarrier, shared>
  tirx.mbarrier_wait %bar[%i] parity(%phase) : !tirx.buffer<4x!tirx.mbarrier, shared>
  tirx.mbarrier_arrive %bar[%i] : !tirx.buffer<4x!tirx.mbarrier, shared>
  tirx.commit %bar[%i] : !tirx.buffer<4x!tirx.mbarrier, shared>
  tirx.commit %bar[%i] cta_group(2) : !tirx.buffer<4x!tirx.mbarrier, shared>
  tirx.fence proxy_async_shared
  tirx.fence proxy_async_global
  tirx.fence proxy_async
  tirx.fence mbarrier_init
  tirx.fence tcgen05_before
  tirx.fence tcgen05_after
  tirx.wait tcgen05_ld
  tirx.wait tcgen05_st
  return
}
