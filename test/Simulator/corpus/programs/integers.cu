// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Integers: 64 and 128 bits, large numbers, bits, hashes, ciphers.
#include <cstdint>

#define KERNEL extern "C" __global__ void
__device__ int thread() { return blockIdx.x * blockDim.x + threadIdx.x; }

#define DIVISION(NAME, TYPE)                                                                       \
  KERNEL divide_##NAME(const TYPE *a, const TYPE *b, TYPE *quotient, TYPE *remainder) {            \
    int i = thread();                                                                              \
    quotient[i] = a[i] / b[i];                                                                     \
    remainder[i] = a[i] % b[i];                                                                    \
  }
DIVISION(u64, uint64_t)
DIVISION(i64, int64_t)
DIVISION(u32, uint32_t)
DIVISION(i32, int32_t)
DIVISION(u16, uint16_t)
DIVISION(i8, int8_t)

KERNEL divide_constants(const int64_t *a, int64_t *out) {
  int i = thread();
  int64_t x = a[i];
  out[i] = x / 7 + x % 1000000007 + x / -3 + x / 4096 + (uint64_t)x / 10 + (int32_t)x / 641;
}

KERNEL multiply_128(const uint64_t *a, const uint64_t *b, uint64_t *low, uint64_t *high, int64_t *high_signed) {
  int i = thread();
  unsigned __int128 p = (unsigned __int128)a[i] * b[i];
  low[i] = (uint64_t)p;
  high[i] = (uint64_t)(p >> 64);
  high_signed[i] = __mul64hi((int64_t)a[i], (int64_t)b[i]);
}

// 512-bit numbers, little-endian words; carries through PTX's condition code.
constexpr int kWords = 16;
KERNEL big_add(const uint32_t *a, const uint32_t *b, uint32_t *out) {
  int i = thread() * kWords, o = thread() * (kWords + 1);
  uint32_t carry;
  uint32_t r[kWords + 1], x[kWords], y[kWords];
  for (int k = 0; k < kWords; ++k) {
    x[k] = a[i + k];
    y[k] = b[i + k];
  }
  asm("add.cc.u32 %0, %9, %17;\n\taddc.cc.u32 %1, %10, %18;\n\taddc.cc.u32 %2, %11, %19;\n\t"
      "addc.cc.u32 %3, %12, %20;\n\taddc.cc.u32 %4, %13, %21;\n\taddc.cc.u32 %5, %14, %22;\n\t"
      "addc.cc.u32 %6, %15, %23;\n\taddc.cc.u32 %7, %16, %24;\n\taddc.u32 %8, 0, 0;"
      : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]), "=r"(r[4]), "=r"(r[5]), "=r"(r[6]), "=r"(r[7]), "=r"(carry)
      : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(x[4]), "r"(x[5]), "r"(x[6]), "r"(x[7]), "r"(y[0]), "r"(y[1]),
        "r"(y[2]), "r"(y[3]), "r"(y[4]), "r"(y[5]), "r"(y[6]), "r"(y[7]));
  for (int k = 8; k < kWords; ++k) {
    uint64_t sum = (uint64_t)x[k] + y[k] + carry;
    r[k] = (uint32_t)sum;
    carry = (uint32_t)(sum >> 32);
  }
  r[kWords] = carry;
  for (int k = 0; k <= kWords; ++k)
    out[o + k] = r[k];
}

KERNEL big_subtract(const uint64_t *a, const uint64_t *b, uint64_t *out) {
  int i = thread() * 4;
  uint64_t r0, r1, r2, r3;
  asm("sub.cc.u64 %0, %4, %8;\n\tsubc.cc.u64 %1, %5, %9;\n\tsubc.cc.u64 %2, %6, %10;\n\tsubc.u64 %3, %7, %11;"
      : "=l"(r0), "=l"(r1), "=l"(r2), "=l"(r3)
      : "l"(a[i]), "l"(a[i + 1]), "l"(a[i + 2]), "l"(a[i + 3]), "l"(b[i]), "l"(b[i + 1]), "l"(b[i + 2]), "l"(b[i + 3]));
  out[i] = r0;
  out[i + 1] = r1;
  out[i + 2] = r2;
  out[i + 3] = r3;
}

// Product of two numbers of 8 words by mad.lo.cc and madc.hi.cc.
KERNEL big_multiply(const uint32_t *a, const uint32_t *b, uint32_t *out) {
  int at = thread() * 8;
  uint32_t r[16] = {};
  for (int i = 0; i < 8; ++i) {
    uint32_t carry = 0;
    for (int j = 0; j < 8; ++j) {
      uint32_t low, high;
      asm("mad.lo.cc.u32 %0, %2, %3, %4;\n\tmadc.hi.u32 %1, %2, %3, 0;" : "=r"(low), "=r"(high) : "r"(a[at + i]), "r"(b[at + j]), "r"(r[i + j]));
      asm("add.cc.u32 %0, %2, %3;\n\taddc.u32 %1, %4, 0;" : "=r"(r[i + j]), "=r"(carry) : "r"(low), "r"(carry), "r"(high));
    }
    r[i + 8] = carry;
  }
  for (int k = 0; k < 16; ++k)
    out[thread() * 16 + k] = r[k];
}

KERNEL bit_tricks(const uint32_t *a, const uint32_t *b, uint32_t *out) {
  int i = thread();
  uint32_t x = a[i], y = b[i], s = y & 31;
  uint32_t *o = out + i * 16;
  o[0] = __popc(x);
  o[1] = __clz(x);
  o[2] = __brev(x);
  o[3] = __ffs(x);
  o[4] = __byte_perm(x, y, y >> 16);
  o[5] = __funnelshift_l(x, y, s);
  o[6] = __funnelshift_r(x, y, s);
  o[7] = __umulhi(x, y);
  o[8] = __mulhi((int)x, (int)y);
  o[9] = __sad((int)x, (int)y, 5u);
  o[10] = __usad(x, y, 7u);
  o[11] = __umul24(x, y);
  o[12] = __mul24((int)x, (int)y);
  o[13] = __hadd((int)x, (int)y);
  o[14] = __urhadd(x, y);
  o[15] = __dp4a((int)x, (int)y, 11) ^ __dp2a_lo((int)x, (int)y, 3);
}

KERNEL bit_tricks_64(const uint64_t *a, uint64_t *out) {
  int i = thread();
  uint64_t x = a[i];
  out[i * 6] = __popcll(x);
  out[i * 6 + 1] = __clzll(x);
  out[i * 6 + 2] = __brevll(x);
  out[i * 6 + 3] = __ffsll(x);
  out[i * 6 + 4] = __umul64hi(x, 0x123456789abcdefull);
  out[i * 6 + 5] = x << (x & 63) | x >> (-x & 63);
}

// Four bytes at a time.
KERNEL simd_bytes(const uint32_t *a, const uint32_t *b, uint32_t *out) {
  int i = thread();
  uint32_t x = a[i], y = b[i];
  uint32_t *o = out + i * 12;
  o[0] = __vadd4(x, y);
  o[1] = __vsub2(x, y);
  o[2] = __vaddus4(x, y);
  o[3] = __vsubss4(x, y);
  o[4] = __vabsdiffu4(x, y);
  o[5] = __vmaxs2(x, y);
  o[6] = __vminu4(x, y);
  o[7] = __vavgu4(x, y);
  o[8] = __vcmpgtu4(x, y);
  o[9] = __vsads4(x, y);
  o[10] = __vseteq2(x, y);
  o[11] = __vnegss2(x);
}

__constant__ uint32_t kSha[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be,
    0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa,
    0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85,
    0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3,
    0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f,
    0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};
__device__ uint32_t rotate(uint32_t x, int n) { return __funnelshift_r(x, x, n); }
// SHA-256 of a message of `bytes` < 56 bytes for each thread.
KERNEL sha256(const uint8_t *messages, int bytes, uint8_t *out) {
  uint8_t block[64] = {};
  for (int i = 0; i < bytes; ++i)
    block[i] = messages[thread() * bytes + i];
  block[bytes] = 0x80;
  block[62] = bytes * 8 >> 8;
  block[63] = bytes * 8;
  uint32_t w[64];
  for (int i = 0; i < 16; ++i)
    w[i] = block[4 * i] << 24 | block[4 * i + 1] << 16 | block[4 * i + 2] << 8 | block[4 * i + 3];
  for (int i = 16; i < 64; ++i) {
    uint32_t s0 = rotate(w[i - 15], 7) ^ rotate(w[i - 15], 18) ^ w[i - 15] >> 3;
    uint32_t s1 = rotate(w[i - 2], 17) ^ rotate(w[i - 2], 19) ^ w[i - 2] >> 10;
    w[i] = w[i - 16] + s0 + w[i - 7] + s1;
  }
  const uint32_t start[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  uint32_t h[8];
  for (int i = 0; i < 8; ++i)
    h[i] = start[i];
  for (int i = 0; i < 64; ++i) {
    uint32_t s1 = rotate(h[4], 6) ^ rotate(h[4], 11) ^ rotate(h[4], 25);
    uint32_t t1 = h[7] + s1 + ((h[4] & h[5]) ^ (~h[4] & h[6])) + kSha[i] + w[i];
    uint32_t s0 = rotate(h[0], 2) ^ rotate(h[0], 13) ^ rotate(h[0], 22);
    uint32_t t2 = s0 + ((h[0] & h[1]) ^ (h[0] & h[2]) ^ (h[1] & h[2]));
    for (int k = 7; k; --k)
      h[k] = h[k - 1];
    h[4] += t1;
    h[0] = t1 + t2;
  }
  for (int i = 0; i < 8; ++i)
    for (int k = 0; k < 4; ++k)
      out[thread() * 32 + i * 4 + k] = (h[i] + start[i]) >> (24 - 8 * k);
}

// CRC-32 with a table that the CTA makes in shared memory.
KERNEL crc32(const uint8_t *data, int bytes, uint32_t *out) {
  __shared__ uint32_t table[256];
  for (int i = threadIdx.x; i < 256; i += blockDim.x) {
    uint32_t c = i;
    for (int k = 0; k < 8; ++k)
      c = c & 1 ? c >> 1 ^ 0xedb88320u : c >> 1;
    table[i] = c;
  }
  __syncthreads();
  uint32_t crc = ~0u;
  for (int i = 0; i < bytes; ++i)
    crc = table[(crc ^ data[thread() * bytes + i]) & 255] ^ crc >> 8;
  out[thread()] = ~crc;
}

// AES-128, one block a thread; the S-box is computed.
__device__ uint8_t times2(uint8_t x) { return x << 1 ^ (x >> 7) * 0x1b; }
__device__ uint8_t field_multiply(uint8_t a, uint8_t b) {
  uint8_t r = 0;
  for (; b; b >>= 1, a = times2(a))
    if (b & 1)
      r ^= a;
  return r;
}
KERNEL aes128(const uint8_t *key, const uint8_t *in, uint8_t *out) {
  __shared__ uint8_t sbox[256];
  __shared__ uint8_t keys[176];
  for (int i = threadIdx.x; i < 256; i += blockDim.x) {
    uint8_t inverse = 0;
    for (int k = 1; k < 256; ++k)
      if (field_multiply(i, k) == 1)
        inverse = k;
    uint8_t s = inverse ^ 0x63;
    for (int k = 1; k < 5; ++k)
      s ^= (uint8_t)(inverse << k | inverse >> (8 - k));
    sbox[i] = s;
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int i = 0; i < 16; ++i)
      keys[i] = key[i];
    uint8_t round = 1;
    for (int i = 16; i < 176; i += 4) {
      uint8_t t[4];
      for (int k = 0; k < 4; ++k)
        t[k] = keys[i - 4 + k];
      if (i % 16 == 0) {
        uint8_t first = t[0];
        t[0] = sbox[t[1]] ^ round;
        t[1] = sbox[t[2]];
        t[2] = sbox[t[3]];
        t[3] = sbox[first];
        round = times2(round);
      }
      for (int k = 0; k < 4; ++k)
        keys[i + k] = keys[i - 16 + k] ^ t[k];
    }
  }
  __syncthreads();
  uint8_t s[16], t[16];
  for (int i = 0; i < 16; ++i)
    s[i] = in[thread() * 16 + i] ^ keys[i];
  for (int round = 1; round <= 10; ++round) {
    for (int c = 0; c < 4; ++c)
      for (int r = 0; r < 4; ++r)
        t[c * 4 + r] = sbox[s[(c + r) % 4 * 4 + r]];
    for (int c = 0; c < 4; ++c)
      for (int r = 0; r < 4; ++r) {
        const uint8_t *v = t + c * 4;
        uint8_t mixed = times2(v[r]) ^ times2(v[(r + 1) % 4]) ^ v[(r + 1) % 4] ^ v[(r + 2) % 4] ^ v[(r + 3) % 4];
        s[c * 4 + r] = (round == 10 ? v[r] : mixed) ^ keys[round * 16 + c * 4 + r];
      }
  }
  for (int i = 0; i < 16; ++i)
    out[thread() * 16 + i] = s[i];
}

// Greatest common divisors, primes, collatz: loops whose lengths differ by lane.
KERNEL gcd(const uint64_t *a, const uint64_t *b, uint64_t *out) {
  uint64_t x = a[thread()], y = b[thread()];
  while (y) {
    uint64_t r = x % y;
    x = y;
    y = r;
  }
  out[thread()] = x;
}
KERNEL collatz(int *out) {
  int steps = 0;
  for (uint64_t n = thread() + 1; n != 1; ++steps)
    n = n & 1 ? 3 * n + 1 : n / 2;
  out[thread()] = steps;
}
KERNEL power_mod(const uint64_t *base, const uint64_t *exponent, uint64_t modulus, uint64_t *out) {
  unsigned __int128 b = base[thread()] % modulus, r = 1;
  for (uint64_t e = exponent[thread()]; e; e >>= 1, b = b * b % modulus)
    if (e & 1)
      r = r * b % modulus;
  out[thread()] = (uint64_t)r;
}
