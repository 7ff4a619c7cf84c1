/* The usual access, from its beginning to its end: of 1, 2 or 4 aligned bytes of global or shared
 * memory, by an instruction whose group is known, surely in order with what was before.
 *
 * Method   nothing is changed before all is known: what is not usual in any respect is left to
 *          access.h, which comes to the same wherever both could answer. Nothing is called, so that
 *          few registers are saved
 */
#ifndef SIMT_CHECK_USUAL_H
#define SIMT_CHECK_USUAL_H

#include "access.h"

/* What is needed again is loaded again, since registers are scarcer than loads: the usual access is to
 * do with those that it need not save. */
#define CK_RELOAD __asm__ volatile("" ::: "memory")

/* Neighbours usually access neighbours: their cells are on the way. */
enum { CK_AHEAD = 512 };

/* The running lane's word for this instruction becomes that of its last access; false: its group is
 * not known. */
CK_INLINE bool ck_is_known(const void *pc, const void *frame) {
  const void *caller = NULL;
  if ((uintptr_t)frame - ck_current.stack < ck_current.stack_bytes - 16)
    caller = ((const void *const *)frame)[1];
  const struct ck_cached *entry = ck_cache_entry(pc, caller);
  if (entry->pc != pc || entry->caller != caller || entry->tag != *ck_current.tag) return false;
  ck_current.word = entry->group << CK_GROUP_SHIFT | ck_current.lane_word;
  return true;
}

/* Of the running warp in this turn of it: known by its number, without a look at the group. */
CK_INLINE bool ck_is_of_turn(uint32_t word) { return ck_group_of(word) >= ck_current.warp_from; }

/* Whether the access of `reader` lets the running lane write: it is sure, of other bytes, or its own
 * a moment ago. */
CK_INLINE bool ck_may_write_over(uint32_t reader, uint32_t word, enum ck_space space) {
  if (reader == CK_READ_BEFORE) return false;
  if (!ck_disturbs(reader, word, space)) return true;
  return ck_lane_of(reader) == ck_lane_of(word) && ck_is_of_turn(reader);
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
    else if (!ck_is_of_turn(reader) || !ck_is_of_turn(other))
      return false;
    else if (ck_lane_of(reader) == ck_lane_of(other)) /* ck_replace_reader */
      cell->other = word;
  }
  return true;
}

/* The running lane is at an access like any other, of its block and of the checker. */
CK_INLINE bool ck_is_usual(const struct worker *me) {
  return !(ck_current.unusual | ck_current.quiet | (uint32_t)me->locked) && ck_current.turn;
}

CK_INLINE bool ck_is_running(const struct worker *me) {
  if (!me || !me->lane) return false;
  if (me->lane == ck_current.lane) return true;
  if (!ck_on) return false;
  ck_turn(me);
  return true;
}

/* Aligned, of 1, 2 or 4 bytes. */
CK_INLINE uint32_t ck_usual_bytes(uintptr_t address, size_t bytes) {
  return bytes == 4 ? CK_ALL_BYTES : ((1u << bytes) - 1) << (address & 3);
}

CK_INLINE bool ck_usual_in(struct cell *cell, uintptr_t address, size_t bytes, bool writes,
                           enum ck_space space, const void *pc, const void *frame) {
  __builtin_prefetch((const char *)cell + CK_AHEAD, 1);
  if (!ck_is_known(pc, frame)) return false;
  CK_RELOAD;
  const uint32_t word = ck_current.word | ck_usual_bytes(address, bytes);
  if (!(writes ? ck_usual_write(cell, word, space) : ck_usual_read(cell, word, space)))
    return false;
  ck_current.turn--;
  ck_current.accesses++;
  if (writes)
    ck_current.writes++;
  else
    ck_current.reads[ck_current.read_count++ % CK_READS] =
        (struct ck_read){address, ck_current.word};
  return true;
}

/* ck_usual_access - true: it is done */
CK_INLINE bool ck_usual_access(const struct worker *me, uintptr_t address, size_t bytes,
                               bool writes, const void *pc, const void *frame) {
  if (!ck_is_running(me)) return false;
  if (address - ck_current.stack < ck_current.stack_bytes) {
    if (ck_is_marked(address) || ck_current.doubtful) return false;
    if (writes && address > (uintptr_t)frame) ck_current.writes++;
    return true;
  }
  if (!ck_is_usual(me) || (address & (bytes - 1))) return false;
  CK_RELOAD;
  const uintptr_t at = address - ck_current.arena;
  if (at < ck_current.arena_bytes)
    return ck_usual_in(ck_current.arena_cells + at / 4, address, bytes, writes, CK_GLOBAL, pc,
                       frame);
  struct cell *cell = ck_shared_cell(address);
  return cell && ck_usual_in(cell, address, bytes, writes, CK_SHARED, pc, frame);
}

/* ck_usual_atomic - true: it is one more atomic operation on shared memory, relaxed and a write, and
 * the launch has had no fence, so that it tells its thread nothing of others */
CK_INLINE bool ck_usual_atomic(const struct worker *me, uintptr_t address, size_t bytes,
                               const void *pc, const void *frame) {
  if (bytes > 4 || !ck_is_running(me)) return false;
  if (address - ck_current.stack < ck_current.stack_bytes) return !ck_is_marked(address);
  if (!ck_is_usual(me) || ck_current.fences || (address & (bytes - 1))) return false;
  struct cell *cell = ck_shared_cell(address);
  if (!cell || !ck_is_known(pc, frame)) return false;
  const uint32_t word = ck_current.word | ck_usual_bytes(address, bytes);
  if (!ck_all_atomic(cell, cell->writer, word, CK_SHARED)) return false;
  cell->writer = word;
  ck_current.turn--;
  ck_current.accesses++;
  return true;
}

#endif
