!bar = !tirx.buffer<4x!tirx.mbarrier, shared>
!slot = !tirx.buffer<1xi32, shared>
gpu.module @m {
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
      tirx.barrier warp
    }
    gpu.return
  }
}
