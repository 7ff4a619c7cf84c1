// Programs that are built for a checker or a profiler.
//
// Result   simt::notify_read, notify_write and their kin: accesses that the compiler does not see;
//          simt::polls. Nothing in other programs
// Method   the calls of -fsanitize=thread, made by hand (SIMT_INSTRUMENTED in abi.h)
#ifndef SIMT_INSTRUMENTED_HPP
#define SIMT_INSTRUMENTED_HPP

#include "abi.h"

#if SIMT_INSTRUMENTED
extern "C" {
void __tsan_read2(void *memory);
void __tsan_read4(void *memory);
void __tsan_read8(void *memory);
void __tsan_read16(void *memory);
void __tsan_write4(void *memory);
void __tsan_write8(void *memory);
void __tsan_write16(void *memory);
void __tsan_read_range(void *memory, long bytes);
void __tsan_write_range(void *memory, long bytes);
}
#endif

namespace simt {

SIMT_SEEN void notify_read(const void *memory, size_t bytes) {
#if SIMT_INSTRUMENTED
  if (bytes) __tsan_read_range(const_cast<void *>(memory), long(bytes));
#else
  (void)memory, (void)bytes;
#endif
}

SIMT_SEEN void notify_write(void *memory, size_t bytes) {
#if SIMT_INSTRUMENTED
  if (bytes) __tsan_write_range(memory, long(bytes));
#else
  (void)memory, (void)bytes;
#endif
}

// Before an access that the compiler does not see: what its type needs.
SIMT_SEEN void notify_alignment(const volatile void *memory, size_t multiple) {
#if SIMT_INSTRUMENTED
  if (reinterpret_cast<uintptr_t>(memory) % multiple)
    simt_misaligned(const_cast<const void *>(memory), multiple);
#else
  (void)memory, (void)multiple;
#endif
}

// Of a vector of 4, 8 or 16 bytes, which has to be aligned; any other size: as above.
SIMT_SEEN void notify_vector_read(const void *memory, size_t bytes) {
#if SIMT_INSTRUMENTED
  void *const p = const_cast<void *>(memory);
  switch (bytes) {
  case 4: __tsan_read4(p); break;
  case 8: __tsan_read8(p); break;
  case 16: notify_alignment(p, 16), __tsan_read16(p); break;
  default: notify_read(memory, bytes);
  }
#else
  (void)memory, (void)bytes;
#endif
}

SIMT_SEEN void notify_vector_write(void *memory, size_t bytes) {
#if SIMT_INSTRUMENTED
  switch (bytes) {
  case 4: __tsan_write4(memory); break;
  case 8: __tsan_write8(memory); break;
  case 16: notify_alignment(memory, 16), __tsan_write16(memory); break;
  default: notify_write(memory, bytes);
  }
#else
  (void)memory, (void)bytes;
#endif
}

// While one lives, what the thread reads is the condition of a loop that waits for others.
struct polls {
  SIMT_QUIET polls() { simt_polling(1); }
  SIMT_QUIET ~polls() { simt_polling(0); }
};

// Copies and fills of whole ranges.
SIMT_SEEN void copy_bytes(void *to, const void *from, size_t bytes) {
  notify_read(from, bytes);
  notify_write(to, bytes);
  __builtin_memcpy(to, from, bytes);
}
SIMT_SEEN void fill_bytes(void *to, int value, size_t bytes) {
  notify_write(to, bytes);
  __builtin_memset(to, value, bytes);
}

// memcpy, memmove, memset and memcmp of device code: the compiler does not see into them.
SIMT_SEEN void *copy_memory(void *to, const void *from, size_t bytes) {
  notify_read(from, bytes);
  notify_write(to, bytes);
  return __builtin_memmove(to, from, bytes);
}
SIMT_SEEN void *set_memory(void *to, int value, size_t bytes) {
  notify_write(to, bytes);
  return __builtin_memset(to, value, bytes);
}
SIMT_SEEN int compare_memory(const void *a, const void *b, size_t bytes) {
  notify_read(a, bytes);
  notify_read(b, bytes);
  return __builtin_memcmp(a, b, bytes);
}

// A copy of 4, 8 or 16 bytes in one piece, the end of it zeros.
SIMT_SEEN void copy_vector(void *to, const void *from, size_t bytes, size_t copied) {
  if (copied) notify_vector_read(from, copied);
  notify_vector_write(to, bytes);
  __builtin_memcpy(to, from, copied);
  __builtin_memset(static_cast<char *>(to) + copied, 0, bytes - copied);
}

// A copy that the thread has to wait for; the batch is complete; the wait for all but `prior` batches.
SIMT_SMALL void async_copied(const void *to, size_t bytes) {
#if defined __SIMT_CHECK__ && SIMT_INSTRUMENTED
  simt_async_copied(to, bytes);
#else
  (void)to, (void)bytes;
#endif
}
SIMT_SMALL void async_committed() {
#if defined __SIMT_CHECK__ && SIMT_INSTRUMENTED
  simt_async_committed();
#endif
}
SIMT_SMALL void async_wait(size_t prior) {
#if defined __SIMT_CHECK__ && SIMT_INSTRUMENTED
  simt_async_wait(prior);
#else
  (void)prior;
#endif
}
// A copy that is complete in this use of a barrier object or of a pipeline's stage; the thread's own
// copies become such; the thread has seen the end of uses up to this one.
SIMT_SMALL void async_bound(const void *to, size_t bytes, const volatile void *object,
                            unsigned use) {
#if defined __SIMT_CHECK__ && SIMT_INSTRUMENTED
  simt_async_bound(to, bytes, const_cast<const void *>(object), use);
#else
  (void)to, (void)bytes, (void)object, (void)use;
#endif
}
SIMT_SMALL void async_bind(const volatile void *object, unsigned use) {
#if defined __SIMT_CHECK__ && SIMT_INSTRUMENTED
  simt_async_bind(const_cast<const void *>(object), use);
#else
  (void)object, (void)use;
#endif
}
SIMT_SMALL void async_seen(const volatile void *object, unsigned use) {
#if defined __SIMT_CHECK__ && SIMT_INSTRUMENTED
  simt_async_seen(const_cast<const void *>(object), use);
#else
  (void)object, (void)use;
#endif
}

#ifdef __SIMT_PROFILE__
// True, which the compiler is not to know: the condition of a loop that has none.
inline __attribute__((always_inline)) bool opaque_true() {
  int one;
  __asm__("" : "=r"(one) : "0"(1));
  return one != 0;
}
constexpr inline __attribute__((always_inline)) bool always() {
  return __builtin_is_constant_evaluated() || opaque_true();
}
#endif

} // namespace simt
#endif
