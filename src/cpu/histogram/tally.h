/* tally.h - the tables of a histogram: one a worker, and the totals
 *
 * A total is slot * channels + channel. Each worker counts in 32 bits into tables of its own, which
 * are added to the 64-bit totals when all is read, or before a counter could overflow. With weights
 * the first worker's table of accumulators is the total of all. */
#ifndef HEDDLE_CPU_HISTOGRAM_TALLY_H
#define HEDDLE_CPU_HISTOGRAM_TALLY_H

#include "cpu/cpu.h"
#include "find.h"
#include "weigh.h"

enum hd_cpu_tally_strategy {
  HD_TALLY_DIRECT,  /* one worker, straight into the totals */
  HD_TALLY_SHARED,  /* several, into the totals by atomic additions */
  HD_TALLY_FLAT,    /* one counter a total */
  HD_TALLY_NARROW,  /* the same, and one of 16 bits before it, which fits a nearer cache */
  HD_TALLY_COPIES,  /* HD_COPIES counters a slot */
  HD_TALLY_WEIGHTS, /* weights and counts */
  HD_TALLY_BYTES    /* HD_COPIES tables of the 256 values of a byte */
};

struct hd_cpu_worker { /* parts of one allocation; unused ones are NULL */
  void *memory;
  u32 *counters;
  u16 *narrow;                  /* HD_TALLY_NARROW: emptied into counters before 2^16 elements */
  u32 narrow_count;             /* elements in them */
  struct hd_accumulator *table; /* HD_TALLY_WEIGHTS */
  size_t room;                  /* weights that a whole table may still take before a carry */
  struct hd_cpu_limbs limbs;    /* exact sums; of the first worker for all, if `limbs_shared` */
};

struct hd_cpu_axes; /* axes/axes.h */

struct hd_cpu_tally {
  heddle_context *ctx;
  struct hd_cpu_axes *axes; /* of several dimensions; NULL: the plan's one */
  size_t element_bytes;     /* read for an element, of all axes */
  heddle_type squared; /* of weights whose squares, as f64, are summed; HEDDLE_TYPE_DEFAULT: none */
  size_t weights_bytes;        /* of a weight as it comes */
  struct hd_plan plan;         /* of axes: its shift alone */
  hd_cpu_index_kernel *kernel; /* of the plan */
  enum hd_cpu_tally_strategy strategy;
  unsigned copies; /* 8, or 6 for 3 channels */
  size_t channels, slots, totals;
  bool weighted;
  struct hd_cpu_weigh weigh;
  bool limbs_shared;
  pthread_mutex_t limbs_lock, memory_lock; /* exact sums only */

  unsigned workers; /* at most; `ready` of them have tables */
  unsigned ready;
  struct hd_cpu_worker *worker;
  size_t worker_bytes, counters; /* of each */
  u64 pending;                   /* elements in the workers' counters */

  u64 *total; /* totals; NULL with weights */
  u64 seen;
};

/* bins of *job are resolved; `expected` elements will come, UINT64_MAX if that is not known.
 * *tally is to be ended by hd_cpu_tally_free, also after a failure. */
heddle_status hd_cpu_tally_make(struct hd_cpu_tally *tally, heddle_context *ctx,
                                const struct hd_histogram *job, u64 expected);
/* The same without tables to count into: what it would choose. */
heddle_status hd_cpu_tally_plan(struct hd_cpu_tally *tally, heddle_context *ctx,
                                const struct hd_histogram *job, u64 expected);
/* The same whose slots are those of axes, which find them; elements are counted from the axes' columns, and
 * `in` of hd_cpu_tally_add is NULL. Of *job the type, the weights and, as bins.count, how many slots have
 * sums are read. */
heddle_status hd_cpu_tally_make_axes(struct hd_cpu_tally *tally, heddle_context *ctx,
                                     const struct hd_histogram *job, struct hd_cpu_axes *axes,
                                     heddle_type squared, u64 expected);
/* The same without tables. */
void hd_cpu_tally_plan_axes(struct hd_cpu_tally *tally, heddle_context *ctx,
                            const struct hd_histogram *job, struct hd_cpu_axes *axes,
                            heddle_type squared, u64 expected);
void hd_cpu_tally_free(struct hd_cpu_tally *tally);
/* Sets strategy, counters, copies, bytes and number of workers, and the plan's shift (choose.c). */
void hd_cpu_tally_choose(struct hd_cpu_tally *tally, u64 expected);
/* How many workers `count` elements are worth: 1 to tally->workers. */
unsigned hd_cpu_tally_workers(const struct hd_cpu_tally *tally, size_t count);
/* The same for the first elements of `count`, as heddle_explain gives it. */
struct hd_cpu_choice hd_cpu_tally_choice(const struct hd_cpu_tally *tally, size_t count);
/* Elements that one round of threads takes at most. */
enum { HD_TALLY_SEGMENT = 1 << 30 };
/* Counts whole groups of channels. entry names the public call in messages. */
heddle_status hd_cpu_tally_add(struct hd_cpu_tally *tally, const char *entry, const void *in,
                               const void *weights, size_t count);
/* Exact sums: begins and ends what they need, a worker's limbs, and the exponent for the weights to come. */
void hd_cpu_tally_exact(struct hd_cpu_tally *tally, const struct hd_histogram *job);
void hd_cpu_tally_exact_free(struct hd_cpu_tally *tally);
void hd_cpu_tally_exact_worker(struct hd_cpu_tally *tally, struct hd_cpu_worker *worker);
struct hd_cpu_limbs *hd_cpu_tally_limbs(struct hd_cpu_tally *tally, struct hd_cpu_worker *worker);
/* *sum = a total's, with at most one NaN, +inf and -inf, carried: equal sums are equal. After all workers' tables
 * have been added up, which hd_cpu_tally_read does. */
void hd_cpu_tally_exact_sum(const struct hd_cpu_tally *tally, size_t total, struct hd_exact *sum);
/* A total gains a sum of the weights' type. HEDDLE_OUT_OF_MEMORY. */
heddle_status hd_cpu_tally_exact_gain(struct hd_cpu_tally *tally, size_t total,
                                      const struct hd_exact *sum);
/* A total's sum, rounded once. */
f64 hd_cpu_tally_exact_total(const struct hd_cpu_tally *tally, size_t total);
/* Adds the workers' counters to the totals, with weights to the first worker's table. */
void hd_cpu_tally_gather(struct hd_cpu_tally *tally);
/* Of one total, after that. */
u64 hd_cpu_tally_count(const struct hd_cpu_tally *tally, size_t total);
f64 hd_cpu_tally_sum(const struct hd_cpu_tally *tally, size_t total);
/* What came so far; counts, result (`channels` of them) and sums may be NULL. */
void hd_cpu_tally_read(struct hd_cpu_tally *tally, u64 *counts, heddle_histogram_result *result,
                       f64 *sums);

#endif
