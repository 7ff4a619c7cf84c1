/* Two tables by site: what is known of it, and the races that were reported before anything was.
 *
 * Method   a site is an instruction, its caller and the word that is read, as a hash. Of a full set
 *          of sites the one that is known longest is given up
 */
#include "guesses.h"

#include <string.h>
#include <sys/mman.h>

/* ---- Sites: a hash of each, whose last bit says that it is none of guesses ------------------- */

enum { SITE_SETS = 1 << 17, SITE_WAYS = 8 };
typedef uint64_t site_set[SITE_WAYS];
static site_set *sites; /* address space until it is used */

enum guess { UNKNOWN, GUESS, NO_GUESS };

static uint64_t site_of(uintptr_t at, const struct group *g) {
  return ck_hash(at >> 2, (uint64_t)g->pcs[0] << 32 | g->pcs[1]) & ~UINT64_C(1);
}

static uint64_t *find(uint64_t site) {
  uint64_t *set = sites[site >> 1 & (SITE_SETS - 1)];
  for (size_t i = 0; i < SITE_WAYS; i++)
    if ((set[i] & ~UINT64_C(1)) == site) return &set[i];
  return NULL;
}

static enum guess state_of(uint64_t site) {
  const uint64_t *known = sites ? find(site) : NULL;
  return !known ? UNKNOWN : *known & 1 ? NO_GUESS : GUESS;
}

static void set_state(uint64_t site, enum guess state) {
  if (!sites) {
    void *memory = mmap(NULL, SITE_SETS * sizeof *sites, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) return;
    sites = memory;
  }
  uint64_t *known = find(site);
  if (!known) {
    known = sites[site >> 1 & (SITE_SETS - 1)];
    memmove(known + 1, known, sizeof(site_set) - sizeof *known);
  }
  *known = site | (state == NO_GUESS);
}

bool ck_is_guess(uintptr_t at, const struct group *reader) {
  return sites && state_of(site_of(at, reader)) == GUESS;
}

/* ---- Races that were reported of a site before anything was known of it ---------------------- */

enum { DOUBT_SETS = 256, DOUBT_WAYS = 16 };
static struct doubt {
  uint64_t site, key_a, key_b, times; /* keys: of the finding */
} doubts[DOUBT_SETS][DOUBT_WAYS];

void ck_doubt(uintptr_t at, const struct group *reader, uint64_t key_a, uint64_t key_b) {
  const uint64_t site = site_of(at, reader);
  struct doubt *set = doubts[site >> 1 & (DOUBT_SETS - 1)];
  if (state_of(site) != UNKNOWN) return;
  for (size_t i = 0; i < DOUBT_WAYS; i++)
    if (set[i].site == site && set[i].key_a == key_a && set[i].key_b == key_b) {
      set[i].times++;
      return;
    }
  memmove(set + 1, set, (DOUBT_WAYS - 1) * sizeof *set);
  set[0] = (struct doubt){site, key_a, key_b, 1};
}

static void withdraw(uint64_t site) {
  struct doubt *set = doubts[site >> 1 & (DOUBT_SETS - 1)];
  for (size_t i = 0; i < DOUBT_WAYS; i++) {
    for (; set[i].site == site && set[i].times; set[i].times--)
      ck_finding_withdraw(SD_RACE, set[i].key_a, set[i].key_b);
    if (set[i].site == site) set[i].site = 0;
  }
}

void ck_guess_holds(uintptr_t at, const struct group *reader) {
  const uint64_t site = site_of(at, reader);
  if (state_of(site) != UNKNOWN) return;
  set_state(site, GUESS);
  withdraw(site);
}

bool ck_guess_fails(uintptr_t at, const struct group *reader) {
  const uint64_t site = site_of(at, reader);
  const enum guess before = state_of(site);
  set_state(site, NO_GUESS);
  return before == GUESS;
}
