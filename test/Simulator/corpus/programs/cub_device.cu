// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Algorithms of CUB over a whole grid: what its kernels for reductions, scans with
// decoupled look-back and the one-sweep radix sort do, launch after launch.
#include <cub/cub.cuh>

#define KERNEL extern "C" __global__ void
constexpr int kThreads = 128;

// Reduction: an even share for each block, then one block.
template <typename T>
using ReducePolicy = cub::AgentReducePolicy<kThreads, 4, T, 2, cub::BLOCK_REDUCE_WARP_REDUCTIONS, cub::LOAD_LDG>;
template <typename T, typename Op, typename In>
using Reduce = cub::detail::reduce::AgentReduce<ReducePolicy<T>, In, T *, int, Op, T>;
template <typename T, typename Op, typename In> __device__ T reduce_share(In in, int count, int blocks) {
  using Agent = Reduce<T, Op, In>;
  __shared__ typename Agent::TempStorage storage;
  cub::GridEvenShare<int> share;
  share.DispatchInit(count, blocks, Agent::TILE_ITEMS);
  share.template BlockInit<Agent::TILE_ITEMS, cub::GRID_MAPPING_RAKE>();
  return Agent(storage, in, Op()).ConsumeTiles(share);
}
#define REDUCE(NAME, T, OP)                                                    \
  KERNEL NAME##_blocks(const T *in, T *partial, T *, int count) {              \
    T sum = reduce_share<T, OP>(in, count, gridDim.x);                         \
    if (threadIdx.x == 0)                                                      \
      partial[blockIdx.x] = sum;                                               \
  }                                                                            \
  KERNEL NAME##_one(const T *, T *partial, T *out, int count) {                \
    T sum = reduce_share<T, OP>(partial, 5, 1);                                \
    if (threadIdx.x == 0)                                                      \
      *out = sum;                                                              \
  }
REDUCE(sum_i32, int, cuda::std::plus<>)
REDUCE(max_i64, long long, cuda::maximum<>)
REDUCE(sum_f64, double, cuda::std::plus<>)

// Scan: blocks look back at the tiles before theirs.
using ScanPolicy = cub::AgentScanPolicy<kThreads, 5, int, cub::BLOCK_LOAD_WARP_TRANSPOSE, cub::LOAD_DEFAULT,
                                        cub::BLOCK_STORE_WARP_TRANSPOSE, cub::BLOCK_SCAN_WARP_SCANS>;
template <typename T> __device__ cub::ScanTileState<T> tiles_of(char *state, int tiles) {
  cub::ScanTileState<T> result;
  result.Init(tiles, state, 1 << 16);
  return result;
}
template <typename T, typename Op, typename Init> __device__ void scan_tiles(const T *in, T *out, char *state, int count, Init init) {
  using Agent = cub::detail::scan::AgentScan<ScanPolicy, const T *, T *, Op, Init, int, T>;
  __shared__ typename Agent::TempStorage storage;
  auto tiles = tiles_of<T>(state, gridDim.x);
  Agent(storage, in, out, Op(), init).ConsumeRange(count, tiles, 0);
}
#define SCAN(NAME, T, OP, INIT)                                                \
  KERNEL NAME##_start(const T *, T *, char *state, int tiles, int) {           \
    tiles_of<T>(state, tiles).InitializeStatus(tiles);                         \
  }                                                                            \
  KERNEL NAME##_tiles(const T *in, T *out, char *state, int, int count) {      \
    scan_tiles<T, OP>(in, out, state, count, INIT);                            \
  }
SCAN(exclusive_i32, int, cuda::std::plus<>, 7)
SCAN(inclusive_i64, long long, cuda::std::plus<>, cub::NullType())
SCAN(maxima_f32, float, cuda::maximum<>, -1.0f)

// Radix sort: all digits are counted at once, then each pass moves every key once.
constexpr int kDigits = 256;
using HistogramPolicy = cub::AgentRadixSortHistogramPolicy<kThreads, 4, 1, unsigned, 8>;
using SweepPolicy = cub::AgentRadixSortOnesweepPolicy<256, 8, unsigned, 1, cub::RADIX_RANK_MATCH_EARLY_COUNTS_ANY,
                                                      cub::BLOCK_SCAN_RAKING_MEMOIZE, cub::RADIX_SORT_STORE_DIRECT, 8>;
#define SORT_PARAMETERS                                                        \
  unsigned *keys, unsigned *other, unsigned *values, unsigned *other_values, unsigned *bins, int *look_back, int *counters, int count
KERNEL sort_count(SORT_PARAMETERS) {
  using Agent = cub::detail::radix_sort::AgentRadixSortHistogram<HistogramPolicy, false, unsigned, unsigned>;
  __shared__ typename Agent::TempStorage storage;
  Agent(storage, bins, keys, count, 0, 32).Process();
}
KERNEL sort_offsets(SORT_PARAMETERS) {
  using Scan = cub::BlockScan<unsigned, kDigits>;
  __shared__ typename Scan::TempStorage storage;
  unsigned *bin = bins + blockIdx.x * kDigits + threadIdx.x, offset;
  Scan(storage).ExclusiveSum(*bin, offset);
  *bin = offset;
}
template <int kPass> __device__ void sweep(SORT_PARAMETERS) {
  using Agent = cub::detail::radix_sort::AgentRadixSortOnesweep<SweepPolicy, false, unsigned, unsigned, unsigned, int>;
  __shared__ typename Agent::TempStorage storage;
  constexpr bool kBack = kPass % 2;
  Agent(storage, look_back + kPass * gridDim.x * kDigits, counters + kPass, static_cast<unsigned *>(nullptr),
        bins + kPass * kDigits, kBack ? keys : other, kBack ? other : keys, kBack ? values : other_values,
        kBack ? other_values : values, count, kPass * 8, 8)
      .Process();
}
#define SWEEP(PASS)                                                            \
  KERNEL sort_pass_##PASS(SORT_PARAMETERS) {                                   \
    sweep<PASS>(keys, other, values, other_values, bins, look_back, counters, count); \
  }
SWEEP(0)
SWEEP(1)
SWEEP(2)
SWEEP(3)
