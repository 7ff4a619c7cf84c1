/* masks.h - a condition over a block of elements: 1 where it holds, else 0 */
#ifndef HEDDLE_CLI_COMMANDS_WHERE_MASKS_H
#define HEDDLE_CLI_COMMANDS_WHERE_MASKS_H

#include <stdint.h>

#include "expression/expression.h"
#include "expression/interval.h"

struct masks {
  const struct expression *e;
  heddle_type type, widest;
  struct interval *interval; /* of each node that compares */
  unsigned char *wide;       /* a chunk of elements of the widest type */
  uint8_t *scratch;          /* a mask of a chunk for each level of the tree */
};

/* For elements of `type`; a condition on text is a failure. masks_free after both. */
int masks_start(struct masks *m, const struct expression *e, heddle_type type, struct failure *why);
void masks_free(struct masks *m);
int masks_make(const struct masks *m, const void *elements, size_t count, uint8_t *mask,
               struct failure *why);

#endif
