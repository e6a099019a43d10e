#ifndef SWIFTLET_ALLOCATION_COUNTER_H
#define SWIFTLET_ALLOCATION_COUNTER_H

#include <stdbool.h>
#include <stddef.h>

/// The memory that a thread has requested from the system's allocator.
struct swiftlet_test_allocations {
  size_t count;
  size_t bytes;
};

/// Whether allocations are counted: on glibc, and not under a sanitizer with an allocator of its own.
bool swiftlet_test_counts_allocations(void);

/// Returns all allocations of the calling thread so far; zeros if they aren't counted.
struct swiftlet_test_allocations swiftlet_test_allocations_so_far(void);

#endif
