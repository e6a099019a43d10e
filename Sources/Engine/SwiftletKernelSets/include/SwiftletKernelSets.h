// Tables of the kernels for every instruction set, and the functions that select one.
#pragma once

#include <stdint.h>

// Platforms with ahead-of-time kernels, which follow the calling convention of ELF and Mach-O.
#if defined(__ELF__) || defined(__APPLE__)
#if defined(__x86_64__) && !defined(__ILP32__)
#define SWIFTLET_X86_64
#elif defined(__aarch64__) && !defined(__ILP32__) && !defined(__AARCH64EB__)
#define SWIFTLET_ARM64
#endif
#endif

#define SWIFTLET_KERNEL(result, name, parameters) result(*_Nonnull name) parameters;

/// The bfloat16 kernels for CPUs that support bfloat16 in addition to the instructions of another set.
typedef struct swiftlet_bfloat16_kernel_set {
#include "../bfloat16_kernels.inc"
  /// The name in SWIFTLET_ISA, reports, and benchmarks.
  const char *_Nonnull name;
} swiftlet_bfloat16_kernel_set;

/// All kernels for one instruction set.
typedef struct swiftlet_kernel_set {
#include "../kernels.inc"
  const char *_Nonnull name;
  const swiftlet_bfloat16_kernel_set *_Nullable bfloat16;
} swiftlet_kernel_set;

#undef SWIFTLET_KERNEL

/// Returns the kernel sets in this program, slowest first, or null past the last one. The first set runs on every CPU.
const swiftlet_kernel_set *_Nullable swiftlet_kernel_set_at(intptr_t index);

/// Flushes denormals to zero on this thread (FTZ and DAZ). Returns the previous mode for swiftlet_restore_denormals.
static inline uint64_t swiftlet_flush_denormals(void) {
#if defined(__x86_64__)
  uint32_t state, flushing;
  __asm__ volatile("stmxcsr %0" : "=m"(state) : : "memory");
  flushing = state | 0x8040;
  __asm__ volatile("ldmxcsr %0" : : "m"(flushing) : "memory");
  return state;
#elif defined(__aarch64__)
  uint64_t state;
  __asm__ volatile("mrs %0, fpcr" : "=r"(state) : : "memory");
  __asm__ volatile("msr fpcr, %0" : : "r"(state | (UINT64_C(1) << 24)) : "memory");
  return state;
#else
  return 0;
#endif
}

static inline void swiftlet_restore_denormals(uint64_t state) {
#if defined(__x86_64__)
  uint32_t word = (uint32_t)state;
  __asm__ volatile("ldmxcsr %0" : : "m"(word) : "memory");
#elif defined(__aarch64__)
  __asm__ volatile("msr fpcr, %0" : : "r"(state) : "memory");
#else
  (void)state;
#endif
}

#if defined(SWIFTLET_X86_64)
typedef struct swiftlet_cpuid_registers {
  uint32_t eax, ebx, ecx, edx;
} swiftlet_cpuid_registers;

void swiftlet_cpuid(uint32_t leaf, uint32_t subleaf, swiftlet_cpuid_registers *_Nonnull registers);
uint64_t swiftlet_xgetbv(uint32_t index);
#endif

#if defined(SWIFTLET_ARM64)
/// The support for instructions beyond Armv8.0.
typedef struct swiftlet_arm64_features {
  int32_t dotprod, i8mm, bf16;
} swiftlet_arm64_features;

swiftlet_arm64_features swiftlet_arm64_processor(void);
#endif
