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
    return hd_cuda_quantiles_rows(ctx, &a->quantiles, array(0), rows, zeros, a->wanted, array(1));
  }
}

static heddle_status run(heddle_context *ctx, const struct hd_asked *a, size_t count,
                         const void *zeros) {
  const bool weighed = a->quantiles.weights_type != HEDDLE_TYPE_DEFAULT;
  switch (a->call) {
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
  } known[] = {{"heddle_rank_gather", "search"},
               {"heddle_rank_weigh", "weighed"},
               {"heddle_rank_top", "warps"},
               {"heddle_histogram", "counted"},
               {"heddle_sort", "sorted"}};
  static const char project[] = "heddle_";
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (!strncmp(kernel, known[i].begin, strlen(known[i].begin))) return known[i].strategy;
  return strncmp(kernel, project, strlen(project)) ? kernel : kernel + strlen(project);
}

heddle_status hd_cuda_call_explain(heddle_context *ctx, const struct hd_asked *asked,
                                   const heddle_rows *rows, size_t count, heddle_plan *out) {
  struct hd_cuda_record record;
  void *zeros = calloc(asked->wanted ? asked->wanted : 1, sizeof(u64));
  if (!zeros)
    return hd_fail(HEDDLE_OUT_OF_MEMORY, "heddle_explain: no memory for %zu results",
                   asked->wanted);
  hd_cuda_record_begin(&record);
  const heddle_status status =
      rows ? run_rows(ctx, asked, rows, zeros) : run(ctx, asked, count, zeros);
  hd_cuda_record_end();
  free(zeros);
  if (status) return status;
  return hd_cuda_record_explain(ctx, &record,
                                record.launches ? strategy_of(record.launch[0].kernel) : "", out);
}
