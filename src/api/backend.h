/* backend.h - the one struct that a back end fills
 *
 * Arguments come checked by api*.c: types, operators and options are valid and defaults are
 * filled in, pointers are non-null where there is anything to read or write, rows are in range.
 * Calls arrive in round-to-nearest with denormals kept (hd_float_enter). */
#ifndef HEDDLE_API_BACKEND_H
#define HEDDLE_API_BACKEND_H

#include "api/jobs.h"

/* ---- the back end ---------------------------------------------------------------------- */

/* clang-format off */
/* What a call would run (heddle_explain): each asks the chooser that the call itself asks. *out comes
 * cleared but for its size. align: 1 to 16 bytes, of which arrays begin at odd multiples. */
#define HD_EXPLAIN_ENTRIES(X)                                                                       \
  X(heddle_status, fold_explain,                                                                    \
    (heddle_context *ctx, const struct hd_fold *fold, size_t count, u32 align, heddle_plan *out))   \
  X(heddle_status, fold_rows_explain,                                                               \
    (heddle_context *ctx, const struct hd_fold *fold, const heddle_rows *rows, heddle_plan *out))   \
  X(heddle_status, exact_explain,                                                                   \
    (heddle_context *ctx, const struct hd_fold *fold, size_t count, u32 align, heddle_plan *out))   \
  X(heddle_status, exact_rows_explain,                                                              \
    (heddle_context *ctx, const struct hd_fold *fold, const heddle_rows *rows, heddle_plan *out))   \
  X(heddle_status, scan_explain,                                                                    \
    (heddle_context *ctx, const struct hd_scan *scan, size_t count, u32 align, heddle_plan *out))   \
  X(heddle_status, scan_rows_explain,                                                               \
    (heddle_context *ctx, const struct hd_scan *scan, const heddle_rows *rows, heddle_plan *out))   \
  X(heddle_status, histogram_explain,                                                               \
    (heddle_context *ctx, const struct hd_histogram *job, size_t count, heddle_plan *out))          \
  X(heddle_status, sort_explain,                                                                    \
    (heddle_context *ctx, const struct hd_sort *sort, const heddle_rows *rows, size_t count,        \
     heddle_plan *out)) /* rows: or NULL */                                                         \
  X(heddle_status, call_explain,                                                                    \
    (heddle_context *ctx, const struct hd_asked *asked, const heddle_rows *rows, size_t count,      \
     heddle_plan *out)) /* the same; at least one element and result */

/* X(result, name, arguments) of what every back end does. Those that a context being prepared does
 * as at any other time: */
#define HD_ORDER_ENTRIES(X)                                                                         \
  X(void, close, (heddle_context *ctx))                                                             \
  X(heddle_status, info, (heddle_context *ctx, heddle_device_info *out))                            \
  X(heddle_status, set_stream, (heddle_context *ctx, void *stream))                                 \
  X(heddle_status, sync, (heddle_context *ctx, bool wait)) /* or what is known already */           \
  X(heddle_status, device_alloc, (heddle_context *ctx, size_t bytes, void **out))                   \
  X(heddle_status, device_free, (heddle_context *ctx, void *memory))                                \
  X(heddle_status, set_device_allocator,                                                            \
    (heddle_context *ctx, heddle_device_allocate *allocate, heddle_device_release *release,         \
     void *user))                                                                                   \
  X(heddle_status, prepare_begin, (heddle_context *ctx))                                            \
  X(heddle_status, prepare_end, (heddle_context *ctx, size_t *scratch_bytes))                       \
  X(heddle_status, set_scratch, (heddle_context *ctx, void *memory, size_t bytes))                  \
  X(heddle_status, fold_begin, (heddle_context *ctx, const struct hd_fold *fold, void **state))     \
  X(void, fold_free, (void *state))                                                                 \
  X(heddle_status, exact_begin, (heddle_context *ctx, const struct hd_fold *fold, void **state))    \
  X(void, exact_free, (void *state))                                                                \
  X(heddle_status, scan_begin, (heddle_context *ctx, const struct hd_scan *scan, void **state))     \
  X(void, scan_free, (void *state))                                                                 \
  X(heddle_status, histogram_begin,                                                                 \
    (heddle_context *ctx, const struct hd_histogram *job, void **state))                            \
  X(void, histogram_free, (void *state))                                                            \
  X(heddle_status, sort_scratch,                                                                    \
    (heddle_context *ctx, const struct hd_sort *sort, size_t count, size_t *bytes))                 \
  HD_EXPLAIN_ENTRIES(X)

/* Those that read and write arrays. A histogram's counts, result and sums may be NULL; a
 * sort has at least one element, or row. */
#define HD_WORK_ENTRIES(X)                                                                          \
  X(heddle_status, copy, (heddle_context *ctx, void *to, const void *from, size_t bytes))           \
  X(heddle_status, fold,                                                                            \
    (heddle_context *ctx, const struct hd_fold *fold, const void *x, const void *y, size_t count,   \
     struct hd_fold_out out))                                                                       \
  X(heddle_status, fold_rows,                                                                       \
    (heddle_context *ctx, const struct hd_fold *fold, const void *x, const void *y,                 \
     const heddle_rows *rows, struct hd_fold_out out))                                              \
  X(heddle_status, fold_update, (void *state, const void *x, const void *y, size_t count))          \
  X(heddle_status, fold_finish, (void *state, struct hd_fold_out out))                              \
  X(heddle_status, exact,                                                                           \
    (heddle_context *ctx, const struct hd_fold *fold, const void *x, const void *y, size_t count,   \
     struct hd_fold_out out))                                                                       \
  X(heddle_status, exact_rows,                                                                      \
    (heddle_context *ctx, const struct hd_fold *fold, const void *x, const void *y,                 \
     const heddle_rows *rows, struct hd_fold_out out))                                              \
  X(heddle_status, exact_update, (void *state, const void *x, const void *y, size_t count))         \
  X(heddle_status, exact_finish, (void *state, struct hd_fold_out out))                             \
  X(heddle_status, scan,                                                                            \
    (heddle_context *ctx, const struct hd_scan *scan, const void *in, size_t count, void *out))     \
  X(heddle_status, scan_rows,                                                                       \
    (heddle_context *ctx, const struct hd_scan *scan, const void *in, const heddle_rows *rows,      \
     void *out))                                                                                    \
  X(heddle_status, scan_update, (void *state, const void *in, size_t count, void *out))             \
  X(heddle_status, scan_finish, (void *state, void *total))                                         \
  X(heddle_status, histogram,                                                                       \
    (heddle_context *ctx, const struct hd_histogram *job, const void *in, const void *weights,      \
     size_t count, u64 *counts, heddle_histogram_result *result, double *sums))                     \
  X(heddle_status, histogram_update,                                                                \
    (void *state, const void *in, const void *weights, size_t count))                               \
  X(heddle_status, histogram_finish,                                                                \
    (void *state, u64 *counts, heddle_histogram_result *result, double *sums))                      \
  X(heddle_status, sort,                                                                            \
    (heddle_context *ctx, const struct hd_sort *sort, const struct hd_sort_arrays *arrays,          \
     size_t count))                                                                                 \
  X(heddle_status, sort_rows,                                                                       \
    (heddle_context *ctx, const struct hd_sort *sort, const struct hd_sort_arrays *arrays,          \
     const heddle_rows *rows))

/* What states hold, as bytes that any other back end takes; all arrays are host memory, and there when the
 * call returns. None is called while preparing.
 * fold_export, scan_export  of *count elements so far, counted from 0: the totals of the run of whole
 *                   chunks, canonical, and in x (dot: and y) the elements of the chunk under way; order-free:
 *                   the one total of all, and no elements
 * scan_resume       a state that was begun stands behind `count` elements, told in that form
 * scan_behind       the scan of an array that lies behind them
 * exact_export      the limbs, carried, within the span of the elements' type
 * exact_add         such limbs are added
 * histogram_export  all counters and, with weights, their sums (hd_histogram_sum_bytes each), 0 where there are marks:
 *                   [slot * channels + channel]
 * histogram_add     such tables of `seen` elements are added */
#define HD_STATE_ENTRIES(X)                                                                         \
  X(heddle_status, fold_export, (void *state, u64 *count, void *totals, void *x, void *y))          \
  X(heddle_status, scan_export, (void *state, u64 *count, void *totals, void *x))                   \
  X(heddle_status, scan_resume, (void *state, u64 count, const void *totals, const void *x))        \
  X(heddle_status, scan_behind, (heddle_context *ctx, const struct hd_scan *scan, u64 before, const void *totals, const void *x, const void *in, size_t count, void *out)) \
  X(heddle_status, exact_export, (void *state, struct hd_exact *sum))                               \
  X(heddle_status, exact_add, (void *state, const struct hd_exact *sum))                            \
  X(heddle_status, histogram_export,                                                                \
    (void *state, u64 *seen, u64 *counts, void *sums))                            \
  X(heddle_status, histogram_add,                                                                   \
    (void *state, u64 seen, const u64 *counts, const void *sums))

/* By key, select, order statistics, search: whole arrays of at least one element, but where told. Outputs that
 * are not wanted are NULL; counts that are found may be device memory.
 * select, runs, reduce_by_key  count may be 0: then *selected or *runs is 0, and offsets[0], if wanted
 * select         out may be in, and of, too, if elements of both have one size (HD_SELECT_ELEMENTS); in is NULL,
 *                and out may be, of positions
 * runs, reduce_by_key  keys_out may be the keys
 * scan_by_key    out may be in, if elements of both have one size
 * nth, .._rows   ranks and q are host memory; a row is long enough for them
 * search         `count` is at least one, sorted_count may be 0
 * gather         index_type is an integer of 32 or 64 bits
 * histogram_nd   of any number of elements */
#define HD_SELECT_ENTRIES(X)                                                                        \
  X(heddle_status, select,                                                                          \
    (heddle_context *ctx, const struct hd_select *job, const void *of, const void *in, size_t count, \
     void *out, u64 *selected))                                                                     \
  X(heddle_status, runs,                                                                            \
    (heddle_context *ctx, const struct hd_runs *job, const void *in, size_t count, void *keys_out,  \
     u64 *offsets, u64 *runs))                                                                      \
  X(heddle_status, reduce_by_key,                                                                   \
    (heddle_context *ctx, const struct hd_fold *fold, const struct hd_runs *job, const void *keys,  \
     const void *values, size_t count, void *keys_out, void *out, u64 *runs))                       \
  X(heddle_status, scan_by_key,                                                                     \
    (heddle_context *ctx, const struct hd_scan *scan, const struct hd_runs *job, const void *keys,  \
     const void *in, size_t count, void *out))                                                      \
  X(heddle_status, nth,                                                                             \
    (heddle_context *ctx, const struct hd_sort *sort, const void *in, size_t count,                 \
     const u64 *ranks, size_t rank_count, void *out))                                               \
  X(heddle_status, nth_rows,                                                                        \
    (heddle_context *ctx, const struct hd_sort *sort, const void *in, const heddle_rows *rows,      \
     const u64 *ranks, size_t rank_count, void *out))                                               \
  X(heddle_status, partial_sort,                                                                    \
    (heddle_context *ctx, const struct hd_sort *sort, const void *in, size_t count, size_t k,       \
     void *out, void *index))                                                                       \
  X(heddle_status, partial_sort_rows,                                                               \
    (heddle_context *ctx, const struct hd_sort *sort, const void *in, const heddle_rows *rows,      \
     size_t k, void *out, void *index))                                                             \
  X(heddle_status, quantiles,                                                                       \
    (heddle_context *ctx, const struct hd_quantiles *job, const void *in, const void *weights,      \
     size_t count, const f64 *q, size_t q_count, f64 *out))                                         \
  X(heddle_status, quantiles_rows,                                                                  \
    (heddle_context *ctx, const struct hd_quantiles *job, const void *in, const void *weights,      \
     const heddle_rows *rows, const f64 *q, size_t q_count, f64 *out))                                                       \
  X(heddle_status, search,                                                                          \
    (heddle_context *ctx, heddle_type type, const void *sorted, size_t sorted_count,                \
     const void *values, size_t count, heddle_side side, u32 index_bytes, void *index))             \
  X(heddle_status, gather,                                                                          \
    (heddle_context *ctx, size_t element_bytes, const void *in, size_t in_count,                    \
     heddle_type index_type, const void *index, size_t count, void *out))                           \
  X(heddle_status, scatter_reduce,                                                                  \
    (heddle_context *ctx, const struct hd_scatter *job, const void *in, void *out))                 \
  X(heddle_status, unique,                                                                          \
    (heddle_context *ctx, const struct hd_unique *job, const void *in, size_t count,                \
     struct hd_unique_out out))                                                                     \
  X(heddle_status, histogram_nd,                                                                    \
    (heddle_context *ctx, const struct hd_histogram_nd *job, const void *const *columns,            \
     const void *weights, size_t count, struct hd_histogram_nd_out out))

/* What a handle of groups has behind it (heddle_groups). None is called while preparing. groups_make fills
 * *details, whose arrays are the handle's. */
#define HD_GROUPS_ENTRIES(X)                                                                        \
  X(heddle_status, groups_make,                                                                     \
    (heddle_context *ctx, heddle_type id_type, const void *ids, size_t count, size_t groups,        \
     void **handle, heddle_groups_details *details))                                                \
  X(void, groups_free, (void *handle))                                                              \
  X(heddle_status, groups_gather, (void *handle, size_t row_bytes, const void *in, void *out))      \
  X(heddle_status, groups_reduce,                                                                   \
    (void *handle, const struct hd_fold *fold, const void *in, size_t width, void *out))

#define HD_ENTRIES(X)                                                                               \
  HD_ORDER_ENTRIES(X)                                                                               \
  HD_WORK_ENTRIES(X) HD_SELECT_ENTRIES(X) HD_STATE_ENTRIES(X) HD_GROUPS_ENTRIES(X)

/* Totals of parts of an array, in the form of order/total.h, so that back ends and hosts can exchange
 * them; init has no part in them. Totals are host memory, byte for byte the same from every back end,
 * and there when the call returns; elements and results may lie wherever those of fold may. On a device
 * being prepared partial and partial_result write nothing; the CPU's stand-in then has NULL here.
 * partial        totals[..] = those of the run whose elements are x and y (order/runs.h)
 * merge          totals[..] = those of two runs of neighbours; totals may be left_totals
 * partial_result the result of a run that begins at element 0: that of fold, to the bit
 * histogram_range found[..] = the least and the greatest finite value, positive ones alone if so asked;
 *                the least above the greatest: there is none */
#define HD_PARTIAL_ENTRIES(X)                                                                       \
  X(heddle_status, partial,                                                                         \
    (heddle_context *ctx, const struct hd_fold *fold, const void *x, const void *y,                 \
     struct hd_run run, void *totals))                                                              \
  X(heddle_status, merge,                                                                           \
    (heddle_context *ctx, const struct hd_fold *fold, struct hd_run left, const void *left_totals,  \
     struct hd_run right, const void *right_totals, void *totals))                                  \
  X(heddle_status, partial_result,                                                                  \
    (heddle_context *ctx, const struct hd_fold *fold, struct hd_run run, const void *totals,        \
     struct hd_fold_out out))                                                                       \
  X(heddle_status, histogram_range,                                                                 \
    (heddle_context *ctx, heddle_type type, const void *in, size_t count, bool positive,            \
     f64 found[2]))
/* clang-format on */

/* Work on one of several pieces of an array, on the context of a device that reaches it. */
typedef heddle_status hd_piece_task(heddle_context *ctx, void *arg, size_t piece);

struct hd_backend {
  const char *name; /* the device string's first word */
  bool device;      /* operators are CUDA C text; results may be device memory, and NULL */
  /* rest is what follows "name:", or "". Fills ctx->threads, kernels, device, note. */
  heddle_status (*open)(heddle_context *ctx, const char *rest);
  /* Memory that this thread cannot read. NULL: there is none. */
  bool (*on_device)(heddle_context *ctx, const void *pointer);
  /* How many devices of the name this process has, by which groups of them are formed; NULL: they form
   * none. On which of ctx's devices that memory is, by number; -1: on none, -2: on one that is not ctx's. */
  heddle_status (*devices)(const char *entry, int *count);
  int (*device_of)(heddle_context *ctx, const void *pointer);
  /* task for every piece, by the member of a group of devices on which where[piece] is, or by any if that
   * is the host's; members work at once, each on one piece after the other. Of several failures that of the
   * first piece is reported. NULL: no group, see hd_spread. */
  heddle_status (*spread)(heddle_context *ctx, size_t pieces, const void *const *where,
                          hd_piece_task *task, void *arg);
  /* Keys of `count` elements of the host's, counted. NULL: who asks counts them himself. */
  heddle_status (*count_keys)(heddle_context *ctx, struct hd_key_count *job, const void *in,
                              size_t count);
#define HD_ENTRY(type, name, arguments) type(*name) arguments;
  HD_ENTRIES(HD_ENTRY)
  HD_PARTIAL_ENTRIES(HD_ENTRY)
#undef HD_ENTRY
};

/* hd_cpu_prepare_backend stands in for hd_cpu_backend between heddle_prepare_begin and _end. */
extern const struct hd_backend hd_cpu_backend, hd_cpu_prepare_backend;
#ifdef HEDDLE_CUDA
extern const struct hd_backend hd_cuda_backend, hd_simt_backend;
/* Groups of each: their `rest` is a list of numbers, or "all". */
extern const struct hd_backend hd_cuda_group_backend, hd_simt_group_backend;
#endif

/* `pointer` is memory of ctx's device that the host cannot read. */
static inline bool hd_on_device(heddle_context *ctx, const void *pointer) {
  return pointer && ctx->backend->on_device && ctx->backend->on_device(ctx, pointer);
}

/* spread, by whatever back end. */
static inline heddle_status hd_spread(heddle_context *ctx, size_t pieces, const void *const *where,
                                      hd_piece_task *task, void *arg) {
  heddle_status status = HEDDLE_OK;
  if (ctx->backend->spread) return ctx->backend->spread(ctx, pieces, where, task, arg);
  for (size_t i = 0; i < pieces && !status; i++) status = task(ctx, arg, i);
  return status;
}

/* The stride of dimension d in elements: given, or that of C order without gaps. */
static inline i64 hd_rows_stride(const heddle_rows *rows, size_t d) {
  if (rows->strides) return rows->strides[d];
  i64 stride = 1;
  for (size_t i = rows->dims - 1; i > d; i--) stride *= (i64)rows->shape[i];
  return stride;
}

#endif
