#include "CMachinePeaks.h"

#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

#define TWELVE(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7) DO(8) DO(9) DO(10) DO(11)
#define TWENTY_FOUR(DO) \
  TWELVE(DO) DO(12) DO(13) DO(14) DO(15) DO(16) DO(17) DO(18) DO(19) DO(20) DO(21) DO(22) DO(23)

// The compiler must take the register for changed: else it would compute equal chains once, and take products out of the loop.
#define CHANGED(x) __asm__ volatile("" : "+" REGISTER(x));

// The bodies of the loops over chains, of which `c0` is the first.
#define LOAD(k) V c##k = values[2 + k];
#define STORE(k) values[2 + k] = c##k;
#define MULTIPLY_ADD(k) \
  c##k = c##k * a + b; \
  CHANGED(c##k)
#define DOT_PRODUCT(k) \
  CHANGED(b) \
  c##k = (V)DOT(c##k, a, b);

// Defines the loops for an instruction set of `bytes` per vector.
#define LOOPS(level, bytes, count, CHAINS, products_per_chain, attributes) \
  typedef float level##_floats __attribute__((vector_size(bytes), aligned(4))); \
  typedef int32_t level##_ints __attribute__((vector_size(bytes), aligned(4))); \
  attributes static void level##_multiply_add(intptr_t iterations, float *memory) { \
    typedef float V __attribute__((vector_size(bytes))); \
    level##_floats *values = (level##_floats *)memory; \
    V a = values[0], b = values[1]; \
    CHAINS(LOAD) \
    for (intptr_t iteration = 0; iteration < iterations; iteration++) { CHAINS(MULTIPLY_ADD) } \
    CHAINS(STORE) \
  } \
  attributes static void level##_dot(intptr_t iterations, int32_t *memory) { \
    typedef int32_t V __attribute__((vector_size(bytes))); \
    level##_ints *values = (level##_ints *)memory; \
    V a = values[0], b = values[1]; \
    CHAINS(LOAD) \
    for (intptr_t iteration = 0; iteration < iterations; iteration++) { CHAINS(DOT_PRODUCT) } \
    CHAINS(STORE) \
  } \
  attributes static float level##_read(intptr_t elements, const float *memory) { \
    typedef float V __attribute__((vector_size(bytes))); \
    const level##_floats *values = (const level##_floats *)memory; \
    V sums[8] = {0}; \
    for (intptr_t group = elements / (8 * (bytes / 4)); group > 0; group--, values += 8) { \
      _Pragma("unroll") for (int k = 0; k < 8; k++) sums[k] += values[k]; \
    } \
    V sum = ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7])); \
    float total = 0; \
    for (int lane = 0; lane < bytes / 4; lane++) total += sum[lane]; \
    return total; \
  } \
  attributes static void level##_scale(intptr_t elements, float factor, const float *from, float *to) { \
    const level##_floats *input = (const level##_floats *)from; \
    level##_floats *output = (level##_floats *)to; \
    for (intptr_t group = elements / (4 * (bytes / 4)); group > 0; group--, input += 4, output += 4) { \
      level##_floats x0 = input[0], x1 = input[1], x2 = input[2], x3 = input[3]; \
      output[0] = x0 * factor; \
      output[1] = x1 * factor; \
      output[2] = x2 * factor; \
      output[3] = x3 * factor; \
    } \
  } \
  static const swiftlet_machine_peaks level##_peaks = { \
      #level, bytes / 4, count, products_per_chain, level##_multiply_add, level##_dot, level##_read, level##_scale};

#if defined(__x86_64__)

// Two products of 16 bits per lane: a register of bytes, widened, takes two of these.
#define REGISTER "x"
#define DOT(c, a, b) _mm_add_epi32((__m128i)c, _mm_madd_epi16((__m128i)a, (__m128i)b))
LOOPS(portable, 16, 12, TWELVE, 8, )
#undef DOT

#define DOT(c, a, b) _mm256_add_epi32((__m256i)c, _mm256_madd_epi16((__m256i)a, (__m256i)b))
LOOPS(avx2, 32, 12, TWELVE, 16, __attribute__((target("avx2,fma"))))
#undef DOT

#define DOT(c, a, b) _mm256_dpbusd_avx_epi32((__m256i)c, (__m256i)a, (__m256i)b)
LOOPS(avxvnni, 32, 12, TWELVE, 32, __attribute__((target("avx2,fma,avxvnni"))))
#undef DOT
#undef REGISTER

#define REGISTER "v"
#define DOT(c, a, b) _mm512_dpbusd_epi32((__m512i)c, (__m512i)a, (__m512i)b)
LOOPS(avx512, 64, 24, TWENTY_FOUR, 64, __attribute__((target("avx512f,avx512bw,avx512vnni"))))

static const swiftlet_machine_peaks *const all[] = {&portable_peaks, &avx2_peaks, &avxvnni_peaks, &avx512_peaks};

#elif defined(__aarch64__)

#define REGISTER "w"
#define DOT(c, a, b) vpadalq_s16((int32x4_t)c, vmull_s8(vget_low_s8((int8x16_t)a), vget_low_s8((int8x16_t)b)))
LOOPS(neon, 16, 24, TWENTY_FOUR, 8, )
#undef DOT

#define DOT(c, a, b) vdotq_s32((int32x4_t)c, (int8x16_t)a, (int8x16_t)b)
LOOPS(dotprod, 16, 24, TWENTY_FOUR, 16, __attribute__((target("dotprod"))))
#undef DOT

#define DOT(c, a, b) vmmlaq_s32((int32x4_t)c, (int8x16_t)a, (int8x16_t)b)
LOOPS(i8mm, 16, 24, TWENTY_FOUR, 32, __attribute__((target("i8mm"))))

// The portable kernels of arm64 are NEON without fused multiply-add.
static const swiftlet_machine_peaks *const all[] = {&neon_peaks, &dotprod_peaks, &i8mm_peaks};

#else

#define REGISTER "r"
#undef CHANGED
#define CHANGED(x)
#define DOT(c, a, b) (c + a * b)
LOOPS(portable, 16, 12, TWELVE, 4, )

static const swiftlet_machine_peaks *const all[] = {&portable_peaks};

#endif

const swiftlet_machine_peaks *swiftlet_machine_peaks_for(const char *name) {
  for (unsigned index = 0; index < sizeof(all) / sizeof(all[0]); index++) {
    if (strcmp(all[index]->name, name) == 0) return all[index];
  }
  return all[0];
}
