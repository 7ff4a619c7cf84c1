/* Sort 16, BUG: places drawn by atomics
 *
 * Idea     radix sort by two digits of eight bits, as rung 10 makes it but for one thing: a key's
 *          place is drawn from its digit's counter by atomicAdd. No match, no look at other
 *          lanes, one launch shorter
 * Cost     an atomic a key and pass
 * Shows    each place is given once, no key is lost, no race: a checker has nothing to report. But
 *          equal digits stand in the order in which their threads came, and the second pass
 *          destroys what the first has sorted. The order of blocks is undefined, so the rung runs
 *          the pass twice, with blocks numbered from either end: a right pass gives one result,
 *          this one gives two, of which on a patient schedule one looks right
 * Source   the first radix sort that many write
 *
 * //! title: BUG: unstable scatter by atomics
 * //! expect: caught unstable
 * //! size: fixed
 */
#include "sort.h"

enum { BITS = 8, DIGITS = 1 << BITS, THREADS = 256, KEYS_LEAST = 16 * THREADS };

__global__ void count_digits(const unsigned int *in, size_t n, unsigned int shift,
                             unsigned int *next) {
  const size_t i = blockIdx.x * (size_t)THREADS + threadIdx.x;
  LADDER_STEP();
  if (i >= n) return;
  atomicAdd(&next[in[i] >> shift & (DIGITS - 1)], 1u);
  LADDER_READ(1);
  LADDER_ATOMIC(1);
}

/* Counts become the first place of each digit: one thread. */
__global__ void begin_digits(unsigned int *next) {
  unsigned int before = 0;
  for (unsigned int d = 0; d < DIGITS; ++d) {
    const unsigned int own = next[d];
    next[d] = before;
    before += own;
    LADDER_STEP();
  }
  LADDER_READ(DIGITS);
  LADDER_WROTE(DIGITS);
}

/* Blocks are numbered from the other end where `turned`: the same work by another schedule. */
__global__ void scatter(const unsigned int *in, size_t n, unsigned int shift, unsigned int *next,
                        int turned, unsigned int *out) {
  const unsigned int block = turned ? gridDim.x - 1 - blockIdx.x : blockIdx.x;
  const size_t i = block * (size_t)THREADS + threadIdx.x;
  LADDER_STEP();
  if (i >= n) return;
  out[atomicAdd(&next[in[i] >> shift & (DIGITS - 1)], 1u)] = in[i]; /* the bug: any order */
  LADDER_READ(1);
  LADDER_WROTE(1);
  LADDER_ATOMIC(1);
  LADDER_WORK(1);
}

/* work: n keys and 256 counters */
static void sort_16_bits(const unsigned int *in, size_t n, unsigned int *out, unsigned int *work,
                         int turned) {
  const unsigned int blocks = sort_blocks(n, THREADS);
  unsigned int *const next = work + n;
  for (unsigned int shift = 0; shift < 16; shift += BITS) {
    unsigned int *const to = shift ? out : work;
    CHECK(cudaMemsetAsync(next, 0, DIGITS * sizeof *next, 0));
    count_digits<<<blocks, THREADS>>>(in, n, shift, next);
    begin_digits<<<1, 1>>>(next);
    scatter<<<blocks, THREADS>>>(in, n, shift, next, turned, to);
    in = to;
  }
}

static size_t wrong_keys(struct sort *s, int turned) {
  size_t wrong = 0;
  ladder_start();
  sort_16_bits(s->in, s->n, s->out, s->work, turned);
  CHECK(ladder_stop());
  sort_to_host(s->got, s->out, s->n);
  for (size_t i = 0; i < s->n; ++i) wrong += s->got[i] != s->want[i];
  printf("blocks from %s end: %zu of %zu keys are out of place\n", turned ? "the other" : "one",
         wrong, s->n);
  return wrong;
}

int main(int argc, char **argv) {
  struct sort s;
  ladder_begin(argc, argv, __FILE__, 1 << 12, 1 << 24, 4 * sizeof(unsigned int));
  if (ladder.size < KEYS_LEAST)
    ladder_usage("--size",
                 "fewer than 4096 keys, of too few blocks for an order of blocks to show");
  sort_open(&s, ladder.size, ladder.size + DIGITS);
  /* Whatever --data says: keys that are alike or in order would hide the bug. */
  for (size_t i = 0; i < s.n; ++i) s.host[i] = (unsigned int)(ladder_random(1, i) >> 48);
  sort_to_device(s.in, s.host, s.n);
  memcpy(s.want, s.host, s.n * sizeof *s.want);
  sort_serial(s.want, s.n, s.n);
  const size_t one = wrong_keys(&s, 0), other = wrong_keys(&s, 1);
  ladder_key_count("wrong_keys", one > other ? one : other);
  if (one || other)
    ladder_caught(
        "unstable: %zu keys are out of place with blocks from one end, %zu from the other", one,
        other);
  ladder_needs_check("unstable: both orders of blocks gave sorted keys this time");
  sort_close(&s);
  return ladder_end();
}
