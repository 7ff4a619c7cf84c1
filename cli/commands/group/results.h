/* results.h - groups with their figures in the order of their keys, from memory or from many sorted files */
#ifndef HEDDLE_CLI_COMMANDS_GROUP_RESULTS_H
#define HEDDLE_CLI_COMMANDS_GROUP_RESULTS_H

#include "commands/sort/runs.h"
#include "figures.h"
#include "key_order.h"

struct group_row {
  const char *key;
  size_t key_bytes;
  uint64_t value[GROUP_FIGURES]; /* of the results' types */
  const char *text[GROUP_FIGURES];
  size_t text_bytes[GROUP_FIGURES];
};
typedef int group_take(void *user, const struct group_row *row, struct failure *why);

/* Each group of a table in order. */
int results_each(const struct group_table *t, const struct results *r,
                 const struct key_order *order, group_take *take, void *user, struct failure *why);

/* Sorted groups in files. */
struct result_runs {
  const struct asked *q;
  const struct results *r; /* its types */
  struct key_order order;
  size_t memory;
  struct runs runs;
};
int results_to_run(struct result_runs *to, const struct group_table *t, const struct results *r,
                   struct failure *why);
int results_merge(struct result_runs *from, group_take *take, void *user, struct failure *why);

#endif
