/* What an access means: whose memory it is, and what of it each cell is told (access.h). */
#include "access.h"

struct ck_now ck_now;

/* Of three readers the two are kept that tell most: of different blocks, else of different warps. */
void ck_third_reader(struct cell *cell, uint32_t word) {
  const struct group *first = &ck_groups[ck_group_of(cell->reader)];
  const struct group *second = &ck_groups[ck_group_of(cell->other)];
  const struct group *now = &ck_groups[ck_group_of(word)];
  const bool blocks = first->sequence != second->sequence || first->launch != second->launch;
  if (blocks) return;
  if (now->sequence != first->sequence || now->launch != first->launch ||
      (first->warp == second->warp &&
       (now->warp != first->warp || ck_lane_of(cell->reader) == ck_lane_of(cell->other))))
    cell->other = word;
}

/* A scalar of 8 bytes needs both halves; what is larger is a struct, whose padding nobody writes. */
bool ck_partly_written(const struct cell *cell, size_t cells, enum ck_space space) {
  for (size_t i = 0; i < cells; ++i)
    if (!ck_is_fresh(cell[i].writer, space)) return true;
  return false;
}

bool ck_touch(struct cell *cell, struct ck_access access, bool reads) {
  return ck_first_touch(&access, cell, reads);
}

void ck_conflict(struct ck_access access, uint32_t word, enum ck_then earlier) {
  ck_race(&access, word, earlier);
}

static bool wrote(uint32_t word) {
  const unsigned int access = ck_groups[ck_group_of(word)].access;
  return access == FINDING_WRITE || access == FINDING_VOLATILE_WRITE || access == FINDING_ATOMIC;
}

void ck_beside(const struct cell *cell, struct ck_access access) {
  const uint32_t words[2] = {cell->reader, cell->other};
  for (int i = 0; i < 2; ++i)
    if (ck_disturbs(words[i], access.word, access.space) && wrote(words[i]))
      ck_race(&access, words[i], CK_WROTE);
}

void ck_keep_beside(struct cell *cell, uint32_t writer) {
  if (!cell->reader)
    cell->reader = writer;
  else if (!cell->other)
    cell->other = writer;
}

void ck_turn_to(const struct worker *me) {
  const struct block *block = me->block;
  ck_now.lane = me->lane;
  ck_now.stack = (uintptr_t)me->lane->stack->base;
  ck_now.stack_bytes = me->lane->stack->bytes;
  ck_now.lane_word = (uint32_t)__builtin_ctz(me->lane->bit) << CK_LANE_SHIFT;
  if (ck_now.block) ck_now.tag = &ck_now.block->tags[block->warp - block->warp_list];
}

struct cell *ck_cells(uintptr_t address) {
  return ck_global_cell(address);
}

void ck_take_turn(void) {
  ck_now.turn = CK_TURN;
  sd_preempt();
}

void ck_any_access(struct worker *me, uintptr_t address, size_t bytes, enum finding_access kind,
                   bool reads, bool writes, const void *pc, const void *frame) {
  if (bytes) ck_access(me, address, bytes, kind, reads, writes, pc, frame);
}
