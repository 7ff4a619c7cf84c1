/* By key 11: the k smallest, ties by position
 *
 * Idea     rung 10 finds the k-th smallest key, the threshold, and how many of the keys that equal it
 *          belong to the k. Wanted are all smaller keys and so many of the equal ones, those
 *          that stand first. Two counts, of smaller and of equal keys before an element, tell
 *          whether it is wanted and where it goes: the selection of rung 08 with two scans
 * Cost     rung 10's reads, and two more of each key; 2 words written for each of the k
 * Shows    "the k smallest" is not one set where keys are equal, until ties have a rule. With
 *          atomics it would be another set every time. For the k largest, ~key takes the
 *          place of key
 * Source   partial sorts by selection, Knuth 5.3.3; Shanbhag, Pirk and Madden, 2018
 *
 * //! title: the k smallest, ties by position
 * //! expect: right
 */
#define LADDER_PARTS
#include "08_stable_select.cu"
#include "10_radix_select.cu"

/* Of each block the keys below the threshold, and those equal to it. */
__global__ void count_kinds(const unsigned int *in, size_t n, const struct choice *c,
                            unsigned int *less, unsigned int *equal) {
  const size_t i = blockIdx.x * (size_t)BLOCK + threadIdx.x;
  unsigned int all_less, all_equal;
  rank_in_block(i < n && in[i] < c->prefix, &all_less);
  __syncthreads(); /* all have their ranks of the first kind */
  rank_in_block(i < n && in[i] == c->prefix, &all_equal);
  if (i < n) LADDER_READ(1);
  if (threadIdx.x > 0) return;
  less[blockIdx.x] = all_less;
  equal[blockIdx.x] = all_equal;
  LADDER_WROTE(2);
}

/* less, equal: now up to each block. c->rank is the last of the equal keys that are wanted. */
__global__ void take_smallest(const unsigned int *in, size_t n, const struct choice *c,
                              const unsigned int *less, const unsigned int *equal,
                              unsigned int *out, unsigned int *positions) {
  const size_t i = blockIdx.x * (size_t)BLOCK + threadIdx.x;
  const unsigned int key = i < n ? in[i] : 0, threshold = c->prefix, ties = c->rank + 1;
  const bool is_less = i < n && key < threshold, is_equal = i < n && key == threshold;
  unsigned int all_less, all_equal;
  unsigned int less_before = rank_in_block(is_less, &all_less);
  __syncthreads(); /* all have their ranks of the first kind */
  unsigned int equal_before = rank_in_block(is_equal, &all_equal);
  less_before += less[blockIdx.x] - all_less;
  equal_before += equal[blockIdx.x] - all_equal;
  if (threadIdx.x == 0) LADDER_READ(2);
  if (i < n) LADDER_READ(1);
  if (i < n) LADDER_WORK(1);
  if (!is_less && !(is_equal && equal_before < ties)) return;
  const unsigned int place = less_before + min(equal_before, ties);
  out[place] = key;
  positions[place] = (unsigned int)i;
  LADDER_WROTE(2);
}

struct memory {
  unsigned int *host;                                    /* keys, on the host */
  unsigned int *in, *work, *out, *positions, *counts[2]; /* on the device */
  struct choice *c;
};

static void top_k(const struct memory *m, size_t n, unsigned int k) {
  const unsigned int blocks = sort_blocks(n, BLOCK);
  radix_select(m->in, n, k - 1, m->c, m->work);
  count_kinds<<<blocks, BLOCK>>>(m->in, n, m->c, m->counts[0], m->counts[1]);
  for (int i = 0; i < 2; ++i)
    multi_block(m->counts[i], blocks, m->counts[i], m->counts[i] + blocks);
  take_smallest<<<blocks, BLOCK>>>(m->in, n, m->c, m->counts[0], m->counts[1], m->out,
                                   m->positions);
}

/* The first k positions of a stable sort, rising. */
static void verify(const struct memory *m, size_t n, unsigned int k) {
  unsigned int *const want = sort_host_memory(n), *const got = sort_host_memory(k);
  sort_serial_positions(m->host, n, want);
  const unsigned int threshold = m->host[want[k - 1]];
  sort_serial(want, k, k);
  sort_to_host(got, m->positions, k);
  ladder_same_u32("positions", got, want, k);
  for (unsigned int i = 0; i < k; ++i) want[i] = m->host[want[i]];
  sort_to_host(got, m->out, k);
  ladder_same_u32("keys", got, want, k);
  printf("The %u smallest of %zu: up to %u, first %u, last %u\n", k, n, threshold, got[0],
         got[k - 1]);
  free(want);
  free(got);
}

int main(int argc, char **argv) {
  struct memory m;
  ladder_begin(argc, argv, __FILE__, 1 << 12, 1 << 24, 6 * sizeof(unsigned int));
  const size_t n = ladder.size;
  const unsigned int k = (unsigned int)((n + 7) / 8), blocks = sort_blocks(n, BLOCK);
  unsigned int **const device[] = {&m.in,        &m.work,      &m.out,
                                   &m.positions, &m.counts[0], &m.counts[1]};
  const size_t words[] = {n, 2 * n, n, n, 2 * blocks + 64, 2 * blocks + 64};
  for (int i = 0; i < 6; ++i) *device[i] = sort_memory(words[i]);
  CHECK(cudaMalloc((void **)&m.c, sizeof *m.c));
  m.host = sort_host_memory(n);
  ladder_fill_u32(m.host, n, 0xffffffffu);
  sort_to_device(m.in, m.host, n);
  for (int run = 0; run < ladder.runs; ++run) {
    ladder_start();
    top_k(&m, n, k);
    CHECK(ladder_stop());
  }
  verify(&m, n, k);
  ladder_moves(4.0 * ((double)n + 2.0 * k));
  for (int i = 0; i < 6; ++i) CHECK(cudaFree(*device[i]));
  CHECK(cudaFree(m.c));
  free(m.host);
  return ladder_end();
}
