/* one_wave.cu - running totals of a short array by one wave of blocks, all of which run at once
 *
 * Result   heddle_scan_one_wave   out[i] of every element of at most SCAN_WAVE_SPANS spans, a whole
 *          array
 * Defines  as fetch.h and tile.h; HEDDLE_VERB is HD_REDUCE, HEDDLE_CHUNKS 1, HEDDLE_PIECES 0
 * Launch   args->spans blocks of args->chunks * SCAN_PARTS warps; chunks: 1, 2 or SCAN_WAVE_TILES
 * Memory   dynamic shared: PART_SLOT_BYTES for each of args->chunks tiles. Global: args->ticket and
 *          args->nodes, left for the next launch to use
 * Order    v1, rules 2, 4 and 6, whatever the launch shape
 * Method   Four warps a tile, a block a span, by tickets: who has drawn a ticket waits for lower
 *          ones only. Blocks publish the totals of their spans and read all those before them: each
 *          is a node of level 0 (lookback.h), and those above are made by who needs them, so that a
 *          block waits once. It pays off as long as all blocks fit at once. What follows the wait
 *          is on the way of every result: no shuffles but those of the part itself. */
#include "part.h"

extern __shared__ uint4 scan_shared[];

/* Before span s come as many aligned blocks of 2^k spans as s has bits: digits to the base of 2. */
enum { WAVE_GROUPS = (SCAN_WAVE_SPANS + 1) / 32, WAVE_DIGITS = 8 };

struct wave_shared {
  struct part_sums sums;
  total digit[5];           /* of the span's own group of 32 */
  total group[WAVE_GROUPS]; /* totals of those before it */
  u64 drawn;
};

/* The totals of the spans before this one, complete after the next barrier: group g by the warps g,
 * g + warps and so on. */
HD_DEVICE void warp_await(const struct scan_args *args, struct wave_shared *shared, u32 span,
                          u32 tag) {
#pragma unroll 1
  for (u32 first = threadIdx.x & ~31u; first < span; first += blockDim.x) {
    const u32 lanes = span - first < 32 ? span - first : 32;
    total t = warp_node_await(args, 0, first, lanes, total_identity(), tag);
    total sibling[5];
#pragma unroll
    for (int k = 0; k < 5; k++) {
      sibling[k] = warp_xor(t, 1 << k);
      t = total_op(t, sibling[k]);
    }
#pragma unroll
    for (int k = 0; k < 5; k++)
      if (warp_lane() == lanes) shared->digit[k] = sibling[k];
    if (lanes == 32 && warp_lane() == 0) shared->group[first / 32] = t;
  }
}

/* digit[k] where bit k of the span is set, else the identity. */
HD_DEVICE void warp_digits(const struct wave_shared *shared, u32 span, total digit[WAVE_DIGITS]) {
  const u32 group = span / 32;
  const total *four = shared->group, *two = four + (group & 4u), *one = four + (group & 6u);
#pragma unroll
  for (int k = 0; k < 5; k++) digit[k] = span >> k & 1u ? shared->digit[k] : total_identity();
  digit[5] = digit[6] = digit[7] = total_identity();
  if (group & 1u) digit[5] = *one;
  if (group & 2u) digit[6] = total_op(two[0], two[1]);
  if (group & 4u) digit[7] = four_total(four);
}

/* What comes before the span. */
HD_DEVICE total thread_before(const total digit[WAVE_DIGITS], u32 span) {
  total before = total_identity();
#pragma unroll
  for (int k = WAVE_DIGITS - 1; k >= 0; k--)
    if (span >> k & 1u) before = total_op(before, digit[k]);
  return before;
}

/* And behind it, if `sum` is its total: with the digits that are ones up to the lowest zero it
 * makes one block. */
HD_DEVICE total thread_behind(const total digit[WAVE_DIGITS], u32 span, total sum) {
  const u32 ones = span & ~(span + 1);
#pragma unroll
  for (int k = 0; k < WAVE_DIGITS; k++)
    if (ones >> k & 1u) sum = total_op(digit[k], sum);
  return total_op(thread_before(digit, span & ~ones), sum);
}

/* What comes before a part of tile c of the span, and behind it. */
HD_DEVICE total warp_carry(const struct scan_args *args, const struct wave_shared *shared, u32 span,
                           u32 c, u32 part, const total tiles[4], total *behind) {
  total digit[WAVE_DIGITS], parts[SCAN_PARTS];
  warp_digits(shared, span, digit);
  four_parts(&shared->sums, c, parts);
  const total prefix = thread_before(digit, span), before = four_carry(prefix, tiles, c);
  if (part + 1 < SCAN_PARTS)
    *behind = four_carry(before, parts, part + 1);
  else if (c + 1 < args->chunks)
    *behind = four_carry(prefix, tiles, c + 1);
  else
    *behind = thread_behind(digit, span, four_total(tiles));
  return four_carry(before, parts, part);
}

HD_KERNEL __launch_bounds__(SCAN_WAVE_TILES *SCAN_PARTS * 32, 1)
    heddle_scan_one_wave(const __grid_constant__ struct scan_args args) {
  __shared__ struct wave_shared shared;
  const u32 warp = __shfl_sync(HD_ALL, threadIdx.x / 32u, 0);
  const u32 c = warp / SCAN_PARTS, part = warp % SCAN_PARTS;
  struct scan_part p;
  total tiles[4], behind;
  if (threadIdx.x == 0) shared.drawn = ticket_draw(&args);
  __syncthreads(); /* the ticket is drawn */
  const u32 span = (u32)shared.drawn, tag = ticket_tag(shared.drawn);
  const u32 tile = span * args.chunks + c;
  part_fetch(&args, tile, part, &p);
  block_tile_share(&p, c, part, tile < args.full, (u8 *)scan_shared + c * PART_SLOT_BYTES,
                   &shared.sums);
  if (TOTAL_IS_ORDER_FREE) warp_part_share(&p, c, part, &shared.sums);
  __syncthreads(); /* the tiles' totals are there */
  four_tiles(&shared.sums, args.chunks, tiles);
  if (warp == 0 && (span + 1) * args.chunks <= args.full)
    node_tell(&args, span, four_total(tiles), tag);
  if (!TOTAL_IS_ORDER_FREE) warp_part_share(&p, c, part, &shared.sums);
  warp_await(&args, &shared, span, tag);
  __syncthreads(); /* the parts' totals are there, and those before the span */
  const total before = warp_carry(&args, &shared, span, c, part, tiles, &behind);
  const struct scan_out out = tile_out(&args, tile);
  warp_part_down(&p, part, before, behind, scan_init(&args), &out);
  if (threadIdx.x == 0) ticket_over(&args, span + args.spans, tag);
  if (warp == 0) warp_ticket_wrap(&args, tag);
}
