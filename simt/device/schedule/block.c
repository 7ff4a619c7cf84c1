/* A block's record: made when a worker starts it, kept for the next one when it ends.
 *
 * Method   static shared memory is the program's thread-local storage, which all blocks of an
 *          OS thread share: when a worker has several blocks in its run queue (grid-wide barriers,
 *          polling) each block's contents are copied out and in as it leaves and comes back
 */
#include "grid.h"

#include <errno.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { PAGE = 4096, DYNAMIC_ROOM = 256 * 1024 };

static size_t record_bytes(unsigned threads) {
  const size_t bytes = sizeof(struct block) + threads * sizeof(struct lane);
  return (bytes + PAGE - 1) / PAGE * PAGE;
}

static void *map(size_t bytes) {
  void *memory =
      mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory == MAP_FAILED ? NULL : memory;
}

/* A region's record lies at the start of its mapping, its memory in front of the guard. */
static struct region *region_take(struct worker *me) {
  struct region *region = me->regions;
  if (region) {
    me->regions = region->next;
    return region;
  }
  unsigned char *memory = map(DYNAMIC_ROOM + 2 * PAGE);
  if (!memory) return NULL;
  if (mprotect(memory + PAGE + DYNAMIC_ROOM, PAGE, PROT_NONE) != 0) return NULL;
  region = (struct region *)(void *)memory;
  region->end = memory + PAGE + DYNAMIC_ROOM;
  return region;
}

bool sd_shared_enter(struct worker *me, const struct grid *grid) {
  struct region *region = me->entered = region_take(me);
  if (!region) return false;
  simt_shared.dynamic_end = (uintptr_t)region->end;
  simt_shared.dynamic_begin = simt_shared.dynamic_end - (grid->config.shared_bytes + 15) / 16 * 16;
  return true;
}

void sd_shared_leave(struct worker *me) {
  if (!me->entered) return;
  me->entered->next = me->regions;
  me->regions = me->entered;
  me->entered = NULL;
}

/* Entry n of the schedule's order among `total`: a permutation by four rounds of a Feistel
 * network over the next even power of two, walked until it falls inside. */
static uint64_t shuffled(uint64_t n, uint64_t total, uint64_t seed) {
  unsigned half = 1;
  while (half < 32 && (UINT64_C(1) << 2 * half) < total) half++;
  const uint64_t mask = (UINT64_C(1) << half) - 1;
  do {
    uint64_t left = n >> half, right = n & mask;
    for (uint64_t round = 0; round < 4; round++) {
      uint64_t mix = (right + round * UINT64_C(0x9E3779B97F4A7C15)) ^ seed;
      mix = (mix ^ mix >> 31) * UINT64_C(0xBF58476D1CE4E5B9);
      mix ^= mix >> 29;
      const uint64_t swapped = left ^ (mix & mask);
      left = right;
      right = swapped;
    }
    n = left << half | right;
  } while (n >= total);
  return n;
}

uint64_t sd_scheduled(uint64_t sequence, uint64_t total) {
  const struct sd_options *options = sd_options();
  if (options->order == SD_REVERSE) return total - 1 - sequence;
  if (options->order == SD_RANDOM) return shuffled(sequence, total, options->seed);
  return sequence;
}

struct uint3 sd_block_index(const struct grid *grid, uint64_t sequence) {
  const struct uint3 g = grid->config.grid;
  const uint64_t n = sd_scheduled(sequence, grid->blocks), row = n / g.x;
  return (struct uint3){(unsigned)(n % g.x), (unsigned)(row % g.y), (unsigned)(row / g.y)};
}

static void lay_out(struct block *block, struct uint3 dim) {
  const unsigned threads = block->threads;
  struct uint3 index = {0, 0, 0};
  for (unsigned t = 0; t < threads; t++) {
    block->lanes[t].index = index;
    block->lanes[t].return_line = 0;
    block->lanes[t].polling = 0;
    block->lanes[t].bit = 1u << t % LANES;
    if (++index.x == dim.x) {
      index.x = 0;
      if (++index.y == dim.y) index.y = 0, index.z++;
    }
  }
  for (unsigned w = 0; w < block->warps; w++) {
    struct warp *warp = &block->warp_list[w];
    memset(warp, 0, sizeof *warp);
    if (sd_observer) {
      memset(block->met[w], 0, sizeof block->met[w]);
      memset(&block->shuffles[w], 0, sizeof block->shuffles[w]);
    }
    const unsigned rest = threads - w * LANES;
    warp->present = rest >= LANES ? ~0u : (1u << rest) - 1;
    warp->unstarted = warp->present;
    warp->lanes = &block->lanes[w * LANES];
  }
}

static void discard(struct worker *me, struct block *block) {
  block->dynamic->next = me->regions;
  me->regions = block->dynamic;
  if (block->shared_copy) munmap(block->shared_copy, block->copy_room);
  sd_park_discard(block);
  munmap(block, block->bytes);
}

struct block *sd_block_start(struct worker *me, struct grid *grid, uint64_t sequence) {
  struct block *block = me->spare;
  me->spare = NULL;
  if (block && block->bytes < record_bytes(grid->threads)) {
    discard(me, block);
    block = NULL;
  }
  if (!block) {
    block = map(record_bytes(grid->threads));
    if (!block) return NULL;
    block->bytes = record_bytes(grid->threads);
    block->dynamic = region_take(me);
    if (!block->dynamic) return NULL;
  }
  block->grid = grid;
  block->sequence = sequence;
  block->index = sd_block_index(grid, sequence);
  block->live = block->threads = grid->by_blocks ? 1 : grid->threads;
  block->warps = (block->threads + LANES - 1) / LANES;
  block->at_barrier = block->at_grid = block->ones_here = 0;
  block->lines_differ = block->barrier_reported = block->collective_reported = false;
  block->collective = NULL;
  memset(block->named, 0, sizeof block->named);
  block->started = false;
  block->runnable = block->warps == 32 ? ~0u : (1u << block->warps) - 1;
  lay_out(block, grid->config.block);
  block->warp = &block->warp_list[0];
  if (sd_options()->order == SD_REVERSE) block->warp = &block->warp_list[block->warps - 1];
  if (sd_options()->order == SD_RANDOM)
    block->warp = &block->warp_list[sd_random(&me->random) % block->warps];
  me->counters.blocks++;
  me->counters.threads += grid->threads;
  SD_NOTIFY(block_begin, block);
  return block;
}

/* Stacks of lanes that never finished (an error ended the grid) go back to the pool, unless other
 * blocks have them too. */
static void collect_stacks(struct worker *me, struct block *block) {
  for (unsigned t = 0; t < block->threads; t++) {
    const struct warp *warp = &block->warp_list[t / LANES];
    const unsigned bit = 1u << t % LANES;
    if (!((warp->unstarted | warp->finished) & bit) && block->lanes[t].stack && !me->parks)
      sd_stack_give(&me->stacks, block->lanes[t].stack);
    block->lanes[t].stack = NULL;
  }
}

void sd_block_end(struct worker *me, struct block *block) {
  SD_NOTIFY(block_end, block);
  if (me->shared_owner == block) me->shared_owner = NULL;
  if (me->resident == block) me->resident = NULL;
  if (block->live) collect_stacks(me, block);
  if (block->text.used) sd_text_commit(me, block);
  if (block->text.bytes) munmap(block->text.bytes, block->text.room);
  block->text = (struct text){NULL, 0, 0};
  if (!me->spare)
    me->spare = block;
  else
    discard(me, block);
}

/* A record outlives its grid, and the next one's module may have more shared memory. */
static bool room_for_copy(struct block *block, size_t bytes) {
  if (block->copy_room >= bytes) return true;
  if (block->shared_copy) munmap(block->shared_copy, block->copy_room);
  block->shared_copy = map(bytes);
  block->copy_room = block->shared_copy ? bytes : 0;
  return block->shared_copy;
}

static void bring_shared(struct worker *me, struct block *block) {
  const size_t bytes = me->static_shared_bytes;
  struct block *owner = me->shared_owner;
  me->shared_owner = block;
  if (owner == block || !bytes) return;
  if (owner && room_for_copy(owner, bytes))
    memcpy(owner->shared_copy, me->static_shared, bytes);
  else if (owner)
    sd_fail_out_of_memory(owner->grid, "the shared memory of a block that waits");
  if (block->started && block->shared_copy) memcpy(me->static_shared, block->shared_copy, bytes);
}

/* Makes `block` the one whose shared memory and coordinates this OS thread sees. */
void sd_block_enter(struct worker *me, struct block *block) {
  blockIdx = block->index;
  blockDim = block->grid->config.block;
  gridDim = block->grid->config.grid;
  simt_shared.dynamic_end = (uintptr_t)block->dynamic->end;
  simt_shared.dynamic_begin =
      simt_shared.dynamic_end - (block->grid->config.shared_bytes + 15) / 16 * 16;
  bring_shared(me, block);
  SD_NOTIFY(block_enter, block);
}
