// Pairs of NEON registers for Swift. A vector of `VectorISA` has eight lanes in two registers. Several intrinsics are
// macros or take types that Swift doesn't import. Only the compiler of the kernels reads this file.
#pragma once

#include <arm_neon.h>

#define SWIFTLET_INLINE static __inline__ __attribute__((__always_inline__, __nodebug__))

typedef float swiftlet_floats __attribute__((__ext_vector_type__(8)));
typedef int swiftlet_ints __attribute__((__ext_vector_type__(8)));
typedef unsigned char swiftlet_bytes __attribute__((__ext_vector_type__(16)));
typedef unsigned char swiftlet_row __attribute__((__ext_vector_type__(8)));

// MARK: Pairs and their halves

SWIFTLET_INLINE swiftlet_floats swiftlet_pair_f32(float32x4_t low, float32x4_t high) {
  return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
}
SWIFTLET_INLINE swiftlet_ints swiftlet_pair_s32(int32x4_t low, int32x4_t high) {
  return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
}
#define SWIFTLET_LOW(x) __builtin_shufflevector(x, x, 0, 1, 2, 3)
#define SWIFTLET_HIGH(x) __builtin_shufflevector(x, x, 4, 5, 6, 7)

SWIFTLET_INLINE int32x4_t swiftlet_low_s32(swiftlet_ints x) { return SWIFTLET_LOW(x); }
SWIFTLET_INLINE int32x4_t swiftlet_high_s32(swiftlet_ints x) { return SWIFTLET_HIGH(x); }
SWIFTLET_INLINE uint8x16_t swiftlet_low_u8(swiftlet_ints x) { return vreinterpretq_u8_s32(SWIFTLET_LOW(x)); }
SWIFTLET_INLINE uint8x16_t swiftlet_high_u8(swiftlet_ints x) { return vreinterpretq_u8_s32(SWIFTLET_HIGH(x)); }
SWIFTLET_INLINE swiftlet_ints swiftlet_pair_u8(uint8x16_t low, uint8x16_t high) {
  return swiftlet_pair_s32(vreinterpretq_s32_u8(low), vreinterpretq_s32_u8(high));
}

// MARK: Arithmetic

SWIFTLET_INLINE swiftlet_floats swiftlet_add(swiftlet_floats a, swiftlet_floats b) {
  return swiftlet_pair_f32(
      vaddq_f32(SWIFTLET_LOW(a), SWIFTLET_LOW(b)), vaddq_f32(SWIFTLET_HIGH(a), SWIFTLET_HIGH(b)));
}

SWIFTLET_INLINE swiftlet_floats swiftlet_multiply_add(swiftlet_floats a, swiftlet_floats b, swiftlet_floats c) {
  return swiftlet_pair_f32(
      vfmaq_f32(SWIFTLET_LOW(c), SWIFTLET_LOW(a), SWIFTLET_LOW(b)),
      vfmaq_f32(SWIFTLET_HIGH(c), SWIFTLET_HIGH(a), SWIFTLET_HIGH(b)));
}

// Rounds the product, as bit-exact numerics require.
SWIFTLET_INLINE swiftlet_floats swiftlet_multiply_then_add(swiftlet_floats a, swiftlet_floats b, swiftlet_floats c) {
  return swiftlet_pair_f32(
      vaddq_f32(SWIFTLET_LOW(c), vmulq_f32(SWIFTLET_LOW(a), SWIFTLET_LOW(b))),
      vaddq_f32(SWIFTLET_HIGH(c), vmulq_f32(SWIFTLET_HIGH(a), SWIFTLET_HIGH(b))));
}

// `a > b ? a : b`. The maximum and minimum instructions treat NaN differently and order the signs of zero.
SWIFTLET_INLINE float32x4_t swiftlet_larger(float32x4_t a, float32x4_t b) { return vbslq_f32(vcgtq_f32(a, b), a, b); }
SWIFTLET_INLINE float32x4_t swiftlet_smaller(float32x4_t a, float32x4_t b) { return vbslq_f32(vcltq_f32(a, b), a, b); }
SWIFTLET_INLINE swiftlet_floats swiftlet_maximum_f32(swiftlet_floats a, swiftlet_floats b) {
  return swiftlet_pair_f32(
      swiftlet_larger(SWIFTLET_LOW(a), SWIFTLET_LOW(b)), swiftlet_larger(SWIFTLET_HIGH(a), SWIFTLET_HIGH(b)));
}
SWIFTLET_INLINE swiftlet_floats swiftlet_minimum_f32(swiftlet_floats a, swiftlet_floats b) {
  return swiftlet_pair_f32(
      swiftlet_smaller(SWIFTLET_LOW(a), SWIFTLET_LOW(b)), swiftlet_smaller(SWIFTLET_HIGH(a), SWIFTLET_HIGH(b)));
}

// Here a number takes precedence over NaN, as in the instruction.
SWIFTLET_INLINE float32x4_t swiftlet_within(float32x4_t x, float32x4_t lower, float32x4_t upper) {
  return vminnmq_f32(vmaxnmq_f32(x, lower), upper);
}
SWIFTLET_INLINE swiftlet_floats swiftlet_bounded(swiftlet_floats x, swiftlet_floats lower, swiftlet_floats upper) {
  return swiftlet_pair_f32(
      swiftlet_within(SWIFTLET_LOW(x), SWIFTLET_LOW(lower), SWIFTLET_LOW(upper)),
      swiftlet_within(SWIFTLET_HIGH(x), SWIFTLET_HIGH(lower), SWIFTLET_HIGH(upper)));
}

#define SWIFTLET_OF_PAIRS(name, type, pair, function) \
  SWIFTLET_INLINE type name(type a, type b) { \
    return pair(function(SWIFTLET_LOW(a), SWIFTLET_LOW(b)), function(SWIFTLET_HIGH(a), SWIFTLET_HIGH(b))); \
  }
SWIFTLET_OF_PAIRS(swiftlet_maximum_s32, swiftlet_ints, swiftlet_pair_s32, vmaxq_s32)
SWIFTLET_OF_PAIRS(swiftlet_minimum_s32, swiftlet_ints, swiftlet_pair_s32, vminq_s32)
// (2ab + 2^31) >> 32, which is (ab + 2^30) >> 31.
SWIFTLET_OF_PAIRS(swiftlet_rounding_doubled_high_product, swiftlet_ints, swiftlet_pair_s32, vqrdmulhq_s32)

SWIFTLET_INLINE swiftlet_ints swiftlet_maximum_u8(swiftlet_ints a, swiftlet_ints b) {
  return swiftlet_pair_u8(
      vmaxq_u8(swiftlet_low_u8(a), swiftlet_low_u8(b)), vmaxq_u8(swiftlet_high_u8(a), swiftlet_high_u8(b)));
}
SWIFTLET_INLINE swiftlet_ints swiftlet_minimum_u8(swiftlet_ints a, swiftlet_ints b) {
  return swiftlet_pair_u8(
      vminq_u8(swiftlet_low_u8(a), swiftlet_low_u8(b)), vminq_u8(swiftlet_high_u8(a), swiftlet_high_u8(b)));
}

SWIFTLET_INLINE int32x2_t swiftlet_scaled_two(
    int32x2_t high, int32x2_t low, const double *terms, const double *factors, int rounds_up) {
  float64x2_t sum = vaddq_f64(
      vmulq_f64(vcvtq_f64_s64(vmovl_s32(high)), vdupq_n_f64(256)), vaddq_f64(vcvtq_f64_s64(vmovl_s32(low)), vld1q_f64(terms)));
  float64x2_t x = vmaxnmq_f64(vminq_f64(vmulq_f64(sum, vld1q_f64(factors)), vdupq_n_f64(0x1p20)), vdupq_n_f64(-0x1p20));
  return vmovn_s64(rounds_up ? vcvtmq_s64_f64(vaddq_f64(x, vdupq_n_f64(0.5))) : vcvtaq_s64_f64(x));
}
SWIFTLET_INLINE swiftlet_ints swiftlet_scaled_sums(
    swiftlet_ints high, swiftlet_ints low, const void *terms, const void *factors, int rounds_up) {
  const double *t = (const double *)terms, *f = (const double *)factors;
  int32x4_t h0 = SWIFTLET_LOW(high), h1 = SWIFTLET_HIGH(high), l0 = SWIFTLET_LOW(low), l1 = SWIFTLET_HIGH(low);
  return swiftlet_pair_s32(
      vcombine_s32(
          swiftlet_scaled_two(vget_low_s32(h0), vget_low_s32(l0), t, f, rounds_up),
          swiftlet_scaled_two(vget_high_s32(h0), vget_high_s32(l0), t + 2, f + 2, rounds_up)),
      vcombine_s32(
          swiftlet_scaled_two(vget_low_s32(h1), vget_low_s32(l1), t + 4, f + 4, rounds_up),
          swiftlet_scaled_two(vget_high_s32(h1), vget_high_s32(l1), t + 6, f + 6, rounds_up)));
}

#define SWIFTLET_HALVES(function)                                                                    \
  swiftlet_pair_s32(                                                                                \
      vreinterpretq_s32_s16(function(                                                               \
          vreinterpretq_s16_s32(SWIFTLET_LOW(a)), vreinterpretq_s16_s32(SWIFTLET_LOW(b)))),         \
      vreinterpretq_s32_s16(function(                                                               \
          vreinterpretq_s16_s32(SWIFTLET_HIGH(a)), vreinterpretq_s16_s32(SWIFTLET_HIGH(b)))))
SWIFTLET_INLINE swiftlet_ints swiftlet_maximum_s16(swiftlet_ints a, swiftlet_ints b) { return SWIFTLET_HALVES(vmaxq_s16); }
SWIFTLET_INLINE swiftlet_ints swiftlet_minimum_s16(swiftlet_ints a, swiftlet_ints b) { return SWIFTLET_HALVES(vminq_s16); }

SWIFTLET_INLINE float32x4_t swiftlet_select(float32x4_t sign, float32x4_t negative, float32x4_t positive) {
  return vbslq_f32(vreinterpretq_u32_s32(vshrq_n_s32(vreinterpretq_s32_f32(sign), 31)), negative, positive);
}
SWIFTLET_INLINE swiftlet_floats swiftlet_select_f32(swiftlet_floats sign, swiftlet_floats negative, swiftlet_floats positive) {
  return swiftlet_pair_f32(
      swiftlet_select(SWIFTLET_LOW(sign), SWIFTLET_LOW(negative), SWIFTLET_LOW(positive)),
      swiftlet_select(SWIFTLET_HIGH(sign), SWIFTLET_HIGH(negative), SWIFTLET_HIGH(positive)));
}
SWIFTLET_INLINE swiftlet_floats swiftlet_square_root(swiftlet_floats x) {
  return swiftlet_pair_f32(vsqrtq_f32(SWIFTLET_LOW(x)), vsqrtq_f32(SWIFTLET_HIGH(x)));
}

// MARK: Conversion

// The instruction saturates values that don't fit and converts NaN to 0. Here both become the lowest integer.
SWIFTLET_INLINE int32x4_t swiftlet_in_range(int32x4_t converted, float32x4_t x) {
  return vbslq_s32(vcaltq_f32(x, vdupq_n_f32(0x1p31f)), converted, vdupq_n_s32(INT32_MIN));
}
SWIFTLET_INLINE swiftlet_ints swiftlet_to_int(swiftlet_floats x) {
  float32x4_t low = SWIFTLET_LOW(x), high = SWIFTLET_HIGH(x);
  return swiftlet_pair_s32(
      swiftlet_in_range(vcvtnq_s32_f32(low), low), swiftlet_in_range(vcvtnq_s32_f32(high), high));
}
// Rounds to nearest even, or half away from zero, for lanes that all fit.
SWIFTLET_INLINE swiftlet_ints swiftlet_to_int_in_range(swiftlet_floats x) {
  return swiftlet_pair_s32(vcvtnq_s32_f32(SWIFTLET_LOW(x)), vcvtnq_s32_f32(SWIFTLET_HIGH(x)));
}
SWIFTLET_INLINE swiftlet_ints swiftlet_to_int_away_from_zero(swiftlet_floats x) {
  return swiftlet_pair_s32(vcvtaq_s32_f32(SWIFTLET_LOW(x)), vcvtaq_s32_f32(SWIFTLET_HIGH(x)));
}
SWIFTLET_INLINE swiftlet_ints swiftlet_to_int_truncating(swiftlet_floats x) {
  float32x4_t low = SWIFTLET_LOW(x), high = SWIFTLET_HIGH(x);
  return swiftlet_pair_s32(swiftlet_in_range(vcvtq_s32_f32(low), low), swiftlet_in_range(vcvtq_s32_f32(high), high));
}
SWIFTLET_INLINE swiftlet_floats swiftlet_to_float(swiftlet_ints x) {
  return swiftlet_pair_f32(vcvtq_f32_s32(SWIFTLET_LOW(x)), vcvtq_f32_s32(SWIFTLET_HIGH(x)));
}

// MARK: Memory

SWIFTLET_INLINE swiftlet_ints swiftlet_widen_bytes(swiftlet_row bytes) {
  uint16x8_t halves = vmovl_u8((uint8x8_t)bytes);
  return swiftlet_pair_s32(
      vreinterpretq_s32_u32(vmovl_u16(vget_low_u16(halves))), vreinterpretq_s32_u32(vmovl_u16(vget_high_u16(halves))));
}
SWIFTLET_INLINE swiftlet_ints swiftlet_widen_halves(swiftlet_bytes bytes) {
  int16x8_t halves = vreinterpretq_s16_u8((uint8x16_t)bytes);
  return swiftlet_pair_s32(vmovl_s16(vget_low_s16(halves)), vmovl_s16(vget_high_s16(halves)));
}
SWIFTLET_INLINE swiftlet_floats swiftlet_widen_float16(swiftlet_bytes bytes) {
  float16x8_t halves = vreinterpretq_f16_u8((uint8x16_t)bytes);
  return swiftlet_pair_f32(vcvt_f32_f16(vget_low_f16(halves)), vcvt_f32_f16(vget_high_f16(halves)));
}
// One instruction, which is cheaper on some CPUs than the other load of two registers.
SWIFTLET_INLINE swiftlet_floats swiftlet_load_single(const void *from) {
  float32x4x2_t all = vld1q_f32_x2(from);
  return swiftlet_pair_f32(all.val[0], all.val[1]);
}
// The compiler merges the two loads of a pair into one instruction.
SWIFTLET_INLINE swiftlet_floats swiftlet_load_first_of_pair(const void *from) {
  float32x4x4_t all = vld1q_f32_x4(from);
  return swiftlet_pair_f32(all.val[0], all.val[1]);
}
SWIFTLET_INLINE swiftlet_floats swiftlet_load_second_of_pair(const void *from) {
  float32x4x4_t all = vld1q_f32_x4(from);
  return swiftlet_pair_f32(all.val[2], all.val[3]);
}
// Hides from the optimizer that several such steps could be one. A load can advance its pointer for free, but has no
// offset.
SWIFTLET_INLINE const void *_Nonnull swiftlet_advanced(const void *_Nonnull pointer, long bytes) {
  pointer = (const char *)pointer + bytes;
  __asm__("" : "+r"(pointer));
  return pointer;
}
SWIFTLET_INLINE swiftlet_bytes swiftlet_load_16(const void *from) { return (swiftlet_bytes)vld1q_u8(from); }
SWIFTLET_INLINE swiftlet_row swiftlet_load_8(const void *from) { return (swiftlet_row)vld1_u8(from); }
SWIFTLET_INLINE void swiftlet_store_16(swiftlet_bytes x, void *to) { vst1q_u8(to, (uint8x16_t)x); }
SWIFTLET_INLINE void swiftlet_store_8(swiftlet_row x, void *to) { vst1_u8(to, (uint8x8_t)x); }

// Returns the low halves, or the low bytes, of all lanes.
SWIFTLET_INLINE swiftlet_bytes swiftlet_low_halves(swiftlet_ints x) {
  return (swiftlet_bytes)vreinterpretq_u8_s16(vcombine_s16(vmovn_s32(SWIFTLET_LOW(x)), vmovn_s32(SWIFTLET_HIGH(x))));
}
SWIFTLET_INLINE swiftlet_row swiftlet_low_bytes(swiftlet_ints x) {
  return (swiftlet_row)vreinterpret_u8_s8(vmovn_s16(vcombine_s16(vmovn_s32(SWIFTLET_LOW(x)), vmovn_s32(SWIFTLET_HIGH(x)))));
}

// MARK: Narrowing

// Returns a limit minus the zero point, in 16 bits. Limited 16-bit values are narrowed by one instruction per two
// registers, and one more instruction applies the zero point and the flip. The optimizer hoists generic operations out
// of loops everywhere, unlike intrinsics.
SWIFTLET_INLINE int16x8_t swiftlet_limit(swiftlet_ints limit, swiftlet_ints zero_point) {
  int16x8_t halves = __builtin_convertvector(vget_low_s8(vreinterpretq_s8_s32(SWIFTLET_LOW(limit))), int16x8_t);
  return __builtin_elementwise_sub_sat(halves, vreinterpretq_s16_s32(SWIFTLET_LOW(zero_point)));
}
// Returns the low bytes of the zero point, which is less than 2^15 - 2^7. Adding 128 is the same as flipping the
// highest bit.
SWIFTLET_INLINE uint8x16_t swiftlet_shift(swiftlet_ints zero_point, swiftlet_ints flip) {
  uint8x16_t zero = swiftlet_low_u8(zero_point);
  return __builtin_shufflevector(zero, zero, 0, 2, 4, 6, 8, 10, 12, 14, 0, 2, 4, 6, 8, 10, 12, 14) ^ swiftlet_low_u8(flip);
}
SWIFTLET_INLINE int16x8_t swiftlet_limited(int32x4_t a, int32x4_t b, int16x8_t lower, int16x8_t upper) {
  return vminq_s16(vmaxq_s16(vcombine_s16(vqmovn_s32(a), vqmovn_s32(b)), lower), upper);
}
SWIFTLET_INLINE uint8x16_t swiftlet_saturated(
    int32x4_t a, int32x4_t b, int32x4_t c, int32x4_t d, int16x8_t lower, int16x8_t upper, uint8x16_t shift) {
  int16x8_t ab = swiftlet_limited(a, b, lower, upper), cd = swiftlet_limited(c, d, lower, upper);
  return vaddq_u8(vuzp1q_u8(vreinterpretq_u8_s16(ab), vreinterpretq_u8_s16(cd)), shift);
}
SWIFTLET_INLINE swiftlet_bytes swiftlet_saturated_bytes(
    swiftlet_ints a0, swiftlet_ints a1, swiftlet_ints zero_point, swiftlet_ints lower, swiftlet_ints upper,
    swiftlet_ints flip) {
  return (swiftlet_bytes)swiftlet_saturated(
      SWIFTLET_LOW(a0), SWIFTLET_HIGH(a0), SWIFTLET_LOW(a1), SWIFTLET_HIGH(a1), swiftlet_limit(lower, zero_point),
      swiftlet_limit(upper, zero_point), swiftlet_shift(zero_point, flip));
}
// The same for lanes that are within the limits: the low bytes of each.
SWIFTLET_INLINE swiftlet_bytes swiftlet_bounded_bytes(swiftlet_ints a0, swiftlet_ints a1, swiftlet_ints zero_point, swiftlet_ints flip) {
  uint16x8_t halves0 = vuzp1q_u16(vreinterpretq_u16_s32(SWIFTLET_LOW(a0)), vreinterpretq_u16_s32(SWIFTLET_HIGH(a0)));
  uint16x8_t halves1 = vuzp1q_u16(vreinterpretq_u16_s32(SWIFTLET_LOW(a1)), vreinterpretq_u16_s32(SWIFTLET_HIGH(a1)));
  uint8x16_t bytes = vuzp1q_u8(vreinterpretq_u8_u16(halves0), vreinterpretq_u8_u16(halves1));
  return (swiftlet_bytes)vaddq_u8(bytes, swiftlet_shift(zero_point, flip));
}
SWIFTLET_INLINE swiftlet_ints swiftlet_saturated_row(
    swiftlet_ints a, swiftlet_ints b, swiftlet_ints c, swiftlet_ints d, swiftlet_ints zero_point, swiftlet_ints lower,
    swiftlet_ints upper, swiftlet_ints flip) {
  int16x8_t low = swiftlet_limit(lower, zero_point), high = swiftlet_limit(upper, zero_point);
  uint8x16_t shift = swiftlet_shift(zero_point, flip);
  return swiftlet_pair_u8(
      swiftlet_saturated(SWIFTLET_LOW(a), SWIFTLET_LOW(b), SWIFTLET_LOW(c), SWIFTLET_LOW(d), low, high, shift),
      swiftlet_saturated(SWIFTLET_HIGH(a), SWIFTLET_HIGH(b), SWIFTLET_HIGH(c), SWIFTLET_HIGH(d), low, high, shift));
}

// MARK: Interleaved bytes of four rows

SWIFTLET_INLINE swiftlet_ints swiftlet_interleaved(swiftlet_row a, swiftlet_row b, swiftlet_row c, swiftlet_row d) {
  uint8x8x2_t ab = vzip_u8((uint8x8_t)a, (uint8x8_t)b), cd = vzip_u8((uint8x8_t)c, (uint8x8_t)d);
  uint16x4x2_t low = vzip_u16(vreinterpret_u16_u8(ab.val[0]), vreinterpret_u16_u8(cd.val[0]));
  uint16x4x2_t high = vzip_u16(vreinterpret_u16_u8(ab.val[1]), vreinterpret_u16_u8(cd.val[1]));
  return swiftlet_pair_s32(
      vreinterpretq_s32_u16(vcombine_u16(low.val[0], low.val[1])),
      vreinterpretq_s32_u16(vcombine_u16(high.val[0], high.val[1])));
}

#define SWIFTLET_QUARTER(quarter, zip_bytes, zip_halves) \
  SWIFTLET_INLINE swiftlet_ints swiftlet_interleaved_rows_##quarter( \
      swiftlet_ints a, swiftlet_ints b, swiftlet_ints c, swiftlet_ints d) { \
    uint16x8_t low_ab = vreinterpretq_u16_u8(zip_bytes(swiftlet_low_u8(a), swiftlet_low_u8(b))); \
    uint16x8_t low_cd = vreinterpretq_u16_u8(zip_bytes(swiftlet_low_u8(c), swiftlet_low_u8(d))); \
    uint16x8_t high_ab = vreinterpretq_u16_u8(zip_bytes(swiftlet_high_u8(a), swiftlet_high_u8(b))); \
    uint16x8_t high_cd = vreinterpretq_u16_u8(zip_bytes(swiftlet_high_u8(c), swiftlet_high_u8(d))); \
    return swiftlet_pair_s32( \
        vreinterpretq_s32_u16(zip_halves(low_ab, low_cd)), vreinterpretq_s32_u16(zip_halves(high_ab, high_cd))); \
  }
SWIFTLET_QUARTER(0, vzip1q_u8, vzip1q_u16)
SWIFTLET_QUARTER(1, vzip1q_u8, vzip2q_u16)
SWIFTLET_QUARTER(2, vzip2q_u8, vzip1q_u16)
SWIFTLET_QUARTER(3, vzip2q_u8, vzip2q_u16)

// MARK: Reductions over lanes

SWIFTLET_INLINE int swiftlet_largest(swiftlet_ints x) { return vmaxvq_s32(vmaxq_s32(SWIFTLET_LOW(x), SWIFTLET_HIGH(x))); }
SWIFTLET_INLINE float32x4_t swiftlet_largest_of_each(swiftlet_floats a, swiftlet_floats b, swiftlet_floats c, swiftlet_floats d) {
  float32x4_t ab = vpmaxq_f32(vmaxq_f32(SWIFTLET_LOW(a), SWIFTLET_HIGH(a)), vmaxq_f32(SWIFTLET_LOW(b), SWIFTLET_HIGH(b)));
  float32x4_t cd = vpmaxq_f32(vmaxq_f32(SWIFTLET_LOW(c), SWIFTLET_HIGH(c)), vmaxq_f32(SWIFTLET_LOW(d), SWIFTLET_HIGH(d)));
  return vpmaxq_f32(ab, cd);
}
SWIFTLET_INLINE int swiftlet_sum(swiftlet_ints x) { return vaddvq_s32(vaddq_s32(SWIFTLET_LOW(x), SWIFTLET_HIGH(x))); }
SWIFTLET_INLINE int32x4_t swiftlet_sums(swiftlet_ints a, swiftlet_ints b, swiftlet_ints c, swiftlet_ints d) {
  int32x4_t ab = vpaddq_s32(vaddq_s32(SWIFTLET_LOW(a), SWIFTLET_HIGH(a)), vaddq_s32(SWIFTLET_LOW(b), SWIFTLET_HIGH(b)));
  int32x4_t cd = vpaddq_s32(vaddq_s32(SWIFTLET_LOW(c), SWIFTLET_HIGH(c)), vaddq_s32(SWIFTLET_LOW(d), SWIFTLET_HIGH(d)));
  return vpaddq_s32(ab, cd);
}

SWIFTLET_INLINE float32x4_t swiftlet_float_sums(swiftlet_floats a, swiftlet_floats b, swiftlet_floats c, swiftlet_floats d) {
  float32x4_t ab = vpaddq_f32(vaddq_f32(SWIFTLET_LOW(a), SWIFTLET_HIGH(a)), vaddq_f32(SWIFTLET_LOW(b), SWIFTLET_HIGH(b)));
  float32x4_t cd = vpaddq_f32(vaddq_f32(SWIFTLET_LOW(c), SWIFTLET_HIGH(c)), vaddq_f32(SWIFTLET_LOW(d), SWIFTLET_HIGH(d)));
  return vpaddq_f32(ab, cd);
}

// Looks up sixteen entries of a table of 256 bytes by four lookups in 64 bytes each. For every index, all but one
// return 0.
SWIFTLET_INLINE swiftlet_bytes swiftlet_look_up(const unsigned char *table, swiftlet_bytes bytes) {
  uint8x16_t x = (uint8x16_t)bytes, part = vdupq_n_u8(64);
  uint8x16_t result = vqtbl4q_u8(vld1q_u8_x4(table), x);
  x = vsubq_u8(x, part);
  result = vqtbx4q_u8(result, vld1q_u8_x4(table + 64), x);
  x = vsubq_u8(x, part);
  result = vqtbx4q_u8(result, vld1q_u8_x4(table + 128), x);
  x = vsubq_u8(x, part);
  return (swiftlet_bytes)vqtbx4q_u8(result, vld1q_u8_x4(table + 192), x);
}

// MARK: 4-way dot products

#if defined(__ARM_FEATURE_DOTPROD)
SWIFTLET_INLINE int32x4_t swiftlet_dot_lanes(int32x4_t sum, int32x4_t input, int32x4_t weights) {
  // The second factor can be a lane of a register.
  return vdotq_s32(sum, vreinterpretq_s8_s32(weights), vreinterpretq_s8_s32(input));
}
#else
SWIFTLET_INLINE int32x4_t swiftlet_dot_lanes(int32x4_t sum, int32x4_t input, int32x4_t weights) {
  int8x16_t a = vreinterpretq_s8_s32(input), b = vreinterpretq_s8_s32(weights);
  // Products fit in 16 bits, but sums of two may not.
  int32x4_t low = vpaddlq_s16(vmull_s8(vget_low_s8(a), vget_low_s8(b))), high = vpaddlq_s16(vmull_high_s8(a, b));
  return vaddq_s32(sum, vpaddq_s32(low, high));
}
#endif
SWIFTLET_INLINE swiftlet_ints swiftlet_dot(swiftlet_ints sum, swiftlet_ints input, swiftlet_ints weights) {
  return swiftlet_pair_s32(
      swiftlet_dot_lanes(SWIFTLET_LOW(sum), SWIFTLET_LOW(input), SWIFTLET_LOW(weights)),
      swiftlet_dot_lanes(SWIFTLET_HIGH(sum), SWIFTLET_HIGH(input), SWIFTLET_HIGH(weights)));
}

// MARK: Matrix products of rows and columns of eight bytes

#if defined(__ARM_FEATURE_MATMUL_INT8)
SWIFTLET_INLINE swiftlet_ints swiftlet_add_matrix_products(swiftlet_ints sums, swiftlet_bytes rows, swiftlet_ints columns) {
  int8x16_t x = (int8x16_t)rows;
  return swiftlet_pair_s32(
      vmmlaq_s32(SWIFTLET_LOW(sums), x, vreinterpretq_s8_s32(SWIFTLET_LOW(columns))),
      vmmlaq_s32(SWIFTLET_HIGH(sums), x, vreinterpretq_s8_s32(SWIFTLET_HIGH(columns))));
}
#endif
#if defined(__ARM_FEATURE_BF16_VECTOR_ARITHMETIC)
// Swift doesn't import intrinsics on bfloat16 vectors. These functions take integer vectors with the same bits.
SWIFTLET_INLINE swiftlet_floats swiftlet_bf16_add_matrix_products(swiftlet_floats sums, swiftlet_bytes rows, swiftlet_ints columns) {
  bfloat16x8_t x = (bfloat16x8_t)rows;
  return swiftlet_pair_f32(
      vbfmmlaq_f32(SWIFTLET_LOW(sums), x, vreinterpretq_bf16_s32(SWIFTLET_LOW(columns))),
      vbfmmlaq_f32(SWIFTLET_HIGH(sums), x, vreinterpretq_bf16_s32(SWIFTLET_HIGH(columns))));
}
SWIFTLET_INLINE int32x4_t swiftlet_bf16_rounded(swiftlet_floats x) {
  return vreinterpretq_s32_bf16(vcvtq_high_bf16_f32(vcvtq_low_bf16_f32(SWIFTLET_LOW(x)), SWIFTLET_HIGH(x)));
}
SWIFTLET_INLINE swiftlet_ints swiftlet_bf16_round(swiftlet_floats low, swiftlet_floats high) {
  return swiftlet_pair_s32(swiftlet_bf16_rounded(low), swiftlet_bf16_rounded(high));
}
#endif
SWIFTLET_INLINE swiftlet_bytes swiftlet_low_pair(swiftlet_bytes a, swiftlet_bytes b) {
  return (swiftlet_bytes)vzip1q_u64(vreinterpretq_u64_u8((uint8x16_t)a), vreinterpretq_u64_u8((uint8x16_t)b));
}
SWIFTLET_INLINE swiftlet_bytes swiftlet_high_pair(swiftlet_bytes a, swiftlet_bytes b) {
  return (swiftlet_bytes)vzip2q_u64(vreinterpretq_u64_u8((uint8x16_t)a), vreinterpretq_u64_u8((uint8x16_t)b));
}
#define SWIFTLET_TWICE(number, half) \
  SWIFTLET_INLINE swiftlet_ints swiftlet_matrices_##number(swiftlet_ints x) { \
    return __builtin_shufflevector(x, x, half, half + 1, half, half + 1, half + 2, half + 3, half + 2, half + 3); \
  }
SWIFTLET_TWICE(0, 0)
SWIFTLET_TWICE(1, 4)
SWIFTLET_INLINE swiftlet_ints swiftlet_rows_0(swiftlet_ints a, swiftlet_ints b) {
  return __builtin_shufflevector(a, b, 0, 1, 4, 5, 8, 9, 12, 13);
}
SWIFTLET_INLINE swiftlet_ints swiftlet_rows_1(swiftlet_ints a, swiftlet_ints b) {
  return __builtin_shufflevector(a, b, 2, 3, 6, 7, 10, 11, 14, 15);
}

// Swaps the halves. The optimizer must not see the swap, or it would split the products of the high halves.
SWIFTLET_INLINE swiftlet_bytes swiftlet_swapped(swiftlet_bytes x) {
  uint8x16_t swapped = vextq_u8((uint8x16_t)x, (uint8x16_t)x, 8);
  __asm__("" : "+w"(swapped));
  return (swiftlet_bytes)swapped;
}
// Each of the eight products fits in 16 bits. Pairs of them are added to four sums.
SWIFTLET_INLINE int32x4_t swiftlet_add_low_products(int32x4_t sums, swiftlet_bytes x, swiftlet_bytes y) {
  return vpadalq_s16(sums, vmull_s8(vget_low_s8((int8x16_t)x), vget_low_s8((int8x16_t)y)));
}
SWIFTLET_INLINE int32x4_t swiftlet_add_high_products(int32x4_t sums, swiftlet_bytes x, swiftlet_bytes y) {
  return vpadalq_s16(sums, vmull_high_s8((int8x16_t)x, (int8x16_t)y));
}
SWIFTLET_INLINE swiftlet_ints swiftlet_added_up(
    int32x4_t a, int32x4_t b, int32x4_t c, int32x4_t d, int32x4_t e, int32x4_t f, int32x4_t g, int32x4_t h) {
  return swiftlet_pair_s32(
      vpaddq_s32(vpaddq_s32(a, b), vpaddq_s32(c, d)), vpaddq_s32(vpaddq_s32(e, f), vpaddq_s32(g, h)));
}
