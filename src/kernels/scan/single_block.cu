/* single_block.cu - running totals of a short array by one block
 *
 * Result   heddle_scan_single_block   out[i] of every element of at most SCAN_BLOCK_TILES tiles, a
 *          whole array
 * Defines  as fetch.h and tile.h; HEDDLE_VERB is HD_REDUCE, HEDDLE_CHUNKS 1, HEDDLE_PIECES 0
 * Launch   one block of args->spans * SCAN_PARTS warps
 * Memory   dynamic shared: SCAN_SUMS_BYTES, then PART_SLOT_BYTES for each of args->spans tiles
 * Order    v1, rules 2, 4 and 6
 * Method   Four warps a tile. No word to other blocks: prefixes come from what warps share. */
#include "part.h"

extern __shared__ uint4 scan_shared[];

HD_KERNEL __launch_bounds__(SCAN_BLOCK_TILES *SCAN_PARTS * 32, 1)
    heddle_scan_single_block(const __grid_constant__ struct scan_args args) {
  struct part_sums *sums = (struct part_sums *)scan_shared;
  u8 *slots = (u8 *)scan_shared + SCAN_SUMS_BYTES;
  const u32 warp = __shfl_sync(HD_ALL, threadIdx.x / 32u, 0);
  const u32 tile = warp / SCAN_PARTS, part = warp % SCAN_PARTS;
  struct scan_part p;
  part_fetch(&args, tile, part, &p);
  block_tile_share(&p, tile, part, tile < args.full, slots + tile * PART_SLOT_BYTES, sums);
  warp_part_share(&p, tile, part, sums);
  __syncthreads(); /* all sums are there */
  total tiles[SCAN_BLOCK_TILES], parts[SCAN_PARTS], behind;
  four_tiles(sums, args.spans, tiles);
  four_parts(sums, tile, parts);
  const total carry = four_carry(total_identity(), tiles, tile);
  const total before = four_carry(carry, parts, part);
  if (part + 1 < SCAN_PARTS)
    behind = four_carry(carry, parts, part + 1);
  else if (tile + 1 < SCAN_BLOCK_TILES)
    behind = four_carry(total_identity(), tiles, tile + 1);
  else
    behind = four_total(tiles);
  const struct scan_out out = tile_out(&args, tile);
  warp_part_down(&p, part, before, behind, scan_init(&args), &out);
}
