/* How often one address was the target of atomic operations during a launch.
 *
 * Method   a table from addresses to counts, with the block's number for shared memory. A launch
 *          or a full table begins anew by raising the number that an entry must carry
 * Limits   PLACES addresses at a time; beyond, counts begin again at 0, so that the result is
 *          too low rather than too high
 */
#include "profile.h"

enum { PLACES = 1 << 16, MOST = PLACES / 2 };

struct entry {
  uint64_t key;
  uint32_t round, count;
};

static struct entry table[PLACES];
static uint32_t round_number = 1, used;

void pr_contention_forget(void) {
  used = 0;
  if (++round_number) return;
  for (size_t i = 0; i < PLACES; i++) table[i].round = 0;
  round_number = 1;
}

static uint32_t add(uint64_t key) {
  for (size_t i = (size_t)(key * UINT64_C(0x9E3779B97F4A7C15) >> 48);; i++) {
    struct entry *e = &table[i % PLACES];
    if (e->round == round_number && e->key == key) return ++e->count;
    if (e->round == round_number) continue;
    if (used == MOST) {
      pr_contention_forget();
      return add(key);
    }
    used++;
    *e = (struct entry){key, round_number, 1};
    return 1;
  }
}

uint64_t pr_contention(const struct pr_request *request) {
  const uint64_t block =
      request->kind == FIGURES_SHARED ? (pr_current.block + 1) * UINT64_C(0xD6E8FEB86659FD93) : 0;
  uint32_t most = 0;
  for (unsigned i = 0; i < request->count; i++) {
    const uint32_t n = add(request->address[i] ^ block);
    if (n > most) most = n;
  }
  return most;
}
