/* The cases that access.h leaves to calls: which readers a cell keeps, what races with whom.
 *
 * Method   a cell has one writer and two readers; where more have come, those stay that an access
 *          of another warp or block would most likely race with
 */
#include "access.h"

#include <stdio.h>

/* Of three readers the two are kept that say most: of different blocks, else of different warps. */
void ck_replace_reader(struct cell *cell, uint32_t word) {
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

/* A scalar of 8 bytes needs both halves; what is larger is a struct, whose padding nobody
 * writes. */
bool ck_partly_written(const struct cell *cell, size_t cells, enum ck_space space) {
  for (size_t i = 0; i < cells; i++)
    if (!ck_is_fresh(cell[i].writer, space)) return true;
  return false;
}

#define ACCESS ((struct ck_access){address, at, bytes, word, space})

bool ck_take_first_access(struct cell *cell, CK_FIELDS, bool reads) {
  const struct ck_access access = ACCESS;
  return ck_check_first_access(&access, cell, reads);
}

static bool wrote(uint32_t word) {
  const unsigned access = ck_groups[ck_group_of(word)].access;
  return access == FINDING_WRITE || access == FINDING_VOLATILE_WRITE || access == FINDING_ATOMIC;
}

static bool is_atomic(uint32_t word) {
  return ck_groups[ck_group_of(word)].access == FINDING_ATOMIC;
}

/* Writers that others have replaced stand in the readers' slots. */
static void race_with_replaced(const struct cell *cell, const struct ck_access *access) {
  const uint32_t words[2] = {cell->reader, cell->other};
  for (int i = 0; i < 2; i++)
    if (ck_disturbs(words[i], access->word, access->space) && wrote(words[i]))
      ck_check_race(access, words[i], CK_WROTE);
}

void ck_check_unsure_read(const struct cell *cell, CK_FIELDS) {
  const struct ck_access access = ACCESS;
  const uint32_t writer = cell->writer;
  const bool overlaps = (writer & access.word & CK_ALL_BYTES) != 0;
  if (overlaps && !ck_is_sure(writer, access.space)) ck_check_race(&access, writer, CK_WROTE);
  if (!overlaps || is_atomic(writer)) race_with_replaced(cell, &access);
}

/* A writer of other bytes, or one atomic operation after another, is kept beside the new one. */
void ck_replace_writer(struct cell *cell, CK_FIELDS, bool atomic) {
  const struct ck_access access = ACCESS;
  const uint32_t writer = cell->writer;
  const bool overlaps = (writer & access.word & CK_ALL_BYTES) != 0;
  const bool unwritten = cell->other == CK_READ_BEFORE;
  if (overlaps) ck_check_race(&access, writer, unwritten ? CK_WROTE_UNWRITTEN : CK_WROTE);
  if (overlaps && !(atomic && is_atomic(writer))) return;
  if (!overlaps && !cell->reader)
    cell->reader = writer;
  else if (!cell->other)
    cell->other = writer;
}

/* What stays of a reader: other bytes; and all of it, if an atomic operation disturbs it, since
 * those of other blocks may, too. */
static uint32_t disturb(const struct ck_access *access, uint32_t reader, enum ck_then how,
                        bool atomic) {
  if (reader == CK_READ_BEFORE) return atomic ? reader : 0;
  const bool disturbs = ck_disturbs(reader, access->word, access->space);
  if (disturbs && (atomic || !ck_is_own(reader, access->word)))
    ck_check_race(access, reader, wrote(reader) ? CK_WROTE : how);
  return atomic && disturbs ? reader : ck_without(reader, access->word);
}

void ck_write_over(struct cell *cell, CK_FIELDS, uint32_t writer, bool atomic) {
  const struct ck_access access = ACCESS;
  const bool unwritten = ck_is_unwritten(writer, access.space);
  const uint32_t reader = cell->reader, other = cell->other;
  cell->reader = disturb(&access, reader, unwritten ? CK_READ_UNWRITTEN : CK_READ, atomic);
  cell->other = disturb(&access, other, CK_READ, atomic);
}

void ck_refuse_constant_write(CK_FIELDS) { ck_report_constant_write(&ACCESS); }

void ck_refuse_misaligned(CK_FIELDS, bool aligned) { ck_check_alignment(&ACCESS, aligned); }

bool ck_check_inside(uintptr_t address, size_t bytes, enum finding_access kind, const void *pc,
                     const void *frame) {
  if (address - ck_current.arena >= ck_current.arena_bytes || ck_accessible(address, bytes))
    return true;
  const uint32_t word = ck_group(pc, frame, kind, bytes) << CK_GROUP_SHIFT | ck_current.lane_word;
  const struct ck_access a = {address, address, bytes, word, CK_GLOBAL};
  ck_report_outside(&a);
  return false;
}

/* The access that is about to be made still knows the pointers that it may go through. */
void ck_take_turn(void) {
  const struct ck_current before = ck_current;
  ck_current.turn = CK_TURN;
  ck_note_poll();
  sd_preempt();
  ck_turn_to(sd_current); /* others ran meanwhile */
  ck_current.pointer_count = before.pointer_count;
  for (int i = 0; i < CK_POINTERS; i++) {
    ck_current.pointers[i] = before.pointers[i];
    ck_current.pointers[i].until += ck_current.accesses - before.accesses;
  }
}

void ck_any_access(struct worker *me, uintptr_t address, size_t bytes, enum finding_access kind,
                   bool reads, bool writes, const void *pc, const void *frame) {
  if (bytes) ck_access(me, address, bytes, kind, reads, writes, pc, frame, true);
}
