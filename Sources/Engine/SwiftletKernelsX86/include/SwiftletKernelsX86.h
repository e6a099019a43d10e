// The kernels of SwiftletKernels compiled ahead of time for two levels of x86-64, and what is needed to choose one.
// Every kernel is declared once, in kernels.inc, and exists once per level; those in bfloat16_kernels.inc only for processors that multiply
// bfloat16 numbers.
#pragma once

#include <stdint.h>

typedef struct swiftlet_cpuid_registers {
  uint32_t eax, ebx, ecx, edx;
} swiftlet_cpuid_registers;

void swiftlet_cpuid(uint32_t leaf, uint32_t subleaf, swiftlet_cpuid_registers *_Nonnull registers);
uint64_t swiftlet_xgetbv(uint32_t index);

#define SWIFTLET_KERNEL(name) swiftlet_avx2_##name
#include "kernels.inc"
#undef SWIFTLET_KERNEL

#define SWIFTLET_KERNEL(name) swiftlet_avx512_##name
#include "kernels.inc"
#undef SWIFTLET_KERNEL

#define SWIFTLET_KERNEL(name) swiftlet_avx512bf16_##name
#include "bfloat16_kernels.inc"
#undef SWIFTLET_KERNEL
