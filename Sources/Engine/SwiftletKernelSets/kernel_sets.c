// The list of instruction sets. One more is a block here, a row of Tools/build-kernels and a case of the processor query
// (Sources/Engine/SwiftletKernels/Table/Processor.swift).
#include "SwiftletKernelSets.h"

#define SWIFTLET_JOINED_(first, second) first##second
#define SWIFTLET_JOINED(first, second) SWIFTLET_JOINED_(first, second)
#define SWIFTLET_TEXT_(name) #name
#define SWIFTLET_TEXT(name) SWIFTLET_TEXT_(name)

#define SWIFTLET_LEVEL portable
#if defined(SWIFTLET_COMPILES_KERNELS) || !(defined(SWIFTLET_X86_64) || defined(SWIFTLET_ARM64))
// Compiled with the package, from Sources/Engine/SwiftletKernelSources.
#define SWIFTLET_PREFIX swiftlet_
#endif
#include "define_set.inc"

#if defined(SWIFTLET_X86_64)

#define SWIFTLET_LEVEL avx2
#include "define_set.inc"

#define SWIFTLET_LEVEL avxvnni
#include "define_set.inc"

#define SWIFTLET_LEVEL avx512bf16
#define SWIFTLET_ENTRY_POINTS "bfloat16_kernels.inc"
#define SWIFTLET_SET swiftlet_bfloat16_kernel_set
#include "define_set.inc"

#define SWIFTLET_LEVEL avx512
#define SWIFTLET_REST .bfloat16 = &avx512bf16_set,
#include "define_set.inc"

#elif defined(SWIFTLET_ARM64)

#define SWIFTLET_LEVEL neon
#include "define_set.inc"

#define SWIFTLET_LEVEL dotprod
#include "define_set.inc"

#define SWIFTLET_LEVEL bf16
#define SWIFTLET_ENTRY_POINTS "bfloat16_kernels.inc"
#define SWIFTLET_SET swiftlet_bfloat16_kernel_set
#include "define_set.inc"

#define SWIFTLET_LEVEL i8mm
#define SWIFTLET_REST .bfloat16 = &bf16_set,
#include "define_set.inc"

#endif

static const swiftlet_kernel_set *const sets[] = {
    &portable_set,
#if defined(SWIFTLET_X86_64)
    &avx2_set,
    &avxvnni_set,
    &avx512_set,
#elif defined(SWIFTLET_ARM64)
    &neon_set,
    &dotprod_set,
    &i8mm_set,
#endif
};

const swiftlet_kernel_set *_Nullable swiftlet_kernel_set_at(intptr_t index) {
  return index >= 0 && index < (intptr_t)(sizeof(sets) / sizeof(sets[0])) ? sets[index] : 0;
}
