/* bench.h - timing two pieces of work in turn and reporting their ratio
 *
 * Result   one line of JSON a comparison on standard output.
 * Method   ours, peer, ours, peer, ... in one process on one memory; the ratio is the median of
 *          the ratios pair by pair, so that it holds on a machine whose speed drifts.
 * Limits   Linux; the programs that use it verify their results before they time anything. */
#ifndef HEDDLE_BENCH_H
#define HEDDLE_BENCH_H

#include <stdbool.h>
#include <stddef.h>

#include "heddle.h"

struct bench_case {
  const char *group; /* "reduce" */
  const char *work;  /* "sum f32" */
  const char *peer;  /* "unordered SIMD sum" */
  size_t elements;
  size_t bytes; /* moved by ours, read and written */
  unsigned threads;
  double target;      /* the least speed of ours as a share of the peer's; 0: none set */
  double peer_factor; /* times the peer's work that ours does; 1 if 0 */
  void (*ours)(void *arg);
  void (*theirs)(void *arg);
  void *arg;
};

void bench_run(const struct bench_case *c);
/* How often bench_run repeats a pair; $BENCH_ROUNDS overrides its default. */
int bench_rounds(void);

/* Memory that is touched, in huge pages where the system has them; ends the program without. */
void *bench_memory(size_t bytes);
/* Fills it with numbers that are f32 and, in pairs, f64 of moderate size. */
void bench_fill(void *memory, size_t bytes);
heddle_context *bench_open(unsigned threads); /* ends the program on failure */
void bench_must(heddle_status status);
/* Ends the program with a message if `good` is false: results are verified before they are timed. */
void bench_verify(bool good, const char *what);

#endif
