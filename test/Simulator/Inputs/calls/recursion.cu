// Recursion whose depth differs by lane: fib, Ackermann, and two functions that
// call each other. Nothing is inlined.
extern "C" {
__device__ __noinline__ unsigned fib(unsigned n) {
  return n < 2 ? n : fib(n - 1) + fib(n - 2);
}
__device__ __noinline__ unsigned ackermann(unsigned m, unsigned n) {
  if (m == 0)
    return n + 1;
  if (n == 0)
    return ackermann(m - 1, 1);
  return ackermann(m - 1, ackermann(m, n - 1));
}
__device__ bool isOdd(unsigned n);
__device__ __noinline__ bool isEven(unsigned n) { return n == 0 || isOdd(n - 1); }
__device__ __noinline__ bool isOdd(unsigned n) { return n != 0 && isEven(n - 1); }
struct Big { double a[3]; int n; char c; };
__device__ __noinline__ Big grow(Big b, int depth) {
  Big r = b;
  r.n += depth;
  r.a[depth % 3] += b.c * 0.5;
  int local[8];
  for (int i = 0; i < 8; ++i) local[i] = b.n * i + depth;
  if (depth > 0) {
    Big deeper = grow(r, depth - 1);
    r.a[0] += deeper.a[0]; r.a[1] -= deeper.a[1]; r.n ^= deeper.n;
  }
  for (int i = 0; i < 8; ++i) r.n += local[(i * 3 + depth) & 7] * i;
  return r;
}
__global__ void recursion(unsigned *out) {
  unsigned t = threadIdx.x;
  unsigned value = fib(t % 11);
  value = value * 1000 + ackermann(t % 3, t % 5);
  value = value * 2 + (t % 2 ? isOdd(t) : isEven(t + 1));
  Big b = {{1.5, t * 1.0, -2.25}, (int)t, (char)(t + 3)};
  if (t % 4) b = grow(b, t % 7);
  out[blockIdx.x * blockDim.x + t] = value;
  out[gridDim.x * blockDim.x + blockIdx.x * blockDim.x + t] = b.n * 31 + (int)(b.a[0] * 4) + (int)(b.a[1] * 8) + (int)(b.a[2] * 16) + b.c;
}
}
