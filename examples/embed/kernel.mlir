// Tile ops beside scf, arith, vector and memref, with an axis, an instruction
// and a dispatch variant that embed.cpp adds.

// Expert e holds row e of a tile in its registers.
#experts = #tirx.tile<S[(4, 8) : (1@expert, 1)]>

gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @k(%A: !tirx.buffer<32x8xf32, global>, %D: !tirx.buffer<32x8xf32, global>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %t = tirx.id thread_id
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %pool = tirx.smem_pool
    %s = tirx.pool_alloc %pool : !tirx.buffer<32x8xf32, shared>
    tirx.copy cta %s, %A : !tirx.buffer<32x8xf32, shared>, !tirx.buffer<32x8xf32, global>
    tirx.barrier cta

    %tile = tirx.alloc_local : !tirx.buffer<4x8xf32, local, #experts>
    %mine = tirx.local_view %tile : !tirx.buffer<4x8xf32, local, #experts> -> !tirx.buffer<8xf32, local>
    %row = tirx.view %s[%t, 0] : !tirx.buffer<32x8xf32, shared> -> 1x8xf32
    %flat = tirx.reshape %row : !tirx.buffer<1x8xf32, shared> -> 8xf32
    tirx.copy thread %mine, %flat dispatch("element_by_element") : !tirx.buffer<8xf32, local>, !tirx.buffer<8xf32, shared>
    %first = tirx.load %mine[%c0] : !tirx.buffer<8xf32, local> -> f32

    %m = tirx.to_memref %s : !tirx.buffer<32x8xf32, shared> -> memref<32x8xf32, 3>
    %d = tirx.to_memref %D : !tirx.buffer<32x8xf32, global> -> memref<32x8xf32, 1>
    scf.for %i = %c0 to %c8 step %c4 {
      %v = vector.load %m[%t, %i] : memref<32x8xf32, 3>, vector<4xf32>
      %a = vector.extract %v[0] : f32 from vector<4xf32>
      %b = tirx.ptx "acme.square_add.f32"(%a, %first) : (f32, f32) -> f32
      %all = vector.broadcast %b : f32 to vector<4xf32>
      %sum = arith.addf %v, %all : vector<4xf32>
      vector.store %sum, %d[%t, %i] : memref<32x8xf32, 1>, vector<4xf32>
    }
    gpu.return
  }
}
