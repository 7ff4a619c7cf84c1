/* merge.h - runs of elements, or of keys and positions, merged */
#ifndef HEDDLE_CLI_COMMANDS_SORT_MERGE_H
#define HEDDLE_CLI_COMMANDS_SORT_MERGE_H

#include "order.h"
#include "sort.h"

/* Values of 8 bytes, turned from integers into floats where text began with integers. */
int sort_retype(heddle_type from, heddle_type to, void *values, size_t n, struct failure *why);

/* What runs hold: elements of their type, or records of a key of u64 and a position. */
enum merge_kind { MERGE_ELEMENTS, MERGE_POSITIONS };
enum { POSITION_RECORD = 2 * sizeof(uint64_t) };

/* Takes the next n elements, positions NULL; or keys and positions. */
typedef int merge_emit(void *user, const void *elements, const uint64_t *positions, size_t n,
                       struct failure *why);

/* Merges `count` runs of one kind: elements of order->type, or of integers that became such, as their
 * run's type tells. Of equal ones the first alone if g->unique; no more than g->head. */
int merge_runs(struct sorting *g, struct run *runs, size_t count, enum merge_kind kind,
               const struct sort_order *order, merge_emit *emit, void *user, struct failure *why);

/* While there are too many runs, makes fewer of them. */
int merge_levels(struct sorting *g, enum merge_kind kind, const struct sort_order *order,
                 struct failure *why);
/* n keys and positions as records at the end of a run. */
int merge_append(struct run *run, const uint64_t *keys, const uint64_t *positions, size_t n,
                 struct failure *why);

/* Progress of a merge, and a look for an interrupt. */
struct merge_progress {
  struct sorting *g;
  uint64_t done, total; /* bytes */
};
struct merge_progress merge_progress_start(struct sorting *g, const struct run *runs, size_t count);
int merge_progress_add(struct merge_progress *p, size_t bytes, struct failure *why);

#endif
