/* launch.h - one job's launches: kernels chosen, arguments filled in */
#ifndef HEDDLE_CUDA_HISTOGRAM_LAUNCH_H
#define HEDDLE_CUDA_HISTOGRAM_LAUNCH_H

#include "bins.h"

/* Where totals are gathered: all of it zero before the first launch and after the last. */
struct hd_cuda_tables {
  cu_pointer memory;
  size_t bytes;
  u64 counters;
};

/* The exponent of exact sums of weights, chosen for those that come first; any is right (window.h). */
struct hd_cuda_window {
  cu_pointer words;       /* 4 u32 of device memory, for as long as the window is used */
  cu_pointer range_words; /* those of range_args */
  bool whole;             /* all weights come in one call */
  bool known;
  bool on_device; /* the exponent is the first of `words`, else `given` */
  i32 given;
};

/* A histogram in pieces: its tables live on from call to call. */
struct hd_cuda_histogram_state {
  struct hd_cuda_state own; /* first */
  struct hd_histogram job;
  struct hd_cuda_bins *bins;
  struct hd_cuda_tables tables;
  struct hd_cuda_window window; /* exact sums only, like what follows */
  u64 uncarried;
  u64 seen;
};

struct hd_cuda_count {
  struct hd_cuda_call *call;
  const struct hd_cuda_bins *bins;
  heddle_type weights_type; /* HEDDLE_TYPE_DEFAULT: none */
  bool counted;             /* with weights: bins are counted, too */
  bool thin;                /* sums of weights in one word (kernels/histogram/thin.h) */
  bool exact;               /* sums of weights by rule 15 (kernels/histogram/limbs.h) */
  u64 uncarried;            /* exact: weights since limbs were carried */
  struct hist_args args;    /* tables, output, exponent */
};

/* The bytes of tables for so many counters of a job, of which weights_type and exact are looked at. */
size_t hd_cuda_tables_bytes(u64 counters, const struct hd_histogram *job);
/* Their size for a job, and where they are: a region that every call leaves zero, or scratch. In both the
 * words of a range (range.cu) are HD_RANGE_WORDS_AT. */
void hd_cuda_tables_size(const struct hd_histogram *job, struct hd_cuda_tables *tables);
heddle_status hd_cuda_tables_find(struct hd_cuda_call *call, const struct hd_histogram *job,
                                  struct hd_cuda_tables *tables);
enum { HD_RANGE_WORDS_AT = 64 };
/* Fills c->args and the rest of *c for a job; the output is still to be set. */
void hd_cuda_count_set(struct hd_cuda_count *c, struct hd_cuda_call *call,
                       const struct hd_histogram *job, const struct hd_cuda_bins *bins,
                       const struct hd_cuda_tables *tables);

/* Queues the counting of n elements of device memory. last: also the output. */
heddle_status hd_cuda_count_some(struct hd_cuda_count *c, cu_pointer in, cu_pointer weights, u64 n,
                                 bool last);
/* Where words of one unit may do for the weights of the sample, and more of them find room than others would:
 * queues the choice of their unit, behind that of the exponent, and has the weights counted so. */
heddle_status hd_cuda_unit_try(struct hd_cuda_count *c, const struct range_args *sample);
/* Queues the output alone. */
heddle_status hd_cuda_count_finish(struct hd_cuda_count *c);

/* Of which values: HEDDLE_POSITIVE of kernels/histogram/range.cu. */
enum hd_cuda_range_of { HD_RANGE_ALL = 0, HD_RANGE_POSITIVE = 1, HD_RANGE_MAGNITUDE = 2 };

/* Queues a look for the least and the greatest finite value of n elements: with `last` the result
 * is written to range, f64[3], and exponent, i32, where they are not 0. words: 4 u64, zero. apart: elements
 * between neighbours, or 0: they are dense. */
heddle_status hd_cuda_range_some(struct hd_cuda_call *call, heddle_type type,
                                 enum hd_cuda_range_of of, const struct range_args *args);

#endif
