/* Stacks of blocks that wait while others of their worker run.
 *
 * Method   in a cooperative launch all blocks of a worker have the same stacks. When another block
 *          is to run, what the lanes of the one before have on theirs is copied out, side by
 *          side, and copied back to where it was before that block goes on. A few hundred bytes
 *          a lane in one row are much cheaper than as many pages a quarter of a megabyte
 *          apart, each with a miss of its own in the TLB and in the page table behind it
 * Limits   not while there is an observer, which looks into stacks of lanes that wait. A block
 *          that was put away has no lane that has yet to start, so that it takes no stack
 */
#include "grid.h"

#include <string.h>
#include <sys/mman.h>

static void exchange_pools(struct worker *me) {
  const struct stack_pool pool = me->stacks;
  me->stacks = me->common_stacks;
  me->common_stacks = pool;
}

void sd_park_begin(struct worker *me, const struct grid *grid) {
  me->parks = grid->by_blocks || ((grid->config.flags & SIMT_COOPERATIVE) && !sd_observer);
  me->resident = NULL;
  if (me->parks) exchange_pools(me);
}

void sd_park_end(struct worker *me) {
  if (!me->parks) return;
  sd_stack_give_all(&me->stacks);
  exchange_pools(me);
  me->parks = false;
}

/* Lanes that have a stack with something on it. */
static unsigned begun(const struct warp *warp) {
  return warp->present & ~(warp->finished | warp->unstarted);
}

static size_t lane_bytes(const struct lane *lane) {
  return sd_stack_top(lane->stack) - (uintptr_t)lane->sp;
}

static bool room_for(struct block *block, size_t bytes) {
  if (block->parked_room >= bytes) return true;
  sd_park_discard(block);
  bytes = (bytes + 65535) / 65536 * 65536;
  void *memory =
      mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return false;
  block->parked = memory;
  block->parked_room = bytes;
  return true;
}

static bool put_away(struct block *block) {
  size_t bytes = 0;
  for (unsigned w = 0; w < block->warps; w++)
    for (unsigned m = begun(&block->warp_list[w]); m; m &= m - 1)
      bytes += lane_bytes(&block->warp_list[w].lanes[__builtin_ctz(m)]);
  if (!room_for(block, bytes)) return false;
  unsigned char *to = block->parked;
  for (unsigned w = 0; w < block->warps; w++)
    for (unsigned m = begun(&block->warp_list[w]); m; m &= m - 1) {
      const struct lane *lane = &block->warp_list[w].lanes[__builtin_ctz(m)];
      memcpy(to, lane->sp, lane_bytes(lane));
      to += lane_bytes(lane);
    }
  return true;
}

static void bring_back(struct block *block) {
  const unsigned char *from = block->parked;
  for (unsigned w = 0; w < block->warps; w++)
    for (unsigned m = begun(&block->warp_list[w]); m; m &= m - 1) {
      const struct lane *lane = &block->warp_list[w].lanes[__builtin_ctz(m)];
      memcpy(lane->sp, from, lane_bytes(lane));
      from += lane_bytes(lane);
    }
}

bool sd_park_enter(struct worker *me, struct block *block) {
  if (!me->parks || me->resident == block) return true;
  if (me->resident && !put_away(me->resident)) return false;
  me->resident = block;
  if (block->started) {
    me->stacks.idle = NULL; /* some are its own */
    bring_back(block);
  } else {
    sd_stack_give_all(&me->stacks);
  }
  return true;
}

void sd_park_discard(struct block *block) {
  if (block->parked) munmap(block->parked, block->parked_room);
  block->parked = NULL;
  block->parked_room = 0;
}
