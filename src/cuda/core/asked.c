/* asked.c - what a call of heddle_explain's would launch: the call itself, recorded (record.h)
 *
 * Method   Arrays are addresses that nothing reads; ranks and shares are zeros, of which only the number counts. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/status.h"
#include "record.h"

/* An array of no memory. */
static void *array(unsigned which) {
  return (void *)(((uintptr_t)1 << 40) + ((uintptr_t)which << 43));
}

static heddle_status run_rows(heddle_context *ctx, const struct hd_asked *a,
                              const heddle_rows *rows, const void *zeros) {
  switch (a->call) {
  case HEDDLE_CALL_NTH:
    return hd_cuda_nth_rows(ctx, &a->sort, array(0), rows, zeros, a->wanted, array(1));
  case HEDDLE_CALL_PARTIAL_SORT:
    return hd_cuda_partial_sort_rows(ctx, &a->sort, array(0), rows, a->wanted, array(1),
                                     a->indexed ? array(2) : NULL);
  default:
    return hd_cuda_quantiles_rows(ctx, &a->quantiles, array(0),
                                  a->quantiles.weights_type != HEDDLE_TYPE_DEFAULT ? array(2)
                                                                                   : NULL,
                                  rows, zeros, a->wanted, array(1));
  }
}

static heddle_status run_by_key(heddle_context *ctx, const struct hd_asked *a, size_t count) {
  if (a->call == HEDDLE_CALL_SCAN_BY_KEY)
    return hd_cuda_scan_by_key(ctx, &a->scan, &a->runs, array(0), array(1), count, array(2));
  return hd_cuda_reduce_by_key(ctx, &a->scan.fold, &a->runs, array(0), array(1), count, array(2),
                               array(3), array(4));
}

static heddle_status run_scatter(heddle_context *ctx, const struct hd_asked *a, size_t count) {
  const struct hd_scatter job = {.fold = &a->scan.fold,
                                 .width = a->width,
                                 .id_type = a->id_type,
                                 .ids = array(2),
                                 .count = count,
                                 .groups = a->wanted};
  return hd_cuda_scatter_reduce(ctx, &job, array(0), array(1));
}

static heddle_status run_grid(heddle_context *ctx, const struct hd_asked *a, size_t count) {
  const void *columns[HD_MOST_DIMS];
  struct hd_histogram_nd_out out = {.counts = array(HD_MOST_DIMS)};
  for (unsigned d = 0; d < HD_MOST_DIMS; d++) columns[d] = array(d);
  if (a->sums) out.sums = array(HD_MOST_DIMS + 1);
  if (a->squares) out.squares = array(HD_MOST_DIMS + 2);
  return hd_cuda_histogram_nd(ctx, a->grid, columns,
                              a->sums || a->squares ? array(HD_MOST_DIMS + 3) : NULL, count, out);
}

static heddle_status run(heddle_context *ctx, const struct hd_asked *a, size_t count,
                         const void *zeros) {
  const bool weighed = a->quantiles.weights_type != HEDDLE_TYPE_DEFAULT;
  switch (a->call) {
  case HEDDLE_CALL_REDUCE_BY_KEY:
  case HEDDLE_CALL_SCAN_BY_KEY: return run_by_key(ctx, a, count);
  case HEDDLE_CALL_GROUPS_REDUCE:
    return hd_cuda_groups_reduce_asked(ctx, a, count, array(0), array(1));
  case HEDDLE_CALL_SCATTER_REDUCE: return run_scatter(ctx, a, count);
  case HEDDLE_CALL_HISTOGRAM_ND: return run_grid(ctx, a, count);
  case HEDDLE_CALL_NTH:
    return hd_cuda_nth(ctx, &a->sort, array(0), count, zeros, a->wanted, array(1));
  case HEDDLE_CALL_PARTIAL_SORT:
    return hd_cuda_partial_sort(ctx, &a->sort, array(0), count, a->wanted, array(1),
                                a->indexed ? array(2) : NULL);
  case HEDDLE_CALL_QUANTILES:
    return hd_cuda_quantiles(ctx, &a->quantiles, array(0), weighed ? array(2) : NULL, count, zeros,
                             a->wanted, array(1));
  case HEDDLE_CALL_SELECT:
  case HEDDLE_CALL_PARTITION:
  case HEDDLE_CALL_POSITIONS:
    return hd_cuda_select(ctx, &a->select, array(0),
                          a->call == HEDDLE_CALL_POSITIONS ? NULL : array(2), count, array(1),
                          array(3));
  }
  return HEDDLE_OK;
}

/* What a first kernel stands for; else its name. */
static const char *strategy_of(const char *kernel) {
  static const struct {
    const char *begin, *strategy;
  } known[] = {{"heddle_rank_gather", "search"}, {"heddle_rank_weigh", "weighed"},
               {"heddle_rank_top", "warps"},     {"heddle_histogram", "counted"},
               {"heddle_axes", "points"},        {"heddle_sort", "sorted"}};
  static const char project[] = "heddle_";
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (!strncmp(kernel, known[i].begin, strlen(known[i].begin))) return known[i].strategy;
  return strncmp(kernel, project, strlen(project)) ? kernel : kernel + strlen(project);
}

heddle_status hd_cuda_call_explain(heddle_context *ctx, const struct hd_asked *asked,
                                   const heddle_rows *rows, size_t count, heddle_plan *out) {
  struct hd_cuda_record record;
  void *held[HD_MOST_DIMS] = {NULL};
  void *zeros = calloc(asked->wanted ? asked->wanted : 1, sizeof(u64));
  if (!zeros)
    return hd_fail(HEDDLE_OUT_OF_MEMORY, "heddle_explain: no memory for %zu results",
                   asked->wanted);
  /* Tables of bins are the context's, and are made before: what is recorded has no memory of its own. */
  heddle_status status =
      asked->grid ? hd_cuda_histogram_nd_hold(ctx, asked->grid, held) : HEDDLE_OK;
  hd_cuda_record_begin(&record);
  if (!status) status = rows ? run_rows(ctx, asked, rows, zeros) : run(ctx, asked, count, zeros);
  hd_cuda_record_end();
  hd_cuda_histogram_nd_release(held);
  free(zeros);
  if (status) return status;
  return hd_cuda_record_explain(ctx, &record,
                                record.launches ? strategy_of(record.launch[0].kernel) : "", out);
}
