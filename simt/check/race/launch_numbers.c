/* Launches by number, for what is said later; and the end of the group numbers. */
#include "access/access.h"
#include "memory/memory.h"
#include "streams/streams.h"

#include <stdio.h>
#include <string.h>

enum { KEPT = 1 << 14 };

static struct ck_launch launches[KEPT];
static uint32_t last;

uint32_t ck_next_launch(const struct grid *grid) {
  struct ck_launch *l = &launches[++last % KEPT];
  *l = (struct ck_launch){.number = last};
  if (grid) {
    snprintf(l->name, sizeof l->name, "%s", grid->kernel->name);
    l->grid = grid->config.grid;
    l->block = grid->config.block;
    l->blocks = grid->blocks;
  }
  return last;
}

const struct ck_launch *ck_launch_of(uint32_t number) {
  const struct ck_launch *l = &launches[number % KEPT];
  return l->number == number ? l : NULL;
}

static void settle(struct cell *cell, size_t n) {
  for (; n; --n, ++cell)
    if (cell->writer || cell->reader || cell->other)
      *cell = (struct cell){cell->writer ? CK_WRITTEN_BEFORE : 0, 0, 0};
}

static void settle_span(uintptr_t begin, size_t bytes) {
  struct cell *cell = ck_cells(begin);
  if (cell && bytes) settle(cell, (begin + bytes - 1) / 4 - begin / 4 + 1);
}

/* Numbers begin anew: what was written stays written, who did it and when is forgotten. */
void ck_forget(void) {
  ck_live_allocations(settle_span);
  ck_each_symbols(settle_span);
  ck_blocks_forget();
  memset(ck_cache, 0, sizeof ck_cache);
  ck_op_forget();
  ck_order_begin();
  ck_groups_clear();
  ck_next_group = CK_FIRST_GROUP + 1;
  ck_now.ordered = ck_now.from = ck_now.first = ck_now.barrier = CK_FIRST_GROUP;
}
