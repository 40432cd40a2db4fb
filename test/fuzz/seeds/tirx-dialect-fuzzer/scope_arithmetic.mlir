!bar = !tirx.buffer<4x!tirx.mbarrier, shared>
!slot = !tirx.buffer<1xi32, shared>
gpu.module @m {
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
      tirx.barrier warp
      %l0 = arith.cmpi eq, %lane, %c0_i32 : i32
      %leader0 = arith.andi %l0, %w0 : i1
      scf.if %leader0 {
        tirx.mbarrier_init %bar[%c0] count(1) : !bar
      }
      %neither = arith.xori %w0, %true : i1
      scf.if %neither {
        %leader = tirx.elect
        %only = arith.select %leader, %w3, %w0 : i1
        scf.if %only {
          tirx.commit %bar[%c0] : !bar
        }
      }
    }
    gpu.return
  }
}
