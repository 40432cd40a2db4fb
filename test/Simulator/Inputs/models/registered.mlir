gpu.module @m {
  // Two registers change places, and their sum is a third.
  tirx.instruction @swap "acme.swap.v2.b32" (out d: vector<2xi32>, out s: i32, in %a: vector<2xi32>) {
    %0 = vector.shuffle %a, %a [1, 0] : vector<2xi32>, vector<2xi32>
    %1 = vector.extract %a[0] : i32 from vector<2xi32>
    %2 = vector.extract %a[1] : i32 from vector<2xi32>
    %3 = arith.addi %1, %2 : i32
    tirx.yield %0, %3 : vector<2xi32>, i32
  }
  // Adds a constant to memory and gives the old value.
  tirx.instruction @bump "acme.bump.global.u32" (out d: i32, in %p: !llvm.ptr<1>, imm %n: i32)
      effects(read p 4, write p 4) {
    %0 = llvm.load %p : !llvm.ptr<1> -> i32
    %1 = arith.addi %0, %n : i32
    llvm.store %1, %p : i32, !llvm.ptr<1>
    tirx.yield %0 : i32
  }
  gpu.func @k(%A: !tirx.buffer<64xi32, global>, %D: !tirx.buffer<64xi32, global>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %t = tirx.id thread_id
    %five = arith.constant 5 : i32
    %ten = arith.constant 10 : i32
    %p = tirx.ptr %A[%t] : !tirx.buffer<64xi32, global> -> !llvm.ptr<1>
    %old = tirx.ptx "acme.bump.global.u32"(%p, %five) : (!llvm.ptr<1>, i32) -> i32
    %x, %y, %sum = tirx.ptx "acme.swap.v2.b32"(%old, %ten) : (i32, i32) -> (i32, i32, i32)
    %z = arith.muli %x, %y : i32
    %w = arith.addi %z, %sum : i32
    tirx.store %w, %D[%t] : i32, !tirx.buffer<64xi32, global>
    gpu.return
  }
}
