/* compact_bulk.cu - the elements of a long array that are selected, in order, in one pass, as fast as memory gives them
 *
 * Result   as compact.cu
 * Defines  ring_tile.h's; HEDDLE_DEPTH: tiles that are staged before they are stored, at most
 * Launch   any number of blocks of HEDDLE_THREADS and OTHER_WARPS warps
 * Memory   dynamic shared: ring_tile.h. a.ticket and a.nodes are left for the next launch
 * Order    stable
 * Method   Tiles pass through a ring of stages, and every warp of a block does one thing to them:
 *            copy    draws a ticket, waits for a free stage, starts the bulk copies   (one lane)
 *            select  a part of the tile each (ring_tile.h); some tiles later, once there is no more room, from
 *                    shared memory to the output
 *            tell    publishes the tile's count
 *            climb   publishes the nodes that the tile completes
 *            look    waits for what comes before the tile
 *          so that neither memory nor other blocks are waited for as long as a few tiles are ahead, and no barrier holds
 *          up a warp for another one.
 * Limits   sm_90 and up: bulk copies. The output is not the input; values are of 4 bytes or more
 * Source   Merrill and Garland 2016; Bakunas-Milanowski et al. 2017 (compaction) */
#define HEDDLE_IN_PLACE 0
#include "look_back.h"
#include "ring_tile.h"

#define NO_TILE 0xffffffffu
enum { TELL = WARPS, CLIMB, LOOK, COPY, OTHER_WARPS = 4 }; /* behind those that select */
static_assert(WARPS <= 32, "a lane a warp");

/* What a block's warps tell each other; signals a stage, or a slot of tiles that are staged, and use of it. */
struct select_ring {
  u64 filled[HEDDLE_STAGES]; /* the tile is in the stage: by copy */
  u64 freed[HEDDLE_STAGES];  /* and staged: by select */
  u64 counted[HEDDLE_DEPTH]; /* `count` and `tile`: by select */
  u64 known[HEDDLE_DEPTH]; /* `to`, `rest` and `stored`: by look; and the others are done with it */
  u32 drawn[HEDDLE_STAGES]; /* a tile, or NO_TILE: there is no further one */
  u32 tile[HEDDLE_DEPTH], stored[HEDDLE_DEPTH];
  u32 count[HEDDLE_DEPTH][WARPS];
  u16 at[HEDDLE_DEPTH][WARPS], held[HEDDLE_DEPTH][WARPS]; /* of each warp's room; nobody else's */
  u64 to[HEDDLE_DEPTH][WARPS];
  u64 rest[HEDDLE_REST ? HEDDLE_DEPTH : 1][HEDDLE_REST ? WARPS : 1];
  u32 tag;
};

/* ---- copy ------------------------------------------------------------------------------------ */

/* A ticket is drawn ahead while there is room for its tile. One that had to wait for room would hold up every
 * later one. */
HD_DEVICE void thread_copy_tiles(const struct select_args *a, struct select_ring *ring, u64 drawn) {
  u64 *ticket = (u64 *)a->ticket;
  bool more = true;
  for (u32 n = 0; more; n++) {
    const u32 stage = n % HEDDLE_STAGES;
    if (n >= HEDDLE_STAGES) {
      signal_wait(ring->freed + stage, (n / HEDDLE_STAGES & 1u) ^ 1u);
      drawn = ticket_next(ticket);
    }
    more = (u32)drawn < a->tiles;
    ring->drawn[stage] = more ? (u32)drawn : NO_TILE;
    if (more) {
      const struct select_tile tile = tile_find(a, (u32)drawn);
      thread_tile_fetch(a, &tile, stage_at(stage), ring->filled + stage);
      if (n + 1 < HEDDLE_STAGES) drawn = ticket_next(ticket);
    } else {
      for (u32 i = 0; i < STAGE_COPIES; i++) signal_arrive(ring->filled + stage);
    }
  }
  ticket_end(ticket, (u32)drawn, a->tiles, a->drawers, ring->tag);
}

/* ---- select ---------------------------------------------------------------------------------- */

/* What a warp has taken, and of that given to the output. */
struct warp_work {
  u32 warp;
  u32 taken, given; /* tiles */
  u32 at, used; /* of its room: where the next element goes, and how much may not be written over */
};

HD_DEVICE void warp_give_tile(const struct select_args *a, struct select_ring *ring,
                              struct warp_work *w) {
  const u32 slot = w->given % HEDDLE_DEPTH;
  warp_signal_wait(ring->known + slot, w->given / HEDDLE_DEPTH & 1u);
  const struct select_tile tile = tile_find(a, ring->stored[slot]);
  struct staged_part s = {room_at(w->warp),           ring->at[slot][w->warp],
                          ring->count[slot][w->warp], 0,
                          ring->to[slot][w->warp],    0};
#if HEDDLE_REST
  s.others = part_there(a, &tile, w->warp) - s.count;
  s.rest = ring->rest[slot][w->warp];
#endif
  warp_store_part(a, &tile, &s);
  w->used -= ring->held[slot][w->warp];
  w->given++;
  __syncwarp(); /* that part of the room has been read */
}

/* Room for so many elements one behind the other; at its end some of it stays empty. */
HD_DEVICE void warp_find_room(const struct select_args *a, struct select_ring *ring,
                              struct warp_work *w, u32 slot, u32 need) {
  const bool ends = w->at + need > HEDDLE_ROOM;
  const u32 spared = ends ? HEDDLE_ROOM - w->at : 0;
  while (w->used + spared + need > HEDDLE_ROOM) warp_give_tile(a, ring, w);
  if (ends) w->at = 0;
  w->used += spared + need;
  if (threadIdx.x % 32) return;
  ring->at[slot][w->warp] = (u16)w->at;
  ring->held[slot][w->warp] = (u16)(spared + need);
}

/* The count comes first, since others wait for it; then there is room. */
HD_DEVICE void warp_take_tile(const struct select_args *a, struct select_ring *ring,
                              struct warp_work *w, u32 stage, u32 slot, u32 t) {
  const struct select_tile tile = tile_find(a, t);
  struct key_vectors keys;
  struct tile_flags flags;
  struct tile_ranks ranks;
  warp_part_keys(a, &tile, stage_at(stage), &keys);
  warp_part_flags(a, &tile, stage_at(stage), &keys, &flags);
  const u32 count = warp_rank_rows(&flags, &ranks, ring->count[slot]);
  if (threadIdx.x == 0) ring->tile[slot] = t;
  warp_signal_arrive_once(ring->counted + slot);
  if (!HAS_VALUES) warp_signal_arrive_once(ring->freed + stage);
  const u32 need = HEDDLE_REST ? part_there(a, &tile, w->warp) : count;
  warp_find_room(a, ring, w, slot, need);
  const struct part_room p = part_room_of(a, &tile, room_at(w->warp), w->at, count);
#if HAS_VALUES
  warp_stage_part(&p, &keys, stage_values(a, &tile, stage_at(stage)), &flags, &ranks);
  warp_signal_arrive_once(ring->freed + stage);
#else
  warp_stage_part(&p, &keys, (const select_value *)0, &flags, &ranks);
#endif
  w->at += need;
  w->taken++;
  __syncwarp(); /* the part is in the room */
}

HD_DEVICE void warp_select_tiles(const struct select_args *a, struct select_ring *ring, u32 warp) {
  struct warp_work w = {warp, 0, 0, 0, 0};
  for (;;) {
    const u32 stage = w.taken % HEDDLE_STAGES, slot = w.taken % HEDDLE_DEPTH;
    if (w.taken - w.given == HEDDLE_DEPTH) warp_give_tile(a, ring, &w);
    warp_signal_wait(ring->filled + stage, w.taken / HEDDLE_STAGES & 1u);
    const u32 t = __shfl_sync(HD_ALL, ring->drawn[stage], 0);
    if (t == NO_TILE) break;
    warp_take_tile(a, ring, &w, stage, slot, t);
  }
  const u32 slot = w.taken % HEDDLE_DEPTH;
  if (threadIdx.x == 0) ring->tile[slot] = NO_TILE;
  warp_signal_arrive_once(ring->counted + slot);
  while (w.given < w.taken) warp_give_tile(a, ring, &w);
}

/* ---- tell, climb, look ----------------------------------------------------------------------- */

/* By look: where what each warp has staged goes. */
HD_DEVICE void warp_find_places(const struct select_args *a, struct select_ring *ring, u32 slot,
                                u32 t, u32 own) {
  const u32 lane = threadIdx.x % 32, found = warp_count_before(a, t, ring->tag);
  const u64 before = (a->before ? *(const u64 *)a->before : 0) + found;
  u32 upto = own;
#pragma unroll
  for (u32 d = 1; d < 32; d *= 2) {
    const u32 other = __shfl_up_sync(HD_ALL, upto, d);
    if (lane >= d) upto += other;
  }
  const u64 to = before + upto - own;
  if (lane < WARPS) ring->to[slot][lane] = to;
#if HEDDLE_REST
  const struct select_tile tile = tile_find(a, t);
  const u32 begin = tile_begin(&tile), end = tile_end(a, &tile);
  u32 from = lane * PART;
  if (from < begin) from = begin;
  if (from > end) from = end;
  if (lane < WARPS)
    ring->rest[slot][lane] = *(const u64 *)a->all + (a->first + (u64)(tile.first + from) - to);
#endif
  if (lane == 0) ring->stored[slot] = t;
  if (t + 1 < a->tiles || lane != 31) return;
  if (a->total) *(u64 *)a->total = before + upto;
#if HEDDLE_POSITIONS
  if (a->ends)
    ((select_position *)a->positions)[before + upto] = (select_position)(a->first + a->count);
#endif
}

HD_DEVICE void warp_follow_tiles(const struct select_args *a, struct select_ring *ring, u32 warp) {
  const u32 lane = threadIdx.x % 32, tag = ring->tag;
  for (u32 n = 0;; n++) {
    const u32 slot = n % HEDDLE_DEPTH;
    warp_signal_wait(ring->counted + slot, n / HEDDLE_DEPTH & 1u);
    const u32 t = __shfl_sync(HD_ALL, ring->tile[slot], 0);
    if (t == NO_TILE) return;
    const u32 own = lane < WARPS ? ring->count[slot][lane] : 0;
    if (warp == LOOK) {
      warp_find_places(a, ring, slot, t, own);
    } else {
      const u32 count = warp_add(own);
      if (warp == CLIMB)
        warp_tell_nodes(a, t, tag, count);
      else if (lane == 0)
        node_tell(a, 0, t, tag, count);
    }
    warp_signal_arrive_once(ring->known + slot);
  }
}

/* ---- the kernel ------------------------------------------------------------------------------ */

HD_DEVICE void thread_ring_open(struct select_ring *ring) {
  for (u32 i = 0; i < HEDDLE_STAGES; i++) {
    signal_open(ring->filled + i, STAGE_COPIES);
    signal_open(ring->freed + i, WARPS);
  }
  for (u32 i = 0; i < HEDDLE_DEPTH; i++) {
    signal_open(ring->counted + i, WARPS);
    signal_open(ring->known + i, OTHER_WARPS - 1);
  }
  signal_opened();
}

HD_KERNEL __launch_bounds__(HEDDLE_THREADS + 32 * OTHER_WARPS, 1)
    heddle_select_compact_bulk(const __grid_constant__ struct select_args a) {
  __shared__ struct select_ring ring;
  const u32 warp =
      __shfl_sync(HD_ALL, threadIdx.x / 32u, 0); /* the compiler knows that warps go on as one */
  u64 drawn = 0;
  if (threadIdx.x == 32 * COPY) {
    thread_ring_open(&ring);
    drawn = ticket_next((u64 *)a.ticket);
    ring.tag = ticket_tag(drawn);
  }
  __syncthreads(); /* the ring is there */
  if (warp < WARPS)
    warp_select_tiles(&a, &ring, warp);
  else if (warp != COPY)
    warp_follow_tiles(&a, &ring, warp);
  else if (threadIdx.x % 32 == 0)
    thread_copy_tiles(&a, &ring, drawn);
  if (ring.tag != HD_LAST_TAG) return;
  __syncthreads(); /* every warp's words are written */
  if (warp == 0) warp_tag_wrap((u64 *)a.ticket, (u64 *)a.nodes, a.words, a.drawers, ring.tag);
}
