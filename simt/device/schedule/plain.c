/* Kernels in which no thread waits: a loop over blocks and threads.
 *
 * Method   workers take runs of blocks; each run is one call of the kernel's loop, on a stack
 *          of its own so that a fault can be left behind. When a run faults, its block is run
 *          again thread by thread to learn which thread it was: the grid has failed anyway
 */
#include "grid.h"

#include <string.h>

enum { THREADS_A_RUN = 16384 };

static void plain_main(void) {
  struct worker *me = sd_current;
  me->locked = 0;
  me->grid->kernel->range(me->grid->body, &me->range);
  me->locked = 1;
  me->leave = LEFT_FINISHED;
  sd_continue(me->main_sp);
}

static void report_main(void) { sd_report_fault_anew(sd_current); }

/* Runs me->range; false when it did not come to its end. */
static bool run_with(struct worker *me, void (*entry)(void)) {
  me->leave = LEFT_ABORTED;
  sd_stack_prepare(me->plain_stack, entry);
  me->plain = true;
  sd_swap(&me->main_sp, me->plain_stack->sp);
  me->plain = false;
  me->locked = 1;
  return me->leave == LEFT_FINISHED;
}

static bool run(struct worker *me) { return run_with(me, plain_main); }

/* Grids too large to be taken apart block by block are ordered by pieces of so many blocks. */
enum { LARGE_GRID = 1 << 20, PIECE = 4096 };

static bool run_piece(struct worker *me, struct grid *grid, uint64_t sequence) {
  const uint64_t pieces = (grid->blocks + PIECE - 1) / PIECE;
  const uint64_t first = sd_scheduled(sequence / PIECE, pieces) * PIECE;
  const uint64_t end = first + PIECE < grid->blocks ? first + PIECE : grid->blocks;
  me->range =
      (struct simt_range){grid->config.grid, grid->config.block, first, end, 0, grid->threads};
  return run(me);
}

/* In the order of the schedule, warp by warp, for the schedules that are not forward. */
static bool run_warps(struct worker *me, struct grid *grid, uint64_t sequence) {
  const struct uint3 block = sd_block_index(grid, sequence), g = grid->config.grid;
  const uint64_t linear = block.x + (uint64_t)g.x * (block.y + (uint64_t)g.y * block.z);
  const unsigned warps = (grid->threads + LANES - 1) / LANES;
  const unsigned turn = (unsigned)(sd_random(&me->random) % warps);
  const bool reverse = sd_options()->order == SD_REVERSE;
  for (unsigned i = 0; i < warps; i++) {
    const unsigned w = reverse ? warps - 1 - i : (i + turn) % warps;
    const unsigned end = (w + 1) * LANES;
    me->range = (struct simt_range){g,         grid->config.block,
                                    linear,    linear + 1,
                                    w * LANES, end < grid->threads ? end : grid->threads};
    if (!run(me)) return false;
  }
  return true;
}

/* Which thread of the faulting block was it? */
static void diagnose(struct worker *me, struct grid *grid) {
  const struct uint3 g = grid->config.grid, at = blockIdx;
  const uint64_t linear = at.x + (uint64_t)g.x * (at.y + (uint64_t)g.y * at.z);
  me->diagnosing = true;
  for (unsigned t = 0; t < grid->threads && me->diagnosing; t++) {
    const struct uint3 dim = grid->config.block;
    me->range = (struct simt_range){g, dim, linear, linear + 1, t, t + 1};
    threadIdx = (struct uint3){t % dim.x, t / dim.x % dim.y, t / dim.x / dim.y};
    if (!run(me)) break;
  }
  me->diagnosing = false;
  if (!atomic_load(&grid->error)) run_with(me, report_main);
}

static bool is_for(const struct simt_kernel *kernel, struct uint3 block) {
  const bool row = block.y * block.z == 1, whole = block.x % LANES == 0;
  return sd_options()->order == SD_FORWARD && (!(kernel->flags & SIMT_ROWS) || row || whole) &&
         (!(kernel->flags & SIMT_WHOLE) || whole);
}

bool sd_is_ranged(const struct simt_kernel *kernel, struct uint3 block) {
  if (!kernel->range || !(kernel->flags & SIMT_PHASES)) return kernel->range != NULL;
  return !(kernel->flags & SIMT_GRID) && is_for(kernel, block);
}

bool sd_is_by_blocks(const struct simt_kernel *kernel, struct uint3 block) {
  return kernel->range && (kernel->flags & SIMT_GRID) && is_for(kernel, block);
}

void simt_phases(unsigned long long barriers) { sd_current->counters.barriers += barriers; }

/* A block of phases has faulted: again, on fibres, of which each is a thread. Threads go on from
 * what the block has done before, which may keep them from the fault. */
static void run_on_fibres(struct worker *me, struct grid *grid) {
  const struct uint3 g = grid->config.grid, at = blockIdx;
  const uint64_t linear = at.x + (uint64_t)g.x * (at.y + (uint64_t)g.y * at.z);
  sd_shared_leave(me);
  struct block *block = sd_block_start(me, grid, linear);
  if (block) {
    me->counters.blocks--;
    me->counters.threads -= grid->threads;
    sd_block_enter(me, block);
    me->block = block;
    (void)sd_run_block(me, block);
    sd_block_end(me, block);
    me->block = NULL;
  }
  if (!atomic_load(&grid->error)) run_with(me, report_main);
}

static void find_fault(struct worker *me, struct grid *grid) {
  if (grid->kernel->flags & SIMT_PHASES)
    run_on_fibres(me, grid);
  else
    diagnose(me, grid);
}

static bool take_stack(struct worker *me, struct grid *grid) {
  if (!me->plain_stack) me->plain_stack = sd_stack_take(&me->plain_stacks, plain_main);
  const bool shared = !(grid->kernel->flags & SIMT_PHASES) || sd_shared_enter(me, grid);
  if (me->plain_stack && shared) return true;
  /* Worker 0 can do it alone. */
  if (me->number == 0) sd_fail_out_of_memory(grid, "a stack");
  return false;
}

void sd_run_plain(struct worker *me, struct grid *grid) {
  uint64_t chunk = THREADS_A_RUN / grid->threads;
  const uint64_t share = grid->blocks / (grid->workers * 8);
  if (chunk > share) chunk = share;
  /* What a round touches should be one piece. */
  if (grid->kernel->flags & SIMT_ROUNDS) chunk = (grid->blocks + grid->workers - 1) / grid->workers;
  if (chunk == 0) chunk = 1;
  const bool forward = sd_options()->order == SD_FORWARD, large = grid->blocks > LARGE_GRID;
  if (!forward) chunk = large ? PIECE : 1;
  blockDim = grid->config.block;
  gridDim = grid->config.grid;
  if (!take_stack(me, grid)) return;
  uint64_t first, count;
  while (!atomic_load(&grid->error) && (count = sd_deal_run(&grid->deal, chunk, &first)) > 0) {
    const uint64_t end = first + count;
    bool whole = true;
    if (forward) {
      me->range =
          (struct simt_range){grid->config.grid, grid->config.block, first, end, 0, grid->threads};
      whole = run(me);
    } else {
      whole = large ? run_piece(me, grid, first) : run_warps(me, grid, first);
    }
    sd_count(&me->progress);
    sd_call_others_if_due(grid);
    me->counters.blocks += count;
    me->counters.threads += count * grid->threads;
    if (!whole && me->leave == LEFT_WAITING) find_fault(me, grid);
    if (!whole) break;
    sd_deal_over(&grid->deal, count);
  }
  sd_shared_leave(me);
}
