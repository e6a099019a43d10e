// Sequentially consistent atomic operations on a word, for platforms without the Synchronization module, and a short
// spin wait. Swift has neither.
// All functions are inlined compiler builtins, so that no library is needed.
#ifndef SWIFTLET_SYNCHRONIZATION_H
#define SWIFTLET_SYNCHRONIZATION_H

#include <stdbool.h>
#include <stdint.h>

static inline intptr_t swiftlet_word_load(const intptr_t *word) { return __atomic_load_n(word, __ATOMIC_SEQ_CST); }

static inline void swiftlet_word_store(intptr_t *word, intptr_t value) { __atomic_store_n(word, value, __ATOMIC_SEQ_CST); }

static inline intptr_t swiftlet_word_exchange(intptr_t *word, intptr_t value) { return __atomic_exchange_n(word, value, __ATOMIC_SEQ_CST); }

// The next two functions return the previous value.
static inline intptr_t swiftlet_word_add(intptr_t *word, intptr_t value) { return __atomic_fetch_add(word, value, __ATOMIC_SEQ_CST); }

static inline intptr_t swiftlet_word_and(intptr_t *word, intptr_t value) { return __atomic_fetch_and(word, value, __ATOMIC_SEQ_CST); }

// If the comparison fails, writes the current value to `expected`.
static inline bool swiftlet_word_compare_exchange(intptr_t *word, intptr_t *expected, intptr_t desired) {
  return __atomic_compare_exchange_n(word, expected, desired, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

// Waits for tens of nanoseconds and yields the core's execution units to the other hardware thread.
static inline void swiftlet_spin_wait(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  // `yield` takes no time on cores that run one thread, but `isb` does.
  __asm__ volatile("isb" ::: "memory");
#endif
}

#endif
