/* A table by number, 20 bytes a group, and a cache of it by instruction, caller and tag.
 *
 * Method   the table is address space until it is used. When its numbers come to their end, whoever
 *          opened it is asked to forget them (ck_groups_open)
 */
#include "groups.h"
#include "current.h"

#include <string.h>
#include <sys/mman.h>

struct group *ck_groups;
uint32_t ck_next_group = CK_FIRST_GROUP;
struct ck_cached ck_cache[CK_CACHE];

static void (*forget_all)(void);
uint32_t ck_tags;

void ck_forget(void) { forget_all(); }

uint64_t ck_group_hash(const struct group *g) {
  return ck_hash(ck_hash(g->pcs[0], g->pcs[1]), g->pcs[2]);
}

bool ck_groups_open(void (*begin_anew)(void)) {
  void *memory = mmap(NULL, sizeof(struct group) * (CK_FIRST_ASYNC + CK_ASYNC),
                      PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return false;
  ck_groups = memory;
  forget_all = begin_anew;
  return true;
}

/* The table's memory goes back to the system. */
void ck_groups_clear(void) {
  madvise(ck_groups, ck_next_group * sizeof *ck_groups, MADV_DONTNEED);
  memset(ck_cache, 0, sizeof ck_cache);
  ck_next_group = CK_FIRST_GROUP + 1;
  ck_current.warp_from = CK_MOST_GROUPS + 1;
}

static uint32_t offset_of(const void *pc) {
  return pc && sd_in_program(pc) ? sd_module_offset(pc) : 0;
}

/* The return addresses above the accessing function, from its frame; bounded by the stack. */
static void callers(struct group *group, const struct stack *stack, const void *frame) {
  uintptr_t at = (uintptr_t)frame;
  for (int i = 1; i < 3; i++) {
    if (at - (uintptr_t)stack->base >= stack->bytes - 16 || at % 8) return;
    const uintptr_t *words = (const uintptr_t *)at;
    group->pcs[i] = offset_of((const void *)words[1]);
    if (!group->pcs[i] || words[0] <= at) return;
    at = words[0];
  }
}

uint32_t ck_group_new(struct ck_cached *entry, const void *pc, const void *caller,
                      const void *frame, unsigned access, size_t bytes) {
  const struct worker *me = sd_current;
  if (ck_next_group >= CK_MOST_GROUPS) ck_forget();
  const uint32_t number = ck_next_group++;
  struct group *group = &ck_groups[number];
  const size_t warp = (size_t)(me->block->warp - me->block->warp_list);
  *group = (struct group){.launch = ck_current.launch,
                          .sequence = (uint32_t)me->block->sequence,
                          .warp = (uint8_t)warp,
                          .access = (uint8_t)access,
                          .bytes = (uint8_t)(bytes > 255 ? 255 : bytes),
                          .polled = ck_current.polled,
                          .of_block = ck_current.of_block};
  group->pcs[0] = offset_of(pc);
  callers(group, me->lane->stack, frame);
  *entry = (struct ck_cached){pc, caller, ck_current.block->tags[warp], number};
  return number;
}

uint32_t ck_group_of_call(unsigned access, uint32_t launch, const uint64_t pcs[]) {
  if (ck_next_group >= CK_MOST_GROUPS) ck_forget();
  const uint32_t number = ck_next_group++;
  struct group *group = &ck_groups[number];
  ck_current.warp = NULL;
  ck_current.warp_from = CK_MOST_GROUPS + 1; /* not of the running warp */
  *group = (struct group){.launch = launch, .access = (uint8_t)access};
  for (int i = 0; i < 3 && pcs[i]; i++) group->pcs[i] = (uint32_t)pcs[i];
  return number;
}
