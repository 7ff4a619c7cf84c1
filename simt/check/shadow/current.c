/* How the state of the current access follows the running lane.
 *
 * Method   what a lane's accesses need is looked up once a turn; a block's and a launch's part is
 *          set by who is notified of them
 */
#include "cells.h"

struct ck_current ck_current;

void ck_turn_to(const struct worker *me) {
  const struct block *block = me->block;
  ck_current.lane = me->lane;
  ck_current.pointer_count = 0;
  ck_current.reads_from = ck_current.read_count;
  ck_current.stack = (uintptr_t)me->lane->stack->base;
  ck_current.stack_bytes = me->lane->stack->bytes;
  ck_current.lane_word = (uint32_t)__builtin_ctz(me->lane->bit) << CK_LANE_SHIFT;
  if (ck_current.block) ck_current.tag = &ck_current.block->tags[block->warp - block->warp_list];
}

struct cell *ck_cells(uintptr_t address) {
  return ck_global_cell(address);
}
