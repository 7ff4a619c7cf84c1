/* scan.h - what the scan rungs share: the serial reference, the run, the verdict, steps
 *
 * Result   scan_main runs a rung's launch over any length, verifies and times it
 * Method   unsigned 32-bit numbers, whose sums wrap: any order of adding gives the same bits,
 *          and an element lost, doubled or misplaced shows in all outputs behind it
 * Limits   the rung's launch calls scan_step after each kernel that is one step, so that
 *          tables can be printed and steps be counted one by one
 */
#ifndef SCAN_H
#define SCAN_H

#include "../common/ladder.h"
#include "../common/ladder_grouped.h"

/* ---- steps ------------------------------------------------------------------------------- */

/* scan_step - says that a step ended; `stride` tells how far apart the elements lie that it
 * wrote. Whoever wants to look sets scan_watcher. */
static void (*scan_watcher)(const unsigned int *device, size_t n, size_t stride, const char *what);

static inline void scan_step(const unsigned int *device, size_t n, size_t stride,
                             const char *what) {
  if (scan_watcher) scan_watcher(device, n, stride, what);
}

/* A watcher that prints what the step wrote: elements stride-1, 2 stride-1, ... */
static inline void scan_print_row(const unsigned int *device, size_t n, size_t stride,
                                  const char *what) {
  for (size_t i = stride - 1; i < n; i += stride) {
    unsigned int value;
    CHECK(cudaMemcpy(&value, device + i, sizeof value, cudaMemcpyDeviceToHost));
    if (i == stride - 1) printf("%s", what);
    printf(" %u", value);
  }
  printf("\n");
}

/* ---- memory ------------------------------------------------------------------------------ */

static inline unsigned int *scan_memory(size_t n) {
  unsigned int *device;
  CHECK(cudaMalloc((void **)&device, n * sizeof *device));
  return device;
}
static inline void scan_to_device(unsigned int *device, const unsigned int *host, size_t n) {
  CHECK(cudaMemcpy(device, host, n * sizeof *host, cudaMemcpyHostToDevice));
}
static inline void scan_to_host(unsigned int *host, const unsigned int *device, size_t n) {
  CHECK(cudaMemcpy(host, device, n * sizeof *host, cudaMemcpyDeviceToHost));
}
static inline unsigned int scan_blocks(size_t threads) {
  return (unsigned int)((threads + 255) / 256);
}
static inline size_t scan_power_of_two(size_t n) { /* the least that is not below n */
  size_t p = 1;
  while (p < n) p *= 2;
  return p;
}

/* ---- the reference ------------------------------------------------------------------------ */

enum scan_kind { SCAN_INCLUSIVE, SCAN_EXCLUSIVE };

/* Running totals by one loop: n - 1 adds. */
static inline void scan_serial(enum scan_kind kind, const unsigned int *in, size_t n,
                               unsigned int *out) {
  unsigned int sum = in[0];
  out[0] = kind == SCAN_INCLUSIVE ? sum : 0;
  for (size_t i = 1; i < n; ++i) {
    const unsigned int next = sum + in[i];
    out[i] = kind == SCAN_INCLUSIVE ? next : sum;
    sum = next;
  }
}

/* ---- the run ------------------------------------------------------------------------------ */

/* Launches a scan of in into out; both hold n elements, work at least scan_power_of_two(n). */
typedef void scan_launch(const unsigned int *in, size_t n, unsigned int *out, unsigned int *work);

struct scan {
  size_t n;
  unsigned int *host, *want, *got; /* on the host */
  unsigned int *in, *out, *work;   /* on the device */
};

static inline void scan_open(struct scan *s, size_t n) {
  s->n = n;
  s->host = (unsigned int *)ladder_host_memory(n * sizeof *s->host);
  s->want = (unsigned int *)ladder_host_memory(n * sizeof *s->host);
  s->got = (unsigned int *)ladder_host_memory(n * sizeof *s->host);
  s->in = scan_memory(n);
  s->out = scan_memory(n);
  s->work = scan_memory(scan_power_of_two(n));
  for (size_t i = 0; i < n; ++i) s->host[i] = ladder_value(i, n, 1u << 20);
  scan_to_device(s->in, s->host, n);
}
static inline int scan_verify(struct scan *s, enum scan_kind kind) {
  scan_serial(kind, s->host, s->n, s->want);
  scan_to_host(s->got, s->out, s->n);
  return ladder_same_u32("scan", s->got, s->want, s->n);
}
static inline void scan_close(struct scan *s) {
  CHECK(cudaFree(s->in));
  CHECK(cudaFree(s->out));
  CHECK(cudaFree(s->work));
  free(s->host);
  free(s->want);
  free(s->got);
}

/* scan_table - the launch on 1..8, each step printed; the result is verified too */
static inline void scan_table(enum scan_kind kind, scan_launch *launch) {
  struct scan s;
  const unsigned long long *const c = ladder.counts;
  scan_open(&s, 8);
  for (unsigned int i = 0; i < 8; ++i) s.host[i] = i + 1;
  scan_to_device(s.in, s.host, 8);
  scan_watcher = scan_print_row;
  ladder_start();
  launch(s.in, 8, s.out, s.work);
  CHECK(ladder_stop());
  scan_watcher = NULL;
  if (c[LADDER_COUNT_STEPS])
    printf("1..8: %llu steps, %llu adds\n", c[LADDER_COUNT_STEPS], c[LADDER_COUNT_WORK]);
  scan_verify(&s, kind);
  scan_close(&s);
  ladder.kernel.runs = 0;
}

/* scan_main - what main calls; `table` asks for scan_table first. ladder_end is left to the
 * caller. */
static inline void scan_main(enum scan_kind kind, int table, scan_launch *launch) {
  struct scan s;
  if (table) scan_table(kind, launch);
  scan_open(&s, ladder.size);
  for (int run = 0; run < ladder.runs; ++run) {
    ladder_start();
    launch(s.in, s.n, s.out, s.work);
    CHECK(ladder_stop());
  }
  scan_verify(&s, kind);
  printf("Last of %zu: %u\n", s.n, s.got[s.n - 1]);
  ladder_moves(2.0 * (double)s.n * sizeof(unsigned int));
  scan_close(&s);
}

#endif
