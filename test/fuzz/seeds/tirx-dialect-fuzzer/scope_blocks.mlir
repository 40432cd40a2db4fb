!bar = !tirx.buffer<4x!tirx.mbarrier, shared>
!slot = !tirx.buffer<1xi32, shared>
gpu.module @m {
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
}
