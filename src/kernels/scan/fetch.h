/* fetch.h - what the kernels of scans share: where tiles are, how they get into shared memory
 * and out of it, and tickets
 *
 * Result   tile_in, tile_count, tile_is_plain, tile_out  where a tile's elements and results are
 *          warp_tile_fetch                               a tile into shared memory, by its warp
 *          ticket_over, warp_ticket_wrap                 the end of tickets, and of their tags
 * Defines  as tile.h, and
 *          HEDDLE_ALIGN     what tiles in global memory start at a multiple of, 1 to 16 bytes
 *          SCAN_LOADS       of 16 bytes that a lane has in flight, 8 unless the kernel says more
 *          SCAN_ROOM        bytes of shared memory beside tiles, for their shift: 16 unless it says
 *                           more
 *          HEDDLE_PIECES    1: args->held, held_count, before and first are in use
 * Method   Every drawer of tickets draws once in vain. The last to do so leaves the tickets for the
 *          next launch, whose words have another tag, so nothing is cleared and graphs replay. */
#ifndef HEDDLE_KERNELS_SCAN_FETCH_H
#define HEDDLE_KERNELS_SCAN_FETCH_H

#include "kernels/base/tickets.h"

#include "lookback.h"
#include "tile.h"

#ifndef SCAN_LOADS
#define SCAN_LOADS 8
#endif
#ifndef SCAN_ROOM
#define SCAN_ROOM 16
#endif

/* ---- where tiles are ------------------------------------------------------------------------- */

HD_DEVICE u32 held_count(const struct scan_args *args) {
  return HEDDLE_PIECES ? args->held_count : 0;
}

/* Where element 0 of a tile is, or would be if it were not among the held ones. */
HD_DEVICE const u8 *tile_in(const struct scan_args *args, u32 tile) {
  return (const u8 *)(args->in + ((u64)tile * SCAN_TILE - held_count(args)) * ELEMENT_BYTES);
}

/* How many elements of a tile there are. */
HD_DEVICE u32 tile_count(const struct scan_args *args, u32 tile) {
  const u64 begin = (u64)tile * SCAN_TILE, end = args->count + held_count(args);
  if (tile < args->full) return SCAN_TILE;
  return begin < end ? (u32)(end - begin) : 0;
}

/* Whether some of a tile's elements are among the held ones. */
HD_DEVICE bool tile_is_held(const struct scan_args *args, u32 tile) {
  return HEDDLE_PIECES && tile == 0 && args->held_count;
}

/* Whether a tile is full, and a part of `in`. */
HD_DEVICE bool tile_is_plain(const struct scan_args *args, u32 tile) {
  return tile < args->full && !tile_is_held(args, tile);
}

HD_DEVICE struct scan_out tile_out(const struct scan_args *args, u32 tile) {
  struct scan_out out;
  out.out = (u8 *)(args->out + ((u64)tile * SCAN_TILE - held_count(args)) * RESULT_BYTES);
  out.low = tile ? 0 : held_count(args);
  out.high = tile_count(args, tile);
  out.whole = tile_is_plain(args, tile);
  out.first = args->first == 0 && tile == 0;
  return out;
}

HD_DEVICE total scan_init(const struct scan_args *args) {
  total init;
  memcpy(&init, &args->init, sizeof init);
  return init;
}

/* A prefix within the piece, with what came before the piece; where order matters that is among
 * the nodes already. */
HD_DEVICE total after_before(const struct scan_args *args, total prefix) {
#if HEDDLE_PIECES && TOTAL_IS_ORDER_FREE
  if (args->before) prefix = total_op(*(const total *)args->before, prefix);
#else
  (void)args;
#endif
  return prefix;
}

/* ---- into shared memory ---------------------------------------------------------------------- */

/* Tiles lie there as in global memory: as far behind a multiple of SCAN_ROOM bytes. */
HD_DEVICE u32 slot_shift(const struct scan_args *args) {
  return (u32)(args->in - held_count(args) * ELEMENT_BYTES) & (SCAN_ROOM - 1);
}

/* What is brought element by element: those before `head` and from `tail` on, fewer than 16 each. */
struct tile_ends {
  u32 head, tail, count;
};

/* A lane's element of those, or NO_ELEMENT. */
#define NO_ELEMENT 0xffffffffu
HD_DEVICE u32 tile_end(const struct tile_ends *ends) {
  const u32 lane = warp_lane(), e = lane < 16 ? lane : ends->tail + lane - 16;
  return e < (lane < 16 ? ends->head : ends->count) ? e : NO_ELEMENT;
}
HD_DEVICE element tile_end_load(const struct scan_args *args, u32 tile, u32 e) {
  return e == NO_ELEMENT ? (element)0 : ((const element *)tile_in(args, tile))[e];
}

/* That element into the slot, and zeros behind the last of the tile. */
HD_DEVICE void tile_end_store(const struct tile_ends *ends, u32 e, element x, void *slot) {
  if (e != NO_ELEMENT) ((element *)slot)[e] = x;
#pragma unroll 1
  for (u32 z = ends->count + warp_lane(); z < SCAN_TILE; z += 32) ((element *)slot)[z] = (element)0;
}

/* One that begins with held elements, element by element; what lies behind its end is zero. */
HD_DEVICE void tile_fetch_held(const struct scan_args *args, u32 tile, void *slot) {
  const element *in = (const element *)tile_in(args, tile);
  const u32 count = tile_count(args, tile);
  enum { AT_ONCE = 16 };
#pragma unroll 1
  for (u32 first = warp_lane(); first < SCAN_TILE; first += 32 * AT_ONCE) {
    element x[AT_ONCE];
#pragma unroll
    for (u32 i = 0; i < AT_ONCE; i++) {
      const u32 e = first + 32 * i;
      const element *from = e < args->held_count ? (const element *)args->held + e : in + e;
      x[i] = e < count ? *from : (element)0;
    }
#pragma unroll
    for (u32 i = 0; i < AT_ONCE; i++) ((element *)slot)[first + 32 * i] = x[i];
  }
}

/* So many units of 16 bytes, one a lane and load. Behind the last unit lanes read that one again:
 * loads without branches. */
HD_DEVICE void units_fetch(const u8 *in, u32 units, void *slot) {
  enum { LOADS = SCAN_TILE_BYTES / 512, GROUP = LOADS < SCAN_LOADS ? LOADS : SCAN_LOADS };
  if (!units) return;
#pragma unroll 1
  for (u32 first = warp_lane(); first < units; first += 32 * GROUP) {
    uint4 v[GROUP];
#pragma unroll
    for (u32 i = 0; i < GROUP; i++) {
      const u32 unit = first + 32 * i;
      v[i] = load16(in + (size_t)(unit < units ? unit : units - 1) * 16);
    }
#pragma unroll
    for (u32 i = 0; i < GROUP; i++) ((uint4 *)slot)[first + 32 * i] = v[i];
  }
}

/* All lanes see the tile in the slot, behind which are 16 bytes less its shift, when this is
 * back. */
HD_DEVICE void warp_tile_fetch(const struct scan_args *args, u32 tile, u8 *slot) {
  if (tile_is_held(args, tile)) {
    tile_fetch_held(args, tile, slot);
  } else {
    const u8 *in = tile_in(args, tile);
    struct tile_ends ends = {0, 0, tile_count(args, tile)};
    if (SCAN_SLOT_ALIGN < 16) ends.head = (u32)(0 - (size_t)in & 15u) / ELEMENT_BYTES;
    if (ends.head > ends.count) ends.head = ends.count;
    const u32 units = (ends.count - ends.head) * ELEMENT_BYTES / 16;
    ends.tail = ends.head + units * (16 / ELEMENT_BYTES);
    const u32 e = tile_end(&ends);
    const element x = tile_end_load(args, tile, e);
    units_fetch(in + ends.head * ELEMENT_BYTES, units, slot + ends.head * ELEMENT_BYTES);
    if (SCAN_SLOT_ALIGN < 16 || tile >= args->full) {
      __syncwarp(); /* the last unit was written by many lanes */
      tile_end_store(&ends, e, x, slot);
    }
  }
  __syncwarp(); /* every lane's part of the tile is there */
}

/* ---- tickets --------------------------------------------------------------------------------- */

HD_DEVICE u64 ticket_draw(const struct scan_args *args) { return ticket_next((u64 *)args->ticket); }
HD_DEVICE void ticket_over(const struct scan_args *args, u32 ticket, u32 tag) {
  ticket_end((u64 *)args->ticket, ticket, args->spans, args->drawers, tag);
}
HD_DEVICE void warp_ticket_wrap(const struct scan_args *args, u32 tag) {
  warp_tag_wrap((u64 *)args->ticket, (u64 *)args->nodes, args->words, args->drawers, tag);
}

#endif
