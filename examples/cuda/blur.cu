// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The mean of each element and its two neighbours. With -DWRONG the last thread
// reads one element too many.

#ifdef WRONG
#define LAST n
#else
#define LAST (n - 1)
#endif

__global__ void blur(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float left = i > 0 ? in[i - 1] : 0.0f;
  float right = i < LAST ? in[i + 1] : 0.0f;
  out[i] = (left + in[i] + right) / 3.0f;
}
