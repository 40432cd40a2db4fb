// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Numerical kernels: products, convolutions, stencils, transforms, in float and double.
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <mma.h>
#include <cstdint>

#define KERNEL extern "C" __global__ void
__device__ int thread() { return blockIdx.x * blockDim.x + threadIdx.x; }

template <typename T, typename S, int Tile> __device__ void multiply(const T *a, const T *b, T *c, int m, int n, int k) {
  __shared__ T left[Tile][Tile], right[Tile][Tile + 1];
  int row = blockIdx.y * Tile + threadIdx.y, column = blockIdx.x * Tile + threadIdx.x;
  S sum = 0;
  for (int at = 0; at < k; at += Tile) {
    int x = at + threadIdx.x, y = at + threadIdx.y;
    left[threadIdx.y][threadIdx.x] = row < m && x < k ? a[row * k + x] : T(0.0f);
    right[threadIdx.y][threadIdx.x] = column < n && y < k ? b[y * n + column] : T(0.0f);
    __syncthreads();
    for (int i = 0; i < Tile; ++i)
      sum += S(left[threadIdx.y][i]) * S(right[i][threadIdx.x]);
    __syncthreads();
  }
  if (row < m && column < n)
    c[row * n + column] = T(sum);
}
KERNEL gemm_float(const float *a, const float *b, float *c, int m, int n, int k) { multiply<float, float, 16>(a, b, c, m, n, k); }
KERNEL gemm_double(const double *a, const double *b, double *c, int m, int n, int k) { multiply<double, double, 8>(a, b, c, m, n, k); }
KERNEL gemm_half(const __half *a, const __half *b, __half *c, int m, int n, int k) { multiply<__half, float, 16>(a, b, c, m, n, k); }

namespace wm = nvcuda::wmma;
// One warp a tile of 16 x 16; A row-major, B column-major.
template <typename In, typename Load, typename Acc, int M, int N, int K>
__device__ void matrix(const In *a, const In *b, Acc *c, int n, int k) {
  wm::fragment<wm::matrix_a, M, N, K, Load, wm::row_major> left;
  wm::fragment<wm::matrix_b, M, N, K, Load, wm::col_major> right;
  wm::fragment<wm::accumulator, M, N, K, Acc> sum;
  wm::fill_fragment(sum, Acc(0));
  for (int at = 0; at < k; at += K) {
    wm::load_matrix_sync(left, a + blockIdx.y * M * k + at, k);
    wm::load_matrix_sync(right, b + blockIdx.x * N * k + at, k);
    wm::mma_sync(sum, left, right, sum);
  }
  for (int i = 0; i < sum.num_elements; ++i)
    sum.x[i] = sum.x[i] + sum.x[i];
  wm::store_matrix_sync(c + blockIdx.y * M * n + blockIdx.x * N, sum, n, wm::mem_row_major);
}
KERNEL wmma_f16(const __half *a, const __half *b, float *c, int n, int k) { matrix<__half, __half, float, 16, 16, 16>(a, b, c, n, k); }
KERNEL wmma_f16_tall(const __half *a, const __half *b, float *c, int n, int k) { matrix<__half, __half, float, 32, 8, 16>(a, b, c, n, k); }
KERNEL wmma_bf16(const __nv_bfloat16 *a, const __nv_bfloat16 *b, float *c, int n, int k) { matrix<__nv_bfloat16, __nv_bfloat16, float, 8, 32, 16>(a, b, c, n, k); }
KERNEL wmma_tf32(const float *a, const float *b, float *c, int n, int k) { matrix<float, wm::precision::tf32, float, 16, 16, 8>(a, b, c, n, k); }
KERNEL wmma_s8(const signed char *a, const signed char *b, int *c, int n, int k) { matrix<signed char, signed char, int, 16, 16, 16>(a, b, c, n, k); }
KERNEL wmma_f64(const double *a, const double *b, double *c, int n, int k) { matrix<double, double, double, 8, 8, 4>(a, b, c, n, k); }

__constant__ float kFilter[25] = {1, 4, 7, 4, 1, 4, 16, 26, 16, 4, 7, 26, 41, 26, 7, 4, 16, 26, 16, 4, 1, 4, 7, 4, 1};
KERNEL convolution(const float *in, float *out, int height, int width) {
  __shared__ float tile[12][20];
  int x0 = blockIdx.x * 16 - 2, y0 = blockIdx.y * 8 - 2;
  for (int i = threadIdx.y * 16 + threadIdx.x; i < 240; i += 128) {
    int x = x0 + i % 20, y = y0 + i / 20;
    tile[i / 20][i % 20] = x >= 0 && x < width && y >= 0 && y < height ? in[y * width + x] : 0.0f;
  }
  __syncthreads();
  int x = x0 + 2 + threadIdx.x, y = y0 + 2 + threadIdx.y;
  if (x >= width || y >= height)
    return;
  float sum = 0;
  for (int i = 0; i < 5; ++i)
    for (int j = 0; j < 5; ++j)
      sum = __fadd_rn(sum, __fmul_rn(kFilter[i * 5 + j], tile[threadIdx.y + i][threadIdx.x + j]));
  out[y * width + x] = sum;
}
KERNEL transpose(const double *in, double *out, int height, int width) {
  __shared__ double tile[16][17];
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  if (x < width && y < height)
    tile[threadIdx.y][threadIdx.x] = in[y * width + x];
  __syncthreads();
  x = blockIdx.y * 16 + threadIdx.x;
  y = blockIdx.x * 16 + threadIdx.y;
  if (x < height && y < width)
    out[y * height + x] = tile[threadIdx.x][threadIdx.y];
}
// Sparse matrix times vector, a warp a row.
KERNEL spmv(const int *start, const int *column, const double *value, const double *x, double *y) {
  int row = thread() / 32, lane = threadIdx.x % 32;
  double sum = 0;
  for (int i = start[row] + lane; i < start[row + 1]; i += 32)
    sum += value[i] * x[column[i]];
  for (int step = 16; step; step /= 2)
    sum += __shfl_down_sync(~0u, sum, step);
  if (lane == 0)
    y[row] = sum;
}
// A Fourier transform of 256 points in shared memory.
KERNEL fft(const float2 *in, float2 *out) {
  __shared__ float2 v[256];
  int t = threadIdx.x;
  v[__brev(t) >> 24] = in[blockIdx.x * 256 + t];
  for (int half = 1; half < 256; half *= 2) {
    __syncthreads();
    if (t < 128) {
      int i = t / half * half * 2 + t % half;
      float s, c;
      sincospif(-(float)(t % half) / half, &s, &c);
      float2 a = v[i], b = v[i + half];
      float2 r = {b.x * c - b.y * s, b.x * s + b.y * c};
      v[i] = {a.x + r.x, a.y + r.y};
      v[i + half] = {a.x - r.x, a.y - r.y};
    }
  }
  __syncthreads();
  out[blockIdx.x * 256 + t] = v[t];
}
KERNEL mandelbrot(int *out, int width, int limit) {
  int i = thread(), n = 0;
  double cx = (i % width) * 3.0 / width - 2.25, cy = (i / width) * 2.5 / 32 - 1.25, x = 0, y = 0;
  while (n < limit && __dadd_rn(__dmul_rn(x, x), __dmul_rn(y, y)) < 4) {
    double next = __dadd_rn(__dadd_rn(__dmul_rn(x, x), -__dmul_rn(y, y)), cx);
    y = __dadd_rn(__dmul_rn(2 * x, y), cy);
    x = next;
    ++n;
  }
  out[i] = n;
}
KERNEL nbody(const double4 *body, double3 *force, int count) {
  int i = thread();
  double3 f = {0, 0, 0};
  for (int j = 0; j < count; ++j) {
    double dx = body[j].x - body[i].x, dy = body[j].y - body[i].y, dz = body[j].z - body[i].z;
    double inverse = rsqrt(dx * dx + dy * dy + dz * dz + 1e-3);
    double w = body[j].w * inverse * inverse * inverse;
    f.x += w * dx;
    f.y += w * dy;
    f.z += w * dz;
  }
  force[i] = f;
}
// LU decomposition without pivoting, in place, a thread a column.
KERNEL lu(double *a, int n) {
  int column = threadIdx.x;
  for (int k = 0; k < n; ++k) {
    __syncthreads();
    if (column > k)
      a[column * n + k] /= a[k * n + k];
    __syncthreads();
    if (column > k)
      for (int row = k + 1; row < n; ++row)
        a[row * n + column] -= a[row * n + k] * a[k * n + column];
  }
}
