/* wide.h - integers folded exactly, in 128 bits: a sum that 64 do not hold is told of, and none wraps */
#ifndef HEDDLE_CLI_COMMANDS_GROUP_WIDE_H
#define HEDDLE_CLI_COMMANDS_GROUP_WIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "heddle.h"

__extension__ typedef __int128 wide_value;

/* All zero at the start. */
struct wide {
  wide_value value;
  bool any, over; /* over: it has passed 128 bits */
};

/* HEDDLE_SUM, _SUM_SQUARES, _PROD, _MIN or _MAX of what came before and an i64. */
void wide_add(struct wide *w, heddle_op op, int64_t x);
/* As an i64; false if it is none. */
bool wide_result(const struct wide *w, int64_t *result);

#endif
