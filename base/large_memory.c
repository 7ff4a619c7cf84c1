/* large_memory.c - malloc's memory below LARGE; from there on mappings whose first byte begins a large page
 *
 * Method  A mapping that cannot grow where it is moves to where there is room, page table by page table: as both ends
 *         begin large pages these stay whole. */
#include "base/large_memory.h"

#include <stdlib.h>
#include <string.h>

#if defined(__linux__)
#include <stdint.h>
#include <sys/mman.h>

enum { PAGE = 2 << 20, LARGE = 2 * PAGE };

/* Whole large pages, or 0: so many are not addressed. */
static size_t mapped_bytes(size_t bytes) {
  return bytes > SIZE_MAX - 2 * (size_t)PAGE ? 0 : (bytes + PAGE - 1) & ~(size_t)(PAGE - 1);
}

/* Addresses of so many bytes from a large page's first one on; they are nobody's then. */
static char *reserve(size_t bytes) {
  char *const all =
      mmap(NULL, bytes + PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (all == MAP_FAILED) return NULL;
  const size_t before = (size_t)(-(uintptr_t)all & (PAGE - 1));
  if (before > 0) (void)munmap(all, before);
  if (before < PAGE) (void)munmap(all + before + bytes, PAGE - before);
  return all + before;
}

static void *map(size_t bytes) {
  const size_t mapped = mapped_bytes(bytes);
  char *const memory = mapped > 0 ? reserve(mapped) : NULL;
  if (!memory) return NULL;
  if (mmap(memory, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1,
           0) == MAP_FAILED) {
    (void)munmap(memory, mapped);
    return NULL;
  }
  (void)madvise(memory, mapped, MADV_HUGEPAGE);
  return memory;
}

static void *grow_mapped(void *old, size_t old_bytes, size_t bytes) {
  const size_t before = mapped_bytes(old_bytes), mapped = mapped_bytes(bytes);
  if (mapped == 0) return NULL;
  if (before == mapped || mremap(old, before, mapped, 0) != MAP_FAILED) return old;
  char *const to = reserve(mapped);
  if (!to) return NULL;
  if (mremap(old, before, mapped, MREMAP_MAYMOVE | MREMAP_FIXED, to) != MAP_FAILED) return to;
  (void)munmap(to, mapped);
  return NULL;
}

void *large_memory_grow(void *old, size_t old_bytes, size_t bytes) {
  if (bytes < LARGE) return realloc(old, bytes);
  if (old_bytes >= LARGE) return grow_mapped(old, old_bytes, bytes);
  void *const memory = map(bytes);
  if (!memory) return NULL;
  if (old_bytes > 0) memcpy(memory, old, old_bytes);
  free(old);
  return memory;
}

void *large_memory_zeroed(size_t bytes) { return bytes < LARGE ? calloc(bytes, 1) : map(bytes); }

void large_memory_free(void *memory, size_t bytes) {
  if (bytes < LARGE)
    free(memory);
  else if (memory)
    (void)munmap(memory, mapped_bytes(bytes));
}

#else

void *large_memory_grow(void *old, size_t old_bytes, size_t bytes) {
  (void)old_bytes;
  return realloc(old, bytes);
}

void *large_memory_zeroed(size_t bytes) { return calloc(bytes, 1); }

void large_memory_free(void *memory, size_t bytes) {
  (void)bytes;
  free(memory);
}

#endif
