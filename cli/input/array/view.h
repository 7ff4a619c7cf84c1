/* view.h - an array that does not lie in its file as one run of its elements
 *
 * In pieces a fixed stride apart; as numbers that stand for others: scaled, of another sign, or for nothing. */
#ifndef HEDDLE_CLI_INPUT_ARRAY_VIEW_H
#define HEDDLE_CLI_INPUT_ARRAY_VIEW_H

#include <stdbool.h>
#include <stdint.h>

#include "heddle.h"
#include "input/stream.h"

enum view_values {
  VIEW_STORED, /* as they are */
  VIEW_FLIPPED, /* the sign bit is turned: unsigned numbers stored as signed ones, or the other way */
  VIEW_SCALED   /* f64: zero + scale x value, NaN for blank */
};

struct array_view {
  uint64_t begin, piece,
      stride;     /* bytes; the first piece, each one's length, from one to the next */
  uint64_t bytes; /* of all pieces together */
  heddle_type stored;
  bool swapped;
  enum view_values values;
  double scale, zero, blank;
  bool has_blank;
};

/* The type of what comes out, in this machine's order. */
heddle_type array_view_type(const struct array_view *view);
/* Whether it is one run of elements as they are: to be narrowed to. */
bool array_view_is_plain(const struct array_view *view);
/* Takes the place of *stream, a plain file, which becomes its own, as the allocated name does; NULL is no memory. */
int array_view_open(struct stream **stream, const struct array_view *view, char *name,
                    struct failure *why);

#endif
