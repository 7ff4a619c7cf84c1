/* The usual access, from its beginning to its end: of 1, 2 or 4 aligned bytes of global or shared
 * memory, by an instruction whose group is known, surely in order with what was before.
 *
 * Method   nothing is changed before all is known: what is not usual in any respect is left to
 *          access.h, which comes to the same wherever both could answer. After the lane's first
 *          access nothing is called, so that few registers are saved
 */
#ifndef SIMT_CHECK_USUAL_H
#define SIMT_CHECK_USUAL_H

#include "access.h"

/* Neighbours usually access neighbours: their cells are on the way. */
enum { CK_AHEAD = 512 };

/* The running lane's word for this instruction; 0: its group is not known. */
CK_INLINE uint32_t ck_known_word(const void *pc, const void *frame) {
  const void *caller = NULL;
  if ((uintptr_t)frame - ck_current.stack < ck_current.stack_bytes - 16)
    caller = ((const void *const *)frame)[1];
  const struct ck_cached *entry = ck_cache_entry(pc, caller);
  if (entry->pc != pc || entry->caller != caller || entry->tag != *ck_current.tag) return 0;
  return entry->group << CK_GROUP_SHIFT | ck_current.lane_word;
}

/* Whether the access of `reader` lets the running lane write: it is sure, of other bytes, or its own. */
CK_INLINE bool ck_may_write_over(uint32_t reader, uint32_t word, enum ck_space space) {
  if (reader == CK_READ_BEFORE) return false;
  return !ck_disturbs(reader, word, space) || ck_is_own(reader, word);
}

CK_INLINE bool ck_usual_write(struct cell *cell, uint32_t word, enum ck_space space) {
  const uint32_t writer = cell->writer, reader = cell->reader, other = cell->other;
  const bool same = ck_is_same(writer, word);
  if (!same && (ck_is_fresh(writer, space) || !ck_is_sure(writer, space))) return false;
  if (reader && !ck_may_write_over(reader, word, space)) return false;
  if (other && !ck_may_write_over(other, word, space)) return false;
  cell->writer = same ? writer | word : word;
  if (reader) cell->reader = ck_without(reader, word);
  if (other) cell->other = ck_without(other, word);
  return true;
}

CK_INLINE bool ck_usual_read(struct cell *cell, uint32_t word, enum ck_space space) {
  const uint32_t writer = cell->writer, reader = cell->reader;
  if (!ck_is_same(writer, word) &&
      (ck_is_fresh(writer, space) || !ck_is_sure(writer, space) || !(writer & word & CK_ALL_BYTES)))
    return false;
  if (ck_is_same(reader, word)) {
    cell->reader = reader | word;
  } else if (ck_is_sure(reader, space)) {
    cell->reader = word;
  } else {
    const uint32_t other = cell->other;
    if (ck_is_same(other, word))
      cell->other = other | word;
    else if (ck_is_sure(other, space))
      cell->other = word;
    else if (!ck_is_same_warp(reader, word) || !ck_is_same_warp(other, word))
      return false;
    else if (ck_lane_of(reader) == ck_lane_of(other)) /* ck_replace_reader */
      cell->other = word;
  }
  return true;
}

/* ck_usual_access - true: it is done */
CK_INLINE bool ck_usual_access(const struct worker *me, uintptr_t address, size_t bytes,
                               bool writes, const void *pc, const void *frame) {
  if (!me || !me->lane) return false;
  if (me->lane != ck_current.lane) ck_turn_to(me);
  if (address - ck_current.stack < ck_current.stack_bytes) {
    if (writes && address > (uintptr_t)frame) ck_current.writes++;
    return true;
  }
  if (me->locked || ck_unsettled || ck_odd_sizes || ck_current.skipped) return false;
  if (ck_current.quiet || !ck_current.turn || (address & (bytes - 1))) return false;
  enum ck_space space = CK_GLOBAL;
  struct cell *cell;
  if (address - ck_current.arena < ck_current.arena_bytes)
    cell = ck_current.arena_cells + (address - ck_current.arena) / 4;
  else if ((cell = ck_shared_cell(address)))
    space = CK_SHARED;
  else
    return false;
  uint32_t word = ck_known_word(pc, frame);
  if (!word) return false;
  const uint32_t plain = word;
  word |= ((1u << bytes) - 1) << (address & 3);
  __builtin_prefetch((const char *)cell + CK_AHEAD, 1);
  if (!(writes ? ck_usual_write(cell, word, space) : ck_usual_read(cell, word, space)))
    return false;
  ck_current.turn--;
  ck_current.accesses++;
  ck_current.word = plain;
  if (writes)
    ck_current.writes++;
  else
    ck_current.reads[ck_current.read_count++ % CK_READS] = (struct ck_read){address, plain};
  return true;
}

#endif
