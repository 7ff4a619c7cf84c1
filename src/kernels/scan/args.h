/* args.h - what the host hands to the kernels of scans: one struct, laid out alike by both
 *
 * A tile is what a warp scans; a span is what a ticket stands for: one tile or a few.
 * Needs u32 and u64 of kernels/base/device.h or of order/types.h. Addresses are u64, 0 where there
 * is none. */
#ifndef HEDDLE_KERNELS_SCAN_ARGS_H
#define HEDDLE_KERNELS_SCAN_ARGS_H

enum {
  SCAN_LEVELS = 6,       /* of nodes, 32 of one make a node of the next: 2^30 spans */
  SCAN_ROWS = 16,        /* of a tile */
  SCAN_PARTS = 4,        /* of a tile in single_block and one_wave, a warp each */
  SCAN_BLOCK_TILES = 4,  /* the most that single_block takes */
  SCAN_WAVE_TILES = 4,   /* of a span of one_wave, at most */
  SCAN_WAVE_SPANS = 255, /* the most that one_wave takes: eight groups of 32, less one */
  SCAN_SUMS_BYTES = 8 * SCAN_BLOCK_TILES * (1 + SCAN_PARTS), /* of single_block: struct part_sums */
  SCAN_UP_WARPS = 4,   /* of a block of one_pass_bulk: they total tiles */
  SCAN_OTHER_WARPS = 4 /* those that neither total nor scan tiles */
};

struct scan_args {
  u64 in, out;
  u64 count;  /* elements at `in` */
  u64 held;   /* elements that came before them and belong to the first tile */
  u64 before; /* the slots (kernels/base/carry_slots.h) of what came before that; of totals without order, the total */
  u64 ticket; /* {epoch << 32 | next ticket, drawers that are done}: HD_REGION_SCAN */
  u64 nodes;  /* tagged words */
  u64 words;  /* of 8 bytes at nodes, in all */
  u64 init;   /* a total */
  u32 held_count;         /* elements at `held`; fewer than a tile */
  u32 spans;              /* of held_count + count elements, a partial one included */
  u32 full;               /* full tiles among them */
  u32 first;              /* the index in the whole array of the first span; without order 0 */
  u32 drawers;            /* of tickets: warps of scan, blocks of one_pass_bulk and one_wave */
  u32 chunks;             /* tiles of a span, where that is not compiled in: of one_wave */
  u32 level[SCAN_LEVELS]; /* node j of level k is number level[k] + j, modulo 2^32, at `nodes` */
};

#endif
