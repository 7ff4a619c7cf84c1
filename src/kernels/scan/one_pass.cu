/* one_pass.cu - running totals of an array in one pass, on any GPU
 *
 * Result   scan   out[i] of every element, for any number of tiles, as part of a longer array if
 *          need
 *                 be
 * Defines  as fetch.h and tile.h; HEDDLE_VERB is HD_REDUCE, HEDDLE_CHUNKS 1, HEDDLE_ALIGN 16 or
 *          what an element is aligned to
 * Launch   any number of blocks of whole warps; a warp takes one tile after the other, by tickets
 * Memory   dynamic shared: SCAN_TILE_BYTES + SCAN_ROOM a warp. Global: args->ticket and args->nodes,
 *          left for the next launch to use
 * Order    v1, rules 2, 4 and 6, whatever the launch shape
 * Method   A tile is read once, into shared memory, totalled, published (lookback.h) and scanned
 *          from there. Many warps hide each other's waits. */
#define SCAN_SLOT_ALIGN HEDDLE_ALIGN
#include "fetch.h"

extern __shared__ uint4 scan_shared[];

HD_DEVICE void warp_scan_one(const struct scan_args *args, u32 tile, u8 *slot, u32 tag,
                             struct node_top *top) {
  total t = total_identity(), behind;
#if HEDDLE_PIECES && !TOTAL_IS_ORDER_FREE
  if (tile == 0) node_publish_before(args, tag);
#endif
  warp_tile_fetch(args, tile, slot);
  if (tile < args->full) {
    t = warp_tile_total(slot);
    warp_node_publish(args, args->first + tile, t, tag);
  }
  const struct scan_out out = tile_out(args, tile);
  const total before =
      warp_node_prefix(args, args->first + tile, t, tile < args->full, tag, top, &behind);
  warp_tile_scan(slot, after_before(args, before), after_before(args, behind), scan_init(args),
                 &out);
}

HD_KERNEL heddle_scan_one_pass(const __grid_constant__ struct scan_args args) {
  u8 *slot =
      (u8 *)scan_shared + threadIdx.x / 32u * (SCAN_TILE_BYTES + SCAN_ROOM) + slot_shift(&args);
  struct node_top top = node_top_start();
  u64 drawn;
  for (;;) {
    drawn = 0;
    if (warp_lane() == 0) drawn = ticket_draw(&args);
    drawn = __shfl_sync(HD_ALL, drawn, 0);
    if ((u32)drawn >= args.spans) break;
    warp_scan_one(&args, (u32)drawn, slot, ticket_tag(drawn), &top);
    __syncwarp(); /* every lane has read the slot */
  }
  if (warp_lane() == 0) ticket_over(&args, (u32)drawn, ticket_tag(drawn));
  warp_ticket_wrap(&args, ticket_tag(drawn));
}
