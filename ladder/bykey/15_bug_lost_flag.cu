/* By key 15, BUG: carries without their flags
 *
 * Idea     rung 05, but what a tile hands on is the plain sum of what lies behind: its carry is the
 *          left tile's carry plus the left tile's open sum, whether that tile had a head or not
 * Cost     as rung 05, an operation less a tile
 * Shows    inside of a tile the flags are obeyed, across its edge the flag is forgotten: a head in the
 *          tile before closes the run that was open, and its carry must not pass. Arrays of one or
 *          two tiles are right, and so are those whose runs end at edges. Nothing races, no
 *          address is wrong: the comparison with the serial reference finds it, on keys that cross
 *          edges, which are the rung's own
 * Source   the course's question: what does rung 05 need the count of heads for, if not for numbers?
 *
 * //! title: BUG: the flag forgotten at a tile's edge
 * //! expect: caught carry
 * //! size: fixed
 */
#define LADDER_PARTS
#define RUN_CARRIES
#include "05_reduce_by_key.cu"

enum { LEAST = 4 * BLOCK };

/* One thread: heads are counted right, the sum of the open run is not. */
__global__ void carry_tiles(struct run_place *tiles, unsigned int count) {
  struct run_place carry = {0, 0};
  for (unsigned int k = 0; k < count; ++k) {
    carry.heads += tiles[k].heads;
    carry.sum += tiles[k].sum; /* the bug: not where tile k has a head */
    tiles[k] = carry;
    LADDER_STEP();
  }
  LADDER_WORK(count);
  LADDER_READ(2 * count);
  LADDER_WROTE(2 * count);
}

int main(int argc, char **argv) {
  struct bykey b;
  size_t wrong = 0;
  ladder_begin(argc, argv, __FILE__, 1 << 12, 1 << 24, 5 * sizeof(unsigned int));
  if (ladder.size < LEAST)
    ladder_usage("--size", "fewer than 1024 elements, of too few tiles for a carry to be wrong");
  bykey_open(&b, ladder.size, 2 * (size_t)sort_blocks(ladder.size, BLOCK));
  /* Whatever --data says: runs of 100, which cross nearly every edge. */
  for (size_t i = 0; i < b.n; ++i) b.host_keys[i] = (unsigned int)(i / 100);
  bykey_fill_values(b.host_values, b.n);
  bykey_to_device(&b);
  const unsigned int blocks = sort_blocks(b.n, BLOCK);
  struct run_place *const tiles = (struct run_place *)b.work;
  ladder_start();
  sum_tiles<<<blocks, BLOCK>>>(b.keys, b.values, b.n, tiles);
  carry_tiles<<<1, 1>>>(tiles, blocks);
  write_runs<<<blocks, BLOCK>>>(b.keys, b.values, b.n, tiles, b.out_keys, b.out, b.count);
  CHECK(ladder_stop());
  bykey_reference(&b, BYKEY_SUMS, b.n);
  sort_to_host(b.got, b.out, b.wanted);
  for (size_t i = 0; i < b.wanted; ++i) wrong += b.got[i] != b.want[i];
  printf("Wrong sums: %zu of %zu\n", wrong, b.wanted);
  ladder_key_count("wrong_sums", wrong);
  if (wrong) ladder_caught("carry: %zu of %zu sums have a part of another run", wrong, b.wanted);
  bykey_close(&b);
  return ladder_end();
}
