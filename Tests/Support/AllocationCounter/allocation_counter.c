#include "AllocationCounter.h"

#include <errno.h>
#include <stdlib.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define HAS_OWN_ALLOCATOR 1
#endif
#endif

#if defined(__GLIBC__) && !defined(HAS_OWN_ALLOCATOR)

// A program's functions take precedence over those of the libraries it loads, so every allocation of the process passes
// through here. glibc keeps its own functions under these names for that purpose.
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

static _Thread_local struct swiftlet_test_allocations so_far;

static void count(size_t bytes) {
  so_far.count += 1;
  so_far.bytes += bytes;
}

void *malloc(size_t size) {
  count(size);
  return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
  count(number * size);
  return __libc_calloc(number, size);
}

void *realloc(void *memory, size_t size) {
  count(size);
  return __libc_realloc(memory, size);
}

void *memalign(size_t alignment, size_t size) {
  count(size);
  return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  count(size);
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
  count(size);
  void *result = __libc_memalign(alignment, size);
  if (result == NULL) return ENOMEM;
  *memory = result;
  return 0;
}

bool swiftlet_test_counts_allocations(void) { return true; }

struct swiftlet_test_allocations swiftlet_test_allocations_so_far(void) { return so_far; }

#else

bool swiftlet_test_counts_allocations(void) { return false; }

struct swiftlet_test_allocations swiftlet_test_allocations_so_far(void) {
  struct swiftlet_test_allocations nothing = {0, 0};
  return nothing;
}

#endif
