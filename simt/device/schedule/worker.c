/* The OS threads that run a grid's blocks.
 *
 * Method   the launching thread is worker 0; the others wait between launches. Blocks are
 *          taken one by one in the schedule's order, so a huge grid is never laid out. A
 *          block that cannot go on (grid-wide barrier, polling) stays with its worker, in a
 *          ring with others
 */
#include "grid.h"

#include <sched.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

/* Waking the other workers takes about 40 us. Grids that may be done by then are begun by one,
 * who calls the others when it turns out that they are not. */
enum { FIBRE_STACK = 256 * 1024, PLAIN_STACK = 8 << 20 };
enum { VAIN_TURNS = 4 }; /* of each block, before the host may have one */
enum { SMALL_GRID = 2048, SMALL_PLAIN_GRID = 65536, ALONE_NS = 40000 };

static struct worker workers[MAX_WORKERS];
static struct grid *current;
static unsigned wanted, running, round_number, started = 1;
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t go = PTHREAD_COND_INITIALIZER, done = PTHREAD_COND_INITIALIZER;

struct worker *sd_workers(void) {
  return workers;
}

uint64_t sd_random(uint64_t *state) {
  uint64_t x = *state;
  x ^= x << 13;
  x ^= x >> 7;
  x ^= x << 17;
  return *state = x;
}

/* ---- Static shared memory: the module's thread-local storage ----------------------------- */

static void prepare(struct worker *me, const struct grid *grid) {
  /* Worker 0 is whichever thread launches. */
  static __thread bool prepared;
  sd_current = me;
  if (!prepared) {
    sd_fault_prepare();
    prepared = true;
  }
  sd_module_storage(grid->module, &me->storage, &simt_shared.static_begin, &simt_shared.static_end);
  me->static_shared = (unsigned char *)simt_shared.static_begin;
  me->static_shared_bytes = simt_shared.static_end - simt_shared.static_begin;
  if (!me->random) me->random = sd_options()->seed * 2 + 0x9E3779B97F4A7C15u + me->number;
  /* The checker has zones around a thread's variables. */
  const size_t often = sd_observer ? 2 : 1;
  const size_t wish = 16 * sd_stack_limit() + 64 * 1024;
  sd_stack_resize(&me->stacks, often * (wish > FIBRE_STACK ? wish : FIBRE_STACK));
  const size_t common = grid->by_blocks ? PLAIN_STACK : FIBRE_STACK;
  sd_stack_resize(&me->common_stacks, wish > common ? wish : common);
  sd_stack_resize(&me->plain_stacks, wish > PLAIN_STACK ? wish : PLAIN_STACK);
}

/* ---- The run queue -------------------------------------------------------------------------
 * A list from the newest to the oldest, gone through again and again in that direction: where
 * each block waits for the one after it, as in chains of flags, one pass frees them all. */

struct run_queue {
  struct block *newest, *cursor;
  size_t count;
};

static void queue_add(struct run_queue *queue, struct block *block) {
  block->newer = NULL;
  block->older = queue->newest;
  if (queue->newest) queue->newest->newer = block;
  queue->newest = block;
  queue->count++;
}

static void queue_remove(struct run_queue *queue, struct block *block) {
  if (queue->cursor == block) queue->cursor = block->older;
  if (block->newer)
    block->newer->older = block->older;
  else
    queue->newest = block->older;
  if (block->older) block->older->newer = block->newer;
  queue->count--;
}

static struct block *queue_next(struct run_queue *queue) {
  struct block *block = queue->cursor ? queue->cursor : queue->newest;
  if (block) queue->cursor = block->older;
  return block;
}

/* A new block if there is one left and room for it. */
static struct block *start_another(struct worker *me, struct grid *grid) {
  uint64_t sequence;
  if (!sd_deal_one(&grid->deal, &sequence)) return NULL;
  struct block *block = sd_block_start(me, grid, sequence);
  if (block) return block;
  sd_fail_out_of_memory(grid, "another block");
  sd_deal_drop(&grid->deal, false);
  return NULL;
}

static void publish_oldest(struct worker *me, const struct run_queue *queue) {
  uint64_t oldest = UINT64_MAX;
  for (const struct block *block = queue->newest; block; block = block->older)
    if (block->sequence < oldest) oldest = block->sequence;
  atomic_store(&me->oldest, oldest);
}

/* All blocks of the queue wait for something that other workers must do. */
static void idle(struct worker *me, const struct run_queue *queue, size_t *turns) {
  enum { NAP_NANOSECONDS = 50000 };
  if (++*turns < queue->count) return;
  if (*turns < 64 * queue->count) {
    sched_yield();
    return;
  }
  struct timespec begin, end;
  clock_gettime(CLOCK_MONOTONIC, &begin);
  nanosleep(&(struct timespec){0, NAP_NANOSECONDS}, NULL);
  clock_gettime(CLOCK_MONOTONIC, &end);
  uint64_t slept =
      (uint64_t)((end.tv_sec - begin.tv_sec) * 1000000000LL + end.tv_nsec - begin.tv_nsec);
  /* Longer than it wanted: the machine had others to serve. */
  if (slept > 4 * NAP_NANOSECONDS) slept = 4 * NAP_NANOSECONDS;
  atomic_store_explicit(&me->slept, me->slept + slept, memory_order_relaxed);
}

static bool grid_waits(const struct block *block) {
  return block->started && block->at_grid && block->at_grid == block->live &&
         !sd_has_passed_grid(block);
}

/* A new block while the present ones wait, else the next one of the queue. */
static struct block *next_block(struct worker *me, struct grid *grid, struct run_queue *queue) {
  struct block *block = start_another(me, grid);
  if (!block) return queue_next(queue);
  queue_add(queue, block);
  publish_oldest(me, queue);
  return block;
}

/* Nobody runs, and nobody polls: the observer need not wait for the watchdog. True: it is over. */
static bool nobody_can(struct grid *grid, struct block *block, const struct run_queue *queue,
                       size_t turns, bool polled) {
  if (!sd_observer || atomic_load(&grid->error)) return false;
  if (!polled && turns > 2 * queue->count + 2)
    atomic_store(&grid->overdue, "all threads wait for others");
  if (!atomic_load(&grid->overdue) || polled) return false;
  sd_end_waiting_if_overdue(grid, block);
  return true;
}

void sd_run_fibres(struct worker *me, struct grid *grid) {
  struct run_queue queue = {NULL, NULL, 0};
  struct block *block;
  size_t turns = 0;
  bool polled = false;
  sd_park_begin(me, grid);
  while ((block = next_block(me, grid, &queue))) {
    if (grid_waits(block) && !atomic_load(&grid->error)) {
      idle(me, &queue, &turns);
      continue;
    }
    sd_block_enter(me, block);
    if (!sd_park_enter(me, block)) sd_fail_out_of_memory(grid, "the stacks of a block that waits");
    const uint64_t progress = me->progress + me->exits;
    const enum leave why = atomic_load(&grid->error) ? LEFT_ABORTED : sd_run_block(me, block);
    if (me->progress + me->exits != progress) turns = 0, polled = false;
    if (why == LEFT_FINISHED || why == LEFT_ABORTED) {
      queue_remove(&queue, block);
      sd_grid_leave(grid);
      sd_deal_drop(&grid->deal, why == LEFT_FINISHED);
      sd_block_end(me, block);
      sd_call_others_if_due(grid);
      publish_oldest(me, &queue);
    } else if (why == LEFT_GRID) {
      sd_grid_arrive(block);
    } else {
      if (why == LEFT_POLLING) polled = true;
      if (polled && turns > VAIN_TURNS * queue.count && sd_let_host(grid))
        turns = 0;
      else if (!nobody_can(grid, block, &queue, turns, polled))
        idle(me, &queue, &turns);
    }
  }
  sd_park_end(me);
  atomic_store(&me->oldest, UINT64_MAX);
}

/* ---- The pool -------------------------------------------------------------------------------- */

static void work(struct worker *me, struct grid *grid) {
  prepare(me, grid);
  me->grid = grid;
  if (sd_is_ranged(grid->kernel, grid->config.block))
    sd_run_plain(me, grid);
  else
    sd_run_fibres(me, grid);
  me->grid = NULL;
  me->block = NULL;
}

static void *worker_main(void *argument) {
  struct worker *me = argument;
  unsigned seen = 0;
  pthread_mutex_lock(&gate);
  for (;;) {
    while (round_number == seen || me->number >= wanted) {
      seen = round_number;
      pthread_cond_wait(&go, &gate);
    }
    seen = round_number;
    struct grid *grid = current;
    pthread_mutex_unlock(&gate);
    work(me, grid);
    pthread_mutex_lock(&gate);
    if (--running == 0) pthread_cond_signal(&done);
  }
  return NULL;
}

/* A forked child has the launching thread alone. */
static void forget_workers(void) {
  started = 1;
  running = wanted = 0;
  pthread_mutex_init(&gate, NULL);
  pthread_cond_init(&go, NULL);
  pthread_cond_init(&done, NULL);
  sd_watchdog_forget();
}

static void start_workers(unsigned count) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  while (started < count) {
    workers[started].number = started;
    if (pthread_create(&workers[started].thread, &attributes, worker_main, &workers[started]))
      break;
    started++;
  }
  pthread_attr_destroy(&attributes);
}

static void follow_forks(void) { pthread_atfork(NULL, NULL, forget_workers); }

/* All that allocates or reads the environment comes before the host's memory is closed. */
void sd_prepare_grid(struct grid *grid) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, follow_forks);
  unsigned count = sd_options()->threads;
  const uint64_t work_items = grid->blocks * grid->threads;
  if (count > grid->blocks) count = (unsigned)grid->blocks;
  if (count > started) start_workers(count);
  if (count > started) count = started;
  grid->workers = count;
  grid->by_blocks = sd_is_by_blocks(grid->kernel, grid->config.block);
  grid->alone = work_items <=
                (sd_is_ranged(grid->kernel, grid->config.block) ? SMALL_PLAIN_GRID : SMALL_GRID);
  /* By rounds, a worker's share is one piece: nobody could help with it later. */
  if ((grid->kernel->flags & SIMT_ROUNDS) && work_items > SMALL_GRID) grid->alone = false;
  if (grid->alone) grid->begun = simt_clock64();
  for (unsigned i = 0; i < count; i++) atomic_store(&workers[i].oldest, 0);
  workers[0].thread = pthread_self();
  prepare(&workers[0], grid);
  sd_current = NULL;
  sd_watchdog_start();
}

static void call_others(struct grid *grid) {
  grid->alone = false;
  if (grid->workers == 1) return;
  pthread_mutex_lock(&gate);
  current = grid;
  wanted = grid->workers;
  running = grid->workers - 1;
  round_number++;
  pthread_cond_broadcast(&go);
  pthread_mutex_unlock(&gate);
}

/* sd_call_others_if_due - after each piece of work: is it time for the others? */
void sd_call_others_if_due(struct grid *grid) {
  if (grid->alone && simt_clock64() - grid->begun > ALONE_NS) call_others(grid);
}

void sd_run_grid(struct grid *grid) {
  sd_watchdog_set(grid);
  if (!grid->alone) call_others(grid);
  work(&workers[0], grid);
  if (!grid->alone && grid->workers > 1) {
    pthread_mutex_lock(&gate);
    while (running) pthread_cond_wait(&done, &gate);
    wanted = 0;
    pthread_mutex_unlock(&gate);
  }
  sd_watchdog_set(NULL);
  sd_current = NULL;
}
