/* scan_stream.cu - running totals of a long array in one pass, as fast as memory is copied
 *
 * Result   scan_stream   out[i] of every element, as part of a longer array if need be
 * Defines  as scan_fetch.h and scan_tile.h; HEDDLE_VERB is HD_REDUCE, HEDDLE_ALIGN 16
 *          HEDDLE_CHUNKS   tiles of a span: 1, 2, 4 or 8
 *          HEDDLE_STAGES   spans that a block has room for, 2 or more
 *          HEDDLE_TEAMS    teams of HEDDLE_CHUNKS warps that scan, at most HEDDLE_STAGES
 * Launch   any number of blocks of SCAN_OTHER_WARPS + SCAN_UP_WARPS + HEDDLE_TEAMS * HEDDLE_CHUNKS
 *          warps
 * Memory   dynamic shared: HEDDLE_STAGES spans. Global: args->ticket and args->nodes, left for the
 *          next launch to use
 * Order    v1, rules 2, 4 and 6, whatever the launch shape
 * Method   Spans pass through a ring of stages, and every warp of a block does one thing to them:
 *            copy    draws a ticket, waits for a free stage, starts the bulk copy   (one lane)
 *            up      totals tiles (SCAN_UP_WARPS)
 *            tell    publishes the span's total
 *            climb   publishes the nodes that the span completes
 *            look    waits for what comes before the span
 *            down    scan a tile each, from shared memory to the output; teams take turns
 *          so that a wait for other blocks holds up nothing but its own span, while copies, totals
 *          and results of others go on. One warp looks back: more of them only poll more.
 * Limits   sm_90 and up: bulk copies
 * Source   Merrill and Garland 2016; Blelloch 1990 */
#include "device_bulk.h"
#include "scan_fetch.h"

#define SPAN_BYTES (HEDDLE_CHUNKS * SCAN_TILE_BYTES)
#define NO_SPAN 0xffffffffu
#define STREAM_WARPS (SCAN_OTHER_WARPS + SCAN_UP_WARPS + HEDDLE_TEAMS * HEDDLE_CHUNKS)

/* Bulk copies are slower by a tenth where their ends are no multiples of 128 bytes. */
extern __shared__ __align__(128) uint4 scan_shared[];

/* What a block's warps tell each other; signals a stage and use of it. */
struct scan_ring {
  u64 filled[HEDDLE_STAGES];   /* the span is in the stage: by copy */
  u64 totalled[HEDDLE_STAGES]; /* and `tile_sum`: by up */
  u64 known[HEDDLE_STAGES];    /* and `before` and `behind`: by look */
  u64 free[HEDDLE_STAGES];     /* nobody needs the stage: by down, tell and climb */
  u32 span[HEDDLE_STAGES];     /* or NO_SPAN: there is no further one. Every team gets one */
  total tile_sum[HEDDLE_STAGES][HEDDLE_CHUNKS];
  total before[HEDDLE_STAGES], behind[HEDDLE_STAGES];
  u32 tag;
};

HD_DEVICE void *ring_tile(u32 stage, u32 tile) {
  return (u8 *)scan_shared + stage * SPAN_BYTES + tile * SCAN_TILE_BYTES;
}

/* The n-th span of a block, n from 0, is in this stage, for the so many-th time. */
HD_DEVICE u32 ring_stage(u32 n) { return n % HEDDLE_STAGES; }
HD_DEVICE u32 ring_odd(u32 n) { return n / HEDDLE_STAGES & 1u; }

/* The n-th span, once it has the signal. By way of a shuffle the compiler knows that the warp goes on
 * as one. */
HD_DEVICE u32 ring_await(struct scan_ring *ring, u64 *signals, u32 n) {
  signal_wait_warp(signals + ring_stage(n), ring_odd(n));
  return __shfl_sync(HD_ALL, ring->span[ring_stage(n)], 0);
}

/* Lane c: the total of the span's tile c. */
HD_DEVICE total ring_sums(const struct scan_ring *ring, u32 stage) {
  return warp_lane() < HEDDLE_CHUNKS ? ring->tile_sum[stage][warp_lane()] : total_identity();
}
HD_DEVICE total ring_sum(const struct scan_ring *ring, u32 stage) {
  return warp_from(warp_tree(ring_sums(ring, stage), SCAN_SPAN_LOG), 0);
}

/* By one lane for its warp: what the warp wrote to the ring and read from it comes before. */
HD_DEVICE void warp_signal(u64 *signal) {
  __syncwarp(); /* every lane is done */
  if (warp_lane() == 0) signal_arrive(signal);
}

/* ---- the warps -------------------------------------------------------------------------------------- */

/* A ticket is drawn ahead while there is room for its span. One that had to wait for room would hold
 * up every later one. */
HD_DEVICE void copy_spans(const struct scan_args *args, struct scan_ring *ring, u64 drawn) {
  u32 ends = 0;
  for (u32 n = 0; ends < HEDDLE_TEAMS; n++) {
    const u32 stage = ring_stage(n);
    if (n >= HEDDLE_STAGES) {
      signal_wait(ring->free + stage, ring_odd(n) ^ 1u);
      if (!ends) drawn = ticket_draw(args);
    }
    const u32 span = (u32)drawn;
    const bool more = span < args->spans;
    ring->span[stage] = more ? span : NO_SPAN;
    if (more && tile_is_plain(args, span * HEDDLE_CHUNKS, HEDDLE_CHUNKS))
      bulk_fetch(ring_tile(stage, 0), tile_in(args, span * HEDDLE_CHUNKS), SPAN_BYTES,
                 ring->filled + stage);
    else
      signal_arrive(ring->filled + stage); /* up fetches what there is */
    if (!more)
      ends++;
    else if (n + 1 < HEDDLE_STAGES)
      drawn = ticket_draw(args);
  }
  ticket_over(args, (u32)drawn, ring->tag);
}

HD_DEVICE void up_spans(const struct scan_args *args, struct scan_ring *ring, u32 which) {
  for (u32 n = 0, ends = 0; ends < HEDDLE_TEAMS; n++) {
    const u32 stage = ring_stage(n), span = ring_await(ring, ring->filled, n);
    const u32 first = span * HEDDLE_CHUNKS;
    for (u32 c = which; span != NO_SPAN && c < HEDDLE_CHUNKS; c += SCAN_UP_WARPS) {
      if (!tile_is_plain(args, first, HEDDLE_CHUNKS)) {
        tile_fetch(args, first + c, ring_tile(stage, c));
        bulk_yield();
      }
      total t = total_identity(); /* of one that is not full: nothing comes behind it */
      if (first + c < args->full) t = tile_total(ring_tile(stage, c));
      if (warp_lane() == 0) ring->tile_sum[stage][c] = t;
    }
    warp_signal(ring->totalled + stage);
    if (span == NO_SPAN) ends++;
  }
}

/* Whether the span is full, so that others come to know its total. */
HD_DEVICE bool span_is_full(const struct scan_args *args, u32 span) {
  return (span + 1) * HEDDLE_CHUNKS <= args->full;
}

HD_DEVICE void tell_spans(const struct scan_args *args, struct scan_ring *ring) {
#if HEDDLE_PIECES && !TOTAL_IS_FREE
  bool begins = true;
#endif
  for (u32 n = 0;; n++) {
    const u32 stage = ring_stage(n), span = ring_await(ring, ring->totalled, n);
    if (span == NO_SPAN) return;
#if HEDDLE_PIECES && !TOTAL_IS_FREE
    if (begins && span == 0) node_publish_before(args, ring->tag);
    begins = false; /* the first span is the first of its block */
#endif
    if (span_is_full(args, span))
      node_tell(args, args->first + span, ring_sum(ring, stage), ring->tag);
    warp_signal(ring->free + stage);
  }
}

HD_DEVICE void climb_spans(const struct scan_args *args, struct scan_ring *ring) {
  for (u32 n = 0;; n++) {
    const u32 stage = ring_stage(n), span = ring_await(ring, ring->totalled, n);
    if (span == NO_SPAN) return;
    if (span_is_full(args, span) && (args->first + span & 31u) == 31u)
      node_climb(args, args->first + span, ring_sum(ring, stage), ring->tag);
    warp_signal(ring->free + stage);
  }
}

HD_DEVICE void look_spans(const struct scan_args *args, struct scan_ring *ring) {
  for (u32 n = 0, ends = 0; ends < HEDDLE_TEAMS; n++) {
    const u32 stage = ring_stage(n), span = ring_await(ring, ring->totalled, n);
    if (span != NO_SPAN) {
      total t = total_identity(), behind;
      if (span_is_full(args, span)) t = ring_sum(ring, stage);
      const total before =
          node_prefix(args, args->first + span, t, span_is_full(args, span), ring->tag, &behind);
      if (warp_lane() == 0) {
        ring->before[stage] = after_before(args, before);
        ring->behind[stage] = after_before(args, behind);
      }
    }
    warp_signal(ring->known + stage);
    if (span == NO_SPAN) ends++;
  }
}

HD_DEVICE void down_spans(const struct scan_args *args, struct scan_ring *ring, u32 which) {
  const u32 c = which % HEDDLE_CHUNKS;
  for (u32 n = which / HEDDLE_CHUNKS;; n += HEDDLE_TEAMS) {
    /* Long since, but what up wrote is ordered by up's own signal: checkers see no order at second hand. */
    signal_wait_warp(ring->totalled + ring_stage(n), ring_odd(n));
    const u32 stage = ring_stage(n), span = ring_await(ring, ring->known, n);
    if (span == NO_SPAN) return;
    const total sums = ring_sums(ring, stage);
    const total before = warp_first(ring->before[stage], sums, c);
    total behind = ring->behind[stage];
    if (c + 1 < HEDDLE_CHUNKS) behind = warp_first(ring->before[stage], sums, c + 1);
    const struct scan_out out = tile_out(args, span * HEDDLE_CHUNKS + c);
    if (out.high) tile_scan(ring_tile(stage, c), before, behind, scan_init(args), &out);
    warp_signal(ring->free + stage);
  }
}

/* ---- the kernel ------------------------------------------------------------------------------------- */

HD_DEVICE void ring_open(struct scan_ring *ring, u64 drawn) {
  for (int s = 0; s < HEDDLE_STAGES; s++) {
    signal_open(ring->filled + s, 1);
    signal_open(ring->totalled + s, SCAN_UP_WARPS);
    signal_open(ring->known + s, 1);
    signal_open(ring->free + s, HEDDLE_CHUNKS + 2);
  }
  ring->tag = ticket_tag(drawn);
  signal_opened();
}

HD_KERNEL __launch_bounds__(STREAM_WARPS * 32, 1)
    scan_stream(const __grid_constant__ struct scan_args args) {
  __shared__ struct scan_ring ring;
  const u32 warp = __shfl_sync(HD_ALL, threadIdx.x / 32u, 0); /* see ring_await */
  u64 drawn = 0;
  if (threadIdx.x == 0) {
    drawn = ticket_draw(&args);
    ring_open(&ring, drawn);
  }
  __syncthreads(); /* the ring is there */
  if (warp == 0) {
    if (warp_lane() == 0) copy_spans(&args, &ring, drawn);
  } else if (warp == 1) {
    tell_spans(&args, &ring);
  } else if (warp == 2) {
    climb_spans(&args, &ring);
  } else if (warp < SCAN_OTHER_WARPS) {
    look_spans(&args, &ring);
  } else if (warp < SCAN_OTHER_WARPS + SCAN_UP_WARPS) {
    up_spans(&args, &ring, warp - SCAN_OTHER_WARPS);
  } else {
    down_spans(&args, &ring, warp - SCAN_OTHER_WARPS - SCAN_UP_WARPS);
  }
  if (ring.tag != 0xffffffffu) return;
  __syncthreads(); /* every warp's words are written */
  if (warp == 0) ticket_wrap(&args, ring.tag);
}
