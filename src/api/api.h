/* api.h - argument checks that the public entries share, and the head of every state */
#ifndef HEDDLE_API_API_H
#define HEDDLE_API_API_H

#include "backend.h"
#include "host/status.h"
#include "state/fold_state.h"

heddle_status hd_check_context(const char *entry, const heddle_context *ctx);
/* A struct whose first member is its size: not NULL, at least one size_t long, and zero beyond
 * what this version knows. */
heddle_status hd_check_size(const char *entry, const char *what, const void *given, size_t known);
heddle_status hd_check_type(const char *entry, heddle_type type);
/* NULL is allowed where there are no elements. */
heddle_status hd_check_array(const char *entry, const char *what, const void *array, size_t count,
                             size_t element_bytes);
/* An allocator's two hooks: both are there, or neither. */
heddle_status hd_check_hooks(const char *entry, bool allocate, bool release);
heddle_status hd_check_scan_kind(const char *entry, heddle_scan_kind kind);
/* Copies a sized struct of the caller's into one of this version's, filled with `defaults`. */
void hd_copy_sized(void *known, const void *given, const void *defaults, size_t known_bytes);

/* Copies a result to the caller's sized struct: its size stays as it is, and nothing is written
 * beyond it. */
void hd_return_sized(void *given, const void *known, size_t known_bytes);

/* What heddle_state points at; each verb's state is one of these around the back end's. */
enum hd_state_kind {
  HD_STATE_FOLD,
  HD_STATE_SCAN,
  HD_STATE_HISTOGRAM,
  HD_STATE_QUANTILES, /* and elements of given ranks */
  HD_STATE_FIRSTS,
  HD_STATE_WEIGHED /* quantiles by weights */
};
struct hd_rounds;  /* state/rounds.h */
struct hd_firsts;  /* state/firsts.h */
struct hd_weighed; /* state/weighed.h */
struct heddle_state {
  enum hd_state_kind kind;
  bool failed;    /* by an update: only heddle_state_free is left */
  bool preparing; /* begun between heddle_prepare_begin and heddle_prepare_end */
  heddle_context *ctx;
  struct hd_fold_state fold;     /* HD_STATE_FOLD; of HD_STATE_SCAN the job alone */
  heddle_scan_kind scan;         /* HD_STATE_SCAN */
  u64 count;                     /* elements so far of HD_STATE_SCAN and HD_STATE_HISTOGRAM */
  struct hd_histogram histogram; /* HD_STATE_HISTOGRAM: its job, without edges */
  f64 *edges;                    /* a copy of the caller's; or NULL */
  void *inner;                   /* the back end's of HD_STATE_SCAN and HD_STATE_HISTOGRAM */
  struct hd_rounds *rounds;      /* HD_STATE_QUANTILES */
  struct hd_firsts *firsts;      /* HD_STATE_FIRSTS */
  struct hd_weighed *weighed;    /* HD_STATE_WEIGHED */
};

/* A state of a checked fold, from element `start` of an array on. */
heddle_status hd_state_begin_fold(heddle_context *ctx, const struct hd_fold *fold, u64 start,
                                  heddle_state **out);
/* A state of a checked scan. */
heddle_status hd_state_begin_scan(const char *entry, heddle_context *ctx,
                                  const struct hd_fold *fold, heddle_scan_kind kind,
                                  heddle_state **out);
/* options->prefix of a checked scan. */
heddle_status hd_check_prefix(const char *entry, const struct hd_fold *fold,
                              const heddle_state *prefix);
/* A checked scan of an array that lies behind it. */
heddle_status hd_scan_behind_prefix(heddle_context *ctx, const struct hd_scan *scan,
                                    const heddle_state *prefix, const void *in, size_t count,
                                    void *out);
/* A scan's state that was begun stands behind what the prefix holds. */
heddle_status hd_state_resume_scan(heddle_state *state, const heddle_state *prefix);
/* A state that may be saved, merged and told of: it is there, has not failed, and is not for preparing. */
heddle_status hd_check_state_bytes(const char *entry, const char *what, const heddle_state *state);

/* NULL is allowed. */
void hd_rounds_free(heddle_context *ctx, struct hd_rounds *rounds);
void hd_firsts_free(heddle_context *ctx, struct hd_firsts *firsts);
void hd_weighed_free(heddle_context *ctx, struct hd_weighed *weighed);
heddle_status hd_state_new(heddle_context *ctx, enum hd_state_kind kind, heddle_state **out);
/* The state is not NULL, of that kind, and has not failed. */
heddle_status hd_check_state(const char *entry, const heddle_state *state, enum hd_state_kind kind);

heddle_status hd_check_verb(const char *entry, const char *what, heddle_verb verb);
/* The operator that a verb has of itself; reduce and scan: op. */
heddle_op hd_verb_op(heddle_verb verb, heddle_op op);
/* The verb has the operator, and the operator the type. */
heddle_status hd_check_op(const char *entry, heddle_verb verb, heddle_op op, heddle_type type);
/* The types of the result and of the accumulator, by options->out_type and acc_type or by default;
 * op and type are checked. */
heddle_status hd_result_types(const char *entry, heddle_verb verb, heddle_op op, heddle_type type,
                              const heddle_options *options, heddle_type *out, heddle_type *acc);
/* Fills *fold from what a public entry was given; every check of types, operators, options. */
heddle_status hd_fold_job(const char *entry, heddle_context *ctx, heddle_verb verb, heddle_op op,
                          heddle_type type, const heddle_options *options, struct hd_fold *fold);
/* What places a piece in its array: options->start of a state, options->prefix of a scan. */
struct hd_place {
  u64 start;
  const heddle_state *prefix;
};
/* As hd_fold_job, of a call that has one of them, which goes to *place. */
heddle_status hd_placed_job(const char *entry, heddle_context *ctx, heddle_verb verb, heddle_op op,
                            heddle_type type, const heddle_options *options, struct hd_fold *fold,
                            struct hd_place *place);
/* The same of one figure: HD_FIGURE on a device. On a CPU it is HD_DESCRIBE, and what the root of a variance
 * comes from; divisor has the ddof. *asked is what options->figures says. */
heddle_status hd_figure_job(const char *entry, heddle_context *ctx, heddle_type type,
                            const heddle_options *options, struct hd_fold *fold,
                            heddle_figures *asked);
/* The same of a histogram: *job, and the options as this version knows them. */
heddle_status hd_histogram_job(const char *entry, heddle_type type, const heddle_bins *bins,
                               const heddle_histogram_options *options, struct hd_histogram *job,
                               heddle_histogram_options *copy);
/* The same of a sort whose longest row has so many elements; value_bytes: of a position, too. */
heddle_status hd_sort_job(const char *entry, heddle_sort_verb verb, heddle_type type,
                          size_t value_bytes, u64 longest, const heddle_sort_options *options,
                          struct hd_sort *sort);
/* Order statistics (rank/rank.c). Of keys, by options->descending and nan_first alone. */
heddle_status hd_rank_job(const char *entry, heddle_type type, const heddle_sort_options *options,
                          struct hd_sort *sort);
/* Of the first elements; `longest`: of a row. No index is wanted: its type is not read. */
heddle_status hd_partial_job(const char *entry, heddle_type type, heddle_type index_type,
                             const void *index, u64 longest, const heddle_sort_options *options,
                             struct hd_sort *sort);
/* *weights: the array, or NULL. */
heddle_status hd_quantile_job(const char *entry, heddle_type type,
                              const heddle_quantile_options *options, struct hd_quantiles *job,
                              const void **weights);
/* Selects (select/select.c); *of: where->of. */
heddle_status hd_select_job(const char *entry, const heddle_context *ctx, enum hd_select_what what,
                            const heddle_where *where, size_t element_bytes, struct hd_select *job,
                            const void **of);
heddle_status hd_select_element(const char *entry, size_t element_bytes);
/* Ids and positions (groups/search.c): integers of 32 and 64 bits. */
heddle_status hd_check_id_type(const char *entry, const char *what, heddle_type type);
/* Offsets that the host cannot read are the kernels' to check. */
heddle_status hd_check_rows(const char *entry, heddle_context *ctx, const heddle_rows *rows,
                            size_t element_bytes, heddle_rows *copy);
/* Elements of rows cut by offsets: past the last one, and from the first on. One each if offsets
 * are device memory: the arrays' lengths are not known then, only that they must be there. */
void hd_offsets_count(heddle_context *ctx, const heddle_rows *rows, size_t *end, size_t *count);
/* Elements of an n-D shape. False if there are more than fit, also where an axis without elements
 * leaves none: no product of its other axes overflows in a checked shape. */
bool hd_shape_count(const heddle_rows *rows, size_t *count);
/* Elements of the longest of checked rows, as far as the host can see it. */
u64 hd_longest_row(heddle_context *ctx, const heddle_rows *rows);
/* Rows of checked rows. */
size_t hd_rows_count(const heddle_rows *rows);

/* Of heddle_explain: nothing would run; a call that the question has by its name (explain_call.c). */
heddle_status hd_explain_none(heddle_plan *plan);
heddle_status hd_explain_call(heddle_context *ctx, const heddle_question *q, heddle_plan *plan);

#endif
