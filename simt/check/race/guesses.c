/* Two tables by place: what is known of it, and the races that were told before anything was.
 *
 * Method   a place is an instruction, its caller and the word that is read, as a hash. Of a full set
 *          of places the one that is known longest is given up
 */
#include "guesses.h"

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

void ck_guess_holds(uintptr_t at, const struct group *reader) {
  const uint64_t place = place_of(at, reader);
  if (state_of(place) != UNKNOWN) return;
  set_state(place, GUESS);
  withdraw(place);
}

bool ck_guess_fails(uintptr_t at, const struct group *reader) {
  const uint64_t place = place_of(at, reader);
  const enum guess before = state_of(place);
  set_state(place, NO_GUESS);
  return before == GUESS;
}
