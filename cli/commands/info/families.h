/* families.h - the calls that heddle info --plan shows, each at sizes of its own */
#ifndef HEDDLE_CLI_COMMANDS_INFO_FAMILIES_H
#define HEDDLE_CLI_COMMANDS_INFO_FAMILIES_H

#include "options/args.h"

struct family;

/* One of them for an operator and a type. */
struct subject {
  const struct family *family;
  heddle_op op;
  heddle_type type;
  char title[96];
  const char *unit; /* what its size counts */
  uint64_t most;    /* the greatest size, a power of two */
};

/* The i-th in *subject, and in *shown whether it is shown: what the operator or the type is not for is left out.
 * false: there are no more. */
bool families_get(size_t i, const struct settings *s, struct subject *subject, bool *shown);
/* What the call would run at size n. */
heddle_status families_ask(heddle_context *ctx, const struct subject *subject, uint64_t n,
                           heddle_plan *plan);

#endif
