// The kernels of every instruction set as a table of functions, and what is needed to choose one.
#pragma once

#include <stdint.h>

// Where ahead-of-time kernels are: their calling convention is that of ELF and Mach-O.
#if defined(__ELF__) || defined(__APPLE__)
#if defined(__x86_64__) && !defined(__ILP32__)
#define SWIFTLET_X86_64
#elif defined(__aarch64__) && !defined(__ILP32__) && !defined(__AARCH64EB__)
#define SWIFTLET_ARM64
#endif
#endif

#define SWIFTLET_KERNEL(result, name, parameters) result(*_Nonnull name) parameters;

/// What multiplies bfloat16 numbers, on processors that have instructions for it besides those of another set.
typedef struct swiftlet_bfloat16_kernel_set {
#include "../bfloat16_kernels.inc"
  /// As SWIFTLET_ISA, reports and benchmarks spell it.
  const char *_Nonnull name;
} swiftlet_bfloat16_kernel_set;

/// All kernels in the variant for one instruction set.
typedef struct swiftlet_kernel_set {
#include "../kernels.inc"
  const char *_Nonnull name;
  const swiftlet_bfloat16_kernel_set *_Nullable bfloat16;
} swiftlet_kernel_set;

#undef SWIFTLET_KERNEL

/// The sets that this program holds, slowest first; null behind the last. The first runs on every processor.
const swiftlet_kernel_set *_Nullable swiftlet_kernel_set_at(intptr_t index);

#if defined(SWIFTLET_X86_64)
typedef struct swiftlet_cpuid_registers {
  uint32_t eax, ebx, ecx, edx;
} swiftlet_cpuid_registers;

void swiftlet_cpuid(uint32_t leaf, uint32_t subleaf, swiftlet_cpuid_registers *_Nonnull registers);
uint64_t swiftlet_xgetbv(uint32_t index);
#endif

#if defined(SWIFTLET_ARM64)
/// Whether the processor has instructions beyond Armv8.0.
typedef struct swiftlet_arm64_features {
  int32_t dotprod, i8mm, bf16;
} swiftlet_arm64_features;

swiftlet_arm64_features swiftlet_arm64_processor(void);
#endif
