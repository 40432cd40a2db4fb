// A dense switch whose cases call functions, so that it becomes a table of
// branch targets, and an assertion that some threads fail.
#include <cassert>
__device__ __noinline__ int twist(int a) { return a * 31 + 7; }
__device__ __noinline__ int fold(int a) { return a ^ (a >> 3); }
extern "C" __global__ void choose(const int *in, int *out, int limit) {
  int t = threadIdx.x, v = in[t];
  int r = t;
  for (int i = 0; i < 3; ++i) {
    switch (v) {
    case 0: r = twist(r); break;
    case 1: r = fold(r) - 3; break;
    case 2: r = twist(fold(r)); break;
    case 3: r += out[t]; break;
    case 4: r = fold(r + 9) * 5;
    case 5: r = twist(r) ^ 0x55; break;
    case 6: r = r / 3; break;
    case 7: out[t] = r; r = -r; break;
    case 8: r = fold(-r); break;
    case 9: r = twist(twist(r)); break;
    case 10: r ^= v; break;
    case 11: return;
    default: r = 1;
    }
    v = (v + 5) % 13;
  }
  assert(v < limit);
  out[t] = r;
}
