/* One access of the running lane, whatever it is.
 *
 * Method   an earlier access is surely in order if it was before the launch, or in this block
 *          before its last barrier: two comparisons of group numbers. All else is asked of
 *          race.c. Readers: the first since the last ordered write, and one more, of another
 *          warp or block if there is one
 */
#ifndef SIMT_CHECK_ACCESS_H
#define SIMT_CHECK_ACCESS_H

#include "alignment.h"
#include "invalid.h"
#include "local.h"
#include "memory/allocations.h"
#include "race/race.h"
#include "shadow/cells.h"

/* ck_replace_reader - a reader comes and both slots are taken by others that are not in order */
void ck_replace_reader(struct cell *cell, uint32_t word);

/* Accesses of one warp in one launch. */
CK_INLINE bool ck_is_same_warp(uint32_t a, uint32_t b) {
  if (ck_group_of(a ^ b) == 0) return true;
  const struct group *x = &ck_groups[ck_group_of(a)], *y = &ck_groups[ck_group_of(b)];
  return x->warp == y->warp && x->sequence == y->sequence && x->launch == y->launch;
}

CK_INLINE void ck_note_reader(struct cell *cell, uint32_t word, enum ck_space space) {
  const uint32_t reader = cell->reader;
  if (ck_is_same(reader, word) || ck_is_sure(reader, space)) {
    cell->reader = ck_is_same(reader, word) ? reader | word : word;
    return;
  }
  const uint32_t other = cell->other;
  if (ck_is_same(other, word))
    cell->other = other | word;
  else if (ck_is_sure(other, space))
    cell->other = word;
  else
    ck_replace_reader(cell, word);
}

/* The rare ways, with all that is known of the access; as calls, to keep the usual way short. Field by
 * field, since a structure would be put together in memory on the usual way, too: what is stored in
 * halves and read as a whole at once makes the processor wait. */
#define CK_FIELDS uintptr_t address, uintptr_t at, size_t bytes, uint32_t word, enum ck_space space
#define CK_FIELDS_OF(a) (a).address, (a).at, (a).bytes, (a).word, (a).space
bool ck_take_first_access(struct cell *cell, CK_FIELDS, bool reads);
/* ck_check_unsure_read - the writer is not surely before, or wrote other bytes */
void ck_check_unsure_read(const struct cell *cell, CK_FIELDS);
/* ck_replace_writer - the same for a write, which takes the writer's slot */
void ck_replace_writer(struct cell *cell, CK_FIELDS, bool atomic);
/* ck_write_over - readers are disturbed by a write; `writer`: the one before it */
void ck_write_over(struct cell *cell, CK_FIELDS, uint32_t writer, bool atomic);
/* ck_refuse_constant_write - of variables of the host; ck_refuse_misaligned - if it is: of its size, or of
 * what it goes through */
void ck_refuse_constant_write(CK_FIELDS);
void ck_refuse_misaligned(CK_FIELDS, bool aligned);

/* Somebody has read it before anybody has written it. */
CK_INLINE bool ck_is_unwritten(uint32_t writer, enum ck_space space) {
  return space == CK_SHARED ? !(writer & CK_ALL_BYTES) : writer == CK_READ_BEFORE;
}

/* `valid`: what is read need not have been written */
CK_INLINE void ck_read_cell(struct cell *cell, struct ck_access a, bool valid) {
  const uint32_t writer = cell->writer, word = a.word;
  if (!ck_is_same(writer, word)) {
    if (ck_is_fresh(writer, a.space) && !ck_take_first_access(cell, CK_FIELDS_OF(a), !valid))
      return;
    if (!(writer & word & CK_ALL_BYTES) || !ck_is_sure(writer, a.space))
      ck_check_unsure_read(cell, CK_FIELDS_OF(a));
  }
  ck_note_reader(cell, word, a.space);
}

CK_INLINE bool ck_disturbs(uint32_t reader, uint32_t word, enum ck_space space) {
  return !ck_is_sure(reader, space) && (reader & word & CK_ALL_BYTES) && !ck_is_same(reader, word);
}

/* Of the running lane itself, in this launch: what it has read it may write. */
CK_INLINE bool ck_is_own(uint32_t word, uint32_t own) {
  return ck_lane_of(word) == ck_lane_of(own) && ck_is_same_warp(word, own);
}

/* What a write leaves of a reader: other bytes. */
CK_INLINE uint32_t ck_without(uint32_t reader, uint32_t word) {
  reader &= ~(word & CK_ALL_BYTES);
  return reader & CK_ALL_BYTES ? reader : 0;
}

/* One atomic operation after another on the same bytes, and nothing else since the last barrier. */
CK_INLINE bool ck_all_atomic(const struct cell *cell, uint32_t writer, uint32_t word,
                             enum ck_space space) {
  return ((writer ^ word) & CK_ALL_BYTES) == 0 && !cell->reader && cell->other &&
         !ck_is_fresh(writer, space) && ck_word_is_atomic(writer) &&
         ck_word_is_atomic(cell->other) &&
         (space == CK_SHARED || (!ck_is_of_block(writer) && !ck_is_of_block(word)));
}

/* `reads`: what is overwritten matters, too */
CK_INLINE void ck_write_cell(struct cell *cell, struct ck_access a, bool reads, bool atomic) {
  const uint32_t writer = cell->writer, word = a.word;
  bool fresh = false;
  if (atomic && ck_all_atomic(cell, writer, word, a.space)) {
    cell->writer = word;
    return;
  }
  if (!ck_is_same(writer, word)) {
    fresh = ck_is_fresh(writer, a.space);
    if (fresh && !ck_take_first_access(cell, CK_FIELDS_OF(a), reads)) return;
    if (writer && !ck_is_sure(writer, a.space)) ck_replace_writer(cell, CK_FIELDS_OF(a), atomic);
  }
  cell->writer = ck_is_same(writer, word) ? writer | word : word;
  if (atomic && reads && fresh) cell->other = CK_READ_BEFORE;
  if (cell->reader | cell->other) ck_write_over(cell, CK_FIELDS_OF(a), writer, atomic);
}

CK_INLINE struct ck_cached *ck_cache_entry(const void *pc, const void *caller) {
  const uintptr_t mix = (uintptr_t)pc ^ (uintptr_t)caller << 3;
  return &ck_cache[(mix ^ mix >> 11) % CK_CACHE];
}

/* The running lane's group at this instruction. */
CK_INLINE uint32_t ck_group(const void *pc, const void *frame, unsigned kind, size_t bytes) {
  const void *caller = NULL;
  if ((uintptr_t)frame - ck_current.stack < ck_current.stack_bytes - 16)
    caller = ((const void *const *)frame)[1];
  const uint32_t tag = *ck_current.tag;
  struct ck_cached *entry = ck_cache_entry(pc, caller);
  if (entry->pc == pc && entry->caller == caller && entry->tag == tag) return entry->group;
  return ck_group_new(entry, pc, caller, frame, kind, bytes);
}

CK_INLINE uint32_t ck_bytes_of(uintptr_t address, size_t bytes) {
  const size_t offset = address & 3;
  if (bytes >= 4 - offset) return (uint32_t)(CK_ALL_BYTES << offset & CK_ALL_BYTES);
  return ((1u << bytes) - 1) << offset;
}

bool ck_partly_written(const struct cell *cell, size_t cells, enum ck_space space);
void ck_take_turn(void);
/* ck_any_access - of any size, by the running lane */
void ck_any_access(struct worker *me, uintptr_t address, size_t bytes, enum finding_access kind,
                   bool reads, bool writes, const void *pc, const void *frame);

/* Cell by cell; the first and the last may have fewer bytes. */
CK_INLINE void ck_walk(struct ck_access a, struct cell *cell, bool reads, bool writes,
                       bool atomic) {
  bool valid = false;
  const uint32_t lane_word = a.word;
  const uintptr_t end = a.address + a.bytes;
  const size_t cells = (end - 1) / 4 - a.address / 4 + 1;
  if (!writes && cells > 2) valid = ck_partly_written(cell, cells, a.space);
  for (; a.at < end; a.at = (a.at & ~(uintptr_t)3) + 4, cell++) {
    a.word = lane_word | ck_bytes_of(a.at, end - a.at);
    if (writes)
      ck_write_cell(cell, a, reads, atomic);
    else
      ck_read_cell(cell, a, valid);
  }
}

/* ck_check_inside - asked of every access while an allocation ends inside a cell; false: outside,
 * and reported */
bool ck_check_inside(uintptr_t address, size_t bytes, enum finding_access kind, const void *pc,
                     const void *frame);

/* ck_access - an access of the running lane. `aligned`: of 1, 2, 4, 8 or 16 bytes, and the compiler
 * takes the address for a multiple of them, or of 8 */
CK_INLINE void ck_access(struct worker *me, uintptr_t address, size_t bytes,
                         enum finding_access kind, bool reads, bool writes, const void *pc,
                         const void *frame, bool aligned) {
  if (me->lane != ck_current.lane) ck_turn_to(me);
  if (ck_current.doubtful && writes && !me->locked && ck_settle_doubt(address, kind)) return;
  if (address - ck_current.stack < ck_current.stack_bytes) {
    if (kind == FINDING_WRITE && address > (uintptr_t)frame) ck_current.writes++;
    if (ck_touches_zone(address, bytes)) ck_report_zone(address, bytes, kind, pc, frame);
    if (kind == FINDING_READ && ck_is_unwritten_local(address, bytes))
      ck_doubt_local(address, bytes, pc, frame);
    return;
  }
  if (me->locked) return;
  if (ck_current.unsettled) ck_race_settle();
  if (ck_current.turn-- == 0) ck_take_turn();
  if (ck_current.skipped) return;
  struct cell *cell = ck_global_cell(address);
  const enum ck_space space = cell ? CK_GLOBAL : CK_SHARED;
  if (!cell) cell = ck_shared_cell(address);
  if (!cell) {
    ck_check_other_space(address, bytes, kind, pc, frame);
    return;
  }
  if (ck_current.quiet && ck_known_outside(address, bytes, space)) return;
  if (ck_current.odd_sizes && space == CK_GLOBAL &&
      !ck_check_inside(address, bytes, kind, pc, frame))
    return;
  ck_current.accesses++;
  if (kind == FINDING_WRITE) ck_current.writes++;
  const uint32_t word = ck_group(pc, frame, kind, bytes) << CK_GROUP_SHIFT | ck_current.lane_word;
  struct ck_access a = {address, address, bytes, word, space};
  ck_current.word = word;
  if (writes && address - ck_current.constants < ck_current.constant_bytes) {
    ck_refuse_constant_write(CK_FIELDS_OF(a));
    return;
  }
  if (kind == FINDING_READ)
    ck_current.reads[ck_current.read_count++ % CK_READS] = (struct ck_read){address, word};
  if (aligned ? (address & (bytes - 1)) != 0 : ck_current.pointer_count != 0)
    ck_refuse_misaligned(CK_FIELDS_OF(a), aligned);
  const bool atomic = kind == FINDING_ATOMIC;
  if (bytes > 4 || (bytes & (bytes - 1)) || (!aligned && (address & (bytes - 1)))) {
    ck_walk(a, cell, reads, writes, atomic);
    return;
  }
  a.word |= ((1u << bytes) - 1) << (address & 3);
  if (writes)
    ck_write_cell(cell, a, reads, atomic);
  else
    ck_read_cell(cell, a, false);
}

#endif
