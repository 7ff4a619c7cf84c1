/* jobs.h - what calls are, as back ends are told: types, operators and options, checked and complete */
#ifndef HEDDLE_API_JOBS_H
#define HEDDLE_API_JOBS_H

#include "host/context.h"
#include "order/exact/fixed_sum.h"
#include "order/exact/format.h"
#include "order/runs.h"

/* ---- fold: everything that makes one result of many elements -------------------------- */

enum hd_verb { HD_REDUCE, HD_ARGREDUCE, HD_DOT, HD_DESCRIBE, HD_FIGURE };
enum { HD_FIGURES_COUNT = 3 }; /* of heddle_figures */

struct hd_fold {
  const char *entry; /* the public name, for messages */
  enum hd_verb verb;
  heddle_op op; /* HD_ARGREDUCE: HEDDLE_MIN or HEDDLE_MAX; HD_DOT: HEDDLE_SUM */
  heddle_type type, acc_type, out_type;
  heddle_nan nan;
  heddle_figures figures; /* HD_DESCRIBE: a back end may find more; HD_FIGURE: the one */
  bool
      exact; /* the real sum: of sums, sums of squares and dots of floats, by the entries exact.. */
  f64 divisor; /* HD_REDUCE of sums on a device, or exact: of the total; 0: none. HD_FIGURE: its ddof */
  const void *init;            /* one element of out_type, or a custom one; NULL: none */
  const heddle_custom *custom; /* HEDDLE_OP_CUSTOM only, else NULL; a state copies both */
  heddle_custom custom_copy;   /* what custom points at in a job made by hd_fold_job */
};

/* heddle_scatter_reduce, but for what is folded and where to. */
struct hd_scatter {
  const struct hd_fold *fold;
  size_t width; /* elements of a row */
  heddle_type id_type;
  const void *ids;
  size_t count, groups;
};

/* Where the result of row r goes: value + r * out bytes, and so on; unused ones are NULL. HD_DESCRIBE has a
 * value, of type f64, where the CPU is asked for one figure a row; a device has HD_FIGURE for that. */
struct hd_fold_out {
  void *value;
  u64 *index;
  heddle_description *description;
};

/* What a fold's totals are (order/total.h), and what follows for its runs (order/runs.h). A back end may fold
 * order-free ones in chunks of its own. */
struct hd_fold_form {
  struct hd_total_form total;
  u32 bytes;         /* of a total */
  u32 element_bytes; /* of an element of input */
  u32 chunk;         /* elements; order-free: 1 */
  bool order_free;
};

static inline u32 hd_fold_kind(const struct hd_fold *fold) {
  const bool arithmetic = hd_is_arithmetic(fold->op), logical = hd_is_logical(fold->op);
  const bool wide = (arithmetic ? fold->acc_type : fold->type) == HEDDLE_F64;
  return HD_TOTAL_KIND(fold->verb == HD_ARGREDUCE, fold->verb == HD_DESCRIBE,
                       fold->verb == HD_FIGURE, fold->op == HEDDLE_OP_CUSTOM,
                       HD_TOTAL_OF_NUMBERS(logical, arithmetic, hd_is_float(fold->type), wide));
}

static inline struct hd_fold_form hd_fold_form_of(const struct hd_fold *fold) {
  struct hd_fold_form form = {.total = {hd_fold_kind(fold), fold->op, fold->type}};
  const bool custom = fold->op == HEDDLE_OP_CUSTOM;
  form.element_bytes = (u32)(custom ? fold->custom->element_bytes : heddle_type_size(fold->type));
  form.bytes = HD_TOTAL_BYTES(form.total.kind, form.element_bytes);
  form.order_free = HD_TOTAL_IS_ORDER_FREE(form.total.kind);
  form.chunk = form.order_free                   ? 1
               : custom                          ? hd_chunk_of(form.element_bytes)
               : form.total.kind == HD_TOTAL_F32 ? HD_CHUNK(4)
                                                 : HD_CHUNK(8);
  return form;
}

/* Bytes of a result at hd_fold_out.value. */
static inline size_t hd_fold_result_bytes(const struct hd_fold *fold) {
  if (fold->verb == HD_ARGREDUCE) return heddle_type_size(fold->type);
  return fold->op == HEDDLE_OP_CUSTOM ? fold->custom->element_bytes
                                      : heddle_type_size(fold->out_type);
}

/* ---- scan ------------------------------------------------------------------------------ */

struct hd_scan {
  heddle_scan_kind kind;
  struct hd_fold fold; /* the fold whose running value this is: verb HD_REDUCE */
};

/* ---- histogram ------------------------------------------------------------------------- */

struct hd_histogram {
  heddle_type type;
  heddle_bins bins;         /* auto_range still to be resolved if it is set */
  size_t channels;          /* 1 to 4 */
  heddle_type weights_type; /* HEDDLE_TYPE_DEFAULT: none */
  int weight_exponent;      /* or HEDDLE_FIND_EXPONENT */
  bool exact; /* sums by rule 15, of bf16, f32 and f64; weight_exponent says nothing then */
};

/* A bin's sum of weights in multiples of 2^(E - 86) (rule 14), and what is beside it. */
struct hd_weight_total {
  struct hd_fixed sum;
  u32 marks; /* enum hd_mark */
  u32 zero;  /* no padding */
};

/* The limbs of an exact sum of weights. */
static inline struct hd_exact_span hd_histogram_span(const struct hd_histogram *job) {
  return hd_exact_span_of(hd_exact_format_of_type(job->weights_type), false);
}
/* Bytes of a bin's sum as back ends exchange it: none without weights, else struct hd_weight_total, or as
 * hd_exact_pack has it. */
static inline size_t hd_histogram_sum_bytes(const struct hd_histogram *job) {
  if (job->weights_type == HEDDLE_TYPE_DEFAULT) return 0;
  return job->exact ? hd_exact_packed_bytes(hd_histogram_span(job))
                    : sizeof(struct hd_weight_total);
}

/* ---- sort ------------------------------------------------------------------------------ */

enum hd_sort_what { HD_SORT_KEYS, HD_SORT_PAIRS, HD_SORT_POSITIONS };

/* From an element's bits to an unsigned key, by which elements are sorted. An integer's key is its bits with
 * some of them flipped. A float's: negative numbers have all bits flipped, others the sign, and `flip`; then
 * `turn` is added, modulo 2^bits, which moves the NaN of one sign to those of the other. */
struct hd_sort_map {
  u32 bits; /* of an element */
  bool is_float;
  u64 flip, turn;
  u64 infinity; /* of floats: its bits, the greatest magnitude that is a number */
};

/* Stable; equal are, of pairs and positions, also both zeros, and all NaN. */
struct hd_sort {
  const char *entry; /* the public name, for messages */
  enum hd_sort_what what;
  heddle_type type;
  u32 value_bytes; /* HD_SORT_PAIRS: 1, 2, 4, 8 or 16; HD_SORT_POSITIONS: 4 or 8, of a position; else 0 */
  bool descending, nan_first;
  bool overwrite;         /* inputs may be written, and mean nothing afterwards */
  u32 bit_begin, bit_end; /* of the key; floats: all */
  struct hd_sort_map map;
  void *scratch; /* the caller's; NULL: the context's allocator */
  size_t scratch_bytes;
};

/* An output is its input, element on element, or overlaps nothing. */
struct hd_sort_arrays {
  const void *keys, *values; /* values: HD_SORT_PAIRS only */
  void *keys_out;            /* NULL: not wanted, as with HD_SORT_POSITIONS */
  void *values_out;          /* values, or positions from the row's start; HD_SORT_KEYS: NULL */
};

/* ---- select and runs ------------------------------------------------------------------- */

enum hd_select_what { HD_SELECT_ELEMENTS, HD_SELECT_PARTITION, HD_SELECT_POSITIONS };

/* Element i is selected if of[i] compares so with the value; `of` is an array of the call. */
struct hd_select {
  const char *entry; /* the public name, for messages */
  enum hd_select_what what;
  heddle_comparison comparison;
  heddle_type type;           /* of an element of `of` */
  u64 value;                  /* its bits, those above the type's size 0; HEDDLE_NONZERO: 0 */
  heddle_predicate predicate; /* HEDDLE_PREDICATE */
  u32 element_bytes;          /* 1, 2, 4, 8 or 16; HD_SELECT_POSITIONS: 4 or 8, of a position */
};

/* Runs of equal neighbours, of keys of this type. */
struct hd_runs {
  const char *entry; /* the public name, for messages */
  heddle_type type;
};

/* ---- order statistics -------------------------------------------------------------------- */

/* Of quantiles; weights are an array of the call. */
struct hd_quantiles {
  heddle_quantile_method method;
  heddle_nan nan;
  heddle_type type, weights_type; /* HEDDLE_TYPE_DEFAULT: no weights */
  struct hd_sort sort;            /* HD_SORT_KEYS of the type, ascending, NaN last */
};

/* Keys (struct hd_sort_map) from low to low + width, which `inside` of all are, behind `below` others. Counted,
 * they have (width >> shift) + 1 counters from `first` on, each of 2^shift keys. */
struct hd_key_band {
  u64 low, width, below, inside;
  u32 shift;
  size_t first;
};

/* One pass over a piece of an array: what of it is in bands. All of it gains what the piece has. */
struct hd_key_count {
  const struct hd_sort *sort;
  const struct hd_key_band *bands; /* rising, apart; at least one */
  size_t band_count;
  u64 *
      counts; /* counters of all bands, `slots` of them; NULL: keys in bands are kept, in any order */
  size_t slots;
  u64 *keys;
  size_t room, kept; /* kept above room: those beyond are not there */
  u64 nan_key;       /* the least key of a NaN; 0: there is none */
  u64 nan;           /* elements that are NaN */
  u64 least, most;   /* keys of all elements */
};

/* ---- what a call would run --------------------------------------------------------------- */

/* A call of heddle_explain's: the job that it names. Of arrays it says how many elements there are, and of those that
 * may be left out whether they are wanted. */
struct hd_asked {
  heddle_call call;
  size_t wanted;
  bool indexed; /* HEDDLE_CALL_PARTIAL_SORT: positions are wanted */
  struct hd_sort sort;
  struct hd_quantiles quantiles; /* weights_type says whether there are weights */
  struct hd_select select;
  struct hd_scan scan; /* by key, of groups: a fold's is its fold */
  struct hd_runs runs; /* by key */
  size_t width;        /* of groups: elements of a row */
  heddle_type id_type; /* of groups */
  const struct hd_histogram_nd *grid;
  bool sums, squares; /* of a grid: which are wanted beside counts */
};

/* ---- unique ------------------------------------------------------------------------------ */

struct hd_unique {
  heddle_type type;
  u32 index_bytes;     /* 4 or 8, of inverse; 0: not wanted */
  struct hd_sort sort; /* HD_SORT_POSITIONS of the type */
};

/* Outputs that are not wanted are NULL. */
struct hd_unique_out {
  void *values;
  u64 *counts, *first;
  void *inverse;
  u64 *found;
};

/* ---- histogram of several dimensions ------------------------------------------------------ */

enum { HD_MOST_DIMS = 8 };

struct hd_histogram_nd {
  heddle_type type;
  size_t dims;
  heddle_bins bins[HD_MOST_DIMS];  /* auto_range still to be resolved where it is set */
  ptrdiff_t strides[HD_MOST_DIMS]; /* elements */
  bool flow;
  size_t slots;             /* of all axes: the length of each output, up to 2^28 */
  heddle_type weights_type; /* HEDDLE_TYPE_DEFAULT: none */
  bool exact;
};

/* Outputs that are not wanted are NULL; results: one an axis. */
struct hd_histogram_nd_out {
  u64 *counts;
  heddle_histogram_result *results;
  f64 *sums, *squares;
};

#endif
