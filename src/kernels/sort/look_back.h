/* look_back.h - how many elements of each digit earlier tiles of a row have, one tile after the other
 *
 * Result   tile_tell    a tile's elements of the thread's digit, for those behind it
 *          tile_before  where its elements of that digit begin in the row's order
 * Defines  tiles.h's
 * Memory   a word a tile and digit: the state in the top two bits, below a number of elements. Zero
 *          before the first step; each one leaves all words done, by which the next knows them as old,
 *          since steps take the words for done in turn
 * Waits    for tiles before it, which were drawn before; none of these waits for a later one
 * Method   A tile tells what it has, then what it has with all before it. A reader adds up the first
 *          kind until it meets the second, which a row's first tile tells at once. BATCH words are on
 *          their way at a time.
 * Source   Merrill and Garland 2016 (decoupled look-back) */
#ifndef HEDDLE_KERNELS_SORT_LOOK_BACK_H
#define HEDDLE_KERNELS_SORT_LOOK_BACK_H

#include "tiles.h"

#define BATCH 2
#define TILE_TOLD 1u /* the tile's own; 2 and 3: done, in turn */

#if HEDDLE_WIDE
#define TILE_WORD_BITS 62
#define tile_publish publish64
#define tile_peek peek64
#else
#define TILE_WORD_BITS 30
#define tile_publish publish32
#define tile_peek peek32
#endif

HD_DEVICE sort_count *tile_word(const struct sort_args *a, u32 tile) {
  return (sort_count *)a->tiles_told + (u64)tile * SORT_BINS + threadIdx.x;
}
HD_DEVICE void tile_tell(const struct sort_args *a, u32 tile, u32 state, sort_count count) {
  tile_publish(tile_word(a, tile), (sort_count)state << TILE_WORD_BITS | count);
}

/* By a thread for its digit, in any tile but a row's first. */
HD_DEVICE sort_count tile_before(const struct sort_args *a, const struct sort_tile *tile,
                                 u32 done) {
  const sort_count mask = ((sort_count)1 << TILE_WORD_BITS) - 1;
  sort_count sum = 0;
  u32 at = tile->number - 1;
  for (;;) {
    sort_count word[BATCH];
#pragma unroll
    for (u32 j = 0; j < BATCH; j++)
      word[j] = tile_peek(tile_word(a, at - tile->first < j ? tile->first : at - j));
#pragma unroll
    for (u32 j = 0; j < BATCH; j++) {
      const u32 state = (u32)(word[j] >> TILE_WORD_BITS);
      if (state == done) return sum + (word[j] & mask);
      if (state != TILE_TOLD) break;
      sum += word[j] & mask;
      at--;
    }
  }
}

#endif
