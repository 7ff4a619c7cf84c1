/* pieces.h - one result of elements that do not lie one behind the other, a copied piece at a time: of those that
 * no row reaches in order, and of those of a long column that are not null
 *
 * Result   those of the library's calls on a copy in C order
 * Order    the same bits: a state of the library takes the pieces one after the other */
#ifndef HEDDLE_PYTHON_PIECES_H
#define HEDDLE_PYTHON_PIECES_H

#include "lines.h"

/* Whether the lines, all of them one row, can be taken so, and are more than a piece. */
bool pieces_fit(const struct lines *l);
heddle_status pieces_reduce(heddle_context *ctx, heddle_op op, const struct lines *l, void *out,
                            const heddle_options *options);
heddle_status pieces_describe(heddle_context *ctx, const struct lines *l, heddle_description *out,
                              const heddle_options *options);
heddle_status pieces_argreduce(heddle_context *ctx, heddle_extreme which, const struct lines *l,
                               uint64_t *index, const heddle_options *options);
heddle_status pieces_scan(heddle_context *ctx, heddle_op op, const struct lines *l, void *out,
                          const heddle_options *options);

/* Of all elements of an array, or of a column as array_begin_whole has it. */
heddle_status whole_reduce(heddle_context *ctx, heddle_op op, const struct array *a, void *out,
                           const heddle_options *options);
/* *index: among all elements, what is null counted, too; of bools, among those that are not. */
heddle_status whole_argreduce(heddle_context *ctx, heddle_extreme which, const struct array *a,
                              uint64_t *index);
heddle_status whole_describe(heddle_context *ctx, const struct array *a, heddle_description *out,
                             const heddle_options *options);

#endif
