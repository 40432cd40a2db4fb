// RUN: tirx-opt %s -tirx-check -split-input-file -verify-diagnostics

#rows = #tirx.tile<S[(128, 64) : (1@tid_in_wg, 1)]>
#other = #tirx.tile<S[(4, 32, 64) : (32@tid_in_wg, 1@tid_in_wg, 1)]>
#pairs = #tirx.tile<S[(64, 2, 64) : (1@tid_in_wg, 64@tid_in_wg, 1)]>
#acc = #tirx.tile<S[(128, 64) : (1@TLane, 1@TCol)]>

gpu.module @m {
  // R43: the accumulator is written one row a thread, and read with rows dealt out
  // in another order.
  gpu.func @wrong(%t: !tirx.buffer<128x64xf32, tmem, #acc>, %g: !tirx.buffer<128x64xf32, global>)
      kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %r = tirx.alloc_local : !tirx.buffer<128x64xf32, local, #rows>
    // expected-note @+1 {{it is written here}}
    tirx.copy_async warpgroup %r, %t : !tirx.buffer<128x64xf32, local, #rows>, !tirx.buffer<128x64xf32, tmem, #acc>
    tirx.wait tcgen05_ld
    %p = tirx.local_view %r : !tirx.buffer<128x64xf32, local, #rows> -> !tirx.buffer<128x64xf32, local, #pairs>
    // expected-error @+1 {{expected the layout under which the tile was written, #tirx.tile<S[(128, 64) : (1@tid_in_wg, 1)]>, got #tirx.tile<S[(64, 2, 64) : (1@tid_in_wg, 64@tid_in_wg, 1)]> (rule R43): a local_view moves no data between threads; element (1, 0) is at (tid_in_wg 1), not at (tid_in_wg 64)}}
    tirx.copy warpgroup %g, %p : !tirx.buffer<128x64xf32, global>, !tirx.buffer<128x64xf32, local, #pairs>
    gpu.return
  }

  // Another spelling of the same layout, and what one thread has of the tile.
  gpu.func @right(%t: !tirx.buffer<128x64xf32, tmem, #acc>, %g: !tirx.buffer<128x64xf32, global>, %h: !tirx.buffer<64xf32, global>)
      kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %r = tirx.alloc_local : !tirx.buffer<128x64xf32, local, #rows>
    tirx.copy_async warpgroup %r, %t : !tirx.buffer<128x64xf32, local, #rows>, !tirx.buffer<128x64xf32, tmem, #acc>
    tirx.wait tcgen05_ld
    %p = tirx.local_view %r : !tirx.buffer<128x64xf32, local, #rows> -> !tirx.buffer<128x64xf32, local, #other>
    tirx.copy warpgroup %g, %p : !tirx.buffer<128x64xf32, global>, !tirx.buffer<128x64xf32, local, #other>
    %mine = tirx.local_view %r : !tirx.buffer<128x64xf32, local, #rows> -> !tirx.buffer<64xf32, local>
    tirx.copy thread %h, %mine : !tirx.buffer<64xf32, global>, !tirx.buffer<64xf32, local>
    gpu.return
  }
}
