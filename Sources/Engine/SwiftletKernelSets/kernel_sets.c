// The kernel sets, which levels.inc lists. Tools/build-kernels writes that file from its list of levels.
#include "SwiftletKernelSets.h"

#define SWIFTLET_JOINED_(first, second) first##second
#define SWIFTLET_JOINED(first, second) SWIFTLET_JOINED_(first, second)
#define SWIFTLET_TEXT_(name) #name
#define SWIFTLET_TEXT(name) SWIFTLET_TEXT_(name)

#include "levels.inc"

static const swiftlet_kernel_set *const sets[] = {SWIFTLET_SETS};

const swiftlet_kernel_set *_Nullable swiftlet_kernel_set_at(intptr_t index) {
  return index >= 0 && index < (intptr_t)(sizeof(sets) / sizeof(sets[0])) ? sets[index] : 0;
}
