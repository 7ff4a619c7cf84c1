/* sort.h - what one call of heddle sort needs, and its three kinds of work */
#ifndef HEDDLE_CLI_COMMANDS_SORT_SORT_H
#define HEDDLE_CLI_COMMANDS_SORT_SORT_H

#include "commands/source.h"
#include "options/args.h"
#include "runs.h"

/* Who takes sorted elements instead of the output: opened once their type is known, closed with the status
 * of the work so far. */
struct sort_taker {
  int (*open)(void *user, heddle_type type, struct failure *why);
  int (*take)(void *user, const void *elements, size_t count, struct failure *why);
  int (*close)(void *user, int status, struct failure *why);
  void *user;
};

struct sorting {
  const struct settings *s;
  heddle_context *ctx;
  bool reverse, unique;
  uint64_t head; /* results wanted at most; UINT64_MAX: all */
  size_t memory; /* bytes that what is sorted may take, with what the library needs */
  struct source src;
  struct runs runs;
  const struct sort_taker *taker; /* NULL: the output */
};

/* memory.c: what -S asks for, by default half of what this process may have. */
int sort_memory(const char *size, size_t *bytes, struct failure *why);
/* How many items of item_bytes fit, with the library's memory for sorting so many; at least two.
 * With --head: as many as are gathered at a time. */
int sort_capacity(const struct sorting *g, heddle_sort_verb verb, heddle_type type,
                  size_t value_bytes, size_t item_bytes, size_t *capacity, struct failure *why);

/* Memory that serves all sorts of up to `count` elements, a heddle_sort_options.scratch; 0 on a GPU, whose
 * scratch is its own. */
int sort_scratch(const struct sorting *g, heddle_sort_verb verb, heddle_type type,
                 size_t value_bytes, size_t count, size_t *bytes, struct failure *why);

/* All of them, as the settings ask. */
int sort_source(struct sorting *g, struct failure *why);
/* Each reads g->src, which is open, to its end and writes the result. */
int sort_elements(struct sorting *g, struct failure *why);
int sort_positions(struct sorting *g, struct failure *why);
int sort_lines(struct sorting *g, struct failure *why);

#endif
