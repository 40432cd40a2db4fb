// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Device functions: recursion, pointers, virtual calls, the heap.
#include <cstdint>

#define KERNEL extern "C" __global__ void
__device__ int thread() { return blockIdx.x * blockDim.x + threadIdx.x; }

__device__ __noinline__ unsigned ackermann(unsigned m, unsigned n) {
  if (!m)
    return n + 1;
  return n ? ackermann(m - 1, ackermann(m, n - 1)) : ackermann(m - 1, 1);
}
KERNEL ackermann_table(unsigned *out) { out[thread()] = ackermann(threadIdx.x / 8, threadIdx.x % 8); }

__device__ __noinline__ unsigned long long fibonacci(int n) {
  return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}
KERNEL fibonacci_numbers(unsigned long long *out) { out[thread()] = fibonacci(thread() % 13); }

template <typename T> __device__ void exchange(T &a, T &b) {
  T c = a;
  a = b;
  b = c;
}
__device__ __noinline__ void quicksort(float *v, int low, int high) {
  if (low >= high)
    return;
  float pivot = v[(low + high) / 2];
  int i = low, j = high;
  while (i <= j) {
    while (v[i] < pivot)
      ++i;
    while (v[j] > pivot)
      --j;
    if (i <= j)
      exchange(v[i++], v[j--]);
  }
  quicksort(v, low, j);
  quicksort(v, i, high);
}
// Each thread sorts a row of its own length.
KERNEL quicksort_rows(float *rows, int columns) {
  int row = thread();
  quicksort(rows + row * columns, 0, columns - 1 - row % 7);
}

// Mutual recursion.
__device__ bool is_odd(int n);
__device__ __noinline__ bool is_even(int n) { return n == 0 || is_odd(n - 1); }
__device__ __noinline__ bool is_odd(int n) { return n != 0 && is_even(n - 1); }
KERNEL parity(uint8_t *out) { out[thread()] = is_even(thread()); }

typedef int (*Operation)(int, int);
__device__ int op_add(int a, int b) { return a + b; }
__device__ int op_subtract(int a, int b) { return a - b; }
__device__ int op_multiply(int a, int b) { return a * b; }
__device__ int op_divide(int a, int b) { return b ? a / b : -1; }
__device__ Operation operations[] = {op_add, op_subtract, op_multiply, op_divide};
KERNEL through_pointers(const uint8_t *which, const int *a, const int *b, int *out) {
  int i = thread();
  out[i] = operations[which[i]](a[i], b[i]);
}

struct Shape {
  __device__ virtual float area() const = 0;
  __device__ virtual int corners() const { return 0; }
  __device__ virtual ~Shape() {}
};
struct Circle : Shape {
  float r;
  __device__ Circle(float r) : r(r) {}
  __device__ float area() const override { return 3.0f * r * r; }
};
struct Square : Shape {
  float a;
  __device__ Square(float a) : a(a) {}
  __device__ float area() const override { return a * a; }
  __device__ int corners() const override { return 4; }
};
struct Triangle final : Square {
  __device__ Triangle(float a) : Square(a) {}
  __device__ float area() const override { return a * a / 2; }
  __device__ int corners() const override { return Square::corners() - 1; }
};
KERNEL virtual_calls(const uint8_t *kind, const float *size, float *area, int *corners) {
  int i = thread();
  Shape *shape;
  switch (kind[i]) {
  case 0:
    shape = new Circle(size[i]);
    break;
  case 1:
    shape = new Square(size[i]);
    break;
  default:
    shape = new Triangle(size[i]);
  }
  area[i] = shape->area();
  corners[i] = shape->corners();
  delete shape;
}

// A tree on the heap: each thread inserts its numbers and walks them in order.
struct Node {
  int key;
  Node *left, *right;
};
__device__ __noinline__ void insert(Node *&root, int key) {
  if (!root) {
    root = new Node{key, nullptr, nullptr};
    return;
  }
  insert(key < root->key ? root->left : root->right, key);
}
__device__ __noinline__ int *walk(Node *root, int *out) {
  if (!root)
    return out;
  out = walk(root->left, out);
  *out++ = root->key;
  out = walk(root->right, out);
  delete root;
  return out;
}
KERNEL tree_sort(const int *in, int *out, int count) {
  Node *root = nullptr;
  in += thread() * count;
  for (int i = 0; i < count; ++i)
    insert(root, in[i]);
  walk(root, out + thread() * count);
}

// A closure by template and a closure by pointer to a member.
template <typename F> __device__ int sum_of(int n, F f) {
  int sum = 0;
  for (int i = 0; i < n; ++i)
    sum += f(i);
  return sum;
}
struct Counter {
  int step;
  __device__ __noinline__ int up(int x) { return x + step; }
  __device__ __noinline__ int down(int x) { return x - step; }
};
KERNEL closures(int *out) {
  int i = thread(), factor = i * 3;
  int (Counter::*member)(int) = i % 2 ? &Counter::up : &Counter::down;
  Counter counter{i};
  out[i] = sum_of(i % 11, [=](int x) { return x * factor; }) + (counter.*member)(1000);
}

// Structures by value in and out, larger than registers.
struct Big {
  double v[9];
  int tag;
};
__device__ __noinline__ Big scaled(Big b, double f) {
  for (double &x : b.v)
    x *= f;
  b.tag++;
  return b;
}
KERNEL structures(Big big, double *out, int *tags) {
  Big b = scaled(scaled(big, thread()), 0.5);
  for (int i = 0; i < 9; ++i)
    out[thread() * 9 + i] = b.v[i];
  tags[thread()] = b.tag;
}

// N queens by backtracking, a first row for each thread, and without recursion.
__device__ __noinline__ int queens(int n, unsigned columns, unsigned left, unsigned right) {
  unsigned all = (1u << n) - 1;
  if (columns == all)
    return 1;
  int count = 0;
  for (unsigned free = all & ~(columns | left | right); free; free &= free - 1) {
    unsigned bit = free & -free;
    count += queens(n, columns | bit, (left | bit) << 1, (right | bit) >> 1);
  }
  return count;
}
KERNEL n_queens(int n, int *out) {
  unsigned bit = 1u << threadIdx.x;
  if (threadIdx.x < n)
    atomicAdd(out, queens(n, bit, bit << 1, bit >> 1));
}

// Towers of Hanoi: the moves are written down.
__device__ __noinline__ void hanoi(int n, int from, int to, uint8_t *&out) {
  if (!n)
    return;
  int other = 3 - from - to;
  hanoi(n - 1, from, other, out);
  *out++ = from * 3 + to;
  hanoi(n - 1, other, to, out);
}
KERNEL towers(int n, uint8_t *out) {
  uint8_t *at = out + threadIdx.x * ((1 << n) - 1);
  hanoi(n, 0, 1 + threadIdx.x % 2, at);
}
