#ifndef SWIFTLET_ALLOCATION_COUNTER_H
#define SWIFTLET_ALLOCATION_COUNTER_H

#include <stdbool.h>
#include <stddef.h>

/// What a thread has asked the system's allocator for.
struct swiftlet_test_allocations {
  size_t count;
  size_t bytes;
};

/// Whether allocations are counted here: on glibc, and not under a sanitizer that brings an allocator of its own.
bool swiftlet_test_counts_allocations(void);

/// All allocations of the calling thread so far; zeros where they are not counted.
struct swiftlet_test_allocations swiftlet_test_allocations_so_far(void);

#endif
