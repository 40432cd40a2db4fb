// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Block and warp algorithms of CUB.
#include <cub/cub.cuh>
#include <cuda/functional>

#define KERNEL extern "C" __global__ void
constexpr int kThreads = 128, kItems = 4;

template <cub::BlockReduceAlgorithm Algorithm> __device__ void reduce(const int *in, int *out) {
  using Reduce = cub::BlockReduce<int, kThreads, Algorithm>;
  __shared__ typename Reduce::TempStorage storage;
  int items[kItems];
  cub::LoadDirectBlocked(threadIdx.x, in + blockIdx.x * kThreads * kItems, items);
  int sum = Reduce(storage).Sum(items);
  __syncthreads();
  int most = Reduce(storage).Reduce(items[0], cuda::maximum<>{});
  if (threadIdx.x == 0) {
    out[blockIdx.x * 2] = sum;
    out[blockIdx.x * 2 + 1] = most;
  }
}
KERNEL reduce_raking(const int *in, int *out) { reduce<cub::BLOCK_REDUCE_RAKING>(in, out); }
KERNEL reduce_warps(const int *in, int *out) { reduce<cub::BLOCK_REDUCE_WARP_REDUCTIONS>(in, out); }
KERNEL reduce_commutative(const int *in, int *out) { reduce<cub::BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY>(in, out); }

template <cub::BlockScanAlgorithm Algorithm> __device__ void scan(const int *in, int *inclusive, int *exclusive) {
  using Scan = cub::BlockScan<int, kThreads, Algorithm>;
  __shared__ typename Scan::TempStorage storage;
  int base = blockIdx.x * kThreads * kItems, items[kItems], sums[kItems], total;
  cub::LoadDirectBlocked(threadIdx.x, in + base, items);
  Scan(storage).InclusiveSum(items, sums);
  cub::StoreDirectBlocked(threadIdx.x, inclusive + base, sums);
  __syncthreads();
  Scan(storage).ExclusiveScan(items, sums, -1000000, cuda::maximum<>{}, total);
  cub::StoreDirectBlocked(threadIdx.x, exclusive + base, sums);
}
KERNEL scan_raking(const int *in, int *a, int *b) { scan<cub::BLOCK_SCAN_RAKING>(in, a, b); }
KERNEL scan_warps(const int *in, int *a, int *b) { scan<cub::BLOCK_SCAN_WARP_SCANS>(in, a, b); }

template <typename Key> __device__ void sort_keys(Key *keys) {
  using Load = cub::BlockLoad<Key, kThreads, kItems, cub::BLOCK_LOAD_TRANSPOSE>;
  using Sort = cub::BlockRadixSort<Key, kThreads, kItems>;
  using Store = cub::BlockStore<Key, kThreads, kItems, cub::BLOCK_STORE_WARP_TRANSPOSE>;
  __shared__ union {
    typename Load::TempStorage load;
    typename Sort::TempStorage sort;
    typename Store::TempStorage store;
  } storage;
  Key items[kItems];
  keys += blockIdx.x * kThreads * kItems;
  Load(storage.load).Load(keys, items);
  __syncthreads();
  Sort(storage.sort).Sort(items);
  __syncthreads();
  Store(storage.store).Store(keys, items);
}
KERNEL radix_sort_i32(int *keys) { sort_keys(keys); }
KERNEL radix_sort_f32(float *keys) { sort_keys(keys); }
KERNEL radix_sort_u8(unsigned char *keys) { sort_keys(keys); }
KERNEL radix_sort_f64(double *keys) { sort_keys(keys); }
KERNEL radix_sort_pairs(unsigned *keys, int *values) {
  using Sort = cub::BlockRadixSort<unsigned, kThreads, kItems, int>;
  __shared__ typename Sort::TempStorage storage;
  unsigned k[kItems];
  int v[kItems];
  cub::LoadDirectBlocked(threadIdx.x, keys, k);
  cub::LoadDirectBlocked(threadIdx.x, values, v);
  Sort(storage).SortDescendingBlockedToStriped(k, v, 4, 20);
  cub::StoreDirectStriped<kThreads>(threadIdx.x, keys, k);
  cub::StoreDirectStriped<kThreads>(threadIdx.x, values, v);
}
KERNEL merge_sort(long long *keys) {
  using Sort = cub::BlockMergeSort<long long, kThreads, kItems>;
  __shared__ typename Sort::TempStorage storage;
  long long items[kItems];
  cub::LoadDirectBlocked(threadIdx.x, keys, items);
  Sort(storage).Sort(items, [](long long a, long long b) { return a < b; });
  cub::StoreDirectBlocked(threadIdx.x, keys, items);
}
template <cub::BlockHistogramAlgorithm Algorithm> __device__ void count(const unsigned char *in, unsigned *out) {
  using Histogram = cub::BlockHistogram<unsigned char, kThreads, kItems, 256, Algorithm>;
  __shared__ typename Histogram::TempStorage storage;
  __shared__ unsigned bins[256];
  unsigned char items[kItems];
  cub::LoadDirectStriped<kThreads>(threadIdx.x, in + blockIdx.x * kThreads * kItems, items);
  Histogram(storage).Histogram(items, bins);
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += kThreads)
    atomicAdd(out + i, bins[i]);
}
KERNEL histogram_atomic(const unsigned char *in, unsigned *out) { count<cub::BLOCK_HISTO_ATOMIC>(in, out); }
KERNEL histogram_sort(const unsigned char *in, unsigned *out) { count<cub::BLOCK_HISTO_SORT>(in, out); }
KERNEL discontinuity(const int *in, int *out) {
  using Flags = cub::BlockDiscontinuity<int, kThreads>;
  __shared__ typename Flags::TempStorage storage;
  int items[kItems], heads[kItems];
  cub::LoadDirectBlocked(threadIdx.x, in, items);
  Flags(storage).FlagHeads(heads, items, cuda::std::not_equal_to<>{});
  cub::StoreDirectBlocked(threadIdx.x, out, heads);
}
KERNEL warp_algorithms(const float *in, float *out) {
  using Reduce = cub::WarpReduce<float, 16>;
  using Scan = cub::WarpScan<float>;
  __shared__ typename Reduce::TempStorage reduce[8];
  __shared__ typename Scan::TempStorage scan[4];
  int t = threadIdx.x;
  float x = in[t], sum;
  float r = Reduce(reduce[t / 16]).Reduce(x, cuda::minimum<>{});
  Scan(scan[t / 32]).InclusiveScan(x, sum, cuda::maximum<>{});
  out[t * 2] = t % 16 ? 0 : r;
  out[t * 2 + 1] = sum;
}
