/* Plain reads that a compare and exchange makes good: guesses.
 *
 * Result   the first read of CUDA's guide's loops, old = *p; do { seen = old; old = atomicCAS(p,
 *          seen, f(seen)); } while (old != seen), is in no race with other threads' atomic
 *          operations: the exchange fails where the guess is wrong. Threads that read there and
 *          then need no exchange (a maximum) are excused with it
 * Method   a place is an instruction, its caller and the word that is read. It is one of guesses
 *          when a thread exchanges the word and expects what it has read there; it is none when a
 *          thread expects something else. Races of a place that nothing is known of are told and
 *          kept here, to be withdrawn if it turns out to be one of guesses. Only the program's own
 *          exchanges count: atomicMax and its kin are no loops on a GPU
 * Limits   what a read gave is known for the thread's last CK_READS reads, if no other thread has
 *          run since; of others it is taken for what is expected. Of a full set of places the one
 *          that is known longest is given up
 */
#include "access/access.h"

#include <string.h>
#include <sys/mman.h>

/* ---- Places: a hash of each, whose last bit says that it is none of guesses --------------------- */

enum { PLACE_SETS = 1 << 17, PLACE_WAYS = 8 };
typedef uint64_t place_set[PLACE_WAYS];
static place_set *places; /* address space until it is used */

enum guess { UNKNOWN, GUESS, NO_GUESS };

static uint64_t place_of(uintptr_t at, const struct group *g) {
  return ck_hash(at >> 2, (uint64_t)g->pcs[0] << 32 | g->pcs[1]) & ~UINT64_C(1);
}

static uint64_t *find(uint64_t place) {
  uint64_t *set = places[place >> 1 & (PLACE_SETS - 1)];
  for (size_t i = 0; i < PLACE_WAYS; ++i)
    if ((set[i] & ~UINT64_C(1)) == place) return &set[i];
  return NULL;
}

static enum guess state_of(uint64_t place) {
  const uint64_t *known = places ? find(place) : NULL;
  return !known ? UNKNOWN : *known & 1 ? NO_GUESS : GUESS;
}

static void set_state(uint64_t place, enum guess state) {
  if (!places) {
    void *memory = mmap(NULL, PLACE_SETS * sizeof *places, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) return;
    places = memory;
  }
  uint64_t *known = find(place);
  if (!known) {
    known = places[place >> 1 & (PLACE_SETS - 1)];
    memmove(known + 1, known, sizeof(place_set) - sizeof *known);
  }
  *known = place | (state == NO_GUESS);
}

bool ck_is_guess(uintptr_t at, const struct group *reader) {
  return places && state_of(place_of(at, reader)) == GUESS;
}

/* ---- Races that were told of a place before anything was known of it ---------------------------- */

enum { DOUBT_SETS = 256, DOUBT_WAYS = 16 };
static struct doubt {
  uint64_t place, key_a, key_b, times; /* keys: of the finding */
} doubts[DOUBT_SETS][DOUBT_WAYS];

void ck_doubt(uintptr_t at, const struct group *reader, uint64_t key_a, uint64_t key_b) {
  const uint64_t place = place_of(at, reader);
  struct doubt *set = doubts[place >> 1 & (DOUBT_SETS - 1)];
  if (state_of(place) != UNKNOWN) return;
  for (size_t i = 0; i < DOUBT_WAYS; ++i)
    if (set[i].place == place && set[i].key_a == key_a && set[i].key_b == key_b) {
      ++set[i].times;
      return;
    }
  memmove(set + 1, set, (DOUBT_WAYS - 1) * sizeof *set);
  set[0] = (struct doubt){place, key_a, key_b, 1};
}

static void withdraw(uint64_t place) {
  struct doubt *set = doubts[place >> 1 & (DOUBT_SETS - 1)];
  for (size_t i = 0; i < DOUBT_WAYS; ++i) {
    for (; set[i].place == place && set[i].times; --set[i].times)
      ck_finding_withdraw(SD_RACE, set[i].key_a, set[i].key_b);
    if (set[i].place == place) set[i].place = 0;
  }
}

/* ---- The exchange ------------------------------------------------------------------------------- */

/* A plain read of the running lane. */
static bool is_own(uint32_t word) {
  const struct worker *me = sd_me;
  const struct group *g = &ck_groups[ck_group_of(word)];
  return g->access == FINDING_READ && g->launch == ck_now.launch &&
         g->sequence == (uint32_t)ck_now.block->sequence &&
         g->warp == me->block->warp - me->block->warp_list &&
         ck_lane_of(word) == (uint32_t)__builtin_ctz(me->lane->bit);
}

static void is_guess(uintptr_t at, uint32_t reader) {
  const uint64_t place = place_of(at, &ck_groups[ck_group_of(reader)]);
  if (state_of(place) != UNKNOWN) return;
  set_state(place, GUESS);
  withdraw(place);
}

/* What had been excused at this place is told of this read. */
static void is_no_guess(uintptr_t at, uint32_t reader) {
  const uint64_t place = place_of(at, &ck_groups[ck_group_of(reader)]);
  const enum guess before = state_of(place);
  const struct cell *cell = ck_global_cell(at);
  set_state(place, NO_GUESS);
  if (before != GUESS) return;
  const struct ck_access access = {at, at, 4, reader | CK_ALL_BYTES, cell ? CK_GLOBAL : CK_SHARED};
  if (!cell) cell = ck_shared_cell(at);
  if (cell && ck_group_of(cell->writer) >= CK_FIRST_GROUP && ck_word_is_atomic(cell->writer))
    ck_race(&access, cell->writer, CK_WROTE);
}

/* The cell's readers are few: this one leaves its place. */
static void leave_cell(uintptr_t at) {
  struct cell *cell = ck_global_cell(at);
  if (!cell) cell = ck_shared_cell(at);
  if (!cell) return;
  uint32_t *const readers[2] = {&cell->reader, &cell->other};
  for (int i = 0; i < 2; ++i) {
    if (!is_own(*readers[i])) continue;
    is_guess(at, *readers[i]);
    if (ck_is_guess(at, &ck_groups[ck_group_of(*readers[i])])) *readers[i] = CK_NOBODY;
  }
}

void ck_guess(const volatile void *memory, size_t bytes, const void *expected) {
  const struct worker *me = sd_me;
  const uintptr_t address = (uintptr_t)memory, first = address & ~(uintptr_t)3;
  if (!ck_on || !me || !me->lane || !ck_now.block || ck_now.skipped) return;
  if (me->lane != ck_now.lane) ck_turn_to(me);
  for (size_t i = 0; i < CK_READS; ++i) {
    struct ck_read *read = &ck_now.reads[i];
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
