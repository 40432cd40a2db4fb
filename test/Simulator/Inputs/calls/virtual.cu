// Virtual calls, a table of function pointers in constant memory, a switch, and
// a pointer that each lane picks.
#include <cstdio>
struct Shape {
  __device__ virtual int area() const = 0;
  __device__ virtual int scale(int k) { return k; }
  __device__ virtual ~Shape() {}
};
struct Square : Shape {
  int a;
  __device__ Square(int a) : a(a) {}
  __device__ int area() const override { return a * a; }
};
struct Box : Shape {
  int a, b;
  __device__ Box(int a, int b) : a(a), b(b) {}
  __device__ int area() const override { return a * b; }
  __device__ int scale(int k) override { return k * a - b; }
};
__device__ __noinline__ int add(int a, int b) { return a + b; }
__device__ __noinline__ int sub(int a, int b) { return a - b; }
__device__ __noinline__ int mul(int a, int b) { return a * b; }
__device__ __noinline__ int rotate(int a, int b) { return (a << (b & 31)) | ((unsigned)a >> (-b & 31)); }
typedef int (*Op)(int, int);
__constant__ Op ops[4] = {add, sub, mul, rotate};
__device__ __noinline__ int chosen(int which, int a, int b) {
  switch (which) {
  case 0: return a * 17 + b;
  case 1: return b * 13 - a;
  case 2: return (a ^ b) + 5;
  case 3: return a & ~b;
  case 4: return mul(a, sub(b, 9));
  case 5: return a / (b + 1);
  case 6: return a % (b + 3);
  case 7: return -a;
  default: return 99;
  }
}
extern "C" __global__ void dispatch(int *out) {
  int t = threadIdx.x;
  Shape *shape;
  if (t % 3 == 0) shape = new Square(t);
  else shape = new Box(t, t + 2);
  int value = shape->area() * 7 + shape->scale(t);
  delete shape;
  value = value * 3 + ops[t & 3](t, 5);
  value = value * 5 + chosen(t % 10, t * 3, t + 1);
  out[t] = value;
  if (t % 16 == 5)
    printf("lane %d: %5d|%-6u|%lld %s %.3f %c%%\n", t, value, 7u, -(1ll << 40) - t, "text", t / 4.0, 'a' + t);
}
