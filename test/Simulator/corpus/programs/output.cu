// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What a kernel says: printf with all its conversions, and assert.
#include <cassert>
#include <cstdint>
#include <cstdio>

#define KERNEL extern "C" __global__ void
__device__ int thread() { return blockIdx.x * blockDim.x + threadIdx.x; }

KERNEL print_integers(const int *x, const long long *y) {
  int i = thread();
  printf("%d|%i|%5d|%-5d|%05d|%+d|% d|%.4d\n", x[i], x[i], x[i], x[i], x[i], x[i], x[i], x[i]);
  printf("%u %x %X %#x %o %#o %c\n", x[i], x[i], x[i], x[i], x[i], x[i], 'a' + i);
  printf("%lld %llu %016llx %hd %hhd\n", y[i], y[i], y[i], (short)x[i], (signed char)x[i]);
}

KERNEL print_floats(const double *x) {
  int i = thread();
  printf("%f %.3f %10.2f %-10.1f| %e %.2E %g %G\n", x[i], x[i], x[i], x[i], x[i], x[i], x[i], x[i]);
  printf("%a %+.0f %#.0f %5.1f%%\n", x[i], x[i], x[i], float(x[i]));
}

KERNEL print_strings(int *returned) {
  const char *names[] = {"zero", "one", "", "three"};
  int i = thread();
  returned[i] = printf("%s|%8s|%-8s|%.2s|%*d\n", names[i], names[i], names[i], names[i], 6, i);
  if (i == 1)
    printf("no arguments\n");
}

__device__ __noinline__ void descend(int depth) {
  if (depth == 0)
    return;
  printf("depth %d of thread %d\n", depth, thread());
  descend(depth - 1);
}
KERNEL print_in_functions() {
  if (threadIdx.x % 11 == 3)
    descend(threadIdx.x / 11 + 1);
}

KERNEL assert_holds(const int *x, int *out) {
  int i = thread();
  assert(x[i] >= 0 && "never negative");
  out[i] = x[i] * 2;
}

KERNEL trap_one(const int *x, int *out) {
  int i = thread();
  if (x[i] < 0)
    __trap();
  out[i] = x[i];
}
