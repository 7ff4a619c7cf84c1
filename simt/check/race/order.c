/* Nodes, rows and slots of a launch, in memory that is only address space until used.
 *
 * Method   an address has a slot in a hash table, with the node that was released there last
 */
#include "order.h"

#include "shadow/current.h"

#include <string.h>
#include <sys/mman.h>

enum { NODES = 1 << 21, ROWS = 1 << 18, SLOTS = 1 << 20, STEPS = 1 << 20 };

struct slot {
  uintptr_t address;
  struct ck_node *node;
};

static struct ck_node *nodes;
static struct ck_row *rows;
static struct slot *slots;
static uint32_t node_count, row_count, slot_count, visits;
static bool lost;

static void *reserve(size_t bytes) {
  void *memory =
      mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory == MAP_FAILED ? NULL : memory;
}

bool ck_order_lost(void) { return lost; }

void ck_order_begin(void) {
  if (slot_count) madvise(slots, SLOTS * sizeof *slots, MADV_DONTNEED);
  node_count = row_count = slot_count = 0;
  lost = false;
}

static bool open_tables(void) {
  if (nodes) return true;
  struct ck_node *n = reserve(NODES * sizeof *n);
  rows = reserve(ROWS * sizeof *rows);
  slots = reserve(SLOTS * sizeof *slots);
  if (n && rows && slots) nodes = n;
  return nodes;
}

static struct ck_node *new_node(void) {
  if (!open_tables() || node_count == NODES) {
    lost = true;
    return NULL;
  }
  struct ck_node *node = &nodes[node_count++];
  memset(node, 0, sizeof *node);
  node->sequence = UINT64_MAX;
  return node;
}

static struct ck_row *copy_row(const uint32_t *known) {
  if (!open_tables() || row_count == ROWS) return NULL;
  struct ck_row *row = &rows[row_count++];
  memcpy(row->known, known, sizeof row->known);
  return row;
}

struct ck_node *ck_join(struct ck_node *a, struct ck_node *b) {
  if (!a || a == b) return b;
  if (!b) return a;
  if (a->sequence == UINT64_MAX && (a->first == b || a->second == b)) return a;
  struct ck_node *node = new_node();
  if (!node) return b;
  node->first = b;
  node->second = a;
  return node;
}

/* The slot of an address; a free one is made if `make`. */
static struct slot *find_slot(uintptr_t address, bool make) {
  if (!nodes || (!make && !slot_count)) return NULL;
  size_t i = (address * UINT64_C(0x9E3779B97F4A7C15)) >> 44;
  for (size_t steps = 0; steps < 64; steps++, i = (i + 1) % SLOTS) {
    if (slots[i].address == address) return &slots[i];
    if (slots[i].address) continue;
    if (!make) return NULL;
    slots[i].address = address;
    slot_count++;
    return &slots[i];
  }
  if (make) lost = true;
  return NULL;
}

/* ---- The running lane ------------------------------------------------------------------------ */

static struct ck_lane *lane_now(void) {
  const struct worker *me = sd_current;
  struct ck_lane *lane = &ck_current.block->lanes[me->lane - me->block->lanes];
  if (lane->epoch != ck_current.barrier) { /* what it knew has gone to the block */
    lane->acquired = NULL;
    lane->epoch = ck_current.barrier;
  }
  return lane;
}

static struct ck_warp *warp_now(size_t *number) {
  const struct worker *me = sd_current;
  *number = (size_t)(me->block->warp - me->block->warp_list);
  return &ck_current.block->warps[*number];
}

static void acquire(struct ck_lane *lane, struct ck_node *node);

static void acquire_observed(struct ck_lane *lane) {
  if (lane->observed && lane->observed_launch == ck_current.launch &&
      lane->observed_block == ck_current.block->sequence)
    acquire(lane, lane->observed);
  lane->observed = NULL;
}

void ck_fence(int scope) {
  ck_current.fences = true;
  struct ck_block *block = ck_current.block;
  struct ck_lane *lane = lane_now();
  size_t number;
  const struct ck_warp *warp = warp_now(&number);
  acquire_observed(lane);
  lane->fence_time = ck_next_group;
  lane->fence_barrier = ck_current.barrier;
  lane->fence_scope = (uint8_t)scope;
  lane->fence_row = warp->rows ? copy_row(warp->known[__builtin_ctz(sd_current->lane->bit)]) : NULL;
  block->tags[number] = ck_new_tag();
  if (!block->fence_since || block->fence_since_scope < scope)
    block->fence_since_scope = (uint8_t)scope;
  block->fence_since = true;
}

/* What this lane had done when it fenced, or now. NULL: nothing that a release covers. */
static struct ck_node *own_release(struct ck_lane *lane, bool ordered, int scope) {
  const struct ck_block *block = ck_current.block;
  const bool fenced = lane->fence_time >= block->first, by_block = block->fenced >= block->first;
  if (!ordered && !fenced && !by_block) return NULL;
  struct ck_node *node = new_node();
  if (!node) return NULL;
  node->sequence = block->sequence;
  node->thread = (uint16_t)(sd_current->lane - sd_current->block->lanes);
  if (ordered) {
    size_t number;
    const struct ck_warp *warp = warp_now(&number);
    node->time = ck_next_group;
    node->barrier = ck_current.barrier;
    node->scope = (uint8_t)scope;
    if (warp->rows) node->row = copy_row(warp->known[__builtin_ctz(sd_current->lane->bit)]);
    ck_current.block->tags[number] = ck_new_tag();
    return node;
  }
  if (fenced) {
    node->time = lane->fence_time;
    node->barrier = lane->fence_barrier;
    node->scope = lane->fence_scope;
    node->row = lane->fence_row;
  }
  if (by_block && block->fenced > node->barrier) {
    node->barrier = block->fenced;
    if (!fenced || block->fenced_scope > node->scope) node->scope = block->fenced_scope;
  }
  if (node->scope > scope) node->scope = (uint8_t)scope;
  return node;
}

void ck_release(uintptr_t address, bool ordered, int scope, bool keeps) {
  struct ck_lane *lane = lane_now();
  struct ck_node *node = own_release(lane, ordered, scope);
  struct slot *slot = find_slot(address, node);
  if (!slot) return;
  if (!node) {
    if (!keeps) slot->node = NULL;
    return;
  }
  node->own = ck_group_of(ck_current.word);
  node->first = ck_join(lane->acquired, ck_current.block->acquired);
  node->second = keeps ? slot->node : NULL;
  slot->node = node;
}

static void acquire(struct ck_lane *lane, struct ck_node *node) {
  if (lane->acquired == node) return;
  lane->acquired = ck_join(lane->acquired, node);
  ck_current.block->pending = ck_join(ck_current.block->pending, node);
}

/* A strict one waits for a fence of this lane. */
void ck_acquire(uintptr_t address, bool strict) {
  const struct slot *slot = find_slot(address, false);
  if (!slot || !slot->node) return;
  struct ck_lane *lane = lane_now();
  if (!strict) {
    acquire(lane, slot->node);
    return;
  }
  if (lane->observed_launch != ck_current.launch ||
      lane->observed_block != ck_current.block->sequence)
    lane->observed = NULL;
  lane->observed_launch = ck_current.launch;
  lane->observed_block = ck_current.block->sequence;
  lane->observed = ck_join(lane->observed, slot->node);
}

/* ---- Is it known? ---------------------------------------------------------------------------- */

static bool covers(const struct ck_node *node, uint64_t sequence, unsigned thread, uint32_t group) {
  if (node->sequence != sequence) return false;
  if (node->scope < SIMT_FENCE_DEVICE && sequence != ck_current.block->sequence) return false;
  if (group < node->barrier) return true;
  if (node->thread == thread) return group < node->time || group == node->own;
  return node->row && node->thread / 32 == thread / 32 && group < node->row->known[thread % 32];
}

bool ck_order_knows(uint64_t sequence, unsigned thread, uint32_t group) {
  static struct ck_node *stack[4096];
  struct ck_node *roots[2] = {lane_now()->acquired, ck_current.block->acquired};
  size_t depth = 0, steps = 0;
  visits++;
  for (int i = 1; i >= 0; i--)
    if (roots[i]) stack[depth++] = roots[i];
  while (depth) {
    struct ck_node *node = stack[--depth];
    if (node->visit == visits) continue;
    node->visit = visits;
    if (covers(node, sequence, thread, group)) return true;
    if (++steps > STEPS || depth + 2 > sizeof stack / sizeof *stack) {
      lost = true;
      return true;
    }
    if (node->second) stack[depth++] = node->second;
    if (node->first) stack[depth++] = node->first;
  }
  return false;
}

/* Lanes that meet share what they have acquired. */
void ck_order_meet(struct ck_block *block, size_t warp, unsigned lanes) {
  struct ck_node *all = NULL;
  for (unsigned m = lanes; m; m &= m - 1) {
    const struct ck_lane *lane = &block->lanes[warp * 32 + (unsigned)__builtin_ctz(m)];
    if (lane->epoch == ck_current.barrier && lane->acquired) all = ck_join(all, lane->acquired);
  }
  if (!all) return;
  for (unsigned m = lanes; m; m &= m - 1) {
    struct ck_lane *lane = &block->lanes[warp * 32 + (unsigned)__builtin_ctz(m)];
    lane->acquired = all;
    lane->epoch = ck_current.barrier;
  }
}

void ck_order_share_fences(struct ck_block *block, size_t warp, unsigned lanes) {
  uint32_t times[32] = {0};
  uint8_t scope = 0;
  bool any = false;
  for (unsigned m = lanes; m; m &= m - 1) {
    const unsigned j = (unsigned)__builtin_ctz(m);
    const struct ck_lane *lane = &block->lanes[warp * 32 + j];
    if (lane->fence_time < block->first) continue;
    any = true;
    if (lane->fence_scope > scope) scope = lane->fence_scope;
    if (lane->fence_time > times[j]) times[j] = lane->fence_time;
    for (size_t k = 0; lane->fence_row && k < 32; k++)
      if (lane->fence_row->known[k] > times[k]) times[k] = lane->fence_row->known[k];
  }
  struct ck_row *row = any ? copy_row(times) : NULL;
  if (!row) return;
  for (unsigned m = lanes; m; m &= m - 1) {
    const unsigned j = (unsigned)__builtin_ctz(m);
    struct ck_lane *lane = &block->lanes[warp * 32 + j];
    const bool own = lane->fence_time >= block->first;
    if (!own) lane->fence_barrier = 0;
    if (!own || lane->fence_scope < scope) lane->fence_scope = scope;
    lane->fence_time = times[j] > block->first ? times[j] : block->first;
    lane->fence_row = row;
  }
}
