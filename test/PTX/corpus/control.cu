// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Control flow: calls of every kind, tables, recursion, assertions.
#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

struct Shape {
  virtual __device__ ~Shape() {}
  virtual __device__ float area(float scale) const = 0;
};
struct Square : Shape {
  float side;
  __device__ Square(float side) : side(side) {}
  __device__ float area(float scale) const override { return side * side * scale; }
};
struct Circle : Shape {
  float radius;
  __device__ Circle(float radius) : radius(radius) {}
  __device__ float area(float scale) const override {
    printf("circle %f of %s\n", radius, "here");
    return radius * radius * 3.14159f * scale;
  }
};

__device__ __noinline__ int fibonacci(int n) {
  return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}
__device__ __noinline__ bool odd(unsigned n);
__device__ __noinline__ bool even(unsigned n) { return n == 0 || odd(n - 1); }
__device__ __noinline__ bool odd(unsigned n) { return n != 0 && even(n - 1); }

struct Big {
  double values[5];
  char tag;
};
__device__ __noinline__ Big swap(Big big, short tag, char other) {
  Big result = big;
  result.values[tag % 5] = big.values[0];
  result.tag = other;
  return result;
}
__device__ __noinline__ int add(int a, int b) { return a + b; }
__device__ __noinline__ int multiply(int a, int b) { return a * b; }
typedef int (*Binary)(int, int);
__device__ Binary operators[] = {add, multiply, nullptr};
__device__ Binary *volatile chosen = &operators[1];

__device__ __noinline__ void die(const char *why) {
  printf("%s\n", why);
  __trap();
}

extern "C" __global__ void calls(float *f, int *o, Big *big, Shape **shapes,
                                 int n) {
  Square square(f[0]);
  Circle circle(f[1]);
  Shape *shape = n & 1 ? static_cast<Shape *>(&square) : &circle;
  f[2] = shape->area(2.0f) + shapes[n]->area(1.0f);
  o[0] = fibonacci(n);
  o[1] = even(n);
  big[0] = swap(big[1], n, 'x');
  o[2] = operators[n % 2](3, n) + (*chosen)(n, 4);
  if (n > 100)
    die("too many");
  Shape *made = new Square(f[3]);
  f[4] = made->area(1);
  delete made;
  void *memory = malloc(n);
  memset(memory, 7, n);
  memcpy(o + 10, memory, n);
  free(memory);
}

extern "C" __global__ void tables(int *o, int n, char c) {
  switch (n) {
  case 0: o[0] = fibonacci(3); break;
  case 1: o[1] = o[7] * 3; break;
  case 2: o[2] = o[3] / 7; // falls through
  case 3: o[3] ^= 0x55; break;
  case 4: o[4] = atomicAdd(o, 2); break;
  case 5: __syncwarp(); o[5] = 9; break;
  case 6: return;
  case 7: o[1] = even(o[2]); break;
  case 8: o[8] <<= n; break;
  default: o[9] = -1;
  }
  for (int i = 0; i < n; ++i) {
    if (o[i] == 5)
      continue;
    for (int j = i; j < n; j += 3) {
      if (o[j] > c)
        goto out;
      o[j] += i * j;
    }
  }
out:
#pragma nounroll
  for (int i = 0; i < 100; ++i)
    o[i] = i;
  while (o[0] != 27)
    o[0] = o[0] & 1 ? 3 * o[0] + 1 : o[0] / 2;
  assert(o[0] == 27 && "it must end");
}

extern "C" __global__ void stack(int *o, int n) {
  int *dynamic = static_cast<int *>(alloca(n * sizeof(int)));
  int fixed[64];
  for (int i = 0; i < n; ++i)
    dynamic[i] = fixed[i & 63] = o[i];
  for (int i = 0; i < n; ++i)
    o[i] = dynamic[n - 1 - i] + fixed[o[i] & 63];
  asm volatile("brkpt;");
  asm volatile("{\n .reg .pred p;\n .reg .b32 t<2>;\n setp.gt.s32 p, %1, 3;\n"
               "{ .reg .b32 t<2>; mov.b32 t0, %1; @p add.s32 t0, t0, 1;\n"
               "  mov.b32 %0, t0; }\n @!p bra L;\n mov.b32 t1, 5;\n"
               "  add.s32 %0, %0, t1;\nL:\n}"
               : "=r"(o[0])
               : "r"(n));
  asm volatile("exit;");
}
