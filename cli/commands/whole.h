/* whole.h - integers of text folded exactly: sums of any size, products that fit 64 bits
 *
 * For columns whose type is found out (input_integers): blocks of i64, later maybe of u64. */
#ifndef HEDDLE_CLI_COMMANDS_WHOLE_H
#define HEDDLE_CLI_COMMANDS_WHOLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "heddle.h"
#include "output/sink.h"
#include "report/failure.h"

__extension__ typedef __int128 whole_wide;

struct whole {
  int op;           /* heddle_op, OP_ARGMIN or OP_ARGMAX */
  heddle_type type; /* of the latest block */
  uint64_t count, index;
  uint64_t bits;  /* min, max, and, or, xor: the element so far */
  whole_wide sum; /* sum; prod: the product; of a scan: all */
  bool started;   /* an element, or an initial value */
  bool over;      /* a product has passed 64 bits, or a sum of products 128 */
};

/* Whether there is an exact fold by this operator: not for any and all, which are exact in f64. */
bool whole_takes(int op);
/* Whether it grows with every element, as sums and products do. */
bool whole_is_total(int op);
void whole_start(struct whole *w, int op);
/* Begins with this value: false if it is no integer of 64 bits. */
bool whole_init(heddle_context *ctx, struct whole *w, const char *init, struct failure *why);
int whole_add(heddle_context *ctx, struct whole *w, heddle_type type, const void *integers,
              size_t count, struct failure *why);
/* Adds the products of x, of type tx, and y; `over` where the sum passes 128 bits. */
void whole_add_products(struct whole *w, heddle_type tx, const void *x, heddle_type ty,
                        const void *y, size_t count);
/* The result as a decimal, whatever its size; false where it is `over`. */
enum { WHOLE_TEXT = 48 };
bool whole_text(const struct whole *w, char text[WHOLE_TEXT]);

/* Running totals by sum, prod, min or max (this one not exclusive), a line each; returns how many
 * were written: fewer than count where a product passes 64 bits. */
size_t whole_scan(struct whole *w, heddle_type type, const void *integers, size_t count,
                  bool exclusive, struct sink *out);

/* Adds up, or multiplies, elements of `type`; false at the first, *at, whose total does not fit. */
bool whole_fits(struct whole *w, heddle_type type, const void *integers, size_t count, size_t *at);

#endif
