/* lookback.h - decoupled look-back over a 32-ary tree: publish and read totals of blocks of tiles
 *
 * Result   warp_node_publish    a tile's total, and every node that it completes
 *          warp_node_prefix     what comes before a tile, and before the next one
 *          node_publish_before  the same of an earlier call's tiles
 *          warp_lane_carry      what comes before each lane of a warp
 * Method   A node of level k is the total of 32^k aligned tiles, so it depends on nothing to its
 *          left. Tile t is preceded by t's digits to the base of 32: of each level as many
 *          siblings as the digit says, folded as rule 4 has it, since base 32 is five levels of
 *          base 2. The last tile of a node folds its 31 siblings and itself and publishes that.
 * Waits    A tile waits only for tiles before it. Tickets are drawn in that order, and a warp
 *          handles its own in that order, publishing before it waits: the first tile that is not
 *          published yet has a warp that does not wait for it or for a later one.
 * Memory   A node is TOTAL_WORDS words of 64 bits: tag above, 32 bits of the total below. A word
 *          is valid once its tag is the launch's; there is nothing to clear.
 * Defines  as order/device/total.h; HEDDLE_CHUNKS: tiles of a span
 * Who      all lanes of a warp, with the same arguments; results are held by all
 * Source   Blelloch 1990; look-back after Merrill and Garland 2016, over a tree instead of a
 *          chain */
#ifndef HEDDLE_KERNELS_SCAN_LOOKBACK_H
#define HEDDLE_KERNELS_SCAN_LOOKBACK_H

#include "kernels/base/device.h"
#include "order/device/warp.h"

#include "args.h" /* needs their types */

/* Tiles of a span, which is what nodes are about: "tile" here. */
#if HEDDLE_CHUNKS == 8
#define SCAN_SPAN_LOG 3
#elif HEDDLE_CHUNKS == 4
#define SCAN_SPAN_LOG 2
#elif HEDDLE_CHUNKS == 2
#define SCAN_SPAN_LOG 1
#else
#define SCAN_SPAN_LOG 0
#endif

HD_DEVICE u64 *node_at(const struct scan_args *args, int level, u32 index) {
  return (u64 *)args->nodes + (u64)(args->level[level] + index) * TOTAL_WORDS;
}

/* By the one lane that calls it. */
HD_DEVICE void node_write(u64 *node, total t, u32 tag) {
  struct total_words words = words_of_total(t);
#pragma unroll
  for (int i = 0; i < TOTAL_WORDS; i++) publish64(node + i, (u64)tag << 32 | words.word[i]);
}

/* A node as it stands in memory, valid or not; and whether it is, with its total. By a lane for
 * itself. */
struct node_words {
  u64 word[TOTAL_WORDS];
};
HD_DEVICE struct node_words node_peek(const u64 *node) {
  struct node_words words;
#pragma unroll
  for (int i = 0; i < TOTAL_WORDS; i++) words.word[i] = peek64(node + i);
  return words;
}
HD_DEVICE bool node_take(const struct node_words *from, u32 tag, total *t) {
  struct total_words words;
  bool valid = true;
#pragma unroll
  for (int i = 0; i < TOTAL_WORDS; i++) {
    valid = valid && (u32)(from->word[i] >> 32) == tag;
    words.word[i] = (u32)from->word[i];
  }
  if (valid) *t = total_of_words(words);
  return valid;
}

/* Lanes below `lanes` wait for the nodes of the level from `index` on; the others keep `own`. */
HD_DEVICE total warp_node_await(const struct scan_args *args, int level, u32 index, u32 lanes,
                                total own, u32 tag) {
  bool missing = warp_lane() < lanes;
  while (__any_sync(HD_ALL, missing)) {
    if (!missing) continue;
    const struct node_words words = node_peek(node_at(args, level, index + warp_lane()));
    missing = !node_take(&words, tag, &own);
  }
  return own;
}

/* The total t of tile `tile`. */
HD_DEVICE void node_tell(const struct scan_args *args, u32 tile, total t, u32 tag) {
  if (warp_lane() == 0) node_write(node_at(args, 0, tile), t, tag);
}

/* The nodes of higher levels that end with tile `tile`, whose total is t. */
HD_DEVICE void warp_node_climb(const struct scan_args *args, u32 tile, total t, u32 tag) {
  int level = 0;
#pragma unroll 1
  while ((tile & 31u) == 31u && level + 1 < SCAN_LEVELS) {
    t = warp_node_await(args, level, tile & ~31u, 31, t, tag);
    t = warp_tree(t, 5);
    tile >>= 5;
    level++;
    if (warp_lane() == 0) node_write(node_at(args, level, tile), t, tag);
  }
}

HD_DEVICE void warp_node_publish(const struct scan_args *args, u32 tile, total t, u32 tag) {
  node_tell(args, tile, t, tag);
  warp_node_climb(args, tile, t, tag);
}

/* Tile `tile`'s digit to the base of 32. By way of a shuffle its bits are in ordinary registers:
 * ptxas 13.0 gives up (C7600) where it would need so many uniform predicates. */
HD_DEVICE u32 warp_digit(u32 tile, int level) {
  return __shfl_sync(HD_ALL, tile >> (5 * level) & 31u, 0);
}

/* Lane d: acc, then biggest first the aligned blocks that tile the first d of 2^levels lanes: what
 * comes before it. */
HD_DEVICE total warp_lane_carry(total acc, total t, int levels) {
  total sibling[5]; /* the neighbouring blocks of 1, 2, 4, 8, 16 lanes */
#pragma unroll
  for (int k = 0; k < 5; k++) {
    if (k >= levels) continue;
    sibling[k] = warp_xor(t, 1 << k);
    t = total_op(t, sibling[k]);
  }
#pragma unroll
  for (int k = 4; k >= 0; k--)
    if (k < levels && warp_lane() >> k & 1u) acc = total_op(acc, sibling[k]);
  return acc;
}

/* What comes before the block of 32^NODE_LEVELS tiles that a warp was in last, so that most tiles
 * need not ask for the levels above. */
#define NODE_LEVELS 3
struct node_top {
  u32 block;
  total before;
};
HD_DEVICE struct node_top node_top_start(void) {
  struct node_top top;
  top.block = 0, top.before = total_identity();
  return top;
}
HD_DEVICE void warp_node_top_reach(const struct scan_args *args, u32 tile, u32 tag,
                                   struct node_top *top) {
  if (tile >> (5 * NODE_LEVELS) == top->block) return;
  *top = node_top_start();
  top->block = tile >> (5 * NODE_LEVELS);
#pragma unroll 1
  for (int k = SCAN_LEVELS - 1; k >= NODE_LEVELS; k--) {
    const u32 digit = warp_digit(tile, k);
    if (!digit) continue;
    const total sibling =
        warp_node_await(args, k, tile >> (5 * k) & ~31u, digit, total_identity(), tag);
    top->before = warp_from(warp_lane_carry(top->before, sibling, 5), digit);
  }
}

/* The siblings before tile `tile` of the other levels: lane j < digit holds the j-th. */
HD_DEVICE void warp_node_siblings(const struct scan_args *args, u32 tile, u32 tag,
                                  total sibling[NODE_LEVELS]) {
  u32 missing = 0; /* bit k: this lane's node of level k */
#pragma unroll
  for (int k = 0; k < NODE_LEVELS; k++) {
    if (warp_lane() < (tile >> (5 * k) & 31u)) missing |= 1u << k;
    sibling[k] = total_identity();
  }
  do { /* all levels are on their way before the first is looked at */
    struct node_words words[NODE_LEVELS] = {};
#pragma unroll
    for (int k = 0; k < NODE_LEVELS; k++)
      if (missing >> k & 1u)
        words[k] = node_peek(node_at(args, k, (tile >> (5 * k) & ~31u) + warp_lane()));
#pragma unroll
    for (int k = 0; k < NODE_LEVELS; k++)
      if (missing >> k & 1u && node_take(&words[k], tag, &sibling[k])) missing &= ~(1u << k);
  } while (__any_sync(HD_ALL, missing != 0));
}

/* prefix(tile), and, if the tile is full and t its total, *next = prefix(tile + 1). The last of 32
 * siblings asks again for the latter: the nodes that this tile completed are among its own. */
HD_DEVICE total warp_node_prefix(const struct scan_args *args, u32 tile, total t, bool full,
                                 u32 tag, struct node_top *top, total *next) {
  const u32 last = full && (tile & 31u) == 31u ? tile + 1 : tile;
  total sibling[NODE_LEVELS], prefix, before = t;
#pragma unroll 1
  for (u32 at = tile; at <= last; at++) {
    warp_node_top_reach(args, at, tag, top);
    warp_node_siblings(args, at, tag, sibling);
    prefix = top->before;
#pragma unroll
    for (int k = NODE_LEVELS - 1; k > 0; k--)
      prefix = warp_from(warp_lane_carry(prefix, sibling[k], 5), warp_digit(at, k));
    if (warp_lane() == (at & 31u)) sibling[0] = t;
    const total carry = warp_lane_carry(prefix, sibling[0], 5);
    prefix = warp_from(carry, at & 31u);
    *next = warp_from(carry, (at + 1) & 31u);
    if (at == tile) before = prefix;
  }
  if ((tile & 31u) == 31u) *next = prefix;
  return before;
}

/* ---- from call to call ----------------------------------------------------------------------- */

/* Publishes what comes before args->first: by one warp, before it waits for anything. Of a digit's
 * siblings no more is known than the aligned blocks that tile them: each stands in its first place
 * with identities behind, which folds to the same bits. */
HD_DEVICE void node_publish_before(const struct scan_args *args, u32 tag) {
  const u32 lane = warp_lane();
#pragma unroll 1
  for (int k = 0; k < SCAN_LEVELS; k++) {
    const u32 digit = args->first >> (5 * k) & 31u, index = args->first >> (5 * k) & ~31u;
    total t = total_identity();
    for (int j = 0; j < 5; j++)
      if (digit >> j & 1u && lane == (digit >> j & ~1u) << j)
        t = ((const total *)args->before)[5 * k + j + SCAN_SPAN_LOG];
    if (lane < digit) node_write(node_at(args, k, index + lane), t, tag);
  }
}

#endif
