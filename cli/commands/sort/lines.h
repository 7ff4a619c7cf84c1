/* lines.h - the lines of a table with their keys: gathered, put in order, merged */
#ifndef HEDDLE_CLI_COMMANDS_SORT_LINES_H
#define HEDDLE_CLI_COMMANDS_SORT_LINES_H

#include "merge.h"
#include "order.h"
#include "output/sink.h"
#include "sort.h"

struct lines {
  struct sorting *g;
  size_t keys;
  bool reverse[INPUT_MAX_COLUMNS];
  heddle_type type[INPUT_MAX_COLUMNS]; /* of each key: i64, u64 or f64 */
  /* Integers that f64 does not hold have told the order of some lines already. */
  bool decided[INPUT_MAX_COLUMNS];

  size_t count, room, most;         /* most: at a time */
  uint64_t *key[INPUT_MAX_COLUMNS]; /* elements of `type` */
  size_t *end;                      /* of each line, in text */
  char *text;
  size_t used, text_room;
  bool bounded;   /* all N wanted are there: lines whose first key lies behind `bound` are not */
  uint64_t bound; /* among them */

  uint32_t *index; /* of lines_order, of `ordered` lines */
  size_t ordered;
};

#define LINES_MOST ((size_t)UINT32_MAX) /* that the index holds */

static inline size_t lines_start(const struct lines *l, size_t i) {
  return i == 0 ? 0 : l->end[i - 1];
}

/* Lines are visited out of order, and memory answers late: asks for what comes next in the index. */
static inline void lines_prefetch(const struct lines *l, size_t i) {
  enum { NEAR = 32, FAR = 64 };
  if (i + FAR < l->ordered) __builtin_prefetch(&l->end[l->index[i + FAR]]);
  if (i + NEAR >= l->ordered) return;
  const size_t next = l->index[i + NEAR];
  __builtin_prefetch(l->text + lines_start(l, next));
  __builtin_prefetch(l->text + l->end[next] -
                     1); /* a third of short lines lie in two cache lines */
}

/* The memory that a line takes besides its text. */
int lines_cost(const struct lines *l, size_t *bytes, struct failure *why);
struct sort_order lines_order_of(const struct lines *l, size_t k);

/* Makes the index: the lines wanted of those in memory, in their order; keys are now those of
 * order.h. */
int lines_order(struct lines *l, struct failure *why);
/* The memory is full: the lines wanted become a run, or stay if they are few. */
int lines_flush(struct lines *l, struct failure *why);
int lines_add_run(struct lines *l, struct failure *why);
void lines_forget(struct lines *l); /* frees all memory */

/* Merges the runs there are to the output. */
int lines_merge(struct lines *l, struct sink *out, struct failure *why);
/* While there are too many runs, makes fewer of them. */
int lines_merge_levels(struct lines *l, struct failure *why);

/* A run's records: the line's bytes as u32, its keys, its text. */

#endif
