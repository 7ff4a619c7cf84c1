/* scan_few.cu - running totals of an array of few tiles: the quickest way there is
 *
 * Result   scan_few   out[i] of every element of at most SCAN_FEW_SPANS spans, a whole array
 * Defines  as scan_fetch.h and scan_tile.h; HEDDLE_VERB is HD_REDUCE, HEDDLE_CHUNKS 1, HEDDLE_PIECES 0
 * Launch   args->spans blocks of args->chunks warps, a power of two, or of more: those only wait
 * Memory   dynamic shared: a slot of SCAN_TILE_BYTES for each of args->chunks warps. Global:
 *          args->ticket and args->nodes, left for the next launch to use
 * Order    v1, rules 2, 4 and 6, whatever the launch shape
 * Method   A warp a tile, a block a span, by tickets: who has drawn a ticket waits for lower ones only.
 *          Blocks publish the totals of their spans and read all those before them: each is a node of
 *          level 0 (scan_nodes.h), and those above are made by who needs them, so that a block waits
 *          once. It pays off as long as all blocks fit at once. */
#define SCAN_LOADS 16
#include "scan_fetch.h"

extern __shared__ uint4 scan_shared[];

struct few_shared {
  u64 drawn;
  total tile[32];  /* the totals of the span's tiles */
  total block[32]; /* of 32 spans each */
  total span[32];  /* of the spans behind those */
};

/* The totals of the spans before this one, complete after the next barrier. */
HD_DEVICE void few_await(const struct scan_args *args, struct few_shared *shared, u32 span,
                         u32 tag) {
#pragma unroll 1
  for (u32 first = threadIdx.x & ~31u; first < span; first += blockDim.x) {
    const u32 lanes = span - first < 32 ? span - first : 32;
    total t = node_await(args, 0, first, lanes, total_identity(), tag);
    if (lanes < 32) shared->span[warp_lane()] = t;
    t = warp_tree(t, 5);
    if (lanes == 32 && warp_lane() == 0) shared->block[first / 32] = t;
  }
}

/* What comes before the span, and behind it, whose total is `sum`. */
HD_DEVICE total few_prefix(const struct few_shared *shared, u32 span, total sum, total *behind) {
  const u32 lane = warp_lane(), place = span & 31u, block = span >> 5;
  const total own = lane < place ? shared->span[lane] : lane == place ? sum : total_identity();
  const total whole = warp_tree(own, 5);
  total above = lane < block ? shared->block[lane] : total_identity();
  if (lane == block) above = whole; /* for what is behind it, if it is complete */
  total carry = lane_carry(total_identity(), above, 5);
  *behind = warp_from(carry, block + 1);
  carry = lane_carry(warp_from(carry, block), own, 5);
  const total next = warp_from(carry, (place + 1) & 31u);
  if (place < 31) *behind = next;
  return warp_from(carry, place);
}

HD_KERNEL scan_few(const __grid_constant__ struct scan_args args) {
  __shared__ struct few_shared shared;
  const u32 c = __shfl_sync(HD_ALL, threadIdx.x / 32u, 0);
  u8 *slot = (u8 *)scan_shared + c * SCAN_TILE_BYTES;
  total t = total_identity(), behind;
  if (threadIdx.x == 0) shared.drawn = ticket_draw(&args);
  __syncthreads(); /* the ticket is drawn */
  const u32 span = (u32)shared.drawn, tag = ticket_tag(shared.drawn);
  const u32 tile = span * args.chunks + c;
  if (c < args.chunks) {
    tile_fetch(&args, tile, slot);
    if (tile < args.full) t = tile_total(slot);
    if (warp_lane() == 0) shared.tile[c] = t;
  }
  __syncthreads(); /* the tiles' totals are written */
  const total sums = warp_lane() < args.chunks ? shared.tile[warp_lane()] : total_identity();
  const total sum = warp_tree(sums, 5);
  if (c == 0 && (span + 1) * args.chunks <= args.full) node_tell(&args, span, sum, tag);
  few_await(&args, &shared, span, tag);
  __syncthreads(); /* the totals before the span are there */
  if (threadIdx.x == 0) ticket_over(&args, span + args.spans, tag);
  if (c < args.chunks) {
    const total carry = lane_carry(few_prefix(&shared, span, sum, &behind), sums, 5);
    const total before = warp_from(carry, c), next = warp_from(carry, (c + 1) & 31u);
    const struct scan_out out = tile_out(&args, tile);
    tile_scan(slot, before, c + 1 < args.chunks ? next : behind, scan_init(&args), &out);
  }
  if (c == 0) ticket_wrap(&args, tag);
}
