/* elements.h - the elements of an array for which --where holds, block by block */
#ifndef HEDDLE_CLI_COMMANDS_WHERE_ELEMENTS_H
#define HEDDLE_CLI_COMMANDS_WHERE_ELEMENTS_H

#include "condition.h"

struct held_elements;

/* Of an open array, `name` in messages; NULL and *why. The condition stays the caller's. */
struct held_elements *held_elements_new(const struct condition *where, heddle_type type,
                                        const char *name, struct failure *why);
/* Of a block those for which it holds, which may be none; they stay until the next call. */
int held_elements_take(struct held_elements *h, const void **data, size_t *count,
                       struct failure *why);
void held_elements_free(struct held_elements *h); /* NULL is allowed */

#endif
