// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Atomic operations of all types, on global and shared memory. Each thread changes one
// of five cells and keeps what it held before.
#include <cstdint>
#include <cuda/atomic>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#define KERNEL extern "C" __global__ void
__device__ int thread() { return blockIdx.x * blockDim.x + threadIdx.x; }
// The library reads the word around a narrow cell, so that buffers are whole words.
constexpr int kCells = 5, kRoom = 8;

template <typename T, typename F>
__device__ void on_global(T *cells, const T *v, T *old, F operation) {
  int i = thread();
  old[i] = operation(cells + i % kCells, v[i]);
}
template <typename T, typename F>
__device__ void on_shared(T *cells, const T *v, T *old, F operation) {
  __shared__ alignas(16) unsigned char bytes[kRoom * sizeof(T)];
  T *s = reinterpret_cast<T *>(bytes);
  if (threadIdx.x < kCells)
    s[threadIdx.x] = cells[threadIdx.x];
  __syncthreads();
  int i = threadIdx.x;
  old[i] = operation(s + i % kCells, v[i]);
  __syncthreads();
  if (threadIdx.x < kCells)
    cells[threadIdx.x] = s[threadIdx.x];
}
// Through generic addresses: the first two cells lie in shared memory.
template <typename T, typename F>
__device__ void on_both(T *cells, const T *v, T *old, F operation) {
  __shared__ alignas(16) unsigned char bytes[kRoom * sizeof(T)];
  T *s = reinterpret_cast<T *>(bytes);
  if (threadIdx.x < 2)
    s[threadIdx.x] = cells[threadIdx.x];
  __syncthreads();
  int i = threadIdx.x, cell = i % kCells;
  old[i] = operation(cell < 2 ? s + cell : cells + cell, v[i]);
  __syncthreads();
  if (threadIdx.x < 2)
    cells[threadIdx.x] = s[threadIdx.x];
}
#define ON(WHERE, NAME, T, CALL)                                               \
  KERNEL WHERE##_##NAME(T *cells, const T *v, T *old) {                        \
    on_##WHERE(cells, v, old, [](T *p, T x) -> T { return CALL; });            \
  }
#define EVERYWHERE(NAME, T, CALL)                                              \
  ON(global, NAME, T, CALL) ON(shared, NAME, T, CALL) ON(both, NAME, T, CALL)

typedef unsigned long long u64;
typedef long long i64;
EVERYWHERE(add_i32, int, atomicAdd(p, x))
EVERYWHERE(sub_i32, int, atomicSub(p, x))
EVERYWHERE(min_i32, int, atomicMin(p, x))
EVERYWHERE(max_i32, int, atomicMax(p, x))
EVERYWHERE(and_i32, int, atomicAnd(p, x))
EVERYWHERE(or_i32, int, atomicOr(p, x))
EVERYWHERE(xor_i32, int, atomicXor(p, x))
EVERYWHERE(exch_i32, int, atomicExch(p, x))
EVERYWHERE(cas_i32, int, atomicCAS(p, x & 3, x >> 2))
EVERYWHERE(min_u32, unsigned, atomicMin(p, x))
EVERYWHERE(max_u32, unsigned, atomicMax(p, x))
EVERYWHERE(inc_u32, unsigned, atomicInc(p, x))
EVERYWHERE(dec_u32, unsigned, atomicDec(p, x))
EVERYWHERE(add_u64, u64, atomicAdd(p, x))
EVERYWHERE(min_u64, u64, atomicMin(p, x))
EVERYWHERE(max_u64, u64, atomicMax(p, x))
EVERYWHERE(min_i64, i64, atomicMin(p, x))
EVERYWHERE(max_i64, i64, atomicMax(p, x))
EVERYWHERE(and_u64, u64, atomicAnd(p, x))
EVERYWHERE(or_u64, u64, atomicOr(p, x))
EVERYWHERE(xor_u64, u64, atomicXor(p, x))
EVERYWHERE(exch_u64, u64, atomicExch(p, x))
EVERYWHERE(cas_u64, u64, atomicCAS(p, x & 3, x >> 2))
EVERYWHERE(cas_u16, unsigned short, atomicCAS(p, (unsigned short)(x & 3), (unsigned short)(x >> 2)))
EVERYWHERE(add_f32, float, atomicAdd(p, x))
EVERYWHERE(exch_f32, float, atomicExch(p, x))
EVERYWHERE(add_f64, double, atomicAdd(p, x))
EVERYWHERE(add_f16, __half, atomicAdd(p, x))
EVERYWHERE(add_bf16, __nv_bfloat16, atomicAdd(p, x))
EVERYWHERE(add_f16x2, __half2, atomicAdd(p, x))
EVERYWHERE(add_bf16x2, __nv_bfloat162, atomicAdd(p, x))

// Scopes: those of a block on cells of its own.
#define SCOPED(NAME, T, CALL)                                                  \
  ON(shared, NAME##_block, T, CALL(_block)) ON(both, NAME##_block, T, CALL(_block))      \
  ON(global, NAME##_system, T, CALL(_system)) ON(both, NAME##_system, T, CALL(_system))
#define ADD(SCOPE) atomicAdd##SCOPE(p, x)
#define MAX(SCOPE) atomicMax##SCOPE(p, x)
#define EXCH(SCOPE) atomicExch##SCOPE(p, x)
#define CAS(SCOPE) atomicCAS##SCOPE(p, x & 3, x >> 2)
#define INC(SCOPE) atomicInc##SCOPE(p, x)
SCOPED(add_i32, int, ADD)
SCOPED(max_i64, i64, MAX)
SCOPED(exch_u64, u64, EXCH)
SCOPED(cas_i32, int, CAS)
SCOPED(inc_u32, unsigned, INC)
SCOPED(add_f32, float, ADD)
SCOPED(add_f64, double, ADD)

// Loops around compare-and-swap.
__device__ float multiply(float *p, float x) {
  unsigned *word = reinterpret_cast<unsigned *>(p), seen = *(volatile unsigned *)word, wanted;
  do {
    wanted = seen;
    seen = atomicCAS(word, wanted, __float_as_uint(__uint_as_float(wanted) * x));
  } while (seen != wanted);
  return __uint_as_float(seen);
}
EVERYWHERE(mul_f32, float, multiply(p, x))
__device__ double maximum(double *p, double x) {
  u64 *word = reinterpret_cast<u64 *>(p), seen = *(volatile u64 *)word, wanted;
  do {
    wanted = seen;
    if (__longlong_as_double(wanted) >= x)
      break;
    seen = atomicCAS(word, wanted, u64(__double_as_longlong(x)));
  } while (seen != wanted);
  return __longlong_as_double(seen);
}
EVERYWHERE(max_f64, double, maximum(p, x))

// The types and orders of the library; what is narrower than a word is part of one.
template <typename T> using device_ref = cuda::atomic_ref<T, cuda::thread_scope_device>;
template <typename T> using block_ref = cuda::atomic_ref<T, cuda::thread_scope_block>;
template <typename T> using system_ref = cuda::atomic_ref<T, cuda::thread_scope_system>;
EVERYWHERE(ref_add_i8, int8_t, device_ref<int8_t>(*p).fetch_add(x))
EVERYWHERE(ref_max_u8, uint8_t, device_ref<uint8_t>(*p).fetch_max(x))
EVERYWHERE(ref_exch_i16, int16_t, device_ref<int16_t>(*p).exchange(x, cuda::memory_order_acquire))
EVERYWHERE(ref_xor_u16, uint16_t, device_ref<uint16_t>(*p).fetch_xor(x, cuda::memory_order_relaxed))
EVERYWHERE(ref_sub_i32, int, device_ref<int>(*p).fetch_sub(x, cuda::memory_order_seq_cst))
EVERYWHERE(ref_min_i64, i64, system_ref<i64>(*p).fetch_min(x, cuda::memory_order_release))
EVERYWHERE(ref_add_f32, float, device_ref<float>(*p).fetch_add(x, cuda::memory_order_acq_rel))
EVERYWHERE(ref_max_f32, float, device_ref<float>(*p).fetch_max(x))
EVERYWHERE(ref_min_f64, double, system_ref<double>(*p).fetch_min(x))
ON(shared, ref_or_u32_block, unsigned, block_ref<unsigned>(*p).fetch_or(x))
ON(both, ref_add_u64_block, u64, block_ref<u64>(*p).fetch_add(x))
template <typename T> __device__ T strong(T *p, T x) {
  T wanted = x & 3;
  device_ref<T>(*p).compare_exchange_strong(wanted, x >> 2, cuda::memory_order_acq_rel, cuda::memory_order_relaxed);
  return wanted;
}
EVERYWHERE(ref_cas_u8, uint8_t, strong(p, x))
EVERYWHERE(ref_cas_u32, unsigned, strong(p, x))
EVERYWHERE(ref_cas_u64, u64, strong(p, x))

// Reductions: nobody asks what was there.
KERNEL reductions(int *add, unsigned *most, u64 *bits, float *sum, const int *v) {
  int i = thread();
  atomicAdd(add + i % kCells, v[i]);
  atomicMax(most + i % kCells, unsigned(v[i]));
  atomicXor(bits + i % kCells, u64(v[i]) << (i % 32));
  atomicAdd(sum + i % kCells, float(v[i]));
}

// Vectors of floats, and 16 bytes at once, from sm_90 on.
#if __CUDA_ARCH__ >= 900
KERNEL vector_adds(float2 *two, float4 *four, const float4 *v) {
  float4 x = v[thread()];
  atomicAdd(two + thread() % kCells, make_float2(x.x, x.y));
  atomicAdd(four + thread() % kCells, x);
}
struct alignas(16) Wide {
  u64 low, high;
};
EVERYWHERE(cas_b128, Wide, atomicCAS(p, Wide({x.low & 3, 0}), Wide({x.low >> 2, 0})))
EVERYWHERE(exch_b128, Wide, atomicExch(p, x))
#endif
