!bar = !tirx.buffer<4x!tirx.mbarrier, shared>
!slot = !tirx.buffer<1xi32, shared>
gpu.module @m {
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
}
