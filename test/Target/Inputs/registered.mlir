gpu.module @m {
  // d = a * b + c, rounded twice.
  tirx.instruction @fma3 "acme.fma3.rn.f32" (out d: f32, in %a: f32, in %b: f32, in %c: f32)
      text "{ .reg .f32 t; mul.rn.f32 t, {a}, {b}; add.rn.f32 {d}, t, {c}; }" {
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %0, %c : f32
    tirx.yield %1 : f32
  }
  // Two registers change places.
  tirx.instruction @swap "acme.swap.v2.b32" (out d: vector<2xi32>, in %a: vector<2xi32>) {
    %0 = vector.shuffle %a, %a [1, 0] : vector<2xi32>, vector<2xi32>
    tirx.yield %0 : vector<2xi32>
  }
  // Adds an immediate to memory and gives the old value.
  tirx.instruction @bump "acme.bump.global.u32" (out d: i32, in %p: !llvm.ptr<1>, imm %n: i32)
      effects(read p 4, write p 4) text "{ .reg .u32 t; ld.global.u32 {d}, [{p}]; add.u32 t, {d}, {n}; st.global.u32 [{p}], t; }" {
    %0 = llvm.load %p : !llvm.ptr<1> -> i32
    %1 = arith.addi %0, %n : i32
    llvm.store %1, %p : i32, !llvm.ptr<1>
    tirx.yield %0 : i32
  }
  tirx.instruction @add "add.f32" (out d: f32, in %a: f32, in %b: f32) {
    %0 = arith.addf %a, %b : f32
    tirx.yield %0 : f32
  }
  tirx.instruction @sel "acme.sel.b32" (inout %d: i32, in %p: i1, in %a: i32) text "@{p} mov.b32 {d}, {a};" {
    %0 = arith.select %p, %a, %d : i32
    tirx.yield %0 : i32
  }
  gpu.func @k(%A: !tirx.buffer<32xf32, global>, %D: !tirx.buffer<32xf32, global>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %t = tirx.id thread_id
    %five = arith.constant 5 : i32
    %a = tirx.load %A[%t] : !tirx.buffer<32xf32, global> -> f32
    %0 = tirx.ptx "acme.fma3.rn.f32"(%a, %a, %a) : (f32, f32, f32) -> f32
    %p = tirx.ptr %A[%t] : !tirx.buffer<32xf32, global> -> !llvm.ptr<1>
    %1 = tirx.ptx "acme.bump.global.u32"(%p, %five) : (!llvm.ptr<1>, i32) -> i32
    %l = tirx.id lane_id
    %c4 = arith.constant 4 : index
    %small = arith.cmpi ult, %l, %c4 : index
    %2 = tirx.ptx "acme.sel.b32"(%1, %small, %five) : (i32, i1, i32) -> i32
    %f = arith.bitcast %2 : i32 to f32
    %s = tirx.ptx "add.f32"(%0, %f) : (f32, f32) -> f32
    tirx.store %s, %D[%t] : f32, !tirx.buffer<32xf32, global>
    gpu.return
  }
}
