/* scan_block.cu - running totals of a short array by one block
 *
 * Result   scan_block   out[i] of every element of at most SCAN_BLOCK_TILES tiles, a whole array
 * Defines  as scan_fetch.h and scan_tile.h; HEDDLE_VERB is HD_REDUCE, HEDDLE_CHUNKS 1
 * Launch   one block of args->spans warps
 * Memory   dynamic shared: a slot of SCAN_TILE_BYTES a warp, its warps' totals behind
 * Order    v1, rules 2, 4 and 6 */
#include "scan_fetch.h"

extern __shared__ uint4 scan_shared[];

/* No word to other blocks: prefixes come from the totals of the block's own warps. */
HD_KERNEL scan_block(const __grid_constant__ struct scan_args args) {
  const u32 tile = threadIdx.x / 32u, warps = blockDim.x / 32u;
  u8 *slot = (u8 *)scan_shared + tile * SCAN_TILE_BYTES;
  total *totals = (total *)((u8 *)scan_shared + warps * SCAN_TILE_BYTES), t = total_identity();
  tile_fetch(&args, tile, slot);
  if (tile < args.full) t = tile_total(slot);
  if (warp_lane() == 0) totals[tile] = t;
  __syncthreads(); /* every warp's total is written */
  const total sibling = warp_lane() < warps ? totals[warp_lane()] : total_identity();
  const total carry = lane_carry(total_identity(), sibling, 5);
  const total before = warp_from(carry, tile), behind = warp_from(carry, tile + 1);
  const struct scan_out out = tile_out(&args, tile);
  tile_scan(slot, before, behind, scan_init(&args), &out);
}
