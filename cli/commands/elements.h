/* elements.h - the elements of an array for which --where holds, block by block */
#ifndef HEDDLE_CLI_COMMANDS_ELEMENTS_H
#define HEDDLE_CLI_COMMANDS_ELEMENTS_H

#include "condition.h"
#include "source.h"

struct held_elements;

/* Fills src->elements, of an open array; the condition stays the caller's. */
int elements_where(struct source *src, const struct condition *where, struct failure *why);
/* Of a block those for which it holds, which may be none; they stay until the next call. */
int held_elements_take(struct held_elements *h, const void **data, size_t *count,
                       struct failure *why);
void held_elements_free(struct held_elements *h); /* NULL is allowed */

#endif
