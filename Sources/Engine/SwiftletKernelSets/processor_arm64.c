// What an arm64 processor has beyond Armv8.0, as the operating system tells it.
#include "SwiftletKernelSets.h"

#if defined(__aarch64__) && defined(__linux__)

#include <sys/auxv.h>

// From the kernel's interface for programs; older headers of the C library lack the second.
#define DOT_PRODUCTS (1UL << 20)
#define INTEGER_MATRICES (1UL << 13)

swiftlet_arm64_features swiftlet_arm64_processor(void) {
  swiftlet_arm64_features features = {
      .dotprod = (getauxval(AT_HWCAP) & DOT_PRODUCTS) != 0,
      .i8mm = (getauxval(AT_HWCAP2) & INTEGER_MATRICES) != 0,
  };
  return features;
}

#endif
