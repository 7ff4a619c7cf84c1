/* ceiling.c - the ceiling's threads, and which instruction set's loops they run
 *
 * Method   contiguous parts of whole pages, one a thread; the caller is the first thread. All begin
 *          together once the last has started, since a start takes as long as reading a megabyte.
 *          A part whose thread can not be started is done by the caller. */
#include "base/ceiling/ceiling.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <time.h>

#include "base/ceiling/ceiling_kernels.h"

enum { PART_UNIT = 4096 };

struct meeting {
  atomic_uint present;
  atomic_bool begun;
};

struct part {
  ceiling_kernel *loop;
  const unsigned char *from;
  unsigned char *to;
  size_t bytes, times;
  struct meeting *meeting;
  uint64_t sum;
};

/* Where sums go, so that no compiler leaves them out. */
static volatile uint64_t total;

static const struct ceiling_kernels *best_kernels(void) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f")) return &ceiling_avx512;
  if (__builtin_cpu_supports("avx2")) return &ceiling_avx2;
#endif
  return &ceiling_plain;
}

static void work(struct part *p) {
  for (size_t t = 0; t < p->times; t++) p->sum += p->loop(p->to, p->from, p->bytes);
}

static void *meet_and_work(void *arg) {
  struct part *p = arg;
  atomic_fetch_add(&p->meeting->present, 1);
  while (!atomic_load(&p->meeting->begun)) (void)sched_yield();
  work(p);
  return NULL;
}

static double now(void) {
  struct timespec t;
  (void)clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static unsigned cut(struct part whole, unsigned threads, struct part parts[CEILING_THREADS]) {
  if (threads > CEILING_THREADS) threads = CEILING_THREADS;
  if (threads < 1 || whole.bytes / threads < PART_UNIT) threads = 1;
  size_t each = whole.bytes / threads / PART_UNIT * PART_UNIT;
  for (unsigned t = 0; t < threads; t++) {
    parts[t] = whole;
    parts[t].from += t * each;
    if (whole.to != NULL) parts[t].to += t * each;
    parts[t].bytes = t + 1 < threads ? each : whole.bytes - t * each;
  }
  return threads;
}

double ceiling_run(enum ceiling_loop loop, void *to, const void *from, size_t bytes,
                   unsigned threads, size_t times) {
  struct meeting meeting = {0};
  struct part parts[CEILING_THREADS];
  pthread_t others[CEILING_THREADS];
  unsigned started = 1;
  threads = cut((struct part){.loop = best_kernels()->loop[loop],
                              .to = to,
                              .from = from,
                              .bytes = bytes,
                              .times = times,
                              .meeting = &meeting},
                threads, parts);
  for (; started < threads; started++)
    if (pthread_create(&others[started], NULL, meet_and_work, &parts[started]) != 0) break;
  while (atomic_load(&meeting.present) + 1 < started) (void)sched_yield();
  double start = now();
  atomic_store(&meeting.begun, true);
  work(&parts[0]);
  for (unsigned t = started; t < threads; t++) work(&parts[t]);
  for (unsigned t = 1; t < started; t++) (void)pthread_join(others[t], NULL);
  double seconds = now() - start;
  for (unsigned t = 0; t < threads; t++) total += parts[t].sum;
  return seconds / (double)times;
}
