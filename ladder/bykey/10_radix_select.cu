/* By key 10: radix select: the k-th smallest, no sort
 *
 * Idea     count the highest digit of eight bits of all keys. The counts, added up from digit 0 on,
 *          tell in which digit's pile the k-th smallest key is, and its rank there. Only that pile
 *          is looked at again: it is moved aside while its next digit is counted, and so on, four
 *          digits in all
 * Cost     4 counts and 4 choices. Random keys: n reads for the first digit, n for the second, about
 *          n / 256 for the third; all equal: n for each. A sort reads and writes each key in each of
 *          its passes
 * Shows    one place in the order does not need the order: the work is two looks at a key, and not
 *          log2 n. Piles are moved in any order (rung 07), the result is a key and has none
 * Source   Hoare's Find, 1961, with digits for pivots; Alabi, Blanchard, Gordon and Steinbach 2012
 *
 * //! title: radix select: the median without a sort
 * //! expect: right
 */
#ifndef LADDER_PARTS
#define LADDER_PARTS
#define SELECT_MAIN
#endif
#include "07_warp_select.cu"

enum { BITS = 8, DIGITS = 1 << BITS, PASSES = 32 / BITS };

/* On the device. candidates[p]: the keys looked at for digit p, but for digit 1 those kept of them:
 * all n are looked at again. */
struct choice {
  unsigned int prefix; /* the digits chosen; at the end the key */
  unsigned int rank;   /* of the key among those with this prefix */
  unsigned int candidates[PASSES];
  unsigned int bins[PASSES][DIGITS];
};

/* Of m keys those with the prefix count, by digit `pass`; from pass 1 on they are kept in out. */
__global__ void count_digit(const unsigned int *in, const unsigned int *m, unsigned int pass,
                            struct choice *c, unsigned int *out) {
  __shared__ unsigned int count[DIGITS];
  const unsigned int shift = 32 - BITS * (pass + 1), keys = *m;
  count[threadIdx.x] = 0;
  __syncthreads(); /* the counters are zero */
  for (size_t first = blockIdx.x * (size_t)BLOCK; first < keys; first += gridDim.x * BLOCK) {
    const size_t i = first + threadIdx.x;
    const unsigned int key = i < keys ? in[i] : 0;
    const bool counts = i < keys && (pass == 0 || key >> (shift + BITS) == c->prefix);
    const unsigned int place = pass > 0 ? draw_place(counts, &c->candidates[pass]) : 0;
    LADDER_STEP();
    if (i < keys) LADDER_READ(1);
    if (i < keys) LADDER_WORK(1);
    if (!counts) continue;
    atomicAdd(&count[key >> shift & (DIGITS - 1)], 1u);
    LADDER_SHARED_ATOMIC(1);
    if (pass == 0) continue;
    out[place] = key;
    LADDER_WROTE(1);
  }
  __syncthreads(); /* the block's keys are counted */
  if (count[threadIdx.x] == 0) return;
  atomicAdd(&c->bins[pass][threadIdx.x], count[threadIdx.x]);
  LADDER_ATOMIC(1);
}

/* A thread a digit: the one whose pile has the rank takes it. */
__global__ void choose_digit(struct choice *c, unsigned int pass) {
  __shared__ unsigned int upto[DIGITS];
  const unsigned int t = threadIdx.x, own = c->bins[pass][t], rank = c->rank;
  upto[t] = own;
  __syncthreads(); /* all counts are there, and all have the rank */
  for (unsigned int distance = 1; distance < DIGITS; distance *= 2) {
    const unsigned int left = t >= distance ? upto[t - distance] : 0;
    __syncthreads(); /* all have read */
    upto[t] += left;
    LADDER_STEP();
    __syncthreads(); /* all have added */
  }
  LADDER_READ(2);
  if (rank < upto[t] - own || rank >= upto[t]) return;
  c->prefix = c->prefix << BITS | t;
  c->rank = rank - (upto[t] - own);
  LADDER_WROTE(2);
}

/* work: 2 n words. c ends with the key of this rank, counted from 0, and its rank among equal ones. */
static void radix_select(const unsigned int *in, size_t n, unsigned int rank, struct choice *c,
                         unsigned int *work) {
  const unsigned int blocks = min(sort_blocks(n, BLOCK), 512u); /* each goes through many tiles */
  struct choice begin;
  memset(&begin, 0, sizeof begin);
  begin.rank = rank;
  begin.candidates[0] = (unsigned int)n;
  CHECK(cudaMemcpy(c, &begin, sizeof begin, cudaMemcpyHostToDevice));
  for (unsigned int pass = 0; pass < PASSES; ++pass) {
    unsigned int *const to = work + pass % 2 * n;
    const unsigned int from = pass < 2 ? 0 : pass - 1;
    count_digit<<<blocks, BLOCK>>>(in, &c->candidates[from], pass, c, to);
    choose_digit<<<1, DIGITS>>>(c, pass);
    if (pass > 0) in = to;
  }
}

#ifdef SELECT_MAIN /* rung 11 takes radix_select */
static void show(const unsigned int *in, unsigned int rank, struct choice *c, unsigned int *work,
                 const unsigned int *sorted, size_t n) {
  struct choice found;
  radix_select(in, n, rank, c, work);
  CHECK(cudaMemcpy(&found, c, sizeof found, cudaMemcpyDeviceToHost));
  ladder_same_u32("key", &found.prefix, &sorted[rank], 1);
  size_t equal = 0;
  while (equal < rank && sorted[rank - equal - 1] == sorted[rank]) ++equal;
  ladder_true(found.rank == equal, "the rank among equal keys is not right");
  printf("Rank %u of %zu: %u; keys read by digit: %zu %zu %u %u\n", rank, n, found.prefix, n, n,
         found.candidates[1], found.candidates[2]);
}

int main(int argc, char **argv) {
  ladder_begin(argc, argv, __FILE__, 1 << 12, 1 << 24, 3 * sizeof(unsigned int));
  const size_t n = ladder.size;
  unsigned int *const host = sort_host_memory(n), *const in = sort_memory(n);
  unsigned int *const work = sort_memory(2 * n);
  struct choice *c;
  CHECK(cudaMalloc((void **)&c, sizeof *c));
  ladder_fill_u32(host, n, 0xffffffffu);
  sort_to_device(in, host, n);
  for (int run = 0; run < ladder.runs; ++run) {
    ladder_start();
    radix_select(in, n, (unsigned int)(n / 2), c, work);
    CHECK(ladder_stop());
  }
  sort_serial(host, n, n);
  const size_t ranks[] = {n / 2, 0, n / 10, n - 1};
  for (int i = 0; i < 4; ++i) show(in, (unsigned int)ranks[i], c, work, host, n);
  ladder_moves((double)n * sizeof *in);
  CHECK(cudaFree(in));
  CHECK(cudaFree(work));
  CHECK(cudaFree(c));
  free(host);
  return ladder_end();
}
#endif
