/* tally.h - elements to runs of equal ones, and what is asked for of each run on its way out */
#ifndef HEDDLE_CLI_COMMANDS_UNIQ_TALLY_H
#define HEDDLE_CLI_COMMANDS_UNIQ_TALLY_H

#include "commands/sort/order.h"
#include "options/args.h"
#include "output/sink.h"

/* Equal are elements that compare so: zeros of both signs, and all NaN. The first of them is written. */
struct tally {
  const struct settings *s;
  struct sort_order order;
  size_t size;
  struct array_sink out;
  bool any;
  uint64_t key, count;
  unsigned char element[sizeof(uint64_t)]; /* the first of the run at hand */
};

/* As struct sort_taker has them; user is a struct tally with its settings alone. */
int tally_open(void *user, heddle_type type, struct failure *why);
int tally_take(void *user, const void *elements, size_t count, struct failure *why);
int tally_close(void *user, int status, struct failure *why);

#endif
