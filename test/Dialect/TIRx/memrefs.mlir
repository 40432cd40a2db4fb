// RUN: tirx-opt %s | tirx-opt | FileCheck %s

// CHECK-LABEL: func.func @f
func.func @f(%s: !tirx.buffer<128x64xf16, shared>, %t: !tirx.buffer<64x128xf16, global, #tirx.tile<S[(64, 128) : (1, 64)] + 5>>,
             %m: memref<8x8xf32, #gpu.address_space<workgroup>>) {
  // CHECK: tirx.to_memref %{{.*}} : !tirx.buffer<128x64xf16, shared> -> memref<128x64xf16, 3>
  %0 = tirx.to_memref %s : !tirx.buffer<128x64xf16, shared> -> memref<128x64xf16, 3>
  // CHECK: tirx.to_memref %{{.*}} -> memref<64x128xf16, strided<[1, 64], offset: 5>, 1>
  %1 = tirx.to_memref %t : !tirx.buffer<64x128xf16, global, #tirx.tile<S[(64, 128) : (1, 64)] + 5>>
      -> memref<64x128xf16, strided<[1, 64], offset: 5>, 1>
  // CHECK: tirx.from_memref %{{.*}} : memref<8x8xf32, #gpu.address_space<workgroup>> -> !tirx.buffer<8x8xf32, shared>
  %2 = tirx.from_memref %m : memref<8x8xf32, #gpu.address_space<workgroup>> -> !tirx.buffer<8x8xf32, shared>
  return
}
