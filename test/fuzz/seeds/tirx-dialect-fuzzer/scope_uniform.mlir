!bar = !tirx.buffer<4x!tirx.mbarrier, shared>
!slot = !tirx.buffer<1xi32, shared>
gpu.module @m {
gpu.func @uniform(%n: index, %flag: i1, %tiles: !tirx.buffer<8xi32, global>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %bx = gpu.block_id x
    %grid = gpu.grid_dim x
    scf.if %flag {
      tirx.barrier cta
    }
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
}
