/* What the device notifies of becomes times: of the launch, the block's barriers, its warps.
 *
 * Method   a block's record is kept for the next one; old times in it are below the new block's
 *          first group, so that nothing has to be cleared
 */
#include "blocks.h"
#include "entries.h"
#include "memory/allocations.h"
#include "memory/symbols.h"
#include "order.h"
#include "race.h"
#include "shadow/cells.h"
#include "shadow/launches.h"
#include "streams/streams.h"

#include <string.h>
#include <sys/mman.h>

/* Of a block's dynamic shared memory, with the closed page behind it. */
enum {
  MANY_GROUPS = 1 << 18,
  CLOSED = 4096,
  DYNAMIC_ROOM = 256 * 1024 + CLOSED,
  LANES_A_BLOCK = 1024
};

static struct ck_block *spare, *live;
static size_t spare_cells; /* of static shared memory, in each spare one */
static bool launch_skipped;

static size_t static_cells(void) {
  return (simt_shared.static_end - simt_shared.static_begin) / 4 + 2;
}

/* One mapping: the record, lanes, warps, cells. Pages that nobody touches cost nothing. */
static struct ck_block *make(void) {
  const size_t lanes = LANES_A_BLOCK * sizeof(struct ck_lane);
  const size_t warps = MAX_WARPS * sizeof(struct ck_warp);
  const size_t cells = (static_cells() + DYNAMIC_ROOM / 4 + 2) * sizeof(struct cell);
  const size_t bytes = sizeof(struct ck_block) + lanes + warps + cells;
  unsigned char *memory =
      mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return NULL;
  struct ck_block *block = (struct ck_block *)(void *)memory;
  memory += sizeof *block;
  block->lanes = (struct ck_lane *)(void *)memory;
  block->warps = (struct ck_warp *)(void *)(memory + lanes);
  block->static_cells = (struct cell *)(void *)(memory + lanes + warps);
  block->dynamic_cells = block->static_cells + static_cells();
  block->mapped = bytes;
  return block;
}

static bool in_sample(uint64_t number, unsigned every) { return every <= 1 || number % every == 0; }

static void list_add(struct ck_block *block) {
  block->before = NULL;
  block->next = live;
  if (live) live->before = block;
  live = block;
}

static void list_remove(struct ck_block *block) {
  if (block->before)
    block->before->next = block->next;
  else
    live = block->next;
  if (block->next) block->next->before = block->before;
}

/* Records are as long as the static shared memory of the module needs them. */
static void drop_spares(void) {
  while (spare) {
    struct ck_block *block = spare;
    spare = block->next;
    munmap(block, block->mapped);
  }
}

/* A block that finds no memory for its record is not checked. */
void ck_on_block_begin(struct block *b) {
  struct ck_block *block = spare;
  if (block)
    spare = block->next;
  else
    block = make();
  b->observer_data = block;
  struct findings *file = ck_file();
  file->blocks++;
  file->threads += b->threads;
  if (!block) {
    ck_give_up("a block had no memory for its record and was not checked");
    return;
  }
  block->sequence = b->sequence;
  block->first = block->barrier = ck_next_group;
  block->fenced = 0;
  block->fence_since = false;
  block->acquired = block->pending = NULL;
  block->observed_count = 0;
  block->skipped = launch_skipped || !in_sample(b->sequence, sd_options()->sample_blocks);
  file->blocks_skipped += block->skipped;
  for (unsigned w = 0; w < b->warps; w++) {
    block->tags[w] = ck_new_tag();
    block->warps[w].rows = false;
  }
  list_add(block);
}

void ck_on_block_enter(struct block *b) {
  struct ck_block *block = b->observer_data;
  ck_current.block = block;
  ck_current.lane = NULL;
  ck_current.warp = NULL;
  ck_current.skipped = !block || block->skipped;
  if (!block) return;
  ck_current.first = block->first;
  ck_current.barrier = block->barrier;
  ck_current.from = ck_next_group;
  if (!b->started) ck_current.from = block->first;
  ck_current.static_begin = simt_shared.static_begin;
  ck_current.static_bytes = simt_shared.static_end - simt_shared.static_begin;
  ck_current.dynamic_begin = (uintptr_t)b->dynamic->end + CLOSED - DYNAMIC_ROOM;
  ck_current.dynamic_bytes = DYNAMIC_ROOM;
  ck_current.static_cells = block->static_cells;
  ck_current.dynamic_cells = block->dynamic_cells;
}

void ck_on_block_end(struct block *b) {
  struct ck_block *block = b->observer_data;
  if (ck_current.unsettled) ck_race_settle();
  if (!block) return;
  ck_async_block_end(b->sequence);
  ck_race_review();
  list_remove(block);
  b->observer_data = NULL;
  block->next = spare;
  spare = block;
  ck_current.block = NULL;
  ck_current.skipped = true;
}

void ck_on_barrier(struct block *b) {
  struct ck_block *block = ck_current.block;
  if (ck_current.unsettled) ck_race_settle();
  ck_current.quiet = 0;
  if (!block) return;
  ck_race_review();
  block->barrier = ck_current.barrier = ck_next_group;
  if (block->fence_since) {
    block->fenced = block->barrier;
    block->fenced_scope = block->fence_since_scope;
    block->fence_since = false;
  }
  if (block->pending) {
    block->acquired = ck_join(block->acquired, block->pending);
    block->pending = NULL;
  }
  for (unsigned w = 0; w < b->warps; w++) {
    block->tags[w] = ck_new_tag();
    block->warps[w].rows = false;
  }
}

/* All blocks have come: whatever any of them did is in order for all. */
void ck_on_grid_barrier(struct grid *grid) {
  (void)grid;
  if (ck_current.unsettled) ck_race_settle();
  ck_current.ordered = ck_next_group;
  for (struct ck_block *block = live; block; block = block->next)
    for (size_t w = 0; w < MAX_WARPS; w++) block->tags[w] = ck_new_tag();
}

static void start_rows(struct ck_warp *warp) {
  for (size_t i = 0; i < 32; i++)
    for (size_t j = 0; j < 32; j++) warp->known[i][j] = ck_current.barrier;
  warp->rows = true;
}

void ck_on_warp_sync(struct block *b, struct warp *w, unsigned lanes) {
  struct ck_block *block = ck_current.block;
  if (ck_current.unsettled) ck_race_settle();
  if (!block) return;
  const size_t number = (size_t)(w - b->warp_list);
  struct ck_warp *warp = &block->warps[number];
  uint32_t all[32];
  if (!warp->rows) start_rows(warp);
  for (size_t j = 0; j < 32; j++) all[j] = lanes >> j & 1 ? ck_next_group : ck_current.barrier;
  for (unsigned m = lanes; m; m &= m - 1) {
    const uint32_t *row = warp->known[__builtin_ctz(m)];
    for (size_t j = 0; j < 32; j++) all[j] = all[j] > row[j] ? all[j] : row[j];
  }
  for (unsigned m = lanes; m; m &= m - 1) memcpy(warp->known[__builtin_ctz(m)], all, sizeof all);
  ck_order_share_fences(block, number, lanes);
  block->tags[number] = ck_new_tag();
  ck_order_meet(block, number, lanes);
}

/* Shuffles and votes order no memory of the warp. What one lane has learnt from other blocks it
 * may well hand on so: programs do, and the lanes have all read it by then. */
void ck_on_warp_exchange(struct block *b, struct warp *w, unsigned lanes) {
  if (ck_current.unsettled) ck_race_settle();
  ck_current.doubtful = false; /* a lane may shuffle what only another one has written */
  if (ck_current.block) ck_order_meet(ck_current.block, (size_t)(w - b->warp_list), lanes);
}

void ck_on_fence(int scope) {
  if (ck_current.unsettled) ck_race_settle();
  if (ck_current.block) ck_fence(scope);
}

/* An object: a barrier, a latch. Any of its threads carries on what others released. */
void ck_on_release(const void *object, int scope) {
  if (ck_current.unsettled) ck_race_settle();
  ck_current.fences = true;
  if (ck_current.block) ck_release((uintptr_t)object, true, scope, true);
}

void ck_on_acquire(const void *object, int scope) {
  (void)scope;
  if (ck_current.unsettled) ck_race_settle();
  if (ck_current.block) ck_acquire((uintptr_t)object, false);
}

/* An empty loop may do its work in its condition: what writes is not merely waiting. */
void ck_on_polled(void) {
  static uint32_t writes;
  ck_current.turn = CK_TURN;
  ck_note_poll();
  if (writes != ck_current.writes) sd_count(&sd_current->progress);
  writes = ck_current.writes;
}

void ck_on_lane_end(void) {
  if (ck_current.unsettled) ck_race_settle();
  ck_async_end();
  ck_current.doubtful = false;
  ck_current.lane = NULL;
  ck_current.quiet = 0;
  ck_current.turn = CK_TURN;
}

static size_t live_bytes;
static void add_live(uintptr_t begin, size_t bytes) {
  (void)begin;
  live_bytes += bytes;
}

/* The table of groups may take half as much memory as the data. */
static size_t groups_for_data(void) {
  live_bytes = 0;
  ck_live_allocations(add_live);
  return live_bytes / (2 * sizeof(struct group));
}

void ck_begin_grid(struct grid *grid) {
  struct findings *file = ck_file();
  ck_current.launch = ck_next_launch(grid);
  if (ck_next_group > MANY_GROUPS && ck_next_group > groups_for_data() && ck_op_all_waited())
    ck_forget();
  ck_op_begin(grid->config.stream, ck_next_group, grid->child);
  ck_current.ordered = ck_ordered_below();
  ck_current.block = NULL;
  ck_current.skipped = true;
  ck_current.turn = CK_TURN;
  ck_current.quiet = 0;
  ck_order_begin();
  ck_async_begin();
  ck_current.fences = false;
  memset(ck_cache, 0, sizeof ck_cache);
  ck_open_symbols(grid->module);
  if (spare_cells != static_cells()) drop_spares();
  spare_cells = static_cells();
  launch_skipped = !in_sample(file->launches++, sd_options()->sample_launches);
  file->launches_skipped += launch_skipped;
}

void ck_end_grid(struct grid *grid) {
  (void)grid;
  if (ck_current.unsettled) ck_race_settle();
  ck_file()->accesses = ck_current.accesses;
  if (ck_order_lost())
    ck_give_up("a launch had so many fences that races between its blocks could not be told");
  ck_current.block = NULL;
  ck_current.skipped = true;
}

/* Written cells of live blocks keep being written, by the block's first group. */
static void forget_cells(struct ck_block *block, struct cell *cell, size_t n) {
  for (; n; n--, cell++)
    *cell = (struct cell){
        ck_group_of(cell->writer) >= block->first ? CK_FIRST_GROUP << CK_GROUP_SHIFT : 0, 0, 0};
}

void ck_blocks_forget(void) {
  drop_spares();
  for (struct ck_block *block = live; block; block = block->next) {
    forget_cells(block, block->static_cells, static_cells() + DYNAMIC_ROOM / 4 + 2);
    memset(block->lanes, 0, LANES_A_BLOCK * sizeof *block->lanes);
    block->first = block->barrier = CK_FIRST_GROUP;
    block->fenced = 0;
    block->acquired = block->pending = NULL;
    block->observed_count = 0;
    for (size_t w = 0; w < MAX_WARPS; w++) {
      block->tags[w] = ck_new_tag();
      block->warps[w].rows = false;
    }
  }
}
