/* Group numbers begin anew: what was written stays written, who did it and when is forgotten.
 *
 * Method   every table that holds a group number is asked to forget it; cells that have been
 *          written are by CK_BEFORE from then on
 */
#include "entries.h"
#include "memory/allocations.h"
#include "memory/symbols.h"
#include "race/blocks.h"
#include "race/order.h"
#include "shadow/current.h"
#include "streams/streams.h"

static void settle(struct cell *cell, size_t n) {
  for (; n; n--, cell++)
    if (cell->writer || cell->reader || cell->other)
      *cell = (struct cell){cell->writer ? CK_WRITTEN_BEFORE : 0, 0, 0};
}

static void settle_span(uintptr_t begin, size_t bytes) {
  struct cell *cell = ck_cells(begin);
  if (cell && bytes) settle(cell, (begin + bytes - 1) / 4 - begin / 4 + 1);
}

void ck_begin_anew(void) {
  ck_live_allocations(settle_span);
  ck_each_symbols(settle_span);
  ck_blocks_forget();
  ck_op_forget();
  ck_host_forget();
  ck_order_begin();
  ck_groups_clear();
  ck_current.ordered = ck_current.from = ck_current.first = ck_current.barrier = CK_FIRST_GROUP;
}
