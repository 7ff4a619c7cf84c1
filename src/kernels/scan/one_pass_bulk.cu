/* one_pass_bulk.cu - running totals of a long array in one pass, as fast as memory is copied
 *
 * Result   heddle_scan_one_pass_bulk   out[i] of every element, as part of a longer array if need
 *          be
 * Defines  as fetch.h and tile.h; HEDDLE_VERB is HD_REDUCE, HEDDLE_ALIGN 16 or
 *          what an element is aligned to
 *          HEDDLE_CHUNKS   tiles of a span: 1, 2, 4 or 8
 *          HEDDLE_STAGES   spans that a block has room for, 2 or more
 *          HEDDLE_TEAMS    teams of HEDDLE_CHUNKS warps that scan, at most HEDDLE_STAGES
 * Launch   any number of blocks of SCAN_OTHER_WARPS + SCAN_UP_WARPS + HEDDLE_TEAMS * HEDDLE_CHUNKS
 *          warps
 * Memory   dynamic shared: HEDDLE_STAGES spans and SCAN_ROOM for each. Global: args->ticket and args->nodes, left for the
 *          next launch to use
 * Order    v1, rules 2, 4 and 6, whatever the launch shape
 * Method   Spans pass through a ring of stages, and every warp of a block does one thing to them:
 *            copy    draws a ticket, waits for a free stage, starts the bulk copy   (one lane)
 *            up      totals tiles (SCAN_UP_WARPS), fetches what is no bulk copy's
 *            tell    publishes the span's total
 *            climb   publishes the nodes that the span completes
 *            look    waits for what comes before the span
 *            down    scan a tile each, from shared memory to the output; teams take turns
 *          so that a wait for other blocks holds up nothing but its own span, while copies, totals
 *          and results of others go on. One warp looks back: more of them only poll more.
 * Limits   sm_90 and up: bulk copies
 * Source   Merrill and Garland 2016; Blelloch 1990 */
#define SCAN_SLOT_ALIGN HEDDLE_ALIGN
/* Bulk copies are slower by a tenth where a stage is no multiple of 128 bytes. */
#define SCAN_ROOM 128
#include "fetch.h"
#include "kernels/base/device_bulk.h"

#define SPAN_BYTES (HEDDLE_CHUNKS * SCAN_TILE_BYTES)
#define NO_SPAN 0xffffffffu
#define STREAM_WARPS (SCAN_OTHER_WARPS + SCAN_UP_WARPS + HEDDLE_TEAMS * HEDDLE_CHUNKS)

extern __shared__ __align__(128) uint4 scan_shared[];

/* What a block's warps tell each other; signals a stage and use of it. */
struct scan_ring {
  u64 filled[HEDDLE_STAGES];   /* the span is in the stage: by copy */
  u64 totalled[HEDDLE_STAGES]; /* and `tile_sum`: by up */
  u64 known[HEDDLE_STAGES];    /* and `before` and `behind`: by look */
  u64 free[HEDDLE_STAGES];     /* nobody needs the stage: by down, tell, climb and look */
  u32 span[HEDDLE_STAGES];     /* or NO_SPAN: there is no further one. Every team gets one */
  total tile_sum[HEDDLE_STAGES][HEDDLE_CHUNKS];
  total before[HEDDLE_STAGES], behind[HEDDLE_STAGES];
  u32 tag;
};

HD_DEVICE u8 *ring_tile(const struct scan_args *args, u32 stage, u32 tile) {
  return (u8 *)scan_shared + stage * (SPAN_BYTES + SCAN_ROOM) + tile * SCAN_TILE_BYTES +
         slot_shift(args);
}

/* Lane c: the total of the span's tile c. */
HD_DEVICE total ring_sums(const struct scan_ring *ring, u32 stage) {
  return warp_lane() < HEDDLE_CHUNKS ? ring->tile_sum[stage][warp_lane()] : total_identity();
}
HD_DEVICE total warp_ring_sum(const struct scan_ring *ring, u32 stage) {
  return warp_from(warp_tree(ring_sums(ring, stage), SCAN_SPAN_LOG), 0);
}

/* ---- what is done to a span ------------------------------------------------------------------ */

/* Bulk copies are of units of 16 bytes: those between these two addresses are whole. */
HD_DEVICE u64 first_unit(const struct scan_args *args) { return (args->in + 15) & ~15ull; }
HD_DEVICE u64 last_unit(const struct scan_args *args) {
  return (args->in + args->count * ELEMENT_BYTES) & ~15ull;
}

/* As much of a span as there is, but for a tile with held elements and the array's first and last few
 * elements. With it come the units that it shares with its neighbours. */
HD_DEVICE void span_fetch(const struct scan_args *args, u32 span, u32 stage, u64 *signal) {
  const u32 held = tile_is_held(args, span * HEDDLE_CHUNKS), from = span * HEDDLE_CHUNKS + held;
  const u64 begin = (u64)(size_t)tile_in(args, from), least = first_unit(args);
  const u64 end = begin + (SPAN_BYTES - held * SCAN_TILE_BYTES), most = last_unit(args);
  const u64 first = begin > least ? begin : least, last = end < most ? end : most;
  if (first < last)
    bulk_fetch(ring_tile(args, stage, held) + (first - begin), (const void *)first,
               (u32)(last - first), signal);
  else
    signal_arrive(signal);
}

/* What span_fetch leaves of a tile without held elements. */
HD_DEVICE struct tile_ends span_ends(const struct scan_args *args, u32 tile) {
  const u64 begin = (u64)(size_t)tile_in(args, tile), least = first_unit(args);
  const u64 most = last_unit(args);
  const u32 count = tile_count(args, tile);
  struct tile_ends ends = {0, 0, count};
  if (begin < least) ends.head = (u32)(least - begin) / ELEMENT_BYTES;
  if (ends.head > count) ends.head = count;
  if (begin < most)
    ends.tail = most - begin < count * ELEMENT_BYTES ? (u32)(most - begin) / ELEMENT_BYTES : count;
  if (ends.tail < ends.head) ends.tail = ends.head;
  return ends;
}

/* That, or all of a tile with held elements. */
HD_DEVICE void warp_rest_fetch(const struct scan_args *args, u32 tile, u8 *slot) {
  const struct tile_ends ends = span_ends(args, tile);
  if (tile_is_held(args, tile)) {
    tile_fetch_held(args, tile, slot);
  } else if (ends.head || ends.tail < SCAN_TILE) {
    const u32 e = tile_end(&ends);
    tile_end_store(&ends, e, tile_end_load(args, tile, e), slot);
  } else {
    return;
  }
  __syncwarp(); /* every lane's part of the tile is there */
  bulk_yield();
}

/* A ticket is drawn ahead while there is room for its span. One that had to wait for room would
 * hold up every later one. */
HD_DEVICE void copy_spans(const struct scan_args *args, struct scan_ring *ring, u64 drawn) {
  u32 ends = 0;
  for (u32 n = 0; ends < HEDDLE_TEAMS; n++) {
    const u32 stage = n % HEDDLE_STAGES;
    if (n >= HEDDLE_STAGES) {
      signal_wait(ring->free + stage, (n / HEDDLE_STAGES & 1u) ^ 1u);
      if (!ends) drawn = ticket_draw(args);
    }
    const u32 span = (u32)drawn;
    const bool more = span < args->spans;
    ring->span[stage] = more ? span : NO_SPAN;
    span_fetch(args, more ? span : args->spans, stage, ring->filled + stage);
    if (!more)
      ends++;
    else if (n + 1 < HEDDLE_STAGES)
      drawn = ticket_draw(args);
  }
  ticket_over(args, (u32)drawn, ring->tag);
}

HD_DEVICE void warp_up_span(const struct scan_args *args, struct scan_ring *ring, u32 stage,
                            u32 span, u32 which) {
  for (u32 c = which; c < HEDDLE_CHUNKS; c += SCAN_UP_WARPS) {
    const u32 tile = span * HEDDLE_CHUNKS + c;
    /* There is no rest of a tile behind two tiles and before a full one. */
    if ((tile < 2 || tile + 2 > args->full) && tile_count(args, tile))
      warp_rest_fetch(args, tile, ring_tile(args, stage, c));
    total t = total_identity(); /* of one that is not full: nothing comes behind it */
    if (tile < args->full) t = warp_tile_total(ring_tile(args, stage, c));
    if (warp_lane() == 0) ring->tile_sum[stage][c] = t;
  }
}

/* Whether the span is full, so that others come to know its total. */
HD_DEVICE bool span_is_full(const struct scan_args *args, u32 span) {
  return (span + 1) * HEDDLE_CHUNKS <= args->full;
}

HD_DEVICE void warp_look_span(const struct scan_args *args, struct scan_ring *ring, u32 stage,
                              u32 span, total t, struct node_top *top) {
  total behind;
  const total before = warp_node_prefix(args, args->first + span, t, span_is_full(args, span),
                                        ring->tag, top, &behind);
  if (warp_lane() == 0) {
    ring->before[stage] = after_before(args, before);
    ring->behind[stage] = after_before(args, behind);
  }
}

HD_DEVICE void warp_down_span(const struct scan_args *args, const struct scan_ring *ring, u32 stage,
                              u32 span, u32 c) {
  const total carry = warp_lane_carry(ring->before[stage], ring_sums(ring, stage), SCAN_SPAN_LOG);
  const total before = warp_from(carry, c);
  total behind = warp_from(carry, c + 1);
  if (c + 1 == HEDDLE_CHUNKS) behind = ring->behind[stage];
  const struct scan_out out = tile_out(args, span * HEDDLE_CHUNKS + c);
  if (out.high) warp_tile_scan(ring_tile(args, stage, c), before, behind, scan_init(args), &out);
}

/* What a warp does to one span after the other, but for copy: numbered as its first warp is. */
enum { TELL = 1, CLIMB = 2, LOOK = 3, UP = SCAN_OTHER_WARPS, DOWN = UP + SCAN_UP_WARPS };

/* One loop for all: it is compiled once. */
HD_DEVICE void warp_do_spans(const struct scan_args *args, struct scan_ring *ring, u32 warp) {
  const u32 which = warp - (warp < DOWN ? UP : DOWN), step = warp < DOWN ? 1 : HEDDLE_TEAMS;
  u64 *give = warp < UP || warp >= DOWN ? ring->free : ring->totalled;
  u32 stage = warp < DOWN ? 0 : which / HEDDLE_CHUNKS, odd = 0, ends = warp < DOWN ? 0 : step - 1;
  struct node_top top = node_top_start();
  while (ends < HEDDLE_TEAMS) {
    /* Who reads or writes what another wrote or read waits for that one's own signal: checkers of
     * races see no order at second hand. It costs nothing that could be measured. */
    warp_signal_wait(ring->free + stage, odd ^ 1u); /* the use before */
    warp_signal_wait(ring->filled + stage, odd);
    if (warp < UP || warp >= DOWN) warp_signal_wait(ring->totalled + stage, odd);
    if (warp >= DOWN) warp_signal_wait(ring->known + stage, odd);
    /* By way of a shuffle the compiler knows that the warp goes on as one. */
    const u32 span = __shfl_sync(HD_ALL, ring->span[stage], 0);
    if (span == NO_SPAN) {
      ends++;
    } else if (warp >= DOWN) {
      warp_down_span(args, ring, stage, span, which % HEDDLE_CHUNKS);
    } else if (warp >= UP) {
      warp_up_span(args, ring, stage, span, which);
    } else {
      const u32 index = args->first + span;
      const bool full = span_is_full(args, span);
      const total t = full ? warp_ring_sum(ring, stage) : total_identity();
#if HEDDLE_PIECES && !TOTAL_IS_ORDER_FREE
      /* The first span is the first of its block. */
      if (warp == TELL && span == 0) node_publish_before(args, ring->tag);
#endif
      if (warp == TELL && full) node_tell(args, index, t, ring->tag);
      if (warp == CLIMB && full) warp_node_climb(args, index, t, ring->tag);
      if (warp == LOOK) warp_look_span(args, ring, stage, span, t, &top);
    }
    if (warp == LOOK) warp_signal_arrive(ring->known + stage);
    warp_signal_arrive(give + stage);
    stage += step;
    if (stage >= HEDDLE_STAGES) stage -= HEDDLE_STAGES, odd ^= 1u;
  }
}

/* ---- the kernel ------------------------------------------------------------------------------ */

/* A lane a stage. */
HD_DEVICE void ring_open(struct scan_ring *ring, u32 stage) {
  signal_open(ring->filled + stage, 1);
  signal_open(ring->totalled + stage, 32 * SCAN_UP_WARPS);
  signal_open(ring->known + stage, 32);
  signal_open(ring->free + stage, 32 * (HEDDLE_CHUNKS + 3));
  signal_opened();
}

HD_KERNEL __launch_bounds__(STREAM_WARPS * 32, 1)
    heddle_scan_one_pass_bulk(const __grid_constant__ struct scan_args args) {
  __shared__ struct scan_ring ring;
  const u32 warp = __shfl_sync(HD_ALL, threadIdx.x / 32u, 0); /* see warp_do_spans */
  u64 drawn = 0;
  if (warp == 1 && warp_lane() < HEDDLE_STAGES) ring_open(&ring, warp_lane());
  if (threadIdx.x == 0) {
    drawn = ticket_draw(&args);
    ring.tag = ticket_tag(drawn);
  }
  __syncthreads(); /* the ring is there */
  if (warp) {
    warp_do_spans(&args, &ring, warp);
  } else if (warp_lane() == 0) {
    copy_spans(&args, &ring, drawn);
  }
  if (ring.tag != 0xffffffffu) return;
  __syncthreads(); /* every warp's words are written */
  if (warp == 0) warp_ticket_wrap(&args, ring.tag);
}
