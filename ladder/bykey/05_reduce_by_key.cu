/* By key 05: reduce by key across blocks
 *
 * Idea     each block scans its tile by runs (rung 04 in its warps, then from warp to warp) and
 *          leaves two words: how many heads it has, and the sum behind its last one. A block
 *          scans these pairs by the same operator: a tile with a head does not let through what
 *          comes from the left. Then every block scans its tile again, and the last element of
 *          each run has the run's sum and number, and writes them
 * Cost     3 launches; 7 words read an element (keys and their neighbours twice), 2 written a run
 * Shows    a run that covers many tiles costs nothing special: tiles without a head hand the
 *          carry through. Who writes is decided by the right neighbour alone, so that each sum is
 *          written once, by no atomic: floats come out the same every time (rung 13)
 * Source   Harris et al. 2007 (scan in tiles) with Schwartz's operator; CUB's reduce by key
 *
 * //! title: reduce by key: tiles, carries, writes
 * //! expect: right
 */
#ifndef LADDER_PARTS
#define LADDER_PARTS
#define REDUCE_MAIN
#endif
#include "04_warp_scan.cu"

/* Heads, and the sum behind the last of them; without one the sum of all. */
struct run_place {
  unsigned int heads;
  run_sum sum;
};

/* a then b, as rung 03 adds pairs */
__device__ static struct run_place join(struct run_place a, struct run_place b) {
  const struct run_place both = {a.heads + b.heads, b.heads ? b.sum : a.sum + b.sum};
  LADDER_WORK(1);
  return both;
}

/* The places of threads 0 up to this one. All of the block must come; it may come again after a
 * barrier. */
__device__ static struct run_place scan_block(struct run_place own) {
  __shared__ struct run_place of_warp[BLOCK / 32];
  const unsigned int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const unsigned int heads = __ballot_sync(0xffffffffu, own.heads > 0);
  struct run_place place = {own.heads, scan_run_in_warp(own.sum, heads)};
  for (unsigned int distance = 1; distance < 32; distance *= 2) {
    const unsigned int left = __shfl_up_sync(0xffffffffu, place.heads, distance);
    if (lane >= distance) place.heads += left;
    LADDER_STEP();
  }
  if (lane == 31) of_warp[warp] = place;
  __syncthreads(); /* every warp's place is there */
  if (warp == 0) return place;
  struct run_place before = of_warp[0];
  for (unsigned int w = 1; w < warp; ++w) before = join(before, of_warp[w]);
  LADDER_STEP();
  return join(before, place);
}

__device__ static struct run_place place_of(const unsigned int *keys, const run_sum *values,
                                            size_t n, size_t i) {
  const struct run_place own = {is_head(keys, n, i) ? 1u : 0u, i < n ? values[i] : 0};
  if (i < n) LADDER_READ(3);
  return own;
}

__global__ void sum_tiles(const unsigned int *keys, const run_sum *values, size_t n,
                          struct run_place *tiles) {
  const size_t i = blockIdx.x * (size_t)BLOCK + threadIdx.x;
  const struct run_place place = scan_block(place_of(keys, values, n, i));
  if (threadIdx.x < BLOCK - 1) return;
  tiles[blockIdx.x] = place;
  LADDER_WROTE(2);
}

__global__ void write_runs(const unsigned int *keys, const run_sum *values, size_t n,
                           const struct run_place *tiles, unsigned int *out_keys, run_sum *sums,
                           unsigned int *count) {
  const size_t i = blockIdx.x * (size_t)BLOCK + threadIdx.x;
  struct run_place place = scan_block(place_of(keys, values, n, i));
  if (blockIdx.x > 0) place = join(tiles[blockIdx.x - 1], place);
  if (i >= n) return;
  if (threadIdx.x == 0 && blockIdx.x > 0) LADDER_READ(2);
  LADDER_READ(1);
  if (i + 1 < n && keys[i + 1] == keys[i]) return;
  out_keys[place.heads - 1] = keys[i];
  sums[place.heads - 1] = place.sum;
  LADDER_WROTE(2);
  if (i + 1 < n) return;
  *count = place.heads;
  LADDER_WROTE(1);
}

#ifndef RUN_CARRIES /* rung 15 has its own, wrong ones */
/* One block: each tile's place becomes that of all tiles up to it. */
__global__ void carry_tiles(struct run_place *tiles, unsigned int count) {
  __shared__ struct run_place last;
  struct run_place carry = {0, 0};
  for (unsigned int first = 0; first < count; first += BLOCK) {
    const unsigned int k = first + threadIdx.x;
    const struct run_place none = {0, 0}, own = k < count ? tiles[k] : none;
    const struct run_place place = join(carry, scan_block(own));
    if (k < count) {
      tiles[k] = place;
      LADDER_READ(2);
      LADDER_WROTE(2);
    }
    if (threadIdx.x == BLOCK - 1) last = place;
    __syncthreads(); /* the carry is there */
    carry = last;
    __syncthreads(); /* all have it */
  }
}

/* tiles: a place for every 256 elements */
static void reduce_by_key(const unsigned int *keys, const run_sum *values, size_t n,
                          struct run_place *tiles, unsigned int *out_keys, run_sum *sums,
                          unsigned int *count) {
  const unsigned int blocks = sort_blocks(n, BLOCK);
  sum_tiles<<<blocks, BLOCK>>>(keys, values, n, tiles);
  carry_tiles<<<1, BLOCK>>>(tiles, blocks);
  write_runs<<<blocks, BLOCK>>>(keys, values, n, tiles, out_keys, sums, count);
}

#endif

#ifdef REDUCE_MAIN /* rungs 13 and 15 take the parts */
static void launch(struct bykey *b) {
  reduce_by_key(b->keys, b->values, b->n, (struct run_place *)b->work, b->out_keys, b->out,
                b->count);
}

int main(int argc, char **argv) {
  ladder_begin(argc, argv, __FILE__, 1 << 12, 1 << 24, 5 * sizeof(unsigned int));
  const size_t n = bykey_at_least(ladder.size);
  bykey_main(BYKEY_SUMS, n, 2 * (size_t)sort_blocks(n, BLOCK), launch);
  return ladder_end();
}
#endif
