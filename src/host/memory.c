/* memory.c - memory by the caller's hooks or aligned_alloc, counted in bytes_held */
#include <stdlib.h>
#if defined(__linux__)
#include <sys/mman.h>
#endif

#include "context.h"
#include "status.h"

static void *allocate_aligned(void *user, size_t bytes) {
  (void)user;
  size_t rounded;
  if (__builtin_add_overflow(bytes, (size_t)63, &rounded)) return NULL;
  return aligned_alloc(64, rounded & ~(size_t)63);
}

static void release_aligned(void *user, void *memory, size_t bytes) {
  (void)user, (void)bytes;
  free(memory);
}

void hd_set_allocator(heddle_context *ctx, heddle_allocate *allocate, heddle_release *release,
                      void *user) {
  ctx->allocate = allocate ? allocate : allocate_aligned;
  ctx->release = release ? release : release_aligned;
  ctx->memory_user = user;
}

void *hd_allocate(heddle_context *ctx, size_t bytes) {
  void *memory = ctx->allocate(ctx->memory_user, bytes);
  if (!memory) {
    (void)hd_fail(HEDDLE_OUT_OF_MEMORY,
                  "heddle: the allocator of context %s gave no %zu bytes of scratch memory; free "
                  "some memory or use fewer threads or bins",
                  ctx->device, bytes);
    return NULL;
  }
  atomic_fetch_add(&ctx->bytes_held, bytes);
  return memory;
}

void hd_release(heddle_context *ctx, void *memory, size_t bytes) {
  if (!memory) return;
  atomic_fetch_sub(&ctx->bytes_held, bytes);
  ctx->release(ctx->memory_user, memory, bytes);
}

void hd_large_pages(void *memory, size_t bytes) {
#if defined(__linux__) && defined(MADV_HUGEPAGE)
  enum { PAGE = 4096, LARGE = 2 << 20 };
  const uintptr_t start = ((uintptr_t)memory + PAGE - 1) & ~(uintptr_t)(PAGE - 1);
  const uintptr_t end = ((uintptr_t)memory + bytes) & ~(uintptr_t)(PAGE - 1);
  if (bytes >= 2 * LARGE) (void)madvise((void *)start, end - start, MADV_HUGEPAGE);
#else
  (void)memory, (void)bytes;
#endif
}
