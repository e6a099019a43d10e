// Atomic operations on a word, in sequentially consistent order: what Swift has no words for where the Synchronization module is missing.
// The compiler's own instructions, inlined: nothing of this is in a library.
#ifndef SWIFTLET_SYNCHRONIZATION_H
#define SWIFTLET_SYNCHRONIZATION_H

#include <stdbool.h>
#include <stdint.h>

static inline intptr_t swiftlet_word_load(const intptr_t *word) { return __atomic_load_n(word, __ATOMIC_SEQ_CST); }

static inline void swiftlet_word_store(intptr_t *word, intptr_t value) { __atomic_store_n(word, value, __ATOMIC_SEQ_CST); }

static inline intptr_t swiftlet_word_exchange(intptr_t *word, intptr_t value) { return __atomic_exchange_n(word, value, __ATOMIC_SEQ_CST); }

// These two return what was there before.
static inline intptr_t swiftlet_word_add(intptr_t *word, intptr_t value) { return __atomic_fetch_add(word, value, __ATOMIC_SEQ_CST); }

static inline intptr_t swiftlet_word_and(intptr_t *word, intptr_t value) { return __atomic_fetch_and(word, value, __ATOMIC_SEQ_CST); }

// Writes what was there to `expected` where it was something else.
static inline bool swiftlet_word_compare_exchange(intptr_t *word, intptr_t *expected, intptr_t desired) {
  return __atomic_compare_exchange_n(word, expected, desired, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

#endif
