/* part.h - a command whose process takes a part of each file, as those of heddle-mpi do
 *
 * Several processes run the same command line. Each reads its part of the one file, the states of all
 * are merged, and one process goes on with the result. Whoever starts the command gives it a struct
 * part in its settings; NULL is the command as it is alone. */
#ifndef HEDDLE_CLI_COMMANDS_PART_H
#define HEDDLE_CLI_COMMANDS_PART_H

#include <stdint.h>

#include "heddle.h"
#include "report/failure.h"

struct part {
  unsigned rank, ranks;
  /* Called once by every process, whatever happened before: *state becomes that of all parts. A process
   * that fails before it gets here is joined by its caller. Who will call it again sets merged to 0. */
  int (*merge)(struct part *self, heddle_context *ctx, heddle_state **state, struct failure *why);
  int merged; /* merge has been called */
};

/* The first of count elements that a process reads; that of the next one is the end. Parts begin at
 * multiples of 4,096 elements, chunks of order v1, so that their states are small. */
static inline uint64_t part_first(const struct part *part, unsigned rank, uint64_t count) {
  enum { ALIGN = 4096 };
  if (rank >= part->ranks) return count;
  const uint64_t blocks = count / ALIGN, each = blocks / part->ranks, more = blocks % part->ranks;
  return (each * rank + (rank < more ? rank : more)) * ALIGN;
}

#endif
