/* ranks.h - the quartiles of a column that is seen once, and not held
 *
 * A sample says between which two values each quartile lies, almost surely. Of what is below them nothing but the
 * number is kept, and of what is between them all: a few values of a hundred. A quartile is then exact, or known not
 * to be there. Without a sample all is kept. */
#ifndef HEDDLE_CLI_COMMANDS_DESCRIBE_RANKS_H
#define HEDDLE_CLI_COMMANDS_DESCRIBE_RANKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "heddle.h"
#include "report/failure.h"

enum { QUARTILES = 3 };

/* Values by keys that rise with them: -0 before 0. */
struct bracket {
  int64_t low, high;
  uint64_t below, at_low, at_high;
  double *inside; /* between both, neither among them */
  size_t count, room;
};

struct ranks {
  struct bracket bracket[QUARTILES];
  size_t brackets; /* 1: of everything */
  bool over;       /* what is between them did not fit */
};

void ranks_hold(struct ranks *r);
/* Values of a sample, no NaN among them; at least as many as RANKS_SAMPLE. */
enum { RANKS_SAMPLE = 1000 };
int ranks_aim(struct ranks *r, heddle_context *ctx, const double *sample, size_t count,
              struct failure *why);
/* Values, no NaN among them. *budget: bytes that may be taken, by this and all others. */
void ranks_add(struct ranks *r, const double *values, size_t count, size_t *budget);
/* Of all `count` values, by linear interpolation: 1 where one is not there. */
int ranks_quartiles(const struct ranks *r, heddle_context *ctx, uint64_t count,
                    double found[QUARTILES], struct failure *why);
void ranks_free(struct ranks *r);

extern const double ranks_shares[QUARTILES];

#endif
