// The two AVX-512 BF16 instructions for Swift, which cannot import intrinsics on vectors of __bf16. These functions
// take integer vectors with the same bits. Only the compiler of the kernels reads this file.
#pragma once

#include <immintrin.h>

#define SWIFTLET_INLINE static __inline__ __attribute__((__always_inline__, __nodebug__))

// sum[i] + a[2i] b[2i] + a[2i + 1] b[2i + 1]
SWIFTLET_INLINE __m512 swiftlet_bf16_dot(__m512 sum, __m512i a, __m512i b) {
  return _mm512_dpbf16_ps(sum, (__m512bh)a, (__m512bh)b);
}

// The same with one pair from memory, broadcast to all lanes of a. The compiler would broadcast to a register first,
// which has a lower throughput than the multiplication.
SWIFTLET_INLINE __m512 swiftlet_bf16_dot_memory(__m512 sum, const void *a, __m512i b) {
  __asm__("vdpbf16ps %1%{1to16%}, %2, %0" : "+v"(sum) : "m"(*(const int *)a), "v"(b));
  return sum;
}

SWIFTLET_INLINE __m512i swiftlet_bf16_round(__m512 low, __m512 high) {
  return (__m512i)_mm512_cvtne2ps_pbh(high, low);
}
