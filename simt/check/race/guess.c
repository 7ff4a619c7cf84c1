/* Plain reads that a compare and exchange makes good: guesses.
 *
 * Result   the first read of CUDA's guide's loops, old = *p; do { seen = old; old = atomicCAS(p,
 *          seen, f(seen)); } while (old != seen), is in no race with other threads' atomic
 *          operations: the exchange fails where the guess is wrong. Threads that read there and
 *          then need no exchange (a maximum) are excused with it
 * Method   a site is an instruction, its caller and the word that is read. It is one of guesses
 *          when a thread exchanges the word and expects what it has read there; it is none when a
 *          thread expects something else. Races of a site that nothing is known of are reported and
 *          kept here, to be withdrawn if it turns out to be one of guesses. Only the program's own
 *          exchanges count: atomicMax and its kin are no loops on a GPU
 * Limits   what a read gave is known for the thread's last CK_READS reads, if no other thread has
 *          run since; of others it is taken for what is expected. Of a full set of sites the one
 *          that is known longest is given up
 */
#include "guesses.h"
#include "race.h"
#include "shadow/cells.h"

#include <string.h>
#include <sys/mman.h>

/* A plain read of the running lane. */
static bool is_own(uint32_t word) {
  const struct worker *me = sd_current;
  const struct group *g = &ck_groups[ck_group_of(word)];
  return g->access == FINDING_READ && g->launch == ck_current.launch &&
         g->sequence == (uint32_t)ck_current.block->sequence &&
         g->warp == me->block->warp - me->block->warp_list &&
         ck_lane_of(word) == (uint32_t)__builtin_ctz(me->lane->bit);
}

static void is_guess(uintptr_t at, uint32_t reader) {
  ck_guess_holds(at, &ck_groups[ck_group_of(reader)]);
}

/* What had been excused at this site is reported for this read. */
static void is_no_guess(uintptr_t at, uint32_t reader) {
  const struct cell *cell = ck_global_cell(at);
  if (!ck_guess_fails(at, &ck_groups[ck_group_of(reader)])) return;
  const struct ck_access access = {at, at, 4, reader | CK_ALL_BYTES, cell ? CK_GLOBAL : CK_SHARED};
  if (!cell) cell = ck_shared_cell(at);
  if (cell && ck_group_of(cell->writer) >= CK_FIRST_GROUP && ck_word_is_atomic(cell->writer))
    ck_check_race(&access, cell->writer, CK_WROTE);
}

/* The cell's readers are few: this one leaves its slot. */
static void leave_cell(uintptr_t at) {
  struct cell *cell = ck_global_cell(at);
  if (!cell) cell = ck_shared_cell(at);
  if (!cell) return;
  uint32_t *const readers[2] = {&cell->reader, &cell->other};
  for (int i = 0; i < 2; i++) {
    if (!is_own(*readers[i])) continue;
    is_guess(at, *readers[i]);
    if (ck_is_guess(at, &ck_groups[ck_group_of(*readers[i])])) *readers[i] = CK_NOBODY;
  }
}

void ck_check_guess(const volatile void *memory, size_t bytes, const void *expected) {
  const struct worker *me = sd_current;
  const uintptr_t address = (uintptr_t)memory, first = address & ~(uintptr_t)3;
  if (!ck_on || !me || !me->lane || !ck_current.block || ck_current.skipped) return;
  if (me->lane != ck_current.lane) ck_turn_to(me);
  for (size_t i = 0; i < CK_READS; i++) {
    struct ck_read *read = &ck_current.reads[i];
    const uint32_t age = (ck_current.read_count - 1 - (uint32_t)i) % CK_READS;
    if (age >= ck_current.read_count - ck_current.reads_from) continue; /* another lane's */
    if (read->address - first >= address + bytes - first) continue;
    /* Nobody else has run since: what it gave still stands there. */
    const bool same = read->address != address || !memcmp((const void *)address, expected, bytes);
    for (uintptr_t at = first; at < address + bytes; at += 4) {
      if (same)
        is_guess(at, read->word);
      else
        is_no_guess(at, read->word);
    }
    read->address = 0;
  }
  for (uintptr_t at = first; at < address + bytes; at += 4) leave_cell(at);
}
