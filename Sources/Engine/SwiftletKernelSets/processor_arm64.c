// Detects the features of an arm64 CPU beyond Armv8.0, as reported by the operating system.
#include "SwiftletKernelSets.h"

#if defined(SWIFTLET_ARM64)

#if defined(__APPLE__)

#include <sys/sysctl.h>

static int32_t has(const char *name) {
  int value = 0;
  size_t size = sizeof(value);
  return sysctlbyname(name, &value, &size, 0, 0) == 0 && value != 0;
}

swiftlet_arm64_features swiftlet_arm64_processor(void) {
  swiftlet_arm64_features features = {
      .dotprod = has("hw.optional.arm.FEAT_DotProd"),
      .i8mm = has("hw.optional.arm.FEAT_I8MM"),
      .bf16 = has("hw.optional.arm.FEAT_BF16"),
  };
  return features;
}

#elif defined(__linux__)

#include <sys/auxv.h>

// The constants of the Linux user-space interface. Older C library headers lack the second one.
#define DOT_PRODUCTS (1UL << 20)
#define INTEGER_MATRICES (1UL << 13)
#define BFLOAT16 (1UL << 14)

swiftlet_arm64_features swiftlet_arm64_processor(void) {
  swiftlet_arm64_features features = {
      .dotprod = (getauxval(AT_HWCAP) & DOT_PRODUCTS) != 0,
      .i8mm = (getauxval(AT_HWCAP2) & INTEGER_MATRICES) != 0,
      .bf16 = (getauxval(AT_HWCAP2) & BFLOAT16) != 0,
  };
  return features;
}

#else

swiftlet_arm64_features swiftlet_arm64_processor(void) {
  swiftlet_arm64_features features = {0};
  return features;
}

#endif
#endif
