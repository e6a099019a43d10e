// What the thread sanitizer cannot see of Swift's Mutex: where threads wait for one, it is handed over inside libswiftSynchronization, which is not built
// for the sanitizer. Without this, what a waiting thread does with the mutex's value looks like a race.
//
// Loaded before that library (LD_PRELOAD) by Tools/sanitize/check; it calls the library's own functions and tells the sanitizer what they did. Linux only.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

typedef __attribute__((swiftcall)) void lock_function(uint32_t state, __attribute__((swift_context)) void *mutex);
typedef __attribute__((swiftcall)) void unlock_function(__attribute__((swift_context)) void *mutex);

static lock_function *original_lock;
static unlock_function *original_unlock;
static void (*acquire)(void *);
static void (*release)(void *);

__attribute__((constructor)) static void find_functions(void) {
  acquire = (void (*)(void *))dlsym(RTLD_DEFAULT, "__tsan_acquire");
  release = (void (*)(void *))dlsym(RTLD_DEFAULT, "__tsan_release");
  original_lock = (lock_function *)dlsym(RTLD_NEXT, LOCK);
  original_unlock = (unlock_function *)dlsym(RTLD_NEXT, UNLOCK);
}

__attribute__((swiftcall)) void lock_slow(uint32_t state, __attribute__((swift_context)) void *mutex) __asm__(LOCK);
__attribute__((swiftcall)) void lock_slow(uint32_t state, __attribute__((swift_context)) void *mutex) {
  original_lock(state, mutex);
  if (acquire) acquire(mutex);
}

__attribute__((swiftcall)) void unlock_slow(__attribute__((swift_context)) void *mutex) __asm__(UNLOCK);
__attribute__((swiftcall)) void unlock_slow(__attribute__((swift_context)) void *mutex) {
  if (release) release(mutex);
  original_unlock(mutex);
}
