// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collective algorithms of CUB.
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/warp/warp_merge_sort.cuh>
#include <cub/warp/warp_reduce.cuh>

extern "C" __global__ void sort(unsigned *keys) {
  using Sort = cub::BlockRadixSort<unsigned, 64, 2>;
  __shared__ typename Sort::TempStorage storage;
  unsigned items[2] = {keys[2 * threadIdx.x], keys[2 * threadIdx.x + 1]};
  Sort(storage).Sort(items, 0, 8);
  keys[2 * threadIdx.x] = items[0];
  keys[2 * threadIdx.x + 1] = items[1];
}

extern "C" __global__ void scan(int *values, float *sums) {
  using Scan = cub::BlockScan<int, 128>;
  using Reduce = cub::BlockReduce<float, 128>;
  __shared__ typename Scan::TempStorage storage;
  __shared__ typename Reduce::TempStorage other;
  int total;
  Scan(storage).ExclusiveSum(values[threadIdx.x], values[threadIdx.x], total);
  float sum = Reduce(other).Sum(sums[threadIdx.x]);
  if (threadIdx.x == 0)
    sums[0] = sum + total;
}

extern "C" __global__ void warp(double *values) {
  using Reduce = cub::WarpReduce<double>;
  __shared__ typename Reduce::TempStorage storage[4];
  double best = Reduce(storage[threadIdx.x / 32])
                    .Reduce(values[threadIdx.x],
                            [](double a, double b) { return a > b ? a : b; });
  if (threadIdx.x % 32 == 0)
    values[threadIdx.x / 32] = best;
}
