/* merge.h - runs of records of one size, merged */
#ifndef HEDDLE_CLI_COMMANDS_SORT_MERGE_H
#define HEDDLE_CLI_COMMANDS_SORT_MERGE_H

#include "order.h"
#include "sort.h"
#include "tree.h"

/* Values of 8 bytes, turned from integers into floats where text began with integers. */
int sort_retype(heddle_type from, heddle_type to, void *values, size_t n, struct failure *why);

/* A key, which comes first, and what goes with it. */
enum { KEY_ALONE = 8, KEY_AND_POSITION = 16 };

/* Takes records in their order. */
typedef int merge_emit(void *user, const unsigned char *records, size_t n, struct failure *why);

/* Merges `count` runs: of KEY_ALONE elements of order->type or, as their run's type tells, of integers
 * that became such, delivered as keys; of KEY_AND_POSITION records as they are. Of equal keys the first
 * alone if g->unique; no more than g->head. */
int merge_runs(struct sorting *g, struct run *runs, size_t count, size_t record_bytes,
               const struct sort_order *order, merge_emit *emit, void *user, struct failure *why);

/* While there are too many runs, makes fewer of them. */
int merge_levels(struct sorting *g, size_t record_bytes, const struct sort_order *order,
                 struct failure *why);

/* Progress of a merge of so many bytes, and a look for an interrupt. */
struct merge_progress {
  struct sorting *g;
  uint64_t done, total;
};
struct merge_progress merge_progress_start(struct sorting *g, const struct run *runs, size_t count);
int merge_progress_add(struct merge_progress *p, size_t bytes, struct failure *why);

#endif
