/* Sentences about an access, made of its group, its launch and the tables of memory.
 *
 * Method   a block's index is computed back from its number in the schedule's order; the names come
 *          from symbols.c and allocations.c
 */
#include "describe.h"
#include "allocations.h"
#include "shadow/launches.h"
#include "symbols.h"

#include <stdio.h>

/* ---- Who ------------------------------------------------------------------------------------- */

static void side_of_group(struct finding_side *side, const struct group *g) {
  for (int i = 0; i < 3; i++) side->pcs[i] = g->pcs[i];
  side->access = g->access;
  side->bytes = g->bytes;
}

static void thread_of(struct finding_side *side, const struct ck_launch *launch,
                      const struct uint3 *block, unsigned warp, unsigned lane) {
  const unsigned t = warp * 32 + lane;
  side->has_thread = 1;
  side->block[0] = block->x, side->block[1] = block->y, side->block[2] = block->z;
  side->thread[0] = t % launch->block.x;
  side->thread[1] = t / launch->block.x % launch->block.y;
  side->thread[2] = t / launch->block.x / launch->block.y;
  side->warp = warp;
  side->lane = lane;
  snprintf(side->kernel, sizeof side->kernel, "%s", launch->name);
}

void ck_add_earlier(struct finding_side *side, uint32_t word) {
  const uint32_t group = ck_group_of(word);
  if (group < CK_FIRST_GROUP) return;
  const struct group *g = &ck_groups[group];
  const struct ck_launch *launch = ck_launch_of(g->launch);
  side_of_group(side, g);
  if (!launch || !launch->name[0]) return;
  const uint64_t n = sd_scheduled(g->sequence, launch->blocks);
  const struct uint3 grid = launch->grid;
  const struct uint3 block = {(unsigned)(n % grid.x), (unsigned)(n / grid.x % grid.y),
                              (unsigned)(n / grid.x / grid.y)};
  thread_of(side, launch, &block, g->warp, ck_lane_of(word));
}

void ck_add_access(struct finding_side *side, const struct ck_access *access) {
  side_of_group(side, &ck_groups[ck_group_of(access->word)]);
  side->bytes = (uint32_t)access->bytes;
  ck_add_thread(side);
}

/* ---- Whose memory ---------------------------------------------------------------------------- */

static void say_dynamic(uintptr_t address, char *text, size_t size) {
  const uintptr_t begin = simt_shared.dynamic_begin;
  const size_t bytes = sd_current->grid->config.shared_bytes;
  if (address < begin)
    snprintf(text, size, "%zu bytes before the %zu bytes of dynamic shared memory",
             (size_t)(begin - address), bytes);
  else if (address >= begin + bytes)
    snprintf(text, size, "%zu bytes behind the %zu bytes of dynamic shared memory",
             (size_t)(address - begin - bytes), bytes);
  else
    snprintf(text, size, "byte %zu of the %zu bytes of dynamic shared memory",
             (size_t)(address - begin), bytes);
}

void ck_name_shared(uintptr_t address, char *text, size_t size) {
  const char *name;
  uintptr_t begin;
  size_t bytes;
  if (ck_is_dynamic(address)) {
    say_dynamic(address, text, size);
  } else if (!ck_symbol(address, true, &name, &begin, &bytes)) {
    snprintf(text, size, "static shared memory, in no variable");
  } else if (address < begin + bytes) {
    snprintf(text, size, "shared variable %s, byte %zu of %zu", name, (size_t)(address - begin),
             bytes);
  } else {
    snprintf(text, size, "%zu bytes behind the %zu bytes of shared variable %s",
             (size_t)(address - begin - bytes), bytes, name);
  }
}

void ck_name_memory(struct finding *f, enum ck_space space, uintptr_t address, size_t bytes) {
  const char *name;
  uintptr_t begin;
  size_t size;
  if (space == CK_SHARED)
    ck_name_shared(address, f->object, sizeof f->object);
  else if (address - ck_current.symbols < ck_current.symbols_bytes &&
           ck_symbol(address, false, &name, &begin, &size))
    snprintf(f->object, sizeof f->object, "%s variable %s, byte %zu of %zu",
             address - ck_current.constants < ck_current.constant_bytes ? "__constant__"
                                                                        : "__device__",
             name, (size_t)(address - begin), size);
  else
    ck_describe_address(address, bytes, f->object, sizeof f->object, f);
}
