/* Spans of cells, written and cleared as memory is allocated, copied, filled and freed.
 *
 * Method   whole pages that are to be cleared are given back to the system
 */
#include "shadow.h"
#include "current.h"

#include <string.h>
#include <sys/mman.h>

enum { PAGE = 4096 };

bool ck_shadow_open(uintptr_t begin, uintptr_t end) {
  const size_t bytes = (end - begin) / 4 * sizeof(struct cell);
  void *memory =
      mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return false;
  ck_current.arena_cells = memory;
  ck_current.arena = begin;
  ck_current.arena_bytes = end - begin;
  return true;
}

bool ck_is_ours(uintptr_t address) {
  const uintptr_t cells = (uintptr_t)ck_current.arena_cells, groups = (uintptr_t)ck_groups;
  return address - cells < ck_current.arena_bytes / 4 * sizeof(struct cell) ||
         address - groups < sizeof(struct group) * (CK_FIRST_ASYNC + CK_ASYNC);
}

struct span {
  struct cell *cell, *end;
};

static struct span cells_of(uintptr_t begin, size_t bytes) {
  struct cell *first = bytes ? ck_cells(begin) : NULL;
  if (!first) return (struct span){NULL, NULL};
  return (struct span){first, first + ((begin + bytes - 1) / 4 - begin / 4 + 1)};
}

/* Whole pages are given back to the system, which clears them. */
static void clear(struct cell *cell, struct cell *end) {
  const uintptr_t from = ((uintptr_t)cell + PAGE - 1) & ~(uintptr_t)(PAGE - 1);
  const uintptr_t to = (uintptr_t)end & ~(uintptr_t)(PAGE - 1);
  if (from >= to) {
    memset(cell, 0, (size_t)((char *)end - (char *)cell));
    return;
  }
  memset(cell, 0, from - (uintptr_t)cell);
  madvise((void *)from, to - from, MADV_DONTNEED);
  memset((void *)to, 0, (uintptr_t)end - to);
}

/* Large pages for large data: half of the time of an access is the miss of its cell. */
static void enlarge_pages(const struct span *s) {
  enum { LARGE = 8 << 20 };
  const uintptr_t from = ((uintptr_t)s->cell + PAGE - 1) & ~(uintptr_t)(PAGE - 1);
  const uintptr_t to = (uintptr_t)s->end & ~(uintptr_t)(PAGE - 1);
  if (to > from && to - from >= LARGE) madvise((void *)from, to - from, MADV_HUGEPAGE);
}

void ck_shadow_new(uintptr_t begin, size_t bytes) {
  const struct span s = cells_of(begin, bytes);
  if (!s.cell) return;
  clear(s.cell, s.end);
  enlarge_pages(&s);
}

void ck_shadow_gone(uintptr_t begin, size_t bytes) {
  const struct span s = cells_of(begin, bytes);
  if (s.cell) clear(s.cell, s.end);
}

void ck_shadow_written(uintptr_t begin, size_t bytes, uint32_t group) {
  const struct span s = cells_of(begin, bytes);
  const uint32_t word = group << CK_GROUP_SHIFT | CK_ALL_BYTES;
  for (struct cell *c = s.cell; c < s.end; c++) *c = (struct cell){word, 0, 0};
}

/* A reader only where it can matter: in memory that has been written. */
void ck_shadow_read(uintptr_t begin, size_t bytes, uint32_t group) {
  const struct span s = cells_of(begin, bytes);
  const uint32_t word = group << CK_GROUP_SHIFT | CK_ALL_BYTES;
  for (struct cell *c = s.cell; c < s.end; c++) {
    if (!c->writer) continue;
    if (ck_group_of(c->reader) >= ck_current.ordered) c->other = c->reader;
    c->reader = word;
  }
}

void ck_shadow_copied(uintptr_t dst, uintptr_t src, size_t bytes, uint32_t group) {
  const struct span to = cells_of(dst, bytes), from = cells_of(src, bytes);
  const uint32_t word = group << CK_GROUP_SHIFT | CK_ALL_BYTES;
  if (!to.cell) return;
  if (!from.cell || dst % 4 != src % 4) {
    ck_shadow_written(dst, bytes, group);
    return;
  }
  const ptrdiff_t n = to.end - to.cell;
  const bool backwards = to.cell > from.cell;
  for (ptrdiff_t k = 0; k < n; k++) {
    const ptrdiff_t i = backwards ? n - 1 - k : k;
    to.cell[i] = (struct cell){from.cell[i].writer ? word : 0, 0, 0};
  }
}
