/* box.h - boxes of a file, and how one is made */
#ifndef HEDDLE_CLI_COMMANDS_BOX_BOX_H
#define HEDDLE_CLI_COMMANDS_BOX_BOX_H

#include "heddle.h"
#include "options/args.h"
#include "plot/box.h"

struct boxes {
  struct plot_box *of;
  char **labels; /* of each, to be freed */
  size_t count, room;
};

enum { BOX_SHARES = 5 };
extern const double box_shares[BOX_SHARES]; /* least, quartiles, greatest */

/* The next box, of n elements of `type` with these quantiles of those that are no NaN. */
int boxes_add(struct boxes *b, const char *label, heddle_type type, const void *elements, size_t n,
              const double quantiles[BOX_SHARES], struct failure *why);
void boxes_free(struct boxes *b);

/* grouped.c: a box a group of --by, in the order of the keys. */
int boxes_by(const struct settings *s, heddle_context *ctx, struct boxes *out, struct failure *why);

#endif
