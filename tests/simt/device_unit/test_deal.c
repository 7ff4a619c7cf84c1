/* White-box: blocks are dealt out so that each runs exactly once, in every interleaving.
 *
 * Method   the workers are contexts of one OS thread; before each access of what they share they give
 *          way (SD_DEAL_STEP). All choices of who goes next are tried, depth first: a state is reached
 *          again by repeating the choices that led to it, and one that has been seen, which is the
 *          shared words and where each worker stands with what it holds, is not tried twice
 * Limits   sequential consistency: no state that only weaker memory would reach
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#include <cmocka.h>

static void give_way(int line, const void *word);
#define SD_DEAL_STEP(word) give_way(__LINE__, word)
#include "deal.h"

enum { MOST_WORKERS = 3, STACK = 32768, MOST_STEPS = 256, TABLE = 1 << 20 };

struct scene {
  unsigned int workers, blocks, room, chunk, hold;
};

static struct scene scene;
static struct sd_deal deal;
static unsigned int ran[8];

/* What a worker is about to do, and all that its further way depends on. */
static struct worker {
  ucontext_t context;
  int line;
  unsigned int held, read;
  uint64_t first, count;
  bool over;
} workers[MOST_WORKERS];
static unsigned int me;
static ucontext_t chooser;
static char stacks[MOST_WORKERS][STACK];

/* What is read is needed until the next access at most. */
static void give_way(int line, const void *word) {
  struct worker *w = &workers[me];
  if (!scene.workers) return;
  w->line = line;
  swapcontext(&w->context, &chooser);
  w->read = 0;
  if (word == &deal.next) w->read = (unsigned int)atomic_load(&deal.next);
  if (word == &deal.queued) w->read = atomic_load(&deal.queued);
}

/* As sd_run_plain. */
static void run_plain(struct worker *w) {
  while ((w->count = sd_deal_run(&deal, scene.chunk, &w->first)) > 0) {
    for (uint64_t i = 0; i < w->count; ++i) ++ran[w->first + i];
    sd_deal_over(&deal, w->count);
  }
}

/* As sd_run_fibres: a block may have to wait, and another one is begun meanwhile. */
static void run_fibres(struct worker *w) {
  for (;;) {
    if (w->held < scene.hold && sd_deal_one(&deal, &w->first)) {
      ++ran[w->first];
      w->first = 0;
      ++w->held;
      continue;
    }
    if (!w->held) return;
    sd_deal_drop(&deal, true);
    --w->held;
  }
}

static void worker_main(void) {
  struct worker *w = &workers[me];
  if (scene.room)
    run_fibres(w);
  else
    run_plain(w);
  w->over = true;
  w->line = 0;
  swapcontext(&w->context, &chooser);
}

static void step(unsigned int worker) {
  me = worker;
  swapcontext(&chooser, &workers[worker].context);
}

static void begin(void) {
  memset(&deal, 0, sizeof deal);
  memset(ran, 0, sizeof ran);
  deal.blocks = scene.blocks;
  deal.room = scene.room;
  for (unsigned int i = 0; i < scene.workers; ++i) {
    struct worker *w = &workers[i];
    memset(w, 0, sizeof *w);
    getcontext(&w->context);
    w->context.uc_stack.ss_sp = stacks[i];
    w->context.uc_stack.ss_size = STACK;
    makecontext(&w->context, worker_main, 0);
    step(i); /* to its first access */
  }
}

/* ---- States that have been seen ---------------------------------------------------------------- */

static uint64_t seen[TABLE];
static size_t states, ends;

static uint64_t mixed(uint64_t hash, uint64_t word) {
  hash = (hash ^ word) * UINT64_C(0x9E3779B97F4A7C15);
  return hash ^ hash >> 29;
}

static uint64_t state_hash(void) {
  uint64_t hash = mixed(1, atomic_load(&deal.next));
  hash = mixed(hash, atomic_load(&deal.over));
  hash = mixed(hash, atomic_load(&deal.queued));
  for (unsigned int i = 0; i < scene.blocks; ++i) hash = mixed(hash, ran[i]);
  for (unsigned int i = 0; i < scene.workers; ++i) {
    const struct worker *w = &workers[i];
    hash = mixed(hash, (uint64_t)w->line << 32 | w->held << 16 | w->over);
    hash = mixed(hash, (uint64_t)w->read << 32 | w->first << 16 | w->count);
  }
  return hash | 1;
}

/* false: it was there */
static bool note(uint64_t hash) {
  size_t at = hash % TABLE;
  while (seen[at]) {
    if (seen[at] == hash) return false;
    at = (at + 1) % TABLE;
  }
  seen[at] = hash;
  assert_true(++states < TABLE / 2);
  return true;
}

/* ---- All choices ---------------------------------------------------------------------------------- */

static unsigned char path[MOST_STEPS];
static size_t length;

static void check_end(void) {
  for (unsigned int i = 0; i < scene.blocks; ++i) assert_int_equal(ran[i], 1);
  assert_int_equal(sd_deal_left(&deal), 0);
  assert_int_equal(atomic_load(&deal.queued), 0);
  ++ends;
}

static void repeat(void) {
  begin();
  for (size_t i = 0; i < length; ++i) step(path[i]);
}

static void explore(void) {
  bool here = true;
  unsigned int able = 0;
  for (unsigned int i = 0; i < scene.workers; ++i) able |= (unsigned int)!workers[i].over << i;
  if (!able) check_end();
  for (unsigned int i = 0; i < scene.workers; ++i) {
    if (!(able >> i & 1)) continue;
    if (!here) repeat();
    here = false;
    assert_true(length < MOST_STEPS);
    path[length++] = (unsigned char)i;
    step(i);
    if (note(state_hash())) explore();
    --length;
  }
}

static void check(struct scene s) {
  memset(seen, 0, sizeof seen);
  states = ends = length = 0;
  scene = s;
  begin();
  explore();
  assert_true(ends > 0);
  print_message("%u workers, %u blocks, room %u, runs of %u, %u held: %zu states, %zu ends\n",
                s.workers, s.blocks, s.room, s.chunk, s.hold, states, ends);
}

static void test_runs(void **state) {
  (void)state;
  for (unsigned int chunk = 1; chunk <= 6; ++chunk)
    check((struct scene){.workers = 3, .blocks = 5, .chunk = chunk});
}

static void test_one_by_one(void **state) {
  (void)state;
  for (unsigned int room = 1; room <= 3; ++room)
    for (unsigned int hold = 1; hold <= 2; ++hold)
      check((struct scene){.workers = 3, .blocks = 5, .room = room, .hold = hold});
}

/* The cursor neither passes the end nor comes round to the beginning again. */
static void test_huge(void **state) {
  (void)state;
  const uint64_t blocks = UINT64_C(0x7FFFFFFF) * 65535 * 65535;
  uint64_t first = 0;
  scene = (struct scene){.workers = 0};
  memset(&deal, 0, sizeof deal);
  deal.blocks = blocks;
  atomic_store(&deal.next, blocks - 3);
  assert_int_equal(sd_deal_run(&deal, blocks - 1, &first), 3);
  assert_int_equal(first, blocks - 3);
  for (unsigned int i = 0; i < 8; ++i) assert_int_equal(sd_deal_run(&deal, blocks - 1, &first), 0);
  sd_deal_over(&deal, 3);
  assert_int_equal(sd_deal_left(&deal), blocks - 3);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_runs),
      cmocka_unit_test(test_one_by_one),
      cmocka_unit_test(test_huge),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
