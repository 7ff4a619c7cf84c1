/* Sort 12: keys with values: argsort, and what stability is for
 *
 * Idea     a value travels with its key; if the values are 0 1 2 ... they end as the positions of
 *          the sorted keys (argsort), with which any number of other columns can be put in order.
 *          Ranks are those of rung 10
 * Cost     5 words a key and pass where rung 10 has 3: a value moves with each key
 * Shows    keys 2 0 1 0 2 1 -> positions 1 3 2 5 0 4: equal keys by position, because every pass
 *          is stable. So two sorts make an order by two columns: first by the minor one, then
 *          by the major one, whose equal keys keep the order by the minor one
 * Source   Hollerith's card sorters worked so; Knuth, Sorting and Searching, 5.2.5
 *
 * //! title: keys with values: argsort, stability
 * //! expect: right
 */
#ifndef LADDER_PARTS
#define LADDER_PARTS
#define PAIRS_MAIN
#endif
#include "10_radix_match.cu"

struct columns {
  unsigned int *keys, *values;
};

__global__ void scatter_pairs(struct columns in, size_t n, unsigned int shift,
                              const unsigned int *counts, const unsigned int *upto,
                              struct columns out) {
  __shared__ struct ranks s;
  __shared__ unsigned int begin[DIGITS];
  const size_t first = blockIdx.x * (size_t)SORT_TILE;
  unsigned int key[ROWS], rank[ROWS];
  rank_in_warp(in.keys, n, first, shift, &s, key, rank);
  __syncthreads(); /* every warp has counted */
  begin[threadIdx.x] = tile_begin(counts, upto);
  add_warps(&s);
  __syncthreads(); /* every digit's places are there */
  for (unsigned int r = 0; r < ROWS; ++r) {
    const size_t i = key_index(first, r);
    if (i >= n) continue;
    const unsigned int d = digit_of(key[r], shift);
    const unsigned int to = begin[d] + s.counter[threadIdx.x / 32][d] + rank[r];
    out.keys[to] = key[r];
    out.values[to] = in.values[i];
    LADDER_READ(1);
    LADDER_WROTE(2);
    LADDER_WORK(1);
  }
}

/* Sorts p in place, four passes between p and other; work: counts, their scan, its sums. */
static void sort_pairs(struct columns p, size_t n, struct columns other, unsigned int *work) {
  const unsigned int blocks = sort_blocks(n, SORT_TILE);
  unsigned int *const upto = work + DIGITS * blocks;
  for (unsigned int shift = 0; shift < 32; shift += BITS) {
    count_digits<<<blocks, THREADS>>>(p.keys, n, shift, work);
    multi_block(work, DIGITS * blocks, upto, upto + DIGITS * blocks);
    scatter_pairs<<<blocks, THREADS>>>(p, n, shift, work, upto, other);
    const struct columns swap = p;
    p = other;
    other = swap;
  }
}

#ifdef PAIRS_MAIN /* rung 13 of bykey takes sort_pairs alone */
__global__ void number(unsigned int *values, size_t n) {
  const size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
  if (i >= n) return;
  values[i] = (unsigned int)i;
  LADDER_WROTE(1);
}

/* The keys of a column in the order of positions. */
__global__ void gather(const unsigned int *column, const unsigned int *position, size_t n,
                       unsigned int *keys) {
  const size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
  if (i >= n) return;
  keys[i] = column[position[i]];
  LADDER_READ(2);
  LADDER_WROTE(1);
}

struct memory {
  unsigned int *minor, *major; /* host: two columns */
  unsigned int *column;        /* device: one of them */
  struct columns p, other;
  unsigned int *work;
};

static void open_memory(struct memory *m, size_t n) {
  m->minor = sort_host_memory(n);
  m->major = sort_host_memory(n);
  m->column = sort_memory(n);
  m->p.keys = sort_memory(n);
  m->p.values = sort_memory(n);
  m->other.keys = sort_memory(n);
  m->other.values = sort_memory(n);
  m->work = sort_memory(3 * DIGITS * sort_blocks(n, SORT_TILE) + 64);
}
static void close_memory(struct memory *m) {
  unsigned int *const device[] = {m->column,     m->p.keys,       m->p.values,
                                  m->other.keys, m->other.values, m->work};
  for (int i = 0; i < 6; ++i) CHECK(cudaFree(device[i]));
  free(m->minor);
  free(m->major);
}

/* Positions by the minor column, if there is one, then by the major one. */
static void by_columns(struct memory *m, size_t n, int two) {
  const unsigned int blocks = sort_blocks(n, 256);
  number<<<blocks, 256>>>(m->p.values, n);
  if (two) {
    sort_to_device(m->p.keys, m->minor, n);
    sort_pairs(m->p, n, m->other, m->work);
  }
  sort_to_device(m->column, m->major, n);
  gather<<<blocks, 256>>>(m->column, m->p.values, n, m->p.keys);
  sort_pairs(m->p, n, m->other, m->work);
}

static void show_example(struct memory *m) {
  static const unsigned int keys[6] = {2, 0, 1, 0, 2, 1}, want[6] = {1, 3, 2, 5, 0, 4};
  unsigned int got[6];
  memcpy(m->major, keys, sizeof keys);
  by_columns(m, 6, 0);
  sort_to_host(got, m->p.values, 6);
  sort_print("-> positions ", keys, 6);
  sort_print("\n", got, 6);
  ladder_same_u32("positions", got, want, 6);
}

/* The host compares by both columns and the position at once. */
static void verify(const struct memory *m, size_t n) {
  unsigned int *const both = sort_host_memory(n), *const want = sort_host_memory(n);
  unsigned int *const got = sort_host_memory(n);
  for (size_t i = 0; i < n; ++i) both[i] = m->major[i] << 12 | m->minor[i];
  sort_serial_positions(both, n, want);
  sort_to_host(got, m->p.values, n);
  ladder_same_u32("positions", got, want, n);
  for (size_t i = 0; i < n; ++i) want[i] = both[want[i]] >> 12;
  sort_to_host(got, m->p.keys, n);
  ladder_same_u32("keys", got, want, n);
  printf("%zu positions by two columns: first %u, middle %u, last %u\n", n, got[0], got[n / 2],
         got[n - 1]);
  free(both);
  free(want);
  free(got);
}

int main(int argc, char **argv) {
  struct memory m;
  ladder_begin(argc, argv, __FILE__, 1 << 12, 1 << 24, 7 * sizeof(unsigned int));
  const size_t n = ladder.size;
  open_memory(&m, sort_at_least(n));
  show_example(&m);
  for (size_t i = 0; i < n; ++i) m.major[i] = ladder_value(i, n, 16);
  for (size_t i = 0; i < n; ++i) m.minor[i] = (unsigned int)(ladder_random(2, i) >> 54);
  for (int run = 0; run < ladder.runs; ++run) {
    ladder_start();
    by_columns(&m, n, 1);
    CHECK(ladder_stop());
  }
  verify(&m, n);
  close_memory(&m);
  return ladder_end();
}
#endif
