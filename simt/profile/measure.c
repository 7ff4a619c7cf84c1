/* What a request costs the memory.
 *
 * Result   global memory: sectors of 32 bytes that the lanes touch, and the least number for so
 *          many different bytes. Shared memory: turns that its 32 banks of 4 bytes take, one for
 *          each word that a bank has to give, and the least number
 * Method   addresses that ascend from lane to lane, the usual case, are counted in one pass;
 *          others go through a table of 128 slots
 * Limits   8 bytes a lane go by half warps, 16 by quarters, as the guide says; lanes that read
 *          one word share it
 * Source   CUDA C++ Programming Guide, sections Global Memory, Shared Memory
 */
#include "profile.h"

enum { PLACES = 128, WORD = 4, SUB_SECTORS = 64 };

/* Different numbers, in order of coming. */
struct set {
  uint64_t key[PLACES];
  uint8_t count[PLACES];
  uint8_t used[LANES * 4];
  unsigned size;
};

/* How often `key` has come, this time included; 0: no room. */
static unsigned set_add(struct set *set, uint64_t key) {
  size_t i = (size_t)(key * UINT64_C(0x9E3779B97F4A7C15) >> 57);
  for (;; i = (i + 1) % PLACES) {
    if (!set->count[i]) {
      if (set->size == sizeof set->used - LANES) return 0;
      set->key[i] = key;
      set->used[set->size++] = (uint8_t)i;
      return set->count[i] = 1;
    }
    if (set->key[i] == key) return ++set->count[i];
  }
}

static void set_clear(struct set *set) {
  for (unsigned i = 0; i < set->size; i++) set->count[set->used[i]] = 0;
  set->size = 0;
}

static struct set set;

static unsigned divide_up(unsigned a, unsigned b) { return (a + b - 1) / b; }

/* ---- Global memory ------------------------------------------------------------------------- */

/* Each address above the one before it, or the same: sectors and addresses can be counted as they
 * come. False: they do not ascend. */
static bool ascending(const struct pr_request *r, unsigned *sectors, unsigned *different) {
  uintptr_t last = r->address[0], sector = (last + r->bytes - 1) / FIGURES_SECTOR;
  *sectors = (unsigned)(sector - last / FIGURES_SECTOR) + 1;
  *different = 1;
  for (unsigned i = 1; i < r->count; i++) {
    const uintptr_t address = r->address[i];
    if (address == last) continue;
    if (address < last) return false;
    const uintptr_t begin = address / FIGURES_SECTOR;
    const uintptr_t end = (address + r->bytes - 1) / FIGURES_SECTOR;
    if (begin > sector)
      *sectors += (unsigned)(end - begin) + 1;
    else if (end > sector)
      *sectors += (unsigned)(end - sector);
    if (end > sector) sector = end;
    last = address;
    (*different)++;
  }
  return true;
}

static void any_order(const struct pr_request *r, unsigned *sectors, unsigned *different) {
  unsigned more = 0;
  for (unsigned i = 0; i < r->count; i++) set_add(&set, r->address[i]);
  *different = set.size;
  set_clear(&set);
  for (unsigned i = 0; i < r->count; i++) {
    uintptr_t sector = r->address[i] / FIGURES_SECTOR;
    const uintptr_t end = (r->address[i] + r->bytes - 1) / FIGURES_SECTOR;
    for (unsigned n = 0; sector <= end && n < SUB_SECTORS; sector++, n++)
      if (!set_add(&set, sector)) more++;
  }
  *sectors = set.size + more;
  set_clear(&set);
}

/* Every lane just behind the lane before it, which is how most requests are. Without an early end, so
 * that the compiler takes several lanes at a time. */
static bool adjacent(const struct pr_request *r) {
  const uintptr_t first = r->address[0], bytes = r->bytes;
  uintptr_t wrong = 0;
  for (unsigned i = 0; i < r->count; i++) wrong |= r->address[i] ^ (first + i * bytes);
  return !wrong;
}

static void measure_global(const struct pr_request *r, struct pr_cost *cost) {
  unsigned sectors, different = r->count;
  if (adjacent(r)) {
    const uintptr_t last = r->address[0] + (uintptr_t)r->count * r->bytes - 1;
    sectors = (unsigned)(last / FIGURES_SECTOR - r->address[0] / FIGURES_SECTOR) + 1;
  } else if (!ascending(r, &sectors, &different)) {
    any_order(r, &sectors, &different);
  }
  cost->units = cost->worst = sectors;
  cost->ideal = divide_up(different * r->bytes, FIGURES_SECTOR);
  if (cost->ideal > sectors) cost->ideal = sectors; /* lanes that overlap */
}

/* ---- Shared memory --------------------------------------------------------------------------- */

/* Lanes [first, end) of the request: the words that the fullest bank has to give. */
static unsigned bank_turns(const struct pr_request *r, unsigned first, unsigned end) {
  uint8_t words[FIGURES_BANKS] = {0};
  unsigned most = 0;
  for (unsigned i = first; i < end; i++) {
    const uintptr_t last = (r->address[i] + r->bytes - 1) / WORD;
    for (uintptr_t word = r->address[i] / WORD; word <= last; word++) {
      if (set_add(&set, word) > 1) continue;
      const unsigned n = ++words[word % FIGURES_BANKS];
      if (n > most) most = n;
    }
  }
  set_clear(&set);
  return most;
}

/* Every lane at the next word of the lane before it: no bank has two. */
static bool in_a_row(const struct pr_request *r) {
  if (r->bytes != WORD || r->address[0] % WORD) return false;
  for (unsigned i = 1; i < r->count; i++)
    if (r->address[i] != r->address[i - 1] + WORD) return false;
  return true;
}

static void measure_shared(const struct pr_request *r, struct pr_cost *cost) {
  const unsigned step = r->bytes <= 4 ? 32 : r->bytes <= 8 ? 16 : r->bytes <= 16 ? 8 : 4;
  cost->units = cost->ideal = cost->worst = 1;
  if (in_a_row(r)) return;
  cost->units = cost->ideal = cost->worst = 0;
  unsigned first = 0;
  for (unsigned lane = 0; lane < LANES; lane += step) {
    const uint32_t part = r->lanes >> lane & (step == 32 ? ~0u : (1u << step) - 1);
    if (!part) continue;
    const unsigned end = first + (unsigned)__builtin_popcount(part);
    const unsigned turns = bank_turns(r, first, end);
    cost->units += turns;
    if (turns > cost->worst) cost->worst = turns;
    cost->ideal++;
    first = end;
  }
}

/* ---- Both ------------------------------------------------------------------------------------ */

static unsigned most_at_one(const struct pr_request *r) {
  unsigned most = 1;
  for (unsigned i = 0; i < r->count; i++) {
    const unsigned n = set_add(&set, r->address[i]);
    if (n > most) most = n;
  }
  set_clear(&set);
  return most;
}

void pr_measure(const struct pr_request *request, struct pr_cost *cost) {
  cost->contention = request->atomic ? most_at_one(request) : 0;
  if (request->kind == FIGURES_SHARED)
    measure_shared(request, cost);
  else
    measure_global(request, cost);
}
