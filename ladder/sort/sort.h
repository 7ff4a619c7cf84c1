/* sort.h - what the sort rungs share: keys, the serial reference, the run, the verdict
 *
 * Result   sort_main runs a rung's launch on eight keys and on any length, verifies, times it
 * Method   unsigned 32-bit keys, random over all their bits; the reference is the C library's
 *          qsort on the host. A key that is lost, doubled or misplaced is a wrong element
 * Limits   keys alone: equal keys are one another's, so that stability does not show. Rungs that
 *          move values (12, 16) compare by themselves
 */
#ifndef SORT_H
#define SORT_H

#include "../common/ladder.h"
#include "../common/ladder_grouped.h"

/* ---- memory ------------------------------------------------------------------------------ */

static inline unsigned int *sort_memory(size_t n) {
  unsigned int *device;
  CHECK(cudaMalloc((void **)&device, n * sizeof *device));
  return device;
}
static inline void sort_to_device(unsigned int *device, const unsigned int *host, size_t n) {
  CHECK(cudaMemcpy(device, host, n * sizeof *host, cudaMemcpyHostToDevice));
}
static inline void sort_to_host(unsigned int *host, const unsigned int *device, size_t n) {
  CHECK(cudaMemcpy(host, device, n * sizeof *host, cudaMemcpyDeviceToHost));
}
static inline unsigned int *sort_host_memory(size_t n) {
  return (unsigned int *)ladder_host_memory(n * sizeof(unsigned int));
}
static inline unsigned int sort_blocks(size_t n, size_t of_block) {
  return (unsigned int)((n + of_block - 1) / of_block);
}

/* ---- the reference ------------------------------------------------------------------------ */

static int sort_compare(const void *left, const void *right) {
  const unsigned int a = *(const unsigned int *)left, b = *(const unsigned int *)right;
  return (a > b) - (a < b);
}

/* Each `piece` keys in order; the last piece may be shorter. */
static inline void sort_serial(unsigned int *keys, size_t n, size_t piece) {
  for (size_t first = 0; first < n; first += piece)
    qsort(keys + first, n - first < piece ? n - first : piece, sizeof *keys, sort_compare);
}

/* Positions of the sorted keys, equal ones by position: key and position are one number. */
static int sort_compare_wide(const void *left, const void *right) {
  const unsigned long long a = *(const unsigned long long *)left;
  const unsigned long long b = *(const unsigned long long *)right;
  return (a > b) - (a < b);
}
static inline void sort_serial_positions(const unsigned int *keys, size_t n, unsigned int *want) {
  unsigned long long *wide = (unsigned long long *)ladder_host_memory(n * sizeof *wide);
  for (size_t i = 0; i < n; ++i) wide[i] = (unsigned long long)keys[i] << 32 | i;
  qsort(wide, n, sizeof *wide, sort_compare_wide);
  for (size_t i = 0; i < n; ++i) want[i] = (unsigned int)wide[i];
  free(wide);
}

/* ---- the run ------------------------------------------------------------------------------ */

/* Launches a sort of in, which stays as it is, into out; work has the words that the rung asked
 * sort_main for. */
typedef void sort_launch(const unsigned int *in, size_t n, unsigned int *out, unsigned int *work);

struct sort {
  size_t n;
  unsigned int *host, *want, *got; /* on the host */
  unsigned int *in, *out, *work;   /* on the device */
};

static inline void sort_open(struct sort *s, size_t n, size_t work_words) {
  s->n = n;
  s->host = sort_host_memory(n);
  s->want = sort_host_memory(n);
  s->got = sort_host_memory(n);
  s->in = sort_memory(n);
  s->out = sort_memory(n);
  s->work = sort_memory(work_words + 1);
  ladder_fill_u32(s->host, n, 0xffffffffu);
  sort_to_device(s->in, s->host, n);
}
static inline int sort_verify(struct sort *s, size_t piece) {
  memcpy(s->want, s->host, s->n * sizeof *s->want);
  sort_serial(s->want, s->n, piece);
  sort_to_host(s->got, s->out, s->n);
  return ladder_same_u32("keys", s->got, s->want, s->n);
}
static inline void sort_close(struct sort *s) {
  CHECK(cudaFree(s->in));
  CHECK(cudaFree(s->out));
  CHECK(cudaFree(s->work));
  free(s->host);
  free(s->want);
  free(s->got);
}

static inline void sort_print(const char *end, const unsigned int *keys, size_t n) {
  for (size_t i = 0; i < n; ++i) printf("%u ", keys[i]);
  printf("%s", end);
}

/* Eight keys, printed with what was counted; the greatest key of all is among them. */
static inline void sort_example(size_t piece, size_t work_words, sort_launch *launch) {
  static const unsigned int keys[8] = {5, 1, 4, 0xffffffffu, 3, 9, 1, 6};
  const unsigned long long *const c = ladder.counts;
  struct sort s;
  sort_open(&s, 8, work_words);
  memcpy(s.host, keys, sizeof keys);
  sort_to_device(s.in, s.host, 8);
  ladder_start();
  launch(s.in, 8, s.out, s.work);
  CHECK(ladder_stop());
  sort_verify(&s, piece);
  sort_print("-> ", s.host, 8);
  sort_print("\n", s.got, 8);
  if (c[LADDER_COUNT_STEPS])
    printf("8 keys: %llu steps, work %llu\n", c[LADDER_COUNT_STEPS], c[LADDER_COUNT_WORK]);
  sort_close(&s);
  ladder.kernel.runs = 0;
}

/* sort_main - what main calls. `piece` says how many keys in a row are to be in order, n or
 * more where all are; `work_words` how much memory the launch has for ladder.size keys.
 * ladder_end is left to the caller. */
static inline void sort_main(size_t piece, size_t work_words, sort_launch *launch) {
  struct sort s;
  sort_example(piece, work_words, launch);
  sort_open(&s, ladder.size, work_words);
  for (int run = 0; run < ladder.runs; ++run) {
    ladder_start();
    launch(s.in, s.n, s.out, s.work);
    CHECK(ladder_stop());
  }
  sort_verify(&s, piece);
  if (piece < s.n) printf("Every %zu of them: ", piece);
  printf("Sorted %zu: first %u, middle %u, last %u\n", s.n, s.got[0], s.got[s.n / 2],
         s.got[s.n - 1]);
  ladder_moves(2.0 * (double)s.n * sizeof(unsigned int));
  sort_close(&s);
}

enum { SORT_FEWEST = 8 }; /* what the example has: work is asked for at least so many */

static inline size_t sort_at_least(size_t n) { return n < SORT_FEWEST ? SORT_FEWEST : n; }

#endif
